// Schemas are constant and shared; values are apart from them, and plain.
#include "operation/sample_operations.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

TEST(Schema, IsOneForAllOperationsOfAName) {
    const std::unique_ptr<Operation> one = made_operation("test-all-kinds", {{"integer", "30"}});
    const std::unique_ptr<Operation> other = make_operation("test-all-kinds");
    EXPECT_EQ(&one->schema(), &other->schema());
    EXPECT_EQ(&one->schema(), &one->clone()->schema());
    EXPECT_EQ(one->schema().at("integer").default_value(), ParameterValue(3)) << "whatever the value is now";
}

TEST(Schema, NamesThatThereAreNotAreAMistake) {
    const std::unique_ptr<Operation> operation = make_operation("test-all-kinds");
    EXPECT_EQ(operation->schema().find("nmber"), nullptr);
    EXPECT_THROW(operation->schema().at("nmber"), std::logic_error);
    EXPECT_THROW(operation->value("nmber"), std::logic_error);
    EXPECT_THROW(operation->set("nmber", 1.0), std::logic_error);
    EXPECT_THROW(operation->set_text("nmber", "1"), std::logic_error);
}

TEST(Values, AreCopiedAndCompared) {
    const std::unique_ptr<Operation> one =
        made_operation("test-all-kinds", {{"shape", "star"}, {"table", "1,-1"}});
    const std::unique_ptr<Operation> other = make_operation("test-all-kinds");
    EXPECT_NE(one->values(), other->values());
    other->set_values(one->values());
    EXPECT_EQ(one->values(), other->values());
    EXPECT_EQ(other->get<std::string>("shape"), "star");
    EXPECT_EQ(other->get<std::vector<double>>("table"), (std::vector<double>{1, -1}));
    std::vector<ParameterValue> values = one->values();
    values.pop_back();
    EXPECT_THROW(other->set_values(values), std::logic_error);
}

TEST(Values, OfAnOperationThatNobodyMayChange) {
    const std::unique_ptr<const Operation> operation =
        made_operation("test-all-kinds", {{"field", "hardness"}});
    EXPECT_EQ(operation->value_text("field"), "hardness");
    EXPECT_EQ(operation->fields().outputs, std::vector<std::string>{"hardness"});
    EXPECT_NO_THROW(operation->check_values());
}

double far_away = 1;

struct Elsewhere {
    int near = 0;
    void describe(Declaration& d) const {
        d.integer("near", near);
        d.number("far", far_away);
    }
};

TEST(Values, LieInTheOperationItself) {
    // A copy would share it with the original.
    EXPECT_THROW(StructSchema::of<Elsewhere>(), std::logic_error);
}

struct Lamp {
    double height = 2;
    std::string name = "lamp";
    void describe(Declaration& d) const {
        d.number("height", height).range(0, 10).help("above the table");
        d.text("name", name);
    }
};

TEST(Declaration, TakesParametersOfOthersAndStaysBound) {
    Lamp lamp;
    Declaration all;
    lamp.describe(all);
    const std::unique_ptr<Operation> operation = make_operation("test-all-kinds");
    Declaration d;
    d.include(*operation, [](const Parameter& parameter) { return parameter.name() == "shape"; });
    d.include(all, [](const Parameter& parameter) { return parameter.name() != "name"; });
    EXPECT_EQ(d.schema().parameter_names(), (std::vector<std::string>{"shape", "height"}));
    d.set_text("height", "7");
    d.set_text("shape", "star");
    EXPECT_EQ(lamp.height, 7);
    EXPECT_EQ(operation->value_text("shape"), "star");
    EXPECT_EQ(d.value_text("height"), "7");
    EXPECT_EQ(d.value_text("shape"), "star");
    d.adjust("height").range(0, 3);
    EXPECT_THROW(d.set_text("height", "7"), Error);
    EXPECT_NO_THROW(all.set_text("height", "7")) << "the one that it came from";
}

TEST(Declaration, OfFieldsAloneSaysTheSameOfThem) {
    Declaration fields(Declaration::Asking::fields);
    AllKinds values;
    values.field = "water";
    values.describe(fields);
    EXPECT_TRUE(fields.schema().parameters().empty());
    EXPECT_EQ(fields.fields().outputs, std::vector<std::string>{"water"});
}

}  // namespace
}  // namespace caprock::test

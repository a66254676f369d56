// The registry and what declarations say; registers the operations all tests of this room use.
#include "operation/sample_registrations.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace caprock::test {

namespace {

using Words = std::vector<std::string>;

TEST(Registry, NamesComeByRoomAndThenByName) {
    EXPECT_EQ(operation_names(),
              (Words{"test-all-kinds", "test-fail", "test-average", "test-launch", "test-sink", "test-spread",
                     "test-tilt", "test-add-mark", "test-compose", "test-mark", "test-nest", "test-count",
                     "test-count-together"}));
}

TEST(Registry, MakesOperationsByName) {
    for (const std::string& name : operation_names()) {
        EXPECT_TRUE(is_operation(name));
        EXPECT_EQ(make_operation(name)->name(), name);
    }
    EXPECT_EQ(make_operation("test-tilt")->room(), "c-room");
    EXPECT_FALSE(is_operation("tset-tilt"));
    EXPECT_FALSE(is_operation(""));
}

TEST(Registry, UnknownNamesGetASuggestionWhereOneIsClose) {
    EXPECT_EQ(message_of([] { make_operation("tset-tilt"); }),
              "no operation 'tset-tilt'; did you mean 'test-tilt'?");
    EXPECT_EQ(message_of([] { make_operation("hydraulics"); }), "no operation 'hydraulics'");
    EXPECT_EQ(message_of([] { make_operation(""); }), "no operation ''");
    EXPECT_EQ(message_of([] { make_operation("two\nlines"); }), "no operation 'two lines'");
}

TEST(Registry, TwoOperationsOfOneNameAreAMistake) {
    auto make = [](std::string_view name, std::string_view room) -> std::unique_ptr<Operation> {
        return std::make_unique<OperationOf<Tilted>>(name, room);
    };
    EXPECT_THROW(OperationRegistration("test-tilt", "another room", make), std::logic_error);
    EXPECT_EQ(std::ranges::count(operation_names(), "test-tilt"), 1);
    EXPECT_EQ(make_operation("test-tilt")->room(), "c-room");
}

TEST(Registry, EveryOperationIsMadeAfresh) {
    std::unique_ptr<Operation> first = made_operation("test-all-kinds", {{"integer", "30"}});
    EXPECT_EQ(make_operation("test-all-kinds")->value_text("integer"), "3");
    EXPECT_EQ(first->value_text("integer"), "30");
}

TEST(Operation, ClonesAreIndependent) {
    std::unique_ptr<Operation> original =
        made_operation("test-all-kinds", {{"integer", "30"}, {"shape", "star"}});
    std::unique_ptr<Operation> clone = original->clone();
    EXPECT_EQ(clone->value_text("integer"), "30");
    EXPECT_EQ(clone->value_text("shape"), "star");
    clone->set_text("integer", "4");
    clone->set_text("shape", "round");
    EXPECT_EQ(original->value_text("integer"), "30");
    EXPECT_EQ(original->value_text("shape"), "star");
    EXPECT_EQ(clone->name(), "test-all-kinds");
    EXPECT_EQ(clone->room(), "a-room");
}

TEST(Operation, VersionIsOneUnlessItSaysOtherwise) {
    EXPECT_EQ(make_operation("test-all-kinds")->version(), 3);
    EXPECT_EQ(make_operation("test-tilt")->version(), 1);
}

TEST(Declaration, SaysWhatIsReadAndMade) {
    FieldUse tilt = make_operation("test-tilt")->fields();
    EXPECT_TRUE(tilt.generator());
    EXPECT_EQ(tilt.inputs, Words{});
    EXPECT_EQ(tilt.outputs, Words{"height"});
    FieldUse fail = make_operation("test-fail")->fields();
    EXPECT_FALSE(fail.generator());
    EXPECT_EQ(fail.inputs, Words{"height"});
    EXPECT_EQ(fail.optional_inputs, Words{"hardness"});
    EXPECT_EQ(fail.outputs, Words{"height"});
    // An optional input does not make an operation need a terrain.
    Declaration optional;
    optional.reads_if_there("hardness");
    EXPECT_TRUE(optional.fields().generator());
}

TEST(Declaration, FollowsParametersThatNameFields) {
    std::unique_ptr<Operation> operation = made_operation("test-all-kinds", {{"field", "hardness"}});
    EXPECT_EQ(operation->fields().outputs, Words{"hardness"});
}

TEST(Declaration, ListsItsParametersInOrder) {
    std::unique_ptr<Operation> operation = make_operation("test-all-kinds");
    const Schema& d = operation->schema();
    EXPECT_EQ(d.parameter_names(), (Words{"number", "integer", "flag", "shape", "seed", "interval", "table",
                                          "words", "text", "file", "field"}));
    EXPECT_EQ(d.summary(), "has a parameter of every kind");
    EXPECT_EQ(d.source(), "nowhere");
    EXPECT_EQ(d.find("no such"), nullptr);
    EXPECT_EQ(d.find("number")->help(), "a number");
    EXPECT_EQ(d.find("number")->letter(), 'n');
    EXPECT_EQ(d.find("number")->unit(), "m");
}

TEST(Declaration, TwoParametersOfOneNameAreAMistake) {
    Declaration declaration;
    int a = 0;
    double b = 0;
    declaration.integer("twice", a);
    EXPECT_THROW(declaration.number("twice", b), std::logic_error);
}

TEST(Reach, HaloIsWhatAllStepsReadTogether) {
    EXPECT_EQ(Reach::point().halo(), 0);
    EXPECT_EQ(Reach::area(17).halo(), 17);
    EXPECT_EQ(Reach::steps(2, 100).halo(), 200);
    EXPECT_EQ(Reach::steps(2, 0).halo(), 0);
    EXPECT_FALSE(Reach::whole().halo());
    EXPECT_EQ(Reach::steps(1, 1).kind(), Reach::Kind::steps);
    EXPECT_EQ(Reach::whole().kind(), Reach::Kind::whole);
}

TEST(Reach, OneAfterTheOtherReachesAsFarAsBoth) {
    Reach steps = Reach::steps(2, 100);
    EXPECT_EQ(Reach::area(3).then(Reach::area(4)).halo(), 7);
    EXPECT_EQ(Reach::area(3).then(steps).halo(), 203);
    EXPECT_EQ(steps.then(Reach::area(3)).halo(), 203);
    EXPECT_EQ(steps.then(Reach::steps(3, 5)).halo(), 215);
    EXPECT_EQ(Reach::point().then(Reach::point()).kind(), Reach::Kind::point);
    // What looks at one cell only changes nothing.
    for (const Reach& same : {steps.then(Reach::point()), Reach::point().then(steps)}) {
        EXPECT_EQ(same.kind(), Reach::Kind::steps);
        EXPECT_EQ(same.halo(), 200);
    }
    for (const Reach& other : {Reach::point(), Reach::area(3), steps, Reach::whole()}) {
        EXPECT_FALSE(other.then(Reach::whole()).halo());
        EXPECT_FALSE(Reach::whole().then(other).halo());
    }
}

TEST(Reach, HaloNeverOverflows) {
    // More than any grid is wide, and still small enough to be added to a coordinate.
    for (const Reach& reach :
         {Reach::steps(100000, 100000), Reach::steps(INT32_MAX, INT32_MAX), Reach::area(INT32_MAX)}) {
        EXPECT_GE(*reach.halo(), 65536);
        Rect far = Rect{-65536, -65536, 65536, 65536}.expanded(*reach.halo());
        EXPECT_LT(far.left, -65536);
        EXPECT_GT(far.right, 65536);
    }
    EXPECT_EQ(Reach::area(-5).halo(), 0);
    Reach far = Reach::area(INT32_MAX);
    for (int i = 0; i < 100000; i++) far = far.then(Reach::steps(INT32_MAX, INT32_MAX));
    EXPECT_EQ(far.halo(), Reach::area(INT32_MAX).halo());
}

}  // namespace

}  // namespace caprock::test

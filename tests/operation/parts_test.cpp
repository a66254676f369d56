// Operations made of others: what the parts do together, and what of it shows.
#include "operation/sample_operations.h"

#include <gtest/gtest.h>
#include <limits>

namespace caprock::test {
namespace {

// Each of the operations by itself, one after the other.
Terrain run_each(const Parts& operations, const Terrain& input) {
    Context context;
    Terrain terrain = input;
    for (const std::unique_ptr<Operation>& operation : operations)
        terrain = run(*operation, terrain, context);
    return terrain;
}

// An operation that no registry knows.
template <typename Struct>
OperationOf<Struct> bare(const Struct& values) {
    return OperationOf<Struct>("bare", "none", values);
}

TEST(Parts, DoWhatTheyDoOneAfterTheOther) {
    Context context;
    Terrain input = terrain_over(odd_extent);
    std::unique_ptr<Operation> compose = made_operation("test-compose", {{"radius", "3"}});
    Terrain made = run(*compose, input, context);
    EXPECT_TRUE(identical(made.height(), run_each(compose->parts(Grid()), input).height()));
    // And that is not nothing.
    EXPECT_FALSE(identical(made.height(), input.height()));
    EXPECT_FALSE(identical(made.height(), run_each(parts_of(make_operation("test-spread")), input).height()));

    std::unique_ptr<Operation> nest = make_operation("test-nest");
    EXPECT_TRUE(
        identical(run(*nest, input, context).height(), run_each(nest->parts(Grid()), input).height()));
}

TEST(Parts, AreNoneForAPlainOperation) {
    EXPECT_TRUE(make_operation("test-average")->parts(Grid()).empty());
    EXPECT_EQ(make_operation("test-compose")->parts(Grid()).size(), 4u);
    EXPECT_EQ(make_operation("test-compose")->parts(Grid())[1]->name(), "test-average");
}

TEST(Parts, FollowTheParameters) {
    std::unique_ptr<Operation> compose = made_operation("test-compose", {{"radius", "7"}});
    EXPECT_EQ(compose->parts(Grid())[1]->value_text("radius"), "7");
    EXPECT_EQ(compose->clone()->parts(Grid())[1]->value_text("radius"), "7");
}

TEST(Parts, WhatTheyMakeOnTheWayIsRemoved) {
    Terrain input = terrain_over(odd_extent);
    for (const char* name : {"test-compose", "test-nest"}) {
        Context context;
        EXPECT_EQ(run(*make_operation(name), input, context).names(), Messages{"height"}) << name;
    }
}

TEST(Parts, LeaveFieldsThatAreNotTheirsAsTheyWere) {
    Context context;
    Terrain input(Grid{odd_extent, 2, {0, 100}});
    input.set("mark", Field(odd_extent, 7));
    input.set("height", terrain_over(odd_extent).height());
    input.set("hardness", Field(odd_extent, 0.5f));
    Terrain made = run(*make_operation("test-compose"), input, context);
    EXPECT_EQ(made.names(), (Messages{"mark", "height", "hardness"}));
    EXPECT_TRUE(identical(made.field("mark"), input.field("mark")));
    EXPECT_TRUE(identical(made.field("hardness"), input.field("hardness")));
    // The part did not use the old mark.
    Terrain without = terrain_over(odd_extent);
    EXPECT_TRUE(identical(made.height(), run(*make_operation("test-compose"), without, context).height()));
}

TEST(Parts, ReachAsFarAsAllOfThem) {
    Grid grid;
    EXPECT_EQ(made_operation("test-compose", {{"radius", "3"}, {"steps", "5"}})->reach(grid).halo(), 8);
    EXPECT_EQ(made_operation("test-nest", {{"radius", "3"}})->reach(grid).halo(), 5);
    EXPECT_FALSE(made_operation("test-nest", {{"last", "test-sink"}})->reach(grid).halo());
}

// ---- checks ----------------------------------------------------------------------------------------------

TEST(Parts, ErrorsSayWhoseTheyAre) {
    Context context;
    Terrain input = terrain_over(odd_extent);
    EXPECT_EQ(message_of([&] {
                  run(*made_operation("test-nest", {{"radius", "101"}}), input, context);
              }),
              "test-nest: test-compose: radius 101: must be 0 to 100");
    EXPECT_EQ(message_of([&] {
                  run(*made_operation("test-nest", {{"last", "test-fail"}}), input, context);
              }),
              "test-nest: test-fail: this cannot be done");
    EXPECT_EQ(context.told, Messages{"about to fail"});
    Terrain empty(Grid{odd_extent, 1, {0, 1}});
    EXPECT_TRUE(has(message_of([&] { run(*make_operation("test-compose"), empty, context); }),
                    "test-compose: needs the field 'height'"));
}

// A part that is missed after one that speaks up when it runs.
struct Forgetful {
    void describe(Declaration& d) const { d.changes("height"); }
    Parts parts(const Grid&) const {
        return parts_of(make_operation("test-fail"), make_operation("test-add-mark"));
    }
};

TEST(Parts, AreAllCheckedBeforeTheFirstRuns) {
    Context context;
    Terrain input = terrain_over(odd_extent);
    const OperationOf<Forgetful> forgetful = bare(Forgetful{});
    std::string message = "bare: test-add-mark: needs the field 'mark'; the terrain has height";
    EXPECT_EQ(message_of([&] { run(forgetful, input, context); }), message);
    EXPECT_EQ(message_of([&] { evaluate(forgetful, input, {0, 0, 1, 1}, context); }), message);
    EXPECT_EQ(context.told, Messages{});
}

// Which parts it has can only be said of a size in its range.
struct Divided {
    int size = 0;
    void describe(Declaration& d) const {
        d.integer("size", size).range(1, 10);
        d.changes("height");
    }
    Parts parts(const Grid&) const {
        if (size < 1) throw std::logic_error("asked for the parts of unchecked parameters");
        return parts_of(operation_with("test-average", {{"radius", 10 / size}}));
    }
};

// Parts whose own parameters nobody has looked at.
struct Careless {
    void describe(Declaration& d) const { d.changes("height"); }
    Parts parts(const Grid&) const { return parts_of(bare(Averaged{101}).clone()); }
};

TEST(Parts, AreAskedForOnceTheParametersAreChecked) {
    Context context;
    Terrain input = terrain_over(odd_extent);
    const OperationOf<Divided> divided = bare(Divided{});
    std::string message = "bare: size 0: must be 1 to 10";
    EXPECT_EQ(message_of([&] { run(divided, input, context); }), message);
    EXPECT_EQ(message_of([&] { evaluate(divided, input, {0, 0, 1, 1}, context); }), message);
    EXPECT_NO_THROW(run(bare(Divided{3}), input, context));
    EXPECT_EQ(message_of([&] { run(bare(Careless{}), input, context); }),
              "bare: bare: radius 101: must be 0 to 100");
    EXPECT_EQ(message_of([&] {
                  evaluate(bare(Careless{}), input, {0, 0, 1, 1}, context);
              }),
              "bare: bare: radius 101: must be 0 to 100");
}

// Nothing to be done: a terrain is left as it is.
struct Idle {
    void describe(Declaration& d) const { d.changes("height"); }
    Parts parts(const Grid&) const { return {}; }
};

TEST(Parts, MayBeNone) {
    Context context;
    Terrain input = terrain_over(odd_extent);
    Rect region{0, 0, 3, 2};
    EXPECT_TRUE(identical(run(bare(Idle{}), input, context).height(), input.height()));
    EXPECT_TRUE(
        identical(evaluate(bare(Idle{}), input, region, context).height(), input.height().cropped(region)));
}

// ---- progress and cancel ---------------------------------------------------------------------------------

TEST(Parts, EachIsAShareOfTheProgress) {
    Context context;
    std::vector<double> shares;
    Progress progress([&](double share) { shares.push_back(share); });
    context.progress = &progress;
    // Four parts, of which the third reports each of its two steps.
    run(*make_operation("test-compose"), terrain_over(odd_extent), context);
    EXPECT_EQ(shares, (std::vector<double>{0.25, 0.5, 0.625, 0.75, 1}));
    shares.clear();
    run(*made_operation("test-nest", {{"last", "test-sink"}}), terrain_over(odd_extent), context);
    ASSERT_EQ(shares.size(), 7u);
    EXPECT_DOUBLE_EQ(shares[0], 1 / 3.0);
    EXPECT_DOUBLE_EQ(shares[3], 1 / 3.0 + 0.625 / 3);
    EXPECT_EQ(shares[6], 1);
}

TEST(Parts, CancelReachesIntoThem) {
    Terrain input = terrain_over(odd_extent);
    uint64_t before = fingerprint(input.height());
    for (double limit : {0.2, 0.6, 0.7}) {
        Context context;
        Progress* self = nullptr;
        double last = 0;
        Progress progress([&](double share) {
            last = share;
            if (share > limit) self->cancel();
        });
        self = &progress;
        context.progress = &progress;
        EXPECT_THROW(run(*make_operation("test-compose"), input, context), Cancelled);
        EXPECT_LT(last, 1);
        EXPECT_EQ(fingerprint(input.height()), before);
        EXPECT_EQ(input.names(), Messages{"height"});
    }
}

// ---- parts of an operation that does more than its parts ---------------------------------------------------

// Works by itself and by another, three to one.
struct Mixed {
    void describe(Declaration& d) const { d.changes("height"); }
    Reach reach(const Grid&) const { return Reach::steps(1, 2); }
    void run(Work& work) const {
        int64_t cells = work.rect().cells();
        work.progress().expect(4 * cells);
        Averaged{1}.run(work);
        work.progress().advance(3 * cells);
        work.apply(*operation_with("test-spread", {{"steps", 1}}), cells);
        EXPECT_EQ(message_of([&] { work.apply(*make_operation("test-add-mark")); }),
                  "test-add-mark: needs the field 'mark'; the terrain has height");
    }
};

TEST(Work, AppliesAnOperationAsAPartOfThisOne) {
    Context context;
    std::vector<double> shares;
    Progress progress([&](double share) { shares.push_back(share); });
    context.progress = &progress;
    Terrain input = terrain_over(odd_extent);
    Terrain made = run(bare(Mixed{}), input, context);
    EXPECT_EQ(shares, (std::vector<double>{0.75, 1}));
    EXPECT_TRUE(identical(made.height(), run_each(parts_of(made_operation("test-average", {{"radius", "1"}}),
                                                           made_operation("test-average", {{"radius", "1"}})),
                                                  input)
                                             .height()));
}

// ---- operation_with --------------------------------------------------------------------------------------

TEST(OperationWith, TakesValuesOfEveryKindToTheLastBit) {
    double odd = 0.1 + 0.2;
    double tiny = std::numeric_limits<double>::denorm_min();
    std::unique_ptr<Operation> made =
        operation_with("test-all-kinds", {{"number", odd},
                                          {"integer", 32},
                                          {"flag", false},
                                          {"shape", "star"},
                                          {"seed", UINT32_MAX},
                                          {"interval", Interval{tiny, odd}},
                                          {"table", std::vector<double>{tiny, -tiny, odd}},
                                          {"words", std::vector<std::string>{"a,b", ""}},
                                          {"text", ""},
                                          {"file", std::string("some.tif")},
                                          {"field", "my mask"}});
    EXPECT_EQ(made->get<double>("number"), odd);
    EXPECT_EQ(made->get<int>("integer"), 32);
    EXPECT_FALSE(made->get<bool>("flag"));
    EXPECT_EQ(made->value_text("shape"), "star");
    EXPECT_EQ(made->get<uint32_t>("seed"), UINT32_MAX);
    EXPECT_EQ(made->get<Interval>("interval"), (Interval{tiny, odd}));
    EXPECT_EQ(made->get<std::vector<double>>("table"), (std::vector<double>{tiny, -tiny, odd}));
    EXPECT_EQ(made->get<std::vector<std::string>>("words"), (Messages{"a,b", ""}));
    EXPECT_EQ(made->value_text("text"), "");
    EXPECT_EQ(made->value_text("file"), "some.tif");
    EXPECT_EQ(made->value_text("field"), "my mask");
}

TEST(OperationWith, LeavesTheOthersAtTheirDefaults) {
    EXPECT_EQ(operation_with("test-all-kinds")->value_text("integer"), "3");
    std::unique_ptr<Operation> made = operation_with("test-all-kinds", {{"integer", 4}});
    EXPECT_EQ(made->value_text("number"), "2.5");
}

TEST(OperationWith, AWholeNumberIsANumberOfAnyKind) {
    std::unique_ptr<Operation> made =
        operation_with("test-all-kinds", {{"number", 7}, {"seed", 8}, {"integer", 9u}});
    EXPECT_EQ(made->value_text("number"), "7");
    EXPECT_EQ(made->value_text("seed"), "8");
    EXPECT_EQ(made->value_text("integer"), "9");
}

TEST(OperationWith, RefusesWhatIsOutsideTheRange) {
    auto refusal = [](std::string_view parameter, const ParameterValue& value) {
        return message_of([&] { operation_with("test-all-kinds", {{parameter, value}}); });
    };
    EXPECT_EQ(refusal("number", 10.5), "test-all-kinds: number 10.5: must be 0 to 10 m");
    EXPECT_EQ(refusal("number", std::nan("")), "test-all-kinds: number nan: must be 0 to 10 m");
    EXPECT_EQ(refusal("integer", 0), "test-all-kinds: integer 0: must be 1 to 32");
    EXPECT_EQ(refusal("integer", UINT32_MAX), "test-all-kinds: integer 4294967295: must be 1 to 32");
    EXPECT_EQ(refusal("seed", -1), "test-all-kinds: seed -1: must be a whole number, 0 to 4294967295");
    EXPECT_EQ(refusal("shape", "sqare"),
              "test-all-kinds: shape sqare: must be round, square or star; did you mean 'square'?");
    EXPECT_EQ(refusal("interval", Interval{3, 2}),
              "test-all-kinds: interval 3:2: must be low:high within 0 to 500 m");
    EXPECT_EQ(refusal("table", std::vector<double>{0, 2}),
              "test-all-kinds: table 0,2: must be numbers separated by commas, each -1 to 1");
    EXPECT_EQ(message_of([] { operation_with("no-such-thing"); }), "no operation 'no-such-thing'");
}

TEST(OperationWith, AnotherNameOrKindIsAMistake) {
    auto with = [](std::string_view parameter, const ParameterValue& value) {
        return operation_with("test-all-kinds", {{parameter, value}});
    };
    EXPECT_THROW(with("nmber", 1), std::logic_error);
    EXPECT_THROW(with("number", "1"), std::logic_error);
    EXPECT_THROW(with("number", true), std::logic_error);
    EXPECT_THROW(with("integer", 1.0), std::logic_error);
    EXPECT_THROW(with("flag", 1), std::logic_error);
    EXPECT_THROW(with("shape", 1), std::logic_error);
    EXPECT_THROW(with("interval", 1.0), std::logic_error);
    EXPECT_THROW(with("words", "talc"), std::logic_error);
}

TEST(Parameter, AValueThatIsRefusedChangesNothing) {
    AllKinds values;
    Declaration d;
    values.describe(d);
    EXPECT_THROW(d.set("number", 11.0), Error);
    EXPECT_THROW(d.set("interval", Interval{1, 501}), Error);
    EXPECT_THROW(d.set("shape", "cube"), Error);
    EXPECT_EQ(values.number, 2.5);
    EXPECT_EQ(values.interval, (Interval{1, 350}));
    EXPECT_EQ(values.shape, Shape::square);
}

}  // namespace
}  // namespace caprock::test

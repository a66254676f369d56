// Running operations: inputs kept, errors named, regions equal to crops of the whole.
#include "operation/evaluate.h"

#include "operation/sample_operations.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

TEST(Run, LeavesItsInputAsItWas) {
    for (const char* name : {"test-average", "test-spread", "test-sink", "test-launch", "test-all-kinds",
                             "test-compose", "test-nest"}) {
        Context context;
        Terrain input = terrain_over(odd_extent);
        uint64_t before = fingerprint(input.height());
        Terrain output = run(*make_operation(name), input, context);
        EXPECT_EQ(fingerprint(input.height()), before) << name;
        EXPECT_NE(fingerprint(output.height()), before) << name;
        EXPECT_EQ(input.names(), std::vector<std::string>{"height"});
    }
}

TEST(Run, KeepsWhatTheOperationDoesNotTouch) {
    Context context;
    Terrain input = terrain_over(odd_extent);
    input.set("hardness", Field(odd_extent, 0.5f));
    input.set_georeference({"somewhere", {1, 2, 3, 4, 5, 6}, ""});
    Terrain output = run(*make_operation("test-average"), input, context);
    EXPECT_EQ(output.names(), (std::vector<std::string>{"height", "hardness"}));
    EXPECT_EQ(output.field("hardness").rows()[0], input.field("hardness").rows()[0]);
    EXPECT_EQ(*output.georeference(), *input.georeference());
    EXPECT_EQ(output.grid(), input.grid());
}

TEST(Run, GeneratorsNeedAGridAndNothingOnIt) {
    Context context;
    Terrain made = run(*make_operation("test-tilt"), Terrain(Grid{odd_extent, 1, {0, 1}}), context);
    EXPECT_EQ(made.height().at(-7, 17), 3 * -7 - 2 * 17);
}

TEST(Run, MissingInputsAreNamed) {
    Context context;
    Terrain empty(Grid{odd_extent, 1, {0, 1}});
    EXPECT_EQ(
        message_of([&] { run(*make_operation("test-average"), empty, context); }),
        "test-average: needs the field 'height'; there is no terrain yet: begin with a file or a generator");
    empty.set("hardness", Field(odd_extent, 0));
    empty.set("water", Field(odd_extent, 0));
    EXPECT_EQ(message_of([&] { run(*make_operation("test-average"), empty, context); }),
              "test-average: needs the field 'height'; the terrain has hardness and water");
    // What is read only where it is there is not asked for.
    EXPECT_EQ(message_of([&] { run(*make_operation("test-fail"), terrain_over(odd_extent), context); }),
              "test-fail: this cannot be done");
}

// An operation whose values were set by a program, past all texts.
class Bare : public Operation {
  public:
    explicit Bare(const Averaged& values) : values_(values) {}
    std::string_view name() const override { return "bare"; }
    std::string_view room() const override { return "none"; }
    int version() const override { return 1; }
    const Schema& schema() const override { return StructSchema::of<Averaged>().schema(); }
    FieldUse fields() const override { return field_use(values_); }
    Reach reach(const Grid&) const override {
        if (values_.radius > 100) throw std::logic_error("asked for the reach of unchecked parameters");
        return Reach::area(values_.radius);
    }
    void run(Work& work) const override { values_.run(work); }
    std::unique_ptr<Operation> clone() const override { return std::make_unique<Bare>(*this); }

  protected:
    ParameterValue value_at(size_t index) const override {
        return StructSchema::of<Averaged>().value(&values_, index);
    }
    void put_at(size_t index, ParameterValue value) override {
        StructSchema::of<Averaged>().put(&values_, index, std::move(value));
    }

  private:
    Averaged values_;
};

TEST(Run, ParametersAreCheckedBeforeAnythingElse) {
    Context context;
    Terrain input = terrain_over(odd_extent);
    Bare unchecked(Averaged{101});
    EXPECT_EQ(message_of([&] { run(unchecked, input, context); }), "bare: radius 101: must be 0 to 100");
    EXPECT_EQ(message_of([&] {
                  evaluate(unchecked, input, {0, 0, 1, 1}, context);
              }),
              "bare: radius 101: must be 0 to 100");
}

TEST(Run, ErrorsCarryTheNameOfTheOperationAndKeepTheirKind) {
    Context context;
    Terrain input = terrain_over(odd_extent);
    input.set("hardness", Field(odd_extent, 1));
    uint64_t before = fingerprint(input.height());
    auto failing = [&](const char* how) {
        run(*made_operation("test-fail", {{"how", how}}), input, context);
    };
    EXPECT_EQ(message_of([&] { failing("error"); }), "test-fail: this cannot be done");
    EXPECT_EQ(message_of([&] { failing("memory"); }), "test-fail: this does not fit");
    EXPECT_THROW(failing("memory"), OutOfMemory);
    EXPECT_THROW(failing("new"), OutOfMemory);
    EXPECT_EQ(fingerprint(input.height()), before);
    EXPECT_TRUE(input.has("hardness"));
    EXPECT_EQ(context.told, Messages(4, "about to fail"));
}

TEST(Run, CancelLeavesTheInputAsItWas) {
    Context context;
    Progress progress;
    context.progress = &progress;
    Terrain input = terrain_over(odd_extent);
    input.set("hardness", Field(odd_extent, 1));
    uint64_t before = fingerprint(input.height());
    EXPECT_THROW(run(*made_operation("test-fail", {{"how", "cancel"}}), input, context), Cancelled);
    EXPECT_EQ(fingerprint(input.height()), before);
    EXPECT_TRUE(input.has("hardness"));
}

TEST(Run, CancelledBeforeItBeganDoesNothing) {
    Context context;
    Progress progress;
    progress.cancel();
    context.progress = &progress;
    EXPECT_THROW(run(*make_operation("test-fail"), terrain_over(odd_extent), context), Cancelled);
    EXPECT_EQ(context.told, Messages{});
}

TEST(Run, CancelReachesIntoALaunch) {
    Context context;
    Progress* self = nullptr;
    Progress progress([&](double share) {
        if (share > 0.2) self->cancel();
    });
    self = &progress;
    context.progress = &progress;
    Terrain input = terrain_over(Rect::of({700, 700}));
    uint64_t before = fingerprint(input.height());
    EXPECT_THROW(run(*make_operation("test-launch"), input, context), Cancelled);
    EXPECT_EQ(fingerprint(input.height()), before);
}

TEST(Run, ProgressRisesToOne) {
    // test-all-kinds reports nothing itself, test-spread every step, test-launch every task of its kernels, and
    // of the others the parts report.
    for (const char* name : {"test-all-kinds", "test-spread", "test-launch", "test-compose", "test-nest"}) {
        Context context;
        std::vector<double> shares;
        Progress progress([&](double share) { shares.push_back(share); });
        context.progress = &progress;
        run(*make_operation(name), terrain_over(odd_extent), context);
        ASSERT_FALSE(shares.empty()) << name;
        for (size_t i = 1; i < shares.size(); i++) EXPECT_GT(shares[i], shares[i - 1]) << name;
        EXPECT_EQ(shares.back(), 1) << name;
    }
}

// ---- regions ---------------------------------------------------------------------------------------------

struct RegionCase {
    std::string operation;
    Parameters parameters;
};

class Regions : public testing::TestWithParam<RegionCase> {};

TEST_P(Regions, EqualTheCropOfTheWhole) {
    std::unique_ptr<Operation> operation = made_operation(GetParam().operation, GetParam().parameters);
    Context context;
    Terrain input = terrain_over(odd_extent);
    Terrain whole = run(*operation, input, context);
    for (Size tile : {Size{31, 23}, Size{7, 5}, Size{13, 1}, Size{1, 11}, Size{3, 3}}) {
        for (int top = odd_extent.top; top < odd_extent.bottom; top += tile.height) {
            for (int left = odd_extent.left; left < odd_extent.right; left += tile.width) {
                Rect region = Rect{left, top, left + tile.width, top + tile.height}.intersected(odd_extent);
                Terrain part = evaluate(*operation, input, region, context);
                ASSERT_EQ(part.rect(), region);
                ASSERT_EQ(part.grid(), input.grid());
                ASSERT_TRUE(identical(part.height(), whole.height().cropped(region)))
                    << region.left << ", " << region.top << " " << tile.width << " x " << tile.height;
            }
        }
    }
}

TEST_P(Regions, EqualTheCropOfTheWholeInSingleCells) {
    std::unique_ptr<Operation> operation = made_operation(GetParam().operation, GetParam().parameters);
    Context context;
    Rect extent{-3, -2, 4, 3};
    Terrain input = terrain_over(extent);
    Terrain whole = run(*operation, input, context);
    for (int y = extent.top; y < extent.bottom; y++)
        for (int x = extent.left; x < extent.right; x++)
            ASSERT_TRUE(identical(evaluate(*operation, input, {x, y, x + 1, y + 1}, context).height(),
                                  whole.height().cropped({x, y, x + 1, y + 1})))
                << x << ", " << y;
}

INSTANTIATE_TEST_SUITE_P(
    EveryReach, Regions,
    testing::Values(RegionCase{"test-tilt", {}}, RegionCase{"test-launch", {}},
                    RegionCase{"test-average", {{"radius", "0"}}},
                    RegionCase{"test-average", {{"radius", "1"}}},
                    RegionCase{"test-average", {{"radius", "4"}}},
                    RegionCase{"test-spread", {{"steps", "0"}}}, RegionCase{"test-spread", {{"steps", "1"}}},
                    RegionCase{"test-spread", {{"steps", "3"}}}, RegionCase{"test-spread", {{"steps", "40"}}},
                    RegionCase{"test-sink", {}}, RegionCase{"test-compose", {}},
                    RegionCase{"test-compose", {{"radius", "3"}, {"steps", "5"}}},
                    RegionCase{"test-nest", {}}, RegionCase{"test-nest", {{"last", "test-sink"}}}));

TEST(RegionsThatReadTooLittle, AreNoticed) {
    // The tests above can fail: with a halo one cell too small, regions differ from the crop.
    for (const RegionCase& lying : {RegionCase{"test-average", {{"radius", "4"}, {"claimed", "3"}}},
                                    RegionCase{"test-spread", {{"steps", "4"}, {"claimed", "3"}}}}) {
        std::unique_ptr<Operation> operation = made_operation(lying.operation, lying.parameters);
        Context context;
        Terrain input = terrain_over(odd_extent);
        Rect region{8, 6, 10, 8};
        EXPECT_FALSE(identical(evaluate(*operation, input, region, context).height(),
                               run(*operation, input, context).height().cropped(region)))
            << lying.operation;
    }
}

TEST(RegionsOutside, AreAMistake) {
    Context context;
    Terrain input = terrain_over(odd_extent);
    for (const char* name : {"test-average", "test-sink"})
        EXPECT_THROW(evaluate(*make_operation(name), input, odd_extent.expanded(1), context),
                     std::logic_error);
}

TEST(RegionsOfErrors, AreNamedToo) {
    Context context;
    Terrain empty(Grid{odd_extent, 1, {0, 1}});
    EXPECT_TRUE(has(message_of([&] {
                        evaluate(*make_operation("test-sink"), empty, {0, 0, 1, 1}, context);
                    }),
                    "test-sink: needs the field 'height'"));
}

}  // namespace
}  // namespace caprock::test

// What simulations of rain have in common: when it rains, what a share comes to in a longer step, and how time is shared out.
#include "operations/erosion/flowing_water.h"

#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

// Slice by slice, with as many slices as it takes.
double rain_in_slices(double from, double to, int period) {
    constexpr int slices = 200000;
    int wet = 0;
    for (int i = 0; i < slices; i++) {
        const double time = from + (to - from) * (i + 0.5) / slices;
        wet += period == 0 ? time < 1 : std::fmod(time, period) < 1;
    }
    return (to - from) * wet / slices;
}

TEST(FlowingWater, ItRainsForAUnitOfEveryPeriod) {
    for (int period : {0, 1, 2, 7})
        for (double from : {0.0, 0.25, 3.0, 20.6})
            for (double length : {0.1, 1.0, 1.7, 15.25}) {
                SCOPED_TRACE(testing::Message() << period << " " << from << " " << length);
                EXPECT_NEAR(rainy_part(from, from + length, period),
                            rain_in_slices(from, from + length, period), 1e-4 * length);
            }
}

// Two steps one after the other take what one of both lengths takes.
TEST(FlowingWater, SharesOfStepsComeTogether) {
    for (double share : {0.0, 0.03, 0.5, 0.97}) {
        EXPECT_EQ(share_in(share, 1), share);
        const double left = (1 - share_in(share, 0.3)) * (1 - share_in(share, 2.2));
        EXPECT_NEAR(1 - left, share_in(share, 2.5), 1e-12) << share;
    }
    // All of it is all of it, however short the step.
    EXPECT_EQ(share_in(1, 0.01), 1);
}

TEST(FlowingWater, AllStagesTogetherLastAsLongAsTheDuration) {
    for (double cell : {0.7, 4.0, 8.0, 30.0})
        for (double duration : {40.0, 300.0}) {
            const Grid grid{Rect::of({64, 64}), cell, {0, 100}};
            const std::vector<Stage> stages = stages_of_water({.duration = duration, .scale = 8}, grid);
            double lasted = 0;
            for (size_t i = 0; i < stages.size(); i++) {
                lasted += stages[i].steps * stages[i].share;
                // Water crosses a cell in a step: smaller cells, shorter steps.
                if (i + 1 < stages.size()) {
                    EXPECT_LT(stages[i].share, stages[i + 1].share);
                }
            }
            EXPECT_NEAR(lasted, duration, 1e-9 * duration) << cell;
        }
    const Grid grid{Rect::of({64, 64}), 1, {0, 100}};
    const std::vector<Stage> counted = stages_of_water({.duration = 300, .scale = 8, .steps = 12}, grid);
    ASSERT_EQ(counted.size(), 1u);
    EXPECT_EQ(counted[0].steps, 12);
}

}  // namespace
}  // namespace caprock::test

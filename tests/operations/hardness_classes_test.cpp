#include "base/random.h"
#include "operations/faulting/fault_places.h"
#include "support/devices.h"
#include "support/operations.h"
#include "support/terrains.h"

#include <gtest/gtest.h>
#include <set>

namespace caprock::test {
namespace {

Field hardness_by_class(const Terrain& input, const Parameters& parameters) {
    return applied("hardness-classes", parameters, input).field("hardness");
}

// Equation 7, as printed.
double class_value(double normalised, int classes) {
    if (normalised == 1) return double(classes - 1) / classes;
    return std::floor(normalised * classes) / classes;
}

TEST(HardnessClasses, ByHand) {
    Grid grid{Rect::of({6, 1}), 1, {0, 1}};
    Terrain input(grid);
    const float values[] = {0, 2.4f, 2.5f, 5, 9.9f, 10};
    input.set("mask", made_field(grid.extent, [&](int x, int) { return values[x]; }));
    Field four = hardness_by_class(input, {{"classes", "4"}, {"from", "mask"}});
    const float expected[] = {0, 0, 0.25f, 0.5f, 0.75f, 0.75f};
    for (int x = 0; x < 6; x++) EXPECT_EQ(four.at(x, 0), expected[x]) << values[x];
    Field one = hardness_by_class(input, {{"classes", "1"}, {"from", "mask"}});
    for (int x = 0; x < 6; x++) EXPECT_EQ(one.at(x, 0), 0);
}

TEST(HardnessClasses, TheOwnFaultsAreLinearOnes) {
    // The whole way of the paper, in doubles: eq. 4 and 5 by brute force, 6, 7.
    Grid grid{Rect::of({61, 47}), 3, {0, 1}};
    std::vector<LinearFault> faults = draw_linear_faults(grid, 200, seed_for(6, "hardness"));
    auto lifted = [&](int x, int y) {
        int count = 0;
        for (const LinearFault& f : faults)
            count += (f.x2 - f.x1) * (y - f.y1) - (f.y2 - f.y1) * (x - f.x1) > 0;
        return count;
    };
    int low = 1 << 20, high = 0;
    for (int y = 0; y < 47; y++)
        for (int x = 0; x < 61; x++) {
            low = std::min(low, lifted(x, y));
            high = std::max(high, lifted(x, y));
        }
    for (int classes : {2, 3, 5, 6, 8, 9}) {
        Field field = hardness_by_class(
            Terrain(grid), {{"classes", std::to_string(classes)}, {"faults", "200"}, {"seed", "6"}});
        std::set<float> values;
        int different = 0;
        for (int y = 0; y < 47; y++)
            for (int x = 0; x < 61; x++) {
                values.insert(field.at(x, y));
                double share = double(lifted(x, y) - low) / (high - low);
                double expected = class_value(share, classes);
                // A share that is exactly on a step may fall to either side of it in floats.
                bool on_a_step = std::abs(share * classes - std::round(share * classes)) < 1e-6;
                if (on_a_step && share < 1) {
                    different += std::abs(field.at(x, y) - expected) > 1e-6;
                } else {
                    ASSERT_FLOAT_EQ(field.at(x, y), float(expected)) << x << "," << y;
                }
            }
        EXPECT_LT(different, 300) << classes;
        EXPECT_EQ(values.size(), size_t(classes)) << "every class is there";
        EXPECT_EQ(*values.begin(), 0);
        EXPECT_FLOAT_EQ(*values.rbegin(), float(classes - 1) / float(classes));
    }
}

TEST(HardnessClasses, AFlatFieldIsOfTheLowestClass) {
    Grid grid{Rect::of({9, 7}), 1, {0, 1}};
    Terrain input(grid);
    input.set("mask", Field(grid.extent, 0.7f));
    EXPECT_EQ(statistics(hardness_by_class(input, {{"from", "mask"}})).high, 0);
    EXPECT_EQ(statistics(hardness_by_class(Terrain(grid), {{"faults", "0"}})).high, 0);
}

TEST(HardnessClasses, MissingCellsStayMissing) {
    Terrain input = rough_terrain({67, 41}, Holes::some);
    Field field = hardness_by_class(input, {{"from", "height"}});
    for (int y = 0; y < 41; y++)
        for (int x = 0; x < 67; x++)
            ASSERT_EQ(is_missing(field.at(x, y)), is_missing(input.height().at(x, y)));
    EXPECT_EQ(statistics(hardness_by_class(rough_terrain({9, 9}, Holes::all), {{"from", "height"}})).missing,
              81);
}

TEST(HardnessClasses, NeighboursAreOfOneClassMoreOftenThanNot) {
    // Clusters, not noise: that is what the paper makes them by faults for.
    Field field = hardness_by_class(Terrain(Grid{Rect::of({200, 200}), 1, {0, 1}}), {});
    int same = 0;
    for (int y = 0; y < 200; y++)
        for (int x = 1; x < 200; x++) same += field.at(x, y) == field.at(x - 1, y);
    EXPECT_GT(same, 0.8 * 199 * 200) << "of five classes; scattered ones would be the same in a fifth";
}

}  // namespace
}  // namespace caprock::test

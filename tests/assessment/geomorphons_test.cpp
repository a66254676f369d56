#include "assessment/geomorphons.h"

#include "support/fields.h"
#include "support/terrains.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

using enum Geomorphon;

constexpr int shape_side = 41, shape_middle = 20;
constexpr int64_t seeing = int64_t(shape_side - 2) * (shape_side - 2);

GeomorphonCounts forms_of(const Field& height, double cell = 1) {
    Progress progress;
    return geomorphons(height, cell, {}, progress);
}

Field shaped(const std::function<double(double, double)>& height) {
    return made_field({0, 0, shape_side, shape_side},
                      [&](int x, int y) { return float(height(x - shape_middle, y - shape_middle)); });
}

TEST(Geomorphons, OfPlanes) {
    const GeomorphonCounts level = forms_of(shaped([](double, double) { return 7; }));
    EXPECT_EQ(level.of(flat), seeing);
    EXPECT_EQ(level.all(), seeing) << "the border sees nothing outside";
    // Across the slope two directions are level, three are higher and three lower, however it lies.
    for (double angle : {0.0, 0.3, 0.785398, 1.2, 2.5}) {
        const GeomorphonCounts tilted = forms_of(
            shaped([&](double x, double y) { return 0.4 * (std::cos(angle) * x + std::sin(angle) * y); }));
        EXPECT_EQ(tilted.of(slope), seeing) << angle;
    }
    // Up a slope of half a degree the steepest way up and the least steep one are a degree together: more is higher.
    EXPECT_EQ(forms_of(shaped([](double x, double) { return 0.0087 * x; })).of(flat), seeing);
    EXPECT_EQ(forms_of(shaped([](double x, double) { return 0.0125 * x; })).of(slope), seeing);
}

TEST(Geomorphons, OfCones) {
    const auto cone = [](double x, double y) { return -0.5 * std::hypot(x, y); };
    const GeomorphonCounts hill = forms_of(shaped(cone));
    EXPECT_EQ(hill.of(peak), 1);
    EXPECT_EQ(hill.of(pit), 0);
    EXPECT_EQ(hill.of(hollow) + hill.of(valley), 0);
    const GeomorphonCounts dent = forms_of(shaped([&](double x, double y) { return -cone(x, y); }));
    EXPECT_EQ(dent.of(pit), 1);
    EXPECT_EQ(dent.of(peak), 0);
    EXPECT_EQ(dent.of(spur) + dent.of(ridge), 0);
}

TEST(Geomorphons, OfTrenchesAndRidges) {
    // Along its bottom a trench is level, on both sides it is higher; beyond ten cells nothing of it is seen.
    const GeomorphonCounts trench =
        forms_of(shaped([](double x, double) { return 0.5 * std::min(std::abs(x), 3.0); }));
    EXPECT_EQ(trench.of(valley), shape_side - 2);
    const GeomorphonCounts wall =
        forms_of(shaped([](double x, double) { return -0.5 * std::min(std::abs(x), 3.0); }));
    EXPECT_EQ(wall.of(ridge), shape_side - 2);
    // At the foot of a slope, and where a slope begins below level ground.
    const GeomorphonCounts foot = forms_of(shaped([](double x, double) { return 0.5 * std::max(x, 0.0); }));
    EXPECT_GT(foot.of(footslope), 0);
    EXPECT_EQ(foot.of(shoulder), 0);
    const GeomorphonCounts brink = forms_of(shaped([](double x, double) { return -0.5 * std::max(x, 0.0); }));
    EXPECT_EQ(brink.of(shoulder), foot.of(footslope));
}

TEST(Geomorphons, UpsideDownAreTheOpposites) {
    for (int lower = 0; lower <= 8; lower++)
        for (int higher = 0; lower + higher <= 8; higher++) {
            const auto opposite = [](Geomorphon form) {
                switch (form) {
                    case peak:
                        return pit;
                    case pit:
                        return peak;
                    case ridge:
                        return valley;
                    case valley:
                        return ridge;
                    case spur:
                        return hollow;
                    case hollow:
                        return spur;
                    case shoulder:
                        return footslope;
                    case footslope:
                        return shoulder;
                    default:
                        return form;
                }
            };
            EXPECT_EQ(geomorphon_of(higher, lower), opposite(geomorphon_of(lower, higher)))
                << lower << " lower, " << higher << " higher";
        }
}

// By angles, as the paper has it.
TEST(Geomorphons, OfRoughLandAsByHand) {
    const double cell = 4;
    const Terrain terrain = rough_terrain({67, 53}, Holes::some, cell);
    const Field& height = terrain.height();
    const Rect rect = height.rect();
    GeomorphonCounts counts;
    for (int y = rect.top; y < rect.bottom; y++)
        for (int x = rect.left; x < rect.right; x++) {
            if (is_missing(height.at(x, y))) continue;
            int lower = 0, higher = 0, seen = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    if (dx == 0 && dy == 0) continue;
                    double up = -90, down = 90;
                    bool any = false;
                    for (int i = 1; i * std::hypot(dx, dy) <= 10; i++) {
                        const int u = x + i * dx, v = y + i * dy;
                        if (!rect.contains(u, v) || is_missing(height.at(u, v))) break;
                        const double angle = std::atan((double(height.at(u, v)) - height.at(x, y)) /
                                                       (i * std::hypot(dx, dy) * cell)) *
                                             180 / 3.14159265358979;
                        up = std::max(up, angle);
                        down = std::min(down, angle);
                        any = true;
                    }
                    seen += any;
                    // Zenith and nadir angles.
                    const double zenith = 90 - up, nadir = 90 + down;
                    if (nadir - zenith > 1) higher++;
                    if (zenith - nadir > 1) lower++;
                }
            if (seen == 8) counts.cells[size_t(geomorphon_of(lower, higher))]++;
        }
    EXPECT_EQ(forms_of(height, cell).cells, counts.cells);
    EXPECT_GT(counts.all(), 1000);
}

}  // namespace
}  // namespace caprock::test

// Reservoirs against a plain count of how often an outline goes by.
#include "operations/rivers/reservoir.h"

#include "support/fields.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace caprock::test {
namespace {

Line outline(const std::vector<LinePoint>& points) {
    Line line;
    line.points = points;
    line.closed = true;
    return line;
}

// The angle that the outline goes around a place, in turns.
double turns(const Line& area, double x, double y) {
    double sum = 0;
    for (size_t i = 0; i < area.points.size(); i++) {
        const LinePoint& from = area.points[i];
        const LinePoint& to = area.points[(i + 1) % area.points.size()];
        double angle = std::atan2(to.y - y, to.x - x) - std::atan2(from.y - y, from.x - x);
        if (angle > std::numbers::pi) angle -= 2 * std::numbers::pi;
        if (angle < -std::numbers::pi) angle += 2 * std::numbers::pi;
        sum += angle;
    }
    return sum / (2 * std::numbers::pi);
}

const Grid grid{Rect::of({50, 40}), 4, {0, 100}};

Field hollow() {
    return made_field(grid.extent, [](int x, int y) {
        if (x == 20 && y == 20) return missing;
        return 10 + 0.01f * float((x - 25) * (x - 25) + (y - 20) * (y - 20));
    });
}

TEST(Reservoir, IsFullInsideOfItsOutline) {
    const Line area = outline({{31.7, 12.3}, {170.2, 30.1}, {120.4, 90.9}, {160.6, 140.2}, {40.9, 133.3}});
    const Field height = hollow();
    const Field filled = filled_reservoir(LineSet({area}), 14, grid, height, Field(grid.extent, 0.0f));
    int wet = 0;
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 50; x++) {
            const bool inside = std::abs(turns(area, 4 * x, 4 * y)) > 0.5;
            const float ground = height.at(x, y);
            const float expected = inside && ground < 14 ? float(14 - double(ground)) : 0.0f;
            EXPECT_EQ(filled.at(x, y), expected) << x << "," << y;
            wet += expected > 0;
        }
    EXPECT_GT(wet, 300);
}

TEST(Reservoir, DeeperWaterStaysAndWindowsAgree) {
    const Line area = outline({{20, 20}, {180, 20}, {180, 140}, {20, 140}});
    const Field height = hollow();
    const Field before = made_field(grid.extent, [](int x, int) { return x < 25 ? 9.0f : 0.5f; });
    const LineSet areas({area, outline({{0, 0}, {60, 0}, {0, 60}})});
    const Field whole = filled_reservoir(areas, 14, grid, height, before);
    EXPECT_EQ(whole.at(10, 20), 9.0f);
    EXPECT_GT(whole.at(30, 20), 3.0f);
    const Rect window{7, 9, 33, 28};
    EXPECT_TRUE(identical(whole.cropped(window),
                          filled_reservoir(areas, 14, grid, height.cropped(window), before.cropped(window))));
}

}  // namespace
}  // namespace caprock::test

// The lattice's spline against the matrix of the paper, in double precision.
#include "support/devices.h"
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain lattice_smoothed(const Terrain& input, double spacing) {
    return applied("lattice-smooth", {{"spacing", std::to_string(spacing)}}, input);
}

int floor_divided(int a, int b) { return int(std::floor(double(a) / b)); }

// Equation of section 8.4 at one cell; unknown points are left out, and the weights of the others count for all.
double spline_at(const Field& field, int cx, int cy, int spacing) {
    const double matrix[4][4] = {{-1, 3, -3, 1}, {3, -6, 0, 4}, {-3, 3, 3, 1}, {1, 0, 0, 0}};
    const Rect& rect = field.rect();
    int column = floor_divided(cx, spacing);
    int row = floor_divided(cy, spacing);
    double x = double(cx - column * spacing) / spacing;
    double y = double(cy - row * spacing) / spacing;
    auto weight = [&](int i, double t) {
        return (matrix[i][0] * t * t * t + matrix[i][1] * t * t + matrix[i][2] * t + matrix[i][3]) / 6;
    };
    double sum = 0;
    double weights = 0;
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++) {
            int u = std::clamp((column + i - 1) * spacing, rect.left, rect.right - 1);
            int v = std::clamp((row + j - 1) * spacing, rect.top, rect.bottom - 1);
            if (is_missing(field.at(u, v))) continue;
            double w = weight(i, x) * weight(j, y);
            sum += w * double(field.at(u, v));
            weights += w;
        }
    return weights > 0 ? sum / weights : double(field.at(cx, cy));
}

TEST(LatticeSmooth, IsTheSplineOfTheLattice) {
    for (Holes holes : {Holes::none, Holes::some}) {
        Terrain input = rough_terrain({131, 97}, holes, 1);
        // One digit of the way to a lattice's column, two, three; and more than the terrain is wide.
        for (int spacing : {1, 2, 3, 7, 8, 9, 20, 64, 65, 130, 131, 500}) {
            Terrain output = lattice_smoothed(input, spacing);
            int real = std::min(spacing, 131);
            for (int y = 0; y < 97; y++)
                for (int x = 0; x < 131; x++) {
                    float found = output.height().at(x, y);
                    ASSERT_EQ(is_missing(found), is_missing(input.height().at(x, y)));
                    if (is_missing(found)) continue;
                    ASSERT_NEAR(found, spline_at(input.height(), x, y, real), 2e-4)
                        << "spacing " << spacing << " at " << x << "," << y;
                }
        }
    }
}

TEST(LatticeSmooth, TheLatticeLiesWhereTheWorldSays) {
    // A landscape that does not begin at 0, on both sides of it.
    Grid grid{{-37, -21, 60, 44}, 1, {0, 300}};
    Terrain input(grid);
    input.set("height", made_field(grid.extent, [](int x, int y) { return 100 * scattered(x, y, 3); }));
    Terrain output = lattice_smoothed(input, 11);
    for (int y = -21; y < 44; y++)
        for (int x = -37; x < 60; x++)
            ASSERT_NEAR(output.height().at(x, y), spline_at(input.height(), x, y, 11), 2e-4);
}

TEST(LatticeSmooth, KeepsPlanesAwayFromTheBorder) {
    Grid grid{Rect::of({200, 150}), 2, {0, 300}};
    Terrain input(grid);
    input.set("height", made_field(grid.extent, [](int x, int y) { return float(0.5 * x - 0.25 * y + 90); }));
    Terrain output = lattice_smoothed(input, 24);
    for (int y = 24; y < 125; y++)
        for (int x = 24; x < 175; x++) ASSERT_NEAR(output.height().at(x, y), input.height().at(x, y), 1e-4);
}

TEST(LatticeSmooth, ATileEqualsTheWholeAtAnySpacing) {
    Terrain input = rough_terrain({263, 219}, Holes::some, 1);
    std::shared_ptr<Device> device = make_cpu_device(supported_cpu_levels().back(), 1);
    for (double spacing : {1.0, 5.0, 8.0, 13.0, 30.0, 71.0}) {
        RunContext context = on(device);
        auto operation = made_operation("lattice-smooth", {{"spacing", std::to_string(spacing)}});
        Terrain whole = run(*operation, input, context);
        for (const Rect& region : {Rect{0, 0, 1, 1}, Rect{131, 100, 138, 113}, Rect{255, 211, 263, 219},
                                   Rect{37, 0, 38, 219}, Rect{64, 64, 128, 128}}) {
            Terrain part = evaluate(*operation, input, region, context);
            EXPECT_TRUE(identical(part.height(), whole.height().cropped(region)))
                << "spacing " << spacing << " at " << region.left << "," << region.top;
        }
    }
}

}  // namespace
}  // namespace caprock::test

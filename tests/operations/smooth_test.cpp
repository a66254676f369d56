// Smoothing against the Gaussian itself, summed in double precision.
#include "gaussian_reference.h"
#include "support/devices.h"
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain gaussian_smoothed(const Terrain& input, double radius) {
    return applied("smooth", {{"radius", std::to_string(radius)}}, input);
}

TEST(Smooth, IsAGaussian) {
    for (Holes holes : {Holes::none, Holes::some}) {
        Terrain input = rough_terrain({257, 191}, holes, 1);
        FieldStatistics before = statistics(input.height());
        // Standard deviations of 0.6 to 20 cells: no level, one, two, three.
        for (double radius : {1.2, 3.0, 5.5, 6.5, 12.0, 23.0, 40.0}) {
            Terrain output = gaussian_smoothed(input, radius);
            double worst = 0;
            double squares = 0;
            int count = 0;
            for (int y = 0; y < 191; y += 11)
                for (int x = 0; x < 257; x += 7) {
                    if (is_missing(input.height().at(x, y))) continue;
                    double error = output.height().at(x, y) - gaussian_at(input.height(), x, y, radius / 2);
                    worst = std::max(worst, std::fabs(error));
                    squares += error * error;
                    count++;
                }
            double span = before.high - before.low;
            EXPECT_LT(worst / span, 0.01) << "radius " << radius;
            EXPECT_LT(std::sqrt(squares / count) / span, 0.002) << "radius " << radius;
        }
    }
}

TEST(Smooth, SpreadsAPointAsWideAsItSays) {
    for (double deviation : {1.0, 2.7, 5.0, 9.0, 24.0}) {
        int side = int(deviation * 14) | 1;
        Grid grid{Rect::of({side, side}), 1, {0, 1}};
        Terrain input(grid);
        input.set("height", Field(grid.extent, 0.0f));
        // Everywhere within a coarse cell: the pyramid must not favour one place of it.
        for (int offset : {0, 1, 3}) {
            Field point(grid.extent, 0.0f);
            int centre = side / 2 + offset;
            point.set(centre, centre, 1000.0f);
            input.set("height", point);
            Terrain output = gaussian_smoothed(input, 2 * deviation);
            double total = 0, mean = 0, variance = 0;
            for (int y = 0; y < side; y++)
                for (int x = 0; x < side; x++) {
                    double value = output.height().at(x, y);
                    total += value;
                    mean += value * (x - centre);
                    variance += value * (x - centre) * (x - centre);
                }
            EXPECT_NEAR(total, 1000, 25) << deviation;
            EXPECT_NEAR(mean / total, 0, 0.04 * deviation + 1e-3) << deviation;
            EXPECT_NEAR(std::sqrt(variance / total), deviation, 0.03 * deviation) << deviation;
        }
    }
}

TEST(Smooth, KeepsAConstant) {
    Grid grid{Rect::of({301, 207}), 1, {0, 1}};
    Terrain input(grid);
    input.set("height", Field(grid.extent, 812.3f));
    for (double radius : {1.0, 10.0, 300.0}) {
        FieldStatistics s = statistics(gaussian_smoothed(input, radius).height());
        EXPECT_NEAR(s.low, 812.3, 812.3 * 1e-6);
        EXPECT_NEAR(s.high, 812.3, 812.3 * 1e-6);
    }
}

TEST(Smooth, ATileEqualsTheWholeAtEveryLevel) {
    Terrain input = rough_terrain({263, 219}, Holes::some, 1);
    std::shared_ptr<Device> device = make_cpu_device(supported_cpu_levels().back(), 1);
    for (double radius : {2.0, 6.5, 9.0, 17.0, 33.0, 70.0}) {
        RunContext context = on(device);
        auto operation = made_operation("smooth", {{"radius", std::to_string(radius)}});
        Terrain whole = run(*operation, input, context);
        for (const Rect& region : {Rect{0, 0, 1, 1}, Rect{131, 100, 138, 113}, Rect{255, 211, 263, 219},
                                   Rect{37, 0, 38, 219}, Rect{64, 64, 128, 128}}) {
            Terrain part = evaluate(*operation, input, region, context);
            EXPECT_TRUE(identical(part.height(), whole.height().cropped(region)))
                << "radius " << radius << " at " << region.left << "," << region.top;
        }
    }
}

TEST(Smooth, AMissingCellFarAwayChangesNoBit) {
    Terrain input = rough_terrain({300, 40}, Holes::none, 1);
    Terrain holed = input;
    Field height = input.height();
    height.set(299, 20, missing);
    holed.set("height", height);
    for (double radius : {3.0, 12.0}) {
        Rect far = {0, 0, 180, 40};
        EXPECT_TRUE(identical(gaussian_smoothed(input, radius).height().cropped(far),
                              gaussian_smoothed(holed, radius).height().cropped(far)));
    }
}

TEST(Smooth, ByNothingIsNothing) {
    Terrain input = rough_terrain({40, 30}, Holes::some);
    EXPECT_TRUE(identical(gaussian_smoothed(input, 0).height(), input.height()));
}

}  // namespace
}  // namespace caprock::test

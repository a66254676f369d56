// Measures of heights alone: hypsometry, slopes, roughness, closed hollows.
#include "assessment/closed_hollows.h"
#include "assessment/hypsometry.h"
#include "assessment/roughness.h"
#include "assessment/slopes.h"
#include "hydrology/flow_graph.h"
#include "support/fields.h"
#include "support/numbers.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <numbers>
#include <vector>

namespace caprock::test {
namespace {

constexpr int side = 201, middle = 100;
const Rect square{-30, 17, side - 30, side + 17};  // no rectangle begins at 0 because others do

Field square_of(const std::function<double(double, double)>& height) {
    return made_field(square, [&](int x, int y) { return float(height(x - square.left, y - square.top)); });
}
double from_middle(double x, double y) { return std::hypot(x - middle, y - middle); }

TEST(Hypsometry, OfAPlaneIsAHalf) {
    const Hypsometry made = hypsometry(square_of([](double x, double) { return 200 + 3 * x; }));
    EXPECT_NEAR(made.integral.value(), 0.5, 1e-6);
    ASSERT_EQ(made.curve.size(), 101u);
    for (const CurvePoint& point : made.curve) EXPECT_NEAR(point.x, 1 - point.y, 0.006) << point.y;
}

TEST(Hypsometry, OfAConeIsAThird) {
    const Field cone = square_of([](double x, double y) {
        const double far = from_middle(x, y);
        return far > middle ? double(missing) : 1000 - far * 7;
    });
    const Hypsometry made = hypsometry(cone);
    EXPECT_NEAR(made.integral.value(), 1.0 / 3, 0.003);
    // What is higher than y is a cone of 1 - y of its radius.
    for (const CurvePoint& point : made.curve)
        EXPECT_NEAR(point.x, (1 - point.y) * (1 - point.y), 0.01) << point.y;
}

TEST(Hypsometry, WhereThereIsNone) {
    EXPECT_EQ(hypsometry(Field({0, 0, 5, 5}, 3)).integral.why(), "the land is level");
    EXPECT_EQ(hypsometry(Field({0, 0, 5, 5}, missing)).integral.why(), "no cell is known");
    EXPECT_EQ(hypsometry(Field(Rect{})).integral.why(), "no cell is known");
}

TEST(Slopes, OfPlanes) {
    for (double degrees : {0.55, 20.25, 44.95, 45.25, 71.35}) {
        const double tangent = std::tan(degrees * std::numbers::pi / 180);
        for (double turned : {0.0, 0.5, 2.2}) {
            const SlopeShares made =
                slope_shares(square_of([&](double x, double y) {
                                 return tangent * 5 * (std::cos(turned) * x + std::sin(turned) * y);
                             }),
                             5);
            EXPECT_EQ(made.cells, int64_t(side - 2) * (side - 2));
            EXPECT_EQ(made.tenths[size_t(degrees * 10)], made.cells) << degrees;
            EXPECT_NEAR(made.median.value(), degrees, 0.051);
            EXPECT_EQ(made.beyond_45.value(), degrees > 45 ? 1 : 0);
            EXPECT_EQ(made.share(int(degrees)), 1);
        }
    }
}

TEST(Slopes, OfHalves) {
    // A fifth of it is steep.
    const SlopeShares made =
        slope_shares(square_of([](double x, double) { return x < 160 ? 0.1 * x : 16 + 2 * (x - 160); }), 1);
    EXPECT_NEAR(made.median.value(), std::atan(0.1) * 180 / std::numbers::pi, 0.1);
    EXPECT_NEAR(made.steep.value(), std::atan(2) * 180 / std::numbers::pi, 0.1);
    EXPECT_NEAR(made.beyond_45.value(), 0.2, 0.01);
}

TEST(Slopes, LeaveOutWhatHasNoNeighbour) {
    Field height = square_of([](double x, double y) { return x + y; });
    const int64_t before = slope_shares(height, 1).cells;
    height.set(square.left + 50, square.top + 60, missing);
    height.set(square.left + 100, square.top + 60, missing);
    EXPECT_EQ(slope_shares(height, 1).cells, before - 18);
    EXPECT_FALSE(slope_shares(Field({0, 0, 2, 9}, 1), 1).median.known());
    EXPECT_FALSE(slope_shares(Field({0, 0, 9, 9}, missing), 1).steep.known());
}

// Waves of all lengths and directions, as high as the H-th power of their length. Those shorter than cells are seen at cells alone,
// and are part of the differences between them all the same.
Field fractal(int size, double hurst, uint32_t seed) {
    constexpr int waves = 700;
    const RandomNumbers random{seed};
    std::vector<double> sum(size_t(size) * size_t(size), 0);
    for (uint32_t i = 0; i < waves; i++) {
        const double length = std::exp(std::lerp(std::log(0.05), std::log(4.0 * size), (i + 0.5) / waves));
        const double turned = random(i, 1, 0, 2 * std::numbers::pi);
        const double phase = random(i, 2, 0, 2 * std::numbers::pi);
        const double kx = 2 * std::numbers::pi / length * std::cos(turned);
        const double ky = 2 * std::numbers::pi / length * std::sin(turned);
        const double high = std::pow(length, hurst);
        // A row of a wave is a turning pointer.
        const double step_cosine = std::cos(kx), step_sine = std::sin(kx);
        for (int y = 0; y < size; y++) {
            double cosine = std::cos(ky * y + phase), sine = std::sin(ky * y + phase);
            for (int x = 0; x < size; x++) {
                sum[size_t(y) * size_t(size) + size_t(x)] += high * cosine;
                const double next = cosine * step_cosine - sine * step_sine;
                sine = sine * step_cosine + cosine * step_sine;
                cosine = next;
            }
        }
    }
    return made_field({0, 0, size, size},
                      [&](int x, int y) { return float(sum[size_t(y) * size_t(size) + size_t(x)]); });
}

TEST(Roughness, OfFractalsIsTheirExponent) {
    for (double hurst : {0.35, 0.7}) {
        Progress progress;
        const Roughness made = roughness(fractal(256, hurst, 5), progress);
        EXPECT_NEAR(made.fine.value(), hurst, 0.08);
        EXPECT_NEAR(made.broad.value(), hurst, 0.12);
    }
}

TEST(Roughness, OfAPlaneIsOne) {
    Progress progress;
    const Roughness made = roughness(square_of([](double x, double y) { return 3 * x + 4 * y; }), progress);
    EXPECT_NEAR(made.fine.value(), 1, 1e-6);
    EXPECT_NEAR(made.broad.value(), 1, 1e-6);
    for (const Roughness::Scale& scale : made.scales) {
        // Of both directions.
        EXPECT_NEAR(scale.deviation, std::sqrt((9.0 + 16) / 2) * scale.cells, 1e-3 * scale.cells);
        EXPECT_EQ(scale.pairs, 2 * int64_t(side) * (side - scale.cells));
        EXPECT_LE(scale.cells, side / 4);
    }
    EXPECT_EQ(made.scales.size(), 11u) << "1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48";
}

TEST(Roughness, WhereThereIsNone) {
    Progress progress;
    EXPECT_EQ(roughness(Field({0, 0, 8, 8}, 1), progress).fine.why(), "too few cells a side");
    EXPECT_EQ(roughness(Field({0, 0, 64, 64}, 1), progress).fine.why(), "the land is level");
    EXPECT_FALSE(roughness(Field({0, 0, 64, 64}, missing), progress).fine.known());
    EXPECT_FALSE(roughness(square_of([](double x, double) { return x; }).cropped({0, 20, 100, 120}), progress)
                     .broad.known());
}

TEST(ClosedHollows, OfABowlAreCountedExactly) {
    // A plane that falls by 100 m to the east, with a basin dug into it: 10 x 7 cells, 20 m below its lowest edge.
    Field height = square_of([](double x, double) { return 100 - x / 2; });
    int64_t deep = 0;
    for (int y = 80; y < 87; y++)
        for (int x = 60; x < 70; x++) {
            height.set(square.left + x, square.top + y, 44);
            deep++;
        }
    // Less than a thousandth of the relief, 0.1 m, is none; a little more is one.
    height.set(square.left + 20, square.top + 20, 100 - 21.0f / 2 - 0.09f);
    height.set(square.left + 40, square.top + 20, 100 - 41.0f / 2 - 0.11f);
    Progress progress;
    const FlowGraph graph(height, FlowRules{}, progress);
    const ClosedHollows made = closed_hollows(height, graph.filled());
    EXPECT_NEAR(made.least_depth, 0.1, 1e-6);
    EXPECT_EQ(made.cells, deep + 1);
    EXPECT_EQ(made.known, int64_t(side) * side);
    EXPECT_DOUBLE_EQ(made.share.value(), double(deep + 1) / (side * side));
}

TEST(ClosedHollows, WhereThereIsNoRelief) {
    const Field level({0, 0, 9, 9}, 4), unknown({0, 0, 9, 9}, missing);
    EXPECT_EQ(closed_hollows(level, level).share.why(), "the land is level");
    EXPECT_EQ(closed_hollows(unknown, unknown).share.why(), "no cell is known");
}

}  // namespace
}  // namespace caprock::test

#include "assessment/fits.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace caprock::test {
namespace {

TEST(Fits, LinesThroughPoints) {
    const std::vector<CurvePoint> exact{{1, 5}, {2, 7}, {4, 11}};
    EXPECT_NEAR(line_through(exact)->slope, 2, 1e-12);
    EXPECT_NEAR(line_through(exact)->begin, 3, 1e-12);
    // Least squares: by the normal equations, done by hand.
    const std::vector<CurvePoint> scattered{{0, 1}, {1, 3}, {2, 2}, {3, 5}};
    EXPECT_NEAR(line_through(scattered)->slope, 1.1, 1e-12);
    EXPECT_NEAR(line_through(scattered)->begin, 1.1, 1e-12);
    EXPECT_FALSE(line_through({}));
    EXPECT_FALSE(line_through(std::vector<CurvePoint>{{1, 5}}));
    EXPECT_FALSE(line_through(std::vector<CurvePoint>{{1, 5}, {1, 6}}));
}

TEST(Fits, PowerLaws) {
    std::vector<CurvePoint> points;
    for (double x : {1.0, 3.0, 10.0, 200.0}) points.push_back({x, 7 * std::pow(x, -0.4)});
    points.push_back({5, 0});  // has no logarithm
    EXPECT_NEAR(power_law_through(points)->slope, -0.4, 1e-12);
    EXPECT_NEAR(std::exp(power_law_through(points)->begin), 7, 1e-12);
}

TEST(Fits, MediansOfBins) {
    FactorBins bins(10, 2);
    bins.add(9.99, 1000);
    for (double y : {5.0, 1.0, 100.0}) bins.add(10 + y / 100, y);
    for (double y : {4.0, 8.0}) bins.add(20, y);
    bins.add(300, 6);
    const std::vector<FactorBins::Bin> all = bins.medians(1);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_NEAR(all[0].x, 10.05, 1e-6);
    EXPECT_EQ(all[0].y, 5);
    EXPECT_EQ(all[0].count, 3u);
    EXPECT_EQ(all[1].x, 20) << "a bin has its lower end, and not its upper one";
    EXPECT_EQ(all[1].y, 6);
    EXPECT_EQ(all[2].x, 300);
    EXPECT_EQ(bins.medians(2).size(), 2u);
    EXPECT_TRUE(FactorBins(10, 2).medians(1).empty());
}

}  // namespace
}  // namespace caprock::test

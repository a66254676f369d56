#include "painting/falloff.h"

#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

// Eq. 8-1 as it is printed, for a radius and a falloff in cells.
double printed(double radius, double falloff, double power, double distance) {
    double c1 = 1 / (std::pow(radius - falloff, power) - std::pow(radius, power));
    double c3 = -c1 * std::pow(radius, power);
    return std::min(std::max(c1 * std::pow(distance * distance, power / 2) + c3, 0.0), 1.0);
}

TEST(Falloff, IsTheEquationOfTheDissertation) {
    for (double power : {0.3, 1.0, 2.0, 4.5})
        for (double share : {0.1, 0.5, 0.8, 1.0})
            for (double distance = 0; distance < 60; distance += 1.7) {
                Falloff falloff{share, power, {}};
                EXPECT_NEAR(falloff.at(distance / 50), printed(50, 50 * share, power, distance), 1e-12)
                    << power << " " << share << " " << distance;
            }
}

TEST(Falloff, HasTheIntegralOfItsShape) {
    EXPECT_NEAR((Falloff{1, 1, {}}.integral()), 1, 1e-5);        // a cone
    EXPECT_NEAR((Falloff{1, 2, {}}.integral()), 4.0 / 3, 1e-5);  // a paraboloid
    EXPECT_NEAR((Falloff{0.5, 1, {}}.integral()), 1.5, 1e-5);
    EXPECT_NEAR((Falloff{1, 1, {1, 1}}.integral()), 2, 1e-12);
}

TEST(Falloff, FollowsADrawnCurve) {
    Falloff falloff{1, 2, {1, 0.5, 0.25}};
    EXPECT_DOUBLE_EQ(falloff.at(0), 1);
    EXPECT_DOUBLE_EQ(falloff.at(0.25), 0.75);
    EXPECT_DOUBLE_EQ(falloff.at(0.75), 0.375);
    EXPECT_EQ(falloff.at(1), 0);
}

}  // namespace
}  // namespace caprock::test

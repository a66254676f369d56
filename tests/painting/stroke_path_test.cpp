#include "painting/stroke_path.h"

#include "paintings.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

using Spline = StrokePath::Spline;

std::vector<PathPlace> places_of(const std::vector<PenSample>& samples, double spacing,
                                 Spline spline = Spline::centripetal) {
    StrokePath path(spline, [spacing](const PenSample&) { return spacing; });
    std::vector<PathPlace> all;
    for (const PenSample& sample : samples)
        for (const PathPlace& place : path.extend(sample)) all.push_back(place);
    for (const PathPlace& place : path.finish()) all.push_back(place);
    return all;
}

double total(const std::vector<PathPlace>& places) {
    double sum = 0;
    for (const PathPlace& place : places) sum += place.length;
    return sum;
}

TEST(StrokePath, PlacesAreEquallyFarApart) {
    for (Spline spline : {Spline::centripetal, Spline::uniform}) {
        std::vector<PathPlace> places = places_of(line(0, 0, 300, 400, 7), 10, spline);
        ASSERT_EQ(places.size(), 50u);
        for (size_t i = 0; i < places.size(); i++) {
            EXPECT_NEAR(places[i].pen.x, 0.6 * (5 + 10 * double(i)), 1e-6);
            EXPECT_NEAR(places[i].pen.y, 0.8 * (5 + 10 * double(i)), 1e-6);
            EXPECT_NEAR(places[i].ahead_x, 0.6, 1e-9);
            EXPECT_NEAR(places[i].ahead_y, 0.8, 1e-9);
        }
    }
}

TEST(StrokePath, ACircleIsACircleHoweverItIsSampled) {
    const double around = 2 * std::numbers::pi * 100;
    for (double rate : {5.0, 60.0, 1000.0}) {
        std::vector<PathPlace> places = places_of(circle(500, 500, 100, rate), 4);
        EXPECT_NEAR(total(places), around, 0.005 * around) << rate;
        for (const PathPlace& place : places)
            EXPECT_NEAR(std::hypot(place.pen.x - 500, place.pen.y - 500), 100, 0.5) << rate;
        for (size_t i = 2; i + 1 < places.size(); i++)
            EXPECT_NEAR(
                std::hypot(places[i].pen.x - places[i - 1].pen.x, places[i].pen.y - places[i - 1].pen.y), 4,
                0.05)
                << rate << " " << i;
    }
}

TEST(StrokePath, GoesThroughItsSamples) {
    std::vector<PenSample> samples = {{0, 0}, {40, 10}, {60, 70}, {10, 90}, {-50, 20}};
    for (Spline spline : {Spline::centripetal, Spline::uniform}) {
        StrokePath path(spline, [](const PenSample&) { return 1.0; });
        for (const PenSample& sample : samples) path.extend(sample);
        path.finish();
        for (const PenSample& sample : samples) {
            double nearest = 1e9;
            for (const PenSample& point : path.line())
                nearest = std::min(nearest, std::hypot(point.x - sample.x, point.y - sample.y));
            EXPECT_LT(nearest, 1e-9);
        }
    }
}

TEST(StrokePath, PressureGoesFromSampleToSample) {
    std::vector<PenSample> samples = {{0, 0, 0}, {100, 0, 1}, {200, 0, 0.5}};
    for (const PathPlace& place : places_of(samples, 5)) {
        double expected = place.pen.x < 100 ? place.pen.x / 100 : 1 - (place.pen.x - 100) / 200;
        EXPECT_NEAR(place.pen.pressure, expected, 0.1) << place.pen.x;
        EXPECT_GE(place.pen.pressure, 0);
        EXPECT_LE(place.pen.pressure, 1);
    }
}

TEST(StrokePath, APenThatRestsClicks) {
    for (int samples : {1, 2, 50}) {
        std::vector<PathPlace> places = places_of(std::vector<PenSample>(size_t(samples), {7, 8, 0.5}), 10);
        ASSERT_EQ(places.size(), 1u);
        EXPECT_EQ(places[0].length, 0);
        EXPECT_EQ(places[0].pen.x, 7);
        EXPECT_EQ(places[0].pen.pressure, 0.5);
    }
    // And one that trembles.
    EXPECT_EQ(places_of({{7, 8}, {8, 8}, {8, 9}}, 10).size(), 1u);
    EXPECT_TRUE(places_of({}, 10).empty());
}

TEST(StrokePath, TheEndIsNotLost) {
    for (double length : {104.0, 106.0, 119.0, 250.0})
        EXPECT_NEAR(total(places_of(line(0, 0, length, 0, 3), 20)), length, 10.0) << length;
}

}  // namespace
}  // namespace caprock::test

#include "operations/rivers/particle_paths.h"

#include "base/error.h"
#include "base/mathematics.h"
#include "operations/line_places.h"
#include "support/terrains.h"
#include "terrain/line_text.h"

#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Field level_ground(const Grid& grid) { return Field(grid.extent, 50.0f); }

Particles one(double velocity = 5) {
    Particles particles;
    particles.count = 1;
    particles.velocity = {velocity, velocity};
    particles.angle = particles.rotation = particles.phase = particles.offset = {0, 0};
    particles.radius = {4, 4};
    particles.climb = 1000;
    return particles;
}

std::vector<ParticleStep> steps_of(const Grid& grid, const Field& height, const Course& course,
                                   const Particles& particles) {
    Progress progress;
    return particle_paths(grid, height, course, particles, progress);
}

TEST(ParticlePaths, FollowEquationOne) {
    Grid grid = grid_of({400, 300}, 2);
    Particles particles = one();
    particles.angle = {7, 7};
    particles.rotation = {11, 11};
    particles.phase = {40, 40};
    particles.offset = {30, 30};
    std::vector<ParticleStep> steps =
        steps_of(grid, level_ground(grid), Course::straight({20, 300}, 90), particles);
    ASSERT_GT(steps.size(), 100u);
    // The random part of a step that it has gone at first; everything else is the equation.
    auto place = [&](double t) {
        double alpha = 7 * degree;
        double beta = (40 + 11 * t) * degree;
        double x = 20 - 30 * std::cos(40 * degree) + 5 * t * std::cos(alpha) + 30 * std::cos(beta);
        double y = 300 - 30 * std::sin(40 * degree) + 5 * t * std::sin(alpha) + 30 * std::sin(beta);
        return Place{x / 2, y / 2};
    };
    double share = 0;
    double nearest = 1e9;
    for (double t = 0; t < 1; t += 1e-5) {
        double away = std::hypot(place(t).x - steps[0].x, place(t).y - steps[0].y);
        if (away < nearest) {
            nearest = away;
            share = t;
        }
    }
    EXPECT_LT(nearest, 1e-3) << "it starts in the window";
    for (size_t i = 0; i < steps.size(); i++) {
        Place now = place(share + double(i));
        Place before = place(share + double(i) - 1);
        ASSERT_NEAR(steps[i].x, now.x, 1e-3) << i;
        ASSERT_NEAR(steps[i].y, now.y, 1e-3) << i;
        ASSERT_NEAR(steps[i].length, std::hypot(now.x - before.x, now.y - before.y), 1e-3) << i;
        ASSERT_EQ(steps[i].radius, 2);
    }
}

TEST(ParticlePaths, EndWhereTheyCannotTouchTheLandAnyMore) {
    Grid grid = grid_of({101, 51});
    std::vector<ParticleStep> steps =
        steps_of(grid, level_ground(grid), Course::straight({0, 25}, 90), one(3));
    EXPECT_LT(steps.front().x, 3);
    EXPECT_GT(steps.back().x, 101);
    EXPECT_LE(steps.back().x, 104);
    // The other three ways, by the compass.
    EXPECT_LT(steps_of(grid, level_ground(grid), Course::straight({50, 25}, 270), one(3)).back().x, 0);
    EXPECT_LT(steps_of(grid, level_ground(grid), Course::straight({50, 25}, 0), one(3)).back().y, 0);
    EXPECT_GT(steps_of(grid, level_ground(grid), Course::straight({50, 25}, 180), one(3)).back().y, 50);
    EXPECT_TRUE(steps_of(grid, level_ground(grid), Course::straight({-20, 25}, 90), one(3)).empty());
}

TEST(ParticlePaths, AreStoppedByGroundThatIsTooHigh) {
    Grid grid = grid_of({100, 20});
    // Down, up by less than it can climb, missing ground, and a wall.
    Field height = made_field(grid.extent, [](int x, int) {
        if (x < 20) return 60.0f;
        if (x < 40) return 30.0f;
        if (x < 50) return 45.0f;
        if (x < 60) return missing;
        return x < 80 ? 45.0f : 51.0f;
    });
    Particles particles = one(3);
    particles.climb = 20;
    std::vector<ParticleStep> steps = steps_of(grid, height, Course::straight({0, 10}, 90), particles);
    EXPECT_GE(steps.back().x, 79.5) << "where it hits is its last step";
    EXPECT_LT(steps.back().x, 82.5);
    particles.climb = 21;
    EXPECT_GT(steps_of(grid, height, Course::straight({0, 10}, 90), particles).back().x, 100);
    particles.climb = 14;
    EXPECT_LT(steps_of(grid, height, Course::straight({0, 10}, 90), particles).back().x, 42.5);
    for (float strange : {missing, INFINITY, -INFINITY})
        EXPECT_GT(
            steps_of(grid, Field(grid.extent, strange), Course::straight({0, 10}, 90), particles).back().x,
            100);
}

TEST(ParticlePaths, StartInTheWindow) {
    Grid grid = grid_of({200, 200});
    Particles particles = one(1);
    particles.window = 60;
    double lowest = 1e9, highest = -1e9;
    for (uint32_t seed = 1; seed < 300; seed++) {
        particles.seed = seed;
        ParticleStep first =
            steps_of(grid, level_ground(grid), Course::straight({100, 190}, 0), particles).front();
        EXPECT_LE(std::abs(first.x - 100), 30);
        EXPECT_NEAR(first.y, 189.5, 0.5);
        lowest = std::min(lowest, first.x);
        highest = std::max(highest, first.x);
    }
    EXPECT_LT(lowest, 73);
    EXPECT_GT(highest, 127);
}

TEST(ParticlePaths, OneParticleDoesNotDependOnTheOthers) {
    Grid grid = grid_of({300, 100});
    Particles few = one();
    few.window = 30;
    few.velocity = {3, 9};
    few.count = 3;
    Particles many = few;
    many.count = 8;
    Course course = Course::straight({0, 50}, 90);
    std::vector<ParticleStep> a = steps_of(grid, level_ground(grid), course, few);
    std::vector<ParticleStep> b = steps_of(grid, level_ground(grid), course, many);
    ASSERT_LT(a.size(), b.size());
    for (size_t i = 0; i < a.size(); i++) ASSERT_EQ(a[i].x, b[i].x);
}

TEST(Course, GoesThroughItsPoints) {
    Course course = Course::through({{10, 10}, {110, 10}, {110, 60}});
    EXPECT_DOUBLE_EQ(course.length(), 150);
    auto expect_at = [&](double along, double across, double x, double y) {
        Course::Beside beside = course.at(along, across);
        EXPECT_NEAR(beside.place.x, x, 1e-9) << along << "," << across;
        EXPECT_NEAR(beside.place.y, y, 1e-9) << along << "," << across;
    };
    expect_at(0, 0, 10, 10);
    expect_at(40, 0, 50, 10);
    expect_at(125, 0, 110, 35);
    expect_at(-5, 0, 5, 10);
    expect_at(160, 0, 110, 70);
    expect_at(0, 8, 10, 18);                // to the right of east is south
    expect_at(150, 8, 102, 60);             // to the right of south is west
    expect_at(100, std::sqrt(8), 108, 12);  // at the bend, between the two
    EXPECT_TRUE(std::isinf(Course::straight({0, 0}, 90).length()));
}

TEST(Course, HasNoGapsBesideIt) {
    Course course = Course::through({{0, 0}, {100, 0}, {100, 80}, {40, 20}, {200, 20}});
    for (double across : {-15.0, 15.0})
        for (double along = 0.5; along < course.length(); along += 0.5) {
            Place a = course.at(along - 0.5, across).place;
            Place b = course.at(along, across).place;
            ASSERT_LT(std::hypot(b.x - a.x, b.y - a.y), 3) << along;
        }
    // Straight back the same way has no direction between, and is finite all the same.
    Course back = Course::through({{0, 0}, {100, 0}, {0, 0}});
    for (double along = 0; along < 200; along += 0.5)
        EXPECT_TRUE(std::isfinite(back.at(along, 5).place.y)) << along;
}

TEST(ParticlePaths, FollowALineToItsEnd) {
    Grid grid = grid_of({200, 200});
    Particles particles = one(2);
    std::vector<ParticleStep> steps =
        steps_of(grid, level_ground(grid), Course::through({{20, 20}, {120, 20}, {120, 90}}), particles);
    EXPECT_NEAR(steps.back().x, 120, 1e-6);
    EXPECT_GT(steps.back().y, 88 - 1e-9);
    EXPECT_LE(steps.back().y, 90);
    // It may begin outside, leave, and come back.
    steps = steps_of(grid, level_ground(grid), Course::through({{-50, 20}, {300, 20}, {300, 90}, {-50, 90}}),
                     particles);
    EXPECT_LT(steps.front().x, 0);
    EXPECT_NEAR(steps.back().y, 90, 1e-6);
    // One that goes aside does not get along, but has an end.
    particles.angle = {90, 90};
    steps = steps_of(grid, level_ground(grid), Course::through({{20, 20}, {120, 20}}), particles);
    EXPECT_GT(steps.back().y, 110);
    EXPECT_LT(steps.back().y, 125);
}

TEST(MiddleOfSide, IsWhereARiverComesFrom) {
    Grid grid = grid_of({101, 51}, 2);
    auto expect_side = [&](double direction, double x, double y) {
        Place side = middle_of_side(grid, direction);
        EXPECT_NEAR(side.x, x, 1e-6) << direction;
        EXPECT_NEAR(side.y, y, 1e-6) << direction;
    };
    expect_side(90, 0, 50);
    expect_side(270, 200, 50);
    expect_side(0, 100, 100);
    expect_side(180, 100, 0);
    expect_side(45, 50, 100);
}

TEST(Places, OfALineAreNeverTwiceInARow) {
    const std::vector<std::vector<Place>> courses =
        courses_of(parse_lines("1,2 1,2 3.5,-4 1,2 close; 7,7 7,7"));
    ASSERT_EQ(courses.size(), 2u);
    ASSERT_EQ(courses[0].size(), 3u) << "it closes where it is";
    EXPECT_EQ(courses[0][1].x, 3.5);
    EXPECT_EQ(courses[0][1].y, -4);
    EXPECT_EQ(courses[1].size(), 1u);
    EXPECT_EQ(places_of(parse_lines("0,0 1,0 1,1 close").lines()[0]).size(), 4u);
}

}  // namespace
}  // namespace caprock::test

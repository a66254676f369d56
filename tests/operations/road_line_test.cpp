// Lines and profiles of roads, against what they promise.
#include "operations/construction/road_line.h"

#include "support/fields.h"
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Profile scattered_profile(int count, double height) {
    Profile profile;
    for (int i = 0; i < count; i++)
        profile.push_back(height * double(scattered(i, 0, 5)) + 20 * std::sin(i * 0.05));
    return profile;
}

double steepest(const Profile& profile) {
    double most = 0;
    for (size_t i = 1; i < profile.size(); i++) most = std::max(most, std::fabs(profile[i] - profile[i - 1]));
    return most;
}

double farthest(const Profile& a, const Profile& b) {
    double most = 0;
    for (size_t i = 0; i < a.size(); i++) most = std::max(most, std::fabs(a[i] - b[i]));
    return most;
}

TEST(RoadLine, CornersAreRoundedAndSidesStay) {
    std::vector<Place> line = rounded_corners({{0, 0}, {100, 0}, {100, 100}}, 20);
    EXPECT_EQ(line.front().x, 0);
    EXPECT_EQ(line.back().y, 100);
    double turned = 0;
    for (size_t i = 1; i + 1 < line.size(); i++) {
        double before = std::atan2(line[i].y - line[i - 1].y, line[i].x - line[i - 1].x);
        double after = std::atan2(line[i + 1].y - line[i].y, line[i + 1].x - line[i].x);
        EXPECT_GE(after, before - 1e-12);
        EXPECT_LT(after - before, 0.2);
        turned += after - before;
    }
    EXPECT_NEAR(turned, std::atan2(1, 0), 1e-9);
    for (const Place& place : line) {
        bool on_first = std::fabs(place.y) < 1e-9 && place.x <= 80 + 1e-9;
        bool on_last = std::fabs(place.x - 100) < 1e-9 && place.y >= 20 - 1e-9;
        bool in_corner = place.x >= 80 - 1e-9 && place.y <= 20 + 1e-9;
        EXPECT_TRUE(on_first || on_last || in_corner) << place.x << "," << place.y;
    }
}

TEST(RoadLine, CornersThatAreCloseShareTheWay) {
    std::vector<Place> line = rounded_corners({{0, 0}, {10, 0}, {10, 10}, {0, 10}}, 1000);
    for (size_t i = 1; i < line.size(); i++) {
        EXPECT_TRUE(line[i].x != line[i - 1].x || line[i].y != line[i - 1].y);
        EXPECT_GE(line[i].y, line[i - 1].y - 1e-12);
    }
    EXPECT_EQ(rounded_corners({{0, 0}, {10, 0}, {10, 10}}, 0).size(), 3u);
    EXPECT_EQ(rounded_corners({{0, 0}, {10, 0}}, 50).size(), 2u);
}

TEST(RoadLine, TheGroundIsReadBetweenCells) {
    Grid grid{Rect::of({50, 40}), 4, {0, 300}};
    Field height = made_field(grid.extent, [](int x, int y) { return float(3 * x - 2 * y + 10); });
    Profile profile = ground_along(grid, height, Course::through({{6, 10}, {150, 90}}), 33);
    for (int i = 0; i < 33; i++) {
        double x = (6 + 144 * i / 32.0) / 4;
        double y = (10 + 80 * i / 32.0) / 4;
        EXPECT_NEAR(profile[size_t(i)], 3 * x - 2 * y + 10, 1e-4);
    }
}

TEST(RoadLine, MissingGroundIsBridged) {
    Profile profile = {NAN, NAN, 4, NAN, NAN, NAN, 12, 13, NAN};
    ASSERT_TRUE(bridge(profile));
    EXPECT_EQ(profile, (Profile{4, 4, 4, 6, 8, 10, 12, 13, 13}));
    Profile nothing = {NAN, NAN};
    EXPECT_FALSE(bridge(nothing));
}

TEST(RoadLine, OutsideTheTerrainNothingIsKnown) {
    Grid grid{Rect::of({20, 20}), 5, {0, 300}};
    Field height(grid.extent, 50.0f);
    Profile profile = ground_along(grid, height, Course::through({{-100, 50}, {200, 50}}), 61);
    EXPECT_TRUE(std::isnan(profile.front()));
    EXPECT_TRUE(std::isnan(profile.back()));
    EXPECT_EQ(profile[30], 50);
}

TEST(RoadLine, SmoothingIsTheMeanOfWhatIsAround) {
    Profile profile = scattered_profile(200, 30);
    for (int around : {0, 1, 7, 60, 500}) {
        Profile smooth = smoothed(profile, around);
        for (int i = 0; i < 200; i++) {
            int here = std::min({around, i, 199 - i});
            double sum = 0;
            for (int k = i - here; k <= i + here; k++) sum += profile[size_t(k)];
            EXPECT_NEAR(smooth[size_t(i)], sum / (2 * here + 1), 1e-9);
        }
        EXPECT_EQ(smooth.front(), profile.front());
        EXPECT_NEAR(smooth.back(), profile.back(), 1e-9);
    }
}

TEST(RoadLine, NoGradeIsSteeperThanTheLimitAlsoWhenSmoothed) {
    Profile profile = scattered_profile(700, 40);
    for (double most : {0.0, 0.05, 0.3, 2.0, 1000.0}) {
        Profile limited = grade_limited(profile, most);
        EXPECT_LE(steepest(limited), most + 1e-9);
        for (int around : {1, 10, 333}) EXPECT_LE(steepest(smoothed(limited, around)), most + 1e-9);
        if (most > 100) {
            EXPECT_EQ(farthest(limited, profile), 0);
        }
    }
}

TEST(RoadLine, TheLimitedProfileIsAsNearToTheGroundAsCanBe) {
    // Two places that differ by more than the grade allows cannot both be nearer than half of what is too much.
    Profile profile = scattered_profile(150, 40);
    for (double most : {0.0, 0.2, 1.5}) {
        double bound = 0;
        for (size_t i = 0; i < profile.size(); i++)
            for (size_t j = 0; j < i; j++)
                bound = std::max(bound, (std::fabs(profile[i] - profile[j]) - most * double(i - j)) / 2);
        EXPECT_NEAR(farthest(grade_limited(profile, most), profile), bound, 1e-9);
    }
}

TEST(RoadLine, EndsMeetTheGroundWhereTheGradeAllowsIt) {
    Profile profile = scattered_profile(150, 40);
    for (double most : {0.0, 0.05, 0.4, 2.0}) {
        Profile limited = grade_limited(profile, most);
        Profile met = meeting_ends(limited, profile.front(), profile.back(), most);
        EXPECT_LE(steepest(met), most + 1e-9);
        double too_far = std::max(std::fabs(profile.back() - profile.front()) - most * 149, 0.0);
        EXPECT_NEAR(std::fabs(met.front() - profile.front()), too_far / 2, 1e-9);
        EXPECT_NEAR(std::fabs(met.back() - profile.back()), too_far / 2, 1e-9);
    }
    // What is on the ground at both ends already stays.
    Profile level = {5, 5.5, 6, 5.5, 5};
    EXPECT_EQ(meeting_ends(level, 5, 5, 0.5), level);
}

TEST(RoadLine, TheLimitDoesNotKnowUpFromDownNorBeginFromEnd) {
    Profile profile = scattered_profile(150, 40);
    Profile limited = grade_limited(profile, 0.4);
    Profile turned(profile.rbegin(), profile.rend());
    for (double& height : turned) height = -height;
    Profile of_turned = grade_limited(turned, 0.4);
    for (size_t i = 0; i < profile.size(); i++)
        EXPECT_NEAR(limited[i], -of_turned[profile.size() - 1 - i], 1e-9);
}

}  // namespace
}  // namespace caprock::test

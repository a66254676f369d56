// Light maps against rays that are marched one by one, against shadows whose length is known, and updated ones against
// those made from scratch.
#include "view/light_map.h"

#include "base/error.h"
#include "base/mathematics.h"
#include "support/fields.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace caprock::test {
namespace {

// Hills of several sizes, without a direction of their own.
float hills_every_way(int x, int y) {
    double u = x, v = y;
    return float(60 * std::sin(u * 0.11 + 0.4) * std::cos(v * 0.093) + 25 * std::sin(u * 0.23 - v * 0.19) +
                 9 * std::cos(u * 0.61 + 0.3 * v) + 6 * std::sin(v * 0.83 - 0.2 * u));
}

// The height on straight lines between cells; the border's up to a cell outside, and NaN further out.
double height_between_cells(const Field& field, double x, double y) {
    const Rect& rect = field.rect();
    if (x <= rect.left - 1 || y <= rect.top - 1 || x >= rect.right || y >= rect.bottom)
        return std::numeric_limits<double>::quiet_NaN();
    int i = int(std::floor(x)), j = int(std::floor(y));
    auto cell = [&](int cx, int cy) {
        return double(
            field.at(std::clamp(cx, rect.left, rect.right - 1), std::clamp(cy, rect.top, rect.bottom - 1)));
    };
    double s = x - i, t = y - j;
    double top = s > 0 ? cell(i, j) * (1 - s) + cell(i + 1, j) * s : cell(i, j);
    if (t == 0) return top;
    double bottom = s > 0 ? cell(i, j + 1) * (1 - s) + cell(i + 1, j + 1) * s : cell(i, j + 1);
    return top * (1 - t) + bottom * t;
}

// The steepest slope up to what lies in a direction (clockwise from north), or 0.
double horizon(const Field& field, int x, int y, double azimuth, double cell, double farthest, double step) {
    double dx = std::sin(azimuth * degree), dy = -std::cos(azimuth * degree);
    double here = double(field.at(x, y)), steepest = 0;
    for (double distance = 1; distance <= farthest; distance += step) {
        double there = height_between_cells(field, x + dx * distance, y + dy * distance);
        if (!std::isnan(there)) steepest = std::max(steepest, (there - here) / (distance * cell));
    }
    return steepest;
}

double seen_of_sun(double slope, double elevation, double width) {
    double high = std::tan((elevation + width / 2) * degree),
           low = std::tan((elevation - width / 2) * degree);
    double share = std::clamp((high - slope) / (high - low), 0.0, 1.0);
    return share * share * (3 - 2 * share);
}

TEST(LightMap, LevelGroundSeesTheWholeSkyAndTheSun) {
    Field flat(Rect::of({70, 50}), 300.0f);
    for (double azimuth : {0.0, 37.0, 90.0, 200.0, 315.0, -45.0}) {
        LightMap map(flat, 5, 1, {azimuth, 20});
        for (uint8_t byte : map.texels()) ASSERT_EQ(byte, 255) << azimuth;
    }
    for (double elevation : {-1.0, -90.0}) {
        LightMap night(flat, 5, 1, {0, elevation});
        EXPECT_EQ(night.sunlight(3, 3), 0);
        EXPECT_EQ(night.openness(3, 3), 255);
    }
}

TEST(LightMap, ATowersShadowFallsAwayFromTheSun) {
    constexpr double cell = 2, height = 40, elevation = 30;
    Field field = made_field(Rect::of({121, 121}), [](int x, int y) {
        return std::abs(x - 60) <= 2 && std::abs(y - 60) <= 2 ? 40.0f : 0.0f;
    });
    double length = height / std::tan(elevation * degree) / cell;  // cells
    for (int azimuth = 0; azimuth < 360; azimuth += 15) {
        LightMap map(field, cell, 1, {double(azimuth), elevation});
        auto light = [&](double distance) {
            double x = 60 - std::sin(azimuth * degree) * distance;
            double y = 60 + std::cos(azimuth * degree) * distance;
            return int(map.sunlight(int(std::lround(x)), int(std::lround(y))));
        };
        EXPECT_EQ(light(0), 255) << azimuth;
        EXPECT_EQ(light(6), 0) << azimuth;
        EXPECT_EQ(light(length - 3), 0) << azimuth;
        EXPECT_EQ(light(length + 6), 255) << azimuth;
        EXPECT_EQ(light(-6), 255) << azimuth << ": on the side of the sun";
    }
    // Twice the height throws twice the shadow.
    LightMap map(field, cell, 1.5, {90, elevation});
    EXPECT_EQ(map.sunlight(60 - int(length * 1.5 - 3), 60), 0);
    EXPECT_EQ(map.sunlight(60 - int(length * 1.5 + 6), 60), 255);
}

TEST(LightMap, ShadowsAgreeWithMarchedRays) {
    constexpr double cell = 10, width = 3;
    Field field = made_field(Rect::of({96, 80}), hills_every_way);
    for (double azimuth : {0.0, 20.0, 80.0, 135.0, 170.0, 290.0})
        for (double elevation : {8.0, 24.0}) {
            LightMap map(field, cell, 1, {azimuth, elevation}, {2048, width});
            double error = 0, dark = 0;
            int wrong = 0;
            for (int y = 0; y < 80; y++)
                for (int x = 0; x < 96; x++) {
                    double slope = horizon(field, x, y, azimuth, cell, 140, 0.25);
                    double expected = 255 * seen_of_sun(slope, elevation, width);
                    double difference = std::fabs(expected - map.sunlight(x, y));
                    error += difference / (96 * 80);
                    dark += expected / (96 * 80);
                    wrong += difference > 100;
                }
            EXPECT_LT(error, 5) << azimuth << ", " << elevation << " high";
            EXPECT_LT(wrong, 96 * 80 * 3 / 200) << azimuth << ", " << elevation << " high";
            if (elevation < 20) {
                EXPECT_LT(dark, 235) << "nothing was put to the test";
            }
        }
}

TEST(LightMap, ShadowsHaveSoftEdgesAsWideAsTheSun) {
    // A wall, and the light along its shadow: between the lengths that the sun's upper and lower edges give.
    constexpr double cell = 1, elevation = 20, width = 4;
    Field field = made_field(Rect::of({200, 9}), [](int x, int) { return x == 10 ? 30.0f : 0.0f; });
    LightMap map(field, cell, 1, {270, elevation}, {2048, width});
    for (int x = 11; x < 200; x++) {
        double expected = 255 * seen_of_sun(30.0 / (x - 10), elevation, width);
        EXPECT_NEAR(map.sunlight(x, 4), expected, 1) << x;
    }
}

TEST(LightMap, OpennessOfACone) {
    // At the bottom of a cone the horizon is equally high all around.
    constexpr double slope = 0.8, cell = 4;
    Field field = made_field(Rect::of({201, 201}),
                             [](int x, int y) { return float(slope * cell * std::hypot(x - 100, y - 100)); });
    LightMap map(field, cell, 1, {});
    EXPECT_NEAR(map.openness(100, 100), 255 / (1 + slope * slope), 2.5);
    LightMap flatter(field, cell, 0.5, {});
    EXPECT_NEAR(flatter.openness(100, 100), 255 / (1 + slope * slope / 4), 2.5);
    // On the side of a cone that is far away, as on any slope: half of the sky is bounded by the slope itself, the
    // horizon towards azimuth a being slope * cos(a) high.
    Field ramp = made_field(Rect::of({301, 301}), [](int x, int) { return float(slope * cell * x); });
    double expected = 0.5 + 0.5 / std::sqrt(1 + slope * slope);
    EXPECT_NEAR(LightMap(ramp, cell, 1, {}).openness(150, 150) / 255.0, expected, 0.012);
}

TEST(LightMap, OpennessAgreesWithMarchedRays) {
    constexpr double cell = 10;
    Field field = made_field(Rect::of({200, 180}), hills_every_way);
    LightMap map(field, cell, 1, {});
    double error = 0, worst = 0;
    int count = 0;
    for (int y = 2; y < 180; y += 7)
        for (int x = 2; x < 200; x += 7) {
            double seen = 0;
            for (int direction = 0; direction < 48; direction++) {
                double slope = horizon(field, x, y, direction * 7.5, cell, 64, 0.5);
                seen += 1 / (1 + slope * slope) / 48;
            }
            double difference = std::fabs(map.openness(x, y) / 255.0 - seen);
            error += difference;
            worst = std::max(worst, difference);
            count++;
        }
    EXPECT_LT(error / count, 0.02);
    EXPECT_LT(worst, 0.1);
}

TEST(LightMap, MissingCellsCastNothingAndAreLit) {
    auto wall = [](int x, int) { return x == 20 ? 50.0f : 0.0f; };
    Field field = made_field(Rect::of({60, 40}), wall);
    Field holed = made_field(field.rect(), [&](int x, int y) { return x == 20 ? missing : wall(x, y); });
    LightMap map(holed, 1, 1, {270, 30});
    EXPECT_EQ(LightMap(field, 1, 1, {270, 30}).sunlight(30, 20), 0);
    for (uint8_t byte : map.texels()) ASSERT_EQ(byte, 255);
    // Numbers that stand for missing cells in many files are no abysses either.
    Field lowest = made_field(field.rect(), [&](int x, int) { return x == 20 ? -3.4e38f : 0.0f; });
    LightMap abyss(lowest, 1, 1, {10, 30});
    for (uint8_t byte : abyss.texels()) ASSERT_EQ(byte, 255);
    LightMap nothing(Field(Rect::of({5, 5}), missing), 1, 1, {10, 30});
    for (uint8_t byte : nothing.texels()) ASSERT_EQ(byte, 255);
}

TEST(LightMap, TheSmallestTerrains) {
    for (Size size : {Size{1, 1}, Size{1, 7}, Size{7, 1}, Size{2, 2}})
        for (double azimuth : {0.0, 100.0, 135.0, 200.0, 280.0}) {
            LightMap map(Field(Rect::of(size), 3.0f), 1, 1, {azimuth, 10});
            EXPECT_EQ(map.texels(), std::vector<uint8_t>(size_t(size.cells()) * 2, 255));
        }
    Field step = made_field(Rect::of({2, 1}), [](int x, int) { return float(x); });
    LightMap map(step, 1, 1, {90, 30});
    EXPECT_EQ(map.sunlight(0, 0), 0);
    EXPECT_EQ(map.sunlight(1, 0), 255);
}

TEST(LightMap, LargeTerrainsAreAveragedDown) {
    // Each block of 3 x 3 cells is level: averaged down, it is the terrain of a third of the size.
    Field small = made_field(Rect::of({67, 50}), hills_every_way);
    Field large = made_field(Rect{5, -7, 5 + 200, -7 + 150},
                             [&](int x, int y) { return small.at((x - 5) / 3, (y + 7) / 3); });
    LightMap expected(small, 12, 2, {200, 15});
    LightMap map(large, 4, 2, {200, 15}, {67});
    EXPECT_EQ(map.cells_per_texel(), 3);
    EXPECT_EQ(map.size(), (Size{67, 50}));
    EXPECT_EQ(map.texels(), expected.texels());
}

TEST(LightMap, UpdatedAsFromScratch) {
    for (int side : {4096, 130})  // a texel for each cell, and for 2 x 2
        for (double azimuth : {0.0, 33.0, 118.0, 245.0, 270.0})
            for (double elevation : {0.2, 14.0, -5.0}) {
                Sun sun{azimuth, elevation};
                Field field = made_field(Rect{-20, 30, 240, 250}, hills_every_way);
                LightMap map(field, 10, 1.3, sun, {side});
                std::vector<uint8_t> before = map.texels();
                Rect changed{90, 120, 113, 131};
                for (float up : {400.0f, -150.0f, 0.0f, missing}) {
                    Field::WritableRows rows = field.writable_rows();
                    for (int y = changed.top; y < changed.bottom; y++)
                        for (int x = changed.left; x < changed.right; x++)
                            rows[y][x - field.rect().left] = hills_every_way(x, y) + up;
                    Rect touched = map.update(field, changed);
                    LightMap fresh(field, 10, 1.3, sun, {side});
                    ASSERT_EQ(map.texels(), fresh.texels()) << azimuth << ", " << elevation << ", " << up;
                    // What it calls untouched has not changed.
                    for (int y = 0; y < map.size().height; y++)
                        for (int x = 0; x < map.size().width; x++) {
                            size_t i = (size_t(y) * size_t(map.size().width) + size_t(x)) * 2;
                            if (touched.contains(x, y)) continue;
                            ASSERT_EQ(map.texels()[i], before[i]) << x << ", " << y;
                            ASSERT_EQ(map.texels()[i + 1], before[i + 1]) << x << ", " << y;
                        }
                    before = map.texels();
                }
            }
}

TEST(LightMap, AnotherSunAsFromScratch) {
    Field field = made_field(Rect::of({150, 90}), hills_every_way);
    LightMap map(field, 10, 1, {10, 30});
    for (Sun sun : {Sun{77, 12}, Sun{190, 3}, Sun{190, -3}, Sun{300, 60}}) {
        map.set_sun(sun);
        EXPECT_EQ(map.texels(), LightMap(field, 10, 1, sun).texels());
    }
}

TEST(LightMap, RefusesWhatIsNoSunAndNoSize) {
    Field field(Rect::of({4, 4}), 0.0f);
    EXPECT_THROW(LightMap(Field(), 1, 1, {}), Error);
    EXPECT_THROW(LightMap(field, 0, 1, {}), Error);
    EXPECT_THROW(LightMap(field, 1, -1, {}), Error);
    EXPECT_THROW(LightMap(field, 1, 1, {NAN, 10}), Error);
    EXPECT_THROW(LightMap(field, 1, 1, {0, 91}), Error);
    EXPECT_THROW(LightMap(field, 1, 1, {}, {2048, 0}), Error);
    LightMap map(field, 1, 1, {});
    EXPECT_THROW(map.update(Field(Rect::of({5, 4}), 0.0f), {0, 0, 1, 1}), Error);
    EXPECT_TRUE(map.update(field, {9, 9, 12, 12}).empty());
}

}  // namespace
}  // namespace caprock::test

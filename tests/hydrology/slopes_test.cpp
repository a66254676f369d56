// Slopes that wear as a surface, against the equation cell by cell and against cones, which know no grid.
#include "hydrology/slopes.h"

#include "base/random.h"
#include "support/fields.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace caprock::test {
namespace {

constexpr double of_cell = 10;
constexpr int cone_side = 81;
constexpr int cone_middle = 40;

double metres_from_middle(int x, int y) { return of_cell * std::hypot(x - cone_middle, y - cone_middle); }

// The slope of the ground from the middle out, as the mean over a ring, and by how much directions differ from it.
struct Ring {
    double mean = 0;
    double most_off = 0;
};
Ring slope_of_cone(const Field& height, double from, double to) {
    std::vector<double> slopes;
    for (int y = 0; y < cone_side; y++)
        for (int x = 0; x < cone_side; x++)
            if (const double far = metres_from_middle(x, y); far > from && far < to)
                slopes.push_back(height.at(x, y) / far);
    Ring ring;
    for (double slope : slopes) ring.mean += slope / double(slopes.size());
    for (double slope : slopes) ring.most_off = std::max(ring.most_off, std::abs(slope / ring.mean - 1));
    return ring;
}

TEST(Slopes, StandAtTheirAngleInAllDirections) {
    // A plain far above one deep place.
    Field height(Rect::of({cone_side, cone_side}), 1000.0f);
    height.set(cone_middle, cone_middle, 0);
    std::vector<SlopeKind> kinds(size_t(cone_side * cone_side), SlopeKind::stands);
    kinds[size_t(cone_middle * cone_side + cone_middle)] = SlopeKind::stays;
    const Field before = height;
    const Field rate(height.rect(), 0.0f);
    Progress progress;
    // Every call goes over bands of rows once more.
    for (int i = 0; i < 3; i++)
        wear_slopes(height, kinds, {.before = before, .rate = rate, .cell = of_cell, .stands = 0.6f},
                    progress);
    const Ring ring = slope_of_cone(height, 160, 380);
    EXPECT_NEAR(ring.mean, 0.6, 0.6 * 0.04);
    EXPECT_LT(ring.most_off, 0.03) << "some directions are steeper than others";
    EXPECT_EQ(height.at(cone_middle, cone_middle), 0);
}

TEST(Slopes, AtRestFallAsMuchEverywhere) {
    // Lifted by u in a step, a slope sinks by R S^n, so S = (u / R)^(1/n).
    for (const double exponent : {1.0, 2.0}) {
        const double uplift = 20, sinks = 50;
        Field height = made_field(Rect::of({cone_side, cone_side}),
                                  [](int x, int y) { return float(0.3 * metres_from_middle(x, y)); });
        std::vector<SlopeKind> kinds(size_t(cone_side * cone_side), SlopeKind::wears);
        kinds[size_t(cone_middle * cone_side + cone_middle)] = SlopeKind::stays;
        const Field rate(height.rect(), float(sinks));
        Progress progress;
        for (int step = 0; step < 40; step++) {
            for (int y = 0; y < cone_side; y++)
                for (int x = 0; x < cone_side; x++)
                    if (x != cone_middle || y != cone_middle)
                        height.set(x, y, height.at(x, y) + float(uplift));
            const Field before = height;
            wear_slopes(
                height, kinds,
                {.before = before, .rate = rate, .slope_exponent = exponent, .cell = of_cell, .stands = 1e9f},
                progress);
        }
        const double expected = std::pow(uplift / sinks, 1 / exponent);
        const Ring ring = slope_of_cone(height, 160, 380);
        EXPECT_NEAR(ring.mean, expected, 0.05 * expected) << exponent;
        // Cells see eight neighbours; a slope of one direction only would be off by 30 %.
        EXPECT_LT(ring.most_off, 0.05) << exponent;
    }
}

// What a cell sinks by is what the slope above its neighbours says, beside or across, whichever is more.
TEST(Slopes, EveryCellObeysTheEquation) {
    const int width = 90, height = 150;
    Field before = made_field(Rect::of({width, height}), [](int x, int y) {
        return 300 + 200 * std::sin(float(x) * 0.11f) * std::cos(float(y) * 0.07f) +
               8 * float(unit(hashed(3, uint32_t(x) + uint32_t(y) * 4096u, 1)));
    });
    before.set(30, 40, missing);
    const Field rate = made_field(before.rect(), [](int x, int) { return 5 + 0.5f * float(x); });
    for (const double exponent : {1.0, 1.7}) {
        std::vector<SlopeKind> kinds(size_t(width * height), SlopeKind::wears);
        kinds[40 * width + 30] = SlopeKind::stays;
        Field after = before;
        Progress progress;
        for (int i = 0; i < 3; i++)
            wear_slopes(
                after, kinds,
                {.before = before, .rate = rate, .slope_exponent = exponent, .cell = of_cell, .stands = 1e9f},
                progress);
        auto level = [&](int x, int y) {
            const bool inside = x >= 0 && y >= 0 && x < width && y < height && !is_missing(after.at(x, y));
            return inside ? double(after.at(x, y)) : 1e30;
        };
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                if (is_missing(before.at(x, y))) continue;
                const double pairs[2][2] = {
                    {std::min(level(x - 1, y), level(x + 1, y)), std::min(level(x, y - 1), level(x, y + 1))},
                    {std::min(level(x - 1, y - 1), level(x + 1, y + 1)),
                     std::min(level(x + 1, y - 1), level(x - 1, y + 1))}};
                double lowest = before.at(x, y);
                for (int i = 0; i < 2; i++) {
                    // Halved until it fits.
                    double low = std::min({pairs[i][0], pairs[i][1], lowest}), high = before.at(x, y);
                    for (int turn = 0; turn < 60; turn++) {
                        const double at = (low + high) / 2;
                        const double slope =
                            std::hypot(std::max(at - pairs[i][0], 0.0), std::max(at - pairs[i][1], 0.0)) /
                            (of_cell * (i == 0 ? 1 : std::sqrt(2.0)));
                        const bool too_high =
                            at + rate.at(x, y) * std::pow(slope, exponent) > before.at(x, y);
                        (too_high ? high : low) = at;
                    }
                    lowest = std::min(lowest, (low + high) / 2);
                }
                // What is left undone after so many turns, where the land has a relief of 400 m.
                ASSERT_NEAR(after.at(x, y), lowest, 0.05) << x << "," << y << " exponent " << exponent;
            }
        EXPECT_TRUE(is_missing(after.at(30, 40)));
    }
}

TEST(Slopes, WhatStaysStaysAndWhatStandsIsNotWorn) {
    const Field before =
        made_field(Rect::of({40, 30}), [](int x, int y) { return float((x * 37 + y * 91) % 113); });
    std::vector<SlopeKind> kinds(40 * 30);
    for (size_t i = 0; i < kinds.size(); i++) kinds[i] = i % 3 == 0 ? SlopeKind::stays : SlopeKind::stands;
    const Field rate(before.rect(), 1000.0f);
    Field after = before;
    Progress progress;
    wear_slopes(after, kinds, {.before = before, .rate = rate, .cell = of_cell, .stands = 100.0f}, progress);
    EXPECT_TRUE(identical(after, before)) << "none of it is steeper than its angle";
    wear_slopes(after, kinds, {.before = before, .rate = rate, .cell = of_cell, .stands = 1.0f}, progress);
    for (int y = 0; y < 30; y++)
        for (int x = 0; x < 40; x++) {
            if (kinds[size_t(y * 40 + x)] == SlopeKind::stays) {
                ASSERT_EQ(after.at(x, y), before.at(x, y));
            } else {
                ASSERT_LE(after.at(x, y), before.at(x, y));
                for (const auto& [dx, dy] : {std::pair(1, 0), {-1, 0}, {0, 1}, {0, -1}})
                    if (before.rect().contains(x + dx, y + dy)) {
                        ASSERT_LE(after.at(x, y), after.at(x + dx, y + dy) + of_cell + 1e-3f)
                            << x << "," << y;
                    }
            }
        }
}

}  // namespace
}  // namespace caprock::test

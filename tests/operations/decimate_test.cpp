#include "support/devices.h"
#include "support/operations.h"
#include "support/terrains.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain decimated(const Terrain& input, const Parameters& parameters) {
    return applied("decimate", parameters, input);
}

int64_t known_cells(const Field& field) {
    FieldStatistics s = statistics(field);
    return s.cells - s.missing;
}

TEST(Decimate, TakesExactlyTheFraction) {
    for (Holes holes : {Holes::none, Holes::some})
        for (Size size : {Size{67, 41}, Size{1, 30}, Size{301, 1}, Size{1, 1}})
            for (const char* fraction : {"0", "0.3", "0.5", "0.9", "1"})
                for (const char* edges : {"true", "false"}) {
                    Terrain input = rough_terrain(size, holes);
                    int64_t before = known_cells(input.height());
                    Terrain result = decimated(input, {{"fraction", fraction}, {"keep-edges", edges}});
                    EXPECT_EQ(before - known_cells(result.height()),
                              int64_t(std::floor(std::stod(fraction) * double(before) + 0.5)))
                        << size.width << "x" << size.height << " " << fraction << " " << edges;
                }
}

TEST(Decimate, OfLevelGroundToo) {
    // With no edges at all every cell is as good as another: chance decides, and the number is still exact.
    Terrain input(Grid{Rect::of({50, 40}), 1, {0, 10}});
    input.set("height", Field(input.rect(), 5));
    Field height = decimated(input, {{"fraction", "0.5"}, {"keep-edges", "true"}}).height();
    EXPECT_EQ(known_cells(height), 1000);
    int64_t upper = known_cells(height.cropped({0, 0, 50, 20}));
    EXPECT_NEAR(double(upper), 500, 80);
}

TEST(Decimate, WhatStaysIsAsItWasAndPointsGoInAllFields) {
    Terrain input = rough_terrain({67, 41}, Holes::some);
    Terrain result = decimated(input, {{"fraction", "0.4"}});
    for (int y = 0; y < 41; y++)
        for (int x = 0; x < 67; x++) {
            bool was_there = !is_missing(input.height().at(x, y));
            bool went = was_there && is_missing(result.height().at(x, y));
            if (was_there && !went) {
                ASSERT_EQ(result.height().at(x, y), input.height().at(x, y));
            }
            ASSERT_EQ(is_missing(result.field("hardness").at(x, y)), went);
            if (!went) {
                ASSERT_EQ(result.field("hardness").at(x, y), input.field("hardness").at(x, y));
            }
        }
}

TEST(Decimate, AnotherSeedTakesOthersAndAGreaterFractionTheSameAndMore) {
    Terrain input = rough_terrain({67, 41});
    Field some = decimated(input, {{"fraction", "0.3"}}).height();
    Field more = decimated(input, {{"fraction", "0.6"}}).height();
    Field other = decimated(input, {{"fraction", "0.3"}, {"seed", "2"}}).height();
    EXPECT_FALSE(identical(some, other));
    for (int y = 0; y < 41; y++)
        for (int x = 0; x < 67; x++)
            if (is_missing(some.at(x, y))) {
                ASSERT_TRUE(is_missing(more.at(x, y)));
            }
}

// G of section 5.1 in doubles; the cell itself stands for what is not there.
double sobel(const Field& height, int x, int y) {
    auto e = [&](int dx, int dy) {
        bool inside = height.rect().contains(x + dx, y + dy);
        float value = inside ? height.at(x + dx, y + dy) : missing;
        return double(is_missing(value) ? height.at(x, y) : value);
    };
    double across = e(-1, -1) + 2 * e(-1, 0) + e(-1, 1) - e(1, -1) - 2 * e(1, 0) - e(1, 1);
    double down = e(-1, -1) + 2 * e(0, -1) + e(1, -1) - e(-1, 1) - 2 * e(0, 1) - e(1, 1);
    return std::sqrt(across * across + down * down);
}

TEST(Decimate, KeepsCellsInProportionToTheirSobelResponse) {
    // While few of many cells are kept, the chance to be kept is in proportion to the response.
    Terrain input = rough_terrain({500, 400}, Holes::some);
    Field kept = decimated(input, {{"fraction", "0.98"}, {"keep-edges", "true"}}).height();
    std::vector<std::pair<double, bool>> cells;
    double all = 0;
    for (int y = 0; y < 400; y++)
        for (int x = 0; x < 500; x++)
            if (!is_missing(input.height().at(x, y))) {
                cells.emplace_back(sobel(input.height(), x, y), !is_missing(kept.at(x, y)));
                all += cells.back().first;
            }
    std::ranges::sort(cells);
    for (size_t tenth = 0; tenth < 10; tenth++) {
        double response = 0;
        double stayed = 0;
        for (size_t i = cells.size() * tenth / 10; i < cells.size() * (tenth + 1) / 10; i++) {
            response += cells[i].first;
            stayed += cells[i].second ? 1 : 0;
        }
        double expected = response / all * 0.02 * double(cells.size());
        EXPECT_NEAR(stayed, expected, 4 * std::sqrt(expected) + 0.03 * expected) << "tenth " << tenth;
    }
}

TEST(Decimate, AllOrNothingIsNoTrouble) {
    Terrain empty = rough_terrain({20, 10}, Holes::all);
    EXPECT_EQ(known_cells(decimated(empty, {{"keep-edges", "true"}}).height()), 0);
}

}  // namespace
}  // namespace caprock::test

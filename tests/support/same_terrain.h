// Terrains that must be the same, bit for bit.
#pragma once

#include "terrain/terrain.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace caprock::test {

inline void expect_same_cells(const Field& expected, const Field& actual, const std::string& what) {
    if (identical(expected, actual)) return;
    ASSERT_EQ(expected.rect(), actual.rect()) << what;
    const Rect& rect = expected.rect();
    int64_t differing = 0;
    std::string first;
    for (int y = rect.top; y < rect.bottom; y++)
        for (int x = rect.left; x < rect.right; x++) {
            float a = expected.at(x, y);
            float b = actual.at(x, y);
            if (a == b || (is_missing(a) && is_missing(b))) continue;
            if (differing++ > 0) continue;
            first = fmt::format("{},{} is {}, not {}", x, y, b, a);
        }
    if (differing == 0) FAIL() << what << " differs in the sign of a zero";
    FAIL() << what << ": " << differing << " cells differ; the first at " << first;
}

// Their fields may have been added in another order.
inline void expect_same_fields(const Terrain& expected, const Terrain& actual, const std::string& what) {
    auto sorted = [](std::vector<std::string> names) {
        std::ranges::sort(names);
        return names;
    };
    EXPECT_EQ(sorted(expected.names()), sorted(actual.names())) << what;
    for (const std::string& name : expected.names())
        if (actual.has(name)) expect_same_cells(expected.field(name), actual.field(name), what + ": " + name);
}

inline void expect_same(const Terrain& expected, const Terrain& actual, const std::string& what) {
    ASSERT_EQ(expected.names(), actual.names()) << what;
    ASSERT_EQ(expected.line_names(), actual.line_names()) << what;
    for (const std::string& name : expected.line_names())
        EXPECT_EQ(expected.lines(name), actual.lines(name)) << what << ": lines " << name;
    expect_same_fields(expected, actual, what);
}

}  // namespace caprock::test

// Two masks in one.
#include "support/masks.h"

#include <functional>
#include <gtest/gtest.h>
#include <map>

namespace caprock::test {
namespace {

TEST(MaskCombine, IsItsNameAndStaysAMask) {
    Terrain terrain = terrain_of("mask", {61, 47}, 1, [](int x, int y) { return patchy(x, y, true); });
    terrain.set("rock", made_field(terrain.rect(), [](int x, int y) { return patchy(x + 3, y + 50, true); }));
    const std::map<std::string, std::function<double(double, double)>> ways = {
        {"multiply", [](double a, double b) { return a * b; }},
        {"max", [](double a, double b) { return std::max(a, b); }},
        {"min", [](double a, double b) { return std::min(a, b); }},
        {"add", [](double a, double b) { return std::min(a + b, 1.0); }},
        {"subtract", [](double a, double b) { return std::max(a - b, 0.0); }},
        {"difference", [](double a, double b) { return std::fabs(a - b); }},
    };
    for (const auto& [name, way] : ways) {
        Terrain result = applied("mask-combine", {{"with", "rock"}, {"by", name}}, terrain);
        EXPECT_TRUE(identical(result.field("rock"), terrain.field("rock")));
        for (int y = 0; y < 47; y++)
            for (int x = 0; x < 61; x++) {
                float a = terrain.field("mask").at(x, y);
                float b = terrain.field("rock").at(x, y);
                float both = result.field("mask").at(x, y);
                ASSERT_EQ(is_missing(both), is_missing(a)) << name;
                if (is_missing(a)) continue;
                ASSERT_NEAR(both, way(a, is_missing(b) ? 0 : b), 1e-7) << name;
            }
    }
}

TEST(MaskCombine, NamesAMaskThatIsNotThere) {
    Terrain terrain = terrain_of("mask", {4, 4}, 1, [](int, int) { return 1.0f; });
    EXPECT_THROW(applied("mask-combine", {{"with", "rock"}}, terrain), Error);
}

}  // namespace
}  // namespace caprock::test

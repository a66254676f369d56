// What is said of a place, against planes whose slope is known.
#include "view/inspector.h"

#include "view/pictures.h"

#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

TEST(Inspector, TheCellUnderThePoint) {
    Terrain terrain = made_terrain({20, 10}, [](int x, int y) { return float(x + 100 * y); });
    terrain.set("hardness", Field(terrain.rect(), 0.25f));
    std::optional<Inspection> found = inspect(terrain, {8 * 3 + 3.9, 8 * 4 - 3.9});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->column, 3);
    EXPECT_EQ(found->row, 4);
    EXPECT_EQ(found->point, (WorldPoint{24, 32}));
    ASSERT_EQ(found->values.size(), 2u);
    EXPECT_EQ(found->values[0].name, "height");
    EXPECT_EQ(found->values[0].value, 403);
    EXPECT_EQ(found->values[0].unit, "m");
    EXPECT_EQ(found->values[1].name, "hardness");
    EXPECT_EQ(found->values[1].value, 0.25f);
    EXPECT_EQ(found->values[1].unit, "");
    EXPECT_FALSE(found->place);
}

TEST(Inspector, NothingOutside) {
    Terrain terrain = made_terrain({20, 10}, [](int, int) { return 1.0f; });
    // Half a cell around the outermost samples belongs to them.
    EXPECT_TRUE(inspect(terrain, {-4, -4}));
    EXPECT_TRUE(inspect(terrain, {155.9, 75.9}));
    for (auto [x, y] :
         {std::pair{-4.1, 5.0}, {5.0, -4.1}, {156.0, 5.0}, {5.0, 76.0}, {1e300, 5.0}, {std::nan(""), 5.0}})
        EXPECT_FALSE(inspect(terrain, {x, y})) << x << ' ' << y;
}

TEST(Inspector, SlopeAndAspectOfPlanes) {
    // Rises by so many metres for a cell of 8 to the east and to the south; faces downhill.
    const struct {
        float east, south;
        double slope, aspect;
    } cases[] = {{8, 0, 45, 270},  {-8, 0, 45, 90},     {0, 8, 45, 0},
                 {0, -8, 45, 180}, {6, 6, 46.686, 315}, {-2, 2, 19.471, 45}};
    for (const auto& [east, south, slope, aspect] : cases) {
        Terrain terrain =
            made_terrain({9, 9}, [&](int x, int y) { return east * float(x) + south * float(y); });
        for (const auto& [x, y] : {std::pair{32.0, 32.0}, {-3.0, -3.0}, {66.0, 66.0}}) {
            std::optional<Inspection> found = inspect(terrain, {x, y});
            EXPECT_NEAR(*found->slope, slope, 0.001) << east << ' ' << south;
            EXPECT_NEAR(*found->aspect, aspect, 0.001) << east << ' ' << south;
        }
    }
}

TEST(Inspector, LevelAndMissingGround) {
    Terrain level = made_terrain({9, 9}, [](int x, int y) { return x == 4 && y == 4 ? missing : 5.0f; });
    EXPECT_EQ(*inspect(level, {8, 8})->slope, 0);
    EXPECT_FALSE(inspect(level, {8, 8})->aspect);
    std::optional<Inspection> hole = inspect(level, {32, 32});
    EXPECT_TRUE(is_missing(hole->values[0].value));
    EXPECT_FALSE(hole->slope);
    EXPECT_FALSE(hole->aspect);
    // Beside it the slope is that of what is there.
    EXPECT_EQ(*inspect(level, {40, 32})->slope, 0);
}

TEST(Inspector, CoordinatesOfTheGeoreference) {
    Terrain terrain = made_terrain({20, 10}, [](int, int) { return 1.0f; });
    Georeference place;
    place.transform = {500000, 8, 0, 5200000, 0, -8};
    terrain.set_georeference(place);
    std::optional<Inspection> found = inspect(terrain, {8 * 3 + 1, 8 * 4 + 1});
    EXPECT_EQ(*found->place, (Coordinates{500028, 5199964}));
}

}  // namespace
}  // namespace caprock::test

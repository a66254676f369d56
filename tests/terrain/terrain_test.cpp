#include "terrain/terrain.h"

#include "base/error.h"
#include "support/refusals.h"

#include <gtest/gtest.h>

namespace caprock {
namespace {

using Words = std::vector<std::string>;

const Grid small_grid{{-4, -2, 12, 8}, 2, {-50, 150}};

Terrain three_fields() {
    Terrain terrain(small_grid);
    terrain.set("height", Field(small_grid.extent, 1));
    terrain.set("hardness", Field(small_grid.extent, 2));
    terrain.set("water", Field(small_grid.extent, 3));
    return terrain;
}

TEST(Terrain, KeepsFieldsByNameInTheOrderTheyCame) {
    Terrain terrain = three_fields();
    EXPECT_EQ(terrain.names(), (Words{"height", "hardness", "water"}));
    EXPECT_TRUE(terrain.has("water"));
    EXPECT_FALSE(terrain.has("Water"));
    EXPECT_FALSE(terrain.has(""));
    EXPECT_EQ(terrain.height().at(0, 0), 1);
    EXPECT_EQ(terrain.field("hardness").at(0, 0), 2);
    EXPECT_EQ(terrain.find("water")->at(0, 0), 3);
    EXPECT_EQ(terrain.find("lava"), nullptr);
}

TEST(Terrain, ReplacingAFieldKeepsItsPlace) {
    Terrain terrain = three_fields();
    terrain.set("hardness", Field(small_grid.extent, 9));
    EXPECT_EQ(terrain.names(), (Words{"height", "hardness", "water"}));
    EXPECT_EQ(terrain.field("hardness").at(0, 0), 9);
}

TEST(Terrain, RemovesFields) {
    Terrain terrain = three_fields();
    terrain.remove("hardness");
    EXPECT_EQ(terrain.names(), (Words{"height", "water"}));
    terrain.remove("hardness");
    EXPECT_EQ(terrain.names(), (Words{"height", "water"}));
    terrain.set("hardness", Field(small_grid.extent, 0));
    EXPECT_EQ(terrain.names(), (Words{"height", "water", "hardness"}));
}

TEST(Terrain, ErrorsListTheFieldsThereAre) {
    Terrain terrain = three_fields();
    EXPECT_EQ(test::refusal([&] { terrain.field("lava"); }),
              "there is no field 'lava'; the terrain has height, hardness and water");
    EXPECT_EQ(test::refusal([&] { Terrain(small_grid).height(); }),
              "there is no field 'height': the terrain is still empty");
}

TEST(Terrain, FieldsMustCoverIt) {
    Terrain terrain(small_grid);
    EXPECT_THROW(terrain.set("height", Field({0, 0, 16, 10}, 0)), std::logic_error);
    EXPECT_THROW(terrain.set("height", Field()), std::logic_error);
    EXPECT_TRUE(terrain.names().empty());
}

TEST(Terrain, CopiesAreIndependent) {
    Terrain original = three_fields();
    Terrain copy = original;
    EXPECT_EQ(copy.height().rows()[0], original.height().rows()[0]);
    Field height = copy.height();
    height.set(0, 0, 77);
    copy.set("height", height);
    copy.remove("water");
    copy.set_range({0, 1});
    EXPECT_EQ(original.height().at(0, 0), 1);
    EXPECT_TRUE(original.has("water"));
    EXPECT_EQ(original.grid().range, small_grid.range);
}

TEST(Terrain, RangeOfHeightsAndOfEverythingElse) {
    Terrain terrain = three_fields();
    EXPECT_EQ(terrain.range_of("height"), (Interval{-50, 150}));
    EXPECT_EQ(terrain.range_of("hardness"), (Interval{0, 1}));
    EXPECT_EQ(terrain.range_of("not there"), (Interval{0, 1}));
    terrain.set_range({10, 20});
    EXPECT_EQ(terrain.range_of("height"), (Interval{10, 20}));
    EXPECT_EQ(terrain.grid().range, (Interval{10, 20}));
}

TEST(Terrain, CropsShareCellsAndKeepTheGrid) {
    Terrain terrain = three_fields();
    Rect part{0, 1, 5, 4};
    Terrain crop = terrain.cropped(part);
    EXPECT_EQ(crop.rect(), part);
    EXPECT_EQ(crop.grid(), terrain.grid());
    EXPECT_TRUE(terrain.whole());
    EXPECT_FALSE(crop.whole());
    EXPECT_EQ(crop.names(), terrain.names());
    for (const std::string& name : crop.names()) {
        EXPECT_EQ(crop.field(name).rect(), part);
        EXPECT_EQ(crop.field(name).rows()[1], terrain.field(name).rows()[1] + 4) << name;
    }
    // And take fields of their own size only.
    EXPECT_NO_THROW(crop.set("mask", Field(part, 0)));
    EXPECT_THROW(crop.set("mask", Field(terrain.rect(), 0)), std::logic_error);
}

TEST(Terrain, CropsOutsideAreRefusedEvenWithoutFields) {
    Terrain empty(small_grid);
    EXPECT_NO_THROW(empty.cropped({0, 0, 2, 2}));
    EXPECT_THROW(empty.cropped({0, 0, 13, 2}), std::logic_error);
    EXPECT_THROW(empty.cropped({0, 0, 2, 2}).cropped({0, 0, 3, 2}), std::logic_error);
}

TEST(Terrain, GeoreferenceGoesAlong) {
    Terrain terrain = three_fields();
    EXPECT_EQ(terrain.georeference(), nullptr);
    EXPECT_EQ(terrain.cropped({0, 0, 2, 2}).georeference(), nullptr);
    Georeference place{"PROJCS[\"test\"]", {500000, 2, 0, 4000000, 0, -2}, "m"};
    terrain.set_georeference(place);
    Terrain crop = terrain.cropped({1, 1, 4, 4});
    ASSERT_NE(crop.georeference(), nullptr);
    // Coordinates stay absolute, so that the transform of the whole holds for a part.
    EXPECT_EQ(*crop.georeference(), place);
    Terrain copy = crop;
    copy.set("height", Field(copy.rect(), 5));
    EXPECT_EQ(*copy.georeference(), place);
}

TEST(Terrain, CoordinatesOfASampleAreThoseOfThePixelsMiddle) {
    Terrain terrain = three_fields();
    EXPECT_FALSE(terrain.coordinates_of({0, 0}));
    Georeference place{"", {500000, 2, 0, 4000000, 0, -2}, "m"};
    EXPECT_EQ(place.at_cell(0, 0), (Coordinates{500001, 3999999}));
    terrain.set_georeference(place);
    // The grid begins at cell (-4, -2).
    EXPECT_EQ(terrain.coordinates_of(small_grid.place_of(-4, -2)), (Coordinates{500001, 3999999}));
    EXPECT_EQ(terrain.coordinates_of({0, 0}), (Coordinates{500009, 3999995}));
    EXPECT_EQ(terrain.cropped({0, 0, 2, 2}).coordinates_of({0, 0}), terrain.coordinates_of({0, 0}));
    // The corner of the file is that of the area the cells cover.
    WorldArea area = small_grid.area_of(small_grid.extent);
    EXPECT_EQ(terrain.coordinates_of({area.left, area.top}), (Coordinates{500000, 4000000}));
    // Rows that run aslant.
    place.transform = {10, 3, 1, 20, 0.5, -4};
    EXPECT_EQ(place.at_cell(0, 0), (Coordinates{12, 18.25}));
    EXPECT_EQ(place.at_cell(2, 1), (Coordinates{19, 15.25}));
}

TEST(Terrain, TheSameLandInOtherCells) {
    Georeference place{"", {10, 3, 1, 20, 0.5, -4}, "m"};
    EXPECT_EQ(place.of_cells(0, 0), place);
    for (auto [x, y, across, down] :
         {std::array{5.0, -2.0, 1.0, 1.0}, {0.0, 0.0, 2.0, 2.0}, {1.5, 7.25, 0.5, 4.0}}) {
        Georeference other = place.of_cells(x, y, across, down);
        for (auto [column, row] : {std::pair{0, 0}, {3, 0}, {0, 5}, {-2, 9}}) {
            Coordinates expected = place.at_cell(x + column * across, y + row * down);
            EXPECT_NEAR(other.at_cell(column, row).x, expected.x, 1e-9);
            EXPECT_NEAR(other.at_cell(column, row).y, expected.y, 1e-9);
        }
    }
}

TEST(Terrain, AWindowOfALandscape) {
    Terrain window(small_grid, {0, 0, 3, 3});
    EXPECT_EQ(window.rect(), (Rect{0, 0, 3, 3}));
    EXPECT_EQ(window.grid().extent, small_grid.extent);
    EXPECT_FALSE(window.whole());
    EXPECT_NO_THROW(window.set("height", Field({0, 0, 3, 3}, 0)));
}

TEST(Terrain, OneCell) {
    Terrain terrain(Grid{{0, 0, 1, 1}, 1, {0, 1}});
    terrain.set("height", Field({0, 0, 1, 1}, 4));
    EXPECT_EQ(terrain.cropped({0, 0, 1, 1}).height().at(0, 0), 4);
}

}  // namespace
}  // namespace caprock

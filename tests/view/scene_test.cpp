// What a terrain shows of itself: surfaces of water, depths, colours by every scheme, and what is refused.
#include "view/scene.h"

#include "base/error.h"
#include "pictures.h"
#include "support/refusals.h"
#include "view/colour_scheme.h"

#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

constexpr Interval range = {-200, 600};

// West to east from the bottom of the sea to the mountains; a lake in the north, a hole in the south-east.
float ground(int x, int y) {
    if (x > 70 && y > 30) return missing;
    return float(-200 + 8 * x + (y % 3));
}
float lake(int x, int y) { return y < 10 && x > 40 ? 2.5f : 0.0f; }
float hardness(int, int y) { return float(y) / 39; }
float solubility(int x, int) { return 1 - float(x) / 99; }

Terrain island() {
    Terrain terrain = made_terrain({100, 40}, ground, range);
    terrain.set("water", made_field(terrain.rect(), lake));
    terrain.set("hardness", made_field(terrain.rect(), hardness));
    terrain.set("solubility", made_field(terrain.rect(), solubility));
    return terrain;
}

float cell_of(const CellSource& source, int x, int y) {
    float value = 0;
    source.read({x, y, x + 1, y + 1}, 1, &value);
    return value;
}

Bytes colour_of(const ColourSource& source, int x, int y) {
    Bytes value;
    source.read({x, y, x + 1, y + 1}, 1, &value);
    return value;
}

std::string scene_refusal(const Terrain& terrain, const SceneOptions& options) {
    return refusal([&] { scene_of(terrain, options); });
}

TEST(Scene, OfBareGround) {
    Terrain terrain = island();
    Scene scene = scene_of(terrain);
    EXPECT_EQ(scene.rect, terrain.rect());
    EXPECT_EQ(scene.grid, terrain.grid());
    for (int x : {0, 33, 99}) EXPECT_EQ(cell_of(*scene.heights, x, 7), ground(x, 7));
    EXPECT_FALSE(scene.fields.depth);
    EXPECT_FALSE(scene.fields.colours);
    EXPECT_FALSE(scene.fields.flow);
    EXPECT_FALSE(scene.fields.mask);
    EXPECT_FALSE(scene.fields.material);
}

TEST(Scene, WaterLiesOnTheGround) {
    for (bool water : {false, true})
        for (bool sea : {false, true}) {
            if (!water && !sea) continue;
            SceneOptions options;
            options.water = water;
            options.sea = sea;
            options.sea_level = 30;
            Scene scene = scene_of(island(), options);
            ASSERT_TRUE(scene.fields.depth);
            for (int y = 0; y < 40; y++)
                for (int x = 0; x < 100; x++) {
                    float bottom = ground(x, y);
                    float surface = cell_of(*scene.heights, x, y);
                    float depth = cell_of(*scene.fields.depth, x, y);
                    if (std::isnan(bottom)) {
                        ASSERT_TRUE(std::isnan(surface)) << "a hole stays a hole";
                        ASSERT_EQ(depth, 0);
                        continue;
                    }
                    float expected = bottom + (water ? lake(x, y) : 0);
                    if (sea) expected = std::max(expected, 30.0f);
                    ASSERT_EQ(surface, expected) << x << ' ' << y;
                    ASSERT_EQ(depth, expected - bottom);
                }
        }
}

TEST(Scene, WaterIsReadByStridesLikeEverythingElse) {
    SceneOptions options;
    options.water = true;
    options.sea = true;
    Scene scene = scene_of(island(), options);
    for (Rect region : {Rect{0, 0, 100, 40}, Rect{37, 5, 60, 12}, Rect{99, 39, 100, 40}})
        for (int stride : {1, 2, 3, 16}) {
            size_t count = size_t((region.width() + stride - 1) / stride) *
                           size_t((region.height() + stride - 1) / stride);
            for (const CellSource* source : {scene.heights.get(), scene.fields.depth.get()}) {
                std::vector<float> cells(count);
                source->read(region, stride, cells.data());
                size_t i = 0;
                for (int y = region.top; y < region.bottom; y += stride)
                    for (int x = region.left; x < region.right; x += stride, i++) {
                        float expected = cell_of(*source, x, y);
                        ASSERT_TRUE(cells[i] == expected || (std::isnan(cells[i]) && std::isnan(expected)));
                    }
            }
        }
}

TEST(Scene, WaterThatIsNotKnownIsNone) {
    Terrain terrain = island();
    terrain.set("water", made_field(terrain.rect(), [](int x, int) { return x % 2 ? missing : -1.0f; }));
    SceneOptions options;
    options.water = true;
    Scene scene = scene_of(terrain, options);
    for (int x = 0; x < 60; x++) {
        ASSERT_EQ(cell_of(*scene.heights, x, 3), ground(x, 3));
        ASSERT_EQ(cell_of(*scene.fields.depth, x, 3), 0);
    }
}

TEST(Scene, FieldsThatMaterialsAskFor) {
    Terrain terrain = island();
    terrain.set("flow", made_field(terrain.rect(), [](int x, int) { return float(x); }));
    terrain.set("mask", made_field(terrain.rect(), [](int, int y) { return float(y); }));
    terrain.set("material", made_field(terrain.rect(), [](int x, int y) { return float(x + y); }));
    Scene scene = scene_of(terrain);
    EXPECT_EQ(cell_of(*scene.fields.flow, 5, 9), 5);
    EXPECT_EQ(cell_of(*scene.fields.mask, 5, 9), 9);
    EXPECT_EQ(cell_of(*scene.fields.material, 5, 9), 14);
    SceneOptions options;
    options.mask = "hardness";
    EXPECT_EQ(cell_of(*scene_of(terrain, options).fields.mask, 5, 9), hardness(5, 9));
}

TEST(Scene, EverySchemeColoursTheGround) {
    for (const std::string& name : colour_scheme_names()) {
        SceneOptions options;
        options.scheme = name;
        Scene scene = scene_of(island(), options);
        ASSERT_TRUE(scene.fields.colours) << name;
        // Reading everything is reading each.
        std::vector<Bytes> all(100 * 40);
        scene.fields.colours->read(Rect{0, 0, 100, 40}, 1, all.data());
        std::set<uint32_t> different;
        for (int y = 0; y < 40; y++)
            for (int x = 0; x < 100; x++) {
                const Bytes& here = all[size_t(y * 100 + x)];
                ASSERT_EQ(here, colour_of(*scene.fields.colours, x, y)) << name;
                different.insert(uint32_t(here.red) << 16 | uint32_t(here.green) << 8 | here.blue);
            }
        EXPECT_GE(different.size(), name == "plain" ? 1u : 30u) << name;
        std::vector<Bytes> some(34 * 14);
        scene.fields.colours->read(Rect{0, 0, 100, 40}, 3, some.data());
        for (int y = 0; y < 14; y++)
            for (int x = 0; x < 34; x++)
                ASSERT_EQ(some[size_t(y * 34 + x)], all[size_t(3 * y * 100 + 3 * x)]) << name;
    }
}

TEST(Scene, SchemesOfFrontierShowTheFieldsAsTheyAre) {
    struct Case {
        const char* name;
        bool red, green, blue;
    };
    for (const Case& one : {Case{"red", true, false, false}, Case{"green", false, true, false},
                            Case{"blue", false, false, true}, Case{"rgb", true, true, true}}) {
        SceneOptions options;
        options.scheme = one.name;
        Scene scene = scene_of(island(), options);
        for (int y = 0; y < 30; y += 7)
            for (int x = 0; x < 100; x += 9) {
                Bytes here = colour_of(*scene.fields.colours, x, y);
                double share = (double(ground(x, y)) - range.low) / range.span();
                EXPECT_NEAR(here.red, one.red ? 255 * share : 0, 1.5) << one.name;
                EXPECT_NEAR(here.green, one.green ? 255 * double(hardness(x, y)) : 0, 1.5) << one.name;
                EXPECT_NEAR(here.blue, one.blue ? 255 * double(solubility(x, y)) : 0, 1.5) << one.name;
            }
    }
}

TEST(Scene, TheShoreIsAtTheSeaLevel) {
    for (const char* name : {"earth", "swiss", "hypsometric"})
        for (double sea_level : {0.0, 150.0}) {
            SceneOptions options;
            options.scheme = name;
            options.sea_level = sea_level;
            Scene scene = scene_of(island(), options);
            for (int x = 1; x < 99; x++) {
                double height = double(ground(x, 0));
                if (std::fabs(height - sea_level) < 1) continue;
                Bytes here = colour_of(*scene.fields.colours, x, 0);
                EXPECT_EQ(here.blue > here.red, height < sea_level)
                    << name << " at " << height << ", sea level " << sea_level;
            }
        }
}

TEST(Scene, AnyFieldInTheColoursThatTakeAny) {
    SceneOptions options;
    options.scheme = "grey";
    options.field = "hardness";
    Scene scene = scene_of(island(), options);
    EXPECT_EQ(colour_of(*scene.fields.colours, 50, 0), (Bytes{0, 0, 0}));
    EXPECT_EQ(colour_of(*scene.fields.colours, 50, 39), (Bytes{255, 255, 255}));
    options.values = Interval{0, 0.5};
    EXPECT_EQ(colour_of(*scene_of(island(), options).fields.colours, 50, 25), (Bytes{255, 255, 255}));
}

TEST(Scene, SaysWhatIsNotThere) {
    Terrain bare = made_terrain({20, 20}, [](int x, int) { return float(x); });
    SceneOptions water;
    water.water = true;
    EXPECT_NE(scene_refusal(bare, water).find("water"), std::string::npos);
    SceneOptions mask;
    mask.mask = "wetness";
    EXPECT_NE(scene_refusal(bare, mask).find("wetness"), std::string::npos);
    SceneOptions scheme;
    scheme.scheme = "verdent";
    EXPECT_NE(scene_refusal(bare, scheme).find("verdant"), std::string::npos) << "the nearest name";
    scheme.scheme = "rgb";
    EXPECT_NE(scene_refusal(bare, scheme).find("hardness"), std::string::npos);
    scheme.scheme = "earth";
    scheme.field = "hardness";
    EXPECT_NE(scene_refusal(bare, scheme).find("earth"), std::string::npos);
    Grid grid;
    grid.extent = Rect::of({4, 4});
    EXPECT_NE(scene_refusal(Terrain(grid), {}).find("height"), std::string::npos);
}

}  // namespace
}  // namespace caprock::test

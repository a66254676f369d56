// The map as a whole: what is drawn where, at any scale, with every option; and that it does not depend on threads, on
// the part that is shown, or on how often it was drawn before.
#include "view/map.h"

#include "base/error.h"
#include "support/refusals.h"
#include "view/contour_lines.h"
#include "view/map_furniture.h"
#include "view/pictures.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

namespace caprock::test {
namespace {

float map_hills(int x, int y) {
    float wide = std::sin(float(x) * 0.11f) * std::cos(float(y) * 0.07f);
    float fine = std::sin(float(x) * 0.53f + float(y) * 0.4f) * std::cos(float(y) * 0.6f);
    return 400 + 250 * wide + 40 * fine;
}

MapView all_of(const Terrain& terrain, Size picture) {
    return fitted(terrain.rect(), terrain.grid(), picture);
}

MapOptions flat(const std::string& scheme) {
    MapOptions options;
    options.scheme = scheme;
    options.hillshade = Hillshade::none;
    return options;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// ---- colours ---------------------------------------------------------------------------------------------

TEST(Map, FlatColoursAreThoseOfTheTable) {
    // 0 to 1000 m from left to right, in 256 steps of the range.
    Terrain terrain = made_terrain({256, 4}, [](int x, int) { return float(x) * 1000 / 255; }, {0, 1000});
    terrain.set("hardness", made_field(terrain.rect(), [](int x, int) { return 1 - float(x) / 255; }));
    terrain.set("solubility", Field(terrain.rect(), 1.0f));
    Size size{256, 4};
    for (const char* name : {"grey", "red", "verdant", "diverging"}) {
        Picture picture = draw_map(terrain, all_of(terrain, size), size, flat(name));
        const ColourTable& table = colour_scheme(name).layers[0].table;
        for (int x = 0; x < 256; x++) {
            Bytes drawn = colour(picture, x, 2), wanted = table[size_t(x)];
            ASSERT_NEAR(drawn.red, wanted.red, 1) << name << x;
            ASSERT_NEAR(drawn.green, wanted.green, 1) << name << x;
            ASSERT_NEAR(drawn.blue, wanted.blue, 1) << name << x;
        }
    }
    Picture together = draw_map(terrain, all_of(terrain, size), size, flat("rgb"));
    for (int x = 0; x < 256; x++) {
        EXPECT_NEAR(colour(together, x, 1).red, x, 1);
        EXPECT_NEAR(colour(together, x, 1).green, 255 - x, 1);
        EXPECT_EQ(colour(together, x, 1).blue, 255);
    }
}

TEST(Map, ValuesOfTheUser) {
    Terrain terrain = made_terrain({8, 8}, [](int, int) { return 250.0f; });
    MapOptions options = flat("grey");
    options.values = Interval{200, 300};
    EXPECT_NEAR(colour(draw_map(terrain, all_of(terrain, {8, 8}), {8, 8}, options), 3, 3).red, 128, 1);
    options.values = Interval{300, 300};
    EXPECT_TRUE(contains(refusal([&] {
                             draw_map(terrain, all_of(terrain, {8, 8}), {8, 8}, options);
                         }),
                         "values 300:300"));
}

TEST(Map, TheSeaBeginsAtItsLevel) {
    Terrain terrain = made_terrain({101, 8}, [](int x, int) { return float(x) * 10 - 300; }, {-300, 700});
    for (const char* name : {"earth", "swiss", "hypsometric"}) {
        MapOptions options = flat(name);
        for (double level : {0.0, 250.0}) {
            options.sea_level = level;
            Picture picture = draw_map(terrain, all_of(terrain, {101, 8}), {101, 8}, options);
            for (int x = 0; x < 100; x++) {
                Bytes c = colour(picture, x, 4);
                bool wet = x * 10 - 300 < level;
                EXPECT_EQ(c.blue > c.red + 20, wet) << name << ' ' << level << ' ' << x;
            }
        }
    }
}

// ---- light -----------------------------------------------------------------------------------------------

TEST(Map, FacesTowardsTheLightAreBright) {
    Terrain terrain = cone();
    const struct {
        double azimuth;
        int x, y;
    } cases[] = {{315, -10, -10}, {135, 10, 10}, {0, 0, -14}, {90, 14, 0}, {180, 0, 14}, {270, -14, 0}};
    for (Hillshade hillshade : {Hillshade::single, Hillshade::multi}) {
        for (const char* scheme : {"earth", "plain", "grey"}) {
            for (const auto& [azimuth, x, y] : cases) {
                MapOptions options;
                options.scheme = scheme;
                options.hillshade = hillshade;
                options.azimuth = azimuth;
                Picture picture = draw_map(terrain, all_of(terrain, {65, 65}), {65, 65}, options);
                double lit = brightness(colour(picture, 32 + x, 32 + y));
                double dark = brightness(colour(picture, 32 - x, 32 - y));
                EXPECT_GT(lit, dark + 25) << scheme << azimuth;
            }
        }
    }
}

TEST(Map, FourLightsShowRidgesThatOneDoesNot) {
    // A ridge that runs towards the light has two faces of nearly one brightness under it.
    Terrain terrain =
        made_terrain({96, 96}, [](int x, int y) { return 900 - 6 * std::fabs(float(x + y) - 95); });
    auto contrast = [&](Hillshade hillshade) {
        MapOptions options;
        options.scheme = "plain";
        options.hillshade = hillshade;
        options.azimuth = 225;
        options.elevation = 45;
        Picture picture = draw_map(terrain, all_of(terrain, {96, 96}), {96, 96}, options);
        return std::fabs(brightness(colour(picture, 36, 36)) - brightness(colour(picture, 59, 59)));
    };
    EXPECT_LT(contrast(Hillshade::single), 15);
    EXPECT_GT(contrast(Hillshade::multi), 30);
}

TEST(Map, LevelGroundShowsItsColourUnchanged) {
    Terrain terrain = made_terrain({20, 20}, [](int, int) { return 300.0f; });
    for (Hillshade hillshade : {Hillshade::none, Hillshade::single, Hillshade::multi}) {
        MapOptions options;
        options.scheme = "grey";
        options.values = Interval{0, 800};
        options.hillshade = hillshade;
        Picture picture = draw_map(terrain, all_of(terrain, {20, 20}), {20, 20}, options);
        EXPECT_EQ(colours_of(picture).size(), 1u);
        EXPECT_NEAR(colour(picture, 5, 5).red, 96, 2);
    }
}

// ---- views -----------------------------------------------------------------------------------------------

TEST(Map, WhatIsNoTerrainIsPaper) {
    Terrain terrain = made_terrain({50, 50}, map_hills);
    Picture picture = draw_map(terrain, all_of(terrain, {200, 50}), {200, 50}, flat("verdant"));
    EXPECT_EQ(colour(picture, 0, 25), colour(picture, 199, 0));
    EXPECT_EQ(colour(picture, 74, 25), colour(picture, 0, 0));
    EXPECT_EQ(colour(picture, 125, 25), colour(picture, 0, 0));
    EXPECT_NE(colour(picture, 75, 25), colour(picture, 0, 0));
    EXPECT_NE(colour(picture, 124, 25), colour(picture, 0, 0));
    EXPECT_GT(brightness(colour(picture, 0, 0)), 235);
}

TEST(Map, PanningMovesThePicture) {
    Terrain terrain = made_terrain({300, 300}, map_hills);
    MapPyramid pyramid(terrain);
    MapOptions options;
    for (double metres_per_pixel : {2.0, 8.0, 11.0}) {
        MapView view{{1200, 1200}, metres_per_pixel};
        Picture before = draw_map(pyramid, view, {90, 80}, options);
        Picture after = draw_map(pyramid, panned(view, -20, 10), {90, 80}, options);
        int different = 0;
        for (int y = 10; y < 80; y++)
            for (int x = 0; x < 70; x++) {
                Bytes a = colour(after, x, y), b = colour(before, x + 20, y - 10);
                // Places are sums of metres: the last bit of a share may differ.
                different += std::abs(a.red - b.red) > 1 || std::abs(a.green - b.green) > 1 ||
                             std::abs(a.blue - b.blue) > 1;
            }
        EXPECT_LT(different, 12) << metres_per_pixel;
    }
}

TEST(Map, MissingCellsAreStripedAtEveryScale) {
    Terrain terrain = made_terrain({64, 64}, [](int x, int y) { return x < 32 ? missing : map_hills(x, y); });
    for (bool crisp : {false, true}) {
        MapOptions options;
        options.crisp = crisp;
        for (Size size : {Size{32, 32}, Size{64, 64}, Size{200, 200}}) {
            Picture picture = draw_map(terrain, all_of(terrain, size), size, options);
            for (int y = 0; y < size.height; y += 3)
                for (int x = 0; x < size.width; x += 3)
                    ASSERT_EQ(is_missing_colour(colour(picture, x, y)), x < size.width / 2)
                        << size.width << ' ' << x;
        }
    }
    Terrain nothing = made_terrain({16, 16}, [](int, int) { return missing; });
    MapOptions everything;
    everything.contours = 0;
    everything.grid = 0;
    everything.legend = everything.scale_bar = true;
    EXPECT_TRUE(is_missing_colour(
        colour(draw_map(nothing, all_of(nothing, {160, 160}), {160, 160}, everything), 30, 40)));
}

TEST(Map, CrispCellsAreSquaresOfOneColour) {
    Terrain terrain = made_terrain({12, 10}, map_hills);
    for (Hillshade hillshade : {Hillshade::none, Hillshade::single}) {
        MapOptions options;
        options.hillshade = hillshade;
        options.crisp = true;
        Picture picture = draw_map(terrain, all_of(terrain, {120, 100}), {120, 100}, options);
        for (int y = 0; y < 100; y++)
            for (int x = 0; x < 120; x++)
                ASSERT_EQ(colour(picture, x, y), colour(picture, x / 10 * 10, y / 10 * 10));
        EXPECT_GT(colours_of(picture).size(), 80u);
        options.crisp = false;
        EXPECT_GT(colours_of(draw_map(terrain, all_of(terrain, {120, 100}), {120, 100}, options)).size(),
                  200u);
    }
}

TEST(Map, MaterialsAreNotMixed) {
    Terrain terrain = made_terrain({60, 60}, map_hills);
    terrain.set("material",
                made_field(terrain.rect(), [](int x, int y) { return float((x / 3 + y / 2) % 3 * 2); }));
    MapOptions options = flat("grey");
    options.field = "material";
    for (Size size : {Size{25, 25}, Size{200, 200}})
        EXPECT_EQ(colours_of(draw_map(terrain, all_of(terrain, size), size, options)).size(), 3u);
}

TEST(Map, TheSameForAnyNumberOfThreads) {
    Terrain terrain = made_terrain({200, 160}, map_hills);
    MapOptions options;
    options.contours = 10;
    options.grid = 200;
    options.legend = options.scale_bar = true;
    Picture many = draw_map(terrain, all_of(terrain, {333, 250}), {333, 250}, options);
    tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    EXPECT_EQ(draw_map(terrain, all_of(terrain, {333, 250}), {333, 250}, options).rgb, many.rgb);
}

TEST(Map, AfterAnUpdateAsIfDrawnAnew) {
    Terrain before = made_terrain({128, 128}, map_hills);
    before.set("water", Field(before.rect(), 0.0f));
    MapPyramid pyramid(before);
    MapOptions options = flat("red");
    options.water = true;
    MapView view = all_of(before, {100, 100});
    draw_map(pyramid, view, {100, 100}, options);
    Terrain after = before;
    Field height = before.height().copied();
    for (int x = 20; x < 50; x++) height.set(x, 40, 777);
    after.set("height", height);
    pyramid.update(after, {20, 40, 50, 41});
    EXPECT_EQ(draw_map(pyramid, view, {100, 100}, options).rgb,
              draw_map(after, view, {100, 100}, options).rgb);
}

// ---- what lies on the ground -----------------------------------------------------------------------------

// Sizes, scales and places at which pixels lie on no cell, and parts that reach the picture's borders or lie beyond.
TEST(Map, DrawnAgainInPartAsIfDrawnAnew) {
    Rect rect{-40, -30, 260, 210};
    auto ground = [](int x, int y) { return (x + y) % 97 == 3 ? missing : map_hills(x, y); };
    Grid grid;
    grid.extent = rect;
    grid.cell = 3;
    MapOptions lit, plain = flat("grey"), wet, lined;
    wet.scheme = "verdant";
    wet.water = true;
    wet.legend = wet.scale_bar = true;
    wet.grid = 0;
    // Every fifth line has its height written along it; none of those is in reach.
    lined.contours = 200;
    lined.scale_bar = true;
    for (const MapOptions& options : {lit, plain, wet, lined})
        for (const MapView& view : {MapView{{301.3, 255.9}, 4.7}, MapView{{101.7, 99.2}, 0.83},
                                    MapView{{330, 270}, 3}, MapView{{-60, 500}, 11.9}})
            for (const Rect& changed :
                 {Rect{60, 50, 92, 77}, Rect{-40, -30, 1, 5}, Rect{200, 150, 260, 210}}) {
                Terrain terrain(grid, rect);
                terrain.set("height", made_field(rect, ground));
                terrain.set("water",
                            made_field(rect, [](int x, int y) { return float((x * y) % 9) * 0.2f; }));
                MapPyramid pyramid(terrain);
                Size size{311, 242};
                Picture land = draw_land(pyramid, view, size, options);
                Terrain after = terrain;
                after.set("height", made_field(rect, [&](int x, int y) {
                              return changed.contains(x, y) ? ground(x, y) * 0.9f + float(x % 7)
                                                            : ground(x, y);
                          }));
                pyramid.update(after, changed);
                redraw_land(land, pyramid, view, changed, options);
                Picture anew = draw_land(pyramid, view, size, options);
                // Lines that begin elsewhere are rounded otherwise.
                int allowed = options.contours ? 2 : 0;
                int most = 0;
                for (size_t i = 0; i < land.rgb.size(); i++)
                    most = std::max(most, std::abs(int(land.rgb[i]) - int(anew.rgb[i])));
                EXPECT_LE(most, allowed) << options.scheme << " at " << view.metres_per_pixel << " m from "
                                         << changed.left << ", " << changed.top;
                furnish_map(anew, pyramid, view, options);
                EXPECT_EQ(anew.rgb, draw_map(pyramid, view, size, options).rgb);
            }
}

TEST(Map, WaterIsBlueWhereItIsDeep) {
    Terrain terrain = made_terrain({60, 20}, [](int, int) { return 300.0f; });
    terrain.set("water", made_field(terrain.rect(), [](int x, int) {
                    return x < 20 ? 0.0f : x < 40 ? 0.01f : 5.0f;
                }));
    MapOptions options;
    options.water = true;
    Picture picture = draw_map(terrain, all_of(terrain, {60, 20}), {60, 20}, options);
    Bytes dry = colour(picture, 8, 10), film = colour(picture, 30, 10), lake = colour(picture, 50, 10);
    EXPECT_EQ(dry, film);
    EXPECT_GT(lake.blue, lake.red + 40);
    EXPECT_LT(dry.blue, dry.red + 10);
    terrain.remove("water");
    EXPECT_TRUE(contains(refusal([&] {
                             draw_map(terrain, all_of(terrain, {60, 20}), {60, 20}, options);
                         }),
                         "'water'"));
}

TEST(Map, ContoursLieAtTheirHeights) {
    Terrain terrain = cone();
    Size size{520, 520};
    MapView view = all_of(terrain, size);
    Picture without = draw_map(terrain, view, size, flat("plain"));
    MapOptions options = flat("plain");
    options.contours = 40;
    Picture with = draw_map(terrain, view, size, options);
    int changed = 0;
    for (int y = 4; y < 516; y++) {
        for (int x = 4; x < 516; x++) {
            if (colour(with, x, y) == colour(without, x, y)) continue;
            WorldPoint point = point_at(view, size, {x + 0.5, y + 0.5});
            double cells = std::hypot(point.x / 8 - 32, point.y / 8 - 32);
            double height = 700 - 8 * cells;
            if (cells < 3) continue;  // a smooth surface rounds the tip
            changed++;
            // Lines, and the letters on every fifth of them.
            double off = std::fabs(height - 40 * std::round(height / 40));
            double off_strong = std::fabs(height - 200 * std::round(height / 200));
            ASSERT_TRUE(off < 2.5 || off_strong < 9) << x << ' ' << y << ' ' << height;
        }
    }
    EXPECT_GT(changed, 5000);
}

TEST(Map, ContoursOfASuitableInterval) {
    Terrain terrain = made_terrain({400, 400}, map_hills);
    MapPyramid pyramid(terrain);
    double wide = suitable_contours(pyramid, {{1600, 1600}, 16});
    double near = suitable_contours(pyramid, {{1600, 1600}, 1});
    EXPECT_GT(wide, near);
    for (double interval : {wide, near}) EXPECT_NEAR(round_number_from(interval), interval, 1e-9);
    // One of every few pixels on the steeper ground.
    double slope = pyramid.measures({{1600, 1600}, 1}, 4).slope;
    EXPECT_GT(near / slope, 3);
    EXPECT_LT(near / slope, 15);
    EXPECT_EQ(suitable_grid({{0, 0}, 1}), 100);
    EXPECT_EQ(suitable_grid({{0, 0}, 9}), 1000);
}

TEST(Map, TooManyLinesAreRefused) {
    Terrain terrain = made_terrain({64, 64}, map_hills);
    MapOptions options;
    options.contours = 0.0001;
    std::string message = refusal([&] { draw_map(terrain, all_of(terrain, {64, 64}), {64, 64}, options); });
    EXPECT_TRUE(contains(message, "contours 0.0001")) << message;
    EXPECT_TRUE(contains(message, "at least 0.2 m")) << message;
    options.contours = std::nullopt;
    options.grid = 0.01;
    message = refusal([&] { draw_map(terrain, all_of(terrain, {64, 64}), {64, 64}, options); });
    EXPECT_TRUE(contains(message, "grid 0.01")) << message;
    options.grid = -5;
    message = refusal([&] { draw_map(terrain, all_of(terrain, {64, 64}), {64, 64}, options); });
    EXPECT_TRUE(contains(message, "grid -5")) << message;
}

TEST(Map, GridLinesLieAtTheirMetres) {
    // 800 m in 400 pixels: a line every 100 m is one every 50 pixels.
    Terrain terrain = made_terrain({100, 100}, [](int, int) { return 100.0f; });
    Size size{400, 400};
    MapOptions options = flat("plain");
    Picture without = draw_map(terrain, all_of(terrain, size), size, options);
    options.grid = 100;
    Picture with = draw_map(terrain, all_of(terrain, size), size, options);
    // The first cell's sample lies two pixels from the left.
    for (int x = 60; x < 395; x++) {
        bool line = colour(with, x, 375) != colour(without, x, 375);
        EXPECT_EQ(line, x % 50 == 2 || x % 50 == 1) << x;
    }
    // Georeferenced, they are at round coordinates: here 30 m further.
    Georeference place;
    place.transform = {500070, 8, 0, 5200000, 0, -8};
    terrain.set_georeference(place);
    with = draw_map(terrain, all_of(terrain, size), size, options);
    for (int x = 60; x < 395; x++) {
        bool line = colour(with, x, 375) != colour(without, x, 375);
        EXPECT_EQ(line, (x - 15) % 50 == 0 || (x - 15) % 50 == 49) << x;
    }
}

TEST(Map, LegendAndScaleBarHaveTheirCorners) {
    Terrain terrain = made_terrain({100, 100}, [](int, int) { return 100.0f; });
    Size size{500, 400};
    MapView view = all_of(terrain, size);
    Picture without = draw_map(terrain, view, size, flat("verdant"));
    MapOptions options = flat("verdant");
    options.legend = options.scale_bar = true;
    Picture with = draw_map(terrain, view, size, options);
    Rect border{50, 0, 450, 400};
    Rect scale = scale_bar_box(size, view, 1);
    int changed = 0;
    for (int y = 0; y < 400; y++)
        for (int x = 0; x < 500; x++) {
            if (colour(with, x, y) == colour(without, x, y)) continue;
            bool on_border = x <= border.left + 1 || x >= border.right - 2 || y <= 1 || y >= 398;
            bool on_legend = x > 380 && y > 200;
            changed++;
            ASSERT_TRUE(on_border || on_legend || scale.contains(x, y)) << x << ' ' << y;
        }
    EXPECT_GT(changed, 3000);
    EXPECT_TRUE(Rect::of(size).contains(scale));
    // No room, no legend.
    Picture tiny = draw_map(terrain, all_of(terrain, {40, 30}), {40, 30}, options);
    EXPECT_EQ(tiny.size, (Size{40, 30}));
}

TEST(Map, WhatCannotBeDrawn) {
    Terrain terrain = made_terrain({8, 8}, map_hills);
    auto message = [&](const MapOptions& options) {
        return refusal([&] { draw_map(terrain, all_of(terrain, {8, 8}), {8, 8}, options); });
    };
    MapOptions options;
    options.scheme = "swis";
    EXPECT_TRUE(contains(message(options), "'swiss'"));
    options.scheme = "green";
    EXPECT_TRUE(contains(message(options), "'hardness'"));
    options.scheme = "verdant";
    options.field = "ice";
    EXPECT_TRUE(contains(message(options), "'ice'"));
    EXPECT_EQ(draw_map(terrain, all_of(terrain, {8, 8}), {0, 5}).size, Size{});
}

TEST(Map, OddTerrainsAreDrawn) {
    MapOptions options;
    options.contours = 0;
    options.grid = 0;
    options.legend = options.scale_bar = true;
    for (Size cells : {Size{1, 1}, Size{1, 90}, Size{90, 1}, Size{3, 2}}) {
        Terrain terrain = made_terrain(cells, map_hills);
        for (Size size : {Size{1, 1}, Size{7, 200}, Size{300, 200}})
            EXPECT_EQ(draw_map(terrain, all_of(terrain, size), size, options).size, size);
    }
    // Far away from the terrain there is paper.
    Terrain terrain = made_terrain({30, 30}, map_hills);
    Picture away = draw_map(terrain, {{1e9, -1e9}, 3}, {20, 20});
    EXPECT_EQ(colours_of(away).size(), 1u);
    // A window of a grid lies at its own place.
    Terrain window = terrain.cropped({10, 10, 30, 30});
    Picture part = draw_map(window, all_of(terrain, {30, 30}), {30, 30}, flat("grey"));
    EXPECT_EQ(colour(part, 9, 15), colour(away, 0, 0));
    EXPECT_NE(colour(part, 10, 15), colour(away, 0, 0));
}

}  // namespace
}  // namespace caprock::test

// What a relief map promises, as properties: which face is bright, what is tinted how, what missing looks
// like. How beautiful it is, no test can say.
#include "view/relief.h"

#include "base/error.h"
#include "support/numbers.h"
#include "view/palette.h"
#include "view/pictures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <tbb/global_control.h>

namespace caprock {

using namespace test;

namespace {

Terrain flat_terrain(Size size, float height) {
    return made_terrain(size, [=](int, int) { return height; });
}

// Hills of several sizes, in 100..700 m.
float relief_hills(int x, int y) {
    float wide = std::sin(float(x) * 0.11f) * std::cos(float(y) * 0.07f);
    float fine = std::sin(float(x) * 0.83f + float(y) * 0.4f) * std::cos(float(y) * 0.9f);
    return 400 + 250 * wide + 50 * fine;
}

// How much weaker green is than the weaker of red and blue.
int violet(const Bytes& c) { return std::min(c.red, c.blue) - c.green; }

double contrast(const Picture& picture) {
    double sum = 0, squares = 0;
    for (int y = 0; y < picture.size.height; y++) {
        for (int x = 0; x < picture.size.width; x++) {
            double value = brightness(picture, x, y);
            sum += value;
            squares += value * value;
        }
    }
    double count = double(picture.size.cells());
    return std::sqrt(std::max(0.0, squares / count - sum / count * (sum / count)));
}

// ---- light -----------------------------------------------------------------------------------------------

TEST(Relief, FacesTowardsTheLightAreBright) {
    struct {
        double azimuth;
        int x, y;  // a place on the lit side of the cone, from its middle
    } cases[] = {{315, -10, -10}, {135, 10, 10}, {45, 10, -10}, {225, -10, 10},
                 {0, 0, -14},     {90, 14, 0},   {180, 0, 14},  {270, -14, 0}};
    for (bool tint : {true, false}) {
        for (const auto& [azimuth, x, y] : cases) {
            ReliefOptions options;
            options.azimuth = azimuth;
            options.tint = tint;
            Picture picture = shaded_relief(cone(), options);
            double lit = brightness(picture, 32 + x, 32 + y);
            double dark = brightness(picture, 32 - x, 32 - y);
            EXPECT_GT(lit, dark + 40) << azimuth;
        }
    }
}

TEST(Relief, NoFaceIsBlack) {
    ReliefOptions options;
    options.exaggeration = 1000;
    Picture picture = shaded_relief(cone(), options);
    for (int y = 0; y < 65; y++)
        for (int x = 0; x < 65; x++) ASSERT_GT(brightness(picture, x, y), 12) << x << ' ' << y;
}

TEST(Relief, FlatGroundHasOneColour) {
    for (bool tint : {true, false}) {
        for (float height : {-5000.0f, 0.0f, 0.1f, 123.456f, 800.0f, 9000.0f}) {
            ReliefOptions options;
            options.tint = tint;
            EXPECT_EQ(colours_of(shaded_relief(flat_terrain({33, 20}, height), options)).size(), 1u)
                << height;
        }
    }
}

TEST(Relief, AnEvenSlopeHasOneShade) {
    ReliefOptions options;
    options.tint = false;
    Terrain slope = made_terrain({64, 48}, [](int x, int y) { return float(x) * 3.3f + float(y) * 1.7f; });
    std::set<int> shades = colours_of(shaded_relief(slope, options));
    EXPECT_LE((*shades.rbegin() & 0xff) - (*shades.begin() & 0xff), 2);
}

TEST(Relief, ExaggerationRaisesContrast) {
    Terrain terrain = made_terrain({96, 96}, relief_hills);
    double before = 0;
    for (double exaggeration : {0.0, 0.1, 0.3, 1.0, 3.0}) {
        ReliefOptions options;
        options.tint = false;
        options.exaggeration = exaggeration;
        double now = contrast(shaded_relief(terrain, options));
        if (exaggeration == 0) {
            EXPECT_LT(now, 0.001);
        } else {
            EXPECT_GT(now, before + 1) << exaggeration;
        }
        before = now;
    }
}

TEST(Relief, PlainsReadAsWellAsMountains) {
    ReliefOptions options;
    options.tint = false;
    double mountains = contrast(shaded_relief(made_terrain({96, 96}, relief_hills), options));
    // Swells of about two degrees.
    Terrain plain = made_terrain({96, 96}, [](int x, int y) { return 0.04f * relief_hills(x, y); });
    double plains = contrast(shaded_relief(plain, options));
    EXPECT_GT(plains, 15);
    EXPECT_LT(plains, mountains);
}

TEST(Relief, LowAndVerticalLightWork) {
    for (double elevation : {0.0, 1.0, 90.0}) {
        ReliefOptions options;
        options.elevation = elevation;
        options.tint = false;
        EXPECT_GT(contrast(shaded_relief(made_terrain({96, 96}, relief_hills), options)), 5) << elevation;
    }
}

// ---- tints -----------------------------------------------------------------------------------------------

TEST(Relief, HighGroundIsLighterThanLowGround) {
    // Wide steps, so that their middles are level.
    Terrain terrain = made_terrain({90, 30}, [](int x, int) { return float(x / 30) * 399; });
    Picture picture = shaded_relief(terrain);
    Bytes low = colour(picture, 5, 15), middle = colour(picture, 45, 15), high = colour(picture, 84, 15);
    EXPECT_GT(brightness(middle), brightness(low) + 40);
    EXPECT_GT(brightness(high), brightness(middle) + 40);
    EXPECT_GT(low.green, low.red);       // meadows
    EXPECT_GT(middle.red, middle.blue);  // sand
    EXPECT_GT(int(high.red) + high.green + high.blue, 3 * 225);
}

TEST(Relief, GreyMapsAreGrey) {
    ReliefOptions options;
    options.tint = false;
    Picture picture = shaded_relief(made_terrain({64, 64}, relief_hills), options);
    for (int y = 0; y < 64; y++) {
        for (int x = 0; x < 64; x++) {
            Bytes c = colour(picture, x, y);
            ASSERT_TRUE(c.red == c.green && c.green == c.blue) << x << ' ' << y;
        }
    }
}

TEST(Relief, HeightsThatUseLittleOfTheRangeGetAllTints) {
    auto low_hills = [](int x, int y) { return 0.25f * relief_hills(x, y); };
    Terrain wide = made_terrain({30, 30}, low_hills, {0, 800});
    float low = infinity, high = -infinity;
    for (int y = 0; y < 30; y++) {
        for (int x = 0; x < 30; x++) {
            low = std::min(low, low_hills(x, y));
            high = std::max(high, low_hills(x, y));
        }
    }
    Terrain exact = made_terrain({30, 30}, low_hills, {low, high});
    EXPECT_EQ(shaded_relief(wide).rgb, shaded_relief(exact).rgb);
    // And those that use much of it keep to the range, so that an edit in one place recolours no other.
    EXPECT_NE(shaded_relief(made_terrain({40, 40}, relief_hills, {0, 800})).rgb,
              shaded_relief(made_terrain({40, 40}, relief_hills, {0, 1000})).rgb);
}

TEST(Relief, HeightsOutsideOfTheRangeGetAllTints) {
    Terrain inside = made_terrain({40, 40}, relief_hills, {100, 700});
    Terrain outside =
        made_terrain({40, 40}, [](int x, int y) { return relief_hills(x, y) + 4096; }, {100, 700});
    std::set<int> tints = colours_of(shaded_relief(outside));
    EXPECT_GT(tints.size(), colours_of(shaded_relief(inside)).size() / 2);
}

TEST(Relief, BelowZeroIsSeaWhereTheRangeSaysSo) {
    auto step = [](int x, int) { return x < 30 ? -200.0f : 300.0f; };
    Picture sea = shaded_relief(made_terrain({60, 30}, step, {-400, 400}));
    EXPECT_GT(colour(sea, 5, 15).blue, colour(sea, 5, 15).red + 40);
    EXPECT_LT(colour(sea, 54, 15).blue, colour(sea, 54, 15).red);
    Picture land = shaded_relief(made_terrain({60, 30}, step, {0, 400}));
    EXPECT_LT(colour(land, 5, 15).blue, colour(land, 5, 15).green);
    Picture all_wet =
        shaded_relief(made_terrain({9, 9}, [](int x, int) { return float(x) - 900; }, {-900, 0}));
    EXPECT_GT(colour(all_wet, 4, 4).blue, colour(all_wet, 4, 4).red);
}

TEST(Relief, CliffsAreRock) {
    // The same height, level and on a cliff, under light from above.
    ReliefOptions options;
    options.elevation = 90;
    Picture level = shaded_relief(flat_terrain({41, 41}, 100), options);
    Terrain cliff = made_terrain({41, 41}, [](int x, int) { return 100 + float(x - 20) * 12; }, {-1, 800});
    Picture steep = shaded_relief(cliff, options);
    Bytes grass = colour(level, 20, 20), rock = colour(steep, 20, 20);
    EXPECT_GT(double(grass.green) / grass.red, double(rock.green) / rock.red + 0.1);
}

// ---- missing cells ---------------------------------------------------------------------------------------

TEST(Relief, MissingCellsAndOnlyTheyHaveTheirColours) {
    auto hole = [](int x, int y) {
        return std::hypot(x - 40.0f, y - 30.0f) < 12 || (x * 7 + y * 13) % 41 == 0;
    };
    for (bool tint : {true, false}) {
        for (Interval range : {Interval{0, 800}, Interval{-400, 400}, Interval{0, 100000}}) {
            for (double azimuth : {0.0, 135.0, 315.0}) {
                ReliefOptions options;
                options.tint = tint;
                options.azimuth = azimuth;
                options.exaggeration = azimuth == 0 ? 20 : 1;
                Picture picture =
                    shaded_relief(made_terrain(
                                      {80, 60},
                                      [&](int x, int y) {
                                          return hole(x, y) ? missing : relief_hills(x, y) + float(range.low);
                                      },
                                      range),
                                  options);
                for (int y = 0; y < 60; y++) {
                    for (int x = 0; x < 80; x++) {
                        Bytes c = colour(picture, x, y);
                        ASSERT_EQ(is_missing_colour(c), hole(x, y)) << x << ' ' << y;
                        // Not only another colour, but one of another kind.
                        if (hole(x, y)) {
                            ASSERT_GE(violet(c), 8);
                        } else {
                            ASSERT_LE(violet(c), 2) << x << ' ' << y;
                        }
                    }
                }
            }
        }
    }
}

TEST(Relief, NoTintIsVioletUnderAnyLight) {
    const Palette& palette = Palette::relief();
    for (int step = 0; step <= 200; step++) {
        float share = float(step) / 200;
        for (float light : {0.05f, 0.3f, 1.0f, 2.0f}) {
            EXPECT_LE(violet(palette.encoded(palette.land(share) * light)), 1) << share;
            EXPECT_LE(violet(palette.encoded(palette.water(share) * light)), 1) << share;
            EXPECT_LE(violet(palette.encoded(palette.rock(share) * light)), 1) << share;
        }
    }
}

TEST(Relief, TintsChangeWithoutSteps) {
    const Palette& palette = Palette::relief();
    auto distance = [](const Bytes& a, const Bytes& b) {
        return std::max({std::abs(a.red - b.red), std::abs(a.green - b.green), std::abs(a.blue - b.blue)});
    };
    for (int step = 0; step < 1000; step++) {
        float here = float(step) / 1000, next = float(step + 1) / 1000;
        EXPECT_LE(distance(palette.encoded(palette.land(here)), palette.encoded(palette.land(next))), 2)
            << here;
        EXPECT_LE(distance(palette.encoded(palette.water(here)), palette.encoded(palette.water(next))), 2);
    }
}

TEST(Relief, AllMissingIsDrawn) {
    Picture picture = shaded_relief(flat_terrain({30, 20}, missing));
    for (int y = 0; y < 20; y++)
        for (int x = 0; x < 30; x++) ASSERT_TRUE(is_missing_colour(colour(picture, x, y)));
    EXPECT_EQ(colours_of(picture).size(), 2u);  // both stripes
}

TEST(Relief, InfiniteCellsAreMissing) {
    auto with = [](float strange) {
        return made_terrain({40, 40},
                            [=](int x, int y) { return x == 20 && y == 11 ? strange : relief_hills(x, y); });
    };
    Picture expected = shaded_relief(with(missing));
    EXPECT_EQ(shaded_relief(with(infinity)).rgb, expected.rgb);
    EXPECT_EQ(shaded_relief(with(-infinity)).rgb, expected.rgb);
    // What many files say for missing.
    EXPECT_EQ(shaded_relief(with(-std::numeric_limits<float>::max())).rgb, expected.rgb);
}

TEST(Relief, AWildHeightSpoilsOnlyItsSurroundings) {
    auto with = [](float wild) {
        return made_terrain({128, 128},
                            [=](int x, int y) { return x == 9 && y == 9 ? wild : relief_hills(x, y); });
    };
    Picture tame = shaded_relief(with(relief_hills(9, 9)));
    for (float height : {1e6f, -1e20f, 9e29f}) {
        Picture wild = shaded_relief(with(height));
        for (int y = 0; y < 128; y++) {
            for (int x = 0; x < 128; x++) {
                if (std::hypot(x - 9.0f, y - 9.0f) < 12) continue;
                ASSERT_NEAR(brightness(wild, x, y), brightness(tame, x, y), 4) << x << ' ' << y;
            }
        }
    }
}

TEST(Relief, ShadingReachesTheBorderOfHoles) {
    // An even slope keeps its shade where its neighbours are missing.
    Terrain slope = made_terrain({40, 40}, [](int x, int y) { return x >= 20 ? missing : float(x + y) * 4; });
    ReliefOptions options;
    options.tint = false;
    Picture picture = shaded_relief(slope, options);
    EXPECT_NEAR(brightness(picture, 19, 20), brightness(picture, 10, 20), 25);
    EXPECT_NEAR(brightness(picture, 0, 20), brightness(picture, 10, 20), 25);
    // A cell by itself is level ground.
    Terrain lone = made_terrain({9, 9}, [](int x, int y) { return x == 4 && y == 4 ? 250.0f : missing; });
    EXPECT_EQ(colour(shaded_relief(lone), 4, 4), colour(shaded_relief(flat_terrain({1, 1}, 250)), 0, 0));
}

// ---- sizes -----------------------------------------------------------------------------------------------

TEST(Relief, EverySizeIsDrawnAsItIs) {
    for (Size size : {Size{1, 1}, Size{1, 2}, Size{2, 1}, Size{1, 300}, Size{300, 1}, Size{7, 5},
                      Size{33, 47}, Size{16, 16}, Size{17, 3}}) {
        Picture picture = shaded_relief(made_terrain(size, relief_hills));
        EXPECT_EQ(picture.size, size);
        ASSERT_EQ(picture.rgb.size(), size_t(size.cells()) * 3);
        for (int y = 0; y < size.height; y++)
            for (int x = 0; x < size.width; x++) ASSERT_FALSE(is_missing_colour(colour(picture, x, y)));
    }
}

TEST(Relief, LargeTerrainsAreAveragedDown) {
    struct {
        Size cells;
        int longest_side;
        Size pixels;
    } cases[] = {{{1000, 333}, 100, {100, 33}}, {{333, 1000}, 100, {33, 100}}, {{300, 2}, 30, {30, 1}},
                 {{1, 300}, 30, {1, 30}},       {{64, 64}, 64, {64, 64}},      {{65, 64}, 64, {64, 63}},
                 {{10, 6}, 2048, {10, 6}},      {{50, 40}, 1, {1, 1}},         {{50, 40}, 0, {1, 1}}};
    for (const auto& [cells, longest_side, pixels] : cases) {
        ReliefOptions options;
        options.longest_side = longest_side;
        Picture picture = shaded_relief(made_terrain(cells, relief_hills), options);
        EXPECT_EQ(picture.size, pixels) << cells.width << " x " << cells.height;
        EXPECT_EQ(picture.rgb.size(), size_t(pixels.cells()) * 3);
    }
}

TEST(Relief, APixelShowsTheMeanOfItsCells) {
    Terrain board = made_terrain({16, 16}, [](int x, int y) { return (x + y) % 2 ? 100.0f : 300.0f; });
    ReliefOptions options;
    options.longest_side = 8;
    EXPECT_EQ(shaded_relief(board, options).rgb, shaded_relief(flat_terrain({8, 8}, 200), options).rgb);
    // 3 cells in 2 pixels, by the line through their middles: 7/8 of the outer cell and 1/2 of the one in the
    // middle.
    Terrain three = made_terrain({3, 1}, [](int x, int) { return x == 1 ? 100.0f : 400.0f; });
    options.longest_side = 2;
    EXPECT_EQ(shaded_relief(three, options).rgb,
              shaded_relief(flat_terrain({2, 1}, 400 / 1.375f), options).rgb);
}

TEST(Relief, APixelIsMissingWhenMoreThanHalfOfItIs) {
    // Blocks of 2 x 2 cells with 0, 1, 2, 3 and 4 missing ones.
    Terrain terrain =
        made_terrain({10, 2}, [](int x, int y) { return y * 2 + x % 2 < x / 2 ? missing : 200.0f; });
    ReliefOptions options;
    options.longest_side = 5;
    Picture picture = shaded_relief(terrain, options);
    ASSERT_EQ(picture.size, (Size{5, 1}));
    Bytes known = colour(shaded_relief(flat_terrain({1, 1}, 200)), 0, 0);
    for (int x = 0; x < 3; x++) EXPECT_EQ(colour(picture, x, 0), known) << x;
    for (int x = 3; x < 5; x++) EXPECT_TRUE(is_missing_colour(colour(picture, x, 0))) << x;
}

TEST(Relief, AWindowIsDrawnLikeATerrainOfItsOwn) {
    Terrain whole = made_terrain({80, 70}, relief_hills);
    Rect part{13, 21, 60, 59};
    Terrain alone =
        made_terrain(part.size(), [&](int x, int y) { return relief_hills(x + part.left, y + part.top); });
    EXPECT_EQ(shaded_relief(whole.cropped(part)).rgb, shaded_relief(alone).rgb);
}

// ---- enlarged --------------------------------------------------------------------------------------------

TEST(Relief, SmallTerrainsAreEnlarged) {
    struct {
        Size cells;
        int longest_side, enlarge;
        Size pixels;
    } cases[] = {{{10, 6}, 2048, 8, {80, 48}}, {{10, 6}, 79, 8, {70, 42}},   {{10, 6}, 19, 8, {10, 6}},
                 {{10, 6}, 5, 8, {5, 3}},      {{1, 1}, 2048, 64, {64, 64}}, {{3, 1}, 2048, 0, {3, 1}}};
    for (const auto& [cells, longest_side, enlarge, pixels] : cases) {
        ReliefOptions options;
        options.longest_side = longest_side;
        options.enlarge = enlarge;
        Picture picture = shaded_relief(made_terrain(cells, relief_hills), options);
        EXPECT_EQ(picture.size, pixels) << longest_side << ", " << enlarge;
        EXPECT_EQ(picture.rgb.size(), size_t(pixels.cells()) * 3);
    }
}

TEST(Relief, EnlargingAddsNoCreases) {
    ReliefOptions options;
    options.tint = false;
    options.enlarge = 8;
    // An even slope has one shade up to its border.
    Terrain slope = made_terrain({20, 16}, [](int x, int y) { return float(x) * 3.3f + float(y) * 1.7f; });
    std::set<int> shades = colours_of(shaded_relief(slope, options));
    EXPECT_LE((*shades.rbegin() & 0xff) - (*shades.begin() & 0xff), 2);
    // On a round hill no pixel differs much from the next, where straight lines from cell to cell would leave edges.
    Terrain dome = made_terrain({16, 16}, [](int x, int y) {
        float from = float((x - 8) * (x - 8) + (y - 8) * (y - 8));
        return 700 - 4 * from;
    });
    Picture picture = shaded_relief(dome, options);
    for (int y = 16; y < 112; y++)
        for (int x = 16; x < 112; x++)
            ASSERT_NEAR(brightness(picture, x, y), brightness(picture, x + 1, y), 3) << x << ' ' << y;
}

TEST(Relief, AMissingCellIsMissingInAllItsPixels) {
    ReliefOptions options;
    options.enlarge = 5;
    auto hole = [](int x, int y) { return x == 4 || (x == 7 && y == 3) || (x < 2 && y > 6); };
    Picture picture = shaded_relief(
        made_terrain({12, 9}, [&](int x, int y) { return hole(x, y) ? missing : relief_hills(x, y); }),
        options);
    for (int y = 0; y < 45; y++)
        for (int x = 0; x < 60; x++)
            ASSERT_EQ(is_missing_colour(colour(picture, x, y)), hole(x / 5, y / 5)) << x << ' ' << y;
}

TEST(Relief, EnlargedHillsLookLikeTheHillsTheyAre) {
    // The middle of every nine pixels has about the shade of its cell.
    Terrain smooth = made_terrain({60, 60}, [](int x, int y) {
        return 400 + 250 * std::sin(float(x) * 0.2f) * std::cos(float(y) * 0.17f);
    });
    ReliefOptions options;
    Picture plain = shaded_relief(smooth, options);
    options.enlarge = 3;
    Picture large = shaded_relief(smooth, options);
    for (int y = 0; y < 60; y++)
        for (int x = 0; x < 60; x++)
            ASSERT_NEAR(brightness(plain, x, y), brightness(large, 3 * x + 1, 3 * y + 1), 20)
                << x << ' ' << y;
}

// ---- the rest --------------------------------------------------------------------------------------------

TEST(Relief, ThreadsChangeNothing) {
    Terrain terrain = made_terrain(
        {517, 301}, [](int x, int y) { return (x / 20 + y / 30) % 7 == 0 ? missing : relief_hills(x, y); });
    for (auto [longest_side, enlarge] : {std::pair{2048, 1}, {200, 1}, {2048, 3}}) {
        ReliefOptions options;
        options.longest_side = longest_side;
        options.enlarge = enlarge;
        Picture expected;
        for (size_t threads : {1, 2, 3, 8}) {
            tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
            Picture picture = shaded_relief(terrain, options);
            if (threads == 1) expected = picture;
            EXPECT_EQ(picture.rgb, expected.rgb) << threads;
        }
    }
}

TEST(Relief, WithoutHeightThereIsNoMap) {
    Grid grid;
    grid.extent = {0, 0, 4, 4};
    Terrain terrain(grid);
    EXPECT_THROW(shaded_relief(terrain), Error);
    terrain.set("hardness", Field(grid.extent, 0.5f));
    EXPECT_THROW(shaded_relief(terrain), Error);
}

TEST(Relief, AnyReductionOfASlopeIsStillASlope) {
    // Pixels that cover parts of cells must not turn an even slope into stairs, which shade as stripes.
    Terrain ramp(Grid{Rect::of({300, 40}), 1, {0, 300}});
    Field height(ramp.rect());
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 300; x++) height.set(x, y, float(x) * 0.5f);
    ramp.set("height", height);
    for (int side : {299, 233, 170, 150, 101}) {
        ReliefOptions options;
        options.longest_side = side;
        options.tint = false;
        Picture picture = shaded_relief(ramp, options);
        int row = picture.size.height / 2;
        int low = 255, high = 0;
        for (int x = picture.size.width / 4; x < picture.size.width * 3 / 4; x++) {
            int shade = picture.rgb[size_t(row * picture.size.width + x) * 3];
            low = std::min(low, shade);
            high = std::max(high, shade);
        }
        EXPECT_LE(high - low, 2) << "at " << side << " pixels";
    }
}

TEST(Relief, OfHeightsThatAreReadInPiecesIsTheSame) {
    const Terrain terrain = made_terrain({211, 173}, relief_hills);
    for (int side : {2048, 211, 100, 37}) {
        ReliefOptions options;
        options.longest_side = side;
        const Picture whole = shaded_relief(terrain, options);
        for (int rows : {1, 20, 64}) {
            CellRows cells = rows_of(terrain.height());
            cells.rows_together = rows;
            EXPECT_EQ(shaded_relief(cells, terrain.grid(), options).rgb, whole.rgb) << side << ' ' << rows;
        }
    }
}

}  // namespace

}  // namespace caprock

// Maps of fields: which value has which grey, what is averaged and what is not.
#include "view/field_map.h"

#include "base/error.h"
#include "support/numbers.h"
#include "view/pictures.h"

#include <gtest/gtest.h>
#include <limits>

namespace caprock::test {
namespace {

Terrain with_field(std::string_view name, Size size, const std::function<float(int, int)>& value) {
    Terrain terrain(Grid{Rect::of(size), 4, {0, 100}});
    terrain.set(name, made_field(terrain.rect(), value));
    return terrain;
}

Bytes grey(int value) {
    auto byte = uint8_t(value);
    return {byte, byte, byte};
}

// All pixels of a picture of greys.
std::set<int> greys_of(const Picture& picture) {
    std::set<int> all;
    for (int whole : colours_of(picture)) {
        EXPECT_EQ(whole & 0xff, whole >> 8 & 0xff);
        EXPECT_EQ(whole & 0xff, whole >> 16);
        all.insert(whole & 0xff);
    }
    return all;
}

TEST(FieldMap, FromBlackToWhite) {
    Terrain terrain = with_field("hardness", {11, 3}, [](int x, int) { return 0.2f + 0.05f * float(x); });
    Picture picture = field_map(terrain, "hardness");
    EXPECT_EQ(picture.size, (Size{11, 3}));
    for (int x = 0; x < 11; x++) {
        Bytes c = colour(picture, x, 1);
        EXPECT_NEAR(c.red, 25.5 * x, 0.51) << x;
        EXPECT_EQ(c, grey(c.red));
    }
    EXPECT_EQ(colour(picture, 0, 0), grey(0));
    EXPECT_EQ(colour(picture, 10, 2), grey(255));
}

TEST(FieldMap, TheUsersBlackAndWhite) {
    Terrain terrain = with_field("water", {5, 1}, [](int x, int) { return float(x) - 1; });  // -1 .. 3
    FieldMapOptions options;
    options.values = Interval{0, 2};
    Picture picture = field_map(terrain, "water", options);
    int expected[] = {0, 0, 128, 255, 255};
    for (int x = 0; x < 5; x++) EXPECT_EQ(colour(picture, x, 0), grey(expected[x])) << x;
    // A field that is the same everywhere has its place too.
    Terrain flat = with_field("water", {4, 4}, [](int, int) { return 2.0f; });
    EXPECT_EQ(greys_of(field_map(flat, "water", options)), std::set<int>{255});
    for (Interval wrong : {Interval{5, 5}, Interval{5, 4}}) {
        options.values = wrong;
        EXPECT_THROW(field_map(terrain, "water", options), Error);
    }
}

TEST(FieldMap, FlatIsMidGrey) {
    for (float value : {-3.0f, 0.0f, 0.5f, 1e20f}) {
        Terrain terrain = with_field("mask", {7, 5}, [=](int, int) { return value; });
        EXPECT_EQ(greys_of(field_map(terrain, "mask")), std::set<int>{128}) << value;
    }
}

TEST(FieldMap, MissingCellsAreStriped) {
    for (float strange : {missing, infinity, -infinity, -std::numeric_limits<float>::max()}) {
        Terrain terrain =
            with_field("mask", {20, 20}, [=](int x, int y) { return x < y ? strange : float(x); });
        Picture picture = field_map(terrain, "mask");
        for (int y = 0; y < 20; y++)
            for (int x = 0; x < 20; x++)
                ASSERT_EQ(colour(picture, x, y) == missing_colour(x, y), x < y) << x << ' ' << y;
        // And have no part in what is black and white.
        EXPECT_EQ(colour(picture, 0, 0), grey(0));
        EXPECT_EQ(colour(picture, 19, 19), grey(255));
    }
    Terrain nothing = with_field("mask", {20, 20}, [](int, int) { return missing; });
    EXPECT_EQ(colours_of(field_map(nothing, "mask")).size(), 2u);
}

TEST(FieldMap, LargeFieldsAreAveragedDown) {
    Terrain board = with_field("mask", {16, 12}, [](int x, int y) { return float((x + y) % 2); });
    FieldMapOptions options;
    options.longest_side = 8;
    Picture picture = field_map(board, "mask", options);
    EXPECT_EQ(picture.size, (Size{8, 6}));
    EXPECT_EQ(greys_of(picture), std::set<int>{128});
}

TEST(FieldMap, MaterialsAreNeverMixed) {
    Terrain rocks = with_field("material", {90, 60}, [](int x, int y) {
        int rock = (x * 7 + y * 5) % 4;
        return rock == 3 ? missing : float(rock * rock);  // 0, 1, 4
    });
    FieldMapOptions options;
    for (int side : {90, 89, 45, 31, 7, 1}) {
        options.longest_side = side;
        for (int whole : colours_of(field_map(rocks, "material", options)))
            EXPECT_TRUE(whole == 0 || whole == 0x404040 || whole == 0xffffff ||
                        is_missing_colour({uint8_t(whole >> 16), uint8_t(whole >> 8), uint8_t(whole)}))
                << std::hex << whole;
    }
    // The cell in the middle of the pixel.
    Terrain numbered = with_field("material", {9, 9}, [](int x, int y) { return float(10 * y + x); });
    options.longest_side = 3;
    options.values = Interval{0, 255};
    Picture picture = field_map(numbered, "material", options);
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
            EXPECT_EQ(colour(picture, x, y), grey(10 * (3 * y + 1) + 3 * x + 1)) << x << ' ' << y;
}

TEST(FieldMap, EnlargedCellsAreSquares) {
    Terrain terrain = with_field("hardness", {6, 4},
                                 [](int x, int y) { return x == 2 && y == 1 ? missing : float(x * 5 + y); });
    FieldMapOptions options;
    Picture plain = field_map(terrain, "hardness", options);
    options.enlarge = 7;
    Picture large = field_map(terrain, "hardness", options);
    ASSERT_EQ(large.size, (Size{42, 28}));
    for (int y = 0; y < 28; y++)
        for (int x = 0; x < 42; x++) {
            bool hole = x / 7 == 2 && y / 7 == 1;
            ASSERT_EQ(colour(large, x, y), hole ? missing_colour(x, y) : colour(plain, x / 7, y / 7))
                << x << ' ' << y;
        }
}

TEST(FieldMap, AWindowIsDrawnLikeATerrainOfItsOwn) {
    auto value = [](int x, int y) { return float((x * 13 + y * 29) % 31); };
    Rect part{13, 21, 60, 59};
    Terrain whole = with_field("mask", {80, 70}, value);
    Terrain alone =
        with_field("mask", part.size(), [&](int x, int y) { return value(x + part.left, y + part.top); });
    for (int side : {2048, 20}) {
        FieldMapOptions options;
        options.longest_side = side;
        EXPECT_EQ(field_map(whole.cropped(part), "mask", options).rgb, field_map(alone, "mask", options).rgb);
    }
}

TEST(FieldMap, AFieldThatIsNotThere) {
    Terrain terrain = with_field("hardness", {4, 4}, [](int, int) { return 0.5f; });
    try {
        field_map(terrain, "hardnes");
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "there is no field 'hardnes'; the terrain has hardness");
    }
}

TEST(FieldMap, OfCellsThatAreReadInPiecesIsTheSame) {
    for (const char* name : {"mask", "material"}) {
        const Terrain terrain =
            with_field(name, {211, 173}, [](int x, int y) { return float((x * 7 + y * 13) % 11) / 11; });
        for (int side : {2048, 100, 37}) {
            FieldMapOptions options;
            options.longest_side = side;
            CellRows cells = rows_of(terrain.field(name));
            cells.rows_together = 20;
            EXPECT_EQ(field_map(cells, name, options).rgb, field_map(terrain, name, options).rgb) << name;
        }
    }
}

}  // namespace
}  // namespace caprock::test

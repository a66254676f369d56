// Several pictures as one: where each lies, and what is between them.
#include "view/contact_sheet.h"

#include "base/error.h"
#include "view/pictures.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Picture plain(Size size, uint8_t value) {
    return {size, std::vector<uint8_t>(size_t(size.cells()) * 3, value)};
}

// So many pictures of one size, the first of colour 10, the next of 20 and so on.
std::vector<Picture> several(int count, Size size = {5, 3}) {
    std::vector<Picture> pictures;
    for (int i = 1; i <= count; i++) pictures.push_back(plain(size, uint8_t(10 * i)));
    return pictures;
}

// The pictures of a sheet as a drawing: their numbers, and '.' for the ground.
std::string drawing(const Picture& sheet) {
    std::string text;
    for (int y = 0; y < sheet.size.height; y++) {
        for (int x = 0; x < sheet.size.width; x++) {
            Bytes c = colour(sheet, x, y);
            text += c.red > 200 ? '.' : char('0' + c.red / 10);
        }
        text += '\n';
    }
    return text;
}

TEST(ContactSheet, BoxesWithGapsAndABorder) {
    ContactSheetOptions options;
    options.columns = 2;
    options.gap = 1;
    EXPECT_EQ(drawing(contact_sheet(several(3, {3, 2}), options)),
              ".........\n"
              ".111.222.\n"
              ".111.222.\n"
              ".........\n"
              ".333.....\n"
              ".333.....\n"
              ".........\n");
}

TEST(ContactSheet, SmallerPicturesStandInTheMiddle) {
    ContactSheetOptions options;
    options.gap = 1;
    std::vector<Picture> pictures = {plain({5, 3}, 10), plain({1, 1}, 20), plain({5, 1}, 30),
                                     plain({2, 3}, 40)};
    EXPECT_EQ(drawing(contact_sheet(pictures, options)),
              ".........................\n"
              ".11111..............44...\n"
              ".11111...2...33333..44...\n"
              ".11111..............44...\n"
              ".........................\n");
}

TEST(ContactSheet, ColumnsUnasked) {
    struct {
        int count, columns;
        Size boxes;
    } cases[] = {{1, 0, {1, 1}}, {3, 0, {3, 1}}, {4, 0, {4, 1}}, {5, 0, {4, 2}}, {9, 0, {4, 3}},
                 {3, 7, {3, 1}}, {5, 1, {1, 5}}, {5, 5, {5, 1}}, {6, 3, {3, 2}}, {7, -1, {4, 2}}};
    for (const auto& [count, columns, boxes] : cases) {
        ContactSheetOptions options;
        options.columns = columns;
        options.gap = 2;
        Picture sheet = contact_sheet(several(count), options);
        EXPECT_EQ(sheet.size, (Size{boxes.width * 7 + 2, boxes.height * 5 + 2})) << count << ", " << columns;
        EXPECT_EQ(sheet.rgb.size(), size_t(sheet.size.cells()) * 3);
    }
}

TEST(ContactSheet, TheGroundIsLight) {
    Picture sheet = contact_sheet(several(2));
    EXPECT_GT(colour(sheet, 0, 0).red, 230);
    EXPECT_EQ(colour(sheet, 0, 0), colour(sheet, sheet.size.width - 1, sheet.size.height - 1));
}

TEST(ContactSheet, PixelsAreNotChanged) {
    Picture picture{{4, 3}, {}};
    for (int i = 0; i < 36; i++) picture.rgb.push_back(uint8_t(i * 7));
    std::vector<Picture> pictures = {plain({4, 3}, 0), picture};
    ContactSheetOptions options;
    options.gap = 3;
    Picture sheet = contact_sheet(pictures, options);
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 4; x++) EXPECT_EQ(colour(sheet, 10 + x, 3 + y), colour(picture, x, y));
}

TEST(ContactSheet, CaptionsStandBelowTheirPictures) {
    ContactSheetOptions options;
    options.columns = 2;
    options.gap = 4;
    Picture without = contact_sheet(several(3, {80, 30}), options);
    options.captions = {"hills.tif", "a-name-far-too-long-for-the-picture-above-it.tif"};
    Picture sheet = contact_sheet(several(3, {80, 30}), options);
    EXPECT_EQ(sheet.size.width, without.size.width);
    int below = (sheet.size.height - without.size.height) / 2;
    EXPECT_GT(below, 12);
    // Ink in the strip below each of the first two, none anywhere else.
    auto inked = [&](const Rect& part) {
        int count = 0;
        for (int y = part.top; y < part.bottom; y++)
            for (int x = part.left; x < part.right; x++) count += colour(sheet, x, y).red != 0xf3;
        return count;
    };
    EXPECT_GT(inked({4, 34, 84, 34 + below}), 40);
    EXPECT_GT(inked({88, 34, 168, 34 + below}), 40);
    EXPECT_EQ(inked({84, 0, 88, sheet.size.height}), 0);
    EXPECT_EQ(inked({0, 34 + below, sheet.size.width, 38 + below}), 0);
    EXPECT_EQ(inked({0, 68 + below, sheet.size.width, sheet.size.height}), 0);
    EXPECT_EQ(colour(sheet, 10, 38 + below), (Bytes{30, 30, 30}));
}

TEST(ContactSheet, NothingMakesNothing) { EXPECT_EQ(contact_sheet({}).size, Size{}); }

TEST(ContactSheet, TooLargeIsRefused) {
    std::vector<Picture> pictures = {plain({30000, 1}, 1), plain({30000, 1}, 2), plain({30000, 1}, 3)};
    try {
        contact_sheet(pictures);
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("90024 x 13 pixels"), std::string::npos) << error.what();
    }
    ContactSheetOptions options;
    options.columns = 1;
    EXPECT_EQ(contact_sheet(pictures, options).size, (Size{30012, 27}));
}

}  // namespace
}  // namespace caprock::test

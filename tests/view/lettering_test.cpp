// Letters: that each is there and different from all others, stands where it should and can be turned.
#include "view/lettering.h"

#include "view/contour_labels.h"
#include "view/pictures.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace caprock::test {
namespace {

struct Bounds {
    double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
};

Bounds bounds_of(const std::vector<InkLine>& strokes) {
    Bounds bounds;
    for (const InkLine& stroke : strokes)
        for (const PixelPoint& point : {stroke.from, stroke.to}) {
            double half = stroke.width / 2;
            bounds.left = std::min(bounds.left, point.x - half);
            bounds.right = std::max(bounds.right, point.x + half);
            bounds.top = std::min(bounds.top, point.y - half);
            bounds.bottom = std::max(bounds.bottom, point.y + half);
        }
    return bounds;
}

std::vector<InkLine> written(const std::string& text, Lettering lettering = {20, 0.1}) {
    std::vector<InkLine> strokes;
    write_text(strokes, text, {100, 100}, lettering);
    return strokes;
}

std::string drawing_of(const std::string& text) {
    Ink ink({40, 40});
    std::vector<InkLine> strokes;
    write_text(strokes, text, {8, 30}, {20, 0.1});
    ink.draw(strokes);
    std::string drawing;
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 40; x++) drawing += char('0' + ink.at(x, y) / 64);
    return drawing;
}

TEST(Lettering, EveryLetterOfALabelIsItsOwn) {
    std::map<std::string, char> seen;
    for (char letter = '!'; letter <= '~'; letter++) {
        if (std::string("$`@^{}").find(letter) != std::string::npos) continue;
        std::string drawing = drawing_of(std::string(1, letter));
        auto [before, is_new] = seen.emplace(drawing, letter);
        EXPECT_TRUE(is_new) << letter << " looks like " << before->second;
    }
    EXPECT_TRUE(written(" ").empty());
    // What the font does not have is a box, one for each letter of several bytes.
    EXPECT_EQ(drawing_of("\xc3\xa4"), drawing_of("\xe6\xbc\xa2"));
    EXPECT_NE(drawing_of("\xc2\xb0"), drawing_of("\xc3\xa4"));
    EXPECT_EQ(text_width("\xe6\xbc\xa2", {10, 0.1}), text_width("\xff", {10, 0.1}));
}

TEST(Lettering, StandsOnItsBaseline) {
    for (char letter : std::string("0123456789ABCDEFGHIKLMNOPRSTUVWXYZ")) {
        Bounds bounds = bounds_of(written(std::string(1, letter)));
        EXPECT_NEAR(bounds.top, 79, 0.1) << letter;
        EXPECT_NEAR(bounds.bottom, 101, 0.1) << letter;
    }
    for (char letter : std::string("acemnorsuvwxz"))
        EXPECT_NEAR(bounds_of(written(std::string(1, letter))).top, 85, 0.1) << letter;
    for (char letter : std::string("gpq"))
        EXPECT_GT(bounds_of(written(std::string(1, letter))).bottom, 105) << letter;
}

TEST(Lettering, AsWideAsItSays) {
    for (const char* text : {"0", "1250 m", "hardness", "0.35", "WAMx-_/"}) {
        for (Lettering lettering : {Lettering{8, 0.14}, Lettering{20, 0.1}, Lettering{64, 0.2}}) {
            std::vector<InkLine> left, middle, right;
            double width = text_width(text, lettering);
            write_text(left, text, {100, 50}, lettering, Anchor::left);
            write_text(middle, text, {100, 50}, lettering, Anchor::middle);
            write_text(right, text, {100, 50}, lettering, Anchor::right);
            // Letters need not touch both ends of the room they have, but none leaves it.
            double slack = 0.15 * lettering.height;
            EXPECT_NEAR(bounds_of(left).left, 100, slack) << text;
            EXPECT_NEAR(bounds_of(left).right, 100 + width, slack) << text;
            EXPECT_NEAR(bounds_of(middle).right - 100, width / 2, slack) << text;
            EXPECT_NEAR(bounds_of(right).right, 100, slack) << text;
        }
    }
    EXPECT_EQ(text_width("", {10, 0.1}), 0);
}

TEST(Lettering, CanBeTurned) {
    std::vector<InkLine> level = written("1250"), turned;
    write_text(turned, "1250", {100, 100}, {20, 0.1}, Anchor::left, 90);
    ASSERT_EQ(level.size(), turned.size());
    for (size_t i = 0; i < level.size(); i++) {
        // Clockwise: what ran to the right runs down.
        EXPECT_NEAR(turned[i].to.x - 100, -(level[i].to.y - 100), 1e-9);
        EXPECT_NEAR(turned[i].to.y - 100, level[i].to.x - 100, 1e-9);
    }
}

TEST(Lettering, WhatIsTooLongKeepsBothEnds) {
    Lettering lettering{10, 0.1};
    EXPECT_EQ(shortened_text("hills.tif", lettering, 1000), "hills.tif");
    std::string shorter = shortened_text("a-very-long-name-of-a-file.tif", lettering, 90);
    EXPECT_LE(text_width(shorter, lettering), 90);
    EXPECT_GT(text_width(shorter, lettering), 70);
    EXPECT_TRUE(shorter.starts_with("a-v")) << shorter;
    EXPECT_TRUE(shorter.ends_with(".tif")) << shorter;
    EXPECT_NE(shorter.find("\xe2\x80\xa6"), std::string::npos) << shorter;
    EXPECT_EQ(shortened_text("hills.tif", lettering, 1), "");
}

TEST(Ink, AStrokeCoversWhatItsWidthSays) {
    for (double width : {0.5, 1.0, 2.0, 5.0}) {
        Ink ink({60, 40});
        std::vector<InkLine> strokes = {{{10, 20}, {50, 20}, float(width), 1}};
        ink.draw(strokes);
        double column = 0;
        for (int y = 0; y < 40; y++) column += ink.at(30, y) / 255.0;
        EXPECT_NEAR(column, width, 0.02 + (width < 1 ? 0.05 : 0)) << width;
        EXPECT_EQ(ink.at(2, 20), 0);
    }
}

TEST(Ink, CrossingStrokesAreNoDarker) {
    Ink ink({30, 30});
    std::vector<InkLine> strokes = {{{5, 15}, {25, 15}, 3, 0.5f}, {{15, 5}, {15, 25}, 3, 0.5f}};
    ink.draw(strokes);
    EXPECT_EQ(ink.at(14, 14), 128);
    EXPECT_EQ(ink.at(8, 14), 128);
}

TEST(Ink, OutOfThePictureIsNothing) {
    Ink ink({8, 8});
    double nan = std::nan("");
    std::vector<InkLine> strokes = {
        {{-1e9, -1e9}, {-1e8, -1e9}, 3, 1}, {{nan, nan}, {nan, 3}, 3, 1}, {{1e12, 4}, {1e13, 4}, 1, 1}};
    ink.draw(strokes);
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) EXPECT_EQ(ink.at(x, y), 0);
}

TEST(Ink, PrintedInItsColour) {
    Picture picture{{8, 8}, std::vector<uint8_t>(8 * 8 * 3, 200)};
    Ink ink({8, 8});
    std::vector<InkLine> strokes = {{{0, 4}, {8, 4}, 4, 1}};
    ink.draw(strokes);
    Ink other({8, 8});
    std::vector<InkLine> spared = {{{6, 0}, {6, 8}, 4, 1}};
    other.draw(spared);
    ink.spare(other);
    ink.print(picture, {100, 0, 200}, 0.5f);
    EXPECT_EQ(colour(picture, 2, 4), (Bytes{150, 100, 200}));
    EXPECT_EQ(colour(picture, 6, 4), (Bytes{200, 200, 200}));
    EXPECT_EQ(colour(picture, 2, 0), (Bytes{200, 200, 200}));
}

// ---- labels of contour lines -----------------------------------------------------------------------------

ContourLine line_through(double level, std::vector<PixelPoint> points) {
    return {level, true, false, std::move(points)};
}

ContourLine circle(double level, PixelPoint middle, double radius) {
    ContourLine line{level, true, true, {}};
    for (int i = 0; i < 720; i++) {
        double angle = i * std::acos(-1.0) / 360;
        line.points.push_back({middle.x + radius * std::cos(angle), middle.y + radius * std::sin(angle)});
    }
    return line;
}

TEST(ContourLabels, OnTheLineUprightAndInAGap) {
    for (double degrees : {0.0, 30.0, 89.0, 120.0, 180.0, 250.0}) {
        double angle = degrees * std::acos(-1.0) / 180;
        PixelPoint from{200 - 150 * std::cos(angle), 200 - 150 * std::sin(angle)};
        PixelPoint to{200 + 150 * std::cos(angle), 200 + 150 * std::sin(angle)};
        std::vector<ContourLine> lines = {line_through(1250, {from, to})};
        std::vector<ContourLabel> labels = place_labels(lines, {400, 400}, {8, 0.14});
        ASSERT_EQ(labels.size(), 1u) << degrees;
        EXPECT_EQ(labels[0].text, "1250");
        EXPECT_GT(labels[0].angle, -90) << degrees;
        EXPECT_LE(labels[0].angle, 90) << degrees;
        EXPECT_NEAR(std::sin((labels[0].angle - degrees) * std::acos(-1.0) / 180), 0, 1e-6);
        double along = (labels[0].begin + labels[0].end) / 2;
        EXPECT_NEAR(labels[0].middle.x, from.x + along * std::cos(angle), 1e-6);
        EXPECT_NEAR(labels[0].middle.y, from.y + along * std::sin(angle), 1e-6);
        EXPECT_GT(labels[0].end - labels[0].begin, text_width("1250", {8, 0.14}));
    }
}

TEST(ContourLabels, OnlyWhereALineIsStraightAndLongEnough) {
    Lettering lettering{8, 0.14};
    std::vector<ContourLine> lines = {circle(100, {200, 200}, 12)};
    EXPECT_TRUE(place_labels(lines, {400, 400}, lettering).empty());
    lines = {circle(100, {200, 200}, 120)};
    EXPECT_FALSE(place_labels(lines, {400, 400}, lettering).empty());
    lines = {line_through(100, {{50, 50}, {90, 50}})};
    EXPECT_TRUE(place_labels(lines, {400, 400}, lettering).empty());
    // Ordinary lines have none.
    lines = {line_through(100, {{50, 50}, {350, 50}})};
    lines[0].strong = false;
    EXPECT_TRUE(place_labels(lines, {400, 400}, lettering).empty());
    // A zigzag is nowhere straight.
    ContourLine zigzag = line_through(100, {});
    for (int i = 0; i < 60; i++) zigzag.points.push_back({50 + 5.0 * i, i % 2 ? 190.0 : 210.0});
    lines = {zigzag};
    EXPECT_TRUE(place_labels(lines, {400, 400}, lettering).empty());
}

TEST(ContourLabels, KeepApartAndWithinThePicture) {
    std::vector<ContourLine> lines;
    for (int i = 0; i < 40; i++)
        lines.push_back(line_through(i * 100, {{-50, 6.0 * i}, {450, 6.0 * i + 20}}));
    Rect legend{300, 100, 400, 240};
    std::vector<Rect> reserved = {legend};
    Lettering lettering{8, 0.14};
    std::vector<ContourLabel> labels = place_labels(lines, {400, 240}, lettering, reserved);
    EXPECT_GT(labels.size(), 12u);
    for (size_t i = 0; i < labels.size(); i++) {
        double half = text_width(labels[i].text, lettering) / 2;
        const PixelPoint& at = labels[i].middle;
        EXPECT_GT(at.x - half, 0);
        EXPECT_LT(at.x + half, 400);
        EXPECT_GT(at.y - 4, 0);
        EXPECT_LT(at.y + 4, 240);
        EXPECT_FALSE(at.x + half > legend.left && at.y + 4 > legend.top) << at.x << ' ' << at.y;
        for (size_t k = 0; k < i; k++) {
            double other = text_width(labels[k].text, lettering) / 2;
            bool beside = std::fabs(at.x - labels[k].middle.x) > half + other;
            bool above = std::fabs(at.y - labels[k].middle.y) > 8;
            EXPECT_TRUE(beside || above) << labels[i].text << " lies on " << labels[k].text;
        }
    }
}

}  // namespace
}  // namespace caprock::test

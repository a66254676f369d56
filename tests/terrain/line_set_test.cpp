#include "terrain/line_set.h"

#include "base/error.h"
#include "support/refusals.h"
#include "terrain/line_text.h"
#include "terrain/terrain.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace caprock {
namespace {

LineSet two_lines() {
    return LineSet({{{{0, 0}, {3, 4}, {3, 10, 250}}, false, {{"name", std::string("A 1")}}},
                    {{{10, 0}, {20, 0}, {20, 10}, {10, 10}}, true, {{"lanes", int64_t(2)}, {"width", 7.5}}}});
}

TEST(LineSet, KnowsItsLengthsAndCounts) {
    const LineSet lines = two_lines();
    EXPECT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines.point_count(), 7u);
    EXPECT_EQ(lines.lines()[0].length(), 11);
    EXPECT_EQ(lines.lines()[1].length(), 40) << "a closed line goes back to its beginning";
    EXPECT_EQ(lines.length(), 51);
    EXPECT_TRUE(lines.has_heights());
    EXPECT_FALSE(lines.only_points());
    EXPECT_TRUE(LineSet().empty());
    EXPECT_TRUE(LineSet({{{{1, 2}}}, {{{3, 4}}}}).only_points());
}

TEST(LineSet, IsTheSameWhenEveryBitIs) {
    EXPECT_EQ(two_lines(), two_lines());
    EXPECT_EQ(two_lines().fingerprint(), two_lines().fingerprint());
    std::vector<LineSet> all = {two_lines(), LineSet()};
    auto changed = [&](auto change) {
        std::vector<Line> lines = two_lines().lines();
        change(lines);
        all.emplace_back(std::move(lines));
    };
    changed([](auto& lines) { lines[0].points[1].x = std::nextafter(3.0, 4.0); });
    changed([](auto& lines) { lines[0].points[0].x = -0.0; });
    changed([](auto& lines) { lines[0].points[0].z = 0; });
    changed([](auto& lines) { lines[1].closed = false; });
    changed([](auto& lines) { lines[1].attributes["lanes"] = 2.0; });
    changed([](auto& lines) { lines[1].attributes["lanes"] = std::string("2"); });
    changed([](auto& lines) { lines[1].attributes["Lanes"] = int64_t(2); });
    changed([](auto& lines) { std::swap(lines[0], lines[1]); });
    changed([](auto& lines) { lines.pop_back(); });
    for (size_t a = 0; a < all.size(); a++)
        for (size_t b = 0; b < a; b++) {
            EXPECT_FALSE(all[a] == all[b]) << a << " and " << b;
            EXPECT_NE(all[a].fingerprint(), all[b].fingerprint()) << a << " and " << b;
        }
}

TEST(LineSet, RefusesWhatIsNoPlace) {
    EXPECT_NO_THROW(two_lines().check());
    EXPECT_THROW(LineSet(std::vector<Line>(1)).check(), Error);
    EXPECT_THROW(LineSet({{{{std::nan(""), 0}}}}).check(), Error);
    EXPECT_THROW(LineSet({{{{0, INFINITY}}}}).check(), Error);
}

TEST(LineText, ReadsWhatUsersType) {
    const LineSet lines = parse_lines("0,2200 500,1950;  1,2 3,4,250 close ");
    EXPECT_EQ(lines, LineSet({{{{0, 2200}, {500, 1950}}}, {{{1, 2}, {3, 4, 250}}, true}}));
    EXPECT_EQ(lines_text(lines), "0,2200 500,1950; 1,2 3,4,250 close");
    EXPECT_EQ(parse_points("1,2 3,4,5"), LineSet({{{{1, 2}}}, {{{3, 4, 5}}}}));
    EXPECT_EQ(parse_points("1,2; 3,4,5"), parse_points("1,2 3,4,5"));
    EXPECT_TRUE(parse_lines("").empty());
    for (const char* wrong : {"1", "1,2,3,4", "a,b", "1,nan", "1,inf", "1, 2", "close", "1,2 close 3,4"})
        EXPECT_THROW(parse_lines(wrong), Error) << wrong;
}

// Any double at all.
double any_number(std::mt19937_64& random) {
    for (;;) {
        const double number = std::bit_cast<double>(random());
        if (std::isfinite(number)) return number;
    }
}

TEST(LineText, ReadsBackToTheLastBit) {
    std::mt19937_64 random(7);
    for (int set = 0; set < 200; set++) {
        std::vector<Line> lines(1 + random() % 4);
        for (Line& line : lines) {
            line.closed = random() % 3 == 0;
            for (size_t i = 0; i <= random() % 5; i++) {
                LinePoint point(any_number(random), any_number(random));
                if (random() % 2) point.z = any_number(random);
                line.points.push_back(point);
            }
        }
        const LineSet plain(lines);
        EXPECT_EQ(parse_lines(lines_text(plain)), plain);
        for (Line& line : lines) {
            line.attributes["depth"] = any_number(random);
            line.attributes["number"] = int64_t(random());
            line.attributes["name"] = std::string("a \"b\" \xc3\xa4");
        }
        const LineSet noted(lines);
        EXPECT_EQ(lines_from_json(Json::parse(lines_json(noted).dump())), noted);
    }
}

TEST(LineText, RefusesOtherJson) {
    for (const char* wrong :
         {"{}", "[1]", "[{}]", "[{\"points\": 1}]", "[{\"points\": [[1]]}]", "[{\"points\": [[1, null]]}]",
          "[{\"points\": []}]", "[{\"points\": [[1, 2]], \"closed\": 1}]",
          "[{\"points\": [[1, 2]], \"attributes\": {\"a\": []}}]", "[{\"points\": [[1e999, 2]]}]"})
        EXPECT_THROW(lines_from_json(Json::parse(wrong, nullptr, false)), Error) << wrong;
}

TEST(TerrainLines, AreKeptByNameAndWhole) {
    const Grid grid{{-4, -2, 12, 8}, 2, {0, 100}};
    Terrain terrain(grid);
    terrain.set("height", Field(grid.extent, 1));
    terrain.set_lines("roads", two_lines());
    terrain.set_lines("springs", parse_points("1,2"));
    EXPECT_EQ(terrain.line_names(), (std::vector<std::string>{"roads", "springs"}));
    EXPECT_EQ(terrain.names(), std::vector<std::string>{"height"}) << "lines are no fields";
    const Terrain part = terrain.cropped({0, 0, 2, 2});
    EXPECT_EQ(part.lines("roads"), two_lines());
    terrain.set_lines("roads", LineSet());
    EXPECT_EQ(part.lines("roads"), two_lines()) << "a copy is its own";
    terrain.remove_lines("springs");
    EXPECT_EQ(terrain.find_lines("springs"), nullptr);
    EXPECT_NE(test::refusal([&] { terrain.lines("road"); }).find("roads"), std::string::npos);
}

TEST(TerrainLines, CoordinatesGoBothWays) {
    // Whole powers of two: every step is exact.
    Georeference place;
    place.transform = {500000, 4, 0, 4000000, 0, -4};
    const Grid grid{{16, -8, 48, 24}, 4, {0, 100}};
    Terrain terrain(grid);
    EXPECT_FALSE(terrain.place_of({500000, 4000000}));
    terrain.set_georeference(place);
    // The sample of the first cell lies in the middle of its pixel.
    EXPECT_EQ(*terrain.place_of({500002, 3999998}), grid.place_of(16, -8));
    for (const WorldPoint& there : {WorldPoint{64, -32}, WorldPoint{71.5, 3.25}, WorldPoint{-1000, 900}})
        EXPECT_EQ(*terrain.place_of(*terrain.coordinates_of(there)), there);
    // Turned by a quarter and mirrored.
    place.transform = {500000, 0, 4, 4000000, 4, 0};
    terrain.set_georeference(place);
    for (const WorldPoint& there : {WorldPoint{64, -32}, WorldPoint{71.5, 3.25}})
        EXPECT_EQ(*terrain.place_of(*terrain.coordinates_of(there)), there);
    place.transform = {0, 1, 1, 0, 1, 1};
    EXPECT_FALSE(place.cell_at({1, 2})) << "all cells lie on one line there";
}

}  // namespace
}  // namespace caprock

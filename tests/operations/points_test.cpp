#include "operations/repair/points.h"

#include "base/error.h"
#include "support/folder.h"
#include "support/refusals.h"
#include "terrain/line_text.h"

#include <fstream>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

std::vector<KnownPoint> points_at(const std::string& path) {
    InputFile file = points_file();
    file.name(path);
    return points_in_file(file);
}

TEST(Points, AsTyped) {
    std::vector<KnownPoint> points = points_in(parse_points("0,0,12.5  40,8,-3"));
    ASSERT_EQ(points.size(), 2u);
    EXPECT_EQ(points[0].height, 12.5);
    EXPECT_EQ(points[1].x, 40);
    EXPECT_EQ(points[1].y, 8);
    EXPECT_EQ(points[1].height, -3);
    EXPECT_TRUE(points_in(LineSet()).empty());
    for (const char* wrong : {"1,2", "1,2,1e99", "1e300,2,3"})
        EXPECT_NE(refusal([&] { points_in(parse_points(wrong)); }).find("a point is x,y,height"),
                  std::string::npos)
            << wrong;
}

TEST(Points, FromAFile) {
    Folder folder;
    std::string path = folder / "points.csv";
    std::ofstream(path) << "x, y, height\r\n# a spring\n\n1, 2, 3\r\n4,5,6\n";
    std::vector<KnownPoint> points = points_at(path);
    ASSERT_EQ(points.size(), 2u);
    EXPECT_EQ(points[0].y, 2);
    EXPECT_EQ(points[1].height, 6);
    std::ofstream(path) << "1,2,3\n4,5\n";
    EXPECT_NE(refusal([&] { points_at(path); }).find("line 2: '4,5' is no point"), std::string::npos);
    std::ofstream(path) << "nothing\n";
    EXPECT_NE(refusal([&] { points_at(path); }).find("there is no point"), std::string::npos);
    EXPECT_NE(refusal([&] { points_at("/nowhere/at.csv"); }).find("no such file"), std::string::npos);
    EXPECT_NE(refusal([&] { points_at(folder.path()); }).find("folder"), std::string::npos);
}

TEST(Points, TheNearestCell) {
    Grid grid{Rect::of({11, 6}), 4, {0, 300}};
    EXPECT_EQ(cell_of({9.9, 10.1, 0}, grid).x, 2);
    EXPECT_EQ(cell_of({9.9, 10.1, 0}, grid).y, 3);
    EXPECT_EQ(cell_of({40, 20, 0}, grid).x, 10);
    EXPECT_EQ(refusal([&] {
                  cell_of({43, 0, 0}, grid);
              }),
              "point 43,0: outside the land, which is 40 m by 20 m");
    EXPECT_NE(refusal([&] { cell_of({0, -3, 0}, grid); }), "");
}

}  // namespace
}  // namespace caprock::test

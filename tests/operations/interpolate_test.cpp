#include "base/error.h"
#include "support/devices.h"
#include "support/operations.h"
#include "support/terrains.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace caprock::test {
namespace {

Terrain interpolated(const Terrain& input, const Parameters& parameters) {
    return applied("interpolate", parameters, input);
}

// Section 5.3 in doubles, point by point and wave by wave, with no displacement.
class Tree {
  public:
    using Point = std::pair<int, int>;

    Tree(Size size, double interpolation, double low)
        : size_(size), interpolation_(interpolation), low_(low) {
        while (top_ < std::max(size.width, size.height) - 1) top_ *= 2;
        // The next corner beyond the border belongs to the tree, on every step of it.
        for (int y = 0; y <= top_; y++)
            for (int x = 0; x <= top_; x++)
                if (within(x, step_of(x, y), size.width) && within(y, step_of(x, y), size.height))
                    all_.push_back({x, y});
    }

    std::vector<Point> parents(Point p) const {
        auto [x, y] = p;
        int step = step_of(x, y);
        std::vector<Point> list;
        if (step == top_) return list;
        bool centre = (x & step) != 0 && (y & step) != 0;
        for (auto [dx, dy] : {std::pair(-1, 0), {1, 0}, {0, -1}, {0, 1}}) {
            Point parent = centre ? Point(x + (dx + dy) * step, y + (dx - dy) * step)
                                  : Point(x + dx * step, y + dy * step);
            if (is_there(parent)) list.push_back(parent);
        }
        return list;
    }

    double given(double e, Point child, Point parent) const {
        double distance = std::hypot(child.first - parent.first, child.second - parent.second);
        double furthest = top_ / std::sqrt(2.0);
        double sign = interpolation_ > 0 ? 1 : interpolation_ < 0 ? -1 : 0;
        double fall = std::max(1 - distance / furthest, 0.0);
        return low_ + (e - low_) * (1 - sign * (1 - std::pow(fall, std::abs(interpolation_))));
    }

    // Heights of all points that are known or reached from known ones.
    std::map<Point, double> bottom_up(std::map<Point, double> heights) const {
        std::vector<Point> active;
        for (const auto& [point, height] : heights) active.push_back(point);
        while (!active.empty()) {
            std::map<Point, std::pair<double, int>> reached;
            for (Point child : active)
                for (Point parent : parents(child))
                    if (!heights.contains(parent)) {
                        reached[parent].first += given(heights[child], child, parent);
                        reached[parent].second++;
                    }
            active.clear();
            for (const auto& [point, sum] : reached) {
                heights[point] = sum.first / sum.second;
                active.push_back(point);
            }
        }
        return heights;
    }

    std::map<Point, double> top_down(std::map<Point, double> heights) const {
        for (int step = top_ / 2; step >= 1; step /= 2)
            for (bool centres : {true, false})
                for (Point p : all_) {
                    bool centre = (p.first & step) != 0 && (p.second & step) != 0;
                    if (step_of(p.first, p.second) != step || centre != centres || heights.contains(p))
                        continue;
                    double sum = 0;
                    for (Point parent : parents(p)) sum += heights.at(parent);
                    heights[p] = sum / double(parents(p).size());
                }
        return heights;
    }

  private:
    int step_of(int x, int y) const {
        int bits = x | y | top_;
        return bits & -bits;
    }
    static bool within(int x, int step, int count) { return x / step <= (count - 1 + step - 1) / step; }
    bool is_there(Point p) const {
        return p.first >= 0 && p.second >= 0 && p.first <= top_ && p.second <= top_ &&
               within(p.first, step_of(p.first, p.second), size_.width) &&
               within(p.second, step_of(p.first, p.second), size_.height);
    }

    Size size_;
    double interpolation_;
    double low_;
    int top_ = 1;
    std::vector<Point> all_;
};

std::map<Tree::Point, double> known_points(const Field& field) {
    std::map<Tree::Point, double> known;
    for (int y = 0; y < field.rect().bottom; y++)
        for (int x = 0; x < field.rect().right; x++)
            if (!is_missing(field.at(x, y))) known[{x, y}] = field.at(x, y);
    return known;
}

Terrain scattered_points(Size size, float share) {
    Terrain terrain = rough_terrain(size);
    terrain.set("height", made_field(terrain.rect(), [&](int x, int y) {
                    return scattered(x, y, 77) < share ? terrain.height().at(x, y) : missing;
                }));
    return terrain;
}

void expect_tree(const Terrain& input, const std::string& interpolation) {
    Size size = input.rect().size();
    SCOPED_TRACE(std::to_string(size.width) + "x" + std::to_string(size.height) + ", I " + interpolation);
    Tree tree(size, std::stod(interpolation), 0);
    auto reached = tree.bottom_up(known_points(input.height()));
    Field bottom_up =
        interpolated(input, {{"interpolation", interpolation}, {"only-bottom-up", "true"}}).height();
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++) {
            ASSERT_EQ(is_missing(bottom_up.at(x, y)), !reached.contains({x, y})) << x << "," << y;
            if (reached.contains({x, y})) {
                ASSERT_NEAR(bottom_up.at(x, y), reached.at({x, y}), 1e-3) << x << "," << y;
            }
        }
    auto all = tree.top_down(reached);
    Field filled = interpolated(input, {{"interpolation", interpolation}, {"scale", "0"}}).height();
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++)
            ASSERT_NEAR(filled.at(x, y), all.at({x, y}), 1e-3) << x << "," << y;
}

TEST(Interpolate, IsTheTreeOfThePaper) {
    for (Size size :
         {Size{9, 9}, Size{33, 33}, Size{67, 41}, Size{64, 64}, Size{20, 90}, Size{1, 37}, Size{50, 1}})
        for (const char* interpolation : {"0", "0.5", "2", "-0.5", "-2"}) {
            expect_tree(scattered_points(size, 0.1f), interpolation);
            if (testing::Test::HasFatalFailure()) return;
        }
}

const char* const four_points = "1,1,80 6,2,30 2,7,20 7,6,60";

TEST(Interpolate, FourKnownElevationsInANineByNineGrid) {
    Grid grid{Rect::of({9, 9}), 1, {0, 100}};
    Terrain input(grid);
    input.set("height", Field(grid.extent, missing));
    Field height = input.height();
    height.set(1, 1, 80);
    height.set(6, 2, 30);
    height.set(2, 7, 20);
    height.set(7, 6, 60);
    input.set("height", height);
    expect_tree(input, "0");
    // The points as a parameter, on a grid with nothing on it, come to the same.
    for (const char* part : {"true", "false"})
        EXPECT_TRUE(identical(
            interpolated(Terrain(grid), {{"points", four_points}, {"only-bottom-up", part}}).height(),
            interpolated(input, {{"only-bottom-up", part}}).height()));
    // By hand: (1, 1) is a centre of the last step, so it gives its height to the corners around it.
    Field reached = interpolated(input, {{"only-bottom-up", "true"}}).height();
    EXPECT_EQ(reached.at(0, 0), 80);
    EXPECT_EQ(reached.at(2, 2), 80);
    // (6, 2) is a centre of the step before, (2, 7) a middle of the last one.
    EXPECT_EQ(reached.at(8, 0), 30);
    EXPECT_EQ(reached.at(2, 8), 20);
    EXPECT_EQ(reached.at(1, 7), 20);
    // Of two waves the first counts: (4, 4) gets a height from (6, 2) before one comes by way of (2, 2).
    EXPECT_EQ(reached.at(4, 4), 30);
}

TEST(Interpolate, DeltaByHand) {
    // A square of three by three: the corner is 1 from the middle of a side, and furthest from the centre.
    Terrain input(Grid{Rect::of({3, 3}), 1, {10, 110}});
    auto corner = [&](int x, int y, const char* interpolation) {
        Field height(input.rect(), missing);
        height.set(x, y, 90);
        input.set("height", height);
        return interpolated(input, {{"interpolation", interpolation}, {"only-bottom-up", "true"}})
            .height()
            .at(0, 0);
    };
    double left = 1 - 1 / std::sqrt(2.0);
    EXPECT_NEAR(corner(1, 0, "1"), 10 + 80 * left, 1e-4);
    EXPECT_NEAR(corner(1, 0, "2"), 10 + 80 * left * left, 1e-4);
    EXPECT_NEAR(corner(1, 0, "-1"), 10 + 80 * (2 - left), 1e-4);
    EXPECT_EQ(corner(1, 0, "0"), 90);
    EXPECT_NEAR(corner(1, 1, "1"), 10, 1e-5);
    EXPECT_NEAR(corner(1, 1, "-1"), 170, 1e-4);
}

TEST(Interpolate, DisplacementsAreOfTheSizePrinted) {
    // Corners at 0: the centre is moved by (u + rt) rs, the centres of the next step by that and half of it.
    Terrain input(Grid{Rect::of({5, 5}), 1, {0, 100}});
    input.set("height",
              made_field(input.rect(), [](int x, int y) { return x % 4 == 0 && y % 4 == 0 ? 0 : missing; }));
    const int seeds = 2000;
    double sum = 0;
    double squares = 0;
    double next_squares = 0;
    for (int seed = 0; seed < seeds; seed++) {
        Field height = interpolated(input, {{"translate", "-0.25"},
                                            {"scale", "0.4"},
                                            {"roughness", "1"},
                                            {"seed", std::to_string(seed)}})
                           .height();
        double centre = height.at(2, 2);
        ASSERT_GE(centre, -10);
        ASSERT_LE(centre, 30);
        sum += centre;
        squares += (centre - 10) * (centre - 10);
        double mean = (0 + height.at(2, 2) + height.at(2, 0) + height.at(0, 2)) / 4.0;
        double next = height.at(1, 1) - mean;
        ASSERT_GE(next, -5.001);
        ASSERT_LE(next, 15.001);
        next_squares += (next - 5) * (next - 5);
    }
    EXPECT_NEAR(sum / seeds, 10, 0.9);
    EXPECT_NEAR(squares / seeds, 40 * 40 / 12.0, 8);
    EXPECT_NEAR(next_squares / seeds, 20 * 20 / 12.0, 2);
}

TEST(Interpolate, KnownCellsStayAndEveryFieldIsFilled) {
    for (Size size : {Size{67, 41}, Size{1, 37}, Size{53, 1}, Size{1, 1}, Size{2, 2}}) {
        Terrain input = rough_terrain(size, Holes::some);
        input.set("hardness", made_field(input.rect(), [&](int x, int y) {
                      return scattered(x, y, 5) < 0.8f ? missing : input.field("hardness").at(x, y);
                  }));
        input.set("solubility", Field(input.rect(), missing));
        Terrain result = interpolated(input, {{"scale", "3"}});
        for (const std::string& name : input.names())
            for (int y = 0; y < size.height; y++)
                for (int x = 0; x < size.width; x++) {
                    float before = input.field(name).at(x, y);
                    float after = result.field(name).at(x, y);
                    ASSERT_TRUE(std::isfinite(after)) << name;
                    if (!is_missing(before)) {
                        ASSERT_EQ(after, before);
                    }
                    if (name != "height") {
                        ASSERT_GE(after, 0);
                        ASSERT_LE(after, 1);
                    }
                }
    }
}

TEST(Interpolate, SameBitsOnEveryDeviceWithHoles) {
    // The contract runs it on an empty grid, since it needs no more.
    for (Size size : {Size{67, 41}, Size{1, 37}, Size{53, 1}, Size{701, 403}}) {
        Terrain input = scattered_points(size, 0.1f);
        Terrain expected = interpolated(input, {{"interpolation", "0.5"}});
        for (const NamedDevice& named : all_devices()) {
            RunContext context = on(named.device);
            Terrain result = run(*made_operation("interpolate", {{"interpolation", "0.5"}}), input, context);
            EXPECT_TRUE(identical(result.height(), expected.height())) << named.name;
        }
    }
}

TEST(Interpolate, MakesNewLandWithinReason) {
    Terrain made = interpolated(Terrain(Grid{Rect::of({300, 200}), 4, {0, 300}}), {});
    FieldStatistics s = statistics(made.height());
    EXPECT_EQ(s.missing, 0);
    EXPECT_GT(s.high - s.low, 60);
    EXPECT_GT(s.low, -300);
    EXPECT_LT(s.high, 600);
    EXPECT_EQ(made.names(), std::vector<std::string>{"height"});
}

TEST(Interpolate, TwiceTheResolutionIsTheSameLandFiner) {
    Terrain coarse = interpolated(Terrain(Grid{Rect::of({200, 150}), 8, {0, 300}}), {});
    Terrain fine = interpolated(Terrain(Grid{Rect::of({400, 300}), 4, {0, 300}}), {});
    for (int y = 0; y < 150; y++)
        for (int x = 0; x < 200; x++) ASSERT_EQ(fine.height().at(2 * x, 2 * y), coarse.height().at(x, y));
}

TEST(Interpolate, ASmallerGridIsTheCropOfALargerInTheSameSquare) {
    Terrain square = interpolated(Terrain(Grid{Rect::of({257, 257}), 8, {0, 300}}), {});
    for (Size size : {Size{256, 200}, Size{150, 255}, Size{130, 140}}) {
        Terrain part = interpolated(Terrain(Grid{Rect::of(size), 8, {0, 300}}), {});
        // Along the border a middle has one parent less, and the steps before see other borders.
        int same = 0;
        for (int y = 0; y < size.height; y++)
            for (int x = 0; x < size.width; x++)
                same += part.height().at(x, y) == square.height().at(x, y) ? 1 : 0;
        EXPECT_GT(same, size.cells() / 2);
    }
}

TEST(Interpolate, PointsOutsideTheLandAreRefused) {
    Grid grid{Rect::of({9, 9}), 1, {0, 100}};
    EXPECT_THROW(made_operation("interpolate", {{"points", "9,0,1"}})->check(grid), Error);
    EXPECT_THROW(made_operation("interpolate", {{"points", "nonsense"}})->check(grid), Error);
    EXPECT_THROW(made_operation("interpolate", {{"points-file", "/nowhere.csv"}}), Error);
    EXPECT_THROW(operation_with("interpolate", {{"points-file", "/nowhere.csv"}})->check(grid), Error);
}

}  // namespace
}  // namespace caprock::test

#include "operations/repair/slope_length.h"
#include "support/devices.h"
#include "support/operations.h"
#include "support/terrains.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <tbb/task_arena.h>

namespace caprock::test {
namespace {

Terrain filled(const Terrain& input, const Parameters& parameters, std::vector<std::string>* told = nullptr) {
    RunContext context = on_cpu();
    context.tell = [&](const std::string& message) {
        if (told) told->push_back(message);
    };
    return run(*made_operation("fill-holes", parameters), input, context);
}

template <typename Value>
Terrain land_of(Size size, const Value& value) {
    Terrain terrain(Grid{Rect::of(size), 1, {0, 300}});
    terrain.set("height", made_field(terrain.rect(), value));
    return terrain;
}

const char* const methods[] = {"harmonic", "biharmonic"};
const Parameters plate = {{"tension", "0"}};

TEST(FillHoles, FillsEverythingAndLeavesKnownCellsAlone) {
    for (const char* method : methods)
        for (Size size : {Size{67, 41}, Size{1, 37}, Size{53, 1}, Size{2, 2}, Size{300, 7}}) {
            SCOPED_TRACE(std::string(method) + " " + std::to_string(size.width) + "x" +
                         std::to_string(size.height));
            Terrain input = rough_terrain(size, Holes::some);
            input.set("hardness", made_field(input.rect(), [&](int x, int y) {
                          return is_hole(x + 5, y, Holes::some) ? missing : 0.5f * scattered(x, y, 3);
                      }));
            Terrain result = filled(input, {{"method", method}});
            for (const char* name : {"height", "hardness"})
                for (int y = 0; y < size.height; y++)
                    for (int x = 0; x < size.width; x++) {
                        float before = input.field(name).at(x, y);
                        float after = result.field(name).at(x, y);
                        ASSERT_TRUE(std::isfinite(after));
                        if (!is_missing(before)) {
                            ASSERT_EQ(after, before);
                        }
                    }
        }
}

TEST(FillHoles, OneFieldAlone) {
    Terrain input = rough_terrain({30, 20}, Holes::some);
    Terrain result = filled(input, {{"field", "hardness"}});
    EXPECT_TRUE(identical(result.height(), input.height()));
}

// Rough land with a large hole, and one at a corner.
bool in_a_hole(int x, int y) {
    return (x - 60) * (x - 60) + (y - 45) * (y - 45) < 900 || x + y < 25 || x % 13 == 5;
}

TEST(FillHoles, HarmonicIsTheMeanOfItsNeighboursAndWithinTheRim) {
    Terrain ground = rough_terrain({120, 90});
    Terrain input = land_of(
        {120, 90}, [&](int x, int y) { return in_a_hole(x, y) ? missing : ground.height().at(x, y); });
    Field result = filled(input, {{"method", "harmonic"}}).height();
    FieldStatistics known = statistics(input.height());
    FieldStatistics all = statistics(result);
    EXPECT_EQ(all.low, known.low);
    EXPECT_EQ(all.high, known.high);
    for (int y = 0; y < 90; y++)
        for (int x = 0; x < 120; x++) {
            if (!in_a_hole(x, y)) continue;
            double sum = 0;
            int count = 0;
            for (auto [dx, dy] : {std::pair(-1, 0), {1, 0}, {0, -1}, {0, 1}})
                if (result.rect().contains(x + dx, y + dy)) {
                    sum += result.at(x + dx, y + dy);
                    count++;
                }
            ASSERT_NEAR(result.at(x, y), sum / count, 1e-3) << x << "," << y;
        }
}

TEST(FillHoles, HarmonicFollowsASlopeAcrossALargeHole) {
    auto slope = [](int x, int y) { return 0.5f * float(x) + 0.25f * float(y); };
    Terrain input = land_of({700, 600}, [&](int x, int y) {
        bool hole = x > 20 && x < 690 && y > 5 && y < 580;
        return hole ? missing : slope(x, y);
    });
    Field result = filled(input, {{"method", "harmonic"}}).height();
    for (int y = 0; y < 600; y += 7)
        for (int x = 0; x < 700; x += 7) ASSERT_NEAR(result.at(x, y), slope(x, y), 2e-3) << x << "," << y;
}

TEST(FillHoles, BiharmonicContinuesPlanesAndQuadrics) {
    auto plane = [](double x, double y) { return 0.5 * x - 0.25 * y + 40; };
    auto quadric = [](double x, double y) {
        return 0.002 * x * x - 0.001 * y * y + 0.0015 * x * y + 0.1 * y;
    };
    auto bowl = [](double x, double y) { return 0.001 * (x * x + y * y); };
    auto near = [](const std::function<double(double, double)>& shape, const char* name) {
        SCOPED_TRACE(name);
        Terrain input = land_of({200, 160}, [&](int x, int y) {
            return in_a_hole(x - 40, y - 30) && x > 2 && y > 2 && x < 195 && y < 155 ? missing
                                                                                     : float(shape(x, y));
        });
        Field result = filled(input, plate).height();
        for (int y = 0; y < 160; y++)
            for (int x = 0; x < 200; x++) ASSERT_NEAR(result.at(x, y), shape(x, y), 1e-3) << x << "," << y;
    };
    near(plane, "plane");
    near(quadric, "quadric");
    near(bowl, "bowl");
}

TEST(FillHoles, BiharmonicContinuesAPlaneToTheBorder) {
    auto plane = [](int x, int y) { return 0.5f * float(x) - 0.25f * float(y) + 40; };
    Terrain input =
        land_of({90, 70}, [&](int x, int y) { return x + y > 110 || x < 10 ? missing : plane(x, y); });
    Field result = filled(input, plate).height();
    for (int y = 0; y < 70; y++)
        for (int x = 0; x < 90; x++) ASSERT_NEAR(result.at(x, y), plane(x, y), 1e-2) << x << "," << y;
}

// The plate's energy in doubles: squared second differences, where all their cells are there; and the skin's.
double energy(const Field& f, double skin) {
    const Rect& rect = f.rect();
    auto u = [&](int x, int y) { return double(f.at(x, y)); };
    double sum = 0;
    for (int y = 0; y < rect.bottom; y++)
        for (int x = 0; x < rect.right; x++) {
            if (x > 0 && x + 1 < rect.right) sum += std::pow(u(x - 1, y) - 2 * u(x, y) + u(x + 1, y), 2);
            if (y > 0 && y + 1 < rect.bottom) sum += std::pow(u(x, y - 1) - 2 * u(x, y) + u(x, y + 1), 2);
            if (x + 1 < rect.right && y + 1 < rect.bottom)
                sum += 2 * std::pow(u(x, y) - u(x + 1, y) - u(x, y + 1) + u(x + 1, y + 1), 2);
            if (x + 1 < rect.right) sum += skin * std::pow(u(x, y) - u(x + 1, y), 2);
            if (y + 1 < rect.bottom) sum += skin * std::pow(u(x, y) - u(x, y + 1), 2);
        }
    return sum;
}

TEST(FillHoles, BiharmonicHasTheLeastEnergy) {
    for (Size size : {Size{33, 21}, Size{40, 1}, Size{1, 25}})
        for (double tension : {0.0, 0.5, 0.97}) {
            SCOPED_TRACE(tension);
            Terrain input = rough_terrain(size, Holes::some);
            double length = slope_length(input.height(), 0);
            double skin = tension / ((1 - tension) * length * length);
            Field result = filled(input, {{"tension", std::to_string(tension)}}).height();
            double least = energy(result, skin);
            for (int y = 0; y < size.height; y++)
                for (int x = 0; x < size.width; x++) {
                    if (!is_missing(input.height().at(x, y))) continue;
                    for (float by : {-0.02f, 0.02f}) {
                        Field moved = result.copied();
                        moved.set(x, y, moved.at(x, y) + by);
                        ASSERT_GT(energy(moved, skin), least) << x << "," << y;
                    }
                }
        }
}

// Steep waves, of which half is missing out to the border: the worst that can happen to a plate.
Terrain waves_to_the_border(int scale) {
    return land_of({240 * scale, 160 * scale}, [&](int x, int y) {
        double u = double(x) / scale;
        double v = double(y) / scale;
        return u > 120 ? missing : float(100 * std::sin(u / 12) + 60 * std::cos(v / 15 + u / 40));
    });
}

double beyond(const Terrain& before, const Terrain& after) {
    FieldStatistics known = statistics(before.height());
    FieldStatistics all = statistics(after.height());
    return std::max({0.0, double(known.low) - double(all.low), double(all.high) - double(known.high)});
}

TEST(FillHoles, TensionKeepsAHoleAtTheBorderInRange) {
    Terrain input = waves_to_the_border(1);
    double last = 1e30;
    for (const char* tension : {"0", "0.1", "0.5", "1"}) {
        double now = beyond(input, filled(input, {{"tension", tension}}));
        EXPECT_LE(now, last) << tension;
        last = now;
    }
    double loose = beyond(input, filled(input, plate));
    EXPECT_GT(loose, 100);
    EXPECT_LT(beyond(input, filled(input, {})), loose / 10);
    EXPECT_EQ(last, 0);
}

TEST(FillHoles, FullTensionIsHarmonic) {
    Terrain input = rough_terrain({90, 70}, Holes::some);
    EXPECT_TRUE(identical(filled(input, {{"tension", "1"}}).height(),
                          filled(input, {{"method", "harmonic"}}).height()));
}

TEST(FillHoles, TensionDoesNotDependOnTheCells) {
    Field coarse = filled(waves_to_the_border(1), {}).height();
    Field fine = filled(waves_to_the_border(2), {}).height();
    double worst = 0;
    for (int y = 1; y < 159; y++)
        for (int x = 1; x < 239; x++)
            worst = std::max(worst, std::abs(double(coarse.at(x, y)) - double(fine.at(2 * x, 2 * y))));
    EXPECT_LT(worst, 6);  // of 320
}

// Progress is told by whoever works, from within the threads it works on.
TEST(FillHoles, KeepsToTheThreadsItIsGiven) {
    Terrain input = rough_terrain({500, 400}, Holes::some);
    for (int threads : {1, 3}) {
        std::set<int> seen;
        Progress progress([&](double share) {
            if (share < 1) seen.insert(tbb::this_task_arena::max_concurrency());
        });
        RunContext context{make_cpu_device(supported_cpu_levels().back(), threads), &progress, {}};
        run(*made_operation("fill-holes", {}), input, context);
        EXPECT_EQ(seen, std::set<int>{threads});
    }
}

TEST(FillHoles, AHoleInsideARingOfHoles) {
    auto plane = [](int x, int y) { return 0.5f * float(x) - 0.25f * float(y) + 90; };
    for (const char* method : methods) {
        Terrain input = land_of({500, 480}, [&](int x, int y) {
            double distance = std::hypot(x - 250, y - 240);
            return distance < 12 || std::abs(distance - 200) < 9 || x + y < 12 ? missing : plane(x, y);
        });
        Field result = filled(input, {{"method", method}}).height();
        for (int y = 0; y < 480; y++)
            for (int x = 12; x < 500; x++) ASSERT_NEAR(result.at(x, y), plane(x, y), 2e-3) << x << "," << y;
    }
}

TEST(FillHoles, AThousandCellsWide) {
    auto quadric = [](double x, double y) { return 1e-4 * (x * x + 0.5 * y * y - x * y) + 0.1 * x; };
    Terrain input = land_of({1100, 900}, [&](int x, int y) {
        bool hole = x > 20 && x < 1080 && y > 15 && y < 880;
        return hole ? missing : float(quadric(x, y));
    });
    Field result = filled(input, plate).height();
    for (int y = 0; y < 900; y += 7)
        for (int x = 0; x < 1100; x += 7) ASSERT_NEAR(result.at(x, y), quadric(x, y), 0.05) << x << "," << y;
}

TEST(FillHoles, OneKnownCellIsEnoughForALevel) {
    for (const char* method : methods) {
        Terrain input = land_of({20, 30}, [](int x, int y) { return x == 7 && y == 19 ? 12.5f : missing; });
        EXPECT_TRUE(identical(filled(input, {{"method", method}}).height(), Field(input.rect(), 12.5f)));
    }
}

TEST(FillHoles, TwoKnownCells) {
    for (const char* method : methods) {
        Terrain input = land_of({40, 30}, [](int x, int y) {
            return x == 7 && y == 19 ? 10.0f : x == 30 && y == 4 ? 20.0f : missing;
        });
        FieldStatistics s = statistics(filled(input, {{"method", method}}).height());
        EXPECT_GT(s.low, -20);
        EXPECT_LT(s.high, 50);
    }
}

TEST(FillHoles, NothingKnownStaysMissingAndIsSaid) {
    Terrain input = rough_terrain({20, 30}, Holes::all);
    std::vector<std::string> told;
    Terrain result = filled(input, {}, &told);
    EXPECT_TRUE(identical(result.height(), input.height()));
    ASSERT_EQ(told.size(), 1u);
    EXPECT_NE(told[0].find("'height' has no known cell"), std::string::npos) << told[0];
}

TEST(FillHoles, InfiniteCellsAreNoRim) {
    Terrain input = land_of({20, 10}, [](int x, int) {
        return x == 9 ? missing : x == 10 ? std::numeric_limits<float>::infinity() : float(x);
    });
    Field result = filled(input, {{"method", "harmonic"}}).height();
    EXPECT_NEAR(result.at(9, 5), 9, 1e-3);
    EXPECT_TRUE(std::isinf(result.at(10, 5)));
}

}  // namespace
}  // namespace caprock::test

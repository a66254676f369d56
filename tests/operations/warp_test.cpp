// Warping against the same map in double precision, and what it keeps.
#include "support/devices.h"
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain warped(const Terrain& input, const Parameters& parameters) {
    return applied("warp", parameters, input);
}

struct Circle {
    double x, y, radius, move_x, move_y, pinch, twirl;  // metres and degrees

    Parameters parameters() const {
        return {{"x", std::to_string(x)},           {"y", std::to_string(y)},
                {"radius", std::to_string(radius)}, {"move-x", std::to_string(move_x)},
                {"move-y", std::to_string(move_y)}, {"pinch", std::to_string(pinch)},
                {"twirl", std::to_string(twirl)}};
    }
    // Where the land at a place comes from.
    std::pair<double, double> source(double px, double py) const {
        double dx = px - x;
        double dy = py - y;
        double inside = 1 - (dx * dx + dy * dy) / (radius * radius);
        double fade = inside > 0 ? inside * inside : 0;
        double angle = twirl * 3.14159265358979323846 / 180 * fade;
        double grown = 1 + pinch * fade;
        return {x + grown * (dx * std::cos(angle) + dy * std::sin(angle)) - fade * move_x,
                y + grown * (dy * std::cos(angle) - dx * std::sin(angle)) - fade * move_y};
    }
};

double cubic(double a, double b, double c, double d, double t) {
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

// Catmull-Rom; bilinear beside missing cells; the cell's own value where that is missing too.
double sampled(const Field& field, double x, double y, float own) {
    const Rect& rect = field.rect();
    int left = int(std::floor(x));
    int top = int(std::floor(y));
    auto at = [&](int i, int j) {
        return double(field.at(std::clamp(left + i, rect.left, rect.right - 1),
                               std::clamp(top + j, rect.top, rect.bottom - 1)));
    };
    double rows[4];
    for (int j = 0; j < 4; j++)
        rows[j] = cubic(at(-1, j - 1), at(0, j - 1), at(1, j - 1), at(2, j - 1), x - left);
    double value = cubic(rows[0], rows[1], rows[2], rows[3], y - top);
    if (!std::isnan(value)) return value;
    double above = at(0, 0) + (at(1, 0) - at(0, 0)) * (x - left);
    double below = at(0, 1) + (at(1, 1) - at(0, 1)) * (x - left);
    value = above + (below - above) * (y - top);
    return std::isnan(value) ? double(own) : value;
}

const std::vector<Circle> circles = {
    {120, 100, 80, 30, -12, 0, 0}, {120, 100, 80, 0, 0, 0.7, 0},         {120, 100, 80, 0, 0, -1, 0},
    {120, 100, 80, 0, 0, 0, 135},  {121.3, 98.7, 90, 20, 20, 0.5, -200}, {10, 190, 130, -40, 60, -0.4, 60},
};

TEST(Warp, TakesLandFromWhereTheMapSays) {
    for (Holes holes : {Holes::none, Holes::some}) {
        Terrain input(Grid{Rect::of({131, 103}), 2, {0, 300}});
        input.set("height", made_field(input.rect(), [&](int x, int y) {
                      if (is_hole(x, y, holes)) return missing;
                      return 100 + 30 * std::sin(float(x) * 0.2f) + 20 * std::cos(float(y) * 0.13f + 1);
                  }));
        for (const Circle& circle : circles) {
            Terrain output = warped(input, circle.parameters());
            int far_off = 0;
            for (int y = 0; y < 103; y++)
                for (int x = 0; x < 131; x++) {
                    float before = input.height().at(x, y);
                    float after = output.height().at(x, y);
                    ASSERT_EQ(is_missing(before), is_missing(after)) << x << "," << y;
                    if (is_missing(before)) continue;
                    auto [from_x, from_y] = circle.source(2.0 * x, 2.0 * y);
                    double expected = sampled(input.height(), from_x / 2, from_y / 2, before);
                    // Beside a hole a rounding may decide which four cells are looked at.
                    if (std::fabs(double(after) - expected) > 2e-3) far_off++;
                }
            EXPECT_LE(far_off, holes == Holes::none ? 0 : 2);
        }
    }
}

TEST(Warp, OutsideTheCircleNoBitChanges) {
    Terrain input = rough_terrain({131, 103}, Holes::some, 2);
    for (const Circle& circle : circles) {
        Terrain output = warped(input, circle.parameters());
        for (int y = 0; y < 103; y++)
            for (int x = 0; x < 131; x++) {
                double dx = 2.0 * x - circle.x;
                double dy = 2.0 * y - circle.y;
                if (is_missing(input.height().at(x, y)) || dx * dx + dy * dy < circle.radius * circle.radius)
                    continue;
                ASSERT_EQ(output.height().at(x, y), input.height().at(x, y)) << x << "," << y;
            }
    }
}

TEST(Warp, AMoveBringsTheHillAlong) {
    Terrain input(Grid{Rect::of({201, 201}), 5, {0, 300}});
    input.set("height", made_field(input.rect(), [](int x, int y) {
                  return 100 * std::exp(-float((x - 90) * (x - 90) + (y - 100) * (y - 100)) / 50);
              }));
    Terrain output = warped(input, {{"x", "500"}, {"y", "500"}, {"radius", "250"}, {"move-x", "50"}});
    EXPECT_NEAR(output.height().at(100, 100), 100, 1e-3);
}

TEST(Warp, PinchesTowardsTheMiddleAndTwirlsClockwise) {
    Terrain input(Grid{Rect::of({201, 201}), 5, {0, 300}});
    // A hill north of the middle.
    input.set("height", made_field(input.rect(), [](int x, int y) {
                  return 100 * std::exp(-float((x - 100) * (x - 100) + (y - 85) * (y - 85)) / 30);
              }));
    auto highest = [](const Terrain& terrain) {
        std::pair<int, int> best{0, 0};
        for (int y = 0; y < 201; y++)
            for (int x = 0; x < 201; x++)
                if (terrain.height().at(x, y) > terrain.height().at(best.first, best.second)) best = {x, y};
        return best;
    };
    const Parameters circle = {{"x", "500"}, {"y", "500"}, {"radius", "400"}};
    auto with = [&](const char* name, const char* value) {
        Parameters parameters = circle;
        parameters.emplace_back(name, value);
        return highest(warped(input, parameters));
    };
    EXPECT_GT(with("pinch", "0.8").second, 88);
    EXPECT_LT(with("pinch", "-0.8").second, 82);
    // To the east, a quarter of a turn and what has faded of it.
    EXPECT_GT(with("twirl", "90").first, 112);
    EXPECT_LT(with("twirl", "-90").first, 88);
}

TEST(Warp, NeverFoldsTheLand) {
    // A ramp to the east stays a ramp along the line through the middle, whatever is asked for.
    Terrain input(Grid{Rect::of({301, 3}), 2, {0, 1000}});
    input.set("height", made_field(input.rect(), [](int x, int) { return float(x); }));
    for (const auto& [name, value] : Parameters{{"move-x", "90"},
                                                {"move-x", "100000"},
                                                {"move-x", "-100000"},
                                                {"pinch", "1"},
                                                {"pinch", "-1"}}) {
        Terrain output = warped(input, {{"x", "300"}, {"y", "2"}, {"radius", "160"}, {name, value}});
        for (int x = 1; x < 301; x++)
            ASSERT_GE(output.height().at(x, 1), output.height().at(x - 1, 1) - 1e-3f) << name << " " << value;
    }
}

TEST(Warp, SameBitsOnEveryDeviceAndInEveryTile) {
    // Without parameters nothing is moved, so the contract's tests see little of it.
    for (Holes holes : {Holes::none, Holes::some}) {
        Terrain input = rough_terrain({131, 103}, holes, 2);
        for (const Circle& circle : circles) {
            auto operation = made_operation("warp", circle.parameters());
            RunContext reference = on(make_cpu_device(CpuLevel::portable, 1));
            Terrain whole = run(*operation, input, reference);
            for (const NamedDevice& named : all_devices()) {
                RunContext context = on(named.device);
                EXPECT_TRUE(identical(run(*operation, input, context).height(), whole.height()))
                    << named.name;
            }
            for (int top = 0; top < 103; top += 17)
                for (int left = 0; left < 131; left += 13) {
                    Rect region = Rect{left, top, left + 13, top + 17}.intersected(input.rect());
                    Terrain part = evaluate(*operation, input, region, reference);
                    ASSERT_TRUE(identical(part.height(), whole.height().cropped(region)));
                }
        }
    }
}

TEST(Warp, FarOutsideOrWithoutRadiusNothingHappens) {
    Terrain input = rough_terrain({40, 30}, Holes::some);
    for (const Parameters& parameters : {Parameters{{"x", "9000000"}, {"pinch", "1"}}, Parameters{},
                                         Parameters{{"radius", "0"}, {"twirl", "90"}}})
        EXPECT_TRUE(identical(warped(input, parameters).height(), input.height()));
}

}  // namespace
}  // namespace caprock::test

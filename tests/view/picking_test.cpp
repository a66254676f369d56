// Picking against looking at every triangle.
#include "view/picking.h"

#include "base/random.h"
#include "support/fields.h"
#include "support/grids.h"
#include "support/numbers.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

namespace caprock::test {
namespace {

using Real = long double;

struct Point {
    Real x, y, z;
};
Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Real inner(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Point outer(const Point& a, const Point& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// The distance at which a ray meets a triangle that is larger by a margin (Moeller and Trumbore).
double met(const Ray& ray, const Point& a, const Point& b, const Point& c, Real margin) {
    Point along = b - a, across = c - a;
    Point direction{ray.direction.x, ray.direction.y, ray.direction.z};
    Point normal = outer(direction, across);
    Real determinant = inner(along, normal);
    if (determinant == 0) return infinity;
    Point from = Point{ray.from.x, ray.from.y, ray.from.z} - a;
    Real u = inner(from, normal) / determinant;
    Point turned = outer(from, along);
    Real v = inner(direction, turned) / determinant;
    Real t = inner(across, turned) / determinant;
    return u >= -margin && v >= -margin && u + v <= 1 + margin && t >= -margin ? double(t) : infinity;
}

double first_met(const Field& field, double cell, const Ray& ray, Real margin) {
    const Rect& rect = field.rect();
    Field::Rows rows = field.rows();
    auto sample = [&](int x, int y) { return Point{Real(x) * cell, Real(y) * cell, rows[y][x - rect.left]}; };
    auto known = [](const Point& point) { return std::fabs(point.z) < 1e30L; };
    double nearest = infinity;
    for (int y = rect.top; y + 1 < rect.bottom; y++)
        for (int x = rect.left; x + 1 < rect.right; x++) {
            Point a = sample(x, y), b = sample(x + 1, y), c = sample(x, y + 1), d = sample(x + 1, y + 1);
            if (!known(a) || !known(b) || !known(c) || !known(d)) continue;
            nearest = std::min({nearest, met(ray, a, b, d, margin), met(ray, a, d, c, margin)});
        }
    return nearest;
}

// A ray that passes within a hair of a border is met or not as numbers are rounded: the truth lies between triangles
// that are a hair smaller and a hair larger. All others have one distance.
struct Count {
    int hits = 0;
    int misses = 0;
    int unsure = 0;
};

void compare(const Field& field, const Grid& grid, const RangePyramid& ranges, const Ray& ray, Count& count) {
    double cell = grid.cell;
    double smaller = first_met(field, cell, ray, -1e-9L);
    double larger = first_met(field, cell, ray, 1e-9L);
    std::optional<Hit> hit = pick(field, grid, ranges, ray);
    double distance = hit ? hit->distance : infinity;
    double hair = 1e-6 * cell + 1e-9 * length(ray.from);
    ASSERT_GE(distance, larger - hair);
    if (smaller < infinity) {
        ASSERT_LE(distance, smaller + hair);
    }
    count.unsure += smaller != larger;
    hit ? count.hits++ : count.misses++;
    if (!hit) return;
    Vector3 there = ray.at(hit->distance);
    EXPECT_LT(length(there - hit->position), hair);
    EXPECT_TRUE(field.rect().contains(hit->cell_x, hit->cell_y));
    // The nearest sample.
    EXPECT_LE(std::abs(hit->position.x - hit->cell_x * cell), cell / 2 + hair);
    EXPECT_LE(std::abs(hit->position.y - hit->cell_y * cell), cell / 2 + hair);
}

constexpr RandomNumbers ray_number{11};

Vector3 any_direction(uint32_t i) {
    for (uint32_t again = 0;; again++) {
        Vector3 way{ray_number(i, 50 + again * 3, -1, 1), ray_number(i, 51 + again * 3, -1, 1),
                    ray_number(i, 52 + again * 3, -1, 1)};
        if (length(way) < 1 && length(way) > 0.1) return normalised(way);
    }
}

struct PickedLand {
    Field field;
    double cell;
    Grid grid;
    RangePyramid ranges;
    Box box;

    PickedLand(const Rect& rect, double metres, const std::function<float(int, int)>& height)
        : field(made_field(rect, height)), cell(metres), grid(grid_of(metres)), ranges(field) {
        box = bounds(ranges, grid).value();
    }
    // Within the box, or so many times its size around it.
    Vector3 place(uint32_t i, uint32_t purpose, double around) const {
        Vector3 size = box.most - box.least;
        size.z = std::max(size.z, cell);  // a ray within flat ground meets all of it or nothing
        auto along = [&](uint32_t axis, double least, double size) {
            return ray_number(i, purpose + axis, least - around * size, least + (1 + around) * size);
        };
        return {along(0, box.least.x, size.x), along(1, box.least.y, size.y), along(2, box.least.z, size.z)};
    }
};

// Needles, hills, and both with holes.
float needles(int x, int y) { return float(unit(hashed(1, uint32_t(x) * 7919u + uint32_t(y), 2)) * 60); }
float gentle_hills(int x, int y) {
    return 300 + 80 * std::sin(float(x) * 0.2f) * std::cos(float(y) * 0.15f) + 0.05f * needles(x, y);
}
float holed(int x, int y) {
    if (hashed(2, uint32_t(x) * 7919u + uint32_t(y), 3) % 12 == 0) return missing;
    return x / 9 % 3 == 1 && y / 9 % 3 == 1 ? missing : needles(x, y);
}

std::vector<PickedLand> picked_lands() {
    std::vector<PickedLand> all;
    all.emplace_back(Rect{0, 0, 40, 33}, 8, needles);
    all.emplace_back(Rect{0, 0, 37, 51}, 8, holed);
    all.emplace_back(Rect{0, 0, 65, 48}, 10, gentle_hills);
    all.emplace_back(Rect{1000000, -2000000, 1000029, -1999974}, 3.5, needles);
    all.emplace_back(Rect{-15, -9, 18, 23}, 0.25, holed);
    all.emplace_back(Rect{0, 0, 2, 2}, 1, needles);
    all.emplace_back(Rect{5, 5, 7, 80}, 30, gentle_hills);
    all.emplace_back(Rect{0, 0, 17, 9}, 1000, [](int, int) { return 12.5f; });
    return all;
}

TEST(Picking, RaysFromAnywhere) {
    Count count;
    uint32_t scene_number = 0;
    for (const PickedLand& scene : picked_lands()) {
        scene_number++;
        for (uint32_t n = 0; n < 700; n++) {
            uint32_t i = scene_number * 10000 + n;
            // Half of them at something, half anywhere; from within the box and from far outside, above and below.
            Vector3 from = scene.place(i, 10, n % 3 == 0 ? 0.1 : (n % 3 == 1 ? 3 : 100));
            Vector3 way = n % 2 ? any_direction(i) : normalised(scene.place(i, 20, 0) - from);
            compare(scene.field, scene.grid, scene.ranges, {from, way}, count);
            if (HasFatalFailure()) FAIL() << scene_number << ", ray " << n;
        }
    }
    EXPECT_GT(count.hits, 2000);
    EXPECT_GT(count.misses, 1000);
    EXPECT_LT(count.unsure, 20);
}

TEST(Picking, GrazingRays) {
    Count count;
    uint32_t scene_number = 0;
    for (const PickedLand& scene : picked_lands()) {
        scene_number++;
        for (uint32_t n = 0; n < 300; n++) {
            uint32_t i = scene_number * 10000 + n;
            Vector3 from = scene.place(i, 10, 2), to = scene.place(i, 20, 0);
            from.z = to.z + ray_number(i, 30, -0.01, 0.01) * length(from - to);
            compare(scene.field, scene.grid, scene.ranges, {from, normalised(to - from)}, count);
            if (HasFatalFailure()) FAIL() << scene_number << ", ray " << n;
        }
    }
    EXPECT_GT(count.hits, 700);
    EXPECT_LT(count.unsure, 20);
}

TEST(Picking, RaysAlongTheAxes) {
    Count count;
    uint32_t scene_number = 0;
    for (const PickedLand& scene : picked_lands()) {
        scene_number++;
        for (uint32_t n = 0; n < 360; n++) {
            Vector3 from = scene.place(scene_number * 10000 + n, 10, 0.3);
            // Those along x and y and level ones on the diagonal, at every height; vertical ones both ways.
            const Vector3 ways[] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},  {0, -1, 0},     {0, 0, 1},
                                    {0, 0, -1}, {1, 1, 0},  {1, -1, 0}, {-0.6, 0, -0.8}};
            compare(scene.field, scene.grid, scene.ranges, {from, normalised(ways[n % 9])}, count);
            if (HasFatalFailure()) FAIL() << scene_number << ", ray " << n;
        }
    }
    EXPECT_GT(count.hits, 400);
    EXPECT_GT(count.misses, 700);
    EXPECT_LT(count.unsure, 20);
}

// Straight at samples, at places on edges and on cuts: no ray goes through between the triangles.
TEST(Picking, NothingSlipsThrough) {
    uint32_t scene_number = 0;
    for (const PickedLand& scene : picked_lands()) {
        scene_number++;
        const Rect& rect = scene.field.rect();
        double hair = 1e-7 * scene.cell + 1e-9 * length(scene.box.most);
        int aimed = 0;
        for (uint32_t n = 0; n < 6000; n++) {
            uint32_t i = scene_number * 10000 + n;
            int x = int(ray_number(i, 1, rect.left, rect.right - 1)),
                y = int(ray_number(i, 2, rect.top, rect.bottom - 1));
            // Inside the surface, with no hole and no border around.
            bool inside = true;
            for (int dy = -1; dy <= 2; dy++)
                for (int dx = -1; dx <= 2; dx++)
                    inside = inside && rect.contains(x + dx, y + dy) &&
                             !is_missing(scene.field.at(x + dx, y + dy));
            if (!inside) continue;
            int kind = int(n % 4);
            double along = ray_number(i, 3, 0, 1);
            double u = kind == 0 || kind == 2 ? 0 : along, v = kind == 0 || kind == 1 ? 0 : along;
            double a = scene.field.at(x, y);
            double b = scene.field.at(x + (u > 0), y + (v > 0));
            Vector3 target{(x + u) * scene.cell, (y + v) * scene.cell, a + (b - a) * along};
            if (kind == 0) target.z = a;
            Vector3 from = scene.place(i, 10, 2);
            if (n % 5 == 0) {  // from straight above or below, and along the grid's lines
                from.x = target.x;
                if (n % 2) from.y = target.y;
            }
            from.z = n % 3 ? scene.box.most.z + 50 : scene.box.least.z - 50;
            Ray ray{from, normalised(target - from)};
            // Those that only touch a ridge may as well pass it. The others change sides at the target, so they have
            // met the surface there or before.
            auto side = [&](double distance) {
                Vector3 there = ray.at(distance);
                return there.z - height_at(scene.field, scene.grid, there.x, there.y).value();
            };
            double near = 1e-3 * scene.cell, distance = length(target - from);
            if (side(distance - near) * side(distance + near) >= 0) continue;
            std::optional<Hit> hit = pick(scene.field, scene.grid, scene.ranges, ray);
            ASSERT_TRUE(hit) << scene_number << ", ray " << n;
            ASSERT_LE(hit->distance, distance + hair) << scene_number << ", ray " << n;
            aimed++;
        }
        if (rect.width() > 10 && scene_number != 2 && scene_number != 5) {
            EXPECT_GT(aimed, 2000) << scene_number;
        }
    }
}

TEST(Picking, ByHand) {
    // The sample of cell (1, 1) is a summit of 10, at 4 metres.
    Grid grid = grid_of(4);
    Field field(Rect{0, 0, 3, 3}, 0.0f);
    field.set(1, 1, 10);
    RangePyramid ranges(field);
    std::optional<Hit> hit = pick(field, grid, ranges, {{4, 4, 100}, {0, 0, -1}});
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->position, (Vector3{4, 4, 10}));
    EXPECT_EQ(hit->distance, 90);
    EXPECT_EQ(hit->cell_x, 1);
    EXPECT_EQ(hit->cell_y, 1);
    // From below, on the cut from the summit to the last sample, half way.
    hit = pick(field, grid, ranges, {{6, 6, -20}, {0, 0, 1}});
    ASSERT_TRUE(hit);
    EXPECT_DOUBLE_EQ(hit->position.z, 5);
    // Beside the cut from (1, 0) to (2, 1): the triangle of three samples at 0 is flat.
    EXPECT_EQ(height_at(field, grid, 7, 1), 0.0);
    // From the summit to (2, 0) goes no cut: half way it is lower than the mean of the two.
    EXPECT_EQ(height_at(field, grid, 6, 2), 0.0);
    EXPECT_EQ(height_at(field, grid, 6, 4), 5.0);
    // A ray that begins on the surface meets it there, and one away from it meets nothing.
    hit = pick(field, grid, ranges, {{4, 4, 10}, {0, 0, 1}});
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->distance, 0);
    EXPECT_FALSE(pick(field, grid, ranges, {{4, 4, 10.5}, {0, 0, 1}}));
    // Beyond the outermost samples there is no surface, although their pixels go on.
    EXPECT_TRUE(pick(field, grid, ranges, {{0, 0, 100}, {0, 0, -1}}));
    EXPECT_FALSE(pick(field, grid, ranges, {{-0.001, 0, 100}, {0, 0, -1}}));
    EXPECT_TRUE(pick(field, grid, ranges, {{8, 8, 100}, {0, 0, -1}}));
    EXPECT_FALSE(pick(field, grid, ranges, {{8, 8.001, 100}, {0, 0, -1}}));
}

TEST(Picking, WhereThereAreNoQuadsThereIsNothingToMeet) {
    for (Rect rect : {Rect{0, 0, 1, 50}, Rect{0, 0, 50, 1}, Rect{3, 3, 4, 4}}) {
        Field field(rect, 5.0f);
        RangePyramid ranges(field);
        EXPECT_FALSE(
            pick(field, grid_of(1), ranges, {{double(rect.left), double(rect.top), 10}, {0, 0, -1}}));
        EXPECT_FALSE(height_at(field, grid_of(1), rect.left, rect.top));
    }
    EXPECT_FALSE(pick(Field(), grid_of(1), RangePyramid(), {{0, 0, 10}, {0, 0, -1}}));
    Field lost(Rect{0, 0, 20, 20}, missing);
    EXPECT_FALSE(pick(lost, grid_of(1), RangePyramid(lost), {{5, 5, 10}, {0, 0, -1}}));
}

TEST(Picking, StrangeRaysMeetNothing) {
    Field field(Rect{0, 0, 20, 20}, 5.0f);
    RangePyramid ranges(field);
    double none = std::nan("");
    EXPECT_FALSE(pick(field, grid_of(1), ranges, {{5, 5, 10}, {0, 0, 0}}));
    EXPECT_FALSE(pick(field, grid_of(1), ranges, {{5, 5, 5}, {0, 0, 0}}));
    EXPECT_FALSE(pick(field, grid_of(1), ranges, {{none, 5, 10}, {0, 0, -1}}));
    EXPECT_FALSE(pick(field, grid_of(1), ranges, {{5, 5, 10}, {0, none, -1}}));
    EXPECT_FALSE(pick(field, grid_of(1), ranges, {{5, 5, infinity}, {0, 0, -1}}));
    // As good as vertical, and as good as level.
    std::optional<Hit> hit = pick(field, grid_of(1), ranges, {{5, 5, 10}, {1e-310, -1e-200, -1}});
    ASSERT_TRUE(hit);
    EXPECT_DOUBLE_EQ(hit->distance, 5);
    EXPECT_FALSE(pick(field, grid_of(1), ranges, {{5, 5, 10}, {1, 0, -1e-310}}));
    hit = pick(field, grid_of(1), ranges, {{-5, 5, 5}, {1, 0, -1e-310}});
    ASSERT_TRUE(hit);
    EXPECT_DOUBLE_EQ(hit->position.x, 0);
}

TEST(Picking, TheHeightIsWhereAVerticalRayMeets) {
    uint32_t scene_number = 0;
    int known = 0, unknown = 0;
    for (const PickedLand& scene : picked_lands()) {
        scene_number++;
        for (uint32_t n = 0; n < 1000; n++) {
            Vector3 place = scene.place(scene_number * 10000 + n, 10, 0.05);
            place.z = scene.box.most.z + 10;
            std::optional<Hit> hit = pick(scene.field, scene.grid, scene.ranges, {place, {0, 0, -1}});
            std::optional<double> height = height_at(scene.field, scene.grid, place.x, place.y);
            ASSERT_EQ(hit.has_value(), height.has_value());
            (hit ? known : unknown)++;
            if (hit) {
                ASSERT_NEAR(hit->position.z, *height, 1e-9);
            }
        }
    }
    EXPECT_GT(known, 3000);
    EXPECT_GT(unknown, 1000);
}

TEST(Picking, HeightsAtSamplesAreTheSamples) {
    for (const PickedLand& scene : picked_lands()) {
        const Rect& rect = scene.field.rect();
        for (int y = rect.top; y < rect.bottom; y++)
            for (int x = rect.left; x < rect.right; x++) {
                std::optional<double> height =
                    height_at(scene.field, scene.grid, x * scene.cell, y * scene.cell);
                // Beside a hole too, as long as one of its quads is whole.
                bool drawn = false;
                for (int dy : {-1, 0})
                    for (int dx : {-1, 0}) {
                        Rect quad{x + dx, y + dy, x + dx + 2, y + dy + 2};
                        bool whole = rect.contains(quad);
                        for (int j = 0; whole && j < 4; j++)
                            whole = !is_missing(scene.field.at(quad.left + j % 2, quad.top + j / 2));
                        drawn = drawn || whole;
                    }
                ASSERT_EQ(height.has_value(), drawn) << x << ' ' << y;
                if (height) {
                    ASSERT_EQ(*height, double(scene.field.at(x, y))) << x << ' ' << y;
                }
            }
    }
}

TEST(Picking, NothingAroundIsHigherThanTheHighest) {
    uint32_t scene_number = 0;
    int known = 0;
    for (const PickedLand& scene : picked_lands()) {
        scene_number++;
        // Far away a place in cells has fewer digits.
        double rounding = scene.field.rect().left == 1000000 ? 1e-6 : 1e-9;
        for (uint32_t n = 0; n < 200; n++) {
            Vector3 place = scene.place(scene_number * 10000 + n, 10, 0.05);
            double reach = ray_number(n, 30, 0, 3) * scene.cell;
            std::optional<double> highest = highest_around(scene.field, scene.grid, place.x, place.y, reach);
            std::optional<double> found;
            for (int i = 0; i < 100; i++) {
                double x = place.x + ray_number(n * 100 + i, 31, -reach, reach);
                double y = place.y + ray_number(n * 100 + i, 32, -reach, reach);
                if (std::optional<double> there = height_at(scene.field, scene.grid, x, y))
                    found = std::max(found.value_or(*there), *there);
            }
            if (!found) continue;
            known++;
            ASSERT_TRUE(highest);
            ASSERT_GE(*highest, *found - rounding * (1 + std::abs(*found)));
        }
    }
    EXPECT_GT(known, 500);
    // No farther than the quads around it: beside a tower that is two cells away there is nothing of it.
    Field tower({0, 0, 8, 8}, 1);
    tower.set(5, 4, 100);
    Grid grid = grid_of(10);
    EXPECT_EQ(highest_around(tower, grid, 20, 40, 5), 1);
    EXPECT_EQ(highest_around(tower, grid, 33, 40, 5), 1);
    EXPECT_EQ(highest_around(tower, grid, 36, 40, 5), 100);
    EXPECT_FALSE(highest_around(tower, grid, -200, 40, 5));
    EXPECT_FALSE(highest_around(tower, grid, 40, 1e9, 5));
    EXPECT_FALSE(highest_around(Field({0, 0, 1, 8}, 1), grid, 0, 0, 5));
}

TEST(Picking, FollowsChanges) {
    PickedLand scene({0, 0, 60, 60}, 5, gentle_hills);
    Rect changed{20, 30, 31, 37};
    for (int y = changed.top; y < changed.bottom; y++)
        for (int x = changed.left; x < changed.right; x++) scene.field.set(x, y, x == 25 ? missing : 900.0f);
    scene.ranges.update(scene.field, changed);
    Count count;
    for (uint32_t i = 0; i < 500; i++) {
        Vector3 from = scene.place(i, 10, 2);
        Vector3 to{ray_number(i, 20, 90, 170), ray_number(i, 21, 140, 200), ray_number(i, 22, 200, 900)};
        compare(scene.field, scene.grid, scene.ranges, {from, normalised(to - from)}, count);
        if (HasFatalFailure()) FAIL() << i;
    }
    EXPECT_GT(count.hits, 300);
}

}  // namespace
}  // namespace caprock::test

#include "view/detail_pyramid.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Field rough_field(const Rect& rect, uint32_t seed, double missing_share = 0) {
    Field field(rect);
    Field::WritableRows rows = field.writable_rows();
    uint32_t state = seed;
    auto random = [&] { return double((state = state * 1664525u + 1013904223u) >> 8) / double(1u << 24); };
    for (int y = rect.top; y < rect.bottom; y++)
        for (int x = rect.left; x < rect.right; x++) {
            double height = 40 * std::sin(x * 0.05) + 30 * std::cos(y * 0.07 + x * 0.01) + 6 * random();
            rows[y][x - rect.left] = random() < missing_share ? missing : float(height);
        }
    return field;
}

// The surface of a level, written down independently: samples 2^level apart, quads split from top left to bottom right.
double surface_at(const Field& field, int level, int x, int y) {
    int size = 1 << level;
    auto sample = [&](int i, int j) {
        i = std::min(i, field.rect().width() - 1);
        j = std::min(j, field.rect().height() - 1);
        return double(field.at(field.rect().left + i, field.rect().top + j));
    };
    int left = x / size * size;
    int top = y / size * size;
    double u = double(x - left) / size;
    double v = double(y - top) / size;
    double a = sample(left, top);
    double b = sample(left + size, top);
    double c = sample(left, top + size);
    double d = sample(left + size, top + size);
    return u >= v ? a + u * (b - a) + v * (d - b) : a + v * (c - a) + u * (d - c);
}

TEST(DetailPyramid, ErrorsBoundEveryLevelsSurface) {
    for (Size size : {Size{200, 150}, Size{33, 65}, Size{2, 300}, Size{513, 513}}) {
        Field field = rough_field(Rect{5, -7, 5 + size.width, -7 + size.height}, 3);
        DetailPyramid pyramid(source_of(field));
        for (int level = 0; level < pyramid.levels(); level++) {
            int span = 32 << level;
            Size nodes = pyramid.size(level);
            for (int j = 0; j < nodes.height; j++)
                for (int i = 0; i < nodes.width; i++) {
                    double farthest = 0;
                    for (int y = j * span; y <= std::min((j + 1) * span, size.height - 1); y++)
                        for (int x = i * span; x <= std::min((i + 1) * span, size.width - 1); x++) {
                            // On the far edge of a node the surface is that of the next as well.
                            double off =
                                std::fabs(surface_at(field, level, x, y) - surface_at(field, 0, x, y));
                            farthest = std::max(farthest, off);
                        }
                    const DetailPyramid::Node& node = pyramid.node(level, i, j);
                    EXPECT_GE(node.error, farthest - 1e-4) << level << " " << i << " " << j;
                    // Nor is it so cautious that it would cost triangles.
                    if (level > 0 && farthest > 1) {
                        EXPECT_LE(node.error, 2.6 * farthest + 1) << level;
                    }
                }
        }
    }
}

TEST(DetailPyramid, HeightsOfNodesAreThoseOfTheirKnownSamples) {
    Field field = rough_field(Rect::of({100, 70}), 5, 0.3);
    DetailPyramid pyramid(source_of(field));
    const DetailPyramid::Node& node = pyramid.node(0, 1, 1);
    float low = INFINITY;
    float high = -INFINITY;
    for (int y = 32; y <= 64; y++)
        for (int x = 32; x <= 64; x++)
            if (!is_missing(field.at(x, y))) {
                low = std::min(low, field.at(x, y));
                high = std::max(high, field.at(x, y));
            }
    EXPECT_EQ(node.low, low);
    EXPECT_EQ(node.high, high);
    EXPECT_TRUE(node.any);
    EXPECT_TRUE(node.missing);
}

TEST(DetailPyramid, AMissingSampleHasAHeightThatDoesNotDependOnTheLevel) {
    Field field = rough_field(Rect::of({64, 64}), 7, 0.4);
    for (int y = 16; y < 32; y++)
        for (int x = 16; x < 48; x++) field.set(x, y, missing);
    DetailPyramid pyramid(source_of(field));
    std::vector<float> all(64 * 64);
    pyramid.samples(0, 0, 0, {64, 64}, all.data());
    for (float value : all) {
        ASSERT_FALSE(std::isnan(value));
        EXPECT_LT(std::fabs(value), 80);
    }
    for (int level = 1; level < 5; level++) {
        int count = 64 >> level;
        std::vector<float> some(size_t(count) * size_t(count));
        pyramid.samples(0, 0, level, {count, count}, some.data());
        for (int y = 0; y < count; y++)
            for (int x = 0; x < count; x++)
                EXPECT_EQ(some[size_t(y * count + x)], all[size_t((y << level) * 64 + (x << level))]);
    }
}

TEST(DetailPyramid, QuadsAreKnownWhenTheirFourSamplesAre) {
    Field field(Rect::of({5, 4}), 1.0f);
    field.set(2, 1, missing);
    DetailPyramid pyramid(source_of(field));
    std::vector<uint8_t> known(7 * 6);
    pyramid.coverage(-1, -1, 0, {7, 6}, known.data());
    for (int y = -1; y < 5; y++)
        for (int x = -1; x < 6; x++) {
            bool inside = x >= 0 && y >= 0 && x < 4 && y < 3;
            bool beside = (x == 1 || x == 2) && (y == 0 || y == 1);
            EXPECT_EQ(known[size_t((y + 1) * 7 + x + 1)], inside && !beside ? 255 : 0) << x << " " << y;
        }
}

TEST(DetailPyramid, MeansAreThoseOfTheKnownCells) {
    Field field = rough_field(Rect::of({37, 29}), 11, 0.2);
    DetailPyramid pyramid(source_of(field));
    std::vector<float> means(5 * 4);
    pyramid.means(0, 0, 3, {5, 4}, means.data());
    for (int block_y = 0; block_y < 3; block_y++)
        for (int block_x = 0; block_x < 4; block_x++) {
            double sum = 0;
            int count = 0;
            for (int y = 0; y < 8; y++)
                for (int x = 0; x < 8; x++) {
                    float value = field.at(block_x * 8 + x, block_y * 8 + y);
                    if (is_missing(value)) continue;
                    sum += value;
                    count++;
                }
            // Shares of what is known are kept in bytes.
            EXPECT_NEAR(means[size_t(block_y * 5 + block_x)], sum / count, 0.5);
        }
}

TEST(DetailPyramid, AnUpdateIsTheSameAsBuildingItAnew) {
    Field before = rough_field(Rect::of({300, 260}), 13);
    Field after = before.copied();
    Rect changed = {120, 90, 190, 140};
    for (int y = changed.top; y < changed.bottom; y++)
        for (int x = changed.left; x < changed.right; x++) after.set(x, y, float(x % 7 * 10));
    DetailPyramid updated(source_of(before));
    updated.update(source_of(after), changed);
    DetailPyramid anew(source_of(after));
    for (int level = 0; level < anew.levels(); level++)
        for (int j = 0; j < anew.size(level).height; j++)
            for (int i = 0; i < anew.size(level).width; i++) {
                EXPECT_EQ(updated.node(level, i, j).error, anew.node(level, i, j).error);
                EXPECT_EQ(updated.node(level, i, j).low, anew.node(level, i, j).low);
                EXPECT_EQ(updated.node(level, i, j).high, anew.node(level, i, j).high);
            }
    std::vector<float> a(40 * 40);
    std::vector<float> b(40 * 40);
    updated.means(0, 0, 3, {40, 40}, a.data());
    anew.means(0, 0, 3, {40, 40}, b.data());
    EXPECT_EQ(a, b);
}

TEST(DetailPyramid, NothingKnownIsNothingToDraw) {
    Field field(Rect::of({40, 40}), missing);
    DetailPyramid pyramid(source_of(field));
    EXPECT_FALSE(pyramid.node(pyramid.levels() - 1, 0, 0).any);
}

}  // namespace
}  // namespace caprock::test

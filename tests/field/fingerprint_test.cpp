#include "field/field.h"
#include "support/fields.h"

#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <tbb/global_control.h>

namespace caprock {
namespace {

float from_bits(uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

uint32_t to_bits(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

float hilly(int x, int y) { return float(x * x - 3 * y) / 7; }

TEST(Fingerprint, IsTheSameForTheSameCells) {
    EXPECT_EQ(fingerprint(test::made_field({0, 0, 70, 130}, hilly)),
              fingerprint(test::made_field({0, 0, 70, 130}, hilly)));
}

TEST(Fingerprint, DependsOnEveryCell) {
    // More than one band of rows, so that every place in the sums is tried.
    Rect rect{0, 0, 5, 140};
    Field field = test::made_field(rect, hilly);
    std::set<uint64_t> seen = {fingerprint(field)};
    for (int y = rect.top; y < rect.bottom; y++) {
        for (int x = rect.left; x < rect.right; x++) {
            Field changed = field;
            changed.set(x, y, from_bits(to_bits(field.at(x, y)) ^ 1));
            EXPECT_TRUE(seen.insert(fingerprint(changed)).second) << x << ", " << y;
            EXPECT_FALSE(identical(field, changed));
        }
    }
}

TEST(Fingerprint, DependsOnEveryBit) {
    Field field({0, 0, 3, 3}, 1.5f);
    std::set<uint64_t> seen = {fingerprint(field)};
    for (int bit = 0; bit < 32; bit++) {
        Field changed = field;
        changed.set(1, 2, from_bits(to_bits(1.5f) ^ (1u << bit)));
        EXPECT_TRUE(seen.insert(fingerprint(changed)).second) << bit;
    }
}

TEST(Fingerprint, DependsOnTheOrderOfCellsAndRows) {
    auto of = [](float a, float b, float c, float d) {
        const float values[] = {a, b, c, d};
        return fingerprint(test::made_field({0, 0, 2, 2}, [&](int x, int y) { return values[2 * y + x]; }));
    };
    std::set<uint64_t> seen = {of(1, 2, 3, 4), of(2, 1, 3, 4), of(3, 4, 1, 2), of(1, 3, 2, 4),
                               of(4, 3, 2, 1)};
    EXPECT_EQ(seen.size(), 5u);
}

TEST(Fingerprint, DependsOnTheSize) {
    std::set<uint64_t> seen;
    // The same 36 zeros in every shape, then nothing in several.
    for (Size size : {Size{36, 1}, Size{1, 36}, Size{6, 6}, Size{4, 9}, Size{9, 4}, Size{2, 18}, Size{0, 0},
                      Size{5, 0}, Size{0, 5}, Size{1, 1}, Size{37, 1}})
        EXPECT_TRUE(seen.insert(fingerprint(Field(Rect::of(size), 0))).second)
            << size.width << "x" << size.height;
}

TEST(Fingerprint, DoesNotDependOnWhichNaN) {
    Field field({0, 0, 4, 4}, missing);
    for (uint32_t bits : {0x7fc00001u, 0xffc00000u, 0x7f800001u, 0xffffffffu}) {
        Field other({0, 0, 4, 4}, missing);
        // Written as bits: a float on its way through a register may lose its payload.
        float* cells = other.plane().buffer->write();
        for (int i = 0; i < 16; i++) std::memcpy(cells + i, &bits, sizeof bits);
        EXPECT_EQ(fingerprint(other), fingerprint(field)) << bits;
        EXPECT_TRUE(identical(other, field));
    }
    EXPECT_NE(fingerprint(Field({0, 0, 4, 4}, std::numeric_limits<float>::infinity())), fingerprint(field));
}

TEST(Fingerprint, TellsMinusZeroFromZero) {
    Field plus({0, 0, 2, 2}, 0.0f);
    Field minus({0, 0, 2, 2}, -0.0f);
    EXPECT_NE(fingerprint(plus), fingerprint(minus));
    EXPECT_FALSE(identical(plus, minus));
}

TEST(Fingerprint, OfAViewIsThatOfADenseCopyAnywhere) {
    Field whole = test::made_field({-10, -20, 150, 160}, hilly);
    Field view = whole.cropped({3, 7, 101, 150});
    EXPECT_EQ(fingerprint(view), fingerprint(view.copied()));
    EXPECT_EQ(fingerprint(view), fingerprint(view.moved(-1000, 31)));
    EXPECT_NE(fingerprint(view), fingerprint(whole.cropped({4, 7, 102, 150})));
}

TEST(Fingerprint, DoesNotDependOnTheThreads) {
    Field field = test::made_field({0, 0, 300, 1000}, hilly);
    uint64_t many = fingerprint(field);
    tbb::global_control alone(tbb::global_control::max_allowed_parallelism, 1);
    EXPECT_EQ(fingerprint(field), many);
}

TEST(Fingerprint, StaysWhatItWas) {
    // Users keep fingerprints to check results by: a change of the formula must not go unnoticed.
    EXPECT_EQ(fingerprint_text(fingerprint(test::made_field({0, 0, 70, 130}, hilly))), "6f8fb632ba548cf0");
}

TEST(FingerprintText, IsSixteenDigits) {
    EXPECT_EQ(fingerprint_text(0), "0000000000000000");
    EXPECT_EQ(fingerprint_text(0xabcdef), "0000000000abcdef");
    EXPECT_EQ(fingerprint_text(UINT64_MAX), "ffffffffffffffff");
}

TEST(Identical, MeansTheSameRectangleAndBits) {
    Field field = test::made_field({0, 0, 9, 9}, hilly);
    EXPECT_TRUE(identical(field, field));
    EXPECT_TRUE(identical(field, field.copied()));
    EXPECT_FALSE(identical(field, field.moved(1, 0)));
    EXPECT_FALSE(identical(field, field.cropped({0, 0, 9, 8})));
    EXPECT_TRUE(identical(Field(), Field()));
    EXPECT_FALSE(identical(Field(), field));
    // Views of different buffers with the same cells inside.
    Field larger = test::made_field({-2, -2, 12, 12}, hilly);
    EXPECT_TRUE(identical(larger.cropped({1, 1, 8, 8}), field.cropped({1, 1, 8, 8})));
}

}  // namespace
}  // namespace caprock

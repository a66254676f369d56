// Statistics against a plain loop in double over every cell, worked out a second time and more simply here.
#include "field/field.h"
#include "support/fields.h"

#include <gtest/gtest.h>
#include <random>
#include <tbb/global_control.h>
#include <vector>

namespace caprock {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

void expect_as_by_a_plain_loop(const Field& field) {
    std::vector<double> finite;
    int64_t absent = 0;
    float low = infinity;
    float high = -infinity;
    for (int y = field.rect().top; y < field.rect().bottom; y++) {
        for (int x = field.rect().left; x < field.rect().right; x++) {
            float value = field.at(x, y);
            if (std::isnan(value)) {
                absent++;
                continue;
            }
            low = std::min(low, value);
            high = std::max(high, value);
            if (std::isfinite(value)) finite.push_back(value);
        }
    }
    double sum = 0;
    for (double value : finite) sum += value;
    double mean = finite.empty() ? 0 : sum / double(finite.size());
    double squares = 0;
    for (double value : finite) squares += (value - mean) * (value - mean);
    double deviation = finite.empty() ? 0 : std::sqrt(squares / double(finite.size()));

    FieldStatistics found = statistics(field);
    EXPECT_EQ(found.cells, field.rect().cells());
    EXPECT_EQ(found.missing, absent);
    if (absent < field.rect().cells()) {
        EXPECT_EQ(found.low, low);
        EXPECT_EQ(found.high, high);
    }
    double scale = std::abs(mean) + deviation + 1e-30;
    EXPECT_NEAR(found.mean, mean, 1e-12 * scale);
    EXPECT_NEAR(found.deviation, deviation, 1e-9 * scale);
}

TEST(Statistics, WorkedByHand) {
    // 1 2 3 4, one missing: mean 2.5, squares 2.25 + 0.25 + 0.25 + 2.25 = 5, deviation sqrt(5 / 4).
    const float values[] = {1, missing, 2, 3, 4};
    FieldStatistics s = statistics(test::made_field({0, 0, 5, 1}, [&](int x, int) { return values[x]; }));
    EXPECT_EQ(s.cells, 5);
    EXPECT_EQ(s.missing, 1);
    EXPECT_EQ(s.low, 1);
    EXPECT_EQ(s.high, 4);
    EXPECT_DOUBLE_EQ(s.mean, 2.5);
    EXPECT_DOUBLE_EQ(s.deviation, std::sqrt(1.25));
}

TEST(Statistics, OfRandomCells) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> heights(-100, 900);
    for (const Rect& rect :
         {Rect{0, 0, 1, 1}, Rect{0, 0, 1, 300}, Rect{-7, -130, 90, 131}, Rect{0, 0, 300, 1}})
        expect_as_by_a_plain_loop(test::made_field(rect, [&](int, int) { return heights(random); }));
}

TEST(Statistics, OfRandomCellsWithMissingOnes) {
    std::mt19937 random(6);
    std::uniform_real_distribution<float> heights(-100, 900);
    Field field = test::made_field({-5, 3, 120, 150},
                                   [&](int, int) { return random() % 3 ? heights(random) : missing; });
    expect_as_by_a_plain_loop(field);
    expect_as_by_a_plain_loop(field.cropped({10, 20, 77, 99}));
}

TEST(Statistics, OfHeightsFarFromZero) {
    // The spread of a flat plain on a high plateau: squares of the heights themselves would drown it.
    Field field = test::made_field({0, 0, 200, 200},
                                   [](int x, int y) { return 8000 + float((x * 7 + y * 13) % 5) / 1024; });
    expect_as_by_a_plain_loop(field);
    EXPECT_GT(statistics(field).deviation, 1e-3);
    EXPECT_LT(statistics(field).deviation, 2e-3);
}

TEST(Statistics, OfAFlatField) {
    FieldStatistics s = statistics(Field({0, 0, 100, 100}, 123.456f));
    EXPECT_EQ(s.mean, double(123.456f));
    EXPECT_EQ(s.deviation, 0);
    s = statistics(Field({0, 0, 100, 100}, 0));
    EXPECT_EQ(s.low, 0);
    EXPECT_EQ(s.mean, 0);
    EXPECT_EQ(s.deviation, 0);
}

TEST(Statistics, WithEveryCellMissing) {
    FieldStatistics s = statistics(Field({0, 0, 30, 20}, missing));
    EXPECT_EQ(s.cells, 600);
    EXPECT_EQ(s.missing, 600);
    EXPECT_EQ(s.low, 0);
    EXPECT_EQ(s.high, 0);
    EXPECT_EQ(s.mean, 0);
    EXPECT_EQ(s.deviation, 0);
}

TEST(Statistics, OfNothing) {
    FieldStatistics s = statistics(Field());
    EXPECT_EQ(s.cells, 0);
    EXPECT_EQ(s.missing, 0);
}

TEST(Statistics, InfinitiesShowInTheExtremesAndLeaveTheRestToTheFiniteCells) {
    const float values[] = {infinity, 1, 3, -infinity, missing};
    Field field = test::made_field({0, 0, 5, 1}, [&](int x, int) { return values[x]; });
    FieldStatistics s = statistics(field);
    EXPECT_EQ(s.low, -infinity);
    EXPECT_EQ(s.high, infinity);
    EXPECT_EQ(s.missing, 1);
    EXPECT_EQ(s.mean, 2);
    EXPECT_EQ(s.deviation, 1);
    expect_as_by_a_plain_loop(field);
    s = statistics(Field({0, 0, 3, 3}, infinity));
    EXPECT_EQ(s.low, infinity);
    EXPECT_EQ(s.missing, 0);
    EXPECT_EQ(s.mean, 0);
    EXPECT_EQ(s.deviation, 0);
}

TEST(Statistics, HaveTheSameBitsOnAnyNumberOfThreads) {
    std::mt19937 random(8);
    std::uniform_real_distribution<float> heights(0, 1000);
    Field field = test::made_field({0, 0, 333, 777}, [&](int, int) { return heights(random); });
    FieldStatistics many = statistics(field);
    tbb::global_control alone(tbb::global_control::max_allowed_parallelism, 1);
    FieldStatistics one = statistics(field);
    EXPECT_EQ(one.mean, many.mean);
    EXPECT_EQ(one.deviation, many.deviation);
}

TEST(Statistics, OfPiecesAreThoseOfTheWhole) {
    // Nothing at all in the first hundred rows, then infinities, then heights far from zero.
    const Field field = test::made_field({3, 5, 90, 405}, [](int x, int y) -> float {
        if (y < 105 || (x + y) % 7 == 0) return missing;
        if (y < 180) return infinity;
        return 5000 + float((x * 31 + y * 17) % 1001) * 0.37f;
    });
    for (int rows : {64, 128, 192, 1024}) {
        RunningStatistics pieces;
        RunningFingerprint fingerprints;
        for (int top = 5; top < 405; top += rows) {
            const Field piece = field.cropped({3, top, 90, std::min(top + rows, 405)});
            pieces.add(piece);
            fingerprints.add(piece);
        }
        const FieldStatistics whole = statistics(field);
        const FieldStatistics made = pieces.result();
        EXPECT_EQ(made.cells, whole.cells);
        EXPECT_EQ(made.missing, whole.missing);
        EXPECT_EQ(made.low, whole.low);
        EXPECT_EQ(made.high, whole.high);
        EXPECT_EQ(made.mean, whole.mean);
        EXPECT_EQ(made.deviation, whole.deviation);
        EXPECT_EQ(fingerprints.result(), fingerprint(field));
    }
}

}  // namespace
}  // namespace caprock

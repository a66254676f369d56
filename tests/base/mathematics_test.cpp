// The functions against long double, whose 64 bits leave an error of 1e-19, far below what is tested. The
// limit of 1e-15 is four to five units in the last place of a double: a series of some twenty terms loses one
// or two of them, its arguments' reduction another. Results end up in floats, where a unit in the last place
// is 6e-8.
#include "base/mathematics.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace caprock {
namespace {

constexpr double limit = 1e-15;
constexpr long double exact_pi = 3.14159265358979323846264338327950288L;

using Ours = double (*)(double);
using Exact = long double (*)(long double);

void expect_close(const char* name, Ours ours, Exact exact, double low, double high) {
    std::mt19937_64 random(42);
    std::uniform_real_distribution<double> arguments(low, high);
    double worst = 0;
    double at = 0;
    for (int i = 0; i < 100000; i++) {
        double x = i == 0 ? low : i == 1 ? high : arguments(random);
        long double expected = exact(x);
        double error = double(std::abs((ours(x) - expected) / expected));
        // Written so that NaN is worst of all.
        if (!(error <= worst)) {
            worst = error;
            at = x;
        }
    }
    EXPECT_LT(worst, limit) << name << " at " << at;
}

TEST(Mathematics, NaturalLogarithm) {
    Exact exact = [](long double x) { return std::log(x); };
    expect_close("ln", natural_logarithm, exact, 1e-300, 1e-290);
    expect_close("ln", natural_logarithm, exact, 1e-6, 0.999);
    expect_close("ln", natural_logarithm, exact, 0.9999, 0.99999999);
    expect_close("ln", natural_logarithm, exact, 1.00000001, 1.0001);
    expect_close("ln", natural_logarithm, exact, 1.001, 1e6);
    expect_close("ln", natural_logarithm, exact, 1e300, 1e308);
    expect_close("ln", natural_logarithm, exact, 5e-324, 1e-310);
    EXPECT_EQ(natural_logarithm(1), 0);
}

TEST(Mathematics, Exponential) {
    Exact exact = [](long double x) { return std::exp(x); };
    expect_close("exp", exponential, exact, -1e-6, 1e-6);
    expect_close("exp", exponential, exact, -1, 1);
    // Far from zero the argument is reduced by many ln 2, each of which must count in full.
    expect_close("exp", exponential, exact, -700, 700);
    EXPECT_EQ(exponential(0), 1);
}

TEST(Mathematics, SineAndCosine) {
    Exact sine_exact = [](long double x) { return std::sin(x); };
    Exact cosine_exact = [](long double x) { return std::cos(x); };
    for (auto [low, high] :
         {std::pair(-0.001, 0.001), {-3.2, 3.2}, {-100.0, 100.0}, {1.5707, 1.5709}, {3.1415, 3.1417}}) {
        expect_close("sin", sine, sine_exact, low, high);
        expect_close("cos", cosine, cosine_exact, low, high);
    }
    EXPECT_EQ(sine(0), 0);
    EXPECT_EQ(cosine(0), 1);
}

TEST(Mathematics, SineAndCosineKeepTheirDigitsWhereTheyVanish) {
    for (int quarter = 1; quarter <= 63; quarter++) {
        double x = quarter * pi / 2;
        long double sine_exact = std::sin((long double)(x));
        long double cosine_exact = std::cos((long double)(x));
        EXPECT_LT(std::abs((sine(x) - sine_exact) / sine_exact), limit) << quarter;
        EXPECT_LT(std::abs((cosine(x) - cosine_exact) / cosine_exact), limit) << quarter;
        EXPECT_EQ(sine(-x), -sine(x));
        EXPECT_EQ(cosine(-x), cosine(x));
    }
}

TEST(Mathematics, TangentOfDegrees) {
    // Near 90 degrees by the other angle: in radians even a long double would lose digits.
    Exact exact = [](long double degrees) {
        long double size = std::abs(degrees);
        long double tangent =
            size <= 45 ? std::tan(size * exact_pi / 180) : 1 / std::tan((90 - size) * exact_pi / 180);
        return degrees < 0 ? -tangent : tangent;
    };
    expect_close("tan", tangent_of_degrees, exact, -89.999999, 89.999999);
    expect_close("tan", tangent_of_degrees, exact, 1e-9, 1e-6);
    expect_close("tan", tangent_of_degrees, exact, 89.99, 89.9999999);
    EXPECT_EQ(tangent_of_degrees(0), 0);
    EXPECT_NEAR(tangent_of_degrees(45), 1, 2e-16);
    EXPECT_NEAR(tangent_of_degrees(60), std::sqrt(3.0), 5e-16);
    EXPECT_EQ(tangent_of_degrees(-33), -tangent_of_degrees(33));
}

TEST(Mathematics, Power) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> logarithms(-20, 20);
    std::uniform_real_distribution<double> exponents(-30, 30);
    for (int i = 0; i < 100000; i++) {
        double base = std::exp(logarithms(random));
        double exponent = exponents(random);
        long double product = exponent * std::log((long double)(base));
        if (std::abs(product) > 690) continue;
        long double expected = std::pow((long double)(base), (long double)(exponent));
        // The product's own rounding is multiplied into the result: the larger it is, the more.
        double allowed = limit * double(1 + std::abs(product));
        ASSERT_LT(std::abs((power(base, exponent) - expected) / expected), allowed)
            << base << " ^ " << exponent;
    }
    EXPECT_EQ(power(5, 0), 1);
    EXPECT_EQ(power(1, 123.4), 1);
}

}  // namespace
}  // namespace caprock

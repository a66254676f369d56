#include "base/mathematics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace caprock {

namespace {

constexpr double ln2 = 0.69314718055994530942;
// ln 2 in two parts. The first has so few bits that its product with any exponent is exact.
constexpr double ln2_high = 0x1.62e42feep-1;
constexpr double ln2_low = 0x1.a39ef35793c76p-33;

// pi / 2 in three parts, the first two of 33 bits: their products with a count of quarter turns are exact, so
// that an angle close to such a count keeps all the digits of its small rest.
constexpr double quarter_turn_high = 0x1.921fb544p+0;
constexpr double quarter_turn_middle = 0x1.0b4611a6p-34;
constexpr double quarter_turn_low = 0x1.3198a2e037073p-69;

// An angle as a whole number of quarter turns and a rest within an eighth of a turn.
struct Angle {
    int64_t quarters;
    double rest;

    explicit Angle(double radians) {
        double count = std::floor(radians / (pi / 2) + 0.5);
        quarters = int64_t(count);
        rest = radians - count * quarter_turn_high - count * quarter_turn_middle - count * quarter_turn_low;
    }
};

double sine_of_rest(double rest) {
    double square = rest * rest;
    double sum = 1;
    for (int k = 18; k >= 2; k -= 2) sum = 1 - sum * square / (k * (k + 1));
    return rest * sum;
}

double cosine_of_rest(double rest) {
    double square = rest * rest;
    double sum = 1;
    for (int k = 19; k >= 1; k -= 2) sum = 1 - sum * square / (k * (k + 1));
    return sum;
}

// The sine of an angle and so many quarter turns more.
double sine_after(const Angle& angle, int more) {
    int64_t quarters = (angle.quarters + more) & 3;
    double size = quarters & 1 ? cosine_of_rest(angle.rest) : sine_of_rest(angle.rest);
    return quarters & 2 ? -size : size;
}

}  // namespace

double natural_logarithm(double x) {
    // x = m 2^e with m in [0.7, 1.4]; ln m = 2 atanh((m - 1) / (m + 1)).
    int exponent = 0;
    double m = std::frexp(x, &exponent);
    if (m < 0.70710678118654752440) {
        m *= 2;
        exponent--;
    }
    double z = (m - 1) / (m + 1);
    double square = z * z;
    double sum = 0;
    for (int k = 41; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
    return 2 * z * sum + exponent * ln2;
}

double exponential(double x) {
    double n = std::floor(x / ln2 + 0.5);
    double r = x - n * ln2_high - n * ln2_low;
    double sum = 1;
    for (int k = 22; k >= 1; k--) sum = 1 + sum * r / k;
    return std::ldexp(sum, int(n));
}

double power(double base, double exponent) { return exponential(exponent * natural_logarithm(base)); }

double sine(double radians) { return sine_after(Angle(radians), 0); }

double cosine(double radians) { return sine_after(Angle(radians), 1); }

double arc_tangent(double y, double x) {
    double across = std::abs(x);
    double down = std::abs(y);
    double least = std::min(across, down);
    double most = std::max(across, down);
    if (most == 0) return 0;
    double share = least / most;
    // Near enough for Newton's method to double its digits from the first step on.
    double angle = share * (pi / 4 + 0.273 * (1 - share));
    for (int i = 0; i < 4; i++) {
        double s = sine(angle);
        double c = cosine(angle);
        angle -= (s - share * c) / (c + share * s);
    }
    if (down > across) angle = pi / 2 - angle;
    if (x < 0) angle = pi - angle;
    return y < 0 ? -angle : angle;
}

double tangent_of_degrees(double degrees) {
    // Beyond 45 degrees by the other angle, which is exact in degrees: the tangent is steep there.
    if (degrees > 45) return 1 / tangent_of_degrees(90 - degrees);
    if (degrees < -45) return -tangent_of_degrees(-degrees);
    double radians = degrees * (pi / 180);
    return sine_of_rest(radians) / cosine_of_rest(radians);
}

}  // namespace caprock

#include "base/mathematics.h"

#include <cmath>

namespace caprock {

namespace {

constexpr double ln2 = 0.69314718055994530942;

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
    double r = x - n * ln2;
    double sum = 1;
    for (int k = 22; k >= 1; k--) sum = 1 + sum * r / k;
    return std::ldexp(sum, int(n));
}

double power(double base, double exponent) { return exponential(exponent * natural_logarithm(base)); }

double sine(double radians) {
    double turns = std::floor(radians / (2 * pi) + 0.5);
    double r = radians - turns * 2 * pi;
    // Fold onto [-pi/2, pi/2], where the series is short.
    if (r > pi / 2) r = pi - r;
    if (r < -pi / 2) r = -pi - r;
    double square = r * r;
    double sum = 1;
    for (int k = 24; k >= 2; k -= 2) sum = 1 - sum * square / (k * (k + 1));
    return r * sum;
}

double cosine(double radians) { return sine(radians + pi / 2); }

double tangent_of_degrees(double degrees) {
    double radians = degrees * (pi / 180);
    return sine(radians) / cosine(radians);
}

}  // namespace caprock

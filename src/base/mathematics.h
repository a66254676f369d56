// Functions of the C library whose last bit differs between systems, computed here from + - * / alone, so
// that what an operation prepares on the host has the same bits everywhere. Relative errors are under 1e-15,
// but for power: rounding exponent * ln(base) costs that many more units in the last place as the product is
// large.
#pragma once

namespace caprock {

constexpr double pi = 3.14159265358979323846;
constexpr double degree = pi / 180;  // in radians

double natural_logarithm(double x);          // x > 0
double exponential(double x);                // |x| < 700
double power(double base, double exponent);  // base > 0; error under 1e-15 (1 + |exponent ln base|)
double sine(double radians);                 // |radians| <= 100
double cosine(double radians);               // |radians| <= 100
double arc_tangent(double y, double x);      // the angle of (x, y), -pi to pi; 0 for (0, 0)
double tangent_of_degrees(double degrees);   // -90 < degrees < 90

}  // namespace caprock

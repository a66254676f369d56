// Metres and degrees. A plain number is taken for either, and neither for the other:
//
//     .radius = 20, .radius = 20_m, .radius = 0.2_km, .talus = 30_deg
#pragma once

namespace caprock {
inline namespace v1 {

template <typename Unit>
class Measure {
  public:
    constexpr Measure() = default;
    constexpr Measure(double value) : value_(value) {}
    constexpr operator double() const { return value_; }

  private:
    double value_ = 0;
};

using Metres = Measure<struct OfLength>;
using Degrees = Measure<struct OfAngle>;

inline namespace literals {

constexpr Metres operator""_m(long double value) { return double(value); }
constexpr Metres operator""_m(unsigned long long value) { return double(value); }
constexpr Metres operator""_km(long double value) { return double(value * 1000); }
constexpr Metres operator""_km(unsigned long long value) { return double(value) * 1000; }
constexpr Degrees operator""_deg(long double value) { return double(value); }
constexpr Degrees operator""_deg(unsigned long long value) { return double(value); }

}  // namespace literals
}  // namespace v1
}  // namespace caprock

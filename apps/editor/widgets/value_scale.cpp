#include "widgets/value_scale.h"

#include <QString>
#include <algorithm>
#include <cmath>

namespace caprock::editor {

namespace {

// Through decimals: 3 times 0.1 is 0.3.
double rounded_to(double value, int exponent) {
    if (exponent >= 0) {
        double unit = std::pow(10.0, exponent);
        return std::round(value / unit) * unit;
    }
    return QString::number(value, 'f', -exponent).toDouble();
}

int exponent_of(double value) { return int(std::floor(std::log10(value))); }

}  // namespace

ValueScale::ValueScale(const Parameter& parameter)
    : soft(parameter.slider_range()),
      hard(parameter.hard_range()),
      logarithmic(parameter.is_logarithmic() && parameter.slider_range().low > 0),
      whole(parameter.type() == ParameterType::integer || parameter.type() == ParameterType::seed) {}

double ValueScale::within(double value) const {
    return hard ? std::clamp(value, hard->low, hard->high) : value;
}

double ValueScale::place_of(double value) const {
    if (!(soft.high > soft.low)) return 0;
    if (logarithmic) {
        if (value <= soft.low) return 0;
        return std::min(std::log(value / soft.low) / std::log(soft.high / soft.low), 1.0);
    }
    return std::clamp((value - soft.low) / (soft.high - soft.low), 0.0, 1.0);
}

double ValueScale::value_at(double place) const {
    if (place <= 0) return soft.low;
    if (place >= 1) return soft.high;
    double value = logarithmic ? soft.low * std::pow(soft.high / soft.low, place)
                               : soft.low + (soft.high - soft.low) * place;
    int exponent = logarithmic ? exponent_of(value) - 2 : exponent_of((soft.high - soft.low) / 200);
    if (whole) exponent = std::max(exponent, 0);
    return within(std::clamp(rounded_to(value, exponent), soft.low, soft.high));
}

double ValueScale::stepped(double value, double steps) const {
    int exponent = logarithmic && value != 0 ? exponent_of(std::abs(value)) - 1
                                             : exponent_of((soft.high - soft.low) / 50);
    if (whole) exponent = std::max(exponent, 0);
    double step = std::pow(10.0, exponent) * steps;
    if (whole) step = steps < 0 ? std::min(step, -1.0) : std::max(step, 1.0);
    // Digits that were typed beyond a step stay.
    return within(whole ? std::round(value + step) : QString::number(value + step, 'g', 12).toDouble());
}

}  // namespace caprock::editor

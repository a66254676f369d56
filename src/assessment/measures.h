// The numbers that land is compared by: what they are called, where those of real land lie, and what it looks like when they do not.
#pragma once

#include "assessment/assessment.h"
#include "base/interval.h"

#include <span>
#include <string>
#include <string_view>

namespace caprock {

enum class MeasureUnit { number, share, degrees };

struct Measure {
    std::string_view key;    // in JSON
    std::string_view title;  // in tables and words
    MeasureUnit unit;
    Interval real_land;
    // Half of the last digit that the range is known to: what rounds into it lies in it.
    double rounding;
    Measured (*value)(const Assessment&);
    // What to make of it where it is less, and where it is more.
    std::string_view less;
    std::string_view more;
};

// In the order of tables.
std::span<const Measure> measures();
const Measure& measure_called(std::string_view key);

// "29 %", "0.35", "23.4°"; a range as "0 to 5 %".
std::string measure_text(MeasureUnit unit, double value);
std::string measure_text(MeasureUnit unit, const Interval& range);

// Of the land that the ranges were found on, metres. In cells of other sizes slopes, landforms and roughness are others.
constexpr Interval real_land_cells = {30, 90};

}  // namespace caprock

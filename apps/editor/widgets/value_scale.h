// How a slider's way stands for values, in numbers that people would choose.
#pragma once

#include "operation/parameter.h"

#include <optional>

namespace caprock::editor {

struct ValueScale {
    Interval soft = {0, 1};  // what the slider spans
    std::optional<Interval> hard;
    bool logarithmic = false;
    bool whole = false;

    ValueScale() = default;
    explicit ValueScale(const Parameter& parameter);

    // Along the slider, 0 to 1; values beyond it are at its ends.
    double place_of(double value) const;
    // As fine as the slider can be set and no finer: 0.35, not 0.3487.
    double value_at(double place) const;
    // The next value up or down: so many steps of the digits that matter.
    double stepped(double value, double steps) const;
    double within(double value) const;  // the hard range
};

}  // namespace caprock::editor

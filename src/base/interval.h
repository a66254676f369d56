// A pair low:high of numbers, as users write it: heights 0:800, radii 1:350.
#pragma once

namespace caprock {

struct Interval {
    double low = 0;
    double high = 1;

    double span() const { return high - low; }
    bool operator==(const Interval&) const = default;
};

}  // namespace caprock

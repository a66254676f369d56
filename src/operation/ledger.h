// The book of a simulation: what became of everything it moved.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

namespace caprock {

// One quantity, in cubic metres. What there was before and what came in is what went out and what is left.
struct LedgerEntry {
    std::string quantity;  // rock, sediment, water
    double before = 0;
    double in = 0;
    double out = 0;
    double moved = 0;  // lies elsewhere than before
    double after = 0;

    // What does not add up, as a share of all there was.
    double error() const {
        double all = std::max({std::abs(before) + std::abs(in), std::abs(out) + std::abs(after)});
        return all > 0 ? std::abs(before + in - out - after) / all : 0;
    }
};

}  // namespace caprock

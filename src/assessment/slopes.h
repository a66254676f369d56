// How steep the land is, and how much of it: slopes by B. K. P. Horn, Hill shading and the reflectance map, Proceedings of the IEEE
// 69, 1981, from the eight neighbours of a cell, so that one cell that stands out does not make its neighbours steep twice.
#pragma once

#include "assessment/fits.h"
#include "assessment/measured.h"
#include "field/field.h"

#include <array>
#include <cstdint>

namespace caprock {

constexpr int slope_bins_per_degree = 10;

struct SlopeShares {
    // Cells by their slope in tenths of a degree; those with all of their neighbours alone.
    std::array<int64_t, size_t(90 * slope_bins_per_degree)> tenths = {};
    int64_t cells = 0;
    Measured median;                 // degrees
    Measured steep;                  // nine in ten cells are less steep
    Measured beyond_45;              // share of cells steeper than 45 degrees
    double share(int degree) const;  // of the cells from so many degrees to one more
};

SlopeShares slope_shares(const Field& height, double cell);

}  // namespace caprock

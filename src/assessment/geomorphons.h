// Ten landforms by what a cell sees around it: J. Jasiewicz and T. F. Stepinski, Geomorphons: a pattern recognition approach to
// classification and mapping of landforms, Geomorphology 182, 2013.
//
// In each of eight directions the steepest way up and the steepest way down to a cell within reach are two angles. Where their
// sum, up counted above 0 and down below, is more than the flatness, the direction is higher than the cell, where it is less than
// minus the flatness, lower. How many are lower and how many are higher make the form (their figure 4).
#pragma once

#include "base/progress.h"
#include "field/field.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace caprock {

enum class Geomorphon : uint8_t { flat, peak, ridge, shoulder, spur, slope, hollow, footslope, valley, pit };
constexpr size_t geomorphon_count = 10;
std::string_view name_of(Geomorphon form);

struct GeomorphonRules {
    double reach = 10;    // cells, as a distance: along diagonals the seven that lie within ten
    double flatness = 1;  // degrees
};

// By how many directions are lower and how many are higher, at most eight together.
Geomorphon geomorphon_of(int lower, int higher);

struct GeomorphonCounts {
    std::array<int64_t, geomorphon_count> cells = {};
    int64_t of(Geomorphon form) const { return cells[size_t(form)]; }
    int64_t all() const;
};

// A direction is seen as far as the border and the first missing cell. A cell that sees nothing in one of its directions is not
// counted. `cell` is the distance of neighbours in metres. Counts a unit of progress a cell.
GeomorphonCounts geomorphons(const Field& height, double cell, const GeomorphonRules& rules,
                             Progress& progress);

}  // namespace caprock

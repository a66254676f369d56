// Contours as lines: where a field, straight between neighbouring samples, has a height.
#pragma once

#include "field/field.h"
#include "terrain/grid.h"
#include "terrain/line_set.h"

#include <functional>
#include <vector>

namespace caprock {

// At every height base + k * interval that the field comes to, from the lowest up; of one height, lines that end come before
// those that are closed, each in the order of its first place from the top, row by row. A line has the higher ground on its
// right. It ends at the border and where a sample is missing. Where four samples stand like a saddle, their mean decides
// which two go together. Every line has the attribute height, and that height at its points.
//
// A place depends on the two samples that it lies between and on nothing else, so that lines join exactly, and however many
// threads have a part in it the lines are the same. `check` is called now and then, and may throw.
std::vector<Line> contours_of(const Field& field, const Grid& grid, double interval, double base,
                              const std::function<void()>& check);

}  // namespace caprock

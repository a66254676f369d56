// What our files say of a terrain beyond what their format knows.
#pragma once

#include "base/interval.h"
#include "formats/gdal/session.h"
#include "terrain/terrain.h"

#include <array>
#include <optional>

namespace caprock::gdal {

struct Notes {
    bool ours = false;
    bool frontier = false;  // a picture of height, hardness and solubility
    std::optional<double> cell;
    std::optional<Interval> range;
};

// Other programs copy notes into files that they resampled: a cell size counts only beside the transform it
// was written with.
Notes read_notes(GDALDataset& dataset, const std::array<double, 6>& transform);
void write_notes(GDALDataset& dataset, const Grid& grid, const std::array<double, 6>& transform);
void write_frontier_note(GDALDataset& dataset);

// In the unit of the coordinate system; 0 where there is no transform.
double pixel_width(const std::array<double, 6>& transform);

}  // namespace caprock::gdal

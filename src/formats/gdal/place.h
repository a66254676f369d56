// Where a raster lies, how large its cells are, and what its heights are measured in.
#pragma once

#include "base/rect.h"
#include "formats/formats.h"
#include "formats/gdal/orientation.h"
#include "formats/gdal/session.h"

#include <optional>
#include <string>

namespace caprock::gdal {

Georeference georeference_of(GDALDataset& dataset);

// Whether that is a place on Earth. A file of our own without one has its cell size in the transform, and nothing
// else there.
bool on_earth(const Georeference& georeference, Size size);

struct CellShape {
    double width = 0;  // metres; degrees where those are measured; 0 where the file does not say
    double height = 0;
    double slant = 0;   // cosine of the angle between a row and a column; 0: upright
    double turned = 0;  // sine of the angle between a row and west to east, once turned by quarters
    bool degrees = false;

    bool known() const { return width > 0; }
    bool square() const;
};
CellShape cell_shape(const Georeference& georeference);

// In metres. Throws Error where cells are no squares of metres and no size was given.
double cell_size(const CellShape& shape, const ReadOptions& options, const std::string& path,
                 std::optional<double> noted, const FileContext& context);

// How a raster has to be turned by quarters, or mirrored, so that north is up; and the transform with it.
Orientation orientation_of(const Georeference& georeference, Size raster);
void turn_upright(Georeference& georeference, const Orientation& orientation);

// What turns numbers of that unit into metres; nothing where the unit is not known.
std::optional<double> metres_of(const std::string& unit);
// The unit of the heights: the band's, or that of the coordinate system's third axis.
std::string vertical_unit(GDALRasterBand& band, const Georeference& georeference);
// Heights are in metres from now on, and neither the unit nor the coordinate system may say otherwise.
void set_metres(Georeference& georeference);

}  // namespace caprock::gdal

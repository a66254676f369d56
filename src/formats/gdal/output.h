// What writers of all formats need.
#pragma once

#include "formats/formats.h"
#include "formats/gdal/session.h"
#include "formats/gdal/source_raster.h"

#include <array>
#include <cpl_string.h>

namespace caprock::gdal {

[[noreturn]] void fail(const ErrorCollector& errors);

// Some failures, a full disk among them, are only seen when the last blocks go out.
void close(Dataset dataset, const ErrorCollector& errors);

// The transform of the cells that are written, where the terrain is a window of a larger one.
std::array<double, 6> transform_of(const Terrain& shape);

// None where there is no place, or no system to it.
void set_system(GDALDataset& raster, const Georeference* georeference);

// A raster into a file of that driver's format.
void copy_as(const char* driver, GDALDataset& raster, const std::string& path, const CPLStringList& options,
             const FileContext& context, const ErrorCollector& errors);
// The same of a source. Throws what that throws.
void copy_as(const char* driver, SourceRaster& raster, const std::string& path, const CPLStringList& options,
             const FileContext& context, const ErrorCollector& errors);

// Pictures hold heights as shares of the range, 0..1.
inline double share_of(float height, const Interval& range) {
    return (double(height) - range.low) / range.span();
}
struct ShareCount {
    int64_t holes = 0;
    int64_t outside = 0;  // below 0 or above 1
};
// Looks through all heights.
ShareCount count_shares(TerrainSource& source, const Interval& range, const FileContext& context);

void tell_outside(int64_t cells, const Interval& range, const FileContext& context);
void tell_place_lost(const Terrain& shape, const std::string& ending, const FileContext& context);

}  // namespace caprock::gdal

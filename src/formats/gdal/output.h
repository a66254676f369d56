// What writers of all formats need.
#pragma once

#include "formats/formats.h"
#include "formats/gdal/session.h"

#include <array>
#include <cpl_string.h>

namespace caprock::gdal {

[[noreturn]] void fail(const ErrorCollector& errors);

// Some failures, a full disk among them, are only seen when the last blocks go out.
void close(Dataset dataset, const ErrorCollector& errors);

// The transform of the cells that are written, where the terrain is a window of a larger one.
std::array<double, 6> transform_of(const Terrain& terrain);

// A raster in memory into a file of that driver's format.
void copy_as(const char* driver, GDALDataset& memory, const std::string& path, const CPLStringList& options,
             const FileContext& context, const ErrorCollector& errors);

void tell_outside(int64_t cells, const Interval& range, const FileContext& context);
void tell_place_lost(const Terrain& terrain, const std::string& ending, const FileContext& context);

}  // namespace caprock::gdal

// Rasters whose cells are no squares of metres, resampled to such.
#pragma once

#include "formats/gdal/place.h"

namespace caprock::gdal {

// Degrees go to the UTM zone of the raster's middle, other grids keep their coordinate system. Cells are interpolated
// where they are asked for, missing ones are left out. The result reads from `source` and must not outlive it.
Dataset resampled_to_metres(GDALDataset& source, const CellShape& shape, const ReadOptions& options,
                            const std::string& path, const FileContext& context);

}  // namespace caprock::gdal

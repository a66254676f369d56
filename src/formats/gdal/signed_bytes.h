// Rasters of bytes that are meant with a sign. GDAL before 3.7 has no type for them: it gives 255 for -1 and says so beside.
#pragma once

#include "formats/gdal/session.h"

namespace caprock::gdal {

bool has_signed_bytes(GDALDataset& file);

// The same raster with those bands as the numbers they mean. It reads from `file` and must not outlive it.
Dataset with_signs(GDALDataset& file);

}  // namespace caprock::gdal

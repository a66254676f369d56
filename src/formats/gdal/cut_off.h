// Files that were cut off, where the library that reads them takes what is not there for zeros, or says nothing.
#pragma once

#include "formats/gdal/session.h"

#include <string>

namespace caprock::gdal {

// Whether the header of such a file promises more than there is.
bool is_cut_off(GDALDataset& dataset, const std::string& path);

}  // namespace caprock::gdal

// netCDF files of the classic kind that were cut off: their library reads what is not there as zeros.
#pragma once

#include <string>

namespace caprock::gdal {

// Whether it is such a file and its header promises more than there is.
bool is_cut_off_netcdf(const std::string& path);

}  // namespace caprock::gdal

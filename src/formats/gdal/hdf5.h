// Which files are read with the library of HDF5, and what that has to say.
#pragma once

#include <string>

namespace caprock::gdal {

// Whether the contents are HDF5, whatever the name is: netCDF-4, BAG, KEA and others.
bool is_hdf5(const std::string& path);

// Whether it is a virtual raster (VRT) that is made of such files, or of others that are.
bool is_made_of_hdf5(const std::string& path);

// From now on that library prints nothing of its own when something fails in this thread: GDAL learns of it all the same.
void silence_hdf5();

}  // namespace caprock::gdal

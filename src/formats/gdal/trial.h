// Files that may bring down the library that reads them are read in a process of their own first. That of HDF5 crashes on some
// files that are damaged, writes over memory that is not its own, or goes round in circles.
#pragma once

#include "formats/formats.h"

namespace caprock::gdal {

enum class Trial {
    passed,   // all of it was read
    refused,  // there was an Error, which is to be had here as well
    not_made  // no process could be started
};

// Opens the file with these options and reads every cell, by the program caprock-trial beside this module. Throws Error where
// that did not come to its end, and Cancelled. A file that has passed is not tried again while it stays as it is.
Trial try_reading(const std::string& path, const ReadOptions& options, const FileContext& context);

}  // namespace caprock::gdal

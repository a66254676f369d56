// GDAL's errors as ours. Only this folder includes GDAL.
#pragma once

#include <gdal_priv.h>
#include <memory>
#include <string>

namespace caprock::gdal {

struct CloseDataset {
    void operator()(GDALDataset* dataset) const { GDALClose(dataset); }
};
using Dataset = std::unique_ptr<GDALDataset, CloseDataset>;

// Collects what GDAL reports while it lives, instead of letting it print. GDAL's calls often fail with no
// more than a flag, and some (closing a file on a full disk) only report: ask failed() after them.
class ErrorCollector {
  public:
    ErrorCollector();
    ~ErrorCollector();
    ErrorCollector(const ErrorCollector&) = delete;
    ErrorCollector& operator=(const ErrorCollector&) = delete;

    bool failed() const { return failed_; }
    // The first failure's words, in one line.
    std::string message() const;

  private:
    static void CPL_STDCALL report(CPLErr kind, CPLErrorNum number, const char* message);

    bool failed_ = false;
    std::string first_;
};

// While it lives, GDAL keeps no more than 128 MB of blocks rather than a twentieth of the machine's memory, unless the
// user has said how many (GDAL_CACHEMAX). Whatever is read or written here comes in whole blocks, once each.
class ModestCache {
  public:
    ModestCache();
    ~ModestCache();
    ModestCache(const ModestCache&) = delete;
    ModestCache& operator=(const ModestCache&) = delete;
};

// Who reads leaves no notes of its own beside the user's file.
void leave_nothing_beside(GDALDataset& dataset);

// While it lives, what a format cannot say is not written into an .aux.xml beside it.
class NoFilesBeside {
  public:
    NoFilesBeside();
    ~NoFilesBeside();
    NoFilesBeside(const NoFilesBeside&) = delete;
    NoFilesBeside& operator=(const NoFilesBeside&) = delete;
};

// The driver of that name, with all drivers registered on first use.
GDALDriver& raster_driver(const char* name);
// Registers what reading needs.
void register_drivers();

}  // namespace caprock::gdal

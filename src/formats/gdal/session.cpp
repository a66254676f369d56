#include "formats/gdal/session.h"

#include "base/error.h"

#include <algorithm>
#include <mutex>

namespace caprock::gdal {

ErrorCollector::ErrorCollector() { CPLPushErrorHandlerEx(&ErrorCollector::report, this); }

ErrorCollector::~ErrorCollector() { CPLPopErrorHandler(); }

void CPL_STDCALL ErrorCollector::report(CPLErr kind, CPLErrorNum, const char* message) {
    auto* collector = static_cast<ErrorCollector*>(CPLGetErrorHandlerUserData());
    if (kind < CE_Failure) return;
    collector->failed_ = true;
    if (collector->first_.empty()) collector->first_ = message;
}

std::string ErrorCollector::message() const {
    if (first_.empty()) return "GDAL gave no reason";
    std::string line = first_;
    std::ranges::replace(line, '\n', ' ');
    return line;
}

void register_drivers() {
    static std::once_flag once;
    std::call_once(once, [] {
        // No .aux.xml beside users' files.
        CPLSetConfigOption("GDAL_PAM_ENABLED", "NO");
        GDALAllRegister();
    });
}

GDALDriver& raster_driver(const char* name) {
    register_drivers();
    GDALDriver* driver = GetGDALDriverManager()->GetDriverByName(name);
    if (!driver) throw Error(std::string("this GDAL was built without its driver ") + name);
    return *driver;
}

}  // namespace caprock::gdal

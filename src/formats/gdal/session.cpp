#include "formats/gdal/session.h"

#include "base/error.h"
#include "formats/gdal/hdf5.h"

#include <algorithm>
#include <gdal_pam.h>
#include <mutex>

namespace caprock::gdal {

ErrorCollector::ErrorCollector() {
    silence_hdf5();
    CPLPushErrorHandlerEx(&ErrorCollector::report, this);
}

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

namespace {

// The limit is one for the whole process, and readers live as long as their owners like: the first of them lowers it,
// the last sets it back.
std::mutex cache_guard;
int cache_users = 0;
GIntBig usual_cache = 0;
constexpr GIntBig modest_cache = 128 << 20;

}  // namespace

ModestCache::ModestCache() {
    std::lock_guard lock(cache_guard);
    if (cache_users++ > 0) return;
    usual_cache = GDALGetCacheMax64();
    bool chosen = CPLGetConfigOption("GDAL_CACHEMAX", nullptr) != nullptr;
    if (!chosen && usual_cache > modest_cache) GDALSetCacheMax64(modest_cache);
}

ModestCache::~ModestCache() {
    std::lock_guard lock(cache_guard);
    if (--cache_users == 0) GDALSetCacheMax64(usual_cache);
}

void register_drivers() {
    static std::once_flag once;
    std::call_once(once, [] {
        // Files beside a raster may say what it does not (.aux.xml, .aux). Some drivers read them only when they are
        // asked for what may be in them, so that it is not enough to allow it while a file is opened.
        CPLSetConfigOption("GDAL_PAM_ENABLED", "YES");
        GDALAllRegister();
    });
}

void leave_nothing_beside(GDALDataset& dataset) {
    if (auto* with_files = dynamic_cast<GDALPamDataset*>(&dataset))
        with_files->SetPamFlags(with_files->GetPamFlags() | GPF_NOSAVE);
}

NoFilesBeside::NoFilesBeside() { CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", "NO"); }

NoFilesBeside::~NoFilesBeside() { CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", nullptr); }

GDALDriver& raster_driver(const char* name) {
    register_drivers();
    GDALDriver* driver = GetGDALDriverManager()->GetDriverByName(name);
    if (!driver) throw Error(std::string("this GDAL was built without its driver ") + name);
    return *driver;
}

}  // namespace caprock::gdal

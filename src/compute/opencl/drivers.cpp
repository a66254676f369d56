#include "compute/opencl/drivers.h"

#include "base/text.h"
#include "compute/opencl/handles.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <mutex>
#include <string>
#include <unistd.h>
#include <vector>

namespace caprock::opencl {

namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

// The driver libraries a folder of .icd files names, one in the first line of each.
std::vector<std::string> registered_drivers(const fs::path& folder) {
    std::vector<std::string> drivers;
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(folder, failure)) {
        if (entry.path().extension() != ".icd") continue;
        std::ifstream file(entry.path());
        std::string line;
        if (std::getline(file, line) && !line.empty()) drivers.push_back(line);
    }
    return drivers;
}

void register_named_drivers() {
    const std::string named = variable("OCL_ICD_FILENAMES");
    if (named.empty()) return;
    const std::string vendors = variable("OCL_ICD_VENDORS");
    std::vector<std::string> drivers;
    if (vendors.empty() || fs::is_directory(vendors)) {
        drivers = registered_drivers(vendors.empty() ? "/etc/OpenCL/vendors" : vendors);
    } else {
        drivers = {vendors};
    }
    for (const std::string& driver : split(named, ':'))
        if (!driver.empty()) drivers.push_back(driver);

    // The loader reads the folder at its first call and never again.
    std::string folder = (fs::temp_directory_path() / "caprock-icd-XXXXXX").string();
    if (!mkdtemp(folder.data())) return;
    for (size_t i = 0; i < drivers.size(); i++)
        std::ofstream(fs::path(folder) / fmt::format("{:03}.icd", i)) << drivers[i] << "\n";
    // A loader that knows both variables must not see one driver twice.
    unsetenv("OCL_ICD_FILENAMES");
    setenv("OCL_ICD_VENDORS", folder.c_str(), 1);
    cl_uint count = 0;
    clGetPlatformIDs(0, nullptr, &count);
    setenv("OCL_ICD_FILENAMES", named.c_str(), 1);
    if (vendors.empty()) {
        unsetenv("OCL_ICD_VENDORS");
    } else {
        setenv("OCL_ICD_VENDORS", vendors.c_str(), 1);
    }
    std::error_code ignored;
    fs::remove_all(folder, ignored);
}

}  // namespace

void honour_named_drivers() {
    static std::once_flag once;
    std::call_once(once, register_named_drivers);
}

}  // namespace caprock::opencl

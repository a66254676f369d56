#include "compute/opencl/drivers.h"

#include "base/file_stamp.h"
#include "base/text.h"
#include "compute/environment.h"

#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

namespace caprock::opencl {

namespace {

namespace fs = std::filesystem;

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
    const std::string named = environment_variable("OCL_ICD_FILENAMES");
    if (named.empty()) return;
    const std::string vendors = environment_variable("OCL_ICD_VENDORS");
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

std::string info_text(cl_device_id device, cl_device_info what) {
    size_t size = 0;
    check(clGetDeviceInfo(device, what, 0, nullptr, &size), "asking an OpenCL device");
    std::string text(size, '\0');
    check(clGetDeviceInfo(device, what, size, text.data(), nullptr), "asking an OpenCL device");
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
}

template <typename Value>
Value info_value(cl_device_id device, cl_device_info what) {
    Value value{};
    check(clGetDeviceInfo(device, what, sizeof value, &value, nullptr), "asking an OpenCL device");
    return value;
}

std::string platform_text(cl_platform_id platform, cl_platform_info what) {
    char text[256] = "";
    clGetPlatformInfo(platform, what, sizeof text - 1, text, nullptr);
    return text;
}

// The library that the driver is, with its size and when it was written.
std::string driver_file(cl_platform_id platform) {
    char extensions[4096] = "";
    clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS, sizeof extensions - 1, extensions, nullptr);
    // By this extension, each object of a driver begins with a pointer to the table of the driver's own functions.
    if (!std::strstr(extensions, "cl_khr_icd")) return "";
    const void* const* functions = *reinterpret_cast<const void* const* const*>(platform);
    constexpr int get_device_ids = 2;
    Dl_info about = {};
    if (!functions || !dladdr(functions[get_device_ids], &about) || !about.dli_fname) return "";
    FileStamp stamp = FileStamp::of(about.dli_fname);
    return fmt::format("{} {} {}", about.dli_fname, stamp.size, stamp.written.time_since_epoch().count());
}

}  // namespace

std::string driver_identity(cl_device_id device) {
    auto platform = info_value<cl_platform_id>(device, CL_DEVICE_PLATFORM);
    return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", platform_text(platform, CL_PLATFORM_NAME),
                       platform_text(platform, CL_PLATFORM_VERSION), info_text(device, CL_DEVICE_VENDOR),
                       info_text(device, CL_DEVICE_VERSION), info_text(device, CL_DRIVER_VERSION),
                       driver_file(platform));
}

void honour_named_drivers() {
    static std::once_flag once;
    std::call_once(once, register_named_drivers);
}

std::vector<Found> find_devices(OpenClSearch search) {
    // Drivers make their devices ready when they are first asked for them. PoCL's are half made to whoever asks meanwhile.
    static std::mutex one_by_one;
    std::lock_guard lock(one_by_one);
    std::vector<Found> found;
    honour_named_drivers();
    cl_uint platform_count = 0;
    if (clGetPlatformIDs(0, nullptr, &platform_count) != CL_SUCCESS) return found;
    std::vector<cl_platform_id> platforms(platform_count);
    if (clGetPlatformIDs(platform_count, platforms.data(), nullptr) != CL_SUCCESS) return found;
    std::set<std::string> seen;
    for (cl_platform_id platform : platforms) {
        // One driver that is registered under two names is still one.
        if (!seen.insert(platform_text(platform, CL_PLATFORM_NAME) +
                         platform_text(platform, CL_PLATFORM_VERSION))
                 .second)
            continue;
        bool only_cpus = platform_text(platform, CL_PLATFORM_NAME) == "Portable Computing Language";
        if (search == OpenClSearch::gpus && only_cpus) continue;
        cl_uint count = 0;
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) continue;
        std::vector<cl_device_id> ids(count);
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr) != CL_SUCCESS) continue;
        for (cl_device_id id : ids) {
            DeviceDescription description;
            description.name = info_text(id, CL_DEVICE_NAME);
            description.platform = fmt::format("{}, driver {}", platform_text(platform, CL_PLATFORM_NAME),
                                               info_text(id, CL_DRIVER_VERSION));
            description.gpu = info_value<cl_device_type>(id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU;
            description.memory = info_value<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_SIZE);
            description.largest_allocation = info_value<cl_ulong>(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
            description.compute_units = int(info_value<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS));
            if (search == OpenClSearch::gpus && !description.gpu) continue;
            found.push_back({id, description});
        }
    }
    return found;
}

bool rounds_correctly(cl_device_id device) {
    auto rounding = info_value<cl_device_fp_config>(device, CL_DEVICE_SINGLE_FP_CONFIG);
    return (rounding & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) && (rounding & CL_FP_DENORM);
}

}  // namespace caprock::opencl

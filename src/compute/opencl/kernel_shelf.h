// The kernels a device has compiled, each when it is first needed. Threads that need one kernel wait until it is there; those
// that need another do not.
#pragma once

#include "compute/compiled_cache.h"
#include "compute/device.h"
#include "compute/opencl/drivers.h"
#include "compute/opencl/handles.h"

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace caprock::opencl {

class KernelShelf {
  public:
    KernelShelf(cl_context context, cl_device_id device, const DeviceDescription& description)
        : context_(context), device_(device), description_(description), driver_(driver_identity(device)) {}

    struct Shelved {
        std::mutex compiling;
        KernelHandle handle;
        // Where it came from disk, for whoever launches it: drivers that crash may do so when it is first run.
        std::optional<CodeTrial> trial;
    };
    // For launches without certain fields. From memory, from disk, or by the driver's compiler. Throws DeviceError with
    // the compiler's first words. It stays where it is. OpenCL has it that a kernel gets arguments from one thread at a time:
    // that, and its trial, is under the device's lock.
    Shelved& compiled(const Kernel& kernel, const std::set<std::string>& absent);

  private:
    Program program_from_cache(const std::string& key, std::optional<CodeTrial>& trial) const;
    Program program_from_source(const Kernel& kernel, const std::string& source,
                                const std::string& key) const;

    cl_context context_;
    cl_device_id device_;
    const DeviceDescription& description_;
    std::string driver_;
    std::mutex guard_;  // of the map
    std::map<std::pair<const Kernel*, std::set<std::string>>, Shelved> kernels_;
};

}  // namespace caprock::opencl

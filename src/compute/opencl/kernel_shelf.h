// The kernels a device has compiled, each when it is first needed.
#pragma once

#include "compute/compiled_cache.h"
#include "compute/device.h"
#include "compute/opencl/drivers.h"
#include "compute/opencl/handles.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace caprock::opencl {

class KernelShelf {
  public:
    KernelShelf(cl_context context, cl_device_id device, const DeviceDescription& description)
        : context_(context), device_(device), description_(description), driver_(driver_identity(device)) {}

    // For launches without certain fields. From memory, from disk, or by the driver's compiler. Throws DeviceError with
    // the compiler's first words.
    cl_kernel compiled(const Kernel& kernel, const std::set<std::string>& absent);
    // All that was launched so far has come to an end, and nothing has crashed.
    void proven() { trials_.clear(); }

  private:
    Program program_from_cache(const std::string& key);
    Program program_from_source(const Kernel& kernel, const std::string& source,
                                const std::string& key) const;

    cl_context context_;
    cl_device_id device_;
    const DeviceDescription& description_;
    std::string driver_;
    std::vector<CodeTrial> trials_;
    std::map<std::pair<const Kernel*, std::set<std::string>>, KernelHandle> kernels_;
};

}  // namespace caprock::opencl

// Every device a test can run on: the CPU at each level it has, and every OpenCL device.
#pragma once

#include "compute/cpu_device.h"
#include "compute/opencl/opencl_device.h"

#include <memory>
#include <string>
#include <vector>

namespace caprock::test {

struct NamedDevice {
    std::string name;
    std::shared_ptr<Device> device;
};

inline std::vector<NamedDevice> cpu_devices() {
    std::vector<NamedDevice> devices;
    for (CpuLevel level : supported_cpu_levels())
        devices.push_back({"cpu " + std::string(cpu_level_name(level)), make_cpu_device(level, 2)});
    return devices;
}

inline std::vector<NamedDevice> opencl_devices(const OpenClOptions& options = {}) {
    std::vector<NamedDevice> devices;
    for (size_t i = 0; i < opencl_descriptions().size(); i++) {
        std::shared_ptr<Device> device = open_opencl_device(i, options);
        devices.push_back({"opencl " + device->name(), device});
    }
    return devices;
}

inline const std::vector<NamedDevice>& all_devices() {
    static const std::vector<NamedDevice> all = [] {
        std::vector<NamedDevice> devices = cpu_devices();
        for (NamedDevice& device : opencl_devices()) devices.push_back(device);
        return devices;
    }();
    return all;
}

}  // namespace caprock::test

// OpenCL devices: GPUs, and CPUs through drivers such as PoCL.
#pragma once

#include "compute/device.h"

#include <memory>
#include <optional>
#include <vector>

namespace caprock {

struct OpenClOptions {
    // Pretend the device has no more than this; for tests, and for sharing a GPU. Also CAPROCK_DEVICE_MEMORY.
    std::optional<uint64_t> memory_limit;
    // One launch is cut into parts of this many cells, so that a slow device can be cancelled too; fewer for tests.
    int64_t cells_per_part = int64_t(1) << 26;
};

// Whether drivers that only drive the CPU are asked as well. A search for GPUs leaves PoCL alone: its start takes
// longer than small work, and where it finds the machine odd it ends the whole process.
enum class OpenClSearch { all, gpus };

// The devices of every platform the ICD loader knows. Empty when there is no driver. Touches the drivers.
std::vector<DeviceDescription> opencl_descriptions(OpenClSearch search = OpenClSearch::all);

// The device at that place of opencl_descriptions(search). Throws DeviceError when it cannot be opened.
std::shared_ptr<Device> open_opencl_device(size_t index, const OpenClOptions& options = {},
                                           OpenClSearch search = OpenClSearch::all);

// What a device test may make go wrong, at the launch with that number (from 0): one fault, once.
enum class Fault { none, out_of_memory, lost };
void inject_fault(Device& opencl_device, Fault fault, int at_launch);

// Bytes of fields that now live on the device, how many kernels were launched there, and how many times cells were
// copied to it and back.
struct OpenClTraffic {
    uint64_t resident_bytes = 0;
    int launches = 0;
    int uploads = 0;
    int downloads = 0;
    int bands = 0;
};
OpenClTraffic opencl_traffic(const Device& opencl_device);

// Bytes per second, read and written, of the fastest copy of so many bytes inside its memory: the driver's own, or ours. Of
// an eighth of its memory at the most.
double opencl_copy_bandwidth(Device& opencl_device, uint64_t bytes, int repeats);

}  // namespace caprock

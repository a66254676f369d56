// Choosing a device by the word a user gives.
#pragma once

#include "compute/device.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {

// Every device there is, the CPU first. Touches the drivers.
std::vector<DeviceDescription> list_devices();

// auto    a GPU when there is one and the work is large enough to pay for the trip, else the CPU
// cpu     the CPU
// gpu     the first GPU
// opencl  the first OpenCL device of any kind
// NAME    the first device whose name contains it, whatever the case
// Throws Error when there is no such device. `cells`: how large the work is, for auto.
std::shared_ptr<Device> choose_device(std::string_view word, int threads, int64_t cells);

}  // namespace caprock

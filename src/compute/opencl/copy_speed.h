// How fast a device copies inside its memory: what all other work there is measured by.
#pragma once

#include "compute/opencl/handles.h"

#include <cstddef>

namespace caprock::opencl {

// Bytes per second, read and written, by the device's clock: the best of the driver's own copy and one with wide loads.
double fastest_copy(cl_context context, cl_device_id device, size_t bytes, int repeats);

}  // namespace caprock::opencl

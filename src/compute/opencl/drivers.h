// Which OpenCL drivers there are.
#pragma once

#include "compute/device.h"
#include "compute/opencl/handles.h"
#include "compute/opencl/opencl_device.h"

#include <vector>

namespace caprock::opencl {

struct Found {
    cl_device_id id;
    DeviceDescription description;
};

std::vector<Found> find_devices(OpenClSearch search);

// Whether its divisions, square roots and denormals have the bits that every other device's have.
bool rounds_correctly(cl_device_id device);

// OCL_ICD_FILENAMES names driver libraries that are not registered on the system, as the Khronos loader takes
// it. Debian's loader knows OCL_ICD_VENDORS only; this makes it see both. Call before the first call of
// OpenCL.
void honour_named_drivers();

}  // namespace caprock::opencl

// Which OpenCL drivers there are.
#pragma once

#include "compute/device.h"
#include "compute/opencl/handles.h"
#include "compute/opencl/opencl_device.h"

#include <string>
#include <vector>

namespace caprock::opencl {

struct Found {
    cl_device_id id;
    DeviceDescription description;
};

std::vector<Found> find_devices(OpenClSearch search);

// Whether its divisions, square roots and denormals have the bits that every other device's have.
bool rounds_correctly(cl_device_id device);

// Everything by which one driver is told from another: what it says of itself, and the file that it is. Two builds of one
// version say the same.
std::string driver_identity(cl_device_id device);

// OCL_ICD_FILENAMES names driver libraries that are not registered on the system, as the Khronos loader takes
// it. Debian's loader knows OCL_ICD_VENDORS only; this makes it see both. Call before the first call of
// OpenCL.
void honour_named_drivers();

}  // namespace caprock::opencl

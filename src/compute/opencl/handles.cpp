#include "compute/opencl/handles.h"

#include "base/error.h"

#include <fmt/format.h>

namespace caprock::opencl {

std::string status_text(cl_int status) {
    switch (status) {
        case CL_DEVICE_NOT_FOUND:
            return "no device found";
        case CL_DEVICE_NOT_AVAILABLE:
            return "the device is not available any more";
        case CL_COMPILER_NOT_AVAILABLE:
            return "no compiler available";
        case CL_MEM_OBJECT_ALLOCATION_FAILURE:
            return "out of device memory";
        case CL_OUT_OF_RESOURCES:
            return "out of resources";
        case CL_OUT_OF_HOST_MEMORY:
            return "out of host memory";
        case CL_BUILD_PROGRAM_FAILURE:
            return "the kernel did not compile";
        case CL_INVALID_BUFFER_SIZE:
            return "the buffer is larger than the device allows";
        case CL_INVALID_CONTEXT:
            return "the device's context is gone";
        case CL_INVALID_COMMAND_QUEUE:
            return "the device's queue is gone";
        case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST:
            return "a kernel failed while it ran";
        default:
            return fmt::format("error {}", status);
    }
}

void check(cl_int status, const char* doing) {
    if (status == CL_SUCCESS) return;
    std::string message = fmt::format("{}: {}", doing, status_text(status));
    // A kernel that crashes takes its context along on most drivers: whatever lived there only is gone.
    bool lost = status == CL_DEVICE_NOT_AVAILABLE || status == CL_INVALID_CONTEXT ||
                status == CL_INVALID_COMMAND_QUEUE || status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    if (lost) throw DeviceLost(message);
    throw DeviceError(message);
}

}  // namespace caprock::opencl

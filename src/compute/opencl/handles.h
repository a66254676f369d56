// OpenCL objects that release themselves, and error codes as words.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <memory>
#include <string>
#include <type_traits>

namespace caprock::opencl {

template <typename Handle, auto release_handle>
struct Release {
    void operator()(Handle handle) const { release_handle(handle); }
};
template <typename Handle, auto release_handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Release<Handle, release_handle>>;

using Context = Owned<cl_context, clReleaseContext>;
using Queue = Owned<cl_command_queue, clReleaseCommandQueue>;
using Program = Owned<cl_program, clReleaseProgram>;
using KernelHandle = Owned<cl_kernel, clReleaseKernel>;
using Memory = Owned<cl_mem, clReleaseMemObject>;
using Event = Owned<cl_event, clReleaseEvent>;

// "out of resources", or "error -9999".
std::string status_text(cl_int status);

// Throws DeviceLost or DeviceError unless the status is CL_SUCCESS.
void check(cl_int status, const char* doing);

}  // namespace caprock::opencl

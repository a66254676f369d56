#include "compute/opencl/copy_speed.h"

#include "base/error.h"

#include <algorithm>
#include <functional>

namespace caprock::opencl {

namespace {

// Sixteen bytes a load, four of them on their way at once.
constexpr const char* wide_copy = R"(
__kernel void wide_copy(__global const float4* from, __global float4* to) {
    size_t first = get_group_id(0) * get_local_size(0) * 4 + get_local_id(0);
    size_t step = get_local_size(0);
    float4 a = from[first], b = from[first + step], c = from[first + 2 * step], d = from[first + 3 * step];
    to[first] = a;
    to[first + step] = b;
    to[first + 2 * step] = c;
    to[first + 3 * step] = d;
}
)";
constexpr size_t threads_of_group = 256;
constexpr size_t bytes_of_group = threads_of_group * 4 * sizeof(cl_float4);

double seconds_of(cl_event event) {
    cl_ulong begin = 0;
    cl_ulong end = 0;
    check(clWaitForEvents(1, &event), "copying");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, nullptr),
          "copying");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr), "copying");
    return double(std::max<cl_ulong>(end - begin, 1)) * 1e-9;
}

}  // namespace

double fastest_copy(cl_context context, cl_device_id device, size_t bytes, int repeats) {
    bytes = std::max(bytes / bytes_of_group, size_t(1)) * bytes_of_group;
    cl_int status = CL_SUCCESS;
    Queue queue(clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status));
    check(status, "opening the device");
    auto allocated = [&] {
        Memory memory(clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &status));
        check(status, "taking device memory");
        cl_float one = 1;
        check(clEnqueueFillBuffer(queue.get(), memory.get(), &one, sizeof one, 0, bytes, 0, nullptr, nullptr),
              "filling device memory");
        return memory;
    };
    const Memory from = allocated();
    const Memory to = allocated();
    double best = 0;
    auto measure = [&](const std::function<cl_int(cl_event*)>& copy) {
        for (int repeat = 0; repeat <= repeats; repeat++) {
            cl_event event = nullptr;
            check(copy(&event), "copying");
            const Event owned(event);
            best = std::max(best, 2.0 * double(bytes) / seconds_of(event));
        }
    };
    measure([&](cl_event* event) {
        return clEnqueueCopyBuffer(queue.get(), from.get(), to.get(), 0, 0, bytes, 0, nullptr, event);
    });
    const char* text = wide_copy;
    Program program(clCreateProgramWithSource(context, 1, &text, nullptr, &status));
    check(status, "compiling a kernel");
    check(clBuildProgram(program.get(), 1, &device, "", nullptr, nullptr), "compiling a kernel");
    KernelHandle kernel(clCreateKernel(program.get(), "wide_copy", &status));
    check(status, "compiling a kernel");
    cl_mem arguments[] = {from.get(), to.get()};
    for (cl_uint i = 0; i < 2; i++)
        check(clSetKernelArg(kernel.get(), i, sizeof(cl_mem), &arguments[i]), "copying");
    measure([&](cl_event* event) {
        size_t all = bytes / bytes_of_group * threads_of_group;
        return clEnqueueNDRangeKernel(queue.get(), kernel.get(), 1, nullptr, &all, &threads_of_group, 0,
                                      nullptr, event);
    });
    return best;
}

}  // namespace caprock::opencl

#include "compute/opencl/kernel_shelf.h"

#include "base/error.h"
#include "compute/opencl/source.h"
#include "compute/user_kernel.h"

#include <fmt/format.h>
#include <optional>
#include <vector>

namespace caprock::opencl {

namespace {

constexpr const char* build_options = "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt";

}  // namespace

KernelShelf::Shelved& KernelShelf::compiled(const Kernel& kernel, const std::set<std::string>& absent) {
    Shelved* shelved = nullptr;
    {
        std::lock_guard lock(guard_);
        shelved = &kernels_[{&kernel, absent}];
    }
    std::lock_guard lock(shelved->compiling);
    if (shelved->handle) return *shelved;
    std::string source = program_source(kernel, absent);
    std::string key = code_key({"opencl", source, description_.name, driver_, build_options});
    Program program = program_from_cache(key, shelved->trial);
    if (!program) program = program_from_source(kernel, source, key);
    cl_int status = CL_SUCCESS;
    KernelHandle handle(clCreateKernel(program.get(), kernel.name, &status));
    check(status, "taking a kernel from its program");
    shelved->handle = std::move(handle);
    return *shelved;
}

Program KernelShelf::program_from_cache(const std::string& key, std::optional<CodeTrial>& trial) const {
    std::optional<KeptCode> kept = kept_code(key);
    if (!kept) return nullptr;
    const auto* data = reinterpret_cast<const unsigned char*>(kept->bytes.data());
    size_t size = kept->bytes.size();
    cl_int loaded = CL_SUCCESS;
    cl_int status = CL_SUCCESS;
    Program program(clCreateProgramWithBinary(context_, 1, &device_, &size, &data, &loaded, &status));
    // A file the driver does not take any more is as good as none.
    if (status != CL_SUCCESS || loaded != CL_SUCCESS) return nullptr;
    if (clBuildProgram(program.get(), 1, &device_, build_options, nullptr, nullptr) != CL_SUCCESS)
        return nullptr;
    trial = std::move(kept->trial);
    return program;
}

Program KernelShelf::program_from_source(const Kernel& kernel, const std::string& source,
                                         const std::string& key) const {
    const char* text = source.c_str();
    cl_int status = CL_SUCCESS;
    Program program(clCreateProgramWithSource(context_, 1, &text, nullptr, &status));
    check(status, "preparing a kernel");
    status = clBuildProgram(program.get(), 1, &device_, build_options, nullptr, nullptr);
    if (status != CL_SUCCESS) {
        size_t size = 0;
        clGetProgramBuildInfo(program.get(), device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
        std::string log(size, '\0');
        clGetProgramBuildInfo(program.get(), device_, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
        if (kernel.user) {
            std::vector<KernelProblem> problems = problems_in(log, kernel.user->called());
            if (problems.empty()) problems.push_back({0, "its driver says: " + status_text(status)});
            throw KernelError(kernel.user->file(), problems);
        }
        std::string first = log.substr(0, log.find('\n'));
        throw DeviceError(fmt::format("kernel {} did not compile: {}", kernel.name,
                                      first.empty() ? status_text(status) : first));
    }
    size_t size = 0;
    if (clGetProgramInfo(program.get(), CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) == CL_SUCCESS &&
        size > 0) {
        std::string binary(size, '\0');
        auto* to = reinterpret_cast<unsigned char*>(binary.data());
        if (clGetProgramInfo(program.get(), CL_PROGRAM_BINARIES, sizeof to, &to, nullptr) == CL_SUCCESS)
            keep_code(key, binary);
    }
    return program;
}

}  // namespace caprock::opencl

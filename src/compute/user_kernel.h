// A kernel that a user wrote, compiled while the program runs: by the driver on OpenCL devices, by a system compiler on
// the CPU.
//
// It is user code that runs in this process. What can be kept from it is: it loads no neighbour beyond its radius, nothing
// from a field that is not there, and leaves no cell of an output unwritten.
#pragma once

#include "compute/kernel.h"
#include "compute/kernel_scan.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace caprock {

// What a kernel's comments say that its code has to know.
struct UserKernelRules {
    bool fills_missing = false;      // otherwise a missing cell stays missing
    bool makes_missing = false;      // otherwise a known cell keeps its value where the kernel makes none
    std::set<std::string> optional;  // fields that may be absent

    auto operator<=>(const UserKernelRules&) const = default;
};

class UserKernel {
  public:
    UserKernel(const ScannedKernel& scanned, const UserKernelRules& rules);
    ~UserKernel();
    UserKernel(const UserKernel&) = delete;
    UserKernel& operator=(const UserKernel&) = delete;

    const Kernel& kernel() const { return kernel_; }
    const std::string& file() const { return file_; }       // as the user calls it
    const char* called() const { return called_.c_str(); }  // the same as compilers are told
    const std::string& signature() const { return signature_; }
    std::string words_for_opencl() const;

    // The code for a CPU of that level, compiled at the first call; null where there is no compiler. Throws
    // KernelError where it does not compile.
    const lanes::Compiled* code(CpuLevel level) const;
    // All that is compiled for a level.
    std::string cpu_source(CpuLevel level) const;

  private:
    struct Codes;

    void write_words(const ScannedKernel& scanned, const UserKernelRules& rules);
    void write_text(const ScannedKernel& scanned, const UserKernelRules& rules);
    std::string words(const char* of_platform) const;

    std::string file_;
    std::string called_;
    std::string name_;
    std::string text_;   // as it is compiled, line for line that of the user
    std::string words_;  // put before it: what storing means for its fields
    std::string signature_;
    std::vector<KernelText> texts_;
    Kernel kernel_;
    std::unique_ptr<Codes> codes_;
};

// The same object for the same text, file and rules. It stays for as long as the process does: devices know kernels by
// their address. Throws KernelError for fields that do not go together, and Error where CAPROCK_KERNELS is "off".
const UserKernel& user_kernel(const ScannedKernel& scanned, const UserKernelRules& rules);

}  // namespace caprock

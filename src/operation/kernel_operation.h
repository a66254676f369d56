// A kernel file as an operation, and the file itself, looked at again when it changes.
#pragma once

#include "base/file_stamp.h"
#include "operation/kernel_program.h"
#include "operation/operation.h"

#include <memory>
#include <optional>
#include <string>

namespace caprock {

// The operation that a kernel's text describes, with its parameters at their defaults. Its name is the file's own, such as
// rice.kernel, so that no operation of the registry can have it. Throws KernelError.
std::unique_ptr<Operation> kernel_operation(const std::string& text, const std::string& file);
std::unique_ptr<Operation> kernel_operation(std::shared_ptr<const KernelProgram> program);

// A kernel file that somebody may be working on.
class KernelFile {
  public:
    // Reads it, and compiles it where a device is given. Throws KernelError, or Error where there is no such file.
    explicit KernelFile(std::string path, std::shared_ptr<Device> device = nullptr);

    const std::string& path() const { return path_; }
    const KernelProgram& program() const { return *program_; }

    // Looks whether the file has changed, and says whether there is a new version. While a new one does not compile, the
    // old one stays.
    bool refresh();
    // Why the file as it is now is not the version at hand: "rice.kernel:7: ..."; empty where it is.
    const std::string& error() const { return error_; }

    std::unique_ptr<Operation> operation() const { return kernel_operation(program_); }
    // The same with the values that another version's operation has, where they still fit.
    std::unique_ptr<Operation> operation_like(const Operation& other) const;

  private:
    std::shared_ptr<const KernelProgram> read() const;

    std::string path_;
    std::shared_ptr<Device> device_;
    FileStamp seen_;
    std::shared_ptr<const KernelProgram> program_;
    std::string error_;
};

}  // namespace caprock

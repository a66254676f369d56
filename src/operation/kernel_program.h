// What a kernel file says: the kernel, and in its comments the parameters that users set. docs/custom-kernels.md has
// the rules.
#pragma once

#include "compute/user_kernel.h"
#include "operation/schema.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace caprock {

// A parameter that a comment declares: "step: 40 m (1 .. 500) height of one step".
struct KernelSetting {
    std::string word;  // in the kernel
    std::string name;  // on the command line: with - in place of _
    ParameterType type = ParameterType::number;
    double initial = 0;  // of a choice its index, of a flag 0 or 1
    Interval range = {0, 0};
    std::string unit;
    std::vector<std::string> choices;
    std::string help;
    bool counts_steps = false;
    int line = 0;
};

// Where the value of a uniform comes from.
enum class UniformSource {
    setting,  // a parameter
    cell,     // metres from one cell to the next
    low,      // the height range
    high,
    reach,      // how many cells around are within the radius
    iteration,  // how many times the kernel has run before
};

struct KernelUniform {
    UniformSource source;
    size_t setting = 0;  // its index
};

struct KernelProgram {
    std::string file;  // as it was named
    std::string name;  // the file's own, without folders: rice.kernel
    std::string text;
    std::string summary;
    Schema schema;    // of the settings
    FieldUse fields;  // of the kernel's parameters
    ScannedKernel scanned;
    UserKernelRules rules;
    std::vector<KernelSetting> settings;
    std::vector<KernelUniform> uniforms;  // in the order of the kernel's
    // How far it looks: a parameter's value, or always the same.
    std::optional<size_t> radius_setting;
    double radius = 0;
    bool radius_in_cells = false;
    std::optional<size_t> steps_setting;
    std::optional<size_t> stop_after_setting;  // where there is the other
    const UserKernel* kernel = nullptr;

    bool has(ParameterKind kind) const;
    // Whether it is an output beside an input of the same name: AROUND(height), OUT(height).
    bool is_paired(const ScannedParameter& parameter) const;
    size_t paired_outputs() const;
};

// Whether a word names a kernel file.
bool is_kernel_name(std::string_view word);

// Throws KernelError with the lines where something is wrong. It is not compiled yet.
std::shared_ptr<const KernelProgram> read_kernel_program(const std::string& text, const std::string& file);

}  // namespace caprock

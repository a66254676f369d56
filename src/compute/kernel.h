// A kernel: a device function written once in the lane dialect (kernels/), known by name and signature.
#pragma once

#include "dialect/launch.h"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace caprock {

// Instruction sets a kernel is compiled for. `portable` runs anywhere; the others are x86-64 levels.
enum class CpuLevel { portable, v2, v3, v4 };
constexpr int cpu_level_count = 4;

enum class ParameterKind {
    in,        // this cell
    out,       // written, every cell of the launch
    inout,     // this cell, read and written
    around,    // neighbours within the launch's radius
    in_stack,  // the same four of several planes
    out_stack,
    inout_stack,
    around_stack,
    finer,     // a grid of twice the resolution, around cell (2x, 2y)
    coarser,   // a grid of half the resolution, around cell (x / 2, y / 2)
    anywhere,  // any cell
    tally,     // whole numbers, cleared and added to in the launch's row
    uniform_float,
    uniform_int,
    uniform_uint,
    table_float,
    table_int,
    table_uint,
    fold_min,
    fold_max,
    fold_sum,
    along,  // running sum of whole numbers along each row
    down,   // the same down each column
};

bool is_field(ParameterKind kind);  // of one plane, or a stack
bool is_stack(ParameterKind kind);
bool is_written(ParameterKind kind);
bool is_overwritten(ParameterKind kind);  // written, and not read
bool is_table(ParameterKind kind);
bool is_fold(ParameterKind kind);
// Whether a launch gives an argument for it; folds are results, running sums are the kernel's own.
bool is_given(ParameterKind kind);

struct KernelParameter {
    ParameterKind kind;
    std::string name;
};

// A file of kernels/ as it was when the library was built, for compilers that run later.
struct KernelText {
    const char* name;
    const char* text;
};

class UserKernel;

struct Kernel {
    const char* name;
    const char* file;                                            // the text that holds it
    std::span<const KernelText> texts;                           // that text and all it may include
    std::array<const lanes::Compiled*, cpu_level_count> levels;  // null where not compiled
    // Of a kernel that a user wrote, and that is compiled when it is first run; null for those of the build.
    const UserKernel* user = nullptr;

    // Parsed from the kernel's own declaration, e.g. "IN(height), UNIFORM(float, force)".
    const std::vector<KernelParameter>& parameters() const;
    const std::vector<KernelParameter>& given_parameters() const;
    bool has(ParameterKind kind) const;  // such a parameter
    bool folds() const;
    // Rows or columns that one thread of work must have to itself, from end to end.
    bool whole_rows() const;
    bool whole_columns() const;
};

std::vector<KernelParameter> parse_signature(const std::string& signature);

}  // namespace caprock

#include "compute/opencl/source.h"

#include "compute/dialect_texts.h"
#include "compute/user_kernel.h"

#include <fmt/format.h>
#include <set>

namespace caprock::opencl {

namespace {

// KERNEL(name, PARAMETERS) becomes the function that an entry calls for each cell.
void write_out_kernels(std::string& source) {
    const std::string declaration = "KERNEL(";
    size_t at = 0;
    while ((at = source.find(declaration, at)) != std::string::npos) {
        size_t comma = source.find(',', at);
        std::string name = source.substr(at + declaration.size(), comma - at - declaration.size());
        // Not the word in a comment.
        bool is_name = !name.empty() &&
                       name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
        if (is_name && comma != std::string::npos)
            source.replace(at, comma + 1 - at, fmt::format("FN void {}_cells(const Here here,", name));
        at += 1;
    }
}

struct EntryText {
    std::string declared;      // the entry's parameters
    std::string passed;        // what the cell function gets
    std::string passed_inner;  // the same far from every border
    std::string holds;         // whether that is here; empty where no neighbours are loaded
    std::string before;        // folds and running sums: set up and written back
    std::string after;
};

EntryText entry_text(const Kernel& kernel, const std::set<std::string>& absent) {
    EntryText entry;
    for (const KernelParameter& parameter : kernel.parameters()) {
        const std::string& name = parameter.name;
        auto field = [&](const char* type, const char* maker, const char* x, const char* y) {
            bool stack = is_stack(parameter.kind);
            entry.declared += fmt::format(", global {}float* {}_data, const int8 {}_shape", type, name, name);
            if (stack) entry.declared += fmt::format(", const int {}_planes", name);
            bool there = !absent.contains(name);
            std::string data = there ? name + "_data" : fmt::format("(global {}float*)0", type);
            bool around =
                parameter.kind == ParameterKind::around || parameter.kind == ParameterKind::around_stack;
            std::string planes = stack ? fmt::format("{}_planes, ", name) : "";
            std::string plane = fmt::format("({}, {}_shape, {}{}, {})", data, name, planes, x, y);
            // A user's kernel is kept to the radius, and so its planes know it.
            bool bounded = around && kernel.user;
            const char* before = bounded ? "plane_bounded(" : "";
            const char* after = bounded ? ", radius_)" : "";
            entry.passed += fmt::format(", {}{}{}{}", before, maker, plane, after);
            const char* inner = !around ? maker : stack ? "stack_inner" : "plane_inner";
            entry.passed_inner += fmt::format(", {}{}{}{}", before, inner, plane, after);
            if (around && there)
                entry.holds += fmt::format("{}plane_holds({}_data, {}_shape, x_, y_, radius_)",
                                           entry.holds.empty() ? "" : " && ", name, name);
        };
        auto uniform = [&](const char* type) {
            entry.declared += fmt::format(", const {} {}", type, name);
            entry.passed += ", " + name;
            entry.passed_inner += ", " + name;
        };
        auto table = [&](const char* type) {
            entry.declared += fmt::format(", global const {}* {}", type, name);
            entry.passed += ", " + name;
            entry.passed_inner += ", " + name;
        };
        auto fold = [&](const char* fold_type, const char* type, const char* start) {
            entry.declared += fmt::format(", global {}* {}_parts", type, name);
            entry.before += fmt::format("    {} {} = {};\n    const {} {}_fold = {{&{}}};\n", type, name,
                                        start, fold_type, name, name);
            entry.passed += ", " + name + "_fold";
            entry.after += fmt::format("    {}_parts[part_] = {};\n", name, name);
        };
        switch (parameter.kind) {
            case ParameterKind::in:
            case ParameterKind::around:
            case ParameterKind::anywhere:
                field("const ", "plane_in", "x_", "y_");
                break;
            case ParameterKind::finer:
                field("const ", "plane_in", "2 * x_", "2 * y_");
                break;
            case ParameterKind::coarser:
                field("const ", "plane_in", "x_ >> 1", "y_ >> 1");
                break;
            case ParameterKind::out:
            case ParameterKind::inout:
                field("", "plane_out", "x_", "y_");
                break;
            case ParameterKind::in_stack:
            case ParameterKind::around_stack:
                field("const ", "stack_in", "x_", "y_");
                break;
            case ParameterKind::out_stack:
            case ParameterKind::inout_stack:
                field("", "stack_out", "x_", "y_");
                break;
            case ParameterKind::uniform_float:
                uniform("float");
                break;
            case ParameterKind::uniform_int:
                uniform("int");
                break;
            case ParameterKind::uniform_uint:
                uniform("uint");
                break;
            case ParameterKind::table_float:
                table("float");
                break;
            case ParameterKind::table_int:
                table("int");
                break;
            case ParameterKind::table_uint:
                table("uint");
                break;
            case ParameterKind::tally:
                field("", "plane_tally", "x_", "y_");
                break;
            case ParameterKind::along:
                entry.before += fmt::format(
                    "    local ulong {0}_sums[ALONG_GROUP];\n    ulong {0}_before = 0;\n"
                    "    const Along {0}_along = {{{0}_sums, &{0}_before}};\n",
                    name);
                entry.passed += ", " + name + "_along";
                break;
            case ParameterKind::down:
                // Kept between launches, so that a band goes on where the one above it ended.
                entry.declared += fmt::format(", global ulong* {}_sums", name);
                entry.before += fmt::format(
                    "    ulong {0} = {0}_sums[x_ - cells_.x];\n    const Down {0}_down = {{&{0}}};\n", name);
                entry.passed += ", " + name + "_down";
                entry.after += fmt::format("    {0}_sums[x_ - cells_.x] = {0};\n", name);
                break;
            case ParameterKind::fold_min:
                fold("FoldMin", "float", "INFINITY");
                break;
            case ParameterKind::fold_max:
                fold("FoldMax", "float", "-INFINITY");
                break;
            case ParameterKind::fold_sum:
                fold("FoldSum", "ulong", "0");
                break;
        }
    }
    return entry;
}

}  // namespace

std::string program_source(const Kernel& kernel, const std::set<std::string>& absent) {
    std::string source;
    std::set<std::string> included;
    append_with_includes(kernel.texts, "dialect/opencl.h", included, source);
    if (kernel.user) source += kernel.user->words_for_opencl();
    append_with_includes(kernel.texts, kernel.file, included, source);
    write_out_kernels(source);
    EntryText entry = entry_text(kernel, absent);
    // The entry's own names end in an underscore, so that no parameter's name meets them.
    source += fmt::format("#line 1 \"{} (entry)\"\nkernel void {}(const int4 cells_, const int {}{})\n{{\n",
                          kernel.name, kernel.name, kernel.folds() ? "rows_" : "radius_", entry.declared);
    std::string one_cell = fmt::format("{}_cells(here_{});", kernel.name, entry.passed);
    const std::string find_x =
        "    const int x_ = cells_.x + (int)get_global_id(0);\n    if (x_ >= cells_.z) return;\n";
    if (kernel.has(ParameterKind::along)) {
        // The whole work-group goes along the row, also its items beyond the end: they meet at barriers.
        source += fmt::format(
            "{}    const int y_ = cells_.y + (int)get_group_id(1);\n"
            "    for (int first_ = cells_.x; first_ < cells_.z; first_ += ALONG_GROUP) {{\n"
            "        const int place_ = first_ + (int)get_local_id(0);\n"
            "        const int x_ = min(place_, cells_.z - 1);\n"
            "        const Here here_ = {{x_, y_, place_ < cells_.z}};\n        {}\n    }}\n}}\n",
            entry.before, one_cell);
    } else if (kernel.has(ParameterKind::down)) {
        source += fmt::format(
            "{}{}    for (int y_ = cells_.y; y_ < cells_.w; y_++) {{\n"
            "        const Here here_ = {{x_, y_, true}};\n        {}\n    }}\n{}}}\n",
            find_x, entry.before, one_cell, entry.after);
    } else if (kernel.folds()) {
        source += fmt::format(
            "{}    const int top_ = cells_.y + (int)get_global_id(1) * rows_;\n"
            "    const int bottom_ = min(top_ + rows_, cells_.w);\n"
            "    if (top_ >= bottom_) return;\n"
            "    const size_t part_ = get_global_id(1) * (size_t)(cells_.z - cells_.x) + get_global_id(0);\n"
            "{}    for (int y_ = top_; y_ < bottom_; y_++) {{\n"
            "        const Here here_ = {{x_, y_, true}};\n        {}\n    }}\n{}}}\n",
            find_x, entry.before, one_cell, entry.after);
    } else {
        source += find_x;
        source +=
            "    const int y_ = cells_.y + (int)get_global_id(1);\n    if (y_ >= cells_.w) return;\n"
            "    const Here here_ = {x_, y_, true};\n";
        // Most cells lie far from every border: for them the same text without a look at it.
        if (!entry.holds.empty())
            source += fmt::format("    if ({}) {{\n        {}_cells(here_{});\n        return;\n    }}\n",
                                  entry.holds, kernel.name, entry.passed_inner);
        source += fmt::format("    {}\n}}\n", one_cell);
    }
    return source;
}

}  // namespace caprock::opencl

#include "compute/device.h"

#include <fmt/format.h>
#include <limits>
#include <stdexcept>

namespace caprock {

bool Argument::fits(ParameterKind kind) const {
    // What is absent is neither a plane nor a stack.
    if (is_field(kind)) return plane() && (!plane()->read || (plane()->stack != nullptr) == is_stack(kind));
    if (is_table(kind)) return table() != nullptr;
    switch (kind) {
        case ParameterKind::uniform_float:
            return std::holds_alternative<float>(value_);
        case ParameterKind::uniform_int:
            return std::holds_alternative<int32_t>(value_);
        case ParameterKind::uniform_uint:
            return std::holds_alternative<uint32_t>(value_);
        default:
            return false;
    }
}

namespace {

// These are mistakes of whoever wrote the launch, not of the user: tests meet them, users do not.
[[noreturn]] void refuse(const Kernel& kernel, const std::string& why) {
    throw std::logic_error(fmt::format("kernel {}: {}", kernel.name, why));
}

void check_kinds(const Kernel& kernel, std::span<const Argument> arguments) {
    const std::vector<KernelParameter>& wanted = kernel.given_parameters();
    if (arguments.size() != wanted.size())
        refuse(kernel, fmt::format("{} arguments for {} parameters", arguments.size(), wanted.size()));
    for (size_t i = 0; i < wanted.size(); i++) {
        if (!arguments[i].fits(wanted[i].kind))
            refuse(kernel, "argument '" + wanted[i].name + "' is of another kind");
        if (is_written(wanted[i].kind) && arguments[i].plane()->read && !arguments[i].plane()->write)
            refuse(kernel, "output '" + wanted[i].name + "' is const");
    }
}

// Where the fields lie, which no type says.
void check_fields(const Kernel& kernel, const Rect& cells, std::span<const Argument> arguments) {
    const std::vector<KernelParameter>& wanted = kernel.given_parameters();
    for (size_t i = 0; i < wanted.size(); i++) {
        if (!is_field(wanted[i].kind)) continue;
        const Argument::PlaneArgument& plane = *arguments[i].plane();
        if (!plane.read) continue;
        bool same_grid = wanted[i].kind <= ParameterKind::around_stack;
        if (same_grid && !plane.read->rect.contains(cells))
            refuse(kernel, "field '" + wanted[i].name + "' does not cover the launch");
        if (plane.read->rect.empty() || plane.planes() == 0)
            refuse(kernel, "field '" + wanted[i].name + "' is empty");
        // Its columns are what is counted, not what is counted over; and whole rows of memory are cleared.
        const Rect& rect = plane.read->rect;
        if (wanted[i].kind == ParameterKind::tally &&
            (rect.top != cells.top || rect.bottom != cells.bottom || plane.read->home != rect))
            refuse(kernel,
                   "tally '" + wanted[i].name + "' must have the launch's rows and memory of its own");
        if (!is_written(wanted[i].kind)) continue;
        for (size_t j = 0; j < wanted.size(); j++)
            if (j != i && is_field(wanted[j].kind) && arguments[j].plane()->read == plane.read)
                refuse(kernel, "field '" + wanted[i].name + "' is read and written by one launch");
    }
}

}  // namespace

void Device::count_bytes(const Kernel& kernel, const Rect& cells, std::span<const Argument> arguments) {
    const std::vector<KernelParameter>& parameters = kernel.given_parameters();
    uint64_t bytes = 0;
    for (size_t i = 0; i < arguments.size(); i++) {
        ParameterKind kind = parameters[i].kind;
        if (!is_field(kind) || !arguments[i].plane()->read) continue;
        uint64_t touched = uint64_t(cells.cells()) * uint64_t(arguments[i].plane()->planes());
        if (kind == ParameterKind::tally) touched = uint64_t(arguments[i].plane()->read->rect.cells());
        if (kind == ParameterKind::inout || kind == ParameterKind::inout_stack) touched *= 2;
        if (kind == ParameterKind::finer) touched *= 4;
        if (kind == ParameterKind::coarser) touched /= 4;
        bytes += touched * sizeof(float);
    }
    moved_bytes_ += bytes;
}

void Device::launch_with(const Kernel& kernel, const Rect& cells, std::span<const Argument> arguments,
                         int radius, Progress* progress) {
    check_kinds(kernel, arguments);
    if (kernel.folds()) refuse(kernel, "folds, launched without");
    launch_listed(kernel, cells, arguments, radius, progress);
}

void Device::launch_listed(const Kernel& kernel, const Rect& cells, std::span<const Argument> arguments,
                           int radius, Progress* progress) {
    check_fields(kernel, cells, arguments);
    if (cells.empty()) return;
    const std::vector<KernelParameter>& parameters = kernel.given_parameters();
    for (size_t i = 0; i < arguments.size(); i++) {
        ParameterKind kind = parameters[i].kind;
        if (!is_written(kind) || !arguments[i].plane()->write) continue;
        const Argument::PlaneArgument& plane = *arguments[i].plane();
        plane.own(kind == ParameterKind::inout || kind == ParameterKind::inout_stack ||
                  (is_overwritten(kind) && !cells.contains(plane.read->rect)));
    }
    count_bytes(kernel, cells, arguments);
    run({kernel, cells, arguments, radius, progress});
}

std::vector<Folded> Device::fold_with(const Kernel& kernel, const Rect& cells,
                                      std::span<const Argument> arguments, Progress* progress) {
    check_kinds(kernel, arguments);
    return fold_listed(kernel, cells, arguments, progress);
}

std::vector<Folded> Device::fold_listed(const Kernel& kernel, const Rect& cells,
                                        std::span<const Argument> arguments, Progress* progress) {
    check_fields(kernel, cells, arguments);
    count_bytes(kernel, cells, arguments);
    return run_fold({kernel, cells, arguments, 0, progress});
}

Folded empty_fold(ParameterKind kind) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    return {kind == ParameterKind::fold_min ? infinity : -infinity, 0};
}

void merge(ParameterKind kind, Folded& into, const Folded& part) {
    if (kind == ParameterKind::fold_sum) {
        into.sum += part.sum;
    } else if (kind == ParameterKind::fold_min ? part.extreme < into.extreme : part.extreme > into.extreme) {
        into.extreme = part.extreme;
    }
    // -0 and +0 compare equal: which of them came first must not show.
    if (into.extreme == 0) into.extreme = 0;
}

}  // namespace caprock

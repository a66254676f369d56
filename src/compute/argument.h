// What stands for the parameters of a kernel in a launch, one by one, and what its folds give. Kernels of the build are
// launched with arguments by name (typed_kernel.h); lists like these are what devices make of them.
#pragma once

#include "compute/buffer.h"
#include "compute/kernel.h"
#include "compute/stack.h"

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

namespace caprock {

// A table of uniform values, as a kernel's TABLE parameter takes it.
struct TableArgument {
    const void* data;
    size_t bytes;
};

class Argument {
  public:
    Argument(std::nullptr_t) : value_(PlaneArgument{}) {}  // an input the terrain does not have
    Argument(const Plane& plane) : value_(PlaneArgument{&plane, nullptr}) {}
    Argument(Plane& plane) : value_(PlaneArgument{&plane, &plane}) {}
    Argument(const Stack& stack) : value_(PlaneArgument{&stack.first, nullptr, &stack, nullptr}) {}
    Argument(Stack& stack) : value_(PlaneArgument{&stack.first, &stack.first, &stack, &stack}) {}
    Argument(float value) : value_(value) {}
    Argument(int32_t value) : value_(value) {}
    Argument(uint32_t value) : value_(value) {}
    Argument(bool value) : value_(int32_t(value)) {}
    Argument(double) = delete;  // say float(...): the rounding is part of the result
    Argument(const TableArgument& table) : value_(table) {}
    template <typename Entry>
    Argument(const std::vector<Entry>& table)
        : value_(TableArgument{table.data(), table.size() * sizeof(Entry)}) {
        static_assert(sizeof(Entry) == 4, "tables hold float, int or uint");
    }

    // Of a stack, its first plane: the memory is that of all.
    struct PlaneArgument {
        const Plane* read = nullptr;
        Plane* write = nullptr;
        const Stack* stack = nullptr;
        Stack* write_stack = nullptr;

        int planes() const { return stack ? stack->planes : 1; }
        // Makes the memory the launch's alone.
        void own(bool keep_cells) const {
            if (write_stack) {
                write_stack->own(keep_cells);
            } else {
                write->own(keep_cells);
            }
        }
        // Whether these are all cells that the memory has.
        bool within(const Rect& cells) const {
            return stack ? stack->within(cells) : cells.contains(read->home);
        }
    };
    const PlaneArgument* plane() const { return std::get_if<PlaneArgument>(&value_); }
    const TableArgument* table() const { return std::get_if<TableArgument>(&value_); }
    template <typename Value>
    Value uniform() const {
        return std::get<Value>(value_);
    }
    bool fits(ParameterKind kind) const;

  private:
    std::variant<PlaneArgument, TableArgument, float, int32_t, uint32_t> value_;
};

// One folded number: the extreme of a FOLD_MIN or FOLD_MAX, the sum of a FOLD_SUM.
struct Folded {
    float extreme = 0;
    uint64_t sum = 0;
};

}  // namespace caprock

// What stands for the parameters of a kernel in a launch, one by one, and what its folds give. Kernels of the build are
// launched with arguments by name (typed_kernel.h); lists like these are what devices make of them.
#pragma once

#include "compute/buffer.h"
#include "compute/kernel.h"

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

    struct PlaneArgument {
        const Plane* read = nullptr;
        Plane* write = nullptr;
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

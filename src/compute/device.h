// A device runs kernels over rectangles of cells. Results are the same bits on every device.
#pragma once

#include "base/progress.h"
#include "compute/buffer.h"
#include "compute/kernel.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace caprock {

// A table of uniform values, as a kernel's TABLE parameter takes it.
struct TableArgument {
    const void* data;
    size_t bytes;
};

// What stands for one parameter of a kernel in a launch.
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

struct DeviceDescription {
    std::string name;      // "cpu", or the driver's name of the device
    std::string platform;  // "x86-64-v4", or the OpenCL platform and driver version
    bool gpu = false;
    uint64_t memory = 0;
    uint64_t largest_allocation = 0;
    int compute_units = 0;
};

class Device {
  public:
    virtual ~Device() = default;
    virtual const DeviceDescription& description() const = 0;
    const std::string& name() const { return description().name; }
    virtual bool is_cpu() const { return false; }

    // Runs the kernel once for every cell of `cells`. Neighbour loads reach at most `radius` cells. Outputs
    // are written inside `cells` only. Progress counts cells; a cancelled run throws and leaves outputs
    // undefined.
    void launch(const Kernel& kernel, const Rect& cells, std::span<const Argument> arguments, int radius = 0,
                Progress* progress = nullptr);
    // The same for a kernel with folds; one result per fold, in the order of its parameters. Its arguments
    // are those of the other parameters.
    std::vector<Folded> fold(const Kernel& kernel, const Rect& cells, std::span<const Argument> arguments,
                             Progress* progress = nullptr);
    // Compiles what is not yet compiled, so that a launch need not. Throws KernelError for a user's kernel that does
    // not compile here.
    virtual void prepare(const Kernel&) {}
    // Runs work that is no kernel, on the host; what it shares among threads is shared among those of the device.
    virtual void on_host(const std::function<void()>& work) { work(); }
    // Returns when everything launched is done; throws what went wrong since the last call.
    virtual void finish() {}

    // Seconds its kernels have run while they were timed, by the device's own clock. Timing makes launches dearer on a GPU;
    // a CPU times them always.
    virtual void time_kernels(bool) {}
    virtual double kernel_seconds() const = 0;
    // Bytes of fields its launches had to read and write at the least: each cell once.
    uint64_t moved_bytes() const { return moved_bytes_; }

  protected:
    struct Work {
        const Kernel& kernel;
        Rect cells;
        std::span<const Argument> arguments;  // one per parameter; folds have none of theirs
        int radius;
        Progress* progress;
    };
    virtual void run(const Work& work) = 0;
    virtual std::vector<Folded> run_fold(const Work& work) = 0;

  private:
    void count_bytes(const Kernel& kernel, const Rect& cells, std::span<const Argument> arguments);
    void check_launch(const Kernel& kernel, const Rect& cells, std::span<const Argument> arguments) const;

    std::atomic<uint64_t> moved_bytes_ = 0;
};

// How two partial folds of a kind become one.
void merge(ParameterKind kind, Folded& into, const Folded& part);
Folded empty_fold(ParameterKind kind);

}  // namespace caprock

// A device runs kernels over rectangles of cells. Results are the same bits on every device.
#pragma once

#include "base/progress.h"
#include "compute/typed_kernel.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace caprock {

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

    // Runs the kernel once for every cell of `cells`, with its arguments by name. Neighbour loads reach at most `radius`
    // cells. Outputs are written inside `cells` only. Progress counts cells; a cancelled run throws and leaves outputs
    // undefined.
    template <typename Arguments>
    void launch(const TypedKernel<Arguments>& kernel, const Rect& cells,
                const std::type_identity_t<Arguments>& arguments, int radius = 0,
                Progress* progress = nullptr) {
        launch_listed(kernel, cells, arguments_in_order(arguments), radius, progress);
    }
    // The same for a kernel with folds, which come back by name too.
    template <typename Arguments, typename Folds>
    requires(!std::same_as<Folds, NoFolds>) Folds
        fold(const TypedKernel<Arguments, Folds>& kernel, const Rect& cells,
             const std::type_identity_t<Arguments>& arguments, Progress* progress = nullptr) {
        return Folds(folded(kernel, cells, arguments, progress));
    }
    // And in the order of the kernel's parameters, for those who put numbers of several launches together.
    template <typename Arguments, typename Folds>
    std::vector<Folded> folded(const TypedKernel<Arguments, Folds>& kernel, const Rect& cells,
                               const std::type_identity_t<Arguments>& arguments,
                               Progress* progress = nullptr) {
        return fold_listed(kernel, cells, arguments_in_order(arguments), progress);
    }
    // For kernels that are known only while the program runs: arguments in the order of the kernel's parameters, and one
    // result per fold. A list that does not fit is refused (std::logic_error).
    void launch_with(const Kernel& kernel, const Rect& cells, std::span<const Argument> arguments,
                     int radius = 0, Progress* progress = nullptr);
    std::vector<Folded> fold_with(const Kernel& kernel, const Rect& cells,
                                  std::span<const Argument> arguments, Progress* progress = nullptr);
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

        // As many as the highest stack has: what a cell of the launch costs goes by them.
        int planes() const {
            int most = 1;
            for (const Argument& argument : arguments)
                if (argument.plane()) most = std::max(most, argument.plane()->planes());
            return most;
        }
    };
    virtual void run(const Work& work) = 0;
    virtual std::vector<Folded> run_fold(const Work& work) = 0;

  private:
    // The kinds of the arguments are right.
    void launch_listed(const Kernel& kernel, const Rect& cells, std::span<const Argument> arguments,
                       int radius, Progress* progress);
    std::vector<Folded> fold_listed(const Kernel& kernel, const Rect& cells,
                                    std::span<const Argument> arguments, Progress* progress);
    void count_bytes(const Kernel& kernel, const Rect& cells, std::span<const Argument> arguments);

    std::atomic<uint64_t> moved_bytes_ = 0;
};

// How two partial folds of a kind become one.
void merge(ParameterKind kind, Folded& into, const Folded& part);
Folded empty_fold(ParameterKind kind);

}  // namespace caprock

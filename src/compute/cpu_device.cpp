#include "compute/cpu_device.h"

#include "base/text.h"
#include "compute/opencl/opencl_device.h"
#include "compute/user_kernel.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <list>
#include <mutex>
#include <tbb/blocked_range2d.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace caprock {

namespace {

constexpr std::string_view level_names[cpu_level_count] = {"portable", "v2", "v3", "v4"};

// Enough cells for a task to outweigh its start, few enough for a cancel to be felt at once.
constexpr int64_t cells_per_task = 1 << 17;
constexpr int columns_per_task = 4096;

using TaskRange = tbb::blocked_range2d<int>;

class CpuDevice : public Device {
  public:
    CpuDevice(CpuLevel level, int threads)
        : level_(level), arena_(threads > 0 ? threads : tbb::task_arena::automatic) {
        description_.name = "cpu";
        description_.platform =
            level == CpuLevel::portable ? "portable" : fmt::format("x86-64-{}", cpu_level_name(level));
        description_.memory = machine_memory();
        description_.largest_allocation = description_.memory;
        description_.compute_units = arena_.max_concurrency();
    }

    const DeviceDescription& description() const override { return description_; }
    bool is_cpu() const override { return true; }
    double kernel_seconds() const override { return kernel_seconds_; }
    void on_host(const std::function<void()>& work) override { arena_.execute(work); }
    void prepare(const Kernel& kernel) override {
        if (kernel.user && !kernel.user->code(level_)) stand_in(kernel).prepare(kernel);
    }

  protected:
    void run(const Work& work) override {
        if (work.kernel.user && !work.kernel.user->code(level_)) return run_elsewhere(work);
        const Lowered lowered_work = lowered(work, nullptr);
        const lanes::Compiled& compiled = code(work.kernel);
        for_tasks(work, [&](const Rect& part) {
            compiled.run({part.left, part.top, part.right, part.bottom, lowered_work.arguments.data()});
        });
    }

    std::vector<Folded> run_fold(const Work& work) override {
        std::vector<ParameterKind> kinds;
        for (const KernelParameter& parameter : work.kernel.parameters())
            if (is_fold(parameter.kind)) kinds.push_back(parameter.kind);
        std::vector<Folded> totals;
        for (ParameterKind kind : kinds) totals.push_back(empty_fold(kind));
        std::mutex guard;
        const lanes::Compiled& compiled = code(work.kernel);
        std::vector<lanes::FoldResult> none(kinds.size());
        const Lowered prepared = lowered(work, none.data());
        for_tasks(work, [&](const Rect& part) {
            std::vector<lanes::FoldResult> results(kinds.size());
            std::vector<lanes::Argument> arguments = prepared.arguments;
            for (size_t i = 0, fold = 0; i < arguments.size(); i++)
                if (is_fold(work.kernel.parameters()[i].kind)) arguments[i].fold = &results[fold++];
            compiled.run({part.left, part.top, part.right, part.bottom, arguments.data()});
            std::lock_guard lock(guard);
            for (size_t i = 0; i < kinds.size(); i++)
                merge(kinds[i], totals[i], {results[i].extreme, results[i].sum});
        });
        return totals;
    }

  private:
    const lanes::Compiled& code(const Kernel& kernel) const {
        if (kernel.user) return *kernel.user->code(level_);
        const lanes::Compiled* compiled = kernel.levels[size_t(level_)];
        return compiled ? *compiled : *kernel.levels[0];
    }

    // A user's kernel where there is no compiler: an OpenCL driver that works on the CPU, such as PoCL, has its own.
    static Device& stand_in(const Kernel& kernel) {
        static std::mutex guard;
        static auto* const device = new std::shared_ptr<Device>;  // outlives the driver's threads
        std::lock_guard lock(guard);
        if (*device) return **device;
        std::vector<DeviceDescription> found = opencl_descriptions();
        for (size_t i = 0; i < found.size(); i++) {
            if (found[i].gpu) continue;
            try {
                *device = open_opencl_device(i);
                return **device;
            } catch (const DeviceError&) {
                // Another one may round as it should.
            }
        }
        throw Error(
            fmt::format("'{}' cannot be compiled for the CPU: there is no C++ compiler and no OpenCL driver "
                        "for the CPU; install "
                        "g++ (or name it in CAPROCK_CXX) or PoCL, or take a GPU with --device gpu",
                        kernel.user->file()));
    }
    static void run_elsewhere(const Work& work) {
        Device& device = stand_in(work.kernel);
        device.launch_with(work.kernel, work.cells, work.arguments, work.radius, work.progress);
        device.finish();
        // What a CPU made is in the machine's memory.
        for (const Argument& argument : work.arguments)
            if (argument.plane() && argument.plane()->read) argument.plane()->read->buffer->leave_devices();
    }

    // The arguments as compiled kernels take them, and the stacks that they point to.
    struct Lowered {
        std::vector<lanes::Argument> arguments;
        std::list<lanes::Stack> stacks;
    };
    static Lowered lowered(const Work& work, lanes::FoldResult* folds) {
        Lowered all;
        size_t next = 0;
        for (const KernelParameter& parameter : work.kernel.parameters()) {
            lanes::Argument lowered_argument = {};
            if (is_fold(parameter.kind)) {
                lowered_argument.fold = folds++;
            } else if (is_given(parameter.kind)) {
                const Argument& argument = work.arguments[next++];
                if (is_stack(parameter.kind)) {
                    all.stacks.push_back(lowered_stack(*argument.plane(), parameter.kind, work));
                    lowered_argument.stack = &all.stacks.back();
                } else if (is_field(parameter.kind)) {
                    lowered_argument.plane = lowered_plane(*argument.plane(), parameter.kind, work);
                } else if (is_table(parameter.kind)) {
                    lowered_argument.table = argument.table()->data;
                } else if (parameter.kind == ParameterKind::uniform_float) {
                    lowered_argument.f = argument.uniform<float>();
                } else if (parameter.kind == ParameterKind::uniform_int) {
                    lowered_argument.i = argument.uniform<int32_t>();
                } else {
                    lowered_argument.u = argument.uniform<uint32_t>();
                }
            }
            all.arguments.push_back(lowered_argument);
        }
        return all;
    }

    static lanes::Stack lowered_stack(const Argument::PlaneArgument& argument, ParameterKind kind,
                                      const Work& work) {
        if (!argument.stack) return {};
        return {lowered_plane(argument, kind, work), argument.stack->pitch, argument.stack->planes};
    }
    static lanes::Plane lowered_plane(const Argument::PlaneArgument& argument, ParameterKind kind,
                                      const Work& work) {
        if (!argument.read) return {};
        const Rect& rect = argument.read->rect;
        const Rect& home = argument.read->home;
        Buffer& buffer = *argument.read->buffer;
        float* cells;
        bool overwritten = is_overwritten(kind) && argument.within(work.cells);
        if (overwritten || kind == ParameterKind::tally) {
            cells = buffer.overwrite();
        } else if (is_written(kind)) {
            cells = buffer.write();
        } else {
            cells = const_cast<float*>(buffer.read());
        }
        return {cells,    buffer.stride(), home.left,   home.top,   rect.left,
                rect.top, rect.right,      rect.bottom, work.radius};
    }

    // Where there are more entries in tables than cells, a cell walks through many of them: a small launch may then be
    // long work, and wants to be shared. So it is with many planes.
    static int64_t cost_of_cells(const Work& work) {
        int64_t entries = 0;
        for (const Argument& argument : work.arguments)
            if (argument.table()) entries += int64_t(argument.table()->bytes / 4);
        return work.planes() + entries / std::max<int64_t>(work.cells.cells(), 1);
    }

    template <typename Task>
    void for_tasks(const Work& work, const Task& task) {
        auto start = std::chrono::steady_clock::now();
        const Rect& cells = work.cells;
        int columns = std::min(cells.width(), columns_per_task);
        int64_t task_cells = std::max<int64_t>(cells_per_task / cost_of_cells(work), 1);
        int rows = int(std::clamp<int64_t>(task_cells / std::max(columns, 1), 1, 1 << 16));
        // Few rows: cut columns as well, so that a wide strip still feeds every thread. Cuts fall on
        // multiples of 64 cells, so that two threads do not write one cache line.
        int blocks = (cells.width() + 63) / 64;
        size_t row_grain = size_t(rows);
        size_t block_grain = size_t(std::max(columns / 64, 1));
        // A grain as large as the range keeps it whole.
        if (work.kernel.whole_rows()) {
            block_grain = size_t(blocks);
            row_grain = size_t(std::clamp<int64_t>(task_cells / cells.width(), 1, 1 << 16));
        }
        if (work.kernel.whole_columns()) {
            row_grain = size_t(cells.height());
            // Several tasks for each thread, but no columns so few that each row is a jump in memory.
            block_grain =
                size_t(std::clamp(blocks / (4 * arena_.max_concurrency()), 4, lanes::most_columns_down / 64));
        }
        TaskRange range(cells.top, cells.bottom, row_grain, 0, blocks, block_grain);
        auto run_task = [&](const TaskRange& part) {
            Rect rect{cells.left + part.cols().begin() * 64, part.rows().begin(),
                      std::min(cells.left + part.cols().end() * 64, cells.right), part.rows().end()};
            task(rect);
            if (work.progress) work.progress->advance(rect.cells());
        };
        if (work.kernel.whole_columns()) {
            // Down to the grain: a strip's running sums have only so much room.
            arena_.execute([&] { tbb::parallel_for(range, run_task, tbb::simple_partitioner()); });
        } else if (cells.cells() <= task_cells / 4) {
            run_task(TaskRange(cells.top, cells.bottom, 0, blocks));
        } else {
            arena_.execute([&] { tbb::parallel_for(range, run_task); });
        }
        std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        kernel_seconds_.fetch_add(taken.count());
    }

    CpuLevel level_;
    tbb::task_arena arena_;
    DeviceDescription description_;
    std::atomic<double> kernel_seconds_ = 0;
};

}  // namespace

std::vector<CpuLevel> supported_cpu_levels() {
    std::vector<CpuLevel> levels = {CpuLevel::portable};
#if defined(__x86_64__) && !defined(CAPROCK_PORTABLE_KERNELS)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v2")) levels.push_back(CpuLevel::v2);
    if (__builtin_cpu_supports("x86-64-v3")) levels.push_back(CpuLevel::v3);
    if (__builtin_cpu_supports("x86-64-v4")) levels.push_back(CpuLevel::v4);
#endif
    return levels;
}

std::string_view cpu_level_name(CpuLevel level) { return level_names[size_t(level)]; }

CpuLevel chosen_cpu_level() {
    std::vector<CpuLevel> supported = supported_cpu_levels();
    const char* wanted = std::getenv("CAPROCK_CPU");
    if (!wanted || !*wanted) return supported.back();
    std::vector<std::string> names;
    for (CpuLevel level : supported) {
        if (cpu_level_name(level) == wanted) return level;
        names.emplace_back(cpu_level_name(level));
    }
    throw Error(fmt::format("CAPROCK_CPU={}: this machine runs {}", wanted, listed(names, "or")));
}

std::shared_ptr<Device> make_cpu_device(CpuLevel level, int threads) {
    if (threads > tbb::this_task_arena::max_concurrency()) {
        // More than the machine has: TBB must be told that it is meant. The largest wish holds from then on.
        static std::mutex guard;
        static std::vector<std::unique_ptr<tbb::global_control>> wishes;
        std::lock_guard lock(guard);
        if (wishes.empty() || size_t(threads) > tbb::global_control::active_value(
                                                    tbb::global_control::max_allowed_parallelism)) {
            wishes.clear();
            wishes.push_back(std::make_unique<tbb::global_control>(
                tbb::global_control::max_allowed_parallelism, size_t(threads)));
        }
    }
    return std::make_shared<CpuDevice>(level, threads);
}

}  // namespace caprock

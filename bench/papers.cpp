// What the papers measured, measured here: Tables 2 and 3 of Table mountains (GTX 780), the many faults of Hardness, and
// the time from a changed parameter to a finished table mountain.
#include "papers.h"

#include "base/telling.h"
#include "graph/executor.h"
#include "operation/evaluate.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <functional>

namespace caprock {

namespace {

// A row of Table 2: the paper's milliseconds for 1000 faults.
struct Row {
    Size size;
    int linear;
    int circular;
};
constexpr Row table_2[] = {
    {{1000, 1000}, 53, 38},   {{2000, 1000}, 99, 69},   {{2000, 1500}, 145, 100},
    {{2000, 2000}, 191, 132}, {{2500, 2000}, 236, 163}, {{3000, 2000}, 281, 195},
    {{7000, 1000}, 327, 227}, {{4000, 2000}, 372, 258}, {{3000, 3000}, 416, 290},
};

struct Bench {
    std::shared_ptr<Device> device;
    int repeats;

    Grid grid(Size size) const { return {Rect::of(size), 1, {0, 300}}; }

    Terrain made(const Operation& operation, const Terrain& from) const {
        RunContext context{device, nullptr, {}};
        return run(operation, from, context);
    }

    // Milliseconds: of the clock on the wall for a CPU, of its kernels for another device. The best of several.
    double milliseconds(const std::function<void()>& action) const {
        double best = 1e30;
        for (int repeat = 0; repeat < repeats + 1; repeat++) {
            double kernels = device->kernel_seconds();
            auto start = std::chrono::steady_clock::now();
            action();
            std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
            best = std::min(best, device->is_cpu() ? wall.count() : device->kernel_seconds() - kernels);
        }
        return best * 1e3;
    }
    double milliseconds(const Operation& operation, const Terrain& from) const {
        return milliseconds([&] { made(operation, from); });
    }

    void tables_2_and_3() const {
        say("  {:>12} | {:>9} {:>6} | {:>9} {:>6} | {:>9} | {:>9} | {:>9}\n", "cells", "LFF ms", "paper",
            "CFF ms", "paper", "materials", "gradation", "+level");
        for (const Row& row : table_2) {
            Terrain empty(grid(row.size));
            double linear = milliseconds(*operation_with("linear-faults", {{"faults", 1000}}), empty);
            std::unique_ptr<Operation> domes =
                operation_with("circular-faults", {{"faults", 1000}, {"radius", Interval{250, 250}}});
            double circular = milliseconds(*domes, empty);
            Terrain ground = made(*domes, empty);
            std::unique_ptr<Operation> classify = operation_with("materials", {{"count", 9}});
            double materials = milliseconds(*classify, ground);
            Terrain rock = made(*operation_with("hardness", {{"count", 9}}), made(*classify, ground));
            std::unique_ptr<Operation> grade =
                operation_with("gradation", {{"erosion", 0.5}, {"caprock", true}});
            std::unique_ptr<Operation> level = operation_with("levelling", {{"radius", 1}});
            double gradation = milliseconds(*grade, rock);
            double both = milliseconds([&] { made(*level, made(*grade, rock)); });
            say("  {:>12} | {:>9.2f} {:>6} | {:>9.2f} {:>6} | {:>9.2f} | {:>9.2f} | {:>9.2f}\n",
                fmt::format("{} x {}", row.size.width, row.size.height), linear, row.linear, circular,
                row.circular, materials, gradation, both);
            flush_said_or_stop();
        }
        say("  {:>12} | {:>9} {:>6} | {:>9} {:>6} | {:>9} | {:>9} | {:>9}\n", "paper, 9 M", "", "", "", "",
            "< 20", "", "< 60");
    }

    void many_faults() const {
        for (int faults : {5000, 45000}) {
            double time =
                milliseconds(*operation_with("hardness-classes", {{"faults", faults}, {"classes", 5}}),
                             Terrain(grid({4096, 4096})));
            say("  hardness in 5 classes, {} faults, 4096 x 4096: {:.1f} ms\n", faults, time);
            flush_said_or_stop();
        }
    }

    // By the clock on the wall on every device, and with the result brought back: what a user waits for.
    void interactive() const {
        RunContext context{device, nullptr, {}};
        Terrain start(grid({1024, 1024}));
        Executor chain = Executor::remembering();
        int turn = 0;
        auto after_change = [&](const char* what,
                                const std::function<std::unique_ptr<Operation>(double)>& changed) {
            double best = 1e30;
            for (int repeat = 0; repeat < 2 * repeats; repeat++) {
                std::vector<std::unique_ptr<Operation>> operations;
                operations.push_back(changed(++turn * 0.001));
                auto begin = std::chrono::steady_clock::now();
                chain.run(operations, start, context);
                std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
                if (repeat > 0) best = std::min(best, wall.count());
            }
            say("  {:<24} {:>8.2f} ms  ({} of {} steps run)\n", what, best * 1e3, chain.steps_run(),
                chain.steps_run() + chain.steps_kept());
            flush_said_or_stop();
        };
        say("  table-mountain, 1024 x 1024, from a changed parameter to the result\n");
        using Table = std::vector<double>;
        Table table = {0, 0.25, 0.5, 0.75, 1};
        after_change("number of faults", [&](double change) {
            return operation_with("table-mountain",
                                  {{"faults", int(1000 + 1000 * change)}, {"table", table}});
        });
        after_change("hardness table", [&](double change) {
            return operation_with("table-mountain", {{"table", Table{0, 0.25, 0.5, 0.75 - change, 1}}});
        });
        after_change("erosion", [&](double change) {
            return operation_with("table-mountain", {{"erosion", 0.3 + change}});
        });
        after_change("levelling radius", [&](double change) {
            return operation_with("table-mountain", {{"levelling", 5 + 1000 * change}});
        });
    }
};

}  // namespace

void run_paper_benchmarks(const std::shared_ptr<Device>& device, const std::string& label, int repeats) {
    Bench bench{device, repeats};
    say("\n{}: {}\n", label, device->description().platform);
    bench.tables_2_and_3();
    bench.many_faults();
    bench.interactive();
}

}  // namespace caprock

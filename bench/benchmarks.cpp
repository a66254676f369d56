#include "benchmarks.h"

#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/telling.h"
#include "base/text.h"
#include "brushes.h"
#include "compute/cpu_device.h"
#include "compute/opencl/opencl_device.h"
#include "documents.h"
#include "kernels.h"
#include "operation/evaluate.h"
#include "papers.h"
#include "rendering.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <thread>

namespace caprock {

namespace {

double seconds_of(const std::function<void()>& action) {
    auto start = std::chrono::steady_clock::now();
    action();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// More than caches hold: a field that stays in one is copied faster than memory can.
uint64_t bytes_to_copy() { return std::min<uint64_t>(uint64_t(1) << 30, machine_memory() / 16); }

// Bytes per second, read and written, of copying so much memory with so many threads.
double copy_bandwidth(uint64_t wanted, int threads, int repeats) {
    const Field from(Rect{0, 0, int(wanted / 4096), 1024}, 1.0f);
    Field to(from.rect(), 0.0f);
    const char* source = reinterpret_cast<const char*>(from.plane().buffer->read());
    char* target = reinterpret_cast<char*>(to.plane().buffer->write());
    size_t bytes = from.plane().buffer->bytes();
    double best = 1e30;
    for (int repeat = 0; repeat < repeats + 1; repeat++) {
        best = std::min(
            best, seconds_of([&] {
                std::vector<std::thread> copiers;
                for (int i = 0; i < threads; i++) {
                    size_t begin = bytes / size_t(threads) * size_t(i);
                    size_t length = i + 1 == threads ? bytes - begin : bytes / size_t(threads);
                    copiers.emplace_back([=] { std::memcpy(target + begin, source + begin, length); });
                }
                for (std::thread& copier : copiers) copier.join();
            }));
    }
    return 2.0 * double(bytes) / best;
}

// The same by our own kernel.
double kernel_bandwidth(Device& device, uint64_t wanted, int repeats) {
    const Field from(Rect{0, 0, int(wanted / 4096), 1024}, 1.0f);
    Field to(from.rect());
    double best = 1e30;
    for (int repeat = 0; repeat < repeats + 1; repeat++) {
        double before = device.kernel_seconds();
        double wall = seconds_of([&] {
            device.launch(kernel::copy, from.rect(), {.part = from, .result = to});
            device.finish();
        });
        best = std::min(best, device.is_cpu() ? wall : device.kernel_seconds() - before);
    }
    return 8.0 * double(from.rect().cells()) / best;
}

// Beside the benchmarks of single operations, and only when they are named: a table like the papers', and drawing.
constexpr const char* papers = "papers";
constexpr const char* rendering = "rendering";
constexpr const char* documents = "documents";
constexpr const char* brushes = "brushes";

// What is missing from the ground: nothing; nine cells of ten; discs of 600 cells across, a quarter of all.
enum class Holes { none, scattered, large };

struct Benchmark {
    std::string name;
    std::string operation;
    std::vector<std::pair<std::string, std::string>> parameters;
    double work = 1;  // cell-steps per cell, for simulations
    Holes holes = Holes::none;
    std::vector<std::string> beside = {};  // fields that it may use, besides those it must have
};

const std::vector<Benchmark>& benchmarks() {
    static const std::vector<Benchmark> all = {
        {"noise-8", "noise", {{"feature", "200"}, {"octaves", "8"}}},
        {"noise-8-ridged", "noise", {{"feature", "200"}, {"octaves", "8"}, {"kind", "ridged"}}},
        {"noise-8-quilez", "noise", {{"feature", "200"}, {"octaves", "8"}, {"kind", "quilez"}}},
        {"noise-8-erosive", "noise", {{"feature", "200"}, {"octaves", "8"}, {"kind", "erosive"}}},
        {"noise-8-distorted",
         "noise",
         {{"feature", "200"}, {"octaves", "8"}, {"kind", "ridged"}, {"distortion", "0.5"}}},
        {"noise-8-erosive-bent",
         "noise",
         {{"feature", "200"}, {"octaves", "8"}, {"kind", "erosive"}, {"distortion", "0.5"}}},
        {"noise-8-stretched",
         "noise",
         {{"feature", "200"}, {"octaves", "8"}, {"kind", "ridged"}, {"stretch", "4"}}},
        {"normalise", "normalise", {}},
        {"smooth-4m", "smooth", {{"radius", "4"}}},
        {"smooth-20m", "smooth", {{"radius", "20"}}},
        {"smooth-100m", "smooth", {{"radius", "100"}}},
        {"smooth-1000m", "smooth", {{"radius", "1000"}}},
        {"blend-unmasked", "blend", {}},
        {"blend-lerp", "blend", {}, 1, Holes::none, {"mask"}},
        {"blend-smooth-min", "blend", {{"mode", "smooth-min"}}, 1, Holes::none, {"mask"}},
        {"blend-overlay", "blend", {{"mode", "overlay"}}, 1, Holes::none, {"mask"}},
        {"blend-multi-20m",
         "blend",
         {{"mode", "multi-resolution"}, {"width", "20"}},
         1,
         Holes::none,
         {"mask"}},
        {"blend-multi-500m", "blend", {{"mode", "multi-resolution"}}, 1, Holes::none, {"mask"}},
        {"linear-faults-1000", "linear-faults", {{"faults", "1000"}}},
        {"linear-faults-45000", "linear-faults", {{"faults", "45000"}}},
        {"circular-faults-1000", "circular-faults", {{"faults", "1000"}, {"radius", "250"}}},
        {"materials-9", "materials", {{"count", "9"}}},
        {"contours-10m", "contours", {{"interval", "10"}}},
        {"fill-hollows", "fill-hollows", {}},
        {"flow-single", "flow", {{"sharing", "single"}}},
        {"flow-multiple", "flow", {}},
        // Two of the steps are of the finest cells, two of those twice as large, and so on. Cells of 1 m, with what steps of 20,000
        // years are in cells of 30 m: a channel drains 22 cells, and creep takes one pass.
        {"stream-power",
         "stream-power",
         {{"steps", "20"},
          {"age", "444"},
          {"channel-area", "0.0022"},
          {"erodibility", "0.0066"},
          {"uplift", "15"}},
         2.67},
        {"gradation", "gradation", {{"caprock", "true"}}},
        {"levelling-1m", "levelling", {{"radius", "1"}}},
        {"levelling-50m", "levelling", {{"radius", "50"}}},
        {"levelling-1000m", "levelling", {{"radius", "1000"}}},
        {"levelling-50m-disc", "levelling", {{"radius", "50"}, {"shape", "disc"}}},
        {"levelling-1000m-disc", "levelling", {{"radius", "1000"}, {"shape", "disc"}}},
        // The default river of cells of 8 m, on cells of 1 m.
        {"riverbed-1000",
         "riverbed",
         {{"particles", "1000"},
          {"velocity", "5"},
          {"radius", "5:15"},
          {"offset", "12:40"},
          {"window", "40"}}},
        {"riverbed-10000",
         "riverbed",
         {{"particles", "10000"},
          {"velocity", "5"},
          {"radius", "5:15"},
          {"offset", "12:40"},
          {"window", "40"}}},
        {"thermal-erosion-20", "thermal-erosion", {{"steps", "20"}}, 20},
        {"thermal-erosion-20-musgrave", "thermal-erosion", {{"steps", "20"}, {"rule", "musgrave"}}, 20},
        {"hydraulic-erosion-20", "hydraulic-erosion", {{"iterations", "20"}}, 20},
        {"fluvial-erosion-20-musgrave", "fluvial-erosion", {{"steps", "20"}}, 20},
        {"fluvial-erosion-20-benes", "fluvial-erosion", {{"steps", "20"}, {"model", "benes"}}, 20},
        {"fluvial-erosion-20-olsen", "fluvial-erosion", {{"steps", "20"}, {"model", "olsen"}}, 20},
        // Twice forty moves in each of two steps.
        {"velocity-erosion-2", "velocity-erosion", {{"steps", "2"}, {"way", "40"}}, 160},
        // What is counted are steps of droplets: a sixteenth of a droplet for a cell, sixty-four steps each, eight times.
        {"droplet-erosion-8", "droplet-erosion", {{"steps", "8"}, {"way", "64"}, {"radius", "3"}}, 32},
        // Steps of 0.079 s in cells of 1 m.
        {"river-erosion-20", "river-erosion", {{"scale", "1"}, {"stop-after", "20"}}, 20},
        {"flood-20", "flood", {{"stop-after", "20"}}, 20},
        {"decimate", "decimate", {{"fraction", "0.9"}}},
        {"decimate-edges", "decimate", {{"fraction", "0.9"}, {"keep-edges", "true"}}},
        {"interpolate-new", "interpolate", {}},
        {"interpolate-90", "interpolate", {}, 1, Holes::scattered},
        {"fill-holes", "fill-holes", {}, 1, Holes::large},
        {"fill-holes-90", "fill-holes", {}, 1, Holes::scattered},
        {"fill-harmonic", "fill-holes", {{"method", "harmonic"}}, 1, Holes::large},
    };
    return all;
}

// Names may be cut short.
bool is_named(const BenchmarkOptions& options, std::string_view benchmark) {
    return std::ranges::any_of(options.only,
                               [&](const std::string& name) { return benchmark.starts_with(name); });
}

bool is_wanted(const BenchmarkOptions& options, const Benchmark& benchmark) {
    return options.only.empty() || is_named(options, benchmark.name);
}

bool any_wanted(const BenchmarkOptions& options) {
    return std::ranges::any_of(benchmarks(), [&](const Benchmark& one) { return is_wanted(options, one); });
}

Terrain with_holes(Terrain terrain, Holes holes, RunContext& context) {
    if (holes == Holes::none) return terrain;
    if (!terrain.has("height")) terrain = run(*operation_with("noise"), terrain, context);
    if (holes == Holes::scattered)
        return run(*operation_with("decimate", {{"fraction", 0.9}}), terrain, context);
    Field height = terrain.height();
    Field::WritableRows rows = height.writable_rows();
    for (int y = 0; y < height.rect().bottom; y++)
        for (int x = 0; x < height.rect().right; x++)
            if (std::hypot(x % 1024 - 512, y % 1024 - 512) < 300) rows[y][x] = missing;
    terrain.set("height", std::move(height));
    return terrain;
}

struct Measured {
    double wall = 1e30;
    double kernel = 1e30;
    double bytes = 0;  // of fields, read and written, each cell of each launch once
};

Measured measure(const Benchmark& benchmark, const std::shared_ptr<Device>& device,
                 const BenchmarkOptions& options) {
    std::unique_ptr<Operation> operation = make_operation(benchmark.operation);
    for (const auto& [name, value] : benchmark.parameters) operation->set_text(name, value);
    Grid grid{Rect::of({options.size, options.size}), 1, {0, 500}};
    RunContext context{device, nullptr, {}};
    Terrain start(grid);
    std::vector<std::string> fields = operation->fields().inputs;
    fields.insert(fields.end(), benchmark.beside.begin(), benchmark.beside.end());
    for (const std::string& field : fields)
        start = run(*operation_with("noise", {{"field", field}}), start, context);
    start = with_holes(std::move(start), benchmark.holes, context);
    Measured best;
    for (int repeat = 0; repeat < options.repeats + 1; repeat++) {
        double before = device->kernel_seconds();
        uint64_t bytes_before = device->moved_bytes();
        double wall = seconds_of([&] { run(*operation, start, context); });
        best.bytes = double(device->moved_bytes() - bytes_before);
        best.wall = std::min(best.wall, wall);
        best.kernel = std::min(best.kernel, device->kernel_seconds() - before);
    }
    return best;
}

void run_on(const std::shared_ptr<Device>& device, const std::string& label, double bandwidth,
            const BenchmarkOptions& options) {
    if (is_named(options, papers)) run_paper_benchmarks(device, label, options.repeats);
    if (!any_wanted(options)) return;
    int64_t cells = int64_t(options.size) * options.size;
    say("\n{}: {}\n  size {} x {}, copy bandwidth {:.1f} GB/s\n", label, device->description().platform,
        options.size, options.size, bandwidth * 1e-9);
    say("  {:<20} {:>10} {:>10} {:>14} {:>10} {:>9}\n", "", "ms", "kernel ms", "M cells/s", "GB/s",
        "of copy");
    flush_said_or_stop();
    for (const Benchmark& benchmark : benchmarks()) {
        if (!is_wanted(options, benchmark)) continue;
        Measured measured = measure(benchmark, device, options);
        double time = device->is_cpu() ? measured.wall : measured.kernel;
        double bytes = measured.bytes;
        say("  {:<20} {:>10.2f} {:>10.2f} {:>14.1f} {:>10.1f} {:>8.0f}%\n", benchmark.name,
            measured.wall * 1e3, measured.kernel * 1e3, double(cells) * benchmark.work / time * 1e-6,
            bytes / time * 1e-9, 100 * bytes / time / bandwidth);
        flush_said_or_stop();
    }
}

}  // namespace

void run_benchmarks(const BenchmarkOptions& options) {
    for (const std::string& name : options.only) {
        std::vector<std::string> names;
        for (const Benchmark& benchmark : benchmarks()) names.push_back(benchmark.name);
        names.emplace_back(papers);
        names.emplace_back(rendering);
        names.emplace_back(documents);
        names.emplace_back(brushes);
        if (name.empty() ||
            std::ranges::none_of(names, [&](const std::string& known) { return known.starts_with(name); }))
            throw Error(fmt::format("no benchmark '{}'; there are {}", one_line(name), listed(names)));
    }
    if (is_named(options, documents))
        run_document_benchmarks(options.size, options.repeats, options.progress);
    if (is_named(options, brushes))
        run_brush_benchmarks(options.size, options.device, options.threads, options.progress);
    EndsAtOnce nothing_is_written(options.last_words);
    if (is_named(options, rendering)) run_rendering_benchmarks(options.repeats);
    if (!any_wanted(options) && !is_named(options, papers)) return;
    int all = make_cpu_device(CpuLevel::portable)->description().compute_units;
    std::vector<int> thread_counts =
        options.threads > 0 ? std::vector<int>{options.threads} : std::vector<int>{1, all};
    if (thread_counts.size() == 2 && all == 1) thread_counts.pop_back();
    if (options.device == "auto" || options.device == "cpu") {
        for (int threads : thread_counts) {
            std::shared_ptr<Device> device = make_cpu_device(chosen_cpu_level(), threads);
            double fastest = std::max(copy_bandwidth(bytes_to_copy(), threads, options.repeats),
                                      kernel_bandwidth(*device, bytes_to_copy(), options.repeats));
            run_on(device, fmt::format("cpu, {} thread(s)", threads), fastest, options);
        }
    }
    std::vector<DeviceDescription> devices = opencl_descriptions();
    for (size_t i = 0; i < devices.size(); i++) {
        bool any_gpu = options.device == "auto" || options.device == "gpu";
        bool named = options.device == "opencl" || devices[i].name.find(options.device) != std::string::npos;
        bool wanted = any_gpu ? devices[i].gpu : named;
        if (!wanted || options.device == "cpu") continue;
        std::shared_ptr<Device> device = open_opencl_device(i);
        device->time_kernels(true);
        double fastest = std::max(opencl_copy_bandwidth(*device, bytes_to_copy(), options.repeats),
                                  kernel_bandwidth(*device, bytes_to_copy(), options.repeats));
        run_on(device, devices[i].name, fastest, options);
    }
}

}  // namespace caprock

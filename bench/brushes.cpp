#include "brushes.h"

#include "compute/devices.h"
#include "compute/opencl/opencl_device.h"
#include "document/commands.h"
#include "painting/brush_text.h"
#include "painting/live_stroke.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>
#include <vector>

namespace caprock {

namespace {

namespace fs = std::filesystem;

struct Latency {
    std::vector<double> milliseconds;
    int64_t dabs = 0;
    int moves = 0;  // of fields between the host and a device
    double kernel_seconds = 0;

    double share(double at) {
        std::ranges::sort(milliseconds);
        return milliseconds[std::min(size_t(at * double(milliseconds.size())), milliseconds.size() - 1)];
    }
};

// Samples so far apart that each brings ten dabs, around the middle of the document. The first rounds bring tiles to the
// device and are not counted.
Latency measure(Document& document, int layer, Brush brush, double radius, RunContext& context) {
    const Grid grid = document.state().grid;
    brush.settings.radius = radius;
    double step = 10 * brush.settings.spacing * radius;
    double middle = grid.extent.width() / 2.0;
    double around = std::max(middle * 0.5, step);
    Latency latency;
    constexpr int warm = 12;
    constexpr int counted = 60;
    LiveStroke stroke(document, {layer, "height"}, brush, 1, context);
    int64_t dabs_before = 0;
    auto moves = [&] {
        if (context.device->is_cpu()) return 0;
        OpenClTraffic traffic = opencl_traffic(*context.device);
        return traffic.uploads + traffic.downloads;
    };
    int moves_before = 0;
    double kernels_before = 0;
    for (int i = 0; i < warm + counted; i++) {
        double angle = i * step / around;
        PenSample sample;
        sample.x = middle + around * std::cos(angle);
        sample.y = middle + around * std::sin(angle);
        auto start = std::chrono::steady_clock::now();
        stroke.extend(sample);
        std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
        if (i < warm) {
            dabs_before = stroke.dabs();
            moves_before = moves();
            kernels_before = context.device->kernel_seconds();
            continue;
        }
        latency.milliseconds.push_back(taken.count());
    }
    latency.dabs = stroke.dabs() - dabs_before;
    latency.moves = moves() - moves_before;
    latency.kernel_seconds = context.device->kernel_seconds() - kernels_before;
    stroke.cancel();
    return latency;
}

void measure_on(const std::string& device, int threads, int size, const std::string& folder) {
    RunContext context;
    context.device = choose_device(device, threads, int64_t(size) * size);
    auto document = Document::create(folder + "/bench.caprock", Grid{Rect::of({size, size}), 1, {0, 1000}});
    Layer ground;
    ground.blend = make_blend();
    std::vector<LayerOperation> noise;
    noise.emplace_back(operation_with("noise", {{"feature", 800.0}}));
    add_operations(*document, std::move(noise), ground);
    Layer painted;
    painted.blend = make_blend("add");
    int layer = add_painted(*document, "height", painted);
    fmt::print("\n  on {}\n  {:<30} {:>8} {:>12} {:>10} {:>10} {:>10} {:>14}\n", context.device->name(),
               "brush", "radius", "dabs/sample", "p50 ms", "p99 ms", "kernel ms", "moves/sample");
    for (const char* name : {"raise", "smooth", "weathered", "crumble"})
        for (double radius : {32.0, 128.0, 512.0}) {
            Latency latency = measure(*document, layer, brush_named(name), radius, context);
            fmt::print("  {:<30} {:>8} {:>12.1f} {:>10.2f} {:>10.2f} {:>10.2f} {:>14.1f}\n", name, radius,
                       double(latency.dabs) / double(latency.milliseconds.size()), latency.share(0.5),
                       latency.share(0.99),
                       latency.kernel_seconds * 1e3 / double(latency.milliseconds.size()),
                       double(latency.moves) / double(latency.milliseconds.size()));
        }
}

}  // namespace

void run_brush_benchmarks(int size, const std::string& device, int threads) {
    fs::path folder = fs::temp_directory_path() / fmt::format("caprock-bench-brushes-{}", ::getpid());
    fmt::print("\nbrushes: from a sample of the pen to the tiles that show it, {0} x {0} cells of 1 m\n",
               size);
    std::vector<std::string> devices = {device};
    if (device == "auto") {
        devices = {"cpu"};
        for (const DeviceDescription& known : list_devices())
            if (known.gpu) devices.push_back(known.name);
    }
    for (const std::string& name : devices) {
        fs::create_directories(folder);
        measure_on(name, threads, size, folder.string());
        fs::remove_all(folder);
    }
}

}  // namespace caprock

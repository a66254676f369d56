#include "brushes.h"

#include "base/telling.h"
#include "bench_folder.h"
#include "compute/devices.h"
#include "compute/opencl/opencl_device.h"
#include "document/commands.h"
#include "painting/brush_text.h"
#include "painting/live_stroke.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace caprock {

namespace {

struct Latency {
    std::vector<double> milliseconds;
    int64_t dabs = 0;
    int moves = 0;  // of fields between the host and a device
    int launches = 0;
    // Of some more samples: timing kernels takes time.
    double kernel_seconds = 0;
    int timed = 0;

    double share(double at) {
        std::ranges::sort(milliseconds);
        return milliseconds[std::min(size_t(at * double(milliseconds.size())), milliseconds.size() - 1)];
    }
};

// Samples so far apart that each brings ten dabs, around the middle of the document. On new ground, every stroke goes
// around once; on ground of its own, the first rounds bring tiles to the device and are not counted.
enum class GroundIs { fresh, known };
Latency measure(Document& document, int layer, Brush brush, double radius, GroundIs ground,
                RunContext& context) {
    const Grid grid = document.state().grid;
    brush.settings.radius = radius;
    double step = 10 * brush.settings.spacing * radius;
    double middle = grid.extent.width() / 2.0;
    double around = std::max(middle * 0.5, step);
    int once_around = std::max(int(6.28 * around / step), 4);
    Latency latency;
    auto traffic = [&] {
        return context.device->is_cpu() ? OpenClTraffic{} : opencl_traffic(*context.device);
    };
    enum class Count { waiting, kernels };
    auto draw = [&](int uncounted, int counted, Count count) {
        context.device->time_kernels(count == Count::kernels);
        LiveStroke stroke(document, {layer, "height"}, brush, 1, context);
        for (int i = 0; i < uncounted + counted; i++) {
            if (context.progress) context.progress->check();
            double angle = i * step / around;
            PenSample sample;
            sample.x = middle + around * std::cos(angle);
            sample.y = middle + around * std::sin(angle);
            int64_t dabs = stroke.dabs();
            OpenClTraffic before = traffic();
            double kernels = context.device->kernel_seconds();
            auto start = std::chrono::steady_clock::now();
            stroke.extend(sample);
            std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
            // The first samples have no curve yet.
            if (i < uncounted || stroke.dabs() == dabs) continue;
            if (count == Count::kernels) {
                latency.kernel_seconds += context.device->kernel_seconds() - kernels;
                latency.timed++;
                continue;
            }
            OpenClTraffic after = traffic();
            latency.milliseconds.push_back(taken.count());
            latency.dabs += stroke.dabs() - dabs;
            latency.moves += after.uploads + after.downloads - before.uploads - before.downloads;
            latency.launches += after.launches - before.launches;
        }
        stroke.cancel();
    };
    if (ground == GroundIs::known) {
        draw(once_around + 4, 100, Count::waiting);
        draw(once_around + 4, 10, Count::kernels);
    } else {
        // A small brush would take all day to go around.
        int samples = std::min(once_around, 30);
        for (size_t drawn = 0; drawn < 60; drawn += size_t(samples) - 2) draw(0, samples, Count::waiting);
        draw(0, samples, Count::kernels);
    }
    context.device->time_kernels(false);
    return latency;
}

void measure_on(const std::string& device, int threads, int size, Progress* progress) {
    BenchFolder folder;
    RunContext context;
    context.progress = progress;
    context.device = choose_device(device, threads, int64_t(size) * size);
    auto document = Document::create(folder / "bench.caprock", Grid{Rect::of({size, size}), 1, {0, 1000}});
    Layer ground;
    ground.blend = make_blend();
    std::vector<LayerOperation> noise;
    noise.emplace_back(operation_with("noise", {{"feature", 800.0}}));
    add_operations(*document, std::move(noise), ground);
    Layer painted;
    painted.blend = make_blend("add");
    int layer = add_painted(*document, "height", painted);
    say("\n  on {}\n  {:<12} {:>6} {:>8} {:>12} {:>10} {:>10} {:>10} {:>8} {:>8}\n", context.device->name(),
        "brush", "radius", "ground", "dabs/sample", "p50 ms", "p99 ms", "kernel ms", "launches", "moves");
    for (const char* name : {"raise", "smooth", "weathered", "crumble"})
        for (double radius : {32.0, 128.0, 512.0})
            for (GroundIs ground : {GroundIs::fresh, GroundIs::known}) {
                Latency latency = measure(*document, layer, brush_named(name), radius, ground, context);
                auto samples = double(latency.milliseconds.size());
                say("  {:<12} {:>6} {:>8} {:>12.1f} {:>10.2f} {:>10.2f} {:>10.2f} {:>8.1f} {:>8.1f}\n", name,
                    radius, ground == GroundIs::fresh ? "new" : "known", double(latency.dabs) / samples,
                    latency.share(0.5), latency.share(0.99), latency.kernel_seconds * 1e3 / latency.timed,
                    latency.launches / samples, latency.moves / samples);
                flush_said_or_stop();
            }
}

}  // namespace

void run_brush_benchmarks(int size, const std::string& device, int threads, Progress* progress) {
    say("\nbrushes: from a sample of the pen to the tiles that show it, {0} x {0} cells of 1 m\n", size);
    std::vector<std::string> devices = {device};
    if (device == "auto") {
        devices = {"cpu"};
        for (const DeviceDescription& known : list_devices())
            if (known.gpu) devices.push_back(known.name);
    }
    for (const std::string& name : devices) measure_on(name, threads, size, progress);
}

}  // namespace caprock

#include "compute/devices.h"

#include "base/text.h"
#include "compute/cpu_device.h"
#include "compute/opencl/opencl_device.h"

#include <algorithm>
#include <fmt/format.h>

namespace caprock {

namespace {

// Below this a CPU is done before a GPU's driver has started.
constexpr int64_t cells_worth_a_gpu = int64_t(1) << 22;

}  // namespace

std::vector<DeviceDescription> list_devices() {
    std::vector<DeviceDescription> all = {make_cpu_device(chosen_cpu_level())->description()};
    for (DeviceDescription& description : opencl_descriptions()) all.push_back(std::move(description));
    return all;
}

std::shared_ptr<Device> choose_device(std::string_view word, int threads, int64_t cells) {
    std::shared_ptr<Device> cpu = make_cpu_device(chosen_cpu_level(), threads);
    if (word == "cpu" || (word == "auto" && cells < cells_worth_a_gpu)) return cpu;
    OpenClSearch search = word == "auto" || word == "gpu" ? OpenClSearch::gpus : OpenClSearch::all;
    std::vector<DeviceDescription> found = opencl_descriptions(search);
    std::vector<std::string> names = {"auto", "cpu", "gpu", "opencl"};
    for (size_t i = 0; i < found.size(); i++) {
        names.push_back(found[i].name);
        bool named = lower(found[i].name).find(lower(word)) != std::string::npos;
        if (search == OpenClSearch::all && word != "opencl" && !named) continue;
        try {
            return open_opencl_device(i, {}, search);
        } catch (const DeviceError& refusal) {
            if (word != "auto") throw Error(fmt::format("device {}: {}", found[i].name, refusal.what()));
        }
    }
    if (word == "auto") return cpu;
    if (word == "gpu")
        throw Error("no device 'gpu': no driver offers one; 'caprock devices' lists what there is");
    throw Error(fmt::format("no device '{}'; there is {}", word, listed(names, "or")));
}

}  // namespace caprock

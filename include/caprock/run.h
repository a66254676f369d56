// How work is done, and who is told of it.
#pragma once

#include <caprock/export.h>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {
inline namespace v1 {

struct Progress {
    std::string_view doing;  // "reading a.tif", "thermal-erosion", "writing b.tif"
    int step = 1;            // of so many
    int steps = 1;
    double share = 0;  // of this step that is done, 0 to 1
};

// Every member may be left out: land.terrain({.device = "cpu", .threads = 4}).
struct Run {
    // auto, cpu, gpu, opencl, or a part of a device's name. A device that fails is replaced by the CPU: the bits are the same.
    std::string device = "auto";
    int threads = 0;  // of the CPU; 0: as many as there are
    // Called about 200 times a step, from whichever thread does the work, one call at a time. Whoever returns false stops
    // it. What it throws stops it, too, and comes out of whoever was called.
    std::function<bool(const Progress&)> progress = {};
    // Another way to stop it, from any thread.
    std::stop_token stop = {};
    // Bytes that may be taken, about; 0: as many as there are. Land that takes more is written window by window, and has the
    // same bits.
    std::uint64_t memory = 0;
    // Notes and warnings: what a file does not keep, that a device has failed.
    std::function<void(const std::string&)> tell = {};
};

struct Device {
    std::string name;
    std::string platform;  // x86-64-v4, or the OpenCL platform and the version of its driver
    bool gpu = false;
    std::uint64_t memory = 0;  // bytes
};
// The CPU first.
CAPROCK_API std::vector<Device> devices();

// Of the library: "0.1.0".
CAPROCK_API std::string version();

}  // namespace v1
}  // namespace caprock

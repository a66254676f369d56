// The CPU as a device: kernels compiled for several instruction sets, spread over threads.
#pragma once

#include "compute/device.h"

#include <memory>
#include <string_view>

namespace caprock {

// The levels this machine can run, worst first; `portable` always.
std::vector<CpuLevel> supported_cpu_levels();
std::string_view cpu_level_name(CpuLevel level);
// The best level, or the one CAPROCK_CPU names. Throws when that names none or one this machine lacks.
CpuLevel chosen_cpu_level();

// threads = 0: as many as the machine has.
std::shared_ptr<Device> make_cpu_device(CpuLevel level, int threads = 0);

}  // namespace caprock

// What the papers measured, measured here and printed beside it.
#pragma once

#include "compute/device.h"

#include <memory>
#include <string>

namespace caprock {

void run_paper_benchmarks(const std::shared_ptr<Device>& device, const std::string& label, int repeats);

}  // namespace caprock

// How long it takes from a pen's sample to tiles that show it.
#pragma once

#include "base/progress.h"

#include <string>

namespace caprock {

// `size`: side of the document, in cells. `device`: as the user names it; auto is the CPU and then every GPU.
void run_brush_benchmarks(int size, const std::string& device, int threads, Progress* progress = nullptr);

}  // namespace caprock

// How fast operations are on this machine, beside the machine's own copy bandwidth measured in the same run.
#pragma once

#include "base/progress.h"

#include <string>
#include <vector>

namespace caprock {

struct BenchmarkOptions {
    int size = 4096;
    int repeats = 5;
    int threads = 0;  // 0: one, then all
    std::string device = "auto";
    std::vector<std::string> only;  // names; empty: all
    // How it is interrupted: what writes files is cancelled, everything else ends at once with these words (EndsAtOnce).
    Progress* progress = nullptr;
    const char* last_words = "";
};

void run_benchmarks(const BenchmarkOptions& options);

}  // namespace caprock

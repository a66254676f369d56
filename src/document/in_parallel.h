// Loops whose rounds are shared among threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <tbb/parallel_for.h>

namespace caprock {

// Rounds 0 .. count - 1, in any order. What they throw stops it.
template <typename Round>
void in_parallel(size_t count, const Round& round) {
    // What was written before is seen by the rounds, and what they write is seen afterwards. TBB sees to that already;
    // ThreadSanitizer, which does not see into TBB, sees this.
    std::atomic<size_t> done = 0;
    tbb::parallel_for(size_t(0), count, [&](size_t index) {
        done.load(std::memory_order_acquire);
        round(index);
        done.fetch_add(1, std::memory_order_acq_rel);
    });
    done.load(std::memory_order_acquire);
}

}  // namespace caprock

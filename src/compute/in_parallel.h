// Loops whose rounds are shared among threads.
#pragma once

#include <cstddef>

#ifndef __SANITIZE_THREAD__
#include <tbb/parallel_for.h>
#else
#include <exception>
#include <thread>
#endif

namespace caprock {

// Rounds 0 .. count - 1, in any order. What they throw stops it.
template <typename Round>
void in_parallel(size_t count, const Round& round) {
#ifndef __SANITIZE_THREAD__
    tbb::parallel_for(size_t(0), count, round);
#else
    // ThreadSanitizer does not see into TBB and takes what it synchronises for races. Of threads it sees everything.
    std::exception_ptr thrown[2];
    auto every_second = [&](size_t first) {
        try {
            for (size_t index = first; index < count; index += 2) round(index);
        } catch (...) {
            thrown[first] = std::current_exception();
        }
    };
    std::thread other([&] { every_second(1); });
    every_second(0);
    other.join();
    for (const std::exception_ptr& exception : thrown)
        if (exception) std::rethrow_exception(exception);
#endif
}

}  // namespace caprock

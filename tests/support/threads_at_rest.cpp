// At the end of a test program, LeakSanitizer looks through the memory of every thread, and falls over one that is just
// ending (a fault of its own). Drivers end theirs when the last context goes: this waits until the number of threads has
// stayed the same for a while.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <thread>

namespace {

auto threads_now() {
    std::error_code none;
    return std::distance(std::filesystem::directory_iterator("/proc/self/task", none), {});
}

void wait_for_threads() {
    using namespace std::chrono_literals;
    auto before = threads_now();
    int still = 0;
    for (int i = 0; i < 200 && still < 5; i++) {
        std::this_thread::sleep_for(10ms);
        auto now = threads_now();
        still = now == before ? still + 1 : 0;
        before = now;
    }
}

// Before all others, so that at the end it comes after them, and only the sanitizer is left.
[[gnu::constructor(101)]] void wait_at_the_end() { std::atexit(wait_for_threads); }

}  // namespace

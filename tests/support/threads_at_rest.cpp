// LeakSanitizer looks through the memory of every thread, and falls over one that is just ending (a fault of its own). At the end
// of a program threads end wherever static objects have them, so here it looks before that: when the last test is done,
// nobody works, and everybody is still there. Drivers end theirs with the last context, so that it waits until the number of
// threads has stayed the same for a while.
#include <chrono>
#include <filesystem>
#include <gtest/gtest.h>
#include <iterator>
#include <thread>

// What the end of the program would do, which then does nothing more.
extern "C" void __lsan_do_leak_check();

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

class LooksForLeaks : public testing::Environment {
  public:
    void TearDown() override {
        wait_for_threads();
        __lsan_do_leak_check();
    }
};

[[maybe_unused]] const testing::Environment* const at_the_end =
    testing::AddGlobalTestEnvironment(new LooksForLeaks);

}  // namespace

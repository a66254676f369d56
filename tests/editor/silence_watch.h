// Says what the window's thread is doing when it has not been heard of for long: a hang with its reason.
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <execinfo.h>
#include <pthread.h>
#include <thread>
#include <unistd.h>

namespace caprock::editor {

// Made on the thread that is watched. heard() must come again and again; where it stays away longer than patience, the
// thread's stack goes to the error output, as places that addr2line understands, and once more every second until it is
// back. (backtrace_symbols_fd allocates nothing, so it may be called wherever the thread was stopped.)
class SilenceWatch {
  public:
    explicit SilenceWatch(std::chrono::milliseconds patience)
        : patience_(patience), watched_(pthread_self()), heard_(now()) {
        // The first call loads what unwinding needs, which a signal must not.
        void* frames[1];
        backtrace(frames, 1);
        // (Not SIGUSR1: the software renderer's compiler takes that for itself.)
        before_ = std::signal(SIGUSR2, [](int) {
            void* stack[64];
            int count = backtrace(stack, 64);
            backtrace_symbols_fd(stack, count, STDERR_FILENO);
        });
        thread_ = std::thread([this] { watch(); });
    }
    SilenceWatch(const SilenceWatch&) = delete;
    SilenceWatch& operator=(const SilenceWatch&) = delete;
    ~SilenceWatch() {
        over_ = true;
        thread_.join();
        std::signal(SIGUSR2, before_);
    }

    void heard() { heard_ = now(); }

  private:
    using Clock = std::chrono::steady_clock;
    static Clock::rep now() { return Clock::now().time_since_epoch().count(); }

    void watch() {
        std::chrono::milliseconds told{0};
        while (!over_) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            auto silence =
                std::chrono::duration_cast<std::chrono::milliseconds>(Clock::duration(now() - heard_));
            if (silence < patience_) {
                told = std::chrono::milliseconds(0);
                continue;
            }
            if (told.count() && silence - told < std::chrono::seconds(1)) continue;
            told = silence;
            std::fprintf(stderr, "not heard of for %lld ms:\n", static_cast<long long>(silence.count()));
            pthread_kill(watched_, SIGUSR2);
        }
    }

    const std::chrono::milliseconds patience_;
    const pthread_t watched_;
    std::atomic<Clock::rep> heard_;
    std::atomic<bool> over_{false};
    void (*before_)(int) = SIG_DFL;
    std::thread thread_;
};

}  // namespace caprock::editor

#include "base/interrupt.h"

#include "base/telling.h"

#include <array>
#include <atomic>
#include <csignal>
#include <thread>
#include <unistd.h>

namespace caprock {

namespace {

// A handler of signals may only look at what needs no lock. Few are in progress at a time.
std::array<std::atomic<Progress*>, 64> in_progress = {};
std::atomic<bool> asked_to_end = false;
std::atomic<const char*> last_words = nullptr;
std::atomic<int> at_work = 0;  // handlers
static_assert(std::atomic<Progress*>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void end_with(const char* words) {
    tell(words);
    _exit(128 + SIGINT);
}

void on_signal(int signal) {
    std::signal(signal, SIG_DFL);
    at_work++;
    asked_to_end = true;
    if (const char* words = last_words) end_with(words);
    for (std::atomic<Progress*>& place : in_progress)
        if (Progress* progress = place) progress->cancel();
    at_work--;
}

// Another thread's may still have in its hands what is just going.
void wait_for_handlers() {
    while (at_work > 0) std::this_thread::yield();
}

}  // namespace

void answer_interrupts() noexcept {
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    // Who said nohup meant it.
    if (std::signal(SIGHUP, on_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

bool interrupted() noexcept { return asked_to_end; }

Interruptible::Interruptible(Progress& progress) {
    for (Progress* nobody = nullptr; place_ < int(in_progress.size()) &&
                                     !in_progress[size_t(place_)].compare_exchange_strong(nobody, &progress);
         nobody = nullptr)
        place_++;
    if (asked_to_end) progress.cancel();
}

Interruptible::~Interruptible() {
    if (place_ < int(in_progress.size())) in_progress[size_t(place_)] = nullptr;
    wait_for_handlers();
}

EndsAtOnce::EndsAtOnce(const char* words) : before_(last_words.exchange(words)) {
    if (asked_to_end) end_with(words);
}

EndsAtOnce::~EndsAtOnce() {
    last_words = before_;
    wait_for_handlers();
}

}  // namespace caprock

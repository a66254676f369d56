#include "library/watch.h"

#include <algorithm>

namespace caprock {
inline namespace v1 {

Watch::Watch(const Run& run, int steps)
    : run_(run),
      steps_(std::max(steps, 1)),
      progress_([this](double share) { tell(share); }),
      stopped_(run.stop, Cancel{progress_}) {}

void Watch::begin(const std::string& doing) { begin(doing, std::min(step_ + 1, steps_)); }

void Watch::begin(const std::string& doing, int step) {
    doing_ = doing;
    step_ = step;
    progress_.expect(1);
    tell(0);
    progress_.check();
}

void Watch::tell(double share) {
    if (!run_.progress) return;
    try {
        if (run_.progress({doing_, step_, steps_, share})) return;
    } catch (...) {
        // Not through threads and drivers that know nothing of it.
        std::lock_guard lock(guard_);
        if (!thrown_) thrown_ = std::current_exception();
    }
    progress_.cancel();
}

RunContext Watch::context(int64_t cells) {
    if (run_.threads < 0 || run_.threads > 1024)
        throw core::Error(fmt::format("threads {}: must be 0 to 1024", run_.threads));
    RunContext context;
    context.device = choose_device(run_.device, run_.threads, cells);
    context.threads = run_.threads;
    context.progress = &progress_;
    context.tell = run_.tell;
    return context;
}

}  // namespace v1
}  // namespace caprock

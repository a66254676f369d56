// One call of a user, while it goes on: who is told how far it is, and whether it has been stopped.
#pragma once

#include "library/inside.h"

#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

namespace caprock {
inline namespace v1 {

class Watch {
  public:
    // Of so many steps. The run must stay.
    Watch(const Run& run, int steps);

    // The next step, or that of this number, counted from 1. Throws core::Cancelled where it was stopped.
    void begin(const std::string& doing);
    void begin(const std::string& doing, int step);

    int steps() const { return steps_; }
    core::Progress& progress() { return progress_; }
    FileContext files() { return {&progress_, run_.tell}; }
    // For work of this size.
    RunContext context(int64_t cells);

    // Carries it out, and translates what is thrown: what a listener threw goes before the rest.
    template <typename Action>
    auto carried_out(const Action& action) {
        return translated([&] {
            try {
                progress_.check();  // it may have been stopped before it began
                return action();
            } catch (const core::Cancelled&) {
                std::lock_guard lock(guard_);
                if (thrown_) std::rethrow_exception(thrown_);
                throw;
            }
        });
    }

  private:
    void tell(double share);

    const Run& run_;
    int steps_;
    int step_ = 0;
    std::string doing_;
    std::mutex guard_;
    std::exception_ptr thrown_;
    core::Progress progress_;
    struct Cancel {
        core::Progress& progress;
        void operator()() const { progress.cancel(); }
    };
    std::stop_callback<Cancel> stopped_;  // the last: it may cancel as soon as it is there
};

}  // namespace v1
}  // namespace caprock

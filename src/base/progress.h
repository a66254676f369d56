// Progress and cancellation of long work. One Progress accompanies one run; any thread may cancel it.
#pragma once

#include "base/error.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

namespace caprock {

class Progress {
  public:
    // Called with the share that is done, 0..1, from whichever thread did the work, about 200 times a run:
    // one call at a time, each share larger than the one before. It may call cancel(), nothing else here.
    using Listener = std::function<void(double)>;

    Progress() = default;
    explicit Progress(Listener listener) : listener_(std::move(listener)) {}
    // A part of larger work: it counts for itself, and is told as the next `units` of the whole. Those are for
    // the whole to advance by when the part is done. To cancel one is to cancel the other.
    Progress(Progress& whole, int64_t units)
        : whole_(&whole), begins_(whole.share_after(0)), ends_(whole.share_after(units)) {}

    // How many units of work (usually cells x passes) there will be. Starts counting from zero.
    void expect(int64_t units) {
        expected_ = units > 0 ? units : 1;
        done_ = 0;
        told_ = 0;
    }

    // Some units are done. Throws Cancelled when somebody asked to stop.
    void advance(int64_t units) {
        int64_t done = done_.fetch_add(units) + units;
        tell(double(done) / double(expected_.load()));
        check();
    }

    // Everything is done, whether or not all the expected units were needed.
    void complete() { tell(1); }

    void cancel() {
        if (whole_) return whole_->cancel();
        cancelled_ = true;
        pause(false);
    }
    // Work that is paused waits where it would look whether it is cancelled, and goes on as if nothing had been.
    void pause(bool paused) {
        if (whole_) return whole_->pause(paused);
        paused_ = paused;
        paused_.notify_all();
    }
    bool paused() const { return whole_ ? whole_->paused() : paused_.load(); }
    bool cancelled() const { return whole_ ? whole_->cancelled() : cancelled_.load(); }
    void check() const {
        wait_while_paused();
        if (cancelled()) throw Cancelled();
    }

  private:
    void wait_while_paused() const {
        if (whole_) return whole_->wait_while_paused();
        while (paused_ && !cancelled_) paused_.wait(true);
    }
    double share_after(int64_t units) const { return double(done_ + units) / double(expected_); }

    void tell(double share) {
        share = std::min(share, 1.0);
        if (whole_) return whole_->tell(begins_ + (ends_ - begins_) * share);
        if (!listener_) return;
        int step = int(share * 200);
        if (step <= told_) return;
        // A thread that was overtaken on its way here has nothing new to tell.
        std::lock_guard lock(telling_);
        if (step <= told_) return;
        told_ = step;
        listener_(share);
    }

    Listener listener_;
    Progress* whole_ = nullptr;
    double begins_ = 0;  // the share of the whole that is done before this part
    double ends_ = 1;
    std::mutex telling_;
    std::atomic<int64_t> expected_ = 1;
    std::atomic<int64_t> done_ = 0;
    std::atomic<int> told_ = 0;
    std::atomic<bool> cancelled_ = false;
    std::atomic<bool> paused_ = false;
};

}  // namespace caprock

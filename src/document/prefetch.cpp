#include "document/prefetch.h"

#include "base/error.h"

#include <algorithm>

namespace caprock {

Rect region_ahead(const Rect& before, const Rect& now) {
    int dx = 2 * (now.left + now.right - before.left - before.right) / 2;
    int dy = 2 * (now.top + now.bottom - before.top - before.bottom) / 2;
    return {std::min(now.left, now.left + dx), std::min(now.top, now.top + dy),
            std::max(now.right, now.right + dx), std::max(now.bottom, now.bottom + dy)};
}

Prefetcher::Prefetcher() : thread_([this] { work(); }) {}

Prefetcher::~Prefetcher() {
    {
        std::lock_guard lock(guard_);
        ending_ = true;
        wanted_.clear();
    }
    changed_.notify_all();
    thread_.join();
}

void Prefetcher::fetch(const Canvas& canvas, const Rect& region) {
    std::deque<TilePointer> wanted;
    // A region that is huge is no place anybody is about to be.
    constexpr int64_t most = 1024;
    if (tile_rect_over(region).cells() <= most)
        for (const TileIndex& index : tiles_over(region)) {
            const TilePointer* tile = canvas.tiles->find(index);
            if (tile && !(*tile)->in_memory()) wanted.push_back(*tile);
        }
    std::deque<TilePointer> forgotten;
    {
        std::lock_guard lock(guard_);
        forgotten = std::move(wanted_);
        wanted_ = std::move(wanted);
    }
    changed_.notify_all();
}

void Prefetcher::wait() {
    std::unique_lock lock(guard_);
    changed_.wait(lock, [&] { return wanted_.empty() && !fetching_; });
}

void Prefetcher::work() {
    std::unique_lock lock(guard_);
    while (true) {
        changed_.wait(lock, [&] { return ending_ || !wanted_.empty(); });
        if (ending_) return;
        TilePointer tile = std::move(wanted_.front());
        wanted_.pop_front();
        fetching_ = true;
        lock.unlock();
        try {
            tile->cells();
        } catch (const Error&) {
            // Whoever really wants it is told.
        }
        tile.reset();
        lock.lock();
        fetching_ = false;
        changed_.notify_all();
    }
}

}  // namespace caprock

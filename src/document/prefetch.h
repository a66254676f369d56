// Tiles that will be wanted soon are brought into memory before: along a stroke, and along the way of a camera.
#pragma once

#include "document/canvas.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace caprock {

// Where something is about to be that was there before and is here now: as far again, twice.
Rect region_ahead(const Rect& before, const Rect& now);

class Prefetcher {
  public:
    Prefetcher();
    ~Prefetcher();

    // The canvas' tiles over the region, those that are not in memory already. What was asked for before and has not
    // been fetched is forgotten: the pen has gone elsewhere.
    void fetch(const Canvas& canvas, const Rect& region);
    // A stroke or a camera that moved.
    void follow(const Canvas& canvas, const Rect& before, const Rect& now) {
        fetch(canvas, region_ahead(before, now));
    }
    void wait();  // until nothing is left to fetch

  private:
    void work();

    std::mutex guard_;
    std::condition_variable changed_;
    std::deque<TilePointer> wanted_;
    bool fetching_ = false;
    bool ending_ = false;
    std::thread thread_;
};

}  // namespace caprock

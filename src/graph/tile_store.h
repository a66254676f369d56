// Where results are kept, in tiles, by their keys: in memory, and beyond it where a store has a place for them.
#pragma once

#include "base/progress.h"
#include "graph/content_key.h"
#include "graph/tile_cache.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace caprock {

// In memory, as far as the budget goes.
class TileStore {
  public:
    explicit TileStore(uint64_t budget) : cache_(budget), budget_(budget) {}
    virtual ~TileStore() = default;

    TileCache& cache() { return cache_; }
    uint64_t budget() const { return budget_; }

    // What was computed earlier, packed, under its key. Damage counts as not there.
    virtual std::optional<std::string> remembered(const ContentKey&) { return std::nullopt; }
    // Keeps it beyond this process, where there is a place for it.
    virtual void remember(const ContentKey&, std::string) {}
    virtual bool remembers() { return false; }

    // One thread at a time makes what takes long: who comes second waits for the first, and is told so by false. Throws
    // Cancelled where that was asked for in the meantime.
    bool claim(const ContentKey& key, const Progress* progress);
    void release(const ContentKey& key);

  private:
    TileCache cache_;
    uint64_t budget_;
    std::mutex claim_guard_;
    std::condition_variable released_;
    std::set<ContentKey> claimed_;
};

}  // namespace caprock

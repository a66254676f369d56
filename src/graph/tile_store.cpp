#include "graph/tile_store.h"

#include <chrono>

namespace caprock {

bool TileStore::claim(const ContentKey& key, const Progress* progress) {
    std::unique_lock lock(claim_guard_);
    if (claimed_.insert(key).second) return true;
    while (claimed_.contains(key)) {
        if (progress) progress->check();
        released_.wait_for(lock, std::chrono::milliseconds(20));
    }
    return false;
}

void TileStore::release(const ContentKey& key) {
    {
        std::lock_guard lock(claim_guard_);
        claimed_.erase(key);
    }
    released_.notify_all();
}

}  // namespace caprock

#include "graph/tile_cache.h"

namespace caprock {

namespace {

constexpr int lives_of_slow = 3;
// What the list and the table take besides the cells.
constexpr uint64_t entry_bytes = 256;

}  // namespace

void TileCache::put(const ContentKey& key, Field field, Making making) {
    std::lock_guard lock(guard_);
    auto found = places_.find(key);
    if (found != places_.end()) {
        entries_.splice(entries_.begin(), entries_, found->second);
        return;
    }
    uint64_t bytes = uint64_t(field.rect().cells()) * sizeof(float) + entry_bytes;
    int lives = making == Making::slow ? lives_of_slow : 0;
    entries_.push_front({key, std::move(field), bytes, lives, lives});
    places_.emplace(key, entries_.begin());
    bytes_ += bytes;
    keep_to_budget();
}

std::optional<Field> TileCache::find(const ContentKey& key) {
    std::lock_guard lock(guard_);
    auto found = places_.find(key);
    if (found == places_.end()) return std::nullopt;
    entries_.splice(entries_.begin(), entries_, found->second);
    found->second->lives = found->second->full_lives;
    return found->second->field;
}

bool TileCache::has(const ContentKey& key) const {
    std::lock_guard lock(guard_);
    return places_.contains(key);
}

void TileCache::keep_to_budget() {
    while (bytes_ > budget_ && !entries_.empty()) {
        auto last = std::prev(entries_.end());
        if (last->lives > 0) {
            last->lives--;
            entries_.splice(entries_.begin(), entries_, last);
            continue;
        }
        bytes_ -= last->bytes;
        places_.erase(last->key);
        entries_.erase(last);
    }
}

void TileCache::set_budget(uint64_t budget) {
    std::lock_guard lock(guard_);
    budget_ = budget;
    keep_to_budget();
}

uint64_t TileCache::budget() const {
    std::lock_guard lock(guard_);
    return budget_;
}

uint64_t TileCache::bytes() const {
    std::lock_guard lock(guard_);
    return bytes_;
}

void TileCache::clear() {
    std::lock_guard lock(guard_);
    entries_.clear();
    places_.clear();
    bytes_ = 0;
}

}  // namespace caprock

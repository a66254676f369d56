#include "document/canvas.h"

#include "document/project_tile_store.h"
#include "graph/copy_cells.h"

#include <algorithm>

namespace caprock {

// ---- tiles -----------------------------------------------------------------------------------------------

StoredTile::StoredTile(std::shared_ptr<ProjectTileStore> store, int64_t row, const ContentKey& content,
                       Field cells)
    : store_(std::move(store)), row_(row), content_(content), unwritten_(std::move(cells)) {
    store_->took(tile_bytes);
}

StoredTile::StoredTile(std::shared_ptr<ProjectTileStore> store, int64_t row, const ContentKey& content)
    : store_(std::move(store)), row_(row), content_(content) {}

StoredTile::~StoredTile() {
    if (!unwritten_.empty()) store_->gave_back(tile_bytes);
    store_->let_go(row_);
}

Field StoredTile::cells() const {
    {
        std::lock_guard lock(guard_);
        if (!unwritten_.empty()) return unwritten_;
    }
    return store_->cells(row_, content_);
}

bool StoredTile::waits() const {
    std::lock_guard lock(guard_);
    return !unwritten_.empty();
}

bool StoredTile::in_memory() const { return waits() || store_->cache().has(content_); }

void StoredTile::written() {
    std::lock_guard lock(guard_);
    if (unwritten_.empty()) return;
    store_->cache().put(content_, std::move(unwritten_), TileCache::Making::quick);
    unwritten_ = Field();
    store_->gave_back(tile_bytes);
}

// ---- canvases --------------------------------------------------------------------------------------------

const TilePointer* CanvasTiles::find(const TileIndex& index) const {
    auto at = std::ranges::lower_bound(entries_, index, {}, &Entry::first);
    return at != entries_.end() && at->first == index ? &at->second : nullptr;
}

CanvasTiles CanvasTiles::with(const std::vector<Entry>& changes) const {
    CanvasTiles made;
    made.entries_.reserve(entries_.size() + changes.size());
    auto old = entries_.begin();
    for (const Entry& change : changes) {
        while (old != entries_.end() && old->first < change.first) made.entries_.push_back(*old++);
        if (old != entries_.end() && old->first == change.first) ++old;
        if (change.second) made.entries_.push_back(change);
    }
    made.entries_.insert(made.entries_.end(), old, entries_.end());
    return made;
}

void CanvasTiles::sort() { std::ranges::sort(entries_, {}, &Entry::first); }

Field Canvas::read(const Rect& region) const {
    Field made(region);
    Field::WritableRows rows = made.writable_rows();
    for (const TileIndex& index : tiles_over(region)) {
        Rect part = index.rect().intersected(region);
        const TilePointer* tile = tiles->find(index);
        if (!tile) {
            for (int y = part.top; y < part.bottom; y++)
                std::fill_n(rows[y] + (part.left - region.left), part.width(), info.blank);
            continue;
        }
        copy_cells((*tile)->cells().moved(index.rect().left, index.rect().top), part, rows, region.left);
    }
    return made;
}

ContentKey Canvas::key(const TileIndex& index) const {
    const TilePointer* tile = tiles->find(index);
    if (tile) return (*tile)->content();
    return KeyMaker().add("blank").add(double(info.blank)).key();
}

}  // namespace caprock

// Canvases: what is painted and imported, in tiles that lie in the project file and are brought into memory when
// somebody looks at them. A canvas is a value: an edit makes another one, which shares the tiles it did not touch.
#pragma once

#include "document/layer.h"
#include "graph/content_key.h"
#include "graph/tile.h"
#include "graph/tile_cache.h"

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace caprock {

class ProjectTileStore;

// One state of a tile. It never changes; while it is there, so is its row in the project file (once it is written).
class StoredTile {
  public:
    // A tile that is to be written: its cells are kept until they are.
    StoredTile(std::shared_ptr<ProjectTileStore> store, int64_t row, const ContentKey& content, Field cells);
    // One that lies in the file.
    StoredTile(std::shared_ptr<ProjectTileStore> store, int64_t row, const ContentKey& content);
    ~StoredTile();
    StoredTile(const StoredTile&) = delete;
    StoredTile& operator=(const StoredTile&) = delete;

    int64_t row() const { return row_; }
    const ContentKey& content() const { return content_; }
    // Its 256 x 256 cells, with (0, 0) as the first. Throws Error where the file is damaged.
    Field cells() const;
    bool in_memory() const;
    bool waits() const;  // to be written

    // The file has it now.
    void written();

  private:
    std::shared_ptr<ProjectTileStore> store_;
    int64_t row_;
    ContentKey content_;
    mutable std::mutex guard_;
    Field unwritten_;
};

using TilePointer = std::shared_ptr<StoredTile>;

// The tiles of one canvas, row by row. Tiles that nobody painted are not there.
class CanvasTiles {
  public:
    using Entry = std::pair<TileIndex, TilePointer>;

    const TilePointer* find(const TileIndex& index) const;
    const std::vector<Entry>& all() const { return entries_; }
    // A null pointer takes the tile away. Indices are in order, each once.
    CanvasTiles with(const std::vector<Entry>& changes) const;
    void append(const TileIndex& index, TilePointer tile) { entries_.emplace_back(index, std::move(tile)); }
    void sort();

  private:
    std::vector<Entry> entries_;
};

struct Canvas {
    CanvasInfo info;
    std::shared_ptr<const CanvasTiles> tiles = std::make_shared<CanvasTiles>();

    // Cells of a region, dense. Blank where there is no tile.
    Field read(const Rect& region) const;
    // The key of a tile's content; of one that is not there, the same for all.
    ContentKey key(const TileIndex& index) const;
};

}  // namespace caprock

// Cells that a graph does not compute: what is painted or imported, a file, somebody's memory.
#pragma once

#include "field/field.h"
#include "graph/content_key.h"
#include "graph/tile.h"

#include <optional>

namespace caprock {

class TileSource {
  public:
    virtual ~TileSource() = default;
    // Dense, with every cell of the region.
    virtual Field read(const Rect& region) const = 0;
    // Two tiles of one key have the same cells.
    virtual ContentKey key(const TileIndex& tile) const = 0;
    // The one value of all cells of the region, where nobody put any there.
    virtual std::optional<float> blank(const Rect&) const { return std::nullopt; }
    // All of it, where it is in memory anyway: who works on everything takes that as it is. Null where it is not.
    virtual const Field* in_memory() const { return nullptr; }
};

}  // namespace caprock

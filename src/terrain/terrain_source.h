// Terrains that are asked for window by window.
#pragma once

#include "terrain/terrain.h"

#include <string>
#include <utility>
#include <vector>

namespace caprock {

// A terrain whose cells are asked for window by window: what is too large for memory is written this way.
class TerrainSource {
  public:
    virtual ~TerrainSource() = default;
    virtual Terrain shape() const = 0;  // grid (extent from 0, 0) and georeference, no fields
    virtual std::vector<std::string> names() const = 0;
    // Lines over it, which are small enough to be there.
    virtual NamedLines lines() const { return {}; }
    // All fields over the window. Windows come from the top, 256 whole rows at a time or a part of that: rows of tiles.
    // Formats that have to know the heights before they write the first of them ask twice; a .bt, which keeps columns,
    // asks for columns.
    virtual Terrain read(const Rect& window) = 0;
    // One of the fields. Files hold one field after the other and are asked for in that order, so whoever can give one
    // without the others should.
    virtual Field read_field(const std::string& name, const Rect& window) { return read(window).field(name); }
};

// A terrain in memory, or what there is of one: its window is all that there is to the source.
class TerrainInMemory : public TerrainSource {
  public:
    explicit TerrainInMemory(const Terrain& terrain) : terrain_(terrain) {}
    Terrain shape() const override;
    std::vector<std::string> names() const override { return terrain_.names(); }
    NamedLines lines() const override;
    Terrain read(const Rect& window) override;
    Field read_field(const std::string& name, const Rect& window) override;

  private:
    Terrain terrain_;  // shares the caller's cells
};

}  // namespace caprock

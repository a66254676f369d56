#include "terrain/terrain_source.h"

namespace caprock {

Terrain TerrainInMemory::shape() const {
    Grid grid = terrain_.grid();
    grid.extent = Rect::of(terrain_.rect().size());
    Terrain shape(grid);
    if (!terrain_.georeference()) return shape;
    const Rect& extent = terrain_.grid().extent;
    shape.set_georeference(terrain_.georeference()->of_cells(terrain_.rect().left - extent.left,
                                                             terrain_.rect().top - extent.top));
    return shape;
}

NamedLines TerrainInMemory::lines() const {
    const WorldPoint first = terrain_.grid().place_of(terrain_.rect().left, terrain_.rect().top);
    NamedLines all;
    for (const std::string& name : terrain_.line_names())
        all.emplace_back(name, moved_by(terrain_.lines(name), -first.x, -first.y));
    return all;
}

Terrain TerrainInMemory::read(const Rect& window) {
    Terrain cells = shape().cropped(window);
    for (const std::string& name : terrain_.names()) cells.set(name, read_field(name, window));
    return cells;
}

Field TerrainInMemory::read_field(const std::string& name, const Rect& window) {
    auto [left, top, right, bottom] = terrain_.rect();
    Field cells = terrain_.field(name).cropped(
        {window.left + left, window.top + top, window.right + left, window.bottom + top});
    // Only what begins elsewhere has to be copied.
    return left == 0 && top == 0 ? cells : cells.moved(-left, -top);
}

}  // namespace caprock

#include "document/document_terrain.h"

#include "base/error.h"
#include "base/text.h"
#include "document/document.h"
#include "graph/copy_cells.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace caprock {

int document_block_below(int cell) { return cell - (cell & (document_block_side - 1)); }

namespace {

// The place of a part of the grid, in cells of a level.
Georeference place_of_part(const Georeference& place, int level, const Rect& part) {
    double larger = std::ldexp(1.0, level);
    return place.of_cells(part.left * larger, part.top * larger, larger, larger);
}

// The parts of a region that blocks have, which lie at multiples of their size.
std::vector<Rect> blocks_over(const Rect& region) {
    static_assert((document_block_side & (document_block_side - 1)) == 0);
    std::vector<Rect> blocks;
    for (int top = document_block_below(region.top); top < region.bottom; top += document_block_side)
        for (int left = document_block_below(region.left); left < region.right; left += document_block_side)
            blocks.push_back(
                Rect{left, top, left + document_block_side, top + document_block_side}.intersected(region));
    return blocks;
}

}  // namespace

Terrain shape_of(const DocumentState& state) {
    Terrain shape(state.grid);
    // A document's place is that of cell (0, 0).
    if (state.georeference) shape.set_georeference(place_of_part(*state.georeference, 0, state.grid.extent));
    return shape;
}

DocumentTerrain::DocumentTerrain(Document& document, RunContext& context, int level)
    : plan_(document.snapshot(), level), evaluator_(context), names_(plan_.fields()) {}

Terrain DocumentTerrain::shape() const {
    Grid grid = plan_.grid();
    grid.extent = Rect::of(plan_.window().size());
    Terrain shape(grid);
    if (const std::optional<Georeference>& place = plan_.snapshot().state->georeference)
        shape.set_georeference(place_of_part(*place, plan_.level(), plan_.window()));
    return shape;
}

void DocumentTerrain::keep_only(const std::vector<std::string>& names) {
    for (const std::string& name : names)
        if (std::ranges::find(names_, name) == names_.end())
            throw Error(fmt::format("the document makes no field '{}'; there {} {}", one_line(name),
                                    names_.size() == 1 ? "is" : "are", listed(names_)));
    names_ = names;
}

void DocumentTerrain::tell_problems(const std::function<void(const std::string&)>& tell) const {
    for (const std::string& problem : plan_.problems()) tell(problem + "; the layer has no effect");
}

Terrain DocumentTerrain::read(const Rect& window, const std::vector<std::string>& names, const Done& done) {
    const Rect& all = plan_.window();
    const Rect region = window.moved(all.left, all.top);
    std::vector<Rect> blocks = blocks_over(region);
    std::vector<Field> fields(names.size());
    for (const Rect& block : blocks) {
        const Terrain cells = evaluator_.evaluate(plan_, plan_.top(), names, block);
        for (size_t i = 0; i < names.size(); i++) {
            // One block is handed on as it is.
            if (blocks.size() == 1) {
                fields[i] = cells.field(names[i]);
                continue;
            }
            if (fields[i].empty()) fields[i] = Field(region);
            copy_cells(cells.field(names[i]), block, fields[i].writable_rows(), region.left);
        }
        if (done) done(block.cells());
    }
    const Terrain whole = shape();
    Terrain terrain(whole.grid(), window);
    for (size_t i = 0; i < names.size(); i++) terrain.set(names[i], fields[i].moved(-all.left, -all.top));
    if (whole.georeference()) terrain.set_georeference(*whole.georeference());
    return terrain;
}

NamedLines DocumentTerrain::lines() {
    const WorldPoint first = plan_.grid().place_of(plan_.window().left, plan_.window().top);
    NamedLines all;
    for (const std::string& name : plan_.top().line_names())
        all.emplace_back(name, moved_by(evaluator_.lines(plan_, plan_.top(), name), -first.x, -first.y));
    return all;
}

void DocumentTerrain::begin() {
    evaluator_.evaluate(plan_, plan_.top(), names_, blocks_over(plan_.window()).front());
}

}  // namespace caprock

// Commands that change the grid of a document.
#include "base/text.h"
#include "document/commands.h"
#include "document/placement.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace caprock {

namespace {

std::string size_text(const Rect& rect) { return fmt::format("{} x {}", rect.width(), rect.height()); }

// Canvases that are painted at the document's resolution, with what their cells are of.
struct PaintedCanvas {
    int id;
    const Quantity& quantity;
};

void collect_painted(const std::vector<Layer>& layers, const DocumentState& state,
                     std::vector<PaintedCanvas>& into) {
    auto add = [&](int id, const Quantity& quantity) {
        const CanvasInfo* info = state.canvas(id);
        if (info && !info->bounds && info->cell == state.grid.cell) into.push_back({id, quantity});
    };
    for (const Layer& layer : layers) {
        for (const LayerCanvas& use : layer.canvases) add(use.canvas, quantity_of(use.field));
        if (layer.mask.kind == LayerMask::Kind::painted) add(layer.mask.canvas, quantity_of("mask"));
        collect_painted(layer.layers, state, into);
    }
}

void rename_canvas(std::vector<Layer>& layers, int from, int to) {
    for (Layer& layer : layers) {
        for (LayerCanvas& use : layer.canvases)
            if (use.canvas == from) use.canvas = to;
        if (layer.mask.kind == LayerMask::Kind::painted && layer.mask.canvas == from) layer.mask.canvas = to;
        rename_canvas(layer.layers, from, to);
    }
}

// The cells of the new grid that lie within the old rectangle.
Rect scaled(const Rect& rect, double ratio) {
    auto first = [&](int cell) { return int(std::ceil(cell * ratio - 1e-9)); };
    auto last = [&](int cell) { return int(std::floor((cell - 1) * ratio + 1e-9)) + 1; };
    Rect made{first(rect.left), first(rect.top), last(rect.right), last(rect.bottom)};
    made.right = std::max(made.right, made.left + 1);
    made.bottom = std::max(made.bottom, made.top + 1);
    return made;
}

}  // namespace

void resize_document(Document& document, const Rect& extent) {
    Grid grid = document.state().grid;
    grid.extent = extent;
    grid.check();
    document.change("resize to " + size_text(extent), [&](Edit& edit) {
        edit.state().grid = grid;
        edit.state().window = extent;
    });
}

void crop_document(Document& document, const Rect& window, bool trim) {
    const Rect& extent = document.state().grid.extent;
    if (window.empty() || !extent.contains(window))
        throw Error(fmt::format("what is to stay must lie inside the document's cells, {},{} to {},{}",
                                extent.left, extent.top, extent.right - 1, extent.bottom - 1));
    document.change("crop to " + size_text(window), [&](Edit& edit) {
        edit.state().window = window;
        if (trim) edit.state().grid.extent = window;
    });
}

void set_height_range(Document& document, const Interval& range) {
    Grid grid = document.state().grid;
    grid.range = range;
    grid.check();
    document.change("height range", [&](Edit& edit) { edit.state().grid = grid; });
}

void resample_document(Document& document, double cell, Progress* progress) {
    Grid grid = document.state().grid;
    double ratio = grid.cell / cell;
    if (!(cell > 0) || !std::isfinite(ratio)) throw Error("the cell must be a length in metres");
    auto too_large = [&](const Rect& rect) {
        return rect.width() * ratio > largest_side || rect.height() * ratio > largest_side;
    };
    if (too_large(grid.extent))
        throw Error(fmt::format("with cells of {} m there would be more than {} of them each way",
                                number_text(cell), largest_side));
    double old_cell = grid.cell;
    grid.cell = cell;
    grid.extent = scaled(grid.extent, ratio);
    grid.check();
    document.change(fmt::format("resample to {} m", number_text(cell)), [&](Edit& edit) {
        DocumentState& state = edit.state();
        std::vector<PaintedCanvas> painted;
        collect_painted(state.layers, state, painted);
        Snapshot snapshot = document.snapshot();
        for (const PaintedCanvas& old : painted) {
            CanvasInfo info = *state.canvas(old.id);
            info.cell = cell;
            int made = edit.new_canvas(info);
            const Canvas& canvas = snapshot.canvas(old.id);
            CellMap map = map_of({}, cell, old_cell, 0, 0);
            int halvings = 0;
            for (; !old.quantity.is_index && map.step() >= 2; halvings++) map = map.into_half();
            // The new tiles that old ones have a part in.
            std::set<TileIndex> touched;
            for (const auto& [index, tile] : canvas.tiles->all()) {
                Rect around = index.rect().expanded(4 << halvings);
                Rect there{int(std::floor(around.left * ratio)), int(std::floor(around.top * ratio)),
                           int(std::ceil(around.right * ratio)), int(std::ceil(around.bottom * ratio))};
                for (const TileIndex& at : tiles_over(there)) touched.insert(at);
            }
            if (progress) progress->expect(int64_t(std::max<size_t>(touched.size(), 1)));
            for (const TileIndex& tile : touched) {
                // Down to the coarse grid first where the new cells are much larger.
                std::vector<Rect> regions = {map.source_region(tile.rect())};
                for (int i = 0; i < halvings; i++) {
                    const Rect& coarse = regions.back();
                    regions.push_back(
                        {2 * coarse.left - 1, 2 * coarse.top - 1, 2 * coarse.right, 2 * coarse.bottom});
                }
                Field cells = canvas.read(regions.back());
                for (int i = halvings; i > 0; i--) cells = halved(cells, regions[size_t(i) - 1]);
                edit.write(made, placed(cells, map, tile.rect(), old.quantity));
                if (progress) progress->advance(1);
            }
            rename_canvas(state.layers, old.id, made);
        }
        state.grid = grid;
        state.window = scaled(state.window, ratio).intersected(grid.extent);
        // Samples of cell (0, 0) lie where they did, in pixels of another size.
        if (state.georeference)
            state.georeference = state.georeference->of_cells(0, 0, cell / old_cell, cell / old_cell);
    });
}

}  // namespace caprock

#include "graph/graph_source.h"

#include "base/error.h"
#include "base/text.h"
#include "graph/execution_memory.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace caprock {

namespace {

// Cells that what is taken from another grid has each way for one of the chain's: for a finer file, more than are computed.
double cells_for_one(const Graph& graph, const Node& node) {
    if (node.inputs.empty() || node.kind == Node::Kind::operation) return 1;
    const double below = cells_for_one(graph, graph.node(node.inputs[0].from.node));
    if (node.kind == Node::Kind::place) return below * std::max(node.map.step(), 1.0);
    return node.kind == Node::Kind::halve ? 2 * below : below;
}

// How many tiles each way are computed together, so that what is worked on stays within a quarter of the memory. What reaches
// too far for that and takes steps goes through pages.
int tiles_together(const Graph& graph, uint64_t memory) {
    auto bytes = [&](int tiles) {
        int halo = 0;
        size_t fields = 1;
        double finest = 1;
        for (const Node& node : graph.nodes()) {
            if (Evaluator::is_for_pages(node, tiles)) continue;
            halo = std::max(halo, node.halo.value_or(0));
            size_t work = node.operation ? size_t(node.operation->fields().work_fields) : 0;
            fields = std::max(fields, node.inputs.size() + node.makes.size() + work);
            finest = std::max(finest, cells_for_one(graph, node));
        }
        const double side = tiles * tile_side + 2.0 * halo;
        const double worked_on = side * side * sizeof(float);
        // Those of the file, and their means.
        return std::max(worked_on * double(fields), finest > 1 ? 2 * worked_on * finest * finest : 0);
    };
    int tiles = Evaluator::most_tiles_together;
    while (tiles > 1 && bytes(tiles) > double(memory) / 4) tiles--;
    return tiles;
}

}  // namespace

GraphSource::GraphSource(Graph graph, RunContext& context, uint64_t memory)
    : memory_(memory), graph_(std::move(graph)), evaluator_(context) {
    evaluator_.compute_together(tiles_together(graph_, memory));
}

void GraphSource::check_windows(uint64_t whole) const {
    const std::vector<const Node*> everything = nodes_of_everything(graph_);
    if (everything.empty()) return;
    throw Error(
        fmt::format("{}: it sees all of the terrain at once, which takes {} of memory, and {} may be used",
                    everything.back()->title, bytes_text(whole), bytes_text(memory_)));
}

void GraphSource::run_simulations(const std::string& folder) {
    evaluator_.run_in_pages(graph_, {folder, memory_});
}

Terrain GraphSource::shape() const {
    Terrain shape(graph_.top().grid);
    if (graph_.top().georeference) shape.set_georeference(*graph_.top().georeference);
    return shape;
}

NamedLines GraphSource::lines() const {
    NamedLines all;
    for (const std::string& name : line_names())
        all.emplace_back(name, evaluator_.lines(graph_, graph_.top(), name));
    return all;
}

Terrain GraphSource::read(const Rect& window) { return evaluator_.evaluate(graph_, window); }

Field GraphSource::read_field(const std::string& name, const Rect& window) {
    const bool held = band_name_ == name && !band_.empty() && band_.rect().contains(window);
    if (held) return band_.cropped(window);
    // As many rows of tiles as an eighth of the memory holds, and no more than are computed together.
    const Rect& all = graph_.top().grid.extent;
    const uint64_t row_of_tiles = uint64_t(all.width()) * tile_side * sizeof(float);
    const int rows = int(std::clamp<uint64_t>(memory_ / 8 / row_of_tiles, 1, Evaluator::most_tiles_together));
    const int top = (window.top >> 8) * tile_side;
    const Rect band = Rect{all.left, top, all.right, top + rows * tile_side}.intersected(all);
    if (!band.contains(window)) return evaluator_.field(graph_, graph_.top().at(name), window);
    band_ = Field();
    band_ = evaluator_.field(graph_, graph_.top().at(name), band);
    band_name_ = name;
    return band_.cropped(window);
}

}  // namespace caprock

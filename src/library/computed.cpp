#include "library/computed.h"

#include "library/source.h"

#include <algorithm>
#include <cmath>

namespace caprock {
inline namespace v1 {

namespace {

Links cloned(const Operations& operations) {
    Links links;
    for (const auto& operation : operations) links.push_back(operation->clone());
    return links;
}

// For the choice of a device: what is worth the way to a GPU.
int64_t work_size(const Links& links, const core::Grid& grid, int64_t cells) {
    int64_t passes = 0;
    for (const auto& operation : links) passes += std::max(1, operation->reach(grid).halo().value_or(1));
    return cells * std::max<int64_t>(passes, 1);
}

// Begun with the step that it says, unless it is the first of all.
core::Terrain start_of(const Land::Inside& land, Watch& watch) {
    if (const auto* file = std::get_if<NamedFile>(&land.start)) {
        watch.begin("reading " + file->path, 1);
        return read_whole(*file, watch);
    }
    if (const auto* grid = std::get_if<core::Grid>(&land.start)) return core::Terrain(*grid);
    return std::get<core::Terrain>(land.start);
}

}  // namespace

bool begins_with_file(const Land::Inside& land) { return std::holds_alternative<NamedFile>(land.start); }

int steps_of(const Land::Inside& land) { return int(land.operations.size()) + begins_with_file(land); }

core::Terrain computed(const Land::Inside& land, Watch& watch, const std::string& device) {
    const core::Terrain start = start_of(land, watch);
    const Links links = cloned(land.operations);
    check_chain(links, start, device == "cpu");
    if (links.empty()) return start;
    RunContext context = watch.context(work_size(links, start.grid(), start.rect().cells()));
    ChainListener listener;
    listener.before = [&](const Operation& operation) {
        const auto found =
            std::ranges::find_if(links, [&](const auto& link) { return link.get() == &operation; });
        watch.begin(std::string(operation.name()), int(found - links.begin()) + 1 + begins_with_file(land));
    };
    return run_chain(links, start, context, listener);
}

// ---- window by window ------------------------------------------------------------------------------------

LandCells::LandCells(const Land::Inside& land, Watch& watch, uint64_t memory)
    : watch_(watch),
      memory_(memory),
      links_(cloned(land.operations)),
      graph_(std::make_shared<TileStore>(memory / 2)),
      evaluator_(context_) {
    if (const auto* file = std::get_if<NamedFile>(&land.start)) {
        watch.begin("reading " + file->path, 1);
        context_ = watch.context(0);  // for a document, of which it is not known yet how large it is
        source_ = opened(*file, watch, context_);
        start_ = start_from_source(*source_);
    } else if (const auto* terrain = std::get_if<core::Terrain>(&land.start)) {
        start_ = start_from(*terrain);
    } else {
        start_.grid = std::get<core::Grid>(land.start);
    }
    graph_ = chain_graph(links_, start_, graph_.store());
    evaluator_.before = [this](const std::string& title) {
        if (!unseen_) watch_.begin(title);
    };
    // Eight fields of what is computed together, in a quarter of the memory.
    const double most = std::sqrt(double(memory) / 4 / (8 * sizeof(float))) / tile_side;
    evaluator_.compute_together(std::clamp(int(most), 1, Evaluator::most_tiles_together));
}

core::Terrain LandCells::read(const core::Rect& window) {
    if (!context_.device || !unseen_)
        context_ = watch_.context(work_size(links_, start_.grid, window.cells()));
    return evaluator_.evaluate(graph_, window);
}

core::Field LandCells::read_field(const std::string& name, const core::Rect& window) {
    return evaluator_.field(graph_, graph_.top().at(name), window);
}

uint64_t LandCells::whole_bytes() const {
    std::vector<std::string> names;
    for (const auto& [name, cells] : start_.fields) names.push_back(name);
    return chain_bytes(links_, start_.grid, names);
}

void LandCells::check_windows() const {
    const std::vector<const Node*> everything = nodes_of_everything(graph_);
    if (everything.empty()) return;
    throw core::Error(
        fmt::format("{}: it sees all of the terrain at once, which takes {} of memory, and {} may be used",
                    everything.back()->title, bytes_text(whole_bytes()), bytes_text(memory_)));
}

void LandCells::work_unseen() {
    context_ = watch_.context(work_size(links_, start_.grid, start_.grid.extent.cells()));
    unseen_ = std::make_unique<core::Progress>(watch_.progress(), 0);
    context_.progress = unseen_.get();
}

}  // namespace v1
}  // namespace caprock

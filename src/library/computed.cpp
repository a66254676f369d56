#include "library/computed.h"

#include "library/source.h"

#include <algorithm>

namespace caprock {
inline namespace v1 {

namespace {

Links cloned(const Operations& operations) {
    Links links;
    for (const auto& operation : operations) links.push_back(operation->clone());
    return links;
}

// Without operations there may still be a document to be computed.
int64_t work_size(const Links& links, const core::Grid& grid, int64_t cells) {
    return cells * std::max<int64_t>(chain_passes(links, grid), 1);
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

// ---- second files ----------------------------------------------------------------------------------------

LandInputs::LandInputs(const Land::Inside& land, Watch& watch, RunContext& context) {
    links_.steps = land.steps;
    links_.tell = context.tell;
    for (const auto& [name, file] : land.inputs) {
        sources_.push_back(opened(file, watch, context));
        links_.inputs[name] = start_from(*sources_.back());
    }
    for (const auto& operation : land.operations)
        for (const NumberMap& map : operation->maps()) {
            if (map.file().empty() || links_.inputs.contains(input_name(map))) continue;
            sources_.push_back(opened({map.file(), {}}, watch, context));
            links_.inputs[input_name(map)] = start_from(*sources_.back());
        }
}

// ---- all of it -------------------------------------------------------------------------------------------

core::Terrain computed(const Land::Inside& land, Watch& watch) {
    const core::Terrain start = start_of(land, watch);
    const Links links = cloned(land.operations);
    if (links.empty() && land.steps.empty()) return start;
    RunContext context = watch.context(work_size(links, start.grid(), start.rect().cells()));
    ChainListener listener;
    int step = begins_with_file(land);
    listener.before = [&](const Operation& operation) {
        // One that a failed device has left undone is told of again.
        step = std::min(step + 1, steps_of(land));
        watch.begin(std::string(operation.name()), step);
    };
    if (land.steps.empty()) return run_chain(links, start, context, listener);
    const LandInputs inputs(land, watch, context);
    const Graph graph =
        chain_graph(links, whole_grid_from(start), nullptr, inputs.links(), Composites::together);
    return Executor().run(graph, context, listener);
}

// ---- window by window ------------------------------------------------------------------------------------

LandCells::LandCells(const Land::Inside& land, Watch& watch, uint64_t memory)
    : watch_(watch), links_(cloned(land.operations)) {
    if (const auto* file = std::get_if<NamedFile>(&land.start)) {
        watch.begin("reading " + file->path, 1);
        context_ = watch.context(0);  // for a document, of which it is not known yet how large it is
        source_ = opened(*file, watch, context_);
        start_ = start_from(*source_);
    } else if (const auto* terrain = std::get_if<core::Terrain>(&land.start)) {
        start_ = start_from(*terrain);
    } else {
        start_.grid = std::get<core::Grid>(land.start);
    }
    inputs_ = std::make_unique<LandInputs>(land, watch, context_);
    cells_ = std::make_unique<GraphSource>(
        chain_graph(links_, start_, std::make_shared<TileStore>(memory / 2), inputs_->links()), context_,
        memory);
    cells_->evaluator().before = [this](const std::string& title) {
        if (!unseen_) watch_.begin(title);
    };
}

core::Terrain LandCells::read(const core::Rect& window) {
    if (!context_.device || !unseen_)
        context_ = watch_.context(work_size(links_, start_.grid, window.cells()));
    return cells_->read(window);
}

core::Field LandCells::read_field(const std::string& name, const core::Rect& window) {
    return cells_->read_field(name, window);
}

uint64_t LandCells::whole_bytes() const {
    return bytes_at_once(chain_graph(links_, start_, nullptr, inputs_->links(), Composites::together));
}

void LandCells::check_windows() const { cells_->check_windows(whole_bytes()); }

void LandCells::run_simulations(const std::string& folder) {
    context_ = watch_.context(work_size(links_, start_.grid, start_.grid.extent.cells()));
    cells_->run_simulations(folder);
}

void LandCells::work_unseen() {
    unseen_ = std::make_unique<core::Progress>(watch_.progress(), 0);
    context_.progress = unseen_.get();
}

}  // namespace v1
}  // namespace caprock

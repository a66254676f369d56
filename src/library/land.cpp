#include "library/computed.h"
#include "library/source.h"
#include "library/watch.h"

#include <algorithm>

namespace caprock {
inline namespace v1 {

namespace {

using Links = std::vector<std::unique_ptr<Operation>>;

Links cloned(const Operations& operations) {
    Links links;
    for (const auto& operation : operations) links.push_back(operation->clone());
    return links;
}

// A part of a terrain becomes one of its own, where it lies.
core::Terrain standing_alone(const core::Terrain& terrain) {
    if (terrain.whole()) return terrain;
    core::Grid grid = terrain.grid();
    const core::Rect before = grid.extent;
    grid.extent = terrain.rect();
    core::Terrain alone(grid);
    for (const std::string& name : terrain.names()) alone.set(name, terrain.field(name));
    if (const core::Georeference* place = terrain.georeference())
        alone.set_georeference(
            place->of_cells(terrain.rect().left - before.left, terrain.rect().top - before.top));
    return alone;
}

// For the choice of a device: what is worth the way to a GPU.
int64_t work_size(const Links& links, const core::Grid& grid, int64_t cells) {
    int64_t passes = 0;
    for (const auto& operation : links) passes += std::max(1, operation->reach(grid).halo().value_or(1));
    return cells * std::max<int64_t>(passes, 1);
}

bool begins_with_file(const Land::Inside& land) { return std::holds_alternative<NamedFile>(land.start); }

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

Land public_of(Land::Inside land) { return Land(std::make_shared<const Land::Inside>(std::move(land))); }

Land::Land(std::shared_ptr<const Inside> inside) : inside_(std::move(inside)) {}

Land::Land(const Terrain& terrain)
    : Land(std::make_shared<const Inside>(Inside{standing_alone(terrain.inside().terrain), {}, "", ""})) {}

Grid Land::grid() const {
    const Run run;
    Watch watch(run, 1);
    return watch.carried_out([&] {
        core::Grid grid;
        if (const auto* file = std::get_if<NamedFile>(&inside_->start)) {
            RunContext context = watch.context(0);
            grid = opened(*file, watch, context)->shape().grid();
        } else if (const auto* terrain = std::get_if<core::Terrain>(&inside_->start)) {
            grid = terrain->grid();
        } else {
            grid = std::get<core::Grid>(inside_->start);
        }
        for (const auto& operation : inside_->operations) grid = operation->grid_after(grid);
        return public_of(grid);
    });
}

Terrain Land::terrain(const Run& run) const {
    Watch watch(run, steps_of(*inside_));
    return watch.carried_out([&] { return public_of(computed(*inside_, watch, run.device)); });
}

Terrain Land::region(const Rect& cells, const Run& run) const {
    Watch watch(run, steps_of(*inside_));
    return watch.carried_out([&] {
        const Links links = cloned(inside_->operations);
        RunContext context;
        std::unique_ptr<TerrainSource> source;
        ChainStart start;
        if (const auto* file = std::get_if<NamedFile>(&inside_->start)) {
            watch.begin("reading " + file->path);
            context = watch.context(0);  // for a document, of which it is not known yet how large it is
            source = opened(*file, watch, context);
            start = start_from_source(*source);
        } else if (const auto* terrain = std::get_if<core::Terrain>(&inside_->start)) {
            start = start_from(*terrain);
        } else {
            start.grid = std::get<core::Grid>(inside_->start);
        }
        const Graph graph = chain_graph(links, start, std::make_shared<TileStore>(machine_memory() / 4));
        const core::Rect& all = graph.top().grid.extent;
        if (cells.empty() || !all.contains(core_of(cells)))
            throw core::Error(fmt::format(
                "cells {}, {} to {}, {} do not lie inside the land, which goes from "
                "{}, {} to {}, {}",
                cells.left, cells.top, cells.right, cells.bottom, all.left, all.top, all.right, all.bottom));
        context = watch.context(work_size(links, start.grid, cells.cells()));
        Evaluator evaluator(context);
        evaluator.before = [&](const std::string& title) { watch.begin(title); };
        return public_of(evaluator.evaluate(graph, core_of(cells)));
    });
}

Land Land::seeded(std::uint32_t seed) const {
    Inside changed = *inside_;
    for (auto& operation : changed.operations) {
        if (!operation->schema().find("seed")) continue;
        std::unique_ptr<Operation> other = operation->clone();
        other->set("seed", seed);
        operation = std::move(other);
    }
    return public_of(std::move(changed));
}

Land Land::on(const Grid& grid) const {
    return translated([&] {
        if (!std::holds_alternative<core::Grid>(inside_->start))
            throw core::Error(begins_with_file(*inside_)
                                  ? "land that begins with a file has the file's grid, and no other"
                                  : "land that begins with a terrain has the terrain's grid, and no other");
        Inside changed = *inside_;
        changed.start = core_of(grid);
        return public_of(std::move(changed));
    });
}

Land Land::sized(int width, int height, Metres cell) const {
    Grid other{width, height, cell};
    if (const auto* grid = std::get_if<core::Grid>(&inside_->start)) other.range = public_of(grid->range);
    return on(other);
}

Land operator|(const Land& land, const Chain& chain) {
    Land::Inside longer = land.inside();
    const Operations& more = chain.inside().operations;
    longer.operations.insert(longer.operations.end(), more.begin(), more.end());
    return public_of(std::move(longer));
}

Land operator|(const Terrain& terrain, const Chain& chain) { return Land(terrain) | chain; }

}  // namespace v1
}  // namespace caprock

#include "library/computed.h"
#include "library/source.h"
#include "library/watch.h"

namespace caprock {
inline namespace v1 {

namespace {

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

}  // namespace

Land public_of(Land::Inside land) { return Land(std::make_shared<const Land::Inside>(std::move(land))); }

Land::Land(std::shared_ptr<const Inside> inside) : inside_(std::move(inside)) {}

Land::Land(const Terrain& terrain)
    : Land(std::make_shared<const Inside>(
          Inside{standing_alone(terrain.inside().terrain), {}, "", "", {}, {}})) {}

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
    return watch.carried_out([&] { return public_of(computed(*inside_, watch)); });
}

Terrain Land::region(const Rect& cells, const Run& run) const {
    Watch watch(run, steps_of(*inside_));
    return watch.carried_out([&] {
        LandCells land(*inside_, watch, run.memory > 0 ? run.memory : machine_memory() / 4);
        const core::Rect& all = land.graph().top().grid.extent;
        if (cells.empty() || !all.contains(core_of(cells)))
            throw core::Error(fmt::format(
                "cells {}, {} to {}, {} do not lie inside the land, which goes from {}, {} to {}, {}",
                cells.left, cells.top, cells.right, cells.bottom, all.left, all.top, all.right, all.bottom));
        return public_of(land.read(core_of(cells)));
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
    for (const auto& operation : more) {
        if (!longer.steps.empty()) longer.steps.push_back({.operation = longer.operations.size()});
        longer.operations.push_back(operation);
    }
    return public_of(std::move(longer));
}

Land operator|(const Terrain& terrain, const Chain& chain) { return Land(terrain) | chain; }

}  // namespace v1
}  // namespace caprock

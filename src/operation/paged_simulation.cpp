#include "operation/paged_simulation.h"

#include "base/error.h"
#include "operation/check.h"
#include "operation/evaluate.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace caprock {

namespace {

// Of the cells that decide a cell of another size there are a few more on each side.
constexpr int margin = 4;

}  // namespace

PagedSimulation::PagedSimulation(std::shared_ptr<const Operation> operation, const Grid& grid, Input input,
                                 Paging paging)
    : operation_(std::move(operation)),
      simulation_(operation_->simulation(grid)),
      grid_(grid),
      input_(std::move(input)),
      paging_(std::move(paging)) {}

PagedSimulation::Shape PagedSimulation::shape(const Rect& cells) const {
    // What a step works on, what comes from the files beside it, and as much again for whoever reads and writes.
    const double fields = 2 * simulation_->fields_in_step() + 4;
    const double side = std::sqrt(double(paging_.memory) / 2 / sizeof(float) / fields);
    if (side * side >= double(cells.cells())) return {std::max(cells.width(), cells.height()), 1 << 20};
    // Cells around a block are computed in vain: a sixteenth of its side makes that a quarter of the work, and many steps still pay
    // for reading and writing it.
    const int reach = std::max(simulation_->reach(), 1);
    const int halo = std::max(int(side / 16), reach);
    // Where one step reaches far, blocks are as wide as that at least, or nearly all of the work would be in vain.
    return {std::max({int(side) - 2 * halo, 64, reach}), std::max(halo / reach, 1)};
}

// ---- files -----------------------------------------------------------------------------------------------

SimulationFields PagedSimulation::read(const Level& level, const Rect& part) const {
    SimulationFields fields(part, level.cell);
    for (const auto& [name, file] : level.fields) fields.set(name, file->read(part));
    return fields;
}

void PagedSimulation::write(Level& level, const SimulationFields& fields, const Rect& part) const {
    for (const auto& [name, field] : fields.all()) {
        std::shared_ptr<FieldFile>& file = level.fields[name];
        if (!file) file = std::make_shared<FieldFile>(paging_.folder, level.rect);
        file->write(field, part);
    }
}

// A block at a time. What a device that failed has left undone, the CPU does: all that it takes is in files.
template <typename Action>
void PagedSimulation::for_blocks(RunContext& context, const Rect& cells, int side,
                                 const Action& action) const {
    for (int top = cells.top; top < cells.bottom; top += side)
        for (int left = cells.left; left < cells.right; left += side) {
            const Rect block = Rect{left, top, left + side, top + side}.intersected(cells);
            Progress unwatched;
            Progress& progress = context.progress ? *context.progress : unwatched;
            progress.check();
            auto run_block = [&] {
                Progress within(progress, 0);
                Terrain nothing(grid_);
                Work work(nothing, context, within);
                action(work, block);
                context.device->finish();
            };
            try {
                run_block();
            } catch (const DeviceError& error) {
                if (context.device->is_cpu()) throw;
                fall_back(context, error.what());
                run_block();
            }
        }
}

// ---- its course ------------------------------------------------------------------------------------------

void PagedSimulation::run(RunContext& context, int place) {
    named(operation_->name(), [&] {
        const std::vector<Stage>& stages = simulation_->stages();
        int64_t units = 0;
        for (size_t i = 0; i < stages.size(); i++)
            units += (grid_.extent.cells() >> (2 * i)) * (1 + stages[i].steps);
        if (context.progress) context.progress->expect(units);
        operation_->prepare(*context.device);
        size_t stage = 0;
        int step = 0;
        make_ground(context, place);
        make_coarser_grounds(context);
        if (!resume(context, stage, step)) {
            stage = coarsest_;
            begin(context);
        }
        grounds_.resize(stage + 1);
        for (size_t i = stage + 1; i-- > 0; step = 0) {
            if (i < stage) refine(context, i);
            take_steps(context, i, step);
            passed_ += stages[i].lasts();
        }
        grounds_.clear();
        input_ = {};
        if (context.checkpoint) context.checkpoint->end();
        has_run_ = true;
    });
}

void PagedSimulation::make_ground(RunContext& context, int place) {
    grounds_.push_back({grid_.extent, grid_.cell, {}});
    Level& ground = grounds_.back();
    Checkpoint* checkpoint = context.checkpoint;
    Checkpoint::Fields fields;
    if (checkpoint && checkpoint->found() == place) fields = checkpoint->fields();
    const int side = shape(grid_.extent).side;
    if (fields.empty()) {
        for_blocks(context, grid_.extent, side, [&](Work& work, const Rect& block) {
            Terrain input = input_(block);
            Work within(input, *operation_, work.context(), work.progress());
            write(ground, simulation_->ground(within), block);
        });
        for (const auto& [name, file] : ground.fields)
            fields.push_back(
                {name, file->rect(), [file = file](const Rect& part) { return file->read(part); }});
    } else {
        read_saved(context, fields, ground);
    }
    if (checkpoint)
        checkpoint->begin(place, fields, grid_.extent.cells(), operation_->fields().outputs.size());
}

void PagedSimulation::read_saved(RunContext& context, const Checkpoint::Fields& saved, Level& level) const {
    for (const Checkpoint::Cells& cells : saved)
        for_blocks(context, cells.rect, shape(cells.rect).side, [&](Work&, const Rect& block) {
            SimulationFields part(block, level.cell);
            part.set(cells.name, cells.read(block));
            write(level, part, block);
        });
}

void PagedSimulation::make_coarser_grounds(RunContext& context) {
    while (grounds_.size() < simulation_->stages().size()) {
        const Level& fine = grounds_.back();
        // Cells of twice the size lie at every other one.
        Level coarse{fine.rect.every_other(), 2 * fine.cell, {}};
        if (coarse.rect.empty()) break;
        for_blocks(context, coarse.rect, std::max(shape(fine.rect).side / 2, 32),
                   [&](Work& work, const Rect& block) {
                       const Rect around =
                           Rect{2 * block.left, 2 * block.top, 2 * block.right, 2 * block.bottom}
                               .expanded(margin)
                               .intersected(fine.rect);
                       write(coarse, simulation_->coarser(work, read(fine, around)), block);
                   });
        grounds_.push_back(std::move(coarse));
    }
    coarsest_ = grounds_.size() - 1;
}

void PagedSimulation::begin(RunContext& context) {
    const Level& ground = grounds_.back();
    state_ = {ground.rect, ground.cell, {}};
    for_blocks(context, ground.rect, shape(ground.rect).side, [&](Work& work, const Rect& block) {
        write(state_, simulation_->begin(work, read(ground, block)), block);
    });
}

void PagedSimulation::take_steps(RunContext& context, size_t stage, int first) {
    // Of what nobody will read any more, the room is wanted.
    const std::vector<std::string> names = simulation_->read_from(stage);
    std::erase_if(grounds_[stage].fields,
                  [&](const auto& entry) { return std::ranges::find(names, entry.first) == names.end(); });
    const Shape cut = shape(state_.rect);
    SimulationStep step{simulation_->stages()[stage], first, passed_, stage == coarsest_, {}};
    while (step.index < step.stage.steps) {
        int end = std::min<int64_t>(step.stage.steps, int64_t(step.index) + cut.steps);
        // All of it fits, but nothing could be saved before the end.
        if (context.checkpoint) end = std::min(end, step.index + 256);
        pass(context, stage, step, end, cut);
        done_ += end - step.index;
        step.index = end;
        save(context, stage, end);
    }
}

void PagedSimulation::pass(RunContext& context, size_t stage, const SimulationStep& first, int end,
                           const Shape& cut) {
    Level next{state_.rect, state_.cell, {}};
    // No grid is wider than the most.
    const int64_t reach = int64_t(simulation_->reach()) * (end - first.index);
    const int halo = int(std::min<int64_t>(reach, largest_side));
    Level ground{state_.rect, state_.cell, {}};
    for (const std::string& name : simulation_->read_by_steps())
        if (auto found = grounds_[stage].fields.find(name); found != grounds_[stage].fields.end())
            ground.fields.insert(*found);
    for_blocks(context, state_.rect, cut.side, [&](Work& work, const Rect& block) {
        const Rect around = block.expanded(halo).intersected(state_.rect);
        SimulationFields state = read(state_, around);
        caprock::take_steps(*simulation_, work, read(ground, around), state, first, end);
        write(next, state, block);
        if (context.progress) context.progress->advance(block.cells() * (end - first.index));
    });
    state_ = std::move(next);
}

void PagedSimulation::refine(RunContext& context, size_t stage) {
    const Level& fine = grounds_[stage];
    const Level& coarse = grounds_[stage + 1];
    Level next{fine.rect, fine.cell, {}};
    for_blocks(context, fine.rect, shape(fine.rect).side, [&](Work& work, const Rect& block) {
        const Rect around = block.expanded(margin).intersected(fine.rect);
        const Rect above = around.halved().expanded(margin).intersected(coarse.rect);
        const SimulationFields refined =
            simulation_->finer(work, read(fine, around), read(coarse, above), read(state_, above));
        write(next, refined, block);
        if (context.progress) context.progress->advance(block.cells());
    });
    state_ = std::move(next);
    grounds_.pop_back();
}

Terrain PagedSimulation::read(const Rect& region, RunContext& context) const {
    Terrain result(grid_, region);
    Progress unwatched;
    Work work(result, *operation_, context, unwatched);
    simulation_->put(work, read(state_, region));
    return result;
}

// ---- checkpoints -----------------------------------------------------------------------------------------

bool PagedSimulation::resume(RunContext& context, size_t& stage, int& step) {
    if (!context.checkpoint) return false;
    std::optional<Checkpoint::State> saved = context.checkpoint->taken();
    if (!saved) return false;
    stage = size_t(saved->stage);
    step = saved->step;
    done_ = saved->done;
    passed_ = saved->passed;
    state_ = {grounds_[stage].rect, saved->cell, {}};
    read_saved(context, saved->fields, state_);
    return true;
}

void PagedSimulation::save(RunContext& context, size_t stage, int step) {
    Checkpoint* checkpoint = context.checkpoint;
    if (!checkpoint || !checkpoint->due()) return;
    Checkpoint::Fields fields;
    for (const auto& [name, file] : state_.fields)
        fields.push_back({name, file->rect(), [file = file](const Rect& part) { return file->read(part); }});
    checkpoint->save_or_go_on({int(stage), step, done_, passed_, state_.cell, {}, std::move(fields)},
                              context.tell);
}

}  // namespace caprock

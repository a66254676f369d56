#include "operation/step_blocks.h"

#include "compute/in_parallel.h"

#include <algorithm>
#include <cmath>

namespace caprock {

namespace {

// What a core's own cache holds of a block, with room for what else passes through it.
constexpr double cache_bytes = 640 * 1024;
// Land of fewer bytes than this is in some cache anyway.
constexpr int64_t least_bytes = 8 << 20;

}  // namespace

StepBlocks::Shape StepBlocks::shape(int fields_in_step, int reach) {
    const double cells = cache_bytes / sizeof(float) / fields_in_step;
    // Longer rows than columns: lanes run along them.
    Shape shape;
    shape.steps = 6;
    const int halo = 2 * reach * shape.steps;
    shape.width = std::max(int(std::sqrt(2 * cells)) - halo, 32) & ~15;
    shape.height = std::max(int(cells) / (shape.width + halo) - halo, 16);
    return shape;
}

StepBlocks::StepBlocks(const Simulation& simulation, Work& work, const Rect& cells)
    : simulation_(simulation),
      work_(work),
      cells_(cells),
      shape_(shape(simulation.fields_in_step(), simulation.reach())),
      device_(work.context().device->on_this_thread()) {}

bool StepBlocks::worthwhile(int steps) const {
    return device_ && steps > 1 &&
           cells_.cells() * int64_t(sizeof(float)) * simulation_.fields_in_step() > least_bytes;
}

void StepBlocks::take_steps(const SimulationFields& ground, SimulationFields& state, SimulationStep step,
                            int end) {
    while (step.index < end) {
        const int until = std::min(end, step.index + shape_.steps);
        pass(ground, state, step, until);
        step.index = until;
    }
}

void StepBlocks::pass(const SimulationFields& ground, SimulationFields& state, SimulationStep first,
                      int end) {
    const size_t fields = state.all().size();
    if (next_.empty())
        for (size_t i = 0; i < fields; i++) next_.emplace_back(cells_);
    std::vector<Field::WritableRows> rows;
    for (Field& field : next_) rows.push_back(field.writable_rows());

    const int columns = (cells_.width() + shape_.width - 1) / shape_.width;
    const int lines = (cells_.height() + shape_.height - 1) / shape_.height;
    const int reach = simulation_.reach();
    const int steps = end - first.index;
    RunContext context = work_.context();
    context.device = device_;
    work_.on_host([&] {
        in_parallel(size_t(columns) * size_t(lines), [&](size_t index) {
            const int left = cells_.left + int(index % size_t(columns)) * shape_.width;
            const int top = cells_.top + int(index / size_t(columns)) * shape_.height;
            const Rect block = Rect{left, top, left + shape_.width, top + shape_.height}.intersected(cells_);
            const Rect around = block.expanded(reach * steps).intersected(cells_);
            SimulationFields near_ground = ground.cropped(around);
            SimulationFields near(around, state.cell());
            for (const auto& [name, field] : state.all()) near.set(name, field.cropped(around).copied());
            Terrain nothing(work_.terrain().grid());
            Progress within(work_.progress(), 0);
            Work work(nothing, context, within);
            SimulationStep step = first;
            for (; step.index < end; step.index++) {
                step.cells = block.expanded(reach * (end - 1 - step.index)).intersected(cells_);
                simulation_.step(work, near_ground, near, step);
            }
            for (size_t i = 0; i < fields; i++) {
                const Field& made = near.all()[i].second;
                Field::Rows from = made.rows();
                for (int y = block.top; y < block.bottom; y++)
                    std::copy_n(from[y] + (block.left - around.left), block.width(),
                                rows[i][y] + (block.left - cells_.left));
            }
            work_.progress().advance(block.cells() * steps * simulation_.launches_in_step());
        });
    });
    for (size_t i = 0; i < fields; i++) std::swap(state.at(state.all()[i].first), next_[i]);
}

}  // namespace caprock

#include "operation/kernel_steps.h"

#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace caprock {

KernelValues::KernelValues(std::shared_ptr<const KernelProgram> program) : program_(std::move(program)) {
    for (const Parameter& parameter : program_->schema.parameters())
        values_.push_back(parameter.default_value());
}

// Of a choice its index, of a flag 0 or 1.
double KernelValues::number_at(size_t setting) const {
    const ParameterValue& value = values_[setting];
    if (const double* number = std::get_if<double>(&value)) return *number;
    if (const bool* flag = std::get_if<bool>(&value)) return *flag;
    if (const uint32_t* seed = std::get_if<uint32_t>(&value)) return *seed;
    if (const int* whole = std::get_if<int>(&value)) return *whole;
    const std::vector<std::string>& words = program_->settings[setting].choices;
    return double(std::ranges::find(words, std::get<std::string>(value)) - words.begin());
}

int KernelValues::steps() const {
    if (!program_->steps_setting) return 1;
    const int planned = int(number_at(*program_->steps_setting));
    const int stop_after = int(number_at(*program_->stop_after_setting));
    return stop_after > 0 ? std::min(planned, stop_after) : planned;
}

int KernelValues::radius_cells(const Grid& grid) const {
    double radius = program_->radius_setting ? number_at(*program_->radius_setting) : program_->radius;
    if (!program_->radius_in_cells) radius = grid.metres_to_cells(radius);
    // 0.3 m are three cells of 0.1 m, whatever the quotient's last bit says.
    return int(std::clamp(std::floor(radius + 1e-6), 0.0, double(largest_side)));
}

int KernelValues::cells_around(const Grid& grid) const {
    return program_->has(ParameterKind::around) ? radius_cells(grid) : 0;
}

Argument KernelValues::uniform(const KernelUniform& uniform, ParameterKind kind, const Grid& grid,
                               int step) const {
    switch (uniform.source) {
        case UniformSource::cell:
            return float(grid.cell);
        case UniformSource::low:
            return float(grid.range.low);
        case UniformSource::high:
            return float(grid.range.high);
        case UniformSource::reach:
            return radius_cells(grid);
        case UniformSource::iteration:
            return step;
        case UniformSource::setting:
            break;
    }
    double value = number_at(uniform.setting);
    if (kind == ParameterKind::uniform_float) return float(value);
    if (kind == ParameterKind::uniform_int) return int32_t(value);
    return uint32_t(int64_t(value));
}

// ---- step by step ----------------------------------------------------------------------------------------

KernelSteps::KernelSteps(const KernelValues& values, const Grid& grid)
    : values_(values), grid_(grid), stages_{{values.steps(), 1}} {
    const FieldUse& use = program().fields;
    for (const std::vector<std::string>& names : {use.inputs, use.optional_inputs})
        for (const std::string& name : names)
            if (!contains(use.outputs, name)) read_by_steps_.push_back(name);
}

int KernelSteps::reach() const {
    return program().has(ParameterKind::anywhere) ? largest_side : values_.cells_around(grid_);
}

int KernelSteps::fields_in_step() const {
    return int(read_by_steps_.size() + program().fields.outputs.size() + program().paired_outputs());
}

SimulationFields KernelSteps::ground(Work& work) const {
    const WorkTerrain& terrain = work.terrain();
    SimulationFields ground(terrain.rect(), grid_.cell);
    for (const std::string& name : program().fields.inputs) ground.set(name, terrain.field(name));
    for (const std::string& name : program().fields.optional_inputs)
        if (const Field* field = terrain.find(name)) ground.set(name, *field);
    return ground;
}

// Fields that are only written are not there before the first step, which makes all of them.
SimulationFields KernelSteps::begin(Work&, const SimulationFields& ground) const {
    SimulationFields state(ground.rect(), ground.cell());
    for (const std::string& name : program().fields.outputs)
        if (const Field* field = ground.find(name)) state.set(name, *field);
    return state;
}

void KernelSteps::step(Work& work, const SimulationFields& ground, SimulationFields& state,
                       const SimulationStep& step) const {
    // Before arguments are collected, since these hold addresses.
    for (const std::string& name : program().fields.outputs)
        if (!state.has(name)) state.set(name, Field(state.rect()));
    std::vector<Argument> arguments;
    std::vector<std::pair<Field*, Field*>> made;  // fields of the state, and what they become
    size_t next_uniform = 0;
    for (const ScannedParameter& parameter : program().scanned.parameters) {
        if (!is_field(parameter.kind)) {
            const KernelUniform& uniform = program().uniforms[next_uniform++];
            arguments.push_back(values_.uniform(uniform, parameter.kind, grid_, step.index));
        } else if (is_written(parameter.kind)) {
            Field* field = &state.at(parameter.name);
            if (program().is_paired(parameter)) {
                made.emplace_back(field, &state.spare(made.size()));
                field = made.back().second;
            }
            arguments.emplace_back(field->plane());
        } else {
            const Field* field = std::as_const(state).find(parameter.name);
            if (!field) field = ground.find(parameter.name);
            arguments.push_back(field ? Argument(field->plane()) : Argument(nullptr));
        }
    }
    work.launch_with(arguments, values_.cells_around(grid_), program().kernel->kernel(), step.cells);
    for (const auto& [field, next] : made) std::swap(*field, *next);
}

void KernelSteps::put(Work& work, const SimulationFields& state) const {
    // Without a step nothing was made.
    if (stages_.front().steps == 0) return;
    for (const std::string& name : program().fields.outputs) work.terrain().set(name, state.at(name));
}

}  // namespace caprock

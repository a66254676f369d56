#include "operation/simulation.h"

#include "operation/checkpoint.h"
#include "operation/parameter.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace caprock {

Stage Stage::lasting(double steps) {
    // What should be a whole number is not one more for a rounding.
    double whole = std::ceil(steps * (1 - 1e-12));
    if (whole <= 0) return {};
    return {int(whole), steps / whole};
}

// ---- fields ----------------------------------------------------------------------------------------------

const Field* SimulationFields::find(std::string_view name) const {
    for (const auto& [known, field] : fields_)
        if (known == name) return &field;
    return nullptr;
}

Field* SimulationFields::find(std::string_view name) {
    return const_cast<Field*>(std::as_const(*this).find(name));
}

const Field& SimulationFields::at(std::string_view name) const {
    if (const Field* found = find(name)) return *found;
    throw std::logic_error("a simulation has no field '" + std::string(name) + "'");
}

Field& SimulationFields::at(std::string_view name) {
    return const_cast<Field&>(std::as_const(*this).at(name));
}

void SimulationFields::set(std::string_view name, Field field) {
    if (field.rect() != rect_) throw std::logic_error("fields of a simulation have one rectangle");
    if (Field* known = find(name)) {
        *known = std::move(field);
    } else {
        fields_.emplace_back(name, std::move(field));
    }
}

void SimulationFields::keep(const std::vector<std::string>& names) {
    std::erase_if(fields_,
                  [&](const auto& entry) { return std::ranges::find(names, entry.first) == names.end(); });
}

SimulationFields SimulationFields::cropped(const Rect& part) const {
    SimulationFields result(part, cell_);
    for (const auto& [name, field] : fields_) result.fields_.emplace_back(name, field.cropped(part));
    return result;
}

Field& SimulationFields::spare(size_t index) {
    while (spare_.size() <= index) spare_.emplace_back(rect_);
    return spare_[index];
}

// ---- running ---------------------------------------------------------------------------------------------

SimulationFields Simulation::coarser(Work&, const SimulationFields&) const {
    throw std::logic_error("the simulation knows cells of one size");
}

SimulationFields Simulation::finer(Work&, const SimulationFields&, const SimulationFields&,
                                   const SimulationFields&) const {
    throw std::logic_error("the simulation knows cells of one size");
}

const std::vector<std::string>& Simulation::read_by_finer() const {
    static const std::vector<std::string> none;
    return none;
}

std::vector<std::string> Simulation::read_from(size_t stage) const {
    std::vector<std::string> names = read_by_steps();
    if (stage > 0) names.insert(names.end(), read_by_finer().begin(), read_by_finer().end());
    return names;
}

void describe_stop_after(Parameter& parameter) {
    parameter.range(0, 1000000)
        .slider(0, 1000)
        .unit("steps")
        .help("what there is after so many steps, though it would go on; 0: it comes to its end");
}

void take_steps(const Simulation& simulation, Work& work, const SimulationFields& ground,
                SimulationFields& state, SimulationStep step, int end) {
    step.cells = state.rect();
    for (; step.index < end; step.index++) simulation.step(work, ground, state, step);
}

namespace {

// After so many somebody looks whether it is time to save what there is, and others are told.
constexpr int steps_between_saves = 24;

// A run in memory: the ground in cells of every size, and the state in those of the stage that it has come to.
class Run {
  public:
    Run(const Simulation& simulation, Work& work)
        : simulation_(simulation), work_(work), stages_(simulation.stages()) {}

    void whole() {
        expect();
        grounds_.push_back(simulation_.ground(work_));
        while (grounds_.size() < stages_.size()) {
            SimulationFields coarse = simulation_.coarser(work_, grounds_.back());
            // There are no cells of that size.
            if (coarse.rect().empty()) break;
            grounds_.push_back(std::move(coarse));
        }
        SimulationFields first;
        if (work_.keeps_ledger()) first = grounds_.front();
        coarsest_ = grounds_.size() - 1;
        size_t begins = coarsest_;
        SimulationFields state;
        int step = 0;
        if (std::optional<Checkpoint::State> saved = saved_state()) {
            begins = size_t(saved->stage);
            step = saved->step;
            state = restored(*saved);
            grounds_.resize(begins + 1);
        } else {
            state = simulation_.begin(work_, grounds_.back());
        }
        for (size_t i = begins + 1; i-- > 0; step = 0) {
            if (i < begins) {
                state = simulation_.finer(work_, grounds_[i], grounds_[i + 1], state);
                grounds_.pop_back();
            }
            run_stage(i, step, state);
            passed_ += stages_[i].lasts();
        }
        if (work_.keeps_ledger()) simulation_.enter(work_, first, state, counted_);
        simulation_.put(work_, state);
    }

  private:
    void expect() {
        int64_t cells = work_.rect().cells();
        int64_t units = 2 * cells;
        for (size_t i = 0; i < stages_.size(); i++, cells /= 4)
            units += cells * (4 + int64_t(simulation_.launches_in_step()) * stages_[i].steps);
        work_.progress().expect(units);
    }

    std::optional<Checkpoint::State> saved_state() const {
        Checkpoint* checkpoint = work_.context().checkpoint;
        return checkpoint ? checkpoint->taken() : std::nullopt;
    }

    SimulationFields restored(Checkpoint::State& saved) {
        done_ = saved.done;
        passed_ = saved.passed;
        counted_ = std::move(saved.counted);
        SimulationFields state(grounds_[size_t(saved.stage)].rect(), saved.cell);
        for (const Checkpoint::Cells& cells : saved.fields) state.set(cells.name, cells.all());
        // What is done already counts, of all that is expected.
        const int64_t cells = state.rect().cells();
        work_.progress().advance(cells * simulation_.launches_in_step() * saved.step);
        return state;
    }

    void save(size_t stage, int step, const SimulationFields& state) {
        Checkpoint* checkpoint = work_.context().checkpoint;
        if (!checkpoint || !checkpoint->due()) return;
        Checkpoint::Fields fields;
        for (const auto& [name, field] : state.all()) fields.push_back(Checkpoint::Cells::of(name, field));
        checkpoint->save_or_go_on(
            {int(stage), step, done_, passed_, state.cell(), counted_, std::move(fields)},
            work_.context().tell);
    }

    void run_stage(size_t index, int first, SimulationFields& state) {
        SimulationFields& ground = grounds_[index];
        // Of what nobody will read any more, the memory is wanted.
        ground.keep(simulation_.read_from(index));
        SimulationStep step{stages_[index], first, passed_, index == coarsest_, state.rect()};
        while (step.index < step.stage.steps) {
            int end = step.stage.steps;
            if (int every = work_.snapshot_every(); every > 0)
                end = std::min(end, step.index + every - done_ % every);
            if (work_.context().checkpoint || work_.context().stepped)
                end = std::min(end, step.index + steps_between_saves);
            take_steps(simulation_, work_, ground, state, step, end);
            done_ += end - step.index;
            step.index = end;
            if (work_.snapshot_due(done_)) show(index, state);
            save(index, end, state);
            if (work_.context().stepped) work_.context().stepped(done_);
        }
        if (!work_.keeps_ledger()) return;
        std::vector<double> counted = simulation_.counted(work_, ground, state);
        counted_.resize(std::max(counted_.size(), counted.size()));
        for (size_t i = 0; i < counted.size(); i++) counted_[i] += counted[i];
    }

    void show(size_t stage, const SimulationFields& state) {
        SimulationFields seen = state;
        for (size_t i = stage; i-- > 0;) seen = simulation_.finer(work_, grounds_[i], grounds_[i + 1], seen);
        simulation_.put(work_, seen);
        work_.take_snapshot(done_);
    }

    const Simulation& simulation_;
    Work& work_;
    const std::vector<Stage> stages_;
    std::vector<SimulationFields> grounds_;  // the terrain's own cells first
    std::vector<double> counted_;
    double passed_ = 0;
    size_t coarsest_ = 0;
    int done_ = 0;  // steps of all stages
};

}  // namespace

void run_simulation(const Simulation& simulation, Work& work) { Run(simulation, work).whole(); }

}  // namespace caprock

// A user's kernel with values for its parameters, and how it is run: each step on what the last has made.
#pragma once

#include "operation/kernel_program.h"
#include "operation/simulation.h"

#include <memory>
#include <string>
#include <vector>

namespace caprock {

class KernelValues {
  public:
    // At first all parameters have their defaults.
    explicit KernelValues(std::shared_ptr<const KernelProgram> program);

    const KernelProgram& program() const { return *program_; }
    const ParameterValue& at(size_t setting) const { return values_[setting]; }
    void put(size_t setting, ParameterValue value) { values_[setting] = std::move(value); }

    // How many are taken; of a kernel that does not count them, one.
    int steps() const;
    // Cells around one that a step looks at: those within the radius, straight east.
    int cells_around(const Grid& grid) const;
    Argument uniform(const KernelUniform& uniform, ParameterKind kind, const Grid& grid, int step) const;

  private:
    double number_at(size_t setting) const;
    int radius_cells(const Grid& grid) const;

    std::shared_ptr<const KernelProgram> program_;
    std::vector<ParameterValue> values_;
};

// Its state are the fields that the kernel writes, and its ground those that it reads.
class KernelSteps final : public Simulation {
  public:
    KernelSteps(const KernelValues& values, const Grid& grid);

    const std::vector<Stage>& stages() const override { return stages_; }
    int reach() const override;
    int fields_in_step() const override;
    int launches_in_step() const override { return 1; }
    const std::vector<std::string>& read_by_steps() const override { return read_by_steps_; }

    SimulationFields ground(Work& work) const override;
    SimulationFields begin(Work& work, const SimulationFields& ground) const override;
    void step(Work& work, const SimulationFields& ground, SimulationFields& state,
              const SimulationStep& step) const override;
    void put(Work& work, const SimulationFields& state) const override;
    // A kernel does not say what it takes from where, and what would be counted as the difference balances whatever it does.
    void enter(Work&, const SimulationFields&, const SimulationFields&,
               const std::vector<double>&) const override {}

  private:
    const KernelProgram& program() const { return values_.program(); }

    const KernelValues values_;
    const Grid grid_;
    const std::vector<Stage> stages_;
    std::vector<std::string> read_by_steps_;  // of the ground: what is read and never written
};

}  // namespace caprock

// A simulation on land that is larger than memory. Its ground and its state lie in files; block after block is read with the cells
// around it that decide it over many steps, takes those steps, and is written into the files of the next state. So the cells
// around a block are as many as some steps need, and not as all of them do.
#pragma once

#include "field/field_file.h"
#include "operation/checkpoint.h"
#include "operation/operation.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace caprock {

struct Paging {
    std::string folder;   // for files
    uint64_t memory = 0;  // about so many bytes are taken
};

class PagedSimulation {
  public:
    // What the operation reads, of any part of its grid.
    using Input = std::function<Terrain(const Rect&)>;

    PagedSimulation(std::shared_ptr<const Operation> operation, const Grid& grid, Input input, Paging paging);

    // All of it. A device that fails is replaced by the CPU. `place` is what a checkpoint calls it.
    void run(RunContext& context, int place);
    bool has_run() const { return has_run_; }
    // What the operation makes, after that: the fields of its result that it declares as made.
    Terrain read(const Rect& region, RunContext& context) const;

    // How blocks are cut for land of this size: their side, and how many steps they take before they are written.
    struct Shape {
        int side;
        int steps;
    };
    Shape shape(const Rect& cells) const;

  private:
    // Fields of one rectangle, in cells of one size, in files.
    struct Level {
        Rect rect;
        double cell = 0;
        std::map<std::string, std::shared_ptr<FieldFile>> fields;
    };

    void make_ground(RunContext& context, int place);
    void make_coarser_grounds(RunContext& context);
    void begin(RunContext& context);
    void take_steps(RunContext& context, size_t stage, int first);
    void pass(RunContext& context, size_t stage, const SimulationStep& step, int end, const Shape& shape);
    void refine(RunContext& context, size_t stage);
    void read_saved(RunContext& context, const Checkpoint::Fields& saved, Level& level) const;
    bool resume(RunContext& context, size_t& stage, int& step);
    void save(RunContext& context, size_t stage, int step);

    SimulationFields read(const Level& level, const Rect& part) const;
    void write(Level& level, const SimulationFields& fields, const Rect& part) const;
    template <typename Action>
    void for_blocks(RunContext& context, const Rect& cells, int side, const Action& action) const;

    std::shared_ptr<const Operation> operation_;
    std::unique_ptr<const Simulation> simulation_;
    Grid grid_;
    Input input_;
    Paging paging_;
    std::vector<Level> grounds_;  // the terrain's own cells first
    Level state_;
    size_t coarsest_ = 0;
    int done_ = 0;
    double passed_ = 0;
    bool has_run_ = false;
};

}  // namespace caprock

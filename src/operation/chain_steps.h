// A chain taken apart: where an operation is made of others, each of its parts is a step, and running the steps gives
// what running the operation gives.
#pragma once

#include "operation/evaluate.h"

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace caprock {

struct ChainStep {
    std::unique_ptr<Operation> operation;
    std::vector<std::string> within;  // the operations it is a part of, the outermost first
    // Those that begin with this step, the outermost first.
    std::vector<std::shared_ptr<const Operation>> begins;
    int ends = 0;  // how many end with it
    // Two steps of the same meaning do the same to the same terrain: same parameters, and files of the same content. Empty
    // where that cannot be told.
    std::string meaning;
};

// For a chain that has been checked. Files that are only named are read now, for the steps and their meaning alike. Throws
// Error where one cannot be.
std::vector<ChainStep> steps_of(std::span<const std::unique_ptr<Operation>> chain, const Grid& grid);

// What there is between two steps: the terrain, and of every operation whose parts are not done yet what it has to
// leave as it was.
struct ChainState {
    struct Unfinished {
        Terrain before;                  // less what is changed
        std::vector<std::string> names;  // of all fields there were
        std::vector<std::string> outputs;
    };
    Terrain terrain;
    std::vector<Unfinished> unfinished;

    bool on_host() const;                     // all of it
    std::set<const Buffer*> buffers() const;  // that it holds
};

// Changes the state, unless something is thrown. Returns how many seconds it took.
double run_step(const ChainStep& step, ChainState& state, RunContext& context, const ChainListener& listener);

}  // namespace caprock

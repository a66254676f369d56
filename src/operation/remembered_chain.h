// A chain for interactive use: change the erosion, and the faults are not made again.
#pragma once

#include "operation/chain_steps.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace caprock {

// Runs chains, and keeps the terrain after every step: when a chain comes again with changed parameters, only the
// steps from the first change on are run. Each part of an operation made of others is a step. Results are those of
// run_chain, bit for bit. For one thread at a time.
//
// A step is the same when its operation and parameters are and the files they name have the same content. The
// start is the same when its grid, place and fields are: not equal cells but the same ones, which costs no look at
// them. The copy that is kept here makes that sure, since whoever writes a field that is shared writes cells of their
// own. (Rows for writing that were taken before the run go past that; they always do.)
class RememberedChain {
  public:
    // At most so many bytes of fields are kept besides those of the start; a quarter of the machine's memory where
    // nothing is said.
    RememberedChain();
    explicit RememberedChain(uint64_t most_bytes) : most_bytes_(most_bytes) {}

    // As run_chain. The listener is told of the steps that are run. What was done before an error or a cancel is
    // remembered. When a device fails, what only it has is dropped, and the CPU goes on from the last step that
    // the host has. With context.fetch off a device may fail unseen: who cannot look at the result, forget()s.
    Terrain run(std::span<const std::unique_ptr<Operation>> chain, const Terrain& start, RunContext& context,
                const ChainListener& listener = {});

    // Of the last call: steps that were run, and those before them that did not have to be.
    int steps_run() const { return steps_run_; }
    int steps_kept() const { return steps_kept_; }
    uint64_t bytes_kept() const;

    void forget();

  private:
    struct Kept {
        std::string meaning;              // of the step
        double seconds = 0;               // that it took
        std::optional<ChainState> after;  // until it had to make room
    };

    bool starts_from(const Terrain& start) const;
    void drop_from_first_change(const std::vector<ChainStep>& steps);
    Terrain run_from_last_kept(const std::vector<ChainStep>& steps, RunContext& context,
                               const ChainListener& listener);
    void keep(size_t index, Kept step);
    template <typename Action>
    auto making_room(const Action& action);
    template <typename Condition>
    bool drop_if(const Condition& condition);  // says whether there was any; so do the next two
    bool drop_all();
    bool drop_what_only_devices_have();
    std::map<const Buffer*, int> holders() const;
    void keep_to_limit();

    uint64_t most_bytes_;
    std::optional<Terrain> start_;
    // The first steps of the chain that ran last, and those it had before it became shorter. Every one is here, but
    // not every one's terrain.
    std::vector<Kept> kept_;
    int steps_run_ = 0;
    int steps_kept_ = 0;
};

// A step in the eyes of somebody who has to let a terrain go.
struct KeptStep {
    double seconds = 0;  // that it took
    bool kept = false;   // whether the terrain after it is there
    uint64_t frees = 0;  // bytes that no other terrain holds
};
// The terrain to let go: the one made again soonest, by the time of all steps since the terrain kept before it; one
// that frees nothing only when none does. Which parameter changes next is not known, but what a change costs is:
// each terrain that goes makes the next one dearer, so those that stay are spread over the time the chain takes.
std::optional<size_t> soonest_made_again(std::span<const KeptStep> steps);

}  // namespace caprock

// Where and how work is run, and who is told of it.
#pragma once

#include "base/progress.h"
#include "compute/device.h"
#include "operation/ledger.h"
#include "terrain/terrain.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace caprock {

class Checkpoint;

// A device that fails is replaced by the CPU, and the user told once.
struct RunContext {
    std::shared_ptr<Device> device;
    Progress* progress = nullptr;
    std::function<void(const std::string&)> tell = {};
    int threads = 0;  // of the CPU that steps in for a failed device; 0: as many as the machine has
    // run_chain brings what it made back from the device, while it can still be made again.
    bool fetch = true;
    // What a simulation did with rock, sediment and water. Adding it up takes time, so it is done only where somebody
    // is told.
    std::function<void(const LedgerEntry&)> enter = {};
    // The terrain after every so many steps of a simulation.
    int snapshot_every = 0;
    std::function<void(const Terrain&, int step)> snapshot = {};
    // How many steps a simulation has taken, now and then.
    std::function<void(int step)> stepped = {};
    // Where a simulation keeps what it has come to, of whoever runs one operation after the other.
    Checkpoint* checkpoint = nullptr;
};

// Takes a context's checkpoint away, and gives it back in the end: it is of one simulation at a time, and not of those that are run
// on its way.
class CheckpointAside {
  public:
    explicit CheckpointAside(RunContext& context)
        : context_(context), checkpoint_(std::exchange(context.checkpoint, nullptr)) {}
    ~CheckpointAside() { context_.checkpoint = checkpoint_; }
    CheckpointAside(const CheckpointAside&) = delete;
    CheckpointAside& operator=(const CheckpointAside&) = delete;
    Checkpoint* checkpoint() const { return checkpoint_; }

  private:
    RunContext& context_;
    Checkpoint* checkpoint_;
};

}  // namespace caprock

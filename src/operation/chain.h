// What running a chain takes, whether what it made on the way is remembered or not.
#pragma once

#include "base/error.h"
#include "operation/evaluate.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace caprock {

// The whole chain before its first operation: a field that the last one misses, or memory that there is not, is not
// found out after an hour.
void check_chain(std::span<const std::unique_ptr<Operation>> chain, const Terrain& start, bool on_host);

// How many bytes of fields there are at once, at the most, while it runs on a terrain with these fields, those among them.
uint64_t chain_bytes(std::span<const std::unique_ptr<Operation>> chain, const Grid& grid,
                     std::vector<std::string> fields);

// The user is told, and the CPU steps in for the device.
void fall_back(RunContext& context, const std::string& reason);

// Makes the next terrain of this one, with the listener told, and returns how many seconds that took. `finish` is
// for what is left to be done when the operation has run. Whatever is thrown, the terrain is as it was.
double run_step(const Operation& operation, Terrain& terrain, RunContext& context,
                const ChainListener& listener, const std::function<void(Terrain&)>& finish = {});

// Brings all cells back from the device, where that was asked for.
void fetch(const Terrain& terrain, const RunContext& context);

// When a device fails for good, what was only in its memory is given up, and all is run again on the CPU.
// `give_up` says whether there was any such thing from earlier runs.
template <typename RunAll, typename GiveUp>
Terrain run_and_if_need_be_again(RunContext& context, const RunAll& run_all, const GiveUp& give_up) {
    bool elsewhere = !context.device->is_cpu();
    try {
        return run_all();
    } catch (const DeviceError& error) {
        bool gone = give_up();
        if (!elsewhere && !gone) throw;  // what the chain starts from is out of reach
        // What earlier operations made is gone with the device; what the chain started from is not.
        if (!context.device->is_cpu()) fall_back(context, error.what());
    }
    return run_all();
}

}  // namespace caprock

// Computes a whole graph in memory: one operation after the other, each once, with everything on the device until somebody
// looks. (The evaluator computes regions, tile by tile, of what may be larger than memory. The bits are the same.)
#pragma once

#include "graph/execution_memory.h"
#include "graph/graph.h"
#include "graph/result_memory.h"
#include "operation/run_context.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace caprock {

// `before` is told of each operation before it runs, `after` when it is done, with the terrain that there is then.
struct ChainListener {
    std::function<void(const Operation&)> before;
    std::function<void(const Operation&, const Terrain&, double seconds)> after;
};

// Runs the operations of graphs. An operation is given what there is where it stands, and fields are let go when the last
// that there is for them is done. For one thread at a time.
//
// One that remembers keeps what was made: when a graph comes again with changed parameters, only what depends on them is run.
// A result is the same when its operation and parameters are, the contents of the files they name, and all that it was made
// of. Cells in memory are the same not when they are equal but when they are the same ones, which costs no look at them. The
// copy that is kept here makes that sure, since whoever writes a field that is shared writes cells of their own. (Rows for
// writing that were taken before the run go past that; they always do.)
class Executor {
  public:
    // Remembers nothing.
    Executor() = default;
    // Remembers: at most so many bytes of fields besides those of the sources.
    explicit Executor(uint64_t most_bytes) : memory_(most_bytes) {}
    // A quarter of the machine's memory.
    static Executor remembering();

    // All that the graph is for. Whether there is memory for it is found out before anything runs. When a device is lost, or
    // cannot give back what it made, what only it had is made again by the CPU, and the listener told of that again. What was
    // done before an error or a cancel is remembered. With context.fetch off a device may fail unseen: who cannot look at the
    // result, forget()s.
    Terrain run(const Graph& graph, RunContext& context, const ChainListener& listener = {}) {
        return run(graph, std::nullopt, context, listener);
    }
    // The same of a chain. Where it remembers, each part of an operation made of others is a step.
    Terrain run(std::span<const std::unique_ptr<Operation>> chain, const Terrain& start, RunContext& context,
                const ChainListener& listener = {});

    // Of the last call: operations that were run, and others that did not have to be.
    int steps_run() const { return steps_run_; }
    int steps_kept() const { return steps_kept_; }
    uint64_t bytes_kept() const { return memory_ ? memory_->bytes() : 0; }

    void forget();

  private:
    class Run;
    // Cells that came from elsewhere, and the number by which keys know them.
    struct Known {
        std::shared_ptr<const TileSource> source;
        std::optional<Field> cells;
        int64_t number = 0;
    };
    Terrain run(const Graph& graph, const std::optional<GridWindow>& window, RunContext& context,
                const ChainListener& listener);
    template <typename Action>
    void making_room(const Action& action);
    std::vector<int64_t> recognised(const Graph& graph);
    std::vector<ContentKey> keys_of(const Graph& graph, const std::optional<GridWindow>& window);

    // By name.
    using MadeLines = std::map<std::string, LineSet>;

    std::optional<ResultMemory> memory_;
    std::map<ContentKey, MadeLines> lines_;  // of the nodes that it remembers: they take little
    std::vector<Known> known_;               // of the last graph
    bool begins_anew_ = false;               // with cells that it did not have
    int64_t last_number_ = 0;
    int steps_run_ = 0;
    int steps_kept_ = 0;
};

// A chain once, one operation after the other. What they need and their parameters are checked before the first. When a
// device is lost, or cannot give back what it made, the chain is run again from the start on the CPU, and the listener told
// of every operation again.
Terrain run_chain(std::span<const std::unique_ptr<Operation>> chain, const Terrain& start,
                  RunContext& context, const ChainListener& listener = {});

}  // namespace caprock

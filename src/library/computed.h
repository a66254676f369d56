// Land, computed: all of it at once, or where somebody looks.
#pragma once

#include "library/watch.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace caprock {
inline namespace v1 {

using Links = std::vector<std::unique_ptr<Operation>>;

bool begins_with_file(const Land::Inside& land);
// How many steps that are told of: reading a file, and every operation.
int steps_of(const Land::Inside& land);

// The second files of land that came from a recipe, open as long as it is computed.
class LandInputs {
  public:
    LandInputs(const Land::Inside& land, Watch& watch, RunContext& context);
    const ChainLinks& links() const { return links_; }

  private:
    std::vector<std::unique_ptr<TerrainSource>> sources_;
    ChainLinks links_;
};

core::Terrain computed(const Land::Inside& land, Watch& watch);

// Window by window, from what the window needs. Its windows have the coordinates of the land.
class LandCells {
  public:
    // About so much memory is taken, in bytes.
    LandCells(const Land::Inside& land, Watch& watch, uint64_t memory);

    const Graph& graph() const { return cells_->graph(); }
    core::Terrain read(const core::Rect& window);
    core::Field read_field(const std::string& name, const core::Rect& window);

    // What it would take to compute all of it at once, in bytes.
    uint64_t whole_bytes() const;
    // Throws core::Error where an operation sees all of the land at once: it is not computed by windows then.
    void check_windows() const;
    // Those whose steps reach too far for windows are run now, with files in that folder.
    void run_simulations(const std::string& folder);
    // What is told from now on is of somebody else who asks for windows: operations do not count as steps.
    void work_unseen();

  private:
    Watch& watch_;
    Links links_;
    RunContext context_;
    std::unique_ptr<TerrainSource> source_;
    ChainStart start_;
    std::unique_ptr<LandInputs> inputs_;
    std::unique_ptr<GraphSource> cells_;
    std::unique_ptr<core::Progress> unseen_;
};

}  // namespace v1
}  // namespace caprock

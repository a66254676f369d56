// A document as a graph: its layers, canvases and masks become nodes. A plan is of one snapshot and one level of detail.
#pragma once

#include "document/document.h"
#include "graph/graph.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {

// The names of fields that a blend is handed. No field of a document has a space in its name.
constexpr const char* blend_source_name = "blend source";
constexpr const char* blend_mask_name = "blend mask";

class Plan : public Graph {
  public:
    // At level n every 2^n-th cell each way: a preview.
    explicit Plan(const Snapshot& snapshot, int level = 0, std::string_view program = program_fingerprint());

    const Snapshot& snapshot() const { return snapshot_; }
    int level() const { return level_; }
    const Grid& grid() const { return grid_; }
    const Rect& window() const { return window_; }  // what is shown, in cells of the level
    // Layers that could not be taken into the plan, or have nothing there to work on, and why.
    const std::vector<std::string>& problems() const { return problems_; }
    std::vector<std::string> fields() const { return top().names(); }

    // What lies below a layer, and what there is with it.
    const Scope& below(int layer) const { return layers_.at(layer).below; }
    const Scope& after(int layer) const { return layers_.at(layer).after; }
    // Its own content where that is to be blended, and its mask. Null for a layer without effect, or without a mask.
    const Scope* content(int layer) const;
    const NodeField* mask(int layer) const;

  private:
    class Builder;
    struct PlannedLayer {
        Scope below;
        Scope after;
        std::optional<Scope> content;
        std::optional<NodeField> mask;
    };

    Snapshot snapshot_;
    int level_ = 0;
    Grid grid_;
    Rect window_;
    std::map<int, PlannedLayer> layers_;
    std::vector<std::string> problems_;
};

// Tiles of a field that are not the same in two plans of one level; all of them where the grids differ.
std::vector<TileIndex> changed_tiles(const Plan& before, const Plan& after, const std::string& field);

}  // namespace caprock

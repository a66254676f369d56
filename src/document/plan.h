// What is to be computed for a document, as a graph: each node makes fields out of those of the nodes before it. A plan
// is of one snapshot and one level of detail, and computes nothing itself; the evaluator does.
//
// Every tile that a node makes has a key, put together from the parameters and from the keys of all tiles it is made
// of. Two tiles of one key have the same bits: whatever changes, a key that is still the same needs no work.
#pragma once

#include "document/content_key.h"
#include "document/document.h"
#include "document/placement.h"
#include "document/program_fingerprint.h"
#include "document/tile.h"
#include "operation/operation.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace caprock {

// The names of fields that the evaluator hands a blend. No field of a document has a space in its name.
constexpr const char* blend_source_name = "blend source";
constexpr const char* blend_mask_name = "blend mask";

struct PlanNode {
    enum class Kind {
        constant,   // one value everywhere
        canvas,     // the tiles of a canvas
        thin,       // every second cell of `input`
        halve,      // the means of the cells of `input`
        place,      // `input`, elsewhere
        operation,  // run on `input`
        blend,      // `source` into `input` where `mask` is
    };
    Kind kind = Kind::constant;
    int layer = 0;      // that it is for
    std::string title;  // for progress: the layer and what is done
    int input = -1;     // what other fields come from, too
    int source = -1;    // of a blend
    std::string source_field;
    int mask = -1;
    Grid grid;
    std::vector<std::string> makes;
    std::vector<std::string> reads;   // of the input
    std::vector<std::string> fields;  // there are, with those of the input
    std::shared_ptr<const Operation> operation;
    std::optional<int> halo = 0;  // cells around a region that decide it; nothing: all of them
    bool simulates = false;       // takes long, as a rule
    float value = 0;              // of a constant
    // Of a blend into a field that there is not yet: 0 everywhere, rather than where the source is.
    bool on_zero = false;
    Canvas canvas;
    CellMap map;
    ContentKey signature;  // of what it does, not of what it does it to

    bool does(std::string_view field) const;  // makes it
    bool has(std::string_view field) const;
};

class Plan {
  public:
    // At level n every 2^n-th cell each way: a preview. Keys are of what the program of that fingerprint computes.
    explicit Plan(const Snapshot& snapshot, int level = 0, std::string_view program = program_fingerprint());

    const Snapshot& snapshot() const { return snapshot_; }
    int level() const { return level_; }
    const Grid& grid() const { return grid_; }
    const Rect& window() const { return window_; }  // what is shown, in cells of the level
    // Layers that could not be taken into the plan, or have nothing there to work on, and why.
    const std::vector<std::string>& problems() const { return problems_; }

    const PlanNode& node(int index) const { return nodes_[size_t(index)]; }
    int top() const { return top_; }
    std::vector<std::string> fields() const { return node(top_).fields; }
    // What lies below a layer, what there is with it, and its own content where that is to be blended. -1 for a layer
    // without effect.
    int below(int layer) const;
    int after(int layer) const;
    int content(int layer) const;

    // The node that makes the field that `node` has.
    int maker(int node, std::string_view field) const;
    // Of the tile of that field: what there is after the node, whichever makes it.
    ContentKey key(int node, const std::string& field, const TileIndex& tile) const;
    // The cells of the input that decide a region.
    Rect needed(const PlanNode& node, const Rect& region) const;
    // Whether the tile of a blend is that of what lies below, because there is nothing to blend or no mask to do it by.
    bool passes(int node, const TileIndex& tile) const;
    // And of the source of a node that takes its cells from elsewhere.
    Rect source_region(const PlanNode& node, const Rect& region) const;

  private:
    class Builder;
    struct MemoKey {
        int node;
        int field;
        TileIndex tile;
        bool operator==(const MemoKey&) const = default;
    };
    struct MemoHash {
        size_t operator()(const MemoKey& key) const;
    };
    ContentKey made_key(int maker, const std::string& field, const TileIndex& tile) const;
    ContentKey computed_key(int maker, const std::string& field, const TileIndex& tile) const;
    // Where no canvas has a part in a field, its tiles need not be looked at one by one.
    std::optional<ContentKey> uniform_key(int maker, const std::string& field) const;
    ContentKey region_key(int node, const std::string& field, const Rect& region) const;
    ContentKey whole_key(int node, const std::string& field) const;
    int field_number(const std::string& field) const;
    // The one value of all cells of a region, where nobody painted on it.
    std::optional<float> blank_value(int node, const std::string& field, const Rect& region) const;

    Snapshot snapshot_;
    int level_ = 0;
    std::string program_;
    uint32_t mark_ = 0;
    Grid grid_;
    Rect window_;
    std::vector<PlanNode> nodes_;
    std::map<int, int> below_;
    std::map<int, int> after_;
    std::map<int, int> content_;
    std::vector<std::string> problems_;
    int top_ = 0;

    mutable std::recursive_mutex guard_;
    mutable std::map<std::string, int> field_numbers_;
    mutable std::unordered_map<MemoKey, ContentKey, MemoHash> memo_;
    mutable std::map<std::pair<int, std::string>, std::optional<ContentKey>> uniform_;
    mutable std::map<std::pair<int, std::string>, ContentKey> whole_;
};

// Tiles of a field that are not the same in two plans of one level; all of them where the grids differ.
std::vector<TileIndex> changed_tiles(const Plan& before, const Plan& after, const std::string& field);

}  // namespace caprock

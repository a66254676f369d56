// What is to be computed, as a graph: each node makes fields out of those of the nodes before it. A graph computes nothing
// itself; the evaluator does. Documents, chains and recipes all become one.
//
// Every tile that a node makes has a key, put together from the parameters and from the keys of all tiles it is made
// of. Two tiles of one key have the same bits: whatever changes, a key that is still the same needs no work.
#pragma once

#include "graph/cell_map.h"
#include "graph/content_key.h"
#include "graph/program_fingerprint.h"
#include "graph/tile.h"
#include "graph/tile_source.h"
#include "graph/tile_store.h"
#include "operation/operation.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace caprock {

// A field that a node makes.
struct NodeField {
    int node = -1;
    std::string field;

    bool operator==(const NodeField&) const = default;
};

// Lines that there are from the beginning, or that a node makes.
struct LinesFrom {
    int node = -1;          // that makes them; -1: these
    std::string name = {};  // that they have there
    LineFile content =
        {};  // these; in coordinates of another system where they are of a file that nobody has taken from
    std::optional<CellMap> map = {};  // of those that are made: to where they lie, in metres

    static LinesFrom these(LineSet lines) { return {-1, "", {std::move(lines), ""}, {}}; }
    // Those that the node has made, where they lie.
    LineSet placed(const LineSet& made) const;
};
struct LinesInput {
    std::string name;
    LinesFrom from;
};

// What a node reads: a field of another one, under the name by which this one knows it.
struct NodeInput {
    std::string name;
    NodeField from;
};

struct Node {
    enum class Kind {
        constant,   // one value everywhere
        source,     // cells that come from elsewhere
        thin,       // every second cell of its input
        halve,      // the means of the cells of its input
        place,      // its input, elsewhere
        zero,       // 0 where its input is known, and missing elsewhere
        operation,  // run on its inputs
    };
    // Where the content, or the mask by which it is mixed in, is blank, a tile is that of what lies below.
    struct Passing {
        size_t below;  // indices of inputs
        size_t content;
        std::optional<size_t> mask;
    };

    Kind kind = Kind::constant;
    int owner = 0;      // the layer, or the step of a chain, that it is for
    std::string title;  // for progress: the layer and what is done
    std::vector<NodeInput> inputs;
    std::vector<LinesInput> line_inputs;
    Grid grid;        // of what it makes
    Grid input_grid;  // of what it reads: another one where an operation changes the grid
    std::vector<std::string> makes;
    std::vector<std::string> makes_lines;  // of all cells, whatever its reach
    std::shared_ptr<const Operation> operation;
    std::optional<int> halo = 0;  // cells around a region that decide it; nothing: all of them
    bool folds = false;           // needs only a few numbers of all of them
    bool in_steps = false;        // is taken step by step: it can be seen and saved on its way
    bool in_pages = false;        // and for a step some cells around are enough
    bool simulates = false;       // takes long, as a rule
    bool blends = false;  // puts a layer's content into what lies below, and is no operation of the layer's
    float value = 0;      // of a constant
    std::shared_ptr<const TileSource> source;
    CellMap map;
    std::optional<Passing> passing;
    ContentKey signature;  // of what it does, not of what it does it to

    // Whether it cannot be computed region by region, unless step by step.
    bool sees_everything() const { return !halo && !folds; }
};

// The fields that there are at one place of the graph, by name: after a layer, or after a step of a chain.
class Scope {
  public:
    bool has(std::string_view name) const { return find(name) != nullptr; }
    const NodeField* find(std::string_view name) const;
    // Throws std::logic_error where there is no such field.
    const NodeField& at(std::string_view name) const;
    void set(const std::string& name, NodeField field);
    void remove(std::string_view name);
    // In the order in which they came.
    std::vector<std::string> names() const;

    // Lines, likewise.
    const LinesFrom* find_lines(std::string_view name) const;
    void set_lines(const std::string& name, LinesFrom lines);
    std::vector<std::string> line_names() const;

    // The grid and where on Earth it lies, without fields.
    Terrain shape() const;

    Grid grid;
    std::optional<Georeference> georeference;

  private:
    std::vector<std::pair<std::string, NodeField>> fields_;
    std::vector<std::pair<std::string, LinesFrom>> lines_;
};

// An operation that a graph was made from, with what there is before and after it: whoever runs one after the other follows
// these.
struct GraphStep {
    int node = -1;                               // that computes it
    std::shared_ptr<const Operation> operation;  // as it was given; the node's has the contents of its files
    std::vector<std::string> within;             // the operations it is a part of, the outermost first
    Scope before;
    Scope after;
};

// Operations that are made of others: each of their parts a node, or all of them one.
enum class Composites { apart, together };

class Graph {
  public:
    // Results are looked for, and kept, in the store. Keys are of what the program of that fingerprint computes.
    explicit Graph(std::shared_ptr<TileStore> store, std::string_view program = program_fingerprint());

    // ---- building ----
    int add(Node node);
    NodeField constant(const Grid& grid, const std::string& field, float value);
    // What there is after an operation on what there is. Throws Error where it cannot be run there.
    Scope operated(const Scope& scope, const std::shared_ptr<const Operation>& operation, int owner,
                   const std::string& title, Composites composites = Composites::apart);
    // A field at half its resolution: every second cell (thin), or means (halve).
    NodeField coarser(Node::Kind kind, const NodeField& fine);
    // A field on the cells of another grid, under a name there. Where that has less than half its cells, its means are placed
    // instead; indices are taken as they are. Throws Error where it would be scaled too far.
    NodeField placed(NodeField field, CellMap map, const Grid& grid, const std::string& name, int owner,
                     const std::string& title);

    void set_top(Scope top) { top_ = std::move(top); }

    // ---- what there is ----
    const Scope& top() const { return top_; }  // what it is for
    const std::shared_ptr<TileStore>& store() const { return store_; }
    const std::vector<Node>& nodes() const { return nodes_; }
    const Node& node(int index) const { return nodes_[size_t(index)]; }
    // In the order in which they were added.
    const std::vector<GraphStep>& steps() const { return steps_; }
    // Those that have a part in what there is in a scope, the last first.
    std::vector<int> nodes_under(const Scope& scope) const;
    // Of a tile of that field.
    ContentKey key(const NodeField& field, const TileIndex& tile) const;
    ContentKey key(const Scope& scope, std::string_view name, const TileIndex& tile) const {
        return key(scope.at(name), tile);
    }
    // Of lines that a node makes.
    ContentKey lines_key(int node) const;
    // The cells of the inputs that decide a region.
    Rect needed(const Node& node, const Rect& region) const;
    // Whether the tile of a node is that of what lies below, because there is nothing to mix in.
    bool passes(const Node& node, const TileIndex& tile) const;

  protected:
    // Takes back what was added since there were so many nodes.
    void forget_nodes(size_t count) {
        nodes_.resize(count);
        while (!steps_.empty() && size_t(steps_.back().node) >= count) steps_.pop_back();
    }

  private:
    struct MemoKey {
        int node;
        int field;
        TileIndex tile;
        bool operator==(const MemoKey&) const = default;
    };
    struct MemoHash {
        size_t operator()(const MemoKey& key) const;
    };
    // Whose an operation is.
    struct Owning {
        int owner;
        std::string title;
        Composites composites;
        std::vector<std::string> within;
    };
    Scope operated(const Scope& scope, const std::shared_ptr<const Operation>& operation,
                   const Owning& owning);
    Scope with_parts(const Scope& scope, const Operation& whole, const Parts& parts, const Owning& owning);
    ContentKey made_key(const NodeField& field, const TileIndex& tile) const;
    ContentKey computed_key(const NodeField& field, const TileIndex& tile) const;
    // Where no source has a part in a field, its tiles need not be looked at one by one.
    std::optional<ContentKey> uniform_key(const NodeField& field) const;
    ContentKey region_key(const NodeField& field, const Rect& region) const;
    ContentKey whole_key(const NodeField& field) const;
    ContentKey made_lines_key(int node) const;
    int field_number(const std::string& field) const;
    // The one value of all cells of a region, where nobody put any.
    std::optional<float> blank_value(const NodeField& field, const Rect& region) const;

    std::shared_ptr<TileStore> store_;
    std::string program_;
    uint32_t mark_ = 0;
    std::vector<Node> nodes_;
    std::vector<GraphStep> steps_;
    Scope top_;

    mutable std::unique_ptr<std::recursive_mutex> guard_ = std::make_unique<std::recursive_mutex>();
    mutable std::map<std::string, int> field_numbers_;
    mutable std::unordered_map<MemoKey, ContentKey, MemoHash> memo_;
    mutable std::map<std::pair<int, std::string>, std::optional<ContentKey>> uniform_;
    mutable std::map<std::pair<int, std::string>, ContentKey> whole_;
    mutable std::map<int, ContentKey> of_lines_;
};

}  // namespace caprock

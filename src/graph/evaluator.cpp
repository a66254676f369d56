#include "graph/evaluator.h"

#include "base/error.h"
#include "compute/in_parallel.h"
#include "graph/copy_cells.h"
#include "graph/node_cells.h"
#include "graph/tile_codec.h"
#include "graph/tile_store.h"
#include "operation/evaluate.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <set>

namespace caprock {

namespace {

// Longer than this for a tile is worth a place in memory before others; longer than that, in the file.
constexpr double slow_seconds = 0.003;
constexpr double very_slow_seconds = 0.03;

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Rectangles of tiles that together are the given ones: rows of neighbours first, then equal rows below each other.
std::vector<Rect> blocks_of(const std::vector<TileIndex>& tiles, int block_side) {
    std::vector<Rect> blocks;
    std::set<TileIndex> left(tiles.begin(), tiles.end());
    while (!left.empty()) {
        TileIndex first = *left.begin();
        Rect block{first.x, first.y, first.x + 1, first.y + 1};
        while (block.width() < block_side && left.contains({block.right, first.y})) block.right++;
        auto whole_row = [&](int y) {
            for (int x = block.left; x < block.right; x++)
                if (!left.contains({x, y})) return false;
            return true;
        };
        while (block.height() < block_side && whole_row(block.bottom)) block.bottom++;
        for (int y = block.top; y < block.bottom; y++)
            for (int x = block.left; x < block.right; x++) left.erase({x, y});
        blocks.push_back(block);
    }
    return blocks;
}

class Claim {
  public:
    Claim(TileStore& store, const ContentKey& key, const Progress* progress)
        : store_(store), key_(key), ours_(store.claim(key, progress)) {}
    ~Claim() {
        if (ours_) store_.release(key_);
    }
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;
    bool ours() const { return ours_; }

  private:
    TileStore& store_;
    ContentKey key_;
    bool ours_;
};

// Of all that a node makes, whichever part of it is asked for: the key of its first tile.
ContentKey key_of_whole(const Graph& graph, int index) {
    const Node& node = graph.node(index);
    return graph.key({index, node.makes.front()}, tile_at(node.grid.extent.left, node.grid.extent.top));
}

Rect cells_of_block(const Rect& block) {
    return {block.left * tile_side, block.top * tile_side, block.right * tile_side, block.bottom * tile_side};
}

}  // namespace

void Evaluator::clear_counts() {
    computed_.clear();
    operations_run_ = 0;
}

Terrain Evaluator::evaluate(const Graph& graph, const Scope& scope, const Names& names, const Rect& region) {
    std::vector<NodeField> wanted;
    for (const std::string& name : names) wanted.push_back(scope.at(name));
    std::vector<Field> cells = fields(graph, wanted, region);
    Terrain result(scope.grid, region);
    for (size_t i = 0; i < names.size(); i++) result.set(names[i], std::move(cells[i]));
    if (scope.georeference) result.set_georeference(*scope.georeference);
    return result;
}

std::vector<Field> Evaluator::fields(const Graph& graph, const std::vector<NodeField>& wanted,
                                     const Rect& region) {
    std::map<int, Names> by_node;
    for (const NodeField& field : wanted) {
        Names& names = by_node[field.node];
        if (std::ranges::find(names, field.field) == names.end()) names.push_back(field.field);
    }
    std::map<int, Terrain> found;
    for (const auto& [node, names] : by_node) {
        Terrain into(graph.node(node).grid, region);
        made(graph, node, names, into);
        found.emplace(node, std::move(into));
    }
    std::vector<Field> result;
    for (const NodeField& field : wanted) result.push_back(found.at(field.node).field(field.field));
    return result;
}

Field Evaluator::field(const Graph& graph, const NodeField& wanted, const Rect& region) {
    return fields(graph, {wanted}, region).front();
}

void Evaluator::made(const Graph& graph, int index, const Names& names, Terrain& into) {
    if (context_.progress) context_.progress->check();
    const Node& node = graph.node(index);
    const Rect& region = into.rect();
    if (!node.grid.extent.contains(region)) throw std::logic_error("a region must lie inside its grid");
    switch (node.kind) {
        case Node::Kind::constant:
            for (const std::string& name : names) into.set(name, Field(region, node.value));
            return;
        case Node::Kind::source:
            into.set(names.front(), node.source->read(region));
            return;
        default:
            break;
    }
    if (auto paged = pages_.find(index); paged != pages_.end()) {
        if (!paged->second->has_run()) run_pages(index);
        const Terrain result = paged->second->read(region, context_);
        for (const std::string& name : names) into.set(name, result.field(name));
        return;
    }
    from_tiles(graph, index, names, into);
}

void Evaluator::run_in_pages(const Graph& graph, const Paging& paging) {
    std::vector<int> nodes = graph.nodes_under(graph.top());
    std::ranges::sort(nodes);
    for (int index : nodes) {
        const Node& node = graph.node(index);
        if (!is_for_pages(node, tiles_together_) || pages_.contains(index)) continue;
        auto input = [this, &graph, &node](const Rect& part) {
            Terrain cells;
            unseen([&] { cells = input_of(graph, node, part); });
            return cells;
        };
        pages_.emplace(index,
                       std::make_unique<PagedSimulation>(node.operation, node.input_grid, input, paging));
        titles_[index] = node.title;
    }
    // Those before the one that a checkpoint is of have been run; what they made is in it, unless others read it as well.
    const int first = context_.checkpoint ? context_.checkpoint->found().value_or(0) : 0;
    for (const auto& [index, paged] : pages_)
        if (index >= first && !paged->has_run()) run_pages(index);
}

void Evaluator::run_pages(int node) {
    if (before) before(titles_[node]);
    // Only the one that is run for itself has a checkpoint, and not those that are run because it reads them.
    const CheckpointAside aside(context_);
    RunContext context = context_;
    context.checkpoint = aside.checkpoint();
    pages_.at(node)->run(context, node);
    context_.device = context.device;
}

bool Evaluator::known(const Graph& graph, const NodeField& field, const TileIndex& tile, Field& cells) {
    ContentKey key = graph.key(field, tile);
    TileStore& store = *graph.store();
    Rect rect = tile.rect().intersected(graph.node(field.node).grid.extent);
    if (std::optional<Field> kept = store.cache().find(key)) {
        cells = kept->moved(rect.left - kept->rect().left, rect.top - kept->rect().top);
        return true;
    }
    std::optional<std::string> remembered = store.remembered(key);
    if (!remembered) return false;
    cells = Field(rect);
    try {
        unpack_cells(*remembered, {cells.writable_rows()[rect.top], size_t(rect.cells())});
    } catch (const Error&) {
        return false;  // it is computed again
    }
    store.cache().put(key, cells, TileCache::Making::slow);
    return true;
}

void Evaluator::from_tiles(const Graph& graph, int index, const Names& names, Terrain& into) {
    const Node& node = graph.node(index);
    const Rect region = into.rect();
    std::vector<TileIndex> unknown;
    std::vector<TileIndex> passed;  // on from below, as they are
    std::map<std::string, std::vector<Field>> found;
    std::vector<TileIndex> tiles = tiles_over(region);
    for (const TileIndex& tile : tiles) {
        if (graph.passes(node, tile)) {
            passed.push_back(tile);
            continue;
        }
        std::vector<Field> cells(names.size());
        bool all = true;
        for (size_t i = 0; i < names.size() && all; i++)
            all = known(graph, {index, names[i]}, tile, cells[i]);
        if (!all) {
            unknown.push_back(tile);
            continue;
        }
        for (size_t i = 0; i < names.size(); i++) found[names[i]].push_back(std::move(cells[i]));
    }
    // What takes everything is made by one thread; another one that wants it has it then.
    std::optional<Claim> claim;
    if (!unknown.empty() && node.sees_everything()) {
        claim.emplace(*graph.store(), key_of_whole(graph, index), context_.progress);
        if (!claim->ours()) return from_tiles(graph, index, names, into);
    }
    std::vector<Rect> blocks;
    if (!unknown.empty() && node.sees_everything()) {
        blocks = {node.grid.extent};
    } else {
        for (const Rect& block : blocks_of(unknown, tiles_together_))
            blocks.push_back(cells_of_block(block).intersected(node.grid.extent));
    }
    // One piece is handed on as it is.
    if (passed.size() == tiles.size()) {
        into.set(names.front(), field(graph, node.inputs[node.passing->below].from, region));
        return;
    }
    if (blocks.size() == 1 && found.empty() && passed.empty()) {
        Terrain result = computed(graph, index, blocks.front());
        for (const std::string& name : names) into.set(name, result.field(name).cropped(region));
        return;
    }
    if (blocks.empty() && tiles.size() == 1) {
        for (const std::string& name : names) into.set(name, found[name].front().cropped(region));
        return;
    }
    std::map<std::string, Field> whole;
    std::map<std::string, Field::WritableRows> rows;
    for (const std::string& name : names) {
        whole[name] = Field(region);
        rows[name] = whole[name].writable_rows();
        const std::vector<Field>& known_tiles = found[name];
        in_parallel(known_tiles.size(), [&, into_rows = rows[name]](size_t i) {
            copy_cells(known_tiles[i], known_tiles[i].rect().intersected(region), into_rows, region.left);
        });
    }
    for (const Rect& block : blocks_of(passed, tiles_together_)) {
        Rect part = cells_of_block(block).intersected(region);
        const Field below = field(graph, node.inputs[node.passing->below].from, part);
        copy_cells(below, part, rows[names.front()], region.left);
    }
    for (const Rect& block : blocks) {
        Terrain result = computed(graph, index, block);
        for (const std::string& name : names)
            copy_cells(result.field(name), block.intersected(region), rows[name], region.left);
    }
    for (const std::string& name : names) into.set(name, std::move(whole[name]));
}

Terrain Evaluator::computed(const Graph& graph, int index, const Rect& region) {
    const Node& node = graph.node(index);
    seconds_ = 0;
    std::optional<ContentKey> by_heart;
    if (node.sees_everything() && !graph.store()->remembers()) {
        by_heart = key_of_whole(graph, index);
        for (const auto& [key, whole] : wholes_)
            if (key == *by_heart) return whole;
    }
    Terrain result(node.grid, region);
    if (node.kind == Node::Kind::operation) {
        result = run_operation(graph, index, region);
    } else {
        result.set(node.makes.front(), from_input(graph, node, region));
    }
    keep(graph, index, result, seconds_);
    if (by_heart) {
        constexpr size_t most = 4;
        wholes_.emplace_back(*by_heart, result);
        if (wholes_.size() > most) wholes_.pop_front();
    }
    return result;
}

Terrain Evaluator::input_of(const Graph& graph, const Node& node, const Rect& region) {
    Terrain input(node.input_grid, region);
    std::vector<NodeField> wanted;
    for (const NodeInput& read : node.inputs) wanted.push_back(read.from);
    std::vector<Field> cells = fields(graph, wanted, region);
    for (size_t i = 0; i < cells.size(); i++) input.set(node.inputs[i].name, std::move(cells[i]));
    for (const LinesInput& read : node.line_inputs) input.set_lines(read.name, lines_from(graph, read.from));
    return input;
}

LineSet Evaluator::lines(const Graph& graph, const Scope& scope, const std::string& name) {
    if (const LinesFrom* found = scope.find_lines(name)) return lines_from(graph, *found);
    Terrain shape = scope.shape();
    for (const std::string& known : scope.line_names()) shape.set_lines(known, {});
    return shape.lines(name);
}

LineSet Evaluator::lines_from(const Graph& graph, const LinesFrom& from) {
    if (from.node < 0) return from.content.lines;
    const ContentKey key = graph.lines_key(from.node);
    auto known = [&]() -> const LineSet* {
        for (const auto& [of, made] : lines_)
            if (of == key) return made.find_lines(from.name);
        return nullptr;
    };
    if (const LineSet* found = known()) return from.placed(*found);
    // What it makes of the cells besides is kept for whoever asks for those.
    const Terrain made = run_operation(graph, from.node, graph.node(from.node).grid.extent);
    keep(graph, from.node, made, seconds_);
    const LineSet* found = known();
    return found ? from.placed(*found) : LineSet();
}

void Evaluator::keep_lines(const Graph& graph, int node, const Terrain& made) {
    if (graph.node(node).makes_lines.empty()) return;
    Terrain only(made.grid());
    for (const std::string& name : graph.node(node).makes_lines)
        if (const LineSet* lines = made.find_lines(name)) only.set_lines(name, *lines);
    const ContentKey key = graph.lines_key(node);
    std::erase_if(lines_, [&](const auto& entry) { return entry.first == key; });
    constexpr size_t most = 16;
    if (lines_.size() == most) lines_.pop_front();
    lines_.emplace_back(key, std::move(only));
}

const FoldedCells& Evaluator::folded(const Graph& graph, int index) {
    const Node& node = graph.node(index);
    const ContentKey key = key_of_whole(graph, index);
    for (const auto& [known, cells] : folded_)
        if (known == key) return cells;
    FoldedCells all;
    const std::vector<TileIndex> tiles = tiles_over(node.input_grid.extent);
    for (const Rect& block : blocks_of(tiles, tiles_together_)) {
        const Rect region = cells_of_block(block).intersected(node.input_grid.extent);
        const Terrain input = input_of(graph, node, region);
        unseen([&] { all.merge(fold(*node.operation, input, context_)); });
    }
    constexpr size_t most = 16;
    if (folded_.size() == most) folded_.pop_front();
    return folded_.emplace_back(key, std::move(all)).second;
}

Terrain Evaluator::run_operation(const Graph& graph, int index, const Rect& region) {
    const Node& node = graph.node(index);
    // A copy: inputs may fold as well.
    const FoldedCells all = node.folds ? folded(graph, index) : FoldedCells();
    const Terrain input = input_of(graph, node, graph.needed(node, region));
    if (!node.blends) operations_run_++;
    if (node.simulates && before) before(node.title);
    auto start = std::chrono::steady_clock::now();
    Terrain made = input;
    if (node.folds) {
        unseen([&] { made = run_with(*node.operation, input, all, context_); });
    } else if (node.simulates) {
        simulating_ = node.in_steps ? &node : nullptr;
        made = run(*node.operation, input, context_);
        simulating_ = nullptr;
    } else {
        unseen([&] { made = run(*node.operation, input, context_); });
    }
    // The node's own time: that of its inputs was counted, and overwritten, before.
    seconds_ = seconds_since(start);
    keep_lines(graph, index, made);
    Terrain result(node.grid, region);
    for (const std::string& name : node.makes)
        if (made.has(name)) result.set(name, made.field(name).cropped(region));
    return result;
}

template <typename Action>
void Evaluator::unseen(const Action& action) {
    Progress unwatched;
    Progress within(context_.progress ? *context_.progress : unwatched, 0);
    Progress* watched = std::exchange(context_.progress, &within);
    try {
        action();
    } catch (...) {
        context_.progress = watched;
        throw;
    }
    context_.progress = watched;
}

Field Evaluator::from_input(const Graph& graph, const Node& node, const Rect& region) {
    const NodeField& from = node.inputs[0].from;
    const Rect needed = graph.needed(node, region);
    if (needed.empty()) return Field(region, missing);
    const Field source = field(graph, from, needed);
    auto start = std::chrono::steady_clock::now();
    const Field made = cells_from(node, source, region);
    seconds_ = seconds_since(start);
    return made;
}

void Evaluator::keep(const Graph& graph, int index, const Terrain& result, double seconds) {
    const Node& node = graph.node(index);
    TileStore& store = *graph.store();
    std::vector<TileIndex> tiles = tiles_over(result.rect());
    computed_[node.owner] += int64_t(tiles.size());
    double each = seconds / double(tiles.size());
    TileCache::Making making =
        each > slow_seconds || node.simulates ? TileCache::Making::slow : TileCache::Making::quick;
    bool worth_keeping = node.simulates || each > very_slow_seconds || node.kind == Node::Kind::thin;
    struct Kept {
        ContentKey key;
        Field from;
        Field cells;
        std::string packed;
    };
    std::vector<Kept> all;
    for (const TileIndex& tile : tiles) {
        // Of a tile that is only in part here, nothing is kept.
        Rect rect = tile.rect().intersected(node.grid.extent);
        if (!result.rect().contains(rect)) continue;
        for (const std::string& field : node.makes)
            if (result.has(field))
                all.push_back({graph.key({index, field}, tile), result.field(field).cropped(rect), {}, {}});
    }
    in_parallel(all.size(), [&](size_t i) {
        Kept& kept = all[i];
        kept.cells = kept.from.copied();
        const Rect& rect = kept.cells.rect();
        if (worth_keeping) kept.packed = packed_cells({kept.cells.rows()[rect.top], size_t(rect.cells())});
    });
    for (Kept& kept : all) {
        if (worth_keeping) store.remember(kept.key, std::move(kept.packed));
        store.cache().put(kept.key, std::move(kept.cells), making);
    }
}

}  // namespace caprock

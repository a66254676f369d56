#include "document/evaluator.h"

#include "base/error.h"
#include "document/copy_cells.h"
#include "document/in_parallel.h"
#include "document/tile_codec.h"
#include "document/tile_store.h"
#include "operation/evaluate.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <set>

namespace caprock {

namespace {

// Tiles are computed together, in blocks of so many each way: halos are shared, and memory does not notice.
constexpr int block_side = 8;

// Longer than this for a tile is worth a place in memory before others; longer than that, in the file.
constexpr double slow_seconds = 0.003;
constexpr double very_slow_seconds = 0.03;

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Rectangles of tiles that together are the given ones: rows of neighbours first, then equal rows below each other.
std::vector<Rect> blocks_of(const std::vector<TileIndex>& tiles) {
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
ContentKey key_of_whole(const Plan& plan, int index) {
    const PlanNode& node = plan.node(index);
    return plan.key(index, node.makes.front(), tile_at(node.grid.extent.left, node.grid.extent.top));
}

// What a field is made on that there was not: nothing is known where nothing comes.
Field zero_where_known(const Field& source) {
    const Rect& rect = source.rect();
    Field made(rect, 0);
    Field::Rows from = source.rows();
    Field::WritableRows to = made.writable_rows();
    in_parallel(size_t(rect.height()), [&](size_t row) {
        int y = rect.top + int(row);
        for (int x = 0; x < rect.width(); x++)
            if (is_missing(from[y][x])) to[y][x] = missing;
    });
    return made;
}

Rect cells_of_block(const Rect& block) {
    return {block.left * tile_side, block.top * tile_side, block.right * tile_side, block.bottom * tile_side};
}

}  // namespace

void Evaluator::clear_counts() {
    computed_.clear();
    operations_run_ = 0;
}

Terrain Evaluator::evaluate(const Plan& plan, int index, const Names& fields, const Rect& region) {
    Terrain result(plan.node(index).grid, region);
    // Each field by the node that makes it, those of one node together.
    std::map<int, Names> by_maker;
    for (const std::string& field : fields) by_maker[plan.maker(index, field)].push_back(field);
    for (const auto& [maker, names] : by_maker) made(plan, maker, names, result);
    // In the order they were asked for.
    Terrain ordered(plan.node(index).grid, region);
    for (const std::string& field : fields) ordered.set(field, result.field(field));
    if (plan.snapshot().state->georeference) ordered.set_georeference(*plan.snapshot().state->georeference);
    return ordered;
}

void Evaluator::made(const Plan& plan, int index, const Names& fields, Terrain& into) {
    if (context_.progress) context_.progress->check();
    const PlanNode& node = plan.node(index);
    const Rect& region = into.rect();
    if (!node.grid.extent.contains(region)) throw std::logic_error("a region must lie inside its document");
    switch (node.kind) {
        case PlanNode::Kind::constant:
            for (const std::string& field : fields) into.set(field, Field(region, node.value));
            return;
        case PlanNode::Kind::canvas:
            into.set(fields.front(), node.canvas.read(region));
            return;
        default:
            from_tiles(plan, index, fields, into);
    }
}

bool Evaluator::known(const Plan& plan, int index, const std::string& field, const TileIndex& tile,
                      Field& cells) {
    ContentKey key = plan.key(index, field, tile);
    TileStore& store = *plan.snapshot().store;
    Rect rect = tile.rect().intersected(plan.node(index).grid.extent);
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

void Evaluator::from_tiles(const Plan& plan, int index, const Names& fields, Terrain& into) {
    const PlanNode& node = plan.node(index);
    const Rect region = into.rect();
    std::vector<TileIndex> unknown;
    std::vector<TileIndex> passed;  // on from below, as they are
    std::map<std::string, std::vector<Field>> found;
    std::vector<TileIndex> tiles = tiles_over(region);
    for (const TileIndex& tile : tiles) {
        if (plan.passes(index, tile)) {
            passed.push_back(tile);
            continue;
        }
        std::vector<Field> cells(fields.size());
        bool all = true;
        for (size_t i = 0; i < fields.size() && all; i++) all = known(plan, index, fields[i], tile, cells[i]);
        if (!all) {
            unknown.push_back(tile);
            continue;
        }
        for (size_t i = 0; i < fields.size(); i++) found[fields[i]].push_back(std::move(cells[i]));
    }
    // What takes everything is made by one thread; another one that wants it has it then.
    std::optional<Claim> claim;
    if (!unknown.empty() && !node.halo) {
        claim.emplace(*plan.snapshot().store, key_of_whole(plan, index), context_.progress);
        if (!claim->ours()) return from_tiles(plan, index, fields, into);
    }
    std::vector<Rect> blocks;
    if (!unknown.empty() && !node.halo) {
        blocks = {node.grid.extent};
    } else {
        for (const Rect& block : blocks_of(unknown))
            blocks.push_back(cells_of_block(block).intersected(node.grid.extent));
    }
    // One piece is handed on as it is.
    if (passed.size() == tiles.size()) {
        const Terrain below = evaluate(plan, node.input, fields, region);
        for (const std::string& field : fields) into.set(field, below.field(field));
        return;
    }
    if (blocks.size() == 1 && found.empty() && passed.empty()) {
        Terrain result = computed(plan, index, blocks.front());
        for (const std::string& field : fields) into.set(field, result.field(field).cropped(region));
        return;
    }
    if (blocks.empty() && tiles.size() == 1) {
        for (const std::string& field : fields) into.set(field, found[field].front().cropped(region));
        return;
    }
    std::map<std::string, Field> whole;
    std::map<std::string, Field::WritableRows> rows;
    for (const std::string& field : fields) {
        whole[field] = Field(region);
        rows[field] = whole[field].writable_rows();
        const std::vector<Field>& known_tiles = found[field];
        in_parallel(known_tiles.size(), [&, into_rows = rows[field]](size_t i) {
            copy_cells(known_tiles[i], known_tiles[i].rect().intersected(region), into_rows, region.left);
        });
    }
    for (const Rect& block : blocks_of(passed)) {
        Rect part = cells_of_block(block).intersected(region);
        const Terrain below = evaluate(plan, node.input, fields, part);
        for (const std::string& field : fields)
            copy_cells(below.field(field), part, rows[field], region.left);
    }
    for (const Rect& block : blocks) {
        Terrain result = computed(plan, index, block);
        for (const std::string& field : fields)
            copy_cells(result.field(field), block.intersected(region), rows[field], region.left);
    }
    for (const std::string& field : fields) into.set(field, std::move(whole[field]));
}

Terrain Evaluator::computed(const Plan& plan, int index, const Rect& region) {
    const PlanNode& node = plan.node(index);
    seconds_ = 0;
    std::optional<ContentKey> by_heart;
    if (!node.halo && !plan.snapshot().store->remembers()) {
        by_heart = key_of_whole(plan, index);
        for (const auto& [key, whole] : wholes_)
            if (key == *by_heart) return whole;
    }
    Terrain result(node.grid, region);
    switch (node.kind) {
        case PlanNode::Kind::operation:
            result = run_operation(plan, node, region);
            break;
        case PlanNode::Kind::blend:
            result = blended(plan, node, region);
            break;
        default:
            result.set(node.makes.front(), from_source(plan, node, region));
    }
    keep(plan, index, result, seconds_);
    if (by_heart) {
        constexpr size_t most = 4;
        wholes_.emplace_back(*by_heart, result);
        if (wholes_.size() > most) wholes_.pop_front();
    }
    return result;
}

Terrain Evaluator::run_operation(const Plan& plan, const PlanNode& node, const Rect& region) {
    Rect around = plan.needed(node, region);
    Terrain input(node.grid, around);
    if (!node.reads.empty()) {
        const Terrain read = evaluate(plan, node.input, node.reads, around);
        for (const std::string& name : node.reads) input.set(name, read.field(name));
    }
    operations_run_++;
    if (node.simulates && before) before(node.title);
    Terrain result(node.grid, region);
    const Terrain made = run_one(*node.operation, input, node.simulates ? Watching::yes : Watching::no);
    for (const std::string& name : node.makes)
        if (made.has(name)) result.set(name, made.field(name).cropped(region));
    return result;
}

Terrain Evaluator::run_one(const Operation& operation, const Terrain& input, Watching watching) {
    // Many small runs show nothing of themselves; to cancel one is to cancel all.
    Progress unwatched;
    Progress within(context_.progress ? *context_.progress : unwatched, 0);
    Progress* watched = context_.progress;
    if (watching == Watching::no) context_.progress = &within;
    auto start = std::chrono::steady_clock::now();
    try {
        Terrain made = run(operation, input, context_);
        context_.progress = watched;
        // The node's own time: that of its inputs was counted, and overwritten, before.
        seconds_ = seconds_since(start);
        return made;
    } catch (...) {
        context_.progress = watched;
        throw;
    }
}

Terrain Evaluator::blended(const Plan& plan, const PlanNode& node, const Rect& region) {
    const std::string& target = node.makes.front();
    Rect around = plan.needed(node, region);
    Terrain input(node.grid, around);
    const Field source = evaluate(plan, node.source, {node.source_field}, around).field(node.source_field);
    if (!node.reads.empty()) {
        input.set(target, evaluate(plan, node.input, {target}, around).field(target));
    } else {
        input.set(target, node.on_zero ? Field(around, 0) : zero_where_known(source));
    }
    input.set(blend_source_name, source);
    if (node.mask >= 0) input.set(blend_mask_name, evaluate(plan, node.mask, {"mask"}, around).field("mask"));
    Terrain result(node.grid, region);
    result.set(target, run_one(*node.operation, input, Watching::no).field(target).cropped(region));
    return result;
}

Field Evaluator::from_source(const Plan& plan, const PlanNode& node, const Rect& region) {
    Rect of_source = plan.source_region(node, region);
    if (of_source.empty()) return Field(region, missing);
    const Field source = evaluate(plan, node.source, {node.source_field}, of_source).field(node.source_field);
    auto start = std::chrono::steady_clock::now();
    Field made;
    switch (node.kind) {
        case PlanNode::Kind::thin:
            made = thinned(source, region);
            break;
        case PlanNode::Kind::halve:
            made = halved(source, region);
            break;
        default:
            made = placed(source, node.map, region, quantity_of(node.source_field));
    }
    seconds_ = seconds_since(start);
    return made;
}

void Evaluator::keep(const Plan& plan, int index, const Terrain& result, double seconds) {
    const PlanNode& node = plan.node(index);
    TileStore& store = *plan.snapshot().store;
    std::vector<TileIndex> tiles = tiles_over(result.rect());
    computed_[node.layer] += int64_t(tiles.size());
    double each = seconds / double(tiles.size());
    TileCache::Making making =
        each > slow_seconds || node.simulates ? TileCache::Making::slow : TileCache::Making::quick;
    bool worth_keeping = node.simulates || each > very_slow_seconds || node.kind == PlanNode::Kind::thin;
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
                all.push_back({plan.key(index, field, tile), result.field(field).cropped(rect), {}, {}});
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

#include "document/plan.h"

#include "base/error.h"
#include "base/text.h"
#include "operation/check.h"
#include "operation/recipe.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace caprock {

namespace {

// Cells (i, j) of the level are cells (i, j) times 2^level of the document.
int thinned_up(int cell, int level) { return -((-cell) >> level); }

Rect at_level(const Rect& rect, int level) {
    return {thinned_up(rect.left, level), thinned_up(rect.top, level), thinned_up(rect.right, level),
            thinned_up(rect.bottom, level)};
}

void add_name(std::vector<std::string>& names, const std::string& name) {
    if (!contains(names, name)) names.push_back(name);
}

KeyMaker& add_rect(KeyMaker& maker, const Rect& rect) {
    return maker.add(int64_t(rect.left))
        .add(int64_t(rect.top))
        .add(int64_t(rect.right))
        .add(int64_t(rect.bottom));
}

KeyMaker& add_grid(KeyMaker& maker, const Grid& grid) {
    return add_rect(maker, grid.extent).add(grid.cell).add(grid.range.low).add(grid.range.high);
}

// What operations of a mask make.
constexpr const char* mask_name = "mask";

}  // namespace

bool PlanNode::does(std::string_view field) const { return contains(makes, field); }
bool PlanNode::has(std::string_view field) const { return contains(fields, field); }

// ---- building --------------------------------------------------------------------------------------------

class Plan::Builder {
  public:
    explicit Builder(Plan& plan) : plan_(plan), state_(*plan.snapshot_.state) {}

    void build() {
        int level = plan_.level_;
        plan_.grid_ = state_.grid;
        plan_.grid_.extent = at_level(state_.grid.extent, level);
        plan_.grid_.cell = std::ldexp(state_.grid.cell, level);
        plan_.window_ = at_level(state_.window, level);
        // What nobody has put anything on is missing.
        int base = constant("height", missing);
        plan_.top_ = stacked(state_.layers, base);
    }

  private:
    int add(PlanNode node) {
        node.fields = node.input >= 0 ? plan_.node(node.input).fields : std::vector<std::string>();
        for (const std::string& made : node.makes) add_name(node.fields, made);
        KeyMaker signature;
        signature.add(plan_.program_).add(int64_t(node.kind));
        if (node.operation) signature.add(operation_meaning(*node.operation));
        add_grid(signature, node.grid);
        const CellMap& map = node.map;
        for (double part : {map.xx, map.xy, map.x0, map.yx, map.yy, map.y0}) signature.add(part);
        signature.add(double(node.value)).add(node.source_field).add(int64_t(node.on_zero));
        node.signature = signature.key();
        plan_.nodes_.push_back(std::move(node));
        return int(plan_.nodes_.size()) - 1;
    }

    int constant(const std::string& field, float value) {
        PlanNode node;
        node.grid = plan_.grid_;
        node.makes = {field};
        node.value = value;
        return add(std::move(node));
    }

    int stacked(const std::vector<Layer>& layers, int below) {
        for (const Layer& layer : layers) below = with_layer(layer, below);
        return below;
    }

    // It and those in it: what lies below is what there is with it.
    void leave_out(const Layer& layer, int below) {
        plan_.below_[layer.id] = below;
        plan_.after_[layer.id] = below;
        plan_.content_[layer.id] = -1;
        for (const Layer& inside : layer.layers) leave_out(inside, below);
    }

    int with_layer(const Layer& layer, int below) {
        leave_out(layer, below);
        if (!layer.has_effect()) return below;
        size_t nodes_before = plan_.nodes_.size();
        try {
            Content content = content_of(layer, below);
            plan_.content_[layer.id] = content.node;
            int mask = mask_of(layer, below);
            int after = below;
            for (const auto& [target, source] : targets_of(layer, content)) {
                // Where what lies below has become missing, that is what became of it. Any other content is missing where
                // the layer has nothing to say.
                bool changed_below = content.base == below && source == target;
                after = blended(layer, after, content.node, source, mask, target, changed_below);
            }
            plan_.after_[layer.id] = after;
            return after;
        } catch (const Error& error) {
            plan_.problems_.push_back(fmt::format("layer {} ({}): {}", layer.id, layer.name, error.what()));
            plan_.nodes_.resize(nodes_before);
            leave_out(layer, below);
            return below;
        }
    }

    // ---- contents ----
    struct Content {
        int node;
        int base;  // what it was made on; its fields are no part of the content. -1: nothing
    };

    Content content_of(const Layer& layer, int below) {
        switch (layer.kind) {
            case LayerKind::generated: {
                Grid grid = plan_.grid_;
                if (layer.range) grid.range = *layer.range;
                PlanNode nothing;
                nothing.grid = grid;
                nothing.layer = layer.id;
                int made = operated(layer, layer.operations, add(std::move(nothing)), grid);
                return {placed_content(layer, made, state_.grid.cell, 0, 0), -1};
            }
            case LayerKind::adjustment:
                return {operated(layer, layer.operations, below, plan_.grid_), below};
            case LayerKind::painted:
            case LayerKind::imported: {
                int made = -1;
                for (const LayerCanvas& use : layer.canvases)
                    made = canvas_content(layer, use, layer.placement, made);
                return {made, -1};
            }
            case LayerKind::group: {
                if (layer.puts_in_place()) return {stacked(layer.layers, below), below};
                int base = constant("height", layer.is_amount() ? 0.0f : missing);
                bool outside = std::exchange(by_itself_, true);
                int made = stacked(layer.layers, base);
                by_itself_ = outside;
                return {made, base};
            }
            case LayerKind::unknown:
                break;
        }
        return {below, below};
    }

    int operated(const Layer& layer, const std::vector<LayerOperation>& steps, int input, const Grid& grid) {
        if (steps.empty()) throw Error("it has no operation");
        for (const LayerOperation& step : steps) {
            if (!step.operation) throw Error("it has an operation that this version does not know");
            input = operated(layer, step.operation, input, grid);
        }
        return input;
    }

    int operated(const Layer& layer, const std::shared_ptr<const Operation>& operation, int input,
                 const Grid& grid) {
        PlanNode node;
        node.kind = PlanNode::Kind::operation;
        node.layer = layer.id;
        node.title = fmt::format("{}: {}", layer.name, operation->name());
        node.input = input;
        node.grid = grid;
        std::vector<std::string> there = plan_.node(input).fields;
        named(operation->name(), [&] {
            // What is computed is what the key is of, whatever becomes of a file that is only named.
            node.operation = with_files(*operation);
            std::vector<std::string> after = there;
            check_operation(*node.operation, grid, after);
            if (operation->grid_after(grid) != grid)
                throw Error("it changes the size of the terrain, which a layer cannot");
        });
        const FieldUse use = operation->fields();
        node.makes = use.outputs;
        node.reads = use.inputs;
        for (const std::string& name : use.optional_inputs)
            if (contains(there, name)) add_name(node.reads, name);
        if (use.every_field)
            for (const std::string& name : there) {
                add_name(node.reads, name);
                add_name(node.makes, name);
            }
        Reach reach = node.operation->reach(grid);
        node.halo = reach.halo();
        node.simulates = reach.kind() == Reach::Kind::steps || reach.kind() == Reach::Kind::whole;
        // A halo as wide as the terrain is all of it.
        if (node.halo && *node.halo >= std::max(grid.extent.width(), grid.extent.height())) node.halo.reset();
        return add(std::move(node));
    }

    int canvas_content(const Layer& layer, const LayerCanvas& use, const Placement& placement, int beside) {
        const Canvas& canvas = plan_.snapshot_.canvas(use.canvas);
        int made = canvas_node(layer, canvas, use.field, beside);
        const CanvasInfo& info = canvas.info;
        bool of_grid =
            info.cell == state_.grid.cell && info.origin_x == 0 && info.origin_y == 0 && !info.bounds;
        if (of_grid && !placement.moves()) {
            for (int level = 0; level < plan_.level_; level++)
                made = coarser(PlanNode::Kind::thin, made, use.field, beside);
            return made;
        }
        return placed_field(layer, placement, made, use.field, beside, info.cell, info.origin_x,
                            info.origin_y);
    }

    int canvas_node(const Layer& layer, const Canvas& canvas, const std::string& field, int beside) {
        PlanNode node;
        node.kind = PlanNode::Kind::canvas;
        node.layer = layer.id;
        node.input = beside;
        node.canvas = canvas;
        node.grid = plan_.grid_;
        node.grid.cell = canvas.info.cell;
        // As far as anything is painted, or was imported.
        node.grid.extent = canvas.info.bounds ? *canvas.info.bounds : painted_extent(canvas);
        node.makes = {field};
        return add(std::move(node));
    }

    Rect painted_extent(const Canvas& canvas) const {
        Rect extent = state_.grid.extent;
        for (const auto& [index, tile] : canvas.tiles->all()) {
            Rect rect = index.rect();
            extent = {std::min(extent.left, rect.left), std::min(extent.top, rect.top),
                      std::max(extent.right, rect.right), std::max(extent.bottom, rect.bottom)};
        }
        return extent;
    }

    int coarser(PlanNode::Kind kind, int fine, const std::string& field, int beside) {
        const PlanNode& from = plan_.node(plan_.maker(fine, field));
        PlanNode node;
        node.kind = kind;
        node.layer = from.layer;
        node.source = fine;
        node.input = beside;
        node.source_field = field;
        node.makes = {field};
        node.grid = from.grid;
        node.grid.extent = at_level(from.grid.extent, 1);
        node.grid.cell *= 2;
        return add(std::move(node));
    }

    // All fields that the layer made, elsewhere.
    int placed_content(const Layer& layer, int made, double cell, double x, double y) {
        if (!layer.placement.moves()) return made;
        int result = -1;
        // At a level, the content was made at that level.
        for (const std::string& field : plan_.node(made).fields)
            result = placed_field(layer, layer.placement, made, field, result, std::ldexp(cell, plan_.level_),
                                  x, y);
        return result;
    }

    int placed_field(const Layer& layer, const Placement& placement, int made, const std::string& field,
                     int beside, double cell, double x, double y) {
        CellMap map = map_of(placement, plan_.grid_.cell, cell, x, y);
        if (map.step() > 4096) throw Error("it is scaled to less than a four-thousandth of its size");
        // Placed at less than half its size, its means are placed instead.
        while (!is_index(field) && map.step() >= 2 &&
               plan_.node(plan_.maker(made, field)).grid.extent.width() > 1) {
            made = coarser(PlanNode::Kind::halve, made, field, beside);
            map = map.into_half();
        }
        PlanNode node;
        node.kind = PlanNode::Kind::place;
        node.layer = layer.id;
        node.title = fmt::format("{}: placing", layer.name);
        node.source = made;
        node.source_field = field;
        node.input = beside;
        node.makes = {field};
        node.map = map;
        node.grid = plan_.grid_;
        return add(std::move(node));
    }

    // ---- masks and blending ----
    int mask_of(const Layer& layer, int below) {
        int made = -1;
        if (layer.mask.kind == LayerMask::Kind::none) return -1;
        if (layer.mask.kind == LayerMask::Kind::painted) {
            // Masks stay where they are painted when the layer is moved.
            made = canvas_content(layer, {mask_name, layer.mask.canvas}, {}, -1);
        } else {
            made = operated(layer, layer.mask.operations, below, plan_.grid_);
            if (!plan_.node(made).has(mask_name))
                throw Error("its mask's operations make no field called 'mask'");
        }
        if (!layer.mask.inverted) return made;
        return operated(layer, operation_with("mask-invert", {}), made, plan_.grid_);
    }

    // Which fields of the composition the layer changes, and by which of its own.
    std::vector<std::pair<std::string, std::string>> targets_of(const Layer& layer,
                                                                const Content& content) const {
        std::vector<std::string> made;
        for (const std::string& field : plan_.node(content.node).fields) {
            bool of_base = content.base >= 0 && plan_.node(content.base).has(field) &&
                           plan_.maker(content.node, field) == plan_.maker(content.base, field);
            if (!of_base) made.push_back(field);
        }
        if (layer.field.empty()) {
            std::vector<std::pair<std::string, std::string>> all;
            for (const std::string& field : made) all.emplace_back(field, field);
            return all;
        }
        if (contains(made, layer.field)) return {{layer.field, layer.field}};
        // A layer that makes one thing may be used for another: a file's heights as hardness.
        if (made.size() == 1) return {{layer.field, made.front()}};
        if (made.empty()) return {};
        throw Error(fmt::format("it acts on '{}', but makes {}", layer.field, fmt::join(made, ", ")));
    }

    int blended(const Layer& layer, int below, int content, const std::string& source, int mask,
                const std::string& target, bool changed_below) {
        PlanNode node;
        node.kind = PlanNode::Kind::blend;
        node.layer = layer.id;
        node.title = fmt::format("{}: blending", layer.name);
        node.input = below;
        node.source = content;
        node.source_field = source;
        node.mask = mask;
        node.grid = plan_.grid_;
        node.makes = {target};
        std::unique_ptr<Operation> blend = layer.blend->clone();
        blend->set("field", target);
        blend->set("source", std::string(blend_source_name));
        blend->set("mask", std::string(blend_mask_name));
        blend->set("take-away", changed_below);
        blend->set("put", by_itself_);
        // Between two materials there is none.
        if (is_index(target)) blend->set("mode", std::string("replace"));
        node.halo = blend->reach(plan_.grid_).halo();
        if (is_ground(target) && stands_on_nothing(below) && !blend->fields().fills_missing)
            plan_.problems_.push_back(fmt::format(
                "layer {} ({}): it stands on nothing, and in the mode {} it needs something below it",
                layer.id, layer.name, blend_mode(layer)));
        node.operation = std::move(blend);
        if (plan_.node(below).has(target)) node.reads = {target};
        // Where nobody painted hardness there is none; what a file or an operation does not know is not known.
        node.on_zero = node.reads.empty() && is_hand_painted(layer, source);
        return add(std::move(node));
    }

    bool is_hand_painted(const Layer& layer, const std::string& field) const {
        if (layer.kind != LayerKind::painted) return false;
        return std::ranges::any_of(layer.canvases, [&](const LayerCanvas& use) {
            return use.field == field && !plan_.snapshot_.canvas(use.canvas).info.computed;
        });
    }

    bool stands_on_nothing(int below) const {
        const PlanNode& made = plan_.node(plan_.maker(below, "height"));
        return made.kind == PlanNode::Kind::constant && is_missing(made.value);
    }

    bool by_itself_ = false;  // in a group that does not see what lies below it
    Plan& plan_;
    const DocumentState& state_;
};

Plan::Plan(const Snapshot& snapshot, int level, std::string_view program)
    : snapshot_(snapshot), level_(std::clamp(level, 0, 16)), program_(program), mark_(program_mark(program)) {
    // A level at which nothing is left shows nothing.
    while (level_ > 0 && at_level(snapshot.state->window, level_).empty()) level_--;
    Builder(*this).build();
}

int Plan::below(int layer) const { return below_.at(layer); }
int Plan::after(int layer) const { return after_.at(layer); }
int Plan::content(int layer) const { return content_.at(layer); }

int Plan::maker(int index, std::string_view field) const {
    while (index >= 0 && !node(index).does(field)) index = node(index).input;
    if (index < 0) throw std::logic_error("no node makes " + std::string(field));
    return index;
}

Rect Plan::needed(const PlanNode& node, const Rect& region) const {
    return node.halo ? region.expanded(*node.halo).intersected(node.grid.extent) : node.grid.extent;
}

// ---- keys ------------------------------------------------------------------------------------------------

size_t Plan::MemoHash::operator()(const MemoKey& key) const {
    uint64_t h = uint64_t(uint32_t(key.node)) * 0x9e3779b97f4a7c15u ^ uint64_t(uint32_t(key.field)) << 48;
    h ^= (uint64_t(uint32_t(key.tile.x)) << 32 | uint32_t(key.tile.y)) * 0xc2b2ae3d27d4eb4fu;
    return size_t(h ^ (h >> 29));
}

int Plan::field_number(const std::string& field) const {
    return field_numbers_.emplace(field, int(field_numbers_.size())).first->second;
}

ContentKey Plan::key(int index, const std::string& field, const TileIndex& tile) const {
    std::lock_guard lock(guard_);
    return made_key(maker(index, field), field, tile);
}

ContentKey Plan::made_key(int index, const std::string& field, const TileIndex& tile) const {
    MemoKey memo{index, field_number(field), tile};
    auto found = memo_.find(memo);
    if (found != memo_.end()) return found->second;
    ContentKey made;
    if (passes(index, tile)) {
        made = made_key(maker(node(index).input, field), field, tile);
    } else if (std::optional<ContentKey> uniform = uniform_key(index, field)) {
        made = KeyMaker().add(*uniform).add(int64_t(tile.x)).add(int64_t(tile.y)).key().of_program(mark_);
    } else {
        made = computed_key(index, field, tile).of_program(mark_);
    }
    memo_.emplace(memo, made);
    return made;
}

std::optional<ContentKey> Plan::uniform_key(int index, const std::string& field) const {
    auto place = std::pair(index, field);
    auto found = uniform_.find(place);
    if (found != uniform_.end()) return found->second;
    const PlanNode& made = node(index);
    std::optional<ContentKey> result;
    if (made.kind != PlanNode::Kind::canvas) {
        KeyMaker maker;
        maker.add(made.signature).add(field);
        bool uniform = true;
        auto depends = [&](int on, const std::string& name) {
            std::optional<ContentKey> other =
                uniform ? uniform_key(this->maker(on, name), name) : std::nullopt;
            uniform = uniform && other;
            if (other) maker.add(name).add(*other);
        };
        for (const std::string& name : made.reads) depends(made.input, name);
        if (made.source >= 0) depends(made.source, made.source_field);
        if (made.mask >= 0) depends(made.mask, mask_name);
        if (uniform) result = maker.key();
    }
    uniform_[place] = result;
    return result;
}

std::optional<float> Plan::blank_value(int index, const std::string& field, const Rect& region) const {
    const PlanNode& made = node(maker(index, field));
    switch (made.kind) {
        case PlanNode::Kind::canvas: {
            if (region.empty()) return missing;
            for (const TileIndex& tile : tiles_over(region))
                if (made.canvas.tiles->find(tile)) return std::nullopt;
            return made.canvas.info.blank;
        }
        case PlanNode::Kind::thin:
        case PlanNode::Kind::halve:
        case PlanNode::Kind::place: {
            std::optional<float> value =
                blank_value(made.source, made.source_field, source_region(made, region));
            // Beyond the border of a source that is placed there is nothing, so only nothing is one value.
            if (made.kind == PlanNode::Kind::place && value && !is_missing(*value)) return std::nullopt;
            return value;
        }
        default:
            return std::nullopt;
    }
}

bool Plan::passes(int index, const TileIndex& tile) const {
    const PlanNode& made = node(index);
    if (made.kind != PlanNode::Kind::blend || made.reads.empty()) return false;
    Rect around = needed(made, tile.rect().intersected(made.grid.extent));
    std::optional<float> source = blank_value(made.source, made.source_field, around);
    if (source && is_missing(*source)) return true;
    std::optional<float> mask = made.mask < 0 ? std::nullopt : blank_value(made.mask, mask_name, around);
    return mask && !(*mask > 0);
}

ContentKey Plan::region_key(int index, const std::string& field, const Rect& region) const {
    KeyMaker keys;
    add_rect(keys, region);
    int made = maker(index, field);
    for (const TileIndex& tile : tiles_over(region)) keys.add(made_key(made, field, tile));
    return keys.key();
}

ContentKey Plan::whole_key(int index, const std::string& field) const {
    auto place = std::pair(maker(index, field), field);
    auto found = whole_.find(place);
    if (found != whole_.end()) return found->second;
    ContentKey key = region_key(index, field, node(place.first).grid.extent);
    whole_[place] = key;
    return key;
}

ContentKey Plan::computed_key(int index, const std::string& field, const TileIndex& tile) const {
    const PlanNode& made = node(index);
    if (made.kind == PlanNode::Kind::canvas) {
        // Beyond what was imported there is nothing, whatever the tile holds.
        KeyMaker keys;
        keys.add(made.canvas.key(tile));
        if (made.canvas.info.bounds) add_rect(keys, made.canvas.info.bounds->intersected(tile.rect()));
        return keys.key();
    }
    Rect region = tile.rect().intersected(made.grid.extent);
    KeyMaker keys;
    keys.add(made.signature).add(field).add(int64_t(tile.x)).add(int64_t(tile.y));
    auto depends = [&](int on, const std::string& name, const Rect& on_region) {
        keys.add(name);
        keys.add(made.halo ? region_key(on, name, on_region) : whole_key(on, name));
    };
    Rect around = needed(made, region);
    switch (made.kind) {
        case PlanNode::Kind::thin:
        case PlanNode::Kind::halve:
        case PlanNode::Kind::place: {
            Rect of_source = source_region(made, region);
            depends(made.source, made.source_field, of_source);
            break;
        }
        default:
            for (const std::string& name : made.reads) depends(made.input, name, around);
            if (made.source >= 0) depends(made.source, made.source_field, around);
            if (made.mask >= 0) depends(made.mask, mask_name, around);
    }
    return keys.key();
}

Rect Plan::source_region(const PlanNode& made, const Rect& region) const {
    const Rect extent = node(maker(made.source, made.source_field)).grid.extent;
    switch (made.kind) {
        case PlanNode::Kind::thin:
            return Rect{2 * region.left, 2 * region.top, 2 * region.right - 1, 2 * region.bottom - 1}
                .intersected(extent);
        case PlanNode::Kind::halve:
            return Rect{2 * region.left - 1, 2 * region.top - 1, 2 * region.right, 2 * region.bottom}
                .intersected(extent);
        default:
            return made.map.source_region(region).intersected(extent);
    }
}

std::vector<TileIndex> changed_tiles(const Plan& before, const Plan& after, const std::string& field) {
    std::vector<TileIndex> changed;
    auto has = [&](const Plan& plan) { return plan.node(plan.top()).has(field); };
    bool comparable = has(before) && has(after) && before.grid() == after.grid();
    for (const TileIndex& tile : tiles_over(after.window()))
        if (!comparable || before.key(before.top(), field, tile) != after.key(after.top(), field, tile))
            changed.push_back(tile);
    return changed;
}

}  // namespace caprock

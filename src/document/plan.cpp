#include "document/plan.h"

#include "base/error.h"
#include "base/text.h"
#include "document/placement.h"
#include "document/project_tile_store.h"
#include "operation/check.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

namespace caprock {

namespace {

// Cells (i, j) of the level are cells (i, j) times 2^level of the document.
int thinned_up(int cell, int level) { return -((-cell) >> level); }

Rect at_level(const Rect& rect, int level) {
    return {thinned_up(rect.left, level), thinned_up(rect.top, level), thinned_up(rect.right, level),
            thinned_up(rect.bottom, level)};
}

// What operations of a mask make.
constexpr const char* mask_name = "mask";

// The tiles of a canvas.
class CanvasSource : public TileSource {
  public:
    explicit CanvasSource(Canvas canvas) : canvas_(std::move(canvas)) {}

    Field read(const Rect& region) const override { return canvas_.read(region); }
    ContentKey key(const TileIndex& tile) const override {
        KeyMaker keys;
        keys.add(canvas_.key(tile));
        // Beyond what was imported there is nothing, whatever the tile holds.
        if (canvas_.info.bounds) {
            const Rect inside = canvas_.info.bounds->intersected(tile.rect());
            for (int side : {inside.left, inside.top, inside.right, inside.bottom}) keys.add(int64_t(side));
        }
        return keys.key();
    }
    std::optional<float> blank(const Rect& region) const override {
        for (const TileIndex& tile : tiles_over(region))
            if (canvas_.tiles->find(tile)) return std::nullopt;
        return canvas_.info.blank;
    }

  private:
    Canvas canvas_;
};

}  // namespace

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
        // A scope's counts from its first cell, that of a document from cell (0, 0).
        const double times = std::ldexp(1.0, level);
        if (state_.georeference)
            place_ = state_.georeference->of_cells(times * plan_.grid_.extent.left,
                                                   times * plan_.grid_.extent.top, times, times);
        // What nobody has put anything on is missing.
        plan_.set_top(stacked(state_.layers, on_ground(missing)));
    }

  private:
    // Without any fields.
    Scope empty_scope(const Grid& grid) const {
        Scope scope;
        scope.grid = grid;
        scope.georeference = place_;
        for (const DocumentLines& lines : state_.lines)
            scope.set_lines(lines.name, LinesFrom::these(lines.lines));
        return scope;
    }
    Scope on_ground(float height) {
        Scope scope = empty_scope(plan_.grid_);
        scope.set("height", plan_.constant(plan_.grid_, "height", height));
        return scope;
    }

    Scope stacked(const std::vector<Layer>& layers, Scope below) {
        for (const Layer& layer : layers) below = with_layer(layer, below);
        return below;
    }

    // It and those in it: what lies below is what there is with it.
    void leave_out(const Layer& layer, const Scope& below) {
        plan_.layers_[layer.id] = {below, below, std::nullopt, std::nullopt};
        for (const Layer& inside : layer.layers) leave_out(inside, below);
    }

    Scope with_layer(const Layer& layer, const Scope& below) {
        leave_out(layer, below);
        if (!layer.has_effect()) return below;
        size_t nodes_before = plan_.nodes().size();
        const Beginning beginning(begun_, layer.id);
        try {
            Content content = content_of(layer, below);
            std::optional<NodeField> mask = mask_of(layer, below);
            Scope after = below;
            for (const auto& [target, source] : targets_of(layer, content)) {
                // Where what lies below has become missing, that is what became of it. Any other content is missing where
                // the layer has nothing to say.
                bool changed_below = content.of_below && source == target;
                after.set(target,
                          blended(layer, after, content.fields.at(source), mask, target, changed_below));
            }
            take_made_lines(content.fields, after);
            PlannedLayer& planned = plan_.layers_[layer.id];
            planned.content = std::move(content.fields);
            planned.mask = std::move(mask);
            planned.after = after;
            return after;
        } catch (const Error& error) {
            plan_.problems_.push_back(fmt::format("layer {} ({}): {}", layer.id, layer.name, error.what()));
            plan_.forget_nodes(nodes_before);
            for_others_.clear();  // their nodes may be among those
            leave_out(layer, below);
            return below;
        }
    }

    // Lines that the layer made are there for those above it.
    static void take_made_lines(const Scope& made, Scope& after) {
        for (const std::string& name : made.line_names())
            if (const LinesFrom& lines = *made.find_lines(name); lines.node >= 0)
                after.set_lines(name, lines);
    }

    // ---- contents ----
    struct Content {
        Scope fields;
        std::optional<Scope> base = {};  // what it was made on; its fields are no part of the content
        bool of_below = false;           // the base is what lies below the layer
    };

    Content content_of(const Layer& layer, const Scope& below) {
        switch (layer.kind) {
            case LayerKind::generated: {
                Grid grid = plan_.grid_;
                if (layer.range) grid.range = *layer.range;
                const Scope begin = with_taken(layer, empty_scope(grid));
                Scope made = operated(layer, layer.operations, begin);
                return {placed_content(layer, without(made, begin))};
            }
            case LayerKind::adjustment: {
                const Scope begin = with_taken(layer, below);
                return {operated(layer, layer.operations, begin), begin, true};
            }
            case LayerKind::painted:
            case LayerKind::imported: {
                Scope made = empty_scope(plan_.grid_);
                for (const LayerCanvas& use : layer.canvases)
                    made.set(use.field, canvas_content(layer, use, layer.placement));
                return {made};
            }
            case LayerKind::group: {
                if (layer.puts_in_place()) return {stacked(layer.layers, below), below, true};
                Scope base = on_ground(layer.is_amount() ? 0.0f : missing);
                bool outside = std::exchange(by_itself_, true);
                Scope made = stacked(layer.layers, base);
                by_itself_ = outside;
                return {made, base};
            }
            case LayerKind::unknown:
                break;
        }
        return {below, below, true};
    }

    // ---- fields of other layers ----
    // A layer that is being planned, and so has nothing to take from yet.
    class Beginning {
      public:
        Beginning(std::set<int>& begun, int layer)
            : begun_(begun), layer_(layer), new_(begun.insert(layer).second) {}
        ~Beginning() {
            if (new_) begun_.erase(layer_);
        }
        Beginning(const Beginning&) = delete;
        Beginning& operator=(const Beginning&) = delete;

      private:
        std::set<int>& begun_;
        int layer_;
        bool new_;
    };

    Scope with_taken(const Layer& layer, Scope scope) {
        for (const LayerTake& taken : layer.takes) {
            const Scope& from = content_for_others(taken.layer);
            scope.set(taken.field, from.at(field_taken(taken, from)));
        }
        return scope;
    }

    // What a layer below makes, whether it is to be seen or not.
    const Scope& content_for_others(int id) {
        const Layer* layer = find_layer(state_.layers, id);
        if (!layer) throw Error(fmt::format("it takes from layer {}, which there is not any more", id));
        auto planned = plan_.layers_.find(id);
        if (planned == plan_.layers_.end() || begun_.contains(id))
            throw Error(fmt::format("it takes from layer {} ({}), which does not lie below it", id,
                                    one_line(layer->name)));
        if (planned->second.content) return *planned->second.content;
        if (auto known = for_others_.find(id); known != for_others_.end()) return known->second;
        const Beginning beginning(begun_, id);
        const Scope below = planned->second.below;
        return for_others_.emplace(id, content_of(*layer, below).fields).first->second;
    }

    static std::string field_taken(const LayerTake& taken, const Scope& from) {
        const std::vector<std::string> names = from.names();
        if (!taken.of.empty() && from.has(taken.of)) return taken.of;
        if (taken.of.empty()) {
            if (from.has(taken.field)) return taken.field;
            if (names.size() == 1) return names.front();
            for (const std::string& name : names)
                if (is_ground(name)) return name;
        }
        throw Error(fmt::format("it takes '{}' from layer {}, which has {}",
                                taken.of.empty() ? taken.field : taken.of, taken.layer,
                                names.empty() ? "nothing" : listed(names)));
    }

    // Of what was made, that which was not there.
    static Scope without(const Scope& made, const Scope& before) {
        Scope rest;
        rest.grid = made.grid;
        rest.georeference = made.georeference;
        for (const std::string& name : made.line_names()) rest.set_lines(name, *made.find_lines(name));
        for (const std::string& name : made.names()) {
            const NodeField* was = before.find(name);
            if (!was || made.at(name) != *was) rest.set(name, made.at(name));
        }
        return rest;
    }

    Scope operated(const Layer& layer, const std::vector<LayerOperation>& steps, Scope scope) {
        if (steps.empty()) throw Error("it has no operation");
        for (const LayerOperation& step : steps) {
            if (!step.operation) throw Error("it has an operation that this version does not know");
            scope = operated(layer, step.operation, scope);
        }
        return scope;
    }

    Scope operated(const Layer& layer, const std::shared_ptr<const Operation>& operation,
                   const Scope& scope) {
        Scope after =
            plan_.operated(scope, operation, layer.id, fmt::format("{}: {}", layer.name, operation->name()));
        if (after.grid != scope.grid)
            throw Error(fmt::format("{}: it changes the size of the terrain, which a layer cannot",
                                    operation->name()));
        return after;
    }

    NodeField canvas_content(const Layer& layer, const LayerCanvas& use, const Placement& placement) {
        const Canvas& canvas = plan_.snapshot_.canvas(use.canvas);
        NodeField made = canvas_field(layer, canvas, use.field);
        const CanvasInfo& info = canvas.info;
        bool of_grid =
            info.cell == state_.grid.cell && info.origin_x == 0 && info.origin_y == 0 && !info.bounds;
        if (of_grid && !placement.moves()) {
            for (int level = 0; level < plan_.level_; level++) made = plan_.coarser(Node::Kind::thin, made);
            return made;
        }
        return placed_field(layer, placement, made, info.cell, info.origin_x, info.origin_y);
    }

    NodeField canvas_field(const Layer& layer, const Canvas& canvas, const std::string& field) {
        Node node;
        node.kind = Node::Kind::source;
        node.owner = layer.id;
        node.source = std::make_shared<CanvasSource>(canvas);
        node.grid = plan_.grid_;
        node.grid.cell = canvas.info.cell;
        // As far as anything is painted, or was imported.
        node.grid.extent = canvas.info.bounds ? *canvas.info.bounds : painted_extent(canvas);
        node.makes = {field};
        return {plan_.add(std::move(node)), field};
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

    // All fields that the layer made, elsewhere.
    Scope placed_content(const Layer& layer, const Scope& made) {
        if (!layer.placement.moves()) return made;
        Scope placed = empty_scope(plan_.grid_);
        // At a level, the content was made at that level.
        for (const std::string& field : made.names())
            placed.set(field, placed_field(layer, layer.placement, made.at(field), plan_.grid_.cell, 0, 0));
        for (const std::string& name : made.line_names()) {
            LinesFrom lines = *made.find_lines(name);
            if (lines.node < 0) continue;
            lines.map = way_of(layer.placement);
            placed.set_lines(name, std::move(lines));
        }
        return placed;
    }

    NodeField placed_field(const Layer& layer, const Placement& placement, const NodeField& made, double cell,
                           double x, double y) {
        return plan_.placed(made, map_of(placement, plan_.grid_.cell, cell, x, y), plan_.grid_, made.field,
                            layer.id, fmt::format("{}: placing", layer.name));
    }

    // ---- masks and blending ----
    std::optional<NodeField> mask_of(const Layer& layer, const Scope& below) {
        Scope made = empty_scope(plan_.grid_);
        if (layer.mask.kind == LayerMask::Kind::none) return std::nullopt;
        if (layer.mask.kind == LayerMask::Kind::painted) {
            // Masks stay where they are painted when the layer is moved.
            made.set(mask_name, canvas_content(layer, {mask_name, layer.mask.canvas}, {}));
        } else {
            made = operated(layer, layer.mask.operations, with_taken(layer, below));
            if (!made.has(mask_name)) throw Error("its mask's operations make no field called 'mask'");
        }
        if (layer.mask.inverted) made = operated(layer, operation_with("mask-invert", {}), made);
        return made.at(mask_name);
    }

    // Which fields of the composition the layer changes, and by which of its own.
    std::vector<std::pair<std::string, std::string>> targets_of(const Layer& layer,
                                                                const Content& content) const {
        std::vector<std::string> made;
        for (const std::string& field : content.fields.names()) {
            const NodeField* before = content.base ? content.base->find(field) : nullptr;
            if (!before || content.fields.at(field) != *before) made.push_back(field);
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

    NodeField blended(const Layer& layer, const Scope& below, const NodeField& content,
                      const std::optional<NodeField>& mask, const std::string& target, bool changed_below) {
        std::unique_ptr<Operation> blend = layer.blend->clone();
        blend->set("field", target);
        blend->set("source", std::string(blend_source_name));
        blend->set("mask", std::string(blend_mask_name));
        blend->set("take-away", changed_below);
        blend->set("put", by_itself_);
        // Between two materials there is none.
        if (is_index(target)) blend->set("mode", std::string("replace"));
        if (is_ground(target) && stands_on_nothing(below) && !blend->fields().fills_missing)
            plan_.problems_.push_back(fmt::format(
                "layer {} ({}): it stands on nothing, and in the mode {} it needs something below it",
                layer.id, layer.name, blend_mode(layer)));
        Node node;
        node.kind = Node::Kind::operation;
        node.blends = true;
        node.owner = layer.id;
        node.title = fmt::format("{}: blending", layer.name);
        node.grid = node.input_grid = plan_.grid_;
        node.makes = {target};
        node.halo = blend->reach(plan_.grid_).halo();
        node.operation = std::move(blend);
        if (const NodeField* there = below.find(target)) {
            node.inputs.push_back({target, *there});
            node.passing = Node::Passing{0, 1, std::nullopt};
            if (mask) node.passing->mask = 2;
        } else {
            node.inputs.push_back({target, nothing_for(layer, content, target)});
        }
        node.inputs.push_back({blend_source_name, content});
        if (mask) node.inputs.push_back({blend_mask_name, *mask});
        return {plan_.add(std::move(node)), target};
    }

    // What a field is blended into that there was not. Where nobody painted hardness there is none; what a file or an operation
    // does not know is not known.
    NodeField nothing_for(const Layer& layer, const NodeField& content, const std::string& target) {
        if (is_hand_painted(layer, content.field)) return plan_.constant(plan_.grid_, target, 0);
        Node node;
        node.kind = Node::Kind::zero;
        node.owner = layer.id;
        node.grid = plan_.grid_;
        node.inputs = {{target, content}};
        node.makes = {target};
        return {plan_.add(std::move(node)), target};
    }

    bool is_hand_painted(const Layer& layer, const std::string& field) const {
        if (layer.kind != LayerKind::painted) return false;
        return std::ranges::any_of(layer.canvases, [&](const LayerCanvas& use) {
            return use.field == field && !plan_.snapshot_.canvas(use.canvas).info.computed;
        });
    }

    bool stands_on_nothing(const Scope& below) const {
        const Node& made = plan_.node(below.at("height").node);
        return made.kind == Node::Kind::constant && is_missing(made.value);
    }

    bool by_itself_ = false;           // in a group that does not see what lies below it
    std::set<int> begun_;              // layers whose content is being made
    std::map<int, Scope> for_others_;  // contents of layers that are not to be seen
    Plan& plan_;
    const DocumentState& state_;
    std::optional<Georeference> place_;  // of the level's first cell
};

Plan::Plan(const Snapshot& snapshot, int level, std::string_view program)
    : Graph(snapshot.store, program), snapshot_(snapshot), level_(std::clamp(level, 0, 16)) {
    // A level at which nothing is left shows nothing.
    while (level_ > 0 && at_level(snapshot.state->window, level_).empty()) level_--;
    Builder(*this).build();
}

const Scope* Plan::content(int layer) const {
    const std::optional<Scope>& content = layers_.at(layer).content;
    return content ? &*content : nullptr;
}

const NodeField* Plan::mask(int layer) const {
    const std::optional<NodeField>& mask = layers_.at(layer).mask;
    return mask ? &*mask : nullptr;
}

std::vector<TileIndex> changed_tiles(const Plan& before, const Plan& after, const std::string& field) {
    std::vector<TileIndex> changed;
    bool comparable = before.top().has(field) && after.top().has(field) && before.grid() == after.grid();
    for (const TileIndex& tile : tiles_over(after.window()))
        if (!comparable || before.key(before.top(), field, tile) != after.key(after.top(), field, tile))
            changed.push_back(tile);
    return changed;
}

}  // namespace caprock

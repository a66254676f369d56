#include "graph/graph.h"

#include "base/error.h"
#include "base/text.h"
#include "operation/check.h"
#include "operation/recipe.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <set>
#include <stdexcept>

namespace caprock {

namespace {

KeyMaker& add_rect(KeyMaker& maker, const Rect& rect) {
    return maker.add(int64_t(rect.left))
        .add(int64_t(rect.top))
        .add(int64_t(rect.right))
        .add(int64_t(rect.bottom));
}

KeyMaker& add_grid(KeyMaker& maker, const Grid& grid) {
    return add_rect(maker, grid.extent).add(grid.cell).add(grid.range.low).add(grid.range.high);
}

void add_name(std::vector<std::string>& names, const std::string& name) {
    if (!contains(names, name)) names.push_back(name);
}

// What an operation does, for its key. A text that no recipe can hold is like no other.
std::string meaning_of(const Operation& operation) {
    try {
        return operation_meaning(operation);
    } catch (const Error&) {
        static std::atomic<int64_t> others = 0;
        return fmt::format("{} {}", operation.name(), ++others);
    }
}

bool takes_from_elsewhere(Node::Kind kind) {
    return kind == Node::Kind::thin || kind == Node::Kind::halve || kind == Node::Kind::place;
}

}  // namespace

// ---- scopes ----------------------------------------------------------------------------------------------

const NodeField* Scope::find(std::string_view name) const {
    for (const auto& [known, field] : fields_)
        if (known == name) return &field;
    return nullptr;
}

const NodeField& Scope::at(std::string_view name) const {
    if (const NodeField* found = find(name)) return *found;
    throw std::logic_error("no node makes " + std::string(name));
}

void Scope::set(const std::string& name, NodeField field) {
    for (auto& [known, now] : fields_)
        if (known == name) {
            now = std::move(field);
            return;
        }
    fields_.emplace_back(name, std::move(field));
}

void Scope::remove(std::string_view name) {
    std::erase_if(fields_, [&](const auto& entry) { return entry.first == name; });
}

std::vector<std::string> Scope::names() const {
    std::vector<std::string> all;
    for (const auto& [name, field] : fields_) all.push_back(name);
    return all;
}

const LinesFrom* Scope::find_lines(std::string_view name) const {
    for (const auto& [known, lines] : lines_)
        if (known == name) return &lines;
    return nullptr;
}

void Scope::set_lines(const std::string& name, LinesFrom lines) {
    for (auto& [known, now] : lines_)
        if (known == name) {
            now = std::move(lines);
            return;
        }
    lines_.emplace_back(name, std::move(lines));
}

std::vector<std::string> Scope::line_names() const {
    std::vector<std::string> all;
    for (const auto& [name, lines] : lines_) all.push_back(name);
    return all;
}

Terrain Scope::shape() const {
    Terrain shape(grid);
    if (georeference) shape.set_georeference(*georeference);
    return shape;
}

namespace {

void add_map(KeyMaker& keys, const CellMap& map) {
    for (double part : {map.xx, map.xy, map.x0, map.yx, map.yy, map.y0}) keys.add(part);
}

}  // namespace

LineSet LinesFrom::placed(const LineSet& made) const {
    if (!map) return made;
    return made.mapped([&](LinePoint point) {
        const WorldPoint place = map->at(point.x, point.y);
        point.x = place.x;
        point.y = place.y;
        return point;
    });
}

// ---- building --------------------------------------------------------------------------------------------

Graph::Graph(std::shared_ptr<TileStore> store, std::string_view program)
    : store_(std::move(store)), program_(program), mark_(program_mark(program)) {}

int Graph::add(Node node) {
    if (node.kind != Node::Kind::operation) node.input_grid = node.grid;
    KeyMaker signature;
    signature.add(program_).add(int64_t(node.kind));
    if (node.operation) signature.add(meaning_of(*node.operation));
    add_grid(signature, node.grid);
    add_grid(signature, node.input_grid);
    add_map(signature, node.map);
    signature.add(double(node.value));
    for (const NodeInput& input : node.inputs) signature.add(input.name);
    for (const LinesInput& input : node.line_inputs) {
        const std::string bytes = input.from.content.lines.bytes();
        signature.add(input.name).add(input.from.name).add(key_of_bytes(bytes.data(), bytes.size()));
        if (input.from.map) add_map(signature, *input.from.map);
    }
    node.signature = signature.key();
    nodes_.push_back(std::move(node));
    return int(nodes_.size()) - 1;
}

NodeField Graph::constant(const Grid& grid, const std::string& field, float value) {
    Node node;
    node.grid = grid;
    node.makes = {field};
    node.value = value;
    return {add(std::move(node)), field};
}

Scope Graph::operated(const Scope& scope, const std::shared_ptr<const Operation>& operation, int owner,
                      const std::string& title, Composites composites) {
    return operated(scope, operation, {owner, title, composites, {}});
}

Scope Graph::operated(const Scope& scope, const std::shared_ptr<const Operation>& operation,
                      const Owning& owning) {
    const Grid& grid = scope.grid;
    Node node;
    node.kind = Node::Kind::operation;
    node.owner = owning.owner;
    node.title = owning.title;
    node.input_grid = grid;
    const std::vector<std::string> there = scope.names();
    named(operation->name(), [&] {
        // What is computed is what the key is of, whatever becomes of a file that is only named.
        std::unique_ptr<Operation> ready = with_files(*operation);
        ready->place_lines(scope.shape());
        node.operation = std::move(ready);
        check_lines(*node.operation, scope.line_names());
        std::vector<std::string> after = there;
        check_operation(*node.operation, grid, after);
        node.grid = operation->grid_after(grid);
        if (node.grid != grid) node.grid.check();
    });
    if (owning.composites == Composites::apart)
        if (const Parts parts = node.operation->parts(grid); !parts.empty())
            return with_parts(scope, *node.operation, parts, owning);
    const FieldUse use = operation->fields();
    std::vector<std::string> reads = use.inputs;
    node.makes = use.outputs;
    for (const std::string& name : use.optional_inputs)
        if (scope.has(name)) add_name(reads, name);
    if (use.every_field)
        for (const std::string& name : there) {
            add_name(reads, name);
            add_name(node.makes, name);
        }
    for (const std::string& name : reads) node.inputs.push_back({name, scope.at(name)});
    std::vector<std::string> line_reads = use.line_inputs;
    node.makes_lines = use.line_outputs;
    // Where the grid is another one, the places of all lines are others.
    if (node.grid != grid)
        for (const std::string& name : scope.line_names()) {
            add_name(line_reads, name);
            add_name(node.makes_lines, name);
        }
    for (const std::string& name : line_reads) node.line_inputs.push_back({name, *scope.find_lines(name)});
    const Reach reach = node.operation->reach(grid);
    node.halo = reach.halo();
    node.folds = reach.kind() == Reach::Kind::fold && node.grid == grid;
    const int widest = std::max(grid.extent.width(), grid.extent.height());
    if (const std::unique_ptr<const Simulation> simulation = node.operation->simulation(grid)) {
        node.in_steps = true;
        node.in_pages = reach.kind() != Reach::Kind::whole && simulation->reach() < widest;
    }
    node.simulates =
        node.in_steps || reach.kind() == Reach::Kind::steps || reach.kind() == Reach::Kind::whole;
    // A halo as wide as the terrain is all of it; and what changes the grid is made of everything.
    if (node.grid != grid || node.halo.value_or(0) >= widest) node.halo.reset();
    // Lines are of all cells.
    if (!node.makes_lines.empty()) {
        node.halo.reset();
        node.folds = false;
    }
    Scope after = scope;
    after.grid = node.grid;
    if (scope.georeference) after.georeference = operation->georeference_after(*scope.georeference);
    const std::vector<std::string> makes = node.makes, makes_lines = node.makes_lines;
    const int index = add(std::move(node));
    for (const std::string& name : makes) after.set(name, {index, name});
    for (const std::string& name : makes_lines) after.set_lines(name, {index, name, {}});
    steps_.push_back({index, operation, owning.within, scope, after});
    return after;
}

Scope Graph::with_parts(const Scope& scope, const Operation& whole, const Parts& parts,
                        const Owning& owning) {
    // Parts see what the whole declares, and what they have made; of that, others see what the whole makes.
    Scope inside;
    inside.grid = scope.grid;
    for (const std::string& name : declared_fields(whole, scope.names())) inside.set(name, scope.at(name));
    for (const std::string& name : whole.fields().line_inputs)
        inside.set_lines(name, *scope.find_lines(name));
    inside.georeference = scope.georeference;
    Owning of_parts = owning;
    of_parts.within.emplace_back(whole.name());
    for (const std::unique_ptr<Operation>& part : parts)
        inside = named(whole.name(), [&] { return operated(inside, part->clone(), of_parts); });
    Scope after = scope;
    for (const std::string& name : whole.fields().outputs)
        if (const NodeField* made = inside.find(name)) after.set(name, *made);
    for (const std::string& name : whole.fields().line_outputs)
        if (const LinesFrom* made = inside.find_lines(name)) after.set_lines(name, *made);
    steps_.back().after = after;
    return after;
}

NodeField Graph::coarser(Node::Kind kind, const NodeField& fine) {
    const Node& from = node(fine.node);
    auto half = [](int cell) { return -((-cell) >> 1); };
    const Rect& all = from.grid.extent;
    Node node;
    node.kind = kind;
    node.owner = from.owner;
    node.inputs = {{fine.field, fine}};
    node.makes = {fine.field};
    node.grid = from.grid;
    node.grid.extent = {half(all.left), half(all.top), half(all.right), half(all.bottom)};
    node.grid.cell *= 2;
    return {add(std::move(node)), fine.field};
}

NodeField Graph::placed(NodeField field, CellMap map, const Grid& grid, const std::string& name, int owner,
                        const std::string& title) {
    if (map.step() > 4096) throw Error("it is scaled to less than a four-thousandth of its size");
    while (!is_index(field.field) && map.step() >= 2 && node(field.node).grid.extent.width() > 1) {
        field = coarser(Node::Kind::halve, field);
        map = map.into_half();
    }
    Node node;
    node.kind = Node::Kind::place;
    node.owner = owner;
    node.title = title;
    node.inputs = {{field.field, field}};
    node.makes = {name};
    node.map = map;
    node.grid = grid;
    return {add(std::move(node)), name};
}

std::vector<int> Graph::nodes_under(const Scope& scope) const {
    std::set<int> wanted;
    for (const std::string& name : scope.names()) wanted.insert(scope.at(name).node);
    for (const std::string& name : scope.line_names())
        if (scope.find_lines(name)->node >= 0) wanted.insert(scope.find_lines(name)->node);
    std::vector<int> found;
    // What a node is made of has been there before it.
    while (!wanted.empty()) {
        const int last = *wanted.rbegin();
        wanted.erase(last);
        found.push_back(last);
        for (const NodeInput& input : node(last).inputs) wanted.insert(input.from.node);
        for (const LinesInput& input : node(last).line_inputs)
            if (input.from.node >= 0) wanted.insert(input.from.node);
    }
    return found;
}

// ---- regions ---------------------------------------------------------------------------------------------

Rect Graph::needed(const Node& node, const Rect& region) const {
    const Rect extent = takes_from_elsewhere(node.kind) ? this->node(node.inputs[0].from.node).grid.extent
                                                        : node.input_grid.extent;
    switch (node.kind) {
        case Node::Kind::thin:
            return Rect{2 * region.left, 2 * region.top, 2 * region.right - 1, 2 * region.bottom - 1}
                .intersected(extent);
        case Node::Kind::halve:
            return Rect{2 * region.left - 1, 2 * region.top - 1, 2 * region.right, 2 * region.bottom}
                .intersected(extent);
        case Node::Kind::place:
            return node.map.source_region(region).intersected(extent);
        default:
            if (node.folds) return region;
            return node.halo ? region.expanded(*node.halo).intersected(extent) : extent;
    }
}

std::optional<float> Graph::blank_value(const NodeField& field, const Rect& region) const {
    const Node& made = node(field.node);
    if (made.kind == Node::Kind::source) return region.empty() ? missing : made.source->blank(region);
    if (!takes_from_elsewhere(made.kind)) return std::nullopt;
    std::optional<float> value = blank_value(made.inputs[0].from, needed(made, region));
    // Beyond the border of a source that is placed there is nothing, so only nothing is one value.
    if (made.kind == Node::Kind::place && value && !is_missing(*value)) return std::nullopt;
    return value;
}

bool Graph::passes(const Node& made, const TileIndex& tile) const {
    if (!made.passing) return false;
    const Rect around = needed(made, tile.rect().intersected(made.grid.extent));
    std::optional<float> content = blank_value(made.inputs[made.passing->content].from, around);
    if (content && is_missing(*content)) return true;
    if (!made.passing->mask) return false;
    std::optional<float> mask = blank_value(made.inputs[*made.passing->mask].from, around);
    return mask && !(*mask > 0);
}

// ---- keys ------------------------------------------------------------------------------------------------

size_t Graph::MemoHash::operator()(const MemoKey& key) const {
    uint64_t h = uint64_t(uint32_t(key.node)) * 0x9e3779b97f4a7c15u ^ uint64_t(uint32_t(key.field)) << 48;
    h ^= (uint64_t(uint32_t(key.tile.x)) << 32 | uint32_t(key.tile.y)) * 0xc2b2ae3d27d4eb4fu;
    return size_t(h ^ (h >> 29));
}

int Graph::field_number(const std::string& field) const {
    return field_numbers_.emplace(field, int(field_numbers_.size())).first->second;
}

ContentKey Graph::key(const NodeField& field, const TileIndex& tile) const {
    std::lock_guard lock(*guard_);
    return made_key(field, tile);
}

ContentKey Graph::made_key(const NodeField& field, const TileIndex& tile) const {
    MemoKey memo{field.node, field_number(field.field), tile};
    auto found = memo_.find(memo);
    if (found != memo_.end()) return found->second;
    const Node& made_by = node(field.node);
    ContentKey made;
    if (passes(made_by, tile)) {
        made = made_key(made_by.inputs[made_by.passing->below].from, tile);
    } else if (std::optional<ContentKey> uniform = uniform_key(field)) {
        made = KeyMaker().add(*uniform).add(int64_t(tile.x)).add(int64_t(tile.y)).key().of_program(mark_);
    } else {
        made = computed_key(field, tile).of_program(mark_);
    }
    memo_.emplace(memo, made);
    return made;
}

std::optional<ContentKey> Graph::uniform_key(const NodeField& field) const {
    auto place = std::pair(field.node, field.field);
    auto found = uniform_.find(place);
    if (found != uniform_.end()) return found->second;
    const Node& made = node(field.node);
    std::optional<ContentKey> result;
    if (made.kind != Node::Kind::source) {
        KeyMaker maker;
        maker.add(made.signature).add(field.field);
        // Lines that are made are of cells.
        bool uniform = std::ranges::none_of(made.line_inputs,
                                            [](const LinesInput& input) { return input.from.node >= 0; });
        for (const NodeInput& input : made.inputs) {
            std::optional<ContentKey> other = uniform ? uniform_key(input.from) : std::nullopt;
            uniform = uniform && other;
            if (other) maker.add(input.name).add(*other);
        }
        if (uniform) result = maker.key();
    }
    uniform_[place] = result;
    return result;
}

ContentKey Graph::region_key(const NodeField& field, const Rect& region) const {
    KeyMaker keys;
    add_rect(keys, region);
    for (const TileIndex& tile : tiles_over(region)) keys.add(made_key(field, tile));
    return keys.key();
}

ContentKey Graph::whole_key(const NodeField& field) const {
    auto place = std::pair(field.node, field.field);
    auto found = whole_.find(place);
    if (found != whole_.end()) return found->second;
    ContentKey key = region_key(field, node(field.node).grid.extent);
    whole_[place] = key;
    return key;
}

ContentKey Graph::lines_key(int node) const {
    std::lock_guard lock(*guard_);
    return made_lines_key(node);
}

ContentKey Graph::made_lines_key(int index) const {
    if (auto found = of_lines_.find(index); found != of_lines_.end()) return found->second;
    const Node& made = node(index);
    KeyMaker keys;
    keys.add("lines").add(made.signature);
    for (const NodeInput& input : made.inputs) keys.add(input.name).add(whole_key(input.from));
    for (const LinesInput& input : made.line_inputs)
        if (input.from.node >= 0) keys.add(input.name).add(made_lines_key(input.from.node));
    return of_lines_[index] = keys.key();
}

ContentKey Graph::computed_key(const NodeField& field, const TileIndex& tile) const {
    const Node& made = node(field.node);
    if (made.kind == Node::Kind::source) return made.source->key(tile);
    KeyMaker keys;
    keys.add(made.signature).add(field.field).add(int64_t(tile.x)).add(int64_t(tile.y));
    const Rect around = needed(made, tile.rect().intersected(made.grid.extent));
    for (const NodeInput& input : made.inputs) {
        keys.add(input.name);
        keys.add(made.halo ? region_key(input.from, around) : whole_key(input.from));
    }
    for (const LinesInput& input : made.line_inputs)
        if (input.from.node >= 0) keys.add(input.name).add(made_lines_key(input.from.node));
    return keys.key();
}

}  // namespace caprock

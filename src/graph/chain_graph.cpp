#include "graph/chain_graph.h"

#include "base/error.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace caprock {

namespace {

class FieldSource : public TileSource {
  public:
    explicit FieldSource(const Field& field) : field_(field) {}

    Field read(const Rect& region) const override { return field_.cropped(region); }
    ContentKey key(const TileIndex& tile) const override {
        const Field cells = field_.cropped(tile.rect().intersected(field_.rect())).copied();
        return key_of_cells(cells.rows()[cells.rect().top], size_t(cells.rect().cells()));
    }
    const Field* in_memory() const override { return &field_; }

  private:
    Field field_;
};

// ---- where cells of one grid lie on another ----

// Whole cells are whole although coordinates of six digits before the point have few behind it.
double settled(double cells) {
    const double whole = std::round(cells);
    return std::abs(cells - whole) < 1e-6 ? whole : cells;
}

// From cells of one scope to those of another: by their places on Earth where both have one, else by metres from the first
// cell of each.
CellMap map_between(const Scope& to, const Scope& from, const std::string& name) {
    CellMap map;
    map.xx = map.yy = to.grid.cell / from.grid.cell;
    if (!to.georeference || !from.georeference) return map;
    if (to.georeference->projection != from.georeference->projection)
        throw Error(fmt::format(
            "'{}' is in another coordinate system than the terrain; bring one of them into that of "
            "the other, with gdalwarp for instance",
            name));
    // A transform counts from the first cell of the grid.
    auto origin = [](const Scope& scope) {
        return scope.georeference->at_cell(-scope.grid.extent.left, -scope.grid.extent.top);
    };
    const Coordinates there = origin(from);
    const Coordinates here = origin(to);
    // Coordinates grow to the north.
    map.x0 = settled((here.x - there.x) / from.grid.cell);
    map.y0 = settled((there.y - here.y) / from.grid.cell);
    return map;
}

// Along one axis: how the places of cells lie to those of others, each of which has the half of the way to the next.
enum class Cover { all, part, none };

Cover cover(double first, double last, int left, int right) {
    const double begin = pixels_to_cells(left), end = pixels_to_cells(right);
    if (last < begin || first >= end) return Cover::none;
    return first >= begin && last < end ? Cover::all : Cover::part;
}

Cover cover_of(const CellMap& map, const Rect& cells, const Rect& source) {
    const Cover across =
        cover(map.xx * cells.left + map.x0, map.xx * (cells.right - 1) + map.x0, source.left, source.right);
    const Cover down =
        cover(map.yy * cells.top + map.y0, map.yy * (cells.bottom - 1) + map.y0, source.top, source.bottom);
    if (across == Cover::none || down == Cover::none) return Cover::none;
    return across == Cover::all && down == Cover::all ? Cover::all : Cover::part;
}

// ---- building ----

class ChainBuilder {
  public:
    ChainBuilder(Graph& graph, std::span<const std::unique_ptr<Operation>> operations,
                 const ChainLinks& links, Composites composites)
        : graph_(graph), operations_(operations), links_(links), composites_(composites) {}

    Scope built(const ChainStart& start) {
        Scope scope = begun(start);
        if (links_.steps.empty())
            for (size_t i = 0; i < operations_.size(); i++) scope = operated(scope, i);
        for (const RecipeStep& step : links_.steps) {
            if (!step.from.empty()) scope = scope_to_begin_with(step.from);
            for (const TakenField& taken : step.takes) take(taken, scope);
            if (step.operation) scope = operated(scope, *step.operation);
            if (!step.name.empty()) named_[step.name] = scope;
        }
        return scope;
    }

  private:
    Scope begun(const ChainStart& start) {
        Scope scope;
        scope.grid = start.grid;
        scope.georeference = start.georeference;
        for (const auto& [name, lines] : start.lines) scope.set_lines(name, {-1, "", lines});
        for (const auto& [name, cells] : start.fields) {
            Node node;
            node.kind = Node::Kind::source;
            node.source = cells;
            node.grid = start.grid;
            node.makes = {name};
            scope.set(name, {graph_.add(std::move(node)), name});
        }
        return scope;
    }

    Scope operated(const Scope& scope, size_t index) {
        const Operation& operation = *operations_[index];
        // What its numbers are by is there for it alone.
        Scope with_maps = scope;
        std::vector<std::string> lent;
        for (const NumberMap& map : operation.maps()) {
            if (map.file().empty()) continue;
            lent.push_back(map.field());
            take({map.field(), input_name(map), map.field_of_file()}, with_maps);
        }
        Scope after = graph_.operated(with_maps, operation.clone(), int(index) + 1,
                                      std::string(operation.name()), composites_);
        for (const std::string& name : lent) after.remove(name);
        return after;
    }

    const Scope& named_scope(const std::string& name) {
        if (auto known = named_.find(name); known != named_.end()) return known->second;
        auto input = links_.inputs.find(name);
        if (input == links_.inputs.end())
            throw Error(fmt::format("there is no step and no input '{}'", name));
        return named_.emplace(name, begun(input->second)).first->second;
    }

    const Scope& scope_to_begin_with(const std::string& name) {
        if (auto input = links_.inputs.find(name); input != links_.inputs.end() && input->second.only_lines)
            throw Error(fmt::format(
                "from {0}: it is a file of lines, and has no land; 'take {0} as NAME' takes them", name));
        return named_scope(name);
    }

    // Lines are meant where they are called so, or where there is nothing else.
    static std::optional<std::string> lines_taken(const TakenField& taken, const Scope& from) {
        const std::vector<std::string> names = from.line_names();
        if (names.empty()) return std::nullopt;
        const std::string& wanted = taken.of.empty() ? taken.field : taken.of;
        if (from.has(wanted)) return std::nullopt;
        if (contains(names, wanted)) return wanted;
        if (!from.names().empty()) return std::nullopt;
        if (taken.of.empty() && names.size() == 1) return names.front();
        throw Error(
            taken.of.empty()
                ? fmt::format("say which lines of '{}' are taken: it has {}", taken.from, listed(names))
                : fmt::format("'{}' has no lines '{}'; it has {}", taken.from, taken.of, listed(names)));
    }

    void take_lines(const TakenField& taken, const std::string& name, const Scope& from, Scope& scope) const {
        check_line_name(taken.field);
        const LinesFrom& lines = *from.find_lines(name);
        const auto input = links_.inputs.find(taken.from);
        const bool of_file = input != links_.inputs.end() && input->second.only_lines;
        if (!of_file && from.grid == scope.grid && from.georeference == scope.georeference)
            return scope.set_lines(taken.field, lines);
        if (lines.node >= 0)
            throw Error(
                fmt::format("the lines '{}' are made on another grid than that of who takes them", name));
        const LineFile there =
            of_file ? lines.content : caprock::lines_from(lines.content.lines, from.shape());
        try {
            scope.set_lines(taken.field, LinesFrom::these(lines_on(there, scope.shape())));
        } catch (const Error& error) {
            throw Error(fmt::format("take {}: {}", taken_text(taken), error.what()));
        }
    }

    void take(const TakenField& taken, Scope& scope) {
        const Scope& from = named_scope(taken.from);
        if (const std::optional<std::string> lines = lines_taken(taken, from))
            return take_lines(taken, *lines, from, scope);
        const NodeField field = from.at(field_taken(taken, from));
        if (from.grid == scope.grid && from.georeference == scope.georeference)
            return scope.set(taken.field, field);
        const CellMap map = map_between(scope, from, taken.from);
        const Cover covered = cover_of(map, scope.grid.extent, from.grid.extent);
        if (covered == Cover::none)
            throw Error(
                fmt::format("'{}' lies elsewhere: it has no cell in common with the terrain", taken.from));
        if (covered == Cover::part && links_.tell)
            links_.tell(fmt::format("{} covers a part of the terrain; beyond it, {} is missing", taken.from,
                                    taken.field));
        scope.set(taken.field, graph_.placed(field, map, scope.grid, taken.field, 0, "taking " + taken.from));
    }

    // The one that is asked for; else the one of its new name, the only one, or the height.
    static std::string field_taken(const TakenField& taken, const Scope& from) {
        const std::vector<std::string> names = from.names();
        if (!taken.of.empty()) {
            if (from.has(taken.of)) return taken.of;
            throw Error(
                fmt::format("'{}' has no field '{}'; it has {}", taken.from, taken.of, listed(names)));
        }
        if (from.has(taken.field)) return taken.field;
        if (names.size() == 1) return names.front();
        for (const std::string& name : names)
            if (is_ground(name)) return name;
        throw Error(names.empty() ? fmt::format("'{}' has no fields yet", taken.from)
                                  : fmt::format("say which field of '{}' is taken: it has {}", taken.from,
                                                listed(names)));
    }

    Graph& graph_;
    std::span<const std::unique_ptr<Operation>> operations_;
    const ChainLinks& links_;
    Composites composites_;
    std::map<std::string, Scope> named_;
};

// A field of a source.
class SourceField : public TileSource {
  public:
    SourceField(TerrainSource& source, std::string name) : source_(source), name_(std::move(name)) {}

    Field read(const Rect& region) const override { return source_.read_field(name_, region); }
    ContentKey key(const TileIndex& tile) const override {
        return KeyMaker()
            .add(int64_t(reinterpret_cast<intptr_t>(&source_)))
            .add(name_)
            .add(int64_t(tile.x))
            .add(int64_t(tile.y))
            .key();
    }

  private:
    TerrainSource& source_;
    std::string name_;
};

}  // namespace

std::string input_name(const NumberMap& map) { return "@" + map.file(); }

ChainStart start_from(TerrainSource& source) {
    const Terrain shape = source.shape();
    ChainStart start;
    start.grid = shape.grid();
    if (shape.georeference()) start.georeference = *shape.georeference();
    for (const std::string& name : source.names())
        start.fields.emplace_back(name, std::make_shared<SourceField>(source, name));
    for (auto& [name, lines] : source.lines()) start.lines.emplace_back(name, LineFile{lines, ""});
    return start;
}

ChainStart whole_grid_from(const Terrain& terrain) {
    ChainStart start;
    start.grid = terrain.grid();
    if (terrain.georeference()) start.georeference = *terrain.georeference();
    for (const std::string& name : terrain.names())
        start.fields.emplace_back(name, std::make_shared<FieldSource>(terrain.field(name)));
    for (const std::string& name : terrain.line_names())
        start.lines.emplace_back(name, LineFile{terrain.lines(name), ""});
    return start;
}

ChainStart start_from(const Terrain& terrain) {
    ChainStart start = whole_grid_from(terrain);
    start.grid.extent = terrain.rect();
    return start;
}

Graph chain_graph(std::span<const std::unique_ptr<Operation>> chain, const ChainStart& start,
                  std::shared_ptr<TileStore> store, const ChainLinks& links, Composites composites) {
    Graph graph(std::move(store));
    graph.set_top(ChainBuilder(graph, chain, links, composites).built(start));
    return graph;
}

int64_t chain_passes(std::span<const std::unique_ptr<Operation>> chain, const Grid& grid) {
    int64_t passes = 0;
    for (const std::unique_ptr<Operation>& operation : chain)
        passes += std::max(1, operation->reach(grid).halo().value_or(1));
    return passes;
}

std::vector<const Node*> nodes_of_everything(const Graph& graph) {
    std::vector<const Node*> found;
    for (int index : graph.nodes_under(graph.top()))
        if (graph.node(index).sees_everything() && !graph.node(index).in_pages)
            found.push_back(&graph.node(index));
    return found;
}

}  // namespace caprock

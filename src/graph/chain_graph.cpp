#include "graph/chain_graph.h"

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

  private:
    Field field_;
};

}  // namespace

ChainStart start_from(const Terrain& terrain) {
    ChainStart start;
    start.grid = terrain.grid();
    start.grid.extent = terrain.rect();
    if (terrain.georeference()) start.georeference = *terrain.georeference();
    for (const std::string& name : terrain.names())
        start.fields.emplace_back(name, std::make_shared<FieldSource>(terrain.field(name)));
    return start;
}

Graph chain_graph(std::span<const std::unique_ptr<Operation>> chain, const ChainStart& start,
                  std::shared_ptr<TileStore> store) {
    Graph graph(std::move(store));
    Scope scope;
    scope.grid = start.grid;
    scope.georeference = start.georeference;
    for (const auto& [name, cells] : start.fields) {
        Node node;
        node.kind = Node::Kind::source;
        node.source = cells;
        node.grid = start.grid;
        node.makes = {name};
        scope.set(name, {graph.add(std::move(node)), name});
    }
    int step = 0;
    for (const std::unique_ptr<Operation>& operation : chain)
        scope = graph.operated(scope, operation->clone(), ++step, std::string(operation->name()));
    graph.set_top(std::move(scope));
    return graph;
}

std::vector<const Node*> nodes_of_everything(const Graph& graph) {
    std::vector<const Node*> found;
    for (int index : graph.nodes_under(graph.top()))
        if (graph.node(index).sees_everything()) found.push_back(&graph.node(index));
    return found;
}

}  // namespace caprock

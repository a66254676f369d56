// Lines in graphs: from step to step, taken from elsewhere, whole and in windows.
#include "base/error.h"
#include "graph/chain_graph.h"
#include "graph/evaluator.h"
#include "graph/executor.h"
#include "operation/sample_operations.h"
#include "support/refusals.h"
#include "support/same_terrain.h"
#include "support/terrains.h"
#include "terrain/line_text.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

using Operations = std::vector<std::unique_ptr<Operation>>;

// Makes a line along the diagonal, at the height of its middle.
struct Diagonal {
    std::string name = "diagonal";
    void describe(Declaration& d) const {
        d.summary("a line");
        d.text("name", name).help("of it");
        d.reads("height");
        d.makes_lines(name);
    }
    Reach reach(const Grid&) const { return Reach::point(); }
    void run(Work& work) const {
        const WorkTerrain& terrain = work.terrain();
        const WorldArea area = terrain.grid().span_of(terrain.rect());
        const float middle = terrain.height().at((terrain.rect().left + terrain.rect().right) / 2,
                                                 (terrain.rect().top + terrain.rect().bottom) / 2);
        work.terrain().set_lines(
            name,
            LineSet({{{{area.left, area.top, double(middle)}, {area.right, area.bottom, double(middle)}}}}));
    }
};

// Raises the ground by the height of the first point of some lines.
struct RaisedByLines {
    LinesValue path;
    void describe(Declaration& d) const {
        d.summary("higher");
        d.lines("path", path).help("by whose height");
        d.changes("height");
    }
    Reach reach(const Grid&) const { return Reach::point(); }
    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const double by = terrain.lines(path).lines().at(0).points.at(0).z;
        Field height = terrain.height().copied();
        for (int y = height.rect().top; y < height.rect().bottom; y++)
            for (int x = height.rect().left; x < height.rect().right; x++)
                height.set(x, y, float(double(height.at(x, y)) + by));
        terrain.set("height", std::move(height));
    }
};

// Twice as many cells each way, of half the size or of the same.
struct Doubled {
    bool keep_area = true;
    void describe(Declaration& d) const {
        d.summary("more cells");
        d.flag("keep-area", keep_area).help("in finer cells");
        d.changes("height");
        d.changes_every_field();
    }
    Reach reach(const Grid&) const { return Reach::whole(); }
    Grid grid_after(const Grid& grid) const {
        Grid larger = grid;
        larger.extent = {2 * grid.extent.left, 2 * grid.extent.top, 2 * grid.extent.right - 1,
                         2 * grid.extent.bottom - 1};
        if (keep_area) larger.cell /= 2;
        return larger;
    }
    void run(Work& work) const {
        Terrain after(grid_after(work.terrain().grid()));
        after.set("height", Field(after.rect(), 1));
        work.replace_terrain(std::move(after));
    }
};

template <typename Struct>
std::unique_ptr<Operation> of(const Struct& values, const char* name) {
    return std::make_unique<OperationOf<Struct>>(name, "tests", values);
}

Operations made_and_read() {
    Operations chain;
    chain.push_back(of(Diagonal{}, "diagonal"));
    chain.push_back(of(RaisedByLines{LinesValue::named("diagonal")}, "raised"));
    chain.push_back(of(Diagonal{"after"}, "diagonal"));
    return chain;
}

TEST(GraphLines, GoFromStepToStepWholeAndInWindows) {
    const Terrain land = rough_terrain({300, 280});
    const double middle = double(land.height().at(150, 140));
    RunContext context = on_cpu();
    const Graph graph =
        chain_graph(made_and_read(), whole_grid_from(land), std::make_shared<TileStore>(1 << 20));
    const Terrain whole = Executor().run(graph, context);
    EXPECT_EQ(whole.line_names(), (std::vector<std::string>{"diagonal", "after"}));
    EXPECT_EQ(whole.lines("diagonal").lines()[0].points[0].z, middle);
    EXPECT_EQ(whole.lines("after").lines()[0].points[0].z, double(float(middle + middle)));
    Evaluator evaluator(context);
    expect_same_fields(whole.cropped({13, 17, 40, 60}), evaluator.evaluate(graph, {13, 17, 40, 60}),
                       "a region");
    for (const char* name : {"after", "diagonal"})
        EXPECT_EQ(evaluator.lines(graph, graph.top(), name), whole.lines(name));
    EXPECT_NE(refusal([&] { evaluator.lines(graph, graph.top(), "roads"); }).find("diagonal and after"),
              std::string::npos);
    // Whoever has little memory is told beforehand: lines are of all cells, whatever an operation says of its reach.
    std::set<std::string> everything;
    for (const Node* node : nodes_of_everything(graph)) everything.insert(node->title);
    EXPECT_EQ(everything, std::set<std::string>{"diagonal"});
}

TEST(GraphLines, KeysFollowThem) {
    const Terrain land = rough_terrain({40, 30});
    auto key = [&](double z) {
        ChainStart start = whole_grid_from(land);
        start.lines = {{"roads", {LineSet({{{{1, 2, z}}}}), ""}}};
        Operations chain;
        chain.push_back(of(RaisedByLines{LinesValue::named("roads")}, "raised"));
        const Graph graph = chain_graph(chain, start, std::make_shared<TileStore>(1 << 20));
        return graph.key(graph.top(), "height", {0, 0});
    };
    EXPECT_EQ(key(1), key(1));
    EXPECT_NE(key(1), key(2));
    // Those that are made have the key of what they are made of.
    auto made_key = [&](const Terrain& from) {
        const Graph graph =
            chain_graph(made_and_read(), whole_grid_from(from), std::make_shared<TileStore>(1 << 20));
        return graph.key(graph.top(), "height", {0, 0});
    };
    // Only the middle differs, in another tile than the one that is asked for.
    Terrain wide = rough_terrain({600, 600});
    Terrain other = wide;
    Field height = wide.height().copied();
    height.set(300, 300, 7);
    other.set("height", height);
    EXPECT_NE(made_key(wide), made_key(other));
}

TEST(GraphLines, AreRemembered) {
    const Terrain land = rough_terrain({40, 30});
    RunContext context = on_cpu();
    Executor remembering = Executor::remembering();
    const Terrain first = remembering.run(made_and_read(), land, context);
    const Terrain second = remembering.run(made_and_read(), land, context);
    EXPECT_EQ(remembering.steps_run(), 0);
    expect_same(first, second, "remembered");
    Operations longer = made_and_read();
    longer.push_back(of(RaisedByLines{LinesValue::named("after")}, "raised"));
    expect_same(run_chain(longer, land, context), remembering.run(longer, land, context), "longer");
    EXPECT_EQ(remembering.steps_run(), 1);
}

TEST(GraphLines, AreTakenFromFilesAndOtherSteps) {
    Terrain land(Grid{Rect::of({20, 20}), 2, {0, 10}});
    land.set("height", Field(land.rect(), 1));
    ChainLinks links;
    ChainStart file;
    file.only_lines = true;
    file.lines = {{"roads", {parse_lines("4,6,5 8,8,5"), ""}}};
    links.inputs = {{"file", file}};
    links.steps = {{.takes = {{"mine", "file"}}, .operation = 0}};
    Operations chain;
    chain.push_back(of(RaisedByLines{LinesValue::named("mine")}, "raised"));
    RunContext context = on_cpu();
    const Terrain raised = Executor().run(chain_graph(chain, whole_grid_from(land), nullptr, links), context);
    EXPECT_EQ(raised.height().at(3, 3), 6);
    EXPECT_EQ(raised.lines("mine"), parse_lines("4,6,5 8,8,5"));
    // Errors say what there is.
    links.steps[0].takes[0].of = "paths";
    EXPECT_NE(
        refusal([&] { chain_graph(chain, whole_grid_from(land), nullptr, links); }).find("it has roads"),
        std::string::npos);
    links.steps[0] = {.from = "file", .operation = 0};
    EXPECT_NE(refusal([&] { chain_graph(chain, whole_grid_from(land), nullptr, links); }).find("no land"),
              std::string::npos);
    EXPECT_NE(
        refusal([&] { chain_graph(chain, whole_grid_from(land), nullptr); }).find("needs the lines 'mine'"),
        std::string::npos);
}

TEST(GraphLines, MoveWithAGridThatChanges) {
    Terrain land(Grid{Rect{0, 0, 9, 9}, 4, {0, 10}});
    land.set("height", Field(land.rect(), 1));
    land.set_lines("roads", parse_lines("0,0 8,12"));
    RunContext context = on_cpu();
    for (bool keep_area : {true, false}) {
        Operations chain;
        chain.push_back(of(Doubled{keep_area}, "doubled"));
        const Terrain after = run_chain(chain, land, context);
        EXPECT_EQ(after.lines("roads"), parse_lines(keep_area ? "0,0 8,12" : "0,0 16,24"));
    }
}

}  // namespace
}  // namespace caprock::test

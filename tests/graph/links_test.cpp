// Chains that take from more than one place: other steps, other files, other grids.
#include "graph/chain_graph.h"
#include "graph/evaluator.h"
#include "graph/executor.h"
#include "operation/evaluate.h"
#include "operation/sample_operations.h"
#include "support/same_terrain.h"
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

using Operations = std::vector<std::unique_ptr<Operation>>;

Operations operations_of(const std::vector<std::pair<std::string, Parameters>>& each) {
    Operations all;
    for (const auto& [name, parameters] : each) all.push_back(made_operation(name, parameters));
    return all;
}

std::shared_ptr<TileStore> small_store() { return std::make_shared<TileStore>(8 * tile_bytes); }

// By the executor and by the evaluator, which have to agree.
Terrain computed_both_ways(const Operations& operations, const ChainStart& start, const ChainLinks& links) {
    RunContext context = on_cpu();
    const Graph graph = chain_graph(operations, start, small_store(), links);
    const Terrain whole = Executor().run(graph, context);
    Evaluator evaluator(context);
    const Rect& all = whole.rect();
    for (const Rect& region :
         {Rect{all.right / 3, all.bottom / 4, all.right / 3 + 9, all.bottom / 4 + 6}, all})
        expect_same(whole.cropped(region), evaluator.evaluate(graph, region), "a region");
    const Graph together = chain_graph(operations, start, nullptr, links, Composites::together);
    expect_same(whole, Executor().run(together, context), "composites together");
    return whole;
}

ChainStart nothing_on(const Grid& grid) { return {grid, {}, {}}; }

// A plane whose cells say where they lie, in metres.
Terrain plane_of(Size size, double cell, const std::string& field, double east = 0, double south = 0) {
    Terrain terrain(grid_of(size, cell));
    terrain.set(field, made_field(terrain.rect(), [&](int x, int y) {
                    return float(east + x * cell + 1000 * (south + y * cell));
                }));
    return terrain;
}

Georeference placed_at(double x, double y, double cell, const std::string& system = "somewhere") {
    Georeference place;
    place.projection = system;
    place.transform = {x, cell, 0, y, 0, -cell};
    return place;
}

ChainLinks taking(const TakenField& taken, const Terrain& from) {
    ChainLinks links;
    links.steps = {{.takes = {taken}}};
    links.inputs[taken.from] = start_from(from);
    return links;
}

// ---- steps -----------------------------------------------------------------------------------------------

TEST(Links, AStepBeginsWithAnotherAndTakesFromAThird) {
    const Grid grid = grid_of({300, 270}, 4);
    const Operations operations = operations_of({{"noise", {{"seed", "3"}}},
                                                 {"smooth", {{"radius", "80"}}},
                                                 {"blend", {{"mode", "add"}, {"source", "source"}}}});
    ChainLinks links;
    links.steps = {{.operation = 0, .name = "base"},
                   {.operation = 1, .name = "soft"},
                   {.from = "base", .takes = {{"source", "soft", "height"}}, .operation = 2}};
    const Terrain made = computed_both_ways(operations, nothing_on(grid), links);

    RunContext context = on_cpu();
    Terrain expected = run(*operations[0], Terrain(grid), context);
    expected.set("source", run(*operations[1], expected, context).height());
    expect_same(run(*operations[2], expected, context), made, "by hand");
}

TEST(Links, WhatIsTakenStaysAndWhatIsLeftGoes) {
    const Operations operations = operations_of({{"noise", {}}, {"mask-slope", {}}, {"smooth", {}}});
    ChainLinks links;
    links.steps = {{.operation = 0, .name = "base"},
                   {.operation = 1, .name = "steep"},
                   {.from = "base", .takes = {{"where", "steep", "mask"}}},
                   {.operation = 2}};
    const Terrain made = computed_both_ways(operations, nothing_on(grid_of({50, 40}, 4)), links);
    EXPECT_EQ(made.names(), (std::vector<std::string>{"height", "where"}));
}

TEST(Links, EveryStepIsRunOnce) {
    Counted::runs.clear();
    Context context;
    Operations operations;
    for (const char* label : {"a", "b", "c"})
        operations.push_back(operation_with("test-count", {{"label", std::string(label)}}));
    ChainLinks links;
    links.steps = {{.operation = 0, .name = "a"},
                   {.operation = 1, .name = "b"},
                   {.from = "a", .operation = 2},
                   {.takes = {{"first", "a"}, {"second", "b"}}}};
    const Terrain start = terrain_over(odd_extent);
    const Graph graph = chain_graph(operations, start_from(start), nullptr, links);
    const Terrain made = Executor().run(graph, context);
    EXPECT_EQ(Counted::runs, (std::map<std::string, int>{{"a", 1}, {"b", 1}, {"c", 1}}));
    EXPECT_EQ(made.names(), (std::vector<std::string>{"height", "first", "second"}));
    EXPECT_EQ(made.field("second").at(0, 0), 1.5f * made.field("first").at(0, 0) + 1);
}

TEST(Links, WhoeverRemembersRunsTheBranchThatChanged) {
    Context context;
    Executor executor = Executor::remembering();
    const Terrain start = terrain_over(odd_extent);
    auto run_with = [&](double b, double c) {
        Operations operations;
        operations.push_back(operation_with("test-count", {{"label", std::string("a")}}));
        operations.push_back(operation_with("test-count", {{"label", std::string("b")}, {"amount", b}}));
        operations.push_back(operation_with("test-count", {{"label", std::string("c")}, {"amount", c}}));
        ChainLinks links;
        links.steps = {{.operation = 0, .name = "a"},
                       {.operation = 1, .name = "b"},
                       {.from = "a", .operation = 2},
                       {.takes = {{"second", "b", "height"}}}};
        const Graph graph = chain_graph(operations, start_from(start), nullptr, links);
        Counted::runs.clear();
        const Terrain made = executor.run(graph, context);
        std::string ran;
        for (const auto& [label, count] : Counted::runs) ran += label;
        expect_same(Executor().run(graph, context), made, "anew");
        return ran;
    };
    EXPECT_EQ(run_with(1, 1), "abc");
    EXPECT_EQ(run_with(1, 1), "");
    EXPECT_EQ(run_with(2, 1), "b");
    EXPECT_EQ(run_with(2, 3), "c");
}

TEST(Links, BranchesThatWaitCountAsMemory) {
    const Grid grid = grid_of({100, 100}, 4);
    auto bytes = [&](bool branch) {
        const Operations operations = operations_of({{"noise", {}}, {"smooth", {}}, {"smooth", {}}});
        ChainLinks links;
        links.steps = {{.operation = 0, .name = "base"}, {.operation = 1}, {.operation = 2}};
        if (branch) links.steps.push_back({.takes = {{"before", "base", "height"}}});
        return bytes_at_once(chain_graph(operations, nothing_on(grid), nullptr, links, Composites::together));
    };
    EXPECT_EQ(bytes(true), bytes(false) + 100 * 100 * sizeof(float));
}

// ---- other grids -----------------------------------------------------------------------------------------

TEST(Links, CellsOfTheSameGridAreTakenAsTheyAre) {
    Terrain land = rough_terrain({60, 50}, Holes::some);
    Terrain rock(land.grid());
    rock.set("height", rough_terrain({60, 50}, Holes::some).height());
    const Terrain made = computed_both_ways({}, start_from(land), taking({"hardness", "rock"}, rock));
    EXPECT_TRUE(identical(made.field("hardness"), rock.height()));
}

TEST(Links, PlacesOnEarthGoBeforeMetres) {
    // The other begins three cells to the east and two to the north, far from the origin of its system.
    Terrain land = plane_of({20, 20}, 10, "height");
    land.set_georeference(placed_at(500000.3, 5200000.7, 10));
    Terrain other = plane_of({40, 40}, 10, "height", 30, -20);
    other.set_georeference(placed_at(500000.3 + 30, 5200000.7 + 20, 10));
    Messages told;
    ChainLinks links = taking({"second", "other"}, other);
    links.tell = [&](const std::string& message) { told.push_back(message); };
    const Terrain made = computed_both_ways({}, start_from(land), links);
    const Field& second = made.field("second");
    for (int y = 0; y < 20; y++)
        for (int x = 3; x < 20; x++) ASSERT_EQ(second.at(x, y), land.height().at(x, y)) << x << ' ' << y;
    EXPECT_TRUE(is_missing(second.at(2, 5)));
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(told[0], "other covers a part of the terrain; beyond it, second is missing");
}

TEST(Links, WithoutAPlaceMetresFromTheFirstCellCount) {
    const Terrain land = plane_of({40, 30}, 5, "height");
    // Coarser, finer, and much finer: a plane is a plane in any cells.
    for (double cell : {10.0, 2.5, 0.5}) {
        const Terrain other = plane_of({int(300 / cell) + 1, int(300 / cell) + 1}, cell, "height");
        const Terrain made =
            computed_both_ways({}, start_from(land), taking({"second", "other", "height"}, other));
        for (int y = 4; y < 28; y++)
            for (int x = 4; x < 38; x++)
                ASSERT_NEAR(made.field("second").at(x, y), land.height().at(x, y), 0.02) << cell;
    }
}

// Cells that nobody has to hold, and how many were asked for at once.
class Measured : public TileSource {
  public:
    Field read(const Rect& region) const override {
        most_ = std::max(most_, region.cells());
        Field cells(region);
        Field::WritableRows rows = cells.writable_rows();
        for (int y = region.top; y < region.bottom; y++)
            for (int x = region.left; x < region.right; x++) rows[y][x - region.left] = float(x + y);
        return cells;
    }
    ContentKey key(const TileIndex& tile) const override {
        return KeyMaker().add(int64_t(tile.x)).add(int64_t(tile.y)).key();
    }
    int64_t most() const { return most_; }

  private:
    mutable int64_t most_ = 0;
};

TEST(Links, AFinerFileIsNeverHeldAsAWhole) {
    const auto source = std::make_shared<Measured>();
    ChainLinks links;
    links.steps = {{.takes = {{"second", "finer"}}}};
    links.inputs["finer"] = {grid_of({6000, 6000}, 1), {}, {{"height", source}}};
    RunContext context = on_cpu();
    const Graph graph = chain_graph({}, nothing_on(grid_of({60, 60}, 100)), nullptr, links);
    const Terrain made = Executor().run(graph, context);
    EXPECT_LE(source->most(), int64_t(1) << 24);
    EXPECT_GT(source->most(), 0);
    // At the border there are fewer cells to take the mean of.
    for (int y = 4; y < 56; y++)
        for (int x = 4; x < 56; x++) ASSERT_NEAR(made.field("second").at(x, y), 100 * (x + y), 0.1);
}

TEST(Links, IndicesAreNeverMixed) {
    const Terrain land = plane_of({40, 30}, 5, "height");
    Terrain other(grid_of({17, 13}, 13));
    other.set("height", made_field(other.rect(), [](int x, int y) { return float((x * 3 + y) % 4 * 2); }));
    for (const char* name : {"material", "height"}) {
        Terrain from(other.grid());
        from.set(name, other.height());
        const Terrain made =
            computed_both_ways({}, start_from(land), taking({"material", "other", name}, from));
        for (int y = 0; y < 30; y++)
            for (int x = 0; x < 40; x++) {
                const float value = made.field("material").at(x, y);
                ASSERT_TRUE(value == 0 || value == 2 || value == 4 || value == 6) << value;
            }
    }
}

TEST(Links, AStepOfAnotherSizeIsResampledToo) {
    const Terrain start = rough_terrain({60, 50}, Holes::none);
    const Operations operations = operations_of({{"expand", {}}, {"smooth", {}}});
    ChainLinks links;
    links.steps = {{.name = "before"},
                   {.operation = 0, .name = "larger"},
                   {.from = "before", .takes = {{"second", "larger", "height"}}, .operation = 1}};
    const Terrain made = computed_both_ways(operations, start_from(start), links);
    EXPECT_EQ(made.rect(), start.rect());
    // Cells are wider apart there, with nothing between them.
    EXPECT_LT(statistics(made.field("second")).missing, made.rect().cells());
}

// ---- refusals --------------------------------------------------------------------------------------------

TEST(Links, SayWhatIsWrong) {
    Terrain land = plane_of({20, 20}, 10, "height");
    land.set_georeference(placed_at(1000, 2000, 10));
    auto refusal = [&](const TakenField& taken, const Terrain& from) {
        return message_of([&] { chain_graph({}, start_from(land), nullptr, taking(taken, from)); });
    };
    Terrain far = plane_of({20, 20}, 10, "height");
    far.set_georeference(placed_at(90000, 2000, 10));
    EXPECT_EQ(refusal({"second", "far"}, far),
              "'far' lies elsewhere: it has no cell in common with the terrain");
    Terrain foreign = far;
    foreign.set_georeference(placed_at(1000, 2000, 10, "another system"));
    EXPECT_TRUE(has(refusal({"second", "foreign"}, foreign), "'foreign' is in another coordinate system"));
    Terrain two = plane_of({20, 20}, 10, "hardness");
    two.set("water", two.field("hardness"));
    EXPECT_EQ(refusal({"second", "two", "height"}, two),
              "'two' has no field 'height'; it has hardness and water");
    EXPECT_EQ(refusal({"second", "two"}, two),
              "say which field of 'two' is taken: it has hardness and water");
    EXPECT_EQ(refusal({"water", "two"}, two), "(no error)");
}

}  // namespace
}  // namespace caprock::test

// Chains as graphs: the cells of running the whole chain, whatever the region, the budget and the order they are asked for.
#include "graph/chain_graph.h"

#include "graph/evaluator.h"
#include "graph/executor.h"
#include "operation/kernel_operation.h"
#include "operation/presets.h"
#include "operation/recipe.h"
#include "soak/length.h"
#include "support/fields.h"
#include "support/folder.h"
#include "support/kernels.h"
#include "support/same_terrain.h"
#include "support/terrains.h"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>

namespace caprock::test {
namespace {

using Chain = std::vector<std::unique_ptr<Operation>>;

Chain chain_of(const std::vector<std::pair<std::string, Parameters>>& steps) {
    Chain chain;
    for (const auto& [name, parameters] : steps) chain.push_back(made_operation(name, parameters));
    return chain;
}

std::shared_ptr<TileStore> roomy() { return std::make_shared<TileStore>(uint64_t(256) << 20); }

void expect_like_the_whole(const Chain& chain, const Terrain& start, const std::shared_ptr<TileStore>& store,
                           const std::string& what) {
    RunContext context = on_cpu();
    const Terrain whole = run_chain(chain, start, context);
    const Graph graph = chain_graph(chain, start_from(start), store);
    ASSERT_EQ(graph.top().grid, whole.grid()) << what;
    EXPECT_EQ(graph.top().names(), whole.names()) << what;
    Evaluator evaluator(context);
    const Rect& all = whole.rect();
    const int w = all.width(), h = all.height();
    for (const Rect& region :
         {Rect{w / 3, h / 4, w / 3 + 7, h / 4 + 5}, Rect{0, 0, 1, 1}, Rect{w - 1, 0, w, h}, all})
        expect_same(whole.cropped(region), evaluator.evaluate(graph, region), what);
    ASSERT_EQ(bool(whole.georeference()), bool(graph.top().georeference)) << what;
    if (whole.georeference()) {
        EXPECT_EQ(whole.georeference()->transform, graph.top().georeference->transform) << what;
    }
}

Terrain land(Size size, Holes holes = Holes::some) {
    Terrain terrain = rough_terrain(size, holes);
    Georeference place;
    place.transform = {1000, 4, 0, 5000, 0, -4};
    terrain.set_georeference(place);
    return terrain;
}

TEST(ChainGraph, HasTheCellsOfTheWholeChain) {
    const std::vector<std::vector<std::pair<std::string, Parameters>>> chains = {
        {},
        {{"smooth", {{"radius", "30"}}}},
        {{"thermal-erosion", {{"steps", "9"}}}, {"smooth", {{"radius", "40"}}}},
        {{"mask-slope", {}}, {"mask-feather", {}}, {"levelling", {{"radius", "20"}}}},
        {{"normalise", {}}, {"thermal-erosion", {{"steps", "5"}}}},
        {{"materials", {}}, {"hardness", {}}, {"gradation", {}}},
        {{"table-mountain", {{"faults", "20"}}}, {"smooth", {}}},
        {{"expand", {}}, {"smooth", {{"radius", "10"}}}},
        {{"riverbed", {{"particles", "30"}, {"water", "true"}}}, {"hydraulic-erosion", {{"steps", "4"}}}},
        {{"cut-out", {}}, {"fill-holes", {}}},
        {{"decimate", {}}, {"interpolate", {}}},
    };
    for (const auto& steps : chains) {
        std::string what = steps.empty() ? "nothing" : steps.front().first;
        SCOPED_TRACE(what);
        Terrain start = land({300, 270});
        if (what == "cut-out")
            start.set("cut", made_field(start.rect(), [](int x, int) { return x % 7 == 0 ? 1.0f : 0.0f; }));
        try {
            expect_like_the_whole(chain_of(steps), start, roomy(), what);
        } catch (const Error& error) {
            ADD_FAILURE() << error.what();
        }
    }
}

TEST(ChainGraph, OfEveryPreset) {
    int turn = 0;
    for (const std::string& name : preset_names()) {
        // The figures of papers are alike but for their numbers.
        if (sanitized && turn++ % 4 != 0) continue;
        const Recipe recipe = preset(name, {});
        Grid grid = *recipe.grid;
        grid.extent = Rect::of({70, 50});
        expect_like_the_whole(recipe.operations, Terrain(grid), roomy(), name);
    }
}

TEST(ChainGraph, LittleMemoryGivesTheSameBits) {
    Chain chain = chain_of({{"thermal-erosion", {{"steps", "20"}}}, {"smooth", {{"radius", "100"}}}});
    Terrain start = land({900, 700});
    RunContext context = on_cpu();
    const Terrain whole = run_chain(chain, start, context);
    auto store = std::make_shared<TileStore>(2 * tile_bytes);
    const Graph graph = chain_graph(chain, start_from(start), store);
    Evaluator evaluator(context);
    for (int top = 0; top < 700; top += 100) {
        const Rect band{0, top, 900, top + 100};
        expect_same(whole.cropped(band), evaluator.evaluate(graph, band), "a band");
        EXPECT_LE(store->cache().bytes(), 2 * tile_bytes);
    }
}

// Somebody turns a knob and looks.
TEST(ChainGraph, WhatHasNotChangedIsNotComputedAgain) {
    auto store = roomy();
    Terrain start = land({600, 500}, Holes::none);
    RunContext context = on_cpu();
    Evaluator evaluator(context);
    auto look = [&](const std::string& seed, const std::string& radius) {
        Chain chain = chain_of({{"noise", {{"seed", seed}}},
                                {"thermal-erosion", {{"steps", "6"}}},
                                {"smooth", {{"radius", radius}}}});
        const Graph graph = chain_graph(chain, start_from(start), store);
        evaluator.clear_counts();
        evaluator.evaluate(graph, start.rect());
        return evaluator.computed_tiles();
    };
    EXPECT_EQ(look("1", "20").size(), 3u);
    EXPECT_EQ(look("1", "20").size(), 0u);
    const std::map<int, int64_t> smoothed = look("1", "30");
    EXPECT_EQ(smoothed.size(), 1u);
    EXPECT_TRUE(smoothed.contains(3));
    EXPECT_EQ(look("2", "30").size(), 3u);
    EXPECT_EQ(look("1", "20").size(), 0u) << "and back again";
}

// An operation that is made of others: a change to its last part does not run the first.
TEST(ChainGraph, PartsAreNodesOfTheirOwn) {
    auto store = roomy();
    Grid grid = grid_of({300, 300}, 4);
    RunContext context = on_cpu();
    Evaluator evaluator(context);
    auto look = [&](const std::string& erosion) {
        Chain chain = chain_of({{"table-mountain", {{"faults", "30"}, {"erosion", erosion}}}});
        const Graph graph = chain_graph(chain, start_from(Terrain(grid)), store);
        EXPECT_GT(graph.nodes().size(), 2u);
        evaluator.clear_counts();
        evaluator.evaluate(graph, grid.extent);
        return evaluator.operations_run();
    };
    const int64_t first = look("0.3");
    EXPECT_GT(first, 2);
    const int64_t second = look("0.4");
    EXPECT_GT(second, 0);
    EXPECT_LT(second, first);
}

TEST(ChainGraph, SaysWhatSeesEverything) {
    Chain chain = chain_of({{"smooth", {}},
                            {"normalise", {}},
                            {"mask-flow", {}},
                            {"linear-faults", {{"field", "other"}}},
                            {"thermal-erosion", {{"steps", "2"}}}});
    const Graph graph = chain_graph(chain, start_from(land({300, 200})), roomy());
    const std::vector<const Node*> found = nodes_of_everything(graph);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0]->title, "mask-flow") << "of all cells, others need a few numbers";
}

// What needs a few numbers of all cells has them from windows, in as little memory as others.
TEST(ChainGraph, FoldsEverythingInWindows) {
    const std::vector<std::vector<std::pair<std::string, Parameters>>> chains = {
        {{"normalise", {}}, {"smooth", {{"radius", "20"}}}},
        {{"smooth", {{"radius", "20"}}}, {"normalise", {}}, {"normalise", {{"field", "hardness"}}}},
        {{"linear-faults", {{"faults", "300"}, {"smooth", "30"}}}},
        {{"circular-faults", {{"faults", "300"}}}},
        {{"hardness-classes", {}}},
        {{"hardness-classes", {{"from", "height"}, {"classes", "3"}}}},
        {{"materials", {}}, {"hardness", {{"normalise", "true"}}}},
    };
    for (const auto& steps : chains) {
        SCOPED_TRACE(steps.front().first);
        const Terrain start = land({900, 700});
        RunContext context = on_cpu();
        const Chain chain = chain_of(steps);
        const Terrain whole = run_chain(chain, start, context);
        auto store = std::make_shared<TileStore>(2 * tile_bytes);
        const Graph graph = chain_graph(chain, start_from(start), store);
        EXPECT_TRUE(nodes_of_everything(graph).empty());
        Evaluator evaluator(context);
        evaluator.compute_together(1);
        for (const Rect& region : {Rect{0, 0, 900, 100}, Rect{300, 257, 600, 511}, Rect{899, 699, 900, 700}})
            expect_same(whole.cropped(region), evaluator.evaluate(graph, region), "a region");
    }
}

// ---- page by page ----------------------------------------------------------------------------------------------

TEST(ChainGraph, SimulationsInPagesHaveTheCellsOfTheWhole) {
    const std::vector<std::vector<std::pair<std::string, Parameters>>> chains = {
        {{"thermal-erosion", {{"steps", "150"}}}},
        {{"thermal-erosion", {{"duration", "60"}, {"scale", "16"}}}, {"smooth", {{"radius", "20"}}}},
        {{"hydraulic-erosion", {{"steps", "90"}}}, {"thermal-erosion", {{"steps", "80"}}}},
        {{"normalise", {}}, {"hydraulic-erosion", {{"duration", "80"}, {"scale", "16"}}}},
    };
    for (const auto& steps : chains) {
        SCOPED_TRACE(steps.front().first);
        // Coordinates that begin somewhere else.
        Terrain start = land({500, 420});
        Grid grid = start.grid();
        grid.extent = grid.extent.moved(1001, -777);
        Terrain elsewhere(grid);
        for (const std::string& name : start.names())
            elsewhere.set(name, start.field(name).moved(1001, -777));
        RunContext context = on_cpu();
        const Chain chain = chain_of(steps);
        const Terrain whole = run_chain(chain, elsewhere, context);
        const Graph graph =
            chain_graph(chain, start_from(elsewhere), std::make_shared<TileStore>(2 * tile_bytes));
        Evaluator evaluator(context);
        evaluator.compute_together(1);
        Folder folder;
        int simulations = 0;
        evaluator.before = [&](const std::string&) { simulations++; };
        // So little that blocks are of a few dozen cells.
        evaluator.run_in_pages(graph, {folder.path(), 3 << 20});
        EXPECT_GT(simulations, 0);
        for (const Rect& region : {whole.rect(), Rect{1100, -700, 1250, -600}})
            expect_same(whole.cropped(region), evaluator.evaluate(graph, region), "a region");
        EXPECT_TRUE(folder.names().empty()) << "what lies there has no name";
    }
}

// Kernels of one's own, too; but not where a step by itself sees all of the land.
TEST(ChainGraph, KernelsInPagesHaveTheCellsOfTheWhole) {
    auto kernel = [](const char* text, const Parameters& parameters) {
        std::unique_ptr<Operation> made = kernel_operation(text, "a.kernel");
        for (const auto& [name, value] : parameters) made->set_text(name, value);
        return made;
    };
    const Terrain start = land({500, 420});
    RunContext context = on_cpu();
    auto graph_of = [&](const Chain& chain) {
        return chain_graph(chain, start_from(start), std::make_shared<TileStore>(2 * tile_bytes));
    };
    for (const char* radius : {"8", "120"}) {
        SCOPED_TRACE(radius);
        Chain chain = chain_of({{"noise", {{"field", "rain"}}}});
        chain.push_back(kernel(creeping_kernel, {{"steps", "150"}, {"radius", radius}}));
        chain.push_back(kernel(coupled_kernel, {{"steps", "90"}}));
        chain.push_back(kernel(in_place_kernel, {{"steps", "90"}}));
        const Terrain whole = run_chain(chain, start, context);
        const Graph graph = graph_of(chain);
        EXPECT_TRUE(nodes_of_everything(graph).empty());
        Evaluator evaluator(context);
        evaluator.compute_together(1);
        Folder folder;
        std::vector<std::string> paged;
        evaluator.before = [&](const std::string& title) { paged.push_back(title); };
        evaluator.run_in_pages(graph, {folder.path(), 3 << 20});
        EXPECT_EQ(paged.size(), 2u) << "what is decided cell by cell needs no pages";
        for (const Rect& region : {whole.rect(), Rect{100, 70, 250, 200}})
            expect_same(whole.cropped(region), evaluator.evaluate(graph, region), "a region");
    }
    for (const auto& [text, parameters] : std::vector<std::pair<const char*, Parameters>>{
             {anywhere_kernel, {}}, {creeping_kernel, {{"radius", "2000"}}}}) {
        Chain chain;
        chain.push_back(kernel(text, parameters));
        const Graph graph = graph_of(chain);
        EXPECT_EQ(nodes_of_everything(graph).size(), 1u) << text;
    }
}

TEST(ChainGraph, PagesGoOnFromACheckpoint) {
    const Terrain start = land({400, 300});
    const Chain chain = chain_of({{"hydraulic-erosion", {{"steps", "600"}}}});
    RunContext context = on_cpu();
    const Terrain whole = run_chain(chain, start, context);
    Folder folder;
    const std::string path = folder / "a.checkpoint";
    Progress progress;
    context.progress = &progress;
    auto evaluate = [&](Checkpoint& checkpoint) {
        const Graph graph =
            chain_graph(chain, start_from(start), std::make_shared<TileStore>(2 * tile_bytes));
        Evaluator evaluator(context);
        evaluator.compute_together(1);
        context.checkpoint = &checkpoint;
        evaluator.run_in_pages(graph, {folder.path(), 3 << 20});
        return evaluator.evaluate(graph, start.rect());
    };
    {
        Checkpoint checkpoint(path, "a", 0);
        std::jthread killer([&](std::stop_token stop) {
            // Once something has been saved.
            while (!stop.stop_requested() && file_text(path).size() < size_t(400 * 300 * 4 * 3))
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            progress.cancel();
        });
        EXPECT_THROW(evaluate(checkpoint), Cancelled);
    }
    Progress again;
    context.progress = &again;
    Checkpoint checkpoint(path, "a", 0);
    EXPECT_TRUE(checkpoint.found());
    expect_same(whole, evaluate(checkpoint), "resumed");
}

TEST(ChainGraph, RefusesWhatCannotBeRun) {
    const Chain chain = chain_of({{"noise", {}}, {"gradation", {}}});
    try {
        chain_graph(chain, start_from(Terrain(grid_of({10, 10}))), roomy());
        ADD_FAILURE() << "there is no hardness";
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()), "gradation: needs the field 'hardness'; the terrain has height");
    }
}

// A node may read fields of several others, under names of its own.
TEST(Graph, ANodeReadsFromAnyOthers) {
    RunContext context = on_cpu();
    const Grid grid = grid_of({400, 300}, 4);
    Graph graph(roomy());
    Scope nothing;
    nothing.grid = grid;
    const Scope hills = graph.operated(nothing, made_operation("noise", {{"seed", "1"}}), 1, "hills");
    const Scope ridges =
        graph.operated(nothing, made_operation("noise", {{"seed", "2"}, {"kind", "ridged"}}), 2, "ridges");
    const Scope where = graph.operated(hills, made_operation("mask-noise"), 3, "where");
    Scope all = nothing;
    all.set("height", hills.at("height"));
    all.set("second", ridges.at("height"));
    all.set("mask", where.at("mask"));
    graph.set_top(
        graph.operated(all, made_operation("blend", {{"source", "second"}, {"mask", "mask"}}), 4, "both"));

    auto made = [&](const char* name, const Parameters& parameters, const Terrain& on) {
        return run(*made_operation(name, parameters), on, context);
    };
    Terrain expected = made("noise", {{"seed", "1"}}, Terrain(grid));
    expected.set("mask", made("mask-noise", {}, expected).field("mask"));
    expected.set("second", made("noise", {{"seed", "2"}, {"kind", "ridged"}}, Terrain(grid)).height());
    expected = made("blend", {{"source", "second"}, {"mask", "mask"}}, expected);
    Evaluator evaluator(context);
    const Rect region{123, 45, 300, 290};
    EXPECT_TRUE(identical(expected.height().cropped(region), evaluator.evaluate(graph, region).height()));
    EXPECT_EQ(graph.nodes_under(graph.top()).size(), 4u);
    EXPECT_EQ(graph.nodes_under(hills).size(), 1u);
}

}  // namespace
}  // namespace caprock::test

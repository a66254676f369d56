#include "graph/evaluator.h"

#include "document/documents.h"
#include "document/plan.h"
#include "document/project_tile_store.h"
#include "support/places.h"
#include "support/same_terrain.h"

#include <gtest/gtest.h>
#include <thread>

namespace caprock::test {
namespace {

// Twenty layers of every kind, with masks, groups, places and modes.
void add_twenty_layers(Document& document) {
    int base = add_generated(document, {{"feature", "600"}, {"octaves", "5"}}, layer_with("Base"));
    add_generated(document, {{"kind", "ridged"}, {"feature", "300"}, {"octaves", "4"}, {"seed", "5"}},
                  layer_with("Ridges", "multi-resolution", 0.6));
    add_operations(document, operations_of("noise", {{"field", "hardness"}, {"feature", "200"}}),
                   layer_with("Hardness"));
    add_operations(document, operations_of("smooth", {{"radius", "30"}}),
                   layer_with("Smoothed", "lerp", 0.5));
    int painted = add_painted(document, "height", layer_with("Painted", "add"));
    for (uint32_t i = 0; i < 5; i++) stroke(document, painted, 40 + 60 * i, 50, 300, 40 + 50 * i, 30, 20, i);
    set_mask(document,
             add_operations(document, operations_of("levelling", {{"radius", "12"}}), layer_with("Levelled")),
             operations_of("mask-slope", {{"between", "10:30"}}));
    int turned =
        add_generated(document, {{"feature", "150"}, {"seed", "9"}}, layer_with("Turned", "smooth-max"));
    set_layer(document, turned,
              {{"rotate", "30"}, {"move", "100,-50"}, {"scale", "0.8"}, {"range", "0:200"}});
    int masked =
        add_generated(document, {{"feature", "100"}, {"seed", "11"}}, layer_with("Masked", "add", 0.2));
    paint_mask(document, masked, 0);
    document.change("paint mask", [&](Edit& edit) {
        int canvas = mask_canvas_of(document.state(), masked);
        edit.write(canvas, dab(edit.read(canvas, {100, 20, 300, 180}), 200, 100, 90, 1));
    });
    add_operations(document, operations_of("thermal-erosion", {{"steps", "6"}}),
                   layer_with("Talus", "lerp", 0.8));
    int inverted =
        add_generated(document, {{"seed", "21"}, {"feature", "90"}}, layer_with("Inverted", "subtract", 0.1));
    set_mask(document, inverted, operations_of("mask-height", {{"between", "80:160"}, {"softness", "30"}}));
    set_layer(document, inverted, {{"invert-mask", "true"}});
    for (const char* mode : {"multiply", "min", "max", "overlay", "difference"}) {
        Layer settings = layer_with(mode, mode, 0.3);
        add_generated(document, {{"seed", std::to_string(30 + mode[0])}, {"feature", "250"}}, settings);
    }
    int a = add_generated(document, {{"seed", "41"}, {"feature", "70"}}, layer_with("In group", "add", 0.05));
    int b =
        add_operations(document, operations_of("smooth", {{"radius", "16"}}), layer_with("Smooth in group"));
    int group = add_group(document, "Group", {a, b});
    set_layer(document, group, {{"opacity", "0.7"}});
    set_mask(document, group, operations_of("mask-noise", {{"feature", "200"}}));
    add_operations(document, operations_of("normalise"), layer_with("Normalised"));
    add_operations(document, operations_of("gradation", {{"erosion", "0.1"}}), layer_with("Worn"));
    EXPECT_GT(base, 0);
}

class Evaluating : public testing::Test {
  protected:
    Folder folder;
    RunContext context = cpu_context();

    std::unique_ptr<Document> made(const Grid& grid, const std::string& name = "a.caprock") {
        return Document::create(folder / name, grid);
    }
};

TEST_F(Evaluating, ATileEqualsTheWholeInADocumentOfTwentyLayers) {
    auto document = made(grid_of(700, 530));
    add_twenty_layers(*document);
    Plan plan(document->snapshot());
    EXPECT_TRUE(plan.problems().empty()) << plan.problems().front();
    Terrain whole = Evaluator(context).evaluate(plan, plan.window());
    EXPECT_GT(statistics(whole.height()).deviation, 1);
    for (const Rect& region : {Rect{0, 0, 64, 64}, Rect{250, 250, 262, 300}, Rect{511, 500, 700, 530},
                               Rect{17, 300, 699, 301}, Rect{256, 0, 512, 256}}) {
        // Nothing is known but what each region needs.
        document->store()->cache().clear();
        Terrain part = Evaluator(context).evaluate(plan, region);
        expect_same(whole.cropped(region), part, "a region");
    }
}

TEST_F(Evaluating, EveryDeviceAndThreadCountGivesTheSame) {
    auto document = made(grid_of(300, 270));
    add_twenty_layers(*document);
    uint64_t expected = 0;
    for (const NamedDevice& named : all_devices()) {
        // The project file remembers, too: each device has a document of its own.
        auto own = made(grid_of(300, 270), "on" + std::to_string(&named - all_devices().data()) + ".caprock");
        add_twenty_layers(*own);
        RunContext on_device = on(named.device);
        uint64_t found = fingerprint(evaluated(*own, on_device).height());
        if (expected == 0) expected = found;
        EXPECT_EQ(found, expected) << named.name;
    }
}

// ---- what is computed again ----

int64_t sum_of(const std::map<int, int64_t>& counts) {
    int64_t sum = 0;
    for (const auto& [layer, count] : counts) sum += count;
    return sum;
}

TEST_F(Evaluating, AStrokeComputesTheTilesItTouchesAndThoseThatSeeThem) {
    auto document = made(grid_of(2048, 2048));  // 8 x 8 tiles
    add_generated(*document, {{"feature", "900"}}, layer_with("Ground"));
    int painted = add_painted(*document, "height", layer_with("Painted", "add"));
    int smooth = add_operations(*document, operations_of("smooth", {{"radius", "40"}}), layer_with("Smooth"));
    int top = add_generated(*document, {{"seed", "3"}}, layer_with("Top", "add", 0.1));
    Evaluator evaluator(context);
    auto compute = [&] {
        Plan plan(document->snapshot());
        evaluator.clear_counts();
        return evaluator.evaluate(plan, plan.window());
    };
    compute();
    EXPECT_EQ(evaluator.computed_tiles().at(smooth), 2 * 64) << "content and blend of every tile";
    compute();
    EXPECT_EQ(sum_of(evaluator.computed_tiles()), 0) << "nothing has changed";

    // In one tile: it, and the eight around it that see a part of it through the smoothing.
    Plan before(document->snapshot());
    stroke(*document, painted, 3 * 256 + 128, 2 * 256 + 128, 3 * 256 + 130, 2 * 256 + 130, 20, 30);
    Plan after(document->snapshot());
    EXPECT_EQ(changed_tiles(before, after, "height"), tiles_over({2 * 256, 256, 5 * 256, 4 * 256}));
    compute();
    EXPECT_EQ(evaluator.computed_tiles().at(painted), 1);
    EXPECT_EQ(evaluator.computed_tiles().at(smooth), 2 * 9);
    EXPECT_EQ(evaluator.computed_tiles().at(top), 9) << "its own content is known";

    // At the corner of four tiles: all of them change, and twelve around them.
    Plan second(document->snapshot());
    stroke(*document, painted, 4 * 256, 4 * 256, 4 * 256 + 1, 4 * 256, 8, 30);
    EXPECT_EQ(changed_tiles(second, Plan(document->snapshot()), "height").size(), 16u);
    compute();
    EXPECT_EQ(evaluator.computed_tiles().at(painted), 4);
    EXPECT_EQ(evaluator.computed_tiles().at(top), 16);

    // Undone, everything is known.
    document->undo();
    compute();
    EXPECT_EQ(sum_of(evaluator.computed_tiles()), 0);

    // A layer in the middle: it and what is above, not what is below.
    set_layer(*document, smooth, {{"opacity", "0.5"}});
    compute();
    EXPECT_EQ(evaluator.computed_tiles().size(), 2u);
    EXPECT_EQ(evaluator.computed_tiles().at(smooth), 64) << "the blend alone";
    EXPECT_EQ(evaluator.computed_tiles().at(top), 64);
}

TEST_F(Evaluating, AskedForARegionItComputesWhatTheRegionNeeds) {
    auto document = made(grid_of(2048, 2048));
    int ground = add_generated(*document, {{"feature", "900"}}, layer_with("Ground"));
    int smooth = add_operations(*document, operations_of("smooth", {{"radius", "40"}}), layer_with("Smooth"));
    Plan plan(document->snapshot());
    Evaluator evaluator(context);
    evaluator.evaluate(plan, {3 * 256, 3 * 256, 4 * 256, 4 * 256});
    EXPECT_EQ(evaluator.computed_tiles().at(smooth), 2);
    EXPECT_EQ(evaluator.computed_tiles().at(ground), 2 * 9) << "the tile and its neighbours";
}

// To a blend a missing cell is one without effect; an adjustment that takes cells away means it.
TEST_F(Evaluating, AnAdjustmentMayLeaveCellsMissing) {
    auto document = made(grid_of(300, 200));
    add_generated(*document, {}, layer_with("Ground"));
    EXPECT_EQ(statistics(evaluated(*document, context).height()).missing, 0);
    int thinned = add_operations(*document, operations_of("decimate"), layer_with("Thinned"));
    Terrain plain = evaluated(*document, context);
    EXPECT_GT(statistics(plain.height()).missing, 100);
    set_layer(*document, thinned, {{"visible", "false"}});
    EXPECT_EQ(statistics(evaluated(*document, context).height()).missing, 0);
}

TEST_F(Evaluating, FieldsMayHaveTheNamesThatBlendsUse) {
    auto document = made(grid_of(300, 200));
    for (const char* field : {"mask", "source"}) {
        add_generated(*document, {{"field", field}, {"seed", "5"}}, layer_with("Noise"));
        Terrain plain = evaluated(*document, context);
        std::unique_ptr<Operation> noise = made_operation("noise", {{"field", field}, {"seed", "5"}});
        EXPECT_TRUE(identical(plain.field(field), run(*noise, Terrain(plain.grid()), context).field(field)))
            << field;
    }
}

TEST_F(Evaluating, WhatTakesLongIsNotComputedAgainTomorrow) {
    // Sanitized, less takes as long.
    const auto talus = operations_of("thermal-erosion", {{"steps", sanitized ? "60" : "300"}});
    {
        auto document = made(grid_of(600, 500));
        add_generated(*document, {}, layer_with("Ground"));
        add_operations(*document, talus, layer_with("Talus"));
        Plan plan(document->snapshot());
        Evaluator(context).evaluate(plan, plan.window());
    }
    auto document = Document::open(folder / "a.caprock");
    Plan plan(document->snapshot());
    Evaluator evaluator(context);
    std::vector<std::string> long_work;
    evaluator.before = [&](const std::string& title) { long_work.push_back(title); };
    Terrain again = evaluator.evaluate(plan, plan.window());
    EXPECT_TRUE(long_work.empty()) << long_work.front() << " was run again";
    // The same bits as without any memory.
    auto fresh = made(grid_of(600, 500), "fresh.caprock");
    add_generated(*fresh, {}, layer_with("Ground"));
    add_operations(*fresh, talus, layer_with("Talus"));
    EXPECT_TRUE(identical(again.height(), evaluated(*fresh, context).height()));
}

TEST_F(Evaluating, WhatSeesEverythingIsComputedOnceAlsoInLittleMemoryWithoutAFileToWriteTo) {
    made(grid_of(1024, 1024))->change("layers", [](Edit&) {});
    {
        auto document = Document::open(folder / "a.caprock");
        add_generated(*document, {}, layer_with("Ground"));
        add_operations(*document, operations_of("mask-flow"), layer_with("Streams"));
    }
    auto document = Document::open(folder / "a.caprock", {.memory = 4 * tile_bytes, .read_only = true});
    Plan plan(document->snapshot());
    Evaluator evaluator(context);
    int whole = 0;
    evaluator.before = [&](const std::string&) { whole++; };
    for (const TileIndex& tile : tiles_over(plan.window())) evaluator.evaluate(plan, tile.rect());
    EXPECT_EQ(whole, 1);
}

TEST_F(Evaluating, WhatIsRememberedDoesNotGrowWithoutEnd) {
    auto document = made(grid_of(256, 256));
    document->with_file([&](ProjectFile& file) {
        for (int i = 0; i < 10; i++) {
            FileChange change;
            change.remembered.push_back(
                {KeyMaker().add(int64_t(i)).key(), std::make_shared<const std::string>(1000, 'x')});
            file.write(change);
        }
        file.limit_remembered(20000);
        EXPECT_EQ(file.database().integer("SELECT count(*) FROM cache"), 10);
        file.limit_remembered(3500);
        EXPECT_EQ(file.database().integer("SELECT count(*) FROM cache"), 3);
        EXPECT_EQ(file.database().integer("SELECT min(id) FROM cache"), 8) << "the oldest go";
    });
}

TEST_F(Evaluating, APreviewHoldsTheCellsOfTheWholeWhereLayersLookAtOneCellEach) {
    auto document = made(grid_of(1000, 777));
    add_generated(*document, {{"feature", "2000"}, {"octaves", "3"}}, layer_with("Ground"));
    int painted = add_painted(*document, "height", layer_with("Painted", "add"));
    stroke(*document, painted, 100, 100, 700, 600, 80, 50);
    int masked =
        add_generated(*document, {{"feature", "1500"}, {"octaves", "2"}}, layer_with("Masked", "max"));
    paint_mask(*document, masked, 0.25);
    Terrain whole = evaluated(*document, context);
    for (int level : {1, 2, 4}) {
        Plan plan(document->snapshot(), level);
        Terrain preview = Evaluator(context).evaluate(plan, plan.window());
        EXPECT_EQ(preview.rect().width(), (1000 + (1 << level) - 1) >> level);
        int differing = 0;
        for (int y = 0; y < preview.rect().bottom; y++)
            for (int x = 0; x < preview.rect().right; x++)
                differing += preview.height().at(x, y) != whole.height().at(x << level, y << level);
        EXPECT_EQ(differing, 0) << "level " << level;
    }
    // So far away that nothing would be left.
    EXPECT_FALSE(Plan(document->snapshot(), 30).window().empty());
}

TEST_F(Evaluating, ACancelledEvaluationIsTakenUpAgain) {
    auto document = made(grid_of(900, 900));
    add_generated(*document, {}, layer_with("Ground"));
    add_operations(*document, operations_of("thermal-erosion", {{"steps", "200"}}), layer_with("Talus"));
    Plan plan(document->snapshot());
    Progress* running = nullptr;
    Progress progress([&](double share) {
        if (share > 0.3) running->cancel();
    });
    running = &progress;
    RunContext cancelling = context;
    cancelling.progress = &progress;
    Evaluator evaluator(cancelling);
    EXPECT_THROW(evaluator.evaluate(plan, plan.window()), Cancelled);
    EXPECT_EQ(cancelling.progress, &progress);
    Terrain result = Evaluator(context).evaluate(plan, plan.window());
    EXPECT_EQ(statistics(result.height()).missing, 0);
}

TEST_F(Evaluating, TheDocumentGoesOnWhileItIsEvaluated) {
    auto document = made(grid_of(1024, 1024));
    add_generated(*document, {}, layer_with("Ground"));
    int painted = add_painted(*document, "height", layer_with("Painted", "add"));
    add_operations(*document, operations_of("smooth", {{"radius", "50"}}), layer_with("Smooth"));
    struct Asked {
        std::shared_ptr<const Plan> plan;
        uint64_t found = 0;
    };
    std::vector<Asked> asked(12);
    std::vector<std::thread> threads;
    for (uint32_t i = 0; i < asked.size(); i++) {
        stroke(*document, painted, 100 + 60 * i, 100, 900 - 50 * i, 900, 60, 10, i);
        if (i % 4 == 3) document->undo();
        asked[i].plan = std::make_shared<const Plan>(document->snapshot());
        threads.emplace_back([&one = asked[i]] {
            RunContext own = cpu_context();
            one.found = fingerprint(Evaluator(own).evaluate(*one.plan, one.plan->window()).height());
        });
    }
    for (std::thread& thread : threads) thread.join();
    // Each is of the moment it was asked for, though the tiles have long been replaced.
    document->flush();
    document->store()->cache().clear();
    for (const Asked& one : asked)
        EXPECT_EQ(fingerprint(Evaluator(context).evaluate(*one.plan, one.plan->window()).height()),
                  one.found);
}

TEST_F(Evaluating, LittleMemoryGivesTheSameBits) {
    auto document = made(grid_of(700, 600));
    add_twenty_layers(*document);
    uint64_t expected = height_fingerprint(*document);
    document.reset();
    // Ten tiles, for a document that computes a hundred.
    document = Document::open(folder / "a.caprock", {.memory = 10 * tile_bytes});
    document->with_file([](ProjectFile& file) { file.database().run("DELETE FROM cache"); });
    EXPECT_EQ(height_fingerprint(*document), expected);
    EXPECT_LE(document->store()->cache().bytes(), 11 * tile_bytes);
}

}  // namespace
}  // namespace caprock::test

// What is missing stays missing: through layers, modes, masks, groups, places, levels, flattening and grids. And a document
// stands on nothing.
#include "document/document_text.h"
#include "document/documents.h"
#include "document/placement.h"
#include "support/same_terrain.h"

#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace caprock::test {
namespace {

// Over four tiles, so that holes lie at their borders, too.
constexpr Size land_size{290, 274};

bool block_of_holes(int x, int y) { return x >= 240 && x < 270 && y >= 245 && y < 262; }

// Rough ground with hardness, of which neither is known everywhere.
Terrain land_with_holes() {
    Terrain land = rough_terrain(land_size, Holes::some);
    const Field height = land.height();
    land.set("height", made_field(height.rect(), [&](int x, int y) {
                 return block_of_holes(x, y) ? missing : height.at(x, y);
             }));
    const Field hardness = land.field("hardness");
    land.set("hardness", made_field(height.rect(), [&](int x, int y) {
                 return is_missing(land.height().at(x, y)) || (x > 60 && x < 70 && y < 9) ? missing
                                                                                          : hardness.at(x, y);
             }));
    return land;
}

class Holed : public testing::Test {
  protected:
    Folder folder;
    RunContext context = cpu_context();
    Terrain land = land_with_holes();
    std::unique_ptr<Document> document = Document::create(folder / "a.caprock", land.grid());
    int ground = 0;

    int import(const Terrain& terrain, Layer settings = layer_with("Land"), int64_t* holes = nullptr) {
        ImportSource source;
        source.file = "land.tif";
        source.shape = Terrain(terrain.grid());
        source.fields = terrain.names();
        source.read = [&](const Rect& window) { return terrain.cropped(window); };
        return import_layer(*document, source, std::move(settings), {}, nullptr, holes);
    }
    Terrain result() { return evaluated(*document, context); }
    Terrain level(int level) {
        Plan plan(document->snapshot(), level);
        return Evaluator(context).evaluate(plan, plan.window());
    }
    Terrain chained(const Operation& operation, const Terrain& input) {
        return run(operation, input, context);
    }
    void empty() {
        while (document->undo()) {
        }
    }
};

int64_t holes_in(const Field& field) { return statistics(field).missing; }

// ---- what a document stands on ----

TEST_F(Holed, ADocumentWithoutLayersIsNothing) {
    Terrain nothing = result();
    EXPECT_EQ(nothing.names(), std::vector<std::string>{"height"});
    EXPECT_EQ(holes_in(nothing.height()), land.rect().cells());
    EXPECT_EQ(holes_in(level(3).height()), level(3).rect().cells());
}

TEST_F(Holed, AFileIsWhatItIs) {
    int64_t holes = 0;
    import(land, layer_with("Land"), &holes);
    EXPECT_EQ(holes, holes_in(land.height()));
    EXPECT_GT(holes, 1000);
    expect_same_fields(land, result(), "the file");
}

TEST_F(Holed, ALayerThatIsPlacedCoversItsPlaceAlone) {
    int layer = add_generated(*document, {}, layer_with("Moved"));
    set_layer(*document, layer, {{"move", "400,0"}});
    Field moved = result().height();
    for (int y = 0; y < land_size.height; y++)
        for (int x = 0; x < land_size.width; x++) ASSERT_EQ(is_missing(moved.at(x, y)), x < 100) << x;
}

TEST_F(Holed, WhatIsPaintedOfAnotherFieldLiesOnZeroAndWhatAFileDoesNotKnowIsNotKnown) {
    int painted = add_painted(*document, "hardness", layer_with("Painted"));
    stroke(*document, painted, 50, 50, 100, 60, 20, 0.5f);
    Field hardness = result().field("hardness");
    EXPECT_EQ(holes_in(hardness), 0);
    EXPECT_EQ(hardness.at(200, 200), 0);
    EXPECT_GT(hardness.at(75, 55), 0);
    empty();
    import(land);
    EXPECT_EQ(holes_in(result().field("hardness")), holes_in(land.field("hardness")));
}

// ---- a document is what the chain is ----

TEST_F(Holed, AdjustmentsAreWhatTheChainIs) {
    ground = import(land);
    const std::vector<std::pair<std::string, Settings>> all = {
        {"thermal-erosion", {{"steps", "5"}}},
        {"hydraulic-erosion", {{"steps", "4"}}},
        {"smooth", {{"radius", "20"}}},
        {"sharpen", {}},
        {"levelling", {{"radius", "20"}}},
        {"normalise", {}},
        {"terrace", {}},
        {"gradation", {}},
        {"mask-slope", {}},
        {"mask-flow", {}},
        {"decimate", {}},
        {"fill-holes", {}},
        {"noise", {{"field", "source"}}},
    };
    for (const auto& [name, parameters] : all) {
        Terrain expected = chained(*made_operation(name, parameters), land);
        add_operations(*document, operations_of(name, parameters), layer_with(name));
        expect_same_fields(expected, result(), name);
        document->undo();
    }
    // Several, one on top of the other, with what each has made.
    Terrain expected = land;
    for (const char* name : {"thermal-erosion", "decimate", "hydraulic-erosion", "smooth"}) {
        Settings parameters;
        if (std::string(name) == "thermal-erosion") parameters = {{"steps", "3"}};
        if (std::string(name) == "hydraulic-erosion") parameters = {{"steps", "3"}};
        expected = chained(*made_operation(name, parameters), expected);
        add_operations(*document, operations_of(name, parameters), layer_with(name));
    }
    expect_same_fields(expected, result(), "all of them");
}

const std::vector<std::string> modes = {"lerp",       "replace",    "add",        "subtract",
                                        "multiply",   "min",        "max",        "overlay",
                                        "difference", "smooth-min", "smooth-max", "multi-resolution"};

bool in_place(const std::string& mode) {
    return mode == "lerp" || mode == "replace" || mode == "multi-resolution";
}

// What becomes of a cell, in the words of docs/blending.md.
bool becomes_missing(bool below, bool source, double weight, const std::string& mode, bool adjusts) {
    if (below) return source || weight < 0.5 || !in_place(mode);
    return source && adjusts && in_place(mode) && weight >= 0.5;
}

// The mask is the same for a whole column, from 0 to 1.
float column_mask(int x) { return float(x % 40) / 39; }

TEST_F(Holed, EveryModeOpacityAndMaskLeavesWhatIsMissingMissing) {
    import(land);
    const Field below = land.height();
    for (const std::string& mode : modes)
        for (double opacity : {1.0, 0.6})
            for (bool adjusts : {true, false}) {
                std::string what = mode + (adjusts ? " of an adjustment" : "") + std::to_string(opacity);
                // One that takes cells away, or ground that is placed so that it covers a part.
                int layer = adjusts ? add_operations(*document, operations_of("decimate"),
                                                     layer_with("Layer", mode, opacity))
                                    : add_generated(*document, {}, layer_with("Layer", mode, opacity));
                if (!adjusts) set_layer(*document, layer, {{"move", "400,0"}});
                paint_mask(*document, layer, 0);
                document->change("mask", [&](Edit& edit) {
                    edit.write(mask_canvas_of(document->state(), layer),
                               made_field(land.rect(), [](int x, int) { return column_mask(x); }));
                });
                Field source =
                    adjusts ? chained(*made_operation("decimate"), land).height()
                            : made_field(land.rect(), [](int x, int) { return x < 100 ? missing : 1; });
                Field after = result().height();
                for (int y = 0; y < land_size.height; y++)
                    for (int x = 0; x < land_size.width; x++) {
                        double weight = double(column_mask(x) * float(opacity));
                        if (std::abs(weight - 0.5) < 1e-6) continue;
                        bool expected = becomes_missing(is_missing(below.at(x, y)),
                                                        is_missing(source.at(x, y)), weight, mode, adjusts);
                        ASSERT_EQ(is_missing(after.at(x, y)), expected) << what << " at " << x << "," << y;
                        // A source that is not there, a mask of 0: no bit changes.
                        bool untouched = weight == 0 || (is_missing(source.at(x, y)) && !expected);
                        if (is_missing(below.at(x, y)) || !untouched || mode == "multi-resolution") continue;
                        ASSERT_EQ(after.at(x, y), below.at(x, y)) << what << " at " << x << "," << y;
                    }
                document->undo();
                document->undo();
                document->undo();
                if (!adjusts) document->undo();
                ASSERT_EQ(document->state().layers.size(), 1u);
            }
}

// Known cells beside holes are what they are in the chain, whatever the layer's settings.
TEST_F(Holed, MaskedAndMixedAdjustmentsAreWhatTheChainIs) {
    import(land);
    auto mask = made_operation("mask-slope", {{"between", "5:30"}});
    auto erosion = made_operation("thermal-erosion", {{"steps", "5"}});
    for (const std::string& mode : modes)
        for (double opacity : {1.0, 0.6}) {
            int layer = add_operations(*document, operations_of("thermal-erosion", {{"steps", "5"}}),
                                       layer_with("Erosion", mode, opacity));
            set_mask(*document, layer, operations_of("mask-slope", {{"between", "5:30"}}));
            Terrain chain = land;
            chain.set("source", chained(*erosion, land).height());
            chain.set("weights", chained(*mask, land).field("mask"));
            std::string opacity_text = opacity == 1 ? "1" : "0.6";
            chain = chained(
                *made_operation("blend", {{"mode", mode}, {"opacity", opacity_text}, {"mask", "weights"}}),
                chain);
            EXPECT_TRUE(identical(chain.height(), result().height())) << mode << " " << opacity;
            document->undo();
            document->undo();
        }
}

// ---- groups ----

TEST_F(Holed, AGroupIsWhatItsLayersAreInTheStack) {
    import(land);
    int erosion =
        add_operations(*document, operations_of("thermal-erosion", {{"steps", "4"}}), layer_with("E"));
    int thinned = add_operations(*document, operations_of("decimate"), layer_with("D"));
    Terrain plain = result();
    EXPECT_GT(holes_in(plain.height()), holes_in(land.height()));
    add_group(*document, "Group", {erosion, thinned});
    expect_same_fields(plain, result(), "grouped");
}

TEST_F(Holed, AGroupByItselfStandsOnNothing) {
    import(land);
    Terrain below = result();
    // Two strokes beside each other, each only where it was painted.
    auto strokes = [&](const std::string& mode) {
        std::vector<int> layers;
        for (int i = 0; i < 2; i++) {
            layers.push_back(add_painted(*document, "height", layer_with("S", mode)));
            stroke(*document, layers.back(), 60 + 90 * i, 40, 70 + 90 * i, 200, 30, 3000);
        }
        return add_group(*document, "Strokes", layers);
    };
    // Amounts that are added, and heights of which the higher ones count.
    for (const char* mode : {"add", "max"}) {
        int group = strokes(mode);
        set_layer(*document, group, {{"mode", mode}});
        Field after = result().height();
        EXPECT_EQ(holes_in(after), holes_in(below.height())) << mode;
        EXPECT_EQ(after.at(200, 30), below.height().at(200, 30)) << mode;
        for (int x : {65, 155}) EXPECT_GT(after.at(x, 120), below.height().at(x, 120) + 50) << mode << x;
        while (document->state().layers.size() > 1) document->undo();
    }
    // What stands on nothing lowers nothing either.
    int group = strokes("lerp");
    for (const char* mode : {"min", "multiply", "difference", "smooth-min", "overlay"}) {
        set_layer(*document, group, {{"mode", mode}});
        Field after = result().height();
        for (int y = 0; y < land_size.height; y++)
            for (int x = 200; x < land_size.width; x++)
                ASSERT_TRUE(identical(after.cropped({x, y, x + 1, y + 1}),
                                      below.height().cropped({x, y, x + 1, y + 1})))
                    << mode << " at " << x << "," << y;
    }
    // One that makes no height has no say in it.
    while (document->state().layers.size() > 1) document->undo();
    int hard = add_generated(*document, {{"field", "hardness"}}, layer_with("Rock"));
    set_layer(*document, add_group(*document, "Rocks", {hard}), {{"mode", "max"}});
    EXPECT_TRUE(identical(result().height(), below.height()));
}

// ---- previews and places ----

TEST_F(Holed, APreviewHasTheHolesOfTheWhole) {
    int painted = add_painted(*document, "height", layer_with("Land"));
    document->change("paint", [&](Edit& edit) {
        edit.write(canvas_of(document->state(), painted, "height"), land.height());
    });
    add_generated(*document, {}, layer_with("Bumps", "add", 0.1));
    for (int coarse : {1, 2, 3}) {
        Field preview = level(coarse).height();
        for (int y = 0; y < preview.rect().bottom; y++)
            for (int x = 0; x < preview.rect().right; x++)
                ASSERT_EQ(is_missing(preview.at(x, y)),
                          is_missing(land.height().at(x << coarse, y << coarse)))
                    << coarse << ": " << x << "," << y;
    }
    // Of a file, too, whose cells are means: its holes neither grow nor close.
    empty();
    import(land);
    for (int coarse : {1, 2}) {
        Field preview = level(coarse).height();
        for (int y = 0; y < preview.rect().bottom; y++)
            for (int x = 0; x < preview.rect().right; x++)
                ASSERT_EQ(is_missing(preview.at(x, y)),
                          is_missing(land.height().at(x << coarse, y << coarse)))
                    << coarse << ": " << x << "," << y;
    }
}

TEST_F(Holed, PlacingNeitherFillsNorSpreads) {
    // One hole of a size in level ground.
    Terrain plain(land.grid());
    auto hole = [](double x, double y) { return x >= 100 && x <= 130 && y >= 80 && y <= 120; };
    plain.set("height", made_field(land.rect(), [&](int x, int y) { return hole(x, y) ? missing : 70.0f; }));
    int layer = import(plain);
    for (const char* turned : {"0", "30"})
        for (const char* scaled : {"1", "0.7", "0.3"}) {
            set_layer(*document, layer, {{"rotate", turned}, {"scale", scaled}, {"move", "10,6"}});
            CellMap map = map_of(layer_of(document->state(), layer).placement, 4, 4, 0, 0);
            Field after = result().height();
            double reach = std::max(0.5, 0.5 * map.step());
            for (int y = 0; y < land_size.height; y++)
                for (int x = 0; x < land_size.width; x++) {
                    double from_x = map.xx * x + map.xy * y + map.x0;
                    double from_y = map.yx * x + map.yy * y + map.y0;
                    bool outside = from_x < -reach || from_y < -reach ||
                                   from_x > land_size.width - 1 + reach ||
                                   from_y > land_size.height - 1 + reach;
                    double inside_by = std::min({from_x - 100, 130 - from_x, from_y - 80, 120 - from_y});
                    if (outside || inside_by > reach + 0.01) {
                        ASSERT_TRUE(is_missing(after.at(x, y)))
                            << turned << " " << scaled << " " << x << "," << y;
                    } else if (inside_by < -reach - 0.01 && from_x >= 2 && from_y >= 2 &&
                               from_x < land_size.width - 3 && from_y < land_size.height - 3) {
                        ASSERT_EQ(after.at(x, y), 70) << turned << " " << scaled << " " << x << "," << y;
                    }
                }
        }
}

// ---- flattening and grids ----

TEST_F(Holed, FlatteningKeepsHoles) {
    int layer = import(land);
    int erosion = add_operations(*document, operations_of("thermal-erosion", {{"steps", "3"}}),
                                 layer_with("Erosion", "lerp", 0.6));
    Terrain before = result();
    rasterise_layer(*document, layer, context);
    expect_same_fields(before, result(), "the file");
    rasterise_layer(*document, erosion, context);
    expect_same_fields(before, result(), "the erosion");
    merge_down(*document, erosion, context);
    expect_same_fields(before, result(), "merged");
}

TEST_F(Holed, CellsThatWereTakenDoNotComeBackByFlattening) {
    int layer = import(land);
    int thinned = add_operations(*document, operations_of("decimate"), layer_with("Thinned"));
    int erosion =
        add_operations(*document, operations_of("thermal-erosion", {{"steps", "3"}}), layer_with("Erosion"));
    Field before = result().height();
    for (auto flatten : {+[](Document&all, int id, RunContext&run) { rasterise_layer(all, id, run); },
                         +[](Document&all, int id, RunContext&run) { collapse_layers(all, {id}, run); }}) {
        try {
            flatten(*document, thinned, context);
            FAIL() << "cells came back";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("takes cells away"), std::string::npos) << error.what();
        }
    }
    EXPECT_TRUE(identical(before, result().height()));
    collapse_layers(*document, {layer, thinned, erosion}, context);
    EXPECT_TRUE(identical(before, result().height()));
}

TEST_F(Holed, GridsMayChange) {
    int painted = add_painted(*document, "height", layer_with("Land"));
    document->change("paint", [&](Edit& edit) {
        edit.write(canvas_of(document->state(), painted, "height"), land.height());
    });
    resize_document(*document, {-20, -10, 300, 280});
    Field larger = result().height();
    EXPECT_TRUE(identical(larger.cropped(land.rect()), land.height()));
    EXPECT_EQ(holes_in(larger), larger.rect().cells() - land.rect().cells() + holes_in(land.height()));
    document->undo();
    // At half the cell every second one is what it was, and the share that is missing is about the same.
    resample_document(*document, 2);
    Field finer = result().height();
    for (int y = 0; y < land_size.height - 1; y++)
        for (int x = 0; x < land_size.width - 1; x++)
            ASSERT_EQ(is_missing(finer.at(2 * x, 2 * y)), is_missing(land.height().at(x, y)));
    double share = double(holes_in(finer)) / double(finer.rect().cells());
    EXPECT_NEAR(share, double(holes_in(land.height())) / double(land.rect().cells()), 0.02);
    document->undo();
    crop_document(*document, {230, 230, 280, 270});
    EXPECT_TRUE(identical(result().height(), land.height().cropped({230, 230, 280, 270})));
}

// ---- filling is a layer ----

TEST_F(Holed, FillingIsAStepOfItsOwn) {
    int layer = import(land);
    add_operations(*document, operations_of("smooth", {{"radius", "12"}}), layer_with("Smooth"));
    int filled = fill_holes(*document, layer);
    EXPECT_EQ(document->state().layers[1].id, filled);
    EXPECT_EQ(holes_in(result().height()), 0);
    Terrain expected =
        chained(*made_operation("smooth", {{"radius", "12"}}), chained(*made_operation("fill-holes"), land));
    expect_same_fields(expected, result(), "filled, then smoothed");
    document->undo();
    EXPECT_EQ(holes_in(result().height()), holes_in(land.height()));
}

// ---- documents of earlier versions ----

// The same document as an earlier version would have written it.
std::string of_earlier_version(const std::string& text) {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(text);
    json["caprock-document"]["minor"] = 0;
    return json.dump(1);
}

TEST_F(Holed, EarlierDocumentsLookAsTheyDid) {
    import(land);
    int mesa = add_generated(*document, {{"seed", "4"}}, layer_with("Mesa", "max"));
    set_layer(*document, mesa, {{"move", "300,80"}, {"range", "-90:280"}});
    set_layer(*document, add_group(*document, "Tables", {mesa}), {{"mode", "max"}});
    set_height_range(*document, {12.5, 260});
    std::vector<std::string> told;
    replace_layers(*document, of_earlier_version(document->text()),
                   [&](const std::string& message) { told.push_back(message); });
    // What lay below everything is a layer now, and so is what lay below the group's.
    const std::vector<Layer>& layers = document->state().layers;
    ASSERT_EQ(layers.size(), 3u);
    EXPECT_EQ(layers[0].name, "Flat ground");
    EXPECT_EQ(layers[2].layers[0].name, "Flat ground");
    ASSERT_EQ(told.size(), 1u);
    EXPECT_NE(told[0].find("12.5 m"), std::string::npos) << told[0];
    // As it was then: the low end of the range in holes, and the higher of that and 0, or of the mesa.
    Plan plan(document->snapshot());
    Field content = Evaluator(context)
                        .evaluate(plan, *plan.content(layers[2].layers[1].id), {"height"}, plan.window())
                        .height();
    Field after = result().height();
    for (int y = 0; y < land_size.height; y++)
        for (int x = 0; x < land_size.width; x++) {
            float below = is_missing(land.height().at(x, y)) ? 12.5f : land.height().at(x, y);
            float table = is_missing(content.at(x, y)) ? 0 : std::max(0.0f, content.at(x, y));
            ASSERT_EQ(after.at(x, y), std::max(below, table)) << x << "," << y;
        }
    // Written and read again, it stays so: they are not put in twice.
    EXPECT_EQ(parse_document(document->text(), {}).layers.size(), 3u);
    remove_layers(*document, {layers[0].id});
    set_layer(*document, document->state().layers[1].id, {{"visible", "false"}});
    EXPECT_TRUE(identical(result().height(), land.height()));
}

TEST_F(Holed, EarlierDocumentsGetNoGroundWhereNobodyWouldSeeIt) {
    add_generated(*document, {}, layer_with("Plain"));
    add_painted(*document, "height", layer_with("Strokes", "add"));
    std::string text = of_earlier_version(document->text());
    EXPECT_EQ(parse_document(text, {}).layers.size(), 2u);
    set_layer(*document, 1, {{"opacity", "0.5"}});
    EXPECT_EQ(parse_document(of_earlier_version(document->text()), {}).layers.size(), 3u);
    // All of an empty one was level.
    empty();
    EXPECT_EQ(parse_document(of_earlier_version(document->text()), {}).layers.size(), 1u);
}

}  // namespace
}  // namespace caprock::test

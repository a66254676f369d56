#include "document/document_text.h"
#include "document/documents.h"
#include "document/project_tile_store.h"

#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <random>

namespace caprock::test {
namespace {

// Pen samples of strokes over a terrain of 4096 x 4096 cells of 1 m, as a designer made them: lines along a ridge, hatching,
// dabs, long sweeps. Metres; a stroke a line.
struct RecordedStroke {
    std::vector<std::pair<double, double>> samples;
    float height = 0;
};

// Two hundred of them, by a hand that wanders: the same every time.
std::vector<RecordedStroke> recorded_strokes() {
    std::mt19937 random(200);
    auto share = [&] { return double(random()) / 4294967296.0; };
    std::vector<RecordedStroke> strokes;
    for (int i = 0; i < 200; i++) {
        RecordedStroke stroke;
        double x = 200 + 3600 * share();
        double y = 200 + 3600 * share();
        double heading = 6.28 * share();
        // From a dab to a sweep of six hundred metres.
        int samples = 1 + int(24 * share() * share() * 2);
        for (int s = 0; s < samples; s++) {
            stroke.samples.emplace_back(x, y);
            heading += (share() - 0.5) * 0.9;
            x = std::clamp(x + 25 * std::cos(heading), 100.0, 3990.0);
            y = std::clamp(y + 25 * std::sin(heading), 100.0, 3990.0);
        }
        stroke.height = float(2 + 30 * share()) * (share() < 0.3 ? -1 : 1);
        strokes.push_back(stroke);
    }
    return strokes;
}

void play(Document& document, int canvas, const RecordedStroke& stroke, double radius) {
    document.change("stroke", [&](Edit& edit) {
        for (const auto& [x, y] : stroke.samples) {
            Rect around{int(x - radius) - 1, int(y - radius) - 1, int(x + radius) + 2, int(y + radius) + 2};
            // A brush on the terrain itself: rough ground under smooth dabs.
            edit.write(canvas, dab(edit.read(canvas, around), x, y, radius, stroke.height));
        }
    });
}

TEST(History, TwoHundredStrokesTakeAHundredthOfCopiesAtMost) {
    Folder folder;
    auto document = Document::create(folder / "strokes.caprock", grid_of(4096, 4096, 1));
    RunContext context = cpu_context();
    int layer = add_operations(*document, operations_of("noise", {{"feature", "900"}, {"octaves", "10"}}),
                               layer_with("Ground"));
    rasterise_layer(*document, layer, context);
    int canvas = canvas_of(document->state(), layer, "height");
    int64_t first = document->position();
    uint64_t before = fingerprint(document->snapshot().canvas(canvas).read({0, 0, 4096, 4096}));
    std::vector<RecordedStroke> strokes = recorded_strokes();
    for (const RecordedStroke& stroke : strokes) play(*document, canvas, stroke, 50);
    document->flush();

    uint64_t stored = 0;
    for (int64_t id = first + 1; id <= document->position(); id++)
        stored += document->history_entry(id).bytes();
    ASSERT_EQ(document->position(), first + 200);
    uint64_t copies = uint64_t(200) * 4096 * 4096 * sizeof(float);
    double ratio = double(copies) / double(stored);
    RecordProperty("ratio", fmt::format("{:.0f}", ratio));
    fmt::print("200 strokes: {} kB a stroke, 1:{:.0f} of copies\n", stored / 200 / 1024, ratio);
    EXPECT_GE(ratio, 100);

    // And they all go back, to the bit.
    uint64_t after = fingerprint(document->snapshot().canvas(canvas).read({0, 0, 4096, 4096}));
    while (document->position() > first) ASSERT_TRUE(document->undo());
    EXPECT_EQ(fingerprint(document->snapshot().canvas(canvas).read({0, 0, 4096, 4096})), before);
    while (document->redo()) {
    }
    EXPECT_EQ(fingerprint(document->snapshot().canvas(canvas).read({0, 0, 4096, 4096})), after);
}

class Histories : public testing::Test {
  protected:
    Folder folder;
    std::string path = folder / "a.caprock";
    std::unique_ptr<Document> document = Document::create(path, grid_of(600, 400));
    RunContext context = cpu_context();

    void reopen() {
        document.reset();
        document = Document::open(path);
    }
};

TEST_F(Histories, EveryKindOfCommandIsUndoneAndRedoneToTheBitAlsoAfterReopening) {
    std::vector<std::string> texts = {document->text()};
    std::vector<uint64_t> heights = {height_fingerprint(*document)};
    auto did = [&] {
        if (int64_t(texts.size()) == document->position()) {
            texts.push_back(document->text());
            heights.push_back(height_fingerprint(*document));
        }
        ASSERT_EQ(int64_t(texts.size()), document->position() + 1);
    };
    int ground = add_generated(*document, {{"feature", "700"}}, layer_with("Ground"));
    did();
    int painted = add_painted(*document, "height", layer_with("Painted", "add"));
    did();
    stroke(*document, painted, 50, 60, 400, 300, 40, 25);
    did();
    set_layer(*document, ground, {{"octaves", "3"}, {"name", "Hills"}});
    did();
    paint_mask(*document, painted, 1);
    did();
    Terrain file = rough_terrain({90, 70});
    import_layer(
        *document,
        {"dem.tif", Terrain(file.grid()), {"height"}, [&](const Rect& r) { return file.cropped(r); }},
        layer_with("Imported", "lerp", 0.5));
    did();
    int copy = duplicate_layer(*document, painted);
    did();
    stroke(*document, copy, 300, 60, 40, 300, 30, -25);
    did();
    rasterise_layer(*document, ground, context);
    did();
    collapse_layers(*document, {ground, painted}, context);
    did();
    resample_document(*document, 3);
    did();
    resize_document(*document, {-100, -50, 900, 600});
    did();
    crop_document(*document, {0, 0, 500, 500});
    did();
    set_height_range(*document, {0, 500});
    did();
    remove_layers(*document, {copy});
    did();

    for (int round = 0; round < 2; round++) {
        for (size_t i = texts.size() - 1; i-- > 0;) {
            ASSERT_TRUE(document->undo());
            EXPECT_EQ(document->text(), texts[i]) << i;
            EXPECT_EQ(height_fingerprint(*document), heights[i]) << i;
            if (round == 1) reopen();
        }
        EXPECT_FALSE(document->undo());
        for (size_t i = 1; i < texts.size(); i++) {
            ASSERT_TRUE(document->redo());
            EXPECT_EQ(document->text(), texts[i]) << i;
            EXPECT_EQ(height_fingerprint(*document), heights[i]) << i;
            if (round == 1) reopen();
        }
        EXPECT_FALSE(document->redo());
        reopen();
    }
}

TEST_F(Histories, ADraggedSliderIsOneEntry) {
    int layer = add_generated(*document, {}, layer_with("Ground"));
    std::string before = document->text();
    int64_t position = document->position();
    for (int i = 1; i <= 50; i++)
        set_layer(*document, layer, {{"opacity", fmt::format("{}", 1 - i / 100.0)}}, "opacity of 1");
    EXPECT_EQ(document->position(), position + 1);
    EXPECT_EQ(layer_opacity(layer_of(document->state(), layer)), 0.5);
    // Another drag, or one that was let go of in between, is another entry.
    document->seal();
    set_layer(*document, layer, {{"opacity", "0.2"}}, "opacity of 1");
    set_layer(*document, layer, {{"octaves", "2"}}, "octaves of 1");
    EXPECT_EQ(document->position(), position + 3);
    for (int i = 0; i < 3; i++) document->undo();
    EXPECT_EQ(document->text(), before);
    reopen();
    EXPECT_EQ(document->text(), before);
    document->redo();
    EXPECT_EQ(layer_opacity(layer_of(document->state(), layer)), 0.5);
}

// Each tick of a slider costs the layer it is of, and the file is written to when the slider is let go of.
TEST_F(Histories, ATickOfADragWritesItsLayerAloneAndADragIsWrittenOnce) {
    std::vector<int> layers;
    for (int i = 0; i < 40; i++) layers.push_back(add_generated(*document, {}, layer_with("Ground")));
    add_group(*document, "Group", {layers[3], layers[4], layers[5]});
    for (int dragged : {layers[20], layers[4]}) {
        // Undo reads all layers anew, and the first change after it writes them.
        set_layer(*document, dragged, {{"name", "Dragged"}});
        document->flush();
        std::string before = document->text();
        int64_t position = document->position();
        int64_t written = document->assembled().layers_written();
        int64_t read = document->assembled().documents_read();
        int64_t transactions = document->transactions();
        for (int i = 1; i <= 50; i++) {
            set_layer(*document, dragged, {{"opacity", fmt::format("{}", 1 - i / 100.0)}}, "opacity");
            ASSERT_EQ(document->text(), document_text(document->state())) << i;
        }
        EXPECT_EQ(document->assembled().layers_written() - written, 50);
        EXPECT_EQ(document->assembled().documents_read() - read, 0);
        EXPECT_EQ(document->transactions() - transactions, 0);
        document->seal();
        document->flush();
        EXPECT_EQ(document->transactions() - transactions, 1);
        EXPECT_EQ(document->position(), position + 1);
        // The one entry leads from before the drag to behind it.
        std::string after = document->text();
        document->undo();
        EXPECT_EQ(document->text(), before);
        document->redo();
        EXPECT_EQ(document->text(), after);
    }
    std::string text = document->text();
    reopen();
    EXPECT_EQ(document->text(), text);
}

// What comes during a drag comes after it, and whoever closes the document has it all.
TEST_F(Histories, ADragThatNobodyEndsIsWrittenAllTheSame) {
    int layer = add_generated(*document, {}, layer_with("Ground"));
    int other = add_generated(*document, {}, layer_with("Hills"));
    set_layer(*document, layer, {{"opacity", "0.5"}}, "opacity");
    set_layer(*document, layer, {{"opacity", "0.4"}}, "opacity");
    set_layer(*document, other, {{"name", "Dunes"}});
    set_layer(*document, layer, {{"opacity", "0.3"}}, "opacity");
    EXPECT_EQ(document->position(), 5);
    reopen();
    EXPECT_EQ(layer_opacity(layer_of(document->state(), layer)), 0.3);
    document->undo();
    EXPECT_EQ(layer_opacity(layer_of(document->state(), layer)), 0.4);
    document->undo();
    EXPECT_EQ(layer_of(document->state(), other).name, "Hills");
    document->undo();
    EXPECT_EQ(layer_opacity(layer_of(document->state(), layer)), 1);
    // Where a drag begins behind steps that were undone, those are forgotten, also when it is written as its last tick.
    set_layer(*document, layer, {{"opacity", "0.8"}}, "opacity");
    set_layer(*document, layer, {{"opacity", "0.7"}}, "opacity");
    EXPECT_EQ(document->entries(), 3);
    reopen();
    EXPECT_EQ(document->entries(), 3);
    EXPECT_FALSE(document->redo());
    EXPECT_EQ(layer_opacity(layer_of(document->state(), layer)), 0.7);
}

// A layer that could not be read again is refused however little has changed, and again when it comes again.
TEST_F(Histories, WhatCannotBeReadAgainIsRefusedInADragToo) {
    int layer = add_generated(*document, {}, layer_with("Ground"));
    set_layer(*document, layer, {{"opacity", "0.9"}}, "opacity");
    std::string text = document->text();
    for (int i = 0; i < 2; i++) {
        EXPECT_THROW(document->change(
                         "bad",
                         [&](Edit& edit) {
                             layer_of(edit.state(), layer).range = Interval{5, 5};
                         },
                         "opacity"),
                     Error);
        EXPECT_THROW(document->change(
                         "bad", [&](Edit& edit) { layer_of(edit.state(), layer).name = "\xff"; }, "opacity"),
                     Error);
        EXPECT_EQ(document->text(), text);
    }
    set_layer(*document, layer, {{"opacity", "0.8"}}, "opacity");
    EXPECT_EQ(document->text(), document_text(document->state()));
}

TEST_F(Histories, ACommandThatChangesNothingIsNoEntry) {
    int layer = add_generated(*document, {}, layer_with("Ground"));
    int64_t position = document->position();
    set_layer(*document, layer, {{"name", "Ground"}});
    int painted = add_painted(*document, "height", layer_with("Painted"));
    paint(*document, painted, canvas_of(document->state(), painted, ""), Field({10, 10, 50, 50}, missing),
          "nothing");
    EXPECT_EQ(document->position(), position + 1);
}

TEST_F(Histories, ACommandThatFailsLeavesEverythingAsItWas) {
    int painted = add_painted(*document, "height", layer_with("Painted"));
    stroke(*document, painted, 50, 60, 400, 300, 40, 25);
    std::string text = document->text();
    uint64_t height = height_fingerprint(*document);
    EXPECT_THROW(
        document->change("fails",
                         [&](Edit& edit) {
                             int canvas = edit.new_canvas({});
                             // Enough of it to be on its way to the file.
                             edit.write(canvas, Field({0, 0, 4096, 2048}, 1));
                             edit.write(canvas_of(edit.state(), painted, ""), Field({0, 0, 99, 99}, 1));
                             edit.state().layers.clear();
                             throw Error("no");
                         }),
        Error);
    EXPECT_THROW(set_layer(*document, painted, {{"opacity", "0.5"}, {"opacty", "3"}}), Error);
    EXPECT_THROW(set_layer(*document, 99, {{"opacity", "0.5"}}), Error);
    EXPECT_EQ(document->text(), text);
    EXPECT_EQ(height_fingerprint(*document), height);
    reopen();
    EXPECT_EQ(document->text(), text);
    EXPECT_EQ(height_fingerprint(*document), height);
    document->with_file([](ProjectFile& file) {
        // What the failed command had written is gone.
        EXPECT_LE(file.database().integer("SELECT count(*) FROM tiles").value_or(0), 4);
    });
}

TEST_F(Histories, ANewCommandForgetsWhatWasUndone) {
    int painted = add_painted(*document, "height", layer_with("Painted"));
    stroke(*document, painted, 50, 60, 400, 300, 40, 25);
    Terrain file = rough_terrain({90, 70});
    import_layer(
        *document,
        {"dem.tif", Terrain(file.grid()), {"height"}, [&](const Rect& r) { return file.cropped(r); }},
        layer_with("Imported"));
    document->undo();
    document->undo();
    EXPECT_TRUE(document->can_redo());
    stroke(*document, painted, 50, 60, 60, 70, 10, 5);
    EXPECT_FALSE(document->can_redo());
    reopen();
    EXPECT_EQ(document->entries(), 2);
    document->with_file([](ProjectFile& file) {
        EXPECT_EQ(file.database().integer("SELECT count(*) FROM canvases"), 1);
        EXPECT_EQ(file.database().integer("SELECT count(*) FROM history"), 2);
        EXPECT_EQ(file.database().integer("SELECT count(DISTINCT canvas) FROM canvas_tiles"), 1);
        EXPECT_EQ(file.database().integer("SELECT count(*) FROM tiles"),
                  file.database().integer("SELECT count(*) FROM canvas_tiles"));
    });
}

TEST_F(Histories, LockedLayersStayAsTheyAre) {
    int painted = add_painted(*document, "height", layer_with("Painted"));
    set_layer(*document, painted, {{"locked", "true"}});
    std::string text = document->text();
    EXPECT_THROW(remove_layers(*document, {painted}), Error);
    EXPECT_THROW(set_layer(*document, painted, {{"opacity", "0.5"}}), Error);
    EXPECT_THROW(
        paint(*document, painted, canvas_of(document->state(), painted, ""), Field({0, 0, 9, 9}, 1), "dab"),
        Error);
    EXPECT_THROW(rasterise_layer(*document, painted, context), Error);
    EXPECT_EQ(document->text(), text);
    set_layer(*document, painted, {{"locked", "false"}});
    set_layer(*document, painted, {{"opacity", "0.5"}});
}

}  // namespace
}  // namespace caprock::test

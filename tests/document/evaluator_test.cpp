#include "document/evaluator.h"

#include "document/documents.h"
#include "document/tile_store.h"

#include <gtest/gtest.h>

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

void expect_same(const Terrain& expected, const Terrain& actual, const std::string& what) {
    ASSERT_EQ(expected.names(), actual.names()) << what;
    for (const std::string& name : expected.names())
        EXPECT_TRUE(identical(expected.field(name), actual.field(name))) << what << ": " << name;
}

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

}  // namespace
}  // namespace caprock::test

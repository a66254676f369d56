// Layers that take fields of what other layers make: the bits of doing so by hand, kept, undone, and refused where it cannot be.
#include "base/error.h"
#include "document/document_text.h"
#include "document/documents.h"
#include "operation/evaluate.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

struct Takes : testing::Test {
    Folder folder;
    std::unique_ptr<Document> document = Document::create(folder / "a.caprock", grid_of(90, 70));
    RunContext context = cpu_context();
    int land = add_generated(*document, {{"seed", "1"}}, layer_with("land"));
    int rock = add_generated(*document, {{"seed", "2"}, {"kind", "ridged"}}, hidden("rock"));

    static Layer hidden(const std::string& name) {
        Layer layer = layer_with(name);
        layer.visible = false;
        return layer;
    }
    // Adds half of what is taken.
    int add_taking(const LayerTake& taken, const std::string& name = "taking") {
        Layer layer = layer_with(name);
        layer.takes = {taken};
        return add_operations(
            *document, operations_of("blend", {{"mode", "add"}, {"opacity", "0.5"}, {"source", taken.field}}),
            layer);
    }
    Terrain noise(const Settings& parameters) {
        return run(*made_operation("noise", parameters), Terrain(document->state().grid), context);
    }
    Field by_hand() {
        Terrain terrain = noise({{"seed", "1"}});
        terrain.set("second", noise({{"seed", "2"}, {"kind", "ridged"}}).height());
        return run(*made_operation("blend", {{"mode", "add"}, {"opacity", "0.5"}, {"source", "second"}}),
                   terrain, context)
            .height();
    }
    std::vector<std::string> problems() { return Plan(document->snapshot()).problems(); }
};

TEST_F(Takes, FromAHiddenLayer) {
    add_taking({"second", rock, "height"});
    EXPECT_EQ(problems(), std::vector<std::string>());
    const Terrain made = evaluated(*document, context);
    EXPECT_TRUE(identical(made.height(), by_hand()));
    EXPECT_FALSE(made.has("second")) << "what is taken is no part of what the layer makes";
}

TEST_F(Takes, FromARasterInItsPlace) {
    // Painted cells are one; so are those of a file.
    const int painted = add_painted(*document, "height", layer_with("map"));
    paint(*document, painted, canvas_of(document->state(), painted, "height"), by_hand(), "all");
    set_layer(*document, painted, {{"visible", "false"}});
    add_taking({"second", painted});
    Terrain terrain = noise({{"seed", "1"}});
    terrain.set("second", by_hand());
    const Terrain expected =
        run(*made_operation("blend", {{"mode", "add"}, {"opacity", "0.5"}, {"source", "second"}}), terrain,
            context);
    EXPECT_TRUE(identical(evaluated(*document, context).height(), expected.height()));
}

TEST_F(Takes, AGeneratedLayerPutsDownOnlyWhatItMade) {
    Layer layer = layer_with("hard");
    layer.takes = {{"hardness", rock, "height"}};
    layer.placement.move_x = 40;
    const int id = add_operations(*document, operations_of("noise", {{"seed", "5"}}), layer);
    EXPECT_EQ(layer_of(document->state(), id).kind, LayerKind::generated);
    EXPECT_EQ(evaluated(*document, context).names(), std::vector<std::string>{"height"});
}

TEST_F(Takes, AMaskSeesThemToo) {
    const int where = add_operations(*document, operations_of("mask-noise"), hidden("somewhere"));
    Layer layer = layer_with("smooth");
    layer.takes = {{"mask", where}};
    const int id = add_operations(*document, operations_of("smooth", {{"radius", "30"}}), layer);
    const uint64_t everywhere = height_fingerprint(*document);
    set_mask(*document, id, operations_of("mask-invert"));
    EXPECT_EQ(problems(), std::vector<std::string>());
    EXPECT_NE(height_fingerprint(*document), everywhere);
}

TEST_F(Takes, AreKeptAndUndone) {
    const uint64_t before = height_fingerprint(*document);
    const int id = add_taking({"second", rock, "height"});
    const uint64_t with = height_fingerprint(*document);
    EXPECT_NE(with, before);
    // As text, and from the file.
    const std::string text = document_text(document->state());
    EXPECT_NE(text.find("\"take\""), std::string::npos);
    document.reset();
    document = Document::open(folder / "a.caprock");
    EXPECT_EQ(document_text(document->state()), text);
    EXPECT_EQ(height_fingerprint(*document), with);
    // Other operations keep what is taken, unless told otherwise.
    set_operations(*document, id, operations_of("blend", {{"mode", "subtract"}, {"source", "second"}}));
    EXPECT_EQ(layer_of(document->state(), id).takes.size(), 1u);
    set_operations(*document, id, operations_of("smooth"), std::vector<LayerTake>());
    EXPECT_TRUE(layer_of(document->state(), id).takes.empty());
    ASSERT_TRUE(document->undo());
    ASSERT_TRUE(document->undo());
    EXPECT_EQ(height_fingerprint(*document), with);
    ASSERT_TRUE(document->undo());
    EXPECT_EQ(height_fingerprint(*document), before);
}

TEST_F(Takes, WhatIsTakenCountsForWhatIsComputedAgain) {
    add_taking({"second", rock, "height"});
    const uint64_t before = height_fingerprint(*document);
    set_layer(*document, rock, {{"seed", "9"}});
    EXPECT_NE(height_fingerprint(*document), before);
    ASSERT_TRUE(document->undo());
    EXPECT_EQ(height_fingerprint(*document), before);
}

TEST_F(Takes, SayWhatTheyMiss) {
    const int id = add_taking({"second", rock, "water"});
    ASSERT_EQ(problems().size(), 1u);
    EXPECT_NE(problems()[0].find("it takes 'water' from layer " + std::to_string(rock)), std::string::npos)
        << problems()[0];
    const uint64_t without = height_fingerprint(*document);
    // Itself, in a circle, above it, gone.
    for (int other : {id, 99}) {
        Layer layer = layer_of(document->state(), id);
        set_operations(*document, id, layer.operations, std::vector<LayerTake>{{"second", other}});
        ASSERT_EQ(problems().size(), 1u);
        EXPECT_EQ(height_fingerprint(*document), without);
    }
    const int above = add_generated(*document, {{"seed", "3"}}, hidden("above"));
    Layer layer = layer_of(document->state(), id);
    set_operations(*document, id, layer.operations, std::vector<LayerTake>{{"second", above}});
    ASSERT_EQ(problems().size(), 1u);
    EXPECT_NE(problems()[0].find("does not lie below it"), std::string::npos) << problems()[0];
}

TEST_F(Takes, AreReadWithCare) {
    const std::string text = [&] {
        add_taking({"second", rock, "height"});
        return document_text(document->state());
    }();
    auto refused_with = [&](const std::string& from, const std::string& to) {
        std::string other = text;
        const size_t at = other.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        other.replace(at, from.size(), to);
        EXPECT_THROW(parse_document(other, {}), Error) << to;
    };
    const std::string number = "\"layer\": " + std::to_string(rock);
    refused_with(number, "\"layer\": \"rock\"");
    refused_with(number, "\"layer\": 0");
    refused_with("\"field\": \"second\"", "\"field\": 5");
    refused_with("\"field\": \"second\"", "\"field\": \"\"");
}

}  // namespace
}  // namespace caprock::test

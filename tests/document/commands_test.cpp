#include "document/commands.h"

#include "document/document_text.h"
#include "document/documents.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

class Commands : public testing::Test {
  protected:
    Folder folder;
    std::unique_ptr<Document> document = Document::create(folder / "a.caprock", grid_of(520, 300));
    RunContext context = cpu_context();

    Terrain result() { return evaluated(*document, context); }

    // Ground, hardness, talus, strokes with a mask.
    int ground = 0, hardness = 0, talus = 0, painted = 0;
    void add_some() {
        ground = add_generated(*document, {{"feature", "500"}, {"octaves", "5"}}, layer_with("Ground"));
        hardness =
            add_operations(*document, operations_of("noise", {{"field", "hardness"}, {"feature", "200"}}),
                           layer_with("Hardness"));
        talus = add_operations(*document, operations_of("thermal-erosion", {{"steps", "4"}}),
                               layer_with("Talus", "lerp", 0.7));
        set_mask(*document, talus, operations_of("mask-noise", {{"feature", "300"}}));
        painted = add_painted(*document, "height", layer_with("Painted", "add", 0.5));
        stroke(*document, painted, 100, 100, 400, 200, 50, 40);
    }

    void expect_unchanged(const Terrain& before, const std::string& what) {
        Terrain after = result();
        ASSERT_EQ(before.names(), after.names()) << what;
        for (const std::string& name : before.names())
            EXPECT_TRUE(identical(before.field(name), after.field(name))) << what << ": " << name;
    }
};

TEST_F(Commands, FlatteningChangesNoBit) {
    add_some();
    Terrain before = result();
    rasterise_layer(*document, ground, context);
    expect_unchanged(before, "a generated layer");
    EXPECT_EQ(layer_of(document->state(), ground).kind, LayerKind::painted);
    rasterise_layer(*document, talus, context);
    expect_unchanged(before, "an adjustment");
    merge_down(*document, painted, context);
    expect_unchanged(before, "merged down");
    EXPECT_EQ(document->state().layers.size(), 3u);
    std::vector<int> all;
    for (const Layer& layer : document->state().layers) all.push_back(layer.id);
    collapse_layers(*document, all, context);
    expect_unchanged(before, "collapsed");
    EXPECT_EQ(document->state().layers.size(), 1u);
    while (document->undo()) {
    }
    while (document->redo()) {
    }
    expect_unchanged(before, "there and back");
}

TEST_F(Commands, CollapsingLeavesBlankWhatNothingHappensTo) {
    add_some();
    // Only the stroke: two tiles of six.
    int collapsed = collapse_layers(*document, {painted}, context);
    int canvas = canvas_of(document->state(), collapsed, "height");
    EXPECT_EQ(document->snapshot().canvas(canvas).tiles->all().size(), 2u);
}

TEST_F(Commands, OnlyNeighboursCollapse) {
    add_some();
    std::string text = document->text();
    EXPECT_THROW(collapse_layers(*document, {ground, talus}, context), Error);
    EXPECT_THROW(merge_down(*document, ground, context), Error);
    EXPECT_EQ(document->text(), text);
}

TEST_F(Commands, CroppingChangesNothingInside) {
    add_some();
    add_operations(*document, operations_of("normalise"), layer_with("Normalised"));
    Terrain before = result();
    crop_document(*document, {100, 50, 400, 250});
    Terrain after = result();
    EXPECT_EQ(after.rect(), (Rect{100, 50, 400, 250}));
    EXPECT_TRUE(identical(after.height(), before.height().cropped({100, 50, 400, 250})));
    EXPECT_THROW(crop_document(*document, {400, 50, 600, 250}), Error);
    crop_document(*document, {100, 50, 400, 250}, true);
    EXPECT_EQ(document->state().grid.extent, (Rect{100, 50, 400, 250}));
}

TEST_F(Commands, ResizingKeepsWhatIsPaintedInItsPlaceAlsoOutside) {
    painted = add_painted(*document, "height", layer_with("Painted"));
    stroke(*document, painted, 100, 100, 400, 200, 50, 40);
    Terrain before = result();
    resize_document(*document, {0, 0, 200, 200});
    EXPECT_TRUE(identical(result().height(), before.height().cropped({0, 0, 200, 200})));
    resize_document(*document, {-100, -100, 520, 300});
    EXPECT_TRUE(identical(result().height().cropped({0, 0, 520, 300}), before.height()));
}

TEST_F(Commands, ResamplingFinerKeepsTheCellsThereWere) {
    add_some();
    remove_layers(*document, {talus});
    Terrain before = result();
    resample_document(*document, 2);
    Terrain after = result();
    EXPECT_EQ(after.rect().width(), 1039);
    int differing = 0;
    for (int y = 0; y < 300; y++)
        for (int x = 0; x < 520; x++)
            differing += before.height().at(x, y) != after.height().at(2 * x, 2 * y);
    EXPECT_EQ(differing, 0);
    // And back: what was painted is means now, what was generated the same.
    resample_document(*document, 4);
    Terrain again = result();
    EXPECT_EQ(again.rect(), before.rect());
    double worst = 0;
    for (int y = 2; y < 298; y++)
        for (int x = 2; x < 518; x++)
            worst = std::max(worst, std::abs(double(before.height().at(x, y)) - again.height().at(x, y)));
    EXPECT_LT(worst, 4);
}

TEST_F(Commands, AnImportedFileLiesWhereItsPlaceSays) {
    // Two metres between its cells, its first cell 100 m east and 40 m south of the document's.
    Terrain file(Grid{Rect::of({120, 80}), 2, {0, 300}});
    file.set("height", made_field(file.rect(), [](int x, int y) { return float(x) + 1000 * float(y); }));
    auto place = [](double x, double y, double cell) {
        Georeference made;
        made.projection = "somewhere";
        // Of the corner of the first cell.
        made.transform = {x - cell / 2, cell, 0, y + cell / 2, 0, -cell};
        return made;
    };
    document->change("place", [&](Edit& edit) { edit.state().georeference = place(5000, 9000, 4); });
    file.set_georeference(place(5100, 8960, 2));
    import_layer(*document, {"dem.tif", file, {"height"}, [&](const Rect& r) { return file.cropped(r); }},
                 layer_with("Imported"));
    Terrain after = result();
    // At twice the size its means are taken; of a plane, they are the plane.
    for (int y = 11; y < 48; y++)
        for (int x = 26; x < 82; x++) {
            double east = x * 4 - 100;
            double south = y * 4 - 40;
            ASSERT_NEAR(after.height().at(x, y), east / 2 + 1000 * (south / 2), 0.1) << x << "," << y;
        }
    EXPECT_TRUE(is_missing(after.height().at(10, 10)));
    EXPECT_TRUE(is_missing(after.height().at(200, 200)));
}

TEST_F(Commands, GroupsHaveOpacityAndMask) {
    add_some();
    Terrain before = result();
    int group = add_group(*document, "Group", {ground, hardness, talus, painted});
    expect_unchanged(before, "all in a group");
    set_layer(*document, group, {{"opacity", "0"}});
    EXPECT_EQ(statistics(result().height()).missing, 520 * 300) << "nothing is left";
    add_operations(*document, operations_of("plane"), layer_with("Sea"), {.bottom = true});
    set_layer(*document, group, {{"opacity", "0.5"}});
    Terrain half = result();
    for (int x = 0; x < 520; x += 13)
        EXPECT_FLOAT_EQ(half.height().at(x, 77), 0.5f * before.height().at(x, 77));
    set_layer(*document, group, {{"opacity", "1"}});
    ungroup(*document, group);
    expect_unchanged(before, "ungrouped");
}

TEST_F(Commands, AGroupThatAddsIsMadeByItself) {
    int base = add_generated(*document, {{"seed", "3"}}, layer_with("Base"));
    Terrain below = result();
    int detail = add_generated(*document, {{"seed", "4"}}, layer_with("Detail", "lerp", 0.25));
    int group = add_group(*document, "Group", {detail});
    set_layer(*document, group, {{"mode", "add"}});
    Terrain with = result();
    // Of itself it is an amount, on 0.
    set_layer(*document, base, {{"visible", "false"}});
    add_operations(*document, operations_of("plane"), layer_with("Nothing to add"), {.bottom = true});
    set_layer(*document, group, {{"mode", "lerp"}});
    Terrain alone = result();
    for (int x = 0; x < 520; x += 7)
        ASSERT_FLOAT_EQ(with.height().at(x, 100), below.height().at(x, 100) + alone.height().at(x, 100));
}

TEST_F(Commands, ALayerThatCannotBeComputedIsSaidAndLeftOut) {
    add_generated(*document, {}, layer_with("Ground"));
    Terrain before = result();
    add_operations(*document, operations_of("gradation"), layer_with("Worn"));
    Plan plan(document->snapshot());
    ASSERT_EQ(plan.problems().size(), 1u);
    EXPECT_NE(plan.problems()[0].find("Worn"), std::string::npos);
    EXPECT_NE(plan.problems()[0].find("hardness"), std::string::npos);
    expect_unchanged(before, "without it");
    add_operations(*document, operations_of("expand"), layer_with("Expanded"));
    EXPECT_EQ(Plan(document->snapshot()).problems().size(), 2u);
}

TEST_F(Commands, AGroupThatCannotBeComputedLeavesItsLayersOutToo) {
    int inside = add_generated(*document, {}, layer_with("Inside"));
    int group = add_group(*document, "Group", {inside});
    set_mask(*document, group, operations_of("mask-material"));
    EXPECT_EQ(Plan(document->snapshot()).problems().size(), 1u);
    EXPECT_EQ(statistics(result().height()).high, 0);
    // What is asked of a layer in it has an answer all the same.
    Plan plan(document->snapshot());
    EXPECT_EQ(plan.content(inside), nullptr);
    EXPECT_EQ(plan.after(inside).at("height"), plan.below(inside).at("height"));
    collapse_layers(*document, {inside}, context);
}

TEST_F(Commands, SavingAsGoesOnInTheOtherFile) {
    add_some();
    Terrain before = result();
    std::string old = document->path();
    document->save_as(folder / "other.caprock");
    EXPECT_EQ(document->path(), folder / "other.caprock");
    stroke(*document, painted, 10, 10, 60, 60, 20, 9);
    Terrain after = result();
    document->save();
    // Both are complete without a log beside them.
    EXPECT_EQ(folder.names(), (std::set<std::string>{"a.caprock", "other.caprock", "other.caprock-shm",
                                                     "other.caprock-wal"}));
    auto first = Document::open(old);
    EXPECT_TRUE(identical(evaluated(*first, context).height(), before.height()));
    EXPECT_EQ(first->entries() + 1, document->entries());
    document.reset();
    document = Document::open(folder / "other.caprock");
    EXPECT_TRUE(identical(result().height(), after.height()));
    while (document->undo()) {
    }
    // A file that somebody has open is not replaced.
    EXPECT_THROW(document->save_as(old), Error);
    EXPECT_THROW(document->save_as(folder / "no/such/folder.caprock"), Error);
    EXPECT_THROW(document->save_as(folder.path()), Error);
    EXPECT_EQ(document->path(), folder / "other.caprock");
}

TEST_F(Commands, CompactingKeepsEverythingButWhatNobodyNeeds) {
    add_some();
    for (uint32_t i = 0; i < 6; i++) stroke(*document, painted, 50 + 40 * i, 50, 300, 250, 40, 10, i);
    rasterise_layer(*document, ground, context);
    document->undo();
    Terrain before = result();
    int64_t entries = document->entries();
    document->compact();
    expect_unchanged(before, "compacted");
    EXPECT_EQ(document->entries(), entries);
    EXPECT_TRUE(document->redo());
    EXPECT_TRUE(document->undo());
    while (document->undo()) {
    }
    while (document->position() < entries - 1) ASSERT_TRUE(document->redo());
    expect_unchanged(before, "there and back");
    document->compact(true);
    expect_unchanged(before, "without its history");
    EXPECT_FALSE(document->can_undo());
    EXPECT_FALSE(document->can_redo());
    document.reset();
    document = Document::open(folder / "a.caprock");
    expect_unchanged(before, "opened again");
    EXPECT_EQ(document->entries(), 0);
    document->with_file([](ProjectFile& file) {
        EXPECT_EQ(file.database().integer("SELECT count(*) FROM canvases"), 1);
        EXPECT_EQ(file.database().integer("SELECT count(*) FROM history_tiles"), 0);
        EXPECT_EQ(file.database().integer("SELECT count(*) FROM tiles"),
                  file.database().integer("SELECT count(*) FROM canvas_tiles"));
    });
    stroke(*document, painted, 10, 10, 60, 60, 20, 9);
    EXPECT_TRUE(document->undo());
    expect_unchanged(before, "and a new history");
}

TEST_F(Commands, TheLayersGoOutAsTextAndComeBack) {
    add_some();
    Terrain before = result();
    std::string text = document->text();
    EXPECT_EQ(document_text(parse_document(text, {})), text);
    remove_layers(*document, {ground, talus});
    std::vector<std::string> told;
    auto tell = [&](const std::string& message) { told.push_back(message); };
    replace_layers(*document, text, tell);
    EXPECT_TRUE(told.empty());
    expect_unchanged(before, "the same document");
    // Into another one: what is painted is not in the text.
    auto other = Document::create(folder / "b.caprock", grid_of(64, 64));
    replace_layers(*other, text, tell);
    EXPECT_EQ(told.size(), 1u);
    EXPECT_EQ(other->state().layers.size(), 4u);
    EXPECT_EQ(other->state().grid, document->state().grid);
}

TEST_F(Commands, MovingALayerIntoItselfIsRefused) {
    add_some();
    int group = add_group(*document, "Group", {ground, hardness});
    std::string text = document->text();
    EXPECT_THROW(move_layer(*document, group, {.inside = group}), Error);
    EXPECT_THROW(move_layer(*document, group, {.above = ground}), Error);
    EXPECT_THROW(move_layer(*document, ground, {.inside = talus}), Error);
    EXPECT_EQ(document->text(), text);
    move_layer(*document, talus, {.inside = group, .bottom = true});
    EXPECT_EQ(layer_of(document->state(), group).layers.front().id, talus);
}

}  // namespace
}  // namespace caprock::test

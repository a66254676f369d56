// Files that layers name: a document holds what was in them, goes by that and nothing else, and can be taken anywhere.
#include "document/layer_files.h"

#include "base/error.h"
#include "document/document_text.h"
#include "document/documents.h"
#include "document/plan.h"
#include "document/project_tile_store.h"
#include "support/refusals.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

namespace fs = std::filesystem;

struct LayerFiles : testing::Test {
    Folder folder;
    std::string rocks = folder / "rocks.json";
    std::unique_ptr<Document> document = Document::create(folder / "a.caprock", grid_of(40, 30));
    RunContext context = cpu_context();

    LayerFiles() {
        add_generated(*document, {}, layer_with("land"));
        // So that there is rock of each kind.
        std::vector<LayerOperation> rock = operations_of("normalise");
        rock.emplace_back(made_operation("materials", {{"count", "3"}}));
        add_operations(*document, rock, layer_with("materials"));
        write_text(rocks, "[0.1, 0.2, 0.3]");
    }

    int add_rocks() {
        return add_operations(*document, operations_of("hardness", {{"table-file", rocks}}),
                              layer_with("rocks"));
    }
    float highest_hardness(Document& of) { return statistics(evaluated(of, context).field("hardness")).high; }
    float highest_hardness() { return highest_hardness(*document); }
};

TEST_F(LayerFiles, AChangedFileChangesNothingUntilItIsTakenAgain) {
    int layer = add_rocks();
    EXPECT_EQ(highest_hardness(), 0.3f);
    write_text(rocks, "[0.1, 0.2, 0.9]");
    EXPECT_EQ(highest_hardness(), 0.3f);
    // Not after everything that is known has been forgotten, either.
    document->store()->cache().clear();
    document->compact();
    document.reset();
    document = Document::open(folder / "a.caprock");
    EXPECT_EQ(highest_hardness(), 0.3f);
    set_layer(*document, layer, {{"table-file", rocks}});
    EXPECT_EQ(highest_hardness(), 0.9f);
    ASSERT_TRUE(document->undo());
    EXPECT_EQ(highest_hardness(), 0.3f);
    ASSERT_TRUE(document->redo());
    EXPECT_EQ(highest_hardness(), 0.9f);
}

TEST_F(LayerFiles, KeysGoByContentAndNotByPath) {
    int layer = add_rocks();
    auto key = [&] {
        Plan plan(document->snapshot());
        return plan.key(plan.top(), "hardness", {0, 0});
    };
    ContentKey first = key();
    write_text(rocks, "[0.1, 0.2, 0.9]");
    EXPECT_EQ(key(), first);
    set_layer(*document, layer, {{"table-file", rocks}});
    EXPECT_NE(key(), first);
    write_text(folder / "the-same.json", "[0.1, 0.2, 0.3]");
    set_layer(*document, layer, {{"table-file", folder / "the-same.json"}});
    EXPECT_EQ(key(), first);
}

TEST_F(LayerFiles, ADocumentCanBeMoved) {
    add_rocks();
    document->save();
    document.reset();
    fs::create_directory(folder / "elsewhere");
    fs::rename(folder / "a.caprock", folder / "elsewhere/b.caprock");
    fs::remove(rocks);
    document = Document::open(folder / "elsewhere/b.caprock");
    EXPECT_TRUE(Plan(document->snapshot()).problems().empty());
    EXPECT_EQ(highest_hardness(), 0.3f);
}

TEST_F(LayerFiles, OneThatIsNotThereIsMissedAtOnce) {
    fs::remove(rocks);
    std::string text = document->text();
    EXPECT_EQ(refusal([&] { add_rocks(); }), "table-file '" + rocks + "': there is no such file");
    auto named = [&] {
        std::vector<LayerOperation> operations;
        operations.emplace_back(operation_with("hardness", {{"table-file", rocks}}));
        return operations;
    };
    const std::string missed = "hardness: '" + rocks + "': there is no such file";
    EXPECT_EQ(refusal([&] { add_operations(*document, named(), layer_with("rocks")); }), missed);
    EXPECT_EQ(refusal([&] { set_operations(*document, 2, named()); }), missed);
    EXPECT_EQ(refusal([&] { set_mask(*document, 2, named()); }), missed);
    EXPECT_EQ(document->text(), text) << "nothing has happened";
    write_text(rocks, "[0.1, 0.2, 0.3]");
    int layer = add_rocks();
    fs::remove(rocks);
    EXPECT_EQ(refusal([&] {
                  set_layer(*document, layer, {{"table-file", rocks}});
              }),
              "table-file '" + rocks + "': there is no such file");
    EXPECT_EQ(highest_hardness(), 0.3f);
}

TEST_F(LayerFiles, OneTooLargeToBeKeptIsRefused) {
    std::string points = folder / "points.csv";
    std::string line = "1,1,1\n";
    std::string text;
    while (text.size() <= size_t(16 << 20)) text += line;
    write_text(points, text);
    EXPECT_EQ(refusal([&] {
                  add_operations(*document, operations_of("interpolate", {{"points-file", points}}),
                                 layer_with("points"));
              }),
              "interpolate: '" + points +
                  "': larger than 16.0 MiB, which is the most that a document keeps of a file");
    write_text(points, line);
    int layer = add_operations(*document, operations_of("interpolate", {{"points-file", points}}),
                               layer_with("points"));
    write_text(points, text);
    EXPECT_NE(refusal([&] { set_layer(*document, layer, {{"points-file", points}}); }), "");
}

TEST_F(LayerFiles, MasksHoldTheirsToo) {
    std::vector<LayerOperation> operations = operations_of("hardness", {{"table-file", rocks}});
    operations.emplace_back(made_operation("mask-combine", {{"field", "hardness"}, {"with", "hardness"}}));
    set_mask(*document, 1, operations);
    fs::remove(rocks);
    DocumentState state = parse_document(document->text(), {});
    const std::vector<InputFile> files = state.layers[0].mask.operations[0].operation->files();
    ASSERT_EQ(files.size(), 1u);
    EXPECT_EQ(files[0].text(), "[0.1, 0.2, 0.3]");
}

TEST_F(LayerFiles, GoIntoAnotherDocumentWithTheLayers) {
    add_rocks();
    std::string text = document->text();
    fs::remove(rocks);
    std::unique_ptr<Document> other = Document::create(folder / "other.caprock", grid_of(40, 30));
    std::vector<std::string> told;
    replace_layers(*other, text, [&](const std::string& message) { told.push_back(message); });
    EXPECT_TRUE(told.empty()) << told.front();
    EXPECT_EQ(highest_hardness(*other), 0.3f);
}

// ---- documents of earlier versions -----------------------------------------------------------------------

// As they were written: the path alone.
std::string with_path_alone(std::string text, const std::string& path) {
    size_t begin = text.find("\"table-file\": {");
    size_t end = text.find('}', begin);
    text.replace(begin, end + 1 - begin, "\"table-file\": \"" + path + "\"");
    text.replace(text.find("\"minor\": 1"), 10, "\"minor\": 0");
    return text;
}

struct OlderFiles : LayerFiles {
    int layer = add_rocks();

    OlderFiles() {
        std::string text = with_path_alone(document->text(), rocks);
        document->save();
        document.reset();
        Database(folder / "a.caprock", Database::Access::write).run("UPDATE document SET text = ?", text);
        document = Document::open(folder / "a.caprock");
    }
};

TEST_F(OlderFiles, AreFollowedWhereTheyAre) {
    EXPECT_EQ(highest_hardness(), 0.3f);
    write_text(rocks, "[0.1, 0.2, 0.9]");
    EXPECT_EQ(highest_hardness(), 0.9f) << "all of it is new, at once";
    std::vector<FileNote> notes = file_notes(document->state().layers);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_FALSE(notes[0].taken_in);
    EXPECT_EQ(notes[0].layer, layer);
    set_layer(*document, layer, {{notes[0].setting, rocks}});
    EXPECT_TRUE(file_notes(document->state().layers).empty());
    fs::remove(rocks);
    EXPECT_EQ(highest_hardness(), 0.9f);
}

TEST_F(OlderFiles, LeaveTheDocumentUsableWhereTheyAreGone) {
    fs::remove(rocks);
    Plan plan(document->snapshot());
    ASSERT_EQ(plan.problems().size(), 1u);
    EXPECT_NE(plan.problems()[0].find("'" + rocks + "': there is no such file"), std::string::npos)
        << plan.problems()[0];
    // Others can be changed, and this one as well.
    set_layer(*document, 1, {{"opacity", "0.5"}});
    set_layer(*document, layer, {{"opacity", "0.5"}});
    write_text(folder / "found.json", "[0, 0, 0.5]");
    set_layer(*document, layer, {{"opacity", "1"}, {"table-file", folder / "found.json"}});
    EXPECT_EQ(highest_hardness(), 0.5f);
}

TEST_F(OlderFiles, AreTakenInWithTheTextsOfLayers) {
    std::string text = document->text();
    std::unique_ptr<Document> other = Document::create(folder / "other.caprock", grid_of(40, 30));
    replace_layers(*other, text, {});
    fs::remove(rocks);
    EXPECT_EQ(highest_hardness(*other), 0.3f);
    std::vector<std::string> told;
    replace_layers(*other, text, [&](const std::string& message) { told.push_back(message); });
    ASSERT_EQ(told.size(), 1u);
    EXPECT_NE(told[0].find(rocks), std::string::npos) << told[0];
}

// ---- notes -----------------------------------------------------------------------------------------------

TEST_F(LayerFiles, NotesSayWhichFilesAreOthersNow) {
    int layer = add_rocks();
    EXPECT_TRUE(file_notes(document->state().layers).empty());
    write_text(rocks, "[0.1, 0.2, 0.9]");
    add_group(*document, "group", {layer});
    std::vector<FileNote> notes = file_notes(document->state().layers);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_EQ(notes[0].layer, layer);
    EXPECT_EQ(notes[0].setting, "table-file");
    EXPECT_EQ(notes[0].path, rocks);
    EXPECT_TRUE(notes[0].taken_in);
    set_layer(*document, layer, {{notes[0].setting, notes[0].path}});
    EXPECT_TRUE(file_notes(document->state().layers).empty());
    fs::remove(rocks);
    EXPECT_TRUE(file_notes(document->state().layers).empty()) << "what is gone is no other one";
    set_layer(*document, layer, {{"table-file", ""}});
    EXPECT_EQ(document->text().find(rocks), std::string::npos);
}

// ---- the program -----------------------------------------------------------------------------------------

TEST_F(LayerFiles, KeysAreOfTheProgramThatComputes) {
    add_rocks();
    const std::string other(64, '0');
    EXPECT_EQ(program_fingerprint().size(), 64u);
    EXPECT_NE(program_fingerprint(), other);
    Plan ours(document->snapshot());
    Plan again(document->snapshot());
    Plan theirs(document->snapshot(), 0, other);
    for (const char* field : {"height", "material", "hardness"}) {
        ContentKey key = ours.key(ours.top(), field, {0, 0});
        EXPECT_EQ(key, again.key(again.top(), field, {0, 0})) << field;
        EXPECT_EQ(key.program(), program_mark(program_fingerprint())) << field;
        ContentKey differing = theirs.key(theirs.top(), field, {0, 0});
        EXPECT_EQ(differing.program(), program_mark(other)) << field;
        // Besides the mark.
        EXPECT_NE(key.low, differing.low) << field;
    }
    EXPECT_EQ(changed_tiles(ours, theirs, "height").size(), 1u);
}

TEST_F(LayerFiles, CompactingDropsWhatAnotherProgramRemembered) {
    add_operations(*document, operations_of("thermal-erosion", {{"steps", "2"}}), layer_with("erosion"));
    Plan ours(document->snapshot());
    Plan theirs(document->snapshot(), 0, std::string(64, '0'));
    Evaluator(context).evaluate(ours, ours.window());
    document->store()->cache().clear();
    Evaluator(context).evaluate(theirs, theirs.window());
    auto remembered = [&](const Plan& plan) {
        return document->store()->remembered(plan.key(plan.top(), "height", {0, 0})).has_value();
    };
    // That of the erosion itself: the blend over it takes no time.
    auto made = [&](const Plan& plan) {
        return document->store()
            ->remembered(plan.key(*plan.content(document->state().layers.back().id), "height", {0, 0}))
            .has_value();
    };
    EXPECT_FALSE(remembered(ours));
    EXPECT_TRUE(made(ours));
    EXPECT_TRUE(made(theirs));
    document->compact();
    EXPECT_TRUE(made(ours)) << "what is still good stays";
    EXPECT_FALSE(made(theirs));
}

}  // namespace
}  // namespace caprock::test

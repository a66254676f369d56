// What verify finds, and what rescue makes of it.
#include "document/verify.h"

#include "document/damage.h"
#include "document/documents.h"
#include "document/project_tile_store.h"
#include "document/rescue.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

namespace fs = std::filesystem;

class Verifying : public testing::Test {
  protected:
    Folder folder;
    std::string path = folder / "a.caprock";
    std::string rescued_path = folder / "rescued.caprock";
    Told told;
    uint64_t painted = 0;

    // Strokes and settings, some of them undone, with a mask, and results that are remembered.
    void SetUp() override {
        auto document = made_for_driver(path);
        do_command(*document, large_stroke());
        paint_mask(*document, driver_layer, 0.5f);
        int copy = duplicate_layer(*document, driver_layer);
        set_layer(*document, copy, {{"opacity", "0.5"}});
        remove_layers(*document, {copy});
        DriverCommand second = large_stroke();
        second.title = "a second stroke";
        second.x = 400;
        do_command(*document, second);
        second.title = "a third stroke";
        do_command(*document, second);
        ASSERT_TRUE(document->undo());
        painted = fingerprint(painted_field(*document));
        std::vector<float> cells(1000, 3.25f);
        document->store()->remember({1, 2}, packed_cells(cells));
        document->set_thumbnail("a picture");
        document->flush();
    }

    std::string problems() {
        VerifyReport report = verify_project(path);
        std::string text;
        for (const std::string& problem : report.problems) text += problem + "\n";
        return text;
    }
    void expect_problem(const std::vector<std::string>& words) {
        std::string text = problems();
        for (const std::string& word : words)
            EXPECT_TRUE(has_words(text, word)) << word << " is not in: " << text;
    }
    RescueReport rescue() {
        fs::remove(rescued_path);
        told.messages.clear();
        RescueReport report = rescue_project(path, rescued_path, told.listener());
        VerifyReport found = verify_project(rescued_path);
        EXPECT_TRUE(found.sound()) << found.problems.front();
        EXPECT_EQ(told.messages.size(), report.lost.size());
        EXPECT_FALSE(Document::open(rescued_path)->read_only());
        return report;
    }
};

TEST_F(Verifying, ASoundFileHasNoProblems) {
    VerifyReport report = verify_project(path);
    EXPECT_TRUE(report.sound()) << report.problems.front();
    EXPECT_TRUE(report.document_sound && report.tiles_sound && report.history_sound);
    EXPECT_FALSE(fs::exists(path + "-wal")) << "a look leaves nothing behind";
    EXPECT_EQ(report.layers, 2);
    EXPECT_EQ(report.canvases, 2);
    EXPECT_EQ(report.entries, 7);
    EXPECT_EQ(report.position, 6);
    EXPECT_EQ(report.remembered, 1);
    EXPECT_GT(report.tiles, 8);
    EXPECT_GT(report.changed_tiles, 8);
    EXPECT_TRUE(has_words(report.summary(), "2 layers")) << report.summary();
    for (const VerifyReport::Table& table : report.tables) {
        EXPECT_TRUE(has_words(report.summary(), table.name)) << report.summary();
        if (table.name != "tiles") continue;
        EXPECT_GT(table.bytes, 100000u);
    }
    // So is one that somebody is writing.
    auto document = Document::open(path);
    do_command(*document, large_stroke());
    document->flush();
    EXPECT_TRUE(verify_project(path).sound());
}

TEST_F(Verifying, ProgressIsToldAndCancels) {
    double last = 0;
    Progress progress([&](double share) { last = share; });
    verify_project(path, &progress);
    EXPECT_EQ(last, 1);
    Progress cancelled;
    cancelled.cancel();
    EXPECT_THROW(verify_project(path, &cancelled), Cancelled);
    EXPECT_THROW(rescue_project(path, rescued_path, {}, &cancelled), Cancelled);
    for (const std::string& name : folder.names()) EXPECT_FALSE(has_words(name, "rescue")) << name;
}

TEST_F(Verifying, ASoundFileIsRescuedWithItsHistory) {
    RescueReport report = rescue();
    EXPECT_TRUE(report.with_history);
    EXPECT_TRUE(report.lost.empty()) << told.all();
    auto before = Document::open(path);
    auto after = Document::open(rescued_path);
    EXPECT_EQ(after->text(), before->text());
    EXPECT_EQ(after->thumbnail(), "a picture");
    EXPECT_EQ(fingerprint(painted_field(*after)), painted);
    ASSERT_TRUE(after->redo());
    EXPECT_EQ(after->history_line(7).title, "a third stroke");
    while (after->undo()) {
    }
    EXPECT_EQ(after->position(), 0);
    EXPECT_TRUE(has_words(refusal([&] { rescue_project(path, rescued_path, {}); }), "already there"));
}

TEST_F(Verifying, ATileThatIsDamagedIsNamedAndTheOthersAreRescued) {
    int64_t all = verify_project(path).tiles;
    Database(path, Database::Access::write)
        .run(
            "UPDATE tiles SET data = substr(data, 1, length(data) - 9) WHERE id = (SELECT tile FROM "
            "canvas_tiles "
            "WHERE canvas = 1 AND x = 1 AND y = 1)");
    expect_problem({"layer 2 (Painted), tile (1, 1): damaged cells"});
    VerifyReport found = verify_project(path);
    EXPECT_TRUE(found.document_sound);
    EXPECT_FALSE(found.tiles_sound);
    EXPECT_FALSE(found.history_sound);
    // What was painted from nothing is painted again, step by step.
    RescueReport report = rescue();
    EXPECT_TRUE(report.with_history);
    EXPECT_EQ(report.tiles, all);
    EXPECT_EQ(fingerprint(painted_field(*Document::open(rescued_path))), painted);
    // Not where a step is lost, and no other row has the same cells.
    change_file(path, "DELETE FROM tiles WHERE id NOT IN (SELECT tile FROM canvas_tiles)");
    change_file(path, "DELETE FROM history_tiles WHERE entry = 1 AND x = 1 AND y = 1");
    report = rescue();
    EXPECT_FALSE(report.with_history);
    EXPECT_TRUE(has_words(told.all(), "1 tiles of layer 2 (Painted): (1, 1)")) << told.all();
    EXPECT_TRUE(has_words(told.all(), "the history of 7 entries")) << told.all();
    EXPECT_GT(report.tiles, 0);
    EXPECT_LT(report.tiles, all);
    // All but the one are what they were.
    DocumentOptions reading;
    reading.read_only = true;
    auto before = Document::open(path, reading);
    auto after = Document::open(rescued_path);
    int canvas = canvas_of(after->state(), driver_layer, "");
    for (const Rect& part : {Rect{0, 0, 512, 256}, Rect{0, 0, 256, 512}})
        EXPECT_EQ(fingerprint(after->snapshot().canvas(canvas).read(part)),
                  fingerprint(before->snapshot().canvas(canvas).read(part)));
    EXPECT_TRUE(is_missing(after->snapshot().canvas(canvas).read({300, 300, 301, 301}).rows()[300][0]));
    EXPECT_EQ(after->entries(), 0);
}

TEST_F(Verifying, ATileWithOtherCellsIsFound) {
    change_file(
        path,
        "UPDATE canvas_tiles SET tile = (SELECT min(tile) FROM canvas_tiles) WHERE canvas = 1 AND x = 1");
    expect_problem({"layer 2 (Painted), tile (1, 0): it holds other cells", "tile (1, 1)"});
    rescue();
}

TEST_F(Verifying, ARowThatIsNotThereIsFound) {
    change_file(path,
                "DELETE FROM tiles WHERE id = (SELECT tile FROM canvas_tiles WHERE canvas = 1 LIMIT 1)");
    expect_problem({"layer 2 (Painted), tile (0, 0): it is not in the file"});
    rescue();
}

TEST_F(Verifying, RowsThatNobodyNeedsAreCounted) {
    int64_t before = verify_project(path).unreferenced;
    change_file(path, "INSERT INTO tiles SELECT id + 1000, data FROM tiles LIMIT 2");
    EXPECT_EQ(verify_project(path).unreferenced, before + 2);
    EXPECT_TRUE(verify_project(path).sound());
}

TEST_F(Verifying, DamageInTheHistoryIsNamedByItsEntry) {
    change_file(path,
                "UPDATE history_tiles SET difference = x'00112233' WHERE entry = 6 AND x = 1 AND y = 1");
    expect_problem(
        {"entry 6 of the history (a second stroke): layer 2 (Painted), tile (1, 1): damaged cells"});
    VerifyReport found = verify_project(path);
    EXPECT_TRUE(found.tiles_sound);
    EXPECT_FALSE(found.history_sound);
    // What is there now is whole.
    rescue();
    EXPECT_EQ(fingerprint(painted_field(*Document::open(rescued_path))), painted);
}

TEST_F(Verifying, AnEntryThatMakesOtherCellsIsFound) {
    std::vector<float> zeros(size_t(tile_cells), 0);
    change_file(path, "UPDATE history_tiles SET difference = ? WHERE entry = 7 AND x = 1 AND y = 1",
                Blob{packed_difference(zeros, zeros)});
    expect_problem({"entry 7 of the history (a third stroke)", "it makes other cells than it should"});
    change_file(path, "UPDATE history_tiles SET before = after WHERE entry = 7 AND x = 1 AND y = 1");
    expect_problem({"it was made of other cells"});
}

TEST_F(Verifying, AnEntryThatDoesNotFitTheTextIsFound) {
    change_file(path, "UPDATE history SET inserted = 'something else' WHERE id = 4");
    expect_problem({"entry 4 of the history", "does not fit the document"});
    EXPECT_FALSE(verify_project(path).history_sound);
    EXPECT_EQ(rescue().lost.size(), 1u);
}

TEST_F(Verifying, RememberedResultsThatAreDamagedCostNoHistory) {
    change_file(path, "UPDATE cache SET data = substr(data, 2)");
    expect_problem({"remembered result", "computed again"});
    EXPECT_TRUE(verify_project(path).history_sound);
    EXPECT_TRUE(rescue().with_history);
}

TEST_F(Verifying, TheLayersOfTheLastSaveAreRescued) {
    change_file(path, "UPDATE document SET text = 'nonsense' WHERE id = 1");
    expect_problem({"the last save"});
    RescueReport report = rescue();
    EXPECT_TRUE(has_words(told.all(), "the layers as they were last")) << told.all();
    EXPECT_EQ(fingerprint(painted_field(*Document::open(rescued_path))), painted);
    EXPECT_GT(report.tiles, 0);
    change_file(path, "UPDATE document SET text = 'nonsense'");
    expect_problem({"the document: not JSON"});
    fs::remove(rescued_path);
    EXPECT_TRUE(
        has_words(refusal([&] { rescue_project(path, rescued_path, {}); }), "nothing can be made of it"));
    EXPECT_FALSE(fs::exists(rescued_path));
}

TEST_F(Verifying, APageOfNoughtsIsFoundWhereverItIs) {
    // Each page by itself: verify never calls such a file sound, unless the page was free or held nothing.
    std::string sound = file_text(path);
    constexpr size_t page = 16384;
    int found = 0;
    int rescued = 0;
    for (size_t at = page; at < sound.size(); at += 5 * page) {
        std::string damaged = sound;
        damaged.replace(at, page, page, '\0');
        write_text(path, damaged);
        SCOPED_TRACE(at / page);
        found += !verify_project(path).sound();
        fs::remove(rescued_path);
        try {
            rescue();
            rescued++;
        } catch (const Error& error) {
            EXPECT_TRUE(has_words(error.what(), "nothing can be made of it")) << error.what();
        }
    }
    EXPECT_GT(found, int(sound.size() / page / 5) * 2 / 3);
    EXPECT_GT(rescued, int(sound.size() / page / 5) * 2 / 3);
}

}  // namespace
}  // namespace caprock::test

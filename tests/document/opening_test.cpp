// Files of newer versions, of strangers, and those that may not be written.
#include "document/child.h"
#include "document/damage.h"
#include "document/document_text.h"
#include "document/documents.h"
#include "document/rescue.h"
#include "document/verify.h"
#include "support/places.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <set>
#include <sys/stat.h>

namespace caprock::test {
namespace {

namespace fs = std::filesystem;

class Opening : public testing::Test {
  protected:
    Folder folder;
    std::string path = folder / "a.caprock";
    Told told;

    std::unique_ptr<Document> open(bool read_only = false) {
        DocumentOptions options;
        options.read_only = read_only;
        options.tell = told.listener();
        return Document::open(path, options);
    }
};

// A file as a later version may write it, with something new in every place. Returns what is to be kept, by its place.
std::map<std::string, Json> add_what_is_new(Json& json) {
    std::map<std::string, Json> added = {
        {"/caprock-document/signed-by", "somebody"},
        {"/weather", {{"rain", 3}, {"winds", {1, 2, 3}}}},
        {"/grid/curved", true},
        {"/canvases/0/depth", 12},
        {"/layers/0/colour", "red"},
        {"/layers/0/operations/0/parameters/swirl", 0.25},
        {"/layers/1/blend/feather", 7},
        {"/layers/1/mask/blur", 3.5},
        {"/layers/1/placement/shear", 0.1},
        {"/layers/1/canvases/0/channel", "alpha"},
    };
    for (const auto& [place, value] : added) json[Json::json_pointer(place)] = value;
    json["caprock-document"]["minor"] = 7;
    json["layers"][0]["operations"].push_back({{"operation", "dream"}, {"parameters", {{"lucid", true}}}});
    json["layers"][0]["operations"].push_back(
        {{"operation", "smooth"}, {"parameters", {{"field", "height"}, {"radius", "from a map"}}}});
    Json dissolving = json["layers"][0];
    dissolving["id"] = 39;
    dissolving["name"] = "Dissolving";
    dissolving["blend"]["mode"] = "dissolve";
    json["layers"].push_back({{"id", 40},
                              {"name", "Cloud"},
                              {"visible", true},
                              {"locked", false},
                              {"kind", "cloud"},
                              {"puffs", {1, 2, 3}},
                              {"canvases", {{{"field", "density"}, {"canvas", 30}}}}});
    json["layers"].push_back(dissolving);
    Json canvas = json["canvases"][0];
    canvas["id"] = 30;
    json["canvases"].push_back(canvas);
    json["next-layer"] = 41;
    json["next-canvas"] = 31;
    return added;
}

TEST_F(Opening, ANewerMinorVersionKeepsWhatIsNotUnderstood) {
    DriverModel model = make_driven(path, 0);
    {
        auto document = Document::open(path);
        paint_mask(*document, driver_layer, 1);
        set_layer(*document, driver_layer, {{"move", "8,4"}});
        document->compact(true);
    }
    Json json = document_json(path);
    std::map<std::string, Json> added = add_what_is_new(json);
    set_document_text(path, json.dump());
    // The unknown layer has a tile, too.
    change_file(path, "INSERT INTO canvases VALUES (30, 1)");
    std::vector<float> cells(size_t(tile_cells), 4.5f);
    auto key = key_of_cells(cells.data(), cells.size()).bytes();
    change_file(path, "INSERT INTO tiles VALUES (999, ?)", Blob{packed_cells(cells)});
    change_file(path, "INSERT INTO canvas_tiles VALUES (30, 0, 0, 999, ?)",
                Blob{{reinterpret_cast<const char*>(key.data()), key.size()}});
    {
        auto document = open();
        EXPECT_FALSE(document->read_only());
        ASSERT_EQ(told.messages.size(), 1u) << told.all();
        for (const char* name : {"signed-by", "weather", "curved", "depth", "colour", "swirl", "feather",
                                 "blur", "shear", "channel", "dream", "cloud", "1.7", "radius", "dissolve"})
            EXPECT_TRUE(has_words(told.all(), name)) << name << " is not in: " << told.all();
        // It works, and it is edited.
        RunContext context = cpu_context();
        evaluated(*document, context);
        set_layer(*document, driver_ground, {{"name", "Another name"}, {"opacity", "0.5"}});
        do_command(*document, large_stroke());
        ASSERT_TRUE(document->undo());
        ASSERT_TRUE(document->redo());
        document->save();
    }
    Json after = document_json(path);
    for (const auto& [place, value] : added) {
        ASSERT_TRUE(after.contains(Json::json_pointer(place))) << place;
        EXPECT_EQ(after[Json::json_pointer(place)], value) << place;
    }
    EXPECT_EQ(after["caprock-document"]["minor"], 7);
    EXPECT_EQ(after["layers"][0]["name"], "Another name");
    EXPECT_EQ(after["layers"][0]["operations"][1], json["layers"][0]["operations"][1]);
    EXPECT_EQ(after["layers"][0]["operations"][2], json["layers"][0]["operations"][2]);
    EXPECT_EQ(after["layers"][3], json["layers"][3]);
    EXPECT_EQ(after["layers"][2]["puffs"], json["layers"][2]["puffs"]);
    EXPECT_EQ(after["layers"][2]["canvases"], json["layers"][2]["canvases"]);
    auto again = open();
    EXPECT_EQ(again->snapshot().canvas(30).read({0, 0, 1, 1}).rows()[0][0], 4.5f);
    EXPECT_EQ(told.messages.size(), 2u);
    again.reset();
    VerifyReport report = verify_project(path);
    EXPECT_TRUE(report.sound()) << report.problems.front();
}

// What an earlier version had below all layers is a layer of its own here, and its history goes on.
TEST_F(Opening, AnEarlierVersionsDocumentKeepsItsLookAndItsHistory) {
    const float low = 25;
    {
        auto document = Document::create(path, Grid{Rect::of({300, 280}), 4, {low, 300}});
        int layer = add_painted(*document, "height", layer_with("Strokes", "add"));
        document->compact(true);
        // It was written before there was ground.
        Json json = Json::parse(document->text());
        json["caprock-document"]["minor"] = 0;
        document.reset();
        set_document_text(path, json.dump(1) + "\n");
        ASSERT_EQ(layer, 1);
    }
    RunContext context = cpu_context();
    std::string old_text = document_json(path).dump();
    auto document = open();
    EXPECT_EQ(told.messages.size(), 0u) << told.all();
    Field before = evaluated(*document, context).height();
    for (int y = 0; y < 280; y++)
        for (int x = 0; x < 300; x++) ASSERT_EQ(before.at(x, y), low);
    ASSERT_EQ(document->state().layers.size(), 2u);
    EXPECT_EQ(document->state().layers[0].name, "Flat ground");
    stroke(*document, 1, 100, 100, 200, 150, 40, 30);
    Field after = evaluated(*document, context).height();
    EXPECT_GT(statistics(after).high, low + 10);
    document.reset();
    EXPECT_EQ(document_json(path)["caprock-document"]["minor"], format_minor);
    document = open();
    EXPECT_EQ(document->state().layers.size(), 2u) << "put in twice";
    EXPECT_TRUE(identical(evaluated(*document, context).height(), after));
    ASSERT_TRUE(document->undo());
    EXPECT_TRUE(identical(evaluated(*document, context).height(), before));
    ASSERT_TRUE(document->redo());
    EXPECT_TRUE(identical(evaluated(*document, context).height(), after));
    ASSERT_TRUE(document->undo());
    document.reset();
    EXPECT_EQ(document_json(path).dump(), old_text);
    VerifyReport report = verify_project(path);
    EXPECT_TRUE(report.sound()) << report.problems.front();
}

TEST_F(Opening, AMaskThatIsGoneDoesNotComeBackForWhatWasNewInIt) {
    make_driven(path, 0);
    auto document = Document::open(path);
    paint_mask(*document, driver_layer, 1);
    document.reset();
    Json json = document_json(path);
    json["layers"][1]["mask"]["blur"] = 3;
    set_document_text(path, json.dump());
    document = open();
    remove_mask(*document, driver_layer);
    document->save();
    document.reset();
    EXPECT_FALSE(document_json(path)["layers"][1].contains("mask"));
    EXPECT_FALSE(open()->read_only());
}

TEST_F(Opening, AGreaterMajorVersionIsRefusedInWords) {
    make_driven(path, 0);
    Json json = document_json(path);
    json["caprock-document"]["major"] = 2;
    set_document_text(path, json.dump());
    std::string words = refusal([&] { open(); });
    EXPECT_TRUE(has_words(words, "2." + std::to_string(format_minor)) &&
                has_words(words, "takes a newer caprock"))
        << words;
    change_file(path, "PRAGMA user_version = 2003");
    words = refusal([&] { open(); });
    EXPECT_TRUE(has_words(words, "2.3") && has_words(words, "takes a newer caprock")) << words;
    EXPECT_TRUE(has_words(refusal([&] { verify_project(path); }), "takes a newer caprock"));
}

TEST_F(Opening, WhatIsNoProjectIsRefused) {
    for (const char* content : {"", "not a database, not at all, but long enough to be one for all that"}) {
        write_text(path, content);
        EXPECT_NE(refusal([&] { open(); }), "");
        EXPECT_NE(refusal([&] { open(true); }), "");
    }
    fs::remove(path);
    EXPECT_TRUE(has_words(refusal([&] { open(); }), "there is no such file"));
    EXPECT_TRUE(has_words(refusal([&] { Document::open(folder.path()); }), "it is a folder"));
    {
        Database other(path, Database::Access::create);
        other.script("CREATE TABLE document (text TEXT)");
    }
    EXPECT_TRUE(has_words(refusal([&] { open(); }), "it is no project of Caprock"));
}

// Nobody writes into the pipe: to open it would be to wait for ever.
TEST_F(Opening, APipeIsRefused) {
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    const std::string words = "'" + path + "': it is no file but a pipe";
    for (bool read_only : {false, true}) EXPECT_TRUE(has_words(refusal([&] { open(read_only); }), words));
    EXPECT_TRUE(has_words(refusal([&] { verify_project(path); }), words));
    EXPECT_TRUE(
        has_words(refusal([&] { rescue_project(path, folder / "b.caprock", told.listener()); }), words));
    EXPECT_EQ(folder.names(), std::set<std::string>{"a.caprock"});
}

TEST_F(Opening, ADamagedTextFallsBackToTheLastSave) {
    make_driven(path, 10);
    change_file(path, "UPDATE document SET text = '{' WHERE id = 1");
    // Again and again: to look at the damage does not make it worse.
    for (int i = 0; i < 3; i++) {
        told.messages.clear();
        auto document = open();
        EXPECT_TRUE(document->read_only());
        EXPECT_EQ(document->state().layers.size(), 2u);
        ASSERT_EQ(told.messages.size(), 1u);
        EXPECT_TRUE(has_words(told.all(), "reading only") && has_words(told.all(), "the last save"))
            << told.all();
        std::string words = refusal([&] { document->undo(); });
        EXPECT_TRUE(has_words(words, "damaged") && has_words(words, "rescue")) << words;
    }
}

TEST_F(Opening, ADamagedTableOfTilesIsSaid) {
    DriverModel model = make_driven(path, 10);
    change_file(path, "UPDATE canvas_tiles SET content = x'00' WHERE x = 0");
    auto document = open();
    EXPECT_TRUE(document->read_only());
    EXPECT_TRUE(has_words(told.all(), "tiles of canvas")) << told.all();
    RunContext context = cpu_context();
    evaluated(*document, context);
    document.reset();
    change_file(path, "DROP TABLE canvas_tiles");
    EXPECT_TRUE(open()->read_only());
    EXPECT_TRUE(has_words(told.all(), "the list of tiles")) << told.all();
}

TEST_F(Opening, AFileThatWasCutOffIsReadAsFarAsItGoes) {
    DriverModel model = make_driven(path, 20);
    std::string whole = file_text(path);
    write_truncated(path, folder / "cut.caprock", 0.7);
    fs::rename(folder / "cut.caprock", path);
    auto document = open();
    EXPECT_TRUE(document->read_only());
    EXPECT_FALSE(document->lost().empty());
    EXPECT_TRUE(has_words(told.all(), "is damaged and is open for reading only")) << told.all();
    EXPECT_EQ(document->state().layers.size(), 2u);
    document.reset();
    EXPECT_FALSE(verify_project(path).sound());
    RescueReport report = rescue_project(path, folder / "rescued.caprock", {});
    EXPECT_GT(report.tiles, 0);
    EXPECT_FALSE(report.lost.empty());
    EXPECT_TRUE(verify_project(folder / "rescued.caprock").sound());
}

TEST_F(Opening, AHistoryWithGapsIsDamage) {
    make_driven(path, 10);
    change_file(path, "DELETE FROM history WHERE id = 2");
    auto document = open();
    EXPECT_TRUE(document->read_only());
    EXPECT_TRUE(has_words(told.all(), "entries of the history")) << told.all();
    document.reset();
    change_file(path, "UPDATE history SET id = 9223372036854775807 WHERE id = 3");
    EXPECT_TRUE(open()->read_only());
}

TEST_F(Opening, AFileOfTheFirstVersionIsGivenItsSecondCopies) {
    DriverModel model = make_driven(path, 6);
    const std::vector<std::string> copies = {"document_copy",     "document_positions", "canvases_copy",
                                             "canvas_tiles_copy", "history_copy",       "history_tiles_copy"};
    for (const std::string& name : copies) change_file(path, "DROP INDEX " + name);
    change_file(path, "CREATE INDEX canvas_tiles_of ON canvas_tiles (tile)");
    change_file(path, "PRAGMA user_version = 1000");
    auto there = [&] {
        return Database(path, Database::Access::read)
            .integer("SELECT count(*) FROM sqlite_master WHERE name GLOB '*_copy'")
            .value_or(-1);
    };
    EXPECT_EQ(difference_from(*open(true), model), "");
    EXPECT_TRUE(verify_project(path).sound());
    EXPECT_EQ(there(), 0) << "who only looks changes nothing";
    EXPECT_EQ(difference_from(*open(), model), "");
    EXPECT_EQ(there(), 5);
    EXPECT_TRUE(verify_project(path).sound());
    EXPECT_EQ(told.all(), "");
}

TEST_F(Opening, WhatCouldNotBeReadAgainIsNotWritten) {
    make_driven(path, 0);
    auto document = Document::open(path);
    std::string before = document->text();
    // JSON has no infinity.
    std::string words = refusal([&] {
        document->change("far", [](Edit& edit) {
            edit.state().layers[0].placement.move_x = std::numeric_limits<double>::infinity();
        });
    });
    EXPECT_NE(words, "");
    EXPECT_EQ(document->text(), before);
    // Groups in groups in groups.
    int inner = driver_ground;
    words = "";
    for (int i = 0; i < 100 && words.empty(); i++)
        words = refusal([&] { inner = add_group(*document, "Group", {inner}); });
    EXPECT_TRUE(has_words(words, "too deep")) << words;
    document.reset();
    EXPECT_FALSE(open()->read_only());
}

TEST_F(Opening, TilesThatOnlyTheHistoryNamesAreKept) {
    make_driven(path, 0);
    uint64_t painted = 0;
    {
        auto document = Document::open(path);
        do_command(*document, large_stroke());
        painted = fingerprint(painted_field(*document));
        int copy = duplicate_layer(*document, driver_layer);
        remove_layers(*document, {driver_layer});
        ASSERT_GT(copy, driver_layer);
    }
    {
        // The canvas of the removed layer shares its tiles with the copy's, and nobody has looked at it.
        auto document = Document::open(path);
        int copy = document->state().layers.back().id;
        int canvas = canvas_of(document->state(), copy, "");
        for (int i = 0; i < 3; i++) {
            paint(*document, copy, canvas, Field(driver_rect(), float(i)), "over all");
            document->flush();
        }
        document->save();
        VerifyReport report = verify_project(path);
        EXPECT_TRUE(report.sound()) << report.problems.front();
        for (int i = 0; i < 4; i++) ASSERT_TRUE(document->undo());
        EXPECT_EQ(fingerprint(painted_field(*document)), painted);
    }
    EXPECT_TRUE(verify_project(path).sound());
}

TEST_F(Opening, AStrangersLogIsNotTakenForTheCopys) {
    make_driven(path, 4);
    // What is left where somebody took a project away without its log.
    DriverModel model = make_driven(folder / "b.caprock", 12);
    {
        Child driver({test::paint_driver, "paint", folder / "b.caprock", folder / "c.caprock",
                      std::to_string(never_forgets | 77), "0", "none"});
        for (int i = 0; i < 20; i++) driver.line();
    }
    ASSERT_GT(fs::file_size(folder / "b.caprock-wal"), 0u);
    fs::remove(folder / "b.caprock");
    auto document = Document::open(path);
    uint64_t before = fingerprint(painted_field(*document));
    document->save_as(folder / "b.caprock");
    EXPECT_EQ(fingerprint(painted_field(*document)), before);
    document.reset();
    VerifyReport report = verify_project(folder / "b.caprock");
    EXPECT_TRUE(report.sound()) << report.problems.front();
    EXPECT_EQ(fingerprint(painted_field(*Document::open(folder / "b.caprock"))), before);
}

TEST_F(Opening, WhatAKilledProgramLeftHalfDoneGoesWithTheNextCopy) {
    auto document = made_for_driver(path);
    std::string copy = folder / "b.caprock";
    Child ended({"true"});
    pid_t gone = ended.process();
    ended.wait();
    std::string old = fmt::format("{}.part{}", copy, gone);
    std::string fresh = fmt::format("{}.part{}-journal", copy, gone);
    std::string alive = fmt::format("{}.part{}", copy, getppid());
    std::string other = copy + ".parts";
    for (const std::string& name : {old, fresh, alive, other}) write_text(name, "half");
    for (const std::string& name : {old, alive, other})
        fs::last_write_time(name, fs::file_time_type::clock::now() - std::chrono::hours(2));
    document->save_as(copy);
    EXPECT_FALSE(fs::exists(old));
    EXPECT_TRUE(fs::exists(fresh) && fs::exists(alive) && fs::exists(other));
    EXPECT_TRUE(has_words(refusal([&] { made_for_driver(folder / "nowhere/a.caprock"); }),
                          "its folder is not there"));
}

// ---- files that may not be written ---------------------------------------------------------------------------

class OpeningAsNobody : public Opening {
  protected:
    void SetUp() override {
        if (geteuid() != 0) GTEST_SKIP() << "only root can become nobody";
        for (fs::path at = folder.path(); at != at.root_path(); at = at.parent_path()) {
            struct stat found {};
            stat(at.c_str(), &found);
            if (at == fs::path(folder.path())) continue;
            if (!(found.st_mode & S_IXOTH)) GTEST_SKIP() << at << " is closed to others";
        }
        model = make_driven(path, 6);
        chmod(folder.path().c_str(), 0755);
        chmod(path.c_str(), 0644);
        seen = fmt::format("reading {:016x}", fingerprint(model_field(model)));
    }
    std::string answer(const std::string& how) {
        Child driver({test::paint_driver, "open-as-nobody", path, how});
        return driver.line().value_or("nothing");
    }
    DriverModel model{0};
    std::string seen;
};

TEST_F(OpeningAsNobody, AReadOnlyFolderIsRead) {
    EXPECT_EQ(answer("read"), seen);
    std::string words = answer("write");
    EXPECT_TRUE(has_words(words, "refused") && has_words(words, "may not be written")) << words;
    EXPECT_TRUE(has_words(words, "reading only")) << words;
    // The file itself may be written, but there is no place for its log.
    chmod(path.c_str(), 0666);
    words = answer("write");
    EXPECT_TRUE(has_words(words, "refused") && has_words(words, "its folder may not be written")) << words;
    EXPECT_EQ(answer("read"), seen);
    EXPECT_EQ(folder.names(), std::set<std::string>{"a.caprock"});
    // A file that may not be written, in a folder that may.
    chmod(path.c_str(), 0444);
    chmod(folder.path().c_str(), 0777);
    EXPECT_EQ(answer("read"), seen);
    EXPECT_TRUE(has_words(answer("write"), "may not be written"));
    // Nothing of his is left there, which the owner could not write.
    EXPECT_EQ(folder.names(), std::set<std::string>{"a.caprock"});
    auto owner = open();
    do_command(*owner, large_stroke());
    owner->flush();
    EXPECT_EQ(answer("read"), fmt::format("reading {:016x}", fingerprint(painted_field(*owner))));
    owner.reset();
    EXPECT_EQ(folder.names(), std::set<std::string>{"a.caprock"});
}

TEST_F(OpeningAsNobody, ChangesInTheLogAreSeenOrSaid) {
    // Not every command changes cells: what is committed has to show. Until it is killed the driver goes on, and may have
    // undone it again.
    std::set<std::string> possible;
    {
        Child driver({test::paint_driver, "paint", path, folder / "c.caprock",
                      std::to_string(never_forgets | 5), std::to_string(model.done()), "none"});
        int64_t committed = model.done();
        int64_t begun = committed;
        auto hear = [&](const std::string& line) {
            if (line == "begin command") begun++;
            if (line.starts_with("committed ")) committed = std::stoll(line.substr(10));
        };
        auto shown = [&] { return fmt::format("reading {:016x}", fingerprint(model_field(model))); };
        std::string last = seen;
        while (last == seen) {
            std::optional<std::string> line = driver.line();
            ASSERT_TRUE(line) << "the driver is silent; it ended with " << driver.wait();
            hear(*line);
            while (model.done() < committed) model.next();
            last = shown();
        }
        driver.kill();
        while (std::optional<std::string> line = driver.line()) hear(*line);
        while (model.done() < committed) model.next();
        possible.insert(shown());
        while (model.done() < begun) {
            model.next();
            possible.insert(shown());
        }
    }
    ASSERT_GT(fs::file_size(path + "-wal"), 0u);
    chmod((path + "-wal").c_str(), 0644);
    chmod((path + "-shm").c_str(), 0644);
    std::string now = answer("read");
    EXPECT_TRUE(possible.contains(now)) << now;
    // The index of the log is made anew in memory, also where a file for it could be made.
    fs::remove(path + "-shm");
    EXPECT_EQ(answer("read"), now);
    chmod(folder.path().c_str(), 0777);
    EXPECT_EQ(answer("read"), now);
    EXPECT_FALSE(fs::exists(path + "-shm"));
    // Without the log, an older state is not shown in its place.
    chmod((path + "-wal").c_str(), 0600);
    std::string words = answer("read");
    EXPECT_TRUE(has_words(words, "refused") && has_words(words, "-wal")) << words;
    chmod((path + "-wal").c_str(), 0644);
    EXPECT_FALSE(open()->read_only());
}

}  // namespace
}  // namespace caprock::test

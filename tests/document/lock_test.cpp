// One file, one who writes it: in this program or another.
#include "document/child.h"
#include "document/damage.h"
#include "document/documents.h"
#include "document/project_tile_store.h"
#include "document/verify.h"
#include "support/places.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>

namespace caprock::test {
namespace {

namespace fs = std::filesystem;

DocumentOptions for_reading() {
    DocumentOptions options;
    options.read_only = true;
    return options;
}

// Locks of readers on a file, whoever they are.
int locks_on(const std::string& path) {
    struct stat found {};
    if (stat(path.c_str(), &found) != 0) return -1;
    std::ifstream locks("/proc/locks");
    std::string line;
    int count = 0;
    while (std::getline(locks, line))
        count += has_words(line, "OFDLCK") && has_words(line, "READ") &&
                 has_words(line, fmt::format(":{} ", found.st_ino));
    return count;
}

TEST(Locks, TheSameProgramTwiceIsRefused) {
    Folder folder;
    std::string path = folder / "a.caprock";
    auto document = made_for_driver(path);
    EXPECT_TRUE(
        has_words(refusal([&] { Document::open(path); }), "already open for writing in this program"));
    fs::create_symlink(path, folder / "link.caprock");
    fs::create_hard_link(path, folder / "other.caprock");
    EXPECT_TRUE(has_words(refusal([&] { Document::open(folder / "link.caprock"); }), "in this program"));
    EXPECT_TRUE(has_words(refusal([&] { Document::open(folder / "other.caprock"); }), "in this program"));
    // To look at it is allowed.
    auto reader = Document::open(path, for_reading());
    EXPECT_TRUE(reader->read_only());
    EXPECT_TRUE(has_words(refusal([&] { reader->change("x", [](Edit&) {}); }), "open for reading only"));
    reader.reset();
    document.reset();
    EXPECT_FALSE(Document::open(path)->read_only());
}

TEST(Locks, AnotherProgramIsRefusedAndMayRead) {
    Folder folder;
    std::string path = folder / "a.caprock";
    DriverModel model = make_driven(path, 6);
    Child holder({test::paint_driver, "hold", path});
    ASSERT_EQ(holder.line(), "open");
    std::string words = refusal([&] { Document::open(path); });
    EXPECT_TRUE(has_words(words, "a.caprock")) << words;
    EXPECT_TRUE(has_words(words, "it is open for writing in another program")) << words;
    EXPECT_TRUE(has_words(words, "reading only")) << words;
    auto reader = Document::open(path, for_reading());
    EXPECT_EQ(difference_from(*reader, model), "");
    // Nor may a copy of something else take its place.
    auto other = made_for_driver(folder / "b.caprock");
    words = refusal([&] { other->save_as(path); });
    EXPECT_TRUE(has_words(words, "it is open for writing in another program")) << words;
    EXPECT_EQ(other->path(), folder / "b.caprock");
    reader.reset();
    // However it ends: nothing is left of its lock.
    holder.kill();
    auto document = Document::open(path);
    EXPECT_FALSE(document->read_only());
    EXPECT_EQ(difference_from(*document, model), "");
}

TEST(Locks, ThisProgramRefusesAnother) {
    Folder folder;
    std::string path = folder / "a.caprock";
    DriverModel model = make_driven(path, 6);
    auto document = Document::open(path);
    Child second({test::paint_driver, "open", path});
    EXPECT_TRUE(has_words(second.line().value_or(""), "refused")) << "it was let in";
    Child reader({test::paint_driver, "open", path, "read"});
    EXPECT_EQ(reader.line(), fmt::format("reading {:016x}", fingerprint(model_field(model))));
}

TEST(Locks, AnAttemptToWriteDoesNotTakeTheLocksOfReaders) {
    // Without them the program that writes could bring its log into the file under the reader's eyes.
    Folder folder;
    std::string path = folder / "a.caprock";
    made_for_driver(path);
    Child holder({test::paint_driver, "hold", path});
    ASSERT_EQ(holder.line(), "open");
    auto reader = Document::open(path, for_reading());
    painted_field(*reader);
    int before = locks_on(path);
    if (before < 1) GTEST_SKIP() << "locks are not told here";
    EXPECT_NE(refusal([&] { Document::open(path); }), "");
    EXPECT_EQ(locks_on(path), before);
    holder.kill();
    // Nor does one who has written and is done.
    Document::open(path).reset();
    EXPECT_EQ(locks_on(path), before);
    reader.reset();
    EXPECT_EQ(locks_on(path), 0);
}

// ---- who looks, and who writes meanwhile -----------------------------------------------------------------

// Commands of another program, each of them on disk.
void paint_elsewhere(const std::string& path, const std::string& other, int64_t done, int count,
                     const std::string& phase) {
    Child driver({test::paint_driver, "paint", path, other, std::to_string(never_forgets | 5),
                  std::to_string(done), phase});
    int committed = 0;
    while (committed < count) {
        std::optional<std::string> line = driver.line();
        ASSERT_TRUE(line) << "it ended with " << driver.wait();
        committed += line->starts_with("committed ");
    }
}

TEST(Readers, SeeOneMomentWhateverOthersWrite) {
    for (const char* phase : {"none", "save", "compact", "save_as"}) {
        SCOPED_TRACE(phase);
        Folder folder;
        std::string path = folder / "a.caprock";
        DriverModel model = make_driven(path, 6);
        auto reader = Document::open(path, for_reading());
        // While another program works and is then killed, which no command of its own is kept from.
        paint_elsewhere(path, folder / "b.caprock", model.done(), 12, phase);
        EXPECT_EQ(difference_from(*reader, model), "");
        // One who comes now sees more, also while the first is still there.
        auto second = Document::open(path, for_reading());
        EXPECT_NE(difference_from(*second, model), "");
        EXPECT_EQ(difference_from(*reader, model), "");
        uint64_t now = fingerprint(painted_field(*second));
        // This program may change it, too.
        auto writer = Document::open(path);
        ASSERT_FALSE(writer->read_only());
        do_command(*writer, large_stroke());
        writer->compact();
        writer.reset();
        EXPECT_EQ(difference_from(*reader, model), "");
        EXPECT_EQ(fingerprint(painted_field(*second)), now);
        reader.reset();
        second.reset();
        EXPECT_TRUE(verify_project(path).sound());
        EXPECT_FALSE(fs::exists(path + "-wal") || fs::exists(path + "-shm")) << "something was left behind";
    }
}

TEST(Readers, BringWhatTheyHaveComputedWhenNobodyWrites) {
    Folder folder;
    std::string path = folder / "a.caprock";
    make_driven(path, 2);
    auto remembered = [&] {
        return Database(path, Database::Access::read).integer("SELECT count(*) FROM cache").value_or(-1);
    };
    DocumentOptions options = for_reading();
    options.remember = true;
    std::string result = packed_cells(std::vector<float>(100, 2.5f));
    {
        auto reader = Document::open(path, options);
        reader->store()->remember({1, 1}, result);
        EXPECT_EQ(reader->store()->remembered({1, 1}), result);
        EXPECT_EQ(remembered(), 0) << "not while it is looked at";
    }
    EXPECT_EQ(remembered(), 1);
    EXPECT_EQ(Document::open(path, for_reading())->store()->remembered({1, 1}), result);
    EXPECT_EQ(Document::open(path, for_reading())->store()->remembered({1, 2}), std::nullopt);
    {
        // Who writes is not disturbed.
        auto reader = Document::open(path, options);
        reader->store()->remember({2, 2}, result);
        Child holder({test::paint_driver, "hold", path});
        ASSERT_EQ(holder.line(), "open");
        reader.reset();
        EXPECT_EQ(remembered(), 1);
    }
    // What the one that was killed has left goes with the next look.
    Document::open(path, for_reading()).reset();
    EXPECT_EQ(folder.names(), std::set<std::string>{"a.caprock"});
    // Nor does it go into another file that has taken the name.
    auto reader = Document::open(path, options);
    reader->store()->remember({3, 3}, result);
    make_driven(folder / "b.caprock", 1);
    fs::rename(folder / "b.caprock", path);
    reader.reset();
    EXPECT_EQ(remembered(), 0);
    EXPECT_EQ(folder.names(), std::set<std::string>{"a.caprock"});
}

TEST(Readers, ManyResultsGoToTheFileInBetween) {
    Folder folder;
    std::string path = folder / "a.caprock";
    make_driven(path, 0);
    DocumentOptions options = for_reading();
    options.remember = true;
    auto reader = Document::open(path, options);
    std::vector<float> cells(4 << 20);
    for (size_t i = 0; i < cells.size(); i++) cells[i] = float(mixed(i, 3) % 100000);
    std::string large = packed_cells(cells);
    for (uint64_t i = 0; i < 8; i++) reader->store()->remember({i, i}, large);
    for (uint64_t i = 0; i < 8; i++) EXPECT_EQ(reader->store()->remembered({i, i}), large) << i;
    EXPECT_GT(Database(path, Database::Access::read).integer("SELECT count(*) FROM cache"), 2);
}

TEST(Writers, WaitForEachOtherAsLongAsTheyAreTold) {
    Folder folder;
    std::string path = folder / "a.caprock";
    DriverModel model = make_driven(path, 3);
    auto holder = std::make_unique<Child>(std::vector<std::string>{test::paint_driver, "hold", path});
    ASSERT_EQ(holder->line(), "open");
    EXPECT_NE(refusal([&] { Document::open(path); }), "") << "without patience";
    std::thread ending([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        holder->kill();
    });
    DocumentOptions options;
    options.patience = std::chrono::minutes(1);
    auto document = Document::open(path, options);
    ending.join();
    EXPECT_FALSE(document->read_only());
    EXPECT_EQ(difference_from(*document, model), "");
}

// ---- a file that is taken away ---------------------------------------------------------------------------

TEST(Writers, NoticeThatTheirFileIsGone) {
    for (bool replaced : {false, true}) {
        Folder folder;
        std::string path = folder / "a.caprock";
        auto document = made_for_driver(path);
        do_command(*document, large_stroke());
        document->flush();
        std::string other;
        if (replaced) {
            made_for_driver(folder / "b.caprock");
            other = file_text(folder / "b.caprock");
            fs::rename(folder / "b.caprock", path);
        } else {
            fs::remove(path);
        }
        EXPECT_FALSE(document->in_place());
        DriverCommand second = large_stroke();
        second.x = 100;
        do_command(*document, second);
        std::string words = refusal([&] { document->flush(); });
        EXPECT_TRUE(has_words(words, replaced ? "another file has taken its place" : "deleted or moved"))
            << words;
        uint64_t painted = fingerprint(painted_field(*document));
        document->save_as(folder / "c.caprock");
        EXPECT_TRUE(document->in_place());
        document.reset();
        auto kept = Document::open(folder / "c.caprock");
        EXPECT_EQ(fingerprint(painted_field(*kept)), painted);
        EXPECT_EQ(kept->position(), 2);
        kept.reset();
        if (replaced) {
            EXPECT_EQ(file_text(path), other) << "the other file is nobody's business";
            EXPECT_TRUE(Document::open(path)->lost().empty());
        }
        EXPECT_EQ(folder.names(), (replaced ? std::set<std::string>{"a.caprock", "c.caprock"}
                                            : std::set<std::string>{"c.caprock"}));
    }
}

}  // namespace
}  // namespace caprock::test

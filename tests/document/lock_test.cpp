// One file, one who writes it: in this program or another.
#include "document/child.h"
#include "document/damage.h"
#include "document/documents.h"
#include "support/places.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace caprock::test {
namespace {

namespace fs = std::filesystem;

DocumentOptions for_reading() {
    DocumentOptions options;
    options.read_only = true;
    return options;
}

// POSIX locks of this process on a file.
int locks_on(const std::string& path) {
    struct stat found {};
    if (stat(path.c_str(), &found) != 0) return -1;
    std::ifstream locks("/proc/locks");
    std::string line;
    int count = 0;
    while (std::getline(locks, line))
        count += has_words(line, "POSIX") && has_words(line, fmt::format(" {} ", getpid())) &&
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
    // They are POSIX locks: any descriptor of the file that is closed takes them with it, and then the program that
    // writes could take the log away from under the reader.
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

}  // namespace
}  // namespace caprock::test

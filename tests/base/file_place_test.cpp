#include "base/file_place.h"

#include "base/error.h"
#include "base/text_file.h"
#include "support/folder.h"
#include "support/refusals.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>

namespace caprock::test {
namespace {

namespace fs = std::filesystem;

std::string output_refusal(const std::string& path) {
    return refusal([&] { place_of_output(path); });
}

TEST(FilePlace, IsBehindLinks) {
    Folder folder;
    fs::create_directory(folder / "far");
    write_text(folder / "far/a", "old");
    fs::create_symlink("far/a", folder / "link");
    fs::create_symlink(folder / "link", folder / "link-to-link");
    fs::create_symlink("far/new", folder / "dangling");
    EXPECT_EQ(place_of_output(folder / "plain"), folder / "plain");
    EXPECT_EQ(place_of_output(folder / "link"), folder / "far/a");
    EXPECT_EQ(place_of_output(folder / "link-to-link"), folder / "far/a");
    EXPECT_EQ(place_of_output(folder / "dangling"), folder / "far/new");
}

TEST(FilePlace, LinksThatLeadNowhereAreRefused) {
    Folder folder;
    fs::create_symlink("gone/new", folder / "dangling");
    fs::create_symlink("b", folder / "a");
    fs::create_symlink("a", folder / "b");
    EXPECT_NE(output_refusal(folder / "dangling").find("gone' does not exist"), std::string::npos);
    EXPECT_EQ(output_refusal(folder / "a"), "it is a link that leads back to itself");
}

TEST(FilePlace, TextIsWrittenThroughLinks) {
    Folder folder;
    fs::create_directory(folder / "far");
    fs::create_symlink("far/new", folder / "dangling");
    write_text_file("song", folder / "dangling");
    EXPECT_TRUE(fs::is_symlink(folder / "dangling"));
    EXPECT_EQ(file_text(folder / "far/new"), "song");
    write_text_file("longer song", folder / "dangling");
    EXPECT_TRUE(fs::is_symlink(folder / "dangling"));
    EXPECT_EQ(file_text(folder / "far/new"), "longer song");
    EXPECT_EQ(folder.names(), (std::set<std::string>{"dangling", "far"}));
}

TEST(FilePlace, PermissionsOfWhatWasThereStay) {
    Folder folder;
    for (mode_t mode : {0600, 0640, 0444, 0777}) {
        write_text(folder / "a", "old");
        ASSERT_EQ(chmod((folder / "a").c_str(), mode), 0);
        write_text_file("new", folder / "a");
        EXPECT_EQ(mode_of(folder / "a"), mode);
        EXPECT_EQ(file_text(folder / "a"), "new");
        fs::remove(folder / "a");
    }
}

TEST(FilePlace, NewFilesFollowTheMask) {
    Folder folder;
    mode_t before = umask(027);
    write_text_file("new", folder / "a");
    umask(before);
    EXPECT_EQ(mode_of(folder / "a"), mode_t(0640));
}

// To put a file in the place of a device would take it away from everybody.
TEST(FilePlace, PipesAndDevicesAreWrittenTo) {
    Folder folder;
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    std::string heard;
    std::thread listener([&] { heard = file_text(folder / "pipe"); });
    write_text_file("song", folder / "pipe");
    listener.join();
    EXPECT_EQ(heard, "song");
    EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
    EXPECT_EQ(folder.names(), std::set<std::string>{"pipe"});
}

// Only the administrator can make a file of somebody else's.
TEST(FilePlace, OwnersStayWhereTheSystemLetsThem) {
    Folder folder;
    write_text(folder / "a", "old");
    if (chown((folder / "a").c_str(), 4321, 4322) != 0) GTEST_SKIP() << "not the administrator";
    ASSERT_EQ(chmod((folder / "a").c_str(), 0660), 0);
    write_text_file("new", folder / "a");
    struct stat found {};
    ASSERT_EQ(stat((folder / "a").c_str(), &found), 0);
    EXPECT_EQ(found.st_uid, 4321u);
    EXPECT_EQ(found.st_gid, 4322u);
    EXPECT_EQ(mode_of(folder / "a"), mode_t(0660));
}

}  // namespace
}  // namespace caprock::test

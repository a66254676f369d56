// HDF5 files whose damage brings their library down, or keeps it busy for ever: a process of their own has it first.
#include "formats/rasters.h"
#include "support/variable.h"

#include <cstdlib>
#include <cstring>
#include <limits>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;

using namespace caprock;
using namespace caprock::test;

namespace {

namespace fs = std::filesystem;

constexpr const char* seconds = "CAPROCK_TRIAL_SECONDS";

std::string written_netcdf(const Folder& folder) {
    write_terrain(rough_terrain({64, 48}), folder / "sound.nc");
    return file_text(folder / "sound.nc");
}

// The file has three references in its global heap ("HDF5 File Format Specification", Global Heap), of 8 bytes each: a number of
// 2 bytes, a count of 2, 4 that are reserved, the size, and the reference itself. The library believes the size: it copies
// as many bytes into a place for 8, and has the next object begin there.
std::string with_size_of_reference(std::string text, int number, uint64_t size) {
    size_t place = text.find("GCOL") + 16 + 24 * size_t(number - 1);
    EXPECT_EQ(text.substr(place, 9), std::string({char(number), 0, 0, 0, 0, 0, 0, 0, 8}));
    std::memcpy(&text[place + 8], &size, sizeof size);
    return text;
}

std::string message_for(const std::string& path, const ReadOptions& options = {}) {
    std::string message = refusal("", [&] { read_terrain(path, options); });
    EXPECT_NE(message.find("it is damaged: the library that reads HDF5"), std::string::npos) << message;
    return message;
}

bool has_children() { return waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD; }

}  // namespace

TEST(Trial, OfWhatCrashesTheLibrary) {
    Folder folder;
    std::string sound = written_netcdf(folder);
    for (int number : {2, 3})
        for (int bits : {13, 16, 24, 30}) {
            SCOPED_TRACE(testing::Message() << number << " " << bits);
            write_text(folder / "damaged.nc", with_size_of_reference(sound, number, uint64_t(1) << bits));
            std::string message = message_for(folder / "damaged.nc");
            EXPECT_NE(message.find("fails on it"), std::string::npos) << message;
            EXPECT_NE(message.find(folder / "damaged.nc"), std::string::npos) << message;
        }
    EXPECT_FALSE(has_children());
    EXPECT_THROW(open_terrain(folder / "damaged.nc"), Error);
    ReadOptions options;
    options.cell = 12.5;
    options.to_metres = true;
    options.range = Interval{-5, 1e5};
    message_for(folder / "damaged.nc", options);
    EXPECT_EQ(read_terrain(folder / "sound.nc").rect().size(), (Size{64, 48}));
}

TEST(Trial, OfWhatKeepsTheLibraryBusyForEver) {
    Folder folder;
    Variable brief(seconds, "1");
    write_text(folder / "damaged.nc", with_size_of_reference(written_netcdf(folder), 1, 0));
    std::string message = message_for(folder / "damaged.nc");
    EXPECT_NE(message.find("does not come to an end with it"), std::string::npos) << message;
    EXPECT_FALSE(has_children());
}

TEST(Trial, CanBeCancelled) {
    Folder folder;
    Variable long_time(seconds, "1000");
    write_text(folder / "damaged.nc", with_size_of_reference(written_netcdf(folder), 1, 0));
    Progress progress;
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        progress.cancel();
    });
    EXPECT_THROW(read_terrain(folder / "damaged.nc", {}, {&progress, {}}), Cancelled);
    other.join();
    EXPECT_FALSE(has_children());
}

TEST(Trial, OfFilesOfAnyNameAndPlace) {
    Folder folder;
    std::string damaged = with_size_of_reference(written_netcdf(folder), 2, uint64_t(1) << 30);
    for (const char* name : {"damaged.cdf", "damaged.NC4", "with 'quotes' and $(words).nc",
                             "Höhe und Höhen.nc", "no letters \xff\xfe.nc", "two\nlines.nc", "-o.nc"}) {
        write_text(folder / name, damaged);
        message_for(folder / name);
    }
    fs::path before = fs::current_path();
    fs::current_path(folder.path());
    message_for("damaged.cdf");
    message_for("./-o.nc");
    fs::current_path(before);
    // Behind a block of the user's own.
    for (size_t bytes : {512, 2048}) {
        write_text(folder / "behind.nc", std::string(bytes, 'u') + damaged);
        message_for(folder / "behind.nc");
    }
}

// Files that are made of others.
TEST(Trial, OfVirtualRasters) {
    Folder folder;
    write_text(folder / "damaged.nc", with_size_of_reference(written_netcdf(folder), 2, uint64_t(1) << 30));
    auto virtual_raster = [&](const std::string& name, const std::string& source) {
        write_text(folder / name,
                   "<VRTDataset rasterXSize='64' rasterYSize='48'><VRTRasterBand dataType='Float32' band='1'>"
                   "<SimpleSource><SourceFilename relativeToVRT='1'>" +
                       source + "</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>");
    };
    virtual_raster("a.vrt", "damaged.nc");
    message_for(folder / "a.vrt");
    virtual_raster("b.vrt", "a.vrt");
    message_for(folder / "b.vrt");
    virtual_raster("c.vrt", "sound.nc");
    EXPECT_EQ(read_terrain(folder / "c.vrt").rect().size(), (Size{64, 48}));
    virtual_raster("itself.vrt", "itself.vrt");
    refusal("itself.vrt", [&] { read_terrain(folder / "itself.vrt"); });
}

// What is wrong with a file is said as of any other, and once.
TEST(Trial, LeavesTheTellingToTheReader) {
    Folder folder;
    Terrain terrain = rough_terrain({64, 48});
    Field height = terrain.height();
    height.writable_rows()[7][5] = std::numeric_limits<float>::infinity();
    terrain.set("height", height);
    write_terrain(terrain, folder / "endless.nc");
    Told told;
    read_terrain(folder / "endless.nc", {}, told.context());
    EXPECT_EQ(told.messages.size(), 1u);
    EXPECT_TRUE(told.says("1 cell that is not finite"));
    write_truncated(folder / "endless.nc", folder / "cut.nc", 0.5);
    std::string message = refusal("cut.nc", [&] { read_terrain(folder / "cut.nc"); });
    // Behind the path, which may lie in a folder of any name.
    EXPECT_EQ(message.find("library", message.find("cut.nc")), std::string::npos) << message;
}

// And nothing else, which the library itself would print.
TEST(Trial, PrintsNothing) {
    Folder folder;
    std::string text = written_netcdf(folder);
    text[40]++;  // where the file ends, which the checksum behind it is of
    write_text(folder / "damaged.h5", text);
    testing::internal::CaptureStderr();
    refusal("damaged.h5", [&] { read_terrain(folder / "damaged.h5"); });
    std::thread([&] { EXPECT_THROW(read_terrain(folder / "damaged.h5"), Error); }).join();
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// A file that has passed may become another one.
TEST(Trial, OfAFileThatHasChanged) {
    Folder folder;
    std::string sound = written_netcdf(folder);
    read_terrain(folder / "sound.nc");
    write_text(folder / "sound.nc", with_size_of_reference(sound, 3, uint64_t(1) << 30));
    message_for(folder / "sound.nc");
}

// Programs that take the library along without what belongs to it still read their files.
TEST(Trial, IsLeftOutWithoutItsProgram) {
    const char* in_child = std::getenv("CAPROCK_TEST_WITHOUT_TRIAL");
    if (in_child) {
        EXPECT_EQ(read_terrain(in_child).rect().size(), (Size{64, 48}));
        std::string libraries = file_text("/proc/self/maps");
        EXPECT_FALSE(fs::exists(fs::path(in_child).parent_path() / "caprock-trial"));
        EXPECT_NE(libraries.find((fs::path(in_child).parent_path() / "caprock-gdal.so").string()),
                  std::string::npos);
        return;
    }
    Folder folder;
    written_netcdf(folder);
    fs::path libraries = fs::path(test::build_folder) / "lib";
    EXPECT_TRUE(fs::exists(libraries / "caprock-trial"));
    for (const char* name : {"libcaprock-core.so.0", "caprock-gdal.so"})
        fs::copy_file(libraries / name, folder / name);
    Variable file("CAPROCK_TEST_WITHOUT_TRIAL", (folder / "sound.nc").c_str());
    Variable place("LD_LIBRARY_PATH", folder.path().c_str());
    // The child has one test to run, whichever share of all this program has.
    Variable shares("GTEST_TOTAL_SHARDS", "1");
    Variable share("GTEST_SHARD_INDEX", "0");
    std::string program = fs::read_symlink("/proc/self/exe").string();
    std::string filter = "--gtest_filter=Trial.IsLeftOutWithoutItsProgram";
    char* words[] = {program.data(), filter.data(), nullptr};
    pid_t child = 0;
    ASSERT_EQ(posix_spawn(&child, program.c_str(), nullptr, nullptr, words, environ), 0);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

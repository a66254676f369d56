// What cannot be read or written: one line that names the file and the reason, and nothing left behind.
#include "formats/rasters.h"

#include <sys/stat.h>

using namespace caprock;
using namespace caprock::test;

namespace {

Terrain small_terrain() { return rough_terrain({64, 48}); }

void expect_refused(const Folder& folder, const std::string& name, const std::string& reason) {
    std::string message = refusal(name, [&] { read_terrain(folder / name); });
    EXPECT_NE(message.find(reason), std::string::npos) << message;
}

}  // namespace

TEST(Unreadable, SaysWhy) {
    Folder folder;
    write_text(folder / "text.tif", "this is no picture\nat all\n");
    write_text(folder / "text.png", "this is no picture\nat all\n");
    write_text(folder / "empty.tif", "");
    std::filesystem::create_directory(folder / "folder.tif");
    mkfifo((folder / "pipe.tif").c_str(), 0600);
    expect_refused(folder, "text.tif", "no raster file");
    expect_refused(folder, "text.png", "no raster file");
    expect_refused(folder, "empty.tif", "empty");
    expect_refused(folder, "folder.tif", "folder");
    expect_refused(folder, "pipe.tif", "plain file");
    expect_refused(folder, "none.tif", "no such file");
    expect_refused(folder, std::string(300, 'a') + ".tif", "too long");
    expect_refused(folder, "text.tif/a.tif", "");
    if (geteuid() == 0) return;  // who may read everything
    write_text(folder / "secret.tif", "x");
    chmod((folder / "secret.tif").c_str(), 0);
    expect_refused(folder, "secret.tif", "denied");
}

TEST(Unreadable, TruncatedFiles) {
    Folder folder;
    write_terrain(rough_terrain({700, 600}), folder / "whole.tif");
    write_terrain(rough_terrain({700, 600}), folder / "whole.png");
    for (double share : {0.0005, 0.01, 0.3, 0.7, 0.95, 0.999}) {
        for (const char* ending : {".tif", ".png"}) {
            std::string name = "cut" + std::to_string(share) + ending;
            write_truncated(folder / ("whole" + std::string(ending)), folder / name, share);
            refusal(name, [&] { read_terrain(folder / name); });
        }
    }
}

TEST(Unreadable, TruncatedHeights) {
    Folder folder;
    Terrain terrain = rough_terrain({200, 150});
    for (const char* ending : {".asc", ".bt", ".img", ".bil", ".flt", ".nc", ".ter"}) {
        write_terrain(terrain, folder / ("whole" + std::string(ending)));
        // The header is in a file of its own, or says more than there is.
        for (double share : {0.01, 0.3, 0.7}) {
            std::string name = "cut" + std::string(ending);
            write_truncated(folder / ("whole" + std::string(ending)), folder / name, share);
            std::error_code none;
            std::filesystem::copy(folder / "whole.hdr", folder / "cut.hdr", none);
            refusal(name, [&] { read_terrain(folder / name); });
        }
    }
}

// Headers over no data.
TEST(Unreadable, ClaimsOfTextHeaders) {
    Folder folder;
    write_text(folder / "a.asc", "ncols 200000\nnrows 200000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n");
    expect_refused(folder, "a.asc", "1 to 65536");
    write_text(folder / "b.asc", "ncols 60000\nnrows 60000\nxllcorner 0\nyllcorner 0\ncellsize 1\n");
    expect_refused(folder, "b.asc", "");
    write_text(folder / "c.hdr", "NROWS 200000\nNCOLS 200000\nNBITS 16\n");
    write_text(folder / "c.bil", "12");
    expect_refused(folder, "c.bil", "too small");
    write_text(folder / "d.hdr", "ENVI\nsamples = 200000\nlines = 200000\nbands = 1\ndata type = 4\n");
    write_text(folder / "d.dat", "12");
    expect_refused(folder, "d.dat", "");
    // Numbers that are not there are no zeros.
    write_text(folder / "f.hdr", "ENVI\nsamples = 20\nlines = 20\nbands = 1\ndata type = 4\n");
    write_text(folder / "f.dat", std::string(1500, '1'));
    expect_refused(folder, "f.dat", "cut off");
    write_text(folder / "e.asc", "ncols -5\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n");
    expect_refused(folder, "e.asc", "");
    write_text(folder / "tile.hgt", std::string(1201 * 1201 * 2, '\0'));
    expect_refused(folder, "tile.hgt", "N47E011.hgt");
    write_text(folder / "N47E011.hgt", std::string(1201, '\0'));
    expect_refused(folder, "N47E011.hgt", "1201x1201");
}

// Bits that flipped: any outcome but a crash, and errors are ours.
TEST(Unreadable, DamagedFiles) {
    Folder folder;
    for (const char* ending : {".tif", ".png", ".asc", ".bt", ".img", ".nc", ".ter"}) {
        std::string whole = folder / ("whole" + std::string(ending));
        write_terrain(small_terrain(), whole);
        std::string text = file_text(whole);
        for (int trial = 0; trial < 60; trial++) {
            std::string damaged = text;
            for (int i = 0; i < 5; i++)
                damaged[size_t(float(damaged.size() - 1) * scattered(trial, i, 1))] ^= char(1 + trial % 250);
            std::string path = folder / ("damaged" + std::string(ending));
            write_text(path, damaged);
            try {
                read_terrain(path);
            } catch (const Error& error) {
                EXPECT_NE(std::string(error.what()).find("damaged"), std::string::npos);
                EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
            }
        }
    }
}

TEST(Unreadable, MoreThanTheMachineHolds) {
    Folder folder;
    GDALAllRegister();
    auto claim = [&](const std::string& name, int side, int bands) {
        const char* options[] = {"SPARSE_OK=YES", "TILED=YES", "BIGTIFF=YES", "INTERLEAVE=BAND", nullptr};
        Raster raster(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
            (folder / name).c_str(), side, side, bands, GDT_Float32, const_cast<char**>(options)));
        ASSERT_TRUE(raster);
        for (int number = 1; number <= bands; number++)
            raster->GetRasterBand(number)->SetDescription(("field" + std::to_string(number)).c_str());
    };
    // 64 bands of 13 GiB over no data at all.
    claim("huge.tif", 60000, 64);
    std::string message = refusal("huge.tif", [&] { read_terrain(folder / "huge.tif"); });
    EXPECT_NE(message.find("858.3 GiB"), std::string::npos) << message;
    EXPECT_NE(message.find("this machine has"), std::string::npos) << message;
    EXPECT_THROW(read_terrain(folder / "huge.tif"), OutOfMemory);
    claim("claim.tif", 200000, 1);
    EXPECT_NE(refusal("claim.tif", [&] { read_terrain(folder / "claim.tif"); }).find("200000x200000"),
              std::string::npos);
    claim("wide.tif", 65537, 1);
    message = refusal("wide.tif", [&] { read_terrain(folder / "wide.tif"); });
    EXPECT_NE(message.find("65537x65537"), std::string::npos) << message;
    EXPECT_NE(message.find("1 to 65536"), std::string::npos) << message;
    // Holes in a file are no damage.
    claim("sparse.tif", 300, 1);
    EXPECT_EQ(statistics(read_terrain(folder / "sparse.tif").height()).high, 0);
}

TEST(Unwritable, SaysWhyBeforeWork) {
    Folder folder;
    std::filesystem::create_directory(folder / "folder.tif");
    write_text(folder / "file", "");
    auto reason = [&](const std::string& name, const std::string& part, FileKind kind = FileKind::terrain) {
        std::string message = refusal(name, [&] { check_writable(folder / name, kind); });
        EXPECT_NE(message.find(part), std::string::npos) << message;
    };
    reason("a.bmp", ".tif");
    reason("a", ".png");
    reason("a.dem", "read but not written");
    reason(".tif", ".tif");
    reason("no/a.tif", "does not exist");
    reason("file/a.tif", "not a folder");
    reason("folder.tif", "it is a folder");
    reason("a.tif", "must end in .png", FileKind::picture);
    reason("a.tif", "must end in .json", FileKind::recipe);
    reason(std::string(300, 'a') + ".tif", "too long");
    EXPECT_NO_THROW(check_writable(folder / "a.TIF"));
    EXPECT_NO_THROW(check_writable(folder / "a.json", FileKind::recipe));
    for (const char* name : {"a.bmp", "no/a.tif", "file/a.tif", "folder.tif"})
        refusal(name, [&] { write_terrain(small_terrain(), folder / name); });
    refusal("a.tif", [&] { write_terrain(Terrain(Grid{Rect::of({2, 2}), 1, {0, 1}}), folder / "a.tif"); });
    EXPECT_EQ(folder.names(), (std::set<std::string>{"file", "folder.tif"}));
}

// A folder that takes no files is not a full disk.
TEST(Unwritable, FoldersOfTheSystem) {
    std::string message = refusal("/proc/a.tif", [&] { write_terrain(small_terrain(), "/proc/a.tif"); });
    EXPECT_EQ(message.find("full"), std::string::npos) << message;
}

// Written beside and renamed: whoever holds the old file keeps it whole, and a longest possible name still
// works.
TEST(Writing, ReplacesInOneGo) {
    Folder folder;
    write_text(folder / "a.tif", "old");
    std::ifstream held(folder / "a.tif");
    write_terrain(small_terrain(), folder / "a.tif");
    std::string text;
    held >> text;
    EXPECT_EQ(text, "old");
    EXPECT_EQ(read_terrain(folder / "a.tif").rect(), small_terrain().rect());
    std::string longest = std::string(251, 'n') + ".tif";
    write_terrain(small_terrain(), folder / longest);
    std::filesystem::create_symlink("a.tif", folder / "link.tif");
    write_terrain(rough_terrain({5, 5}), folder / "link.tif");
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.tif"));
    EXPECT_EQ(read_terrain(folder / "a.tif").rect(), Rect::of({5, 5}));
    write_recipe("{}\n", folder / "r.json");
    EXPECT_EQ(file_text(folder / "r.json"), "{}\n");
    EXPECT_EQ(folder.names(), (std::set<std::string>{"a.tif", longest, "link.tif", "r.json"}));
}

class CancelledWriting : public testing::TestWithParam<const char*> {};

TEST_P(CancelledWriting, LeavesWhatWasThere) {
    Folder folder;
    std::string path = folder / GetParam();
    write_text(path, "old");
    Terrain terrain = rough_terrain({600, 700});
    for (double when : {0.0, 0.3, 0.6, 0.95}) {
        Progress progress([&](double share) {
            if (share > when) progress.cancel();
        });
        EXPECT_THROW(write_terrain(terrain, path, {&progress, {}}), Cancelled) << when;
        EXPECT_EQ(file_text(path), "old");
        EXPECT_EQ(folder.names(), std::set<std::string>{GetParam()});
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, CancelledWriting,
                         testing::Values("a.tif", "a.png", "a.ter", "a.r16", "a.r32"),
                         [](const auto& info) { return std::string(info.param).substr(2); });

TEST(CancelledReading, Throws) {
    Folder folder;
    write_terrain(rough_terrain({600, 700}), folder / "a.tif");
    Progress progress([&](double share) {
        if (share > 0.4) progress.cancel();
    });
    EXPECT_THROW(read_terrain(folder / "a.tif", {}, {&progress, {}}), Cancelled);
}

TEST(CancelledPicture, LeavesNothing) {
    Folder folder;
    Picture picture{{500, 500}, std::vector<uint8_t>(500 * 500 * 3, 7)};
    Progress progress([&](double share) {
        if (share > 0.4) progress.cancel();
    });
    EXPECT_THROW(write_picture(picture, folder / "a.png", {&progress, {}}), Cancelled);
    EXPECT_TRUE(folder.names().empty());
}

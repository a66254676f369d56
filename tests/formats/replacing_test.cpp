// What becomes of the file that is replaced by a new one, and of links to it.
#include "formats/rasters.h"

#include <filesystem>
#include <limits>
#include <sys/stat.h>

using namespace caprock;
using namespace caprock::test;

namespace {

namespace fs = std::filesystem;

// Every kind of output, by its name.
void write_any(const std::string& path) {
    if (path.ends_with(".json")) return write_recipe("{}", path);
    if (path.ends_with("picture.png")) {
        Picture picture;
        picture.size = {2, 1};
        picture.rgb = {1, 2, 3, 4, 5, 6};
        return write_picture(picture, path);
    }
    Terrain terrain = rough_terrain({6, 5});
    terrain.remove("hardness");
    write_terrain(terrain, path);
}

constexpr const char* names[] = {"a.tif", "b.img", "c.asc", "d.bt",   "e.nc",        "f.bil",
                                 "g.png", "h.r16", "i.ter", "j.json", "picture.png", "k.frontier.png"};

}  // namespace

TEST(Replacing, KeepsPermissions) {
    Folder folder;
    for (const char* name : names) {
        SCOPED_TRACE(name);
        write_any(folder / name);
        ASSERT_EQ(chmod((folder / name).c_str(), 0600), 0);
        write_any(folder / name);
        EXPECT_EQ(mode_of(folder / name), mode_t(0600));
    }
    // And those of what belongs to a file.
    ASSERT_EQ(chmod((folder / "f.hdr").c_str(), 0600), 0);
    write_any(folder / "f.bil");
    EXPECT_EQ(mode_of(folder / "f.hdr"), mode_t(0600));
}

TEST(Replacing, NewFilesFollowTheMask) {
    Folder folder;
    mode_t before = umask(027);
    for (const char* name : names) write_any(folder / name);
    umask(before);
    for (const char* name : names) EXPECT_EQ(mode_of(folder / name), mode_t(0640)) << name;
}

TEST(Replacing, LinksStayLinks) {
    Folder folder;
    fs::create_directory(folder / "far");
    for (const char* name : names) {
        SCOPED_TRACE(name);
        fs::create_symlink("far/" + std::string(name), folder / name);
        write_any(folder / name);  // what it points to is not there yet
        EXPECT_TRUE(fs::is_symlink(folder / name));
        EXPECT_TRUE(fs::is_regular_file(folder / ("far/" + std::string(name))));
        write_any(folder / name);
        EXPECT_TRUE(fs::is_symlink(folder / name));
    }
    fs::create_symlink("gone/a.tif", folder / "nowhere.tif");
    std::string message = refusal("nowhere.tif", [&] { check_writable(folder / "nowhere.tif"); });
    EXPECT_NE(message.find("gone' does not exist"), std::string::npos) << message;
    refusal("nowhere.tif", [&] { write_any(folder / "nowhere.tif"); });
    EXPECT_TRUE(fs::is_symlink(folder / "nowhere.tif"));
}

TEST(Replacing, NobodyElseSeesWhatIsHalfWritten) {
    Folder folder;
    // A source that looks at where it is written to.
    class Curious : public TerrainInMemory {
      public:
        Curious(const Terrain& terrain, std::string folder)
            : TerrainInMemory(terrain), folder_(std::move(folder)) {}
        Field read_field(const std::string& name, const Rect& window) override {
            for (const auto& entry : fs::directory_iterator(folder_))
                if (entry.is_directory()) seen_ = mode_of(entry.path().string());
            return TerrainInMemory::read_field(name, window);
        }
        mode_t seen_ = 0;

      private:
        std::string folder_;
    };
    Curious source(rough_terrain({5, 5}), folder.path());
    write_terrain(source, folder / "a.tif");
    EXPECT_EQ(source.seen_, mode_t(0700));
}

TEST(Infinite, NumbersAreSpokenOfWhenTheyAreWritten) {
    Folder folder;
    Terrain terrain = rough_terrain({6, 5});
    Field heights = terrain.height();
    heights.set(2, 3, std::numeric_limits<float>::infinity());
    terrain.set("height", heights);
    for (const char* name : {"a.tif", "b.img", "c.asc", "d.r32", "e.bt"}) {
        Told told;
        write_terrain(terrain, folder / name, told.context());
        EXPECT_TRUE(told.says("infinite numbers, the first of them in height at column 2, row 3")) << name;
    }
    Told told;
    write_terrain(rough_terrain({6, 5}, Holes::some), folder / "f.tif", told.context());
    EXPECT_TRUE(told.messages.empty());
}

// What the table says of a format is what its files do.
#include "formats/format_table.h"

#include "base/error.h"
#include "formats/formats.h"
#include "support/fields.h"
#include "support/folder.h"
#include "support/terrains.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <set>

namespace caprock::test {
namespace {

Terrain slope_with(bool hole) {
    Grid grid{Rect::of({40, 40}), 10, {0, 100}};
    Terrain terrain(grid);
    Field height = made_field(grid.extent, [](int x, int y) { return 5.25f + float(x) * 0.5f + float(y); });
    if (hole) height.writable_rows()[3][4] = missing;
    terrain.set("height", height);
    terrain.set("hardness", made_field(grid.extent, [](int x, int y) { return float(x + y) / 100; }));
    return terrain;
}

TEST(FormatTable, EndingsAreOfOneFormatEach) {
    std::set<std::string> seen;
    for (const std::string& ending : read_endings()) {
        EXPECT_TRUE(seen.insert(ending).second) << ending;
        EXPECT_TRUE(ending.starts_with(".")) << ending;
        ASSERT_TRUE(format_of_ending(ending)) << ending;
        EXPECT_EQ(format_of_name("land" + ending), format_of_ending(ending));
    }
    EXPECT_EQ(ending_of_name("LAND.TIFF"), ".tif");
    EXPECT_EQ(ending_of_name("land.unheard-of"), ".unheard-of");
    EXPECT_FALSE(format_of_name("land"));
    // A name that is nothing but an ending has none.
    EXPECT_FALSE(format_of_name(".tif"));
}

TEST(FormatTable, EveryFormatIsWrittenAsItSays) {
    Folder folder;
    for (const TerrainFormat& format : terrain_formats()) {
        SCOPED_TRACE(format.ending);
        std::string path = folder / (std::string("land") + format.ending);
        if (!format.written()) {
            EXPECT_THROW(check_writable(path), Error);
            continue;
        }
        EXPECT_STRNE(format.title, "");
        EXPECT_STRNE(format.about, "");
        EXPECT_STRNE(format.holds, "");
        EXPECT_NO_THROW(check_writable(path));
        // Tiles have a size, a place and a name of their own: exchange_test writes them.
        if (format.is_tile) continue;
        ReadOptions options;
        options.cell = 10;
        options.range = Interval{0, 100};
        Terrain whole = slope_with(false);
        write_terrain(whole, path);
        Terrain read = read_terrain(path, options);
        EXPECT_EQ(read.has("hardness"), format.every_field);
        bool same = identical(read.height(), whole.height());
        EXPECT_EQ(same, format.cells == TerrainFormat::Cells::floats);
        EXPECT_EQ(is_raw_name(path), format.raw());
        EXPECT_EQ(is_picture_name(path), format.is_picture);
        if (format.missing == TerrainFormat::Missing::refused) {
            EXPECT_THROW(write_terrain(slope_with(true), path), Error);
        } else {
            write_terrain(slope_with(true), path);
            EXPECT_TRUE(is_missing(read_terrain(path, options).height().at(4, 3)));
        }
        if (format.most_side > 0) {
            Terrain wide(Grid{Rect::of({format.most_side + 1, 2}), 10, {0, 100}});
            EXPECT_THROW(check_fits(wide, path), Error);
        }
    }
}

TEST(FormatTable, HelpNamesEveryFormatThatIsWritten) {
    std::string help = written_formats_help();
    for (const TerrainFormat& format : terrain_formats()) {
        bool named = help.find(std::string(format.ending) + " ") != std::string::npos;
        EXPECT_EQ(named, format.written()) << format.ending;
        if (format.written()) {
            EXPECT_NE(help.find(format.holds), std::string::npos) << format.ending;
        }
    }
    try {
        check_writable("land.unheard-of");
        FAIL();
    } catch (const Error& error) {
        for (const std::string& ending : written_endings())
            EXPECT_NE(std::string(error.what()).find(ending), std::string::npos) << ending;
    }
}

}  // namespace
}  // namespace caprock::test

// Bare numbers, as game engines read them.
#include "formats/rasters.h"

#include <cmath>

using namespace caprock;
using namespace caprock::test;

namespace {

ReadOptions sized(Size size) {
    ReadOptions options;
    options.size = size;
    return options;
}

}  // namespace

TEST(Raw, SharesOfTheRange) {
    Folder folder;
    write_text(folder / "a.r16", std::string("\x00\x00\xff\xff\x33\x33\x01\x00", 8));
    ReadOptions options;
    options.range = Interval{0, 65535};
    options.cell = 4;
    Terrain terrain = read_terrain(folder / "a.r16", options);
    EXPECT_EQ(terrain.rect().size(), (Size{2, 2}));
    EXPECT_EQ(terrain.grid().cell, 4);
    EXPECT_EQ(terrain.height().at(0, 0), 0);
    EXPECT_EQ(terrain.height().at(1, 0), 65535);
    EXPECT_EQ(terrain.height().at(0, 1), 0x3333);
    EXPECT_EQ(terrain.height().at(1, 1), 1);
    options.byte_order = ByteOrder::big;
    EXPECT_EQ(read_terrain(folder / "a.r16", options).height().at(1, 1), 256);
    EXPECT_EQ(read_terrain(folder / "a.r16").height().at(1, 0), float(Grid().range.high));
}

TEST(Raw, ComesBack) {
    Folder folder;
    Terrain terrain(Grid{Rect::of({300, 120}), 1, {-100, 500}});
    terrain.set("height",
                made_field(terrain.rect(), [](int x, int y) { return 600 * scattered(x, y, 1) - 100; }));
    for (ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
        for (const char* name : {"a.r16", "a.raw", "a.R32"}) {
            Told told;
            write_terrain(terrain, folder / name, {PictureMeaning::usual, order}, told.context());
            EXPECT_TRUE(told.messages.empty());
            ReadOptions options = sized({300, 120});
            options.byte_order = order;
            options.range = terrain.grid().range;
            Terrain read = read_terrain(folder / name, options);
            EXPECT_EQ(read.grid(), terrain.grid());
            bool floats = std::string(name) == "a.R32";
            EXPECT_EQ(std::filesystem::file_size(folder / name), 300u * 120 * (floats ? 4 : 2));
            if (floats) {
                EXPECT_TRUE(identical(read.height(), terrain.height()));
                continue;
            }
            for (int y = 0; y < 120; y++)
                for (int x = 0; x < 300; x++)
                    ASSERT_NEAR(read.height().at(x, y), terrain.height().at(x, y), 600.0 / 65535 * 0.501);
        }
    }
}

TEST(Raw, FloatsKeepMissingCells) {
    Folder folder;
    Terrain terrain = rough_terrain({40, 40}, Holes::some);
    terrain.remove("hardness");
    write_terrain(terrain, folder / "a.r32");
    Terrain read = read_terrain(folder / "a.r32");
    EXPECT_TRUE(identical(read.height(), terrain.height()));
    FieldStatistics heights = statistics(terrain.height());
    EXPECT_EQ(read.grid().range, (Interval{heights.low, heights.high}));
}

TEST(Raw, SaysWhatItCutsOffAndLeavesOut) {
    Folder folder;
    Terrain terrain = rough_terrain({8, 8});
    terrain.set_range({0, 100});
    Told told;
    write_terrain(terrain, folder / "a.raw", told.context());
    EXPECT_TRUE(told.says("outside the height range 0:100"));
    EXPECT_TRUE(told.says("hardness was left out"));
}

TEST(Raw, SizesThatDoNotFit) {
    Folder folder;
    write_text(folder / "a.r16", std::string(2000, 'x'));
    std::string message = refusal("a.r16", [&] { read_terrain(folder / "a.r16"); });
    EXPECT_NE(message.find("2000 bytes are 1000 cells"), std::string::npos) << message;
    EXPECT_NE(message.find("--size"), std::string::npos) << message;
    EXPECT_NE(message.find("40x25, 50x20 or 100x10 would fit"), std::string::npos) << message;
    message = refusal("a.r16", [&] { read_terrain(folder / "a.r16", sized({32, 32})); });
    EXPECT_NE(message.find("32x32 cells of 2 bytes are 2048 bytes, but it has 2000"), std::string::npos)
        << message;
    EXPECT_EQ(read_terrain(folder / "a.r16", sized({25, 40})).rect().size(), (Size{25, 40}));
    write_text(folder / "odd.raw", std::string(33, 'x'));
    message = refusal("odd.raw", [&] { read_terrain(folder / "odd.raw"); });
    EXPECT_NE(message.find("33 bytes"), std::string::npos) << message;
    write_text(folder / "odd.r32", std::string(34, 'x'));
    refusal("odd.r32", [&] { read_terrain(folder / "odd.r32"); });
    write_text(folder / "empty.raw", "");
    refusal("empty.raw", [&] { read_terrain(folder / "empty.raw"); });
    // 200,000 x 200,000 over a few bytes.
    message = refusal("a.r16", [&] { read_terrain(folder / "a.r16", sized({200000, 200000})); });
    EXPECT_NE(message.find("80000000000 bytes"), std::string::npos) << message;
}

TEST(Raw, FloatsThatAreNoHeights) {
    Folder folder;
    std::string infinite("\x00\x00\x80\x7f", 4);
    write_text(folder / "a.r32", infinite);
    EXPECT_NE(refusal("a.r32", [&] { read_terrain(folder / "a.r32"); }).find("--byte-order"),
              std::string::npos);
    std::string none("\x00\x00\xc0\x7f", 4);
    write_text(folder / "b.r32", none);
    EXPECT_NE(refusal("b.r32", [&] { read_terrain(folder / "b.r32"); }).find("every cell is missing"),
              std::string::npos);
}

// Engines write none, but others do: then the header says what the numbers are.
TEST(Raw, HeadersAreHeeded) {
    Folder folder;
    GDALAllRegister();
    struct Case {
        const char* driver;
        GDALDataType type;
        std::vector<const char*> options;
    };
    for (const Case& header :
         {Case{"ENVI", GDT_Int16, {nullptr}}, Case{"ENVI", GDT_Float32, {"SUFFIX=ADD", nullptr}},
          Case{"EHdr", GDT_Int16, {nullptr}}, Case{"PAux", GDT_Int16, {nullptr}}}) {
        SCOPED_TRACE(testing::Message() << header.driver << " " << GDALGetDataTypeName(header.type));
        Folder inner(folder.path());
        std::string path = inner / "a.raw";
        Raster made(
            GetGDALDriverManager()
                ->GetDriverByName(header.driver)
                ->Create(path.c_str(), 4, 4, 1, header.type, const_cast<char**>(header.options.data())));
        ASSERT_TRUE(made);
        std::vector<float> heights;
        for (int i = 0; i < 16; i++) heights.push_back(float(i * 100 - 300));
        ASSERT_EQ(made->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, 4, 4, heights.data(), 4, 4, GDT_Float32, 0,
                                                   0, nullptr),
                  CE_None);
        double transform[6] = {500000, 10, 0, 5400000, 0, -10};
        made->SetGeoTransform(transform);
        made.reset();
        Terrain terrain = read_terrain(path);
        EXPECT_EQ(terrain.rect().size(), (Size{4, 4}));
        EXPECT_EQ(terrain.grid().cell, 10);
        EXPECT_EQ(terrain.height().at(0, 0), -300);
        EXPECT_EQ(terrain.height().at(3, 3), 1200);
        // Who says how many there are means bare numbers.
        Size bare = header.type == GDT_Int16 ? Size{4, 4} : Size{8, 4};
        EXPECT_EQ(read_terrain(path, sized(bare)).grid().range, Grid().range);
    }
}

// A header that is another file's: of heights as floats, beside the same heights as 16-bit numbers.
TEST(Raw, HeadersOfOtherFilesAreNot) {
    Folder folder;
    Terrain terrain = rough_terrain({8, 8});
    write_terrain(terrain, folder / "a.bil");
    Told told;
    write_terrain(terrain, folder / "a.raw", told.context());
    EXPECT_TRUE(told.says("a.hdr' lies beside"));
    Terrain read = read_terrain(folder / "a.raw");
    EXPECT_EQ(read.grid().range, Grid().range);
    EXPECT_EQ(read.rect().size(), (Size{8, 8}));
    // One that says whose it is, of a file that was cut off.
    write_text(
        folder / "a.hdr",
        "ENVI\nsamples = 100\nlines = 100\nbands = 1\nheader offset = 0\ndata type = 2\ninterleave = bsq\n"
        "byte order = 0\n");
    EXPECT_NE(refusal("a.raw", [&] { read_terrain(folder / "a.raw"); }).find("cut off"), std::string::npos);
}

TEST(Raw, InfiniteHeightsAreMissingWithAWord) {
    Folder folder;
    write_text(folder / "a.r32",
               std::string("\x00\x00\x80\x7f\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40", 16));
    ReadOptions options;
    options.range = Interval{0, 10};
    Told told;
    Terrain terrain = read_terrain(folder / "a.r32", options, told.context());
    EXPECT_TRUE(is_missing(terrain.height().at(0, 0)));
    EXPECT_EQ(terrain.height().at(1, 1), 3);
    EXPECT_TRUE(told.says("1 cell that is not finite"));
    expect_windows_of_the_whole(folder / "a.r32", options);
}

// 16-bit PNG: heights as shares of the range. And pictures that were never meant as terrain.
#include "formats/rasters.h"

#include <cmath>
#include <cstring>

using namespace caprock;
using namespace caprock::test;

namespace {

Terrain sloping(Size size, const Interval& range) {
    Terrain terrain(Grid{Rect::of(size), 2.5, range});
    terrain.set("height", made_field(terrain.rect(), [&](int x, int y) {
                    return float(range.low + range.span() * double(scattered(x, y, 3)));
                }));
    return terrain;
}

}  // namespace

TEST(Png, StaysWithinHalfAStep) {
    for (Size size : {Size{1, 1}, Size{1, 300}, Size{257, 129}}) {
        Folder folder;
        Interval range{-100, 300};
        Terrain terrain = sloping(size, range);
        Told told;
        write_terrain(terrain, folder / "a.png", told.context());
        EXPECT_TRUE(told.messages.empty());
        EXPECT_EQ(folder.names(), std::set<std::string>{"a.png"});
        Terrain read = read_terrain(folder / "a.png", {}, told.context());
        EXPECT_EQ(read.grid(), terrain.grid());
        EXPECT_EQ(read.georeference(), nullptr);
        double half_step = range.span() / 65535 / 2;
        for (int y = 0; y < size.height; y++)
            for (int x = 0; x < size.width; x++)
                ASSERT_NEAR(read.height().at(x, y), terrain.height().at(x, y), half_step * 1.001);
    }
}

TEST(Png, ValuesOnStepsAreExact) {
    Folder folder;
    Terrain terrain(Grid{Rect::of({256, 256}), 1, {0, 65535}});
    terrain.set("height", made_field(terrain.rect(), [](int x, int y) { return float(y * 256 + x); }));
    write_terrain(terrain, folder / "a.png");
    expect_same_terrain(terrain, read_terrain(folder / "a.png"));
    // And others see the same numbers.
    Raster raster = open_raster(folder / "a.png");
    EXPECT_EQ(raster->GetRasterBand(1)->GetRasterDataType(), GDT_UInt16);
    uint16_t last = 0;
    EXPECT_EQ(
        raster->GetRasterBand(1)->RasterIO(GF_Read, 255, 255, 1, 1, &last, 1, 1, GDT_UInt16, 0, 0, nullptr),
        CE_None);
    EXPECT_EQ(last, 65535);
}

TEST(Png, MissingCellsAreTransparentZeros) {
    Folder folder;
    Terrain terrain(Grid{Rect::of({4, 2}), 1, {1, 65535}});
    terrain.set("height", made_field(terrain.rect(), [](int x, int y) {
                    return (x + y) % 2 ? missing : float(1 + x * 10000);
                }));
    write_terrain(terrain, folder / "a.png");
    Terrain read = read_terrain(folder / "a.png");
    // 1..65535 for heights, 0 for what is missing: the steps are those of the range again.
    expect_same_terrain(terrain, read);
    Raster raster = open_raster(folder / "a.png");
    int has_nodata = 0;
    EXPECT_EQ(raster->GetRasterBand(1)->GetNoDataValue(&has_nodata), 0);
    EXPECT_TRUE(has_nodata);
    terrain.set("height", Field(terrain.rect(), missing));
    write_terrain(terrain, folder / "b.png");
    EXPECT_EQ(statistics(read_terrain(folder / "b.png").height()).missing, 8);
}

TEST(Png, SaysWhatItCutsOffAndLeavesOut) {
    Folder folder;
    Terrain terrain(Grid{Rect::of({3, 1}), 1, {0, 100}});
    terrain.set("height", made_field(terrain.rect(), [](int x, int) {
                    return x == 0 ? -5.0f : x == 1 ? 50.0f : 1e30f;
                }));
    terrain.set("hardness", Field(terrain.rect(), 1));
    terrain.set_georeference({projection_text(25832), {5e5, 1, 0, 5e6, 0, -1}, ""});
    Told told;
    write_terrain(terrain, folder / "a.png", told.context());
    EXPECT_TRUE(told.says("2 cells lie outside the height range 0:100")) << told.messages.front();
    EXPECT_TRUE(told.says("keeps the height only"));
    EXPECT_TRUE(told.says("place on Earth"));
    Terrain read = read_terrain(folder / "a.png");
    EXPECT_EQ(read.names(), std::vector<std::string>{"height"});
    EXPECT_EQ(read.height().at(0, 0), 0);
    EXPECT_NEAR(read.height().at(1, 0), 50, 0.001);
    EXPECT_EQ(read.height().at(2, 0), 100);
}

TEST(Png, ACropIsWrittenAsItself) {
    Folder folder;
    Terrain terrain = sloping({50, 40}, {0, 10});
    write_terrain(terrain.cropped({11, 9, 40, 30}), folder / "crop.png");
    write_terrain(terrain, folder / "all.png");
    Terrain crop = read_terrain(folder / "crop.png");
    Terrain all = read_terrain(folder / "all.png");
    EXPECT_TRUE(identical(crop.height(), all.height().cropped({11, 9, 40, 30}).moved(-11, -9)));
}

TEST(Png, RangeCanBeGiven) {
    Folder folder;
    make_png(folder / "a.png", {2, 1}, GDT_UInt16, 1, {0, 65535});
    EXPECT_EQ(read_terrain(folder / "a.png").height().at(1, 0), float(Grid().range.high));
    ReadOptions options;
    options.range = Interval{-10, 500};
    Terrain terrain = read_terrain(folder / "a.png", options);
    EXPECT_EQ(terrain.height().at(0, 0), -10);
    EXPECT_EQ(terrain.height().at(1, 0), 500);
    EXPECT_EQ(terrain.grid().cell, 1);
}

TEST(Png, BytesSpanTheRange) {
    Folder folder;
    make_png(folder / "a.png", {3, 1}, GDT_Byte, 1, {0, 51, 255});
    ReadOptions options;
    options.range = Interval{0, 100};
    Told told;
    Terrain terrain = read_terrain(folder / "a.png", options, told.context());
    EXPECT_EQ(terrain.height().at(0, 0), 0);
    EXPECT_EQ(terrain.height().at(1, 0), 20);
    EXPECT_EQ(terrain.height().at(2, 0), 100);
    EXPECT_TRUE(told.messages.empty());
}

TEST(Png, ColoursAreSaidToBeNoHeights) {
    Folder folder;
    make_png(folder / "a.png", {2, 1}, GDT_Byte, 3, {0, 255, 1, 2, 3, 4});
    Told told;
    Terrain terrain = read_terrain(folder / "a.png", {}, told.context());
    EXPECT_TRUE(told.says("colour picture"));
    EXPECT_EQ(terrain.names(), std::vector<std::string>{"height"});
    EXPECT_EQ(terrain.height().at(1, 0), float(Grid().range.high));
    // What is transparent is missing.
    make_png(folder / "b.png", {2, 1}, GDT_Byte, 4, {9, 9, 1, 2, 3, 4, 255, 0});
    terrain = read_terrain(folder / "b.png", {}, told.context());
    EXPECT_FALSE(is_missing(terrain.height().at(0, 0)));
    EXPECT_TRUE(is_missing(terrain.height().at(1, 0)));
}

TEST(Picture, KeepsItsColours) {
    Folder folder;
    Picture picture{{3, 2}, {255, 0, 0, 0, 255, 0, 0, 0, 255, 1, 2, 3, 4, 5, 6, 7, 8, 9}};
    write_picture(picture, folder / "a.png");
    EXPECT_EQ(folder.names(), std::set<std::string>{"a.png"});
    Raster raster = open_raster(folder / "a.png");
    ASSERT_TRUE(raster);
    ASSERT_EQ(raster->GetRasterCount(), 3);
    std::vector<uint8_t> rgb(18);
    ASSERT_EQ(raster->RasterIO(GF_Read, 0, 0, 3, 2, rgb.data(), 3, 2, GDT_Byte, 3, nullptr, 3, 9, 1, nullptr),
              CE_None);
    EXPECT_EQ(rgb, picture.rgb);
    refusal("a.tif", [&] { write_picture(picture, folder / "a.tif"); });
}

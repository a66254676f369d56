// Frontier images: red is the height, green the hardness, blue the solubility; what is transparent is missing.
#include "formats/rasters.h"

using namespace caprock;
using namespace caprock::test;

namespace {

ReadOptions as_frontier() {
    ReadOptions options;
    options.meaning = PictureMeaning::frontier;
    return options;
}

// Every cell on a step of a channel, so that nothing is rounded.
Terrain stepped_terrain() {
    Terrain terrain(Grid{Rect::of({16, 16}), 5, {-255, 255}});
    terrain.set("height", made_field(terrain.rect(), [](int x, int y) {
                    return x == 3 && y == 4 ? missing : float(2 * (y * 16 + x) - 255);
                }));
    terrain.set("hardness", made_field(terrain.rect(), [](int x, int y) {
                    return x == 3 && y == 4 ? missing : float(double(x * 16 + y) / 255);
                }));
    terrain.set("solubility", made_field(terrain.rect(), [](int x, int y) {
                    return x == 3 && y == 4 ? missing : float(double(255 - x * y) / 255);
                }));
    return terrain;
}

}  // namespace

TEST(Frontier, KeepsThreeFields) {
    Folder folder;
    Terrain terrain = stepped_terrain();
    Told told;
    write_terrain(terrain, folder / "a.frontier.png", told.context());
    ASSERT_EQ(told.messages.size(), 1u);
    EXPECT_TRUE(told.says("rounded by up to 1 m"));
    EXPECT_EQ(folder.names(), std::set<std::string>{"a.frontier.png"});
    expect_same_terrain(terrain, read_terrain(folder / "a.frontier.png"));
    // Under any name: ours say what they are.
    std::filesystem::rename(folder / "a.frontier.png", folder / "b.png");
    expect_same_terrain(terrain, read_terrain(folder / "b.png"));
    write_terrain(terrain, folder / "c.png", {PictureMeaning::frontier, ByteOrder::little}, {});
    EXPECT_EQ(file_text(folder / "c.png"), file_text(folder / "b.png"));
    // The channels that the paper names.
    Raster raster = open_raster(folder / "b.png");
    ASSERT_EQ(raster->GetRasterCount(), 4);
    EXPECT_EQ(raster->GetRasterBand(1)->GetRasterDataType(), GDT_Byte);
    std::vector<uint8_t> pixel(4);
    auto look = [&](int x, int y) {
        EXPECT_EQ(
            raster->RasterIO(GF_Read, x, y, 1, 1, pixel.data(), 1, 1, GDT_Byte, 4, nullptr, 0, 0, 0, nullptr),
            CE_None);
        return pixel;
    };
    EXPECT_EQ(look(2, 1), (std::vector<uint8_t>{18, 33, 253, 255}));
    EXPECT_EQ(look(3, 4)[3], 0);
}

TEST(Frontier, OfOthersIsReadWhenAsked) {
    Folder folder;
    make_png(folder / "a.png", {2, 1}, GDT_Byte, 4, {51, 9, 102, 9, 204, 9, 255, 0});
    ReadOptions options = as_frontier();
    options.range = Interval{100, 200};
    Told told;
    Terrain terrain = read_terrain(folder / "a.png", options, told.context());
    EXPECT_TRUE(told.messages.empty());
    EXPECT_EQ(terrain.names(), (std::vector<std::string>{"height", "hardness", "solubility"}));
    EXPECT_EQ(terrain.height().at(0, 0), 120);
    EXPECT_EQ(terrain.field("hardness").at(0, 0), 0.4f);
    EXPECT_EQ(terrain.field("solubility").at(0, 0), 0.8f);
    for (const std::string& name : terrain.names()) EXPECT_TRUE(is_missing(terrain.field(name).at(1, 0)));
    // Not asked: the height alone, and a word on it.
    Terrain usual = read_terrain(folder / "a.png", {}, told.context());
    EXPECT_EQ(usual.names(), std::vector<std::string>{"height"});
    EXPECT_TRUE(told.says("--as frontier"));
}

TEST(Frontier, GreyIsAllThree) {
    Folder folder;
    for (int channels : {1, 2}) {
        std::vector<double> values = {0, 51};
        if (channels == 2) values.insert(values.end(), {255, 255});
        make_png(folder / "a.png", {2, 1}, GDT_Byte, channels, values);
        Terrain terrain = read_terrain(folder / "a.png", as_frontier());
        EXPECT_EQ(terrain.names(), (std::vector<std::string>{"height", "hardness", "solubility"}));
        EXPECT_EQ(terrain.height().at(1, 0), 200);
        EXPECT_EQ(terrain.field("hardness").at(1, 0), 0.2f);
        EXPECT_EQ(terrain.field("solubility").at(1, 0), 0.2f);
        EXPECT_EQ(read_terrain(folder / "a.png").names(), std::vector<std::string>{"height"});
    }
}

TEST(Frontier, SaysWhatItLacks) {
    Folder folder;
    Terrain terrain = rough_terrain({10, 10});
    terrain.set("forest", Field(terrain.rect(), 1));
    Told told;
    write_terrain(terrain, folder / "a.frontier.png", told.context());
    EXPECT_TRUE(told.says("has no solubility"));
    EXPECT_TRUE(told.says("forest was left out"));
    EXPECT_EQ(statistics(read_terrain(folder / "a.frontier.png").field("solubility")).high, 0);
}

// Red, green, blue and what is transparent, in a TIFF.
TEST(Frontier, IsReadFromTiffs) {
    Folder folder;
    GDALAllRegister();
    for (GDALDataType type : {GDT_Byte, GDT_UInt16}) {
        double most = type == GDT_Byte ? 255 : 65535;
        const char* words[] = {"PHOTOMETRIC=RGB", "ALPHA=YES", nullptr};
        Raster picture(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
            (folder / "a.tif").c_str(), 2, 1, 4, type, const_cast<char**>(words)));
        std::vector<double> values = {most, 0, most / 5, most / 5, most / 3, most / 3, most, 0};
        ASSERT_EQ(picture->RasterIO(GF_Write, 0, 0, 2, 1, values.data(), 2, 1, GDT_Float64, 4, nullptr, 0, 0,
                                    0, nullptr),
                  CE_None);
        picture.reset();
        ReadOptions options = as_frontier();
        options.range = Interval{100, 600};
        Told told;
        Terrain terrain = read_terrain(folder / "a.tif", options, told.context());
        EXPECT_TRUE(told.messages.empty()) << told.messages.front();
        EXPECT_EQ(terrain.names(), (std::vector<std::string>{"height", "hardness", "solubility"}));
        EXPECT_EQ(terrain.grid().range, (Interval{100, 600}));
        EXPECT_EQ(terrain.height().at(0, 0), 600);
        EXPECT_TRUE(is_missing(terrain.height().at(1, 0)));
        EXPECT_FLOAT_EQ(terrain.field("hardness").at(0, 0), 0.2f);
        EXPECT_FLOAT_EQ(terrain.field("solubility").at(0, 0), 1 / 3.0f);
    }
}

TEST(Frontier, RefusesWhatIsNone) {
    Folder folder;
    write_terrain(rough_terrain({10, 10}), folder / "a.tif");
    EXPECT_NE(refusal("a.tif", [&] { read_terrain(folder / "a.tif", as_frontier()); }).find("Frontier"),
              std::string::npos);
    make_png(folder / "clear.png", {2, 1}, GDT_Byte, 4, {51, 9, 102, 9, 204, 9, 0, 0});
    EXPECT_NE(
        refusal("clear.png", [&] { read_terrain(folder / "clear.png", as_frontier()); }).find("missing"),
        std::string::npos);
}

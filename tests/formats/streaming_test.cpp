// Terrains that are written and read window by window: the files and the cells are those of the whole.
#include "formats/formats.h"
#include "formats/rasters.h"
#include "formats/terrain_reader.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <map>
#include <sys/resource.h>

using namespace caprock;
using namespace caprock::test;

namespace {

// Cells from their coordinates, and a record of what was asked for.
class Computed : public TerrainSource {
  public:
    Computed(Size size, Holes holes, std::vector<std::string> names)
        : holes_(holes), names_(std::move(names)) {
        shape_ = Terrain(Grid{Rect::of(size), 10, {-250, 800}});
    }

    Terrain shape() const override { return shape_; }
    std::vector<std::string> names() const override { return names_; }
    Terrain read(const Rect& window) override {
        Terrain cells = shape_.cropped(window);
        for (const std::string& name : names_) cells.set(name, made(name, window));
        windows_of_all++;
        return cells;
    }
    Field read_field(const std::string& name, const Rect& window) override {
        windows[name].push_back(window);
        if (before_window) before_window();
        return made(name, window);
    }

    void place(const std::string& projection) {
        shape_.set_georeference({projection, {500000, 10, 0, 5400000, 0, -10}, "m"});
    }
    // The same terrain in memory.
    Terrain whole() { return read(shape_.rect()); }

    std::map<std::string, std::vector<Rect>> windows;
    int windows_of_all = 0;
    std::function<void()> before_window;

  private:
    Field made(const std::string& name, const Rect& window) const {
        bool height = name == "height";
        return made_field(window, [&](int x, int y) {
            if (is_hole(x, y, holes_)) return missing;
            if (!height) return scattered(x / 3, y / 3, uint32_t(name.size()));
            return 300 * std::sin(float(x) * 0.02f) + 200 * std::cos(float(y) * 0.03f) + scattered(x, y, 1);
        });
    }

    Terrain shape_;
    Holes holes_;
    std::vector<std::string> names_;
};

// A terrain that gives all fields or none, as the simplest source does.
class AllAtOnce : public TerrainSource {
  public:
    explicit AllAtOnce(const Terrain& terrain) : terrain_(terrain) {}
    Terrain shape() const override { return terrain_.shape(); }
    std::vector<std::string> names() const override { return terrain_.names(); }
    Terrain read(const Rect& window) override { return terrain_.read(window); }

  private:
    TerrainInMemory terrain_;
};

constexpr const char* every_name[] = {"a.tif", "a.img", "a.png", "a.asc", "a.bt",  "a.ter", "a.bil",
                                      "a.flt", "a.nc",  "a.xyz", "a.r16", "a.raw", "a.r32", "a.frontier.png"};

bool marks_holes(const std::string& name) {
    for (const char* ending : {".ter", ".xyz", ".r16", ".raw"})
        if (name.ends_with(ending)) return false;
    return true;
}

std::string name_of_test(const testing::TestParamInfo<const char*>& info) {
    std::string name = std::string(info.param).substr(2);
    std::erase(name, '.');
    return name;
}

// The files of two folders have the same names and bytes.
void expect_same_files(const Folder& expected, const Folder& found) {
    ASSERT_EQ(expected.names(), found.names());
    for (const std::string& name : expected.names()) {
        // Its history says when it was written, and where.
        if (name.ends_with(".nc")) {
            expect_same_terrain(read_terrain(expected / name), read_terrain(found / name));
            EXPECT_EQ(file_text(expected / name).size(), file_text(found / name).size());
            continue;
        }
        EXPECT_TRUE(file_text(expected / name) == file_text(found / name)) << name;
    }
}

}  // namespace

// ---- writing ---------------------------------------------------------------------------------------------

class Streamed : public testing::TestWithParam<const char*> {};

TEST_P(Streamed, IsTheFileOfTheWhole) {
    std::string name = GetParam();
    for (Size size : {Size{1, 1}, Size{37, 23}, Size{90, 700}, Size{401, 257}})
        for (bool placed : {false, true}) {
            SCOPED_TRACE(testing::Message() << size.width << "x" << size.height << " " << placed);
            Computed source(size, marks_holes(name) ? Holes::some : Holes::none,
                            {"height", "hardness", "old-river-beds"});
            if (placed) source.place(projection_text(25832));
            Folder whole;
            Told told_of_whole;
            write_terrain(source.whole(), whole / name, told_of_whole.context());
            Folder streamed;
            Told told;
            write_terrain(source, streamed / name, {}, told.context());
            expect_same_files(whole, streamed);
            EXPECT_EQ(told.messages, told_of_whole.messages);
            Folder simple;
            AllAtOnce all(source.whole());
            write_terrain(all, simple / name);
            expect_same_files(whole, simple);
        }
}

// Windows come in order, each cell of a field once or, where the format has to know the heights beforehand, twice.
TEST_P(Streamed, AsksForRowsOfTilesFromTheTop) {
    std::string name = GetParam();
    Computed source({300, 1100}, Holes::none, {"height", "hardness", "mask"});
    Folder folder;
    write_terrain(source, folder / name);
    EXPECT_EQ(source.windows_of_all, 0);
    bool every_field = name == "a.tif" || name == "a.img";
    size_t fields = every_field ? 3 : name == "a.frontier.png" ? 2 : 1;
    EXPECT_EQ(source.windows.size(), fields);
    std::vector<Rect> rows;
    for (int top = 0; top < 1100; top += 256) rows.push_back({0, top, 300, std::min(top + 256, 1100)});
    std::vector<Rect> columns = {{0, 0, 256, 1100}, {256, 0, 300, 1100}};
    for (const auto& [field, windows] : source.windows) {
        bool once = name == "a.tif" || is_raw_name(name) || (field != "height" && name != "a.img");
        std::vector<Rect> expected = rows;
        if (!once) {
            const std::vector<Rect>& again = name == "a.bt" ? columns : rows;
            expected.insert(expected.end(), again.begin(), again.end());
        }
        EXPECT_EQ(windows, expected) << field;
    }
}

TEST_P(Streamed, CancelledInTheMiddleLeavesNothing) {
    for (int last : {1, 2, 4, 6}) {
        Computed source({200, 900}, Holes::none, {"height", "hardness"});
        Folder folder;
        Progress progress;
        int left = last;
        source.before_window = [&] {
            if (--left == 0) progress.cancel();
        };
        // Not every format needs six windows.
        bool cancelled = false;
        try {
            write_terrain(source, folder / GetParam(), {}, {&progress, {}});
        } catch (const Cancelled&) {
            cancelled = true;
        }
        EXPECT_EQ(cancelled, left <= 0) << last;
        EXPECT_EQ(folder.names().empty(), cancelled) << last;
    }
}

TEST_P(Streamed, WhatTheSourceThrowsLeavesNothing) {
    std::string name = GetParam();
    auto failing = [&](int last, auto thrown) {
        Computed source({200, 900}, Holes::none, {"height", "hardness"});
        int left = last;
        source.before_window = [&left, thrown] {
            if (--left == 0) throw thrown;
        };
        Folder folder;
        EXPECT_THROW(write_terrain(source, folder / name), decltype(thrown)) << last;
        EXPECT_TRUE(folder.names().empty());
    };
    // In the pass that looks and in the one that writes.
    for (int last : {1, 4}) {
        failing(last, OutOfMemory("the tiles need more memory"));
        failing(last, std::runtime_error("the store is gone"));
        failing(last, Cancelled());
        Computed source({200, 900}, Holes::none, {"height", "hardness"});
        int left = last;
        source.before_window = [&] {
            if (--left == 0) throw Error("tile 3 is damaged");
        };
        Folder folder;
        std::string message = refusal(name, [&] { write_terrain(source, folder / name); });
        EXPECT_NE(message.find("tile 3 is damaged"), std::string::npos) << message;
        EXPECT_TRUE(folder.names().empty());
    }
}

namespace {

// Files may not grow beyond that: to whoever writes, a disk that is full.
class SmallFiles {
  public:
    explicit SmallFiles(rlim_t bytes) {
        getrlimit(RLIMIT_FSIZE, &before_);
        rlimit small = before_;
        small.rlim_cur = bytes;
        setrlimit(RLIMIT_FSIZE, &small);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
    }
    ~SmallFiles() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    SmallFiles(const SmallFiles&) = delete;
    SmallFiles& operator=(const SmallFiles&) = delete;

  private:
    rlimit before_{};
    void (*handler_)(int);
};

}  // namespace

TEST_P(Streamed, FullDiskLeavesNothing) {
    std::string name = GetParam();
    Computed source({700, 900}, Holes::none, {"height", "hardness"});
    Folder folder;
    std::string message;
    {
        SmallFiles small(100'000);
        message = refusal(name, [&] { write_terrain(source, folder / name); });
    }
    EXPECT_TRUE(folder.names().empty()) << message;
}

INSTANTIATE_TEST_SUITE_P(As, Streamed, testing::ValuesIn(every_name), name_of_test);

TEST(StreamedTile, OfTheEarth) {
    double step = 1.0 / 1200;
    Terrain tile(Grid{Rect::of({1201, 1201}), 90, {0, 3000}});
    tile.set("height", made_field(tile.rect(), [](int x, int y) {
                 return x == 7 && y == 900 ? missing : std::round(2000 * scattered(x / 8, y / 8, 3)) + 0.5f;
             }));
    tile.set_georeference({projection_text(4326), {11 - step / 2, step, 0, 48 + step / 2, 0, -step}, ""});
    Folder whole;
    Folder streamed;
    Told told;
    write_terrain(tile, whole / "N47E011.hgt", told.context());
    EXPECT_TRUE(told.says("heights were rounded by up to 0.5 m")) << told.messages.size();
    AllAtOnce source(tile);
    write_terrain(source, streamed / "N47E011.hgt");
    expect_same_files(whole, streamed);
}

// A window of a terrain is written as a terrain of its own, at its place.
TEST(StreamedWindow, IsAWhole) {
    Computed source({300, 600}, Holes::some, {"height", "hardness"});
    source.place(projection_text(25832));
    Terrain window = source.whole().cropped({31, 22, 290, 597});
    for (const char* name : {"a.tif", "a.bt", "a.r32", "a.asc"}) {
        Folder folder;
        write_terrain(window, folder / name);
        ReadOptions options;
        options.size = window.rect().size();
        Terrain read = read_terrain(folder / name, options);
        EXPECT_TRUE(identical(read.height(), window.height().moved(-31, -22))) << name;
        if (!read.georeference()) continue;
        EXPECT_EQ(read.georeference()->transform[0], 500310) << name;
        EXPECT_EQ(read.georeference()->transform[3], 5399780) << name;
    }
}

TEST(StreamedSource, ThatGivesOtherCellsIsRefused) {
    class Wrong : public AllAtOnce {
      public:
        using AllAtOnce::AllAtOnce;
        Field read_field(const std::string& name, const Rect& window) override {
            return AllAtOnce::read_field(name, {window.left, window.top, window.right, window.bottom - 1});
        }
    };
    Wrong source(rough_terrain({20, 30}));
    Folder folder;
    for (const char* name : every_name) {
        std::string message = refusal(name, [&] { write_terrain(source, folder / name); });
        EXPECT_NE(message.find("other cells"), std::string::npos) << message;
    }
    Computed none({20, 30}, Holes::none, {});
    refusal("a.tif", [&] { write_terrain(none, folder / "a.tif"); });
    Computed no_height({20, 30}, Holes::none, {"mask"});
    AllAtOnce mask(no_height.whole());
    EXPECT_NE(refusal("a.asc", [&] { write_terrain(mask, folder / "a.asc"); }).find("no field 'height'"),
              std::string::npos);
    EXPECT_TRUE(folder.names().empty());
}

TEST(StreamedSize, ThatAFormatHasNotIsRefusedBeforeWork) {
    auto shape = [](Size size) { return Terrain(Grid{Rect::of(size), 1, {0, 1}}); };
    EXPECT_NE(refusal("a.bt",
                      [&] {
                          check_fits(shape({24576, 24576}), "a.bt");
                      })
                  .find("2 GiB"),
              std::string::npos);
    EXPECT_NE(refusal("a.ter",
                      [&] {
                          check_fits(shape({2, 65536}), "a.ter");
                      })
                  .find("65535 cells"),
              std::string::npos);
    check_fits(shape({16384, 16384}), "a.bt");
    check_fits(shape({65535, 2}), "a.ter");
    for (const char* name : {"a.tif", "a.img", "a.png", "a.asc", "a.bil", "a.nc", "a.r32"})
        EXPECT_NO_THROW(check_fits(shape({65536, 65536}), name));
}

TEST(Streaming, LeavesTheCacheAsItWas) {
    Folder folder;
    GIntBig before = GDALGetCacheMax64();
    write_terrain(rough_terrain({50, 60}), folder / "a.tif");
    EXPECT_EQ(GDALGetCacheMax64(), before);
    std::unique_ptr<TerrainReader> first = open_terrain(folder / "a.tif");
    std::unique_ptr<TerrainReader> second = open_terrain(folder / "a.tif");
    EXPECT_LE(GDALGetCacheMax64(), GIntBig(128) << 20);
    first.reset();
    EXPECT_LE(GDALGetCacheMax64(), GIntBig(128) << 20);
    second.reset();
    EXPECT_EQ(GDALGetCacheMax64(), before);
}

// ---- reading ---------------------------------------------------------------------------------------------

class Windowed : public testing::TestWithParam<const char*> {};

TEST_P(Windowed, FilesOfOurOwn) {
    std::string name = GetParam();
    for (Size size : {Size{1, 1}, Size{53, 700}, Size{601, 259}}) {
        // Of a single line, nobody can tell that it is a raster.
        if (name == "a.xyz" && size.cells() == 1) continue;
        Computed source(size, marks_holes(name) ? Holes::some : Holes::none,
                        {"height", "hardness", "solubility"});
        source.place(projection_text(25832));
        Folder folder;
        write_terrain(source, folder / name);
        ReadOptions options;
        if (is_raw_name(name)) options.size = size;
        expect_windows_of_the_whole(folder / name, options);
        options.byte_order = ByteOrder::big;
        options.range = Interval{-10, 20};
        expect_windows_of_the_whole(folder / name, options);
    }
}

INSTANTIATE_TEST_SUITE_P(As, Windowed, testing::ValuesIn(every_name), name_of_test);

namespace {

// Numbers with marks, scales and units as other programs have them.
std::vector<double> numbers_of(Size size, double mark) {
    std::vector<double> numbers;
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++)
            numbers.push_back(scattered(x, y, 4) < 0.02f ? mark : std::round(900 * scattered(x, y, 5) - 100));
    return numbers;
}

}  // namespace

TEST(WindowedForeign, MarksScalesAndUnits) {
    Folder folder;
    Size size{301, 530};
    for (GDALDataType type : {GDT_Int16, GDT_Int32, GDT_Float32, GDT_Float64})
        for (double height_step : {-10.0, 10.0}) {  // rows from the north, and from the south
            SCOPED_TRACE(testing::Message() << GDALGetDataTypeName(type) << " " << height_step);
            make_raster(folder / "a.tif", size, type, numbers_of(size, -9999), [&](GDALDataset& raster) {
                double transform[6] = {500000, 10, 0, 5400000, 0, height_step};
                raster.SetGeoTransform(transform);
                raster.SetProjection(projection_text(25832).c_str());
                raster.GetRasterBand(1)->SetNoDataValue(-9999);
                raster.GetRasterBand(1)->SetUnitType("ft");
                raster.GetRasterBand(1)->SetScale(0.25);
                raster.GetRasterBand(1)->SetOffset(3);
            });
            expect_windows_of_the_whole(folder / "a.tif");
        }
}

TEST(WindowedForeign, CellsThatAreNoNumbersAreCountedOnce) {
    Folder folder;
    std::vector<double> numbers = numbers_of({40, 600}, std::nan(""));
    make_raster(folder / "a.tif", {40, 600}, GDT_Float32, numbers);
    auto holes = std::ranges::count_if(numbers, [](double number) { return std::isnan(number); });
    Told told;
    std::unique_ptr<TerrainReader> reader = open_terrain(folder / "a.tif", {}, told.context());
    EXPECT_TRUE(told.says(std::to_string(holes) + " cells that are not finite"));
    expect_windows_of_the_whole(folder / "a.tif");
    make_raster(folder / "b.tif", {40, 600}, GDT_Float32, std::vector<double>(40 * 600, std::nan("")));
    EXPECT_NE(refusal("b.tif", [&] { open_terrain(folder / "b.tif"); }).find("every cell is missing"),
              std::string::npos);
}

TEST(WindowedForeign, MasksAndPictures) {
    Folder folder;
    Size size{70, 300};
    std::vector<double> numbers = numbers_of(size, 0);
    make_raster(folder / "a.tif", size, GDT_Float32, numbers, [&](GDALDataset& raster) {
        CPLSetThreadLocalConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES");
        raster.CreateMaskBand(GMF_PER_DATASET);
        std::vector<uint8_t> mask;
        for (double number : numbers) mask.push_back(number < 50 ? 0 : 255);
        EXPECT_EQ(raster.GetRasterBand(1)->GetMaskBand()->RasterIO(GF_Write, 0, 0, size.width, size.height,
                                                                   mask.data(), size.width, size.height,
                                                                   GDT_Byte, 0, 0, nullptr),
                  CE_None);
        CPLSetThreadLocalConfigOption("GDAL_TIFF_INTERNAL_MASK", nullptr);
    });
    expect_windows_of_the_whole(folder / "a.tif");
    std::vector<double> colours;
    for (int channel = 0; channel < 4; channel++)
        for (int y = 0; y < size.height; y++)
            for (int x = 0; x < size.width; x++)
                colours.push_back(std::floor(255.9f * scattered(x, y, uint32_t(channel)) *
                                             (channel == 3 && x % 5 == 0 ? 0.0f : 1.0f)));
    make_png(folder / "b.png", size, GDT_Byte, 4, colours);
    ReadOptions options;
    expect_windows_of_the_whole(folder / "b.png", options);
    options.meaning = PictureMeaning::frontier;
    options.range = Interval{20, 900};
    expect_windows_of_the_whole(folder / "b.png", options);
}

// Cells that are computed from those around them are the same whatever the window.
TEST(WindowedForeign, ResampledToMetres) {
    Folder folder;
    Size size{400, 900};
    double step = 1.0 / 1200;
    make_raster(folder / "a.tif", size, GDT_Float32, numbers_of(size, -9999), [&](GDALDataset& raster) {
        double transform[6] = {11, step, 0, 47, 0, -step};
        raster.SetGeoTransform(transform);
        raster.SetProjection(projection_text(4326).c_str());
        raster.GetRasterBand(1)->SetNoDataValue(-9999);
    });
    ReadOptions options;
    options.to_metres = true;
    expect_windows_of_the_whole(folder / "a.tif", options);
}

// Blocks of all shapes: strips, tiles that do not divide the raster, one block for everything.
TEST(WindowedForeign, BlocksOfAnyShape) {
    Folder folder;
    GDALAllRegister();
    Size size{700, 530};
    std::vector<double> numbers = numbers_of(size, -9999);
    using Words = std::vector<const char*>;
    for (Words words : {Words{"BLOCKYSIZE=1"}, Words{"BLOCKYSIZE=300"}, Words{"BLOCKYSIZE=530"},
                        Words{"TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=512"},
                        Words{"TILED=YES", "BLOCKXSIZE=512", "BLOCKYSIZE=48", "COMPRESS=DEFLATE"}}) {
        SCOPED_TRACE(words.back());
        words.push_back(nullptr);
        Raster raster(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
            (folder / "a.tif").c_str(), size.width, size.height, 1, GDT_Float64,
            const_cast<char**>(words.data())));
        ASSERT_TRUE(raster);
        ASSERT_EQ(raster->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, size.width, size.height, numbers.data(),
                                                     size.width, size.height, GDT_Float64, 0, 0, nullptr),
                  CE_None);
        raster.reset();
        expect_windows_of_the_whole(folder / "a.tif");
    }
}

// What is damaged is noticed when the file is opened, or where the damage lies.
TEST(WindowedForeign, DamageIsNoticed) {
    Folder folder;
    write_terrain(rough_terrain({300, 700}), folder / "whole.tif");
    write_truncated(folder / "whole.tif", folder / "cut.tif", 0.5);
    refusal("cut.tif", [&] {
        std::unique_ptr<TerrainReader> reader = open_terrain(folder / "cut.tif");
        for (int top = 0; top < 700; top += 100) reader->read({0, top, 300, top + 100});
    });
    write_text(folder / "a.r32", std::string(4000, '\0'));
    std::unique_ptr<TerrainReader> reader = open_terrain(folder / "a.r32", [] {
        ReadOptions options;
        options.size = Size{10, 100};
        return options;
    }());
    write_text(folder / "a.r32", std::string(400, '\0'));
    refusal("a.r32", [&] { reader->read({3, 90, 8, 100}); });
    EXPECT_ANY_THROW(reader->read({0, 0, 11, 1}));
    reader = open_terrain(folder / "whole.tif");
    EXPECT_ANY_THROW(reader->read({0, 0, 301, 1}));
    EXPECT_NE(refusal("whole.tif",
                      [&] {
                          reader->read_field("snow", {0, 0, 1, 1});
                      })
                  .find("snow"),
              std::string::npos);
    refusal("none.tif", [&] { open_terrain(folder / "none.tif"); });
}

TEST(WindowedReading, CanBeCancelledWhileItLooks) {
    Folder folder;
    make_raster(folder / "a.tif", {600, 700}, GDT_Float32, numbers_of({600, 700}, -9999));
    Progress progress([&](double share) {
        if (share > 0.4) progress.cancel();
    });
    EXPECT_THROW(open_terrain(folder / "a.tif", {}, {&progress, {}}), Cancelled);
}

// ---- from file to file -----------------------------------------------------------------------------------

TEST(FileToFile, KeepsEverything) {
    Folder folder;
    Computed source({601, 530}, Holes::some, {"height", "hardness", "mask"});
    source.place(projection_text(25832));
    write_terrain(source, folder / "a.tif");
    for (const char* name : {"b.tif", "b.img"}) {
        write_terrain(*open_terrain(folder / "a.tif"), folder / name);
        Terrain read = read_terrain(folder / name);
        for (const std::string& field : source.names())
            EXPECT_TRUE(identical(read.field(field), source.whole().field(field))) << name << " " << field;
        EXPECT_EQ(read.georeference()->transform, source.shape().georeference()->transform);
    }
    EXPECT_TRUE(file_text(folder / "a.tif") == file_text(folder / "b.tif"));
    // Over itself: the old one is whole until the new one is.
    write_terrain(*open_terrain(folder / "a.tif"), folder / "a.tif");
    EXPECT_TRUE(file_text(folder / "a.tif") == file_text(folder / "b.tif"));
}

#include "formats/gdal/read.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/gdal/cells.h"
#include "formats/gdal/classic_netcdf.h"
#include "formats/gdal/cut_off.h"
#include "formats/gdal/hdf5.h"
#include "formats/gdal/notes.h"
#include "formats/gdal/place.h"
#include "formats/gdal/session.h"
#include "formats/gdal/signed_bytes.h"
#include "formats/gdal/system.h"
#include "formats/gdal/trial.h"
#include "formats/gdal/warp.h"
#include "formats/windows.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>

namespace caprock::gdal {

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
    throw Error(fmt::format("cannot read '{}': {}", path, reason));
}

void tell(const FileContext& context, const std::string& message) {
    if (context.tell) context.tell(message);
}

// ---- fields ----------------------------------------------------------------------------------------------

bool is_picture(GDALDataset& dataset) {
    std::string driver = dataset.GetDriverName();
    return driver == "PNG" || driver == "JPEG" || driver == "BMP" || driver == "GIF";
}

bool is_coloured(GDALDataset& dataset) {
    GDALRasterBand& first = *dataset.GetRasterBand(1);
    if (first.GetColorTable() && first.GetRasterDataType() == GDT_Byte) return true;
    return dataset.GetRasterCount() >= 3 && first.GetColorInterpretation() == GCI_RedBand;
}

struct NamedBand {
    std::string name;
    int number;
};

// Some formats have a picture of the heights before the heights themselves (Northwood grids). Where the first bands are
// red, green and blue bytes, it is the first of wider numbers; else 1.
int first_of_heights(GDALDataset& dataset) {
    if (!is_coloured(dataset) || dataset.GetRasterBand(1)->GetRasterDataType() != GDT_Byte) return 1;
    for (int number = 2; number <= dataset.GetRasterCount(); number++)
        if (dataset.GetRasterBand(number)->GetRasterDataType() != GDT_Byte) return number;
    return 1;
}

// Which bands become which fields. Our own files name every band; in others the first is the height unless
// another one says that it is.
std::vector<NamedBand> named_bands(GDALDataset& dataset, bool ours, bool picture, const std::string& path,
                                   const FileContext& context) {
    if (picture) return {{"height", 1}};
    if (int number = first_of_heights(dataset); number > 1) return {{"height", number}};
    int count = dataset.GetRasterCount();
    auto description = [&](int number) -> std::string {
        std::string name = dataset.GetRasterBand(number)->GetDescription();
        const Quantity* known = quantity_spelled(name);
        return known ? std::string(known->name) : name;
    };
    bool height_is_named = false;
    for (int number = 1; number <= count; number++) height_is_named |= is_ground(description(number));
    std::vector<NamedBand> bands;
    std::vector<std::string> skipped;
    for (int number = 1; number <= count; number++) {
        std::string name = description(number);
        bool first_is_height = number == 1 && !height_is_named && (!ours || name.empty());
        if (first_is_height) name = "height";
        bool taken = std::ranges::any_of(bands, [&](const NamedBand& band) { return band.name == name; });
        // What is transparent is missing: it has been of use.
        if (dataset.GetRasterBand(number)->GetColorInterpretation() == GCI_AlphaBand && number > 1) continue;
        if (name.empty() || taken) {
            skipped.push_back(std::to_string(number));
        } else {
            bands.push_back({name, number});
        }
    }
    if (bands.empty()) return {{"height", 1}};
    // Of colours, one word is enough.
    if (!skipped.empty() && !is_coloured(dataset))
        tell(context,
             skipped.size() > 1
                 ? fmt::format("'{}': bands {} have no name of their own and were left out", path,
                               listed(skipped))
                 : fmt::format("'{}': band {} has no name of its own and was left out", path, skipped[0]));
    return bands;
}

// A picture in another format than those of pictures, such as an RGB TIFF.
bool has_channels(GDALDataset& dataset) {
    GDALDataType type = dataset.GetRasterBand(1)->GetRasterDataType();
    return dataset.GetRasterCount() >= 3 && is_coloured(dataset) && (type == GDT_Byte || type == GDT_UInt16);
}

// Red, green and blue; all three from a grey picture.
std::vector<NamedBand> frontier_bands(GDALDataset& dataset, bool picture, const std::string& path) {
    if (!picture && !has_channels(dataset))
        refuse(path,
               "it is no Frontier image; those are pictures: red the height, green the hardness, blue the "
               "solubility");
    if (dataset.GetRasterBand(1)->GetColorTable())
        refuse(path, "it is a picture with a palette; a Frontier image has channels of red, green and blue");
    bool grey = dataset.GetRasterCount() < 3;
    return {{"height", 1}, {"hardness", grey ? 1 : 2}, {"solubility", grey ? 1 : 3}};
}

// ASCII grids that begin with whole numbers are taken for such all through, where nan and inf would become 0.
struct TakeTextForDoubles {
    TakeTextForDoubles() { CPLSetThreadLocalConfigOption("AAIGRID_DATATYPE", "Float64"); }
    ~TakeTextForDoubles() { CPLSetThreadLocalConfigOption("AAIGRID_DATATYPE", nullptr); }
};

// Formats that are folders. Others would look for anything in one.
constexpr const char* folder_drivers[] = {"AIG", "Zarr", "MFF2", nullptr};

Dataset open_raster(const std::string& path) {
    if (is_cut_off_netcdf(path)) refuse(path, "it is damaged or cut off");
    // Drivers that were tried and declined may have complained; only the last word counts.
    ErrorCollector errors;
    TakeTextForDoubles text;
    std::error_code none;
    bool folder = std::filesystem::is_directory(path, none);
    Dataset dataset(static_cast<GDALDataset*>(
        GDALOpenEx(path.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR,
                   folder ? folder_drivers : nullptr, nullptr, nullptr)));
    if (!dataset) {
        if (folder) refuse(path, "it is a folder, and not one that is a raster (Arc/Info grid, Zarr, MFF2)");
        bool unknown = errors.message().find("not recognized") != std::string::npos;
        if (unknown && CPLString(path).tolower().ends_with(".hgt"))
            refuse(
                path,
                "a .hgt has 1201x1201 or 3601x3601 cells and is named after its place, such as N47E011.hgt");
        refuse(path,
               unknown ? "it is no raster file, or of a format that is not known here" : errors.message());
    }
    leave_nothing_beside(*dataset);
    if (is_cut_off(*dataset, path)) refuse(path, "it is damaged or cut off");
    if (dataset->GetRasterCount() < 1) {
        bool several = dataset->GetMetadata("SUBDATASETS") != nullptr;
        refuse(path, several ? "it holds several rasters; take one out of it with gdal_translate"
                             : "it holds no raster");
    }
    return dataset;
}

// The raster to read cells from, beside the file that knows what they mean. Each reads from the one before.
struct Source {
    Dataset file;
    Dataset with_signs;  // none where the file's own numbers will do
    Dataset resampled;   // none where the file's own cells will do

    GDALDataset& numbers() const { return with_signs ? *with_signs : *file; }
    GDALDataset& cells() const { return resampled ? *resampled : numbers(); }
};

// Heights in metres, and a word on it where they were not.
Scaling height_scaling(GDALRasterBand& band, Georeference& georeference, const std::string& path,
                       const FileContext& context) {
    Scaling scaling = band_scaling(band);
    std::string unit = vertical_unit(band, georeference_of(*band.GetDataset()));
    georeference.vertical_unit = unit;
    // A BAG has heights, whatever its system says of depths.
    bool bathymetry = EQUAL(band.GetDataset()->GetDriverName(), "BAG");
    if (!bathymetry && points_down(system_of(georeference)))
        tell(context,
             fmt::format("'{}' has depths, which grow downwards; the numbers are taken as heights, so that "
                         "hollows are hills",
                         path));
    std::optional<double> metres = metres_of(unit);
    if (!metres)
        tell(context, fmt::format("'{}' has its heights in '{}'; the numbers are taken as metres", path,
                                  one_line(unit)));
    if (metres.value_or(1) == 1) return scaling;
    set_metres(georeference);
    tell(context,
         fmt::format("'{}' has its heights in '{}'; they were converted to metres, and metres are written",
                     path, unit));
    return scaling.times(*metres);
}

void tell_of_colours(GDALDataset& dataset, bool picture, const Interval& range, const std::string& path,
                     const FileContext& context) {
    if (!is_coloured(dataset) || first_of_heights(dataset) > 1) return;
    tell(context,
         picture ? fmt::format(
                       "'{}' is a colour picture; its first channel is taken for heights, shares of {} m; "
                       "--as frontier takes green for hardness and blue for solubility",
                       path, interval_text(range))
                 : fmt::format("'{}' is a colour picture; its first channel is taken for heights in metres",
                               path));
}

// Places that are given otherwise than by a transform.
void tell_of_places(GDALDataset& dataset, const Georeference& georeference, const std::string& path,
                    const FileContext& context) {
    if (pixel_width(georeference.transform) > 0) return;
    bool points = dataset.GetGCPCount() > 0;
    bool camera = dataset.GetMetadata("RPC") != nullptr;
    if (points || camera)
        tell(context,
             fmt::format(
                 "'{}' has its place by {}, which are not followed: its cells are taken as they lie in "
                 "the file; gdalwarp straightens it",
                 path, points ? "control points that no grid goes through" : "the numbers of a camera"));
}

// Files that hold more than the raster that is read.
void tell_of_several(GDALDataset& dataset, const std::string& path, const FileContext& context) {
    int entries = CSLCount(dataset.GetMetadata("SUBDATASETS"));
    // Each has a name and a description.
    if (entries > 2)
        tell(context,
             fmt::format("'{}' holds {} rasters and the first is read; gdal_translate takes out another",
                         path, entries / 2));
}

void check(const Grid& grid, const std::string& path) {
    try {
        grid.check();
    } catch (const Error& error) {
        refuse(path, error.what());
    }
}

Rect extent_of(GDALDataset& dataset) {
    return Rect::of({dataset.GetRasterXSize(), dataset.GetRasterYSize()});
}

// One field, and where it comes from.
struct Channel {
    std::string name;
    int number;
    BandMeaning meaning;
};

class FileReader : public RasterReader {
  public:
    FileReader(const std::string& path, const ReadOptions& options, const FileContext& context);
    ~FileReader() override {
        // What GDAL has to say when it closes the file is nobody's concern.
        ErrorCollector unsaid;
        source_.resampled.reset();
        source_.with_signs.reset();
        source_.file.reset();
    }

    Terrain shape() const override { return shape_; }
    std::vector<std::string> names() const override {
        std::vector<std::string> all;
        for (const Channel& channel : channels_) all.push_back(channel.name);
        return all;
    }
    Terrain read(const Rect& window) override;
    Field read_field(const std::string& name, const Rect& window) override;
    Terrain read_all(const FileContext& context) override;
    void look_through(const FileContext& context) override;
    // Every cell, a part at a time.
    void read_through(const FileContext& context, const std::function<void()>& after_part = {});

  private:
    GDALRasterBand& band_of(const Channel& channel) const {
        return *source_.cells().GetRasterBand(channel.number);
    }
    Field read_cells(const Channel& channel, const Rect& window, const FileContext& context = {});
    void add_channel(const NamedBand& named, bool shares, Georeference& georeference,
                     const FileContext& context);
    void learn(const SeenCells& heights, const FileContext& context);
    void take_range(const SeenCells& heights, const FileContext& context);

    ModestCache cache_;
    std::string path_;
    Source source_;
    std::vector<Channel> channels_;
    Terrain shape_;
    bool ours_ = false;
    bool range_is_known_ = false;
    bool looked_through_ = false;
    int64_t dropped_ = 0;  // cells that are no numbers, among those read since the last count began
};

FileReader::FileReader(const std::string& path, const ReadOptions& options, const FileContext& context)
    : path_(path), source_{open_raster(path), nullptr, nullptr} {
    GDALDataset& file = *source_.file;
    if (has_signed_bytes(file)) source_.with_signs = with_signs(file);
    bool picture = is_picture(file);
    Georeference georeference = georeference_of(file);
    Notes notes = read_notes(file, georeference.transform);
    ours_ = notes.ours;
    bool asked = options.meaning == PictureMeaning::frontier &&
                 (!options.only_if_picture || picture || has_channels(file));
    bool frontier = notes.frontier || asked;
    std::vector<NamedBand> bands = frontier ? frontier_bands(file, picture, path)
                                            : named_bands(file, notes.ours, picture, path, context);
    tell_of_places(file, georeference, path, context);
    tell_of_several(file, path, context);
    Orientation orientation = orientation_of(georeference, extent_of(file).size());
    turn_upright(georeference, orientation);
    Grid grid;
    grid.extent = Rect::of(orientation.terrain());
    std::optional<Interval> range = options.range ? options.range : notes.range;
    if (range) grid.range = *range;
    range_is_known_ = range || picture || frontier;
    // What claims to be larger than any terrain is refused for that, whatever else is wrong with it.
    check(grid, path);

    CellShape shape = cell_shape(georeference);
    if (options.to_metres && shape.known() && (shape.degrees || !shape.square())) {
        source_.resampled = resampled_to_metres(source_.numbers(), shape, options, path, context);
        orientation = {extent_of(*source_.resampled).size()};
        georeference = georeference_of(*source_.resampled);
        shape = cell_shape(georeference);
        notes.cell.reset();
        grid.extent = extent_of(*source_.resampled);
    }
    grid.cell = cell_size(shape, options, path, notes.cell, context);
    check(grid, path);
    if (!frontier) tell_of_colours(file, picture, grid.range, path, context);

    shape_ = Terrain(grid);
    for (const NamedBand& named : bands) add_channel(named, picture || frontier, georeference, context);
    for (Channel& channel : channels_) channel.meaning.orientation = orientation;
    if (on_earth(georeference, grid.extent.size())) shape_.set_georeference(georeference);
}

// `shares`: the numbers are shares of a range, not metres.
void FileReader::add_channel(const NamedBand& named, bool shares, Georeference& georeference,
                             const FileContext& context) {
    // What numbers mean is the file's own to say.
    GDALRasterBand& band = *source_.file->GetRasterBand(named.number);
    if (GDALDataTypeIsComplex(band.GetRasterDataType()))
        tell(context,
             fmt::format("'{}' has complex numbers for {}; their real part is taken and the imaginary "
                         "part left out",
                         path_, named.name));
    Channel channel{named.name, named.number, {}};
    channel.meaning.scaling = shares ? picture_scaling(band, shape_.range_of(named.name), ours_)
                              : is_ground(named.name) ? height_scaling(band, georeference, path_, context)
                                                      : band_scaling(band);
    channel.meaning.ours = ours_;
    channel.meaning.computed = source_.resampled != nullptr;
    channels_.push_back(channel);
}

Field FileReader::read_cells(const Channel& channel, const Rect& window, const FileContext& context) {
    Field field(window);
    dropped_ += read_band(band_of(channel), field, channel.meaning, context, path_);
    return field;
}

Terrain FileReader::read(const Rect& window) {
    Terrain cells = shape_.cropped(window);
    for (const Channel& channel : channels_) cells.set(channel.name, read_cells(channel, window));
    return cells;
}

Field FileReader::read_field(const std::string& name, const Rect& window) {
    for (const Channel& channel : channels_)
        if (channel.name == name) return read_cells(channel, window);
    throw Error(fmt::format("there is no field '{}' in '{}'", name, path_));
}

Terrain FileReader::read_all(const FileContext& context) {
    const Rect& extent = shape_.rect();
    require_memory(uint64_t(extent.cells()) * channels_.size() * sizeof(float),
                   fmt::format("'{}' with {} x {} cells in {} field{}", path_, extent.width(),
                               extent.height(), channels_.size(), channels_.size() > 1 ? "s" : ""));
    if (context.progress) context.progress->expect(extent.cells() * int64_t(channels_.size()));
    Terrain terrain = shape_;
    dropped_ = 0;
    for (const Channel& channel : channels_) terrain.set(channel.name, read_cells(channel, extent, context));
    SeenCells heights;
    if (const Field* height = terrain.find("height")) heights.add(*height);
    learn(heights, context);
    terrain.set_range(shape_.grid().range);
    return terrain;
}

void FileReader::look_through(const FileContext& context) {
    bool has_height = std::ranges::any_of(channels_, [](const Channel& c) { return is_ground(c.name); });
    // Files of our own say what there is to know.
    bool known = ours_ && (range_is_known_ || !has_height);
    if (looked_through_ || known) return;
    read_through(context);
}

void FileReader::read_through(const FileContext& context, const std::function<void()>& after_part) {
    const Rect& extent = shape_.rect();
    if (context.progress) context.progress->expect(extent.cells() * int64_t(channels_.size()));
    dropped_ = 0;
    SeenCells heights;
    for (const Channel& channel : channels_)
        for (const Rect& part :
             parts_to_read(band_of(channel), extent_of(source_.cells()), channel.meaning.computed)) {
            Field cells = read_cells(channel, channel.meaning.orientation.in_terrain(part), context);
            if (is_ground(channel.name)) heights.add(cells);
            if (after_part) after_part();
        }
    learn(heights, context);
}

// What was seen when all cells were read.
void FileReader::learn(const SeenCells& heights, const FileContext& context) {
    if (looked_through_) return;
    looked_through_ = true;
    if (dropped_ > 0)
        tell(context, fmt::format("'{}' has {} {} not finite or beyond {:.2g} m; {} missing now", path_,
                                  dropped_, dropped_ > 1 ? "cells that are" : "cell that is", endless,
                                  dropped_ > 1 ? "they are" : "it is"));
    if (heights.cells == 0) return;
    // Of our own, somebody wanted it so.
    if (heights.all_missing() && !ours_) refuse(path_, "every cell is missing");
    if (!range_is_known_) take_range(heights, context);
}

// The heights' own extent, for files that do not say what range they refer to. Heights that a range cannot
// span (infinite ones, or as large as floats go) leave the usual one.
void FileReader::take_range(const SeenCells& heights, const FileContext& context) {
    range_is_known_ = true;
    double low = heights.low;
    double high = heights.high > low ? heights.high : low + std::max(1.0, std::abs(low) * 1e-6);
    if (std::abs(low) < endless && std::abs(high) < endless) {
        shape_.set_range({low, high});
    } else {
        tell(context, fmt::format("'{}' has heights from {} to {}; the height range is left at {}", path_,
                                  low, high, interval_text(shape_.grid().range)));
    }
}

}  // namespace

std::unique_ptr<RasterReader> open(const std::string& path, const ReadOptions& options,
                                   const FileContext& context) {
    register_drivers();
    // What GDAL has to say of a header is not for the user's terminal.
    ErrorCollector unsaid;
    bool doubtful = is_hdf5(path) || is_made_of_hdf5(path);
    Trial trial = doubtful ? try_reading(path, options, context) : Trial::not_made;
    auto reader = std::make_unique<FileReader>(path, options, context);
    // For the reason, which may lie in any part of the file. None of those behind it was tried.
    if (trial == Trial::refused) reader->read_through(context);
    return reader;
}

void read_through(const std::string& path, const ReadOptions& options,
                  const std::function<void()>& after_part) {
    register_drivers();
    ErrorCollector unsaid;
    FileReader(path, options, {}).read_through({}, after_part);
}

bool is_described(const std::string& path) {
    register_drivers();
    ErrorCollector unsaid;
    constexpr const char* with_headers[] = {"ENVI", "EHdr", "PAux", "GenBin", nullptr};
    Dataset file(static_cast<GDALDataset*>(
        GDALOpenEx(path.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY, with_headers, nullptr, nullptr)));
    if (!file || file->GetRasterCount() < 1) return false;
    leave_nothing_beside(*file);
    // That one names its kind in the header; what is not there was cut off.
    if (EQUAL(file->GetDriverName(), "ENVI")) return true;
    // Other headers of the same name may be another file's.
    GDALRasterBand& band = *file->GetRasterBand(1);
    uint64_t bytes = uint64_t(extent_of(*file).cells()) * uint64_t(file->GetRasterCount()) *
                     uint64_t(GDALGetDataTypeSizeBytes(band.GetRasterDataType()));
    std::error_code unknown;
    return std::filesystem::file_size(path, unknown) >= bytes && !unknown;
}

}  // namespace caprock::gdal

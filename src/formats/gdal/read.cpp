#include "formats/gdal/read.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/gdal/notes.h"
#include "formats/gdal/session.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <ogr_spatialref.h>

namespace caprock::gdal {

namespace {

// Rows read at a time: enough for a compressed block, few enough to cancel.
constexpr int rows_per_read = 256;

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
    throw Error(fmt::format("cannot read '{}': {}", path, reason));
}

void tell(const FileContext& context, const std::string& message) {
    if (context.tell) context.tell(message);
}

// ---- where it lies and how large its cells are -----------------------------------------------------------

Georeference georeference_of(GDALDataset& dataset) {
    Georeference georeference;
    if (dataset.GetGeoTransform(georeference.transform.data()) != CE_None) georeference.transform = {};
    if (const char* projection = dataset.GetProjectionRef()) georeference.projection = projection;
    return georeference;
}

// A file of our own without a place on Earth has its cell size in the transform, and nothing else there.
bool on_earth(const Georeference& georeference) {
    const auto& t = georeference.transform;
    bool plain = t[0] == 0 && t[2] == 0 && t[3] == 0 && t[4] == 0 && t[5] == -t[1];
    bool none = t == std::array<double, 6>{};
    return !georeference.projection.empty() || !(plain || none);
}

double cell_size(const Georeference& georeference, const ReadOptions& options, const std::string& path,
                 std::optional<double> noted, const FileContext& context) {
    if (options.cell) return *options.cell;
    if (noted) return *noted;
    const auto& t = georeference.transform;
    double width = pixel_width(t);
    double height = std::hypot(t[2], t[5]);
    if (!georeference.projection.empty()) {
        OGRSpatialReference system;
        system.importFromWkt(georeference.projection.c_str());
        if (system.IsGeographic() && width > 0)
            refuse(path, "its cells are measured in degrees; give their size in metres with --cell");
        double metres = system.IsGeographic() ? 1 : system.GetLinearUnits();
        width *= metres;
        height *= metres;
    }
    if (!(width > 0)) return 1;
    // What was computed from degrees or feet may be off in its last digits.
    if (std::abs(width - height) > 1e-6 * width)
        tell(context, fmt::format("'{}' has cells of {} x {} m; they are taken as squares of {} m", path,
                                  number_text(width), number_text(height), number_text(width)));
    return width;
}

void note_unit(const std::string& unit, const std::string& path, const FileContext& context) {
    for (const char* metres : {"", "m", "metre", "metres", "meter", "meters"})
        if (EQUAL(unit.c_str(), metres)) return;
    tell(context, fmt::format("'{}' has its heights in '{}'; the numbers are taken as metres", path, unit));
}

// ---- cells -----------------------------------------------------------------------------------------------

// What turns the file's numbers into metres.
struct Scaling {
    double offset = 0;
    double factor = 1;

    bool any() const { return offset != 0 || factor != 1; }
    float operator()(double value) const { return float(offset + factor * value); }
};

bool is_wide(GDALDataType type) {
    return type == GDT_Float64 || type == GDT_Int32 || type == GDT_UInt32 || type == GDT_Int64 ||
           type == GDT_UInt64;
}

// The number that marks a missing cell. Numbers that a cell of the file cannot hold mark none.
std::optional<double> missing_mark(GDALRasterBand& band) {
    int has_mark = 0;
    double mark = band.GetNoDataValue(&has_mark);
    if (!has_mark || std::isnan(mark)) return std::nullopt;
    bool too_large = std::abs(mark) > double(std::numeric_limits<float>::max()) && std::isfinite(mark);
    if (!is_wide(band.GetRasterDataType()) && too_large) return std::nullopt;
    return mark;
}

// Reads one strip of rows as numbers of the given kind and turns them into cells.
template <typename Number>
CPLErr read_strip(GDALRasterBand& band, int top, int count, std::vector<Number>& numbers, float* to,
                  const std::optional<double>& mark, const Scaling& scaling) {
    constexpr GDALDataType kind = std::is_same_v<Number, double> ? GDT_Float64 : GDT_Float32;
    int width = band.GetXSize();
    size_t cells = size_t(count) * size_t(width);
    numbers.resize(cells);
    CPLErr status =
        band.RasterIO(GF_Read, 0, top, width, count, numbers.data(), width, count, kind, 0, 0, nullptr);
    if (status != CE_None) return status;
    // Compared in the file's own precision.
    bool marked = mark.has_value();
    Number missing_number = marked ? Number(*mark) : Number(0);
    for (size_t i = 0; i < cells; i++) {
        if (marked && numbers[i] == missing_number) {
            to[i] = missing;
        } else {
            to[i] = scaling.any() ? scaling(double(numbers[i])) : float(numbers[i]);
        }
    }
    return CE_None;
}

// Alpha channels and mask bands: what is wholly transparent is missing.
CPLErr read_mask(GDALRasterBand& band, int top, int count, std::vector<uint8_t>& mask, float* to) {
    int width = band.GetXSize();
    mask.resize(size_t(count) * size_t(width));
    CPLErr status = band.GetMaskBand()->RasterIO(GF_Read, 0, top, width, count, mask.data(), width, count,
                                                 GDT_Byte, 0, 0, nullptr);
    for (size_t i = 0; status == CE_None && i < mask.size(); i++)
        if (mask[i] == 0) to[i] = missing;
    return status;
}

void read_band(GDALRasterBand& band, Field& field, const Scaling& scaling, const FileContext& context,
               const ErrorCollector& errors, const std::string& path) {
    const Rect& rect = field.rect();
    Field::WritableRows rows = field.writable_rows();
    std::optional<double> mark = missing_mark(band);
    bool wide = is_wide(band.GetRasterDataType());
    bool masked = !(band.GetMaskFlags() & (GMF_ALL_VALID | GMF_NODATA));
    std::vector<double> doubles;
    std::vector<float> floats;
    std::vector<uint8_t> mask;
    for (int top = 0; top < rect.height(); top += rows_per_read) {
        int count = std::min(rows_per_read, rect.height() - top);
        CPLErr status = wide ? read_strip(band, top, count, doubles, rows[top], mark, scaling)
                             : read_strip(band, top, count, floats, rows[top], mark, scaling);
        if (status == CE_None && masked) status = read_mask(band, top, count, mask, rows[top]);
        if (status != CE_None || errors.failed())
            refuse(path, "it is damaged or cut off: " + errors.message());
        if (context.progress) context.progress->advance(int64_t(count) * rect.width());
    }
}

bool is_picture(GDALDataset& dataset) {
    std::string driver = dataset.GetDriverName();
    return driver == "PNG" || driver == "JPEG" || driver == "BMP" || driver == "GIF";
}

// Pictures hold shares of a range: of the one given, of the one they note, or of the usual one.
Scaling picture_scaling(GDALRasterBand& band, const Interval& range, bool ours) {
    double most = band.GetRasterDataType() == GDT_Byte ? 255 : 65535;
    // Our own pictures with missing cells keep 0 for those.
    double least = ours && missing_mark(band) ? 1 : 0;
    double factor = range.span() / (most - least);
    return {range.low - least * factor, factor};
}

// Files of integers may say how their numbers become metres.
Scaling band_scaling(GDALRasterBand& band) {
    int has_offset = 0;
    int has_factor = 0;
    double offset = band.GetOffset(&has_offset);
    double factor = band.GetScale(&has_factor);
    return {has_offset ? offset : 0, has_factor ? factor : 1};
}

// ---- fields ----------------------------------------------------------------------------------------------

struct NamedBand {
    std::string name;
    int number;
};

// Which bands become which fields. Our own files name every band; in others the first is the height unless
// another one says that it is.
std::vector<NamedBand> named_bands(GDALDataset& dataset, bool ours, bool picture, const std::string& path,
                                   const FileContext& context) {
    if (picture) return {{"height", 1}};
    int count = dataset.GetRasterCount();
    auto description = [&](int number) -> std::string {
        return dataset.GetRasterBand(number)->GetDescription();
    };
    bool height_is_named = false;
    for (int number = 1; number <= count; number++) height_is_named |= description(number) == "height";
    std::vector<NamedBand> bands;
    std::vector<std::string> skipped;
    for (int number = 1; number <= count; number++) {
        std::string name = description(number);
        bool first_is_height = number == 1 && !height_is_named && (!ours || name.empty());
        if (first_is_height) name = "height";
        bool taken = std::ranges::any_of(bands, [&](const NamedBand& band) { return band.name == name; });
        if (name.empty() || taken) {
            skipped.push_back(std::to_string(number));
        } else {
            bands.push_back({name, number});
        }
    }
    if (bands.empty()) return {{"height", 1}};
    if (!skipped.empty())
        tell(context, fmt::format("'{}': {} {} without a name of {} own and {} left out", path,
                                  skipped.size() > 1 ? "bands" : "band", listed(skipped),
                                  skipped.size() > 1 ? "their" : "its", skipped.size() > 1 ? "were" : "was"));
    return bands;
}

Dataset open_raster(const std::string& path) {
    // Drivers that were tried and declined may have complained; only the last word counts.
    ErrorCollector errors;
    Dataset dataset(static_cast<GDALDataset*>(GDALOpenEx(
        path.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, nullptr, nullptr, nullptr)));
    if (!dataset) {
        bool unknown = errors.message().find("not recognized") != std::string::npos;
        refuse(path,
               unknown ? "it is no raster file, or of a format that is not known here" : errors.message());
    }
    if (dataset->GetRasterCount() < 1) refuse(path, "it holds no raster");
    return dataset;
}

// The heights' own extent, for files that do not say what range they refer to. Heights that a range cannot
// span (infinite ones, or as large as floats go) leave the usual one.
void take_range_from_heights(Terrain& terrain, const std::string& path, const FileContext& context) {
    FieldStatistics heights = statistics(terrain.height());
    double low = heights.low;
    double high = heights.high > low ? heights.high : low + std::max(1.0, std::abs(low) * 1e-6);
    constexpr double most = std::numeric_limits<float>::max() / 4;
    if (std::abs(low) < most && std::abs(high) < most) {
        terrain.set_range({low, high});
    } else {
        tell(context, fmt::format("'{}' has heights from {} to {}; the height range is left at {}", path, low,
                                  high, interval_text(terrain.grid().range)));
    }
}

}  // namespace

Terrain read(const std::string& path, const ReadOptions& options, const FileContext& context) {
    register_drivers();
    Dataset dataset = open_raster(path);
    ErrorCollector errors;
    bool picture = is_picture(*dataset);
    Georeference georeference = georeference_of(*dataset);
    Notes notes = read_notes(*dataset, georeference.transform);
    std::vector<NamedBand> bands = named_bands(*dataset, notes.ours, picture, path, context);

    Grid grid;
    grid.extent = Rect::of({dataset->GetRasterXSize(), dataset->GetRasterYSize()});
    std::optional<Interval> range = options.range ? options.range : notes.range;
    if (range) grid.range = *range;
    grid.cell = cell_size(georeference, options, path, notes.cell, context);
    try {
        grid.check();
    } catch (const Error& error) {
        refuse(path, error.what());
    }
    require_memory(uint64_t(grid.extent.cells()) * bands.size() * sizeof(float),
                   fmt::format("'{}' with {} x {} cells in {} field{}", path, grid.extent.width(),
                               grid.extent.height(), bands.size(), bands.size() > 1 ? "s" : ""));

    if (picture && (dataset->GetRasterCount() > 2 || dataset->GetRasterBand(1)->GetColorTable()))
        tell(context, fmt::format("'{}' is a colour picture; its first channel is taken for heights", path));
    Terrain terrain(grid);
    if (context.progress) context.progress->expect(grid.extent.cells() * int64_t(bands.size()));
    for (const NamedBand& named : bands) {
        GDALRasterBand& band = *dataset->GetRasterBand(named.number);
        Scaling scaling = picture ? picture_scaling(band, grid.range, notes.ours) : band_scaling(band);
        Field field(grid.extent);
        read_band(band, field, scaling, context, errors, path);
        terrain.set(named.name, std::move(field));
        if (named.name == "height") georeference.vertical_unit = band.GetUnitType();
    }
    note_unit(georeference.vertical_unit, path, context);
    if (on_earth(georeference)) terrain.set_georeference(georeference);
    if (!range && !picture && terrain.has("height")) take_range_from_heights(terrain, path, context);
    return terrain;
}

}  // namespace caprock::gdal

#include "formats/gdal/read.h"

#include "base/error.h"
#include "base/text.h"
#include "formats/gdal/session.h"

#include <fmt/format.h>
#include <ogr_spatialref.h>

#include <cmath>

namespace caprock::gdal {

namespace {

// Rows read at a time: enough for a compressed block, few enough to cancel.
constexpr int rows_per_read = 256;

std::optional<double> number_item(GDALDataset& dataset, const char* name) {
    const char* text = dataset.GetMetadataItem(name);
    return text ? parse_number(text) : std::nullopt;
}

Georeference georeference_of(GDALDataset& dataset) {
    Georeference georeference;
    if (dataset.GetGeoTransform(georeference.transform.data()) != CE_None) georeference.transform = {};
    if (const char* projection = dataset.GetProjectionRef()) georeference.projection = projection;
    georeference.vertical_unit = dataset.GetRasterBand(1)->GetUnitType();
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
                 std::optional<double> noted) {
    if (options.cell) return *options.cell;
    if (noted) return *noted;
    OGRSpatialReference system;
    if (!georeference.projection.empty()) {
        system.importFromWkt(georeference.projection.c_str());
        if (system.IsGeographic())
            throw Error(fmt::format("'{}' has its cells in degrees, not metres; give their size with --cell METRES",
                                    path));
    }
    double cell = std::hypot(georeference.transform[1], georeference.transform[4]);
    if (!georeference.projection.empty()) cell *= system.GetLinearUnits();
    return cell > 0 ? cell : 1;
}

// Where integers of a picture lie in metres.
struct Scaling {
    double offset = 0;
    double factor = 1;
};

void read_band(GDALRasterBand& band, Field& field, const Scaling& scaling, const FileContext& context,
                const ErrorCollector& errors, const std::string& path) {
    const Rect& rect = field.rect();
    Field::WritableRows rows = field.writable_rows();
    int has_nodata = 0;
    double nodata = band.GetNoDataValue(&has_nodata);
    bool wide = band.GetRasterDataType() == GDT_Float64 || band.GetRasterDataType() == GDT_Int32 ||
                band.GetRasterDataType() == GDT_UInt32;
    std::vector<double> doubles;
    for (int top = 0; top < rect.height(); top += rows_per_read) {
        int count = std::min(rows_per_read, rect.height() - top);
        float* to = rows[top];
        CPLErr status;
        int64_t cells = int64_t(count) * rect.width();
        if (wide) {
            // The no-data value is compared in the file's own precision.
            doubles.resize(size_t(cells));
            status = band.RasterIO(GF_Read, 0, top, rect.width(), count, doubles.data(), rect.width(), count,
                                   GDT_Float64, 0, 0, nullptr);
            for (int64_t i = 0; i < cells; i++)
                to[i] = has_nodata && doubles[size_t(i)] == nodata ? missing : float(doubles[size_t(i)]);
        } else {
            status = band.RasterIO(GF_Read, 0, top, rect.width(), count, to, rect.width(), count, GDT_Float32, 0, 0,
                                   nullptr);
            for (int64_t i = 0; has_nodata && i < cells; i++)
                if (to[i] == float(nodata)) to[i] = missing;
        }
        if (status != CE_None || errors.failed())
            throw Error(fmt::format("cannot read '{}': {}", path, errors.message()));
        bool scaled = scaling.offset != 0 || scaling.factor != 1;
        for (int64_t i = 0; scaled && i < cells; i++)
            to[i] = float(scaling.offset + scaling.factor * double(to[i]));
        if (context.progress) context.progress->advance(cells);
    }
}

bool is_picture(GDALDataset& dataset) {
    std::string driver = dataset.GetDriverName();
    return driver == "PNG" || driver == "JPEG" || driver == "BMP" || driver == "GIF";
}

// Pictures hold shares of a range: of the one they note, of the one given, or of the usual one.
Scaling picture_scaling(GDALDataset& dataset, GDALRasterBand& band, const Interval& range) {
    int has_nodata = 0;
    band.GetNoDataValue(&has_nodata);
    double most = band.GetRasterDataType() == GDT_Byte ? 255 : 65535;
    // Our own pictures with missing cells keep 0 for those.
    double least = has_nodata && dataset.GetMetadataItem("CAPROCK_RANGE") ? 1 : 0;
    double factor = range.span() / (most - least);
    return {range.low - least * factor, factor};
}

std::string field_name(GDALRasterBand& band, int number) {
    std::string description = band.GetDescription();
    if (!description.empty() && (number > 1 || description == "height")) return description;
    return number == 1 ? "height" : "";
}

}  // namespace

Terrain read(const std::string& path, const ReadOptions& options, const FileContext& context) {
    register_drivers();
    ErrorCollector errors;
    Dataset dataset(static_cast<GDALDataset*>(
        GDALOpenEx(path.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, nullptr, nullptr,
                   nullptr)));
    if (!dataset) throw Error(fmt::format("cannot read '{}': {}", path, errors.message()));
    if (dataset->GetRasterCount() < 1) throw Error(fmt::format("cannot read '{}': it holds no raster", path));

    Georeference georeference = georeference_of(*dataset);
    Grid grid;
    grid.extent = Rect::of({dataset->GetRasterXSize(), dataset->GetRasterYSize()});
    grid.cell = cell_size(georeference, options, path, number_item(*dataset, "CAPROCK_CELL"));
    const char* noted_range = dataset->GetMetadataItem("CAPROCK_RANGE");
    std::optional<Interval> range = options.range;
    if (!range && noted_range) range = parse_interval(noted_range);
    bool picture = is_picture(*dataset);
    if (range) grid.range = *range;
    try {
        grid.check();
    } catch (const Error& error) {
        throw Error(fmt::format("cannot read '{}': {}", path, error.what()));
    }

    Terrain terrain(grid);
    if (on_earth(georeference)) terrain.set_georeference(georeference);
    int bands = picture ? 1 : dataset->GetRasterCount();
    if (picture && dataset->GetRasterCount() > 2 && context.tell)
        context.tell(fmt::format("'{}' is a colour picture; its first channel is taken for heights", path));
    std::vector<std::string> skipped;
    if (context.progress) context.progress->expect(grid.extent.cells() * bands);
    for (int number = 1; number <= bands; number++) {
        GDALRasterBand& band = *dataset->GetRasterBand(number);
        std::string name = field_name(band, number);
        if (name.empty() || terrain.has(name)) {
            skipped.push_back(std::to_string(number));
            continue;
        }
        // Our own pictures are exact only with the range they were written with.
        Interval written = noted_range ? parse_interval(noted_range).value_or(grid.range) : grid.range;
        Scaling scaling = picture ? picture_scaling(*dataset, band, options.range ? grid.range : written) : Scaling{};
        Field field(grid.extent);
        read_band(band, field, scaling, context, errors, path);
        terrain.set(name, std::move(field));
    }
    if (!skipped.empty() && context.tell)
        context.tell(fmt::format("'{}': band {} has no name of its own and was left out", path, listed(skipped)));
    if (!range && !picture) {
        FieldStatistics heights = statistics(terrain.height());
        double high = heights.high > heights.low ? heights.high : heights.low + 1.0;
        terrain.set_range({heights.low, high});
    }
    return terrain;
}

}  // namespace caprock::gdal

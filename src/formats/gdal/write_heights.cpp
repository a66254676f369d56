#include "formats/gdal/write_heights.h"

#include "base/error.h"
#include "base/text.h"
#include "formats/gdal/notes.h"
#include "formats/gdal/output.h"
#include "formats/gdal/place.h"
#include "formats/gdal/source_raster.h"
#include "formats/windows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <ogr_spatialref.h>

namespace caprock::gdal {

namespace {

using Missing = TerrainFormat::Missing;

// ---- what a format cannot do -----------------------------------------------------------------------------

constexpr std::array other_marks = {-32768.0f, -99999.0f, -1e30f, std::numeric_limits<float>::lowest()};

// What has to be known of a field before its first cell is written.
struct FieldSurvey {
    SeenCells seen;
    // Whether a cell is the format's usual mark, or one of the others.
    std::array<bool, 1 + other_marks.size()> has_mark{};
};

bool has_cell(const float* row, int width, float value) {
    bool has = false;
    for (int i = 0; i < width; i++) has |= row[i] == value;
    return has;
}

FieldSurvey survey(TerrainSource& source, const std::string& name, const TerrainFormat& format,
                   const FileContext& context) {
    FieldSurvey found;
    each_window(source, name, context, [&](const Field& window) {
        found.seen.add(window);
        if (format.missing == Missing::refused) return;
        const Rect& rect = window.rect();
        Field::Rows rows = window.rows();
        for (int y = rect.top; y < rect.bottom; y++) {
            found.has_mark[0] |= has_cell(rows[y], rect.width(), float(format.mark));
            for (size_t i = 0; i < other_marks.size(); i++)
                found.has_mark[i + 1] |= has_cell(rows[y], rect.width(), other_marks[i]);
        }
    });
    return found;
}

// The number that stands for missing cells: no cell may be it.
float mark_for(const TerrainFormat& format, const FieldSurvey& found) {
    int64_t holes = found.seen.missing;
    if (format.missing == Missing::refused) {
        if (holes > 0)
            throw Error(
                fmt::format("{} {} missing and a {} has no mark for that; fill them with 'then fill-holes', "
                            "or write a .tif",
                            holes, holes > 1 ? "cells are" : "cell is", format.ending));
        return 0;
    }
    if (!found.has_mark[0]) return float(format.mark);
    for (size_t i = 0; i < other_marks.size() && format.missing == Missing::any_number; i++)
        if (!found.has_mark[i + 1]) return other_marks[i];
    throw Error(fmt::format("it has cells of the height {}, which marks missing cells in a {}; write a .tif",
                            number_text(format.mark), format.ending));
}

void check_upright(const std::array<double, 6>& t, const TerrainFormat& format) {
    bool upright = t[2] == 0 && t[4] == 0 && t[1] >= 0 && t[5] <= 0;
    if (!upright)
        throw Error(
            fmt::format("its rows do not run along the axes of its coordinate system, which a {} cannot say; "
                        "write a .tif",
                        format.ending));
}

// What drivers find out too late, or not at all: one counts bytes in 31 bits, the other cells in 16.
void check_size(const Rect& rect, const TerrainFormat& format) {
    if (format.most_bytes > 0 && uint64_t(rect.cells()) * sizeof(float) > format.most_bytes)
        throw Error(fmt::format("a {} has at most {} GiB; write a .tif", format.ending,
                                (format.most_bytes >> 30) + 1));
    if (format.most_side > 0 && std::max(rect.width(), rect.height()) > format.most_side)
        throw Error(
            fmt::format("a {} has at most {} cells each way; write a .tif", format.ending, format.most_side));
}

// N47E011: the degrees of the south-western cell.
std::string tile_name(const Terrain& terrain, const std::array<double, 6>& t) {
    const Rect& rect = terrain.rect();
    Georeference place;
    place.transform = t;
    auto [west, south] = place.at_cell(0, rect.height() - 1);
    auto whole = [](double value) { return std::abs(value - std::round(value)) < 1e-6; };
    bool one_degree = std::abs(std::abs(t[1]) * (rect.width() - 1) - 1) < 1e-6;
    if (!whole(west) || !whole(south) || !one_degree) return "";
    int x = int(std::lround(west));
    int y = int(std::lround(south));
    return fmt::format("{}{:02}{}{:03}", y < 0 ? 'S' : 'N', std::abs(y), x < 0 ? 'W' : 'E', std::abs(x));
}

// A tile is a degree each way, and its name is its place.
void check_tile(const Terrain& terrain, const std::string& path, const std::array<double, 6>& t) {
    const Rect& rect = terrain.rect();
    bool fitting = rect.width() == rect.height() && (rect.width() == 1201 || rect.width() == 3601);
    if (!fitting)
        throw Error(fmt::format("a .hgt has 1201x1201 or 3601x3601 cells, this terrain {}x{}; write a .tif",
                                rect.width(), rect.height()));
    const Georeference* georeference = terrain.georeference();
    std::string name =
        georeference && cell_shape(*georeference).degrees ? tile_name(terrain, t) : std::string();
    if (name.empty())
        throw Error(
            "a .hgt is a tile of one degree of latitude and longitude, which this terrain is not; write a "
            ".tif");
    std::string given = std::filesystem::path(path).stem().string();
    if (!EQUAL(given.c_str(), name.c_str()))
        throw Error(
            fmt::format("the name of a .hgt says where it lies; this one must be called {}.hgt", name));
}

// ---- writing ---------------------------------------------------------------------------------------------

// Heights as floats, with the mark for missing cells.
SourceRaster::Turn marked(float mark) {
    return [mark](const float* cells, int width, void* numbers) {
        std::transform(cells, cells + width, static_cast<float*>(numbers),
                       [mark](float value) { return is_missing(value) ? mark : value; });
    };
}

// Heights as whole metres. The largest error there was is in `error` afterwards.
SourceRaster::Turn rounded(float mark, double& error) {
    return [mark, &error](const float* cells, int width, void* numbers) {
        auto* to = static_cast<int16_t*>(numbers);
        for (int i = 0; i < width; i++) {
            float whole = std::clamp(std::round(cells[i]), -32767.0f, 32767.0f);
            if (!is_missing(cells[i])) error = std::max(error, std::abs(double(cells[i]) - double(whole)));
            to[i] = int16_t(is_missing(cells[i]) ? mark : whole);
        }
    };
}

void tell_rounded(double error, const FileContext& context) {
    if (context.tell && error > 0) context.tell(fmt::format("heights were rounded by up to {:.3g} m", error));
}

void place(GDALDataset& raster, const Terrain& shape) {
    std::array<double, 6> transform = transform_of(shape);
    if (pixel_width(transform) > 0) raster.SetGeoTransform(transform.data());
    set_system(raster, shape.georeference());
}

// Some drivers fall over systems that their format has no words for: netCDF, and those that write well-known text of the
// older kind beside the cells.
bool is_about_system(const Error& failure) {
    std::string said = failure.what();
    return said.find("AddProjectionVars") != std::string::npos ||
           said.find("proj_as_wkt") != std::string::npos;
}

Terrain without_system(Terrain shape) {
    Georeference georeference = *shape.georeference();
    georeference.projection.clear();
    shape.set_georeference(georeference);
    return shape;
}

// A .bt has columns one after the other, from the south: rows of it would have GDAL hold everything, or read and write
// all of it again for each few of them.
void write_columns(TerrainSource& source, const TerrainFormat& format, const std::string& path, float mark,
                   const FileContext& context, const ErrorCollector& errors) {
    Terrain shape = source.shape();
    const Rect& extent = shape.rect();
    Dataset dataset(raster_driver(format.driver)
                        .Create(path.c_str(), extent.width(), extent.height(), 1, GDT_Float32, nullptr));
    if (!dataset) fail(errors);
    place(*dataset, shape);
    GDALRasterBand& band = *dataset->GetRasterBand(1);
    int columns = lines_at_a_time(extent.height());
    std::vector<float> numbers;
    for (int left = 0; left < extent.right; left += columns) {
        Rect window{left, 0, std::min(left + columns, extent.right), extent.bottom};
        Field cells = read_window(source, "height", window);
        numbers.resize(size_t(window.cells()));
        Field::Rows rows = cells.rows();
        for (int y = 0; y < window.bottom; y++)
            marked(mark)(rows[y], window.width(), &numbers[size_t(y) * size_t(window.width())]);
        CPLErr status = band.RasterIO(GF_Write, left, 0, window.width(), window.height(), numbers.data(),
                                      window.width(), window.height(), GDT_Float32, 0, 0, nullptr);
        if (status == CE_None) status = band.FlushCache(false);
        if (status != CE_None || errors.failed()) fail(errors);
        if (context.progress) context.progress->advance(window.cells());
    }
    close(std::move(dataset), errors);
}

// Terragen has 16-bit steps between the lowest and the highest height, and its driver wants both beforehand.
void write_terragen(TerrainSource& source, const SeenCells& heights, const std::string& path,
                    const FileContext& context, const ErrorCollector& errors) {
    Terrain shape = source.shape();
    tell_place_lost(shape, ".ter", context);
    const Rect& rect = shape.rect();
    double low = heights.low;
    double high = heights.high > low ? double(heights.high) : low + 1;
    CPLStringList options;
    options.SetNameValue("MINUSERPIXELVALUE", number_text(low).c_str());
    options.SetNameValue("MAXUSERPIXELVALUE", number_text(high).c_str());
    Dataset dataset(raster_driver("Terragen")
                        .Create(path.c_str(), rect.width(), rect.height(), 1, GDT_Float32, options.List()));
    if (!dataset) fail(errors);
    double cell = shape.grid().cell;
    double transform[6] = {0, cell, 0, 0, 0, -cell};
    OGRSpatialReference metres;
    metres.SetLocalCS("Terragen");
    metres.SetLinearUnits(SRS_UL_METER, 1);
    dataset->SetSpatialRef(&metres);
    dataset->SetGeoTransform(transform);
    each_window(source, "height", context, [&](const Field& window) {
        Field::Rows rows = window.rows();
        for (int y = window.rect().top; y < window.rect().bottom; y++)
            if (dataset->GetRasterBand(1)->RasterIO(GF_Write, 0, y, rect.width(), 1,
                                                    const_cast<float*>(rows[y]), rect.width(), 1, GDT_Float32,
                                                    0, 0, nullptr) != CE_None)
                fail(errors);
    });
    close(std::move(dataset), errors);
    // Its driver does not look whether what it writes arrives.
    std::error_code unknown;
    if (std::filesystem::file_size(path, unknown) < uint64_t(rect.cells()) * sizeof(int16_t))
        throw Error("not all of it could be written");
    tell_rounded((high - low) / 65535, context);
}

}  // namespace

void check_heights_fit(const Terrain& shape, const std::string& path, const TerrainFormat& format) {
    std::array<double, 6> transform = transform_of(shape);
    check_upright(transform, format);
    check_size(shape.rect(), format);
    if (format.is_tile) check_tile(shape, path, transform);
}

void write_heights(TerrainSource& source, const std::string& path, const TerrainFormat& format,
                   const FileContext& context) {
    ErrorCollector errors;
    Terrain shape = source.shape();
    check_heights_fit(shape, path, format);
    std::vector<std::string> names = {"height"};
    if (format.every_field) names = source.names();
    // Once for each field to see what is in it, once to write them all.
    if (context.progress) context.progress->expect(shape.rect().cells() * int64_t(names.size() + 1));
    std::vector<FieldSurvey> surveys;
    std::vector<float> marks;
    for (const std::string& name : names) {
        surveys.push_back(survey(source, name, format, context));
        marks.push_back(mark_for(format, surveys.back()));
    }
    if (format.writer == TerrainFormat::Writer::terragen)
        return write_terragen(source, surveys[0].seen, path, context, errors);
    if (format.writer == TerrainFormat::Writer::columns)
        return write_columns(source, format, path, marks[0], context, errors);
    if (!format.keeps_system && shape.georeference() && context.tell)
        context.tell(
            fmt::format("a {} does not keep the coordinate system; write a .tif to keep it", format.ending));
    double error = 0;
    auto copy = [&](const Terrain& placed) {
        ErrorCollector failures;
        SourceRaster raster(source, context, int64_t(names.size()));
        place(raster, placed);
        if (placed.georeference() && placed.georeference()->at_points)
            raster.SetMetadataItem(GDALMD_AREA_OR_POINT, GDALMD_AOP_POINT);
        for (size_t i = 0; i < names.size(); i++) {
            bool whole = format.cells == TerrainFormat::Cells::whole_metres;
            GDALRasterBand& band = raster.add_band(names[i], whole ? GDT_Int16 : GDT_Float32,
                                                   whole ? rounded(marks[i], error) : marked(marks[i]));
            if (format.every_field) band.SetDescription(names[i].c_str());
            if (surveys[i].seen.missing > 0 || format.missing == Missing::one_number)
                band.SetNoDataValue(double(marks[i]));
        }
        CPLStringList options(CSLTokenizeString(format.driver_options));
        copy_as(format.driver, raster, path, options, context, failures);
    };
    try {
        copy(shape);
    } catch (const Error& failure) {
        if (!is_about_system(failure)) throw;
        copy(without_system(shape));
    }
    tell_rounded(error, context);
}

}  // namespace caprock::gdal

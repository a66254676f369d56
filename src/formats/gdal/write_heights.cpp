#include "formats/gdal/write_heights.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/gdal/notes.h"
#include "formats/gdal/output.h"
#include "formats/gdal/place.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <ogr_spatialref.h>

namespace caprock::gdal {

namespace {

// How a format marks missing cells: with any number, with the one it always has, or not at all.
enum class Marks { any, fixed, none };

struct HeightFormat {
    const char* ending;
    const char* driver;
    GDALDataType type;
    Marks marks;
    double mark;         // the usual one, or the fixed one
    const char* option;  // of the driver, NAME=VALUE; null where none is needed
    bool every_field = false;
};

constexpr HeightFormat formats[] = {
    // Nine digits tell every float from its neighbours.
    {".asc", "AAIGrid", GDT_Float32, Marks::any, -9999, "SIGNIFICANT_DIGITS=9"},
    {".xyz", "XYZ", GDT_Float32, Marks::none, 0, "SIGNIFICANT_DIGITS=17"},
    {".bt", "BT", GDT_Float32, Marks::fixed, -32768, nullptr},
    {".img", "HFA", GDT_Float32, Marks::any, -9999, nullptr, true},
    {".bil", "EHdr", GDT_Float32, Marks::any, -9999, nullptr},
    {".flt", "EHdr", GDT_Float32, Marks::any, -9999, nullptr},
    // Not the classic format: what is cut off there reads as zeros.
    {".nc", "netCDF", GDT_Float32, Marks::any, -9999, "FORMAT=NC4"},
    {".hgt", "SRTMHGT", GDT_Int16, Marks::fixed, -32768, nullptr},
    {".ter", "Terragen", GDT_Float32, Marks::none, 0, nullptr},
};

const HeightFormat& format_of(const std::string& ending) {
    for (const HeightFormat& format : formats)
        if (ending == format.ending) return format;
    throw Error(fmt::format("'{}' is no format of heights", ending));
}

// ---- what a format cannot do -----------------------------------------------------------------------------

bool has_cell(const Field& field, float value) {
    const Rect& rect = field.rect();
    Field::Rows rows = field.rows();
    for (int y = rect.top; y < rect.bottom; y++)
        if (std::find(rows[y], rows[y] + rect.width(), value) != rows[y] + rect.width()) return true;
    return false;
}

// The number that stands for missing cells: no cell may be it.
float mark_for(const HeightFormat& format, const Field& field, int64_t holes) {
    if (format.marks == Marks::none) {
        if (holes > 0)
            throw Error(
                fmt::format("{} {} missing and a {} has no mark for that; fill them with 'then fill-holes', "
                            "or write a .tif",
                            holes, holes > 1 ? "cells are" : "cell is", format.ending));
        return 0;
    }
    float mark = float(format.mark);
    for (float other : {-32768.0f, -99999.0f, -1e30f, std::numeric_limits<float>::lowest()}) {
        if (!has_cell(field, mark)) return mark;
        if (format.marks == Marks::fixed) break;
        mark = other;
    }
    throw Error(fmt::format("it has cells of the height {}, which marks missing cells in a {}; write a .tif",
                            number_text(mark), format.ending));
}

void check_upright(const std::array<double, 6>& t, const HeightFormat& format) {
    if (t[2] != 0 || t[4] != 0)
        throw Error(fmt::format("its rows do not run from west to east, which a {} cannot say; write a .tif",
                                format.ending));
}

// N47E011: the degrees of the south-western cell.
std::string tile_name(const Terrain& terrain, const std::array<double, 6>& t) {
    const Rect& rect = terrain.rect();
    double west = t[0] + t[1] / 2;
    double south = t[3] + (rect.height() - 0.5) * t[5];
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

// Cells as the format holds them, in memory, with the mark for missing cells. Returns the largest error.
double fill(GDALRasterBand& band, const Field& field, const HeightFormat& format, float mark,
            const FileContext& context, const ErrorCollector& errors) {
    const Rect& rect = field.rect();
    Field::Rows rows = field.rows();
    std::vector<float> line(static_cast<size_t>(rect.width()));
    double error = 0;
    for (int y = rect.top; y < rect.bottom; y++) {
        for (int i = 0; i < rect.width(); i++) {
            float value = rows[y][i];
            if (format.type == GDT_Int16 && !is_missing(value)) {
                float whole = std::clamp(std::round(value), -32767.0f, 32767.0f);
                error = std::max(error, std::abs(double(value) - double(whole)));
                value = whole;
            }
            line[size_t(i)] = is_missing(value) ? mark : value;
        }
        if (band.RasterIO(GF_Write, 0, y - rect.top, rect.width(), 1, line.data(), rect.width(), 1,
                          GDT_Float32, 0, 0, nullptr) != CE_None)
            fail(errors);
        if (context.progress) context.progress->advance(rect.width());
    }
    return error;
}

void tell_rounded(double error, const FileContext& context) {
    if (context.tell && error > 0) context.tell(fmt::format("heights were rounded by up to {:.3g} m", error));
}

// Terragen has 16-bit steps between the lowest and the highest height, and its driver wants both beforehand.
void write_terragen(const Terrain& terrain, const std::string& path, const FileContext& context,
                    const ErrorCollector& errors) {
    const Rect& rect = terrain.rect();
    FieldStatistics heights = statistics(terrain.height());
    double low = heights.low;
    double high = heights.high > low ? double(heights.high) : low + 1;
    CPLStringList options;
    options.SetNameValue("MINUSERPIXELVALUE", number_text(low).c_str());
    options.SetNameValue("MAXUSERPIXELVALUE", number_text(high).c_str());
    Dataset dataset(raster_driver("Terragen")
                        .Create(path.c_str(), rect.width(), rect.height(), 1, GDT_Float32, options.List()));
    if (!dataset) fail(errors);
    double cell = terrain.grid().cell;
    double transform[6] = {0, cell, 0, 0, 0, -cell};
    OGRSpatialReference metres;
    metres.SetLocalCS("Terragen");
    metres.SetLinearUnits(SRS_UL_METER, 1);
    dataset->SetSpatialRef(&metres);
    dataset->SetGeoTransform(transform);
    Field::Rows rows = terrain.height().rows();
    for (int y = rect.top; y < rect.bottom; y++) {
        if (dataset->GetRasterBand(1)->RasterIO(GF_Write, 0, y - rect.top, rect.width(), 1,
                                                const_cast<float*>(rows[y]), rect.width(), 1, GDT_Float32, 0,
                                                0, nullptr) != CE_None)
            fail(errors);
        if (context.progress) context.progress->advance(rect.width());
    }
    close(std::move(dataset), errors);
    tell_rounded((high - low) / 65535, context);
}

}  // namespace

void check_heights_fit(const Terrain& shape, const std::string& path, const std::string& ending) {
    std::array<double, 6> transform = transform_of(shape);
    check_upright(transform, format_of(ending));
    if (ending == ".hgt") check_tile(shape, path, transform);
}

void write_heights(const Terrain& terrain, const std::string& path, const std::string& ending,
                   const FileContext& context) {
    ErrorCollector errors;
    const HeightFormat& format = format_of(ending);
    const Rect& rect = terrain.rect();
    const Field& height = terrain.height();
    std::array<double, 6> transform = transform_of(terrain);
    check_heights_fit(terrain, path, ending);
    if (format.marks == Marks::none) mark_for(format, height, statistics(height).missing);
    if (ending == ".xyz" && terrain.georeference() && context.tell)
        context.tell("a .xyz does not keep the coordinate system; write a .tif to keep it");
    if (ending == ".ter") {
        tell_place_lost(terrain, ending, context);
        if (context.progress) context.progress->expect(rect.cells());
        write_terragen(terrain, path, context, errors);
        return;
    }
    std::vector<std::string> names = {"height"};
    if (format.every_field) names = terrain.names();
    // Once for each field to put the marks in, once to write them all.
    if (context.progress) context.progress->expect(rect.cells() * int64_t(names.size() + 1));
    MemoryReservation reservation(uint64_t(rect.cells()) * sizeof(float) * names.size(),
                                  "the fields to write");
    Dataset memory(raster_driver("MEM").Create("", rect.width(), rect.height(), int(names.size()),
                                               format.type, nullptr));
    if (!memory) fail(errors);
    if (pixel_width(transform) > 0) memory->SetGeoTransform(transform.data());
    if (const Georeference* georeference = terrain.georeference()) {
        if (!georeference->projection.empty()) memory->SetProjection(georeference->projection.c_str());
        if (georeference->at_points) memory->SetMetadataItem(GDALMD_AREA_OR_POINT, GDALMD_AOP_POINT);
    }
    for (size_t i = 0; i < names.size(); i++) {
        GDALRasterBand& band = *memory->GetRasterBand(int(i) + 1);
        const Field& field = terrain.field(names[i]);
        int64_t holes = statistics(field).missing;
        float mark = mark_for(format, field, holes);
        if (format.every_field) band.SetDescription(names[i].c_str());
        if (holes > 0 || format.marks == Marks::fixed) band.SetNoDataValue(double(mark));
        tell_rounded(fill(band, field, format, mark, context, errors), context);
    }
    CPLStringList options;
    if (format.option) options.AddString(format.option);
    copy_as(format.driver, *memory, path, options, context, errors);
}

}  // namespace caprock::gdal

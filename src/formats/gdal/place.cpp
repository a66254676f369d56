#include "formats/gdal/place.h"

#include "base/error.h"
#include "base/text.h"
#include "formats/gdal/notes.h"

#include <cmath>
#include <fmt/format.h>
#include <map>
#include <ogr_spatialref.h>

namespace caprock::gdal {

namespace {

// Shares of the cell size by which cells may miss being squares.
constexpr double unseen = 1e-6;  // what was computed from degrees or feet may be off in its last digits
constexpr double tolerated = 0.01;

std::string well_known_text(const OGRSpatialReference& system) {
    char* text = nullptr;
    system.exportToWkt(&text);
    std::string result = text ? text : "";
    CPLFree(text);
    return result;
}

OGRSpatialReference system_of(const Georeference& georeference) {
    OGRSpatialReference system;
    if (!georeference.projection.empty()) system.importFromWkt(georeference.projection.c_str());
    return system;
}

// Cells far below a metre at what could be a longitude and a latitude, and no word on what they are.
bool looks_like_degrees(const Georeference& georeference) {
    const auto& t = georeference.transform;
    bool small = std::abs(t[1]) < 0.05 && std::abs(t[5]) < 0.05 && t[1] != 0;
    bool elsewhere = t[0] != 0 && t[3] != 0;
    return georeference.projection.empty() && small && elsewhere && std::abs(t[0]) <= 360 &&
           std::abs(t[3]) <= 90;
}

}  // namespace

Georeference georeference_of(GDALDataset& dataset) {
    Georeference georeference;
    if (dataset.GetGeoTransform(georeference.transform.data()) != CE_None) georeference.transform = {};
    if (const char* projection = dataset.GetProjectionRef()) georeference.projection = projection;
    // A system of no place at all, such as Terragen's, says no more than the unit does.
    if (system_of(georeference).IsLocal()) {
        double metres = system_of(georeference).GetLinearUnits();
        const auto& t = georeference.transform;
        double cell = pixel_width(t) * metres;
        georeference.projection.clear();
        bool north_up = t[2] == 0 && t[4] == 0 && t[5] < 0;
        double left = north_up ? t[0] * metres : 0;
        double top = north_up ? t[3] * metres : 0;
        georeference.transform = {left, cell, 0, top, 0, -std::hypot(t[2], t[5]) * metres};
    }
    const char* meaning = dataset.GetMetadataItem(GDALMD_AREA_OR_POINT);
    georeference.at_points = meaning && EQUAL(meaning, GDALMD_AOP_POINT);
    return georeference;
}

bool on_earth(const Georeference& georeference, Size size) {
    if (!georeference.projection.empty()) return true;
    const auto& t = georeference.transform;
    // Formats that keep another corner give this one back as a difference.
    double little = 1e-9 * (std::abs(t[1]) * size.width + std::abs(t[5]) * size.height);
    auto nothing = [&](double value) { return std::abs(value) <= little; };
    return !(nothing(t[0]) && nothing(t[2]) && nothing(t[3]) && nothing(t[4]) && nothing(t[5] + t[1]));
}

bool CellShape::square() const {
    return std::abs(width - height) <= tolerated * width && std::abs(slant) <= tolerated;
}

CellShape cell_shape(const Georeference& georeference) {
    const auto& t = georeference.transform;
    CellShape shape{pixel_width(t), std::hypot(t[2], t[5]), 0, false};
    if (!shape.known() || !(shape.height > 0)) return {};
    shape.slant = (t[1] * t[2] + t[4] * t[5]) / (shape.width * shape.height);
    OGRSpatialReference system = system_of(georeference);
    shape.degrees = system.IsGeographic() || looks_like_degrees(georeference);
    if (!shape.degrees && !georeference.projection.empty()) {
        double metres = system.GetLinearUnits();
        shape.width *= metres;
        shape.height *= metres;
    }
    return shape;
}

double cell_size(const CellShape& shape, const ReadOptions& options, const std::string& path,
                 std::optional<double> noted, const FileContext& context) {
    if (options.cell) return *options.cell;
    if (noted) return *noted;
    if (!shape.known()) return 1;
    auto refuse = [&](const std::string& reason) {
        throw Error(
            fmt::format("cannot read '{}': {}; --to-metres resamples it to squares, --cell METRES takes "
                        "them as squares of that size",
                        path, reason));
    };
    std::string sides = fmt::format("{:.6g} x {:.6g}", shape.width, shape.height);
    if (shape.degrees) refuse(fmt::format("its cells are measured in degrees ({})", sides));
    if (std::abs(shape.slant) > tolerated) refuse(fmt::format("its cells of {} m are aslant", sides));
    if (!shape.square()) refuse(fmt::format("its cells are no squares ({} m)", sides));
    if (std::abs(shape.width - shape.height) > unseen * shape.width && context.tell)
        context.tell(fmt::format("'{}' has cells of {} x {} m; they are taken as squares of {} m", path,
                                 number_text(shape.width), number_text(shape.height),
                                 number_text(shape.width)));
    return shape.width;
}

bool is_south_up(const Georeference& georeference) {
    const auto& t = georeference.transform;
    return t[2] == 0 && t[4] == 0 && t[1] > 0 && t[5] > 0;
}

void turn_north_up(Georeference& georeference, int rows) {
    auto& t = georeference.transform;
    t[3] += rows * t[5];
    t[5] = -t[5];
}

std::optional<double> metres_of(const std::string& unit) {
    constexpr double foot = 0.3048;
    constexpr double survey_foot = 1200.0 / 3937;
    static const std::map<std::string, double> metres = {
        {"", 1},
        {"unspecified", 1},  // Idrisi's word for none
        {"unknown", 1},
        {"m", 1},
        {"metre", 1},
        {"metres", 1},
        {"meter", 1},
        {"meters", 1},
        {"ft", foot},
        {"foot", foot},
        {"feet", foot},
        {"international foot", foot},
        {"international feet", foot},
        {"us-ft", survey_foot},
        {"ftus", survey_foot},
        {"sft", survey_foot},
        {"us survey foot", survey_foot},
        {"us survey feet", survey_foot},
        {"foot_us", survey_foot},
        {"mm", 0.001},
        {"millimetre", 0.001},
        {"cm", 0.01},
        {"centimetre", 0.01},
        {"centimeter", 0.01},
        {"dm", 0.1},
        {"decimetre", 0.1},
        {"decimeter", 0.1},
        {"km", 1000},
        {"kilometre", 1000},
        {"kilometer", 1000},
        {"yd", 0.9144},
        {"yard", 0.9144},
        {"fathom", 1.8288},
    };
    std::string lower = CPLString(unit).tolower();
    auto found = metres.find(lower);
    return found == metres.end() ? std::nullopt : std::optional(found->second);
}

std::string vertical_unit(GDALRasterBand& band, const Georeference& georeference) {
    std::string unit = band.GetUnitType();
    OGRSpatialReference system = system_of(georeference);
    if (!unit.empty() || !system.IsCompound()) return unit;
    const char* name = nullptr;
    double metres = system.GetTargetLinearUnits("COMPD_CS|VERT_CS", &name);
    return metres == 1 || !name ? "" : name;
}

void set_metres(Georeference& georeference) {
    georeference.vertical_unit = "m";
    OGRSpatialReference system = system_of(georeference);
    if (!system.IsCompound()) return;
    system.StripVertical();
    georeference.projection = well_known_text(system);
}

}  // namespace caprock::gdal

#include "formats/gdal/place.h"

#include "base/error.h"
#include "base/text.h"
#include "formats/gdal/notes.h"
#include "formats/gdal/system.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numbers>
#include <ogr_spatialref.h>
#include <utility>
#include <vector>

namespace caprock::gdal {

namespace {

// Shares of the cell size by which cells may miss being squares.
constexpr double unseen = 1e-6;  // what was computed from degrees or feet may be off in its last digits
constexpr double tolerated = 0.01;

// Cells far below a metre at what could be a longitude and a latitude, and no word on what they are.
bool looks_like_degrees(const Georeference& georeference) {
    const auto& t = georeference.transform;
    bool small = std::abs(t[1]) < 0.05 && std::abs(t[5]) < 0.05 && t[1] != 0;
    bool elsewhere = t[0] != 0 && t[3] != 0;
    return georeference.projection.empty() && small && elsewhere && std::abs(t[0]) <= 360 &&
           std::abs(t[3]) <= 90;
}

bool is_nameless(const OGRSpatialReference& system) {
    const char* name = system.GetName();
    if (!name) return true;
    for (const char* none : {"", "unknown", "unnamed", "Terragen world space", "Terragen"})
        if (EQUAL(name, none)) return true;
    return false;
}

// Control points that lie on a grid without a bend in it are as good as a transform.
void take_control_points(GDALDataset& dataset, Georeference& georeference) {
    if (pixel_width(georeference.transform) > 0 || dataset.GetGCPCount() < 3) return;
    const GDAL_GCP* points = dataset.GetGCPs();
    std::array<double, 6> t{};
    if (!GDALGCPsToGeoTransform(dataset.GetGCPCount(), points, t.data(), FALSE)) return;
    constexpr double near = 0.001;  // of a cell
    for (int i = 0; i < dataset.GetGCPCount(); i++) {
        double x = t[0] + points[i].dfGCPPixel * t[1] + points[i].dfGCPLine * t[2];
        double y = t[3] + points[i].dfGCPPixel * t[4] + points[i].dfGCPLine * t[5];
        if (!(std::hypot(x - points[i].dfGCPX, y - points[i].dfGCPY) <= near * pixel_width(t))) return;
    }
    georeference.transform = t;
    if (const OGRSpatialReference* system = dataset.GetGCPSpatialRef())
        georeference.projection = system_text(*system);
}

// A step in the coordinate system as a step to the east and to the north.
struct Step {
    double east = 0;
    double north = 0;
};

// Where the axes of a system go: most to the east and to the north, some to the west or the south.
std::array<Step, 2> axes_of(const OGRSpatialReference& system) {
    std::array<Step, 2> usual = {Step{1, 0}, Step{0, 1}};
    std::array<Step, 2> axes;
    if (system.IsEmpty() || system.GetAxesCount() < 2) return usual;
    const std::vector<int>& order = system.GetDataAxisToSRSAxisMapping();
    for (size_t i = 0; i < 2; i++) {
        int axis = i < order.size() ? order[i] : int(i) + 1;
        OGRAxisOrientation way = OAO_Other;
        system.GetAxis(nullptr, std::abs(axis) - 1, &way);
        axes[i] = {way == OAO_East   ? 1.0
                   : way == OAO_West ? -1.0
                                     : 0.0,
                   way == OAO_North   ? 1.0
                   : way == OAO_South ? -1.0
                                      : 0.0};
    }
    // About a pole both go south, each along its own meridian.
    bool across = axes[0].east * axes[1].north - axes[0].north * axes[1].east != 0;
    return across ? axes : usual;
}

// What the next column and the next row are.
std::array<Step, 2> steps_of(const Georeference& georeference) {
    const auto& t = georeference.transform;
    auto [x, y] = axes_of(system_of(georeference));
    return {Step{t[1] * x.east + t[4] * y.east, t[1] * x.north + t[4] * y.north},
            Step{t[2] * x.east + t[5] * y.east, t[2] * x.north + t[5] * y.north}};
}

}  // namespace

Georeference georeference_of(GDALDataset& dataset) {
    Georeference georeference;
    auto& t = georeference.transform;
    if (dataset.GetGeoTransform(t.data()) != CE_None) t = {};
    const OGRSpatialReference* system = dataset.GetSpatialRef();
    // A system of no place and without a name says no more than the unit does.
    if (system && system->IsLocal() && is_nameless(*system)) {
        double metres = system->GetLinearUnits();
        for (double& number : t) number *= metres;
        // Rows of a Terragen file begin in the north, whatever its transform says.
        if (EQUAL(dataset.GetDriverName(), "Terragen")) t[5] = -std::abs(t[5]);
        system = nullptr;
    }
    if (system) georeference.projection = system_text(*system);
    take_control_points(dataset, georeference);
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
    return std::abs(width - height) <= tolerated * width && std::abs(slant) <= tolerated &&
           turned <= tolerated;
}

CellShape cell_shape(const Georeference& georeference) {
    const auto& t = georeference.transform;
    CellShape shape{pixel_width(t), std::hypot(t[2], t[5]), 0, false};
    if (!shape.known() || !(shape.height > 0)) return {};
    shape.slant = (t[1] * t[2] + t[4] * t[5]) / (shape.width * shape.height);
    auto [column, row] = steps_of(georeference);
    shape.turned = std::max(std::abs(column.north) / shape.width, std::abs(row.east) / shape.height);
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
    auto tell = [&](const std::string& message) {
        if (context.tell) context.tell(message);
    };
    double degrees = std::asin(std::min(1.0, shape.turned)) * 180 / std::numbers::pi;
    std::string turned = fmt::format("its rows run {:.3g} degrees off from west to east", degrees);
    bool seen = shape.turned > unseen;
    if (options.cell || noted) {
        if (shape.known() && seen)
            tell(fmt::format("'{}': {}; they are taken as they are, so north is not up", path, turned));
        return options.cell ? *options.cell : *noted;
    }
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
    if (shape.turned > tolerated) refuse(turned);
    if (!shape.square()) refuse(fmt::format("its cells are no squares ({} m)", sides));
    if (seen) tell(fmt::format("'{}': {}; they are taken as if they did not", path, turned));
    if (std::abs(shape.width - shape.height) > unseen * shape.width)
        tell(fmt::format("'{}' has cells of {} x {} m; they are taken as squares of {} m", path,
                         number_text(shape.width), number_text(shape.height), number_text(shape.width)));
    return shape.width;
}

Orientation orientation_of(const Georeference& georeference, Size raster) {
    Orientation orientation{raster};
    if (!cell_shape(georeference).known()) return orientation;
    auto [column, row] = steps_of(georeference);
    // The nearest quarter turn; what is left of a turn is somebody else's concern.
    orientation.swapped =
        column.north * column.north + row.east * row.east > column.east * column.east + row.north * row.north;
    if (orientation.swapped) std::swap(column, row);
    orientation.from_east = column.east < 0;
    orientation.from_south = row.north > 0;
    return orientation;
}

void turn_upright(Georeference& georeference, const Orientation& orientation) {
    auto& t = georeference.transform;
    if (orientation.swapped) {
        std::swap(t[1], t[2]);
        std::swap(t[4], t[5]);
    }
    auto [width, height] = orientation.terrain();
    if (orientation.from_east) {
        t[0] += width * t[1];
        t[3] += width * t[4];
        t[1] = -t[1];
        t[4] = -t[4];
    }
    if (orientation.from_south) {
        t[0] += height * t[2];
        t[3] += height * t[5];
        t[2] = -t[2];
        t[5] = -t[5];
    }
    // No zeros below zero.
    for (double& number : t) number += 0.0;
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
    double metres = metres_up(system);
    if (!unit.empty() || metres == 1) return unit;
    const char* name = nullptr;
    if (system.IsCompound()) system.GetTargetLinearUnits("COMPD_CS|VERT_CS", &name);
    if (name) return name;
    for (const char* known : {"foot", "US survey foot", "kilometre", "yard", "fathom"})
        if (std::abs(*metres_of(known) - metres) < 1e-9 * metres) return known;
    return fmt::format("{} m", number_text(metres));
}

void set_metres(Georeference& georeference) {
    georeference.vertical_unit = "m";
    if (!georeference.projection.empty())
        georeference.projection = system_text(in_metres_up(system_of(georeference)));
}

}  // namespace caprock::gdal

#include "formats/gdal/write_lines.h"

#include "base/error.h"
#include "base/text.h"
#include "base/text_file.h"
#include "formats/gdal/output.h"
#include "formats/gdal/read_lines.h"
#include "formats/gdal/session.h"
#include "formats/gdal/system.h"

#include <algorithm>
#include <cpl_string.h>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <ogrsf_frmts.h>
#include <optional>
#include <set>

namespace caprock::gdal {

namespace {

// Without the date, the same lines give the same file.
class NoDate {
  public:
    NoDate() { CPLSetThreadLocalConfigOption("OGR_CURRENT_DATE", "2000-01-01T00:00:00.000Z"); }
    ~NoDate() { CPLSetThreadLocalConfigOption("OGR_CURRENT_DATE", nullptr); }
    NoDate(const NoDate&) = delete;
    NoDate& operator=(const NoDate&) = delete;
};

// ---- attributes ----

enum class Kind { whole, number, text };

Kind kind_of(const LineAttribute& value) {
    if (std::holds_alternative<int64_t>(value)) return Kind::whole;
    return std::holds_alternative<double>(value) ? Kind::number : Kind::text;
}

// Of all lines: a whole number among numbers is a number, and anything beside a text is a text.
std::map<std::string, Kind> kinds_in(const LineSet& lines) {
    std::map<std::string, Kind> kinds;
    for (const Line& line : lines.lines())
        for (const auto& [name, value] : line.attributes) {
            const Kind kind = kind_of(value);
            auto [place, is_new] = kinds.emplace(name, kind);
            if (!is_new) place->second = std::max(place->second, kind);
        }
    return kinds;
}

std::string text_of(const LineAttribute& value) {
    if (const auto* whole = std::get_if<int64_t>(&value)) return std::to_string(*whole);
    if (const auto* number = std::get_if<double>(&value)) return number_text(*number);
    return std::get<std::string>(value);
}

void put(OGRFeature& feature, int index, Kind kind, const LineAttribute& value) {
    if (kind == Kind::text) return feature.SetField(index, text_of(value).c_str());
    if (kind == Kind::whole) return feature.SetField(index, GIntBig(std::get<int64_t>(value)));
    const auto* whole = std::get_if<int64_t>(&value);
    feature.SetField(index, whole ? double(*whole) : std::get<double>(value));
}

// A name for a column that no attribute has; formats do not tell great letters from small ones.
std::string free_name(const std::map<std::string, Kind>& kinds, std::string name) {
    auto taken = [&] {
        return std::ranges::any_of(kinds, [&](const auto& entry) { return lower(entry.first) == name; });
    };
    while (taken()) name += "_";
    return name;
}

// ---- geometry ----

bool all_high(const Line& line) {
    return std::ranges::all_of(line.points, [](const LinePoint& point) { return point.has_height(); });
}

std::unique_ptr<OGRGeometry> geometry_of(const Line& line, bool high) {
    if (line.points.size() == 1 && !line.closed) {
        const LinePoint& point = line.points.front();
        return high ? std::make_unique<OGRPoint>(point.x, point.y, point.z)
                    : std::make_unique<OGRPoint>(point.x, point.y);
    }
    auto curve = std::make_unique<OGRLineString>();
    auto add = [&](const LinePoint& point) {
        if (high) {
            curve->addPoint(point.x, point.y, point.z);
        } else {
            curve->addPoint(point.x, point.y);
        }
    };
    for (const LinePoint& point : line.points) add(point);
    if (line.closed) add(line.points.front());
    return curve;
}

bool is_point(const Line& line) { return line.points.size() == 1 && !line.closed; }

OGRwkbGeometryType type_for(const LineSet& lines, bool high) {
    const bool points = std::ranges::any_of(lines.lines(), is_point);
    const bool curves = !std::ranges::all_of(lines.lines(), is_point);
    if (points && curves) return high ? wkbUnknown : OGR_GT_SetModifier(wkbUnknown, FALSE, FALSE);
    return OGR_GT_SetModifier(points ? wkbPoint : wkbLineString, high, FALSE);
}

class SetWriter {
  public:
    SetWriter(GDALDataset& file, const LineFormat& format, const FileContext& context,
              const ErrorCollector& errors)
        : file_(file), format_(format), context_(context), errors_(errors) {}

    void write(const std::string& name, const LineFile& set) {
        const LineSet& lines = set.lines;
        kinds_ = kinds_in(lines);
        check(lines);
        // Where the format has one kind of points for all lines, heights are kept when all are known.
        const bool some_high = lines.has_heights();
        const bool every_high = std::ranges::all_of(lines.lines(), all_high);
        const bool high = format_.any_height || format_.points_beside_lines ? some_high : every_high;
        OGRLayer& layer = make_layer(name, set.projection, type_for(lines, high));
        const std::map<std::string, int> columns = make_columns(layer);
        bool lost = some_high && !high;
        for (const Line& line : lines.lines()) {
            const bool known =
                std::ranges::any_of(line.points, [](const LinePoint& point) { return point.has_height(); });
            const bool keeps = high && known && (format_.any_height || all_high(line));
            lost |= known && !keeps;
            const OGRFeatureUniquePtr feature(OGRFeature::CreateFeature(layer.GetLayerDefn()));
            for (const auto& [attribute, value] : line.attributes)
                put(*feature, columns.at(attribute), kinds_.at(attribute), value);
            feature->SetGeometryDirectly(geometry_of(line, keeps).release());
            if (layer.CreateFeature(feature.get()) != OGRERR_NONE || errors_.failed()) fail(errors_);
            if (context_.progress) context_.progress->check();
        }
        if (lost)
            tell(fmt::format(
                "a {} keeps the heights of {} only where all points have one: others were left out; write a "
                ".gpkg to keep them",
                format_.ending, format_.points_beside_lines ? "a line" : "lines"));
    }

  private:
    void tell(const std::string& message) const {
        if (context_.tell) context_.tell(message);
    }

    void check(const LineSet& lines) const {
        const bool points = std::ranges::any_of(lines.lines(), is_point);
        const bool curves = !std::ranges::all_of(lines.lines(), is_point);
        if (points && curves && !format_.points_beside_lines)
            throw Error(
                fmt::format("a {} holds points or lines, and there are both; write a .gpkg", format_.ending));
        std::set<std::string> small;
        for (const auto& [name, kind] : kinds_)
            if (!small.insert(lower(name)).second && format_.many_sets)
                throw Error(
                    fmt::format("two attributes are called '{}', but for great and small letters", name));
    }

    OGRLayer& make_layer(const std::string& name, const std::string& projection, OGRwkbGeometryType type) {
        Georeference place;
        place.projection = projection;
        OGRSpatialReference system = system_of(place);
        CPLStringList options;
        const std::string driver = format_.driver;
        if (driver == "GPKG") {
            options.SetNameValue("FID", free_name(kinds_, "fid").c_str());
            options.SetNameValue("GEOMETRY_NAME", free_name(kinds_, "geom").c_str());
        } else if (driver == "GeoJSON") {
            // Seventeen digits tell every double from its neighbours.
            options.SetNameValue("SIGNIFICANT_FIGURES", "17");
            options.SetNameValue("WRITE_NAME", "NO");
        } else {
            options.SetNameValue("ENCODING", "UTF-8");
        }
        OGRLayer* layer =
            file_.CreateLayer(name.c_str(), system.IsEmpty() ? nullptr : &system, type, options.List());
        if (!layer) fail(errors_);
        return *layer;
    }

    // The number of each attribute's column. Those that a format calls something else are told.
    std::map<std::string, int> make_columns(OGRLayer& layer) const {
        std::map<std::string, int> columns;
        std::vector<std::string> shortened;
        for (const auto& [name, kind] : kinds_) {
            OGRFieldDefn field(name.c_str(), kind == Kind::text    ? OFTString
                                             : kind == Kind::whole ? OFTInteger64
                                                                   : OFTReal);
            if (format_.longest_name > 0 && kind == Kind::text) field.SetWidth(254);
            const int before = layer.GetLayerDefn()->GetFieldCount();
            if (layer.CreateField(&field) != OGRERR_NONE) fail(errors_);
            const std::string called = layer.GetLayerDefn()->GetFieldDefn(before)->GetNameRef();
            if (called != name) shortened.push_back(fmt::format("{} is {}", name, called));
            columns[name] = before;
        }
        if (!shortened.empty())
            tell(fmt::format("names of attributes in a {} have {} letters: {}; write a .gpkg to keep them",
                             format_.ending, format_.longest_name, listed(shortened)));
        return columns;
    }

    GDALDataset& file_;
    const LineFormat& format_;
    const FileContext& context_;
    const ErrorCollector& errors_;
    std::map<std::string, Kind> kinds_;
};

// GeoJSON names systems by their EPSG number; what has none is written as that format has it, in longitude and latitude.
LineFile as_format_takes_it(const LineFile& set, const LineFormat& format, const FileContext& context) {
    if (!format.always_on_earth || set.projection.empty()) return set;
    Georeference place;
    place.projection = set.projection;
    const OGRSpatialReference system = system_of(place);
    const char* authority = system.GetAuthorityName(nullptr);
    if (authority && std::string(authority) == "EPSG") return set;
    OGRSpatialReference earth;
    earth.importFromEPSG(4326);
    earth.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    const std::string text = system_text(earth);
    if (context.tell)
        context.tell(fmt::format(
            "a {} names coordinate systems by their EPSG number, and this one has none: the lines "
            "are in longitude and latitude; write a .gpkg to keep their coordinates",
            format.ending));
    return {transformed(set.lines, set.projection, text), text};
}

// A GeoJSON that names no system is in longitude and latitude, unless it says that it has none. GDAL has no word for that.
void say_that_it_has_no_system(const std::string& path) {
    std::string text = text_of_file(path);
    const std::string first = "\"type\": \"FeatureCollection\",";
    const size_t place = text.find(first);
    if (place == std::string::npos) throw Error("GDAL has written no list of features");
    text.insert(place + first.size(), "\n\"crs\": null,");
    write_whole_text(text, path);
}

// What the file keeps of attributes, against what was given: tables of a Shapefile have so many letters and digits.
void tell_shortened(const std::string& path, const LineFile& set, const FileContext& context) {
    if (!context.tell || !set.lines.has_attributes()) return;
    const LineFile kept = read_lines(path, "");
    std::set<std::string> shortened;
    for (size_t i = 0; i < set.lines.size() && i < kept.lines.size(); i++) {
        // Names may be others, but not their order.
        const auto& was = set.lines.lines()[i].attributes;
        const auto& is = kept.lines.lines()[i].attributes;
        auto has = [&](const LineAttribute& value) {
            return std::ranges::any_of(is, [&](const auto& entry) {
                return entry.second == value || text_of(entry.second) == text_of(value);
            });
        };
        for (const auto& [name, value] : was)
            if (!has(value)) shortened.insert(name);
    }
    if (shortened.empty()) return;
    const std::vector<std::string> names(shortened.begin(), shortened.end());
    context.tell(fmt::format(
        "a .shp keeps texts of 254 letters and numbers of a few digits: values of {} are shortened; write a "
        ".gpkg to keep them",
        listed(names)));
}

}  // namespace

void write_lines(const std::vector<std::pair<std::string, LineFile>>& sets, const std::string& path,
                 const LineFormat& format, const FileContext& context) {
    ErrorCollector errors;
    NoDate same_bytes;
    register_drivers();
    Dataset file(raster_driver(format.driver).Create(path.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
    if (!file) fail(errors);
    const bool at_once = file->StartTransaction() == OGRERR_NONE;
    for (const auto& [name, set] : sets) {
        // A file of one layer is called by its name.
        const std::string layer = format.many_sets ? name : std::filesystem::path(path).stem().string();
        SetWriter(*file, format, context, errors).write(layer, as_format_takes_it(set, format, context));
    }
    if (at_once && file->CommitTransaction() != OGRERR_NONE) fail(errors);
    close(std::move(file), errors);
    const bool is_geojson = std::string(format.driver) == "GeoJSON";
    for (const auto& [name, set] : sets) {
        if (is_geojson && set.projection.empty()) say_that_it_has_no_system(path);
        if (format.longest_name > 0) tell_shortened(path, set, context);
    }
}

}  // namespace caprock::gdal

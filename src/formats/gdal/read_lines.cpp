#include "formats/gdal/read_lines.h"

#include "base/error.h"
#include "base/text.h"
#include "formats/format_table.h"
#include "formats/gdal/session.h"
#include "formats/gdal/system.h"

#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <ogrsf_frmts.h>
#include <vector>

namespace caprock::gdal {

namespace {

// Only these: hundreds of other drivers read whatever they are given, some of them from elsewhere.
Dataset open_lines(const std::string& path) {
    register_drivers();
    std::vector<const char*> drivers;
    for (const LineFormat& format : line_formats()) drivers.push_back(format.driver);
    drivers.push_back(nullptr);
    return Dataset(
        GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY, drivers.data(), nullptr, nullptr));
}

LineAttribute attribute_of(const OGRFeature& feature, int index) {
    switch (feature.GetFieldDefnRef(index)->GetType()) {
        case OFTInteger:
        case OFTInteger64:
            return int64_t(feature.GetFieldAsInteger64(index));
        case OFTReal:
            return feature.GetFieldAsDouble(index);
        default:
            return std::string(feature.GetFieldAsString(index));
    }
}

std::map<std::string, LineAttribute> attributes_of(const OGRFeature& feature) {
    std::map<std::string, LineAttribute> attributes;
    for (int i = 0; i < feature.GetFieldCount(); i++)
        if (feature.IsFieldSetAndNotNull(i))
            attributes[feature.GetFieldDefnRef(i)->GetNameRef()] = attribute_of(feature, i);
    return attributes;
}

LinePoint point_at(double x, double y, double z, bool high) {
    return high ? LinePoint(x, y, z) : LinePoint(x, y);
}

class Collector {
  public:
    // A line of each part of the geometry, all with the attributes of what it belongs to.
    void add(const OGRGeometry& geometry, const std::map<std::string, LineAttribute>& attributes) {
        const OGRwkbGeometryType type = wkbFlatten(geometry.getGeometryType());
        const bool high = geometry.Is3D();
        if (geometry.IsEmpty()) return;
        if (type == wkbPoint) {
            const OGRPoint& point = *geometry.toPoint();
            lines_.push_back({{point_at(point.getX(), point.getY(), point.getZ(), high)}, false, attributes});
        } else if (type == wkbLineString || type == wkbLinearRing) {
            add_line(*geometry.toLineString(), high, attributes);
        } else if (type == wkbPolygon || type == wkbTriangle) {
            for (const OGRLinearRing* ring : *geometry.toPolygon()) add_line(*ring, high, attributes);
        } else if (OGR_GT_IsSubClassOf(type, wkbGeometryCollection)) {
            for (const OGRGeometry* part : *geometry.toGeometryCollection()) add(*part, attributes);
        } else if (OGR_GT_IsNonLinear(type)) {
            std::unique_ptr<OGRGeometry> straight(geometry.getLinearGeometry());
            if (straight) add(*straight, attributes);
        }
    }
    LineSet made() { return LineSet(std::move(lines_)); }

  private:
    void add_line(const OGRSimpleCurve& curve, bool high,
                  const std::map<std::string, LineAttribute>& attributes) {
        Line line{{}, false, attributes};
        for (int i = 0; i < curve.getNumPoints(); i++)
            line.points.push_back(point_at(curve.getX(i), curve.getY(i), curve.getZ(i), high));
        // A line that comes back to its first point is closed.
        if (line.points.size() > 3 && line.points.front() == line.points.back()) {
            line.points.pop_back();
            line.closed = true;
        }
        if (!line.points.empty()) lines_.push_back(std::move(line));
    }

    std::vector<Line> lines_;
};

// Of a layer's system. One that lies nowhere on Earth, as GeoPackages have where there is none, is none.
std::string system_of_layer(OGRLayer& layer) {
    const OGRSpatialReference* system = layer.GetSpatialRef();
    if (!system || system->IsEmpty() || system->IsLocal()) return "";
    const std::string name = system->GetName() ? system->GetName() : "";
    if (lower(name).starts_with("undefined")) return "";
    return system_text(*system);
}

// GeoJSON's way to say so: a member "crs" that is null. GDAL takes that for longitude and latitude.
bool says_no_system(GDALDataset& file, const std::string& path) {
    if (std::string(file.GetDriverName()) != "GeoJSON") return false;
    constexpr size_t head = 4096;  // it stands before the features
    std::ifstream stream(path, std::ios::binary);
    std::string text(head, ' ');
    stream.read(text.data(), std::streamsize(head));
    text.resize(size_t(stream.gcount()));
    const size_t member = text.find("\"crs\"");
    if (member == std::string::npos || member > text.find("\"features\"")) return false;
    const size_t colon = text.find_first_not_of(" \t\r\n", member + 5);
    if (colon == std::string::npos || text[colon] != ':') return false;
    const size_t value = text.find_first_not_of(" \t\r\n", colon + 1);
    return value != std::string::npos && text.compare(value, 4, "null") == 0;
}

OGRLayer& layer_of(GDALDataset& file, const std::string& wanted) {
    std::vector<std::string> names;
    for (OGRLayer* layer : file.GetLayers()) {
        names.emplace_back(layer->GetName());
        if (!wanted.empty() && names.back() == wanted) return *layer;
    }
    if (names.empty()) throw Error("there are no lines in it");
    if (wanted.empty() && names.size() == 1) return *file.GetLayer(0);
    if (wanted.empty())
        throw Error(fmt::format("it has the layers {}; say which behind a colon: FILE:{}", listed(names),
                                names.front()));
    throw Error(fmt::format("it has no layer '{}'; it has {}", one_line(wanted), listed(names)));
}

// A Shapefile has a table of numbers where nothing is noted of its lines.
bool notes_nothing(GDALDataset& file, OGRLayer& layer) {
    const OGRFeatureDefn& columns = *layer.GetLayerDefn();
    return std::string(file.GetDriverName()) == "ESRI Shapefile" && columns.GetFieldCount() == 1 &&
           std::string(columns.GetFieldDefn(0)->GetNameRef()) == "FID";
}

LineFile lines_in(GDALDataset& file, const std::string& path, const std::string& wanted,
                  const ErrorCollector& errors) {
    OGRLayer& layer = layer_of(file, wanted);
    Collector collector;
    const bool bare = notes_nothing(file, layer);
    for (const OGRFeatureUniquePtr& feature : layer)
        if (const OGRGeometry* geometry = feature->GetGeometryRef())
            collector.add(*geometry, bare ? decltype(Line::attributes)() : attributes_of(*feature));
    if (errors.failed()) throw Error(errors.message());
    LineFile read{collector.made(), says_no_system(file, path) ? "" : system_of_layer(layer)};
    read.lines.check();
    return read;
}

}  // namespace

std::vector<std::string> line_layers(const std::string& path) {
    ErrorCollector unsaid;
    const Dataset file = open_lines(path);
    if (!file) return {};
    // A GeoPackage may hold cells, and lines besides.
    if (Dataset(GDALDataset::Open(path.c_str(), GDAL_OF_RASTER))) return {};
    std::vector<std::string> names;
    for (OGRLayer* layer : file->GetLayers()) names.emplace_back(layer->GetName());
    return names;
}

LineFile read_lines(const std::string& path, const std::string& layer) {
    ErrorCollector errors;
    try {
        const Dataset file = open_lines(path);
        if (!file)
            throw Error(errors.failed()
                            ? errors.message()
                            : fmt::format("it is no file of lines: {} are", listed(line_endings())));
        return lines_in(*file, path, layer, errors);
    } catch (const Error& error) {
        throw Error(fmt::format("cannot read '{}': {}", path, error.what()));
    }
}

LineSet transformed(const LineSet& lines, const std::string& from, const std::string& to) {
    ErrorCollector errors;
    register_drivers();
    Georeference one, other;
    one.projection = from;
    other.projection = to;
    const OGRSpatialReference source = system_of(one), target = system_of(other);
    if (source.IsEmpty() || target.IsEmpty())
        throw Error("a coordinate system is not understood: " + one_line(source.IsEmpty() ? from : to));
    if (is_same(source, target)) return lines;
    struct Destroy {
        void operator()(OGRCoordinateTransformation* way) const { OCTDestroyCoordinateTransformation(way); }
    };
    const std::unique_ptr<OGRCoordinateTransformation, Destroy> way(
        OGRCreateCoordinateTransformation(&source, &target));
    if (!way) throw Error("there is no way from its coordinate system to the terrain's: " + errors.message());
    return lines.mapped([&](LinePoint point) {
        const double x = point.x, y = point.y;
        if (!way->Transform(1, &point.x, &point.y) || !std::isfinite(point.x) || !std::isfinite(point.y))
            throw Error(fmt::format("the point {}, {} has no place in the terrain's coordinate system",
                                    number_text(x), number_text(y)));
        return point;
    });
}

}  // namespace caprock::gdal

#include "terrain/line_file.h"

#include "base/error.h"

#include <cmath>

namespace caprock {

namespace {

LineFileAccess* known_access = nullptr;

const std::string& system_of_terrain(const Terrain& shape) {
    static const std::string none;
    return shape.georeference() ? shape.georeference()->projection : none;
}

// Whether a system counts in degrees, and these may be such: what is beyond them is in metres, whatever the file says.
bool may_be_degrees(const LineFile& file) {
    const std::string& text = file.projection;
    if (!text.starts_with("GEOGCS") && !text.starts_with("GEOGCRS") && !text.starts_with("GEOGRAPHICCRS"))
        return false;
    for (const Line& line : file.lines.lines())
        for (const LinePoint& point : line.points)
            if (std::abs(point.x) > 360 || std::abs(point.y) > 90) return false;
    return !file.lines.empty();
}

}  // namespace

LineFileAccess& line_file_access() {
    if (!known_access) throw Error("files of lines cannot be read or transformed here");
    return *known_access;
}

void set_line_file_access(LineFileAccess& access) { known_access = &access; }

LineSet lines_on(const LineFile& file, const Terrain& shape) {
    const std::string& system = system_of_terrain(shape);
    if (system.empty() && may_be_degrees(file))
        throw Error(
            "its coordinates are degrees, and the terrain has no coordinate system that says where they lie; "
            "where they are metres, write a .gpkg without a system, or a .geojson that says \"crs\": null");
    if (file.projection.empty() || system.empty()) return file.lines;
    const LineSet there = file.projection == system
                              ? file.lines
                              : line_file_access().transformed(file.lines, file.projection, system);
    return there.mapped([&](LinePoint point) {
        const std::optional<WorldPoint> place = shape.place_of({point.x, point.y});
        if (!place) throw Error("the terrain's coordinates take all its cells to one line");
        point.x = place->x;
        point.y = place->y;
        return point;
    });
}

LineFile lines_from(const LineSet& lines, const Terrain& shape) {
    const std::string& system = system_of_terrain(shape);
    if (system.empty()) return {lines, ""};
    return {lines.mapped([&](LinePoint point) {
                const Coordinates at = *shape.coordinates_of(point.place());
                point.x = at.x;
                point.y = at.y;
                return point;
            }),
            system};
}

}  // namespace caprock

// A terrain: named fields on one grid, and lines over it. What a field of a name is of, quantity.h says; NaN is a missing cell.
#pragma once

#include "field/field.h"
#include "terrain/grid.h"
#include "terrain/line_set.h"
#include "terrain/quantity.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace caprock {

// In the units of a coordinate reference system.
struct Coordinates {
    double x = 0;
    double y = 0;

    bool operator==(const Coordinates&) const = default;
};

// Where on Earth imported data lies. Carried through every operation to the output.
struct Georeference {
    std::string projection;  // well-known text of the coordinate reference system; may be empty
    std::array<double, 6>
        transform{};            // GDAL's, of pixels: x = t0 + col t1 + row t2, y = t3 + col t4 + row t5
    std::string vertical_unit;  // as the file named it; empty: metres
    bool at_points = false;     // cells are measured at points, not over areas

    // Of a place in cells from the first: a whole number is a sample, which lies in the middle of its pixel.
    Coordinates at_cell(double x, double y) const;
    // The place in cells that has these coordinates; none where the transform takes all cells to one line or point.
    std::optional<Coordinates> cell_at(const Coordinates& coordinates) const;
    // The same land in other cells, so many times as large: the first has its sample where this has coordinates (x, y)
    // in cells.
    Georeference of_cells(double x, double y, double across = 1, double down = 1) const;

    bool operator==(const Georeference&) const = default;
};

class Terrain {
  public:
    Terrain() = default;
    explicit Terrain(const Grid& grid) : grid_(grid), window_(grid.extent) {}
    // Only a part of the landscape: what region evaluation works on.
    Terrain(const Grid& grid, const Rect& window) : grid_(grid), window_(window) {}

    const Grid& grid() const { return grid_; }
    void set_range(const Interval& range) { grid_.range = range; }
    // The cells the fields cover: the whole extent, or a window of it.
    const Rect& rect() const { return window_; }
    bool whole() const { return window_ == grid_.extent; }

    bool has(std::string_view name) const { return find(name) != nullptr; }
    // Good until the next set() or remove().
    const Field* find(std::string_view name) const;
    // Throws Error, naming the fields there are.
    const Field& field(std::string_view name) const;
    const Field& height() const { return field("height"); }
    void set(std::string_view name, Field field);
    void remove(std::string_view name);
    std::vector<std::string> names() const;  // in the order they were added

    // ---- lines, which have names of their own ----
    // Null where there are none of that name. Good until the next set_lines().
    const LineSet* find_lines(std::string_view name) const;
    // Throws Error, naming the line sets there are.
    const LineSet& lines(std::string_view name) const;
    void set_lines(std::string_view name, LineSet lines);
    void remove_lines(std::string_view name);
    std::vector<std::string> line_names() const;  // in the order they were added

    // What 0 and 1 of a field stand for: the height range, and 0..1 for every other field.
    Interval range_of(std::string_view name) const;

    const Georeference* georeference() const { return georeferenced_ ? &georeference_ : nullptr; }
    void set_georeference(const Georeference& georeference) {
        georeference_ = georeference;
        georeferenced_ = true;
    }
    // Of a place on the grid, where the terrain has a georeference.
    std::optional<Coordinates> coordinates_of(const WorldPoint& place) const;

    // And the place of such coordinates, where they have one.
    std::optional<WorldPoint> place_of(const Coordinates& coordinates) const;

    // Lines stay whole.
    Terrain cropped(const Rect& part) const;

  private:
    Grid grid_;
    Rect window_ = grid_.extent;
    std::vector<std::pair<std::string, Field>> fields_;
    NamedLines lines_;
    Georeference georeference_;
    bool georeferenced_ = false;
};

}  // namespace caprock

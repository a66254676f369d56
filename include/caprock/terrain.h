// A terrain: fields by name on one grid, and lines over it. height is in metres; hardness, solubility and masks go from 0 to 1; material is an index;
// water and sediment are in metres.
#pragma once

#include <array>
#include <caprock/export.h>
#include <caprock/field.h>
#include <caprock/grid.h>
#include <caprock/lines.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {
inline namespace v1 {

// Where on Earth land lies.
struct Georeference {
    std::string coordinate_system;  // well-known text; may be empty
    // GDAL's, of pixels: x = t0 + column t1 + row t2, y = t3 + column t4 + row t5.
    std::array<double, 6> transform = {};

    bool operator==(const Georeference&) const = default;
};

// A value: a copy may be changed without the other, and shares the cells.
class CAPROCK_API Terrain {
  public:
    explicit Terrain(const Grid& grid = {});

    Grid grid() const;
    // The cells its fields cover: all of the grid, or a region of it.
    Rect rect() const;

    std::vector<std::string> names() const;  // in the order in which they came
    bool has(std::string_view name) const;
    // Throws Error where there is none, naming those there are.
    Field field(std::string_view name) const;
    Field height() const { return field("height"); }
    // Throws Error unless it has as many cells each way as the terrain.
    void set(std::string_view name, const Field& field);
    void remove(std::string_view name);

    // Lines have names of their own.
    std::vector<std::string> line_names() const;
    // Throws Error where there are none of that name, naming those there are.
    LineSet lines(std::string_view name) const;
    // Throws Error for a line without points, or a place that is no finite number.
    void set_lines(std::string_view name, const LineSet& lines);
    void remove_lines(std::string_view name);

    // Lines stay whole.
    Terrain cropped(const Rect& part) const;  // the same cells, not a copy

    std::optional<Georeference> georeference() const;
    void set_georeference(const Georeference& georeference);

    // ---- for the library itself ----
    struct Inside;
    explicit Terrain(std::shared_ptr<const Inside> inside);
    const Inside& inside() const { return *inside_; }

  private:
    std::shared_ptr<const Inside> inside_;
};

}  // namespace v1
}  // namespace caprock

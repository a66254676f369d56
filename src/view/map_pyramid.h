// A terrain at every resolution, so that a map of it can be drawn anew for every frame.
//
// Level 0 are the cells themselves, each further level has cells of twice the size, which are the means of what is
// known of four, and missing where more than half of them is. Levels are made when they are first asked for and kept. A mean
// lies in the middle of the area that its cells cover.
#pragma once

#include "terrain/terrain.h"
#include "view/cell_rows.h"
#include "view/colour_scheme.h"
#include "view/map_view.h"
#include "view/surface.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace caprock {

enum class MapSampling {
    smooth,  // means, and a smooth surface where cells are larger than pixels
    picked,  // the cell under the middle of each pixel
};

class MapPyramid {
  public:
    explicit MapPyramid(Terrain terrain) : terrain_(std::move(terrain)) {}
    // Of fields that need not be in memory: only levels that are asked for are, and those above them. `shape` has none. What
    // shows single cells (indices, cells as squares) reads them anew whenever it is drawn.
    MapPyramid(Terrain shape, std::map<std::string, CellRows> fields)
        : terrain_(std::move(shape)), elsewhere_(std::move(fields)) {}

    const Terrain& terrain() const { return terrain_; }

    // Another state of the terrain, in which only these cells have changed. What was measured of the whole (extents,
    // typical slopes) stays as it was unless all of it has: a map does not change its contrast under the brush.
    void update(const Terrain& terrain, const Rect& changed);

    // The same for cells that were written where they lie (Field::rows_in_place), whoever shares them.
    void rewritten(const Rect& changed);

    int levels() const;
    // Throws Error when there is no such field.
    const Field& level(const std::string& field, int level);

    // A field as seen in a view, one row and column beyond the picture on every side included. `coarser` times
    // larger cells than the pixels ask for give a blurred one.
    Surface sampled(const std::string& field, const MapView& view, Size picture,
                    MapSampling sampling = MapSampling::smooth, double coarser = 1) {
        return sampled(field, view, picture, Rect::of(picture), sampling, coarser);
    }
    // Only that part of the picture's pixels, with the same values.
    Surface sampled(const std::string& field, const MapView& view, Size picture, const Rect& part,
                    MapSampling sampling, double coarser);

    const FieldExtent& extent(const std::string& field);

    // What is typical at the resolution of a view, and of a form that is `coarser`.
    struct Measures {
        double slope = 0;       // rise per metre of the steeper ground, 0 where all is level
        double form_slope = 0;  // the same of the form
        double departure = 0;   // metres by which the surface departs from its form
    };
    Measures measures(const MapView& view, double coarser);

  private:
    // Between which levels pixels of this size lie, and how far from the first to the second.
    struct Place {
        int level = 0;
        double beyond = 0;
    };
    Place place_of(double cells_per_pixel) const;
    static void renew(std::vector<Field>& levels, const Rect& changed);
    CellRows cells_of(const std::string& field) const;
    Field read_level(const CellRows& cells, int level) const;
    void pick(const std::string& field, const MapView& view, Size picture, const Rect& part,
              Surface& to) const;
    double slope_at(int level);
    double departure_at(int level, int form_level);

    Terrain terrain_;
    std::map<std::string, CellRows> elsewhere_;
    // An empty one is not there: what it is made of is not in memory either.
    std::map<std::string, std::vector<Field>> levels_;
    std::map<std::string, FieldExtent> extents_;
    std::map<int, double> slopes_;
    std::map<std::pair<int, int>, double> departures_;
};

}  // namespace caprock

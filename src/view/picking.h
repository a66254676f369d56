// Which place of the surface a ray meets first.
//
// The surface is the one that is drawn: between four neighbouring samples a quad of two triangles, cut from the top left
// sample to the bottom right one. A quad with a missing sample is a hole. A terrain of one row or one column has no
// quads, so there is nothing to meet.
#pragma once

#include "field/field.h"
#include "terrain/grid.h"
#include "view/geometry.h"
#include "view/range_pyramid.h"

#include <optional>

namespace caprock {

struct Hit {
    Vector3 position;
    int cell_x = 0;  // of the sample nearest to it
    int cell_y = 0;
    double distance = 0;  // from where the ray begins
};

// From above or from below. Rays do not slip through between two triangles. The ranges must be those of the heights.
std::optional<Hit> pick(const Field& heights, const Grid& grid, const RangePyramid& ranges, const Ray& ray);

// How high the surface is at a place; nothing where it has a hole, and beyond its outermost samples.
std::optional<double> height_at(const Field& heights, const Grid& grid, double x, double y);

// No part of the surface within `reach` metres of a place, along x and along y, is higher than this. Nothing where there is
// no surface.
std::optional<double> highest_around(const Field& heights, const Grid& grid, double x, double y,
                                     double reach);

}  // namespace caprock

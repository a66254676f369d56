// The lines of a parameter as courses: places that follow each other, none twice in a row.
#pragma once

#include "operations/rivers/particle_paths.h"
#include "terrain/line_set.h"

#include <vector>

namespace caprock {

// A closed line ends where it began. One place where all are the same.
inline std::vector<Place> places_of(const Line& line) {
    std::vector<Place> places;
    auto add = [&](const LinePoint& point) {
        if (places.empty() || places.back().x != point.x || places.back().y != point.y)
            places.push_back({point.x, point.y});
    };
    for (const LinePoint& point : line.points) add(point);
    if (line.closed && !line.points.empty()) add(line.points.front());
    return places;
}

// Of each line.
inline std::vector<std::vector<Place>> courses_of(const LineSet& lines) {
    std::vector<std::vector<Place>> courses;
    for (const Line& line : lines.lines()) courses.push_back(places_of(line));
    return courses;
}

}  // namespace caprock

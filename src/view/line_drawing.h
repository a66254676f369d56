// Line sets on maps: roads, rivers and contours in one colour and width, points as dots.
#pragma once

#include "base/picture.h"
#include "terrain/line_set.h"
#include "view/colour.h"
#include "view/map_view.h"

#include <optional>
#include <string>

namespace caprock {

// Of line sets in their order, so that they are told from each other, on grass, rock and snow.
Bytes colour_of_lines(size_t number);

struct DrawnLines {
    LineSet lines;
    Bytes colour = colour_of_lines(0);
    double width = 2;  // pixels; a point is a dot of twice that

    bool operator==(const DrawnLines&) const = default;
};

// "c0392b" or "#c0392b". Nothing where it is no colour.
std::optional<Bytes> parse_colour(const std::string& text);

// `detail`: so many times as wide.
void print_lines(Picture& picture, const MapView& view, const DrawnLines& lines, double detail = 1);

}  // namespace caprock

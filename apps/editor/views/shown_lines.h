// The document's lines as views draw them.
#pragma once

#include "core/board.h"
#include "core/look.h"
#include "view/line_drawing.h"

#include <QColor>
#include <array>
#include <vector>

namespace caprock::editor {

// Of the line sets in their order, so that a set has one colour in both views and in the list. They are told from each other on
// grass, rock and snow.
inline Bytes colour_of_lines(size_t number) {
    constexpr std::array<uint32_t, 6> colours = {0xc0392b, 0x1f5fa8, 0xd6870f, 0x7d3c98, 0x0e7c66, 0x3b3f45};
    return bytes_of(colours[number % colours.size()]);
}

// `detail`: so many pixels where there would be one.
inline std::vector<DrawnLines> shown_lines(const Board& board, const Look& look, double detail = 1) {
    std::vector<DrawnLines> all;
    if (!look.settings().lines) return all;
    for (size_t i = 0; i < board.lines().size(); i++)
        all.push_back({board.lines()[i].second, colour_of_lines(i), 2 * detail});
    return all;
}

}  // namespace caprock::editor

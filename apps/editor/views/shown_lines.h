// The document's lines as views draw them.
#pragma once

#include "core/board.h"
#include "core/look.h"
#include "view/line_drawing.h"

#include <vector>

namespace caprock::editor {

// `detail`: so many pixels where there would be one.
inline std::vector<DrawnLines> shown_lines(const Board& board, const Look& look, double detail = 1) {
    std::vector<DrawnLines> all;
    if (!look.settings().lines) return all;
    for (size_t i = 0; i < board.lines().size(); i++)
        all.push_back({board.lines()[i].second, colour_of_lines(i), 2 * detail});
    return all;
}

}  // namespace caprock::editor

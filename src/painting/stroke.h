// Strokes as data: what the pen reported, with which brush, on which layer. They can be recorded, shared and drawn again.
//
//   {"caprock-strokes": 1, "strokes": [{"brush": "raise" or {...}, "layer": 2, "mask": false, "seed": 1,
//                                       "samples": [[x, y], [x, y, pressure], [x, y, pressure, tilt-x, tilt-y, time]]}]}
#pragma once

#include "painting/brush.h"
#include "painting/live_stroke.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {

struct Stroke {
    Brush brush;
    std::string brush_name;  // of one that comes with the library, where it is used as it is
    int layer = 0;           // 0: whoever draws it says where
    bool mask = false;
    uint32_t seed = 1;
    std::vector<PenSample> samples;
};

std::string strokes_text(const std::vector<Stroke>& strokes);
// Throws Error for what are no strokes, naming which one.
std::vector<Stroke> parse_strokes(const std::string& text,
                                  const std::function<void(const std::string&)>& tell = {});

// "x,y[,pressure] x,y ...": as a user types it. Throws Error for anything else.
std::vector<PenSample> parse_samples(std::string_view text);

// All of it at once. Returns the number of the change.
int64_t draw(Document& document, const Stroke& stroke, const PaintTarget& target, RunContext& context);

}  // namespace caprock

// Brushes for lands of any size. Those that come with the library are made for one of eight kilometres: on one of a
// kilometre they would be as wide as a quarter of it, and on a continent nobody would see them.
#pragma once

#include "painting/brush.h"

namespace caprock {

// How many metres wide the land is that the library's brushes suit.
constexpr double usual_land = 8192;

// The same brush for a land so many times as wide: its radius, the metres that it adds, and the lengths of what it paints.
// Roads and canals themselves stay: people are everywhere of one size. Numbers are rounded to two digits, and stay in their ranges.
Brush brush_for_land(const Brush& brush, double times);

}  // namespace caprock

// Bare numbers, row after row from the north: what game engines read. The files say nothing of themselves.
//
//   .r16, .raw   16-bit shares of the height range
//   .r32         heights in metres as floats; NaN is a missing cell
#pragma once

#include "formats/driver.h"

namespace caprock {

RasterDriver& raw_driver();

}  // namespace caprock

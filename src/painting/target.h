// The layer that a brush paints on where the user names none.
#pragma once

#include "document/document.h"
#include "painting/brush.h"
#include "painting/surface.h"

namespace caprock {

// The uppermost layer for the brush's field that can be painted on. Where there is none, the stroke adds one on top: heights
// are added to what lies below, other fields stand in its place. What is cut out needs a second one, which does it.
PaintTarget target_for(const Document& document, const Brush& brush);

}  // namespace caprock

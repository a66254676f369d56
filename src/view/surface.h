// A field at the resolution of a picture: averaged down, enlarged, or picked cell by cell. What every map is
// drawn from.
#pragma once

#include "base/rect.h"
#include "field/field.h"
#include "view/cell_rows.h"

#include <cmath>
#include <functional>
#include <string_view>
#include <vector>

namespace caprock {

// Calls the body for every row, on all threads. The rows must not depend on one another.
void for_rows(int count, const std::function<void(int y)>& body);
// The same for parts that are each worth a thread.
void for_bands(int count, const std::function<void(int band)>& body);

// Beyond this a number is nothing to draw: infinities, and the -3.4e38 that many files use for missing cells.
constexpr float farthest_value = 1e30f;

inline bool is_drawn(float value) { return std::fabs(value) < farthest_value; }

// The quadratic B-spline along three neighbours, at `offset` cells from the middle one, -0.5 to 0.5. Straight lines
// between them would leave a crease along every row and column of cells, and shading shows those before anything else.
// Where a neighbour is missing, the line from the other goes straight on.
inline float spline_along(float before, float here, float after, float offset) {
    if (is_missing(before)) before = is_missing(after) ? here : 2 * here - after;
    if (is_missing(after)) after = 2 * here - before;
    float left = 0.5f - offset;
    float right = 0.5f + offset;
    return here + 0.5f * (left * left * (before - here) + right * right * (after - here));
}

// Values of pixels with a frame of missing ones, so that nobody has to ask where the border is.
class Surface {
  public:
    explicit Surface(Size size)
        : size_(size),
          stride_(size_t(size.width) + 2),
          values_(stride_ * (size_t(size.height) + 2), missing) {}

    Size size() const { return size_; }
    float* row(int y) { return values_.data() + size_t(y + 1) * stride_ + 1; }
    const float* row(int y) const { return values_.data() + size_t(y + 1) * stride_ + 1; }

  private:
    Size size_;
    size_t stride_;
    std::vector<float> values_;
};

// How large a picture of so many cells is: averaged down to the longest side, or `times` pixels for every cell
// each way, which is no more than `enlarge` and than fits within the longest side.
struct Scale {
    Size pixels;
    int times = 1;
};
Scale scale_of(Size cells, int longest_side, int enlarge);

// A pixel is the mean of what is known of the cells it covers, and missing when more than half of it is. For no more
// pixels than cells.
Surface averaged(const CellRows& cells, Size pixels);

// So many pixels for every cell each way, on a smooth surface along the cells' middles. A pixel is missing where its
// cell is; at the border and beside missing cells the surface goes on as it came.
Surface interpolated(const Field& field, int times);

// The cell under the middle of each pixel, unmixed.
Surface picked(const CellRows& cells, Size pixels);

}  // namespace caprock

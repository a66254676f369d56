#include "operations/erosion/volumes.h"

#include <algorithm>

namespace caprock {

namespace {

template <typename Amount>
double added_up(const Rect& rect, const Amount& amount) {
    double all = 0;
    for (int y = rect.top; y < rect.bottom; y++) {
        double row = 0;
        for (int x = 0; x < rect.width(); x++) {
            double value = amount(y, x);
            if (!std::isnan(value)) row += value;
        }
        all += row;
    }
    return all;
}

}  // namespace

double Volumes::of(const Field& depth, const Field* shares) const {
    Field::Rows rows = depth.rows();
    if (shares) {
        Field::Rows share_rows = shares->rows();
        return area_ * added_up(depth.rect(),
                                [&](int y, int x) { return double(rows[y][x]) * double(share_rows[y][x]); });
    }
    return area_ * added_up(depth.rect(), [&](int y, int x) { return double(rows[y][x]); });
}

double Volumes::lowered(const Field& before, const Field& after) const {
    Field::Rows old_rows = before.rows();
    Field::Rows new_rows = after.rows();
    return area_ * added_up(before.rect(), [&](int y, int x) {
               return std::max(double(old_rows[y][x]) - double(new_rows[y][x]), 0.0);
           });
}

}  // namespace caprock

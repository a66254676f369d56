// The Gaussian itself, in double precision.
#pragma once

#include "field/field.h"

#include <cmath>

namespace caprock::test {

// The Gaussian over the cells that are there and known, at one cell.
inline double gaussian_at(const Field& field, int cx, int cy, double deviation) {
    const Rect& rect = field.rect();
    Field::Rows rows = field.rows();
    int reach = int(5 * deviation) + 1;
    double sum = 0;
    double weights = 0;
    for (int y = cy - reach; y <= cy + reach; y++)
        for (int x = cx - reach; x <= cx + reach; x++) {
            if (!rect.contains(x, y) || std::isnan(rows[y][x])) continue;
            double weight =
                std::exp(-((x - cx) * (x - cx) + (y - cy) * (y - cy)) / (2 * deviation * deviation));
            sum += weight * double(rows[y][x]);
            weights += weight;
        }
    return sum / weights;
}

}  // namespace caprock::test

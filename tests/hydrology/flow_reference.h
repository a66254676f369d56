// Drainage by the plainest means: a queue over all cells, and water followed cell by cell.
#pragma once

#include "field/field.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <utility>
#include <vector>

namespace caprock::test {

struct PlainLand {
    explicit PlainLand(const Field& height) : rect(height.rect()), width(rect.width()), height(height) {
        for (int y = rect.top; y < rect.bottom; y++)
            for (int x = rect.left; x < rect.right; x++) cells.push_back(height.at(x, y));
    }

    size_t count() const { return cells.size(); }
    int column(size_t cell) const { return int(cell) % width; }
    int row(size_t cell) const { return int(cell) / width; }
    std::vector<size_t> neighbours(size_t cell) const {
        std::vector<size_t> found;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                const int u = column(cell) + dx, v = row(cell) + dy;
                if ((dx || dy) && u >= 0 && v >= 0 && u < width && v < rect.height())
                    found.push_back(size_t(v * width + u));
            }
        return found;
    }
    bool may_leave(size_t cell, bool at_missing = true) const {
        if (neighbours(cell).size() < 8) return true;
        if (!at_missing) return false;
        for (size_t n : neighbours(cell))
            if (std::isnan(cells[n])) return true;
        return false;
    }

    // Priority-flood (R. Barnes, C. Lehman and D. Mulla, 2014) with a set for a queue: the lowest level at which water can leave.
    std::vector<float> spill_levels(bool at_missing = true) const {
        std::vector<float> level(count(), std::numeric_limits<float>::quiet_NaN());
        std::set<std::pair<float, size_t>> waiting;
        for (size_t i = 0; i < count(); i++)
            if (!std::isnan(cells[i]) && may_leave(i, at_missing)) {
                level[i] = cells[i];
                waiting.insert({cells[i], i});
            }
        while (!waiting.empty()) {
            const auto [reached, cell] = *waiting.begin();
            waiting.erase(waiting.begin());
            for (size_t n : neighbours(cell)) {
                if (std::isnan(cells[n]) || !std::isnan(level[n])) continue;
                level[n] = std::max(cells[n], reached);
                waiting.insert({level[n], n});
            }
        }
        return level;
    }

    // The steepest lower neighbour; of two as steep the lower, of two as low the first. Nothing where none is lower.
    std::optional<size_t> steepest(size_t cell) const {
        std::optional<size_t> best;
        float best_slope = 0;
        for (size_t n : neighbours(cell)) {
            if (!(cells[n] < cells[cell])) continue;
            const bool aslant = column(n) != column(cell) && row(n) != row(cell);
            const float drop = cells[cell] - cells[n];
            const float slope = aslant ? drop * 0.70710678f : drop;
            if (!best || slope > best_slope ||
                (slope == best_slope && std::pair(cells[n], n) < std::pair(cells[*best], *best))) {
                best = n;
                best_slope = slope;
            }
        }
        return best;
    }

    Rect rect;
    int width;
    Field height;
    std::vector<float> cells;
};

}  // namespace caprock::test

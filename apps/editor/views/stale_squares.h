// Cells that a view has not taken over yet, in squares of which it takes as many per frame as it has time for.
#pragma once

#include "base/rect.h"

#include <map>

namespace caprock::editor {

class StaleSquares {
  public:
    // Larger ones would hold a frame up, smaller ones have the levels above them measured too often.
    static constexpr int power = 9;
    static constexpr int side = 1 << power;

    bool empty() const { return squares_.empty(); }
    void clear() { squares_.clear(); }

    void add(const Rect& cells) {
        if (cells.empty()) return;
        for (int y = cells.top >> power; y <= (cells.bottom - 1) >> power; y++)
            for (int x = cells.left >> power; x <= (cells.right - 1) >> power; x++) {
                Rect part = cells.intersected({x * side, y * side, (x + 1) * side, (y + 1) * side});
                Rect& stale = squares_[{y, x}];
                stale = stale.united(part);
            }
    }

    // Takes out the one whose middle is nearest to a place. Not from an empty one.
    Rect take(double x, double y) {
        auto nearest = squares_.begin();
        double least = 0;
        for (auto at = squares_.begin(); at != squares_.end(); ++at) {
            const Rect& cells = at->second;
            double dx = (cells.left + cells.right) / 2.0 - x;
            double dy = (cells.top + cells.bottom) / 2.0 - y;
            if (at != squares_.begin() && dx * dx + dy * dy >= least) continue;
            nearest = at;
            least = dx * dx + dy * dy;
        }
        Rect taken = nearest->second;
        squares_.erase(nearest);
        return taken;
    }

  private:
    std::map<std::pair<int, int>, Rect> squares_;  // by row and column
};

}  // namespace caprock::editor

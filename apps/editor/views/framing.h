// Which land a view was put in front of.
#pragma once

#include "terrain/terrain.h"

#include <cmath>

namespace caprock::editor {

class Framing {
  public:
    Framing() = default;
    explicit Framing(const Terrain& terrain) : cells_(terrain.rect()), cell_(terrain.grid().cell) {}

    // The same land at another resolution, whose last cells may lie a few metres beside, is looked at from where one stands.
    bool shows(const Terrain& terrain) const {
        double cell = terrain.grid().cell;
        auto near = [&](int now, int before) { return std::abs(now * cell - before * cell_) <= 8 * cell; };
        const Rect& rect = terrain.rect();
        return cell_ > 0 && near(rect.left, cells_.left) && near(rect.top, cells_.top) &&
               near(rect.right, cells_.right) && near(rect.bottom, cells_.bottom);
    }

  private:
    Rect cells_;
    double cell_ = 0;
};

}  // namespace caprock::editor

// Blending whose detail crosses over within its own size (Editor, section 6.6, after Burt and Adelson).
#pragma once

#include "base/interval.h"
#include "operation/work.h"

#include <vector>

namespace caprock {

// What is blended, whichever way.
struct BlendInput {
    const Field& below;
    const Field& source;
    const Field* mask;  // none: 1 everywhere
    float opacity;
    bool unit_source;  // the source is in shares of the range
    Interval range;
    bool takes;  // cells away, where it is missing
};

// How a width in cells and weights for octaves become levels of a pyramid.
class MultiResolution {
  public:
    MultiResolution(double width_in_cells, const std::vector<double>& weights);

    int levels() const { return levels_; }  // besides the terrain's own
    // How far away cells may lie that decide one of the result: one and a half of a level's cells to each side
    // on the way down and on the way up.
    int reach() const { return 3 * ((1 << levels_) - 1); }
    // What the mask is multiplied by on a level, 0 being the terrain itself; and for what the next coarser level shows
    // already and is left out of this one.
    float share(int level) const { return shares_[size_t(level)]; }
    float coarse_share(int level) const { return coarse_shares_[size_t(level)]; }
    // Whether one weight goes for all: where the mask is even too, the pyramid adds up to what it was made of.
    bool even() const { return even_; }

    // Of one level or more.
    Field blended(Work& work, const BlendInput& input) const;

  private:
    int levels_ = 0;
    bool even_;
    std::vector<float> shares_;
    std::vector<float> coarse_shares_;
};

}  // namespace caprock

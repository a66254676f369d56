// Heights and lengths in metres, for fields that are no heights: the same shares of their range.
#pragma once

#include "terrain/terrain.h"

#include <string>

namespace caprock {

class FieldMetres {
  public:
    FieldMetres(const Terrain& terrain, const std::string& field)
        : low_(terrain.range_of(field).low),
          lowest_height_(terrain.range_of("height").low),
          metre_(terrain.range_of(field).span() / terrain.range_of("height").span()) {}

    double length(double metres) const { return metres * metre_; }
    double height(double metres) const { return low_ + (metres - lowest_height_) * metre_; }

  private:
    double low_;
    double lowest_height_;
    double metre_;
};

}  // namespace caprock

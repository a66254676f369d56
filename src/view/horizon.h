// The skyline of ground already seen, around a point: what lies wholly below it is hidden.
#pragma once

#include "view/geometry.h"

#include <vector>

namespace caprock {

class Horizon {
  public:
    explicit Horizon(const Vector3& eye);

    // Whether all of the box lies behind the ground added so far.
    bool hides(const Box& box) const;
    // Ground without holes whose lowest point is the box's least.z. Nearer ground first.
    void add(const Box& box);

  private:
    // Steepnesses as rise over run; a direction is a step of a full circle.
    static constexpr int directions = 2048;

    // Directions from the eye to the box: the first and how many in turns, or none where the eye is over the box.
    struct Span {
        double from = 0;
        double width = 0;
        double nearest = 0;
        double farthest = 0;
        bool around = false;
    };
    Span span_of(const Box& box) const;

    Vector3 eye_;
    std::vector<double> rise_;
};

}  // namespace caprock

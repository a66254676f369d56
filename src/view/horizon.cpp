#include "view/horizon.h"

#include <algorithm>
#include <limits>
#include <numbers>

namespace caprock {

Horizon::Horizon(const Vector3& eye)
    : eye_(eye), rise_(directions, -std::numeric_limits<double>::infinity()) {}

Horizon::Span Horizon::span_of(const Box& box) const {
    Vector3 near = box.nearest(eye_);
    Span span;
    span.nearest = std::hypot(near.x - eye_.x, near.y - eye_.y);
    if (span.nearest == 0) {
        span.around = true;
        return span;
    }
    Vector3 middle = box.middle();
    double towards = std::atan2(middle.y - eye_.y, middle.x - eye_.x);
    double least = 0;
    double most = 0;
    for (double x : {box.least.x, box.most.x})
        for (double y : {box.least.y, box.most.y}) {
            span.farthest = std::max(span.farthest, std::hypot(x - eye_.x, y - eye_.y));
            double aside = std::remainder(std::atan2(y - eye_.y, x - eye_.x) - towards, 2 * std::numbers::pi);
            least = std::min(least, aside);
            most = std::max(most, aside);
        }
    constexpr double step = directions / (2 * std::numbers::pi);
    span.from = (towards + least) * step;
    span.width = (most - least) * step;
    return span;
}

bool Horizon::hides(const Box& box) const {
    Span span = span_of(box);
    if (span.around) return false;
    double above = box.most.z - eye_.z;
    double rise = above / (above > 0 ? span.nearest : span.farthest);
    int first = int(std::floor(span.from));
    int last = int(std::ceil(span.from + span.width));
    for (int i = first; i < last; i++)
        if (rise_[size_t((i % directions + directions) % directions)] < rise) return false;
    return true;
}

void Horizon::add(const Box& box) {
    Span span = span_of(box);
    if (span.around) return;
    // Rays of these directions meet the box's ground somewhere between its nearest and its farthest point.
    double above = box.least.z - eye_.z;
    double rise = above / (above > 0 ? span.farthest : span.nearest);
    int first = int(std::ceil(span.from));
    int last = int(std::floor(span.from + span.width));
    for (int i = first; i < last; i++) {
        double& so_far = rise_[size_t((i % directions + directions) % directions)];
        so_far = std::max(so_far, rise);
    }
}

}  // namespace caprock

#include "painting/stroke_path.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace caprock {

namespace {

// An hour of drawing has fewer; a slip of the keyboard may have billions.
constexpr int64_t most_places = 2'000'000;

double distance(const PenSample& a, const PenSample& b) {
    double x = b.x - a.x;
    double y = b.y - a.y;
    return std::sqrt(x * x + y * y);
}

PenSample mixed(const PenSample& a, const PenSample& b, double t) {
    auto mix = [t](double from, double to) { return from + (to - from) * t; };
    return {mix(a.x, b.x),           mix(a.y, b.y),           mix(a.pressure, b.pressure),
            mix(a.tilt_x, b.tilt_x), mix(a.tilt_y, b.tilt_y), mix(a.time, b.time)};
}

// A point before the first of three, or behind the last: as far on, and turning on as the curve has turned.
PenSample beyond(const PenSample& at, const PenSample& from, const PenSample* before) {
    PenSample made = at;
    double x = at.x - from.x;
    double y = at.y - from.y;
    double length = distance(from, at);
    double length_before = before ? distance(*before, from) : 0;
    if (length > 0 && length_before > 0) {
        double ahead_x = (from.x - before->x) / length_before;
        double ahead_y = (from.y - before->y) / length_before;
        double along = (ahead_x * x + ahead_y * y) / length;
        double aside = (ahead_x * y - ahead_y * x) / length;
        // A corner is no curve.
        if (along > 0) {
            double turned_x = along * x - aside * y;
            double turned_y = aside * x + along * y;
            x = turned_x;
            y = turned_y;
        }
    }
    made.x = at.x + x;
    made.y = at.y + y;
    return made;
}

}  // namespace

std::vector<PathPlace> StrokePath::extend(const PenSample& sample) {
    // A pen that rests says the same again and again.
    if (!last_.empty() && last_.back().x == sample.x && last_.back().y == sample.y) return {};
    if (last_.empty()) line_.push_back(sample);
    if (last_.size() == 2) piece(beyond(last_[0], last_[1], &sample), last_[0], last_[1], sample);
    if (last_.size() == 3) {
        piece(last_[0], last_[1], last_[2], sample);
        last_.erase(last_.begin());
    }
    last_.push_back(sample);
    return std::exchange(places_, {});
}

std::vector<PathPlace> StrokePath::finish() {
    if (finished_ || last_.empty()) return {};
    finished_ = true;
    size_t count = last_.size();
    if (count >= 2) {
        const PenSample& end = last_[count - 1];
        const PenSample& from = last_[count - 2];
        const PenSample* before = count == 3 ? &last_[0] : nullptr;
        piece(before ? *before : beyond(from, end, nullptr), from, end, beyond(end, from, before));
    }
    const PenSample& start = line_.front();
    // A hand that clicks trembles.
    if (length_ < spacing_(start) / 2) {
        places_.assign(1, PathPlace{start, 1, 0, 0});
    } else if (since_ > 1e-6 * spacing_(line_.back())) {
        // What is left is less than a whole step. It lies right before the end.
        const PenSample& end = line_.back();
        PathPlace place{end, 1, 0, since_};
        double back = since_ / 2;
        for (size_t i = line_.size() - 1; i > 0; i--) {
            double length = distance(line_[i - 1], line_[i]);
            if (length <= 0) continue;
            place.ahead_x = (line_[i].x - line_[i - 1].x) / length;
            place.ahead_y = (line_[i].y - line_[i - 1].y) / length;
            place.pen = mixed(line_[i], line_[i - 1], std::min(back / length, 1.0));
            if (back <= length) break;
            back -= length;
        }
        places_.push_back(place);
    }
    return std::exchange(places_, {});
}

// A piece of a Catmull-Rom spline, by Barry and Goldman's pyramid: knots are as far apart as the samples are, to the
// power of a half where it is centripetal (which makes no loops), to none where it is uniform.
void StrokePath::piece(const PenSample& before, const PenSample& from, const PenSample& to,
                       const PenSample& after) {
    auto knot = [&](const PenSample& a, const PenSample& b) {
        return spline_ == Spline::uniform ? 1.0 : std::max(std::sqrt(distance(a, b)), 1e-9);
    };
    double t0 = 0;
    double t1 = t0 + knot(before, from);
    double t2 = t1 + knot(from, to);
    double t3 = t2 + knot(to, after);
    double chord = distance(before, from) + 2 * distance(from, to) + distance(to, after);
    // Straight lines so short that nobody sees a bend between them, and no more than anybody has time for.
    int steps = int(std::clamp(8 * chord / std::max(spacing_(from), 1e-9), 1.0, 256.0));
    PenSample last = from;
    for (int i = 1; i <= steps; i++) {
        double share = double(i) / steps;
        PenSample here = mixed(from, to, share);
        if (i < steps) {
            double t = t1 + (t2 - t1) * share;
            auto blend = [t](double a, double b, double ta, double tb) {
                return (a * (tb - t) + b * (t - ta)) / (tb - ta);
            };
            auto along = [&](double p0, double p1, double p2, double p3) {
                double a1 = blend(p0, p1, t0, t1);
                double a2 = blend(p1, p2, t1, t2);
                double a3 = blend(p2, p3, t2, t3);
                return blend(blend(a1, a2, t0, t2), blend(a2, a3, t1, t3), t1, t2);
            };
            here.x = along(before.x, from.x, to.x, after.x);
            here.y = along(before.y, from.y, to.y, after.y);
        }
        walk(last, here);
        last = here;
    }
}

void StrokePath::walk(const PenSample& from, const PenSample& to) {
    double whole = distance(from, to);
    line_.push_back(to);
    if (whole <= 0) return;
    length_ += whole;
    double gone = 0;
    while (true) {
        PenSample here = mixed(from, to, gone / whole);
        // A place stands in the middle of its piece; the next piece begins where it ends.
        double step = std::max(spacing_(here), 1e-6);
        double left = std::max(step / 2 - since_, 0.0);
        if (gone + left > whole) break;
        if (++count_ > most_places)
            throw Error(fmt::format("the stroke has more than {} dabs; a larger spacing or radius has fewer",
                                    most_places));
        gone += left;
        since_ = -step / 2;
        places_.push_back(
            {mixed(from, to, gone / whole), (to.x - from.x) / whole, (to.y - from.y) / whole, step});
    }
    since_ += whole - gone;
}

}  // namespace caprock

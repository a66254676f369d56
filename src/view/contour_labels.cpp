#include "view/contour_labels.h"

#include "base/mathematics.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>

namespace caprock {

namespace {

// A line by the length along it.
class Track {
  public:
    explicit Track(const ContourLine& line) : points_(line.points) {
        if (line.closed) points_.push_back(points_.front());
        lengths_.push_back(0);
        for (size_t i = 1; i < points_.size(); i++)
            lengths_.push_back(lengths_.back() +
                               std::hypot(points_[i].x - points_[i - 1].x, points_[i].y - points_[i - 1].y));
    }

    double length() const { return lengths_.back(); }

    PixelPoint at(double length) const {
        auto above = std::ranges::upper_bound(lengths_, length);
        size_t i = std::clamp<size_t>(size_t(above - lengths_.begin()), 1, lengths_.size() - 1);
        double span = lengths_[i] - lengths_[i - 1];
        double share = span > 0 ? std::clamp((length - lengths_[i - 1]) / span, 0.0, 1.0) : 0.0;
        return {std::lerp(points_[i - 1].x, points_[i].x, share),
                std::lerp(points_[i - 1].y, points_[i].y, share)};
    }

  private:
    std::vector<PixelPoint> points_;
    std::vector<double> lengths_;
};

constexpr int probes = 8;

// How far the line leaves the chord from one place to another, in pixels; far more than that where it runs back.
double bend(const Track& track, double begin, double end) {
    PixelPoint from = track.at(begin), to = track.at(end);
    double dx = to.x - from.x, dy = to.y - from.y;
    double chord = std::hypot(dx, dy);
    if (chord < 0.9 * (end - begin)) return 1e9;
    double worst = 0;
    for (int i = 1; i < probes; i++) {
        PixelPoint point = track.at(std::lerp(begin, end, double(i) / probes));
        worst = std::max(worst, std::fabs((point.x - from.x) * dy - (point.y - from.y) * dx) / chord);
    }
    return worst;
}

// Labels as circles along their length: enough to keep them apart, whatever their angles.
struct Spot {
    PixelPoint middle;
    double radius;
};

class Taken {
  public:
    Taken(Size picture, double cell)
        : cell_(cell),
          width_(int(picture.width / cell) + 1),
          height_(int(picture.height / cell) + 1),
          spots_(size_t(width_) * size_t(height_)) {}

    bool free(const Spot& spot) const {
        int x = int(spot.middle.x / cell_), y = int(spot.middle.y / cell_);
        for (int j = std::max(y - 1, 0); j <= std::min(y + 1, height_ - 1); j++)
            for (int i = std::max(x - 1, 0); i <= std::min(x + 1, width_ - 1); i++)
                for (const Spot& other : spots_[size_t(j) * size_t(width_) + size_t(i)])
                    if (std::hypot(other.middle.x - spot.middle.x, other.middle.y - spot.middle.y) <
                        other.radius + spot.radius)
                        return false;
        return true;
    }
    void take(const Spot& spot) {
        int x = std::clamp(int(spot.middle.x / cell_), 0, width_ - 1);
        int y = std::clamp(int(spot.middle.y / cell_), 0, height_ - 1);
        spots_[size_t(y) * size_t(width_) + size_t(x)].push_back(spot);
    }

  private:
    double cell_;
    int width_, height_;
    std::vector<std::vector<Spot>> spots_;
};

}  // namespace

std::vector<ContourLabel> place_labels(std::span<const ContourLine> lines, Size picture,
                                       const Lettering& lettering, std::span<const Rect> reserved) {
    double height = lettering.height;
    double allowed_bend = 0.28 * height;
    double apart = 42 * height;  // from one label of a line to its next
    double around = 0.75 * height;
    Taken taken(picture, 8 * height);
    std::vector<ContourLabel> labels;
    for (size_t i = 0; i < lines.size(); i++) {
        if (!lines[i].strong) continue;
        std::string text = number_text(std::round(lines[i].level * 1e6) / 1e6);
        double width = text_width(text, lettering) + 0.9 * height;
        Track track(lines[i]);
        // A line that is all label would not show.
        if (track.length() < 3.2 * width) continue;
        auto spots_of = [&](double middle) {
            std::vector<Spot> spots;
            for (int k = -1; k <= 1; k++)
                spots.push_back({track.at(middle + k * width / 3), width / 6 + around});
            return spots;
        };
        auto inside = [&](const Spot& spot) {
            double left = spot.middle.x - spot.radius, right = spot.middle.x + spot.radius;
            double top = spot.middle.y - spot.radius, bottom = spot.middle.y + spot.radius;
            bool within = left > 0 && top > 0 && right < picture.width && bottom < picture.height;
            return within && std::ranges::none_of(reserved, [&](const Rect& other) {
                       return right > other.left && left < other.right && bottom > other.top &&
                              top < other.bottom;
                   });
        };
        // One for every stretch, at the straightest place of it that is free.
        int stretches = std::max(1, int(track.length() / apart));
        double stretch = track.length() / stretches;
        for (int part = 0; part < stretches; part++) {
            double best = allowed_bend, place = -1;
            double first = part * stretch + 0.6 * width, last = (part + 1) * stretch - 0.6 * width;
            for (double middle = first; middle <= last; middle += 0.4 * height) {
                PixelPoint from = track.at(middle - width / 2), to = track.at(middle + width / 2);
                // Level labels read best.
                double tilt =
                    std::fabs(to.y - from.y) / std::max(std::hypot(to.x - from.x, to.y - from.y), 1e-9);
                double cost =
                    bend(track, middle - width / 2, middle + width / 2) + 0.1 * height * tilt * tilt;
                if (cost >= best) continue;
                std::vector<Spot> spots = spots_of(middle);
                if (!std::ranges::all_of(spots, inside)) continue;
                if (!std::ranges::all_of(spots, [&](const Spot& spot) { return taken.free(spot); })) continue;
                best = cost;
                place = middle;
            }
            if (place < 0) continue;
            for (const Spot& spot : spots_of(place)) taken.take(spot);
            PixelPoint from = track.at(place - width / 2), to = track.at(place + width / 2);
            double angle = std::atan2(to.y - from.y, to.x - from.x) * 180 / pi;
            if (angle > 90) angle -= 180;
            if (angle <= -90) angle += 180;
            // The middle of the chord, drawn a little towards the line's own middle.
            PixelPoint on = track.at(place);
            PixelPoint middle{(from.x + to.x + 2 * on.x) / 4, (from.y + to.y + 2 * on.y) / 4};
            labels.push_back({i, text, middle, angle, place - width / 2, place + width / 2});
        }
    }
    return labels;
}

}  // namespace caprock

// From what a pen reports to places at equal distances (Editor 8.1): a smooth curve through the samples, walked with even
// steps. However many samples came, and in however many portions, the places are those of the curve.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace caprock {

// Metres; pressure 0 to 1; tilt in degrees from upright, to the east and to the south; seconds.
struct PenSample {
    double x = 0;
    double y = 0;
    double pressure = 1;
    double tilt_x = 0;
    double tilt_y = 0;
    double time = 0;

    bool operator==(const PenSample&) const = default;
};

// A place of the curve that stands for a piece of it.
struct PathPlace {
    PenSample pen;       // as it would have been here
    double ahead_x = 1;  // the direction, of length 1
    double ahead_y = 0;
    double length = 0;  // metres of the curve; 0 for a click
};

class StrokePath {
  public:
    enum class Spline { centripetal, uniform };
    // How far apart places are, metres, where the pen is like this.
    using Spacing = std::function<double(const PenSample&)>;
    StrokePath(Spline spline, Spacing spacing) : spline_(spline), spacing_(std::move(spacing)) {}

    // The places that are certain now. A piece of the curve is, when the sample behind it is known. Throws Error where they
    // are more than anybody could want.
    std::vector<PathPlace> extend(const PenSample& sample);
    // The rest. A pen that never moved has clicked: one place without length.
    std::vector<PathPlace> finish();

    // Points of the curve so far, close enough to each other to be joined by straight lines.
    const std::vector<PenSample>& line() const { return line_; }
    double length() const { return length_; }

  private:
    void piece(const PenSample& before, const PenSample& from, const PenSample& to, const PenSample& after);
    void walk(const PenSample& from, const PenSample& to);

    Spline spline_;
    Spacing spacing_;
    std::vector<PenSample> last_;  // samples, three at the most
    std::vector<PenSample> line_;
    std::vector<PathPlace> places_;  // on their way out
    double since_ =
        0;  // metres behind the end of the piece that the last place stands for; below 0 within it
    double length_ = 0;
    int64_t count_ = 0;  // of places
    bool finished_ = false;
};

}  // namespace caprock

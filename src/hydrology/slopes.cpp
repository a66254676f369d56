#include "hydrology/slopes.h"

#include "base/mathematics.h"
#include "hydrology/rounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace caprock {

namespace {

// What is not there is higher than anything.
constexpr float nothing_there = std::numeric_limits<float>::infinity();
// From where rivers left it, down and up, to the east and to the west, so often. What is left undone is done in the next step.
constexpr int turns = 1;

// x of before - x, where that is what a slope of (before - x) above two neighbours across, a and b, sinks by. `rate` is that of a slope
// of one metre in the distance of the neighbours. a is not higher than b.
double worn_evenly(double before, double a, double b, double rate) {
    if (before <= a || !(rate > 0)) return before;
    const double above_one = (before + rate * a) / (1 + rate);
    if (above_one <= b) return above_one;
    // s^2 = q ((A - s)^2 + (B - s)^2), in the form in which nothing is cancelled.
    const double high_a = before - a;
    const double high_b = before - b;
    const double q = rate * rate;
    const double squares = high_a * high_a + high_b * high_b;
    const double across = high_a - high_b;
    const double root = std::sqrt(std::max(q * (squares - q * across * across), 0.0));
    return before - q * squares / (q * (high_a + high_b) + root);
}

// The same with a power of the slope, by Newton's steps between two ends, from `now` on: it is come by again in every sweep. `run` is
// the distance of the neighbours.
double worn_by_power(double before, double a, double b, double rate, double run, double exponent,
                     double now) {
    if (before <= a || !(rate > 0)) return before;
    double low = a, high = before;
    double x = now > low && now < high ? now : worn_evenly(before, a, b, rate / run);
    for (int turn = 0; turn < 40; turn++) {
        const double over_a = x - a;
        const double over_b = std::max(x - b, 0.0);
        const double square = over_a * over_a + over_b * over_b;
        const double sinks = square > 0 ? rate * power(std::sqrt(square) / run, exponent) : 0;
        const double off = x + sinks - before;
        (off > 0 ? high : low) = x;
        if (std::abs(off) <= 1e-5 * (before - a)) break;
        const double steeper = square > 0 ? exponent * sinks * (over_a + over_b) / square : 0;
        const double next = x - off / (1 + steeper);
        x = next > low && next < high ? next : (low + high) / 2;
    }
    return x;
}

// No higher than it may be above both neighbours across, where it rises by `rise` over their distance. a is not higher than b.
double standing(double level, double a, double b, double rise) {
    // Above two of one height it may be a half of the root of 2 as high: most ground is lower than that anyway.
    if (level <= a + 0.7071 * rise) return level;
    if (!(a + rise > b)) return std::min(level, a + rise);
    const double across = a - b;
    return std::min(level, (a + b + std::sqrt(2 * rise * rise - across * across)) / 2);
}

class Sweeps {
  public:
    Sweeps(const Field& height, std::span<const SlopeKind> kinds, const SlopeWear& wear)
        : rect_(height.rect()),
          width_(size_t(rect_.width())),
          stride_(width_ + 2),
          kinds_(kinds),
          wear_(wear),
          cut_(height.rows()),
          before_(wear.before.rows()),
          rates_(wear.rate.rows()),
          steepest_(wear.steepest ? wear.steepest->rows() : Field::Rows()),
          across_(wear.cell),
          aslant_(wear.cell * std::sqrt(2.0)),
          per_across_(1 / across_),
          per_aslant_(1 / aslant_) {
        now_.assign(stride_ * size_t(rect_.height() + 2), nothing_there);
        for (int y = rect_.top; y < rect_.bottom; y++)
            for (size_t x = 0; x < width_; x++)
                if (const float level = cut_[y][x]; !is_missing(level)) row(y)[x] = level;
    }

    void go(Progress& progress) {
        for (int turn = 0; turn < turns; turn++)
            for (const auto& [down, eastwards] :
                 {std::pair(true, true), {false, false}, {true, false}, {false, true}}) {
                look_around();
                in_bands(rect_, [&](size_t band, int top, int bottom) {
                    for (int i = 0; i < bottom - top; i++) {
                        const Line one = line(down ? top + i : bottom - 1 - i, top, bottom, band);
                        if (eastwards) {
                            for (size_t x = 0; x < width_; x++) settle(one, x);
                        } else {
                            for (size_t x = width_; x-- > 0;) settle(one, x);
                        }
                    }
                });
                progress.check();
            }
        progress.advance(rect_.cells());
    }

    void put(Field& height) const {
        const Field::WritableRows to = height.writable_rows();
        in_parallel(size_t(rect_.height()), [&](size_t index) {
            const int y = rect_.top + int(index);
            for (size_t x = 0; x < width_; x++)
                if (kinds_[index * width_ + x] != SlopeKind::stays) to[y][x] = row(y)[x];
        });
    }

  private:
    float* row(int y) { return now_.data() + size_t(y - rect_.top + 1) * stride_ + 1; }
    const float* row(int y) const { return now_.data() + size_t(y - rect_.top + 1) * stride_ + 1; }

    // The rows above and below each band, as they are now.
    void look_around() {
        beside_.resize(2 * bands_of(rect_) * stride_);
        for (size_t band = 0; band < bands_of(rect_); band++) {
            const int top = rect_.top + int(band) * rows_of_band;
            const int bottom = std::min(top + rows_of_band, rect_.bottom);
            std::copy_n(row(top - 1) - 1, stride_, beside_.data() + 2 * band * stride_);
            std::copy_n(row(bottom) - 1, stride_, beside_.data() + (2 * band + 1) * stride_);
        }
    }

    // Of a row what a sweep reads and writes.
    struct Line {
        const float* above = nullptr;
        float* here = nullptr;
        const float* below = nullptr;
        const SlopeKind* kinds = nullptr;
        const float* cut = nullptr;
        const float* before = nullptr;
        const float* rates = nullptr;
        const float* steepest = nullptr;
    };
    Line line(int y, int top, int bottom, size_t band) {
        Line one;
        one.above = y == top ? beside_.data() + 2 * band * stride_ + 1 : row(y - 1);
        one.here = row(y);
        one.below = y + 1 == bottom ? beside_.data() + (2 * band + 1) * stride_ + 1 : row(y + 1);
        one.kinds = kinds_.data() + size_t(y - rect_.top) * width_;
        one.cut = cut_[y];
        one.before = before_[y];
        one.rates = rates_[y];
        one.steepest = wear_.steepest ? steepest_[y] : nullptr;
        return one;
    }

    void settle(const Line& line, size_t x) const {
        const SlopeKind kind = line.kinds[x];
        if (kind == SlopeKind::stays) return;
        const double west = line.here[ptrdiff_t(x) - 1], east = line.here[x + 1];
        const double north = line.above[x], south = line.below[x];
        const double north_west = line.above[ptrdiff_t(x) - 1], north_east = line.above[x + 1];
        const double south_west = line.below[ptrdiff_t(x) - 1], south_east = line.below[x + 1];
        const double across = std::min(west, east), down = std::min(north, south);
        const double falling = std::min(north_west, south_east), rising = std::min(north_east, south_west);
        const double a = std::min(across, down), b = std::max(across, down);
        const double c = std::min(falling, rising), d = std::max(falling, rising);
        double level = line.cut[x];
        if (kind == SlopeKind::wears) {
            const double before = line.before[x];
            const double rate = line.rates[x];
            if (wear_.slope_exponent == 1) {
                level = std::min(worn_evenly(before, a, b, rate * per_across_),
                                 worn_evenly(before, c, d, rate * per_aslant_));
            } else {
                const double now = line.here[x];
                level = std::min(worn_by_power(before, a, b, rate, across_, wear_.slope_exponent, now),
                                 worn_by_power(before, c, d, rate, aslant_, wear_.slope_exponent, now));
            }
        }
        const double stands = line.steepest ? double(line.steepest[x]) : double(wear_.stands);
        line.here[x] = float(standing(standing(level, a, b, stands * across_), c, d, stands * aslant_));
    }

    const Rect rect_;
    const size_t width_;
    const size_t stride_;  // a cell of nothing on either side
    const std::span<const SlopeKind> kinds_;
    const SlopeWear& wear_;
    const Field::Rows cut_, before_, rates_, steepest_;
    const double across_, aslant_;
    const double per_across_, per_aslant_;
    std::vector<float> now_;
    std::vector<float> beside_;
};

}  // namespace

void wear_slopes(Field& height, std::span<const SlopeKind> kinds, const SlopeWear& wear, Progress& progress) {
    const Field left = height;
    Sweeps sweeps(left, kinds, wear);
    sweeps.go(progress);
    sweeps.put(height);
}

}  // namespace caprock

#include "hydrology/slopes.h"

#include "base/mathematics.h"
#include "hydrology/rounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace caprock {

namespace {

// What is not there is higher than anything.
constexpr float nothing_there = std::numeric_limits<float>::infinity();
// From where rivers left it, down and up so often.
constexpr int turns = 2;

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

// As high as it may be above both neighbours across, where it rises by `rise` over their distance.
double standing(double a, double b, double rise) {
    if (!(a + rise > b)) return a + rise;
    const double across = a - b;
    return (a + b + std::sqrt(2 * rise * rise - across * across)) / 2;
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
          aslant_(wear.cell * std::sqrt(2.0)) {
        now_.assign(stride_ * size_t(rect_.height() + 2), nothing_there);
        for (int y = rect_.top; y < rect_.bottom; y++)
            for (size_t x = 0; x < width_; x++)
                if (const float level = cut_[y][x]; !is_missing(level)) row(y)[x] = level;
    }

    void go(Progress& progress) {
        for (int turn = 0; turn < turns; turn++)
            for (bool down : {true, false}) {
                look_around();
                in_bands(rect_, [&](size_t band, int top, int bottom) {
                    for (int i = 0; i < bottom - top; i++)
                        sweep(down ? top + i : bottom - 1 - i, top, bottom, band);
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

    // There and back along a row.
    void sweep(int y, int top, int bottom, size_t band) {
        const float* above = y == top ? beside_.data() + 2 * band * stride_ + 1 : row(y - 1);
        const float* below = y + 1 == bottom ? beside_.data() + (2 * band + 1) * stride_ + 1 : row(y + 1);
        float* here = row(y);
        const SlopeKind* kinds = kinds_.data() + size_t(y - rect_.top) * width_;
        const float* steepest = wear_.steepest ? steepest_[y] : nullptr;
        auto settle = [&](size_t x) {
            const SlopeKind kind = kinds[x];
            if (kind == SlopeKind::stays) return;
            const double beside[2] = {std::min(here[x - 1], here[x + 1]), std::min(above[x], below[x])};
            const double corners[2] = {std::min(above[x - 1], below[x + 1]),
                                       std::min(above[x + 1], below[x - 1])};
            const auto [a, b] = std::minmax(beside[0], beside[1]);
            const auto [c, d] = std::minmax(corners[0], corners[1]);
            double level = cut_[y][x];
            if (kind == SlopeKind::wears) {
                const double before = before_[y][x];
                const double rate = rates_[y][x];
                level =
                    wear_.slope_exponent == 1
                        ? std::min(worn_evenly(before, a, b, rate / across_),
                                   worn_evenly(before, c, d, rate / aslant_))
                        : std::min(worn_by_power(before, a, b, rate, across_, wear_.slope_exponent, here[x]),
                                   worn_by_power(before, c, d, rate, aslant_, wear_.slope_exponent, here[x]));
            }
            const double stands = steepest ? double(steepest[x]) : double(wear_.stands);
            here[x] =
                float(std::min({level, standing(a, b, stands * across_), standing(c, d, stands * aslant_)}));
        };
        for (size_t x = 0; x < width_; x++) settle(x);
        for (size_t x = width_; x-- > 0;) settle(x);
    }

    const Rect rect_;
    const size_t width_;
    const size_t stride_;  // a cell of nothing on either side
    const std::span<const SlopeKind> kinds_;
    const SlopeWear& wear_;
    const Field::Rows cut_, before_, rates_, steepest_;
    const double across_, aslant_;
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

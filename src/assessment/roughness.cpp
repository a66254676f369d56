#include "assessment/roughness.h"

#include "assessment/fits.h"

#include <algorithm>
#include <cmath>
#include <tbb/parallel_for.h>

namespace caprock {

namespace {

constexpr int fine_end = 8;
constexpr size_t fewest_scales = 3;
// A deviation of few pairs is one of chance.
constexpr int64_t fewest_pairs = 100;

// 1, 2, 3, 4, 6, 8, 12, 16 ... up to `most`.
std::vector<int> distances(int most) {
    std::vector<int> all;
    for (int octave = 1; octave <= most; octave *= 2) {
        all.push_back(octave);
        if (octave > 1 && octave + octave / 2 <= most) all.push_back(octave + octave / 2);
    }
    return all;
}

struct Squares {
    double sum = 0;
    int64_t pairs = 0;

    void add(float from, float to) {
        if (is_missing(from) || is_missing(to)) return;
        const double difference = double(to) - double(from);
        sum += difference * difference;
        pairs++;
    }
};

Squares squares_apart(const Field& height, int apart) {
    const Rect& rect = height.rect();
    const Field::Rows rows = height.rows();
    std::vector<Squares> of_row(static_cast<size_t>(rect.height()));
    tbb::parallel_for(rect.top, rect.bottom, [&](int y) {
        Squares& squares = of_row[size_t(y - rect.top)];
        for (int i = 0; i + apart < rect.width(); i++) squares.add(rows[y][i], rows[y][i + apart]);
        if (y + apart >= rect.bottom) return;
        for (int i = 0; i < rect.width(); i++) squares.add(rows[y][i], rows[y + apart][i]);
    });
    Squares all;
    for (const Squares& row : of_row) {
        all.sum += row.sum;
        all.pairs += row.pairs;
    }
    return all;
}

Measured exponent_of(const std::vector<Roughness::Scale>& scales, int from, int to) {
    std::vector<CurvePoint> points;
    for (const Roughness::Scale& scale : scales)
        if (scale.cells >= from && scale.cells <= to)
            points.push_back({double(scale.cells), scale.deviation});
    if (points.size() < fewest_scales) return Measured::none("too few cells a side");
    if (std::ranges::any_of(points, [](const CurvePoint& point) { return !(point.y > 0); }))
        return Measured::none("the land is level");
    return power_law_through(points)->slope;
}

}  // namespace

Roughness roughness(const Field& height, Progress& progress) {
    Roughness made;
    const Rect& rect = height.rect();
    const int side = rect.empty() ? 0 : std::min(rect.width(), rect.height());
    const std::vector<int> all = distances(side / 4);
    for (int apart : all) {
        const Squares squares = squares_apart(height, apart);
        if (squares.pairs >= fewest_pairs)
            made.scales.push_back({apart, std::sqrt(squares.sum / double(squares.pairs)), squares.pairs});
        progress.advance(rect.cells() / int64_t(all.size()));
    }
    made.fine = exponent_of(made.scales, 1, fine_end);
    made.broad = exponent_of(made.scales, fine_end, side / 8);
    return made;
}

}  // namespace caprock

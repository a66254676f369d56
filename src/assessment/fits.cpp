#include "assessment/fits.h"

#include "base/mathematics.h"

#include <algorithm>

namespace caprock {

namespace {

// Of an even number the mean of both in the middle.
double median_of(std::vector<float> values) {
    const size_t middle = values.size() / 2;
    std::ranges::nth_element(values, values.begin() + ptrdiff_t(middle));
    const double above = values[middle];
    if (values.size() % 2 == 1) return above;
    return (double(*std::max_element(values.begin(), values.begin() + ptrdiff_t(middle))) + above) / 2;
}

}  // namespace

std::optional<LineFit> line_through(std::span<const CurvePoint> points, std::span<const double> weights) {
    if (points.size() < 2) return std::nullopt;
    const auto weight = [&](size_t i) { return weights.empty() ? 1.0 : weights[i]; };
    double all = 0, mean_x = 0, mean_y = 0;
    for (size_t i = 0; i < points.size(); i++) {
        all += weight(i);
        mean_x += weight(i) * points[i].x;
        mean_y += weight(i) * points[i].y;
    }
    mean_x /= all;
    mean_y /= all;
    double squares = 0, products = 0;
    for (size_t i = 0; i < points.size(); i++) {
        const double x = points[i].x - mean_x;
        squares += weight(i) * x * x;
        products += weight(i) * x * (points[i].y - mean_y);
    }
    if (!(squares > 0)) return std::nullopt;
    const double slope = products / squares;
    return LineFit{slope, mean_y - slope * mean_x};
}

std::optional<LineFit> power_law_through(std::span<const CurvePoint> points) {
    std::vector<CurvePoint> logarithms;
    for (const CurvePoint& point : points)
        if (point.x > 0 && point.y > 0)
            logarithms.push_back({natural_logarithm(point.x), natural_logarithm(point.y)});
    return line_through(logarithms);
}

FactorBins::FactorBins(double first, double factor) : factor_(factor), edges_{first} {}

void FactorBins::add(double x, double y) {
    if (!(x >= edges_.front())) return;
    while (x >= edges_.back()) {
        edges_.push_back(edges_.back() * factor_);
        bins_.emplace_back();
    }
    const size_t bin = size_t(std::ranges::upper_bound(edges_, x) - edges_.begin()) - 1;
    bins_[bin].x.push_back(float(x));
    bins_[bin].y.push_back(float(y));
}

std::vector<FactorBins::Bin> FactorBins::medians(size_t least_points) const {
    std::vector<Bin> all;
    for (const Points& points : bins_)
        if (points.x.size() >= std::max<size_t>(least_points, 1))
            all.push_back({median_of(points.x), median_of(points.y), points.x.size()});
    return all;
}

std::vector<CurvePoint> points_of(std::span<const FactorBins::Bin> bins) {
    std::vector<CurvePoint> points;
    for (const FactorBins::Bin& bin : bins) points.push_back({bin.x, bin.y});
    return points;
}

}  // namespace caprock

// Lines through points, and medians of what is spread over many factors of ten. All sums are taken in the order of the points.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace caprock {

struct CurvePoint {
    double x = 0;
    double y = 0;

    bool operator==(const CurvePoint&) const = default;
};

// y = begin + slope x, by least squares.
struct LineFit {
    double slope = 0;
    double begin = 0;
};
// None unless there are two points with different x. With weights, one for each point, a point counts so many times.
std::optional<LineFit> line_through(std::span<const CurvePoint> points, std::span<const double> weights = {});
// y = e^begin x^slope: the same through the logarithms of points whose x and y are above 0.
std::optional<LineFit> power_law_through(std::span<const CurvePoint> points);

// Points sorted into bins of x, each as many times as wide as the one before: what is spread over factors counts evenly, however
// many more small ones there are.
class FactorBins {
  public:
    // The first bin begins at `first`; `factor` above 1.
    FactorBins(double first, double factor);

    // x below the first bin is left out.
    void add(double x, double y);

    struct Bin {
        double x = 0;  // the medians of both
        double y = 0;
        size_t count = 0;
    };
    // Of the bins with at least so many points, in the order of x.
    std::vector<Bin> medians(size_t least_points) const;

  private:
    struct Points {
        std::vector<float> x;
        std::vector<float> y;
    };
    double factor_;
    std::vector<double> edges_;  // of the bins there are, and one more
    std::vector<Points> bins_;
};

// The points of bins, as curves have them.
std::vector<CurvePoint> points_of(std::span<const FactorBins::Bin> bins);

}  // namespace caprock

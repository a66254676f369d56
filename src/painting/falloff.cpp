#include "painting/falloff.h"

#include "base/mathematics.h"

#include <algorithm>
#include <cmath>

namespace caprock {

double along_curve(const std::vector<double>& curve, double at) {
    if (curve.empty()) return 1;
    if (curve.size() == 1) return curve[0];
    double along = std::clamp(at, 0.0, 1.0) * double(curve.size() - 1);
    size_t before = std::min(size_t(along), curve.size() - 2);
    return curve[before] + (curve[before + 1] - curve[before]) * (along - double(before));
}

double Falloff::at(double distance) const {
    if (distance >= 1) return 0;
    if (!curve.empty()) return along_curve(curve, distance);
    auto raised = [&](double x) { return x > 0 ? caprock::power(x, power) : 0.0; };
    double inner = raised(1 - share);
    return std::clamp((1 - raised(distance)) / (1 - inner), 0.0, 1.0);
}

double Falloff::integral() const {
    constexpr int steps = 1024;
    double sum = 0;
    for (int i = 0; i < steps; i++) sum += at((i + 0.5) / steps);
    return 2 * sum / steps;
}

}  // namespace caprock

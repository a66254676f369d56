#include "assessment/measures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace caprock {

namespace {

using enum MeasureUnit;

template <Geomorphon form>
Measured share_of_form(const Assessment& land) {
    return land.share_of({form});
}

constexpr auto all_measures = std::to_array<Measure>({
    {"closed_hollows",
     "closed hollows",
     share,
     {0, 0.05},
     0,
     [](const Assessment& land) { return land.hollows.share; },
     "less water stands in them",
     "water stands in them instead of finding its way out"},
    {"hack_exponent",
     "Hack's exponent",
     number,
     {0.48, 0.55},
     0.005,
     [](const Assessment& land) { return land.hack.exponent; },
     "streams gather less into long valleys",
     "basins are longer and narrower, and streams run side by side"},
    {"concavity",
     "concavity",
     number,
     {0.18, 0.41},
     0.005,
     [](const Assessment& land) { return land.concavity.theta; },
     "streams get gentler by less as they grow",
     "streams are level sooner below their heads"},
    {"bifurcation_ratio",
     "bifurcation ratio",
     number,
     {4.3, 5.1},
     0.05,
     [](const Assessment& land) { return land.horton.bifurcation; },
     "fewer streams join each larger one",
     "more small streams join each larger one"},
    {"length_ratio",
     "length ratio",
     number,
     {1.5, 3.5},
     0,
     [](const Assessment& land) { return land.horton.length; },
     "large streams are longer than small ones by less",
     "large streams are longer than small ones by more"},
    {"area_ratio",
     "area ratio",
     number,
     {3, 6},
     0,
     [](const Assessment& land) { return land.horton.area; },
     "large streams drain more ground than small ones by less",
     "large streams drain more ground than small ones by more"},
    {"hypsometric_integral",
     "hypsometric integral",
     number,
     {0.15, 0.6},
     0,
     [](const Assessment& land) { return land.hypsometry.integral; },
     "more of the land is low, and less stands above it",
     "more of the land is high, and less is cut into it"},
    {"median_slope",
     "median slope",
     degrees,
     {3, 32},
     0,
     [](const Assessment& land) { return land.slopes.median; },
     "the land is gentler",
     "the land is steeper"},
    {"steep_slope",
     "slope of the steepest tenth",
     degrees,
     {8, 45},
     0,
     [](const Assessment& land) { return land.slopes.steep; },
     "even its steepest ground is gentler",
     "its steepest ground is steeper"},
    {"beyond_45_degrees",
     "steeper than 45°",
     share,
     {0, 0.08},
     0,
     [](const Assessment& land) { return land.slopes.beyond_45; },
     "less of it is cliffs",
     "more of it is cliffs"},
    {"flat",
     "flats",
     share,
     {0, 0.2},
     0,
     share_of_form<Geomorphon::flat>,
     "less of it is level to a degree",
     "more of it is level to a degree"},
    {"peak",
     "peaks",
     share,
     {0, 0.02},
     0,
     share_of_form<Geomorphon::peak>,
     "fewer tops stand by themselves",
     "more bumps stand by themselves"},
    {"ridge",
     "ridges",
     share,
     {0.06, 0.15},
     0.005,
     share_of_form<Geomorphon::ridge>,
     "fewer slopes meet in an edge",
     "more of it is edges"},
    {"shoulder",
     "shoulders",
     share,
     {0, 0.05},
     0,
     share_of_form<Geomorphon::shoulder>,
     "less level ground ends in a brink",
     "more level ground ends in a brink"},
    {"spur",
     "spurs",
     share,
     {0.18, 0.20},
     0.005,
     share_of_form<Geomorphon::spur>,
     "slopes have fewer spurs",
     "slopes have more spurs"},
    {"slope",
     "slopes",
     share,
     {0.29, 0.52},
     0.005,
     share_of_form<Geomorphon::slope>,
     "there is less plain slope between ridges and valleys",
     "slopes are plainer, and less is cut into them"},
    {"hollow",
     "hollows",
     share,
     {0.14, 0.18},
     0.005,
     share_of_form<Geomorphon::hollow>,
     "slopes have fewer hollows where water gathers",
     "slopes have more hollows"},
    {"footslope",
     "footslopes",
     share,
     {0, 0.05},
     0,
     share_of_form<Geomorphon::footslope>,
     "fewer slopes run out onto level ground",
     "more slopes run out onto level ground"},
    {"valley",
     "valleys",
     share,
     {0.06, 0.15},
     0.005,
     share_of_form<Geomorphon::valley>,
     "fewer slopes meet in a valley",
     "valleys lie closer to each other"},
    {"pit",
     "pits",
     share,
     {0, 0.02},
     0,
     share_of_form<Geomorphon::pit>,
     "fewer dents lie in it",
     "more dents lie in it"},
    {"fine_roughness",
     "roughness exponent, 1 to 8 cells",
     number,
     {0.7, 0.98},
     0,
     [](const Assessment& land) { return land.roughness.fine; },
     "near by it is rougher, as noise is",
     "near by it is smoother, as if it had been polished"},
    {"broad_roughness",
     "roughness exponent, from 8 cells",
     number,
     {0.2, 0.85},
     0,
     [](const Assessment& land) { return land.roughness.broad; },
     "far away it stands hardly higher or lower than near by",
     "far away it goes on rising as it does near by"},
});

// As many digits as tell it from its neighbours.
std::string share_digits(double percent) {
    const double size = std::abs(percent);
    const int digits = size == 0 || size >= 9.95 ? 0 : size >= 0.995 ? 1 : 2;
    return fmt::format("{:.{}f}", percent, digits);
}

// "0.5" for 0.50: of ranges, which are round.
std::string without_zeros(std::string text) {
    if (text.find('.') == std::string::npos) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
}

}  // namespace

std::span<const Measure> measures() { return all_measures; }

const Measure& measure_called(std::string_view key) {
    const auto found = std::ranges::find(all_measures, key, &Measure::key);
    if (found == all_measures.end()) throw std::logic_error("no measure is called " + std::string(key));
    return *found;
}

std::string measure_text(MeasureUnit unit, double value) {
    switch (unit) {
        case share:
            return share_digits(value * 100) + " %";
        case degrees:
            return fmt::format("{:.1f}°", value);
        case number:
            break;
    }
    return fmt::format("{:.2f}", value);
}

std::string measure_text(MeasureUnit unit, const Interval& range) {
    switch (unit) {
        case share:
            return fmt::format("{} to {} %", without_zeros(share_digits(range.low * 100)),
                               without_zeros(share_digits(range.high * 100)));
        case degrees:
            return fmt::format("{}° to {}°", without_zeros(fmt::format("{:.1f}", range.low)),
                               without_zeros(fmt::format("{:.1f}", range.high)));
        case number:
            break;
    }
    return fmt::format("{} to {}", without_zeros(fmt::format("{:.2f}", range.low)),
                       without_zeros(fmt::format("{:.2f}", range.high)));
}

}  // namespace caprock

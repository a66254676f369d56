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
     "",
     "water stands in them instead of finding its way out"},
    {"hack_exponent",
     "Hack's exponent",
     number,
     {0.48, 0.55},
     0.005,
     [](const Assessment& land) { return land.hack.exponent; },
     "streams do not gather into long valleys",
     "basins are long and narrow, and streams run side by side"},
    {"concavity",
     "concavity",
     number,
     {0.18, 0.41},
     0.005,
     [](const Assessment& land) { return land.concavity.theta; },
     "streams do not get gentler as they grow",
     "streams are steep at their heads and level soon below"},
    {"bifurcation_ratio",
     "bifurcation ratio",
     number,
     {4.3, 5.1},
     0.05,
     [](const Assessment& land) { return land.horton.bifurcation; },
     "few streams join each larger one",
     "many small streams join few large ones"},
    {"length_ratio",
     "length ratio",
     number,
     {1.5, 3.5},
     0,
     [](const Assessment& land) { return land.horton.length; },
     "large streams are hardly longer than small ones",
     "large streams are far longer than small ones"},
    {"area_ratio",
     "area ratio",
     number,
     {3, 6},
     0,
     [](const Assessment& land) { return land.horton.area; },
     "large streams drain hardly more ground than small ones",
     "large streams drain far more ground than small ones"},
    {"hypsometric_integral",
     "hypsometric integral",
     number,
     {0.15, 0.6},
     0,
     [](const Assessment& land) { return land.hypsometry.integral; },
     "nearly all of the land is low, with little that stands above it",
     "nearly all of the land is high, with little cut into it"},
    {"median_slope",
     "median slope",
     degrees,
     {3, 32},
     0,
     [](const Assessment& land) { return land.slopes.median; },
     "the land is nearly level",
     "hardly any of the land is gentle"},
    {"steep_slope",
     "slope of the steepest tenth",
     degrees,
     {8, 45},
     0,
     [](const Assessment& land) { return land.slopes.steep; },
     "even the steepest ground is gentle",
     "cliffs are no rare thing"},
    {"beyond_45_degrees",
     "steeper than 45°",
     share,
     {0, 0.08},
     0,
     [](const Assessment& land) { return land.slopes.beyond_45; },
     "",
     "more than loose ground and weathered rock bear"},
    {"flat",
     "flats",
     share,
     {0, 0.2},
     0,
     share_of_form<Geomorphon::flat>,
     "",
     "much of it is level to a degree"},
    {"peak", "peaks", share, {0, 0.02}, 0, share_of_form<Geomorphon::peak>, "", "bumps stand everywhere"},
    {"ridge",
     "ridges",
     share,
     {0.06, 0.15},
     0.005,
     share_of_form<Geomorphon::ridge>,
     "few slopes meet in an edge",
     "the land is all edges"},
    {"shoulder",
     "shoulders",
     share,
     {0, 0.05},
     0,
     share_of_form<Geomorphon::shoulder>,
     "",
     "level tops break off everywhere"},
    {"spur",
     "spurs",
     share,
     {0.18, 0.20},
     0.005,
     share_of_form<Geomorphon::spur>,
     "slopes have few spurs",
     "slopes are full of spurs"},
    {"slope",
     "slopes",
     share,
     {0.29, 0.52},
     0.005,
     share_of_form<Geomorphon::slope>,
     "there is little plain slope between ridges and valleys",
     "slopes are plain and little is cut into them"},
    {"hollow",
     "hollows",
     share,
     {0.14, 0.18},
     0.005,
     share_of_form<Geomorphon::hollow>,
     "slopes have few hollows where water gathers",
     "slopes are full of hollows"},
    {"footslope",
     "footslopes",
     share,
     {0, 0.05},
     0,
     share_of_form<Geomorphon::footslope>,
     "",
     "slopes run out onto level ground everywhere"},
    {"valley",
     "valleys",
     share,
     {0.06, 0.15},
     0.005,
     share_of_form<Geomorphon::valley>,
     "few slopes meet in a valley",
     "valleys lie close to each other"},
    {"pit", "pits", share, {0, 0.02}, 0, share_of_form<Geomorphon::pit>, "", "dents lie everywhere"},
    {"fine_roughness",
     "roughness exponent, 1 to 8 cells",
     number,
     {0.7, 0.98},
     0,
     [](const Assessment& land) { return land.roughness.fine; },
     "near by it is as rough as noise",
     "near by it is as smooth as if it had been polished"},
    {"broad_roughness",
     "roughness exponent, from 8 cells",
     number,
     {0.2, 0.85},
     0,
     [](const Assessment& land) { return land.roughness.broad; },
     "far away it stands no higher or lower than near by",
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

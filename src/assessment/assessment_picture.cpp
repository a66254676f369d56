#include "assessment/assessment_picture.h"

#include "assessment/chart.h"
#include "view/line_drawing.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace caprock {

namespace {

constexpr Bytes sheet_ground = bytes_of(0xf7f5efu);
constexpr Bytes sheet_ink = bytes_of(0x2b2a28u);
constexpr Bytes yardstick_ink = bytes_of(0x8a8780u);
constexpr Bytes range_ground = bytes_of(0xd9d5c8u);
constexpr int panel_width = 500, panel_height = 400, sheet_margin = 16, line_height = 24;
constexpr double square_kilometre = 1e6;

// A land, or the yardstick, as it is drawn everywhere.
struct Drawn {
    const Assessment* land;
    Bytes colour;
    double width;
};

using CurveOf = std::function<std::vector<CurvePoint>(const Assessment&)>;

class AssessmentSheet {
  public:
    AssessmentSheet(std::span<const AssessedLand> lands, const Yardstick& yardstick)
        : lands_(lands), yardstick_(yardstick) {
        if (yardstick.land) drawn_.push_back({&*yardstick.land, yardstick_ink, 3});
        for (size_t i = 0; i < lands.size(); i++)
            drawn_.push_back({&lands[i].assessment, colour_of_lines(i), 2});
        const int lines = int(lands.size()) + 1;
        header_ = sheet_margin + lines * line_height;
        const Size size{3 * panel_width + 2 * sheet_margin, header_ + 2 * panel_height + sheet_margin};
        picture_ = {size, std::vector<uint8_t>(size_t(size.cells()) * 3)};
        print_box(picture_, Rect::of(size), sheet_ground);
    }

    Picture drawn() {
        print_header();
        draw_hypsometry();
        draw_law({0, 1}, "Slope and area of streams", {"concavity"}, -1, "area, square km", "slope",
                 [](const Assessment& land) { return areas_of(land.concavity.bins); });
        draw_slopes();
        draw_law({1, 0}, "Hack's law", {"hack_exponent"}, 1, "area, square km", "length, km",
                 [](const Assessment& land) {
                     std::vector<CurvePoint> points = areas_of(land.hack.bins);
                     for (CurvePoint& point : points) point.y /= 1000;
                     return points;
                 });
        draw_law({1, 1}, "Roughness by scale", {"fine_roughness", "broad_roughness"}, 0, "distance, m",
                 "difference of heights, m", [](const Assessment& land) {
                     std::vector<CurvePoint> points;
                     for (const Roughness::Scale& scale : land.roughness.scales)
                         points.push_back({scale.cells * land.cell, scale.deviation});
                     return points;
                 });
        draw_landforms();
        return std::move(picture_);
    }

  private:
    struct Place {
        int row;
        int column;
    };

    static std::vector<CurvePoint> areas_of(std::span<const FactorBins::Bin> bins) {
        std::vector<CurvePoint> points = points_of(bins);
        for (CurvePoint& point : points) point.x /= square_kilometre;
        return points;
    }

    Rect box_of(const Place& place) const {
        const int left = sheet_margin + place.column * panel_width;
        const int top = header_ + place.row * panel_height;
        return {left, top, left + panel_width, top + panel_height};
    }

    void print_header() {
        constexpr Lettering letters{11, 0.14};
        double baseline = sheet_margin + letters.height;
        const auto line = [&](const std::vector<ChartWord>& words) {
            print_words(picture_, words, {double(sheet_margin) + 6, baseline}, letters);
            baseline += line_height;
        };
        const Measure& hollows = measure_called("closed_hollows");
        for (size_t i = 0; i < lands_.size(); i++) {
            const Assessment& land = lands_[i].assessment;
            int held = 0, unlike = 0;
            for (const Finding& finding : compared(land, yardstick_)) {
                held += finding.likeness != Likeness::unknown;
                unlike += finding.unlike();
            }
            const Measured share = hollows.value(land);
            std::vector<ChartWord> words{
                {shortened_text(lands_[i].name, letters, panel_width), colour_of_lines(i)}};
            if (share.known())
                words.push_back({"closed hollows " + measure_text(hollows.unit, share.value()), sheet_ink});
            words.push_back({fmt::format("unlike {} in {} of {} measures",
                                         shortened_text(yardstick_.name, letters, panel_width), unlike, held),
                             sheet_ink});
            line(words);
        }
        line({{yardstick_.land ? "grey: " + shortened_text(yardstick_.name, letters, panel_width)
                               : std::string("grey: where real land lies"),
               yardstick_ink}});
    }

    // What each land has of some measures, and what the yardstick has.
    std::vector<ChartWord> words_for(const std::vector<std::string_view>& keys) const {
        const auto text = [&](const std::function<std::string(const Measure&)>& of) {
            std::string joined;
            for (std::string_view key : keys)
                joined += (joined.empty() ? "" : ", ") + of(measure_called(key));
            return joined;
        };
        std::vector<ChartWord> words;
        // More than these have no room, and the table has them.
        constexpr size_t most_lands = 5;
        for (size_t i = 0; i < std::min(lands_.size(), most_lands); i++)
            words.push_back({text([&](const Measure& measure) {
                                 const Measured value = measure.value(lands_[i].assessment);
                                 return value.known() ? measure_text(measure.unit, value.value()) : "-";
                             }),
                             colour_of_lines(i)});
        words.push_back({text([&](const Measure& measure) {
                             const auto& range = yardstick_.ranges[size_t(&measure - measures().data())];
                             return range ? measure_text(measure.unit, *range) : "-";
                         }),
                         yardstick_ink});
        return words;
    }

    ChartAxis axis_of(std::string title, const CurveOf& curve, double CurvePoint::*part,
                      bool logarithmic) const {
        std::vector<double> values;
        for (const Drawn& each : drawn_)
            for (const CurvePoint& point : curve(*each.land)) values.push_back(point.*part);
        return ChartAxis::around(std::move(title), values, logarithmic);
    }

    void draw_curves(Chart& chart, const CurveOf& curve, bool dots) const {
        for (const Drawn& each : drawn_) chart.line(curve(*each.land), each.colour, each.width, dots);
    }

    void draw_hypsometry() {
        Chart chart(picture_, box_of({0, 0}), "Hypsometry", words_for({"hypsometric_integral"}),
                    {"share of the land that is higher", {0, 1}}, {"height, lowest to highest", {0, 1}});
        draw_curves(
            chart, [](const Assessment& land) { return land.hypsometry.curve; }, false);
    }

    // Two logarithmic axes: a power law is a straight line. `sign` is that of the exponent; with 0 none of the yardstick's are drawn.
    void draw_law(const Place& place, std::string_view title, const std::vector<std::string_view>& keys,
                  double sign, const std::string& across, const std::string& up, const CurveOf& curve) {
        Chart chart(picture_, box_of(place), title, words_for(keys),
                    axis_of(across, curve, &CurvePoint::x, true), axis_of(up, curve, &CurvePoint::y, true));
        if (sign != 0 && !yardstick_.land && !drawn_.empty())
            draw_fan(chart, curve(*drawn_.front().land), measure_called(keys.front()).real_land, sign);
        draw_curves(chart, curve, true);
    }

    // As steep as the laws of real land, through the middle of a curve.
    static void draw_fan(Chart& chart, const std::vector<CurvePoint>& points, const Interval& exponents,
                         double sign) {
        if (points.size() < 2) return;
        double middle_x = 0, middle_y = 0;
        for (const CurvePoint& point : points) {
            middle_x += std::log(point.x) / double(points.size());
            middle_y += std::log(point.y) / double(points.size());
        }
        for (double exponent : {exponents.low, exponents.high}) {
            std::vector<CurvePoint> line;
            constexpr int steps = 64;
            for (int i = 0; i <= steps; i++) {
                const double x =
                    std::lerp(std::log(points.front().x), std::log(points.back().x), double(i) / steps);
                line.push_back({std::exp(x), std::exp(middle_y + sign * exponent * (x - middle_x))});
            }
            chart.line(line, yardstick_ink, 1.2);
        }
    }

    void draw_slopes() {
        const CurveOf curve = [](const Assessment& land) {
            std::vector<CurvePoint> points;
            for (int degree = 0; degree < 90 && land.slopes.cells > 0; degree++)
                points.push_back({middle_of(degree), land.slopes.share(degree) * 100});
            while (!points.empty() && points.back().y == 0) points.pop_back();
            return points;
        };
        ChartAxis across = axis_of("slope, degrees", curve, &CurvePoint::x, false);
        across.range = {0, std::clamp(across.range.high, 20.0, 90.0)};
        Chart chart(picture_, box_of({0, 2}), "Slopes, median", words_for({"median_slope"}), across,
                    axis_of("% of the cells in a degree", curve, &CurvePoint::y, false));
        draw_curves(chart, curve, false);
    }
    // A bin of a degree stands in its middle.
    static double middle_of(int degree) { return degree + 0.5; }

    void draw_landforms() {
        static constexpr Geomorphon forms[] = {
            Geomorphon::peak,  Geomorphon::ridge,  Geomorphon::shoulder,  Geomorphon::spur,
            Geomorphon::slope, Geomorphon::hollow, Geomorphon::footslope, Geomorphon::valley,
            Geomorphon::pit,   Geomorphon::flat};
        std::vector<double> shares;
        for (const Drawn& each : drawn_)
            for (Geomorphon form : forms)
                if (const Measured share = each.land->share_of({form}); share.known())
                    shares.push_back(share.value() * 100);
        for (size_t i = 0; i < measures().size(); i++)
            if (const auto& range = yardstick_.ranges[i]; range && is_form(measures()[i]))
                shares.push_back(range->high * 100);
        Chart chart(picture_, box_of({1, 2}), "Landforms", {}, {"", {0, double(geomorphon_count)}},
                    ChartAxis::around("% of the cells", shares, false));
        for (size_t place = 0; place < geomorphon_count; place++) {
            const std::string_view form = name_of(forms[place]);
            const double left = double(place);
            const auto& range = yardstick_.ranges[size_t(&measure_called(form) - measures().data())];
            if (range) chart.bar(left + 0.04, left + 0.96, range->low * 100, range->high * 100, range_ground);
            const double wide = 0.76 / double(lands_.size());
            for (size_t i = 0; i < lands_.size(); i++) {
                const Measured share = lands_[i].assessment.share_of({forms[place]});
                const double from = left + 0.12 + double(i) * wide;
                if (share.known())
                    chart.bar(from, from + wide * 0.9, 0, share.value() * 100, colour_of_lines(i), 0.85f);
            }
            chart.name(left + 0.5, form);
        }
    }
    static bool is_form(const Measure& measure) {
        for (size_t form = 0; form < geomorphon_count; form++)
            if (measure.key == name_of(Geomorphon(form))) return true;
        return false;
    }

    std::span<const AssessedLand> lands_;
    const Yardstick& yardstick_;
    std::vector<Drawn> drawn_;
    int header_ = 0;
    Picture picture_;
};

}  // namespace

Picture assessment_picture(std::span<const AssessedLand> lands, const Yardstick& yardstick) {
    return AssessmentSheet(lands, yardstick).drawn();
}

}  // namespace caprock

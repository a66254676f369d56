#include "assessment/chart.h"

#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace caprock {

namespace {

constexpr Bytes chart_ink = bytes_of(0x2b2a28u);
constexpr Bytes chart_grid = bytes_of(0xdedbd2u);
constexpr Bytes chart_ground = bytes_of(0xfffffeu);
constexpr Lettering chart_title_letters{12, 0.15};
constexpr Lettering chart_letters{9, 0.14};
// Around the plot, inside the box: numbers to the left, numbers and a title below, title and words above.
constexpr int left_margin = 62, right_margin = 12, top_margin = 52, bottom_margin = 46;

void print_strokes(Picture& picture, const std::vector<InkLine>& strokes, const Bytes& colour) {
    Ink ink(picture.size);
    ink.draw(strokes);
    ink.print(picture, colour);
}

double position(const ChartAxis& axis, double value) {
    if (!axis.logarithmic) return (value - axis.range.low) / axis.range.span();
    return std::log(value / axis.range.low) / std::log(axis.range.high / axis.range.low);
}

// 1, 2 or 5 times a power of ten: some six steps.
double round_step(double span) {
    const double power = std::pow(10.0, std::floor(std::log10(span / 5)));
    for (double times : {1.0, 2.0, 5.0})
        if (times * power >= span / 6) return times * power;
    return 10 * power;
}

std::vector<double> ticks_of(const ChartAxis& axis) {
    std::vector<double> ticks;
    const auto within = [&](double value) {
        return value >= axis.range.low * (axis.logarithmic ? 0.9999 : 1) - 1e-9 * axis.range.span() &&
               value <= axis.range.high * (axis.logarithmic ? 1.0001 : 1) + 1e-9 * axis.range.span();
    };
    if (!axis.logarithmic) {
        const double step = round_step(axis.range.span());
        for (double n = std::ceil(axis.range.low / step - 1e-6); within(n * step); n++)
            ticks.push_back(n * step + 0.0);
        return ticks;
    }
    const double decades = std::log10(axis.range.high / axis.range.low);
    for (double power = std::floor(std::log10(axis.range.low)); power <= std::log10(axis.range.high); power++)
        for (double times : {1.0, 2.0, 5.0}) {
            const double value = times * std::pow(10.0, power);
            if (within(value) && (times == 1.0 || decades < 2.2)) ticks.push_back(value);
        }
    return ticks;
}

std::string tick_text(double value) { return fmt::format("{:.6g}", std::abs(value) < 1e-12 ? 0.0 : value); }

}  // namespace

ChartAxis ChartAxis::around(std::string title, std::span<const double> values, bool logarithmic) {
    ChartAxis axis{std::move(title), logarithmic ? Interval{1, 10} : Interval{0, 1}, logarithmic};
    std::vector<double> shown;
    for (double value : values)
        if (std::isfinite(value) && (!logarithmic || value > 0)) shown.push_back(value);
    if (shown.empty()) return axis;
    const auto [low, high] = std::ranges::minmax(shown);
    if (logarithmic) {
        const double room = std::max(std::pow(high / low, 0.04), 1.05);
        axis.range = {low / room, high * room};
    } else {
        axis.range = {std::min(low, 0.0), high > std::min(low, 0.0) ? high * 1.04 : std::min(low, 0.0) + 1};
    }
    return axis;
}

double print_words(Picture& picture, std::span<const ChartWord> words, const PixelPoint& at,
                   const Lettering& lettering) {
    double x = at.x;
    for (const ChartWord& word : words) {
        std::vector<InkLine> strokes;
        write_text(strokes, word.text, {x, at.y}, lettering);
        print_strokes(picture, strokes, word.colour);
        x += text_width(word.text, lettering) + lettering.height * 1.4;
    }
    return x;
}

Chart::Chart(Picture& picture, const Rect& box, std::string_view title, std::span<const ChartWord> words,
             const ChartAxis& across, const ChartAxis& up)
    : picture_(picture),
      plot_{box.left + left_margin, box.top + top_margin, box.right - right_margin,
            box.bottom - bottom_margin},
      across_(across),
      up_(up) {
    std::vector<InkLine> strokes;
    write_text(strokes, title, {double(plot_.left), box.top + 18.0}, chart_title_letters);
    print_strokes(picture_, strokes, chart_ink);
    print_words(picture_, words, {double(plot_.left), box.top + 40.0}, chart_letters);
    print_box(picture_, plot_, chart_ground);
    draw_axes(across, up);
}

PixelPoint Chart::at(double x, double y) const {
    return {plot_.left + position(across_, x) * plot_.width(),
            plot_.bottom - position(up_, y) * plot_.height()};
}

void Chart::draw_axes(const ChartAxis& across, const ChartAxis& up) {
    std::vector<InkLine> grid, letters;
    const double left = plot_.left, right = plot_.right, top = plot_.top, bottom = plot_.bottom;
    if (!across.title.empty())
        for (double value : ticks_of(across)) {
            const double x = left + position(across, value) * plot_.width();
            grid.push_back({{x, top}, {x, bottom}, 1, 1});
            write_text(letters, tick_text(value), {x, bottom + 17}, chart_letters, Anchor::middle);
        }
    for (double value : ticks_of(up)) {
        const double y = bottom - position(up, value) * plot_.height();
        grid.push_back({{left, y}, {right, y}, 1, 1});
        write_text(letters, tick_text(value), {left - 7, y + chart_letters.height / 2}, chart_letters,
                   Anchor::right);
    }
    print_strokes(picture_, grid, chart_grid);
    letters.push_back({{left, top}, {left, bottom}, 1.2f, 1});
    letters.push_back({{left, bottom}, {right, bottom}, 1.2f, 1});
    write_text(letters, across.title, {right, bottom + 36}, chart_letters, Anchor::right);
    write_text(letters, up.title, {left - 44, top}, chart_letters, Anchor::right, -90);
    print_strokes(picture_, letters, chart_ink);
}

void Chart::line(std::span<const CurvePoint> points, const Bytes& colour, double width, bool dots) {
    std::vector<InkLine> strokes;
    const Rect all = plot_.expanded(2);
    const auto seen = [&](const PixelPoint& point) {
        return point.x >= all.left && point.x <= all.right && point.y >= all.top && point.y <= all.bottom;
    };
    for (size_t i = 0; i < points.size(); i++) {
        const PixelPoint here = at(points[i].x, points[i].y);
        if (!seen(here)) continue;
        if (dots) strokes.push_back({here, here, float(width * 3.5), 1});
        if (i == 0) continue;
        const PixelPoint before = at(points[i - 1].x, points[i - 1].y);
        if (seen(before)) strokes.push_back({before, here, float(width), 1});
    }
    print_strokes(picture_, strokes, colour);
}

void Chart::bar(double from_x, double to_x, double from_y, double to_y, const Bytes& colour, float opacity) {
    const PixelPoint low = at(from_x, from_y), high = at(to_x, to_y);
    const Rect box{int(std::lround(low.x)), int(std::lround(high.y)), int(std::lround(high.x)),
                   int(std::lround(low.y))};
    print_box(picture_, box.intersected(plot_), colour, opacity);
}

void Chart::name(double x, std::string_view text) {
    std::vector<InkLine> letters;
    // Aslant, so that names of neighbours have room.
    write_text(letters, text, {at(x, up_.range.low).x + 4, plot_.bottom + 14.0}, chart_letters, Anchor::right,
               -30);
    print_strokes(picture_, letters, chart_ink);
}

}  // namespace caprock

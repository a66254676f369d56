#include "view/map_furniture.h"

#include "base/text.h"
#include "view/contour_lines.h"
#include "view/inspector.h"
#include "view/lettering.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace caprock {

namespace {

constexpr Bytes grid_ink = bytes_of(0x39404du);

// Digits that a step of this size changes.
std::string step_text(double value, double step) {
    int digits = std::clamp(int(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
    std::string text = fmt::format("{:.{}f}", value, digits);
    return text == fmt::format("-{:.{}f}", 0.0, digits) ? text.substr(1) : text;
}

// Kilometres where the step is a whole number of them.
std::string metres_text(double value, double step) {
    bool kilometres = step >= 1000 && std::fmod(step, 1000) == 0;
    return kilometres ? number_text(value / 1000) + " km" : step_text(value, step) + " m";
}

void print_letters(Picture& picture, const std::vector<InkLine>& strokes, double detail,
                   const MapPaper& paper) {
    Ink halo(picture.size);
    halo.draw(halo_of(strokes, 1.8 * detail));
    halo.print(picture, paper.box, 0.72f);
    Ink letters(picture.size);
    letters.draw(strokes);
    letters.print(picture, paper.ink);
}

struct Rectangle {
    double left, top, right, bottom;  // pixels
};

Rectangle terrain_on(const Picture& picture, const Terrain& terrain, const MapView& view) {
    WorldArea area = terrain.grid().area_of(terrain.rect());
    PixelPoint first = pixel_at(view, picture.size, {area.left, area.top});
    PixelPoint last = pixel_at(view, picture.size, {area.right, area.bottom});
    return {first.x, first.y, last.x, last.y};
}

// From metres on the map to what is written beside grid lines, along one axis.
struct Axis {
    double begin = 0;  // what is written at 0 metres
    double sign = 1;   // -1: what is written falls with the metres
    bool placed = false;
};

Axis axis_of(const Terrain& terrain, bool vertical) {
    const Georeference* place = terrain.georeference();
    if (!place) return {};
    const auto& t = place->transform;
    double cell = terrain.grid().cell;
    bool north_up = t[2] == 0 && t[4] == 0 && t[1] > 0 && t[5] < 0;
    // Degrees are no metres: the map has a grid of its own then.
    bool metres = std::fabs(t[1] - cell) < 1e-6 * cell && std::fabs(-t[5] - cell) < 1e-6 * cell;
    if (!north_up || !metres) return {};
    Coordinates origin = *terrain.coordinates_of({0, 0});
    return vertical ? Axis{origin.y, -1, true} : Axis{origin.x, 1, true};
}

struct GridLine {
    double pixel;
    std::string label;
};

std::vector<GridLine> lines_along(const Axis& axis, double first, double last, double centre, double middle,
                                  double metres_per_pixel, double metres) {
    double a = axis.begin + axis.sign * (centre + (first - middle) * metres_per_pixel);
    double b = axis.begin + axis.sign * (centre + (last - middle) * metres_per_pixel);
    std::vector<GridLine> lines;
    for (double n = std::ceil(std::min(a, b) / metres - 1e-9); n <= std::max(a, b) / metres + 1e-9; n++) {
        double written = n * metres + 0.0;  // never -0
        double pixel = ((written - axis.begin) * axis.sign - centre) / metres_per_pixel + middle;
        lines.push_back({pixel, axis.placed ? step_text(written, metres) : metres_text(written, metres)});
    }
    return lines;
}

}  // namespace

std::string field_title(const std::string& field) {
    std::string unit(quantity_of(field).unit);
    return unit.empty() ? field : field + ", " + unit;
}

void print_grid(Picture& picture, const Terrain& terrain, const MapView& view, double metres, double detail,
                std::span<const Rect> reserved, const MapPaper& paper) {
    Rectangle land = terrain_on(picture, terrain, view);
    double left = std::max(land.left, 0.0), right = std::min(land.right, double(picture.size.width));
    double top = std::max(land.top, 0.0), bottom = std::min(land.bottom, double(picture.size.height));
    if (left >= right || top >= bottom) return;
    Lettering lettering{8 * detail, 0.14};
    std::vector<InkLine> strokes, letters;
    float width = float(detail);
    double gap = 4 * detail;
    auto is_reserved = [&](double x, double baseline, double wide) {
        return std::ranges::any_of(reserved, [&](const Rect& other) {
            return x + wide > other.left && x < other.right && baseline > other.top &&
                   baseline - lettering.height < other.bottom;
        });
    };
    double taken = -1e9;
    for (const GridLine& line : lines_along(axis_of(terrain, false), left, right, view.centre.x,
                                            picture.size.width * 0.5, view.metres_per_pixel, metres)) {
        strokes.push_back({{line.pixel, top}, {line.pixel, bottom}, width, 1});
        double wide = text_width(line.label, lettering);
        double begin = line.pixel + gap;
        if (begin < taken || begin + wide > right - gap) continue;
        if (is_reserved(begin, top + gap + lettering.height, wide)) continue;
        write_text(letters, line.label, {begin, top + gap + lettering.height}, lettering);
        taken = begin + wide + 2 * gap;
    }
    taken = -1e9;
    std::vector<GridLine> rows = lines_along(axis_of(terrain, true), top, bottom, view.centre.y,
                                             picture.size.height * 0.5, view.metres_per_pixel, metres);
    std::ranges::sort(rows, {}, &GridLine::pixel);
    for (const GridLine& line : rows) {
        strokes.push_back({{left, line.pixel}, {right, line.pixel}, width, 1});
        double baseline = line.pixel - gap;
        // The uppermost corner belongs to the labels along the top.
        bool free = baseline - lettering.height > top + 2 * gap + lettering.height && baseline < bottom - gap;
        if (!free || baseline - lettering.height < taken) continue;
        if (is_reserved(left + gap, baseline, text_width(line.label, lettering))) continue;
        write_text(letters, line.label, {left + gap, baseline}, lettering);
        taken = baseline + gap;
    }
    Ink lines(picture.size);
    lines.draw(strokes);
    Ink around(picture.size);
    around.draw(halo_of(letters, 2 * detail));
    lines.spare(around);
    lines.print(picture, grid_ink, 0.38f);
    print_letters(picture, letters, detail, paper);
}

void print_border(Picture& picture, const Terrain& terrain, const MapView& view, double detail,
                  const MapPaper& paper) {
    Rectangle land = terrain_on(picture, terrain, view);
    float width = float(1.2 * detail);
    double inset = width / 2;
    PixelPoint a{land.left + inset, land.top + inset}, b{land.right - inset, land.top + inset};
    PixelPoint c{land.right - inset, land.bottom - inset}, d{land.left + inset, land.bottom - inset};
    std::vector<InkLine> strokes = {{a, b, width, 1}, {b, c, width, 1}, {c, d, width, 1}, {d, a, width, 1}};
    Ink lines(picture.size);
    lines.draw(strokes);
    lines.print(picture, paper.ink, 0.8f);
}

namespace {

struct LegendColumn {
    std::vector<std::pair<double, std::string>> ticks;  // values and their texts
    double width = 0;
};

// Where everything in a legend lies.
struct LegendLayout {
    Lettering lettering, heading;
    int pad, bar_width, bar_height;
    double tick;
    std::vector<LegendColumn> columns;
    Rect box;

    LegendLayout(Size picture, const std::vector<LegendBar>& bars, double detail)
        : lettering{8.5 * detail, 0.135},
          heading{9.5 * detail, 0.15},
          pad(int(std::lround(12 * detail))),
          bar_width(int(std::lround(14 * detail))),
          bar_height(int(std::lround(std::clamp(picture.height * 0.28, 90 * detail, 220 * detail)))),
          tick(4 * detail) {
        double total = 0;
        for (const LegendBar& bar : bars) {
            LegendColumn column;
            double span = bar.values.span();
            if (span > 0) {
                double step = round_number_from(span / std::max(bar_height / (26 * detail), 2.0));
                for (double n = std::ceil(bar.values.low / step - 1e-9);
                     n * step <= bar.values.high + step * 1e-9; n++)
                    column.ticks.push_back({n * step, step_text(n * step + 0.0, step)});
            } else {
                column.ticks.push_back({bar.values.low, number_text(float(bar.values.low))});
            }
            double widest = 0;
            for (const auto& [value, text] : column.ticks)
                widest = std::max(widest, text_width(text, lettering));
            column.width = std::max(text_width(bar.title, heading), bar_width + 2 * tick + widest);
            total += column.width + (columns.empty() ? 0 : pad);
            columns.push_back(std::move(column));
        }
        int width = int(std::ceil(total)) + 2 * pad;
        int height = bar_height + 2 * pad + int(std::lround(heading.height + 12 * detail));
        int margin = int(std::lround(14 * detail));
        int left = picture.width - width - margin, top = picture.height - height - margin;
        if (left >= 0 && top >= 0 && !bars.empty()) box = {left, top, left + width, top + height};
    }
};

}  // namespace

Rect legend_box(Size picture, const std::vector<LegendBar>& bars, double detail) {
    return LegendLayout(picture, bars, detail).box;
}

void print_legend(Picture& picture, const std::vector<LegendBar>& bars, double detail,
                  const MapPaper& paper) {
    LegendLayout layout(picture.size, bars, detail);
    if (layout.box.empty()) return;
    print_box(picture, layout.box, paper.box, 0.9f);
    std::vector<InkLine> strokes;
    double x = layout.box.left + layout.pad;
    int bar_top = layout.box.bottom - layout.pad - layout.bar_height;
    for (size_t i = 0; i < bars.size(); i++) {
        const LegendBar& bar = bars[i];
        int bar_left = int(x);
        write_text(strokes, bar.title, {x, layout.box.top + layout.pad + layout.heading.height},
                   layout.heading);
        double span = bar.values.span();
        for (int row = 0; row < layout.bar_height; row++) {
            double value = bar.values.high - (row + 0.5) / layout.bar_height * span;
            Bytes colour = bytes_of(bar.layer->at(bar.range.share(value)));
            print_box(picture, {bar_left, bar_top + row, bar_left + layout.bar_width, bar_top + row + 1},
                      colour);
        }
        float thin = float(detail);
        double l = bar_left, r = bar_left + layout.bar_width, t = bar_top, b = bar_top + layout.bar_height;
        for (const InkLine& side : {InkLine{{l, t}, {r, t}, thin, 1}, InkLine{{r, t}, {r, b}, thin, 1},
                                    InkLine{{r, b}, {l, b}, thin, 1}, InkLine{{l, b}, {l, t}, thin, 1}})
            strokes.push_back(side);
        for (const auto& [value, text] : layout.columns[i].ticks) {
            double share = span > 0 ? (value - bar.values.low) / span : 0.5;
            double y = b - share * layout.bar_height;
            strokes.push_back({{r, y}, {r + layout.tick, y}, thin, 1});
            write_text(strokes, text, {r + 2 * layout.tick, y + layout.lettering.height / 2},
                       layout.lettering);
        }
        x += layout.columns[i].width + layout.pad;
    }
    Ink lines(picture.size);
    lines.draw(strokes);
    lines.print(picture, paper.ink);
}

namespace {

struct ScaleBar {
    Lettering lettering;
    double metres, length, left, bottom, thick, baseline;
    std::string end;
    Rect box;

    ScaleBar(Size picture, const MapView& view, double detail) : lettering{8.5 * detail, 0.14} {
        double longest = std::min(picture.width * 0.3, 180 * detail) * view.metres_per_pixel;
        // The largest round length that is no longer.
        metres = round_number_from(longest);
        while (metres > longest * (1 + 1e-9)) metres = round_number_from(metres / 2.6);
        length = metres / view.metres_per_pixel;
        double margin = 18 * detail;
        end = text(1) + (metres >= 1000 ? " km" : " m");
        // Its last label stands beyond the bar on both sides.
        double wide = text_width(end, lettering);
        left = margin + wide * 0.2;
        bottom = picture.height - margin;
        thick = 5 * detail;
        baseline = bottom - thick - 5 * detail;
        double top = baseline - lettering.height;
        if (top > margin && left + length + wide / 2 < picture.width && length >= 8)
            box = {int(left - margin / 2), int(top - margin / 3), int(left + length + wide / 2 + margin / 3),
                   int(bottom + margin / 3)};
    }

    std::string text(double share) const { return number_text(metres * share / (metres >= 1000 ? 1000 : 1)); }
};

}  // namespace

Rect scale_bar_box(Size picture, const MapView& view, double detail) {
    return ScaleBar(picture, view, detail).box;
}

void print_scale_bar(Picture& picture, const MapView& view, double detail, const MapPaper& paper) {
    ScaleBar bar(picture.size, view, detail);
    if (bar.box.empty()) return;
    auto place = [&](double share) { return bar.left + bar.length * share; };
    std::vector<InkLine> letters;
    auto write = [&](const std::string& text, double share) {
        write_text(letters, text, {place(share), bar.baseline}, bar.lettering, Anchor::middle);
    };
    write("0", 0);
    if (bar.length > 90 * detail) write(bar.text(0.5), 0.5);
    write(bar.end, 1);
    print_letters(picture, letters, detail, paper);

    int top = int(std::lround(bar.bottom - bar.thick)), bottom = int(std::lround(bar.bottom));
    int edge = std::max(int(std::lround(detail)), 1);
    auto column = [&](double share) { return int(std::lround(place(share))); };
    print_box(picture, {column(0) - edge, top - edge, column(1) + edge, bottom + edge}, paper.ink);
    for (int i = 0; i < 4; i++)
        print_box(picture, {column(i / 4.0), top, column((i + 1) / 4.0), bottom},
                  i % 2 ? paper.box : paper.ink);
}

}  // namespace caprock

// A map is drawn in layers: the ground, coloured and lit pixel by pixel; water; contour lines and their heights; grid
// and legend.
#include "view/map.h"

#include "base/error.h"
#include "base/mathematics.h"
#include "base/text.h"
#include "view/contour_labels.h"
#include "view/hillshade.h"
#include "view/map_furniture.h"
#include "view/palette.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace caprock {

namespace {

constexpr Bytes day = bytes_of(0xf7f5efu);
constexpr Bytes night = bytes_of(0x1d1f2bu);
constexpr Bytes water_ink = bytes_of(0x2f6f9fu);

// The pixels that are drawn, of which picture.
struct Sheet {
    MapView view;
    Size picture;
    Rect part;

    Surface sampled(MapPyramid& pyramid, const std::string& field, MapSampling sampling = MapSampling::smooth,
                    double coarser = 1) const {
        return pyramid.sampled(field, view, picture, part, sampling, coarser);
    }
    // How many pixels the cells of the ground's form are wide.
    double coarser() const { return std::max(4.0, std::max(picture.width, picture.height) / 64.0); }
};

// ---- what the ground is coloured by ----------------------------------------------------------------------

// A layer's colours as light, by value, in steps that no picture shows.
class Colouring {
  public:
    Colouring(const ColourLayer& layer, const ColourRange& range)
        : middle_(float(range.middle)),
          per_below_(range.middle > range.low ? float(half / (range.middle - range.low)) : 0.0f),
          per_above_(range.high > range.middle ? float(half / (range.high - range.middle)) : 0.0f) {
        for (int i = 0; i < 2 * half; i++) lights_.push_back(layer.at((i + 0.5) / (2 * half)));
        if (per_below_ == 0) std::fill_n(lights_.begin(), half, lights_[half]);
    }

    const Light& of(float value) const {
        constexpr float last = half - 1;
        float above = value - middle_;
        int step = above < 0 ? half - 1 - int(std::min(-above * per_below_, last))
                             : half + int(std::min(above * per_above_, last));
        return lights_[size_t(step)];
    }

  private:
    static constexpr int half = 512;
    float middle_, per_below_, per_above_;
    std::vector<Light> lights_;
};

struct Tint {
    const ColourLayer* layer;
    std::string field;
    ColourRange range;
    Colouring colouring;
    std::shared_ptr<const Surface> values;
};

ColourRange range_of(MapPyramid& pyramid, const ColourLayer& layer, const std::string& field,
                     const MapOptions& options) {
    return options.values ? colour_range(*options.values)
                          : colour_range(layer, pyramid.extent(field), options.sea_level);
}

// The heights, where they have been sampled already, are not sampled again.
std::vector<Tint> tints_of(MapPyramid& pyramid, const ColourScheme& scheme, const Sheet& sheet,
                           const MapOptions& options, const std::shared_ptr<const Surface>& heights) {
    std::vector<Tint> tints;
    for (const ColourLayer& layer : scheme.layers) {
        std::string field = scheme.field_of(layer, options.field);
        ColourRange range = range_of(pyramid, layer, field, options);
        MapSampling sampling = is_index(field) ? MapSampling::picked : MapSampling::smooth;
        std::shared_ptr<const Surface> values = is_ground(field) ? heights : nullptr;
        if (!values) values = std::make_shared<Surface>(sheet.sampled(pyramid, field, sampling));
        tints.push_back({&layer, field, range, Colouring(layer, range), values});
    }
    return tints;
}

// A height of the sea: where the scheme draws one at all.
bool under_sea(const std::vector<Tint>& tints, double height, double sea_level) {
    const Tint& tint = tints.front();
    return tint.layer->seam && tint.range.low < tint.range.middle && height < sea_level;
}

// ---- light -----------------------------------------------------------------------------------------------

// Maps are drawn again and again under the same light, and the table takes longer than a small part of a map.
std::shared_ptr<const ShadeTable> shade_table(const ShadeOptions& options) {
    static std::mutex guard;
    static std::pair<ShadeOptions, std::shared_ptr<const ShadeTable>> last;
    std::lock_guard lock(guard);
    if (!last.second || last.first != options) last = {options, std::make_shared<ShadeTable>(Shade(options))};
    return last.second;
}

// The part of the ground that is lit: slopes of the surface and of its blurred form.
class Lit {
  public:
    Lit(MapPyramid& pyramid, const Surface& heights, const Sheet& sheet, const ColourScheme& scheme,
        const MapOptions& options)
        : heights_(heights),
          form_(sheet.sampled(pyramid, "height", MapSampling::smooth, sheet.coarser())),
          slopes_(heights_, sheet.view.metres_per_pixel, sheet.view.metres_per_pixel),
          form_slopes_(form_, sheet.view.metres_per_pixel, sheet.view.metres_per_pixel),
          shade_(shade_table(shade_options(scheme, options))) {
        MapPyramid::Measures typical = pyramid.measures(sheet.view, sheet.coarser());
        double of_form = form_share(typical.slope, typical.form_slope);
        fine_ = float((total_share - of_form) * steepening_of(typical.slope, options.exaggeration));
        wide_ = float(of_form * steepening_of(typical.form_slope, options.exaggeration));
        // An even slope departs from its form by rounding alone, which is nothing to draw.
        double usual =
            std::max(typical.departure, 0.04 * typical.slope * sheet.coarser() * sheet.view.metres_per_pixel);
        per_departure_ = usual > 0 ? float(std::clamp(options.exaggeration, -1.0, 1.0) / usual) : 0.0f;
    }

    Gradient slope(int x, int y) const { return slopes_.at(x, y); }

    Light on(int x, int y, const Gradient& fine, float clear) const {
        bool formless = is_missing(form_.row(y)[x]);
        Gradient wide = formless ? fine : form_slopes_.at(x, y);
        Gradient lit = {(fine.x * fine_ + wide.x * wide_) * clear, (fine.y * fine_ + wide.y * wide_) * clear};
        float departure = formless ? 0.0f : heights_.row(y)[x] - form_.row(y)[x];
        return shade_->on(lit, std::clamp(departure * per_departure_, -1e6f, 1e6f) * clear);
    }

  private:
    static ShadeOptions shade_options(const ColourScheme& scheme, const MapOptions& options) {
        ShadeOptions shade{options.azimuth, options.elevation};
        shade.many = options.hillshade == Hillshade::multi;
        shade.colours = scheme.light;
        return shade;
    }

    const Surface& heights_;
    Surface form_;
    Slopes slopes_;
    Slopes form_slopes_;
    std::shared_ptr<const ShadeTable> shade_;
    float fine_ = 1;
    float wide_ = 0;
    float per_departure_ = 0;
};

// ---- water -----------------------------------------------------------------------------------------------

// A film of rain is no lake. What water there is decides how deep it has to be to be drawn, and to hide the ground.
constexpr double usual_deepest = 1;
constexpr float shown_from = 0.18f;
constexpr float hides_from = 0.45f;
constexpr float most_hidden = 0.94f;

class Waters {
  public:
    Waters(MapPyramid& pyramid, const ColourScheme& scheme, const Sheet& sheet)
        : layer_(scheme.layers[0].seam ? scheme.layers[0] : colour_scheme("earth").layers[0]),
          depths_(sheet.sampled(pyramid, "water")),
          per_deepest_(float(1 / std::max(pyramid.extent("water").usual.high, usual_deepest))) {}

    float cover(int x, int y) const {
        float depth = depths_.row(y)[x] * per_deepest_;
        return depth > shown_from ? soft_step(shown_from, hides_from, depth) * most_hidden : 0.0f;
    }
    bool hides(const PixelPoint& at) const {
        Size size = depths_.size();
        return cover(std::clamp(int(at.x), 0, size.width - 1), std::clamp(int(at.y), 0, size.height - 1)) >
               0.5f;
    }
    Light colour(int x, int y) const {
        float depth = std::clamp(depths_.row(y)[x] * per_deepest_, 0.0f, 1.0f);
        return layer_.at(0.499 - 0.499 * depth);
    }

  private:
    const ColourLayer& layer_;  // its lower half: the sea's colours
    Surface depths_;
    float per_deepest_;
};

// ---- the ground ------------------------------------------------------------------------------------------

// Whether a pixel's middle lies on the terrain, of whose cells these are the first and the one past the last.
std::vector<bool> on_terrain(const Grid& grid, double centre, double metres_per_pixel, int count, int first,
                             int end, int first_cell, int end_cell) {
    std::vector<bool> on;
    for (int i = first; i < end; i++) {
        // As sampling finds its cells: a middle on the very edge must not be drawn without a cell.
        double under = grid.nearest_cell(centre + (i + 0.5 - count * 0.5) * metres_per_pixel);
        on.push_back(under >= first_cell && under < end_cell);
    }
    return on;
}

// Known, where it is asked for: 0 for the pixels that are missing.
Picture paint_ground(MapPyramid& pyramid, const Sheet& sheet, const MapOptions& options,
                     const std::vector<Tint>& tints, const Surface* heights, const Waters* waters,
                     std::vector<uint8_t>* known) {
    const ColourScheme& scheme = colour_scheme(options.scheme);
    const Palette& palette = Palette::relief();
    std::unique_ptr<Lit> lit;
    if (options.hillshade != Hillshade::none)
        lit = std::make_unique<Lit>(pyramid, *heights, sheet, scheme, options);
    const Grid& grid = pyramid.terrain().grid();
    const Rect& rect = pyramid.terrain().rect();
    const Rect& part = sheet.part;
    double metres = sheet.view.metres_per_pixel;
    std::vector<bool> columns = on_terrain(grid, sheet.view.centre.x, metres, sheet.picture.width, part.left,
                                           part.right, rect.left, rect.right);
    std::vector<bool> rows = on_terrain(grid, sheet.view.centre.y, metres, sheet.picture.height, part.top,
                                        part.bottom, rect.top, rect.bottom);

    Size size = part.size();
    Picture picture{size, std::vector<uint8_t>(size_t(size.cells()) * 3)};
    for_rows(size.height, [&](int y) {
        uint8_t* pixel = picture.rgb.data() + size_t(y) * size_t(size.width) * 3;
        auto put = [&](int x, const Bytes& colour) {
            pixel[x * 3] = colour.red;
            pixel[x * 3 + 1] = colour.green;
            pixel[x * 3 + 2] = colour.blue;
        };
        for (int x = 0; x < size.width; x++) {
            if (!rows[size_t(y)] || !columns[size_t(x)]) {
                put(x, options.paper.sheet);
                continue;
            }
            bool there = !heights || !is_missing(heights->row(y)[x]);
            Light tint{};
            for (const Tint& part : tints) {
                float value = part.values->row(y)[x];
                if (is_missing(value)) {
                    there = false;
                    break;
                }
                tint = tint + part.colouring.of(value);
            }
            if (!there) {
                put(x, options.paper.missing_at(part.left + x, part.top + y));
                if (known) (*known)[size_t(y) * size_t(size.width) + size_t(x)] = 0;
                continue;
            }
            float height = tints.front().values->row(y)[x];
            bool wet = under_sea(tints, height, options.sea_level);
            float clear = wet ? under_water : 1.0f;
            Gradient slope = lit ? lit->slope(x, y) : Gradient{0, 0};
            if (scheme.rock_on_slopes && !wet) {
                float steepness = length(slope);
                if (float bare = bareness(steepness); bare > 0) {
                    float share = 2 * float(tints.front().range.share(height)) - 1;
                    tint = mixed(tint, palette.rock(share), bare);
                }
            }
            if (waters) {
                float cover = waters->cover(x, y);
                if (cover > 0) tint = mixed(tint, waters->colour(x, y), cover);
                clear *= 1 - 0.7f * cover;
            }
            put(x, lit ? palette.encoded(tint * lit->on(x, y, slope, clear)) : bytes_of(tint));
        }
    });
    return picture;
}

// ---- contour lines ---------------------------------------------------------------------------------------

// Where lines come closer than this, pixels apart, they begin to fade, and are gone: steep ground is drawn by its
// shading and the strong lines.
constexpr float crowded = 3.4f;
constexpr float too_crowded = 1.7f;

constexpr double most_lines = 4000;

// Rings smaller than this, pixels along them, are specks and no hills.
constexpr double shortest_ring = 16;

double length_of(const ContourLine& line) {
    double length = 0;
    for (size_t i = 1; i < line.points.size(); i++)
        length +=
            std::hypot(line.points[i].x - line.points[i - 1].x, line.points[i].y - line.points[i - 1].y);
    return length;
}

std::vector<ContourLine> drawn_lines(const Surface& heights, double interval, double detail) {
    std::vector<ContourLine> lines = contour_lines(heights, interval);
    std::erase_if(lines, [&](const ContourLine& line) {
        return line.closed && line.points.size() < 64 && length_of(line) < shortest_ring * detail;
    });
    return lines;
}

class Contours {
  public:
    // Without heights written on them, where no places for those are given.
    Contours(const Surface& heights, double interval, const std::vector<Rect>* reserved, double detail)
        : heights_(heights),
          interval_(interval),
          detail_(float(detail)),
          lettering_{7.6 * detail, 0.15},
          lines_(drawn_lines(heights, interval, detail)),
          labels_(reserved ? place_labels(lines_, heights.size(), lettering_, *reserved)
                           : std::vector<ContourLabel>()) {}

    // In the scheme's ink, and in water's where a line of this level is wet.
    template <typename Wet>
    void print(Picture& picture, const Bytes& ink, Wet wet) const {
        std::vector<InkLine> dry_lines, wet_lines, dry_letters, wet_letters;
        size_t next = 0;
        for (size_t i = 0; i < lines_.size(); i++) {
            double level = lines_[i].level;
            size_t first = next;
            while (next < labels_.size() && labels_[next].line == i) next++;
            std::span<const ContourLabel> own(labels_.data() + first, next - first);
            add_line(lines_[i], own, [&](const InkLine& stroke, const PixelPoint& middle) {
                (wet(level, middle) ? wet_lines : dry_lines).push_back(stroke);
            });
            for (const ContourLabel& label : own)
                add_letters(wet(level, label.middle) ? wet_letters : dry_letters, label);
        }
        std::vector<InkLine> all = dry_letters;
        all.insert(all.end(), wet_letters.begin(), wet_letters.end());
        Ink around(picture.size);
        around.draw(halo_of(all, 2.2 * detail_));
        auto lay = [&](const std::vector<InkLine>& lines, const std::vector<InkLine>& letters,
                       const Bytes& colour) {
            Ink drawn(picture.size);
            drawn.draw(lines);
            drawn.spare(around);
            drawn.print(picture, colour, 0.85f);
            Ink written(picture.size);
            written.draw(letters);
            written.print(picture, colour);
        };
        // A breath of day below the letters, or of night below pale ones; the lines beside them are kept away.
        bool pale = lab_of(light_of(ink)).lightness > 0.75f;
        around.print(picture, pale ? night : day, 0.45f);
        lay(dry_lines, dry_letters, ink);
        if (!wet_lines.empty()) lay(wet_lines, wet_letters, water_ink);
    }

  private:
    // How far the next line is, in pixels.
    float spacing(const PixelPoint& at, bool strong) const {
        Size size = heights_.size();
        int x = std::clamp(int(at.x), 0, size.width - 1), y = std::clamp(int(at.y), 0, size.height - 1);
        Gradient rise = Slopes(heights_, 1, 1).at(x, y);
        float steepness = is_missing(rise.x) ? 0.0f : length(rise);
        double interval = interval_ * (strong ? 5 : 1);
        return steepness > 0 ? float(interval / steepness) : 1e9f;
    }

    template <typename Add>
    void add_line(const ContourLine& line, std::span<const ContourLabel> labels, Add add) const {
        float width = (line.strong ? 1.25f : 0.72f) * detail_;
        double along = 0;
        size_t count = line.points.size();
        for (size_t i = 1; i < count + (line.closed ? 1 : 0); i++) {
            const PixelPoint& from = line.points[i - 1];
            const PixelPoint& to = line.points[i % count];
            double length = std::hypot(to.x - from.x, to.y - from.y);
            double middle = along + length / 2;
            along += length;
            bool open = std::ranges::any_of(labels, [&](const ContourLabel& label) {
                return middle > label.begin && middle < label.end;
            });
            if (open) continue;
            // In its middle, so that it does not matter from which end a line was found.
            PixelPoint here{(from.x + to.x) / 2, (from.y + to.y) / 2};
            float room = spacing(here, line.strong) / detail_;
            float strength = std::clamp((room - too_crowded) / (crowded - too_crowded), 0.0f, 1.0f);
            if (strength > 0) add(InkLine{from, to, width, strength}, here);
        }
    }

    void add_letters(std::vector<InkLine>& strokes, const ContourLabel& label) const {
        // From the middle of the letters down to their baseline.
        double down = lettering_.height / 2, angle = label.angle * pi / 180;
        PixelPoint at{label.middle.x - down * std::sin(angle), label.middle.y + down * std::cos(angle)};
        write_text(strokes, label.text, at, lettering_, Anchor::middle, label.angle);
    }

    const Surface& heights_;
    double interval_;
    float detail_;
    Lettering lettering_;
    std::vector<ContourLine> lines_;
    std::vector<ContourLabel> labels_;
};

void check_interval(const char* what, double metres, double span, double most) {
    if (!(metres > 0) || !std::isfinite(metres))
        throw Error(fmt::format("{} {}: must be more than 0 metres", what, number_text(metres)));
    if (span / metres > most)
        throw Error(fmt::format("{} {}: would be more than {} lines in {} m; at least {} m apart", what,
                                number_text(metres), most, number_text(std::round(span)),
                                number_text(round_number_from(span / most))));
}

// Cells as squares: the ground at one pixel for a cell, each then drawn as large as it is.
MapView cell_view(const MapPyramid& pyramid, const MapView& view, Size size, Rect& cells) {
    const Grid& grid = pyramid.terrain().grid();
    WorldPoint first = point_at(view, size, {0, 0}),
               last = point_at(view, size, {double(size.width), double(size.height)});
    auto number = [&](double metres, int low, int high) {
        return int(std::clamp(grid.nearest_cell(metres), double(low), double(high)));
    };
    const Rect& rect = pyramid.terrain().rect();
    cells = {number(first.x, rect.left, rect.right - 1), number(first.y, rect.top, rect.bottom - 1),
             number(last.x, rect.left, rect.right - 1) + 1, number(last.y, rect.top, rect.bottom - 1) + 1};
    return fitted(cells, grid, cells.size());
}

bool drawn_as_squares(const MapPyramid& pyramid, const MapView& view, const MapOptions& options) {
    return options.crisp && view.metres_per_pixel < pyramid.terrain().grid().cell;
}

Picture squares_of(const Picture& cells, const Rect& which, const std::vector<uint8_t>& known,
                   const Grid& grid, const MapView& view, Size size, const Rect& terrain,
                   const MapPaper& paper) {
    Picture picture{size, std::vector<uint8_t>(size_t(size.cells()) * 3)};
    for_rows(size.height, [&](int y) {
        uint8_t* pixel = picture.rgb.data() + size_t(y) * size_t(size.width) * 3;
        for (int x = 0; x < size.width; x++, pixel += 3) {
            WorldPoint point = point_at(view, size, {x + 0.5, y + 0.5});
            double column = grid.nearest_cell(point.x), row = grid.nearest_cell(point.y);
            Bytes colour = paper.sheet;
            if (column >= terrain.left && column < terrain.right && row >= terrain.top &&
                row < terrain.bottom) {
                size_t at =
                    size_t(int(row) - which.top) * size_t(which.width()) + size_t(int(column) - which.left);
                const uint8_t* from = cells.rgb.data() + at * 3;
                colour = known[at] ? Bytes{from[0], from[1], from[2]} : paper.missing_at(x, y);
            }
            pixel[0] = colour.red;
            pixel[1] = colour.green;
            pixel[2] = colour.blue;
        }
    });
    return picture;
}

Interval drawn_heights(const Surface& heights) {
    Size size = heights.size();
    std::vector<Interval> of_rows(size_t(size.height), Interval{1e300, -1e300});
    for_rows(size.height, [&](int y) {
        for (int x = 0; x < size.width; x++) {
            double height = heights.row(y)[x];
            if (std::isnan(height)) continue;
            of_rows[size_t(y)].low = std::min(of_rows[size_t(y)].low, height);
            of_rows[size_t(y)].high = std::max(of_rows[size_t(y)].high, height);
        }
    });
    Interval all{1e300, -1e300};
    for (const Interval& row : of_rows) all = {std::min(all.low, row.low), std::max(all.high, row.high)};
    return all;
}

}  // namespace

double suitable_contours(MapPyramid& pyramid, const MapView& view, double detail) {
    // Five pixels apart on the steeper ground.
    double rise = pyramid.measures(view, 8).slope * view.metres_per_pixel * 5 * detail;
    // And no more than this many in all, for terrains of cliffs.
    double least = pyramid.extent("height").usual.span() / 120;
    double wanted = std::max(rise, least);
    return wanted > 0 ? round_number_from(wanted) : 10;
}

double suitable_grid(const MapView& view, double detail) {
    return round_number_from(75 * detail * view.metres_per_pixel);
}

namespace {

// What a map shows of a field, and from where to where its colours go.
std::vector<LegendBar> legend_bars(MapPyramid& pyramid, const MapOptions& options) {
    const ColourScheme& scheme = colour_scheme(options.scheme);
    std::vector<LegendBar> bars;
    for (const ColourLayer& layer : scheme.layers) {
        std::string field = scheme.field_of(layer, options.field);
        ColourRange range = range_of(pyramid, layer, field, options);
        bars.push_back({field_title(field), &layer, range, {range.low, range.high}});
    }
    return bars;
}

// Nothing else is written where they lie.
std::vector<Rect> furniture_boxes(MapPyramid& pyramid, const MapView& view, Size size,
                                  const MapOptions& options) {
    std::vector<Rect> boxes;
    if (options.legend) boxes.push_back(legend_box(size, legend_bars(pyramid, options), options.detail));
    if (options.scale_bar) boxes.push_back(scale_bar_box(size, view, options.detail));
    return boxes;
}

Picture draw_part(MapPyramid& pyramid, const Sheet& sheet, const MapOptions& options) {
    const ColourScheme& scheme = colour_scheme(options.scheme);
    const Terrain& terrain = pyramid.terrain();
    if (options.values && !(options.values->span() > 0))
        throw Error(
            fmt::format("values {}: the low end must be below the high end", interval_text(*options.values)));
    bool needs_heights = options.hillshade != Hillshade::none || options.contours;
    bool whole = sheet.part == Rect::of(sheet.picture);

    std::vector<Tint> tints;
    std::shared_ptr<const Surface> heights;
    std::unique_ptr<Waters> waters;
    auto look = [&](const Sheet& at) {
        if (needs_heights) heights = std::make_shared<Surface>(at.sampled(pyramid, "height"));
        tints = tints_of(pyramid, scheme, at, options, heights);
        if (options.water) waters = std::make_unique<Waters>(pyramid, scheme, at);
    };
    Picture picture;
    if (drawn_as_squares(pyramid, sheet.view, options)) {
        Rect cells;
        MapView by_cells = cell_view(pyramid, sheet.view, sheet.picture, cells);
        Sheet of_cells{by_cells, cells.size(), Rect::of(cells.size())};
        look(of_cells);
        std::vector<uint8_t> known(size_t(cells.cells()), 1);
        Picture ground = paint_ground(pyramid, of_cells, options, tints, heights.get(), waters.get(), &known);
        picture = squares_of(ground, cells, known, terrain.grid(), sheet.view, sheet.picture, terrain.rect(),
                             options.paper);
        if (options.contours) look(sheet);
    } else {
        look(sheet);
        picture = paint_ground(pyramid, sheet, options, tints, heights.get(), waters.get(), nullptr);
    }
    if (options.contours) {
        double interval = *options.contours == 0 ? suitable_contours(pyramid, sheet.view, options.detail)
                                                 : *options.contours;
        Interval shown = drawn_heights(*heights);
        if (shown.high > shown.low) {
            check_interval("contours", interval, shown.span(), most_lines);
            std::vector<Rect> reserved = furniture_boxes(pyramid, sheet.view, sheet.picture, options);
            Contours contours(*heights, interval, whole ? &reserved : nullptr, options.detail);
            contours.print(picture, scheme.ink, [&](double level, const PixelPoint& at) {
                return under_sea(tints, level, options.sea_level) || (waters && waters->hides(at));
            });
        }
    }
    return picture;
}

}  // namespace

Picture draw_land(MapPyramid& pyramid, const MapView& view, Size size, const MapOptions& options) {
    if (size.width <= 0 || size.height <= 0) return {};
    return draw_part(pyramid, {view, size, Rect::of(size)}, options);
}

void redraw_land(Picture& land, MapPyramid& pyramid, const MapView& view, const Rect& changed,
                 const MapOptions& options) {
    Rect whole = Rect::of(land.size);
    Rect cells = changed.intersected(pyramid.terrain().rect());
    if (whole.empty() || cells.empty()) return;
    if (drawn_as_squares(pyramid, view, options)) {
        land = draw_land(pyramid, view, land.size, options);
        return;
    }
    const Grid& grid = pyramid.terrain().grid();
    WorldArea area = grid.area_of(cells);
    PixelPoint first = pixel_at(view, land.size, {area.left, area.top});
    PixelPoint last = pixel_at(view, land.size, {area.right, area.bottom});
    Sheet sheet{view, land.size, whole};
    // The light of a pixel depends on the form of the ground, of which one cell reaches to those beside it, at a level
    // and at the next, whose cells are twice as wide; and on cells larger than pixels around it.
    double reach = 6 * sheet.coarser() + 2 * grid.cell / view.metres_per_pixel + 2;
    // Lines are cut off where a part ends, and are drawn a little further than they are shown.
    int hidden = options.contours ? int(std::ceil(2 * shortest_ring * options.detail)) : 0;
    auto pixel = [](double at, int least, int most) {
        return int(std::clamp(at, double(least), double(most)));
    };
    Rect shown{pixel(std::floor(first.x - reach), 0, whole.right),
               pixel(std::floor(first.y - reach), 0, whole.bottom),
               pixel(std::ceil(last.x + reach), 0, whole.right),
               pixel(std::ceil(last.y + reach), 0, whole.bottom)};
    if (shown.empty()) return;
    sheet.part = shown.expanded(hidden).intersected(whole);
    Picture part = draw_part(pyramid, sheet, options);
    for (int y = shown.top; y < shown.bottom; y++) {
        const uint8_t* from =
            part.rgb.data() +
            (size_t(y - sheet.part.top) * size_t(part.size.width) + size_t(shown.left - sheet.part.left)) * 3;
        std::copy_n(from, size_t(shown.width()) * 3,
                    land.rgb.data() + (size_t(y) * size_t(land.size.width) + size_t(shown.left)) * 3);
    }
}

void furnish_map(Picture& picture, MapPyramid& pyramid, const MapView& view, const MapOptions& options) {
    Size size = picture.size;
    if (size.width <= 0 || size.height <= 0) return;
    const Terrain& terrain = pyramid.terrain();
    for (const DrawnLines& lines : options.lines) print_lines(picture, view, lines, options.detail);
    if (options.grid) {
        double metres = *options.grid == 0 ? suitable_grid(view, options.detail) : *options.grid;
        double span = std::max(size.width, size.height) * view.metres_per_pixel;
        check_interval("grid", metres, span, 500);
        print_grid(picture, terrain, view, metres, options.detail,
                   furniture_boxes(pyramid, view, size, options), options.paper);
    }
    bool furnished = options.grid || options.legend || options.scale_bar || options.contours;
    if (furnished) print_border(picture, terrain, view, options.detail, options.paper);
    if (options.legend) print_legend(picture, legend_bars(pyramid, options), options.detail, options.paper);
    if (options.scale_bar) print_scale_bar(picture, view, options.detail, options.paper);
}

Picture draw_map(MapPyramid& pyramid, const MapView& view, Size size, const MapOptions& options) {
    Picture picture = draw_land(pyramid, view, size, options);
    furnish_map(picture, pyramid, view, options);
    return picture;
}

Picture draw_map(const Terrain& terrain, const MapView& view, Size size, const MapOptions& options) {
    MapPyramid pyramid(terrain);
    return draw_map(pyramid, view, size, options);
}

}  // namespace caprock

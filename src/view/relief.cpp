// The map is made in four steps: the heights are brought to the resolution of the picture; what is typical of the
// terrain (its extent, its slopes) is measured on a sample; a wide blur of the heights tells hollows from ridges;
// and every pixel is lit, tinted and encoded. Each step gives the same result for any number of threads, because
// every pixel is computed by itself or from sums in a fixed order.
#include "view/relief.h"

#include "view/hillshade.h"
#include "view/palette.h"
#include "view/surface.h"
#include "view/typical_values.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tbb/parallel_for.h>
#include <vector>

namespace caprock {

namespace {

// ---- what is typical of the terrain ----------------------------------------------------------------------

template <typename Body>
void for_known_pixels(const Surface& surface, Body body) {
    for_lattice(Rect::of(surface.size()), [&](int x, int y) {
        if (!is_missing(surface.row(y)[x])) body(x, y);
    });
}

struct Heights {
    Interval extent;    // leaving out a few stray ones
    double within = 0;  // share of the pixels whose height lies in the terrain's range
};

Heights heights_of(const Surface& surface, const Interval& range) {
    std::vector<float> heights;
    int64_t within = 0;
    for_known_pixels(surface, [&](int x, int y) {
        float height = surface.row(y)[x];
        heights.push_back(height);
        if (height >= range.low && height <= range.high) within++;
    });
    if (heights.empty()) return {{0, 0}, 0};
    return {{quantile(heights, 0.0005), quantile(heights, 0.9995)}, double(within) / double(heights.size())};
}

// Rise per metre of the steeper ground; 0 where all is level. Level ground, such as a sea or a plateau, says
// nothing about the slopes of the rest and is left out.
double typical_slope(const Surface& surface, const Slopes& slopes) {
    std::vector<float> steepness;
    for_known_pixels(surface, [&](int x, int y) {
        float slope = length(slopes.at(x, y));
        if (slope > 0) steepness.push_back(slope);
    });
    return quantile(steepness, 0.75);
}

// ---- hollows and ridges ----------------------------------------------------------------------------------

// A box blur along one line of rows or columns that ignores missing values. Towards the ends the window
// shrinks on both sides alike: a slope that runs into the border is no hollow.
template <int lanes, typename Read, typename Write>
void blur_line(int count, int radius, Read read, Write write) {
    double sums[lanes] = {};
    int known[lanes] = {};
    int begin = 0, end = 0;
    auto account = [&](int at, int sign) {
        for (int lane = 0; lane < lanes; lane++) {
            float value = read(at, lane);
            bool there = !is_missing(value);
            sums[lane] += there ? double(value) * sign : 0.0;
            known[lane] += there ? sign : 0;
        }
    };
    for (int at = 0; at < count; at++) {
        int reach = std::min({radius, at, count - 1 - at});
        while (end <= at + reach) account(end++, 1);
        while (begin < at - reach) account(begin++, -1);
        for (int lane = 0; lane < lanes; lane++)
            write(at, lane, known[lane] > 0 ? float(sums[lane] / known[lane]) : missing);
    }
}

constexpr int columns_per_task = 16;

// Heights outside of the limits count as the limits: a single wild one would drown its row.
Surface blurred(const Surface& surface, int radius, const Interval& limits) {
    Size size = surface.size();
    float low = float(limits.low);
    float high = float(limits.high);
    Surface result(size);
    Surface between(size);
    auto blur = [&](const Surface& from) {
        for_rows(size.height, [&](int y) {
            const float* source = from.row(y);
            float* target = between.row(y);
            blur_line<1>(
                size.width, radius, [&](int x, int) { return std::clamp(source[x], low, high); },
                [&](int x, int, float value) { target[x] = value; });
        });
        int blocks = (size.width + columns_per_task - 1) / columns_per_task;
        tbb::parallel_for(0, blocks, [&](int block) {
            auto columns = [&]<int lanes>(int left) {
                blur_line<lanes>(
                    size.height, radius, [&](int y, int lane) { return between.row(y)[left + lane]; },
                    [&](int y, int lane, float value) { result.row(y)[left + lane] = value; });
            };
            int left = block * columns_per_task;
            int right = std::min(left + columns_per_task, size.width);
            if (right - left == columns_per_task) {
                columns.template operator()<columns_per_task>(left);
            } else {
                for (int x = left; x < right; x++) columns.template operator()<1>(x);
            }
        });
    };
    // Twice: once leaves squares around lone peaks.
    blur(surface);
    blur(result);
    return result;
}

// ---- tint ------------------------------------------------------------------------------------------------

// What the tints span: the terrain's range, which stays put while somebody edits; or what there is, where
// that range would show only a few of the colours.
Interval tinted_heights(const Heights& heights, const Interval& range) {
    const Interval& extent = heights.extent;
    double shared = std::min(extent.high, range.high) - std::max(extent.low, range.low);
    bool fits = heights.within >= 0.5 && shared >= 0.4 * range.span();
    bool level = extent.span() <= 0;
    return fits || level ? range : extent;
}

class Tints {
  public:
    // With a sea, heights below 0 are under water.
    Tints(const Interval& heights, bool sea)
        : palette_(Palette::relief()),
          sea_(sea && heights.low < 0),
          low_(float(sea_ ? 0.0 : heights.low)),
          per_metre_(heights.high > low_ ? float(1 / (heights.high - low_)) : 0.0f) {
        // A shallow sea beside high mountains is not drawn as an abyss.
        if (sea_) per_depth_ = float(1 / std::max(-heights.low, 0.25 * heights.high));
    }

    bool wet(float height) const { return sea_ && height < 0; }

    Light of(float height, float slope) const {
        if (wet(height)) return palette_.water(-height * per_depth_);
        float share = (height - low_) * per_metre_;
        return mixed(palette_.land(share), palette_.rock(share), bareness(slope));
    }

  private:
    const Palette& palette_;
    bool sea_;
    float low_;
    float per_metre_;
    float per_depth_ = 0;
};

}  // namespace

Picture shaded_relief(const Terrain& terrain, const ReliefOptions& options) {
    return shaded_relief(rows_of(terrain.height()), terrain.grid(), options);
}

Picture shaded_relief(const CellRows& height, const Grid& grid, const ReliefOptions& options) {
    const Rect& rect = height.rect;
    if (rect.empty()) return {};
    Scale scale = scale_of(rect.size(), options.longest_side, options.enlarge);
    Size size = scale.pixels;
    double pixel_width = grid.cell * rect.width() / size.width;
    double pixel_height = grid.cell * rect.height() / size.height;
    const Interval& range = grid.range;

    Surface surface = scale.times > 1 ? interpolated(height.read(rect.top, rect.bottom), scale.times)
                                      : averaged(height, size);
    Slopes slopes(surface, pixel_width, pixel_height);
    Heights heights = heights_of(surface, range);
    double slope = typical_slope(surface, slopes);

    // Two cells at least: more pixels for each show no more of the terrain.
    int radius = std::max(2 * scale.times, std::max(size.width, size.height) / 90);
    double span = heights.extent.span();
    Surface form = blurred(surface, radius, {heights.extent.low - span, heights.extent.high + span});
    Slopes form_slopes(form, pixel_width, pixel_height);
    double form_slope = typical_slope(form, form_slopes);
    double of_form = form_share(slope, form_slope);
    float steepening = float((total_share - of_form) * steepening_of(slope, options.exaggeration));
    float form_steepening = float(of_form * steepening_of(form_slope, options.exaggeration));

    std::vector<float> departures;
    for_known_pixels(
        surface, [&](int x, int y) { departures.push_back(std::fabs(surface.row(y)[x] - form.row(y)[x])); });
    // An even slope departs from its blur by rounding alone, which is nothing to draw.
    double usual = std::max(double(quantile(departures, 0.75)), 0.05 * slope * radius * pixel_width);
    // More than the usual would be patches of two tones.
    double per_departure = usual > 0 ? std::clamp(options.exaggeration, -1.0, 1.0) / usual : 0.0;

    ShadeOptions light{options.azimuth, options.elevation};
    light.colours = options.tint ? LightColours::daylight : LightColours::white;
    Shade shade(light);
    Tints tints(tinted_heights(heights, range), range.low < 0);
    const Palette& palette = Palette::relief();
    Picture picture{size, std::vector<uint8_t>(size_t(size.cells()) * 3)};
    for_rows(size.height, [&](int y) {
        const float* here = surface.row(y);
        const float* around = form.row(y);
        uint8_t* pixel = picture.rgb.data() + size_t(y) * size.width * 3;
        for (int x = 0; x < size.width; x++, pixel += 3) {
            Bytes colour = missing_colour(x, y);
            if (!is_missing(here[x])) {
                Gradient fine = slopes.at(x, y);
                Gradient wide = form_slopes.at(x, y);
                float clear = options.tint && tints.wet(here[x]) ? under_water : 1.0f;
                Gradient lit = {(fine.x * steepening + wide.x * form_steepening) * clear,
                                (fine.y * steepening + wide.y * form_steepening) * clear};
                float standing = float(std::clamp((here[x] - around[x]) * per_departure, -1e6, 1e6)) * clear;
                Light tint = options.tint ? tints.of(here[x], length(fine)) : palette.paper();
                colour = palette.encoded(tint * shade.on(lit, standing));
            }
            pixel[0] = colour.red;
            pixel[1] = colour.green;
            pixel[2] = colour.blue;
        }
    });
    return picture;
}

}  // namespace caprock

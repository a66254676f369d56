// The map is made in four steps: the heights are brought to the resolution of the picture; what is typical of the
// terrain (its extent, its slopes) is measured on a sample; a wide blur of the heights tells hollows from ridges;
// and every pixel is lit, tinted and encoded. Each step gives the same result for any number of threads, because
// every pixel is computed by itself or from sums in a fixed order.
#include "view/relief.h"

#include "base/mathematics.h"
#include "view/palette.h"
#include "view/surface.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tbb/parallel_for.h>
#include <vector>

namespace caprock {

namespace {

// ---- slopes ----------------------------------------------------------------------------------------------

struct Gradient {
    float x, y;  // rise per metre to the right and downwards
};

// Steeper than any cliff, and small enough to be squared.
constexpr float steepest = 1e9f;

// From one neighbour to the other; where one is missing, from the pixel itself.
float rise(float before, float here, float after) {
    bool has_before = !is_missing(before);
    bool has_after = !is_missing(after);
    if (has_before && has_after) return (after - before) * 0.5f;
    if (has_after) return after - here;
    if (has_before) return here - before;
    return 0;
}

class Slopes {
  public:
    Slopes(const Surface& surface, double pixel_width, double pixel_height)
        : surface_(surface), per_x_(float(1 / pixel_width)), per_y_(float(1 / pixel_height)) {}

    // Of a pixel that is not missing.
    Gradient at(int x, int y) const {
        const float* above = surface_.row(y - 1) + x;
        const float* here = surface_.row(y) + x;
        const float* below = surface_.row(y + 1) + x;
        float right = above[1] + 2 * here[1] + below[1];
        float left = above[-1] + 2 * here[-1] + below[-1];
        float down = below[-1] + 2 * below[0] + below[1];
        float up = above[-1] + 2 * above[0] + above[1];
        float dx = (right - left) * 0.125f;
        float dy = (down - up) * 0.125f;
        if (is_missing(dx) || is_missing(dy)) {
            dx = rise(here[-1], here[0], here[1]);
            dy = rise(above[0], here[0], below[0]);
        }
        return {std::clamp(dx * per_x_, -steepest, steepest), std::clamp(dy * per_y_, -steepest, steepest)};
    }

  private:
    const Surface& surface_;
    float per_x_, per_y_;
};

float length(const Gradient& gradient) {
    return std::sqrt(gradient.x * gradient.x + gradient.y * gradient.y);
}

// ---- what is typical of the terrain ----------------------------------------------------------------------

// Typical values are taken from a lattice of pixels: as good as all of them, and exact order statistics stay
// cheap. Order statistics, because no stray spike moves them.
constexpr int lattice_side = 384;

template <typename Body>
void for_lattice(const Surface& surface, Body body) {
    Size size = surface.size();
    int step_x = (size.width + lattice_side - 1) / lattice_side;
    int step_y = (size.height + lattice_side - 1) / lattice_side;
    for (int y = step_y / 2; y < size.height; y += step_y)
        for (int x = step_x / 2; x < size.width; x += step_x)
            if (!is_missing(surface.row(y)[x])) body(x, y);
}

float quantile(std::vector<float>& values, double share) {
    if (values.empty()) return 0;
    auto place = values.begin() + std::lround(share * double(values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

struct Heights {
    Interval extent;    // leaving out a few stray ones
    double within = 0;  // share of the pixels whose height lies in the terrain's range
};

Heights heights_of(const Surface& surface, const Interval& range) {
    std::vector<float> heights;
    int64_t within = 0;
    for_lattice(surface, [&](int x, int y) {
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
    for_lattice(surface, [&](int x, int y) {
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

// ---- light -----------------------------------------------------------------------------------------------

struct Direction {
    float x, y, z;  // right, down, up
};

Direction towards(double azimuth, double elevation) {
    double around = std::fmod(azimuth, 360.0) * pi / 180;
    double above = std::clamp(elevation, 0.0, 90.0) * pi / 180;
    return {float(std::sin(around) * std::cos(above)), float(-std::cos(around) * std::cos(above)),
            float(std::sin(above))};
}

struct Illumination {
    float sun;  // from the main light and those around it
    float sky;  // from everywhere above
};

// Typical slopes are brought towards this one before they are lit, by most of the way: plains stay calmer
// than mountains, but their swells are seen.
constexpr double pleasing_slope = 0.5;
constexpr double pleasing_share = 0.88;
constexpr double largest_boost = 25;  // what is flat but for rounding stays flat

double steepening_of(double typical_slope, double exaggeration) {
    double boost = 1;
    if (typical_slope > 0)
        boost = std::min(std::pow(pleasing_slope / typical_slope, pleasing_share), largest_boost);
    return std::clamp(boost * exaggeration, -1e9, 1e9);
}

// The surface and its blurred form are lit as one. Without the form, the grain of a rough terrain hides its
// mountains; the less of its slopes the blur takes away, the less grain there is, and the form would only
// make a clear picture soft.
constexpr double total_share = 1.55;
constexpr double largest_form_share = 0.8;

double form_share(double slope, double form_slope) {
    double kept = slope > 0 ? std::min(form_slope / slope, 1.0) : 1.0;
    return std::min(1.3 * (1 - kept * kept), largest_form_share);
}

// Lit slopes approach this one and never reach it: no exaggeration makes a picture of black and white alone.
constexpr float steepest_lit = 3.0f;

class Lamps {
  public:
    Lamps(double azimuth, double elevation)
        : main_(towards(azimuth, elevation)),
          left_(towards(azimuth - 65, elevation * 0.85 + 5)),
          right_(towards(azimuth + 65, elevation * 0.85 + 5)) {}

    Illumination on(const Gradient& gradient) const {
        float square = gradient.x * gradient.x + gradient.y * gradient.y;
        float tamed = 1 / std::sqrt(1 + square * (1 / (steepest_lit * steepest_lit)));
        float x = -gradient.x * tamed;
        float y = -gradient.y * tamed;
        float up = 1 / std::sqrt(1 + x * x + y * y);
        Direction normal{x * up, y * up, up};
        float sun =
            0.68f * lit(normal, main_) + 0.20f * filled(normal, left_) + 0.13f * filled(normal, right_);
        return {sun, 0.5f + 0.5f * up};
    }

  private:
    static float cosine(const Direction& a, const Direction& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

    // Lambert's cosine, with a soft passage into the shadow.
    static float lit(const Direction& normal, const Direction& lamp) {
        float straight = cosine(normal, lamp);
        return 0.5f * (straight + std::sqrt(straight * straight + 0.02f));
    }

    // Light from a wide part of the sky reaches around corners, and shapes what lies in shadow.
    static float filled(const Direction& normal, const Direction& lamp) {
        float half = 0.5f + 0.5f * cosine(normal, lamp);
        return half * half;
    }

    Direction main_, left_, right_;
};

// Sunlight is a little warm and the sky's a little cool, so that shadows are blue against the lit faces.
constexpr Light sunlight = {1.05f, 1.00f, 0.91f};
constexpr Light skylight = {0.90f, 0.98f, 1.13f};
constexpr Light white = {1, 1, 1};
constexpr float sky_strength = 0.08f;

// Hollows are darker and ridges brighter by up to this, whatever the light's direction.
constexpr float openness = 0.22f;

// The light on a slope, as a factor to the tint. On level ground it is 1: there the map shows its tints
// unchanged.
class Shade {
  public:
    Shade(const ReliefOptions& options)
        : lamps_(options.azimuth, options.elevation),
          sun_(options.tint ? sunlight : white),
          sky_((options.tint ? skylight : white) * sky_strength) {
        Illumination level = lamps_.on({0, 0});
        Light total = sun_ * level.sun + sky_ * level.sky;
        sun_ = {sun_.red / total.red, sun_.green / total.green, sun_.blue / total.blue};
        sky_ = {sky_.red / total.red, sky_.green / total.green, sky_.blue / total.blue};
        per_level_sun_ = 1 / level.sun;
    }

    // Standing: how far the pixel rises above its surroundings, 1 being usual.
    Light on(const Gradient& gradient, float standing) const {
        Illumination light = lamps_.on(gradient);
        // The eye expects more contrast of a map than a cloudless day gives.
        float contrast = std::sqrt(std::sqrt(light.sun * per_level_sun_));
        float open = 1 + openness * standing / std::sqrt(1 + standing * standing);
        return (sun_ * light.sun + sky_ * light.sky) * (contrast * open);
    }

  private:
    Lamps lamps_;
    Light sun_;
    Light sky_;
    float per_level_sun_;
};

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

float smoothstep(float from, float to, float value) {
    float t = std::clamp((value - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}

// Where ground is too steep to hold soil, rise per metre: it begins to be bare, and is.
constexpr float steep = 0.55f;
constexpr float cliff = 1.3f;
constexpr float barest = 0.8f;

// What lies under water is seen less clearly.
constexpr float under_water = 0.55f;

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
        return mixed(palette_.land(share), palette_.rock(share), barest * smoothstep(steep, cliff, slope));
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
    const Field& height = terrain.height();
    const Rect& rect = height.rect();
    if (rect.empty()) return {};
    Scale scale = scale_of(rect.size(), options.longest_side, options.enlarge);
    Size size = scale.pixels;
    double pixel_width = terrain.grid().cell * rect.width() / size.width;
    double pixel_height = terrain.grid().cell * rect.height() / size.height;
    const Interval& range = terrain.grid().range;

    Surface surface = scale.times > 1 ? interpolated(height, scale.times) : averaged(height, size);
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
    for_lattice(surface,
                [&](int x, int y) { departures.push_back(std::fabs(surface.row(y)[x] - form.row(y)[x])); });
    // An even slope departs from its blur by rounding alone, which is nothing to draw.
    double usual = std::max(double(quantile(departures, 0.75)), 0.05 * slope * radius * pixel_width);
    // More than the usual would be patches of two tones.
    double per_departure = usual > 0 ? std::clamp(options.exaggeration, -1.0, 1.0) / usual : 0.0;

    Shade shade(options);
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

#include "view/light_map.h"

#include "base/error.h"
#include "base/mathematics.h"
#include "base/text.h"
#include "view/colour.h"
#include "view/surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <tbb/parallel_for.h>

namespace caprock {

namespace {

// Stands for a height that casts nothing. A number, so that the loops over it need no branches.
constexpr float nothing = -1e30f;
// So many steps before each place are looked up on its own ray.
constexpr int near_steps = 2;
constexpr bool casts(float height) { return height > -1e29f; }

// ---- the sky ---------------------------------------------------------------------------------------------------

// Directions in which texels lie exactly: along rows and columns, diagonals, and the knight's moves between them. Asked
// in a direction between texels, a slope would be measured sometimes to its left and sometimes to its right, and the
// steeper counts.
constexpr int sky_reach = 64;  // texels
constexpr int levels = 5;      // of smoothing, more for what is further away
// Level l is smoothed by 1-2-1 with gaps of 1, 2, 4 ... texels, l times: so far do its heights reach.
constexpr int smoothing_reach = (1 << (levels - 1)) - 1;
constexpr int change_reach = sky_reach + smoothing_reach;

// Heights of a window of texels, by absolute coordinates.
struct Window {
    Rect rect;
    size_t stride;
    std::vector<float> values;

    explicit Window(const Rect& rect)
        : rect(rect), stride(size_t(rect.width())), values(stride * size_t(rect.height())) {}
    float* row(int y) { return values.data() + size_t(y - rect.top) * stride - rect.left; }
    const float* row(int y) const { return values.data() + size_t(y - rect.top) * stride - rect.left; }
};

// What is missing is taken to be like the middle, and a missing middle stays missing.
float smoothed(float before, float middle, float after) {
    float a = casts(before) ? before : middle;
    float b = casts(after) ? after : middle;
    float mean = 0.5f * middle + 0.25f * (a + b);
    return casts(middle) ? mean : nothing;
}

void smooth(const Window& from, Window& between, Window& to, int gap) {
    const Rect& rect = from.rect;
    for_rows(rect.height(), [&](int i) {
        const float* in = from.row(rect.top + i);
        float* out = between.row(rect.top + i);
        for (int x = rect.left; x < rect.left + gap; x++) out[x] = in[x];
        for (int x = rect.left + gap; x < rect.right - gap; x++)
            out[x] = smoothed(in[x - gap], in[x], in[x + gap]);
        for (int x = rect.right - gap; x < rect.right; x++) out[x] = in[x];
    });
    for_rows(rect.height(), [&](int i) {
        int y = rect.top + i;
        // The outermost rows of a window are read by nobody, or lie beyond the border and are missing.
        const float* above = between.row(std::max(y - gap, rect.top));
        const float* here = between.row(y);
        const float* below = between.row(std::min(y + gap, rect.bottom - 1));
        float* out = to.row(y);
        for (int x = rect.left; x < rect.right; x++) out[x] = smoothed(above[x], here[x], below[x]);
    });
}

struct Sample {
    int x;
    int y;
    size_t level;
    float inverse_distance;  // 1 / texels
};
struct SkyDirection {
    std::vector<Sample> samples;
    float share;  // of all directions: from halfway to the one before to halfway to the one after
};

// Samples at distances that grow by about two fifths, an even number of them.
SkyDirection sky_direction(int x, int y, double share) {
    SkyDirection direction{{}, float(share)};
    double length = std::sqrt(double(x * x + y * y));
    int last = 0;
    for (double wanted = 1; wanted * 0.98 <= sky_reach; wanted *= wanted < 3 ? 1.5 : 1.4) {
        int times = std::max(last + 1, int(std::lround(wanted / length)));
        double distance = times * length;
        if (distance > sky_reach) break;
        size_t level = 0;
        while (level + 1 < size_t(levels) && distance >= 6 << level) level++;
        direction.samples.push_back({x * times, y * times, level, float(1 / distance)});
        last = times;
    }
    if (direction.samples.size() % 2) direction.samples.push_back(direction.samples.back());
    return direction;
}

std::vector<SkyDirection> sky_directions() {
    // Of the eighth of a circle between a row and a diagonal: the angle of the knight's move, by its tangent of 1/2.
    constexpr double knight = 0.46364760900080612;
    constexpr double row_share = knight / (2 * pi);
    constexpr double knight_share = pi / 8 / (2 * pi);
    constexpr double diagonal_share = (pi / 4 - knight) / (2 * pi);
    std::vector<SkyDirection> all;
    for (int y = -2; y <= 2; y++)
        for (int x = -2; x <= 2; x++) {
            int kind = x * x + y * y;
            if (kind == 1) all.push_back(sky_direction(x, y, row_share));
            if (kind == 2) all.push_back(sky_direction(x, y, diagonal_share));
            if (kind == 5) all.push_back(sky_direction(x, y, knight_share));
        }
    return all;
}

}  // namespace

LightMap::Framed::Framed(Size size)
    : size(size), stride(size_t(size.width) + 2 * frame), values(stride * size_t(size.height), nothing) {}

// The mean over the directions of the squared cosine of the horizon's height: the light that reaches level ground from a
// sky that is equally bright everywhere.
void LightMap::open(const Rect& texels) {
    static const std::vector<SkyDirection> directions = sky_directions();
    const float scale = float(exaggeration_ / texel_);
    constexpr int rows_at_once = 512;  // bounds the memory of the levels
    for (int top = texels.top; top < texels.bottom; top += rows_at_once) {
        Rect part{texels.left, top, texels.right, std::min(top + rows_at_once, texels.bottom)};
        Rect around = part.expanded(change_reach);
        std::vector<Window> level;
        level.emplace_back(around);
        for_rows(around.height(), [&](int i) {
            int y = around.top + i;
            float* to = level[0].row(y);
            std::fill(to + around.left, to + around.right, nothing);
            if (y < 0 || y >= size_.height) return;
            int left = std::max(around.left, 0);
            int right = std::min(around.right, size_.width);
            std::copy(heights_.row(y) + left, heights_.row(y) + right, to + left);
        });
        Window between(around);
        for (int i = 1; i < levels; i++) {
            level.emplace_back(around);
            smooth(level[size_t(i) - 1], between, level[size_t(i)], 1 << (i - 1));
        }
        // In columns so narrow that what a row reads of all levels is still in the cache for the next.
        constexpr int columns_at_once = 256;
        constexpr int lines_at_once = 64;
        int across = (part.width() + columns_at_once - 1) / columns_at_once;
        int down = (part.height() + lines_at_once - 1) / lines_at_once;
        tbb::parallel_for(0, across * down, [&](int tile) {
            int left = part.left + tile % across * columns_at_once;
            int begin = part.top + tile / across * lines_at_once;
            auto width = size_t(std::min(columns_at_once, part.right - left));
            std::array<float, columns_at_once> seen;
            std::array<float, columns_at_once> horizon;
            for (int y = begin; y < std::min(begin + lines_at_once, part.bottom); y++) {
                const float* here = level[0].row(y) + left;
                seen.fill(0);
                for (const SkyDirection& direction : directions) {
                    horizon.fill(0);
                    for (size_t i = 0; i < direction.samples.size(); i += 2) {
                        const Sample& first = direction.samples[i];
                        const Sample& second = direction.samples[i + 1];
                        const float* near = level[first.level].row(y + first.y) + left + first.x;
                        const float* far = level[second.level].row(y + second.y) + left + second.x;
                        const float near_rise = scale * first.inverse_distance;
                        const float far_rise = scale * second.inverse_distance;
                        for (size_t x = 0; x < width; x++) {
                            float near_slope = (near[x] - here[x]) * near_rise;
                            float far_slope = (far[x] - here[x]) * far_rise;
                            float slope = near_slope > far_slope ? near_slope : far_slope;
                            horizon[x] = slope > horizon[x] ? slope : horizon[x];
                        }
                    }
                    for (size_t x = 0; x < width; x++)
                        seen[x] += direction.share / (1.0f + horizon[x] * horizon[x]);
                }
                for (size_t x = 0; x < width; x++)
                    texels_[index(left + int(x), y)] = casts(here[x]) ? byte_of(seen[x]) : 255;
            }
        });
    }
}

// ---- the sun ---------------------------------------------------------------------------------------------------

// The way of the light in steps of one row, or of one column where it runs more east or west than north or south. Lines
// are numbered by where they are at step 0; at step n line j is at j + n * drift.
struct LightMap::Sweep {
    bool along_rows;  // steps are columns
    bool forwards;    // steps go as the indices of rows or columns do
    int steps;
    int places;    // in every step
    double drift;  // -1..1
    double
        low_drop;  // what the lowest and the highest ray of the sun lose within a step, in heights of the field
    double high_drop;
    bool lit;  // the sun is above the horizon

    int at(int step) const { return forwards ? step : steps - 1 - step; }
    double shift(int step) const { return drift * step; }
};

// Where sunlight is written: so many bytes from one step to the next and from one place to the next.
struct LightMap::Target {
    uint8_t* first;
    size_t step;
    size_t place;
};

LightMap::Sweep LightMap::sweep() const {
    double azimuth = std::remainder(sun_.azimuth, 360.0) * (pi / 180);
    double x = -sine(azimuth);  // the light travels away from the sun; y runs south
    double y = cosine(azimuth);
    Sweep sweep{};
    sweep.along_rows = std::fabs(x) > std::fabs(y);
    double ahead = sweep.along_rows ? x : y;
    double aside = sweep.along_rows ? y : x;
    sweep.forwards = ahead > 0;
    sweep.steps = sweep.along_rows ? size_.width : size_.height;
    sweep.places = sweep.along_rows ? size_.height : size_.width;
    sweep.drift = aside / std::fabs(ahead);
    double length = texel_ * std::sqrt(1 + sweep.drift * sweep.drift) / exaggeration_;
    constexpr double steepest = 89.5;  // degrees; straight up no shadow has a length
    double high = std::min(sun_.elevation + sun_width_ / 2, steepest);
    double low = std::clamp(sun_.elevation - sun_width_ / 2, 0.0, steepest - 0.1);
    sweep.lit = high > 0;
    sweep.low_drop = length * tangent_of_degrees(low);
    sweep.high_drop = length * tangent_of_degrees(std::max(high, low + 1e-3));
    return sweep;
}

namespace {

inline float mixed_height(float before, float after, float share) {
    float a = casts(before) ? before : after;
    float b = casts(after) ? after : before;
    return a + (b - a) * share;
}

// For each line the height that stands highest above a falling ray, and the step at which it stood. Heights are raised
// by what the ray loses on its way to them: those of different steps are then compared as they are, and nothing is
// added up.
struct Highest {
    double drop;
    std::vector<float> raised;
    std::vector<float> step;

    Highest(size_t lines, double drop) : drop(drop), raised(lines, nothing), step(lines, -1.0f) {}
};

}  // namespace

// Lights the places between the lines from step `first_lit` on.
//
// The sun goes down behind whatever is seen at the steepest slope. Which of all that a line has passed that is depends on
// the height one looks from, but it must stand out above a ray of the sun: a line keeps what stands out most, once above
// the lowest ray of the sun and once above the one from its middle, and the steeper of the two is it, or close to it. What a place has just before it is looked up on its own ray instead: so near by, the difference between the
// lines and the place would show.
void LightMap::cast(const Sweep& sweep, const Target& target, int first_line, int last_line, int first_step,
                    int first_lit, int end) const {
    const Framed& heights = sweep.along_rows ? across_ : heights_;
    const auto lines = size_t(last_line - first_line + 1);
    const double sun_span = sweep.high_drop - sweep.low_drop;
    Highest lower(lines + 1, sweep.low_drop);
    Highest upper(lines + 1, sweep.low_drop + sun_span / 2);
    const float lower_drop = float(lower.drop);
    const float upper_drop = float(upper.drop);
    const float all_dark = float(sweep.high_drop);
    const float per_slope = float(1 / sun_span);
    std::vector<float> bytes(lines);
    const std::vector<float> beyond(heights.stride, nothing);
    auto row_at = [&](int step) {
        return step < 0 ? beyond.data() + Framed::frame : heights.row(sweep.at(step));
    };

    for (int step = first_step; step < end; step++) {
        if (int passing = step - near_steps - 1; passing >= 0) {
            double shift = sweep.shift(passing);
            int whole = int(std::floor(shift));
            const float part = float(shift - whole);
            // A line at the border has one known neighbour; further out there is nothing to pass.
            int from = std::max(first_line, -1 - whole);
            int count = std::min(last_line, sweep.places - 1 - whole) - from + 1;
            if (count > 0) {
                const float* h = row_at(passing) + from + whole;
                const auto begin = size_t(from - first_line);
                const auto number = float(passing);
                for (Highest* highest : {&lower, &upper}) {
                    float* raised = highest->raised.data() + begin;
                    float* stood = highest->step.data() + begin;
                    const float by = float(highest->drop * passing);
                    for (int i = 0; i < count; i++) {
                        float height = mixed_height(h[i], h[i + 1], part) + by;
                        stood[i] = height > raised[i] ? number : stood[i];
                        raised[i] = height > raised[i] ? height : raised[i];
                    }
                }
            }
        }
        if (step < first_lit) continue;

        // Place y lies between the lines y - shift, rounded down, and the next.
        double shift = sweep.shift(step);
        int whole = int(std::floor(shift));
        float part = float(shift - whole);
        int back = whole + (part > 0 ? 1 : 0);
        const float share = part > 0 ? 1 - part : 0.0f;
        int from = std::max(0, first_line + back);
        int count = std::min(sweep.places, last_line + back) - from;
        if (count <= 0) continue;
        const auto begin = size_t(from - back - first_line);
        const float* a = lower.raised.data() + begin;
        const float* a_step = lower.step.data() + begin;
        const float* b = upper.raised.data() + begin;
        const float* b_step = upper.step.data() + begin;
        const float* h = row_at(step) + from;
        const auto number = float(step);
        auto share_seen = [&](float slope) {
            float seen = (all_dark - slope) * per_slope;
            return seen < 1.0f ? (seen > 0.0f ? seen : 0.0f) : 1.0f;
        };
        auto along_line = [&](int i, float height) {
            float low_slope = (a[i] - a_step[i] * lower_drop - height) / (number - a_step[i]);
            float high_slope = (b[i] - b_step[i] * upper_drop - height) / (number - b_step[i]);
            return share_seen(low_slope > high_slope ? low_slope : high_slope);
        };
        const float* before[near_steps];
        float parts[near_steps];
        for (int k = 0; k < near_steps; k++) {
            double aside = -sweep.drift * (k + 1);
            before[k] = row_at(step - k - 1) + from + int(std::floor(aside));
            parts[k] = float(aside - std::floor(aside));
        }
        for (int i = 0; i < count; i++) {
            float height = h[i];
            float seen = along_line(i, height) * (1 - share) + along_line(i + 1, height) * share;
            for (int k = 0; k < near_steps; k++) {
                float there = mixed_height(before[k][i], before[k][i + 1], parts[k]);
                float near = share_seen((there - height) * (1.0f / float(k + 1)));
                seen = near < seen ? near : seen;
            }
            seen = seen * seen * (3.0f - 2.0f * seen);  // about the part of a disc that stands above a line
            bytes[size_t(i)] = casts(height) ? seen * 255.0f + 0.5f : 255.0f;
        }
        uint8_t* out = target.first + size_t(sweep.at(step)) * target.step + size_t(from) * target.place;
        if (target.place == 1)
            for (int i = 0; i < count; i++) out[i] = uint8_t(int(bytes[size_t(i)]));
        else
            for (int i = 0; i < count; i++) out[size_t(i) * target.place] = uint8_t(int(bytes[size_t(i)]));
    }
}

namespace {

constexpr int lines_at_once = 256;

}  // namespace

void LightMap::cast_all() {
    Sweep sweep = this->sweep();
    if (!sweep.lit) {
        for (int y = 0; y < size_.height; y++)
            for (int x = 0; x < size_.width; x++)
                texels_[index(x, y) + 1] = casts(heights_.row(y)[x]) ? 0 : 255;
        return;
    }
    // Swept in the order of the sweep and then put in its place: bytes that are 4 KiB apart fight for the cache.
    std::vector<uint8_t> swept(size_t(size_.cells()));
    Target target{swept.data(), size_t(sweep.places), 1};
    double last_shift = sweep.shift(sweep.steps - 1);
    int first = int(std::floor(-std::max(last_shift, 0.0))) - 1;
    int last = sweep.places + int(std::ceil(-std::min(last_shift, 0.0)));
    int bands = (last - first + lines_at_once - 1) / lines_at_once;
    tbb::parallel_for(0, bands, [&](int band) {
        int from = first + band * lines_at_once;
        int to = std::min(from + lines_at_once, last);
        // The steps at which any of the lines is inside: they come in at one side and leave at the other.
        int begin = 0;
        int end = sweep.steps;
        auto outside = [&](int step) {
            double shift = sweep.shift(step);
            return to + shift < -2 || from + shift > sweep.places + 1;
        };
        while (begin < end && outside(begin)) begin++;
        while (end > begin && outside(end - 1)) end--;
        cast(sweep, target, from, to, begin, begin, end);
    });
    constexpr int block = 64;
    tbb::parallel_for(0, (size_.height + block - 1) / block, [&](int i) {
        int top = i * block;
        int bottom = std::min(top + block, size_.height);
        for (int left = 0; left < size_.width; left += block)
            for (int y = top; y < bottom; y++)
                for (int x = left; x < std::min(left + block, size_.width); x++)
                    texels_[index(x, y) + 1] = sweep.along_rows
                                                   ? swept[size_t(x) * size_t(size_.height) + size_t(y)]
                                                   : swept[size_t(y) * size_t(size_.width) + size_t(x)];
    });
}

Rect LightMap::cast_around(const Rect& changed) {
    Sweep sweep = this->sweep();
    if (!sweep.lit) {
        cast_all();  // missing places may have come or gone
        return changed;
    }
    // So far a shadow can fall.
    double drop = sweep.low_drop;
    double longest = drop > 0 ? std::ceil((double(highest_) - lowest_) / drop) + 2 : sweep.steps;
    int reach = int(std::min(longest, double(sweep.steps)));
    int begin = sweep.along_rows ? changed.left : changed.top;
    int end = sweep.along_rows ? changed.right : changed.bottom;
    int first_place = sweep.along_rows ? changed.top : changed.left;
    int last_place = (sweep.along_rows ? changed.bottom : changed.right) - 1;
    int first_step = sweep.forwards ? begin : sweep.steps - end;
    int end_step = sweep.forwards ? end : sweep.steps - begin;
    double shifts[] = {sweep.shift(first_step), sweep.shift(end_step - 1)};
    // The lines that pass between changed places and their neighbours, and one more on either side for places between.
    int first_line = int(std::floor(first_place - std::max(shifts[0], shifts[1]))) - 2;
    int last_line = int(std::ceil(last_place - std::min(shifts[0], shifts[1]))) + 2;
    int from_step = std::max(0, first_step - reach - near_steps);
    int to_step = std::min(sweep.steps, end_step + reach);
    int bands = (last_line - first_line + lines_at_once - 1) / lines_at_once;
    size_t row = size_t(size_.width) * 2;
    Target target{texels_.data() + 1, sweep.along_rows ? 2 : row, sweep.along_rows ? row : 2};
    tbb::parallel_for(0, bands, [&](int band) {
        int from = first_line + band * lines_at_once;
        cast(sweep, target, from, std::min(from + lines_at_once, last_line), from_step, first_step, to_step);
    });
    double last_shifts[] = {sweep.shift(first_step), sweep.shift(to_step - 1)};
    int first_lit = int(std::floor(first_line + std::min(last_shifts[0], last_shifts[1]))) - 1;
    int end_lit = int(std::ceil(last_line + std::max(last_shifts[0], last_shifts[1]))) + 2;
    int begin_index = sweep.forwards ? first_step : sweep.steps - to_step;
    int end_index = sweep.forwards ? to_step : sweep.steps - first_step;
    Rect touched = sweep.along_rows ? Rect{begin_index, first_lit, end_index, end_lit}
                                    : Rect{first_lit, begin_index, end_lit, end_index};
    return touched.intersected(Rect::of(size_));
}

// ---- the whole --------------------------------------------------------------------------------------------------

namespace {

int texels_for(int cells, int per_texel) { return (cells + per_texel - 1) / per_texel; }

int cells_per_texel_of(const Rect& cells, int longest_side) {
    int longest = std::max(cells.width(), cells.height());
    return std::max(1, texels_for(longest, std::max(longest_side, 1)));
}

Size size_of(const Rect& cells, int per_texel) {
    return {texels_for(cells.width(), per_texel), texels_for(cells.height(), per_texel)};
}

Size turned(Size size) { return {size.height, size.width}; }

void check_sun(const Sun& sun) {
    if (!std::isfinite(sun.azimuth) || !(std::fabs(sun.elevation) <= 90))
        throw Error(fmt::format("sun at {} degrees, {} high: both must be numbers, the height -90 to 90",
                                number_text(sun.azimuth), number_text(sun.elevation)));
}

void check_positive(const char* what, double value) {
    if (!(value > 0 && std::isfinite(value)))
        throw Error(fmt::format("{} is {}, but must be more than 0", what, number_text(value)));
}

}  // namespace

LightMap::LightMap(const Field& height, double cell, double exaggeration, const Sun& sun,
                   const LightMapOptions& options)
    : cells_(height.rect()),
      size_(size_of(cells_, cells_per_texel_of(cells_, options.longest_side))),
      cells_per_texel_(cells_per_texel_of(cells_, options.longest_side)),
      texel_(cell * cells_per_texel_),
      exaggeration_(exaggeration),
      sun_(sun),
      sun_width_(options.sun_width),
      heights_(size_),
      across_(turned(size_)),
      lowest_(std::numeric_limits<float>::max()),
      highest_(std::numeric_limits<float>::lowest()),
      texels_(size_t(size_.cells()) * 2, 255) {
    if (height.empty()) throw Error("a light map needs cells");
    check_positive("the size of a cell", cell);
    check_positive("exaggeration", exaggeration);
    check_positive("the width of the sun", options.sun_width);
    check_sun(sun);
    average(height, Rect::of(size_));
    open(Rect::of(size_));
    cast_all();
}

void LightMap::average(const Field& height, const Rect& texels) {
    Field::Rows rows = height.rows();
    int per = cells_per_texel_;
    for_rows(texels.height(), [&](int i) {
        int y = texels.top + i;
        int top = cells_.top + y * per;
        int bottom = std::min(top + per, cells_.bottom);
        float* to = heights_.row(y);
        for (int x = texels.left; x < texels.right; x++) {
            int left = x * per;
            int right = std::min(left + per, cells_.width());
            double sum = 0;
            int known = 0;
            for (int row = top; row < bottom; row++)
                for (int column = left; column < right; column++) {
                    float value = rows[row][column];
                    if (!is_drawn(value)) continue;
                    sum += double(value);
                    known++;
                }
            bool enough = known * 2 >= (right - left) * (bottom - top);
            to[x] = enough ? float(sum / known) : nothing;
        }
    });
    // Blocks, so that neither rows nor columns leave the cache between one visit and the next.
    constexpr int block = 32;
    int across = (texels.width() + block - 1) / block;
    tbb::parallel_for(0, across, [&](int i) {
        int left = texels.left + i * block;
        int right = std::min(left + block, texels.right);
        for (int top = texels.top; top < texels.bottom; top += block)
            for (int x = left; x < right; x++)
                for (int y = top; y < std::min(top + block, texels.bottom); y++)
                    across_.row(x)[y] = heights_.row(y)[x];
    });
    for (int y = texels.top; y < texels.bottom; y++) {
        const float* row = heights_.row(y);
        for (int x = texels.left; x < texels.right; x++) {
            if (!casts(row[x])) continue;
            lowest_ = std::min(lowest_, row[x]);
            highest_ = std::max(highest_, row[x]);
        }
    }
}

Rect LightMap::update(const Field& height, const Rect& changed) {
    if (height.rect() != cells_)
        throw Error("a light map is updated with a field of the size it was made of");
    Rect cells = changed.intersected(cells_);
    if (cells.empty()) return {};
    int per = cells_per_texel_;
    Rect texels{(cells.left - cells_.left) / per, (cells.top - cells_.top) / per,
                texels_for(cells.right - cells_.left, per), texels_for(cells.bottom - cells_.top, per)};
    average(height, texels);
    Rect around = texels.expanded(change_reach).intersected(Rect::of(size_));
    open(around);
    Rect lit = cast_around(texels);
    return {std::min(around.left, lit.left), std::min(around.top, lit.top), std::max(around.right, lit.right),
            std::max(around.bottom, lit.bottom)};
}

void LightMap::set_sun(const Sun& sun) {
    check_sun(sun);
    if (sun == sun_) return;
    sun_ = sun;
    cast_all();
}

}  // namespace caprock

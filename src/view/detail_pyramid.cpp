#include "view/detail_pyramid.h"

#include "view/surface.h"

#include <algorithm>
#include <cmath>
#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>

namespace caprock {

namespace {

// Errors are looked for at every sample as far as three levels down; what is finer than that was measured there.
constexpr int levels_down = 3;

// Each level's error is at least so many times that of its parts: how much of a level is shown is found between the
// errors of two levels, and must not jump.
constexpr float error_growth = 1.25f;

Rect halved(Rect rect, int times) {
    for (int i = 0; i < times; i++) rect = rect.halved();
    return rect;
}

bool all_drawn(const float* values, int count) {
    int undrawn = 0;
    for (int i = 0; i < count; i++) undrawn += is_drawn(values[i]) ? 0 : 1;
    return undrawn == 0;
}

// How far samples lie off a surface that has only every `steps`-th of them, up to and with the last ones. `side` samples
// lie in a row.
template <int steps>
float farthest_off(const float* heights, int side, int last_x, int last_y) {
    static_assert(steps >= 2 && steps <= 1 << levels_down);
    // One for every place in a quad: then the compiler takes all places at once.
    float farthest[steps] = {};
    float at_last = 0;
    for (int row = 0; row <= last_y; row++) {
        int quad_row = std::min(row / steps, (side - 1) / steps - 1);
        int v = row - quad_row * steps;
        float down = float(v) / float(steps);
        const float* upper = heights + size_t(quad_row * steps) * size_t(side);
        const float* lower = upper + size_t(steps) * size_t(side);
        const float* here = heights + size_t(row) * size_t(side);
        for (int from = 0; from < side - 1 && from <= last_x; from += steps) {
            float a = upper[from];
            float b = upper[from + steps];
            float c = lower[from];
            float d = lower[from + steps];
            // Left of the diagonal, and right of it.
            float left = a + down * (c - a);
            float left_slope = (d - c) * (1.0f / float(steps));
            float right = a + down * (d - b);
            float right_slope = (b - a) * (1.0f / float(steps));
            if (from + steps <= last_x) {
                for (int u = 0; u < steps; u++) {
                    float drawn = u <= v ? left + left_slope * float(u) : right + right_slope * float(u);
                    float off = std::fabs(here[from + u] - drawn);
                    farthest[u] = off > farthest[u] ? off : farthest[u];
                }
            }
            // The last column has no quad to its right.
            if (from + steps >= last_x)
                for (int u = from + steps == last_x ? steps : 0; u <= last_x - from; u++) {
                    float drawn = u <= v ? left + left_slope * float(u) : right + right_slope * float(u);
                    at_last = std::max(at_last, std::fabs(here[from + u] - drawn));
                }
        }
    }
    return std::max(at_last, *std::ranges::max_element(farthest));
}

}  // namespace

DetailPyramid::DetailPyramid(std::shared_ptr<const CellSource> heights)
    : heights_(std::move(heights)), rect_(heights_->rect()), cells_(rect_.size()) {
    Size size = cells_;
    do {
        size = {(size.width + 1) / 2, (size.height + 1) / 2};
        means_.push_back(
            {size, std::vector<float>(size_t(size.cells())), std::vector<uint8_t>(size_t(size.cells()))});
    } while (size.width > 1 || size.height > 1);
    // A terrain one cell wide has no quads, but a node.
    auto nodes = [](int cells, int level) {
        int64_t span = int64_t(node_quads) << level;
        return std::max(1, int((cells - 1 + span - 1) / span));
    };
    for (int level = 0;; level++) {
        size = {nodes(cells_.width, level), nodes(cells_.height, level)};
        levels_.push_back({size, std::vector<Node>(size_t(size.cells()))});
        if (size.width == 1 && size.height == 1) break;
    }
    update(heights_, rect_);
}

void DetailPyramid::update(std::shared_ptr<const CellSource> heights, const Rect& changed) {
    heights_ = std::move(heights);
    Rect cells = changed.intersected(rect_);
    if (cells.empty()) return;
    cells = {cells.left - rect_.left, cells.top - rect_.top, cells.right - rect_.left,
             cells.bottom - rect_.top};
    for (size_t i = 0; i < means_.size(); i++) find_means(int(i) + 1, halved(cells, int(i) + 1));
    for (size_t i = means_.size(); i-- > 0;) fill_means(int(i) + 1, halved(cells, int(i) + 1));
    for (int level = 0; level < this->levels(); level++) {
        // A sample on the border of two nodes belongs to both.
        int64_t span = int64_t(node_quads) << level;
        auto first = [&](int cell) { return int(std::max<int64_t>(0, (cell - 1)) / span); };
        Size size = this->size(level);
        measure(level,
                {first(cells.left), first(cells.top), std::min(size.width, int((cells.right - 1) / span) + 1),
                 std::min(size.height, int((cells.bottom - 1) / span) + 1)});
    }
}

void DetailPyramid::find_means(int level, const Rect& blocks) {
    Means& means = means_[size_t(level) - 1];
    Size finer = level == 1 ? cells_ : means_[size_t(level) - 2].size;
    for_rows(blocks.height(), [&](int row) {
        int y = blocks.top + row;
        int rows = std::min(2, finer.height - 2 * y);
        int left = 2 * blocks.left;
        int width = std::min(2 * blocks.right, finer.width) - left;
        std::vector<float> cells;
        if (level == 1) {
            cells.resize(size_t(width) * size_t(rows));
            heights_->read(
                {rect_.left + left, rect_.top + 2 * y, rect_.left + left + width, rect_.top + 2 * y + rows},
                1, cells.data());
        }
        for (int x = blocks.left; x < blocks.right; x++) {
            int columns = std::min(2, finer.width - 2 * x);
            double sum = 0;
            int known = 0;
            for (int dy = 0; dy < rows; dy++)
                for (int dx = 0; dx < columns; dx++) {
                    float value;
                    int weight;
                    if (level == 1) {
                        value = cells[size_t(dy) * size_t(width) + size_t(2 * x + dx - left)];
                        weight = is_drawn(value) ? 255 : 0;
                    } else {
                        const Means& below = means_[size_t(level) - 2];
                        size_t at = size_t(2 * y + dy) * size_t(finer.width) + size_t(2 * x + dx);
                        value = below.values[at];
                        weight = below.known[at];
                    }
                    if (weight == 0) continue;
                    sum += double(value) * weight;
                    known += weight;
                }
            size_t at = size_t(y) * size_t(means.size.width) + size_t(x);
            int all = rows * columns;
            means.known[at] =
                uint8_t(known == 0 ? 0 : (known == 255 * all ? 255 : std::clamp(known / all, 1, 254)));
            if (known > 0) means.values[at] = float(sum / known);
        }
    });
}

void DetailPyramid::fill_means(int level, const Rect& blocks) {
    Means& means = means_[size_t(level) - 1];
    bool top = size_t(level) == means_.size();
    const Means& coarser = means_[std::min(size_t(level), means_.size() - 1)];
    for (int y = blocks.top; y < blocks.bottom; y++)
        for (int x = blocks.left; x < blocks.right; x++) {
            size_t at = size_t(y) * size_t(means.size.width) + size_t(x);
            if (means.known[at] > 0) continue;
            means.values[at] =
                top ? 0 : coarser.values[size_t(y / 2) * size_t(coarser.size.width) + size_t(x / 2)];
        }
}

float DetailPyramid::filled(int x, int y) const {
    x = std::clamp(x, 0, cells_.width - 1);
    y = std::clamp(y, 0, cells_.height - 1);
    return means_[0].values[size_t(y / 2) * size_t(means_[0].size.width) + size_t(x / 2)];
}

void DetailPyramid::samples(int x, int y, int level, Size count, float* to) const {
    int stride = 1 << level;
    Rect region = {rect_.left + x, rect_.top + y, rect_.left + x + (count.width - 1) * stride + 1,
                   rect_.top + y + (count.height - 1) * stride + 1};
    read_beyond(*heights_, region, stride, to);
    for (int row = 0; row < count.height; row++) {
        float* values = to + size_t(row) * size_t(count.width);
        // Nearly always nothing is missing, and that is quickly seen.
        if (all_drawn(values, count.width)) continue;
        for (int column = 0; column < count.width; column++)
            if (!is_drawn(values[column])) values[column] = filled(x + column * stride, y + row * stride);
    }
}

void DetailPyramid::means(int x, int y, int level, Size count, float* to) const {
    if (level == 0) return samples(x, y, 0, count, to);
    const Means& means = means_[std::min(size_t(level), means_.size()) - 1];
    for (int row = 0; row < count.height; row++) {
        int block_y = std::clamp(y + row, 0, means.size.height - 1);
        const float* values = means.values.data() + size_t(block_y) * size_t(means.size.width);
        for (int column = 0; column < count.width; column++)
            *to++ = values[std::clamp(x + column, 0, means.size.width - 1)];
    }
}

void DetailPyramid::coverage(int x, int y, int level, Size count, uint8_t* to) const {
    if (level > 0) {
        const Means& means = means_[std::min(size_t(level), means_.size()) - 1];
        for (int row = 0; row < count.height; row++) {
            int block_y = (y >> level) + row;
            for (int column = 0; column < count.width; column++) {
                int block_x = (x >> level) + column;
                bool inside =
                    block_x >= 0 && block_y >= 0 && block_x < means.size.width && block_y < means.size.height;
                *to++ =
                    inside ? means.known[size_t(block_y) * size_t(means.size.width) + size_t(block_x)] : 0;
            }
        }
        return;
    }
    Size corners = {count.width + 1, count.height + 1};
    std::vector<float> cells(size_t(corners.cells()));
    read_beyond(
        *heights_,
        {rect_.left + x, rect_.top + y, rect_.left + x + corners.width, rect_.top + y + corners.height}, 1,
        cells.data());
    for (int row = 0; row < count.height; row++)
        for (int column = 0; column < count.width; column++) {
            const float* at = cells.data() + size_t(row) * size_t(corners.width) + size_t(column);
            bool inside = x + column >= 0 && y + row >= 0 && x + column < cells_.width - 1 &&
                          y + row < cells_.height - 1;
            bool known = is_drawn(at[0]) && is_drawn(at[1]) && is_drawn(at[corners.width]) &&
                         is_drawn(at[corners.width + 1]);
            *to++ = inside && known ? 255 : 0;
        }
}

void DetailPyramid::measure(int level, const Rect& nodes) {
    Level& of = levels_[size_t(level)];
    tbb::parallel_for(tbb::blocked_range2d<int>(nodes.top, nodes.bottom, 1, nodes.left, nodes.right, 8),
                      [&](const auto& part) {
                          for (int y = part.rows().begin(); y < part.rows().end(); y++)
                              for (int x = part.cols().begin(); x < part.cols().end(); x++)
                                  of.nodes[size_t(y) * size_t(of.size.width) + size_t(x)] =
                                      measured(level, x, y);
                      });
}

DetailPyramid::Node DetailPyramid::measured(int level, int x, int y) const {
    Node node;
    node.low = INFINITY;
    node.high = -INFINITY;
    if (level == 0) {
        int left = x * node_quads;
        int top = y * node_quads;
        Rect region =
            Rect{left, top, left + node_quads + 1, top + node_quads + 1}.intersected(Rect::of(cells_));
        std::vector<float> cells(size_t(region.cells()));
        heights_->read({rect_.left + region.left, rect_.top + region.top, rect_.left + region.right,
                        rect_.top + region.bottom},
                       1, cells.data());
        int undrawn = 0;
        // Several at once, each the lowest and the highest of its column.
        constexpr size_t lanes = 8;
        float low[lanes], high[lanes];
        std::ranges::fill(low, farthest_value);
        std::ranges::fill(high, -farthest_value);
        auto take = [&](float value, size_t lane) {
            bool there = is_drawn(value);
            undrawn += there ? 0 : 1;
            low[lane] = there && value < low[lane] ? value : low[lane];
            high[lane] = there && value > high[lane] ? value : high[lane];
        };
        size_t first = 0;
        for (; first + lanes <= cells.size(); first += lanes)
            for (size_t lane = 0; lane < lanes; lane++) take(cells[first + lane], lane);
        for (; first < cells.size(); first++) take(cells[first], 0);
        node.any = size_t(undrawn) < cells.size();
        node.missing = undrawn > 0;
        if (node.any) {
            node.low = *std::ranges::min_element(low);
            node.high = *std::ranges::max_element(high);
        }
        return node;
    }

    auto with_parts_of = [&](int finer, auto&& take) {
        int times = level - finer;
        Size size = this->size(finer);
        for (int part_y = y << times; part_y < std::min((y + 1) << times, size.height); part_y++)
            for (int part_x = x << times; part_x < std::min((x + 1) << times, size.width); part_x++)
                take(this->node(finer, part_x, part_y));
    };
    float least_error = 0;
    with_parts_of(level - 1, [&](const Node& part) {
        node.any |= part.any;
        node.missing |= part.missing;
        node.low = std::min(node.low, part.low);
        node.high = std::max(node.high, part.high);
        least_error = std::max(least_error, part.error * error_growth);
    });
    if (!node.any) return node;

    int down = std::min(level, levels_down);
    int finer = level - down;
    int steps = 1 << down;  // samples from one corner of a quad to the next
    int64_t span = int64_t(node_quads) << level;
    int left = int(x * span);
    int top = int(y * span);
    int side = node_quads * steps + 1;
    // Only samples of the terrain itself are looked at, and all whose quads they lie in.
    auto last = [&](int from, int cells) {
        return int(std::min<int64_t>(side - 1, (cells - 1 - from) >> finer));
    };
    int last_x = last(left, cells_.width);
    int last_y = last(top, cells_.height);
    std::vector<float> heights(size_t(side) * size_t(side));
    samples(left, top, finer, {side, side}, heights.data());
    float farthest = steps == 8   ? farthest_off<8>(heights.data(), side, last_x, last_y)
                     : steps == 4 ? farthest_off<4>(heights.data(), side, last_x, last_y)
                                  : farthest_off<2>(heights.data(), side, last_x, last_y);
    float below = 0;
    if (finer > 0) with_parts_of(finer, [&](const Node& part) { below = std::max(below, part.error); });
    node.error = std::max(farthest + below, least_error);
    return node;
}

}  // namespace caprock

#include "view/detail_selection.h"

#include "view/horizon.h"

#include <algorithm>
#include <cmath>

namespace caprock {

namespace {

constexpr int node_quads = DetailPyramid::node_quads;
constexpr int fewest_quads_levels = 3;  // 32 >> 3 quads at least
constexpr int deepest_ladder = 5;       // log2 of node_quads: above that a tile has less than one quad

// Vertices between two that are off in opposite directions are off a little more than either: the bound that is promised
// is reached with this share of it.
constexpr double share_of_error = 0.95;

uint64_t key(int level, int x, int y) {
    return uint64_t(level) << 56 | uint64_t(uint32_t(x)) << 28 | uint64_t(uint32_t(y));
}

// The half space in front of a plane through the eye, or the near plane.
struct HalfSpace {
    Vector3 normal;
    double offset = 0;

    bool misses(const Box& box) const {
        Vector3 farthest = {normal.x > 0 ? box.most.x : box.least.x, normal.y > 0 ? box.most.y : box.least.y,
                            normal.z > 0 ? box.most.z : box.least.z};
        return dot(normal, farthest) < offset;
    }
};

}  // namespace

struct DetailSelection::Look {
    const DetailPyramid& pyramid;
    const Grid& grid;
    const DetailSettings& settings;
    Vector3 eye;
    double pixel;    // metres of a pixel at a distance of 1 m
    double allowed;  // metres of error there
    double bias_distance;
    std::array<HalfSpace, 5> frustum;

    Box box(int level, int x, int y) const {
        const DetailPyramid::Node& node = pyramid.node(level, x, y);
        double span = std::ldexp(double(node_quads), level);
        double low = double(node.low) * settings.exaggeration;
        double high = double(node.high) * settings.exaggeration;
        // From sample to sample: the last nodes reach beyond the last one.
        Rect rect = pyramid.rect();
        auto place = [&](int first, int number, int end) {
            return grid.cells_to_metres(std::min(first + number * span, end - 1.0));
        };
        return {
            {place(rect.left, x, rect.right), place(rect.top, y, rect.bottom), std::min(low, high)},
            {place(rect.left, x + 1, rect.right), place(rect.top, y + 1, rect.bottom), std::max(low, high)}};
    }
    // About that: over the highest sample of the smallest node below the eye.
    double height_over_ground() const {
        auto place = [&](double metres, int first, int count) {
            double node = std::floor((grid.metres_to_cells(metres) - first) / node_quads);
            return int(std::clamp(node, 0.0, count - 1.0));
        };
        Size size = pyramid.size(0);
        Box below = box(0, place(eye.x, pyramid.rect().left, size.width),
                        place(eye.y, pyramid.rect().top, size.height));
        return std::isfinite(below.most.z) ? eye.z - below.most.z : 0;
    }
    // The nodes a node is made of, as far as there is anything to draw, until one is not taken.
    template <typename Take>
    bool all_parts(int level, int x, int y, const Take& take) const {
        Size size = pyramid.size(level - 1);
        for (int part_y = 2 * y; part_y < std::min(2 * y + 2, size.height); part_y++)
            for (int part_x = 2 * x; part_x < std::min(2 * x + 2, size.width); part_x++)
                if (pyramid.node(level - 1, part_x, part_y).any && !take(part_x, part_y)) return false;
        return true;
    }
    // A node is as high as its highest sample only somewhere, and as low as its lowest: its parts, so many levels down, say
    // more about what is seen of it and what it hides.
    bool hidden(const Horizon& horizon, int level, int x, int y, int deeper) const {
        if (horizon.hides(box(level, x, y))) return true;
        if (deeper == 0 || level == 0) return false;
        return all_parts(level, x, y, [&](int part_x, int part_y) {
            return hidden(horizon, level - 1, part_x, part_y, deeper - 1);
        });
    }
    void hide_behind(Horizon& horizon, int level, int x, int y, int deeper) const {
        if (deeper == 0 || level == 0) {
            if (!pyramid.node(level, x, y).missing) horizon.add(box(level, x, y));
            return;
        }
        all_parts(level, x, y, [&](int part_x, int part_y) {
            hide_behind(horizon, level - 1, part_x, part_y, deeper - 1);
            return true;
        });
    }
    double distance(const Box& box) const { return length(box.nearest(eye) - eye); }
    bool visible(const Box& box) const {
        Box relative = {box.least - eye, box.most - eye};
        return std::ranges::none_of(frustum, [&](const HalfSpace& half) { return half.misses(relative); });
    }
    double allowed_at(double distance) const {
        double farther = settings.distance_bias > 0
                             ? std::pow(std::max(distance / bias_distance, 1.0), settings.distance_bias)
                             : 1.0;
        return allowed * distance * farther;
    }
    float error(int level, int x, int y) const {
        return pyramid.node(level, x, y).error * float(std::fabs(settings.exaggeration));
    }
    // The level of texture with about a texel for a pixel.
    int page_level(double distance) const {
        double texel = grid.metres_to_cells(distance * pixel * settings.texel);
        return texel < 1 ? 0 : std::min(int(std::log2(texel)), 30);
    }
};

std::vector<DetailTile> DetailSelection::select(const DetailPyramid& pyramid, const Grid& grid,
                                                const Camera& camera, Size viewport,
                                                const DetailSettings& settings) {
    CameraAxes axes = axes_of(camera);
    double pixel = pixel_size(camera, viewport);
    double half_height = pixel * viewport.height / 2;
    double half_width = pixel * viewport.width / 2;
    Look look = {pyramid,
                 grid,
                 settings,
                 camera.position,
                 pixel,
                 pixel * settings.error * share_of_error,
                 1,
                 {{{axes.ahead, 0},
                   {axes.ahead * half_width + axes.right, 0},
                   {axes.ahead * half_width - axes.right, 0},
                   {axes.ahead * half_height + axes.up, 0},
                   {axes.ahead * half_height - axes.up, 0}}}};
    int top = pyramid.levels() - 1;
    look.bias_distance = std::max({look.distance(look.box(top, 0, 0)), look.height_over_ground(), grid.cell});
    allowed_ = look.allowed;
    bias_distance_ = look.bias_distance;

    leaves_.clear();
    split_before_.swap(split_);
    split_.clear();
    inner_.clear();
    descend(look, top, 0, 0);
    balance(look);

    std::vector<const Leaf*> nearest_first;
    nearest_first.reserve(leaves_.size());
    collect(look, top, 0, 0, nearest_first);
    Horizon horizon(camera.position);
    bool may_hide = !settings.behind_horizons;
    constexpr int looked_into = 2;  // levels of parts
    std::vector<DetailTile> tiles;
    tiles.reserve(nearest_first.size());
    for (const Leaf* leaf : nearest_first) {
        Box box = look.box(leaf->level, leaf->x, leaf->y);
        // From below the ground everything may be seen.
        if (leaf->distance == 0 && camera.position.z < box.least.z) may_hide = false;
        if (may_hide) {
            if (look.hidden(horizon, leaf->level, leaf->x, leaf->y, looked_into)) continue;
            look.hide_behind(horizon, leaf->level, leaf->x, leaf->y, looked_into);
        }
        tiles.push_back(tile_of(look, *leaf));
    }
    return tiles;
}

void DetailSelection::descend(const Look& look, int level, int x, int y) {
    if (!look.pyramid.node(level, x, y).any) return;
    Box box = look.box(level, x, y);
    if (!look.visible(box)) return;
    double distance = look.distance(box);
    uint64_t place = key(level, x, y);
    bool was_split = split_before_.contains(place);
    double allowed = look.allowed_at(distance) * (was_split ? 1 - look.settings.hysteresis : 1);
    bool too_coarse = look.error(level, x, y) > allowed;
    bool too_blurred = level > look.page_level(distance) + page_levels;
    if (level > 0 && (too_coarse || too_blurred)) {
        split_.insert(place);
        inner_.insert(place);
        look.all_parts(level, x, y, [&](int part_x, int part_y) {
            descend(look, level - 1, part_x, part_y);
            return true;
        });
        return;
    }
    // Where coarser levels are good enough, fewer of the tile's samples are drawn.
    int step = level;
    double plainly_allowed = look.allowed_at(distance);
    while (step < level + fewest_quads_levels && step + 1 < look.pyramid.levels() &&
           look.error(step + 1, x >> (step + 1 - level), y >> (step + 1 - level)) <= plainly_allowed)
        step++;
    leaves_[place] = {level, x, y, distance, step};
}

// Of two tiles, the one that can hide the other comes first: at each node the quarter under the eye, then those beside
// it, then the one across.
void DetailSelection::collect(const Look& look, int level, int x, int y,
                              std::vector<const Leaf*>& nearest_first) const {
    auto found = leaves_.find(key(level, x, y));
    if (found != leaves_.end()) {
        nearest_first.push_back(&found->second);
        return;
    }
    if (!inner_.contains(key(level, x, y))) return;
    double half = std::ldexp(double(node_quads), level - 1);
    int east = look.grid.metres_to_cells(look.eye.x) > look.pyramid.rect().left + (2 * x + 1) * half;
    int south = look.grid.metres_to_cells(look.eye.y) > look.pyramid.rect().top + (2 * y + 1) * half;
    for (int across : {0, 1})
        for (int along : {0, 1})
            collect(look, level - 1, 2 * x + (along ? 1 - east : east), 2 * y + (across ? 1 - south : south),
                    nearest_first);
}

const DetailSelection::Leaf* DetailSelection::leaf_over(int level, int x, int y) const {
    constexpr int highest = 16;  // more levels than a grid of the largest side has
    for (int up = 0; level + up <= highest; up++) {
        auto found = leaves_.find(key(level + up, x >> up, y >> up));
        if (found != leaves_.end()) return &found->second;
    }
    return nullptr;
}

// No tile lies beside one more than twice its size: an edge has at most two neighbours then.
void DetailSelection::balance(const Look& look) {
    std::vector<Leaf> to_check;
    for (const auto& [place, leaf] : leaves_) to_check.push_back(leaf);
    constexpr int beside[4][2] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}};
    while (!to_check.empty()) {
        Leaf leaf = to_check.back();
        to_check.pop_back();
        for (const auto& [dx, dy] : beside) {
            int x = leaf.x + dx;
            int y = leaf.y + dy;
            Size size = look.pyramid.size(leaf.level);
            if (x < 0 || y < 0 || x >= size.width || y >= size.height) continue;
            const Leaf* neighbour = leaf_over(leaf.level, x, y);
            while (neighbour && neighbour->level > leaf.level + 1) {
                Leaf large = *neighbour;
                leaves_.erase(key(large.level, large.x, large.y));
                inner_.insert(key(large.level, large.x, large.y));
                look.all_parts(large.level, large.x, large.y, [&](int part_x, int part_y) {
                    Box box = look.box(large.level - 1, part_x, part_y);
                    if (!look.visible(box)) return true;
                    // It goes on showing what the large one showed.
                    int step = std::min(large.step, large.level - 1 + fewest_quads_levels);
                    Leaf part = {large.level - 1, part_x, part_y, look.distance(box), step};
                    leaves_[key(part.level, part_x, part_y)] = part;
                    to_check.push_back(part);
                    return true;
                });
                neighbour = leaf_over(leaf.level, x, y);
            }
        }
    }
}

DetailTile DetailSelection::tile_of(const Look& look, const Leaf& leaf) const {
    auto error_at = [&](const Leaf& of, int level) {
        if (level >= look.pyramid.levels()) return DetailLadder::never;
        return look.error(level, of.x >> (level - of.level), of.y >> (level - of.level));
    };
    // The levels a vertex may show: from the wider step of both tiles to where the smaller one is a single quad.
    auto ladder = [&](const Leaf& own, const Leaf* other) {
        DetailLadder made;
        int first = other ? std::max(own.step, other->step) : own.step;
        int last = (other ? std::min(own.level, other->level) : own.level) + deepest_ladder;
        made.first = float(first);
        for (int i = 0; i < DetailLadder::steps; i++) {
            int level = first + i;
            float error = error_at(own, level);
            if (other) error = std::min(error, error_at(*other, level));
            made.errors[size_t(i)] = level > last ? DetailLadder::never : error;
        }
        return made;
    };

    DetailTile tile;
    tile.level = leaf.level;
    tile.x = leaf.x;
    tile.y = leaf.y;
    tile.quads = node_quads >> (leaf.step - leaf.level);
    tile.page_level =
        std::clamp(look.page_level(leaf.distance), std::max(0, leaf.level - page_levels), leaf.level);
    tile.holes = look.pyramid.node(leaf.level, leaf.x, leaf.y).missing;
    tile.inside = ladder(leaf, nullptr);
    Size finer = leaf.level > 0 ? look.pyramid.size(leaf.level - 1) : Size{};
    Size size = look.pyramid.size(leaf.level);
    for (int edge = 0; edge < 8; edge++) {
        int side = edge / 2;  // north, south, west, east
        int half = edge % 2;
        int dx = side == 2 ? -1 : (side == 3 ? 1 : 0);
        int dy = side == 0 ? -1 : (side == 1 ? 1 : 0);
        const Leaf* neighbour = nullptr;
        int x = leaf.x + dx;
        int y = leaf.y + dy;
        if (x >= 0 && y >= 0 && x < size.width && y < size.height) {
            neighbour = leaf_over(leaf.level, x, y);
            if (!neighbour && leaf.level > 0) {
                // The smaller tile at this half of the edge.
                int part_x = 2 * x + (side == 2 ? 1 : (side == 3 ? 0 : half));
                int part_y = 2 * y + (side == 0 ? 1 : (side == 1 ? 0 : half));
                if (part_x < finer.width && part_y < finer.height) {
                    auto found = leaves_.find(key(leaf.level - 1, part_x, part_y));
                    if (found != leaves_.end()) neighbour = &found->second;
                }
            }
        }
        tile.edges[size_t(edge)] = ladder(leaf, neighbour);
    }
    return tile;
}

}  // namespace caprock

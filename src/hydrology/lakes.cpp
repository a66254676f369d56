#include "hydrology/lakes.h"

#include "compute/in_parallel.h"
#include "hydrology/basins.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace caprock {

namespace {

constexpr uint32_t sea = 0;
constexpr uint32_t none = std::numeric_limits<uint32_t>::max();

// A hollow: one that drains to a single pit, or two that have become one. The first stands for what lies outside of the land.
struct Hollow {
    uint32_t parent = sea;       // what it becomes a part of when it and the other part are full
    uint32_t parts[2] = {0, 0};  // none of a single pit
    uint32_t spills = sea;       // the single-pit hollow into which it runs over
    float level = 0;             // at which it does
    double room = 0;             // how much water there is then, in all of it
    double water = 0;            // how much there is
    bool full = false;
    uint32_t after = none;  // where water goes that comes when it is full, as far as is known

    bool is_single() const { return parts[0] == 0; }
};

class Filling {
  public:
    Filling(const FlowGraph& graph, const Field& height, const FlowRules& rules, Progress& progress)
        : graph_(graph), progress_(progress), hollows_(graph.basins().size()) {
        join(height, rules);
        measure();
    }

    void add(uint32_t basin, double water) {
        // What has nowhere to go in a full hollow goes on until there is room.
        while (water > 0) {
            const uint32_t at = with_room(basin);
            if (at == sea) {
                left_ += water;
                return;
            }
            Hollow& hollow = hollows_[at];
            const double room = hollow.room - hollow.water;
            if (water < room) {
                hollow.water += water;
                return;
            }
            hollow.water = hollow.room;
            hollow.full = true;
            water -= room;
            if (const uint32_t parent = hollow.parent; parent != sea && other_part(at).full) {
                Hollow& both = hollows_[parent];
                both.water = hollows_[both.parts[0]].water + hollows_[both.parts[1]].water;
            }
        }
    }

    double left() const { return left_; }

    // The level of the lake over a single-pit hollow; less than anything where there is none.
    std::vector<float> levels() {
        const size_t singles = graph_.basins().size();
        std::vector<uint32_t> lake(singles, none);
        std::vector<std::vector<float>> beds(hollows_.size());
        for (uint32_t basin = 1; basin < singles; basin++) {
            uint32_t top = basin;
            while (hollows_[top].full && hollows_[top].parent != sea && other_part(top).full)
                top = hollows_[top].parent;
            if (hollows_[top].water > 0) lake[basin] = top;
        }
        for (size_t cell = 0; cell < graph_.size(); cell++) {
            const uint32_t top = lake_at(cell, lake);
            if (top != none && !hollows_[top].full) beds[top].push_back(graph_.height(cell));
        }
        std::vector<float> levels(singles, -std::numeric_limits<float>::infinity());
        std::vector<float> of_lake(hollows_.size(), 0);
        std::vector<uint8_t> known(hollows_.size(), 0);
        for (uint32_t basin = 1; basin < singles; basin++) {
            const uint32_t top = lake[basin];
            if (top == none) continue;
            if (!known[top]) {
                of_lake[top] = hollows_[top].full ? hollows_[top].level
                                                  : level_of(std::move(beds[top]), hollows_[top].water);
                known[top] = 1;
            }
            levels[basin] = of_lake[top];
        }
        return levels;
    }

  private:
    const Hollow& other_part(uint32_t hollow) const {
        const Hollow& both = hollows_[hollows_[hollow].parent];
        return hollows_[both.parts[0] == hollow ? both.parts[1] : both.parts[0]];
    }

    // The first on the way of water that comes to a hollow which is not full. A full one stays full, so that what lies behind it
    // is remembered.
    uint32_t with_room(uint32_t hollow) {
        uint32_t at = hollow;
        while (at != sea && hollows_[at].full) at = after(at);
        while (hollow != sea && hollows_[hollow].full) {
            const uint32_t next = after(hollow);
            hollows_[hollow].after = at;
            hollow = next;
        }
        return at;
    }
    uint32_t after(uint32_t hollow) const {
        const Hollow& one = hollows_[hollow];
        if (one.after != none) return one.after;
        return one.parent != sea && other_part(hollow).full ? one.parent : one.spills;
    }

    // Basins become one at the lowest pass between them that is left, until they have joined what lies outside.
    void join(const Field& height, const FlowRules& rules) {
        std::vector<uint32_t> labels(graph_.size());
        for (size_t cell = 0; cell < graph_.size(); cell++) labels[cell] = graph_.basin(cell);
        const std::vector<Pass> passes = passes_between(height, rules, labels, progress_);
        JoinedBasins joined(hollows_.size());
        std::vector<uint32_t> hollow_of(hollows_.size());  // of the root of basins that are one
        for (uint32_t i = 0; i < hollow_of.size(); i++) hollow_of[i] = i;
        for (const Pass& pass : passes) {
            const uint32_t a = joined.root(pass.basin);
            const uint32_t b = joined.root(pass.beyond);
            if (a == b) continue;
            const uint32_t first = hollow_of[a];
            const uint32_t second = hollow_of[b];
            const float level = height_of(pass.height);
            joined.join(a, b);
            if (first == sea || second == sea) {
                if (first != sea) runs_over(first, pass.beyond, level);
                if (second != sea) runs_over(second, pass.basin, level);
                hollow_of[joined.root(a)] = sea;
                continue;
            }
            runs_over(first, pass.beyond, level);
            runs_over(second, pass.basin, level);
            const uint32_t both = uint32_t(hollows_.size());
            hollows_[first].parent = both;
            hollows_[second].parent = both;
            Hollow made;
            made.parts[0] = first;
            made.parts[1] = second;
            hollows_.push_back(made);
            hollow_of[joined.root(a)] = both;
        }
        // What has not come to the outside has none: there is no end to how much it takes.
        for (uint32_t i = 1; i < graph_.basins().size(); i++)
            if (joined.root(i) != joined.root(sea))
                hollows_[hollow_of[joined.root(i)]].level = std::numeric_limits<float>::infinity();
    }

    void runs_over(uint32_t hollow, uint32_t into, float level) {
        hollows_[hollow].spills = into;
        hollows_[hollow].level = level;
    }

    // Each cell counts for the smallest hollow that reaches over it, and with it for those that this is a part of.
    void measure() {
        std::vector<double> cells(hollows_.size(), 0), heights(hollows_.size(), 0);
        // How high water may rise over each, with whatever it becomes a part of.
        std::vector<float> highest(hollows_.size());
        for (size_t i = hollows_.size(); i-- > 1;) {
            const Hollow& hollow = hollows_[i];
            highest[i] = hollow.parent == sea ? hollow.level : std::max(hollow.level, highest[hollow.parent]);
        }
        for (size_t cell = 0; cell < graph_.size(); cell++) {
            if (graph_.is_missing(cell) || graph_.basin(cell) == 0) continue;
            const float height = graph_.height(cell);
            uint32_t hollow = graph_.basin(cell);
            if (!(height < highest[hollow])) continue;
            while (!(height < hollows_[hollow].level)) hollow = hollows_[hollow].parent;
            cells[hollow] += 1;
            heights[hollow] += double(height);
        }
        // Parts come before what they become.
        for (uint32_t i = 1; i < hollows_.size(); i++) {
            Hollow& hollow = hollows_[i];
            if (!hollow.is_single())
                for (uint32_t part : hollow.parts) {
                    cells[i] += cells[part];
                    heights[i] += heights[part];
                }
            hollow.room = std::max(double(hollow.level) * cells[i] - heights[i], 0.0);
        }
    }

    // The lake over a cell, where it may lie under water.
    uint32_t lake_at(size_t cell, const std::vector<uint32_t>& lake) const {
        if (graph_.is_missing(cell)) return none;
        const uint32_t basin = graph_.basin(cell);
        if (basin == 0 || lake[basin] == none) return none;
        return graph_.height(cell) < hollows_[lake[basin]].level ? lake[basin] : none;
    }

    // At which so much water stands over these heights.
    static float level_of(std::vector<float> beds, double water) {
        std::ranges::sort(beds);
        double below = 0;
        for (size_t count = 1; count <= beds.size(); count++) {
            below += beds[count - 1];
            const double level = (water + below) / double(count);
            if (count == beds.size() || level <= beds[count]) return float(level);
        }
        return -std::numeric_limits<float>::infinity();
    }

    const FlowGraph& graph_;
    Progress& progress_;
    std::vector<Hollow> hollows_;
    double left_ = 0;
};

}  // namespace

Lakes lakes_after_rain(const FlowGraph& graph, const Field& height, const FlowRules& rules, double everywhere,
                       const Field* rain, Progress& progress) {
    Filling filling(graph, height, rules, progress);
    const Rect& rect = graph.rect();
    std::vector<double> shed(graph.basins().size(), 0);
    const Field::Rows rain_rows = rain ? rain->rows() : Field::Rows();
    size_t cell = 0;
    for (int y = rect.top; y < rect.bottom; y++) {
        for (int x = rect.left; x < rect.right; x++, cell++) {
            if (graph.is_missing(cell)) continue;
            const double falls = rain ? double(rain_rows[y][x - rect.left]) : everywhere;
            if (falls > 0) shed[graph.basin(cell)] += falls;
        }
        progress.check();
    }
    for (uint32_t basin = 0; basin < shed.size(); basin++) filling.add(basin, shed[basin]);
    const std::vector<float> levels = filling.levels();
    Lakes lakes{Field(rect), filling.left(), 0};
    const Field::WritableRows to = lakes.depth.writable_rows();
    cell = 0;
    for (int y = rect.top; y < rect.bottom; y++)
        for (int x = rect.left; x < rect.right; x++, cell++) {
            float depth = missing;
            if (!graph.is_missing(cell)) {
                const float here = graph.height(cell);
                const float level = graph.basin(cell) == 0 ? here : levels[graph.basin(cell)];
                depth = here < level ? level - here : 0.0f;
                lakes.stands += double(depth);
            }
            to[y][x - rect.left] = depth;
        }
    return lakes;
}

}  // namespace caprock

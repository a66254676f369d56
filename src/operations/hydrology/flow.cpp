// Where water goes: what drains through each cell, and what is told from that.
#include "base/mathematics.h"
#include "hydrology/hollows.h"
#include "hydrology/streams.h"
#include "operation/operation.h"
#include "operations/hydrology/flow_settings.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace caprock {

namespace {

enum class Crossing { bottom, fill, breach };
// Ground that does not fall at all is taken to fall by so much: a hundred-thousandth of a metre each metre.
constexpr double least_slope = 1e-5;

struct Flow {
    Crossing hollows = Crossing::bottom;
    FlowSharing sharing = FlowSharing::multiple;
    bool wetness = false;
    bool power = false;
    bool watersheds = false;
    bool distance = false;
    double stream_area = 50;
    std::string streams;
    FlowSettings flow;

    void describe(Declaration& d) const {
        d.summary("where water goes: the ground that drains through each place, streams, watersheds");
        d.choice("sharing", sharing, {"multiple", "single"})
            .help(
                "how ground is shared out: multiple: among all lower neighbours; single: all to the "
                "steepest. Streams, "
                "watersheds and distances always follow the steepest");
        d.choice("hollows", hollows, {"bottom", "fill", "breach"})
            .help(
                "how water gets out of a hollow: along its bottom to the lowest place of its rim, over "
                "ground "
                "that is filled, or by the trench that takes the least digging; the land stays as it is");
        d.flag("wetness", wetness).help("the topographic wetness index, ln(a / tan b), as the field wetness");
        d.flag("power", power)
            .help(
                "stream power, the ground drained per metre of width times the slope, as the field "
                "stream-power");
        d.flag("watersheds", watersheds)
            .help(
                "which stream reach each place drains to first, counted from 1, as the field watershed; 0: "
                "none");
        d.flag("distance", distance)
            .help(
                "how far water runs to the stream and how high above it, as the fields stream-distance and "
                "above-stream");
        d.number("stream-area", stream_area)
            .range(0, 1e9)
            .slider(1, 1000)
            .logarithmic()
            .unit("ha")
            .help("a stream begins where so much ground drains through one place");
        d.text("streams", streams).help("name of the lines to make of streams; none unless named");
        flow.describe(d);
        d.reads("height");
        d.makes("drained-area");
        if (wetness) d.makes("wetness");
        if (power) d.makes("stream-power");
        if (watersheds) d.makes("watershed");
        if (distance) {
            d.makes("stream-distance");
            d.makes("above-stream");
        }
        if (!streams.empty()) d.makes_lines(streams);
        d.works_with(
            14);  // ways, basins and passes; areas whole and in shares; streams; a field for each that is made
    }

    void check(const Grid&) const {
        if (!streams.empty()) check_line_name(streams);
    }

    Reach reach(const Grid&) const { return Reach::whole(); }

    void run(Work& work) const;
};

// One run of it, on the host.
class Following {
  public:
    Following(const Flow& by, WorkTerrain& terrain, const Field& ground, Progress& progress)
        : by_(by),
          terrain_(terrain),
          ground_(ground),
          cell_(terrain.grid().cell),
          graph_(ground, by.flow.rules(), progress),
          areas_(graph_.areas(progress)),
          drained_(drained_area(graph_, by.sharing, cell_, progress)),
          drained_rows_(drained_.rows()) {}

    void make() {
        if (by_.wetness)
            set_each("wetness",
                     [&](size_t cell) { return natural_logarithm(width_drained(cell) / slope(cell)); });
        if (by_.power)
            set_each("stream-power", [&](size_t cell) { return width_drained(cell) * slope(cell); });
        if (by_.watersheds || by_.distance || !by_.streams.empty()) follow_streams();
        terrain_.set("drained-area", std::move(drained_));
    }

  private:
    // Square metres per metre of width.
    double width_drained(size_t cell) const {
        return double(drained_rows_[graph_.y_of(cell)][graph_.x_of(cell) - graph_.rect().left]) / cell_;
    }
    double run(size_t cell) const {
        return FlowGraph::is_diagonal(graph_.way(cell)) ? cell_ * std::sqrt(2.0) : cell_;
    }
    // As rise over run, of the way that water takes.
    double slope(size_t cell) const {
        if (graph_.leaves(cell)) return least_slope;
        const double drop = double(graph_.height(cell)) - double(graph_.height(graph_.receiver(cell)));
        return std::max(drop / run(cell), least_slope);
    }

    template <typename Value>
    void set_each(const char* name, const Value& value) {
        Field field(graph_.rect());
        const Field::WritableRows rows = field.writable_rows();
        size_t cell = 0;
        for (int y = graph_.rect().top; y < graph_.rect().bottom; y++)
            for (int x = 0; x < graph_.rect().width(); x++, cell++)
                rows[y][x] = graph_.is_missing(cell) ? missing : float(value(cell));
        terrain_.set(name, std::move(field));
    }

    void follow_streams() {
        const double cells = by_.stream_area * square_metres_of_hectare / (cell_ * cell_);
        const uint32_t least = uint32_t(std::clamp(std::ceil(cells), 1.0, 4294967295.0));
        const StreamNetwork network(graph_, areas_, least);
        const std::vector<uint32_t> order = graph_.upstream_first();
        if (by_.watersheds) {
            std::vector<uint32_t> of_reach(graph_.size(), 0);
            for (size_t i = 0; i < network.reaches().size(); i++)
                for (size_t cell : own_cells(network.reaches()[i])) of_reach[cell] = uint32_t(i + 1);
            for (size_t i = order.size(); i-- > 0;) {
                const size_t cell = order[i];
                if (of_reach[cell] == 0 && !graph_.leaves(cell))
                    of_reach[cell] = of_reach[graph_.receiver(cell)];
            }
            set_each("watershed", [&](size_t cell) { return of_reach[cell]; });
        }
        if (by_.distance) {
            // Without a stream on its way, water runs to where it leaves the land.
            std::vector<float> far(graph_.size(), 0), base(graph_.size(), 0);
            for (size_t i = order.size(); i-- > 0;) {
                const size_t cell = order[i];
                const bool ends = graph_.leaves(cell) || network.is_stream(cell);
                far[cell] = ends ? 0.0f : float(double(far[graph_.receiver(cell)]) + run(cell));
                base[cell] = ends ? graph_.height(cell) : base[graph_.receiver(cell)];
            }
            set_each("stream-distance", [&](size_t cell) { return far[cell]; });
            // Out of a hollow water rises, and is not below its stream for that.
            set_each("above-stream",
                     [&](size_t cell) { return std::max(graph_.height(cell) - base[cell], 0.0f); });
        }
        if (!by_.streams.empty()) terrain_.set_lines(by_.streams, lines_of(network));
    }

    // All but the cell of the stream that it joins.
    static std::vector<size_t> own_cells(const StreamReach& reach) {
        std::vector<size_t> cells = reach.cells;
        if (reach.into >= 0) cells.pop_back();
        return cells;
    }

    LineSet lines_of(const StreamNetwork& network) const {
        std::vector<Line> lines;
        // One that ends where it begins, at the border, is no line.
        auto is_line = [&](int index) {
            return index >= 0 && network.reaches()[size_t(index)].cells.size() > 1;
        };
        for (int index = 0; index < int(network.reaches().size()); index++) {
            if (!is_line(index)) continue;
            const StreamReach& reach = network.reaches()[size_t(index)];
            Line line;
            for (size_t cell : reach.cells) {
                const WorldPoint place = terrain_.grid().place_of(graph_.x_of(cell), graph_.y_of(cell));
                line.points.emplace_back(place.x, place.y, double(graph_.height(cell)));
            }
            const double length = line.length();
            const double falls = line.points.front().z - line.points.back().z;
            line.attributes = {{"reach", int64_t(index + 1)},
                               {"into", is_line(reach.into) ? int64_t(reach.into + 1) : int64_t(0)},
                               {"order", int64_t(reach.order)},
                               {"area", double(reach.area) * cell_ * cell_},
                               {"length", length},
                               {"slope", length > 0 ? falls / length : 0.0}};
            lines.push_back(std::move(line));
        }
        return LineSet(std::move(lines));
    }

    const Flow& by_;
    WorkTerrain& terrain_;
    Field ground_;
    double cell_;
    FlowGraph graph_;
    std::vector<uint32_t> areas_;
    Field drained_;
    Field::Rows drained_rows_;
};

void Flow::run(Work& work) const {
    WorkTerrain& terrain = work.terrain();
    const bool changed = hollows != Crossing::bottom;
    work.progress().expect(((changed ? 2 : 1) * FlowGraph::units_to_make + 4) * work.rect().cells());
    Field ground = terrain.height();
    work.on_host([&] {
        if (changed) {
            const FlowRules rules = flow.rules();
            const FlowGraph graph(ground, rules, work.progress());
            ground = hollows == Crossing::fill
                         ? graph.filled()
                         : breached_hollows(graph, rules, terrain.grid().cell, {}, work.progress());
        }
        Following(*this, terrain, ground, work.progress()).make();
    });
}

REGISTER_OPERATION("flow", "hydrology", Flow);

}  // namespace

}  // namespace caprock

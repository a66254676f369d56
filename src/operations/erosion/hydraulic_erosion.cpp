// Hydraulic erosion (Frontier §5.4.2, after Musgrave and Beneš): rain that flows, dissolves, carries, drops and
// evaporates.
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/erosion/scales.h"
#include "operations/erosion/volumes.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace caprock {

namespace {

// The part of a stretch of time in which it rains: a unit from the beginning of every period on, or only of the first.
double rainy_part(double from, double to, int period) {
    // All rain that has fallen by then.
    auto fallen = [&](double time) {
        if (period == 0) return std::min(time, 1.0);
        double periods = std::floor(time / period);
        return periods + std::min(time - periods * period, 1.0);
    };
    return fallen(to) - fallen(from);
}

struct HydraulicErosion {
    static constexpr int version = 2;

    SimulatedTime time{.duration = 300};
    double capacity = 0.7;
    double deposition = 0.5;
    double dissolving = 0.5;
    double evaporation = 0.03;
    double rain_gain = 0.01;
    double rain_least = 0.01;
    int rain_every = 1;

    void describe(Declaration& d) const {
        d.summary("rain carves gullies and valleys, and fills hollows with what it carried");
        d.source("Frontier, section 5.4.2");
        time.describe(
            d, "iterations",
            "size of the cells that are worked on first, and which water crosses in a step. Finer ones "
            "follow them and get gullies of their own, so that the land is the same at any resolution");
        d.number("capacity", capacity)
            .range(0, 10)
            .slider(0, 1)
            .help("Kc: metres of sediment that a metre of water carries");
        d.number("deposition", deposition)
            .range(0, 1)
            .help("Kd: share of the sediment beyond that which is dropped in one step");
        d.number("dissolving", dissolving)
            .range(0, 1)
            .help("Ks: share of what could be carried besides that is taken from soluble ground in one step");
        d.number("evaporation", evaporation)
            .range(0, 1)
            .slider(0, 0.5)
            .help("Ke: share of all water, each step");
        d.number("rain-least", rain_least)
            .range(0, 10)
            .slider(0, 0.1)
            .unit("m")
            .help("Wmin: rain at the low end of the height range, in one step");
        d.number("rain-gain", rain_gain)
            .range(0, 10)
            .slider(0, 0.1)
            .unit("m")
            .help("W0: how much more rain falls at the high end");
        d.integer("rain-every", rain_every)
            .range(0, 100000)
            .slider(0, 100)
            .help("steps from one rain to the next; 0: it rains only at the beginning");
        d.changes("height");
        // What is there already goes on flowing.
        d.reads_if_there("water");
        d.makes("water");
        d.reads_if_there("sediment");
        d.makes("sediment");
        d.reads_if_there("hardness");
        d.reads_if_there("solubility");
        d.works_with(8);
    }

    // Version 1 knew iterations alone.
    void from_version(int written) {
        if (written < 2) time = {.duration = 0, .scale = time.scale, .steps = 300};
    }

    // The terrain's own cells first. Water crosses a cell in a step, so that in cells of half the size a step lasts half as
    // long. A twentieth as many steps as in the coarsest cells are enough to carve what is too fine for those.
    std::vector<Stage> stages(const Grid& grid) const {
        if (time.steps > 0) return {{time.steps, 1}};
        int doublings = doublings_to(time.scale, grid);
        double in_cells = std::ldexp(grid.cell, doublings) / time.scale;
        std::vector<Stage> stages;
        double left = time.duration;
        for (int i = 0; i < doublings; i++) {
            // Of a twentieth of all time the finest cells have the least.
            double part = 0.05 * time.duration * std::ldexp(1.0, i - doublings);
            stages.push_back(stage_lasting(part, in_cells * std::ldexp(1.0, i - doublings)));
            left -= part;
        }
        stages.push_back(stage_lasting(left, in_cells));
        return stages;
    }
    // Steps that last about so long each; their share is their exact time.
    static Stage stage_lasting(double part, double step) {
        Stage stage = Stage::lasting(part / step);
        return {stage.steps, stage.steps > 0 ? part / stage.steps : 1};
    }

    Reach reach(const Grid& grid) const { return time.reach(stages(grid)); }

    struct State {
        Field height, water, sediment;
    };

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Rect& rect = terrain.rect();
        const std::vector<Stage> plan = stages(terrain.grid());
        int doublings = int(plan.size()) - 1;
        int64_t cells = 2 * rect.cells() + 2 * cells_to_coarsen(rect, doublings);
        for (int i = 0; i <= doublings; i++)
            cells += (rect.cells() >> (2 * i)) * (3 + 2 * int64_t(plan[size_t(i)].steps));
        work.progress().expect(cells);

        Ground finest = Ground::of(terrain);
        // Copies, since the terrain gets new fields on the way.
        if (const Field* hardness = terrain.find("hardness")) finest.hardness = *hardness;
        if (const Field* solubility = terrain.find("solubility")) finest.solubility = *solubility;
        const std::vector<Ground> grounds = doubled_grounds(work, std::move(finest), doublings);
        std::vector<State> begun(grounds.size());
        begun[0] = {grounds[0].height, Field(rect), Field(rect)};
        work.launch(kernel::hydraulic_begin, rect,
                    {.height = grounds[0].height, .before = terrain.find("water"), .begun = begun[0].water});
        work.launch(
            kernel::hydraulic_begin, rect,
            {.height = grounds[0].height, .before = terrain.find("sediment"), .begun = begun[0].sediment});
        for (size_t i = 1; i < grounds.size(); i++) begun[i] = coarsened(work, grounds, begun[i - 1], i);
        Book book(work, begun[0]);

        State now = std::move(begun.back());
        int done = 0;
        double passed = 0;
        for (size_t i = grounds.size(); i-- > 0;) {
            if (i + 1 < grounds.size()) now = refined(work, grounds, begun, now, i);
            begun[i] = {};
            flow(work, grounds[i], now, plan[i], passed, book, [&] {
                if (!work.snapshot_due(++done)) return;
                State seen = now;
                for (size_t finer = i; finer-- > 0;) seen = refined(work, grounds, begun, seen, finer);
                put(terrain, seen);
                work.take_snapshot(done);
            });
            passed += plan[i].steps * plan[i].share;
        }
        book.close(work, now);
        put(terrain, now);
    }

    static State coarsened(Work& work, const std::vector<Ground>& grounds, const State& fine, size_t to) {
        return {grounds[to].height, collected(work, grounds[to - 1], grounds[to], fine.water),
                collected(work, grounds[to - 1], grounds[to], fine.sediment)};
    }
    static State refined(Work& work, const std::vector<Ground>& grounds, const std::vector<State>& begun,
                         const State& coarse, size_t to) {
        return {changed_by(work, grounds[to], grounds[to + 1], coarse.height),
                spread_out(work, begun[to].water, coarse.water),
                spread_out(work, begun[to].sediment, coarse.sediment)};
    }

    static void put(WorkTerrain& terrain, const State& state) {
        terrain.set("height", state.height);
        terrain.set("water", state.water);
        terrain.set("sediment", state.sediment);
    }

    // What a share of something in a step is in a step of that length.
    static double share_in(double share, double length) {
        if (length == 1) return share;
        return share < 1 ? 1 - power(1 - share, length) : 1;
    }

    // What became of rock, sediment and water, where somebody wants to know. What goes from one to the other is counted where
    // it goes, step by step and cell by cell, and not told from what there is in the end: else all lines would add up whatever
    // the rules do.
    class Book {
      public:
        Book(Work& work, const State& begun) : kept_(work.keeps_ledger()), height_(begun.height) {
            if (!kept_) return;
            rock_.quantity = "rock";
            water_.quantity = "water";
            sediment_.quantity = "sediment";
            Volumes volumes(work.terrain().grid());
            rock_.before = volumes.of(begun.height);
            water_.before = volumes.of(begun.water);
            sediment_.before = volumes.of(begun.sediment);
        }

        // A page for cells of one size.
        void open(const Ground& ground) {
            if (!kept_) return;
            rained_ = Field(ground.rect, 0.0f);
            evaporated_ = Field(ground.rect, 0.0f);
            taken_ = Field(ground.rect, 0.0f);
            laid_ = Field(ground.rect, 0.0f);
        }
        Field* rained() { return kept_ ? &rained_ : nullptr; }
        Field* evaporated() { return kept_ ? &evaporated_ : nullptr; }
        Field* taken() { return kept_ ? &taken_ : nullptr; }  // from the rock into the water
        Field* laid() { return kept_ ? &laid_ : nullptr; }    // out of it again
        void add_up(const Ground& ground) {
            if (!kept_) return;
            Volumes volumes(ground.cell);
            water_.in += volumes.of(rained_, Ground::given(ground.area));
            water_.out += volumes.of(evaporated_, Ground::given(ground.area));
            rock_.out += volumes.of(taken_, Ground::given(ground.area));
            rock_.in += volumes.of(laid_, Ground::given(ground.area));
        }

        void close(Work& work, const State& ended) {
            if (!kept_) return;
            Volumes volumes(work.terrain().grid());
            rock_.after = volumes.of(ended.height);
            sediment_.after = volumes.of(ended.sediment);
            rock_.moved = volumes.lowered(height_, ended.height);
            sediment_.in = rock_.out;
            sediment_.out = rock_.in;
            water_.after = volumes.of(ended.water);
            for (const LedgerEntry& entry : {rock_, sediment_, water_}) work.enter(entry);
        }

      private:
        bool kept_;
        Field height_;
        Field rained_, evaporated_, taken_, laid_;
        LedgerEntry rock_, water_, sediment_;
    };

    // In cells of one size. The stage's share is how long a step lasts.
    template <typename AfterStep>
    void flow(Work& work, const Ground& ground, State& now, const Stage& stage, double begin, Book& book,
              const AfterStep& after_step) const {
        if (stage.steps == 0) return;
        const Rect& rect = ground.rect;
        const Field* hardness = Ground::given(ground.hardness);
        const Field* solubility = Ground::given(ground.solubility);
        const Field* area = Ground::given(ground.area);
        const double length = stage.share;
        const auto dropped = float(share_in(deposition, length));
        const auto dissolved = float(share_in(dissolving, length));
        const auto remaining = float(1 - share_in(evaporation, length));
        Interval range = work.terrain().grid().range;
        book.open(ground);
        Field ground_after(rect), resting(rect), flow(rect), load(rect), next_water(rect);
        for (int step = 0; step < stage.steps; step++) {
            double from = begin + step * length;
            double rain = rainy_part(from, from + length, rain_every);
            if (rain > 0)
                work.launch(kernel::hydraulic_rain, rect,
                            {.height = now.height,
                             .water = now.water,
                             .rained = book.rained(),
                             .least = float(rain_least * rain),
                             .gain = float(rain_gain / range.span() * rain),
                             .low = float(range.low)});
            work.launch_around(1, kernel::hydraulic_leave, rect,
                               {.height = now.height,
                                .water = now.water,
                                .sediment = now.sediment,
                                .hardness = hardness,
                                .solubility = solubility,
                                .ground = ground_after,
                                .resting = resting,
                                .flow = flow,
                                .load = load,
                                .taken = book.taken(),
                                .laid = book.laid(),
                                .capacity = float(capacity),
                                .deposition = dropped,
                                .dissolving = dissolved});
            work.launch_around(1, kernel::hydraulic_arrive, rect,
                               {.height = now.height,
                                .water = now.water,
                                .flow = flow,
                                .load = load,
                                .resting = resting,
                                .area = area,
                                .next_water = next_water,
                                .next_sediment = now.sediment,
                                .evaporated = book.evaporated(),
                                .remaining = remaining});
            std::swap(now.height, ground_after);
            std::swap(now.water, next_water);
            after_step();
        }
        book.add_up(ground);
    }
};

REGISTER_OPERATION("hydraulic-erosion", "erosion", HydraulicErosion);

}  // namespace

}  // namespace caprock

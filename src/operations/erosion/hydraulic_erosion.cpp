// Hydraulic erosion (Frontier §5.4.2, after Musgrave and Beneš): rain that flows, dissolves, carries, drops and
// evaporates.
#include "kernels.h"
#include "operation/operation.h"
#include "operations/erosion/volumes.h"

#include <optional>

namespace caprock {

namespace {

struct HydraulicErosion {
    int iterations = 300;
    double capacity = 0.7;
    double deposition = 0.5;
    double dissolving = 0.5;
    double evaporation = 0.03;
    double rain_gain = 0.01;
    double rain_least = 0.01;
    int rain_every = 1;

    void describe(Declaration& d) {
        d.summary("rain carves gullies and valleys, and fills hollows with what it carried");
        d.source("Frontier, section 5.4.2");
        d.integer("iterations", iterations)
            .range(0, 100000)
            .slider(1, 1000)
            .logarithmic()
            .help("how often the whole terrain is worked on; water flows one cell each time");
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
            .help("Wmin: rain at the low end of the height range");
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

    // A step looks at what the neighbours give, and that depends on their neighbours.
    Reach reach(const Grid&) const { return Reach::steps(2, iterations); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Rect& rect = terrain.rect();
        const Field before = terrain.height();
        // Copies, since the terrain gets new fields on the way.
        auto field_if_there = [&](const char* name) {
            const Field* found = terrain.find(name);
            return found ? std::optional<Field>(*found) : std::nullopt;
        };
        const std::optional<Field> hard = field_if_there("hardness");
        const std::optional<Field> soluble = field_if_there("solubility");
        const Field* hardness = hard ? &*hard : nullptr;
        const Field* solubility = soluble ? &*soluble : nullptr;
        Interval range = terrain.grid().range;
        float gain = float(rain_gain / range.span());
        work.progress().expect(rect.cells() * (2 + 2 * int64_t(iterations)));

        Field height = before;
        Field water(rect), sediment(rect);
        work.launch(kernel::hydraulic_begin, rect, before, terrain.find("water"), water);
        work.launch(kernel::hydraulic_begin, rect, before, terrain.find("sediment"), sediment);
        Book book(work, before, water, sediment);

        Field ground(rect), resting(rect), flow(rect), load(rect), next_water(rect);
        for (int step = 0; step < iterations; step++) {
            bool rains = rain_every > 0 ? step % rain_every == 0 : step == 0;
            const Field& rock = height;
            if (rains)
                work.launch(kernel::hydraulic_rain, rect, rock, water, book.rained(), float(rain_least), gain,
                            float(range.low));
            const Field& wet = water;
            const Field& suspended = sediment;
            work.launch_around(1, kernel::hydraulic_leave, rect, rock, wet, suspended, hardness, solubility,
                               ground, resting, flow, load, float(capacity), float(deposition),
                               float(dissolving));
            const Field &flowing = flow, &loaded = load, &left = resting;
            work.launch_around(1, kernel::hydraulic_arrive, rect, rock, wet, flowing, loaded, left,
                               next_water, sediment, book.evaporated(), float(1 - evaporation));
            std::swap(height, ground);
            std::swap(water, next_water);
            if (work.snapshot_due(step + 1)) {
                put(terrain, height, water, sediment);
                work.take_snapshot(step + 1);
            }
        }
        book.close(work, height, water, sediment);
        put(terrain, height, water, sediment);
    }

    static void put(WorkTerrain& terrain, const Field& height, const Field& water, const Field& sediment) {
        terrain.set("height", height);
        terrain.set("water", water);
        terrain.set("sediment", sediment);
    }

    // What became of rock and water, where somebody wants to know.
    class Book {
      public:
        Book(Work& work, const Field& height, const Field& water, const Field& sediment)
            : kept_(work.keeps_ledger()), height_(height) {
            if (!kept_) return;
            rained_ = Field(height.rect(), 0.0f);
            evaporated_ = Field(height.rect(), 0.0f);
            rock_.quantity = "rock";
            water_.quantity = "water";
            sediment_.quantity = "sediment";
            Volumes volumes(work.terrain().grid());
            rock_.before = volumes.of(height);
            water_.before = volumes.of(water);
            sediment_.before = volumes.of(sediment);
        }
        Field* rained() { return kept_ ? &rained_ : nullptr; }
        Field* evaporated() { return kept_ ? &evaporated_ : nullptr; }

        void close(Work& work, const Field& height, const Field& water, const Field& sediment) {
            if (!kept_) return;
            Volumes volumes(work.terrain().grid());
            rock_.after = volumes.of(height);
            sediment_.after = volumes.of(sediment);
            rock_.moved = volumes.lowered(height_, height);
            // What went into the water and is still there came out of the rock.
            double dissolved = sediment_.after - sediment_.before;
            rock_.out = dissolved;
            sediment_.in = dissolved;
            water_.in = volumes.of(rained_);
            water_.out = volumes.of(evaporated_);
            water_.after = volumes.of(water);
            for (const LedgerEntry& entry : {rock_, sediment_, water_}) work.enter(entry);
        }

      private:
        bool kept_;
        Field height_;
        Field rained_, evaporated_;
        LedgerEntry rock_, water_, sediment_;
    };
};

REGISTER_OPERATION("hydraulic-erosion", "erosion", HydraulicErosion);

}  // namespace

}  // namespace caprock

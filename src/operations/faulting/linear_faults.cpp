// Linear fault formation (Hardness, eq. 3-5), with displacements that may decrease and a final low-pass (Editor
// §6.3.1).
#include "base/random.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/faulting/fault_places.h"

#include <cmath>

namespace caprock {

namespace {

enum class Displacement { constant, decreasing };

struct LinearFaults {
    int faults = 1000;
    Displacement displacement = Displacement::constant;
    double last = 0.05;
    double step = 1;
    double smooth = 0;
    bool normalise = true;
    uint32_t seed = 1;
    std::string field = "height";

    void describe(Declaration& d) const {
        d.summary(
            "rough, angular ground: lines across the land, each lifting all that lies on one side of it");
        d.source("Hardness, equations 3 to 6; Editor, section 6.3.1");
        d.integer("faults", faults).range(0, 1000000).slider(1, 10000).logarithmic().help("how many lines");
        d.choice("displacement", displacement, {"constant", "decreasing"})
            .help("whether all faults lift alike, or later ones less");
        d.number("last", last)
            .range(0, 1)
            .help("with decreasing displacement, what the last fault lifts as a share of the first");
        d.number("step", step)
            .range(0, 10000)
            .slider(0, 10)
            .unit("m")
            .help("what a fault lifts (the first one, if they decrease); matters only with --no-normalise");
        d.number("smooth", smooth)
            .range(0, 100000)
            .slider(0, 500)
            .unit("m")
            .help("radius of a final low-pass that takes the edges off; 0: none");
        d.flag("normalise", normalise).help("stretch the result over the field's whole range");
        d.seed("seed", seed).help("another seed gives other lines");
        d.field("field", field).help("field to write");
        d.makes(field);
        d.works_with(smooth > 0 ? 4 : 2);
    }

    // Where nothing is made of what was lifted.
    Reach reach(const Grid&) const { return Reach::point(); }

    Parts parts(const Grid&) const;

    void run(Work& work) const { lift(work, float(work.terrain().range_of(field).low), float(step)); }

    void lift(Work& work, float base, float scale) const {
        WorkTerrain& terrain = work.terrain();
        std::vector<LinearFault> lines = draw_linear_faults(terrain.grid(), faults, seed_for(seed, field));
        work.progress().expect(int64_t(lines.size()) * terrain.rect().height() + terrain.rect().cells());
        terrain.set(field, lifted(work, lines, base, scale));
    }

    std::unique_ptr<Operation> smoothing() const {
        return operation_with("smooth", {{"radius", smooth}, {"field", field}});
    }

    // What each fault lifts, in whole parts of the first one's step.
    std::vector<int> displacements(size_t count, double& parts) const {
        parts = 1;
        if (displacement == Displacement::constant) return std::vector<int>(count, 1);
        // As fine as they can be while all of them together stay below 2^30.
        parts = std::floor(0x1p30 / double(std::max<size_t>(count, 1)));
        std::vector<int> amounts;
        for (size_t i = 0; i < count; i++) {
            double done = count > 1 ? double(i) / double(count - 1) : 0;
            amounts.push_back(int((1 + (last - 1) * done) * parts + 0.5));
        }
        return amounts;
    }

    Field lifted(Work& work, const std::vector<LinearFault>& lines, float base, float scale) const {
        const Rect& rect = work.rect();
        if (lines.empty()) return Field(rect, base);
        double parts = 1;
        std::vector<int> amounts = displacements(lines.size(), parts);
        // The faults as the kernel takes them; `before`: what is lifted at the left end of a row by the faults
        // that end in it.
        std::vector<int> run, rise, y, x, towards, step_at;
        uint32_t before = 0;
        for (size_t i = 0; i < lines.size(); i++) {
            const LinearFault& line = lines[i];
            int down = line.y2 - line.y1;
            run.push_back(line.x1 - line.x2);
            rise.push_back(std::abs(down));
            y.push_back(line.y1);
            // Downwards the cells left of the line are lifted: i < x1 + ceil((x2 - x1)(j - y1) / (y2 - y1)).
            x.push_back(down > 0 ? line.x1 : line.x1 + 1);
            towards.push_back(down > 0 ? -1 : 1);
            step_at.push_back(down > 0 ? -amounts[i] : amounts[i]);
            if (down > 0) before += uint32_t(amounts[i]);
        }
        Field steps(rect);
        Field height(rect);
        Rect faults_in_rows{0, rect.top, int(lines.size()), rect.bottom};
        work.launch(kernel::linear_fault_steps, faults_in_rows,
                    {.steps = steps,
                     .fault_run = run,
                     .fault_rise = rise,
                     .fault_y = y,
                     .fault_x = x,
                     .fault_towards = towards,
                     .fault_step = step_at,
                     .left = rect.left,
                     .right = rect.right});
        work.launch(kernel::linear_fault_heights, rect,
                    {.steps = steps,
                     .height = height,
                     .before = before,
                     .base = base,
                     .scale = float(scale / parts)});
        return height;
    }
};

// Steps of metres only where they stay metres: whole numbers are exact until they are stretched.
struct CountedFaults {
    LinearFaults lines;

    void describe(Declaration& d) const { lines.describe(d); }
    Reach reach(const Grid&) const { return Reach::point(); }
    void run(Work& work) const { lines.lift(work, 0, 1); }
};

Parts LinearFaults::parts(const Grid&) const {
    if (!normalise && smooth == 0) return {};
    LinearFaults plain = *this;
    plain.smooth = 0;
    plain.normalise = false;
    Parts parts;
    if (normalise) {
        parts.push_back(std::make_unique<OperationOf<CountedFaults>>("linear-faults (counted)", "faulting",
                                                                     CountedFaults{plain}));
    } else {
        parts.push_back(std::make_unique<OperationOf<LinearFaults>>("linear-faults", "faulting", plain));
    }
    if (smooth > 0) parts.push_back(smoothing());
    if (normalise) parts.push_back(operation_with("normalise", {{"field", field}}));
    return parts;
}

REGISTER_OPERATION("linear-faults", "faulting", LinearFaults);

}  // namespace

}  // namespace caprock

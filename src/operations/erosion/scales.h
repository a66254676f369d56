// Simulations that mean the same in cells of any size.
//
// What a step moves goes from a cell to the next one, so its effect is a matter of how large cells are. A simulation is
// therefore said to go on for so long in cells of so many metres, its scale. On finer land it first works in cells of about
// that size: what they change goes over evenly to the cells between them, and then the finer cells work for a while among
// themselves, halving after halving. Twice the resolution gives the same landscape, finer, and costs little more than the
// last steps. Land whose cells are larger than the scale knows nothing of what is smaller, and takes larger steps.
#pragma once

#include "operation/parameter.h"
#include "operation/reach.h"
#include "operation/work.h"
#include "terrain/grid.h"

#include <optional>
#include <string>
#include <vector>

namespace caprock {

// How often the terrain's cells are doubled to be about as large as the scale: no more than 1.4 times as large or small.
int doublings_to(double scale, const Grid& grid);

// So many steps, each of which does `share` of what it would do in its unit of time.
struct Stage {
    int steps = 0;
    double share = 1;

    // As few steps as there can be with shares up to 1.
    static Stage lasting(double steps);
};

// How long a simulation goes on: in cells as large as its scale, or for so many steps in the terrain's own cells.
struct SimulatedTime {
    double duration = 0;
    double scale = 8;  // metres
    int steps = 0;     // none: as the duration says

    // A simulation calls its steps what its paper does, and says itself what becomes of finer cells.
    void describe(Declaration& d, const std::string& name_of_steps, const std::string& help_of_scale) const;

    // Steps look at what the neighbours give, and that depends on their neighbours.
    Reach reach(const std::vector<Stage>& stages) const;
};

// The ground in cells of one size.
struct Ground {
    Rect rect;
    double cell = 0;
    Field height;
    std::optional<Field> hardness;
    std::optional<Field> solubility;
    std::optional<Field> area;  // in cells, not 1 beside the border and missing ones; none: 1 everywhere

    // In the terrain's own cells; other fields are left to the simulation.
    template <typename Fields>
    static Ground of(const Fields& terrain) {
        Ground ground;
        ground.rect = terrain.rect();
        ground.cell = terrain.grid().cell;
        ground.height = terrain.height();
        return ground;
    }
    static const Field* given(const std::optional<Field>& field) { return field ? &*field : nullptr; }
};

// Ground from the terrain's own cells up to those doubled so often, or as long as there are cells.
std::vector<Ground> doubled_grounds(Work& work, Ground finest, int doublings);

// Height of `fine` as its coarser cells have changed to `after`.
Field changed_by(Work& work, const Ground& fine, const Ground& coarse, const Field& after);
// What lies on the ground, in coarser cells; and in finer ones again, of which it was collected.
Field collected(Work& work, const Ground& fine, const Ground& coarse, const Field& depth);
Field spread_out(Work& work, const Field& fine, const Field& after);

// Cells around one that decide it, where each size of cells, the finest first, does so many steps of two cells each.
int reach_of_stages(const std::vector<Stage>& stages);
// Cells of all launches that doubled_grounds makes.
int64_t cells_to_coarsen(const Rect& rect, int doublings);

}  // namespace caprock

#include "operations/erosion/scales.h"

#include "kernels.h"

#include <algorithm>
#include <cmath>

namespace caprock {

namespace {

// Cells of the first size that lie at cells of twice that size.
Rect at_every_other(const Rect& rect) {
    auto rounded_up = [](int fine) { return (fine + 1) >> 1; };
    return {rounded_up(rect.left), rounded_up(rect.top), rounded_up(rect.right), rounded_up(rect.bottom)};
}

Ground coarsened(Work& work, const Ground& fine) {
    Ground coarse;
    coarse.rect = at_every_other(fine.rect);
    coarse.cell = 2 * fine.cell;
    auto made = [&](const auto& kernel, const Field& from) {
        Field result(coarse.rect);
        work.launch_around(1, kernel, coarse.rect, {.value = from, .coarse = result});
        return result;
    };
    coarse.height = made(kernel::scales_sample, fine.height);
    if (fine.hardness) coarse.hardness = made(kernel::scales_hardness, *fine.hardness);
    if (fine.solubility) coarse.solubility = made(kernel::scales_sample, *fine.solubility);
    Field area(coarse.rect);
    work.launch_around(2, kernel::scales_area, coarse.rect,
                       {.height = fine.height, .area = Ground::given(fine.area), .coarse = area});
    coarse.area = std::move(area);
    return coarse;
}

}  // namespace

int doublings_to(double scale, const Grid& grid) {
    // Beyond that a landscape is one cell.
    constexpr int most = 17;
    int doublings = 0;
    for (double cell = grid.cell; 2 * cell * cell < scale * scale && doublings < most; cell *= 2) doublings++;
    return doublings;
}

void SimulatedTime::describe(Declaration& d, const std::string& name_of_steps,
                             const std::string& help_of_scale) const {
    d.number("duration", duration)
        .range(0, 100000)
        .slider(1, 1000)
        .logarithmic()
        .help("how long it goes on: so many steps in cells as large as the scale");
    d.number("scale", scale).range(0.001, 100000).slider(1, 100).logarithmic().unit("m").help(help_of_scale);
    d.integer(name_of_steps, steps)
        .range(0, 100000)
        .slider(0, 1000)
        .help(
            "so many steps in the terrain's own cells instead, whatever their size; 0: as the duration says");
}

Reach SimulatedTime::reach(const std::vector<Stage>& stages) const {
    return steps > 0 ? Reach::steps(2, steps) : Reach::steps(reach_of_stages(stages), 1);
}

Stage Stage::lasting(double steps) {
    // What should be a whole number is not one more for a rounding.
    double whole = std::ceil(steps * (1 - 1e-12));
    if (whole <= 0) return {};
    return {int(whole), steps / whole};
}

std::vector<Ground> doubled_grounds(Work& work, Ground finest, int doublings) {
    std::vector<Ground> grounds;
    grounds.push_back(std::move(finest));
    for (int i = 0; i < doublings && !at_every_other(grounds.back().rect).empty(); i++)
        grounds.push_back(coarsened(work, grounds.back()));
    return grounds;
}

Field changed_by(Work& work, const Ground& fine, const Ground& coarse, const Field& after) {
    Field result(fine.rect);
    work.launch_around(1, kernel::scales_change, fine.rect,
                       {.fine = fine.height, .before = coarse.height, .after = after, .changed = result});
    return result;
}

Field collected(Work& work, const Ground& fine, const Ground& coarse, const Field& depth) {
    Field result(coarse.rect);
    work.launch_around(2, kernel::scales_collect, coarse.rect,
                       {.height = fine.height,
                        .depth = depth,
                        .area = Ground::given(fine.area),
                        .coarse_area = *coarse.area,
                        .coarse = result});
    return result;
}

Field spread_out(Work& work, const Field& fine, const Field& after) {
    Field result(fine.rect());
    work.launch_around(1, kernel::scales_spread, fine.rect(),
                       {.fine = fine, .after = after, .spread = result});
    return result;
}

int reach_of_stages(const std::vector<Stage>& stages) {
    double reach = 0;
    double cell = 1;
    for (size_t i = 0; i < stages.size(); i++, cell *= 2) {
        reach += 2 * cell * stages[i].steps;
        // A cell to its coarser ones, and from those to the next coarse cells, which share what lies between.
        if (i + 1 < stages.size()) reach += 3 * cell;
    }
    return int(std::min(reach, double(1 << 17)));
}

int64_t cells_to_coarsen(const Rect& rect, int doublings) {
    int64_t cells = 0;
    Rect coarse = rect;
    for (int i = 0; i < doublings; i++) {
        coarse = at_every_other(coarse);
        cells += 4 * coarse.cells();
    }
    return cells;
}

}  // namespace caprock

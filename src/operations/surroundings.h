// What a field is around each of its cells: smoothed, and where that mean was taken from. For operations that ask what
// stands out of its surroundings.
#pragma once

#include "kernels.h"
#include "operation/operation.h"

#include <string>
#include <utility>

namespace caprock {

struct Surroundings {
    Field level;
    // In cells; not the cell itself near the border and near missing cells.
    Field from_x;
    Field from_y;

    static std::unique_ptr<Operation> smooth(double radius, const std::string& field) {
        return operation_with("smooth", {{"radius", radius}, {"field", field}});
    }
    // The slope of the smoothed field takes one cell more.
    static Reach reach(double radius, const std::string& field, const Grid& grid) {
        return smooth(radius, field)->reach(grid).then(Reach::area(1));
    }

    // Smooths under a name of the terrain's whose field is made afterwards. Progress: four times its cells.
    static Surroundings of(const Field& ground, Work& work, double radius, const std::string& name) {
        const Rect& rect = work.rect();
        Field place_x(rect);
        Field place_y(rect);
        work.launch(kernel::places, rect, {.field = ground, .place_x = place_x, .place_y = place_y});
        auto smoothed = [&](Field what) {
            work.terrain().set(name, std::move(what));
            work.apply(*smooth(radius, name), rect.cells());
            return work.terrain().field(name);
        };
        Surroundings around;
        around.level = smoothed(ground);
        around.from_x = smoothed(std::move(place_x));
        around.from_y = smoothed(std::move(place_y));
        return around;
    }
};

}  // namespace caprock

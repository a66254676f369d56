#include "operation/work.h"

#include "compute/cpu_device.h"
#include "compute/in_parallel.h"
#include "operation/check.h"
#include "operation/operation.h"

#include <stdexcept>

namespace caprock {

void Work::apply(const Operation& part, int64_t units) {
    Progress progress(progress_, units);
    progress.expect(rect().cells());
    named(part.name(), [&] {
        std::vector<std::string> seen = seen_.names();
        check_operation(part, terrain_.grid(), seen);
        const Grid grid = terrain_.grid();
        Work work(*this, part, progress);
        part.run(work);
        if (terrain_.grid() != grid) throw std::logic_error("a part may not change the grid");
    });
    progress_.advance(units);
}

void Work::apply_parts(std::span<const std::unique_ptr<Operation>> parts,
                       const std::vector<std::string>& outputs) {
    const Terrain before = terrain_;
    seen_.take_what_parts_make();
    progress_.expect(int64_t(parts.size()));
    for (const std::unique_ptr<Operation>& part : parts) apply(*part);
    keep_outputs(terrain_, before, before.names(), outputs);
}

Varying Work::varying(std::string_view parameter, const Number& number,
                      const std::function<float(double)>& made) {
    if (!number.map()) return made(number.everywhere());
    return varying(operation_->schema().at(parameter), *number.map(), seen_.field(number.map()->field()),
                   made);
}

Field Work::varying(const Parameter& parameter, const NumberMap& map, const Field& cells,
                    const std::function<float(double)>& made) {
    const double otherwise = std::get<double>(parameter.default_value());
    const Interval ends = seen_.range_of(map.field());
    const Rect& rect = cells.rect();
    Field made_cells(rect);
    const Field::Rows from = cells.rows();
    const Field::WritableRows to = made_cells.writable_rows();
    on_host([&] {
        in_parallel(size_t(rect.height()), [&](size_t row) {
            const int y = rect.top + int(row);
            for (int x = 0; x < rect.width(); x++)
                to[y][x] = made(map.number_at(from[y][x], ends, otherwise, parameter.hard_range()));
        });
    });
    return made_cells;
}

void Work::replace_terrain(Terrain after) {
    seen_.require_every_field();
    terrain_ = std::move(after);
}

void Work::on_host(const std::function<void()>& work) {
    if (device_.is_cpu()) return device_.on_host(work);
    make_cpu_device(chosen_cpu_level(), context_.threads)->on_host(work);
}

}  // namespace caprock

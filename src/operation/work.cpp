#include "operation/work.h"

#include "compute/cpu_device.h"
#include "operation/check.h"
#include "operation/operation.h"

#include <stdexcept>

namespace caprock {

void Work::apply(const Operation& part, int64_t units) {
    Progress progress(progress_, units);
    progress.expect(rect().cells());
    named(part.name(), [&] {
        check_operation(part, terrain_);
        const Grid grid = terrain_.grid();
        Work work(terrain_, context_, progress);
        part.run(work);
        if (terrain_.grid() != grid) throw std::logic_error("a part may not change the grid");
    });
    progress_.advance(units);
}

void Work::on_host(const std::function<void()>& work) {
    if (device_.is_cpu()) return device_.on_host(work);
    make_cpu_device(chosen_cpu_level(), context_.threads)->on_host(work);
}

}  // namespace caprock

#include "operation/work.h"

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

}  // namespace caprock

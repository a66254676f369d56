#include "operation/work.h"

#include "operation/check.h"
#include "operation/operation.h"

namespace caprock {

void Work::apply(const Operation& part, int64_t units) {
    Progress progress(progress_, units);
    progress.expect(rect().cells());
    named(part.name(), [&] {
        check_operation(part, terrain_);
        Work work(terrain_, device_, progress, tell_);
        part.run(work);
    });
    progress_.advance(units);
}

}  // namespace caprock

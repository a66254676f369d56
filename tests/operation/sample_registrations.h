// Puts the sample operations into the registry: for one file of each program that uses them.
#pragma once

#include "operation/sample_operations.h"
#include "test_kernels.h"

namespace caprock::test {

void Launched::run(Work& work) const {
    const Field before = work.terrain().height();
    work.progress().expect(2 * work.rect().cells());
    Field raised(work.rect());
    work.launch(kernel::test_exp2, work.rect(), {.x = before, .y = raised});
    Field result(work.rect());
    const Field& given = raised;
    work.launch(kernel::test_divide, work.rect(), {.x = given, .y = before, .z = result});
    work.terrain().set("height", std::move(result));
}

namespace {

// Not in order, by name or by room.
REGISTER_OPERATION("test-spread", "b-room", Spreading);
REGISTER_OPERATION("test-tilt", "c-room", Tilted);
REGISTER_OPERATION("test-all-kinds", "a-room", AllKinds);
REGISTER_OPERATION("test-average", "b-room", Averaged);
REGISTER_OPERATION("test-sink", "b-room", Sunk);
REGISTER_OPERATION("test-launch", "b-room", Launched);
REGISTER_OPERATION("test-fail", "a-room", Failing);
REGISTER_OPERATION("test-count", "e-room", Counted);
REGISTER_OPERATION("test-count-together", "e-room", CountedTogether);
REGISTER_OPERATION("test-mark", "d-room", Marked);
REGISTER_OPERATION("test-add-mark", "d-room", Raised);
REGISTER_OPERATION("test-nest", "d-room", Nested);
REGISTER_OPERATION("test-compose", "d-room", Composed);

}  // namespace
}  // namespace caprock::test

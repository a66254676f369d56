// Kernels as users write them.
#pragma once

#include "compute/kernel_error.h"
#include "support/variable.h"

#include <functional>
#include <string>
#include <vector>

namespace caprock::test {

// What an action says is wrong with a kernel; empty where nothing is.
inline std::vector<std::string> kernel_problems(const std::function<void()>& action) {
    try {
        action();
    } catch (const KernelError& error) {
        return error.lines();
    }
    return {};
}

// ---- those that take steps -------------------------------------------------------------------------------

// Rock goes towards the mean of what lies around. It reads hardness where there is some, and no step is like the last.
constexpr const char* creeping_kernel = R"(// Lets rock creep.
// radius: 8 m (0 .. 100000) how far it looks
// share: 0.3 (0 .. 1) of the way to the mean
// steps: 17 (0 .. 10000) how often
KERNEL(creep, AROUND(height), IN(hardness), OUT(height), UNIFORM(int, reach), UNIFORM(float, share),
       UNIFORM(int, iteration))
{
    F sum = 0.0f;
    F known = 0.0f;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            F beside = NEAR(height, dx * reach, dy * reach);
            sum += SEL(IS_MISSING(beside), 0.0f, beside);
            known += SEL(IS_MISSING(beside), 0.0f, 1.0f);
        }
    F soft = share;
    if (HAS(hardness)) soft = share * (1.0f - LOAD(hardness));
    F dust = UNIT(HASH(7u, AS_U(HERE_X), AS_U(HERE_Y + iteration)));
    F old = LOAD(height);
    STORE(height, old + (sum / known - old) * soft + dust);
}
)";

// Every cell by itself, in place, and a field that is made anew in every step.
constexpr const char* in_place_kernel = R"(// Lets dust fall.
// steps: 17 (0 .. 10000) how often
KERNEL(dust, INOUT(height), OUT(mask), UNIFORM(int, iteration), UNIFORM(uint, seed))
{
    F more = UNIT(HASH(seed, AS_U(HERE_X + iteration), AS_U(HERE_Y)));
    STORE(height, LOAD(height) + more);
    STORE(mask, more);
}
)";

// Two fields that change and read each other around them.
constexpr const char* coupled_kernel = R"(// Lets water run, and carry rock along.
// radius: 2 cells
// steps: 17 (0 .. 10000) how often
KERNEL(wash, AROUND(height), OUT(height), AROUND(hardness), OUT(hardness), INOUT(rain), OUT(mask))
{
    F slope = NEAR_KNOWN(height, 2, 0) - NEAR_KNOWN(height, 0, -2);
    F softer = NEAR_KNOWN(hardness, -1, 1);
    STORE(rain, 0.5f * LOAD(rain) + 0.01f * slope);
    STORE(height, LOAD(height) - 0.1f * LOAD(rain) + 0.2f * softer);
    STORE(hardness, 0.9f * LOAD(hardness) + 0.1f * softer);
    STORE(mask, slope);
}
)";

// Cells from anywhere: no step can be taken on a part of the land.
constexpr const char* anywhere_kernel = R"(// Takes half of the height from elsewhere.
// steps: 17 (0 .. 10000) how often
KERNEL(elsewhere, ANYWHERE(height), OUT(height), UNIFORM(int, iteration))
{
    F other = GATHER(height, HERE_Y + iteration, HERE_X);
    STORE(height, 0.5f * (LOAD(height) + SEL(IS_MISSING(other), LOAD(height), other)));
}
)";

}  // namespace caprock::test

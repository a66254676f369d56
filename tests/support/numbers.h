// Numbers to try things with.
#pragma once

#include "base/random.h"

#include <cstdint>
#include <limits>

namespace caprock::test {

constexpr float infinity = std::numeric_limits<float>::infinity();

// Numbers that look random, for an index and a purpose; another seed gives others.
struct RandomNumbers {
    uint32_t seed;

    double operator()(uint32_t index, uint32_t purpose, double low, double high) const {
        return low + (high - low) * unit(hashed(seed, index, purpose));
    }
};

}  // namespace caprock::test

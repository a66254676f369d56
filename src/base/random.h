// Random numbers on the host: the same hash as HASH in kernels/dialect/mathematics.h. A random number is a
// hash of what it is for, never the next of a stream, so it does not depend on any order.
#pragma once

#include <cstdint>
#include <string_view>

namespace caprock {

constexpr uint32_t scrambled(uint32_t x) {
    x ^= x >> 16;
    x *= 0x21f0aaadu;
    x ^= x >> 15;
    x *= 0xd35a2d97u;
    return x ^ (x >> 15);
}

// seed: the user's; index: which of many; purpose: what the number decides.
constexpr uint32_t hashed(uint32_t seed, uint32_t index, uint32_t purpose) {
    uint32_t before = scrambled(seed ^ scrambled(purpose + 0x9e3779b9u));
    uint32_t between = scrambled(before + purpose * 0x85ebca6bu);
    uint32_t x = index * 0x9e3779b9u + before;
    x ^= x >> 16;
    x *= 0x21f0aaadu;
    x ^= x >> 15;
    x += between;
    x *= 0xd35a2d97u;
    return x ^ (x >> 15);
}

// A seed of its own for what is called so.
constexpr uint32_t named_seed(uint32_t seed, std::string_view name) {
    uint32_t letters = 0;
    for (char letter : name) letters = scrambled(letters ^ uint8_t(letter)) + 0x9e3779b9u;
    return scrambled(seed ^ letters);
}

// In [0, 1), from the upper 24 bits: exact as a float.
constexpr double unit(uint32_t hash) { return double(hash >> 8) * 0x1p-24; }

}  // namespace caprock

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

// The seed for what is written to a field. Heights have the user's own; any other field has one of its own, or with one
// seed for all of them hardness would be a copy of the height.
constexpr uint32_t seed_for(uint32_t seed, std::string_view field) {
    if (field == "height") return seed;
    uint32_t name = 0;
    for (char letter : field) name = scrambled(name ^ uint8_t(letter)) + 0x9e3779b9u;
    return scrambled(seed ^ name);
}

// In [0, 1), from the upper 24 bits: exact as a float.
constexpr double unit(uint32_t hash) { return double(hash >> 8) * 0x1p-24; }

}  // namespace caprock

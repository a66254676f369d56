// Terrains for tests: rough ground with cliffs, hardness, and holes where asked for.
#pragma once

#include "compute/cpu_device.h"
#include "operation/evaluate.h"
#include "support/fields.h"
#include "support/operations.h"
#include "terrain/terrain.h"

#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace caprock::test {

// A number in 0..1 that looks random, for cell and purpose.
inline float scattered(int x, int y, uint32_t purpose) {
    uint32_t h = uint32_t(x) * 0x9e3779b1u ^ (uint32_t(y) * 0x85ebca77u + purpose * 0xc2b2ae3du);
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    h ^= h >> 12;
    h *= 0x297a2d39u;
    h ^= h >> 15;
    return float(h >> 8) * 0x1p-24f;
}

enum class Holes { none, some, all };

inline bool is_hole(int x, int y, Holes holes) {
    if (holes == Holes::all) return true;
    // Single cells, and a block that touches the border of most sizes.
    return holes == Holes::some && (scattered(x, y, 9) < 0.04f || (x < 4 && y >= 2 && y < 6));
}

inline Terrain rough_terrain(Size size, Holes holes = Holes::none, double cell = 4) {
    Grid grid{Rect::of(size), cell, {0, 300}};
    Terrain terrain(grid);
    terrain.set("height", made_field(grid.extent, [&](int x, int y) {
                    if (is_hole(x, y, holes)) return missing;
                    float hills = 100 + 60 * std::sin(float(x) * 0.21f) * std::cos(float(y) * 0.17f);
                    float cliff = x + 2 * y > size.width ? 40.0f : 0.0f;
                    return hills + cliff + 12 * scattered(x, y, 1);
                }));
    terrain.set("hardness", made_field(grid.extent, [](int x, int y) {
                    float value = scattered(x / 5, y / 5, 2);
                    return value > 0.9f ? 1.0f : value;
                }));
    return terrain;
}

// A terrain of one field, made cell by cell.
template <typename Value>
Terrain terrain_of(const std::string& field, Size size, double cell, const Value& value) {
    Grid grid{Rect::of(size), cell, {0, 1000}};
    Terrain terrain(grid);
    terrain.set(field, made_field(grid.extent, value));
    return terrain;
}

inline Grid grid_of(Size size, double cell = 1, Interval range = {0, 300}) {
    return {Rect::of(size), cell, range};
}

inline RunContext on(const std::shared_ptr<Device>& device) { return {device, nullptr, {}}; }
// The best there is here.
inline RunContext on_cpu() { return on(make_cpu_device(supported_cpu_levels().back())); }

inline Terrain applied(std::string_view operation, const Parameters& parameters, const Terrain& terrain) {
    RunContext context = on_cpu();
    return run(*made_operation(operation, parameters), terrain, context);
}

}  // namespace caprock::test

#include "terrain/quantity.h"

#include "base/random.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cfloat>

namespace caprock {

namespace {

constexpr double any = FLT_MAX;

constexpr std::array table = {
    Quantity{.name = "height", .unit = "m", .limits = {-any, any}, .painted = "add", .is_ground = true},
    Quantity{.name = "hardness"},  // 0 erodes freely, 1 never erodes
    Quantity{.name = "solubility"},
    Quantity{
        .name = "material", .limits = {0, 65535}, .painted = "replace", .shown = {0, 8}, .is_index = true},
    Quantity{.name = "water", .unit = "m", .limits = {0, any}},
    Quantity{.name = "sediment", .unit = "m", .limits = {0, any}},
    Quantity{.name = "water-level", .unit = "m", .limits = {-any, any}, .shown = {0, 1000}},
    Quantity{.name = "drained-area", .unit = "m2", .limits = {0, any}, .shown = {0, 1e6}},
    Quantity{.name = "wetness", .limits = {-any, any}, .shown = {2, 14}},
    Quantity{.name = "stream-power", .unit = "m", .limits = {0, any}, .shown = {0, 1000}},
    Quantity{.name = "stream-distance", .unit = "m", .limits = {0, any}, .shown = {0, 1000}},
    Quantity{.name = "above-stream", .unit = "m", .limits = {0, any}, .shown = {0, 200}},
    // More whole numbers than these a float does not have.
    Quantity{.name = "watershed",
             .limits = {0, 16777215},
             .painted = "replace",
             .shown = {0, 64},
             .is_index = true},
    Quantity{.name = "speed", .unit = "m/s", .limits = {0, any}, .shown = {0, 5}},  // of water
    Quantity{
        .name = "arrival", .unit = "s", .limits = {0, any}, .shown = {0, 3600}},  // missing where none came
};

constexpr Quantity mask = {.name = "mask"};

}  // namespace

std::span<const Quantity> quantities() { return table; }

const Quantity& quantity_of(std::string_view field) {
    auto found = std::ranges::find(table, field, &Quantity::name);
    return found != table.end() ? *found : mask;
}

const Quantity& ground_quantity() {
    static_assert(table[0].is_ground);
    return table[0];
}

const Quantity* quantity_spelled(std::string_view name) {
    auto found = std::ranges::find(table, lower(name), &Quantity::name);
    return found != table.end() ? &*found : nullptr;
}

uint32_t seed_for(uint32_t seed, std::string_view field) {
    return is_ground(field) ? seed : named_seed(seed, field);
}

}  // namespace caprock

// What fields are of: one table says what the numbers of a field mean. Whoever paints, blends, resamples, draws or writes a
// field asks here, and a new quantity is a new line there. A field of any other name is a mask.
#pragma once

#include "base/interval.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace caprock {

struct Quantity {
    std::string_view name;       // of its field: in terrains, documents and files, and as users type it
    std::string_view unit = "";  // of its values
    Interval limits = {0, 1};    // no value lies outside
    std::string_view painted = "lerp";  // the mode in which a painted layer of it is blended
    std::string_view scheme = "grey";   // the colours of a map that shows it alone
    Interval shown = {0, 1};            // black and white of a small picture of it
    // The land itself: 0 and 1 stand for the terrain's height range, and a missing cell is a hole in it, where of anything
    // else there is none or it is not known.
    bool is_ground = false;
    // The number of something: between two of them there is none, so that they are never mixed.
    bool is_index = false;

    // A part of a whole, which has an opposite.
    bool is_share() const { return limits == Interval{0, 1}; }
};

// All but masks, in the order in which people are shown them.
std::span<const Quantity> quantities();

// What a field of that name is of.
const Quantity& quantity_of(std::string_view field);
const Quantity& ground_quantity();
// The quantity of that name, however it is spelled: other programs write Height. Null where there is none.
const Quantity* quantity_spelled(std::string_view name);

inline bool is_ground(std::string_view field) { return quantity_of(field).is_ground; }
inline bool is_index(std::string_view field) { return quantity_of(field).is_index; }

// The seed for what is written to a field. Heights have the user's own; any other field has one of its own, or with one
// seed for all of them hardness would be a copy of the height.
uint32_t seed_for(uint32_t seed, std::string_view field);

}  // namespace caprock

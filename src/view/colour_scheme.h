// How a terrain is coloured: which field a scheme reads, what of it the colours span, and the colours themselves as
// a table that a picture can be drawn from on the CPU and that a GPU takes as a texture.
#pragma once

#include "base/interval.h"
#include "view/colour.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {

// What the light on slopes is coloured like.
enum class LightColours {
    white,
    daylight,  // a little warm in the sun and a little cool in the shade
    printed,   // yellow light and violet shadows, as on topographic maps
};

constexpr int colour_table_size = 256;
using ColourTable = std::array<Bytes, colour_table_size>;

// What of a field the colours span.
enum class RangeRule {
    terrain,  // what 0 and 1 stand for: the height range, 0..1 of other fields
    values,   // the lowest to the highest
    around_zero,  // 0 in the middle and as much on both sides; the middle of the values where they are on one side of it
    shore,  // the sea's level in the middle, water below and land above; all land where there is no sea
};

// Where a value lies in a table: low at its beginning, middle in its middle, high at its end, straight in between. Where
// low is middle already, only the upper half of the table is used: land without a sea.
struct ColourRange {
    double low = 0;
    double middle = 0.5;
    double high = 1;

    double share(double value) const;     // 0..1
    double value_at(double share) const;  // the other way
};

// One field as colours.
struct ColourLayer {
    std::string field;  // empty: whichever field is drawn, the height where none is named
    RangeRule rule = RangeRule::terrain;
    ColourTable table{};
    bool seam = false;  // the two halves of the table do not blend into one another: water and land

    // Between two entries the light is mixed, but not across the seam.
    Light at(double share) const;
};

// What is known of a field that is to be coloured.
struct FieldExtent {
    Interval range;     // what 0 and 1 of it stand for
    Interval values;    // the lowest and the highest
    Interval usual;     // the same without a few stray ones
    double within = 1;  // share of the cells that lie in the range
};

// What the layer's table spans for such a field. The sea level is that of the rule `shore`; the sea begins there
// where any height of the terrain's range is below it.
ColourRange colour_range(const ColourLayer& layer, const FieldExtent& extent, double sea_level = 0);
// The given values, whatever the rule says.
ColourRange colour_range(const Interval& values);

struct ColourScheme {
    std::string name;
    std::string summary;              // one line
    std::vector<ColourLayer> layers;  // their colours are added
    bool rock_on_slopes = false;      // steep ground is drawn as bare rock
    LightColours light = LightColours::daylight;
    Bytes ink;  // lines in this colour read on it

    // The field of the first layer, or the one to be drawn where it takes any. Throws Error when the scheme is for
    // other fields than the one named.
    std::string field_of(const ColourLayer& layer, std::string_view drawn) const;
};

// In the order in which a menu lists them.
std::vector<std::string> colour_scheme_names();
// Throws Error, listing the names and the nearest one.
const ColourScheme& colour_scheme(std::string_view name);

}  // namespace caprock

// Land beside real land, or beside some land in particular: which of its measures are unlike, as numbers and in words.
#pragma once

#include "assessment/measures.h"

#include <optional>
#include <string>
#include <vector>

namespace caprock {

// What land is held against.
struct Yardstick {
    std::string name;  // "real land", or that of a file
    double cell = 0;   // metres; 0: of several sizes
    // Of measures(), in their order; none where there is no number.
    std::vector<std::optional<Interval>> ranges = {};
    std::vector<double> rounding = {};    // so much beyond a range is in it
    std::optional<Assessment> land = {};  // that land, where it is one
};

Yardstick real_land();
// Of a reference: from the least to the most of it as a whole and of parts of it, since land differs from one place to the next,
// and a tenth of the width of the range of real land more on either side.
Yardstick like_land(std::string name, const Assessment& whole, std::span<const Assessment> parts);
// The four quarters that a reference is also measured in; none of land whose quarters are too small to say much.
std::vector<Rect> quarters_of(const Rect& rect);

enum class Likeness { alike, less, more, unknown };

struct Finding {
    const Measure* measure = nullptr;
    Measured here;
    std::optional<Interval> range;
    Likeness likeness = Likeness::unknown;
    bool unlike() const { return likeness == Likeness::less || likeness == Likeness::more; }
};

// Of all measures, in their order.
std::vector<Finding> compared(const Assessment& land, const Yardstick& yardstick);

// "closed hollows: 29 % of the cells, where real land has 0 to 5 %; ...".
std::string words_of(const Finding& finding, const Yardstick& yardstick);
// What to keep in mind about all of it: that cells are of another size. Empty where there is nothing.
std::string remark_on(const Assessment& land, const Yardstick& yardstick);

}  // namespace caprock

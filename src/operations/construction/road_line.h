// The line of a road or canal: its course over the map with rounded corners, and the heights it keeps to along it.
#pragma once

#include "field/field.h"
#include "operations/rivers/particle_paths.h"
#include "terrain/grid.h"

#include <vector>

namespace caprock {

// The line through these places whose corners are rounded: from so many metres before a corner, or half of the way to the
// next where that is less, to as many behind it, it follows the parabola that touches both sides.
std::vector<Place> rounded_corners(const std::vector<Place>& places, double before);

// Heights at places that follow each other at equal distances along a line.
using Profile = std::vector<double>;

// The ground under the course, at `count` places from its beginning to its end, between its cells. Outside the terrain and
// where all cells around are missing it is missing: NaN.
Profile ground_along(const Grid& grid, const Field& height, const Course& course, int count);

// Gives missing places the heights between the known ones before and behind them; beyond the outermost, theirs. False where
// nothing is known.
bool bridge(Profile& profile);

// The mean over so many places on both sides; over as many as there are on both sides near the ends, so that ends stay where
// they are and even rises even. A profile that never rises by more than some grade does not afterwards.
Profile smoothed(const Profile& profile, int places);

// The profile nearest to this one, in its greatest difference from it, that from place to place rises and falls by no more
// than `most`: the middle between the lowest such profile that is nowhere below it and the highest that is nowhere above.
Profile grade_limited(const Profile& profile, double most);

// Such a profile made to begin and end at these heights: as it is where it can, else on its way from or to them at `most`. Where
// that is too little to get from one to the other, both ends give way by the same.
Profile meeting_ends(Profile limited, double begin, double end, double most);

}  // namespace caprock

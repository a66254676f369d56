// Beds of rivers and the ground between them, for a drainage that has been drawn.
//
// A bed rises upstream by S = ks A^-theta of the area A that drains there. From each place of a river ground rises on all sides by
// a curve of the distance; the ground at a place is the lowest of what all rivers say: it falls to some river everywhere, and its
// ridges are where two rivers say the same. So that no river says of another's bed that ground is lower there, beds are lowered to
// the greatest heights that agree with each other:
//
//     bed(a) <= bed(b) + rise of b(|a - b|) for all places a and b,     bed(down) <= bed(up) - least fall
//
// With the least fall times the way to the mouth taken off, no bed is lower than the one that says so, and all of it is one search
// from the lowest up (E. W. Dijkstra, 1959).
#pragma once

#include "base/progress.h"
#include "operations/rivers/drainage_growth.h"

#include <functional>
#include <vector>

namespace caprock {

// How ground rises beside a place of a river: by a slope that begins as that of a valley's floor, becomes the hillslope's over
// about `floor` metres, and lessens towards the crest.
struct Rise {
    double slope = 0.6;  // of the hillslope, metres for each metre
    double saved = 0;    // by how much ground far away stands lower for the floor
    double floor = 1;    // metres; more than 0

    // How much less steep ground is `crest_away` metres from the river, where crests are, than at its foot; and how many times as steep
    // as the hillslope it is beyond. Land is nearer to some river, so that only rivers come so far that lie deep below others.
    static constexpr double eased = 0.4;
    static constexpr double beyond = 1.5;

    double at(double away, double crest_away) const {
        const double until = away < crest_away ? away : crest_away;
        return slope * (away - eased / (2 * crest_away) * until * (2 * away - until) +
                        (beyond - 1 + eased) * (away - until)) -
               saved * away / (away + floor);
    }
};

// A straight piece of a river, from its point down to the next; of a mouth that nothing drains to, the point alone.
struct RiverPiece {
    Place from, ahead;  // of length 1; (0, 0) for a point alone
    double length;
    double high, low;  // of its ends
    Rise rise;
};

struct BedRules {
    double base = 0;         // height of mouths
    double steepness = 0.1;  // of a river that drains a square kilometre
    double concavity = 0.4;
    double floor = 20;  // width of the valley of such a river
    double crest_away = 225;
    std::function<double(const Place&)> hillslope;  // metres for each metre
    std::function<double(const Place&)> falls;      // what part of the steepness a river has
};

class RiverBeds {
  public:
    // Throws Error where what the user gave cannot be kept.
    RiverBeds(const std::vector<RiverPoint>& points, const BedRules& rules, Progress& progress);

    const std::vector<double>& heights() const { return beds_; }
    // One for each point, but for mouths, which are where another ends.
    const std::vector<RiverPiece>& pieces() const { return pieces_; }

    // The least that a bed falls.
    static constexpr double least_fall = 1e-4;

  private:
    static void check_given(const std::vector<RiverPoint>& points);
    void draw(const std::vector<RiverPoint>& points);
    void lower(const std::vector<RiverPoint>& points, Progress& progress);

    BedRules rules_;
    std::vector<double> beds_;
    std::vector<Rise> rises_;
    std::vector<RiverPiece> pieces_;
};

}  // namespace caprock

// Everything that is measured of land to say whether it is like real land. Heights and distances in metres; missing cells are left
// out everywhere, and so are heights that are not finite.
#pragma once

#include "assessment/closed_hollows.h"
#include "assessment/concavity.h"
#include "assessment/geomorphons.h"
#include "assessment/hack.h"
#include "assessment/horton.h"
#include "assessment/hypsometry.h"
#include "assessment/roughness.h"
#include "assessment/slopes.h"

namespace caprock {

struct Assessment {
    Size size;
    double cell = 0;  // metres
    int64_t known = 0;
    int64_t missing = 0;
    double lowest = 0;
    double highest = 0;
    ClosedHollows hollows;
    Hack hack;
    Concavity concavity;
    Horton horton;
    Hypsometry hypsometry;
    SlopeShares slopes;
    GeomorphonCounts landforms;
    Roughness roughness;

    // Of the cells whose form is known, those of some forms.
    Measured share_of(std::initializer_list<Geomorphon> forms) const;
};

// Throws OutOfMemory before the work where there is too little for it.
Assessment assess(const Field& height, double cell, Progress& progress);
// What that takes, the heights themselves among it.
uint64_t bytes_to_assess(const Rect& rect);

}  // namespace caprock

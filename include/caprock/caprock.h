// All of the library. The smallest program:
//
//     #include <caprock/caprock.h>
//     using namespace caprock;
//
//     int main() {
//         auto land = noise({.kind = NoiseKind::ridged, .seed = 7}) | thermal_erosion({.steps = 20});
//         write(land.on({512, 512, 4_m}), "hills.tif");
//     }
#pragma once

#include <caprock/chain.h>
#include <caprock/error.h>
#include <caprock/field.h>
#include <caprock/files.h>
#include <caprock/grid.h>
#include <caprock/land.h>
#include <caprock/lines.h>
#include <caprock/operations.h>
#include <caprock/run.h>
#include <caprock/terrain.h>
#include <caprock/units.h>
#include <caprock/varying.h>

// The landscapes among the presets are like land: what `caprock assess` says of them, at several seeds and sizes. Briefly with every
// other test; in full with the label slow, which makes the table of docs/landscapes.md.
#include "assessment/comparison.h"
#include "assessment/measures.h"
#include "graph/executor.h"
#include "operation/presets.h"
#include "soak/length.h"
#include "support/devices.h"
#include "support/terrains.h"
#include "support/test_names.h"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace caprock::test {
namespace {

struct Landscape {
    std::string name;
    double most_hollows = 0.01;
    // Measures outside of the ranges of hills and mountains, because it is something else.
    std::set<std::string> else_where = {};
};

// What is level, or was before rivers came, has few ridges and spurs.
const std::set<std::string> plain = {"flat",  "shoulder", "footslope", "ridge",       "spur",
                                     "slope", "hollow",   "valley",    "median_slope"};

std::set<std::string> and_also(std::set<std::string> measures, std::initializer_list<const char*> more) {
    for (const char* each : more) measures.insert(each);
    return measures;
}

std::vector<Landscape> landscapes() {
    return {
        {"alpine-range"},
        {"old-hills"},
        {"badlands"},
        // Hollows are meant: they are its lakes.
        {"lake-district", 0.05},
        // Walls in steps around a plateau that rivers have not come to yet, above a level foreland.
        {"canyon-plateau", 0.01,
         and_also(plain, {"concavity", "hypsometric_integral", "steep_slope", "beyond_45_degrees"})},
        // Two countries of hills, and a wall between them that streams fall down in one leap.
        {"escarpment", 0.01, and_also(plain, {"concavity", "hypsometric_integral", "bifurcation_ratio"})},
        // Ice made the floors of its valleys wide, level and without spurs; the sea bed is there as well.
        {"fjord-coast", 0.01, {"concavity", "spur", "slope", "hollow", "hypsometric_integral"}},
        // Streams of a cone run side by side, and it gets gentler all the way down to the bed of the sea.
        {"volcanic-island", 0.01,
         and_also(plain,
                  {"concavity", "bifurcation_ratio", "length_ratio", "area_ratio", "hypsometric_integral"})},
        // Half of each is a plain.
        {"alluvial-fans", 0.01, and_also(plain, {"concavity", "bifurcation_ratio", "area_ratio"})},
        {"braided-plain", 0.01, and_also(plain, {"concavity", "bifurcation_ratio"})},
    };
}

class Landscapes : public testing::TestWithParam<std::string> {
  protected:
    static Landscape landscape() {
        const std::vector<Landscape> all = landscapes();
        return *std::ranges::find(all, GetParam(), &Landscape::name);
    }

    static Assessment assessed(uint32_t seed, const Size& size) {
        const Recipe recipe = preset(GetParam());
        Grid grid = *recipe.grid;
        grid.extent = Rect::of(size);
        for (const auto& operation : recipe.operations)
            if (operation->schema().find("seed")) operation->set("seed", seed);
        RunContext context = on(cpu_devices().back().device);
        const Terrain land = run_chain(recipe.operations, Terrain(grid), context);
        Progress progress;
        return assess(land.height(), grid.cell, progress);
    }

    static void expect_like_land(const Assessment& land, const std::set<std::string>& else_where) {
        const Landscape what = landscape();
        ASSERT_TRUE(land.hollows.share.known());
        EXPECT_LT(land.hollows.share.value(), what.most_hollows) << "closed hollows";
        for (const Finding& finding : compared(land, real_land())) {
            const std::string key(finding.measure->key);
            if (else_where.contains(key)) continue;
            EXPECT_FALSE(finding.unlike()) << finding.measure->title << ": "
                                           << measure_text(finding.measure->unit, finding.here.value());
        }
    }
};

TEST_P(Landscapes, AreLikeLand) { expect_like_land(assessed(2, {512, 512}), landscape().else_where); }

TEST_P(Landscapes, AreLikeLandAtThreeSeedsAndTwoSizes) {
    if (!is_long_soak()) GTEST_SKIP() << "it takes minutes: ./test slow";
    for (const int side : {512, 2048})
        for (const uint32_t seed : {1u, 2u, 3u}) {
            SCOPED_TRACE(std::to_string(side) + " x " + std::to_string(side) + ", seed " +
                         std::to_string(seed));
            const Assessment land = assessed(seed, {side, side});
            std::printf("| `%s` | %d | %u |", GetParam().c_str(), side, seed);
            for (const char* key : {"closed_hollows", "hack_exponent", "concavity", "bifurcation_ratio",
                                    "ridge", "spur", "slope", "hollow", "valley"}) {
                const Measure& measure = measure_called(key);
                const Measured here = measure.value(land);
                std::printf(" %s |", here.known() ? measure_text(measure.unit, here.value()).c_str() : "");
            }
            std::printf("\n");
            expect_like_land(land, landscape().else_where);
        }
}

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const Landscape& each : landscapes()) all.push_back(each.name);
    return all;
}

INSTANTIATE_TEST_SUITE_P(All, Landscapes, testing::ValuesIn(names()), test_name);

}  // namespace
}  // namespace caprock::test

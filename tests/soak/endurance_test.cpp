// Simulations that go on for very long, from what the presets make and with parameters at the ends of their ranges:
// every cell stays a number, no cell becomes missing, and heights stay where rock can be.
#include "operation/presets.h"
#include "soak/length.h"
#include "support/devices.h"
#include "support/terrains.h"
#include "support/test_names.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>

namespace caprock::test {
namespace {

int long_enough() { return is_long_soak() ? 10000 : 300; }

const char* steps_of(std::string_view operation) {
    return operation == "thermal-erosion" || operation == "hydraulic-erosion" ? "steps" : nullptr;
}

// ---- where rock can be -----------------------------------------------------------------------------------

std::map<std::string, std::string> values_of(const Operation& operation) {
    std::map<std::string, std::string> values;
    for (const Parameter& parameter : operation.schema().parameters())
        values[parameter.name()] = operation.value_text(parameter);
    return values;
}

// Crumbling rock falls to no less than the lowest neighbour, and onto what lies below it. A cell may get something from
// each of its eight neighbours in one step, which at high rates is more than it lacked: as much as they lie above it, by
// Frontier's rule half of that. At rates up to a half this does not show, since they give to others as well.
Interval where_rock_crumbles(std::map<std::string, std::string> values, Interval before) {
    double rate = std::stod(values["rate"]);
    double share = values["rule"] == "frontier" ? 0.5 : 1;
    double heap = rate > 0.5 ? 8 * share * rate * before.span() : 0;
    // Of so many roundings of heights of this size.
    double rounding = 1e-4 * std::max(before.span(), 1.0);
    return {before.low - rounding, before.high + heap + rounding};
}

// Rock is never dissolved to below the lowest ground that water flows to. It is dropped under water; where that runs dry,
// in heaps of what it carried: no more comes from eight neighbours than half of their water holds, and of what
// cannot be held, a share stays suspended for the next step. If none of it is ever dropped, nothing but the rock that there
// is limits a heap.
Interval where_water_leaves_rock(std::map<std::string, std::string> values, Interval before,
                                 const Terrain& input) {
    auto value = [&](const char* name) { return std::stod(values[name]); };
    double rains = value("rain-every") == 0 ? 1 : long_enough() / value("rain-every");
    double kept = value("evaporation") > 0 ? std::min(rains, 1 / value("evaporation")) : rains;
    const Interval& range = input.grid().range;
    double water = kept * (value("rain-least") +
                           value("rain-gain") * std::max(before.high - range.low, 0.0) / range.span());
    double all_rock = double(input.rect().cells()) * before.span();
    double carried = 4 * value("capacity") * water;
    double heap = value("deposition") > 0 ? water + carried / value("deposition") : all_rock;
    double rounding = 1e-4 * std::max(before.span(), 1.0);
    return {before.low - rounding, before.high + std::min(heap, all_rock) + rounding};
}

// Runs it with a look at the terrain now and then. Returns how far heights left the range they had.
double endure(const std::string& label, Operation& operation, const Terrain& input) {
    SCOPED_TRACE(label);
    FieldStatistics cells = statistics(input.height());
    Interval before{cells.low, cells.high};
    Interval bounds = operation.name() == "thermal-erosion"
                          ? where_rock_crumbles(values_of(operation), before)
                          : where_water_leaves_rock(values_of(operation), before, input);
    double furthest = 0;
    auto look = [&](const Terrain& terrain, int step) {
        FieldStatistics now = statistics(terrain.height());
        EXPECT_EQ(now.missing, cells.missing) << "after step " << step;
        EXPECT_GE(now.low, bounds.low) << "after step " << step;
        EXPECT_LE(now.high, bounds.high) << "after step " << step;
        for (const char* name : {"water", "sediment"}) {
            if (!terrain.has(name) || operation.name() == "thermal-erosion") continue;
            FieldStatistics depth = statistics(terrain.field(name));
            EXPECT_EQ(depth.missing, cells.missing) << name << " after step " << step;
            EXPECT_GE(depth.low, 0) << name << " after step " << step;
            EXPECT_TRUE(std::isfinite(depth.high)) << name << " after step " << step;
        }
        furthest = std::max({furthest, double(now.high) - before.high, before.low - double(now.low)});
    };
    RunContext context = on(make_cpu_device(supported_cpu_levels().back(), 1));
    context.snapshot_every = long_enough() / 10;
    context.snapshot = look;
    look(run(operation, input, context), long_enough());
    if (is_long_soak() && furthest > 0)
        fmt::print("{}: heights of {:.6g} to {:.6g} m left that by {:.3g} m\n", label, before.low,
                   before.high, furthest);
    return furthest;
}

// ---- presets ---------------------------------------------------------------------------------------------

// The same land in so few cells that ten thousand steps take a second.
Grid coarse(Grid grid) {
    int longest = std::max(grid.extent.width(), grid.extent.height());
    double shrink = std::max(longest / 48.0, 1.0);
    auto side = [&](int cells) { return std::max(int(std::lround(cells / shrink)), 1); };
    grid.extent = Rect::of({side(grid.extent.width()), side(grid.extent.height())});
    grid.cell *= shrink;
    return grid;
}

bool erodes(const Recipe& recipe) {
    return std::ranges::any_of(recipe.operations, [](const std::unique_ptr<Operation>& operation) {
        return steps_of(operation->name()) != nullptr;
    });
}

// Those that erode step by step; in the long soak all of them.
std::vector<std::string> presets_to_erode() {
    std::vector<std::string> names = preset_names();
    if (!is_long_soak()) std::erase_if(names, [](const std::string& name) { return !erodes(preset(name)); });
    return names;
}

class EnduringPreset : public testing::TestWithParam<std::string> {};

TEST_P(EnduringPreset, KeepsItsHeights) {
    Recipe recipe = preset(GetParam());
    RunContext context = on(make_cpu_device(supported_cpu_levels().back(), 1));
    Terrain terrain(coarse(*recipe.grid));
    for (const std::unique_ptr<Operation>& operation : recipe.operations) {
        if (const char* steps = steps_of(operation->name())) {
            std::unique_ptr<Operation> longer = operation->clone();
            longer->set(steps, long_enough());
            endure(GetParam() + ", its own " + std::string(operation->name()), *longer, terrain);
        }
        terrain = run(*operation, terrain, context);
    }
    if (!terrain.has("height")) return;
    std::string count = std::to_string(long_enough());
    for (const char* rule : {"frontier", "musgrave"})
        endure(GetParam() + ", thermal erosion (" + rule + ")",
               *made_operation("thermal-erosion", {{"rule", rule}, {"steps", count}}), terrain);
    endure(GetParam() + ", hydraulic erosion", *made_operation("hydraulic-erosion", {{"steps", count}}),
           terrain);
}

INSTANTIATE_TEST_SUITE_P(All, EnduringPreset, testing::ValuesIn(presets_to_erode()), test_name);

TEST(EnduringPresets, AreAllThatErodeStepByStep) { EXPECT_GE(presets_to_erode().size(), 4u); }

// ---- the ends of the ranges ------------------------------------------------------------------------------

// Each parameter at either end of its hard range, each with each. Of whole numbers the default stands for the upper
// end: those are intervals in steps, and an interval longer than the simulation is the same as none.
std::vector<Parameters> corners(const char* operation) {
    std::vector<Parameters> all = {{}};
    std::unique_ptr<Operation> defaults = make_operation(operation);
    for (const Parameter& parameter : defaults->schema().parameters()) {
        if (parameter.name() == steps_of(operation)) continue;
        std::vector<std::string> ends = parameter.choices();
        if (parameter.numeric()) {
            const Interval& range = *parameter.hard_range();
            bool whole = parameter.type() == ParameterType::integer;
            ends = {fmt::format("{}", range.low),
                    whole ? defaults->value_text(parameter) : fmt::format("{}", range.high)};
        }
        std::vector<Parameters> further;
        for (const Parameters& chosen : all)
            for (const std::string& end : ends) {
                further.push_back(chosen);
                further.back().emplace_back(parameter.name(), end);
            }
        all = further;
    }
    return all;
}

class EnduringLimits : public testing::TestWithParam<const char*> {};

TEST_P(EnduringLimits, KeepTheirHeights) {
    std::vector<Parameters> all = corners(GetParam());
    EXPECT_GE(all.size(), 16u);
    double furthest = 0;
    for (size_t i = 0; i < all.size(); i++) {
        // Among the other tests, a few of each sort: 7 and the powers of two have nothing in common.
        if (!is_long_soak() && all.size() > 16 && i % 7 != 0) continue;
        Parameters parameters = all[i];
        std::string label = GetParam();
        for (const auto& [name, value] : parameters) label += " --" + name + " " + value;
        parameters.emplace_back(steps_of(GetParam()), std::to_string(long_enough()));
        for (Holes holes : {Holes::none, Holes::some}) {
            Terrain terrain = rough_terrain({56, 48}, holes);
            // With hardness where nothing is missing, without where some is.
            if (holes == Holes::some) terrain.remove("hardness");
            furthest = std::max(furthest, endure(label, *made_operation(GetParam(), parameters), terrain));
        }
    }
    if (is_long_soak()) fmt::print("{}: {} corners, furthest {:.4g} m\n", GetParam(), all.size(), furthest);
}

INSTANTIATE_TEST_SUITE_P(Of, EnduringLimits, testing::Values("thermal-erosion", "hydraulic-erosion"),
                         [](const auto& info) {
                             std::string name = info.param;
                             return name.substr(0, name.find('-'));
                         });

}  // namespace
}  // namespace caprock::test

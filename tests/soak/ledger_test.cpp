// Simulations over many steps lose nothing: what there was and came in is what went out and is left.
#include "soak/length.h"
#include "support/devices.h"
#include "support/terrains.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

struct Simulation {
    const char* label;
    const char* operation;
    Parameters parameters;
    const char* steps;  // the parameter that says how many
    bool hard = true;   // with the field hardness
    bool flat = false;  // on level ground, where every cell rounds the same way
};

std::ostream& operator<<(std::ostream& out, const Simulation& simulation) { return out << simulation.label; }

class Ledger : public testing::TestWithParam<Simulation> {};

TEST_P(Ledger, ClosesAfterManySteps) {
    const Simulation& simulation = GetParam();
    int side = is_long_soak() ? 1024 : 96;
    Terrain input = rough_terrain({side, side});
    if (!simulation.hard) input.remove("hardness");
    if (simulation.flat) input.set("height", Field(input.rect(), 100.0f));
    Parameters parameters = simulation.parameters;
    parameters.emplace_back(simulation.steps, is_long_soak() ? "1000" : "250");
    RunContext context = on_cpu();
    std::vector<LedgerEntry> ledger;
    context.enter = [&](const LedgerEntry& entry) { ledger.push_back(entry); };
    Terrain output = run(*made_operation(simulation.operation, parameters), input, context);
    ASSERT_FALSE(ledger.empty());
    for (const LedgerEntry& entry : ledger) {
        EXPECT_LT(entry.error(), 1e-5) << entry.quantity;
        if (is_long_soak())
            fmt::print("{}: {} closes to {:.2g} of {:.4g} m3\n", simulation.label, entry.quantity,
                       entry.error(), std::max(std::abs(entry.before) + entry.in, std::abs(entry.after)));
    }
    EXPECT_EQ(identical(input.height(), output.height()), simulation.flat);
}

INSTANTIATE_TEST_SUITE_P(
    Of, Ledger,
    testing::Values(
        Simulation{"Frontier", "thermal-erosion", {{"rule", "frontier"}}, "steps"},
        Simulation{"FrontierWithoutHardness", "thermal-erosion", {{"talus", "20"}}, "steps", false},
        Simulation{"Musgrave", "thermal-erosion", {{"rule", "musgrave"}}, "steps"},
        Simulation{"MusgraveWithoutHardness",
                   "thermal-erosion",
                   {{"rule", "musgrave"}, {"talus", "20"}},
                   "steps",
                   false},
        Simulation{"Hydraulic", "hydraulic-erosion", {}, "steps"},
        Simulation{"HydraulicWithoutHardness", "hydraulic-erosion", {}, "steps", false},
        Simulation{"HydraulicOnLevelGround", "hydraulic-erosion", {}, "steps", false, true},
        Simulation{"HydraulicThatKeepsItsWater", "hydraulic-erosion", {{"evaporation", "0"}}, "steps"},
        Simulation{"Musgraves", "fluvial-erosion", {}, "steps"},
        Simulation{"Beness", "fluvial-erosion", {{"model", "benes"}}, "steps"},
        Simulation{"Olsens", "fluvial-erosion", {{"model", "olsen"}}, "steps"},
        Simulation{"Velocities", "velocity-erosion", {{"way", "40"}}, "steps"},
        Simulation{"VelocitiesOnLevelGround", "velocity-erosion", {{"way", "40"}}, "steps", false, true},
        Simulation{"Droplets", "droplet-erosion", {{"way", "200"}}, "steps"},
        Simulation{"DropletsWithoutHardness", "droplet-erosion", {{"way", "200"}}, "steps", false},
        Simulation{"DropletsOnLevelGround", "droplet-erosion", {}, "steps", false, true},
        Simulation{"Riverbed", "riverbed", {{"water", "true"}}, "particles"}),
    [](const auto& info) { return std::string(info.param.label); });

}  // namespace
}  // namespace caprock::test

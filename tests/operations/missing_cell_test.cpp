// One missing cell among known ones, in simulations: it stays the only one, and changes nothing out of reach.
#include "support/devices.h"
#include "support/terrains.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

struct Simulation {
    const char* label;
    const char* operation;
    Parameters parameters;
    const char* steps;
};

std::ostream& operator<<(std::ostream& out, const Simulation& simulation) { return out << simulation.label; }

class MissingCell : public testing::TestWithParam<Simulation> {};

TEST_P(MissingCell, StaysAloneAndChangesOnlyItsNeighbours) {
    const Simulation& simulation = GetParam();
    constexpr int x = 21, y = 17;
    Terrain whole = rough_terrain({44, 36});
    Terrain holed = whole;
    Field height = whole.height();
    height.set(x, y, missing);
    holed.set("height", height);
    for (const NamedDevice& device : all_devices())
        for (int steps : {1, 4}) {
            SCOPED_TRACE(device.name + ", steps " + std::to_string(steps));
            Parameters parameters = simulation.parameters;
            parameters.emplace_back(simulation.steps, std::to_string(steps));
            std::unique_ptr<Operation> operation = made_operation(simulation.operation, parameters);
            RunContext context = on(device.device);
            Terrain with = run(*operation, holed, context);
            Terrain without = run(*operation, whole, context);
            // What a cell gives depends on its neighbours, and what it gets on what those give.
            int reach = 2 * steps;
            int changed = 0;
            for (const std::string& name : operation->fields().outputs) {
                EXPECT_EQ(statistics(with.field(name)).missing, 1) << name;
                EXPECT_TRUE(is_missing(with.field(name).at(x, y))) << name;
                EXPECT_EQ(statistics(without.field(name)).missing, 0) << name;
                for (int row = 0; row < 36; row++)
                    for (int column = 0; column < 44; column++) {
                        if (with.field(name).at(column, row) == without.field(name).at(column, row)) continue;
                        int away = std::max(std::abs(column - x), std::abs(row - y));
                        EXPECT_LE(away, reach) << name << " at " << column << "," << row;
                        if (away > 0) changed++;
                    }
            }
            // It does make a difference: what would have gone there stays.
            EXPECT_GT(changed, 0);
        }
}

INSTANTIATE_TEST_SUITE_P(
    In, MissingCell,
    testing::Values(Simulation{"Frontier", "thermal-erosion", {{"talus", "20"}}, "steps"},
                    Simulation{
                        "Musgrave", "thermal-erosion", {{"talus", "20"}, {"rule", "musgrave"}}, "steps"},
                    Simulation{"Hydraulic", "hydraulic-erosion", {{"rain-least", "0.5"}}, "steps"},
                    Simulation{"Musgraves", "fluvial-erosion", {}, "steps"},
                    Simulation{"Beness", "fluvial-erosion", {{"model", "benes"}}, "steps"},
                    Simulation{"Olsens", "fluvial-erosion", {{"model", "olsen"}}, "steps"}),
    [](const auto& info) { return std::string(info.param.label); });

}  // namespace
}  // namespace caprock::test

// Twice the resolution gives the same landscape, finer: every operation of the registry on the same land in cells of 8 and
// of 4 metres. Half the cell changes what it does by a tenth at most, or there is a reason.
#include "support/devices.h"
#include "support/operations.h"
#include "support/terrains.h"

#include <cctype>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace caprock::test {
namespace {

constexpr double coarse_cell = 8;
constexpr int coarse_side = 97;
constexpr double most_change = 0.1;

const char* const points_on_cells = "fault points lie on cells, as in the papers: a fault may move by a cell";

const char* const films = "films that run in rills as wide as a cell: their amount is the same";

// What may change by more, and why.
const std::map<std::string, const char*> reasons = {
    {"linear-faults height", points_on_cells},
    {"hardness-classes hardness", points_on_cells},
    {"table-mountain height", points_on_cells},
    {"table-mountain material", points_on_cells},
    {"table-mountain hardness", points_on_cells},
    {"hydraulic-erosion water", films},
    {"hydraulic-erosion sediment", "what those films carry, until they come to rest for a moment"},
    {"fluvial-erosion water", "films that run in rills as wide as a cell: their amount is the same"},
    {"fluvial-erosion sediment", "what those films carry, until they come to rest for a moment"},
    {"flood water", films},
    {"flood speed", films},
    {"flood arrival", "when such films are as deep as the least that counts"},
    {"river-erosion water", films},
    {"river-erosion sediment", "what those films carry"},
    {"cut-out height", "it changes no height, and takes away the same ones"},
    {"decimate height", "it is about points, not about land"},
    {"expand height", "it is about points, not about land"},
    {"stream-power height",
     "small valleys are others where small slopes are seen; stream_power_test.cpp says how far"},
    {"breach-hollows height", "a trench is as wide as a cell"},
    {"flow drained-area", "through half the width drains half of what comes down a slope"},
    {"interpolate height", "midpoints between known cells are displaced by chance, cell by cell"},
};

void make(Terrain& terrain, const std::string& operation, const Parameters& parameters) {
    terrain = applied(operation, parameters, terrain);
}

// What the operation starts from: hills up to 40 degrees steep, and whatever else it reads. Noise has the same heights in
// cells of any size, and none of this is too fine for the larger ones.
Terrain input_for(const Operation& operation, double cell) {
    int side = int((coarse_side - 1) * coarse_cell / cell) + 1;
    Terrain terrain(Grid{Rect::of({side, side}), cell, {0, 400}});
    const FieldUse use = operation.fields();
    if (use.generator()) return terrain;
    make(terrain, "noise", {{"feature", "600"}, {"octaves", "6"}, {"seed", "3"}});
    std::vector<std::string> inputs = use.inputs;
    for (const char* name : {"hardness", "solubility", "mask"})
        for (const std::string& optional : use.optional_inputs)
            if (optional == name) inputs.emplace_back(name);
    for (const std::string& name : inputs) {
        if (terrain.has(name)) continue;
        if (name == "material") {
            make(terrain, "materials", {});
        } else if (name == "mask" || name == "other" || name == "cut") {
            make(terrain, "mask-noise", {{"feature", "400"}, {"octaves", "3"}, {"field", name}});
        } else {
            make(terrain, "noise", {{"field", name}, {"feature", "500"}, {"octaves", "4"}, {"seed", "7"}});
        }
    }
    if (use.fills_missing && operation.name() != "blend") {
        make(terrain, "mask-noise", {{"feature", "300"}, {"octaves", "2"}, {"field", "cut"}});
        make(terrain, "cut-out", {});
    }
    return terrain;
}

struct Difference {
    double change = 0;  // between coarse and fine
    double effect = 0;
    double coarse_mean = 0;
    double fine_mean = 0;
};

// At the cells that both have. The effect is what became of a field, or how far a new one is from being even.
Difference difference(const Field* before, const Field& coarse, const Field& fine) {
    double known = 0;
    Difference found;
    const Rect& rect = coarse.rect();
    auto each_known = [&](auto&& act) {
        for (int y = rect.top; y < rect.bottom; y++)
            for (int x = rect.left; x < rect.right; x++)
                if (!is_missing(coarse.at(x, y)) && !is_missing(fine.at(2 * x, 2 * y)))
                    act(double(coarse.at(x, y)), double(fine.at(2 * x, 2 * y)), x, y);
    };
    each_known([&](double in_coarse, double in_fine, int, int) {
        known++;
        found.coarse_mean += in_coarse;
        found.fine_mean += in_fine;
    });
    if (known == 0) return found;
    found.coarse_mean /= known;
    found.fine_mean /= known;
    each_known([&](double in_coarse, double in_fine, int x, int y) {
        bool was_there = before && !is_missing(before->at(x, y));
        double from = was_there ? double(before->at(x, y)) : found.coarse_mean;
        found.change += (in_coarse - in_fine) * (in_coarse - in_fine);
        found.effect += (in_coarse - from) * (in_coarse - from);
    });
    found.change = std::sqrt(found.change / known);
    found.effect = std::sqrt(found.effect / known);
    return found;
}

struct Case {
    std::string operation;
    Parameters parameters;
};

std::ostream& operator<<(std::ostream& out, const Case& one) {
    out << one.operation;
    for (const auto& [name, value] : one.parameters) out << " --" << name << " " << value;
    return out;
}

// All of them as they come, with what it takes to have an effect here; and some with other parameters.
std::vector<Case> cases() {
    const std::map<std::string, Parameters> needed = {
        {"dome", {{"x", "400"}, {"y", "380"}, {"radius", "300"}, {"height", "90"}}},
        {"plane", {{"grade-x", "0.2"}}},
        {"fault", {{"x", "400"}, {"y", "380"}, {"width", "200"}, {"angle", "30"}}},
        {"ledge", {{"limit", "180"}, {"amount", "30"}}},
        {"mask-height", {{"between", "180:220"}}},
        {"mask-material", {{"materials", "2"}, {"softness", "60"}}},
        {"road", {{"path", "100,100 400,300 700,650"}}},
        {"warp", {{"x", "400"}, {"y", "380"}, {"move-x", "60"}, {"twirl", "30"}}},
    };
    std::vector<Case> all;
    for (const std::string& name : operation_names()) {
        auto found = needed.find(name);
        all.push_back({name, found == needed.end() ? Parameters{} : found->second});
    }
    auto also = [&](const char* operation, const Parameters& parameters) {
        all.push_back({operation, parameters});
    };
    also("thermal-erosion", {{"rule", "musgrave"}});
    also("thermal-erosion", {{"talus", "20"}, {"rate", "1"}});
    also("thermal-erosion", {{"duration", "20"}, {"scale", "16"}});
    also("hydraulic-erosion", {{"duration", "100"}, {"capacity", "2"}});
    also("hydraulic-erosion", {{"rain-every", "10"}, {"evaporation", "0.2"}});
    also("hydraulic-erosion", {{"scale", "16"}});
    also("droplet-erosion", {{"scale", "16"}});
    also("fluvial-erosion", {{"model", "benes"}});
    also("fluvial-erosion", {{"model", "olsen"}});
    also("velocity-erosion", {{"scale", "16"}});
    also("levelling", {{"radius", "25"}});
    also("levelling", {{"radius", "17"}, {"shape", "disc"}});
    also("mask-flow", {{"sharing", "single"}, {"area", "0.2:5"}});
    also("mask-slope", {{"between", "20:60"}, {"scale", "24"}});
    return all;
}

class WorldUnits : public testing::TestWithParam<Case> {};

TEST_P(WorldUnits, HalfTheCellIsTheSameLandFiner) {
    std::unique_ptr<Operation> operation = made_operation(GetParam().operation, GetParam().parameters);
    const Terrain coarse = input_for(*operation, coarse_cell);
    const Terrain fine = input_for(*operation, coarse_cell / 2);
    RunContext context = on_cpu();
    const Terrain coarse_after = run(*operation, coarse, context);
    const Terrain fine_after = run(*operation, fine, context);
    for (const std::string& name : operation->fields().outputs) {
        SCOPED_TRACE(name);
        auto reason = reasons.find(GetParam().operation + " " + name);
        // What makes another grid has no cells to compare.
        if (coarse_after.grid() != coarse.grid()) {
            EXPECT_NE(reason, reasons.end());
            continue;
        }
        Difference found = difference(coarse.find(name), coarse_after.field(name), fine_after.field(name));
        if (reason == reasons.end()) {
            EXPECT_GT(found.effect, 0) << "nothing happened that could differ";
            EXPECT_LE(found.change, most_change * found.effect)
                << "the effect is " << found.effect << ", and half the cell changes it by "
                << 100 * found.change / found.effect << " %";
        } else if (name == "water") {
            // To a millimetre, since hardly more is left in a dry spell.
            EXPECT_NEAR(found.fine_mean, found.coarse_mean, most_change * found.coarse_mean + 0.001);
        }
    }
}

std::string label(const testing::TestParamInfo<Case>& info) {
    std::string words = info.param.operation;
    for (const auto& [name, value] : info.param.parameters) words += "_" + name + "_" + value;
    for (char& letter : words)
        if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
    return words;
}

INSTANTIATE_TEST_SUITE_P(Of, WorldUnits, testing::ValuesIn(cases()), label);

// The land of a simulation is the same over several halvings as well, and none of them changes it by more.
TEST(WorldUnits, SimulationsStayTheSameInCellsOfTwoAndOneMetres) {
    RunContext context = on_cpu();
    for (const char* name :
         {"thermal-erosion", "hydraulic-erosion", "droplet-erosion", "fluvial-erosion", "velocity-erosion"}) {
        std::unique_ptr<Operation> operation = made_operation(name, {{"duration", "60"}});
        std::vector<Terrain> before, after;
        for (double cell : {8.0, 4.0, 2.0, 1.0}) {
            before.push_back(input_for(*operation, cell));
            after.push_back(run(*operation, before.back(), context));
        }
        for (size_t i = 0; i + 1 < after.size(); i++) {
            Difference found = difference(&before[i].height(), after[i].height(), after[i + 1].height());
            EXPECT_LE(found.change, most_change * found.effect)
                << name << " in cells of " << before[i].grid().cell;
        }
    }
}

}  // namespace
}  // namespace caprock::test

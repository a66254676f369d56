// Simulations in steps: however they are run, they come to the same bits.
#include "operation/simulation.h"

#include "operation/checkpoint.h"
#include "operation/kernel_operation.h"
#include "operation/paged_simulation.h"
#include "support/devices.h"
#include "support/folder.h"
#include "support/kernels.h"
#include "support/refusals.h"
#include "support/same_terrain.h"
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

struct Simulated {
    const char* name;
    const char* operation;
    Parameters parameters;
    const char* kernel = nullptr;  // the text of a user's own, in the place of one of the registry
};

std::ostream& operator<<(std::ostream& out, const Simulated& simulated) { return out << simulated.name; }

class Simulations : public testing::TestWithParam<Simulated> {
  protected:
    std::unique_ptr<Operation> operation(const Parameters& more = {}) const {
        std::unique_ptr<Operation> made = GetParam().kernel
                                              ? kernel_operation(GetParam().kernel, GetParam().operation)
                                              : make_operation(GetParam().operation);
        for (const auto& [name, text] : GetParam().parameters) made->set_text(name, text);
        for (const auto& [name, text] : more) made->set_text(name, text);
        return made;
    }
    static Terrain land(Size size) {
        Terrain terrain = rough_terrain(size, Holes::some);
        terrain.set("rain", made_field(terrain.rect(), [](int x, int y) { return scattered(x, y, 3); }));
        return terrain;
    }
};

INSTANTIATE_TEST_SUITE_P(
    All, Simulations,
    testing::Values(
        Simulated{"Thermal", "thermal-erosion", {{"steps", "17"}}},
        Simulated{"Musgrave", "thermal-erosion", {{"steps", "17"}, {"rule", "musgrave"}}},
        Simulated{"ThermalInLargerCells", "thermal-erosion", {{"duration", "20"}, {"scale", "16"}}},
        Simulated{"Hydraulic", "hydraulic-erosion", {{"steps", "17"}, {"rain-every", "3"}}},
        Simulated{"HydraulicInLargerCells", "hydraulic-erosion", {{"duration", "30"}, {"scale", "16"}}},
        Simulated{"Musgraves", "fluvial-erosion", {{"steps", "17"}, {"rain-every", "3"}}},
        Simulated{"Beness", "fluvial-erosion", {{"steps", "17"}, {"rain-every", "3"}, {"model", "benes"}}},
        Simulated{"Olsens", "fluvial-erosion", {{"steps", "17"}, {"rain-every", "3"}, {"model", "olsen"}}},
        Simulated{"OlsensInLargerCells",
                  "fluvial-erosion",
                  {{"duration", "30"}, {"scale", "16"}, {"model", "olsen"}}},
        Simulated{"Velocities", "velocity-erosion", {{"steps", "17"}, {"way", "12"}}},
        Simulated{"VelocitiesInLargerCells",
                  "velocity-erosion",
                  {{"duration", "20"}, {"scale", "16"}, {"way", "48"}}},
        Simulated{"Droplets", "droplet-erosion", {{"steps", "17"}, {"way", "28"}, {"radius", "10"}}},
        Simulated{"DropletsInLargerCells",
                  "droplet-erosion",
                  {{"duration", "20"}, {"scale", "16"}, {"way", "120"}}},
        Simulated{"River", "river-erosion", {{"duration", "6"}, {"scale", "4"}}},
        Simulated{"RiverInLargerCells", "river-erosion", {{"duration", "20"}, {"scale", "16"}}},
        Simulated{"Flood", "flood", {{"duration", "5"}, {"springs", "100,100; 400,300"}}},
        Simulated{"KernelAround", "creeping.kernel", {}, creeping_kernel},
        Simulated{"KernelInPlace", "in_place.kernel", {}, in_place_kernel},
        Simulated{"KernelOfSeveralFields", "coupled.kernel", {}, coupled_kernel},
        Simulated{"KernelAnywhere", "anywhere.kernel", {}, anywhere_kernel}),
    [](const auto& info) { return std::string(info.param.name); });

using Ledger = std::vector<LedgerEntry>;

void keep(Ledger& ledger, RunContext& context) {
    context.enter = [&](const LedgerEntry& entry) { ledger.push_back(entry); };
}

void expect_same(const Ledger& expected, const Ledger& actual) {
    ASSERT_EQ(expected.size(), actual.size());
    for (size_t i = 0; i < expected.size(); i++) {
        EXPECT_EQ(expected[i].quantity, actual[i].quantity);
        EXPECT_EQ(expected[i].before, actual[i].before) << expected[i].quantity;
        EXPECT_EQ(expected[i].in, actual[i].in) << expected[i].quantity;
        EXPECT_EQ(expected[i].out, actual[i].out) << expected[i].quantity;
        EXPECT_EQ(expected[i].moved, actual[i].moved) << expected[i].quantity;
        EXPECT_EQ(expected[i].after, actual[i].after) << expected[i].quantity;
    }
}

// All cells, step by step: what the operation is, whoever runs it.
Terrain step_by_step(const Operation& operation, const Terrain& input, RunContext context) {
    Terrain terrain = input;
    Progress progress;
    Work work(terrain, operation, context, progress);
    const std::unique_ptr<const Simulation> simulation = operation.simulation(input.grid());
    std::vector<SimulationFields> grounds = {simulation->ground(work)};
    while (grounds.size() < simulation->stages().size())
        grounds.push_back(simulation->coarser(work, grounds.back()));
    SimulationFields state = simulation->begin(work, grounds.back());
    double passed = 0;
    for (size_t i = grounds.size(); i-- > 0;) {
        const bool coarsest = i + 1 == grounds.size();
        if (!coarsest) state = simulation->finer(work, grounds[i], grounds[i + 1], state);
        const Stage stage = simulation->stages()[i];
        for (int step = 0; step < stage.steps; step++)
            simulation->step(work, grounds[i], state, {stage, step, passed, coarsest, state.rect()});
        passed += stage.lasts();
    }
    simulation->put(work, state);
    return terrain;
}

TEST_P(Simulations, AreTheirStepsOneAfterTheOther) {
    const Terrain input = land({211, 163});
    RunContext context = on_cpu();
    const Terrain expected = step_by_step(*operation(), input, context);
    expect_same_fields(expected, run(*operation(), input, context), "run");
    Ledger ledger;
    keep(ledger, context);
    expect_same_fields(expected, run(*operation(), input, context), "with a ledger");
    for (const LedgerEntry& entry : ledger) EXPECT_LT(entry.error(), 1e-4) << entry.quantity;
}

// A step is right in the cells that it was told of, whatever lies beyond those that it reads.
TEST_P(Simulations, AStepIsRightWhereItWasToldToBe) {
    Terrain terrain = land({120, 90});
    RunContext context = on_cpu();
    Progress progress;
    const std::unique_ptr<Operation> simulated = operation();
    Work work(terrain, *simulated, context, progress);
    const std::unique_ptr<const Simulation> simulation = simulated->simulation(terrain.grid());
    const SimulationFields ground = simulation->ground(work);
    const Stage stage{9, 1};
    const SimulationFields begun = simulation->begin(work, ground);
    SimulationFields whole = begun;
    for (int step = 0; step < 3; step++)
        simulation->step(work, ground, whole, {stage, step, 0, true, whole.rect()});
    const Rect wanted{40, 30, 70, 61};
    const Rect around = wanted.expanded(3 * simulation->reach()).intersected(whole.rect());
    SimulationFields near(around, ground.cell());
    for (const auto& [name, field] : begun.all()) near.set(name, field.cropped(around).copied());
    for (int step = 0; step < 3; step++)
        simulation->step(
            work, ground.cropped(around), near,
            {stage, step, 0, true, wanted.expanded((2 - step) * simulation->reach()).intersected(around)});
    for (const auto& [name, field] : whole.all())
        expect_same_cells(field.cropped(wanted), near.at(name).cropped(wanted), name);
}

TEST_P(Simulations, WhatIsStoppedIsTheSnapshotOfThatStep) {
    const Terrain input = land({90, 70});
    RunContext context = on_cpu();
    std::vector<std::pair<int, Terrain>> frames;
    context.snapshot_every = 4;
    context.snapshot = [&](const Terrain& terrain, int step) { frames.emplace_back(step, terrain); };
    run(*operation(), input, context);
    ASSERT_GE(frames.size(), 3u);
    context.snapshot = {};
    for (const auto& [step, frame] : frames)
        expect_same_fields(frame, run(*operation({{"stop-after", std::to_string(step)}}), input, context),
                           "after " + std::to_string(step));
    expect_same_fields(run(*operation(), input, context),
                       run(*operation({{"stop-after", "1000000"}}), input, context), "after more than all");
}

// ---- checkpoints ----------------------------------------------------------------------------------------------

struct Killed {};

// The program dies after so many steps: nothing is put in order.
void run_until_killed(const Operation& operation, const Terrain& input, RunContext context,
                      Checkpoint& checkpoint, int steps) {
    checkpoint.begin(0, {Checkpoint::Cells::of("height", input.height())}, input.rect().cells());
    context.checkpoint = &checkpoint;
    context.snapshot_every = 1;
    context.snapshot = [&](const Terrain&, int step) {
        if (step == steps) throw Killed();
    };
    EXPECT_THROW(run(operation, input, context), Killed);
}

TEST_P(Simulations, GoOnFromACheckpointToTheSameBits) {
    const Terrain input = land({90, 70});
    RunContext context = on_cpu();
    Ledger expected_ledger;
    keep(expected_ledger, context);
    const Terrain expected = run(*operation(), input, context);
    for (int steps : {1, 2, 6, 11, 16}) {
        SCOPED_TRACE(steps);
        Folder folder;
        {
            Checkpoint checkpoint(folder / "run.checkpoint", "hills", 0);
            EXPECT_FALSE(checkpoint.found());
            run_until_killed(*operation(), input, context, checkpoint, steps);
        }
        Checkpoint checkpoint(folder / "run.checkpoint", "hills", 1000);
        ASSERT_EQ(checkpoint.found(), 0);
        expect_same_cells(input.height(), checkpoint.fields().front().all(), "height");
        checkpoint.begin(0, checkpoint.fields(), input.rect().cells());
        Ledger ledger;
        RunContext again = on_cpu();
        keep(ledger, again);
        again.checkpoint = &checkpoint;
        int first = 0;
        again.snapshot_every = 1;
        again.snapshot = [&](const Terrain&, int step) {
            if (first == 0) first = step;
        };
        expect_same_fields(expected, run(*operation(), input, again), "resumed");
        // The kill came before what that step had made was saved.
        EXPECT_EQ(first, steps);
        expect_same(expected_ledger, ledger);
        checkpoint.remove();
        EXPECT_EQ(folder.names(), std::set<std::string>());
    }
}

// ---- pages ------------------------------------------------------------------------------------------------------

// In blocks so small that they take no more than a few steps at a time.
TEST_P(Simulations, InPagesComeToTheSameBits) {
    const Terrain input = land({211, 163});
    const std::shared_ptr<const Operation> simulated = operation();
    if (simulated->reach(input.grid()).kind() == Reach::Kind::whole) return;
    RunContext context = on_cpu();
    const Terrain expected = run(*simulated, input, context);
    Folder folder;
    PagedSimulation pages(simulated, input.grid(), [&](const Rect& part) { return input.cropped(part); },
                          {folder.path(), 1 << 20});
    EXPECT_LT(pages.shape(input.rect()).steps, 17);
    pages.run(context, 0);
    for (const Rect& region : {input.rect(), Rect{100, 20, 171, 90}}) {
        const Terrain made = pages.read(region, context);
        for (const std::string& name : simulated->fields().outputs)
            expect_same_cells(expected.field(name).cropped(region), made.field(name), name);
    }
}

// ---- files ------------------------------------------------------------------------------------------------------

Checkpoint::State state_after(int step, float value) {
    return {0,
            step,
            step,
            0.5 * step,
            4,
            {0.1, 1e300},
            {Checkpoint::Cells::of("height", Field(Rect{-3, 2, 40, 30}, value)),
             Checkpoint::Cells::of("water", Field(Rect{-3, 2, 40, 30}, missing))}};
}

void save_two(const std::string& path) {
    Checkpoint checkpoint(path, "work", 0);
    checkpoint.begin(3, {Checkpoint::Cells::of("2.height", Field(Rect::of({50, 40}), 7))}, 43 * 28);
    checkpoint.save(state_after(10, 1));
    checkpoint.save(state_after(20, 2));
}

TEST(Checkpoints, KeepWhatTheyAreGiven) {
    Folder folder;
    const std::string path = folder / "a checkpoint";
    save_two(path);
    Checkpoint checkpoint(path, "work", 0);
    EXPECT_EQ(checkpoint.found(), 3);
    EXPECT_EQ(checkpoint.fields().front().name, "2.height");
    std::optional<Checkpoint::State> state = checkpoint.taken();
    ASSERT_TRUE(state);
    EXPECT_EQ(state->step, 20);
    EXPECT_EQ(state->passed, 10);
    EXPECT_EQ(state->counted, (std::vector<double>{0.1, 1e300}));
    ASSERT_EQ(state->fields.size(), 2u);
    expect_same_cells(state_after(20, 2).fields[0].all(), state->fields[0].all(), "height");
    expect_same_cells(state_after(20, 2).fields[1].all(), state->fields[1].all(), "water");
    EXPECT_FALSE(checkpoint.taken()) << "only for the first that asks";
}

// A kernel of one's own may have any number of them.
TEST(Checkpoints, HaveRoomForEveryFieldOfAState) {
    Folder folder;
    const std::string path = folder / "many";
    const Rect rect = Rect::of({20, 10});
    Checkpoint::State state{0, 5, 5, 0, 4, {}, {}};
    for (int i = 0; i < 60; i++)
        state.fields.push_back(
            Checkpoint::Cells::of("a_field_with_a_long_name_" + std::to_string(i), Field(rect, float(i))));
    {
        Checkpoint checkpoint(path, "work", 0);
        checkpoint.begin(0, {}, rect.cells(), state.fields.size());
        checkpoint.save(state);
        checkpoint.save(state);
    }
    Checkpoint checkpoint(path, "work", 0);
    std::optional<Checkpoint::State> taken = checkpoint.taken();
    ASSERT_TRUE(taken);
    ASSERT_EQ(taken->fields.size(), 60u);
    for (size_t i = 0; i < 60; i++)
        expect_same_cells(state.fields[i].all(), taken->fields[i].all(), state.fields[i].name);
}

// A byte that is another one, anywhere: what is read is what was saved last, or before, or nothing at all.
TEST(Checkpoints, ThatAreDamagedAreNeverTakenForWhole) {
    Folder folder;
    const std::string whole = folder / "whole", damaged = folder / "damaged";
    save_two(whole);
    const std::string bytes = file_text(whole);
    int refused = 0, last = 0, earlier = 0;
    for (size_t i = 0; i < bytes.size(); i += i < 600 ? 1 : 977) {
        std::string changed = bytes;
        changed[i] = char(changed[i] ^ 0x41);
        write_text(damaged, changed);
        try {
            Checkpoint checkpoint(damaged, "work", 0);
            std::optional<Checkpoint::State> state = checkpoint.taken();
            ASSERT_TRUE(state);
            const float value = state->step == 20 ? 2.0f : 1.0f;
            expect_same_cells(state_after(state->step, value).fields[0].all(), state->fields[0].all(),
                              "height");
            expect_same_cells(Field(Rect::of({50, 40}), 7), checkpoint.fields().front().all(),
                              "height before");
            (state->step == 20 ? last : earlier)++;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("damaged"), std::string::npos) << error.what();
            refused++;
        }
    }
    EXPECT_GT(refused, 0);
    EXPECT_GT(last, 0);
    EXPECT_GT(earlier, 0);
    for (double share : {0.0, 0.001, 0.02, 0.3, 0.6, 0.9}) {
        write_truncated(whole, damaged, share);
        try {
            Checkpoint checkpoint(damaged, "work", 0);
            checkpoint.fields();
        } catch (const Error&) {
        }
    }
}

TEST(Checkpoints, OfOtherWorkAreRefusedAndLeftAlone) {
    Folder folder;
    const std::string path = folder / "mine";
    save_two(path);
    const std::string before = file_text(path);
    auto says = [](const std::string& refusal, const char* words) {
        EXPECT_NE(refusal.find(words), std::string::npos) << refusal;
    };
    says(refusal([&] { Checkpoint(path, "something else", 0); }), "mine' is of other work");
    write_text(folder / "letter", "Dear Sir or Madam");
    says(refusal([&] { Checkpoint(folder / "letter", "work", 0); }), "is no checkpoint");
    EXPECT_EQ(file_text(path), before);
    Checkpoint nowhere(folder / "nowhere/a", "work", 0);
    says(refusal([&] { nowhere.begin(0, {}, 1); }), "nowhere");
}

}  // namespace
}  // namespace caprock::test

// The contract every operation keeps, by walking the registry: an operation is tested from the day it exists.
#include "base/error.h"
#include "base/text.h"
#include "graph/executor.h"
#include "operation/evaluate.h"
#include "operation/recipe.h"
#include "soak/length.h"
#include "support/devices.h"
#include "support/same_terrain.h"
#include "support/terrains.h"
#include "support/test_names.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

// As a user would first try it, but with simulations of a few steps or particles: what one step keeps, a thousand keep.
std::unique_ptr<Operation> quick(const std::string& name) {
    std::unique_ptr<Operation> operation = make_operation(name);
    // In cells of 4 m that is so many in cells of 8 m, and fewer in their own.
    if (operation->schema().find("duration")) {
        operation->set_text("duration", "6");
    } else if (operation->schema().find("steps")) {
        operation->set_text("steps", "6");
    }
    if (operation->schema().find("particles")) operation->set_text("particles", "100");
    // How far water runs in one step, in metres: six cells.
    if (operation->schema().find("way") && operation->schema().at("way").numeric())
        operation->set_text("way", "24");
    return operation;
}

// What the operation starts from: nothing but a grid for a generator.
Terrain input_for(const Operation& operation, Size size, Holes holes = Holes::none) {
    Terrain terrain = rough_terrain(size, holes);
    if (operation.fields().generator()) return Terrain(terrain.grid());
    for (const std::string& name : operation.fields().inputs)
        if (!terrain.has(name)) terrain.set(name, terrain.field("hardness"));
    return terrain;
}

std::shared_ptr<Device> reference_device() {
    static const std::shared_ptr<Device> device = make_cpu_device(CpuLevel::portable, 1);
    return device;
}

Terrain reference_result(const Operation& operation, const Terrain& input) {
    RunContext context = on(reference_device());
    return run(operation, input, context);
}

// Whether it has a device do anything: some of what looks at all of the land is done by the host alone.
bool launches(const Operation& operation, const Terrain& input) {
    const uint64_t before = reference_device()->moved_bytes();
    reference_result(operation, input);
    return reference_device()->moved_bytes() > before;
}

class Contract : public testing::TestWithParam<std::string> {
  protected:
    std::unique_ptr<Operation> operation = quick(GetParam());
    const Schema& schema = operation->schema();
};

const std::vector<Size> ugly_sizes = {{1, 1}, {1, 37}, {53, 1}, {2, 2}, {64, 48}, {67, 41}};

TEST_P(Contract, SameBitsOnEveryDevice) {
    for (Size size : ugly_sizes)
        for (Holes holes : {Holes::none, Holes::some}) {
            Terrain input = input_for(*operation, size, holes);
            Terrain expected = reference_result(*operation, input);
            for (const NamedDevice& named : all_devices()) {
                RunContext context = on(named.device);
                std::string told;
                context.tell = [&](const std::string& message) { told += message; };
                expect_same(
                    expected, run(*operation, input, context),
                    named.name + ", " + std::to_string(size.width) + "x" + std::to_string(size.height));
                EXPECT_EQ(context.device, named.device) << "fell back to the CPU: " << told;
            }
        }
}

TEST_P(Contract, SameBitsWithAnyNumberOfThreads) {
    Terrain input = input_for(*operation, {701, 403}, Holes::some);
    Terrain expected = reference_result(*operation, input);
    for (int threads : {2, 7}) {
        RunContext context = on(make_cpu_device(supported_cpu_levels().back(), threads));
        expect_same(expected, run(*operation, input, context), std::to_string(threads) + " threads");
    }
}

void expect_tiles(const Operation& operation, const Terrain& input, Size tile) {
    Terrain whole = reference_result(operation, input);
    RunContext context = on(make_cpu_device(supported_cpu_levels().back(), 1));
    const Rect extent = operation.grid_after(input.grid()).extent;
    for (int top = extent.top; top < extent.bottom; top += tile.height)
        for (int left = extent.left; left < extent.right; left += tile.width) {
            Rect region = Rect{left, top, left + tile.width, top + tile.height}.intersected(extent);
            Terrain part = evaluate(operation, input, region, context);
            ASSERT_EQ(part.rect(), region);
            expect_same(whole.cropped(region), part,
                        "tile of " + std::to_string(tile.width) + "x" + std::to_string(tile.height) + " at " +
                            std::to_string(left) + "," + std::to_string(top));
            if (testing::Test::HasFatalFailure()) return;
        }
}

TEST_P(Contract, ATileEqualsTheCropOfTheWhole) {
    // A read beside a tile is one read beside it in two hundred tiles as in two thousand; and what sees everything is run as a whole for
    // each.
    if (sanitized || operation->reach(grid_of({131, 97})).kind() == Reach::Kind::whole) {
        expect_tiles(*operation, input_for(*operation, {19, 11}, Holes::some), {1, 1});
        expect_tiles(*operation, input_for(*operation, {131, 97}, Holes::some), {45, 34});
        return;
    }
    for (Holes holes : {Holes::none, Holes::some}) {
        expect_tiles(*operation, input_for(*operation, {19, 11}, holes), {1, 1});
        expect_tiles(*operation, input_for(*operation, {131, 97}, holes), {13, 7});
        expect_tiles(*operation, input_for(*operation, {131, 97}, holes), {1, 97});
        expect_tiles(*operation, input_for(*operation, {131, 97}, holes), {131, 5});
        expect_tiles(*operation, input_for(*operation, {300, 200}, holes), {64, 64});
    }
}

TEST_P(Contract, BandsOnASmallDeviceChangeNoBit) {
    Terrain input = input_for(*operation, {256, 300}, Holes::some);
    Terrain expected = reference_result(*operation, input);
    // Eight rows at a time, or thereabouts.
    std::shared_ptr<Device> small = open_opencl_device(0, {uint64_t(256 * 1024)});
    RunContext context = on(small);
    Terrain result = run(*operation, input, context);
    expect_same(expected, result, "in bands");
    EXPECT_EQ(context.device, small) << "fell back to the CPU";
    if (launches(*operation, input)) {
        EXPECT_GT(opencl_traffic(*small).bands, 1);
    }
}

TEST_P(Contract, RememberedItIsTheSame) {
    // One that is made of others is then run part by part.
    Terrain input = input_for(*operation, {67, 41}, Holes::some);
    std::vector<std::unique_ptr<Operation>> chain;
    chain.push_back(operation->clone());
    for (const NamedDevice& named : all_devices()) {
        RunContext context = on(named.device);
        Executor remembered = Executor::remembering();
        expect_same(reference_result(*operation, input), remembered.run(chain, input, context), named.name);
        expect_same(reference_result(*operation, input), remembered.run(chain, input, context), named.name);
        EXPECT_EQ(remembered.steps_run(), 0);
    }
}

TEST_P(Contract, MissingCellsAreNeitherSpreadNorFilled) {
    if (operation->fields().generator()) {
        Terrain made = reference_result(*operation, input_for(*operation, {67, 41}));
        for (const std::string& name : operation->fields().outputs)
            EXPECT_EQ(statistics(made.field(name)).missing, 0);
        return;
    }
    for (Holes holes : {Holes::none, Holes::some, Holes::all}) {
        Terrain input = input_for(*operation, {67, 41}, holes);
        Terrain result = reference_result(*operation, input);
        // What has another size has other cells.
        if (result.grid() != input.grid()) return;
        for (const std::string& name : operation->fields().outputs) {
            if (!input.has(name)) continue;
            const Field& before = input.field(name);
            const Field& after = result.field(name);
            for (int y = 0; y < 41; y++)
                for (int x = 0; x < 67; x++)
                    ASSERT_TRUE(is_missing(before.at(x, y)) == is_missing(after.at(x, y)) ||
                                (is_missing(before.at(x, y)) ? operation->fields().fills_missing
                                                             : operation->fields().makes_missing))
                        << name << " at " << x << "," << y;
        }
    }
}

TEST_P(Contract, TheInputIsNotChanged) {
    Terrain input = input_for(*operation, {67, 41}, Holes::some);
    std::vector<uint64_t> before;
    for (const std::string& name : input.names()) before.push_back(fingerprint(input.field(name)));
    for (const NamedDevice& named : all_devices()) {
        RunContext context = on(named.device);
        run(*operation, input, context);
        size_t next = 0;
        for (const std::string& name : input.names())
            EXPECT_EQ(fingerprint(input.field(name)), before[next++]) << name << " on " << named.name;
    }
}

bool all_finite(const Field& field) {
    for (int y = field.rect().top; y < field.rect().bottom; y++)
        for (int x = field.rect().left; x < field.rect().right; x++)
            if (std::isinf(field.at(x, y))) return false;
    return true;
}

std::string value_text(const Parameter& parameter, double value) {
    if (parameter.type() == ParameterType::interval) return interval_text({value, value});
    // The fields that input_for puts in hold what rounds to 0 and 1: a table of them needs two entries.
    if (parameter.type() == ParameterType::table) return number_text(value) + "," + number_text(value);
    return number_text(value);
}

void expect_works(const std::string& operation_name, const std::string& name, const std::string& value,
                  Size size, const Rect& region) {
    SCOPED_TRACE(name + " " + value);
    std::unique_ptr<Operation> changed = quick(operation_name);
    changed->set_text(name, value);
    Terrain input = input_for(*changed, size, Holes::some);
    Terrain result = reference_result(*changed, input);
    for (const std::string& output : changed->fields().outputs)
        EXPECT_TRUE(all_finite(result.field(output))) << "makes infinities";
    RunContext context = on(reference_device());
    expect_same(result.cropped(region), evaluate(*changed, input, region, context), "a region");
}

TEST_P(Contract, ParametersWorkAtBothEndsOfTheirRange) {
    for (const Parameter& parameter : schema.parameters()) {
        std::vector<std::string> ends;
        if (parameter.type() == ParameterType::choice) {
            ends = parameter.choices();
        } else if (parameter.type() == ParameterType::flag) {
            ends = {"true", "false"};
        } else if (parameter.type() == ParameterType::seed) {
            ends = {"0", "4294967295"};
        } else if (parameter.numeric()) {
            ASSERT_TRUE(parameter.hard_range()) << parameter.name() << " has no hard range";
            ends = {value_text(parameter, parameter.hard_range()->low),
                    value_text(parameter, parameter.hard_range()->high)};
        }
        // A simulation of a thousand steps does in each what one of a hundred thousand does.
        const bool steps = parameter.name() == "steps" || parameter.name() == "duration";
        if (steps && !is_long_soak()) ends.back() = sanitized ? "200" : "1000";
        for (const std::string& end : ends)
            expect_works(GetParam(), parameter.name(), end, {23, 17}, {5, 3, 12, 9});
        // What sliders offer, on a terrain large enough for regions that do not see all of it.
        if (!parameter.numeric()) continue;
        Interval slider = parameter.slider_range();
        if (steps) slider.high = 40;
        const Size size = sanitized ? Size{171, 97} : Size{331, 197};
        for (double value : {slider.low, slider.low + std::floor(slider.span() / 10), slider.high})
            expect_works(GetParam(), parameter.name(), value_text(parameter, value), size,
                         {size.width / 2 - 15, size.height / 3 - 4, size.width / 2 - 2, size.height / 3 + 9});
    }
}

TEST_P(Contract, ParametersOutsideTheirRangeAreRefusedByName) {
    for (const Parameter& parameter : schema.parameters()) {
        if (!parameter.numeric()) continue;
        Interval range = *parameter.hard_range();
        for (double outside : {range.low - 1, range.high * 2 + 1}) {
            try {
                operation->set_text(parameter, number_text(outside));
                ADD_FAILURE() << parameter.name() << " took " << outside;
            } catch (const Error& error) {
                std::string message = error.what();
                EXPECT_NE(message.find(parameter.name()), std::string::npos) << message;
                EXPECT_NE(message.find(number_text(range.high)), std::string::npos) << message;
            }
        }
        // Nothing at all is a table without entries.
        if (parameter.type() != ParameterType::table) {
            EXPECT_THROW(operation->set_text(parameter, ""), Error) << parameter.name();
        }
        for (const char* nonsense : {"abc", "nan", "inf", "1e999"})
            EXPECT_THROW(operation->set_text(parameter, nonsense), Error)
                << parameter.name() << " took " << nonsense;
    }
}

TEST_P(Contract, ACancelledRunLeavesTheTerrainAsItWas) {
    Terrain input = input_for(*operation, {900, 700});
    for (const NamedDevice& named : all_devices()) {
        Progress progress;
        progress.cancel();
        RunContext context{named.device, &progress, {}};
        EXPECT_THROW(run(*operation, input, context), Cancelled) << named.name;
    }
    // In the middle, from the listener.
    Progress* running = nullptr;
    Progress progress([&](double) { running->cancel(); });
    running = &progress;
    RunContext context{reference_device(), &progress, {}};
    Terrain again = input_for(*operation, {900, 700});
    EXPECT_THROW(run(*operation, input, context), Cancelled);
    expect_same(again, input, "after the cancel");
}

TEST_P(Contract, ProgressRisesToTheEnd) {
    Terrain input = input_for(*operation, {1500, 1100}, Holes::some);
    double last = 0;
    Progress progress([&](double share) {
        EXPECT_GE(share, last);
        last = share;
    });
    RunContext context{reference_device(), &progress, {}};
    run(*operation, input, context);
    EXPECT_GT(last, 0.9);
}

TEST_P(Contract, ADeviceThatFailsIsReplacedByTheCpuWithOneMessage) {
    Terrain input = input_for(*operation, {67, 41});
    Terrain expected = reference_result(*operation, input);
    const size_t faults = launches(*operation, input) ? 1 : 0;
    for (Fault fault : {Fault::out_of_memory, Fault::lost})
        for (int launch : {0, 1, 3}) {
            std::shared_ptr<Device> device = open_opencl_device(0);
            inject_fault(*device, fault, launch);
            std::vector<std::string> messages;
            RunContext context{device, nullptr,
                               [&](const std::string& message) { messages.push_back(message); }};
            Terrain result = run(*operation, input, context);
            expect_same(expected, result, "after a fault");
            EXPECT_LE(messages.size(), 1u);
            if (launch == 0) {
                ASSERT_EQ(messages.size(), faults);
                for (const std::string& message : messages)
                    EXPECT_NE(message.find("CPU"), std::string::npos) << message;
            }
        }
}

TEST_P(Contract, ARecipeRepeatsIt) {
    std::string text = operation_text(*operation);
    std::vector<std::string> told;
    auto tell = [&](const std::string& message) { told.push_back(message); };
    EXPECT_EQ(operation_text(*parse_operation(text, tell)), text);
    EXPECT_TRUE(told.empty()) << told[0];
}

TEST_P(Contract, TheDeclarationIsComplete) {
    EXPECT_FALSE(schema.summary().empty());
    EXPECT_FALSE(operation->fields().outputs.empty() && operation->fields().line_outputs.empty())
        << "an operation makes something";
    auto plain = [](const std::string& word) {
        return std::ranges::all_of(
            word, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
    };
    EXPECT_TRUE(plain(GetParam()));
    std::vector<std::string> names = schema.parameter_names();
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end()) << "two parameters of one name";
    for (const Parameter& parameter : schema.parameters()) {
        EXPECT_TRUE(plain(parameter.name())) << parameter.name();
        EXPECT_FALSE(parameter.help().empty()) << parameter.name();
        EXPECT_NO_THROW(parameter.check(parameter.default_value()))
            << parameter.name() << ": the default is outside the range";
        // What is in a file goes with the operation; a path alone would say nothing of what it makes.
        if (parameter.type() == ParameterType::file) {
            EXPECT_TRUE(std::holds_alternative<InputFile>(parameter.default_value())) << parameter.name();
        }
        if (!parameter.numeric()) continue;
        EXPECT_GE(parameter.slider_range().low, parameter.hard_range()->low) << parameter.name();
        EXPECT_LE(parameter.slider_range().high, parameter.hard_range()->high) << parameter.name();
    }
    // Names the common options of a run have are taken, but for the seed, which means the same.
    for (const char* taken :
         {"size", "cell", "range", "device", "threads", "output", "quiet", "verbose", "timings", "memory"})
        EXPECT_EQ(schema.find(taken), nullptr) << taken << " is an option of every run";
}

INSTANTIATE_TEST_SUITE_P(Every, Contract, testing::ValuesIn(operation_names()), test_name);

}  // namespace
}  // namespace caprock::test

// Kernel files as operations: what their comments declare, missing cells, tiles, reloading, recipes.
#include "operation/kernel_operation.h"

#include "base/text.h"
#include "compute/cpu_device.h"
#include "operation/evaluate.h"
#include "operation/recipe.h"
#include "support/devices.h"
#include "support/folder.h"
#include "support/kernels.h"
#include "support/places.h"
#include "support/terrains.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

using Lines = std::vector<std::string>;

constexpr const char* steps_text = R"(// Cuts the land into steps. More of it.
//
// step: 40 m (1 .. 500) height of one step
KERNEL(steps, INOUT(height), UNIFORM(float, step))
{
    STORE(height, FLOOR(LOAD(height) / step) * step);
}
)";

// The mean of a square, by a text that knows nothing of missing cells.
constexpr const char* mean_text = R"(// Blurs.
// radius: 9 m (0 .. 100) half a side of the square
KERNEL(mean, AROUND(height), OUT(height), UNIFORM(int, reach))
{
    F sum = 0.0f;
    for (int dy = -reach; dy <= reach; dy++)
        for (int dx = -reach; dx <= reach; dx++) sum += NEAR(height, dx, dy);
    STORE(height, sum / TOF((2 * reach + 1) * (2 * reach + 1)));
}
)";

std::unique_ptr<Operation> operation_from(const std::string& text, const Parameters& values = {}) {
    std::unique_ptr<Operation> operation = kernel_operation(text, "folder/a.kernel");
    for (const auto& [name, value] : values) operation->set_text(name, value);
    return operation;
}

Lines problems_of(const std::string& text) {
    return kernel_problems([&] { kernel_operation(text, "a.kernel"); });
}

// Comments before a kernel with these uniforms.
Lines problems_with(const std::string& comments, const std::string& uniforms) {
    return problems_of(comments + "\nKERNEL(a, INOUT(height)" + uniforms + ")\n{ STORE(height, 1.0f); }\n");
}

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

Terrain run_on_cpu(const Operation& operation, const Terrain& terrain) {
    RunContext context = on(make_cpu_device(supported_cpu_levels().back(), 2));
    return run(operation, terrain, context);
}

// ---- declarations ----------------------------------------------------------------------------------------

TEST(KernelOperations, DeclareWhatTheirCommentsSay) {
    std::unique_ptr<Operation> operation = operation_from(R"(/* Steps like
 * rice fields: soft ones. And more words.
 *
 * step_size: 40 m (1 .. 500) height of one step
 * bend: -0.5 (-1 .. 1), how they bend
 * count: 3 steps (1 .. 8)
 * wet: yes, whether they hold water
 * kind: round (sharp | round | flat) shape of an edge
 * seed: 7 which fields
 * grain: 12 (0 .. 4000000) of a uint
 * hardness: optional
 * makes missing cells.
 * Note: this is prose.
 */
KERNEL(rice, INOUT(height), IN(hardness), IN(water), OUT(mask), UNIFORM(float, step_size), UNIFORM(float, bend),
       UNIFORM(int, count), UNIFORM(int, wet), UNIFORM(int, kind), UNIFORM(uint, seed), UNIFORM(uint, grain),
       UNIFORM(float, cell), UNIFORM(float, low), UNIFORM(float, high))
{
    STORE(height, step_size);
}
)");
    EXPECT_EQ(operation->name(), "a.kernel");
    EXPECT_EQ(operation->room(), "custom");
    const Schema& d = operation->schema();
    const FieldUse use = operation->fields();
    EXPECT_EQ(d.summary(), "Steps like rice fields: soft ones");
    EXPECT_EQ(use.inputs, (Lines{"height", "water"}));
    EXPECT_EQ(use.optional_inputs, Lines{"hardness"});
    EXPECT_EQ(use.outputs, (Lines{"height", "mask"}));
    EXPECT_TRUE(use.makes_missing);
    EXPECT_FALSE(use.fills_missing);
    EXPECT_EQ(d.parameter_names(), (Lines{"step-size", "bend", "count", "wet", "kind", "seed", "grain"}));
    const Parameter& step = d.at("step-size");
    EXPECT_EQ(step.type(), ParameterType::number);
    EXPECT_EQ(operation->value_text(step), "40");
    EXPECT_EQ(step.unit(), "m");
    EXPECT_EQ(step.range_text(), "1 to 500");
    EXPECT_EQ(step.help(), "height of one step");
    EXPECT_EQ(d.find("bend")->help(), "how they bend");
    EXPECT_EQ(operation->value_text("bend"), "-0.5");
    EXPECT_EQ(d.find("count")->type(), ParameterType::integer);
    EXPECT_EQ(d.find("count")->unit(), "steps");
    EXPECT_EQ(d.find("wet")->type(), ParameterType::flag);
    EXPECT_EQ(operation->value_text("wet"), "true");
    EXPECT_EQ(d.find("kind")->choices(), (Lines{"sharp", "round", "flat"}));
    EXPECT_EQ(operation->value_text("kind"), "round");
    EXPECT_EQ(d.find("seed")->type(), ParameterType::seed);
    EXPECT_EQ(operation->value_text("seed"), "7");
    EXPECT_EQ(operation->value_text("grain"), "12");
    EXPECT_THROW(operation->set_text("step-size", "501"), Error);
    EXPECT_THROW(operation->set_text("kind", "square"), Error);
    EXPECT_EQ(operation->reach(Grid()).kind(), Reach::Kind::point);
}

TEST(KernelOperations, SayWhichCommentIsWrong) {
    auto wrong = [](const std::string& comment, const std::string& uniform = ", UNIFORM(float, step)") {
        Lines found = problems_with("//\n// " + comment, uniform);
        return found.empty() ? "" : found[0];
    };
    EXPECT_EQ(wrong("step: 40 m (1 .. 500) fine"), "");
    EXPECT_EQ(wrong("nothing of it"),
              "a.kernel:3: no comment says what 'step' is; add a line such as: // step: 40 m (1 .. 500) what "
              "it does");
    for (const char* comment :
         {"step: 40 m", "step: many (1 .. 5)", "step: 40 (1, 500)", "step: 40 (500 .. 1)",
          "step: 0 (1 .. 500)", "step: 40 (1 .. )", "step: 1 (0 .. 1e99)", "step: nan (0 .. 1)",
          "step: 1 (0 .. inf)", "step:", "step: (", "step: )(", "step: yes", "step: a (a | b)"}) {
        std::string found = wrong(comment);
        EXPECT_TRUE(found.starts_with("a.kernel:2: step: ")) << comment << ": " << found;
        EXPECT_TRUE(mentions(found, "step: 40 m (1 .. 500)")) << found;
    }
    for (const char* comment : {"step: 1.5 (0 .. 3)", "step: 1 (0.5 .. 3)", "step: 1 (0 .. 3000000000)",
                                "step: c (a | b)", "step: a (a | a)", "step: a (a | )"})
        EXPECT_TRUE(wrong(comment, ", UNIFORM(int, step)").starts_with("a.kernel:2: step: ")) << comment;
    EXPECT_TRUE(mentions(wrong("step: 1 (-1 .. 3)", ", UNIFORM(uint, step)"), "not negative"));
    EXPECT_TRUE(mentions(wrong("stpe: 40 m (1 .. 500)"),
                         "a.kernel:2: the kernel has no uniform 'stpe'; did you mean"));
    EXPECT_TRUE(mentions(wrong("cell: 1 (0 .. 3)", ", UNIFORM(float, cell)"), "filled in by the program"));
    EXPECT_TRUE(mentions(wrong("x", ", UNIFORM(int, cell)"), "UNIFORM(float, cell)"));
    EXPECT_TRUE(mentions(wrong("step: 4 (1 .. 5)\n// step: 4 (1 .. 5)"), "declared twice, first in line 2"));
    EXPECT_TRUE(mentions(wrong("help: 4 (1 .. 5)", ", UNIFORM(float, help)"), "can be called 'help'"));
    EXPECT_TRUE(mentions(wrong("height: optional", ""), "cannot be optional"));
    EXPECT_TRUE(mentions(wrong("radius: 1 cell", ""), "a radius is for AROUND"));
    EXPECT_TRUE(mentions(problems_of("KERNEL(a, AROUND(height), OUT(height))\n{ }\n").at(0),
                         "a.kernel:1: AROUND needs a comment that says how far"));
    for (const char* radius :
         {"radius: 5 (0 .. 9)", "radius: 5 feet (0 .. 9)", "radius: 5 m (-1 .. 9)", "radius: 5"})
        EXPECT_FALSE(
            problems_of(std::string("// ") + radius + "\nKERNEL(a, AROUND(height), OUT(height))\n{ }\n")
                .empty())
            << radius;
}

// Whatever is made of a text, it is read or refused.
TEST(KernelOperations, SurviveDamagedTexts) {
    std::string texts[3];
    int next = 0;
    for (const char* name : {"terraces", "craters", "crests"})
        texts[next++] = file_text(std::string(test::source_folder) + "/examples/kernels/" + name + ".kernel");
    const char* pieces[] = {
        "(",    ")",        "{",           "}",           ",",     "/*",   "*/",       "//",
        "\\\n", "#",        "#include \"", "KERNEL",      "\"",    "..",   "(1 .. 2)", "|",
        ":",    "radius: ", "HAS(",        "OUT(height)", "9e999", "\r\n", "\xc3",     "-"};
    uint32_t state = 12345;
    auto random = [&](size_t below) {
        state = state * 1664525u + 1013904223u;
        return size_t(state >> 8) % below;
    };
    int read = 0;
    int refused = 0;
    for (int i = 0; i < 4000; i++) {
        std::string text = texts[random(3)];
        for (size_t k = random(3) + 1; k > 0; k--) {
            size_t at = random(text.size());
            switch (random(4)) {
                case 0:
                    text.insert(at, pieces[random(std::size(pieces))]);
                    break;
                case 1:
                    text.erase(at, random(30));
                    break;
                case 2:
                    text.insert(at, text.substr(random(text.size()), random(60)));
                    break;
                default:
                    text[at] = char(random(256));
            }
            if (text.empty()) text = " ";
        }
        try {
            std::unique_ptr<Operation> operation = kernel_operation(text, "a.kernel");
            operation->check_values();
            read++;
        } catch (const KernelError& error) {
            EXPECT_FALSE(error.lines().empty());
            refused++;
        }
    }
    EXPECT_GT(read, 200);
    EXPECT_GT(refused, 200);
}

// ---- running ---------------------------------------------------------------------------------------------

TEST(KernelOperations, DoWhatTheirTextSays) {
    Terrain input = rough_terrain({37, 23});
    Terrain output = run_on_cpu(*operation_from(steps_text, {{"step", "7.5"}}), input);
    for (int y = 0; y < 23; y++)
        for (int x = 0; x < 37; x++)
            ASSERT_EQ(output.height().at(x, y), std::floor(input.height().at(x, y) / 7.5f) * 7.5f);
    EXPECT_TRUE(identical(output.field("hardness"), input.field("hardness")));
}

TEST(KernelOperations, FillInWhatTheProgramKnows) {
    std::unique_ptr<Operation> operation =
        operation_from(R"(// radius: 9 m (0 .. 100) far
// iterations: 3 (0 .. 9) often
// on: no
// kind: b (a | b | c)
// count: 5 (-9 .. 9)
KERNEL(a, AROUND(height), OUT(sum), UNIFORM(float, cell), UNIFORM(float, low), UNIFORM(float, high),
       UNIFORM(int, reach), UNIFORM(float, radius), UNIFORM(int, iteration), UNIFORM(int, on), UNIFORM(int, kind),
       UNIFORM(int, count), UNIFORM(uint, seed))
{
    float all = cell + 10.0f * low + high + 1000.0f * TOF(reach) + 10000.0f * radius + 100000.0f * TOF(iteration);
    float more = TOF(on) + 2.0f * TOF(kind) + 4.0f * TOF(count) + 64.0f * TOF(AS_I(seed));
    STORE(sum, all + more * 0.0078125f);
}
)",
                       {{"on", "true"}, {"kind", "c"}, {"count", "-3"}, {"seed", "9"}});
    Terrain output = run_on_cpu(*operation, rough_terrain({5, 4}));
    // Cells of 4 m, heights of 0 to 300, the third time.
    EXPECT_EQ(output.field("sum").at(2, 2),
              4 + 0 + 300 + 2000 + 90000 + 200000 + (1 + 4 - 12 + 576) * 0.0078125f);
    EXPECT_EQ(operation->reach(output.grid()).kind(), Reach::Kind::steps);
    EXPECT_EQ(*operation->reach(output.grid()).halo(), 6);
}

// A kernel that declares steps is a simulation, whatever their number; another one is not.
TEST(KernelOperations, ThatCountStepsAreSimulations) {
    const Grid grid = rough_terrain({40, 30}).grid();
    EXPECT_FALSE(operation_from(mean_text)->simulation(grid));
    EXPECT_EQ(operation_from(mean_text)->schema().find("stop-after"), nullptr);
    for (const char* steps : {"0", "1", "60"}) {
        std::unique_ptr<Operation> operation = operation_from(creeping_kernel, {{"steps", steps}});
        std::unique_ptr<const Simulation> simulation = operation->simulation(grid);
        ASSERT_TRUE(simulation);
        EXPECT_EQ(simulation->reach(), 2);
        ASSERT_EQ(simulation->stages().size(), 1u);
        EXPECT_EQ(simulation->stages()[0].steps, std::stoi(steps));
        EXPECT_EQ(operation->reach(grid).halo(), 2 * std::stoi(steps));
    }
    std::unique_ptr<Operation> stopped = operation_from(creeping_kernel, {{"stop-after", "5"}});
    EXPECT_EQ(stopped->simulation(grid)->stages()[0].steps, 5);
    EXPECT_EQ(stopped->reach(grid).halo(), 10);
    EXPECT_EQ(operation_from(in_place_kernel)->reach(grid).kind(), Reach::Kind::point);
    EXPECT_EQ(operation_from(anywhere_kernel)->reach(grid).kind(), Reach::Kind::whole);
    EXPECT_TRUE(operation_from(anywhere_kernel)->simulation(grid));

    const Lines taken =
        problems_with("// steps: 3 (0 .. 9)\n// stop_after: 1 (0 .. 9)", ", UNIFORM(int, stop_after)");
    ASSERT_EQ(taken.size(), 1u);
    EXPECT_TRUE(mentions(taken[0], "stop_after")) << taken[0];
    EXPECT_TRUE(problems_with("// stop_after: 1 (0 .. 9)", ", UNIFORM(int, stop_after)").empty());
}

// What is not computed is not made either.
TEST(KernelOperations, WithoutAStepChangeNothing) {
    const Terrain input = rough_terrain({20, 10}, Holes::some);
    const Terrain output = run_on_cpu(*operation_from(in_place_kernel, {{"steps", "0"}}), input);
    EXPECT_EQ(output.names(), input.names());
    EXPECT_TRUE(identical(output.height(), input.height()));
}

TEST(KernelOperations, EveryRadiusIsWholeCells) {
    auto cells = [](const std::string& radius, double cell, const std::string& value = "") {
        std::unique_ptr<Operation> operation = operation_from(
            "// radius: " + radius + "\nKERNEL(a, AROUND(height), OUT(height))\n{ STORE(height, 1.0f); }");
        if (!value.empty()) operation->set_text("radius", value);
        return *operation->reach(Grid{{0, 0, 9, 9}, cell, {0, 1}}).halo();
    };
    EXPECT_EQ(cells("1 cell", 8), 1);
    EXPECT_EQ(cells("3 cells, no more", 8), 3);
    EXPECT_EQ(cells("20 m", 8), 2);
    EXPECT_EQ(cells("0.3 m", 0.1), 3);
    EXPECT_EQ(cells("30 m (0 .. 100000)", 10), 3);
    EXPECT_EQ(cells("30 m (0 .. 100000)", 10, "100000"), 10000);
    EXPECT_EQ(cells("30 m (0 .. 1e9)", 0.001, "1e9"), 65536);
    EXPECT_EQ(cells("30 m (0 .. 100)", 10, "0"), 0);
    EXPECT_EQ(cells("2 cells (0 .. 5)", 10, "5"), 5);
}

TEST(KernelOperations, ATileIsTheCropOfTheWhole) {
    const std::string iterated = std::string("// iterations: 3 (0 .. 9) times\n") + mean_text;
    const std::string placed = R"(// Marks each place.
// seed: 3
KERNEL(placed, INOUT(height), UNIFORM(uint, seed))
{
    STORE(height, LOAD(height) + UNIT(HASH(seed, AS_U(HERE_X), AS_U(HERE_Y))));
}
)";
    const std::string warped = R"(// Shifts the land by its own height.
KERNEL(warped, ANYWHERE(height), OUT(height))
{
    F away = CLAMP(GATHER(height, HERE_X, HERE_X), 0.0f, 30.0f);
    I to = HERE_X + TOI(SEL(IS_MISSING(away), 0.0f, away));
    STORE(height, GATHER(height, to, to - HERE_X));
}
)";
    for (const std::string& text : {std::string(mean_text), iterated, placed, warped})
        for (Holes holes : {Holes::none, Holes::some}) {
            Terrain input = rough_terrain({83, 61}, holes);
            std::unique_ptr<Operation> operation = operation_from(text);
            Terrain whole = run_on_cpu(*operation, input);
            EXPECT_FALSE(identical(whole.height(), input.height()));
            for (const NamedDevice& device : all_devices()) {
                RunContext context = on(device.device);
                EXPECT_TRUE(identical(run(*operation, input, context).height(), whole.height()))
                    << device.name << "\n"
                    << text;
                for (const Rect& tile : {Rect{0, 0, 1, 1}, Rect{17, 20, 49, 33}, Rect{64, 0, 83, 61}}) {
                    Terrain part = evaluate(*operation, input, tile, context);
                    EXPECT_TRUE(identical(part.height(), whole.height().cropped(tile))) << device.name << "\n"
                                                                                        << text;
                }
            }
        }
}

TEST(KernelOperations, AllSizesAndBothEndsOfEveryRange) {
    const std::string text = std::string("// iterations: 2 (0 .. 3) times\n") + mean_text;
    for (Size size : {Size{1, 1}, Size{1, 37}, Size{37, 1}, Size{17, 15}, Size{64, 3}})
        for (Holes holes : {Holes::none, Holes::some, Holes::all})
            for (const char* name : {"radius", "iterations"})
                for (bool high : {false, true}) {
                    std::unique_ptr<Operation> operation = operation_from(text);
                    Interval range = *operation->schema().at(name).hard_range();
                    operation->set_text(name, number_text(high ? range.high : range.low));
                    Terrain input = rough_terrain(size, holes);
                    Terrain output = run_on_cpu(*operation, input);
                    EXPECT_EQ(statistics(output.height()).missing, statistics(input.height()).missing);
                    for (const NamedDevice& device : all_devices()) {
                        RunContext context = on(device.device);
                        EXPECT_TRUE(identical(run(*operation, input, context).height(), output.height()))
                            << device.name;
                    }
                }
}

TEST(KernelOperations, MissingCellsFollowTheRules) {
    // Makes what is known missing in even columns, and gives a value to what is missing.
    const std::string body = R"(KERNEL(a, INOUT(height), OUT(mask))
{
    F old = LOAD(height);
    F value = SEL((HERE_X & 1) == 0, MISSING, SEL(IS_MISSING(old), 5.0f, old + 1.0f));
    STORE(height, value);
    STORE(mask, value);
}
)";
    const std::string apart = R"(KERNEL(a, AROUND(height), OUT(height))
{
    F old = LOAD(height);
    STORE(height, SEL((HERE_X & 1) == 0, MISSING, SEL(IS_MISSING(old), 5.0f, old + 1.0f)));
}
)";
    Terrain input = rough_terrain({40, 30}, Holes::some);
    for (bool fills : {false, true})
        for (bool makes : {false, true})
            for (const std::string& kernel : {body, "// radius: 1 cell\n" + apart}) {
                std::string text = std::string(fills ? "// fills missing\n" : "") +
                                   (makes ? "// makes missing cells.\n" : "") + kernel;
                std::unique_ptr<Operation> operation = operation_from(text);
                EXPECT_EQ(operation->fields().fills_missing, fills);
                EXPECT_EQ(operation->fields().makes_missing, makes);
                for (const NamedDevice& device : all_devices()) {
                    RunContext context = on(device.device);
                    Terrain output = run(*operation, input, context);
                    for (int y = 0; y < 30; y++)
                        for (int x = 0; x < 40; x++) {
                            float before = input.height().at(x, y);
                            float made = x % 2 == 0 ? missing : is_missing(before) ? 5.0f : before + 1.0f;
                            float expected = made;
                            if (is_missing(before) && !fills) expected = before;
                            if (!is_missing(before) && is_missing(made) && !makes) expected = before;
                            float after = output.height().at(x, y);
                            ASSERT_TRUE(after == expected || (is_missing(after) && is_missing(expected)))
                                << device.name << " " << x << " " << y << " " << after << " " << expected;
                            if (!output.has("mask")) continue;
                            float mask = output.field("mask").at(x, y);
                            ASSERT_TRUE(is_missing(made) ? (makes ? is_missing(mask) : mask == 0)
                                                         : mask == made);
                        }
                }
            }
}

TEST(KernelOperations, OptionalFieldsMayBeAbsent) {
    const std::string text = R"(KERNEL(a, INOUT(height), IN(snow))
{
    F more = 1.0f;
    if (HAS(snow)) more = LOAD(snow);
    STORE(height, LOAD(height) + more);
}
)";
    Terrain input = rough_terrain({20, 10});
    EXPECT_EQ(run_on_cpu(*operation_from(text), input).height().at(3, 3), input.height().at(3, 3) + 1);
    input.set("snow", Field(input.rect(), 8));
    EXPECT_EQ(run_on_cpu(*operation_from(text), input).height().at(3, 3), input.height().at(3, 3) + 8);
    // One that is not asked for must be there.
    std::string needed = text;
    needed.replace(needed.find("HAS(snow)"), 9, "true");
    input.remove("snow");
    EXPECT_THROW(run_on_cpu(*operation_from(needed), input), Error);
}

TEST(KernelOperations, GeneratorsNeedNoTerrain) {
    std::unique_ptr<Operation> operation = operation_from(
        "KERNEL(ramp, OUT(height), UNIFORM(float, cell))\n{ STORE(height, TOF(HERE_X) * cell); }\n");
    EXPECT_TRUE(operation->fields().generator());
    Terrain made = run_on_cpu(*operation, Terrain(Grid{{0, 0, 9, 5}, 3, {0, 1}}));
    EXPECT_EQ(made.height().at(8, 4), 24);
}

// ---- recipes ---------------------------------------------------------------------------------------------

TEST(KernelOperations, RecipesKeepTheWholeText) {
    std::unique_ptr<Operation> operation = operation_from(steps_text, {{"step", "12.5"}});
    std::string text = operation_text(*operation);
    std::unique_ptr<Operation> back = parse_operation(text, [](const std::string& m) { FAIL() << m; });
    EXPECT_EQ(operation_text(*back), text);
    EXPECT_EQ(back->name(), "a.kernel");
    EXPECT_EQ(back->text(), steps_text);
    Terrain input = rough_terrain({30, 20});
    EXPECT_TRUE(identical(run_on_cpu(*back, input).height(), run_on_cpu(*operation, input).height()));

    auto refused = [](const std::string& json) {
        try {
            parse_operation(json, {});
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_TRUE(mentions(refused(R"({"operation": "x.kernel"})"), "x.kernel: its \"text\""));
    EXPECT_TRUE(mentions(refused(R"({"operation": "x.kernel", "text": 5})"), "its \"text\""));
    EXPECT_TRUE(mentions(refused(R"({"operation": "x.kernel", "text": "KERNEL"})"), "x.kernel"));
    EXPECT_TRUE(mentions(refused(R"({"operation": "noise", "text": "KERNEL"})"), "no operation 'noise'"));
}

// ---- files -----------------------------------------------------------------------------------------------

class KernelFiles : public testing::Test {
  protected:
    void write(const std::string& text) {
        write_text(path_, text);
        // Two writings within one tick of the file system's clock look alike.
        std::filesystem::last_write_time(
            path_, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(++writings_));
    }
    Folder folder_;
    std::string path_ = folder_ / "my.kernel";
    int writings_ = 0;
};

TEST_F(KernelFiles, AreTakenAgainWhenTheyChange) {
    EXPECT_THROW(KernelFile{path_}, Error);
    write(steps_text);
    KernelFile file(path_, make_cpu_device(CpuLevel::portable));
    EXPECT_EQ(file.operation()->name(), "my.kernel");
    EXPECT_FALSE(file.refresh());
    Terrain input = rough_terrain({9, 9});
    auto height = [&] { return run_on_cpu(*file.operation(), input).height().at(4, 4); };
    float before = height();

    // While it does not compile, the old version stays, and the error says where.
    std::string broken = steps_text;
    broken.replace(broken.rfind("/ step"), 6, "/ stp");
    write(broken);
    EXPECT_FALSE(file.refresh());
    EXPECT_TRUE(mentions(file.error(), path_ + ":6: ")) << file.error();
    EXPECT_EQ(file.program().text, steps_text);
    EXPECT_EQ(height(), before);
    EXPECT_FALSE(file.refresh()) << "the same broken text is not looked at twice";
    EXPECT_FALSE(file.error().empty());

    std::filesystem::remove(path_);
    EXPECT_FALSE(file.refresh());
    EXPECT_TRUE(mentions(file.error(), "there is no such file")) << file.error();
    EXPECT_EQ(height(), before);

    std::unique_ptr<Operation> old = file.operation();
    old->set_text("step", "100");
    std::string shifted = steps_text;
    shifted.replace(shifted.find("* step"), 6, "* step + 1000.0f");
    write(shifted);
    EXPECT_TRUE(file.refresh());
    EXPECT_EQ(file.error(), "");
    EXPECT_EQ(height(), before + 1000);
    // Values go along, where the new version can have them.
    EXPECT_EQ(file.operation_like(*old)->value_text("step"), "100");
    shifted.replace(shifted.find("1 .. 500"), 8, "1 .. 50");
    write(shifted);
    EXPECT_TRUE(file.refresh());
    EXPECT_EQ(file.operation_like(*old)->value_text("step"), "40");
    EXPECT_EQ(run_on_cpu(*old, input).height().at(4, 4), std::floor(input.height().at(4, 4) / 100) * 100)
        << "an operation keeps the version it was made from";
    // Written anew with the same text.
    write(shifted);
    EXPECT_FALSE(file.refresh());
}

TEST_F(KernelFiles, ThatAreNoneAreRefused) {
    write(std::string(2 << 20, 'x'));
    EXPECT_THROW(KernelFile{path_}, Error);
    EXPECT_THROW(KernelFile{"/dev/zero"}, Error);
    EXPECT_THROW(KernelFile{folder_.path()}, Error);
}

}  // namespace
}  // namespace caprock::test

// Kernels that are compiled while the program runs.
#include "compute/user_kernel.h"

#include "compute/cpu_compiler.h"
#include "compute/dialect_texts.h"
#include "support/devices.h"
#include "support/folder.h"
#include "support/kernels.h"
#include "support/planes.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

using Lines = std::vector<std::string>;

const UserKernel& made(const std::string& text, const UserKernelRules& rules = {}) {
    return user_kernel(scan_kernel(text, "a.kernel"), rules);
}

Lines problems_of(const std::string& text) {
    return kernel_problems([&] { made(text); });
}

float rough(int x, int y) { return float((x * 37 + y * 101) % 61) - 20.0f; }

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// ---- reading ---------------------------------------------------------------------------------------------

TEST(KernelScan, ReadsTheDeclarationAndTheCommentsBeforeIt) {
    ScannedKernel kernel = scan_kernel(
        "// First.\r\n/* Second,\r\n * third. */\r\n#include \"mask.h\"\r\nFN F twice(F x) { return x + x; "
        "}\r\n"
        "KERNEL ( steps ,\n  INOUT(height), IN( hardness ),\n  UNIFORM(float, size), UNIFORM(uint, seed) )\n"
        "{ if (HAS(hardness)) STORE(height, LOAD(hardness)); }\n// Behind.\n",
        "a.kernel");
    EXPECT_EQ(kernel.name, "steps");
    EXPECT_EQ(kernel.line, 6);
    ASSERT_EQ(kernel.parameters.size(), 4u);
    EXPECT_EQ(kernel.parameters[0].kind, ParameterKind::inout);
    EXPECT_EQ(kernel.parameters[1].kind, ParameterKind::in);
    EXPECT_TRUE(kernel.parameters[1].asked_for);
    EXPECT_FALSE(kernel.parameters[0].asked_for);
    EXPECT_EQ(kernel.parameters[3].kind, ParameterKind::uniform_uint);
    EXPECT_EQ(kernel.parameters[3].name, "seed");
    EXPECT_EQ(kernel.parameters[3].line, 8);
    ASSERT_EQ(kernel.includes.size(), 1u);
    EXPECT_EQ(kernel.includes[0].name, "mask.h");
    Lines comments;
    for (const ScannedComment& comment : kernel.comments)
        comments.push_back(std::to_string(comment.line) + " " + comment.text);
    EXPECT_EQ(comments, (Lines{"1 First.", "2 Second,", "3 third."}));
}

TEST(KernelScan, RefusesWhatIsNoKernel) {
    EXPECT_TRUE(mentions(problems_of("").at(0), "a.kernel: it is empty"));
    EXPECT_TRUE(mentions(problems_of(" \n\t\n").at(0), "empty"));
    EXPECT_TRUE(mentions(problems_of(std::string("KERNEL\0(", 8)).at(0), "a.kernel:1: a byte 0"));
    EXPECT_TRUE(mentions(problems_of("\x7f"
                                     "ELF\x01")
                             .at(0),
                         "a byte 1"));
    EXPECT_TRUE(mentions(problems_of("// \xff\xfe\n").at(0), "not UTF-8"));
    EXPECT_TRUE(mentions(problems_of(std::string(most_kernel_text + 1, ' ')).at(0), "larger than 1.0 MiB"));
    EXPECT_TRUE(mentions(problems_of("// only words\n").at(0), "there is no kernel in it"));
    EXPECT_TRUE(mentions(problems_of("/* never ends\n").at(0), "a.kernel:1: this comment does not end"));
    // At the limit it is read, however it is made.
    for (const char* part : {"/**/", "{}", "\\\n", "#\n", "a ", "//\n", "1 "}) {
        std::string text;
        while (text.size() + 4 < most_kernel_text) text += part;
        EXPECT_FALSE(problems_of(text).empty()) << part;
    }
}

TEST(KernelScan, SaysInWhichLineADeclarationIsWrong) {
    auto declared = [](const std::string& declaration) {
        return problems_of("\n" + declaration + "\n{ STORE(height, 1.0f); }\n").at(0);
    };
    EXPECT_EQ(declared("KERNEL(a, SIDEWAYS(height))"),
              "a.kernel:2: 'SIDEWAYS' is no kind of parameter; there is IN, OUT, INOUT, AROUND, ANYWHERE and "
              "UNIFORM");
    EXPECT_TRUE(mentions(declared("KERNEL(a, INUOT(height))"), "did you mean 'INOUT'?"));
    for (const char* kind :
         {"TABLE(float, t)", "FOLD_MIN(m)", "FOLD_MAX(m)", "FOLD_SUM(m)", "TALLY(m)", "ALONG(s)", "DOWN(s)",
          "FINER(f)", "COARSER(f)", "IN_STACK(f)", "OUT_STACK(f)", "INOUT_STACK(f)", "AROUND_STACK(f)"})
        EXPECT_TRUE(mentions(declared(std::string("KERNEL(a, INOUT(height),\n ") + kind + ")"),
                             "a.kernel:3: " + std::string(kind).substr(0, 3)))
            << kind;
    EXPECT_TRUE(mentions(declared("KERNEL(a, UNIFORM(double4, x))"), "not a 'double4'"));
    EXPECT_TRUE(mentions(declared("KERNEL(a, UNIFORM(x))"), "a type and a name"));
    EXPECT_TRUE(mentions(declared("KERNEL(a, IN(float, x))"), "it has one name"));
    EXPECT_TRUE(mentions(declared("KERNEL(Big, INOUT(height))"), "lower-case"));
    EXPECT_TRUE(mentions(declared("KERNEL(a)"), "',' is expected"));
    EXPECT_TRUE(mentions(declared("KERNEL(a, INOUT(height),)"), "a parameter is expected"));
    EXPECT_TRUE(mentions(declared("KERNEL(a, IN(height))"), "it writes no field"));
    EXPECT_TRUE(
        mentions(declared("KERNEL(a, OUT(height), OUT(height))"), "two parameters are called 'height'"));
    EXPECT_TRUE(mentions(declared("KERNEL(a, OUT(height), UNIFORM(int, height))"), "two parameters"));
    EXPECT_TRUE(
        mentions(declared("KERNEL(a, INOUT(height), AROUND(height))"), "AROUND(height), OUT(height)"));
    EXPECT_TRUE(mentions(problems_of("KERNEL(a, OUT(f))\n{}\nKERNEL(b, OUT(f))\n{}\n").at(0),
                         "a.kernel:3: a second"));
    EXPECT_TRUE(mentions(problems_of("KERNEL(a, OUT(f))\n{\n  STORE(f, 1.0f);\n").at(0),
                         "a.kernel:2: this { is not closed"));
    EXPECT_TRUE(mentions(problems_of("KERNEL(a, OUT(f))\n{ } }\n").at(0), "a.kernel:2: this } has no {"));
    EXPECT_TRUE(mentions(problems_of("KERNEL(a, OUT(f)\n").at(0), "a.kernel:1: this ( is not closed"));
    EXPECT_TRUE(mentions(problems_of("KERNEL(a, OUT(f))").at(0), "ends before its declaration does"));
}

TEST(KernelScan, RefusesWhatDevicesWouldDifferIn) {
    auto inside = [](const std::string& line) {
        Lines found = problems_of("KERNEL(a, INOUT(height))\n{\n" + line + "\n}\n");
        return found.empty() ? "" : found[0];
    };
    EXPECT_EQ(inside("F a = LOAD(height) * 0.5f + 1e-3f + 0x1p-3f; I b = 0x1e; // 0.5"), "");
    EXPECT_EQ(inside("F a = 0.5 * LOAD(height);"),
              "a.kernel:3: '0.5' is a double, another rounding; write 0.5f");
    for (const char* number : {"1.", ".5", "1e3", "2.5e-3", "0x1p4", "1.0L"})
        EXPECT_TRUE(mentions(inside(std::string("float x = ") + number + ";"), "is a double")) << number;
    for (const char* word : {"double", "asm", "static", "volatile", "__attribute__", "__builtin_expf",
                             "_Pragma", "template", "half", "global", "goto", "reinterpret_cast"})
        EXPECT_TRUE(mentions(inside(word), std::string("a.kernel:3: '") + word + "'")) << word;
    for (const char* line :
         {"#include <math.h>", "#include \"/etc/passwd\"", "#include \"../x.h\"",
          "# include \"dialect/cpu.h\"", "#include MASK", "#  pragma once", "#line 7", "#import \"mask.h\"",
          "#include_next \"mask.h\"", "%:include <math.h>", "\\\n#include <math.h>", "#inc\\\nlude <math.h>",
          "#define LOAD(x) 0.0f", "#undef STORE", "/* */ #include <math.h>", "F a = \"text\";", "F a = 'x';"})
        EXPECT_NE(inside(line), "") << line;
    EXPECT_TRUE(mentions(inside("#include <math.h>"), "\"perlin.h\""));
    EXPECT_EQ(inside("#define OFFSET(x) ((x) + \\\n 1.0f)\n#if 1\nSTORE(height, OFFSET(2.0f));\n#endif"), "");
    EXPECT_EQ(inside("#include \"mask.h\"  // words"), "");
}

TEST(KernelScan, FindsSeveralProblemsAtOnce) {
    EXPECT_EQ(problems_of("#pragma once\nKERNEL(a, OUT(f))\n{\n double x = 1.5;\n}\n").size(), 3u);
    std::string many = "KERNEL(a, OUT(f)) {\n";
    for (int i = 0; i < 1000; i++) many += "double x;\n";
    EXPECT_EQ(problems_of(many + "}").size(), 20u);
}

// ---- compiling -------------------------------------------------------------------------------------------

TEST(UserKernels, AreKnownByTheirText) {
    const std::string text = "KERNEL(a, INOUT(height))\n{ STORE(height, 2.0f); }\n";
    EXPECT_EQ(&made(text), &made(text));
    EXPECT_NE(&made(text), &made(text + " "));
    EXPECT_NE(&made(text), &made(text, {.fills_missing = true, .optional = {}}));
}

TEST(UserKernels, GiveTheSameBitsOnEveryDevice) {
    // Mathematics, integers, a shared header, neighbours at both border rules, and cells of part vectors.
    const UserKernel& kernel = made(R"(#include "perlin.h"
FN F bent(F x) { return SIN(x) + POW(ABS(x) + 0.5f, 1.3f) / 7.0f; }
KERNEL(a, AROUND(height), IN(hardness), OUT(height), OUT(mask), UNIFORM(float, force), UNIFORM(int, shift), UNIFORM(uint, seed))
{
    F sum = NEAR(height, -1, 0) + NEAR(height, 2, -2) - SEL(IS_MISSING(NEAR_KNOWN(height, 0, -1)), 3.0f, 1.0f);
    U hash = perlin_hash(AS_U(HERE_X + shift), perlin_row(HERE_Y, seed));
    STORE(height, bent(sum * force) + UNIT(hash));
    STORE(mask, LOAD(hardness) / 3.0f + EXP(-ABS(LOAD(height))));
}
)");
    Rect rect = {-3, 5, 94, 43};
    Plane height = made_plane(rect, rough);
    Plane hardness = made_plane(rect, [](int x, int y) { return float((x ^ y) & 7) / 7.0f; });
    Plane first_height, first_mask;
    for (const NamedDevice& device : all_devices()) {
        Plane to_height(rect);
        Plane to_mask(rect);
        launch_with(*device.device, kernel.kernel(), rect, 2, height, hardness, to_height, to_mask, 0.7f, 5,
                    77u);
        device.device->finish();
        if (!first_height.buffer) {
            first_height = to_height;
            first_mask = to_mask;
            EXPECT_NE(cell(to_height, 0, 10), cell(to_height, 1, 10));
        }
        EXPECT_EQ(differing_cells(first_height, to_height), 0) << device.name;
        EXPECT_EQ(differing_cells(first_mask, to_mask), 0) << device.name;
    }
}

TEST(UserKernels, LoadNothingBeyondTheirRadius) {
    const UserKernel& kernel = made(R"(KERNEL(a, AROUND(height), OUT(height))
{
    STORE(height, NEAR(height, 1000000, -5) - NEAR_KNOWN(height, -4, 7));
}
)");
    Rect rect = {0, 0, 70, 21};
    Plane height = made_plane(rect, rough);
    for (const NamedDevice& device : all_devices()) {
        Plane result(rect);
        launch_with(*device.device, kernel.kernel(), rect, 2, height, result);
        device.device->finish();
        for (int y = 2; y < 19; y++)
            for (int x = 2; x < 68; x++)
                ASSERT_EQ(cell(result, x, y), rough(x + 2, y - 2) - rough(x - 2, y + 2))
                    << device.name << " " << x << " " << y;
    }
}

TEST(UserKernels, FindAFieldThatIsNotThereMissing) {
    const UserKernel& plain = made(
        "KERNEL(a, IN(rock), AROUND(soil), ANYWHERE(snow), OUT(mask))\n{ I at = HERE_X; STORE(mask, "
        "SEL(IS_MISSING(LOAD(rock)) & IS_MISSING(NEAR(soil, 1, 0)) & IS_MISSING(NEAR_KNOWN(soil, 0, 1)) & "
        "IS_MISSING(GATHER(snow, at, at)), 5.0f, 1.0f)); }\n",
        {.optional = {"rock", "soil", "snow"}});
    Rect rect = {0, 0, 33, 9};
    for (const NamedDevice& device : all_devices()) {
        Plane result(rect);
        launch_with(*device.device, plain.kernel(), rect, 1, nullptr, nullptr, nullptr, result);
        device.device->finish();
        for (int x = 0; x < 33; x++) ASSERT_EQ(cell(result, x, 3), 5.0f) << device.name;
        Plane there = made_plane(rect, rough);
        launch_with(*device.device, plain.kernel(), rect, 1, there, there, there, result);
        device.device->finish();
        for (int x = 0; x < 33; x++) ASSERT_EQ(cell(result, x, 3), 1.0f) << device.name;
    }
}

TEST(UserKernels, LeaveNoCellUnwritten) {
    // Whether it stores is uniform, and here it does not.
    const UserKernel& kernel = made(
        "KERNEL(a, IN(height), OUT(height), OUT(mask), UNIFORM(int, go))\n"
        "{ if (go != 0) { STORE(height, 1.0f); STORE(mask, 1.0f); } }\n");
    Rect rect = {0, 0, 37, 11};
    Plane height = made_plane(rect, rough);
    for (const NamedDevice& device : all_devices()) {
        Plane to_height = made_plane(rect, [](int, int) { return 99.0f; });
        Plane to_mask = made_plane(rect, [](int, int) { return 99.0f; });
        launch_with(*device.device, kernel.kernel(), rect, 0, height, to_height, to_mask, 0);
        device.device->finish();
        EXPECT_EQ(differing_cells(height, to_height), 0) << device.name;
        EXPECT_EQ(cell(to_mask, 36, 10), 0.0f) << device.name;
    }
}

TEST(UserKernels, MayBeCalledLikeAnything) {
    // Names of C++, of OpenCL and of the dialect's own functions.
    Rect rect = {0, 0, 8, 8};
    for (const char* name : {"clamp", "main", "kept_value", "int", "caprock", "printf"}) {
        const UserKernel& kernel =
            made(std::string("KERNEL(") + name + ", INOUT(height))\n{ STORE(height, 4.0f); }\n");
        for (const NamedDevice& device : all_devices()) {
            Plane height = made_plane(rect, rough);
            launch_with(*device.device, kernel.kernel(), rect, 0, height);
            device.device->finish();
            EXPECT_EQ(cell(height, 7, 7), 4.0f) << device.name << " " << name;
        }
    }
}

TEST(UserKernels, ErrorsNameTheUsersLines) {
    // Behind an include, which is put in its place, and in a declaration over several lines.
    const UserKernel& kernel = made(R"(// A comment.
#include "mask.h"
KERNEL(a,
       INOUT(height),
       UNIFORM(float, step))
{
    F fine = LOAD(height);
    STORE(height, fine * stp);
    STORE(height, MIN(fine, unheard));
}
)");
    for (const NamedDevice& device : all_devices()) {
        Lines found = kernel_problems([&] { device.device->prepare(kernel.kernel()); });
        ASSERT_GE(found.size(), 2u) << device.name;
        EXPECT_TRUE(found[0].starts_with("a.kernel:8: ")) << device.name << " " << found[0];
        EXPECT_TRUE(mentions(found[0], "'stp'")) << found[0];
        EXPECT_TRUE(found[1].starts_with("a.kernel:9: ")) << device.name << " " << found[1];
        EXPECT_TRUE(mentions(found[1], "'unheard'")) << found[1];
    }
    const UserKernel& stores = made("KERNEL(a, INOUT(height))\n{\n\n  STORE(hardness, 1.0f); }\n");
    std::shared_ptr<Device> cpu = make_cpu_device(CpuLevel::portable);
    EXPECT_EQ(kernel_problems([&] { cpu->prepare(stores.kernel()); }),
              Lines{"a.kernel:4: STORE: the kernel has no output 'hardness'"});
    const UserKernel& writes_input = made("KERNEL(a, IN(rock), OUT(mask))\n{\n  STORE(rock, 1.0f); }\n");
    EXPECT_EQ(kernel_problems([&] { cpu->prepare(writes_input.kernel()); }),
              Lines{"a.kernel:3: STORE: the kernel has no output 'rock'"});
}

TEST(UserKernels, FileNamesMayHoldAnything) {
    ScannedKernel scanned =
        scan_kernel("KERNEL(a, INOUT(height))\n{ STORE(height, wrong); }\n", "my \"own\"\n%s.kernel");
    const UserKernel& kernel = user_kernel(scanned, {});
    for (const NamedDevice& device : all_devices()) {
        Lines found = kernel_problems([&] { device.device->prepare(kernel.kernel()); });
        ASSERT_FALSE(found.empty()) << device.name;
        EXPECT_TRUE(found[0].starts_with("my \"own\"\n%s.kernel:2: ")) << found[0];
    }
}

TEST(UserKernels, CanBeForbidden) {
    Variable off("CAPROCK_KERNELS", "off");
    EXPECT_THROW(made("KERNEL(a, INOUT(height))\n{ STORE(height, 1.0f); }\n"), Error);
}

// ---- without a compiler ----------------------------------------------------------------------------------

TEST(CpuCompilers, AnOpenClDriverStandsInForOne) {
    bool driver =
        std::ranges::any_of(opencl_descriptions(), [](const DeviceDescription& d) { return !d.gpu; });
    if (!driver) GTEST_SKIP() << "no OpenCL driver for the CPU";
    Variable none("CAPROCK_CXX", "none");
    const UserKernel& kernel =
        made("KERNEL(a, INOUT(height))\n{ STORE(height, LOAD(height) * 3.0f); } // by a driver\n");
    EXPECT_EQ(kernel.code(CpuLevel::portable), nullptr);
    Rect rect = {0, 0, 50, 20};
    Plane height = made_plane(rect, rough);
    std::shared_ptr<Device> cpu = make_cpu_device(CpuLevel::portable);
    launch_with(*cpu, kernel.kernel(), rect, 0, height);
    EXPECT_TRUE(height.buffer->host_current()) << "what a CPU made is in the machine's memory";
    for (int x = 0; x < 50; x++) ASSERT_EQ(cell(height, x, 7), 3.0f * rough(x, 7));
    const UserKernel& wrong =
        made("KERNEL(a, INOUT(height))\n{\n STORE(height, nowhere); } // by a driver\n");
    Lines found = kernel_problems([&] { cpu->prepare(wrong.kernel()); });
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(found[0].starts_with("a.kernel:3: ")) << found[0];
}

TEST(CpuCompilers, AreFoundByNameAndByPath) {
    {
        Variable none("CAPROCK_CXX", "none");
        EXPECT_FALSE(find_cpu_compiler());
    }
    {
        Variable empty("PATH", "");
        EXPECT_FALSE(find_cpu_compiler());
    }
    {
        Variable wrong("CAPROCK_CXX", "/nowhere/g++");
        EXPECT_THROW(find_cpu_compiler(), Error);
    }
    std::optional<CpuCompiler> found = find_cpu_compiler();
    ASSERT_TRUE(found) << "these tests need g++";
    Variable named("CAPROCK_CXX", found->path.c_str());
    Variable empty("PATH", "");
    EXPECT_EQ(find_cpu_compiler()->path, found->path);
}

TEST(CpuCompilers, AreGcc) {
    Folder folder;
    write_text(folder / "clang-99", "#!/bin/sh\n");
    std::filesystem::permissions(folder / "clang-99", std::filesystem::perms::owner_all);
    std::filesystem::create_symlink("clang-99", folder / "c++");
    Variable path("PATH", folder.path().c_str());
    EXPECT_FALSE(find_cpu_compiler()) << "a c++ that is Clang";
    Variable named("CAPROCK_CXX", "c++");
    try {
        find_cpu_compiler();
        ADD_FAILURE() << "Clang was taken";
    } catch (const Error& error) {
        EXPECT_TRUE(mentions(error.what(), "needs GCC")) << error.what();
    }
}

TEST(CpuCompilers, AreStoppedWhenTheyDoNotEnd) {
    Folder folder;
    std::string slow = folder / "slow";
    write_text(slow, "#!/bin/sh\nsleep 100 &\nsleep 100\n");
    std::filesystem::permissions(slow, std::filesystem::perms::owner_all);
    auto began = std::chrono::steady_clock::now();
    CompilerAnswer answer =
        compile_for_cpu({slow}, "int x;", CpuLevel::portable, "x", std::chrono::milliseconds(300));
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
    EXPECT_EQ(answer.symbol, nullptr);
    EXPECT_TRUE(mentions(answer.failure, "did not end within")) << answer.failure;
    // One that fails without a word, and one that makes nothing.
    write_text(slow, "#!/bin/sh\nexit 3\n");
    EXPECT_EQ(compile_for_cpu({slow}, "int x;", CpuLevel::portable, "x").failure, "failed with code 3");
    write_text(slow, "#!/bin/sh\nexit 0\n");
    EXPECT_TRUE(
        mentions(compile_for_cpu({slow}, "int x;", CpuLevel::portable, "x").failure, "cannot be loaded"));
}

TEST(CpuCompilers, EndlessTextsAreStoppedByMemory) {
    // Each macro is the one before it, many times over.
    std::string text = "#define A0 + 1.0f\n";
    for (int i = 1; i < 12; i++) {
        text += "#define A" + std::to_string(i);
        for (int k = 0; k < 10; k++) text += " A" + std::to_string(i - 1);
        text += "\n";
    }
    const UserKernel& kernel =
        made(text + "KERNEL(a, INOUT(height))\n{ STORE(height, LOAD(height) A11); }\n");
    std::shared_ptr<Device> cpu = make_cpu_device(CpuLevel::portable);
    EXPECT_FALSE(kernel_problems([&] { cpu->prepare(kernel.kernel()); }).empty());
}

// ---- what compilers say ----------------------------------------------------------------------------------

TEST(KernelErrors, AreReadInManyDialects) {
    auto first = [](const char* said) {
        std::vector<KernelProblem> problems = problems_in(said, "a.kernel");
        return problems.empty() ? "" : std::to_string(problems[0].line) + " " + problems[0].message;
    };
    EXPECT_EQ(first("a.kernel:7:3: error: no\n"), "7 no");
    EXPECT_EQ(first("error: a.kernel:7:3 <Spelling=a.kernel:7:9>: no"), "7 no");
    EXPECT_EQ(first("/tmp/x/a.kernel:12:1: fatal error: no"), "12 no");
    EXPECT_EQ(first("a.kernel:7:3: warning: careful\n"), "");
    EXPECT_EQ(first("dialect/cpu.h:9:3: error: deep\na.kernel:4:1: note: in expansion of macro 'MIN'\n"),
              "4 deep");
    EXPECT_EQ(first("ld: error: lost\n"), "0 lost");
    EXPECT_EQ(first("a.kernel:9:1: error: b\na.kernel:2:1: error: a\n"), "2 a");
    EXPECT_EQ(first(""), "");
    EXPECT_STREQ(KernelError("a.kernel", {{2, "a"}, {9, "b"}}).what(), "a.kernel:2: a (and 1 more)");
}

TEST(DialectTexts, HoldAllThatKernelsInclude) {
    std::set<std::string> names;
    for (const KernelText& text : dialect_texts()) names.insert(text.name);
    for (const char* name : {"dialect/cpu.h", "dialect/cpu_stacks.h", "dialect/cpu_rows.h",
                             "dialect/cpu_runner.h", "dialect/launch.h", "dialect/mathematics.h",
                             "dialect/opencl.h", "perlin.h", "gradient.h", "mask.h"})
        EXPECT_TRUE(names.contains(name)) << name;
}

}  // namespace
}  // namespace caprock::test

// Chains of operations as they are typed, and the settings of a run.
#include "cli/command_line.h"
#include "compute/cpu_device.h"

using namespace caprock::test;

class Grammar : public CommandLine {};

TEST_F(Grammar, OperationsInAChain) {
    EXPECT_EQ(done("noise --size 64x48 --cell 2 --seed 7 --range 0:800 then normalise -o a.tif"), "");
    nlohmann::json json = info("a.tif");
    EXPECT_EQ(json["size"], (std::vector<int>{64, 48}));
    EXPECT_EQ(json["cell"], 2);
    EXPECT_EQ(json["range"], (std::vector<double>{0, 800}));
    EXPECT_EQ(json["fields"][0]["lowest"], 0);
    EXPECT_EQ(json["fields"][0]["highest"], 800);
}

TEST_F(Grammar, AFileFirst) {
    done("noise --size 40x30 -o a.tif");
    done("a.tif then normalise -o b.tif");
    done("noise --size 40x30 then normalise -o c.tif");
    EXPECT_EQ(fingerprint_of("b.tif"), fingerprint_of("c.tif"));
    // With its own path, and onto itself.
    done("./a.tif then normalise -o ./a.tif");
    EXPECT_EQ(fingerprint_of("a.tif"), fingerprint_of("c.tif"));
    // A file alone says what it is.
    EXPECT_TRUE(contains(done("a.tif"), fingerprint_of("a.tif")));
}

TEST_F(Grammar, ValuesAfterSpaceOrEquals) {
    done("noise --size 40x30 --seed 5 --kind ridged -o a.tif");
    done("noise --size=40x30 --seed=5 --kind=ridged --output=b.tif");
    EXPECT_EQ(fingerprint_of("a.tif"), fingerprint_of("b.tif"));
}

TEST_F(Grammar, SettingsStandAnywhere) {
    done("noise --size 40x30 --cell 3 --range -100:300 then normalise -o a.tif");
    done("noise then normalise -o b.tif --cell 3 --range -100:300 --size 40x30");
    EXPECT_EQ(fingerprint_of("a.tif"), fingerprint_of("b.tif"));
    EXPECT_EQ(info("b.tif")["range"], (std::vector<double>{-100, 300}));
    EXPECT_EQ(info("b.tif")["fields"][0]["lowest"], -100);
}

TEST_F(Grammar, NegativeNumbersAreValues) {
    done("noise --size 8 --range -5.5:-.5 -o a.tif");
    EXPECT_EQ(info("a.tif")["range"], (std::vector<double>{-5.5, -0.5}));
}

TEST_F(Grammar, OneNumberIsASquare) {
    done("noise --size 24 -o a.tif");
    EXPECT_EQ(info("a.tif")["size"], (std::vector<int>{24, 24}));
}

TEST_F(Grammar, SeveralOutputs) {
    done("noise --size 40x30 -o a.tif -o b.png --output c.tiff");
    EXPECT_EQ(folder_.names(), (std::set<std::string>{"a.tif", "b.png", "c.tiff"}));
    EXPECT_EQ(fingerprint_of("a.tif"), fingerprint_of("c.tiff"));
    EXPECT_EQ(info("b.png")["size"], (std::vector<int>{40, 30}));
}

TEST_F(Grammar, SeveralFields) {
    done("noise --size 40x30 then noise --field hardness --seed 3 then noise --field old-mask -o a.tif");
    nlohmann::json fields = info("a.tif")["fields"];
    ASSERT_EQ(fields.size(), 3u);
    EXPECT_EQ(fields[1]["name"], "hardness");
    EXPECT_EQ(fields[2]["name"], "old-mask");
}

TEST_F(Grammar, TheRunsSeedReachesOperationsWithoutTheirOwn) {
    done("noise --size 16 --seed 7 then noise --field hardness --seed 9 -o own.tif");
    // The seed stands at an operation that has none: it is the run's.
    done(
        "noise --size 16 then noise --field hardness --seed 9 then normalise --field hardness --seed 7 -o "
        "a.tif");
    done(
        "noise --size 16 --seed 7 then noise --field hardness --seed 9 then normalise --field hardness -o "
        "b.tif");
    EXPECT_EQ(fingerprint_of("a.tif", 0), fingerprint_of("own.tif", 0));
    EXPECT_EQ(fingerprint_of("a.tif", 1), fingerprint_of("b.tif", 1));
    done("own.tif --seed 7 then noise -o c.tif");
    EXPECT_EQ(info("own.tif")["fields"][0]["fingerprint"], info("c.tif")["fields"][0]["fingerprint"]);
}

TEST_F(Grammar, WithoutOutputTheTerrainIsDescribed) {
    std::string out = done("noise --size 16x8");
    EXPECT_TRUE(contains(out, "16 x 8 cells")) << out;
    EXPECT_TRUE(contains(out, "fingerprint")) << out;
    EXPECT_TRUE(folder_.names().empty());
}

// The promise: one landscape, the same bits however it was computed.
TEST_F(Grammar, SameBitsEverywhere) {
    std::string chain =
        "noise --size 257x129 --octaves 6 then smooth --radius 30 then thermal-erosion --steps 5 then "
        "normalise ";
    done(chain + "--device cpu -o a.tif");
    std::string expected = fingerprint_of("a.tif");
    for (const char* settings :
         {"--device opencl", "--device cpu --threads 1", "--device cpu --threads 2", "--device auto"}) {
        done(chain + settings + " -o b.tif");
        EXPECT_EQ(fingerprint_of("b.tif"), expected) << settings;
    }
    for (caprock::CpuLevel level : caprock::supported_cpu_levels()) {
        const std::string name(caprock::cpu_level_name(level));
        done(chain + "--device cpu -o b.tif", {{"CAPROCK_CPU", name}});
        EXPECT_EQ(fingerprint_of("b.tif"), expected) << name;
    }
}

TEST_F(Grammar, Convert) {
    done("noise --size 40x30 --cell 3 -o a.tif");
    done("convert a.tif b.tif");
    EXPECT_EQ(fingerprint_of("a.tif"), fingerprint_of("b.tif"));
    // Options on every side of the names; flags take no value, the others one.
    done("convert -q a.tif --range 0:1000 c.png --threads 1");
    EXPECT_EQ(info("c.png")["range"], (std::vector<double>{0, 1000}));
    EXPECT_EQ(info("c.png")["cell"], 3);
    done("convert --quiet --cell 5 a.tif d.tif");
    EXPECT_EQ(info("d.tif")["cell"], 5);
    done("convert a.tif -o e.tif");
    EXPECT_EQ(fingerprint_of("a.tif"), fingerprint_of("e.tif"));
}

TEST_F(Grammar, Render) {
    done("noise --size 40x30 -o a.tif");
    EXPECT_EQ(done("render a.tif -o a.png"), "");
    Outcome outcome = caprock("info a.png --json");
    EXPECT_TRUE(contains(outcome.err, "colour picture"));
    EXPECT_EQ(nlohmann::json::parse(outcome.out)["size"], (std::vector<int>{40, 30}));
    EXPECT_EQ(file_text(folder_ / "a.png").substr(0, 4), "\x89PNG");
    done("render a.tif --scheme plain --sun 90,40 --exaggeration 3 --longest-side 10 -o small.png");
    outcome = caprock("info small.png --json");
    EXPECT_EQ(nlohmann::json::parse(outcome.out)["size"][0], 10);
    EXPECT_EQ(folder_.names(), (std::set<std::string>{"a.tif", "a.png", "small.png"}));
}

TEST_F(Grammar, Quiet) {
    done("noise --size 16 then noise --field x -o a.tif");
    EXPECT_TRUE(contains(caprock("convert a.tif a.png").err, "keeps the height only"));
    EXPECT_EQ(caprock("convert a.tif a.png --quiet").err, "");
    EXPECT_EQ(caprock("convert a.tif a.png -q").err, "");
}

TEST_F(Grammar, NoSwitchesFlagsOff) {
    done("noise --size 16 then noise --field x -o a.tif");
    // For a command, for a setting of the run, wherever it stands in the chain.
    EXPECT_TRUE(done("info --json --no-json a.tif").starts_with("a.tif"));
    EXPECT_TRUE(contains(caprock("convert a.tif a.png --quiet --no-quiet").err, "keeps the height only"));
    EXPECT_EQ(done("noise --size 16 --timings then normalise --no-timings -o b.tif"), "");
}

TEST_F(Grammar, Verbose) {
    Outcome outcome = caprock("noise --size 16 --octaves 3 --device cpu -o a.tif --verbose");
    EXPECT_EQ(outcome.code, 0);
    for (const char* part : {"device cpu", "noise", "\"octaves\":3", "wrote a.tif"})
        EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
}

TEST_F(Grammar, Timings) {
    Outcome outcome = caprock("noise --size 64 --device cpu then normalise -o a.tif --timings");
    EXPECT_EQ(outcome.code, 0);
    std::vector<std::string> lines = lines_of(outcome.err);
    ASSERT_EQ(lines.size(), 2u) << outcome.err;
    EXPECT_TRUE(lines[0].starts_with("noise "));
    EXPECT_TRUE(lines[1].starts_with("normalise "));
    for (const std::string& line : lines)
        for (const char* part : {" ms ", " cells/s", "cpu"}) EXPECT_TRUE(contains(line, part)) << line;
}

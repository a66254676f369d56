// Material indices to hardness: by tables, by minerals, by files, and evenly (Table mountains §2.3, Fig. 16 to 18).
#include "base/error.h"
#include "support/devices.h"
#include "support/folder.h"
#include "support/operations.h"
#include "support/refusals.h"
#include "support/terrains.h"

#include <cmath>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <limits>

namespace caprock::test {
namespace {

// A row of cells of these materials.
Terrain row_of(const std::vector<float>& materials) {
    Terrain terrain({Rect::of({int(materials.size()), 1}), 1, {0, 1}});
    terrain.set("material", made_field(terrain.rect(), [&](int x, int) { return materials[size_t(x)]; }));
    return terrain;
}

struct Outcome {
    std::vector<float> hardness;
    std::vector<std::string> warnings;
};

Outcome outcome_of(const std::vector<float>& materials, const Parameters& parameters) {
    Outcome outcome;
    RunContext context = on_cpu();
    context.tell = [&](const std::string& message) { outcome.warnings.push_back(message); };
    Terrain output = run(*made_operation("hardness", parameters), row_of(materials), context);
    for (int x = 0; x < int(materials.size()); x++)
        outcome.hardness.push_back(output.field("hardness").at(x, 0));
    return outcome;
}

// Where nothing is to be warned of.
std::vector<float> hardness_of(const std::vector<float>& materials, const Parameters& parameters) {
    Outcome outcome = outcome_of(materials, parameters);
    EXPECT_TRUE(outcome.warnings.empty()) << outcome.warnings[0];
    return outcome.hardness;
}

std::string hardness_refusal(const std::vector<float>& materials, const Parameters& parameters) {
    return refusal([&] { outcome_of(materials, parameters); });
}

using Row = std::vector<float>;
const Row five = {0, 1, 2, 3, 4};

TEST(Hardness, RisesEvenlyWithTheIndex) {
    EXPECT_EQ(hardness_of(five, {}), (Row{0, 0.25f, 0.5f, 0.75f, 1}));
    EXPECT_EQ(hardness_of({3, 1, 3}, {}), (Row{1, 1.0f / 3, 1}));
    // As many as are said to be, even where they do not all come to the surface.
    EXPECT_EQ(hardness_of({0, 1, 2}, {{"count", "5"}}), (Row{0, 0.25f, 0.5f}));
    EXPECT_EQ(hardness_of(five, {{"count", "5"}}), hardness_of(five, {}));
}

TEST(Hardness, EqualsIndexOverLastForManyMaterials) {
    for (int count : {2, 3, 10, 1000, 65536}) {
        Row materials;
        for (int i = 0; i < 1000; i++) materials.push_back(float(int64_t(i) * (count - 1) / 999));
        for (const Parameters& parameters : {Parameters{}, Parameters{{"count", std::to_string(count)}}}) {
            Row hardness = hardness_of(materials, parameters);
            for (size_t i = 0; i < materials.size(); i++)
                ASSERT_EQ(hardness[i], float(double(materials[i]) / (count - 1)));
        }
    }
}

TEST(Hardness, OneMaterialAloneHasNone) {
    EXPECT_EQ(hardness_of({0, 0}, {}), (Row{0, 0}));
    EXPECT_EQ(hardness_of({0, 0}, {{"count", "1"}}), (Row{0, 0}));
    EXPECT_EQ(hardness_of({3, 3}, {{"normalise", "true"}}), (Row{0, 0}));
    for (const char* merged : {"1", "3"})
        EXPECT_EQ(hardness_of({0, 0}, {{"merge-top", merged}}), (Row{0, 0}));
}

TEST(Hardness, NormaliseStretchesWhatIsThere) {
    EXPECT_EQ(hardness_of({2, 3, 6, 4}, {{"normalise", "true"}}), (Row{0, 0.25f, 1, 0.5f}));
    EXPECT_EQ(hardness_of({2, 3, 6, 4}, {}), (Row{2.0f / 6, 0.5f, 1, 4.0f / 6}));
}

TEST(Hardness, TheTableIsByIndex) {
    EXPECT_EQ(hardness_of({2, 0, 1, 1}, {{"table", "0.75,0.95,1"}}), (Row{1, 0.75f, 0.95f, 0.95f}));
    // Entries that no cell asks for do no harm.
    EXPECT_EQ(hardness_of({1}, {{"table", "0.75,0.95,1"}}), (Row{0.95f}));
    EXPECT_EQ(hardness_of({1, 0}, {{"table", "0.5,0.5"}, {"count", "2"}}), (Row{0.5f, 0.5f}));
    EXPECT_EQ(hardness_of({0}, {{"table", "0.5"}}), (Row{0.5f}));
}

TEST(Hardness, TheTableOnAnyDevice) {
    Size size{131, 57};
    Row values;
    for (int i = 0; i < 100; i++) values.push_back(float(i) / 128);
    std::string table = fmt::format("{}", fmt::join(values, ","));
    Terrain input({Rect::of(size), 1, {0, 1}});
    input.set("material", made_field(input.rect(), [](int x, int y) {
                  return is_hole(x, y, Holes::some) ? missing : std::floor(100 * scattered(x, y, 3));
              }));
    for (const NamedDevice& named : all_devices()) {
        RunContext context = on(named.device);
        Terrain output = run(*made_operation("hardness", {{"table", table}}), input, context);
        EXPECT_EQ(context.device, named.device) << "fell back to the CPU";
        for (int y = 0; y < size.height; y++)
            for (int x = 0; x < size.width; x++) {
                float index = input.field("material").at(x, y);
                float hardness = output.field("hardness").at(x, y);
                if (is_missing(index)) {
                    ASSERT_TRUE(is_missing(hardness)) << named.name;
                } else {
                    ASSERT_EQ(hardness, values[size_t(index)]) << named.name;
                }
            }
    }
}

TEST(Hardness, Minerals) {
    EXPECT_EQ(hardness_of({0, 1, 2}, {{"minerals", "talc,quartz,diamond"}}),
              (Row{float(1 / 1500.0), float(100 / 1500.0), 1}));
    EXPECT_EQ(hardness_refusal({0}, {{"minerals", "talc,quarz"}}),
              "hardness: no mineral 'quarz'; did you mean 'quartz'?");
}

TEST(Hardness, AFile) {
    Folder folder;
    std::string path = folder / "rocks.json";
    write_text(path, R"([{"name": "sandstone", "hardness": 0.75}, 0.95, "diamond"])");
    EXPECT_EQ(hardness_of({2, 1, 0}, {{"table-file", path}}), (Row{1, 0.95f, 0.75f}));
    write_text(path, "[0.75, 1.5]");
    EXPECT_EQ(
        hardness_refusal({0}, {{"table-file", path}}),
        "hardness: '" + path + "': material 1: 1.5: must be a number from 0 to 1, or the name of a mineral");
}

TEST(Hardness, OnlyOneThingDecides) {
    Folder folder;
    std::string rocks = folder / "rocks.json";
    write_text(rocks, "[1]");
    EXPECT_EQ(hardness_refusal({0}, {{"table", "1"}, {"minerals", "talc"}}),
              "hardness: table and minerals each say how hard materials are; give one of them");
    EXPECT_EQ(
        hardness_refusal(
            {0}, {{"table", "1"}, {"minerals", "talc"}, {"table-file", rocks}, {"normalise", "true"}}),
        "hardness: table, minerals, table-file and normalise each say how hard materials are; give one of "
        "them");
    EXPECT_EQ(hardness_refusal({0}, {{"normalise", "true"}, {"count", "3"}}),
              "hardness: normalise and count each say how hard materials are; give one of them");
    EXPECT_EQ(hardness_refusal({0}, {{"table", "0,0.5,1"}, {"count", "5"}}),
              "hardness: count is 5, but the table has 3 values");
    EXPECT_EQ(hardness_refusal({0}, {{"minerals", "talc"}, {"count", "5"}}),
              "hardness: count is 5, but the table has 1 value");
}

TEST(Hardness, EveryMaterialMustHaveOne) {
    EXPECT_EQ(hardness_refusal(five, {{"table", "0.75,0.95,1"}}),
              "hardness: material 4 has no hardness: the table has 3 values (0 to 2)");
    EXPECT_EQ(hardness_refusal({1}, {{"minerals", "quartz"}}),
              "hardness: material 1 has no hardness: the table has 1 value (0 to 0)");
    EXPECT_EQ(hardness_refusal({missing, 2.5f}, {{"table", "0.75,0.95,1"}}),
              "hardness: material 3 has no hardness: the table has 3 values (0 to 2)");
    EXPECT_EQ(hardness_refusal(five, {{"count", "3"}}),
              "hardness: material 4 has no hardness: count is 3 (0 to 2)");
    constexpr float infinite = std::numeric_limits<float>::infinity();
    for (const Parameters& parameters : {Parameters{}, Parameters{{"normalise", "true"}}}) {
        EXPECT_EQ(hardness_refusal({65536}, parameters),
                  "hardness: material 65536 has no hardness: there may be 65536 (0 to 65535)");
        EXPECT_EQ(hardness_refusal({infinite}, parameters),
                  "hardness: material inf has no hardness: there may be 65536 (0 to 65535)");
    }
    EXPECT_EQ(hardness_refusal({infinite}, {{"table", "1"}}),
              "hardness: material inf has no hardness: the table has 1 value (0 to 0)");
}

TEST(Hardness, IndicesAreRoundedAndNoneIsBelowZero) {
    constexpr float infinite = std::numeric_limits<float>::infinity();
    Row materials = {-infinite, -7, -0.2f, 0.4f, 0.5f, 1.4f, 1.5f, 2.4f};
    EXPECT_EQ(hardness_of(materials, {{"table", "0.1,0.5,0.7"}}),
              (Row{0.1f, 0.1f, 0.1f, 0.1f, 0.5f, 0.5f, 0.7f, 0.7f}));
    EXPECT_EQ(hardness_of(materials, {}), (Row{0, 0, 0, 0, 0.5f, 0.5f, 1, 1}));
    EXPECT_EQ(hardness_of(materials, {{"normalise", "true"}}), (Row{0, 0, 0, 0, 0.5f, 0.5f, 1, 1}));
    EXPECT_EQ(hardness_of({0.6f, 1.7f, 3}, {{"normalise", "true"}}), (Row{0, 0.5f, 1}));
}

TEST(Hardness, AMissingMaterialHasNone) {
    for (const Parameters& parameters :
         {Parameters{}, Parameters{{"normalise", "true"}}, Parameters{{"table", "0,0.5,1"}},
          Parameters{{"count", "3"}}, Parameters{{"merge-top", "2"}}}) {
        Row hardness = hardness_of({missing, 2, missing, 0}, parameters);
        EXPECT_TRUE(is_missing(hardness[0]));
        EXPECT_EQ(hardness[1], 1);
        EXPECT_TRUE(is_missing(hardness[2]));
        EXPECT_EQ(hardness[3], 0);
        EXPECT_TRUE(is_missing(hardness_of({missing}, parameters)[0]));
    }
}

// Fig. 17: several materials from the top become one durable core.
TEST(Hardness, MergeTopMakesTheTopmostOne) {
    Row nine = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    std::string table = "0,0.125,0.25,0.375,0.5,0.625,0.75,0.875,1";
    for (int merged : {0, 1, 2, 4, 6, 9, 65536})
        for (Parameters parameters : {Parameters{}, Parameters{{"count", "9"}},
                                      Parameters{{"normalise", "true"}}, Parameters{{"table", table}}}) {
            parameters.emplace_back("merge-top", std::to_string(merged));
            Row hardness = hardness_of(nine, parameters);
            for (int i = 0; i < 9; i++)
                ASSERT_EQ(hardness[size_t(i)], i >= 9 - merged ? 1 : float(i) / 8) << merged;
        }
    // The topmost of the table, which need not be 1, nor the hardest.
    EXPECT_EQ(hardness_of({0, 1, 2}, {{"table", "0.1,0.2,0.3"}, {"merge-top", "2"}}),
              (Row{0.1f, 0.3f, 0.3f}));
    EXPECT_EQ(hardness_of({0, 1, 2}, {{"table", "0.1,0.9,0.3"}, {"merge-top", "2"}}),
              (Row{0.1f, 0.3f, 0.3f}));
    EXPECT_EQ(hardness_of({4, 5, 6, 8}, {{"normalise", "true"}, {"merge-top", "3"}}), (Row{0, 0.25f, 1, 1}));
}

// Fig. 18: a table that rises is as it should be; one that falls makes calderas.
TEST(Hardness, WarnsOfHarderRockUnderSofter) {
    for (const char* rising : {"0,0.25,0.5,0.75,1", "0,0.25,0.25,0.25,1", "0.1,0.2,0.3,0.9,1", "0.5"})
        EXPECT_TRUE(outcome_of({0}, {{"table", rising}}).warnings.empty()) << rising;
    EXPECT_EQ(outcome_of(five, {{"table", "0,0.25,1,0.5,0.9"}}).warnings,
              (std::vector<std::string>{"hardness falls from 1 (material 2) to 0.5 (material 3): harder rock "
                                        "under softer erodes to calderas"}));
    // Once, however often it falls.
    EXPECT_EQ(outcome_of(five, {{"table", "1,0.5,1,0.5,0.25"}}).warnings,
              (std::vector<std::string>{"hardness falls from 1 (material 0) to 0.5 (material 1): harder rock "
                                        "under softer erodes to calderas"}));
    EXPECT_EQ(outcome_of({0}, {{"minerals", "quartz,apatite"}}).warnings,
              (std::vector<std::string>{
                  "hardness falls from 0.0666667 (material 0) to 0.032 (material 1): harder rock "
                  "under softer erodes to calderas"}));
    // Merged, there is nothing softer on top; or there is now.
    EXPECT_TRUE(outcome_of(five, {{"table", "0,0.25,0.9,0.5,1"}, {"merge-top", "3"}}).warnings.empty());
    EXPECT_EQ(outcome_of(five, {{"table", "0,0.25,0.5,0.6,0.3"}, {"merge-top", "3"}}).warnings.size(), 0u);
    EXPECT_EQ(
        outcome_of(five, {{"table", "0,0.4,0.5,0.6,0.3"}, {"merge-top", "3"}}).warnings,
        (std::vector<std::string>{"hardness falls from 0.4 (material 1) to 0.3 (material 2): harder rock "
                                  "under softer erodes to calderas"}));
}

TEST(Hardness, AllOfALayerDecidesOnlyWhereNothingElseDoes) {
    auto kind = [](const Parameters& parameters) {
        return made_operation("hardness", parameters)->reach(Grid()).kind();
    };
    Folder folder;
    std::string rocks = folder / "rocks.json";
    write_text(rocks, "[1]");
    EXPECT_EQ(kind({}), Reach::Kind::fold);
    EXPECT_EQ(kind({{"normalise", "true"}}), Reach::Kind::fold);
    for (const Parameters& parameters : {Parameters{{"count", "5"}}, Parameters{{"table", "0,1"}},
                                         Parameters{{"minerals", "talc"}}, Parameters{{"table-file", rocks}}})
        EXPECT_EQ(kind(parameters), Reach::Kind::point);
}

TEST(Hardness, ATileEqualsTheCropOfTheWhole) {
    Terrain input({Rect::of({67, 41}), 1, {0, 1}});
    input.set("material",
              made_field(input.rect(), [](int x, int y) { return std::floor(5 * scattered(x, y, 3)); }));
    RunContext context = on_cpu();
    for (const Parameters& parameters :
         {Parameters{}, Parameters{{"normalise", "true"}}, Parameters{{"table", "0,0.1,0.3,0.9,1"}},
          Parameters{{"count", "7"}}, Parameters{{"minerals", "talc,gypsum,quartz,topaz,diamond"}},
          Parameters{{"merge-top", "2"}}, Parameters{{"normalise", "true"}, {"merge-top", "2"}}}) {
        std::unique_ptr<Operation> operation = made_operation("hardness", parameters);
        Terrain whole = run(*operation, input, context);
        for (int x = 0; x < 67; x += 5) {
            Rect region{x, 3, std::min(x + 5, 67), 7};
            Terrain part = evaluate(*operation, input, region, context);
            ASSERT_TRUE(identical(part.field("hardness"), whole.field("hardness").cropped(region)));
        }
    }
}

TEST(Hardness, NeedsToKnowTheMaterials) {
    Terrain input = rough_terrain({9, 7});
    try {
        RunContext context = on_cpu();
        run(*made_operation("hardness", {}), input, context);
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "hardness: needs the field 'material'; the terrain has height and hardness");
    }
}

}  // namespace
}  // namespace caprock::test

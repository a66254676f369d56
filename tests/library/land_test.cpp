// Land: regions of it, memory that belongs to somebody else, who is told and who can stop it.
#include "support/lent_memory.h"

#include <caprock/caprock.h>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <stop_token>
#include <thread>
#include <vector>

namespace caprock::test {
namespace {

// Hills with a hole in them.
float hilly(int x, int y) {
    if (x > 40 && x < 50 && y > 30 && y < 37) return missing;
    return 300 + 80 * std::sin(float(x) * 0.11f) + 60 * std::cos(float(y) * 0.07f + float(x) * 0.02f);
}

void expect_same_cells(const Field& part, const Field& whole) {
    ASSERT_FALSE(part.empty());
    for (int y = part.rect().top; y < part.rect().bottom; y++)
        for (int x = part.rect().left; x < part.rect().right; x++) {
            const float here = part.at(x, y);
            const float there = whole.at(x, y);
            ASSERT_TRUE(std::memcmp(&here, &there, sizeof here) == 0 ||
                        (is_missing(here) && is_missing(there)))
                << x << ", " << y;
        }
}

TEST(Land, ARegionHasTheBitsOfTheWhole) {
    const std::vector<Chain> chains = {
        noise({.kind = NoiseKind::ridged}) | smooth({.radius = 50_m}),
        noise() | thermal_erosion({.steps = 9}) | mask_slope(),
        noise() | normalise() | sharpen(),
    };
    for (const Chain& chain : chains) {
        const Land land = chain.on({300, 280, 8});
        const Terrain whole = land.terrain();
        for (const Rect& part :
             {Rect::at(0, 0, 1, 1), Rect::at(130, 250, 170, 30), Rect::at(250, 100, 20, 100)}) {
            const Terrain region = land.region(part);
            EXPECT_EQ(region.rect(), part);
            EXPECT_EQ(region.names(), whole.names());
            for (const std::string& name : whole.names())
                expect_same_cells(region.field(name), whole.field(name));
        }
    }
    EXPECT_THROW(chains[0].on({300, 280}).region(Rect::at(290, 0, 20, 20)), Error);
    EXPECT_THROW(chains[0].on({300, 280}).region({}), Error);
}

TEST(Land, StandsOnARegionWhereThatLies) {
    const Land land = (noise({.seed = 2}) | smooth({.radius = 30_m})).on({200, 200});
    const Rect part = Rect::at(60, 70, 80, 90);
    // Noise depends on where it is: a part that stands alone is not moved.
    const Chain more = noise({.field = "hardness"}) | mask_height({.between = {300, 600}});
    const Terrain alone = (land.region(part) | more).terrain();
    const Terrain whole = (land | more).terrain();
    EXPECT_EQ(alone.rect(), part);
    for (const std::string& name : whole.names()) expect_same_cells(alone.field(name), whole.field(name));
}

TEST(Land, IsLeftAsItIsByWhoeverAddsToIt) {
    const Chain chain = noise();
    const Land land = chain.on({32, 32});
    const Land longer = land | smooth();
    EXPECT_EQ(chain.names(), std::vector<std::string>{"noise"});
    EXPECT_EQ((chain | smooth()).names(), (std::vector<std::string>{"noise", "smooth"}));
    EXPECT_NE(land.terrain().height().fingerprint(), longer.terrain().height().fingerprint());
    EXPECT_EQ(land.terrain().height().fingerprint(), land.terrain().height().fingerprint());
    EXPECT_THROW((land.terrain() | smooth()).on({16, 16}), Error);
}

TEST(LentFields, AreReadWhereTheyLie) {
    const int width = 101;
    const int height = 67;
    for (int stride : {width, 128}) {
        LentMemory memory(width, height, stride, hilly);
        const Field field = Field::over(memory.cells(), width, height, stride);
        for (int y = 0; y < height; y++)
            EXPECT_EQ(field.row(y).data(), memory.cells() + y * stride) << "a copy";
        EXPECT_EQ(field.row(3).size(), size_t(width));
        EXPECT_EQ(field.statistics().missing, 9 * 6);
        Terrain terrain({width, height, 10});
        terrain.set("height", field);
        EXPECT_EQ(terrain.height().row(0).data(), memory.cells()) << "a copy";
        EXPECT_EQ(terrain.height().cropped(Rect::at(5, 6, 7, 8)).row(6).data(),
                  memory.cells() + 6 * stride + 5);

        const Terrain masked = (terrain | mask_height()).terrain({.device = "cpu"});
        EXPECT_EQ(masked.height().row(0).data(), memory.cells()) << "copied on the way through a chain";

        // The same cells in memory of the library's own.
        std::vector<float> cells(size_t(width) * height);
        field.copy_to(cells.data());
        Terrain own({width, height, 10});
        own.set("height", Field::of(cells, width, height));
        EXPECT_EQ(own.height().fingerprint(), field.fingerprint());
        const Chain chain = thermal_erosion({.steps = 5}) | fill_holes() | smooth({.radius = 25_m});
        const Land lent = terrain | chain;
        EXPECT_EQ(lent.terrain().height().fingerprint(), (own | chain).terrain().height().fingerprint());
        expect_same_cells(lent.region(Rect::at(20, 20, 40, 30)).height(), lent.terrain().height());
        for (const Device& device : devices())
            EXPECT_EQ(lent.terrain({.device = device.name}).height().fingerprint(),
                      lent.terrain({.device = "cpu", .threads = 1}).height().fingerprint())
                << device.name;
    }
}

TEST(LentFields, AreKeptByTheirOwner) {
    auto owner = std::make_shared<std::vector<float>>(12, 7.0f);
    std::weak_ptr<std::vector<float>> watched = owner;
    Field field = Field::over(owner->data(), 4, 3, 0, owner);
    owner.reset();
    ASSERT_FALSE(watched.expired());
    EXPECT_EQ(field.at(3, 2), 7.0f);
    field = Field();
    EXPECT_TRUE(watched.expired());
}

TEST(LentFields, HaveSizesThatCanBe) {
    float cells[12] = {};
    EXPECT_THROW(Field::over(cells, 0, 3), Error);
    EXPECT_THROW(Field::over(cells, 4, 3, 3), Error);
    EXPECT_THROW(Field::over(nullptr, 4, 3), Error);
    EXPECT_THROW(Field::of(cells, 5, 3), Error);
    const Field field = Field::over(cells, 4, 3);
    EXPECT_THROW(field.row(3), std::out_of_range);
    EXPECT_THROW(field.at(4, 0), std::out_of_range);
    EXPECT_THROW(field.cropped(Rect::at(2, 2, 3, 1)), Error);
    Terrain terrain({5, 3});
    EXPECT_THROW(terrain.set("height", field), Error);
    EXPECT_THROW(terrain.field("rock"), Error);
}

TEST(Terrains, AreValues) {
    const Terrain terrain = noise().on({16, 16}).terrain();
    Terrain copy = terrain;
    copy.remove("height");
    copy.set_georeference({"", {100, 8, 0, 200, 0, -8}});
    EXPECT_TRUE(terrain.has("height"));
    EXPECT_FALSE(copy.has("height"));
    EXPECT_FALSE(terrain.georeference());
    ASSERT_TRUE(copy.georeference());
    EXPECT_EQ(copy.georeference()->transform[3], 200);
}

// ---- who is told, and who stops it -----------------------------------------------------------------------

TEST(Runs, TellHowFarTheyAre) {
    const Land land = (noise() | thermal_erosion({.steps = 30}) | smooth({.radius = 90_m})).on({256, 256});
    std::map<int, std::string> steps;
    std::map<int, double> shares;
    land.terrain({.progress = [&](const Progress& progress) {
        EXPECT_EQ(progress.steps, 3);
        EXPECT_GE(progress.share, shares[progress.step]);
        shares[progress.step] = progress.share;
        steps[progress.step] = progress.doing;
        return true;
    }});
    EXPECT_EQ(steps, (std::map<int, std::string>{{1, "noise"}, {2, "thermal-erosion"}, {3, "smooth"}}));
    for (const auto& [step, share] : shares) EXPECT_GT(share, 0.9) << step;
}

TEST(Runs, StopWhenTheyAreAskedTo) {
    const Land land = (noise() | thermal_erosion({.steps = 100000})).on({256, 256});
    const std::string before = land.on({8, 8}).region({0, 0, 1, 1}).height().fingerprint();
    EXPECT_THROW(land.terrain({.progress = [](const Progress& progress) { return progress.step < 2; }}),
                 Cancelled);
    EXPECT_THROW(
        land.region(Rect::at(0, 0, 9, 9), {.progress = [](const Progress& p) { return p.share < 0.01; }}),
        Cancelled);
    std::stop_source stop;
    EXPECT_THROW(land.terrain({.progress =
                                   [&](const Progress& progress) {
                                       if (progress.step == 2) stop.request_stop();
                                       return true;
                                   },
                               .stop = stop.get_token()}),
                 Cancelled);
    EXPECT_THROW(land.terrain({.stop = stop.get_token()}), Cancelled) << "it was stopped before it began";
    EXPECT_EQ(land.on({8, 8}).region({0, 0, 1, 1}).height().fingerprint(), before);
}

TEST(Runs, GiveOnWhatAListenerThrows) {
    struct Enough {};
    const Land land = (noise() | thermal_erosion({.steps = 1000})).on({256, 256});
    EXPECT_THROW(land.terrain({.progress = [](const Progress& progress) -> bool {
        if (progress.share > 0) throw Enough();
        return true;
    }}),
                 Enough);
}

TEST(Runs, HaveTheSameBitsOnEveryDevice) {
    const Land land = (noise({.kind = NoiseKind::billow}) | thermal_erosion({.steps = 4})).on({97, 61});
    const std::string expected = land.terrain().height().fingerprint();
    EXPECT_EQ(land.terrain({.device = "cpu", .threads = 1}).height().fingerprint(), expected);
    for (const Device& device : devices())
        EXPECT_EQ(land.terrain({.device = device.name}).height().fingerprint(), expected) << device.name;
    EXPECT_THROW(land.terrain({.threads = -1}), Error);
}

TEST(Runs, MayGoOnSideBySide) {
    const Land land = (noise({.seed = 6}) | thermal_erosion({.steps = 12}) | normalise()).on({150, 130});
    const std::string expected = land.terrain().height().fingerprint();
    const Rect part = Rect::at(40, 50, 60, 70);
    const std::string expected_part = land.terrain().height().cropped(part).fingerprint();
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back([&, i] {
            if (i % 2 == 0) {
                EXPECT_EQ(land.terrain().height().fingerprint(), expected);
            } else {
                EXPECT_EQ(land.region(part).height().fingerprint(), expected_part);
            }
        });
}

TEST(Runs, TellWhatIsToBeNoted) {
    std::vector<std::string> notes;
    recipe(R"({"caprock": 1, "grid": {"size": [8, 8], "cell": 1, "range": [0, 1]},
               "operations": [{"operation": "noise", "version": 1, "parameters": {"colour": 3}}]})",
           [&](const std::string& note) { notes.push_back(note); });
    ASSERT_FALSE(notes.empty());
    EXPECT_NE(notes[0].find("colour"), std::string::npos) << notes[0];
}

}  // namespace
}  // namespace caprock::test

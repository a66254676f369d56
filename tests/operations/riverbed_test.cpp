#include "base/error.h"
#include "operations/rivers/particle_paths.h"
#include "support/devices.h"
#include "support/operations.h"
#include "support/refusals.h"
#include "support/terrains.h"
#include "terrain/line_text.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

constexpr double half_pi = 1.57079632679489661923;

// A small river on small land, that goes on for as long as it likes.
const Particles small = {40, 30, {4, 7}, {-5, 5}, {-8, 8}, {0, 90}, {0, 25}, {3, 11}, 1000, 1};

Parameters with_small(const Parameters& more = {}) {
    Parameters parameters = {{"particles", "40"}, {"window", "30"},     {"velocity", "4:7"},
                             {"angle", "-5:5"},   {"rotation", "-8:8"}, {"phase", "0:90"},
                             {"offset", "0:25"},  {"radius", "3:11"},   {"climb", "1000"},
                             {"depth", "0.5"},    {"deepest", "10000"}, {"grade", "0"}};
    for (const auto& [name, value] : more) {
        auto same = std::ranges::find(parameters, name, &std::pair<std::string, std::string>::first);
        if (same == parameters.end()) {
            parameters.emplace_back(name, value);
        } else {
            same->second = value;
        }
    }
    return parameters;
}

Terrain plain(Size size, double cell = 2, float height = 100) {
    Terrain terrain(Grid{Rect::of(size), cell, {0, 300}});
    terrain.set("height", Field(terrain.rect(), height));
    return terrain;
}

Terrain cut(const Terrain& terrain, const Parameters& parameters) {
    return applied("riverbed", parameters, terrain);
}

std::vector<ParticleStep> paths(const Terrain& terrain, const Particles& particles) {
    Progress progress;
    return particle_paths(terrain.grid(), terrain.height(),
                          Course::straight(middle_of_side(terrain.grid(), 90), 90), particles, progress);
}

// Equations 2 and 3 in doubles, as the steps come: metres that are cut at a cell, and the mean of the rises.
struct Cut {
    double depth = 0;
    double rise = 0;
};
Cut cut_by(const std::vector<ParticleStep>& steps, double depth, double largest, int x, int y) {
    Cut all;
    for (const ParticleStep& step : steps) {
        double radius = step.radius;
        double s = radius * radius - std::pow(x - step.x, 2) - std::pow(y - step.y, 2);
        if (s <= 0) continue;
        double here = depth / half_pi * std::sqrt(s) / largest * double(step.length) / radius;
        all.depth += here;
        all.rise += here * double(step.rise);
    }
    if (all.depth > 0) all.rise /= all.depth;
    return all;
}

template <typename Expected>
void expect_heights(const Terrain& result, double tolerance, const Expected& expected) {
    for (int y = 0; y < result.rect().bottom; y++)
        for (int x = 0; x < result.rect().right; x++)
            ASSERT_NEAR(result.height().at(x, y), expected(x, y), tolerance) << x << "," << y;
}

double hardness_at(const Terrain& terrain, int x, int y) {
    return terrain.has("hardness") ? double(terrain.field("hardness").at(x, y)) : 0;
}

TEST(Riverbed, SubtractsWhatEachStepCuts) {
    for (Size size : {Size{150, 90}, Size{64, 16}, Size{65, 17}, Size{3, 200}, Size{200, 3}, Size{1, 1}}) {
        for (bool hard : {false, true}) {
            Terrain terrain = rough_terrain(size, Holes::none, 2);
            if (!hard) terrain.remove("hardness");
            std::vector<ParticleStep> steps = paths(terrain, small);
            ASSERT_FALSE(steps.empty());
            expect_heights(cut(terrain, with_small()), 2e-3, [&](int x, int y) {
                double before = terrain.height().at(x, y);
                return before - cut_by(steps, 0.5, 5.5, x, y).depth * (1 - hardness_at(terrain, x, y));
            });
        }
    }
}

TEST(Riverbed, StaysAboveItsDeepestAndCutsRisesDown) {
    Terrain terrain = rough_terrain({150, 90}, Holes::none, 2);
    std::vector<ParticleStep> steps = paths(terrain, small);
    bool risen = false;
    expect_heights(cut(terrain, with_small({{"deepest", "3"}, {"grade", "0.75"}})), 0.01, [&](int x, int y) {
        Cut cut = cut_by(steps, 0.5, 5.5, x, y);
        double soft = cut.depth * (1 - hardness_at(terrain, x, y));
        double share = soft / 3 / std::sqrt(1 + soft * soft / 9);
        risen = risen || cut.rise > 20;
        return double(terrain.height().at(x, y)) - 3 * share - 0.75 * cut.rise * share * (2 - share);
    });
    EXPECT_TRUE(risen);
}

TEST(Riverbed, OneParticleCutsItsDepthAlongItsMiddle) {
    Terrain terrain = plain({200, 61}, 1);
    Terrain result = cut(terrain, with_small({{"particles", "1"},
                                              {"window", "0"},
                                              {"angle", "0"},
                                              {"offset", "0"},
                                              {"velocity", "1"},
                                              {"radius", "20"}}));
    // A parabola, once the particle is wholly there.
    for (int y = 0; y < 61; y++) {
        double share = std::max(1 - (y - 30) * (y - 30) / 400.0, 0.0);
        EXPECT_NEAR(100 - result.height().at(100, y), 0.5 * share, 0.003) << y;
    }
}

TEST(Riverbed, DoesNotDependOnHowFinelyItsWayIsCut) {
    Terrain terrain = plain({200, 120});
    Terrain once = cut(terrain, with_small({{"velocity", "5"}, {"rotation", "4"}, {"offset", "30"}}));
    Terrain twice = cut(terrain, with_small({{"velocity", "2.5"}, {"rotation", "2"}, {"offset", "30"}}));
    double difference = 0, all = 0;
    for (int y = 0; y < 120; y++)
        for (int x = 0; x < 200; x++) {
            difference += std::abs(double(once.height().at(x, y)) - double(twice.height().at(x, y)));
            all += 100 - double(once.height().at(x, y));
        }
    EXPECT_GT(all, 1000);
    // The smallest particles are hardly as large as the longer step.
    EXPECT_LT(difference, 0.05 * all);
}

TEST(Riverbed, LeavesTheHardestRock) {
    Terrain terrain = rough_terrain({120, 80}, Holes::none, 2);
    Terrain result = cut(terrain, with_small({{"particles", "300"}, {"grade", "1"}, {"deepest", "20"}}));
    int kept = 0, lowered = 0;
    for (int y = 0; y < 80; y++)
        for (int x = 0; x < 120; x++) {
            float before = terrain.height().at(x, y);
            float after = result.height().at(x, y);
            EXPECT_LE(after, before);
            lowered += after < before;
            if (terrain.field("hardness").at(x, y) < 1) continue;
            EXPECT_EQ(after, before) << x << "," << y;
            kept++;
        }
    EXPECT_GT(kept, 100);
    EXPECT_GT(lowered, 1000);
}

TEST(Riverbed, WithoutParticlesOrFarAwayNothingChanges) {
    Terrain terrain = rough_terrain({67, 41});
    for (const Parameters& parameters :
         {Parameters{{"particles", "0"}}, Parameters{{"emitter", "0,5000"}}, Parameters{{"depth", "0"}},
          Parameters{{"path", "-500,-500 -500,500"}}, Parameters{{"particles", "0"}, {"water", "true"}}}) {
        Terrain result = cut(terrain, parameters);
        EXPECT_TRUE(identical(result.height(), terrain.height()));
        if (result.has("water")) {
            EXPECT_EQ(statistics(result.field("water")).high, 0);
        }
    }
}

TEST(Riverbed, AWallStopsIt) {
    Terrain terrain = plain({200, 60});
    Field height = made_field(terrain.rect(), [](int x, int) { return x < 120 ? 100.0f : 140.0f; });
    terrain.set("height", height);
    Parameters straight = with_small({{"angle", "0"}, {"offset", "0"}, {"climb", "30"}});
    Terrain stopped = cut(terrain, straight);
    for (int y = 0; y < 60; y++) EXPECT_EQ(stopped.height().at(130, y), 140);
    EXPECT_LT(stopped.height().at(100, 30), 97);
    EXPECT_LT(stopped.height().at(120, 30), 140) << "where it hits it cuts";
    // Through the wall at the level before it.
    straight = with_small({{"particles", "2000"}, {"angle", "0"}, {"offset", "0"}, {"climb", "50"}});
    for (auto& [name, value] : straight) {
        if (name == "deepest") value = "10";
        if (name == "grade") value = "1";
    }
    Terrain through = cut(terrain, straight);
    EXPECT_NEAR(through.height().at(100, 30), 90, 1);
    EXPECT_NEAR(through.height().at(160, 30), 90, 1);
}

TEST(Riverbed, FollowsAPath) {
    Terrain terrain = plain({200, 200});
    Terrain result = cut(
        terrain,
        with_small({{"path", "0,60 300,60 300,398"}, {"angle", "0"}, {"rotation", "0"}, {"offset", "0"}}));
    for (int x = 5; x < 140; x += 5) EXPECT_LT(result.height().at(x, 30), 98) << x;
    for (int y = 40; y < 190; y += 5) EXPECT_LT(result.height().at(150, y), 98) << y;
    EXPECT_EQ(result.height().at(190, 30), 100);
    EXPECT_EQ(result.height().at(75, 120), 100);
    EXPECT_EQ(result.height().at(150, 8), 100);
}

TEST(Riverbed, TheEmitterIsInMetresAndTheDirectionOfACompass) {
    Terrain terrain = plain({100, 100}, 4);
    Terrain result = cut(terrain, with_small({{"emitter", "200,300"},
                                              {"direction", "0"},
                                              {"angle", "0"},
                                              {"rotation", "0"},
                                              {"offset", "0"}}));
    EXPECT_LT(result.height().at(50, 40), 100);
    EXPECT_LT(result.height().at(50, 2), 100);
    EXPECT_EQ(result.height().at(50, 85), 100) << "north of the emitter only";
    EXPECT_EQ(result.height().at(70, 40), 100);
}

TEST(Riverbed, WaterIsLevelOnAPlain) {
    Terrain terrain = plain({150, 100});
    terrain.set("hardness", rough_terrain({150, 100}).field("hardness"));
    Terrain result = cut(terrain, with_small({{"water", "true"}, {"level", "0.75"}, {"deepest", "30"}}));
    EXPECT_TRUE(identical(result.height(), cut(terrain, with_small({{"deepest", "30"}})).height()))
        << "the bed is the same";
    float deepest = 100 - statistics(result.height()).low;
    float surface = 100 - 0.25f * deepest;
    int wet = 0;
    for (int y = 0; y < 100; y++)
        for (int x = 0; x < 150; x++) {
            float water = result.field("water").at(x, y);
            float ground = result.height().at(x, y);
            wet += water > 0;
            ASSERT_NEAR(water, std::max(surface - ground, 0.0f), 1e-4f) << x << "," << y;
        }
    EXPECT_GT(wet, 500);
}

TEST(Riverbed, WaterThatWasThereKeepsItsSurface) {
    Terrain terrain = plain({150, 100});
    terrain.set("water", made_field(terrain.rect(), [](int x, int) { return x < 75 ? 5.0f : 0.0f; }));
    Terrain result = cut(terrain, with_small({{"water", "true"}}));
    for (int y = 0; y < 100; y++)
        for (int x = 0; x < 75; x++)
            ASSERT_NEAR(result.height().at(x, y) + result.field("water").at(x, y), 105, 1e-4f);
    EXPECT_GT(result.field("water").at(120, 50), 0);
    Terrain dry = cut(terrain, with_small());
    EXPECT_TRUE(identical(dry.field("water"), terrain.field("water"))) << "unasked it is left alone";
}

TEST(Riverbed, MissingCellsAreNoWallAndHaveNoWater) {
    Terrain terrain = plain({150, 100});
    terrain.set("height",
                made_field(terrain.rect(), [](int x, int) { return x >= 60 && x < 70 ? missing : 100.0f; }));
    Terrain result = cut(terrain, with_small({{"climb", "1"}, {"water", "true"}}));
    EXPECT_TRUE(is_missing(result.height().at(65, 50)));
    EXPECT_TRUE(is_missing(result.field("water").at(65, 50)));
    EXPECT_LT(result.height().at(100, 50), 99);
    // Rock of unknown hardness is soft.
    terrain.set("hardness", Field(terrain.rect(), missing));
    EXPECT_TRUE(identical(cut(terrain, with_small()).height(),
                          cut(terrain, with_small({{"water", "true"}})).height()));
    EXPECT_LT(cut(terrain, with_small()).height().at(100, 50), 99);
}

TEST(Riverbed, KeepsABook) {
    Terrain terrain = rough_terrain({150, 100}, Holes::some);
    for (const NamedDevice& named : all_devices()) {
        SCOPED_TRACE(named.name);
        std::vector<LedgerEntry> book;
        RunContext context = on(named.device);
        context.enter = [&](const LedgerEntry& entry) { book.push_back(entry); };
        Terrain result = run(*made_operation("riverbed", with_small({{"water", "true"}})), terrain, context);
        double carried = 0;
        for (int y = 0; y < 100; y++)
            for (int x = 0; x < 150; x++) {
                if (is_missing(terrain.height().at(x, y))) continue;
                carried += 16 * (double(terrain.height().at(x, y)) - double(result.height().at(x, y)));
            }
        // Water comes from nowhere, so there is nothing to add up.
        ASSERT_EQ(book.size(), 1u);
        EXPECT_EQ(book[0].quantity, "rock");
        EXPECT_GT(carried, 1000);
        // The cuts as they were counted, and as the heights show them: those are rounded at every cell.
        EXPECT_NEAR(book[0].out, carried, 1e-5 * carried);
        EXPECT_LT(book[0].error(), 1e-7);
    }
}

TEST(Riverbed, ManyParticlesAddUpInTheirOrder) {
    // More steps than one round of lists takes.
    Terrain terrain = plain({150, 90});
    Particles many = small;
    many.count = 6000;
    std::vector<ParticleStep> steps = paths(terrain, many);
    Terrain result = cut(terrain, with_small({{"particles", "6000"}, {"depth", "0.01"}}));
    for (int y = 20; y < 70; y += 7)
        for (int x = 3; x < 150; x += 13)
            ASSERT_NEAR(100 - result.height().at(x, y), cut_by(steps, 0.01, 5.5, x, y).depth, 2e-3)
                << x << "," << y;
}

void expect_refused(const Parameters& parameters, const std::string& message, double cell = 2) {
    try {
        cut(plain({50, 40}, cell), parameters);
        FAIL() << "took " << parameters[0].second;
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()), "riverbed: " + message);
    }
}

TEST(Riverbed, SaysWhatDoesNotGo) {
    expect_refused({{"emitter", "5"}}, "emitter: 1 numbers; give x,y in metres");
    expect_refused({{"emitter", "5,5"}, {"path", "0,0 1,1"}},
                   "--path and --emitter exclude each other; give one of them");
    expect_refused({{"path", "5,5"}}, "path: one place is no line; give two or more, or --emitter");
    EXPECT_EQ(refusal([] {
                  made_operation("riverbed", {{"path", "5,5 a,b"}});
              }),
              "path: 'a,b' is not a place; write x,y in metres, or x,y,height");
    expect_refused({{"radius", "500"}}, "radius 500 m is more than 1000 cells of 0.1 m", 0.1);
    expect_refused({{"particles", "100000"}, {"velocity", "0.1"}},
                   "100000 particles at 0.1 m a step are too many steps; take fewer particles or a higher "
                   "velocity");
}

TEST(Riverbed, GivesItsCourse) {
    const Terrain land = plain({50, 40}, 2);
    RunContext context = on_cpu();
    auto course = [&](const Parameters& parameters) {
        Parameters all = parameters;
        all.emplace_back("lines", "river");
        all.emplace_back("particles", "3");
        return run(*made_operation("riverbed", all), land, context).lines("river");
    };
    EXPECT_EQ(course({{"path", "0,5 60,70; 3,3 9,9"}}), parse_lines("0,5 60,70; 3,3 9,9"));
    // From the middle of the western side to the eastern one.
    const LineSet across = course({});
    ASSERT_EQ(across.size(), 1u);
    EXPECT_NEAR(across.lines()[0].points[0].y, 39, 1e-6);
    EXPECT_NEAR(across.lines()[0].points[1].x, 98, 1e-6);
    EXPECT_NEAR(across.lines()[0].points[1].y, 39, 1e-6);
}

TEST(Riverbed, FollowsEveryLine) {
    const Terrain land = plain({120, 90}, 2);
    const Parameters narrow = {{"angle", "0"},  {"rotation", "0"}, {"offset", "0"},
                               {"window", "4"}, {"radius", "4"},   {"velocity", "4"}};
    auto cut_along = [&](const std::string& path) {
        Parameters all = narrow;
        all.emplace_back("path", path);
        RunContext context = on_cpu();
        return run(*made_operation("riverbed", all), land, context).height();
    };
    const Field both = cut_along("20,40 200,40; 20,140 200,140");
    const Field first = cut_along("20,40 200,40");
    for (int x = 20; x < 90; x += 7) {
        EXPECT_EQ(both.at(x, 20), first.at(x, 20)) << "the other river is far away";
        EXPECT_LT(both.at(x, 70), 99.9f);
        EXPECT_EQ(first.at(x, 70), 100);
        EXPECT_EQ(both.at(x, 45), 100);
    }
}

}  // namespace
}  // namespace caprock::test

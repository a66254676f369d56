// The grid models of running water against plain scatters of their rules in double precision, and what they promise.
#include "support/devices.h"
#include "support/operations.h"
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain after_running_water(const Terrain& input, const Parameters& parameters, RunContext context) {
    return run(*made_operation("fluvial-erosion", parameters), input, context);
}
Terrain after_running_water(const Terrain& input, const Parameters& parameters) {
    return after_running_water(input, parameters, on_cpu());
}

const char* const classic_models[] = {"musgrave", "benes", "olsen"};

// Steps by the rules of each model, cell by cell: each sends water and sediment to the neighbours below it.
struct ReferenceRivers {
    Size size;
    std::vector<double> rock, water, sediment, soft;
    double capacity = 0.4, dissolving = 0.5, deposition = 0.3, evaporation = 0.05;

    explicit ReferenceRivers(const Terrain& input) : size(input.rect().size()) {
        for (int y = 0; y < size.height; y++)
            for (int x = 0; x < size.width; x++) {
                rock.push_back(input.height().at(x, y));
                soft.push_back((1 - double(input.field("hardness").at(x, y))) *
                               double(input.field("solubility").at(x, y)));
            }
        water.assign(rock.size(), 0);
        sediment = water;
    }

    struct Below {
        size_t there;
        double drop;
        double weight;
    };
    std::vector<Below> below(size_t here) const {
        const int x = int(here) % size.width, y = int(here) / size.width;
        std::vector<Below> all;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                const int nx = x + dx, ny = y + dy;
                if ((dx == 0 && dy == 0) || nx < 0 || ny < 0 || nx >= size.width || ny >= size.height)
                    continue;
                const size_t there = size_t(ny) * size_t(size.width) + size_t(nx);
                const double drop = rock[here] + water[here] - rock[there] - water[there];
                if (drop > 0) all.push_back({there, drop, 1 / std::hypot(dx, dy)});
            }
        return all;
    }
    static void share(const std::vector<Below>& all, std::vector<double>& to, double amount) {
        double sum = 0;
        for (const Below& one : all) sum += one.drop * one.weight;
        for (const Below& one : all) to[one.there] += amount * one.drop * one.weight / sum;
    }
    // So much leaves that the cell does not come to stand below the mean of it and what is lower.
    double leaving(size_t here, const std::vector<Below>& all) const {
        double sum = 0;
        for (const Below& one : all) sum += one.drop;
        return std::min(water[here], sum / double(all.size() + 1));
    }
    double lowest_rock(size_t here, const std::vector<Below>& all) const {
        double lowest = rock[here];
        for (const Below& one : all) lowest = std::min(lowest, rock[one.there]);
        return lowest;
    }

    void musgrave() {
        std::vector<double> next_rock = rock, next_water = water, next_sediment = sediment;
        for (size_t here = 0; here < rock.size(); here++) {
            const std::vector<Below> all = below(here);
            const double goes = all.empty() ? 0 : leaving(here, all);
            const double carries = capacity * goes;
            double moved = carries;
            if (sediment[here] > carries) {
                const double lays = deposition * (sediment[here] - carries);
                next_rock[here] += lays;
                next_sediment[here] -= lays;
            } else {
                const double takes = std::min(dissolving * soft[here] * (carries - sediment[here]),
                                              (rock[here] - lowest_rock(here, all)) / 2);
                next_rock[here] -= takes;
                next_sediment[here] += takes;
                moved = sediment[here] + takes;
            }
            if (all.empty()) continue;
            next_water[here] -= goes;
            next_sediment[here] -= moved;
            share(all, next_water, goes);
            share(all, next_sediment, moved);
        }
        rock = next_rock;
        water = next_water;
        sediment = next_sediment;
    }

    void benes() {
        std::vector<double> next_rock = rock, next_water = water, next_sediment = sediment;
        for (size_t here = 0; here < rock.size(); here++) {
            const std::vector<Below> all = below(here);
            if (all.empty()) continue;
            const double goes = leaving(here, all);
            const double lacks = std::max(capacity * water[here] - sediment[here], 0.0);
            const double takes =
                std::min(dissolving * soft[here] * lacks, (rock[here] - lowest_rock(here, all)) / 2);
            const double moved = water[here] > 0 ? (sediment[here] + takes) * goes / water[here] : 0;
            next_rock[here] -= takes;
            next_sediment[here] += takes - moved;
            next_water[here] -= goes;
            share(all, next_water, goes);
            share(all, next_sediment, moved);
        }
        rock = next_rock;
        water = next_water;
        sediment = next_sediment;
        for (size_t here = 0; here < rock.size(); here++) {
            water[here] *= 1 - evaporation;
            const double lays = deposition * std::max(sediment[here] - capacity * water[here], 0.0);
            rock[here] += lays;
            sediment[here] -= lays;
        }
    }

    void olsen() {
        std::vector<double> next_water = water, next_sediment = sediment;
        for (size_t here = 0; here < rock.size(); here++) {
            const Below* lowest = nullptr;
            const std::vector<Below> all = below(here);
            for (const Below& one : all)
                if (one.weight == 1 && (!lowest || one.drop > lowest->drop)) lowest = &one;
            if (!lowest || water[here] <= 0) continue;
            const double goes = std::min(water[here], lowest->drop / 2);
            const double moved = sediment[here] * goes / water[here];
            next_water[here] -= goes;
            next_water[lowest->there] += goes;
            next_sediment[here] -= moved;
            next_sediment[lowest->there] += moved;
        }
        water = next_water;
        sediment = next_sediment;
        for (size_t here = 0; here < rock.size(); here++) {
            water[here] *= 1 - evaporation;
            rock[here] += evaporation * sediment[here];
            sediment[here] *= 1 - evaporation;
        }
    }

    void rain(double depth, bool saturated) {
        for (size_t i = 0; i < rock.size(); i++) {
            water[i] += depth;
            if (!saturated) continue;
            rock[i] -= depth * capacity * dissolving * soft[i];
            sediment[i] += depth * capacity * dissolving * soft[i];
        }
    }
};

TEST(FluvialErosion, FollowsTheRulesOfItsModels) {
    Terrain input = rough_terrain({37, 29});
    input.set("solubility", made_field(input.rect(), [](int x, int y) { return scattered(x, y, 5); }));
    for (const std::string model : classic_models) {
        SCOPED_TRACE(model);
        ReferenceRivers reference(input);
        for (int step = 0; step < 12; step++) {
            if (step % 5 == 0) reference.rain(0.8, model == "olsen");
            if (model == "musgrave") reference.musgrave();
            if (model == "benes") reference.benes();
            if (model == "olsen") reference.olsen();
        }
        Terrain output = after_running_water(input, {{"model", model},
                                                     {"steps", "12"},
                                                     {"rain", "0.8"},
                                                     {"rain-every", "5"},
                                                     {"capacity", "0.4"},
                                                     {"dissolving", "0.5"},
                                                     {"deposition", "0.3"},
                                                     {"evaporation", "0.05"}});
        double most = 0;
        for (int y = 0; y < 29; y++)
            for (int x = 0; x < 37; x++) {
                const size_t i = size_t(y * 37 + x);
                // Single precision on levels of 200 m: whether a hair's breadth is a drop may fall either way.
                ASSERT_NEAR(output.height().at(x, y), reference.rock[i], 4e-3) << x << "," << y;
                ASSERT_NEAR(output.field("water").at(x, y), reference.water[i], 4e-3) << x << "," << y;
                ASSERT_NEAR(output.field("sediment").at(x, y), reference.sediment[i], 4e-3) << x << "," << y;
                most = std::max(most, std::abs(reference.rock[i] - double(input.height().at(x, y))));
            }
        EXPECT_GT(most, 0.1);
    }
}

TEST(FluvialErosion, TheLedgerClosesAndHardRockIsNotDissolved) {
    for (const std::string model : classic_models)
        for (double cell : {8.0, 4.0, 1.5})
            for (Holes holes : {Holes::none, Holes::some}) {
                SCOPED_TRACE(testing::Message() << model << ", cells of " << cell << " m");
                RunContext context = on_cpu();
                std::vector<LedgerEntry> ledger;
                context.enter = [&](const LedgerEntry& entry) { ledger.push_back(entry); };
                Terrain input = rough_terrain({90, 77}, holes, cell);
                Terrain output = after_running_water(input, {{"model", model}, {"duration", "90"}}, context);
                ASSERT_EQ(ledger.size(), 3u);
                for (const LedgerEntry& entry : ledger) EXPECT_LT(entry.error(), 1e-6) << entry.quantity;
                EXPECT_GT(ledger[0].moved, 50);
                EXPECT_EQ(ledger[2].out > 0, model != "musgrave") << "evaporates";
                for (const char* field : {"height", "water", "sediment"})
                    EXPECT_EQ(statistics(output.field(field)).missing, statistics(input.height()).missing);
                EXPECT_GE(statistics(output.field("water")).low, 0);
                for (int y = 0; y < 77; y++)
                    for (int x = 0; x < 90; x++)
                        if (input.field("hardness").at(x, y) >= 1 && !is_missing(input.height().at(x, y))) {
                            ASSERT_GE(output.height().at(x, y), input.height().at(x, y)) << x << "," << y;
                        }
            }
}

// Where nothing evaporates, all that water carries comes down when it has come to rest (Editor §6.2).
TEST(FluvialErosion, MusgravesSedimentReturnsToTheGround) {
    Terrain input = rough_terrain({60, 50});
    Terrain output = after_running_water(input, {{"rain", "0.25"}, {"rain-every", "0"}, {"steps", "600"}});
    EXPECT_LT(statistics(output.field("sediment")).mean, 1e-5);
    EXPECT_NEAR(statistics(output.field("water")).mean, 0.25, 1e-3);
    EXPECT_NEAR(statistics(output.height()).mean, statistics(input.height()).mean, 1e-3);
    EXPECT_FALSE(identical(output.height(), input.height()));
}

TEST(FluvialErosion, OlsensWaterIsAlwaysFullOfSediment) {
    Terrain input = rough_terrain({60, 50});
    input.set("hardness", Field(input.rect(), 0.0f));
    Terrain output = after_running_water(input, {{"model", "olsen"}, {"steps", "75"}, {"dissolving", "1"}});
    for (int y = 0; y < 50; y++)
        for (int x = 0; x < 60; x++)
            ASSERT_NEAR(output.field("sediment").at(x, y), 0.5 * output.field("water").at(x, y), 1e-5)
                << x << "," << y;
}

TEST(FluvialErosion, GoesOnFromWaterAndSedimentThatAreThere) {
    for (const std::string model : classic_models) {
        Terrain input = rough_terrain({60, 50});
        Terrain once = after_running_water(input, {{"model", model}, {"steps", "20"}, {"rain-every", "10"}});
        Terrain twice = after_running_water(
            after_running_water(input, {{"model", model}, {"steps", "10"}, {"rain-every", "10"}}),
            {{"model", model}, {"steps", "10"}, {"rain-every", "10"}});
        for (const char* field : {"height", "water", "sediment"})
            EXPECT_TRUE(identical(once.field(field), twice.field(field))) << field;
    }
}

TEST(FluvialErosion, WithoutRainNothingHappens) {
    Terrain input = rough_terrain({40, 30});
    for (const std::string model : classic_models)
        EXPECT_TRUE(identical(after_running_water(input, {{"model", model}, {"rain", "0"}}).height(),
                              input.height()));
}

}  // namespace
}  // namespace caprock::test

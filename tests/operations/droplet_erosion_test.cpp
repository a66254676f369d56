// Droplet erosion against droplets that are followed one by one and scatter what they do, and what it promises.
#include "base/random.h"
#include "support/devices.h"
#include "support/operations.h"
#include "support/terrains.h"

#include <gtest/gtest.h>
#include <map>

namespace caprock::test {
namespace {

Terrain after_droplets(const Terrain& input, const Parameters& parameters, RunContext context) {
    return run(*made_operation("droplet-erosion", parameters), input, context);
}
Terrain after_droplets(const Terrain& input, const Parameters& parameters) {
    return after_droplets(input, parameters, on_cpu());
}

Terrain droplet_land(Size size, double cell, const std::function<float(int x, int y)>& height) {
    Terrain terrain(Grid{Rect::of(size), cell, {0, 300}});
    terrain.set("height", made_field(terrain.rect(), height));
    return terrain;
}

// One step by the rules, with the defaults but for what stands here. Ways are in floats, since a rounding may decide which cell a
// droplet is nearest to; everything else is in doubles, spread out where it is taken.
struct ReferenceDroplets {
    Size size;
    double cell = 4;
    std::vector<double> rock, hardness;
    double rain = 0.1, capacity = 1, erosion = 0.3, deposition = 0.3, radius = 3, water_kept = 0.98;
    double speed_kept = 0, speed_gained = 0, slope_least = 0.01;
    float inertia = 0.1f;
    int longest = 60;
    uint32_t seed = 1;
    double taken = 0, laid = 0, gone = 0;

    size_t at(int x, int y) const { return size_t(y) * size_t(size.width) + size_t(x); }
    bool known(int x, int y) const {
        return x >= 0 && y >= 0 && x < size.width && y < size.height && !std::isnan(rock[at(x, y)]);
    }

    struct Way {
        std::vector<std::pair<int, int>> cells;
        std::vector<double> heights;
        bool leaves = false;
    };

    Way way_from(int column, int row) const {
        const uint32_t batch = hashed(hashed(seed, 0, 0), 0, 0);
        const uint32_t index = uint32_t(row) << 16 ^ uint32_t(column);
        float px = float(4 * unit(hashed(batch, index, 1)));
        float py = float(4 * unit(hashed(batch, index, 2)));
        int x = 4 * column + int(px), y = 4 * row + int(py);
        px -= std::floor(px);
        py -= std::floor(py);
        float ex = 0, ey = 0;
        Way way;
        if (x >= size.width || y >= size.height) return way;
        for (int step = 0; step < longest; step++) {
            if (!known(x, y) || !known(x + 1, y) || !known(x, y + 1) || !known(x + 1, y + 1)) {
                way.leaves = true;
                break;
            }
            const float a = float(rock[at(x, y)]), b = float(rock[at(x + 1, y)]);
            const float c = float(rock[at(x, y + 1)]), d = float(rock[at(x + 1, y + 1)]);
            const float gx = (b - a) + ((d - c) - (b - a)) * py;
            const float gy = (c - a) + ((d - b) - (c - a)) * px;
            way.heights.push_back(double(a + (b - a) * px + gy * py));
            way.cells.emplace_back(x + (px >= 0.5f), y + (py >= 0.5f));
            const float follows = (1 - inertia) * float(1 / cell);
            ex = ex * inertia - gx * follows;
            ey = ey * inertia - gy * follows;
            const float length = std::sqrt(ex * ex + ey * ey);
            if (!(length > 0)) break;
            ex *= 1 / length;
            ey *= 1 / length;
            px += ex;
            py += ey;
            if (px >= 1)
                px -= 1, x++;
            else if (px < 0)
                px += 1, x--;
            if (py >= 1)
                py -= 1, y++;
            else if (py < 0)
                py += 1, y--;
        }
        return way;
    }

    // Around a place, in shares that make 1: over soft ground within the radius, and how much of all the ground that is.
    double spread(std::vector<double>& change, int x, int y, double amount) const {
        double all = 0, soft = 0;
        std::vector<std::pair<size_t, double>> parts;
        for (int dy = -20; dy <= 20; dy++)
            for (int dx = -20; dx <= 20; dx++) {
                const double weight = 1 - std::hypot(dx, dy) / radius;
                if (weight <= 0) continue;
                all += weight;
                if (!known(x + dx, y + dy)) continue;
                const size_t there = at(x + dx, y + dy);
                parts.emplace_back(there, weight * (1 - hardness[there]));
                soft += parts.back().second;
            }
        if (soft > 0)
            for (auto [there, part] : parts) change[there] -= amount * part / soft;
        return soft / all;
    }
    void lay(std::vector<double>& change, int x, int y, double amount) {
        laid += amount;
        double all = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    if (!known(x + dx, y + dy)) continue;
                    const double part = (dx == 0 ? 0.5 : 0.25) * (dy == 0 ? 0.5 : 0.25);
                    if (pass == 0)
                        all += part;
                    else
                        change[at(x + dx, y + dy)] += amount * part / all;
                }
    }

    void step() {
        std::vector<Way> ways;
        std::map<std::pair<int, int>, int> visits;
        for (int row = 0; 4 * row < size.height; row++)
            for (int column = 0; 4 * column < size.width; column++) {
                ways.push_back(way_from(column, row));
                for (auto& place : ways.back().cells) visits[place]++;
            }
        std::vector<double> change(rock.size(), 0);
        for (const Way& way : ways) follow(way, visits, change);
        for (size_t i = 0; i < rock.size(); i++) rock[i] += change[i];
    }

    void follow(const Way& way, const std::map<std::pair<int, int>, int>& visits,
                std::vector<double>& change) {
        double squared = 0, water = rain, load = 0, fell = 0;
        for (size_t i = 0; i + 1 < way.cells.size(); i++) {
            auto [x, y] = way.cells[i];
            const double falls = way.heights[i] - way.heights[i + 1];
            const double others = visits.at(way.cells[i]);
            squared = std::max(squared * speed_kept + speed_gained * falls, 0.0);
            water *= water_kept;
            // In cubic metres over the area of a cell; the water is that of sixteen cells.
            const double carries =
                16 * capacity * water * std::sqrt(squared) * std::max(falls / cell, slope_least);
            double lays = 0;
            if (falls < 0) {
                lays = std::min(load, -falls / others);
            } else if (load > carries) {
                lays = std::min((load - carries) * deposition, std::max(fell, 0.0) / others);
            } else {
                const double soft = spread(change, x, y, 0);
                const double takes = std::min((carries - load) * erosion * soft, falls / others);
                spread(change, x, y, takes);
                taken += takes;
                load += takes;
            }
            lay(change, x, y, lays);
            load -= lays;
            fell = falls;
        }
        if (way.leaves) {
            gone += load;
            return;
        }
        double all = 0;
        for (const auto& place : way.cells) all += 1.0 / visits.at(place);
        for (const auto& place : way.cells)
            lay(change, place.first, place.second, load / visits.at(place) / all);
    }
};

TEST(DropletErosion, IsWhatDropletsDoOneByOne) {
    const Size size{61, 53};
    Terrain input = rough_terrain(size, Holes::some, 4);
    ReferenceDroplets reference;
    reference.size = size;
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++) {
            reference.rock.push_back(input.height().at(x, y));
            reference.hardness.push_back(input.field("hardness").at(x, y));
        }
    const double momentum = 10;
    reference.speed_kept = std::exp(-4 / momentum);
    reference.speed_gained = 2 * 9.81 * momentum * (1 - reference.speed_kept) / 4;
    reference.step();
    LedgerEntry sediment;
    RunContext context = on_cpu();
    context.enter = [&](const LedgerEntry& entry) {
        if (entry.quantity == "sediment") sediment = entry;
    };
    Terrain output = after_droplets(input,
                                    {{"steps", "1"},
                                     {"rain", "0.1"},
                                     {"capacity", "1"},
                                     {"erosion", "0.3"},
                                     {"deposition", "0.3"},
                                     {"radius", "12"},
                                     {"inertia", "0.1"},
                                     {"way", "240"},
                                     {"evaporation", "0.02"},
                                     {"momentum", "10"},
                                     {"slope-least", "0.01"}},
                                    context);
    double most = 0;
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++) {
            const double expected = reference.rock[reference.at(x, y)];
            if (std::isnan(expected)) {
                EXPECT_TRUE(is_missing(output.height().at(x, y)));
                continue;
            }
            // Single precision on heights of 200 m, and amounts in whole micrometres.
            ASSERT_NEAR(output.height().at(x, y), expected, 2e-4) << x << "," << y;
            most = std::max(most, std::abs(expected - double(input.height().at(x, y))));
        }
    EXPECT_GT(most, 0.1);
    EXPECT_NEAR(sediment.in, 16 * reference.taken, 1e-4 * sediment.in);
    EXPECT_NEAR(sediment.out, 16 * (reference.laid + reference.gone), 1e-4 * sediment.in);
    EXPECT_GT(reference.gone, 0);
}

TEST(DropletErosion, TheLedgerCloses) {
    for (double cell : {8.0, 3.0}) {
        SCOPED_TRACE(cell);
        RunContext context = on_cpu();
        std::vector<LedgerEntry> ledger;
        context.enter = [&](const LedgerEntry& entry) { ledger.push_back(entry); };
        Terrain input = rough_terrain({120, 90}, Holes::some, cell);
        Terrain kept = after_droplets(input, {{"duration", "30"}}, context);
        ASSERT_EQ(ledger.size(), 2u);
        for (const LedgerEntry& entry : ledger) EXPECT_LT(entry.error(), 1e-6) << entry.quantity;
        EXPECT_GT(ledger[0].moved, 1000);
        // What went out of the land is what the land has lost.
        double lost = 0;
        for (int y = 0; y < 90; y++)
            for (int x = 0; x < 120; x++)
                if (!is_missing(input.height().at(x, y)))
                    lost += cell * cell * (double(input.height().at(x, y)) - double(kept.height().at(x, y)));
        EXPECT_GT(lost, 0);
        EXPECT_NEAR(ledger[0].out - ledger[0].in, lost, 1e-6 * ledger[0].before);
        // Keeping it changes nothing.
        EXPECT_TRUE(identical(kept.height(), after_droplets(input, {{"duration", "30"}}).height()));
    }
}

TEST(DropletErosion, LevelGroundAndRockOfHardnessOneStayAsTheyAre) {
    Terrain level = droplet_land({60, 50}, 8, [](int, int) { return 120.0f; });
    EXPECT_TRUE(identical(after_droplets(level, {}).height(), level.height()));
    for (double cell : {8.0, 4.0}) {
        Terrain hard = rough_terrain({60, 50}, Holes::none, cell);
        hard.set("hardness", Field(hard.rect(), 1.0f));
        EXPECT_TRUE(identical(after_droplets(hard, {{"duration", "20"}}).height(), hard.height()));
    }
    Terrain dry = rough_terrain({60, 50});
    EXPECT_TRUE(identical(after_droplets(dry, {{"rain", "0"}}).height(), dry.height()));
}

TEST(DropletErosion, HardCellsAmongSoftOnesAreNotTaken) {
    for (double cell : {8.0, 4.0}) {
        Terrain input = rough_terrain({90, 77}, Holes::some, cell);
        Terrain output = after_droplets(input, {{"duration", "10"}});
        EXPECT_EQ(statistics(output.height()).missing, statistics(input.height()).missing);
        for (int y = 0; y < 77; y++)
            for (int x = 0; x < 90; x++)
                if (input.field("hardness").at(x, y) >= 1 && !is_missing(input.height().at(x, y))) {
                    ASSERT_GE(output.height().at(x, y), input.height().at(x, y)) << x << "," << y;
                }
    }
}

TEST(DropletErosion, AHollowIsFilledAndNotMadeAHill) {
    // A bowl in a plain that slopes to the south.
    auto height = [](int x, int y) {
        const double r = std::hypot(x - 40, y - 40);
        return float(200 - 1.0 * y - (r < 12 ? 20 * (1 - r * r / 144) : 0));
    };
    Terrain input = droplet_land({81, 81}, 8, height);
    Terrain output = after_droplets(input, {{"duration", "40"}});
    auto depth = [](const Field& field) { return double(field.at(40, 54)) - double(field.at(40, 42)); };
    EXPECT_GT(depth(input.height()), 5);
    EXPECT_LT(depth(output.height()), 0.7 * depth(input.height()));
    for (int y = 30; y < 52; y++)
        for (int x = 30; x < 52; x++) EXPECT_LT(output.height().at(x, y), 200 - y + 4) << x << "," << y;
}

// Of a cell, how much it stands above the highest or below the lowest beside it, at most.
std::pair<double, double> needles_and_pits(const Field& field) {
    double needle = 0, pit = 0;
    for (int y = 1; y + 1 < field.rect().bottom; y++)
        for (int x = 1; x + 1 < field.rect().right; x++) {
            double high = -1e30, low = 1e30;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    if (dx == 0 && dy == 0) continue;
                    high = std::max(high, double(field.at(x + dx, y + dy)));
                    low = std::min(low, double(field.at(x + dx, y + dy)));
                }
            needle = std::max(needle, double(field.at(x, y)) - high);
            pit = std::max(pit, low - double(field.at(x, y)));
        }
    return {needle, pit};
}

TEST(DropletErosion, MakesNeitherNeedlesNorPits) {
    Terrain input = droplet_land({160, 140}, 8, [](int x, int y) {
        return float(200 + 80 * std::sin(x * 0.07) * std::cos(y * 0.06) + 20 * std::sin(x * 0.23 + y * 0.19));
    });
    Terrain output = after_droplets(input, {});
    FieldStatistics before = statistics(input.height()), after = statistics(output.height());
    EXPECT_GT(after.mean, before.mean - 20);
    auto [needle, pit] = needles_and_pits(output.height());
    // In cells of 8 m. Summits are left standing above all beside them; on a needle one would stand steeply.
    EXPECT_LT(needle, 0.3 * 8);
    // The basins that fill have a lowest cell each.
    EXPECT_LT(pit, 0.2 * 8);
    EXPECT_LE(after.high, before.high);
    EXPECT_GE(after.low, before.low - 5);
}

TEST(DropletErosion, RainByMapIsRainWhereItFalls) {
    Terrain input = rough_terrain({120, 60}, Holes::none, 8);
    input.set("rain", made_field(input.rect(), [](int x, int) { return x < 20 ? 1.0f : 0.0f; }));
    Terrain output = after_droplets(input, {{"steps", "2"}, {"rain", "@rain:0..0.3"}, {"way", "160"}});
    double wet = 0, dry = 0;
    for (int y = 0; y < 60; y++)
        for (int x = 0; x < 120; x++) {
            const double change =
                std::abs(double(output.height().at(x, y)) - double(input.height().at(x, y)));
            if (x < 20) wet += change;
            if (x > 50) dry += change;
        }
    EXPECT_GT(wet, 1);
    EXPECT_EQ(dry, 0);
}

TEST(DropletErosion, AnotherSeedIsAnotherLandOfTheSameKind) {
    Terrain input = rough_terrain({128, 128}, Holes::none, 8);
    std::vector<double> taken;
    RunContext context = on_cpu();
    context.enter = [&](const LedgerEntry& entry) {
        if (entry.quantity == "rock") taken.push_back(entry.out);
    };
    Terrain one = after_droplets(input, {{"seed", "1"}, {"duration", "10"}}, context);
    Terrain other = after_droplets(input, {{"seed", "2"}, {"duration", "10"}}, context);
    EXPECT_FALSE(identical(one.height(), other.height()));
    EXPECT_NEAR(taken[1] / taken[0], 1, 0.05);
}

TEST(DropletErosion, InCellsOfItsScaleADurationIsSoManySteps) {
    Terrain input = rough_terrain({60, 50}, Holes::some, 8);
    EXPECT_TRUE(identical(after_droplets(input, {{"duration", "7"}}).height(),
                          after_droplets(input, {{"steps", "7"}}).height()));
}

}  // namespace
}  // namespace caprock::test

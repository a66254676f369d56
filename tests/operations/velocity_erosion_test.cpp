// Erosion by velocity fields against a plain scatter of the rules in double precision, and what it promises.
#include "support/devices.h"
#include "support/operations.h"
#include "support/terrains.h"

#include <array>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain after_velocities(const Terrain& input, const Parameters& parameters, RunContext context) {
    return run(*made_operation("velocity-erosion", parameters), input, context);
}
Terrain after_velocities(const Terrain& input, const Parameters& parameters) {
    return after_velocities(input, parameters, on_cpu());
}

// Parcels of water that are thrown from cell to cell, then sediment behind them.
struct ReferenceVelocities {
    Size size;
    double cell = 4;
    std::vector<double> rock, hardness;
    double rain = 0.3, momentum = 16, collision = 0.5, friction = 0.2, capacity = 0.5, deposition = 0.3;
    int moves = 10;
    double taken = 0;
    std::vector<double> passed, east, south, collided;

    size_t at(int x, int y) const { return size_t(y) * size_t(size.width) + size_t(x); }
    bool known(int x, int y) const {
        return x >= 0 && y >= 0 && x < size.width && y < size.height && !std::isnan(rock[at(x, y)]);
    }
    double or_own(int x, int y, size_t own) const { return known(x, y) ? rock[at(x, y)] : rock[own]; }
    std::pair<double, double> slope(int x, int y) const {
        const size_t i = at(x, y);
        return {(or_own(x + 1, y, i) - or_own(x - 1, y, i)) / (2 * cell),
                (or_own(x, y + 1, i) - or_own(x, y - 1, i)) / (2 * cell)};
    }

    struct Share {
        int dx, dy;
        double part;
    };
    // The two of eight directions that one lies between.
    static std::array<Share, 2> shares(double e, double s) {
        const int sx = e > 0 ? 1 : e < 0 ? -1 : 0, sy = s > 0 ? 1 : s < 0 ? -1 : 0;
        const double a = std::abs(e), b = std::abs(s);
        const double diagonal = std::min(a, b) / std::max(a, b);
        return {Share{sx, sy, diagonal}, Share{a >= b ? sx : 0, a >= b ? 0 : sy, 1 - diagonal}};
    }

    void run_water() {
        const double g = 9.81, kept = std::exp(-cell / momentum);
        std::vector<double> moving(rock.size(), 0), u(rock.size(), 0), v(rock.size(), 0);
        for (size_t i = 0; i < rock.size(); i++) moving[i] = std::isnan(rock[i]) ? 0 : rain;
        passed = moving;
        east.assign(rock.size(), 0);
        south = collided = east;
        for (int move = 0; move < moves; move++) {
            std::vector<double> amount(rock.size(), 0), flow_e = amount, flow_s = amount, energy = amount,
                                                        lost = amount;
            for (int y = 0; y < size.height; y++)
                for (int x = 0; x < size.width; x++) {
                    const size_t here = at(x, y);
                    if (moving[here] <= 0) continue;
                    auto [gx, gy] = slope(x, y);
                    const double speed = std::hypot(u[here], v[here]);
                    double e = u[here] * speed - 2 * g * cell * gx;
                    double s = v[here] * speed - 2 * g * cell * gy;
                    const double length = std::hypot(e, s);
                    if (length < 1e-9) continue;
                    e /= length;
                    s /= length;
                    for (const Share& share : shares(e, s)) {
                        if (share.part <= 0 || !known(x + share.dx, y + share.dy)) continue;
                        const size_t there = at(x + share.dx, y + share.dy);
                        const double climbed =
                            speed * speed - 2 * g * std::max(rock[there] - rock[here], 0.0);
                        if (climbed <= 0 && rock[here] < rock[there]) continue;
                        auto [tx, ty] = slope(x + share.dx, y + share.dy);
                        const double steady = 2 * g * momentum * std::max(-(e * tx + s * ty), 0.0);
                        const double after = steady + (climbed - steady) * kept;
                        const double part = share.part * moving[here];
                        amount[there] += part;
                        flow_e[there] += part * std::sqrt(std::max(after, 0.0)) * e;
                        flow_s[there] += part * std::sqrt(std::max(after, 0.0)) * s;
                        energy[there] += part * std::max(after, 0.0);
                        lost[there] += part * std::max(climbed - after, 0.0);
                    }
                }
            for (size_t i = 0; i < rock.size(); i++) {
                moving[i] = amount[i];
                u[i] = amount[i] > 0 ? flow_e[i] / amount[i] : 0;
                v[i] = amount[i] > 0 ? flow_s[i] / amount[i] : 0;
                passed[i] += amount[i];
                east[i] += flow_e[i];
                south[i] += flow_s[i];
                collided[i] +=
                    0.5 * (lost[i] + std::max(energy[i] - amount[i] * (u[i] * u[i] + v[i] * v[i]), 0.0));
            }
        }
    }

    // Twice, as streams have banks; beyond the border is what is at it.
    void widen(std::vector<double>& field) const {
        for (int pass = 0; pass < 2; pass++) {
            std::vector<double> wide(field.size(), 0);
            for (int y = 0; y < size.height; y++)
                for (int x = 0; x < size.width; x++)
                    for (int dy = -1; dy <= 1; dy++)
                        for (int dx = -1; dx <= 1; dx++)
                            if (known(x, y))
                                wide[at(x, y)] += field[at(std::clamp(x + dx, 0, size.width - 1),
                                                           std::clamp(y + dy, 0, size.height - 1))] /
                                                  double(4 << (std::abs(dx) + std::abs(dy)));
            field = wide;
        }
    }

    double rubs(size_t i) const {
        return passed[i] > 0 ? (east[i] * east[i] + south[i] * south[i]) / (passed[i] * 2 * 9.81 * momentum)
                             : 0;
    }

    void step() {
        run_water();
        for (std::vector<double>* field : {&passed, &east, &south, &collided}) widen(*field);
        std::vector<double> sediment(rock.size(), 0), worn = rock;
        auto extreme_beside = [&](int x, int y, bool highest) {
            double most = rock[at(x, y)];
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (known(x + dx, y + dy))
                        most = highest ? std::max(most, rock[at(x + dx, y + dy)])
                                       : std::min(most, rock[at(x + dx, y + dy)]);
            return most;
        };
        for (int y = 0; y < size.height; y++)
            for (int x = 0; x < size.width; x++) {
                const size_t i = at(x, y);
                if (!known(x, y)) continue;
                const double wear =
                    (collision * collided[i] / (9.81 * cell) + friction * rubs(i)) * (1 - hardness[i]);
                sediment[i] = std::min(wear, (rock[i] - extreme_beside(x, y, false)) / 2);
                worn[i] = rock[i] - sediment[i];
                taken += sediment[i];
            }
        rock = worn;
        // Eight more times to all sides.
        for (int move = 0; move < moves + 8; move++) {
            const bool last = move + 1 == moves + 8;
            std::vector<double> settled = rock, load = sediment;
            for (int y = 0; y < size.height; y++)
                for (int x = 0; x < size.width; x++) {
                    const size_t i = at(x, y);
                    if (!known(x, y)) continue;
                    const double excess = std::max(sediment[i] - capacity * rubs(i), 0.0);
                    const double lays =
                        last ? sediment[i]
                             : std::min(deposition * excess, (extreme_beside(x, y, true) - rock[i]) / 2);
                    settled[i] += lays;
                    load[i] -= lays;
                }
            rock = settled;
            sediment = load;
            for (int y = 0; y < size.height; y++)
                for (int x = 0; x < size.width; x++) {
                    const size_t i = at(x, y);
                    if (!known(x, y)) continue;
                    auto send = [&](int dx, int dy, double part) {
                        if (part <= 0 || !known(x + dx, y + dy)) return;
                        sediment[i] -= part * load[i];
                        sediment[at(x + dx, y + dy)] += part * load[i];
                    };
                    if (move >= moves || (east[i] == 0 && south[i] == 0)) {
                        for (int dy = -1; dy <= 1; dy++)
                            for (int dx = -1; dx <= 1; dx++)
                                if (dx != 0 || dy != 0) send(dx, dy, 0.125);
                    } else {
                        for (const Share& share : shares(east[i], south[i]))
                            send(share.dx, share.dy, share.part);
                    }
                }
        }
    }
};

TEST(VelocityErosion, FollowsItsRules) {
    const Size size{41, 37};
    // Without ties: where a cell has no slope at all, a rounding would decide where its water goes.
    Terrain input = rough_terrain(size, Holes::some, 4);
    ReferenceVelocities reference;
    reference.size = size;
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++) {
            reference.rock.push_back(input.height().at(x, y));
            reference.hardness.push_back(input.field("hardness").at(x, y));
        }
    reference.step();
    LedgerEntry rock;
    RunContext context = on_cpu();
    context.enter = [&](const LedgerEntry& entry) {
        if (entry.quantity == "rock") rock = entry;
    };
    Terrain output = after_velocities(input,
                                      {{"steps", "1"},
                                       {"rain", "0.3"},
                                       {"way", "40"},
                                       {"momentum", "16"},
                                       {"collision", "0.5"},
                                       {"friction", "0.2"},
                                       {"capacity", "0.5"},
                                       {"deposition", "0.3"}},
                                      context);
    double most = 0;
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++) {
            const double expected = reference.rock[reference.at(x, y)];
            if (std::isnan(expected)) {
                EXPECT_TRUE(is_missing(output.height().at(x, y)));
                continue;
            }
            ASSERT_NEAR(output.height().at(x, y), expected, 2e-3) << x << "," << y;
            most = std::max(most, std::abs(expected - double(input.height().at(x, y))));
        }
    EXPECT_GT(most, 0.3);
    EXPECT_NEAR(rock.out, 16 * reference.taken, 1e-4 * rock.out);
    EXPECT_NEAR(rock.in, 16 * reference.taken, 1e-4 * rock.out);
}

TEST(VelocityErosion, TheLedgerClosesAndHardRockIsNotDissolved) {
    for (double cell : {8.0, 4.0, 1.5})
        for (Holes holes : {Holes::none, Holes::some}) {
            SCOPED_TRACE(testing::Message() << "cells of " << cell << " m");
            RunContext context = on_cpu();
            std::vector<LedgerEntry> ledger;
            context.enter = [&](const LedgerEntry& entry) { ledger.push_back(entry); };
            Terrain input = rough_terrain({90, 77}, holes, cell);
            Terrain output = after_velocities(input, {{"duration", "6"}}, context);
            ASSERT_EQ(ledger.size(), 2u);
            for (const LedgerEntry& entry : ledger) EXPECT_LT(entry.error(), 1e-6) << entry.quantity;
            EXPECT_GT(ledger[0].moved, 100);
            EXPECT_EQ(statistics(output.height()).missing, statistics(input.height()).missing);
            for (int y = 0; y < 77; y++)
                for (int x = 0; x < 90; x++)
                    if (input.field("hardness").at(x, y) >= 1 && !is_missing(input.height().at(x, y))) {
                        ASSERT_GE(output.height().at(x, y), input.height().at(x, y)) << x << "," << y;
                    }
        }
}

TEST(VelocityErosion, LevelGroundStaysAsItIs) {
    Terrain input = rough_terrain({40, 30});
    input.set("height", Field(input.rect(), 50.0f));
    EXPECT_TRUE(identical(after_velocities(input, {{"duration", "5"}}).height(), input.height()));
    Terrain dry = rough_terrain({40, 30});
    EXPECT_TRUE(identical(after_velocities(dry, {{"rain", "0"}, {"duration", "5"}}).height(), dry.height()));
}

// Where a steep slope ends, water loses what it had gained there: that is where it strikes the ground.
TEST(VelocityErosion, CollisionWearsTheFootOfASlopeAndFrictionTheSlope) {
    Grid grid{Rect::of({80, 40}), 8, {0, 300}};
    Terrain input(grid);
    input.set("height", made_field(grid.extent, [](int x, int) {
                  return x < 30 ? float(300 - 6 * x) : float(120 - 0.4 * (x - 30));
              }));
    const Parameters one = {{"steps", "1"}, {"capacity", "100"}, {"way", "320"}};
    auto lowered = [&](const char* collision, const char* friction, int x) {
        Parameters parameters = one;
        parameters.emplace_back("collision", collision);
        parameters.emplace_back("friction", friction);
        Terrain output = after_velocities(input, parameters);
        return double(input.height().at(x, 20)) - double(output.height().at(x, 20));
    };
    EXPECT_GT(lowered("1", "0", 31), 10 * std::abs(lowered("1", "0", 15)));
    EXPECT_GT(lowered("0", "1", 25), 0);
    EXPECT_GT(lowered("0", "1", 25), lowered("0", "1", 10));
}

}  // namespace
}  // namespace caprock::test

// Droplets by themselves: what they take, lay down and carry away are whole numbers that add up, wherever land begins.
#include "operations/erosion/droplets.h"

#include "base/random.h"
#include "support/fields.h"

#include <gtest/gtest.h>
#include <numeric>

namespace caprock::test {
namespace {

constexpr DropletRules plain_rules{.cell = 4,
                                   .most_steps = 12,
                                   .inertia = 0.2f,
                                   .speed_kept = 0.8,
                                   .speed_gained = 2,
                                   .water_kept = 0.97,
                                   .capacity = 0.5,
                                   .slope_least = 0.01,
                                   .erosion = 0.3,
                                   .deposition = 0.3,
                                   .seed = 5};

Field bumpy_slope(const Rect& rect) {
    return made_field(rect, [](int x, int y) {
        return 500 - 1.1f * float(x) - 0.4f * float(y) +
               6 * float(unit(hashed(9, uint32_t(x + 1000) + uint32_t(y + 1000) * 8192u, 1)));
    });
}

int64_t sum_of(const Droplets::Amounts& amounts) {
    return std::accumulate(amounts.begin(), amounts.end(), int64_t(0),
                           [](int64_t sum, const std::atomic<int64_t>& one) { return sum + one.load(); });
}

void run_on(Droplets& droplets, const Field& height, float rain = 0.2f) {
    Progress progress;
    droplets.run(plain_rules, height, Field(height.rect(), 1.0f), 1, Varying(rain), progress);
}

TEST(Droplets, WhatIsTakenIsLaidDownOrGone) {
    for (const Rect& rect :
         {Rect{0, 0, 90, 70}, Rect{-37, 11, 40, 52}, Rect{0, 0, 1, 1}, Rect{5, 5, 6, 30}}) {
        Droplets droplets;
        run_on(droplets, bumpy_slope(rect));
        EXPECT_EQ(sum_of(droplets.taken()), sum_of(droplets.laid()) + sum_of(droplets.gone()));
        if (rect.width() > 20) {
            EXPECT_GT(sum_of(droplets.taken()), 0);
            EXPECT_GT(sum_of(droplets.gone()), 0) << "some run off over the border";
        }
    }
}

TEST(Droplets, NothingIsTakenWhereNothingFallsOrNoRainComes) {
    Droplets droplets;
    run_on(droplets, Field(Rect::of({40, 40}), 7.0f));
    EXPECT_EQ(sum_of(droplets.taken()), 0);
    run_on(droplets, bumpy_slope(Rect::of({40, 40})), 0.0f);
    EXPECT_EQ(sum_of(droplets.taken()), 0) << "memory of the batch before is used again";
}

// A droplet comes no further than its steps, so cells further than two ways from the border are the same in a part of the land.
TEST(Droplets, APartOfTheLandHasTheSameDroplets) {
    const Rect all{0, 0, 120, 100}, part{23, 17, 101, 93};
    Droplets of_all, of_part;
    const Field height = bumpy_slope(all);
    run_on(of_all, height);
    run_on(of_part, height.cropped(part));
    const int far = 2 * plain_rules.most_steps + 2;
    int changed = 0;
    for (int y = part.top + far; y < part.bottom - far; y++)
        for (int x = part.left + far; x < part.right - far; x++) {
            const auto whole = size_t(y - all.top) * size_t(all.width()) + size_t(x - all.left);
            const auto cropped = size_t(y - part.top) * size_t(part.width()) + size_t(x - part.left);
            ASSERT_EQ(of_all.taken()[whole].load(), of_part.taken()[cropped].load()) << x << "," << y;
            ASSERT_EQ(of_all.laid()[whole].load(), of_part.laid()[cropped].load()) << x << "," << y;
            changed += of_all.taken()[whole].load() > 0;
        }
    EXPECT_GT(changed, 100);
}

TEST(Droplets, AUnitIsFineEnoughForFloatsAndCoarseEnoughForSums) {
    // Two hundred cells of height in units fit into 32 bits, for cells of any size.
    for (double cell : {0.01, 0.7, 4.0, 90.0, 5000.0}) {
        DropletRules rules;
        rules.cell = cell;
        EXPECT_LT(200 * cell / rules.unit(), 4294967296.0) << cell;
        EXPECT_LT(rules.unit(), cell * 1e-6) << cell;
    }
}

}  // namespace
}  // namespace caprock::test

#include "terrain/quantity.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace caprock::test {
namespace {

TEST(Quantity, EveryNameIsThereOnce) {
    std::set<std::string_view> names;
    int grounds = 0;
    for (const Quantity& quantity : quantities()) {
        EXPECT_TRUE(names.insert(quantity.name).second) << quantity.name;
        EXPECT_EQ(&quantity_of(quantity.name), &quantity);
        EXPECT_EQ(quantity_spelled(quantity.name), &quantity);
        EXPECT_LT(quantity.limits.low, quantity.limits.high) << quantity.name;
        EXPECT_LT(quantity.shown.low, quantity.shown.high) << quantity.name;
        // What is never mixed cannot be painted in a mode that mixes.
        if (quantity.is_index) {
            EXPECT_EQ(quantity.painted, "replace") << quantity.name;
        }
        grounds += quantity.is_ground;
    }
    EXPECT_EQ(grounds, 1);
    EXPECT_TRUE(ground_quantity().is_ground);
}

TEST(Quantity, AnyOtherNameIsAMask) {
    for (const char* name : {"forest", "mask", "", "heights", "Height"}) {
        const Quantity& quantity = quantity_of(name);
        EXPECT_EQ(quantity.name, "mask") << name;
        EXPECT_TRUE(quantity.is_share()) << name;
        EXPECT_FALSE(quantity.is_ground || quantity.is_index) << name;
    }
}

TEST(Quantity, FilesMaySpellThemInCapitals) {
    EXPECT_EQ(quantity_spelled("HEIGHT"), &ground_quantity());
    EXPECT_EQ(quantity_spelled("Hardness"), &quantity_of("hardness"));
    EXPECT_EQ(quantity_spelled("elevation"), nullptr);
    EXPECT_EQ(quantity_spelled(""), nullptr);
}

// Recipes of today name seeds: what they make depends on this.
TEST(Quantity, HeightsHaveTheUsersSeedAndOthersTheirOwn) {
    EXPECT_EQ(seed_for(7, "height"), 7u);
    std::set<uint32_t> seeds = {7};
    for (const char* field : {"hardness", "solubility", "material", "mask", "forest"})
        EXPECT_TRUE(seeds.insert(seed_for(7, field)).second) << field;
}

}  // namespace
}  // namespace caprock::test

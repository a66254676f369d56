#include "operation/number.h"

#include "base/error.h"
#include "support/fields.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

TEST(NumberMap, IsWrittenAsItWasRead) {
    for (const char* text :
         {"@rock", "@rock:20..45", "@rock:45..20", "@rock:-1.5..0.1", "@rock.tif", "@rock.tif:0..1",
          "@rock.tif:hardness", "@rock.tif:hardness:20..45", "@a/b c/rock.tif:1:0..1", "@../rock:0..1"})
        EXPECT_EQ(NumberMap::parsed(text).text(), text);
}

TEST(NumberMap, KnowsAFieldFromAFile) {
    const NumberMap field = NumberMap::parsed("@rock:20..45");
    EXPECT_EQ(field.field(), "rock");
    EXPECT_EQ(field.file(), "");
    EXPECT_EQ(field.interval->low, 20);
    EXPECT_EQ(field.interval->high, 45);
    const NumberMap file = NumberMap::parsed("@maps/rock.tif:hardness");
    EXPECT_EQ(file.file(), "maps/rock.tif");
    EXPECT_EQ(file.field_of_file(), "hardness");
    EXPECT_FALSE(file.interval);
    // No field of a terrain has that name, so nothing of a terrain is meant.
    EXPECT_EQ(file.field(), "@maps/rock.tif:hardness");
}

TEST(NumberMap, WhatIsNoneIsRefused) {
    for (const char* text :
         {"rock", "@", "@:", "@rock:", "@rock:hardness", "@:0..1", "@rock.tif:", "@rock:1..2:3..4"})
        EXPECT_THROW(NumberMap::parsed(text), Error) << text;
}

TEST(NumberMap, SpreadsItsEndsOverTheInterval) {
    const NumberMap map = NumberMap::parsed("@rock:20..45");
    const Interval unit{0, 1}, range{0, 85};
    EXPECT_EQ(map.number_at(0, unit, 33, range), 20);
    EXPECT_EQ(map.number_at(1, unit, 33, range), 45);
    EXPECT_EQ(map.number_at(0.5f, unit, 33, range), 32.5);
    // Nothing beyond its ends, and the usual number where nothing is known.
    EXPECT_EQ(map.number_at(-3, unit, 33, range), 20);
    EXPECT_EQ(map.number_at(7, unit, 33, range), 45);
    EXPECT_EQ(map.number_at(missing, unit, 33, range), 33);
    // Heights are between the ends of their range.
    EXPECT_EQ(map.number_at(750, {500, 1000}, 33, range), 32.5);
    // Turned round.
    EXPECT_EQ(NumberMap::parsed("@rock:45..20").number_at(0, unit, 33, range), 45);
}

TEST(NumberMap, WithoutAnIntervalCellsAreTheNumbers) {
    const NumberMap map = NumberMap::parsed("@depth");
    EXPECT_EQ(map.number_at(12.5f, {0, 1}, 1, Interval{0, 100}), 12.5);
    EXPECT_EQ(map.number_at(-1, {0, 1}, 1, Interval{0, 100}), 0);
    EXPECT_EQ(map.number_at(1000, {0, 1}, 1, Interval{0, 100}), 100);
    EXPECT_EQ(map.number_at(1000, {0, 1}, 1, std::nullopt), 1000);
}

TEST(Number, KnowsWhatItCanBe) {
    EXPECT_EQ(Number(4).everywhere(), 4);
    EXPECT_TRUE(Number(0).is(0));
    const Number by_map = NumberMap::parsed("@rock:45..20");
    EXPECT_FALSE(by_map.is(0));
    EXPECT_THROW(by_map.everywhere(), std::logic_error);
    EXPECT_EQ(by_map.bounds({0, 30}).low, 20);
    EXPECT_EQ(by_map.bounds({0, 30}).high, 30);
    EXPECT_EQ(Number(NumberMap::parsed("@rock")).bounds({0, 30}).high, 30);
}

}  // namespace
}  // namespace caprock::test

// Numbers by map as operations have them.
#include "base/error.h"
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

TEST(NumbersByMap, AreReadAndFieldsOfTheOperation) {
    std::unique_ptr<Operation> erosion = make_operation("thermal-erosion");
    EXPECT_EQ(erosion->fields().inputs, std::vector<std::string>{"height"});
    erosion->set_text("talus", "@rock:20..45");
    EXPECT_EQ(erosion->value_text("talus"), "@rock:20..45");
    EXPECT_EQ(erosion->fields().inputs, (std::vector<std::string>{"rock", "height"}));
    // One that is there anyway is read once.
    erosion->set_text("talus", "@hardness:20..45");
    EXPECT_EQ(erosion->fields().inputs, (std::vector<std::string>{"hardness", "height"}));
    EXPECT_TRUE(erosion->fields().optional_inputs.empty());
    erosion->set("talus", 30.0);
    EXPECT_EQ(erosion->value_text("talus"), "30");
    EXPECT_EQ(erosion->fields().optional_inputs, std::vector<std::string>{"hardness"});
}

TEST(NumbersByMap, AreOneNumberWhereTheDeclarationSaysSo) {
    try {
        make_operation("noise")->set_text("octaves", "@rock:1..9");
        FAIL() << "took a map";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "octaves @rock:1..9: must be 1 to 32; it is one number for all the land");
    }
}

TEST(NumbersByMap, HeightsAreSpreadOverTheirRange) {
    // Range 0 to 300.
    Terrain terrain = rough_terrain({40, 30});
    Terrain shares = terrain;
    Field share(terrain.rect());
    for (int y = 0; y < 30; y++)
        for (int x = 0; x < 40; x++) share.set(x, y, terrain.height().at(x, y) / 300);
    shares.set("share", share);
    const Terrain by_height = applied("gradation", {{"erosion", "@height:0..1"}}, terrain);
    const Terrain by_share = applied("gradation", {{"erosion", "@share:0..1"}}, shares);
    for (int y = 0; y < 30; y++)
        for (int x = 0; x < 40; x++)
            ASSERT_NEAR(by_height.height().at(x, y), by_share.height().at(x, y), 1e-3f);
}

}  // namespace
}  // namespace caprock::test

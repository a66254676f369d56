// Pictures in three dimensions from the command line.
#include "cli/command_line.h"

using namespace caprock::test;

class SceneCommand : public CommandLine {
  protected:
    void SetUp() override { done("noise --size 48x40 then noise --field hardness --seed 3 -o a.tif"); }

    bool is_picture(const std::string& file) { return file_text(folder_ / file).starts_with("\x89PNG"); }
};

TEST_F(SceneCommand, PaintsBySchemesAndMaterials) {
    done("render a.tif --view 3d --size 96x64 -o materials.png");
    EXPECT_TRUE(is_picture("materials.png"));
    done(
        "render a.tif:hardness --view 3d --size 240x160 --scheme verdant --legend --contours auto --grid 100 "
        "-o b.png");
    EXPECT_TRUE(is_picture("b.png"));
    done(
        "render a.tif --view 3d --size 96x64 --scheme earth --sea --sea-level 400 --camera 100,400,900,0,-30 "
        "-o c.png");
    EXPECT_TRUE(is_picture("c.png"));
}

TEST_F(SceneCommand, MaterialsFromAFile) {
    write_text(folder_ / "mine.json",
               R"({"caprock-materials": 1, "layers": [{"name": "sand", "texture": "sand"}]})");
    done("render a.tif --view 3d --size 64x48 --materials mine.json -o a.png");
    EXPECT_TRUE(is_picture("a.png"));
    write_text(folder_ / "wrong.json",
               R"({"caprock-materials": 1, "layers": [{"name": "sand", "texture": "cheese"}]})");
    refused("render a.tif --view 3d --materials wrong.json -o b.png", {"wrong.json", "cheese"});
    refused("render a.tif --view 3d --materials moon -o b.png", {"moon"});
}

TEST_F(SceneCommand, ATurntableIsManyPictures) {
    done("render a.tif --view 3d --size 64x48 --scheme earth --turntable 3 -o turn.png");
    EXPECT_EQ(folder_.names(),
              (std::set<std::string>{"a.tif", "turn-0001.png", "turn-0002.png", "turn-0003.png"}));
    EXPECT_NE(file_text(folder_ / "turn-0001.png"), file_text(folder_ / "turn-0002.png"));
    refused("render a.tif a.tif --view 3d --turntable 3 -o b.png", {"one terrain"});
    refused("render a.tif --view 3d --turntable 3 --camera 1,2,3,4,5 -o b.png", {"--orbit"});
}

TEST_F(SceneCommand, FromABookmarkOfADocument) {
    done("document new mesa.caprock --from a.tif --quiet");
    std::string draw = "render mesa.caprock --view 3d --size 96x64 --scheme earth ";
    refused(draw + "--bookmark Summit -o b.png", {"no bookmarks", "mesa.caprock.bookmarks.json", "Ctrl+B"});
    write_text(folder_ / "mesa.caprock.bookmarks.json", R"({"caprock-bookmarks": 1, "bookmarks": [
        {"name": "Summit", "position": [100, 400, 900], "heading": 10, "pitch": -30, "field-of-view": 50},
        {"name": "Far away", "position": [-500, 900, 900], "heading": 45, "pitch": -20, "field-of-view": 40}]})");
    done(draw + "--bookmark Summit -o a.png");
    done(draw + "--camera 100,400,900,10,-30,50 -o camera.png");
    EXPECT_EQ(file_text(folder_ / "a.png"), file_text(folder_ / "camera.png"));
    EXPECT_EQ(caprock({"render", "mesa.caprock", "--view", "3d", "--size", "96x64", "--scheme", "earth",
                       "--bookmark", "Far away", "-o", "far.png"})
                  .code,
              0);
    EXPECT_NE(file_text(folder_ / "a.png"), file_text(folder_ / "far.png"));
    // What is cropped away on the left moves the corner from which pictures are counted.
    done("document crop mesa.caprock --size 40x30 --at 8,10 --quiet");
    done(draw + "--bookmark Summit -o a.png");
    double cell = info("a.tif")["cell"];
    done(draw + "--camera " + std::to_string(100 - 8 * cell) + "," + std::to_string(400 - 10 * cell) +
         ",900,10,-30,50 -o camera.png");
    EXPECT_EQ(file_text(folder_ / "a.png"), file_text(folder_ / "camera.png"));

    refused(draw + "--bookmark Valley -o b.png", {"mesa.caprock", "Valley", "'Summit'", "'Far away'"});
    refused(draw + "--bookmark Summit --camera 1,2,3,4,5 -o b.png", {"--camera", "--bookmark"});
    refused(draw + "--bookmark Summit --turntable 3 -o b.png", {"--orbit", "--bookmark"});
    refused("render a.tif --view 3d --bookmark Summit -o b.png", {"a.tif", "documents"});
    refused("render mesa.caprock --bookmark Summit -o b.png", {"--bookmark", "--view 3d"});
    write_text(folder_ / "mesa.caprock.bookmarks.json", "{");
    refused(draw + "--bookmark Summit -o b.png", {"mesa.caprock.bookmarks.json"});
}

TEST_F(SceneCommand, SeveralAreASheet) {
    done("render --sheet a.tif a.tif:hardness --view 3d --scheme grey --size 64x48 -o sheet.png");
    EXPECT_TRUE(is_picture("sheet.png"));
}

TEST_F(SceneCommand, WhatCannotBeMeantIsRefused) {
    refused("render a.tif --orbit 1,2,3 -o b.png", {"--orbit", "--view 3d"});
    refused("render a.tif --view 3d --crisp -o b.png", {"--crisp", "--view map"});
    refused("render a.tif --view 3d --orbit 1 -o b.png", {"orbit", "AZIMUTH"});
    refused("render a.tif --view 3d --orbit 1,95 -o b.png", {"orbit", "90"});
    refused("render a.tif --view 3d --camera 1,2 -o b.png", {"camera", "X,Y,Z"});
    refused("render a.tif --view 3d --slope-limits 30:20 -o b.png", {"slope-limits"});
    refused("render a.tif --view 3d --water -o b.png", {"water"});
    refused("render a.tif --view 3d --size 30000x30000 --scheme grey -o b.png", {"30000"});
    refused("render a.tif --view 4d -o b.png", {"4d", "map", "3d"});
}

TEST_F(SceneCommand, WithoutOpenGlThereIsTheMap) {
    Outcome outcome = caprock("render a.tif --view 3d --size 96x64 -o a.png",
                              {{"__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent"}});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_TRUE(contains(outcome.err, "OpenGL")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "map instead")) << outcome.err;
    done("render a.tif --size 96x64 -o map.png");
    EXPECT_EQ(file_text(folder_ / "a.png"), file_text(folder_ / "map.png"));
}

// Documents from the command line: every command, and that what it says and writes is right.
#include "cli/command_line.h"

#include <algorithm>
#include <chrono>
#include <fstream>

using namespace caprock::test;

namespace {

class Documents : public CommandLine {
  protected:
    // What 'document' prints with these words; the project is called a.caprock.
    std::string document(const std::string& command, const std::string& rest = "") {
        return done("document " + command + " a.caprock " + rest);
    }
    // Without ground: the first layer is number 1.
    void make(const std::string& options = "--size 96x80 --cell 10 --range 0:400") {
        document("new", options + " --no-ground");
    }
    // Hills below ridges below weathering.
    void make_three() {
        make();
        document("add", "noise --seed 1 --feature 300 --name Hills");
        document("add", "noise --seed 2 --kind ridged --feature 200 --name Ridges --mode max --opacity 0.5");
        document("add", "thermal-erosion --steps 4 --name Weathering");
    }
    std::string fingerprint(const std::string& path = "a.caprock") { return fingerprint_of(path); }
    nlohmann::json list(const std::string& path = "a.caprock") {
        return nlohmann::json::parse(done("document list --json " + path))["layers"];
    }
    nlohmann::json shown(const std::string& layer, const std::string& path = "a.caprock") {
        return nlohmann::json::parse(done("document show --json " + path + " " + layer));
    }
    // Names from the top, groups before what is in them.
    std::vector<std::string> names() {
        std::vector<std::string> all;
        std::function<void(const nlohmann::json&)> add = [&](const nlohmann::json& layers) {
            for (const nlohmann::json& layer : layers) {
                all.push_back(layer["name"]);
                add(layer["layers"]);
            }
        };
        add(list());
        return all;
    }
    // Read as a terrain, which the program remarks upon.
    std::vector<int> picture_size(const std::string& path) {
        return nlohmann::json::parse(caprock("info --json " + path).out)["size"];
    }
    nlohmann::json history() { return nlohmann::json::parse(document("history", "--json")); }
};

using Names = std::vector<std::string>;

}  // namespace

// ---- making and looking ----------------------------------------------------------------------------------

TEST_F(Documents, NewHasAGridAndLevelGround) {
    EXPECT_EQ(document("new", "--size 96x80 --cell 10 --range -5:400"), "");
    nlohmann::json json = info("a.caprock");
    EXPECT_EQ(json["size"], (std::vector<int>{96, 80}));
    EXPECT_EQ(json["cell"], 10);
    EXPECT_EQ(json["range"], (std::vector<double>{-5, 400}));
    EXPECT_EQ(json["document"]["layers"], 1);
    EXPECT_EQ(json["fields"][0]["lowest"], -5);
    EXPECT_EQ(json["fields"][0]["highest"], -5);
    EXPECT_EQ(json["fields"][0]["missing"], 0);
    EXPECT_EQ(names(), Names{"Flat ground"});
    EXPECT_EQ(shown("1")["settings"]["height"], "-5");
    EXPECT_TRUE(contains(document("list"), "96 x 80 cells of 10 m, range -5:400 m"));
    // Nothing else is left in the folder.
    EXPECT_EQ(folder_.names(), std::set<std::string>{"a.caprock"});
    // It is a layer like others, and something to paint on and to add to at once.
    caprock(Names{"paint", "a.caprock", "--brush", "raise", "--stroke", "300,300 600,300"});
    document("add", "noise --mode add --name Bumps --range 0:30");
    json = info("a.caprock");
    EXPECT_EQ(json["fields"][0]["missing"], 0);
    EXPECT_GT(json["fields"][0]["highest"], 20);
}

TEST_F(Documents, WithoutGroundThereIsNothing) {
    make("--size 96x80 --cell 10 --range -5:400");
    nlohmann::json json = info("a.caprock");
    EXPECT_EQ(json["document"]["layers"], 0);
    EXPECT_EQ(json["document"]["steps"], 0);
    EXPECT_EQ(json["fields"][0]["missing"], 96 * 80);
    EXPECT_TRUE(contains(document("list"), "no layers"));
    // Nothing can be written and drawn like anything else.
    done("info a.caprock");
    done("run a.caprock -o a.tif -o a.r32 -o a.asc");
    EXPECT_EQ(info("a.tif")["fields"][0]["missing"], 96 * 80);
    done("render a.caprock -o a.png");
    done("render a.caprock --level 2 -o b.png");
    done("a.caprock then smooth then thermal-erosion --steps 2 -o b.tif");
    EXPECT_EQ(info("b.tif")["fields"][0]["missing"], 96 * 80);
    document("thumbnail");
    // What is added has nothing to be added to, and the user is told.
    Outcome outcome = caprock("document add a.caprock noise --mode add --name Bumps");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_TRUE(contains(outcome.err, "layer 1 (Bumps): it stands on nothing, and in the mode add"))
        << outcome.err;
    document("add", "plane --height 7 --bottom");
    EXPECT_EQ(info("a.caprock")["fields"][0]["missing"], 0);
    refused("document new b.caprock --from a.tif --no-ground", {"--ground is for new grids"});
    refused("document new b.caprock --size 8 --fill-holes", {"--fill-holes is for --from"});
}

// A file with holes: what it does not know, the document does not know either, and says so.
TEST_F(Documents, HolesOfAFileStayAndFillingIsOffered) {
    write_text(folder_ / "b.asc",
               "ncols 6\nnrows 5\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n"
               "1 2 3 4 5 6\n5 6 -9999 -9999 9 9\n9 10 -9999 -9999 12 13\n4 4 -9999 3 3 3\n7 7 7 7 7 7\n");
    nlohmann::json file = info("b.asc");
    ASSERT_EQ(file["fields"][0]["missing"], 5);
    Outcome outcome = caprock("document new a.caprock --from b.asc");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "5 cells of 'b.asc' are missing")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "'caprock document add a.caprock fill-holes --above 1'"))
        << outcome.err;
    EXPECT_EQ(info("a.caprock")["fields"], file["fields"]);
    done("run a.caprock -o a.tif");
    EXPECT_EQ(info("a.tif")["fields"], file["fields"]);
    // A layer on top is what the chain is.
    document("add", "thermal-erosion --steps 3 --talus 5");
    done("b.asc then thermal-erosion --steps 3 --talus 5 -o c.tif");
    EXPECT_EQ(fingerprint(), fingerprint_of("c.tif"));
    document("undo");
    // As it was told, and at once.
    document("add", "fill-holes --above 1");
    done("b.asc then fill-holes -o d.tif");
    EXPECT_EQ(fingerprint(), fingerprint_of("d.tif"));
    outcome = caprock("document new e.caprock --from b.asc --fill-holes");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_FALSE(contains(outcome.err, "missing")) << outcome.err;
    EXPECT_EQ(fingerprint("e.caprock"), fingerprint_of("d.tif"));
    EXPECT_EQ(list("e.caprock").size(), 2u);
    done("document undo e.caprock");
    EXPECT_EQ(info("e.caprock")["fields"], file["fields"]);
    // On other land, that is seen in the holes.
    outcome = caprock("document import e.caprock b.asc --name Again");
    EXPECT_TRUE(contains(outcome.err, "what lies below is seen there")) << outcome.err;
    EXPECT_EQ(info("e.caprock")["fields"], file["fields"]);
}

TEST_F(Documents, NewFromAFileIsThatFile) {
    done("noise --size 70x50 --cell 3 --range 10:60 then noise --field hardness --feature 40 -o hills.tif");
    document("new", "--from hills.tif");
    nlohmann::json json = info("a.caprock");
    nlohmann::json file = info("hills.tif");
    EXPECT_EQ(json["size"], file["size"]);
    EXPECT_EQ(json["cell"], file["cell"]);
    EXPECT_EQ(json["range"], file["range"]);
    EXPECT_EQ(json["fields"], file["fields"]);
    nlohmann::json layers = list();
    ASSERT_EQ(layers.size(), 1u);
    EXPECT_EQ(layers[0]["kind"], "imported");
    EXPECT_EQ(layers[0]["name"], "hills");
    EXPECT_EQ(layers[0]["file"], "hills.tif");
    EXPECT_EQ(layers[0]["fields"], (Names{"height", "hardness"}));
}

TEST_F(Documents, TheListIsATreeFromTheTop) {
    make_three();
    document("group", "Hills Ridges --name Land");
    document("mask", "Weathering mask-slope --between 10:40");
    document("set", "Land --opacity 0.25 --locked");
    document("set", "Ridges --no-visible --move 100,-50");
    EXPECT_EQ(names(), (Names{"Weathering", "Land", "Ridges", "Hills"}));
    std::vector<std::string> lines = lines_of(document("list"));
    ASSERT_EQ(lines.size(), 6u);
    EXPECT_TRUE(contains(lines[2], "3  Weathering"));
    EXPECT_TRUE(contains(lines[2], "adjustment"));
    EXPECT_TRUE(contains(lines[2], "mask-slope"));
    EXPECT_TRUE(contains(lines[2], "thermal-erosion"));
    EXPECT_TRUE(contains(lines[3], "4  Land"));
    EXPECT_TRUE(contains(lines[3], "0.25"));
    EXPECT_TRUE(contains(lines[3], "locked"));
    EXPECT_TRUE(contains(lines[4], "2    Ridges"));
    EXPECT_TRUE(contains(lines[4], "max"));
    EXPECT_TRUE(contains(lines[4], "hidden,placed"));
    EXPECT_TRUE(contains(lines[5], "1    Hills"));
    nlohmann::json layers = list();
    EXPECT_EQ(layers[0]["mask"]["operations"], Names{"mask-slope"});
    EXPECT_EQ(layers[1]["locked"], true);
    EXPECT_EQ(layers[1]["layers"][0]["visible"], false);
    EXPECT_EQ(layers[1]["layers"][0]["mode"], "max");
    EXPECT_EQ(layers[1]["layers"][1]["operations"], Names{"noise"});
    EXPECT_TRUE(layers[1]["mask"].is_null());
}

TEST_F(Documents, ShowHasEverySettingUnderANameThatSetTakes) {
    make();
    document("add", "noise --octaves 3 --field height then noise --octaves 7 --field hardness --name Two");
    document("mask", "Two mask-height then mask-feather");
    std::string text = document("show", "Two");
    for (const char* part : {"--name", "Two", "--opacity", "0 to 1", "--octaves", "--2.octaves", "--1.field",
                             "--2.field", "--mask1.between", "--mask2.radius", "what the layer is called"})
        EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
    nlohmann::json settings = shown("Two")["settings"];
    EXPECT_EQ(settings["octaves"], "3");
    EXPECT_EQ(settings["2.octaves"], "7");
    EXPECT_EQ(settings["1.field"], "height");
    EXPECT_EQ(settings["2.field"], "hardness");
    // Each is taken back as it stands there, and nothing changes by that.
    std::string before = document("export-layers");
    for (const auto& [name, value] : settings.items()) {
        std::string text_of = value;
        Outcome outcome = caprock(
            Names{"document", "set", "a.caprock", "Two", "--no-thumbnail", "--" + name + "=" + text_of});
        if (text_of.empty() && name != "field" && name != "weights") continue;
        EXPECT_EQ(outcome.code, 0) << name << " " << outcome.err;
    }
    EXPECT_EQ(document("export-layers"), before);
}

// ---- layers ----------------------------------------------------------------------------------------------

TEST_F(Documents, ALayerIsWhatTheChainIs) {
    make("--size 96x80 --cell 10 --range 0:400");
    EXPECT_EQ(document("add", "noise --seed 3 then normalise then thermal-erosion --steps 5"),
              "layer 1 (noise, normalise, thermal-erosion)\n");
    done(
        "noise --seed 3 --size 96x80 --cell 10 --range 0:400 then normalise then thermal-erosion --steps 5 "
        "-o b.tif");
    EXPECT_EQ(fingerprint(), fingerprint_of("b.tif"));
    done("run a.caprock -o c.tif");
    EXPECT_EQ(fingerprint_of("c.tif"), fingerprint_of("b.tif"));
    EXPECT_EQ(info("c.tif")["range"], info("b.tif")["range"]);
}

TEST_F(Documents, AddPutsLayersWhereTheyBelong) {
    make_three();
    document("add", "noise --name A --above Hills");
    document("add", "noise --name B --bottom");
    document("group", "--name G");
    document("add", "noise --name C --inside G");
    document("add", "noise --name D --inside G --bottom");
    EXPECT_EQ(names(), (Names{"G", "C", "D", "Weathering", "Ridges", "A", "Hills", "B"}));
    document("move", "Hills --inside G");
    document("move", "B --top");
    document("move", "Weathering --bottom");
    EXPECT_EQ(names(), (Names{"B", "G", "Hills", "C", "D", "Ridges", "A", "Weathering"}));
    document("ungroup", "G");
    document("move", "Ridges --above B");
    EXPECT_EQ(names(), (Names{"Ridges", "B", "Hills", "C", "D", "A", "Weathering"}));
    document("remove", "C D Ridges");
    EXPECT_EQ(names(), (Names{"B", "Hills", "A", "Weathering"}));
}

TEST_F(Documents, PresetsAndRecipesBecomeLayers) {
    document("new", "--size 64 --cell 8 --range 0:1000");
    EXPECT_EQ(document("add", "hills --seed 9 --mode add"), "layer 2 (Rounded hills between valleys)\n");
    nlohmann::json layer = shown("2");
    EXPECT_EQ(layer["settings"]["seed"], "9");
    EXPECT_EQ(layer["mode"], "add");
    // Its heights are what they are there.
    EXPECT_EQ(layer["settings"]["range"], "0:500");
    EXPECT_EQ(layer["operations"], (Names{"noise", "normalise", "smooth"}));
    done("noise --size 32 --seed 4 --octaves 2 then smooth --radius 20 --save-recipe mine.json");
    document("add", "mine.json --name Mine --opacity 0.5 --range 0:50");
    EXPECT_EQ(shown("Mine")["settings"]["octaves"], "2");
    EXPECT_EQ(shown("Mine")["settings"]["range"], "0:50");
    document("operations", "Mine noise --octaves 5");
    EXPECT_EQ(shown("Mine")["operations"], Names{"noise"});
    EXPECT_EQ(shown("Mine")["settings"]["octaves"], "5");
    EXPECT_EQ(shown("Mine")["opacity"], 0.5);
}

TEST_F(Documents, SettingsOfANewLayer) {
    make();
    document("add",
             "noise --seed 3 --name Placed --mode smooth-max --softness 5 --range 0:100 --move 100,-50 "
             "--rotate 30 --scale 0.5 --no-visible --locked");
    nlohmann::json settings = shown("Placed")["settings"];
    EXPECT_EQ(settings["mode"], "smooth-max");
    EXPECT_EQ(settings["softness"], "5");
    EXPECT_EQ(settings["range"], "0:100");
    EXPECT_EQ(settings["move"], "100,-50");
    EXPECT_EQ(settings["rotate"], "30");
    EXPECT_EQ(settings["scale"], "0.5");
    EXPECT_EQ(settings["visible"], "false");
    EXPECT_EQ(settings["locked"], "true");
}

TEST_F(Documents, PaintedLayersAndMasks) {
    make_three();
    std::string before = fingerprint();
    document("add", "painted --name Strokes --mode add");
    document("add", "painted --field hardness");
    EXPECT_EQ(names()[0], "Painted hardness");
    EXPECT_EQ(list()[0]["fields"], Names{"hardness"});
    // Where nobody painted, what is below stays.
    EXPECT_EQ(fingerprint(), before);
    document("remove", "Strokes");
    document("mask", "Ridges --painted 0");
    EXPECT_NE(fingerprint(), before);
    document("mask", "Ridges --painted 1");
    EXPECT_EQ(fingerprint(), before);
    document("set", "Ridges --invert-mask");
    EXPECT_NE(fingerprint(), before);
    document("mask", "Ridges --none");
    EXPECT_EQ(fingerprint(), before);
}

TEST_F(Documents, GeneratedMasksSeeWhatLiesBelow) {
    make_three();
    std::string before = fingerprint();
    document("mask", "Ridges mask-height --between 0:150 --softness 10 then mask-feather --radius 30");
    EXPECT_NE(fingerprint(), before);
    document("set", "Ridges --mask1.between -100:100000");
    EXPECT_EQ(fingerprint(), before);
    document("set", "Ridges --invert-mask");
    document("set", "Weathering --no-visible");
    done("noise --seed 1 --feature 300 --size 96x80 --cell 10 --range 0:400 -o b.tif");
    EXPECT_EQ(fingerprint(), fingerprint_of("b.tif"));
}

TEST_F(Documents, LayersByNumberAndByName) {
    make_three();
    document("set", "2 --name Crests");
    document("set", "crests --opacity 1");
    document("set", "CRESTS --opacity 0.75");
    EXPECT_EQ(shown("2")["opacity"], 0.75);
    document("duplicate", "Crests");
    EXPECT_EQ(names(), (Names{"Weathering", "Crests copy", "Crests", "Hills"}));
    document("set", "4 --name CRESTS");
    // As it is written, it is one of them.
    document("set", "CRESTS --opacity 0.1");
    EXPECT_EQ(shown("4")["opacity"], 0.1);
    refused("document show a.caprock cresTs", {"2 layers are called 'cresTs'", "2 (Crests)", "4 (CRESTS)"});
    refused("document show a.caprock Crest", {"no layer 'Crest'", "did you mean"});
    refused("document show a.caprock 17", {"no layer '17'", "1 (Hills)", "3 (Weathering)"});
    document("set", "1 --name 3");
    EXPECT_EQ(shown("3")["name"], "Weathering");
    caprock(Names{"document", "set", "a.caprock", "1", "--name", "Große Hügel"});
    EXPECT_EQ(caprock(Names{"document", "show", "a.caprock", "Große Hügel"}).code, 0);
}

TEST_F(Documents, SeveralSettingsAreOneStep) {
    make_three();
    std::string before = fingerprint();
    document("set", "Hills --octaves 3 --seed 9 --opacity 0.5");
    EXPECT_EQ(history().size(), 4u);
    EXPECT_TRUE(contains(history()[0]["title"], "octaves, seed, opacity"));
    EXPECT_NE(fingerprint(), before);
    // All or nothing.
    refused("document set a.caprock Hills --octaves 4 --opacity 7", {"opacity 7", "0 to 1"});
    EXPECT_EQ(shown("Hills")["settings"]["octaves"], "3");
    document("undo");
    EXPECT_EQ(fingerprint(), before);
}

TEST_F(Documents, LockedLayersStayAsTheyAre) {
    make_three();
    document("set", "Hills --locked");
    for (const char* line :
         {"set a.caprock Hills --opacity 0.5", "remove a.caprock Hills", "move a.caprock Hills --top",
          "mask a.caprock Hills mask-slope", "mask a.caprock Hills --none",
          "operations a.caprock Hills noise", "rasterise a.caprock Hills", "merge a.caprock Ridges",
          "collapse a.caprock all", "group a.caprock Hills Ridges"})
        refused("document " + std::string(line), {"layer 1 (Hills) is locked"});
    EXPECT_EQ(history().size(), 4u);
    document("set", "Hills --no-locked --opacity 0.5");
    EXPECT_EQ(shown("Hills")["opacity"], 0.5);
}

// A layer that cannot work is in the document all the same, and the user is told.
TEST_F(Documents, ALayerWithoutEffectIsTold) {
    make();
    Outcome outcome = caprock("document add a.caprock mask-invert --name Odd");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_TRUE(contains(outcome.err, "note: layer 1 (Odd)")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "no effect")) << outcome.err;
    // Once, by the command that did it; and whenever it is computed.
    EXPECT_EQ(document("set", "Odd --opacity 0.5"), "");
    EXPECT_TRUE(contains(caprock("info a.caprock").err, "layer 1 (Odd)"));
    EXPECT_EQ(caprock("document add a.caprock mask-invert --name Other --quiet").err, "");
}

// ---- flattening ------------------------------------------------------------------------------------------

TEST_F(Documents, FlatteningChangesNothingToBeSeen) {
    make_three();
    std::string before = fingerprint();
    EXPECT_EQ(document("rasterise", "Ridges"), "layer 2 (Ridges)\n");
    EXPECT_EQ(list()[1]["kind"], "painted");
    EXPECT_EQ(fingerprint(), before);
    EXPECT_EQ(document("merge", "Ridges"), "layer 4 (Ridges on Hills)\n");
    EXPECT_EQ(fingerprint(), before);
    document("undo");
    document("collapse", "Hills Ridges");
    EXPECT_EQ(names().size(), 2u);
    EXPECT_EQ(fingerprint(), before);
    document("collapse", "all");
    EXPECT_EQ(names().size(), 1u);
    EXPECT_EQ(fingerprint(), before);
    document("undo", "3");
    EXPECT_EQ(names(), (Names{"Weathering", "Ridges", "Hills"}));
    EXPECT_EQ(fingerprint(), before);
}

// ---- the grid --------------------------------------------------------------------------------------------

TEST_F(Documents, CropShowsAPartOfTheSame) {
    done("noise --size 96x80 --cell 10 --seed 6 then smooth --radius 60 -o whole.tif");
    document("new", "--size 96x80 --cell 10");
    document("add", "noise --seed 6");
    document("add", "smooth --radius 60");
    EXPECT_EQ(document("crop", "--size 40x30 --at 20,10"), "40 x 30 cells from 20,10\n");
    nlohmann::json json = info("a.caprock");
    EXPECT_EQ(json["size"], (std::vector<int>{40, 30}));
    EXPECT_TRUE(contains(done("info a.caprock"), "part of 96 x 80 cells"));
    std::string part = fingerprint();
    done("run a.caprock -o part.tif");
    EXPECT_EQ(fingerprint_of("part.tif"), part);
    document("crop", "--size 40x30 --at 20,10 --trim");
    EXPECT_NE(fingerprint(), part);
    document("undo");
    EXPECT_EQ(fingerprint(), part);
    EXPECT_EQ(document("crop"), "96 x 80 cells from 0,0\n");
    EXPECT_EQ(fingerprint(), fingerprint_of("whole.tif"));
}

TEST_F(Documents, ThePlaceGoesWithTheWindow) {
    write_text(
        folder_ / "b.asc",
        "ncols 4\nnrows 3\nxllcorner 5000\nyllcorner 7000\ncellsize 10\n1 2 3 4\n5 6 7 8\n9 10 11 12\n");
    document("new", "--from b.asc");
    nlohmann::json all = info("a.caprock")["georeference"]["transform"];
    EXPECT_EQ(all[0], 5000);
    EXPECT_EQ(all[3], 7030);
    document("crop", "--size 2x2 --at 1,1");
    done("run a.caprock -o c.tif");
    nlohmann::json part = info("c.tif");
    EXPECT_EQ(part["georeference"]["transform"][0], 5010);
    EXPECT_EQ(part["georeference"]["transform"][3], 7020);
    EXPECT_EQ(part["fields"][0]["lowest"], 6);
    EXPECT_EQ(part["fields"][0]["highest"], 11);
    // Every second cell: the middles of cells stay where they are.
    document("crop");
    done("run a.caprock --level 1 -o d.tif");
    nlohmann::json coarse = info("d.tif");
    EXPECT_EQ(coarse["size"], (std::vector<int>{2, 2}));
    EXPECT_EQ(coarse["cell"], 20);
    EXPECT_EQ(coarse["georeference"]["transform"][0], 4995);
    EXPECT_EQ(coarse["georeference"]["transform"][3], 7035);
}

TEST_F(Documents, ResizeResampleRange) {
    make("--size 64 --cell 10 --range 0:400");
    document("add", "noise --seed 6 --feature 200");
    std::string before = fingerprint();
    EXPECT_EQ(document("resize", "--size 128x32"), "128 x 32 cells from 0,0\n");
    EXPECT_EQ(info("a.caprock")["size"], (std::vector<int>{128, 32}));
    EXPECT_EQ(document("resize", "--size 64 --at -32,16"), "64 x 64 cells from -32,16\n");
    document("undo", "2");
    EXPECT_EQ(fingerprint(), before);
    EXPECT_TRUE(contains(document("resample", "--cell 5"), "of 5 m"));
    EXPECT_EQ(info("a.caprock")["cell"], 5);
    document("undo");
    document("range", "-100:300");
    EXPECT_EQ(info("a.caprock")["range"], (std::vector<double>{-100, 300}));
    document("undo");
    EXPECT_EQ(fingerprint(), before);
}

// ---- history ---------------------------------------------------------------------------------------------

TEST_F(Documents, UndoAndRedoGiveTheSameBits) {
    make();
    std::vector<std::string> prints = {fingerprint()};
    for (const char* line :
         {"add a.caprock noise --seed 1 --name Hills",
          "add a.caprock noise --kind ridged --name Ridges --mode max",
          "mask a.caprock Ridges mask-noise --coverage 0.5 --feature 200",
          "set a.caprock Ridges --opacity 0.4", "group a.caprock Hills Ridges --name Land",
          "set a.caprock Land --opacity 0.8", "add a.caprock thermal-erosion --steps 3",
          "duplicate a.caprock Land", "rasterise a.caprock 1", "mask a.caprock 1 --painted 0.5",
          "collapse a.caprock all", "crop a.caprock --size 50x40 --at 3,4", "resample a.caprock --cell 20",
          "range a.caprock 0:100", "remove a.caprock 8"}) {
        Outcome outcome = caprock("document " + std::string(line) + " --no-thumbnail");
        ASSERT_EQ(outcome.code, 0) << line << outcome.err;
        prints.push_back(fingerprint());
    }
    size_t steps = prints.size() - 1;
    EXPECT_EQ(history().size(), steps);
    for (size_t i = steps; i > 0; i--) {
        EXPECT_TRUE(contains(document("undo"), "undone: "));
        EXPECT_EQ(fingerprint(), prints[i - 1]) << i;
    }
    refused("document undo a.caprock", {"a.caprock", "nothing to undo"});
    EXPECT_EQ(history()[0]["undone"], true);
    for (size_t i = 1; i <= steps; i++) {
        EXPECT_TRUE(contains(document("redo"), "redone: "));
        EXPECT_EQ(fingerprint(), prints[i]) << i;
    }
    refused("document redo a.caprock", {"nothing to redo"});
    document("undo", std::to_string(steps));
    EXPECT_EQ(fingerprint(), prints[0]);
    document("redo", "4");
    EXPECT_EQ(fingerprint(), prints[4]);
    // What is done now takes the place of what was undone.
    document("set", "Hills --opacity 0.1");
    EXPECT_EQ(history().size(), 5u);
    refused("document undo a.caprock 6", {"5 steps can be undone"});
    EXPECT_EQ(lines_of(document("history", "--last 2")).size(), 2u);
}

// ---- the file --------------------------------------------------------------------------------------------

TEST_F(Documents, LayersAsTextAndBack) {
    make_three();
    document("mask", "Ridges mask-slope --between 5:30");
    document("group", "Hills Ridges --name Land");
    std::string before = fingerprint();
    document("export-layers", "-o layers.json");
    std::string text = file_text(folder_ / "layers.json");
    EXPECT_EQ(document("export-layers"), text);
    nlohmann::json json = nlohmann::json::parse(text);
    EXPECT_EQ(json["caprock-document"]["major"], 1);
    // Into the same document, after other things happened.
    document("remove", "Land");
    document("set", "Weathering --steps 9");
    document("import-layers", "layers.json");
    EXPECT_EQ(fingerprint(), before);
    EXPECT_EQ(document("export-layers"), text);
    document("undo");
    EXPECT_EQ(names(), Names{"Weathering"});
    // Into a new one.
    done("document new b.caprock --from layers.json");
    EXPECT_EQ(fingerprint("b.caprock"), before);
    EXPECT_EQ(nlohmann::json::parse(done("document export-layers b.caprock"))["layers"], json["layers"]);
    // Changed by hand.
    json["layers"][0]["layers"][0]["operations"][0]["parameters"]["seed"] = 77;
    write_text(folder_ / "changed.json", json.dump());
    document("import-layers", "changed.json");
    EXPECT_EQ(shown("Hills")["settings"]["seed"], "77");
}

TEST_F(Documents, PaintedCellsOfAnotherDocumentAreBlank) {
    make_three();
    document("rasterise", "Hills");
    std::string before = fingerprint();
    document("export-layers", "-o layers.json");
    document("import-layers", "layers.json");
    EXPECT_EQ(fingerprint(), before);
    Outcome outcome = caprock("document new b.caprock --from layers.json");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_TRUE(contains(outcome.err, "note: what was painted on canvas")) << outcome.err;
}

TEST_F(Documents, SaveAsAndCompact) {
    make_three();
    document("rasterise", "Hills");
    std::string before = fingerprint();
    EXPECT_EQ(document("save-as", "b.caprock"), "");
    EXPECT_EQ(fingerprint("b.caprock"), before);
    done("document undo b.caprock");
    done("document undo b.caprock 2");
    EXPECT_EQ(fingerprint(), before);
    refused("document save-as a.caprock b.caprock", {"'b.caprock' is already there", "--overwrite"});
    document("save-as", "b.caprock --overwrite");
    EXPECT_EQ(fingerprint("b.caprock"), before);
    EXPECT_TRUE(contains(document("compact"), ", was "));
    EXPECT_EQ(history().size(), 4u);
    document("compact", "--forget-history");
    EXPECT_EQ(history().size(), 0u);
    EXPECT_EQ(fingerprint(), before);
    refused("document undo a.caprock", {"nothing to undo"});
    document("set", "Ridges --opacity 1");
    document("undo");
    EXPECT_EQ(fingerprint(), before);
}

TEST_F(Documents, Thumbnails) {
    make("--size 600x300 --cell 10 --range 0:400");
    document("add", "noise --seed 1");
    document("thumbnail", "-o a.png");
    std::string first = file_text(folder_ / "a.png");
    EXPECT_EQ(picture_size("a.png"), (std::vector<int>{256, 128}));
    document("set", "1 --seed 2 --no-thumbnail");
    document("thumbnail", "-o b.png");
    EXPECT_EQ(file_text(folder_ / "b.png"), first);
    document("thumbnail");
    document("thumbnail", "-o b.png");
    EXPECT_NE(file_text(folder_ / "b.png"), first);
    document("undo");
    document("thumbnail", "-o b.png");
    EXPECT_EQ(file_text(folder_ / "b.png"), first);
}

TEST_F(Documents, ImportedFilesKeepTheirOwnResolution) {
    document("new", "--size 64 --cell 10 --range 0:400");
    done("noise --size 40x30 --cell 5 --range 0:400 --seed 8 -o fine.tif");
    EXPECT_EQ(document("import", "fine.tif --name Fine --move 50,50 --opacity 0.5"), "layer 2 (Fine)\n");
    EXPECT_EQ(shown("Fine")["opacity"], 0.5);
    EXPECT_EQ(shown("Fine")["kind"], "imported");
    // The layer has all that is needed.
    std::filesystem::remove(folder_ / "fine.tif");
    std::string before = fingerprint();
    done("run a.caprock -o b.tif");
    EXPECT_EQ(fingerprint_of("b.tif"), before);
    // A document is a file, too.
    document("set", "Fine --move 0,0 --opacity 1");
    done("document new b.caprock --from a.caprock");
    EXPECT_EQ(fingerprint("b.caprock"), fingerprint());
}

// ---- as a file -------------------------------------------------------------------------------------------

TEST_F(Documents, RunWritesWhatIsAskedFor) {
    make_three();
    document("add", "noise --field hardness --feature 200 --name Rock");
    std::string height = fingerprint();
    done("run a.caprock -o b.tif -o b.r32 --field height");
    EXPECT_EQ(info("b.tif")["fields"].size(), 1u);
    EXPECT_EQ(fingerprint_of("b.tif"), height);
    done("run a.caprock -o c.tif --device cpu --threads 1 --memory 64M");
    nlohmann::json both = info("c.tif");
    ASSERT_EQ(both["fields"].size(), 2u);
    EXPECT_EQ(both["fields"], info("a.caprock")["fields"]);
    EXPECT_EQ(nlohmann::json::parse(done("run a.caprock --json"))["fields"], both["fields"]);
    EXPECT_TRUE(contains(done("run a.caprock"), height));
    done("run a.caprock -o d.tif --field hardness,height");
    EXPECT_EQ(info("d.tif")["fields"].size(), 2u);
    // A chain goes on from it, and convert takes it.
    done("a.caprock then smooth --radius 20 -o e.tif");
    done("c.tif then smooth --radius 20 -o f.tif");
    EXPECT_EQ(fingerprint_of("e.tif"), fingerprint_of("f.tif"));
    done("convert a.caprock g.tif");
    EXPECT_EQ(fingerprint_of("g.tif"), height);
}

TEST_F(Documents, InfoAndRender) {
    make_three();
    document("group", "Hills --name Land");
    document("undo");
    std::string text = done("info a.caprock");
    for (const char* part : {"layers  3", "history 4 steps, 1 undone", "file", "96 x 80", "height"})
        EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
    nlohmann::json json = info("a.caprock");
    EXPECT_EQ(json["document"]["steps"], 4);
    EXPECT_EQ(json["document"]["undone"], 1);
    EXPECT_EQ(json["document"]["groups"], 0);
    EXPECT_GT(json["document"]["bytes"], 1000);
    done("run a.caprock -o b.tif");
    done("render b.tif -o b.png");
    done("render a.caprock -o a.png");
    EXPECT_EQ(file_text(folder_ / "a.png"), file_text(folder_ / "b.png"));
    done("render a.caprock --level 1 --memory 64M -o c.png");
    EXPECT_EQ(picture_size("c.png"), (std::vector<int>{48, 40}));
    EXPECT_EQ(nlohmann::json::parse(done("info --json a.caprock b.tif")).size(), 2u);
}

// What takes long is not done twice.
TEST_F(Documents, SimulationsAreRememberedInTheFile) {
    make("--size 256 --cell 10");
    document("add", "noise --seed 1");
    document("add", "thermal-erosion --steps 300");
    nlohmann::json first = info("a.caprock");
    uint64_t bytes = info("a.caprock")["document"]["bytes"];
    EXPECT_GT(bytes, first["document"]["bytes"]);
    EXPECT_EQ(info("a.caprock")["fields"], first["fields"]);
}

// ---- while it works --------------------------------------------------------------------------------------

TEST_F(Documents, CtrlCLeavesEverythingAsItWas) {
    make("--size 512 --cell 4");
    document("add", "noise --feature 100");
    // A thumbnail that would take minutes is not waited for.
    auto began = std::chrono::steady_clock::now();
    document("add", "thermal-erosion --steps 100000 --talus 20");
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
    std::string before = document("export-layers");
    std::set<std::string> files = folder_.names();
    for (const char* line : {"document collapse a.caprock all", "run a.caprock -o b.tif"}) {
        SCOPED_TRACE(line);
        Process process({.arguments = words_of(line), .folder = folder_.path(), .terminal = true});
        ASSERT_TRUE(process.wait_for(contains(line, "run") ? "thermal-erosion" : "collapse"));
        process.interrupt();
        Outcome outcome = process.wait();
        EXPECT_EQ(outcome.code, 130) << outcome.err;
        EXPECT_EQ(document("export-layers"), before);
        EXPECT_EQ(history().size(), 2u);
        EXPECT_EQ(folder_.names(), files);
    }
}

// ---- damage ----------------------------------------------------------------------------------------------

TEST_F(Documents, VerifyAndRescue) {
    make_three();
    document("rasterise", "Hills");
    document("rasterise", "Ridges");
    std::string before = fingerprint();
    EXPECT_TRUE(contains(document("verify"), "sound"));
    EXPECT_TRUE(contains(done("document rescue a.caprock b.caprock"), "with the history"));
    EXPECT_EQ(fingerprint("b.caprock"), before);
    refused("document rescue a.caprock b.caprock", {"'b.caprock'", "already there"});
    refused("document rescue a.caprock b.tif", {"'b.tif'", ".caprock"});
    refused("document verify c.caprock", {"c.caprock", "no such file"});
    // Packed cells, a little behind the mark of their frame.
    std::string bytes = file_text(folder_ / "a.caprock");
    for (size_t at = bytes.find("\x28\xb5\x2f\xfd"); at != std::string::npos;
         at = bytes.find("\x28\xb5\x2f\xfd", at + 96))
        for (size_t i = 64; i < 80; i++) bytes[at + i] ^= 0x55;
    write_text(folder_ / "broken.caprock", bytes);
    Outcome outcome = caprock("document verify broken.caprock");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, "caprock document rescue broken.caprock")) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "tile")) << outcome.out;
    outcome = caprock("document rescue broken.caprock rescued.caprock");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "note: ")) << outcome.err;
    EXPECT_TRUE(contains(done("document verify rescued.caprock"), "sound"));
    EXPECT_EQ(list("rescued.caprock").size(), 3u);
}

// ---- who may do what -------------------------------------------------------------------------------------

TEST_F(Documents, WhoMayOnlyReadMayLook) {
    make_three();
    std::string before = fingerprint();
    std::filesystem::permissions(folder_ / "a.caprock", std::filesystem::perms::owner_read);
    if (geteuid() != 0) refused("document set a.caprock Hills --opacity 0.5", {"a.caprock", "denied"});
    EXPECT_EQ(fingerprint(), before);
    EXPECT_EQ(names().size(), 3u);
    EXPECT_TRUE(contains(document("history"), "add 'Hills'"));
}

TEST_F(Documents, MemoryIsKeptTo) {
    make("--size 512 --cell 10");
    document("add", "noise --seed 1 --memory 16M");
    document("rasterise", "1 --memory 16M");
    std::string print =
        nlohmann::json::parse(done("info --json a.caprock --memory 16M"))["fields"][0]["fingerprint"];
    EXPECT_EQ(print, fingerprint());
}

// ---- files that operations name --------------------------------------------------------------------------

TEST_F(Documents, HoldTheFilesThatLayersName) {
    make();
    write_text(folder_ / "rocks.json", "[0.1, 0.2, 0.3]");
    document("add", "noise --seed 1 then normalise then materials --count 3 --name Rock");
    document("add", "hardness --table-file rocks.json --name Hard");
    document("add", "gradation --name Worn");
    std::string before = fingerprint();
    write_text(folder_ / "rocks.json", "[0.1, 0.2, 0.9]");
    EXPECT_EQ(fingerprint(), before);
    document("compact");
    EXPECT_EQ(fingerprint(), before);
    // It is told, with what takes the new one.
    for (const char* look : {"document list a.caprock", "document show a.caprock Hard"}) {
        Outcome outcome = caprock(look);
        EXPECT_EQ(outcome.code, 0);
        EXPECT_TRUE(contains(outcome.err, "note: layer 2 (Hard): the file 'rocks.json' is another now"))
            << outcome.err;
        EXPECT_TRUE(contains(outcome.err, "caprock document set a.caprock 2 --table-file rocks.json"))
            << outcome.err;
    }
    done("document set a.caprock 2 --table-file rocks.json");
    EXPECT_EQ(caprock("document list a.caprock").err, "");
    EXPECT_NE(fingerprint(), before);
    document("undo");
    EXPECT_EQ(fingerprint(), before);
    // From another folder, and without the file.
    std::filesystem::create_directory(folder_ / "elsewhere");
    std::filesystem::rename(folder_ / "a.caprock", folder_ / "elsewhere/b.caprock");
    std::filesystem::remove(folder_ / "rocks.json");
    EXPECT_EQ(fingerprint("elsewhere/b.caprock"), before);
    refused("document add elsewhere/b.caprock hardness --table-file rocks.json",
            {"hardness: ", "table-file", "'rocks.json'", "no such file"});
    refused("document set elsewhere/b.caprock Hard --table-file rocks.json",
            {"table-file", "'rocks.json'", "no such file"});
}

TEST_F(Documents, InterpolateGoesOnWithWhatLiesBelow) {
    make("--size 32 --cell 10 --range 0:400");
    document("add", "noise --seed 1");
    std::string before = fingerprint();
    document("add", "interpolate --name Filled");
    EXPECT_EQ(list()[0]["kind"], "adjustment");
    EXPECT_EQ(fingerprint(), before) << "nothing was missing";
    done("document new b.caprock --size 32");
    done("document add b.caprock interpolate");
    EXPECT_EQ(list("b.caprock")[0]["kind"], "generated") << "of nothing it makes something";
}

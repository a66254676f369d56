// Painting from the command line.
#include "cli/command_line.h"
#include "support/places.h"

#include <fstream>

using namespace caprock::test;

namespace {

class Painting : public CommandLine {
  protected:
    void SetUp() override {
        done("document new a.caprock --size 160x140 --cell 5 --range 0:400 --no-ground");
        done("document add a.caprock noise --feature 300 --name Hills");
    }
    // With words that have spaces in them.
    void paint(std::vector<std::string> words, const std::string& document = "a.caprock") {
        words.insert(words.begin(), {"paint", document});
        Outcome outcome = caprock(words);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.out + outcome.err, "");
    }
    std::string fingerprint() { return fingerprint_of("a.caprock"); }
    nlohmann::json layers() {
        return nlohmann::json::parse(done("document list --json a.caprock"))["layers"];
    }
    std::string text_of(const std::string& name) {
        std::ifstream file(folder_ / name);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
};

const std::string stroke = "200,200 400,300,0.5 600,250";

}  // namespace

TEST_F(Painting, AStrokeIsOneStepOfTheHistory) {
    std::string before = fingerprint();
    paint({"--brush", "raise", "--radius", "60", "--stroke", stroke});
    std::string after = fingerprint();
    EXPECT_NE(after, before);
    ASSERT_EQ(layers().size(), 2u);
    EXPECT_EQ(layers()[0]["name"], "Painted");
    // The stroke, and the layer that was made for it, are one command.
    EXPECT_EQ(info("a.caprock")["document"]["steps"], 2);
    done("document undo a.caprock");
    EXPECT_EQ(fingerprint(), before);
    EXPECT_EQ(layers().size(), 1u);
    done("document redo a.caprock");
    EXPECT_EQ(fingerprint(), after);
    paint({"--brush", "smooth", "--stroke", stroke, "--stroke", "100,500 700,500"});
    EXPECT_EQ(layers().size(), 2u) << "the same layer again";
}

TEST_F(Painting, WhereItCannotBeRecordedNothingIsPainted) {
    std::string before = fingerprint();
    refused_words({"paint", "a.caprock", "--stroke", stroke, "--record", "nowhere/strokes.json"},
                  {"nowhere"});
    EXPECT_EQ(fingerprint(), before);
    EXPECT_EQ(layers().size(), 1u);
}

TEST_F(Painting, StrokesAreRecordedAndDrawnAgain) {
    caprock(std::vector<std::string>{"document", "save-as", "a.caprock", "b.caprock"});
    paint({"--brush", "roughen", "--radius", "80", "--stroke", stroke, "--stroke", "500,600 300,400",
           "--record", "strokes.json"});
    paint({"--strokes", "strokes.json"}, "b.caprock");
    EXPECT_EQ(fingerprint_of("b.caprock"), fingerprint());
    nlohmann::json recorded = nlohmann::json::parse(text_of("strokes.json"));
    EXPECT_EQ(recorded["caprock-strokes"], 1);
    ASSERT_EQ(recorded["strokes"].size(), 2u);
    EXPECT_EQ(recorded["strokes"][0]["samples"][1], nlohmann::json({400.0, 300.0, 0.5}));
    EXPECT_NE(recorded["strokes"][0]["seed"], recorded["strokes"][1]["seed"]);
}

TEST_F(Painting, AnyOperationIsABrush) {
    std::string before = fingerprint();
    paint({"--brush", "thermal-erosion", "--steps", "5", "--strength", "0.9", "--radius", "90", "--stroke",
           stroke});
    EXPECT_NE(fingerprint(), before);
    before = fingerprint();
    paint({"--brush", "noise", "--kind", "ridged", "--strength", "30", "--radius", "90", "--stroke", stroke});
    EXPECT_NE(fingerprint(), before);
    before = fingerprint();
    // A setting of the brush, and a parameter of the same name.
    paint({"--brush", "smooth", "--radius", "90", "--operation.radius", "20", "--stroke", stroke});
    EXPECT_NE(fingerprint(), before);
}

TEST_F(Painting, AKernelOfTheUsersIsABrush) {
    std::string before = fingerprint();
    std::string kernel = std::string(caprock::test::source_folder) + "/examples/kernels/terraces.kernel";
    paint({"--brush", kernel, "--strength", "0.9", "--radius", "90", "--stroke", stroke, "--record",
           "strokes.json"});
    std::string after = fingerprint();
    EXPECT_NE(after, before);
    // The record has the kernel in it.
    done("document undo a.caprock");
    paint({"--strokes", "strokes.json"});
    EXPECT_EQ(fingerprint(), after);
    std::ofstream(folder_ / "broken.kernel")
        << "// Broken.\nKERNEL(broken, INOUT(height))\n{\n    STORE(height, moon);\n}\n";
    refused_words({"paint", "a.caprock", "--brush", "broken.kernel", "--stroke", "1,2"}, {"broken.kernel:4"});
    EXPECT_EQ(fingerprint(), after);
}

TEST_F(Painting, MasksAndOtherFields) {
    done("document add a.caprock smooth --radius 100 --name Soft");
    done("document mask a.caprock Soft --painted 0");
    std::string before = fingerprint();
    paint({"--layer", "Soft", "--mask", "--brush", "mask", "--radius", "90", "--stroke", stroke});
    std::string masked = fingerprint();
    EXPECT_NE(masked, before);
    // Indirect editing: the effect is scaled, and cleared where the mask is.
    done("document set a.caprock Soft --opacity 0.5");
    EXPECT_NE(fingerprint(), masked);
    done("document set a.caprock Soft --opacity 1");
    EXPECT_EQ(fingerprint(), masked);
    paint({"--brush", "harden", "--radius", "90", "--stroke", stroke});
    nlohmann::json info = nlohmann::json::parse(done("info --json a.caprock"));
    EXPECT_EQ(info["fields"][1]["name"], "hardness");
    EXPECT_LE(info["fields"][1]["highest"], 1);
    paint({"--brush", "cut", "--radius", "60", "--stroke", stroke});
    info = nlohmann::json::parse(done("info --json a.caprock"));
    EXPECT_GT(info["fields"][0]["missing"], 100);
}

TEST_F(Painting, BrushesAreListedShownAndKept) {
    std::string all = done("brushes");
    for (const char* name : {"raise", "level", "weathered", "road", "erase"})
        EXPECT_TRUE(contains(all, name)) << name;
    nlohmann::json shown = nlohmann::json::parse(done("brushes raise --radius 40 --strength 5"));
    EXPECT_EQ(shown["settings"]["radius"], 40);
    EXPECT_EQ(shown["operation"]["operation"], "plane");
    done("brushes smooth --operation.radius 12 --bind radius=radius -o mine.json");
    EXPECT_EQ(nlohmann::json::parse(text_of("mine.json"))["bind"]["radius"], "radius");
    std::string before = fingerprint();
    paint({"--brush", "mine.json", "--stroke", stroke});
    EXPECT_NE(fingerprint(), before);
}

TEST_F(Painting, ATipIsAPicture) {
    done("noise --size 32 --feature 60 -o tip.tif");
    done("render tip.tif --scheme plain -o tip.png");
    std::string before = fingerprint();
    Outcome outcome = caprock(std::vector<std::string>{"paint", "a.caprock", "--brush", "raise", "--tip",
                                                       "tip.tif", "--tip-follows", "--stroke", stroke});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(fingerprint(), before);
}

TEST_F(Painting, CopiesFromAnotherTerrain) {
    done("noise --size 160x140 --cell 5 --seed 9 --kind ridged -o other.tif");
    std::string before = fingerprint();
    paint({"--brush", "clone", "--from", "200,200", "--copy-from", "other.tif", "--stroke", stroke});
    EXPECT_NE(fingerprint(), before);
}

TEST_F(Painting, RefusesWhatItCannotDo) {
    std::string before = fingerprint();
    refused_words({"paint"}, {"paint: takes one document"});
    refused_words({"paint", "a.caprock"}, {"--stroke"});
    refused_words({"paint", "a.tif", "--stroke", "1,2"}, {"takes one document"});
    refused_words({"paint", "a.caprock", "--brush", "rise", "--stroke", "1,2"},
                  {"no brush or operation 'rise'", "raise"});
    refused_words({"paint", "a.caprock", "--stroke", "1;2"}, {"'1;2' is no number"});
    refused_words({"paint", "a.caprock", "--stroke", "1"}, {"give x,y"});
    refused_words({"paint", "a.caprock", "--stroke", "1,2,7"}, {"pressure must be 0 to 1"});
    refused_words({"paint", "a.caprock", "--stroke", ""}, {"at least one sample"});
    refused_words({"paint", "a.caprock", "--brush", "smooth", "--strength", "3", "--stroke", "1,2"},
                  {"0 to 1"});
    refused_words({"paint", "a.caprock", "--radios", "3", "--stroke", "1,2"}, {"'--radios'", "--radius"});
    refused_words({"paint", "a.caprock", "--brush", "clone", "--stroke", "1,2"}, {"--from x,y"});
    refused_words({"paint", "a.caprock", "--mask", "--stroke", "1,2"}, {"--mask needs --layer"});
    refused_words({"paint", "a.caprock", "--layer", "Hills", "--stroke", "1,2"},
                  {"generated and cannot be painted on"});
    refused_words({"paint", "a.caprock", "--layer", "Hills", "--mask", "--stroke", "1,2"}, {"mask"});
    refused_words({"paint", "a.caprock", "--strokes", "none.json"}, {"none.json", "no such file"});
    refused_words({"paint", "a.caprock", "--brush", "smooth", "--bind", "radius=moon", "--stroke", "1,2"},
                  {"PARAMETER=SOURCE"});
    write("bad.json", "{\"caprock-strokes\": 1, \"strokes\": [{\"brush\": \"raise\", \"samples\": [[1]]}]}");
    refused_words({"paint", "a.caprock", "--strokes", "bad.json"}, {"bad.json", "stroke 1", "give x,y"});
    write("bad.json", "[[[[");
    refused_words({"paint", "a.caprock", "--brush", "bad.json", "--stroke", "1,2"},
                  {"cannot read the brush 'bad.json'"});
    refused_words({"brushes", "moon"}, {"no brush or operation 'moon'"});
    EXPECT_EQ(fingerprint(), before);
}

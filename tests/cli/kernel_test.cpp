// Kernel files on the command line: in chains, recipes and documents, and the command that checks them.
#include "cli/command_line.h"
#include "cli/page_commands.h"
#include "support/places.h"

#include <csignal>
#include <filesystem>

using namespace caprock::test;

namespace {

constexpr const char* rice = R"(// Steps like rice fields.
// step: 40 m (1 .. 500) height of one step
KERNEL(rice, INOUT(height), UNIFORM(float, step))
{
    STORE(height, FLOOR(LOAD(height) / step) * step);
}
)";

class Kernels : public CommandLine {
  protected:
    void SetUp() override { write_text(folder_ / "rice.kernel", rice); }
    std::string broken() {
        std::string text = rice;
        text.replace(text.rfind("step)"), 4, "stp");
        return text;
    }
};

TEST_F(Kernels, AreOperationsOfAChain) {
    done("noise --size 64x48 then normalise -o a.tif");
    done("a.tif then ./rice.kernel --step 250 -o b.tif");
    done("noise --size 64x48 then normalise then rice.kernel --step=250 --device opencl -o c.tif");
    EXPECT_EQ(fingerprint_of("b.tif"), fingerprint_of("c.tif"));
    EXPECT_NE(fingerprint_of("a.tif"), fingerprint_of("b.tif"));
    nlohmann::json height = info("b.tif")["fields"][0];
    EXPECT_EQ(height["lowest"], 0);
    EXPECT_EQ(height["highest"], 1000);
    refused("a.tif then rice.kernel --step 501 -o d.tif", {"rice.kernel: step 501: must be 1 to 500 m"});
    refused("a.tif then rice.kernel --stp 5 -o d.tif", {"rice.kernel: no parameter '--stp'", "'--step'"});
    refused("rice.kernel -o d.tif", {"rice.kernel: needs the field 'height'"});
    refused("a.tif then nowhere.kernel -o d.tif", {"cannot read 'nowhere.kernel': there is no such file"});
    refused("a.tif rice.kernel -o d.tif", {"chained with 'then'"});
}

TEST_F(Kernels, ThatGenerateBeginAChain) {
    write_text(folder_ / "ramp.kernel",
               "KERNEL(ramp, OUT(height), UNIFORM(float, cell))\n{ STORE(height, TOF(HERE_X) * cell); }\n");
    done("./ramp.kernel --size 32x8 --cell 2 then rice.kernel --step 10 -o a.tif");
    EXPECT_EQ(info("a.tif")["fields"][0]["highest"], 60);
}

TEST_F(Kernels, ErrorsNameTheFileAndTheLine) {
    write_text(folder_ / "bad.kernel", broken());
    refused("noise --size 16 then ./bad.kernel -o a.tif", {"caprock: ./bad.kernel:5: ", "'stp'"});
    write_text(folder_ / "bad.kernel", "// step: lots\n" + std::string(rice));
    refused("noise --size 16 then ./bad.kernel -o a.tif", {"caprock: ./bad.kernel:1: step: "});
    write_text(folder_ / "bad.kernel", "");
    refused("noise --size 16 then bad.kernel -o a.tif", {"caprock: bad.kernel: it is empty"});
}

TEST_F(Kernels, HaveAHelpPage) {
    std::string page = done("help ./rice.kernel");
    EXPECT_TRUE(contains(page, "caprock FILE then ./rice.kernel")) << page;
    for (const char* part :
         {"Steps like rice fields", "--step N", "height of one step", "default 40 m; 1 to 500"})
        EXPECT_TRUE(contains(page, part)) << page;
    EXPECT_EQ(done("rice.kernel --help"), done("help rice.kernel"));
    EXPECT_EQ(done("noise then rice.kernel --step 3 --help"), done("help rice.kernel"));
    EXPECT_TRUE(contains(done("help"), "MINE.kernel"));
    EXPECT_TRUE(contains(done("help kernel"), "--watch"));
    refused("help nowhere.kernel", {"no such file"});
}

TEST_F(Kernels, RecipesHoldThem) {
    done("noise --size 48 then rice.kernel --step 25 -o a.tif --save-recipe r.json");
    std::filesystem::remove(folder_ / "rice.kernel");
    nlohmann::json recipe = nlohmann::json::parse(file_text(folder_ / "r.json"));
    EXPECT_EQ(recipe["operations"][1]["operation"], "rice.kernel");
    EXPECT_EQ(recipe["operations"][1]["text"], rice);
    done("run r.json -o b.tif");
    EXPECT_EQ(fingerprint_of("a.tif"), fingerprint_of("b.tif"));
    std::string text = file_text(folder_ / "r.json");
    done("run r.json --save-recipe r.json -o b.tif");
    EXPECT_EQ(file_text(folder_ / "r.json"), text);
    recipe["operations"][1]["text"] = broken();
    write_text(folder_ / "r.json", recipe.dump());
    refused("run r.json -o c.tif", {"rice.kernel:5: "});
}

TEST_F(Kernels, DocumentsHoldThem) {
    done("document new a.caprock --size 80x64 --cell 10 --range 0:400");
    done("document add a.caprock noise --seed 3 --feature 300 --name Hills");
    done("document add a.caprock ./rice.kernel --step 30 --name Fields");
    std::string before = fingerprint_of("a.caprock");
    // The file is gone, the document moved, and everything computed anew.
    std::filesystem::remove(folder_ / "rice.kernel");
    done("document export-layers a.caprock -o layers.json");
    done("document new b.caprock --from layers.json");
    EXPECT_EQ(fingerprint_of("b.caprock"), before);
    done("run b.caprock -o b.tif");
    EXPECT_EQ(fingerprint_of("b.tif"), before);
    nlohmann::json layers = nlohmann::json::parse(done("document list --json b.caprock"))["layers"];
    EXPECT_EQ(layers[0]["operations"], std::vector<std::string>{"rice.kernel"});
    // A text that is no kernel any more is kept as it is, and the rest of the document is there.
    nlohmann::json all = nlohmann::json::parse(file_text(folder_ / "layers.json"));
    for (nlohmann::json& layer : all["layers"])
        for (nlohmann::json& operation : layer["operations"])
            if (operation["operation"] == "rice.kernel") operation["text"] = "no kernel";
    write_text(folder_ / "layers.json", all.dump());
    Outcome outcome = caprock("document new c.caprock --from layers.json");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    outcome = caprock("document export-layers c.caprock");
    EXPECT_TRUE(contains(outcome.out, "no kernel"));
    EXPECT_TRUE(contains(outcome.err, "kept, and without effect")) << outcome.err;
    // Where kernels are not wanted, the document still opens, and nothing of it is lost.
    outcome = caprock("document export-layers b.caprock", {{"CAPROCK_KERNELS", "off"}});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "CAPROCK_KERNELS=off")) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "KERNEL(rice,"));
}

TEST_F(Kernels, TheCommandChecksFiles) {
    std::string said = done("kernel rice.kernel");
    EXPECT_EQ(said,
              "rice.kernel: Steps like rice fields\n  reads      height\n  writes     height\n"
              "  parameters --step 40 m\n");
    write_text(folder_ / "bad.kernel", broken());
    write_text(folder_ / "worse.kernel", "#pragma once\nKERNEL(a, OUT(f))\n{ double x; }\n");
    Outcome outcome = caprock("kernel bad.kernel rice.kernel worse.kernel");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, said);
    std::vector<std::string> lines = lines_of(outcome.err);
    ASSERT_EQ(lines.size(), 3u) << outcome.err;
    EXPECT_TRUE(lines[0].starts_with("bad.kernel:5: ")) << lines[0];
    EXPECT_TRUE(lines[1].starts_with("worse.kernel:1: ")) << lines[1];
    EXPECT_TRUE(lines[2].starts_with("worse.kernel:3: ")) << lines[2];
    // What one compiler takes and another does not.
    write_text(folder_ / "cpp.kernel", "KERNEL(a, OUT(f))\n{\n  F x(2.0f);\n  STORE(f, x);\n}\n");
    outcome = caprock("kernel cpp.kernel");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, "cpp.kernel:3: ")) << outcome.err;
    done("kernel cpp.kernel --device cpu");
    refused("kernel", {"takes files"});
    refused("kernel rice.txt", {"must end in .kernel"});
    outcome = caprock("kernel nowhere.kernel");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, "there is no such file"));
}

TEST_F(Kernels, WatchingChecksAgain) {
    write_text(folder_ / "other.kernel", rice);
    write_text(folder_ / "rice.kernel", broken());
    Process process({.arguments = {"kernel", "--watch", "--device", "cpu", "other.kernel", "rice.kernel"},
                     .folder = folder_.path()});
    EXPECT_TRUE(process.wait_for("rice.kernel:5: "));
    write_text(folder_ / "rice.kernel", "\n\n" + broken());
    EXPECT_TRUE(process.wait_for("rice.kernel:7: "));
    process.interrupt();
    Outcome outcome = process.wait();
    EXPECT_EQ(outcome.code, 128 + SIGINT);
    EXPECT_EQ(lines_of(outcome.err).size(), 2u) << outcome.err;
    EXPECT_EQ(lines_of(outcome.out).size(), 4u) << "what has not changed is told of once\n" << outcome.out;
}

TEST_F(Kernels, WithoutACompilerADriverStandsIn) {
    // Of its own cache, so that nothing is found there.
    std::map<std::string, std::string> none = {{"CAPROCK_CXX", "none"}, {"CAPROCK_CACHE", folder_ / "cache"}};
    done("noise --size 48 then rice.kernel -o a.tif");
    done("noise --size 48 then rice.kernel -o b.tif", none);
    EXPECT_EQ(fingerprint_of("a.tif"), fingerprint_of("b.tif"));
    std::map<std::string, std::string> no_path = {{"PATH", ""}, {"CAPROCK_CACHE", folder_ / "cache"}};
    done("noise --size 48 then rice.kernel -o c.tif", no_path);
    EXPECT_EQ(fingerprint_of("a.tif"), fingerprint_of("c.tif"));
}

TEST_F(Kernels, WithoutEitherTheMessageSaysWhatHelps) {
    std::map<std::string, std::string> neither = {
        {"CAPROCK_CXX", "none"}, {"OCL_ICD_VENDORS", folder_ / "nothing"}, {"OCL_ICD_FILENAMES", ""}};
    std::filesystem::create_directory(folder_ / "nothing");
    Outcome outcome = caprock("noise --size 48 then rice.kernel -o a.tif", neither);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    for (const char* part :
         {"'rice.kernel'", "no C++ compiler", "g++", "CAPROCK_CXX", "PoCL", "--device gpu"})
        EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
    outcome = caprock("noise --size 48 then rice.kernel -o a.tif", {{"CAPROCK_CXX", "/nowhere/cc"}});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, "CAPROCK_CXX=/nowhere/cc")) << outcome.err;
    outcome = caprock("noise --size 48 then rice.kernel -o a.tif", {{"CAPROCK_KERNELS", "off"}});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, "CAPROCK_KERNELS=off")) << outcome.err;
}

TEST_F(Kernels, LeaveNoFilesBehind) {
    std::filesystem::create_directory(folder_ / "tmp");
    std::map<std::string, std::string> own = {{"TMPDIR", folder_ / "tmp"},
                                              {"CAPROCK_CACHE", folder_ / "cache"}};
    done("noise --size 16 then rice.kernel -o a.tif", own);
    write_text(folder_ / "bad.kernel", broken());
    EXPECT_EQ(caprock("noise --size 16 then bad.kernel -o b.tif", own).code, 2);
    EXPECT_TRUE(std::filesystem::is_empty(folder_ / "tmp"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "b.tif"));
}

// The page's own kernels, and every command as it stands there.
TEST_F(Kernels, ThePageWorks) {
    std::string page = page_text("docs/custom-kernels.md");
    std::filesystem::create_directory(folder_ / "examples");
    size_t begin = 0;
    for (const char* file : {"rice.kernel", "creep.kernel"}) {
        begin = page.find("```c\n", begin) + 5;
        write_text(folder_ / file, page.substr(begin, page.find("```", begin) - begin));
    }
    std::filesystem::copy(std::string(caprock::test::source_folder) + "/examples/kernels",
                          folder_ / "examples/kernels", std::filesystem::copy_options::recursive);
    int count = 0;
    for (const PageCommand& command : page_commands("docs/custom-kernels.md")) {
        std::vector<std::string> words = words_of(command.line);
        words.erase(words.begin());
        Outcome outcome = caprock(words);
        EXPECT_EQ(outcome.code, 0) << command.line << "\n" << outcome.err;
        count++;
    }
    EXPECT_GE(count, 10) << "the page has no tour any more";
    EXPECT_EQ(fingerprint_of("a.tif"), fingerprint_of("b.tif"));
}

// Every example compiles everywhere, keeps to its help page and does something, with the same bits.
TEST_F(Kernels, ExamplesWork) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(caprock::test::source_folder) +
                                                                 "/examples/kernels")) {
        std::string file = '"' + entry.path().string() + '"';
        SCOPED_TRACE(file);
        done("kernel " + file);
        done("noise --size 200x150 then normalise -o a.tif");
        done("a.tif then " + file + " -o b.tif --device cpu");
        done("a.tif then " + file + " -o c.tif --device opencl");
        EXPECT_NE(fingerprint_of("a.tif"), fingerprint_of("b.tif"));
        EXPECT_EQ(info("b.tif")["fields"], info("c.tif")["fields"]);
        count++;
    }
    EXPECT_GE(count, 3);
}

}  // namespace

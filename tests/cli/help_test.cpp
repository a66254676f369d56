// What the program says of itself: help, lists, info, completions.
#include "cli/command_line.h"
#include "cli/page_commands.h"
#include "formats/format_table.h"
#include "operation/presets.h"
#include "support/places.h"

#include <algorithm>

using namespace caprock;
using namespace caprock::test;

class Help : public CommandLine {};

TEST_F(Help, Usage) {
    std::string usage = done("help");
    EXPECT_EQ(done(""), usage);
    EXPECT_EQ(done("--help"), usage);
    EXPECT_EQ(done("-h"), usage);
    for (const std::string& name : operation_names()) EXPECT_TRUE(contains(usage, "  " + name)) << name;
    for (const char* command : {"list", "help", "document", "info", "convert", "render", "presets", "run",
                                "kernel", "devices", "bench", "completions"})
        EXPECT_TRUE(contains(usage, "\n  " + std::string(command) + " ")) << command;
}

TEST_F(Help, EveryOperationFromItsDeclaration) {
    for (const std::string& name : operation_names()) {
        std::string page = done("help " + name);
        EXPECT_EQ(done(name + " --help"), page);
        std::unique_ptr<Operation> operation = make_operation(name);
        EXPECT_TRUE(contains(page, operation->schema().summary())) << page;
        for (const Parameter& parameter : operation->schema().parameters()) {
            SCOPED_TRACE(name + " --" + parameter.name());
            size_t at = page.find("--" + parameter.name() + " ");
            ASSERT_NE(at, std::string::npos) << page;
            // Its entry ends where the next one begins, or with the list.
            size_t end = std::min(page.find("\n  -", at), page.find("\n\n", at));
            std::string entry = page.substr(at, end - at);
            EXPECT_TRUE(contains(entry, parameter.help())) << entry;
            EXPECT_TRUE(contains(entry, parameter.unit())) << entry;
            if (parameter.type() == ParameterType::flag) continue;
            // A table or file that nobody has given has no text.
            std::string text = operation->value_text(parameter);
            EXPECT_TRUE(text.empty() || contains(entry, "default " + text)) << entry;
            EXPECT_FALSE(contains(entry, "(;")) << entry;
            EXPECT_TRUE(!parameter.numeric() || contains(entry, parameter.range_text())) << entry;
            for (const std::string& choice : parameter.choices())
                EXPECT_TRUE(contains(entry, choice)) << entry;
        }
    }
}

TEST_F(Help, CommandsAndTheMiddleOfAChain) {
    EXPECT_TRUE(contains(done("help render"), "--sun"));
    EXPECT_EQ(done("render --help"), done("help render"));
    EXPECT_EQ(done("noise --size 8 then smooth --help"), done("help smooth"));
    EXPECT_TRUE(contains(done("help run"), "--save-recipe"));
    EXPECT_TRUE(contains(done("help run"), "caprock presets"));
}

// A format that is added to the table is in the help, and whoever adds it tells of it in the README.
TEST_F(Help, FormatsOfTheTable) {
    std::string page = done("help convert");
    std::string readme = page_text("README.md");
    readme = readme.substr(readme.find("\n## Files\n"));
    readme = readme.substr(0, readme.find("\n## ", 4));
    for (const TerrainFormat& format : terrain_formats())
        if (format.written()) {
            EXPECT_TRUE(contains(page, std::string(format.ending) + " ")) << format.ending;
            EXPECT_TRUE(contains(page, format.holds)) << format.ending;
            EXPECT_TRUE(contains(readme, "`" + std::string(format.ending) + "`")) << format.ending;
        }
}

// What one command of a kind takes, all of that kind take.
TEST_F(Help, CommandsTakeWhatTheirSiblingsTake) {
    std::vector<std::string> pages;
    for (const char* name : {"paint", "brushes", "info", "convert", "render", "run", "kernel", "bench"})
        pages.push_back("help " + std::string(name));
    // A line of the list is two spaces, the name, and what it does.
    for (const std::string& line : lines_of(done("help document"))) {
        size_t end = line.find("  ", 2);
        if (line.starts_with("  ") && line[2] != ' ' && end < 18 &&
            line.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", 2) == end)
            pages.push_back("help document " + line.substr(2, end - 2));
    }
    EXPECT_GT(pages.size(), 30u);
    for (const std::string& name : pages) {
        SCOPED_TRACE(name);
        std::string page = done(name);
        auto takes = [&](const std::string& option) { return contains(page, "--" + option + " "); };
        EXPECT_TRUE(contains(page, "-q, --quiet")) << page;
        // It computes: somebody has to be told by what. Kernels are compiled, and not run.
        if (takes("device") && name != "help kernel") {
            EXPECT_TRUE(takes("threads"));
        }
        // Whatever reads documents computes them.
        if (takes("level")) {
            EXPECT_TRUE(takes("memory") && takes("device") && takes("threads")) << page;
        }
        if (name == "help document thumbnail" || name == "help document import" ||
            name == "help document new") {
            EXPECT_TRUE(takes("device"));
        }
    }
}

TEST_F(Help, QuietCommandsNoteNothing) {
    done("noise --size 64 -o hills.tif --quiet");
    done("document new land.caprock --from hills.tif --quiet");
    for (const char* line :
         {"info land.caprock --quiet --device cpu --threads 1", "document compact land.caprock --quiet",
          "document list land.caprock -q", "document history land.caprock -q",
          "document export-layers land.caprock -q -o layers.json",
          "document save-as land.caprock other.caprock -q", "document thumbnail land.caprock -q --device cpu",
          "render land.caprock --quiet --device cpu --threads 1 -o land.png", "brushes raise --quiet"})
        EXPECT_EQ(caprock(line).code, 0) << line;
}

TEST_F(Help, CommandsOfDocuments) {
    std::string all = done("help document");
    EXPECT_EQ(done("document help"), all);
    EXPECT_EQ(done("document --help"), all);
    for (const char* name : {"list",      "show",    "new",       "import",  "export-layers", "import-layers",
                             "save-as",   "compact", "thumbnail", "add",     "set",           "operations",
                             "mask",      "move",    "group",     "ungroup", "duplicate",     "remove",
                             "rasterise", "merge",   "collapse",  "resize",  "crop",          "resample",
                             "range",     "undo",    "redo",      "history", "verify",        "rescue"}) {
        SCOPED_TRACE(name);
        EXPECT_TRUE(contains(all, "\n  " + std::string(name) + " "));
        std::string page = done("help document " + std::string(name));
        EXPECT_TRUE(page.starts_with("caprock document " + std::string(name) + " P.caprock")) << page;
        bool holds_no_tiles = std::string(name) == "verify" || std::string(name) == "rescue";
        EXPECT_TRUE(contains(page, holds_no_tiles ? "--quiet" : "--memory")) << page;
        EXPECT_EQ(done("document help " + std::string(name)), page);
        EXPECT_EQ(done("document " + std::string(name) + " --help"), page);
    }
    EXPECT_TRUE(contains(done("help document add"), "--opacity"));
    EXPECT_EQ(done("document add a.caprock noise --help"), done("help noise"));
    for (const char* command : {"run", "render", "info"})
        EXPECT_TRUE(contains(done("help " + std::string(command)), "--memory")) << command;
}

TEST_F(Help, List) {
    std::string list = done("list");
    for (const std::string& name : operation_names()) {
        EXPECT_TRUE(contains(list, name));
        EXPECT_TRUE(contains(list, make_operation(name)->schema().summary()));
    }
}

TEST_F(Help, Version) {
    std::string version = done("--version");
    EXPECT_TRUE(version.starts_with("caprock 0.")) << version;
    EXPECT_EQ(lines_of(version).size(), 1u);
}

TEST_F(Help, Devices) {
    std::vector<std::string> lines = lines_of(done("devices"));
    ASSERT_GE(lines.size(), 2u) << "PoCL is installed by the set-up";
    EXPECT_TRUE(lines[0].starts_with("cpu "));
    EXPECT_TRUE(contains(lines[1], "opencl") || contains(lines[1], "gpu"));
}

TEST_F(Help, Info) {
    done("noise --size 64x48 --cell 2 --range -10:50 then noise --field hardness -o a.tif");
    std::string text = done("info a.tif");
    nlohmann::json json = info("a.tif");
    EXPECT_EQ(json["file"], "a.tif");
    EXPECT_EQ(json["size"], (std::vector<int>{64, 48}));
    EXPECT_EQ(json["cell"], 2);
    EXPECT_EQ(json["range"], (std::vector<double>{-10, 50}));
    ASSERT_EQ(json["fields"].size(), 2u);
    for (const nlohmann::json& field : json["fields"]) {
        for (const char* number : {"lowest", "highest", "mean", "deviation"})
            EXPECT_TRUE(field[number].is_number());
        EXPECT_EQ(field["cells"], 64 * 48);
        EXPECT_EQ(field["missing"], 0);
        std::string print = field["fingerprint"];
        EXPECT_EQ(print.size(), 16u);
        EXPECT_TRUE(contains(text, print));
        EXPECT_TRUE(contains(text, std::string(field["name"])));
    }
    EXPECT_TRUE(contains(text, "64 x 48 cells of 2 m"));
    EXPECT_TRUE(contains(text, "-10:50"));
}

TEST_F(Help, InfoOfSeveralFilesIsAList) {
    done("noise --size 8 -o a.tif");
    done("noise --size 9 -o b.tif");
    nlohmann::json json = nlohmann::json::parse(done("info --json a.tif b.tif"));
    ASSERT_EQ(json.size(), 2u);
    EXPECT_EQ(json[0]["file"], "a.tif");
    EXPECT_EQ(json[1]["size"][0], 9);
    EXPECT_TRUE(contains(done("info a.tif b.tif"), "9 x 9"));
}

TEST_F(Help, InfoOfANameThatIsNotText) {
    done("noise --size 8 -o a.tif");
    std::string name = "b\xff.tif";
    std::filesystem::rename(folder_ / "a.tif", folder_ / name);
    Outcome outcome = caprock({"info", "--json", name});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NO_THROW(nlohmann::json::parse(outcome.out));
}

// A shell that sources the script and asks it as bash does when a user presses Tab after the last word.
class Completions : public CommandLine {
  protected:
    std::vector<std::string> completed(const std::vector<std::string>& words) {
        std::string script =
            "source <(\"$CAPROCK\" completions bash); COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _caprock; "
            "printf '%s\\n' \"${COMPREPLY[@]}\"";
        std::vector<std::string> arguments = {"-c", script, "bash", "caprock"};
        arguments.insert(arguments.end(), words.begin(), words.end());
        Outcome outcome = run_program({.program = "bash",
                                       .arguments = arguments,
                                       .environment = {{"CAPROCK", caprock::test::caprock_program}},
                                       .folder = folder_.path()});
        EXPECT_EQ(outcome.err, "");
        std::vector<std::string> lines = lines_of(outcome.out);
        std::ranges::sort(lines);
        return lines;
    }
    bool offers(const std::vector<std::string>& words, const std::string& word) {
        std::vector<std::string> all = completed(words);
        return std::ranges::find(all, word) != all.end();
    }
};

TEST_F(Completions, Bash) {
    using Words = std::vector<std::string>;
    write_text(folder_ / "my hills.tif", "");
    EXPECT_EQ(completed({"nois"}), Words{"noise"});
    EXPECT_EQ(completed({"rend"}), Words{"render"});
    for (const std::string& name : operation_names()) EXPECT_TRUE(offers({""}, name)) << name;
    EXPECT_TRUE(offers({""}, "my hills.tif"));
    EXPECT_EQ(completed({"noise", "--oct"}), Words{"--octaves"});
    EXPECT_EQ(completed({"noise", "--si"}), Words{"--size"});
    EXPECT_EQ(completed({"noise", "--kind", ""}), (Words{"billow", "erosive", "quilez", "ridged", "sum"}));
    EXPECT_EQ(completed({"noise", "--kind", "ri"}), Words{"ridged"});
    EXPECT_EQ(completed({"noise", "--kind", "=", "ri"}), Words{"ridged"});
    EXPECT_EQ(completed({"noise", "--kind", "="}), (Words{"billow", "erosive", "quilez", "ridged", "sum"}));
    EXPECT_EQ(completed({"noise", "--device", "op"}), Words{"opencl"});
    EXPECT_EQ(completed({"noise", "the"}), Words{"then"});
    EXPECT_EQ(completed({"noise", "then", "thermal"}), Words{"thermal-erosion"});
    EXPECT_EQ(completed({"noise", "then", "thermal-erosion", "--tal"}), (Words{"--talus", "--talus-gain"}));
    EXPECT_FALSE(offers({"noise", "then", "thermal-erosion", "--"}, "--octaves"));
    EXPECT_EQ(completed({"help", "smo"}), Words{"smooth"});
    EXPECT_EQ(completed({"completions", ""}), Words{"bash"});
    EXPECT_EQ(completed({"presets", "hil"}), Words{"hills"});
    EXPECT_EQ(completed({"presets", ""}), preset_names());
    EXPECT_EQ(completed({"run", "hil"}), Words{"hills"});
    EXPECT_EQ(completed({"run", "my"}), Words{"my hills.tif"});
    EXPECT_EQ(completed({"run", "hills", "--sav"}), Words{"--save-recipe"});
    EXPECT_EQ(completed({"info", "my"}), Words{"my hills.tif"});
    EXPECT_EQ(completed({"info", "--j"}), Words{"--json"});
    EXPECT_EQ(completed({"render", "x.tif", "--su"}), Words{"--sun"});
    EXPECT_FALSE(offers({"render", "--"}, "--seed"));
    EXPECT_EQ(completed({"noise", "-o", "my"}), Words{"my hills.tif"});
    EXPECT_EQ(completed({"document", "ungr"}), Words{"ungroup"});
    EXPECT_EQ(completed({"help", "document", "ungr"}), Words{"ungroup"});
    EXPECT_EQ(completed({"document", "help", "ungr"}), Words{"ungroup"});
    EXPECT_EQ(completed({"document", "list", "my"}), Words{"my hills.tif"});
    EXPECT_EQ(completed({"document", "list", "a.caprock", "--j"}), Words{"--json"});
    EXPECT_EQ(completed({"document", "add", "a.caprock", "nois"}), Words{"noise"});
    EXPECT_EQ(completed({"document", "add", "a.caprock", "hil"}), Words{"hills"});
    EXPECT_EQ(completed({"document", "add", "a.caprock", "noise", "--oct"}), Words{"--octaves"});
    EXPECT_EQ(completed({"document", "add", "a.caprock", "noise", "--opa"}), Words{"--opacity"});
    EXPECT_EQ(completed({"document", "add", "a.caprock", "noise", "--kind", "ri"}), Words{"ridged"});
    EXPECT_EQ(completed({"document", "add", "a.caprock", "noise", "--mode", "mu"}),
              (Words{"multi-resolution", "multiply"}));
    EXPECT_EQ(completed({"document", "add", "a.caprock", "noise", "then", "thermal"}),
              Words{"thermal-erosion"});
    EXPECT_EQ(completed({"document", "mask", "a.caprock", "2", "mask-sl"}), Words{"mask-slope"});
    EXPECT_EQ(completed({"document", "mask", "a.caprock", "2", "--pa"}), Words{"--painted"});
}

// Words of the command line against a declaration, without a program around them.
#include "options.h"

#include "base/error.h"
#include "cli/command_line.h"

namespace caprock::test {
namespace {

using cli::option_names;
using cli::options_help;
using cli::read_options;
using cli::Words;

// A flag that is on, one that is off, and what is no flag; one name that only looks like a negation.
struct Lamp {
    bool lit = true;
    bool loud = false;
    bool no_smoke = false;
    int colour = 3;

    std::set<std::string> given;
    std::vector<std::string> others;

    Declaration declaration() {
        Declaration d;
        d.flag("lit", lit).help("whether it burns");
        d.flag("loud", loud).help("whether it hums");
        d.flag("no-smoke", no_smoke).help("a flag of its own");
        d.integer("colour", colour).range(1, 9).help("of the glass");
        return d;
    }
    explicit Lamp(const std::string& line = "") {
        Declaration d = declaration();
        others = read_options(d, Words(words_of(line)), "lamp", given);
    }
};

std::string refusal(const std::string& line) {
    try {
        Lamp lamp(line);
    } catch (const Error& error) {
        return error.what();
    }
    return "(no error)";
}

TEST(Options, NoSwitchesAFlagOff) {
    Lamp lamp("--no-lit word");
    EXPECT_FALSE(lamp.lit);
    EXPECT_EQ(lamp.given, std::set<std::string>{"lit"});
    // A flag takes no value: what follows is a word of its own.
    EXPECT_EQ(lamp.others, std::vector<std::string>{"word"});
    EXPECT_FALSE(Lamp("--no-loud").loud);
    EXPECT_FALSE(Lamp("--lit=false").lit);
}

TEST(Options, TheLastWordCounts) {
    EXPECT_TRUE(Lamp("--no-lit --lit").lit);
    EXPECT_FALSE(Lamp("--lit --no-lit").lit);
    EXPECT_FALSE(Lamp("--loud --no-loud").loud);
}

TEST(Options, ANameThatBeginsWithNoGoesFirst) {
    EXPECT_TRUE(Lamp("--no-smoke").no_smoke);
    EXPECT_FALSE(Lamp("--no-smoke=false").no_smoke);
    EXPECT_FALSE(Lamp("--no-smoke --no-no-smoke").no_smoke);
}

TEST(Options, OnlyFlagsCanBeSwitchedOff) {
    EXPECT_EQ(
        refusal("--no-colour"),
        "lamp: '--no-colour' cannot be: '--colour' is not switched on or off, it takes a value: 1 to 9");
    EXPECT_EQ(refusal("--no-lit=false"),
              "lamp: '--no-lit' takes no value, but was given 'false'; '--lit=false' sets it");
    EXPECT_EQ(refusal("--no-lti"), "lamp: no parameter '--no-lti'; did you mean '--no-lit'?");
    EXPECT_EQ(refusal("--no-frobnicate"),
              "lamp: no parameter '--no-frobnicate'; 'caprock help lamp' lists what there is");
    EXPECT_EQ(refusal("--no-"), "lamp: no parameter '--no-'; did you mean '--no-smoke'?");
    EXPECT_EQ(refusal("-no-lit"), "lamp: no parameter '-no-lit'; did you mean '--no-lit'?");
}

TEST(Options, HelpAndCompletionsShowWhatSwitchesOff) {
    EXPECT_EQ(option_names(Lamp().declaration()),
              (std::vector<std::string>{"lit", "loud", "no-smoke", "colour", "no-lit"}));
    std::string page = options_help(Lamp().declaration());
    EXPECT_TRUE(contains(page, "(on unless --no-lit)")) << page;
    EXPECT_FALSE(contains(page, "--no-loud")) << page;
}

}  // namespace
}  // namespace caprock::test

// Parameters of every kind: text in and out, ranges and refusals.
#include "operation/sample_operations.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace caprock::test {
namespace {

// One parameter, with the declaration and the value it is bound to kept alive.
struct Kinds {
    AllKinds values;
    Declaration declaration;

    Kinds() { values.describe(declaration); }
    const Parameter& operator[](const std::string& name) { return declaration.schema().at(name); }
    void set_text(const std::string& name, const std::string& text) { declaration.set_text(name, text); }
    void check(const std::string& name) { (*this)[name].check(declaration.value(name)); }
    std::string refusal(const std::string& name, const std::string& text) {
        return message_of([&] { set_text(name, text); });
    }
};

TEST(Parameter, TextGoesInAndOut) {
    const std::pair<const char*, std::vector<std::string>> examples[] = {
        {"number", {"0", "10", "2.5", "0.1", "1e-07"}},
        {"integer", {"1", "32"}},
        {"flag", {"true", "false"}},
        {"shape", {"round", "square", "star"}},
        {"seed", {"0", "1", "4294967295"}},
        {"interval", {"0:500", "1.5:2.5", "7:7"}},
        {"table", {"", "0.5", "-1,0,1", "0.25,0.125"}},
        {"words", {"", "talc", "talc,gypsum,calcite"}},
        {"text", {"a", "with spaces, commas and: colons", "\xc3\xa4"}},
        {"file", {"a.tif", "/some where/else.png"}},
        {"field", {"height", "my mask"}},
    };
    for (const auto& [name, texts] : examples) {
        for (const std::string& text : texts) {
            Kinds kinds;
            kinds.set_text(name, text);
            EXPECT_EQ(kinds.declaration.value_text(name), text) << name;
            EXPECT_NO_THROW(kinds.check(name));
        }
    }
}

TEST(Parameter, SetsTheMemberItIsBoundTo) {
    Kinds kinds;
    for (auto [name, text] : {std::pair("number", "7.5"),
                              {"integer", "9"},
                              {"flag", "false"},
                              {"shape", "star"},
                              {"seed", "4294967295"},
                              {"interval", "2:3"},
                              {"table", "1,-1"},
                              {"words", "a,b"}})
        kinds.set_text(name, text);
    EXPECT_EQ(kinds.values.number, 7.5);
    EXPECT_EQ(kinds.values.integer, 9);
    EXPECT_FALSE(kinds.values.flag);
    EXPECT_EQ(kinds.values.shape, Shape::star);
    EXPECT_EQ(kinds.values.seed, UINT32_MAX);
    EXPECT_EQ(kinds.values.interval, (Interval{2, 3}));
    EXPECT_EQ(kinds.values.table, (std::vector<double>{1, -1}));
    EXPECT_EQ(kinds.values.words, (std::vector<std::string>{"a", "b"}));
}

TEST(Parameter, NumbersOutsideTheirRangeAreRefusedWithRangeAndUnit) {
    Kinds kinds;
    EXPECT_EQ(kinds.refusal("number", "10.5"), "number 10.5: must be 0 to 10 m");
    EXPECT_EQ(kinds.refusal("number", "-0.001"), "number -0.001: must be 0 to 10 m");
    EXPECT_EQ(kinds.refusal("number", "nan"), "number nan: must be 0 to 10 m");
    EXPECT_EQ(kinds.refusal("number", "1e400"), "number 1e400: must be 0 to 10 m");
    EXPECT_EQ(kinds.refusal("number", "ten"), "number ten: must be 0 to 10 m");
    EXPECT_EQ(kinds.refusal("number", ""), "number '': must be 0 to 10 m");
    EXPECT_EQ(kinds.refusal("integer", "99"), "integer 99: must be 1 to 32");
    EXPECT_EQ(kinds.refusal("integer", "0"), "integer 0: must be 1 to 32");
    EXPECT_EQ(kinds.refusal("integer", "4294967297"), "integer 4294967297: must be 1 to 32");
    EXPECT_EQ(kinds.refusal("table", "0,2"), "table 0,2: must be numbers separated by commas, each -1 to 1");
    EXPECT_EQ(kinds.refusal("interval", "0:501"), "interval 0:501: must be low:high within 0 to 500 m");
    // And nothing was changed by any of it.
    EXPECT_EQ(kinds.values.number, 2.5);
    EXPECT_EQ(kinds.values.integer, 3);
    EXPECT_EQ(kinds.values.table.size(), 2u);
    EXPECT_EQ(kinds.values.interval, (Interval{1, 350}));
}

TEST(Parameter, FractionsOfWholeNumbersAreToldWhatIsWrong) {
    Kinds kinds;
    EXPECT_EQ(kinds.refusal("integer", "3.5"), "integer 3.5: must be a whole number, 1 to 32");
    EXPECT_EQ(kinds.refusal("seed", "3.5"), "seed 3.5: must be a whole number, 0 to 4294967295");
}

TEST(Parameter, WithoutARangeAnyNumberWillDo) {
    Declaration d;
    double number = 0;
    int integer = 0;
    d.number("far", number).unit("m");
    d.integer("many", integer);
    d.set_text("far", "-1e300");
    EXPECT_EQ(number, -1e300);
    d.set_text("many", "-2147483648");
    EXPECT_EQ(integer, INT32_MIN);
    EXPECT_EQ(message_of([&] { d.set_text("far", "abc"); }), "far abc: must be a number in m");
    EXPECT_EQ(message_of([&] { d.set_text("many", "2147483648"); }),
              "many 2147483648: must be a whole number");
    number = std::numeric_limits<double>::infinity();
    EXPECT_EQ(message_of([&] { d.check_values(); }), "far inf: must be a number in m");
}

TEST(Parameter, FlagsAreWords) {
    for (const char* text : {"true", "yes", "on", "1"}) {
        Kinds kinds;
        kinds.values.flag = false;
        kinds.set_text("flag", text);
        EXPECT_TRUE(kinds.values.flag) << text;
    }
    for (const char* text : {"false", "no", "off", "0"}) {
        Kinds kinds;
        kinds.set_text("flag", text);
        EXPECT_FALSE(kinds.values.flag) << text;
    }
    EXPECT_EQ(Kinds().refusal("flag", "maybe"), "flag maybe: must be true or false");
    EXPECT_EQ(Kinds().refusal("flag", ""), "flag '': must be true or false");
}

TEST(Parameter, ChoicesSuggestTheNearest) {
    Kinds kinds;
    EXPECT_EQ(kinds.refusal("shape", "sqare"),
              "shape sqare: must be round, square or star; did you mean 'square'?");
    EXPECT_EQ(kinds.refusal("shape", "pentagon"), "shape pentagon: must be round, square or star");
    EXPECT_EQ(kinds.refusal("shape", "1"), "shape 1: must be round, square or star");
}

TEST(Parameter, ChoicesOutsideTheirWordsAreRefusedNotLookedUp) {
    Kinds kinds;
    for (int index : {-1, 3, 1000}) {
        kinds.values.shape = Shape(index);
        EXPECT_EQ(message_of([&] { kinds.check("shape"); }),
                  "shape " + std::to_string(index) + ": must be round, square or star");
    }
}

TEST(Parameter, SeedsReachBothTheirLimits) {
    Kinds kinds;
    for (const char* text : {"-1", "4294967296", "99999999999999999999", "x", ""})
        EXPECT_TRUE(has(kinds.refusal("seed", text), "must be a whole number, 0 to 4294967295")) << text;
}

TEST(Parameter, Intervals) {
    Kinds kinds;
    // One number stands for both ends.
    kinds.set_text("interval", "20");
    EXPECT_EQ(kinds.values.interval, (Interval{20, 20}));
    for (const char* text : {"5:2", "-1:5", "1:2:3", ":", "a:b", "", "501"})
        EXPECT_TRUE(has(kinds.refusal("interval", text), "must be low:high within 0 to 500 m")) << text;
    Declaration d;
    Interval heights;
    d.interval("heights", heights);
    d.set_text("heights", "-20.5:-3");
    EXPECT_EQ(heights, (Interval{-20.5, -3}));
    EXPECT_EQ(d.value_text("heights"), "-20.5:-3");
}

TEST(Parameter, TablesAndWordsRefuseHoles) {
    Kinds kinds;
    for (const char* text : {"1,,1", ",1", "1,", "1;1", "0.5,x"})
        EXPECT_TRUE(has(kinds.refusal("table", text), "must be numbers separated by commas")) << text;
    for (const char* text : {"a,,b", ",a", "a,", ","})
        EXPECT_TRUE(has(kinds.refusal("words", text), "must be words separated by commas")) << text;
}

TEST(Parameter, NamesMustNotBeEmpty) {
    Kinds kinds;
    EXPECT_EQ(kinds.refusal("text", ""), "text '': must be text");
    EXPECT_EQ(kinds.refusal("file", ""), "file '': must be the name of a file");
    EXPECT_EQ(kinds.refusal("field", ""), "field '': must be the name of a field");
}

TEST(Parameter, RefusalsAreOneShortLine) {
    Kinds kinds;
    for (const char* name : {"number", "integer", "flag", "shape", "seed", "interval", "table"}) {
        std::string message = kinds.refusal(name, std::string(100000, 'x') + "\nmore\n");
        EXPECT_FALSE(has(message, "\n"));
        EXPECT_LT(message.size(), 200u) << message;
    }
}

TEST(Parameter, CheckFindsWhatWasSetPastTheText) {
    Kinds kinds;
    kinds.values.number = 11;
    EXPECT_EQ(message_of([&] { kinds.check("number"); }), "number 11: must be 0 to 10 m");
    kinds.values.number = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(message_of([&] { kinds.check("number"); }), "number nan: must be 0 to 10 m");
    kinds.values.integer = -4;
    EXPECT_EQ(message_of([&] { kinds.check("integer"); }), "integer -4: must be 1 to 32");
    kinds.values.interval = {9, 3};
    EXPECT_TRUE(has(message_of([&] { kinds.check("interval"); }), "interval 9:3: must be low:high"));
    kinds.values.table = {0, 0, 5};
    EXPECT_TRUE(has(message_of([&] { kinds.check("table"); }), "table 0,0,5: must be numbers"));
}

TEST(Parameter, SlidersSpanTheHardRangeUnlessToldOtherwise) {
    Kinds kinds;
    EXPECT_EQ(kinds["number"].slider_range(), (Interval{1, 5}));
    EXPECT_EQ(kinds["number"].hard_range(), (Interval{0, 10}));
    EXPECT_EQ(kinds["integer"].slider_range(), (Interval{1, 32}));
    EXPECT_EQ(kinds["flag"].slider_range(), (Interval{0, 1}));
    EXPECT_FALSE(kinds["seed"].hard_range());
    // A slider does not limit what can be typed.
    EXPECT_NO_THROW(kinds.set_text("number", "9"));
}

TEST(Parameter, SaysWhatItTakes) {
    Kinds kinds;
    EXPECT_EQ(kinds["number"].range_text(), "0 to 10");
    EXPECT_EQ(kinds["interval"].range_text(), "low:high within 0 to 500");
    EXPECT_EQ(kinds["shape"].range_text(), "round, square or star");
    EXPECT_EQ(kinds["shape"].value_word(), "round|square|star");
    EXPECT_EQ(kinds["interval"].value_word(), "LOW:HIGH");
    EXPECT_EQ(kinds["flag"].value_word(), "");
    EXPECT_TRUE(kinds["table"].numeric());
    EXPECT_FALSE(kinds["words"].numeric());
    for (const Parameter& parameter : kinds.declaration.schema().parameters())
        EXPECT_NE(parameter.range_text(), "");
}

}  // namespace
}  // namespace caprock::test

#include "base/text.h"

#include <clocale>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <locale>
#include <random>

namespace caprock {
namespace {

using Words = std::vector<std::string>;

TEST(ParseNumber, TakesWhatPeopleType) {
    EXPECT_EQ(parse_number("12"), 12);
    EXPECT_EQ(parse_number("-0.25"), -0.25);
    EXPECT_EQ(parse_number("+3.5"), 3.5);
    EXPECT_EQ(parse_number("1e3"), 1000);
    EXPECT_EQ(parse_number(".5"), 0.5);
    EXPECT_EQ(parse_number("5."), 5);
}

TEST(ParseNumber, RefusesWhatIsNotWhollyANumber) {
    for (const char* text : {"",  " ", " 3", "3 ",  "12abc", "abc", "1,5", "0x10",     "--3",   "+-3",  "++3",
                             "+", "-", "1e", "inf", "-inf",  "nan", "NaN", "infinity", "1e400", "1 000"})
        EXPECT_FALSE(parse_number(text)) << text;
}

TEST(ParseInteger, HoldsToItsLimits) {
    EXPECT_EQ(parse_integer("0"), 0);
    EXPECT_EQ(parse_integer("-17"), -17);
    EXPECT_EQ(parse_integer("+17"), 17);
    EXPECT_EQ(parse_integer("9223372036854775807"), INT64_MAX);
    EXPECT_EQ(parse_integer("-9223372036854775808"), INT64_MIN);
    for (const char* text :
         {"9223372036854775808", "-9223372036854775809", "3.5", "3.0", "1e3", "", "0x10", "+-3"})
        EXPECT_FALSE(parse_integer(text)) << text;
}

TEST(ParseInterval, TakesNegativeEnds) {
    EXPECT_EQ(parse_interval("1:350"), (Interval{1, 350}));
    EXPECT_EQ(parse_interval("-10:-2.5"), (Interval{-10, -2.5}));
    EXPECT_EQ(parse_interval("-1e3:+20"), (Interval{-1000, 20}));
    // Which way round is for whoever asked.
    EXPECT_EQ(parse_interval("5:2"), (Interval{5, 2}));
    for (const char* text : {"", ":", "5", "5:", ":5", "1:2:3", "a:b", "1 : 2", "1-2", "nan:2", "0:inf"})
        EXPECT_FALSE(parse_interval(text)) << text;
}

TEST(ParseSize, TakesRectanglesAndSquares) {
    EXPECT_EQ(parse_size("1024x512"), (Size{1024, 512}));
    EXPECT_EQ(parse_size("1024X512"), (Size{1024, 512}));
    EXPECT_EQ(parse_size("77"), (Size{77, 77}));
    // Too small or large for a grid is for the grid to say; too large for an int would wrap around.
    EXPECT_EQ(parse_size("0x5"), (Size{0, 5}));
    EXPECT_EQ(parse_size("2147483647"), (Size{INT32_MAX, INT32_MAX}));
    for (const char* text : {"", "x", "5x", "x5", "5x5x5", "-5", "5x-5", "2147483648", "4294967297x1",
                             "1.5x2", "a", "99999999999999999999", "10 x 10", "10*10"})
        EXPECT_FALSE(parse_size(text)) << text;
}

TEST(NumberText, IsTheShortestThatReadsBack) {
    EXPECT_EQ(number_text(0.1), "0.1");
    EXPECT_EQ(number_text(100000), "100000");
    EXPECT_EQ(number_text(-2.5), "-2.5");
    EXPECT_EQ(interval_text({-1, 2.5}), "-1:2.5");
    std::mt19937_64 random(7);
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = random();
        double value;
        std::memcpy(&value, &bits, sizeof value);
        if (!std::isfinite(value)) continue;
        std::optional<double> back = parse_number(number_text(value));
        ASSERT_TRUE(back) << number_text(value);
        ASSERT_EQ(*back, value);
    }
    for (double value : {std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::min(),
                         std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()})
        EXPECT_EQ(parse_number(number_text(value)), value);
}

// A locale as on a German desktop, made here because the machine may have none installed.
struct CommaForPoint : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

TEST(Numbers, DoNotDependOnTheLocale) {
    std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaForPoint));
    for (const char* name : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"})
        if (std::setlocale(LC_NUMERIC, name)) break;
    EXPECT_EQ(number_text(1234567.5), "1234567.5");
    EXPECT_EQ(parse_number("1234567.5"), 1234567.5);
    EXPECT_FALSE(parse_number("1,5"));
    EXPECT_EQ(bytes_text(1536), "1.5 KiB");
    EXPECT_EQ(interval_text({0.5, 1000}), "0.5:1000");
    std::setlocale(LC_NUMERIC, "C");
    std::locale::global(before);
}

TEST(Bytes, AreWrittenInTheUnitThatSuits) {
    EXPECT_EQ(bytes_text(0), "0 B");
    EXPECT_EQ(bytes_text(1023), "1023 B");
    EXPECT_EQ(bytes_text(1024), "1.0 KiB");
    EXPECT_EQ(bytes_text(uint64_t(16) << 30), "16.0 GiB");
    EXPECT_EQ(bytes_text(UINT64_MAX), "16.0 EiB");
    // Just under a unit is one of it, not 1024.0 of the one below.
    EXPECT_EQ(bytes_text((1 << 20) - 1), "1.0 MiB");
    EXPECT_EQ(bytes_text((uint64_t(1) << 40) - 1), "1.0 TiB");
}

TEST(Bytes, AreReadInPowersOf1024) {
    EXPECT_EQ(parse_bytes("512"), 512u);
    EXPECT_EQ(parse_bytes("64K"), 65536u);
    EXPECT_EQ(parse_bytes("16m"), 16777216u);
    EXPECT_EQ(parse_bytes("2G"), uint64_t(1) << 31);
    EXPECT_EQ(parse_bytes("0"), 0u);
    for (const char* text :
         {"", "G", "-1", "-1G", "1.5G", "1T", "2 G", "9223372036854775807G", "99999999999999999999"})
        EXPECT_FALSE(parse_bytes(text)) << text;
}

TEST(Split, KeepsEmptyParts) {
    EXPECT_EQ(split("a,b,c", ','), (Words{"a", "b", "c"}));
    EXPECT_EQ(split("", ','), (Words{""}));
    EXPECT_EQ(split(",a,,", ','), (Words{"", "a", "", ""}));
}

TEST(NearestWord, FindsWhatWasMeant) {
    const Words names = {"noise",   "normalise", "smooth", "thermal-erosion",
                         "octaves", "seed",      "sum",    "ridged"};
    const std::pair<const char*, const char*> mistakes[] = {{"nosie", "noise"},
                                                            {"nois", "noise"},
                                                            {"niose", "noise"},
                                                            {"NOISE", "noise"},
                                                            {"normalize", "normalise"},
                                                            {"smoth", "smooth"},
                                                            {"smoothe", "smooth"},
                                                            {"thermal", "thermal-erosion"},
                                                            {"termal-erosion", "thermal-erosion"},
                                                            {"octave", "octaves"},
                                                            {"ocatves", "octaves"},
                                                            {"sed", "seed"},
                                                            {"sun", "sum"},
                                                            {"rigid", "ridged"},
                                                            {"thermal_erosion", "thermal-erosion"}};
    for (auto [typed, meant] : mistakes) EXPECT_EQ(nearest_word(typed, names), meant) << typed;
}

TEST(NearestWord, SuggestsNothingFarFetched) {
    const Words names = {"noise", "smooth", "sum", "seed"};
    for (const char* word : {"", "x", "xyz", "erosion", "cat", "hydraulic", "no", "fog", "s"})
        EXPECT_FALSE(nearest_word(word, names)) << word << " -> " << *nearest_word(word, names);
    EXPECT_FALSE(nearest_word("noise", {}));
}

TEST(NearestWord, PrefersTheCloser) {
    EXPECT_EQ(nearest_word("heigth", {"eight", "height", "weight"}), "height");
    EXPECT_EQ(nearest_word("flow", {"flower", "slow"}), "flower");
}

TEST(NearestWord, BecomesASuggestion) {
    EXPECT_EQ(suggestion("nosie", {"noise", "smooth"}), "; did you mean 'noise'?");
    EXPECT_EQ(suggestion("hydraulic", {"noise", "smooth"}), "");
}

TEST(Listed, ReadsLikeASentence) {
    EXPECT_EQ(listed({}), "");
    EXPECT_EQ(listed({"a"}), "a");
    EXPECT_EQ(listed({"a", "b"}), "a and b");
    EXPECT_EQ(listed({"a", "b", "c"}, "or"), "a, b or c");
}

TEST(OneLine, KeepsMessagesToOneShortLine) {
    EXPECT_EQ(one_line("plain"), "plain");
    EXPECT_EQ(one_line("two\nlines\tand\x1b[31m"), "two lines and [31m");
    EXPECT_EQ(one_line(std::string(60, 'a')), std::string(60, 'a'));
    EXPECT_EQ(one_line(std::string(61, 'a')), std::string(60, 'a') + "...");
    // 40 letters of two bytes: the cut at 60 bytes falls between letters, one further along does not.
    std::string letters;
    for (int i = 0; i < 40; i++) letters += "\xc3\xa4";
    EXPECT_EQ(one_line(letters), letters.substr(0, 60) + "...");
    letters.insert(letters.begin(), 'a');
    EXPECT_EQ(one_line(letters), letters.substr(0, 59) + "...");
}

TEST(Text, Utf8IsToldFromOtherBytes) {
    for (const char* text :
         {"", "plain", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x8f\x94", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"})
        EXPECT_TRUE(is_utf8(text)) << text;
    for (const char* bytes : {"\xe4", "a\xff", "\xc3", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
                              "\xf4\x90\x80\x80", "\xf0\x80\x80\x80", "\x80", "\xe2\x82"})
        EXPECT_FALSE(is_utf8(bytes)) << bytes;
}

}  // namespace
}  // namespace caprock

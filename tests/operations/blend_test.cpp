// The modes that look at one cell alone, against their formulas in double precision.
#include "support/devices.h"
#include "support/terrains.h"

#include <cmath>
#include <gtest/gtest.h>
#include <optional>

namespace caprock::test {
namespace {

const std::vector<std::string> mixing_modes = {"lerp",    "multiply",   "min",        "max",
                                               "overlay", "smooth-min", "smooth-max", "difference"};
const std::vector<std::string> all_modes = {"lerp",       "replace", "add",        "subtract",
                                            "multiply",   "min",     "max",        "smooth-min",
                                            "smooth-max", "overlay", "difference", "multi-resolution"};

Terrain blended(const Terrain& input, const Parameters& settings) {
    return applied("blend", settings, input);
}

// Heights of -100 to 300 and a source of as many, a mask that goes beyond 0 and 1, and holes in each of the three.
Terrain two_lands(Size size, Holes holes) {
    Grid grid{Rect::of(size), 4, {-100, 300}};
    auto land = [&](uint32_t purpose, float low, float high) {
        return made_field(grid.extent, [=](int x, int y) {
            if (holes == Holes::some && scattered(x, y, purpose + 50) < 0.1f) return missing;
            return low + (high - low) * scattered(x, y, purpose);
        });
    };
    Terrain terrain(grid);
    terrain.set("height", land(1, -100, 300));
    terrain.set("source", land(2, -100, 300));
    terrain.set("mask", land(3, -0.3f, 1.3f));
    return terrain;
}

double mode_formula(const std::string& mode, double a, double b, Interval range, double softness) {
    double ua = (a - range.low) / range.span();
    double ub = (b - range.low) / range.span();
    double h = softness > 0 ? std::max(softness - std::fabs(a - b), 0.0) / softness : 0;
    if (mode == "multiply") return range.low + range.span() * ua * ub;
    if (mode == "min") return std::min(a, b);
    if (mode == "max") return std::max(a, b);
    if (mode == "smooth-min") return std::min(a, b) - h * h * softness / 4;
    if (mode == "smooth-max") return std::max(a, b) + h * h * softness / 4;
    if (mode == "overlay")
        return range.low + range.span() * (ua < 0.5 ? 2 * ua * ub : 1 - 2 * (1 - ua) * (1 - ub));
    if (mode == "difference") return range.low + std::fabs(a - b);
    return b;
}

// Nothing for a missing cell.
std::optional<double> expected(const std::string& mode, double a, double b, double w, Interval range,
                               double softness) {
    auto known = [](double value) { return std::isnan(value) ? std::nullopt : std::optional(value); };
    if (std::isnan(b)) return known(a);
    if (std::isnan(a)) return (mode == "lerp" || mode == "replace") && w >= 0.5 ? known(b) : std::nullopt;
    if (mode == "replace") return w >= 0.5 ? b : a;
    if (mode == "add") return a + w * b;
    if (mode == "subtract") return a - w * b;
    return a + w * (mode_formula(mode, a, b, range, softness) - a);
}

TEST(Blend, IsWhatTheFormulasSay) {
    Terrain input = two_lands({61, 47}, Holes::some);
    for (const std::string& mode : all_modes) {
        if (mode == "multi-resolution") continue;
        for (double opacity : {1.0, 0.625})
            for (double softness : {0.0, 150.0}) {
                Terrain output = blended(input, {{"mode", mode},
                                                 {"opacity", std::to_string(opacity)},
                                                 {"softness", std::to_string(softness)}});
                for (int y = 0; y < 47; y++)
                    for (int x = 0; x < 61; x++) {
                        float mask = input.field("mask").at(x, y);
                        double w = is_missing(mask) ? 0 : std::clamp(double(mask), 0.0, 1.0) * opacity;
                        auto wanted = expected(mode, input.height().at(x, y), input.field("source").at(x, y),
                                               w, input.grid().range, softness);
                        float made = output.height().at(x, y);
                        ASSERT_EQ(is_missing(made), !wanted) << mode << " at " << x << "," << y;
                        if (wanted) {
                            ASSERT_NEAR(made, *wanted, 2e-4) << mode << " at " << x << "," << y;
                        }
                    }
            }
    }
}

// With both, cells are taken away and put from half the weight on; all others are what they are without.
TEST(Blend, TakesAwayAndPutsWhatItIsToldTo) {
    Terrain input = two_lands({97, 61}, Holes::some);
    for (const std::string& mode : all_modes) {
        bool in_place = mode == "lerp" || mode == "replace" || mode == "multi-resolution";
        bool picks = mode.ends_with("min") || mode.ends_with("max");
        Field plain = blended(input, {{"mode", mode}, {"width", "40"}}).height();
        Field told = blended(input, {{"mode", mode}, {"width", "40"}, {"take-away", "true"}, {"put", "true"}})
                         .height();
        int taken = 0;
        int put = 0;
        for (int y = 0; y < 61; y++)
            for (int x = 0; x < 97; x++) {
                float below = input.height().at(x, y);
                float source = input.field("source").at(x, y);
                float mask = input.field("mask").at(x, y);
                bool half = mask >= 0.5f;
                if (half && in_place && is_missing(source)) {
                    taken += !is_missing(below);
                    ASSERT_TRUE(is_missing(told.at(x, y))) << mode << " at " << x << "," << y;
                } else if (half && picks && is_missing(below)) {
                    put += !is_missing(source);
                    ASSERT_TRUE(is_missing(source) ? is_missing(told.at(x, y)) : told.at(x, y) == source)
                        << mode << " at " << x << "," << y;
                } else {
                    ASSERT_TRUE(is_missing(plain.at(x, y)) ? is_missing(told.at(x, y))
                                                           : told.at(x, y) == plain.at(x, y))
                        << mode << " at " << x << "," << y;
                }
            }
        EXPECT_EQ(taken > 100, in_place) << mode;
        EXPECT_EQ(put > 100, picks) << mode;
    }
}

TEST(Blend, OfASourceInSharesIsThatOfTheHeightsTheyStandFor) {
    Terrain input = two_lands({40, 30}, Holes::some);
    Terrain in_shares = input;
    const Field& source = input.field("source");
    in_shares.set("source",
                  made_field(source.rect(), [&](int x, int y) { return (source.at(x, y) + 100) / 400; }));
    for (const std::string& mode : all_modes) {
        const Field heights = blended(input, {{"mode", mode}}).height();
        const Field shares = blended(in_shares, {{"mode", mode}, {"unit-source", "true"}}).height();
        for (int y = 0; y < 30; y++)
            for (int x = 0; x < 40; x++) {
                ASSERT_EQ(is_missing(heights.at(x, y)), is_missing(shares.at(x, y))) << mode;
                if (!is_missing(heights.at(x, y))) {
                    ASSERT_NEAR(heights.at(x, y), shares.at(x, y), 3e-4) << mode;
                }
            }
    }
}

TEST(Blend, TheEndsOfTheRangeComeOutExactly) {
    Grid grid{Rect::of({2, 1}), 1, {-123.4, 987.6}};
    Terrain input(grid);
    input.set("height", Field(grid.extent, 1.0f));
    input.set("source", made_field(grid.extent, [](int x, int) { return float(x); }));
    Terrain output = blended(input, {{"unit-source", "true"}});
    EXPECT_EQ(output.height().at(0, 0), -123.4f);
    EXPECT_EQ(output.height().at(1, 0), 987.6f);
}

TEST(Blend, OtherFieldsHaveTheRangeZeroToOne) {
    Terrain input = two_lands({30, 20}, Holes::none);
    for (const char* name : {"hardness", "other"})
        input.set(name, made_field(input.rect(), [&](int x, int y) { return scattered(x, y, name[0]); }));
    // 40 m of the 400 that heights have is a tenth of the 1 that hardness has.
    for (const std::string& mode : mixing_modes) {
        Terrain output =
            blended(input, {{"mode", mode}, {"field", "hardness"}, {"source", "other"}, {"softness", "40"}});
        EXPECT_TRUE(identical(output.height(), input.height()));
        for (int y = 0; y < 20; y++)
            for (int x = 0; x < 30; x++) {
                double w = std::clamp(input.field("mask").at(x, y), 0.0f, 1.0f);
                auto wanted = expected(mode, input.field("hardness").at(x, y), input.field("other").at(x, y),
                                       w, {0, 1}, 0.1);
                ASSERT_NEAR(output.field("hardness").at(x, y), *wanted, 1e-6) << mode;
            }
    }
}

TEST(Blend, NoWeightChangesNoBit) {
    for (Holes holes : {Holes::none, Holes::some}) {
        Terrain input = two_lands({50, 40}, holes);
        Field height = input.height();
        height.set(7, 7, -0.0f);
        input.set("height", height);
        Terrain unmasked = input;
        unmasked.set("mask", Field(input.rect(), 0.0f));
        for (const std::string& mode : all_modes) {
            EXPECT_TRUE(identical(blended(input, {{"mode", mode}, {"opacity", "0"}}).height(), height))
                << mode;
            EXPECT_TRUE(identical(blended(unmasked, {{"mode", mode}}).height(), height)) << mode;
        }
    }
}

TEST(Blend, FullWeightIsTheSourceToTheBit) {
    Terrain input = two_lands({50, 40}, Holes::none);
    Field source = input.field("source");
    source.set(3, 3, -0.0f);
    source.set(4, 3, 1e-40f);
    input.set("source", source);
    Terrain full = input;
    full.set("mask", Field(input.rect(), 1.0f));
    input.remove("mask");
    for (const char* mode : {"lerp", "replace"}) {
        EXPECT_TRUE(identical(blended(input, {{"mode", mode}}).height(), source));
        EXPECT_TRUE(identical(blended(full, {{"mode", mode}}).height(), source));
    }
    for (const std::string& mode : all_modes)
        if (mode != "multi-resolution") {
            EXPECT_TRUE(identical(blended(input, {{"mode", mode}}).height(),
                                  blended(full, {{"mode", mode}}).height()))
                << mode;
        }
}

TEST(Blend, ReplaceMixesNothing) {
    Grid grid{Rect::of({64, 64}), 1, {0, 1}};
    Terrain input(grid);
    input.set("material",
              made_field(grid.extent, [](int x, int y) { return std::floor(9 * scattered(x, y, 1)); }));
    input.set("source", Field(grid.extent, 12.0f));
    input.set("mask", made_field(grid.extent, [](int x, int) { return float(x) / 63; }));
    const Field made = blended(input, {{"mode", "replace"}, {"field", "material"}}).field("material");
    for (int y = 0; y < 64; y++)
        for (int x = 0; x < 64; x++)
            ASSERT_EQ(made.at(x, y), x < 32 ? input.field("material").at(x, y) : 12.0f) << x << "," << y;
}

TEST(Blend, SoftEdgesLieBesideHardOnes) {
    Terrain input = two_lands({80, 60}, Holes::none);
    input.remove("mask");
    Terrain swapped = input;
    swapped.set("height", input.field("source"));
    swapped.set("source", input.height());
    const Field least = blended(input, {{"mode", "min"}}).height();
    const Field most = blended(input, {{"mode", "max"}}).height();
    const Parameters soft_min = {{"mode", "smooth-min"}, {"softness", "90"}};
    const Parameters soft_max = {{"mode", "smooth-max"}, {"softness", "90"}};
    const Field lower = blended(input, soft_min).height();
    const Field upper = blended(input, soft_max).height();
    EXPECT_TRUE(identical(lower, blended(swapped, soft_min).height()));
    EXPECT_TRUE(identical(upper, blended(swapped, soft_max).height()));
    int rounded = 0;
    for (int y = 0; y < 60; y++)
        for (int x = 0; x < 80; x++) {
            bool near = std::fabs(input.height().at(x, y) - input.field("source").at(x, y)) < 90;
            rounded += near;
            ASSERT_LE(lower.at(x, y), least.at(x, y));
            ASSERT_GE(upper.at(x, y), most.at(x, y));
            // At most a quarter of the softness, where both are equal.
            ASSERT_GE(lower.at(x, y), least.at(x, y) - 22.5001f);
            if (near) continue;
            ASSERT_EQ(lower.at(x, y), least.at(x, y));
            ASSERT_EQ(upper.at(x, y), most.at(x, y));
        }
    EXPECT_GT(rounded, 500);
    EXPECT_TRUE(identical(blended(input, {{"mode", "smooth-min"}, {"softness", "0"}}).height(), least));
    EXPECT_TRUE(identical(blended(input, {{"mode", "smooth-max"}, {"softness", "0"}}).height(), most));
}

TEST(Blend, SaysWhatItNeeds) {
    auto declared = [](const Parameters& settings) { return made_operation("blend", settings)->fields(); };
    EXPECT_EQ(declared({{"field", "hardness"}}).outputs, std::vector<std::string>{"hardness"});
    EXPECT_EQ(declared({}).inputs, (std::vector<std::string>{"height", "source"}));
    EXPECT_EQ(declared({{"mask", "trees"}}).optional_inputs, std::vector<std::string>{"trees"});
    for (const std::string& mode : all_modes) {
        bool fills = mode == "lerp" || mode == "replace" || mode == "multi-resolution";
        EXPECT_EQ(declared({{"mode", mode}}).fills_missing, fills) << mode;
        EXPECT_EQ(made_operation("blend", {{"mode", mode}})->reach(Grid()).kind(),
                  mode == "multi-resolution" ? Reach::Kind::area : Reach::Kind::point);
    }
}

TEST(Blend, EveryModeHasTheSameBitsOnEveryDevice) {
    for (Size size : {Size{67, 41}, Size{1, 37}, Size{53, 1}}) {
        Terrain input = two_lands(size, Holes::some);
        for (const std::string& mode : all_modes)
            for (const char* unit : {"false", "true"}) {
                auto operation = made_operation(
                    "blend", {{"mode", mode}, {"opacity", "0.9"}, {"unit-source", unit}, {"width", "100"}});
                RunContext plain = on(make_cpu_device(CpuLevel::portable, 1));
                const Field wanted = run(*operation, input, plain).height();
                for (const NamedDevice& named : all_devices()) {
                    RunContext context = on(named.device);
                    EXPECT_TRUE(identical(run(*operation, input, context).height(), wanted))
                        << mode << " on " << named.name;
                }
            }
    }
}

}  // namespace
}  // namespace caprock::test

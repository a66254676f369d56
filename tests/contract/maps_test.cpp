// What holds of every number that may vary over the land, whichever operation has it: an even map is the number, a map of two
// halves is two numbers, and devices, tiles and missing cells change nothing of that.
#include "base/error.h"
#include "base/text.h"
#include "operation/evaluate.h"
#include "support/devices.h"
#include "support/same_terrain.h"
#include "support/terrains.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <ostream>

namespace caprock::test {
namespace {

struct VaryingParameter {
    std::string operation;
    std::string parameter;
};

void PrintTo(const VaryingParameter& one, std::ostream* to) { *to << one.operation << " " << one.parameter; }

std::vector<VaryingParameter> varying_parameters() {
    std::vector<VaryingParameter> all;
    for (const std::string& name : operation_names())
        for (const Parameter& parameter : make_operation(name)->schema().parameters())
            if (parameter.varies()) all.push_back({name, parameter.name()});
    return all;
}

class Maps : public testing::TestWithParam<VaryingParameter> {
  protected:
    // With values by which the parameter matters.
    std::unique_ptr<Operation> operation() const {
        std::unique_ptr<Operation> made = make_operation(GetParam().operation);
        const Schema& schema = made->schema();
        if (schema.find("duration")) {
            made->set_text("duration", "6");
        } else if (schema.find("steps")) {
            made->set_text("steps", "6");
        }
        // In five million years all of so little land stands at its angle, however quickly it rises.
        if (GetParam().operation == "stream-power") made->set_text("age", "30000");
        if (schema.find("particles")) made->set_text("particles", "100");
        if (schema.find("water") && schema.at("water").type() == ParameterType::flag)
            made->set("water", true);
        // Water stands below the ground without its rises.
        if (GetParam().parameter == "level") made->set_text("grade", "0");
        if (GetParam().operation == "warp") {
            made->set_text("x", "250");
            made->set_text("y", "190");
            made->set_text("radius", "1500");  // within which no move is cut
            made->set_text("move-x", "20");
            made->set_text("twirl", "40");
        }
        if (GetParam().operation == "ledge" && GetParam().parameter != "limit") made->set_text("limit", "90");
        if (GetParam().operation == "blend") {
            made->set_text("source", "hardness");
            made->set("unit-source", true);
            if (GetParam().parameter == "softness") made->set_text("mode", "smooth-max");
        }
        return made;
    }
    // Schemas are one for all operations of a name.
    const Parameter& parameter() const {
        return make_operation(GetParam().operation)->schema().at(GetParam().parameter);
    }
    // Two numbers of it that a float can hold.
    double low_number() const { return number_at(0.31); }
    double high_number() const { return number_at(0.93); }
    std::string interval() const { return number_text(low_number()) + ".." + number_text(high_number()); }

    std::unique_ptr<Operation> with_number(double number) const {
        std::unique_ptr<Operation> made = operation();
        made->set(GetParam().parameter, number);
        return made;
    }
    std::unique_ptr<Operation> with_map(const std::string& text) const {
        std::unique_ptr<Operation> made = operation();
        made->set_text(GetParam().parameter, text);
        return made;
    }

    // Octaves get their heights one from the other, where elsewhere each is a power. How much it rains in a step, and how deep
    // particles cut, is multiplied with a number before that becomes a float, and with a cell of a map afterwards.
    static bool is_rounded_otherwise() {
        const auto& [operation, parameter] = GetParam();
        return parameter == "hurst" || parameter.starts_with("rain-") ||
               (operation == "riverbed" && parameter == "depth");
    }

    Terrain input(Size size, Holes holes, const std::function<float(int x, int y)>& cell) const {
        Terrain terrain = rough_terrain(size, holes);
        for (const std::string& name : operation()->fields().inputs)
            if (!terrain.has(name)) terrain.set(name, terrain.field("hardness"));
        Field map(terrain.rect());
        const Rect& rect = terrain.rect();
        for (int y = rect.top; y < rect.bottom; y++)
            for (int x = rect.left; x < rect.right; x++) map.set(x, y, cell(x, y));
        terrain.set("varies", std::move(map));
        return terrain;
    }

    static Terrain result(const Operation& by, const Terrain& from) {
        RunContext context = on(make_cpu_device(CpuLevel::portable, 1));
        return run(by, from, context);
    }

  private:
    double number_at(double share) const {
        Interval slider = parameter().slider_range();
        if (GetParam().parameter == "limit" || GetParam().parameter == "sea")
            slider = {40, 160};  // where the ground is
        return double(float(slider.low + share * slider.span()));
    }
};

// Waves, with cells that are missing and others beyond 0..1.
float waves(int x, int y) {
    if ((x * 7 + y * 13) % 41 == 0) return missing;
    return float(0.5 + 0.6 * std::sin(x * 0.11) * std::cos(y * 0.07));
}

void expect_near(const Terrain& expected, const Terrain& result, const std::vector<std::string>& names,
                 double share_of_span) {
    for (const std::string& name : names) {
        const Field &one = expected.field(name), &other = result.field(name);
        const double most = share_of_span * expected.range_of(name).span();
        for (int y = one.rect().top; y < one.rect().bottom; y++)
            for (int x = one.rect().left; x < one.rect().right; x++)
                if (!is_missing(one.at(x, y)) || !is_missing(other.at(x, y))) {
                    ASSERT_NEAR(one.at(x, y), other.at(x, y), most) << name << " at " << x << "," << y;
                }
    }
}

TEST_P(Maps, AnEvenMapIsTheNumber) {
    for (double number : {low_number(), high_number()}) {
        const Terrain terrain = input({67, 41}, Holes::some, [&](int, int) { return float(number); });
        const Terrain expected = result(*with_number(number), terrain);
        const Terrain mapped = result(*with_map("@varies"), terrain);
        if (is_rounded_otherwise()) {
            expect_near(expected, mapped, with_number(number)->fields().outputs, 1e-4);
        } else {
            expect_same(expected, mapped, number_text(number));
        }
    }
}

TEST_P(Maps, NothingKnownIsTheDefault) {
    if (is_rounded_otherwise()) return;
    const Terrain terrain = input({67, 41}, Holes::some, [](int, int) { return missing; });
    expect_same(result(*with_number(std::get<double>(parameter().default_value())), terrain),
                result(*with_map("@varies:" + interval()), terrain), "a map of nothing");
}

TEST_P(Maps, TwoHalvesAreTwoNumbers) {
    const std::unique_ptr<Operation> mapped = with_map("@varies:" + interval());
    const Terrain halves = input({64, 40}, Holes::some, [](int x, int) { return x < 32 ? 0.0f : 1.0f; });
    const Terrain expected_west = result(*with_number(low_number()), halves);
    const Terrain expected_east = result(*with_number(high_number()), halves);
    const Terrain both = result(*mapped, halves);
    const Reach reach = mapped->reach(halves.grid());
    // Of what depends on cells further away, cells that are further from the line than that.
    const std::optional<int> halo = reach.halo();
    if (!halo || *halo > 24 || is_rounded_otherwise()) return;
    const Rect west{0, 0, 32 - *halo, 40}, east{32 + *halo, 0, 64, 40};
    expect_same(expected_west.cropped(west), both.cropped(west), "west");
    expect_same(expected_east.cropped(east), both.cropped(east), "east");
}

TEST_P(Maps, TheNumberMatters) {
    // On so many cells that somewhere it does.
    const Terrain terrain = input({128, 96}, Holes::none, [](int x, int) { return x < 64 ? 1.0f : 0.0f; });
    const Terrain one = result(*with_number(low_number()), terrain);
    const Terrain both = result(*with_map("@varies:" + interval()), terrain);
    bool differs = false;
    for (const std::string& name : with_number(low_number())->fields().outputs)
        differs |= fingerprint(one.field(name)) != fingerprint(both.field(name));
    EXPECT_TRUE(differs);
}

TEST_P(Maps, SameBitsOnEveryDevice) {
    const std::unique_ptr<Operation> mapped = with_map("@varies:" + interval());
    for (Size size : {Size{1, 1}, Size{53, 1}, Size{67, 41}}) {
        const Terrain terrain = input(size, Holes::some, waves);
        const Terrain expected = result(*mapped, terrain);
        for (const NamedDevice& named : all_devices()) {
            RunContext context = on(named.device);
            expect_same(expected, run(*mapped, terrain, context), named.name);
            EXPECT_EQ(context.device, named.device);
        }
    }
}

TEST_P(Maps, ATileEqualsTheCropOfTheWhole) {
    const std::unique_ptr<Operation> mapped = with_map("@varies:" + interval());
    const Terrain terrain = input({131, 97}, Holes::some, waves);
    const Terrain whole = result(*mapped, terrain);
    RunContext context = on(make_cpu_device(supported_cpu_levels().back(), 1));
    for (const Rect& region : {Rect{0, 0, 45, 34}, Rect{50, 40, 97, 71}, Rect{130, 96, 131, 97}})
        expect_same(whole.cropped(region), evaluate(*mapped, terrain, region, context), "a region");
}

TEST_P(Maps, WhatIsOutsideTheRangeIsRefused) {
    const Interval range = *parameter().hard_range();
    const std::unique_ptr<Operation> made = operation();
    const std::string beyond = number_text(range.low) + ".." + number_text(range.high * 2 + 1);
    EXPECT_THROW(made->set_text(GetParam().parameter, "@varies:" + beyond), Error);
    for (const char* nonsense : {"@", "@:", "@varies:", "@varies:1..", "@varies:1..x"})
        EXPECT_THROW(made->set_text(GetParam().parameter, nonsense), Error) << nonsense;
}

INSTANTIATE_TEST_SUITE_P(Every, Maps, testing::ValuesIn(varying_parameters()), [](const auto& info) {
    std::string name = info.param.operation + "_" + info.param.parameter;
    std::ranges::replace(name, '-', '_');
    return name;
});

}  // namespace
}  // namespace caprock::test

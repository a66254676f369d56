// The operation `contours`: what it reads, what it calls its lines, and what it refuses.
#include "base/error.h"
#include "operation/evaluate.h"
#include "support/devices.h"
#include "support/fields.h"
#include "support/operations.h"
#include "support/refusals.h"
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain ramp(float step, float base = 0) {
    Terrain terrain(Grid{Rect::of({9, 9}), 1, {0, 1000}});
    terrain.set("height", made_field(terrain.rect(), [&](int x, int) { return base + float(x) * step; }));
    return terrain;
}

Terrain with_contours(const Terrain& terrain,
                      std::initializer_list<std::pair<std::string_view, ParameterValue>> values) {
    RunContext context = on_cpu();
    return run(*operation_with("contours", values), terrain, context);
}

TEST(Contours, AreTheSameWithAnyNumberOfThreads) {
    const Terrain terrain = rough_terrain({300, 400}, Holes::some);
    const std::unique_ptr<Operation> operation = operation_with("contours", {{"interval", 20.0}});
    RunContext one = on(make_cpu_device(CpuLevel::portable, 1));
    const Terrain expected = run(*operation, terrain, one);
    for (int threads : {2, 5}) {
        RunContext more = on(make_cpu_device(supported_cpu_levels().back(), threads));
        EXPECT_EQ(run(*operation, terrain, more).lines("contours").fingerprint(),
                  expected.lines("contours").fingerprint());
    }
}

TEST(Contours, RefuseWhatWouldNeverEnd) {
    EXPECT_NE(refusal([] {
                  with_contours(ramp(1e6f), {{"interval", 0.01}});
              }).find("interval"),
              std::string::npos);
    EXPECT_NE(refusal([] {
                  with_contours(ramp(1e24f, 1e30f), {{"interval", 100000.0}});
              }).find("interval"),
              std::string::npos);
}

TEST(Contours, OfAnotherFieldUnderAnotherName) {
    Terrain terrain = ramp(0);
    terrain.set("moisture", made_field(terrain.rect(), [](int, int y) { return float(y) * 0.1f; }));
    const Terrain after = with_contours(
        terrain, {{"interval", 0.25}, {"field", std::string("moisture")}, {"lines", std::string("wet")}});
    EXPECT_EQ(after.line_names(), std::vector<std::string>{"wet"});
    // At 0.25, 0.5 and 0.75 of 0 to 0.8, each from side to side.
    ASSERT_EQ(after.lines("wet").size(), 3u);
    for (const Line& line : after.lines("wet").lines()) EXPECT_EQ(line.length(), 8);
    EXPECT_NE(refusal([&] {
                  with_contours(terrain, {{"lines", std::string("a b")}});
              }).find("letters"),
              std::string::npos);
    EXPECT_TRUE(with_contours(ramp(0), {}).lines("contours").empty()) << "level ground";
}

}  // namespace
}  // namespace caprock::test

// All of it together, and what is said of it.
#include "assessment/assessment_picture.h"
#include "assessment/assessment_text.h"
#include "base/memory_reading.h"
#include "support/fields.h"
#include "support/numbers.h"
#include "support/terrains.h"
#include "view/line_drawing.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <tbb/global_control.h>

namespace caprock::test {
namespace {

Assessment assessed(const Field& height, double cell = 30) {
    Progress progress;
    return assess(height, cell, progress);
}

std::string text_of(const Assessment& land, const Yardstick& yardstick = real_land()) {
    const AssessedLand one{"land.tif", land};
    return assessment_text({&one, 1}, yardstick) + assessment_json(one, yardstick).dump();
}

const Finding& finding_of(const std::vector<Finding>& all, std::string_view key) {
    return *std::ranges::find_if(all, [&](const Finding& finding) { return finding.measure->key == key; });
}

TEST(Assessment, OfLandThereIsLittleOf) {
    const auto rough = [](const Rect& rect) {
        return made_field(rect, [](int x, int y) { return scattered(x, y, 3) * 100; });
    };
    for (const Rect& rect : {Rect{0, 0, 1, 1}, Rect{5, -3, 6, 60}, Rect{0, 0, 60, 1}, Rect{0, 0, 2, 2},
                             Rect{0, 0, 3, 3}, Rect{-9, -9, 8, 8}})
        for (const Field& height :
             {rough(rect), Field(rect, 5), Field(rect, missing), Field(rect, infinity)}) {
            const Assessment made = assessed(height);
            EXPECT_EQ(made.known + made.missing, rect.cells());
            const std::string text = text_of(made);
            EXPECT_EQ(text.find("nan"), std::string::npos) << text;
            EXPECT_EQ(text.find("inf"), std::string::npos) << text;
            EXPECT_NE(text.find("not to be had: "), std::string::npos) << text;
            const AssessedLand one{"land.tif", made};
            EXPECT_GT(assessment_picture({&one, 1}, real_land()).size.width, 0);
        }
    EXPECT_EQ(assessed(Field({0, 0, 4, 4}, infinity)).known, 0) << "what is not finite is not known";
}

TEST(Assessment, LeavesMissingCellsOut) {
    // The same land with a frame of nothing around it.
    const Rect inner{0, 0, 90, 80};
    const Terrain terrain = rough_terrain(inner.size());
    const Field framed = made_field(inner.expanded(20), [&](int x, int y) {
        return inner.contains(x, y) ? terrain.height().at(x, y) : missing;
    });
    const Assessment bare = assessed(terrain.height()), with_frame = assessed(framed);
    EXPECT_EQ(with_frame.known, bare.known);
    EXPECT_EQ(with_frame.missing, 130 * 120 - 90 * 80);
    EXPECT_EQ(with_frame.landforms.cells, bare.landforms.cells);
    EXPECT_EQ(with_frame.slopes.tenths, bare.slopes.tenths);
    EXPECT_EQ(with_frame.hollows.cells, bare.hollows.cells);
    EXPECT_EQ(with_frame.hypsometry.integral.value(), bare.hypsometry.integral.value());
}

TEST(Assessment, IsTheSameOnAnyThreads) {
    const Terrain terrain = rough_terrain({300, 240}, Holes::some);
    std::set<std::string> texts;
    for (size_t threads : {1, 2, 5}) {
        tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        texts.insert(text_of(assessed(terrain.height(), 4)));
    }
    EXPECT_EQ(texts.size(), 1u);
}

TEST(Assessment, IsCancelled) {
    const Terrain terrain = rough_terrain({300, 240});
    Progress progress;
    progress.cancel();
    EXPECT_THROW(assess(terrain.height(), 4, progress), Cancelled);
    // And what it tells grows to all of it.
    std::vector<double> told;
    Progress listened([&](double share) { told.push_back(share); });
    assess(terrain.height(), 4, listened);
    ASSERT_GT(told.size(), 3u);
    EXPECT_TRUE(std::ranges::is_sorted(told));
    EXPECT_EQ(told.back(), 1);
}

TEST(Assessment, IsRefusedWhereMemoryIsShort) {
    const Field height({0, 0, 2000, 2000}, 1);
    PretendedMemory little([] { return MemoryReading{64u << 20, 64u << 20, 0}; });
    Progress progress;
    EXPECT_THROW(assess(height, 30, progress), OutOfMemory);
}

TEST(Measures, HaveRangesAndWords) {
    std::set<std::string_view> keys, titles;
    for (const Measure& measure : measures()) {
        EXPECT_TRUE(keys.insert(measure.key).second) << measure.key;
        EXPECT_TRUE(titles.insert(measure.title).second) << measure.title;
        EXPECT_LT(measure.real_land.low, measure.real_land.high);
        EXPECT_FALSE(measure.more.empty()) << measure.key;
        EXPECT_FALSE(measure.less.empty()) << measure.key;
    }
    EXPECT_EQ(&measure_called("concavity"), &measures()[2]);
    EXPECT_THROW(measure_called("concave"), std::logic_error);
}

TEST(Measures, AsText) {
    using enum MeasureUnit;
    EXPECT_EQ(measure_text(share, 0.2911), "29 %");
    EXPECT_EQ(measure_text(share, 0.0462), "4.6 %");
    EXPECT_EQ(measure_text(share, 0.0043), "0.43 %");
    EXPECT_EQ(measure_text(share, 0), "0 %");
    EXPECT_EQ(measure_text(share, 0.0999), "10 %");
    EXPECT_EQ(measure_text(number, 0.349), "0.35");
    EXPECT_EQ(measure_text(degrees, 23.44), "23.4°");
    EXPECT_EQ(measure_text(share, Interval{0, 0.05}), "0 to 5 %");
    EXPECT_EQ(measure_text(number, Interval{0.48, 0.5}), "0.48 to 0.5");
    EXPECT_EQ(measure_text(degrees, Interval{3, 32.5}), "3° to 32.5°");
}

// Land of pits, against real land and against itself.
TEST(Comparison, SaysWhatIsUnlike) {
    const Field pitted = made_field({0, 0, 256, 256}, [](int x, int y) {
        return 100 * std::sin(0.3f * float(x)) * std::sin(0.3f * float(y));
    });
    const Assessment land = assessed(pitted);
    const Yardstick real = real_land();
    const std::vector<Finding> found = compared(land, real);
    ASSERT_EQ(found.size(), measures().size());
    const Finding& hollows = finding_of(found, "closed_hollows");
    EXPECT_EQ(hollows.likeness, Likeness::more);
    const std::string words = words_of(hollows, real);
    EXPECT_TRUE(
        words.starts_with("closed hollows: " + measure_text(MeasureUnit::share, hollows.here.value()) +
                          " of the cells, where real land has 0 to 5 %; water stands in them"))
        << words;
    EXPECT_NE(text_of(land).find("  " + words + "\n"), std::string::npos);
    EXPECT_NE(text_of(land).find("land.tif: unlike real land in "), std::string::npos);

    std::vector<Assessment> parts;
    for (const Rect& quarter : quarters_of(pitted.rect())) parts.push_back(assessed(pitted.cropped(quarter)));
    EXPECT_EQ(parts.size(), 4u);
    const Yardstick own = like_land("own.tif", land, parts);
    for (const Finding& finding : compared(land, own)) {
        EXPECT_FALSE(finding.unlike()) << finding.measure->key;
        EXPECT_EQ(finding.range.has_value(), finding.here.known());
    }
    EXPECT_NE(text_of(land, own).find("land.tif: like own.tif in all "), std::string::npos);
    // The range is of the parts, and a tenth of that of real land more.
    const Finding held = finding_of(compared(land, own), "slope");
    double low = held.here.value(), high = low;
    for (const Assessment& part : parts) {
        low = std::min(low, part.share_of({Geomorphon::slope}).value());
        high = std::max(high, part.share_of({Geomorphon::slope}).value());
    }
    EXPECT_NEAR(held.range->low, std::max(low - 0.1 * 0.23, 0.0), 1e-9);
    EXPECT_NEAR(held.range->high, high + 0.1 * 0.23, 1e-9);
}

// What is written as the end of a range lies in it: nobody is told that 0.58 is less than 0.58.
TEST(Comparison, RoundsAsItIsWritten) {
    const auto likeness_of = [](std::string_view key, double value, const Interval& range) {
        Assessment land;
        land.hack.exponent = land.hollows.share = value;
        Yardstick yardstick = real_land();
        const size_t number = size_t(&measure_called(key) - measures().data());
        yardstick.ranges[number] = range;
        yardstick.rounding[number] = 0;
        return finding_of(compared(land, yardstick), key).likeness;
    };
    EXPECT_EQ(likeness_of("hack_exponent", 0.4751, {0.4849, 0.5}), Likeness::alike);
    EXPECT_EQ(likeness_of("hack_exponent", 0.4749, {0.4849, 0.5}), Likeness::less);
    EXPECT_EQ(likeness_of("closed_hollows", 0.204, {0.1, 0.2}), Likeness::alike);
    EXPECT_EQ(likeness_of("closed_hollows", 0.206, {0.1, 0.2}), Likeness::more);
    EXPECT_EQ(likeness_of("closed_hollows", 0.0044, {0.0036, 0.0041}), Likeness::more);
}

TEST(Comparison, OfCellsOfAnotherSize) {
    const Field height = rough_terrain({64, 64}).height();
    const Yardstick real = real_land();
    EXPECT_EQ(remark_on(assessed(height, 30), real), "");
    EXPECT_EQ(remark_on(assessed(height, 90), real), "");
    EXPECT_TRUE(remark_on(assessed(height, 2), real).starts_with("cells are 2 m here, and 30 to 90 m where"));
    const Yardstick like = like_land("own.tif", assessed(height, 4), {});
    EXPECT_EQ(remark_on(assessed(height, 4), like), "");
    EXPECT_TRUE(
        remark_on(assessed(height, 30), like).starts_with("cells are 30 m here, and 4 m where own.tif"));
    EXPECT_TRUE(quarters_of({0, 0, 255, 900}).empty());
}

TEST(Comparison, AsJson) {
    const Terrain terrain = rough_terrain({200, 150}, Holes::some);
    const Assessment land = assessed(terrain.height());
    const Json json = assessment_json({"land.tif", land}, real_land());
    EXPECT_EQ(json["file"], "land.tif");
    EXPECT_EQ(json["size"], (std::vector<int>{200, 150}));
    EXPECT_EQ(json["known"].get<int64_t>() + json["missing"].get<int64_t>(), 200 * 150);
    EXPECT_EQ(json["measures"].size(), measures().size());
    for (size_t i = 0; i < measures().size(); i++) {
        const Json& measure = json["measures"][i];
        const Measured value = measures()[i].value(land);
        EXPECT_EQ(measure["name"], measures()[i].key);
        if (value.known()) {
            EXPECT_DOUBLE_EQ(measure["value"].get<double>(), value.value());
        } else {
            EXPECT_TRUE(measure["value"].is_null());
            EXPECT_EQ(measure["why"], value.why());
        }
        EXPECT_EQ(measure["range"][0].get<double>(), measures()[i].real_land.low);
    }
    int64_t forms = 0;
    for (const auto& [form, cells] : json["landforms"].items()) forms += cells.get<int64_t>();
    EXPECT_EQ(forms, land.landforms.all());
    double steep = 0;
    for (const Json& share : json["curves"]["slopes"]) steep += share.get<double>();
    EXPECT_NEAR(steep, 1, 1e-9);
    EXPECT_EQ(json["curves"]["hypsometry"].size(), 101u);
}

TEST(Comparison, AsAPicture) {
    const AssessedLand lands[] = {{"a.tif", assessed(rough_terrain({200, 150}, Holes::some).height())},
                                  {"b.tif", assessed(rough_terrain({180, 190}).height())}};
    const Picture one = assessment_picture({lands, 1}, real_land());
    const Picture both = assessment_picture(lands, like_land("own.tif", lands[1].assessment, {}));
    EXPECT_EQ(one.rgb.size(), size_t(one.size.cells()) * 3);
    EXPECT_GT(both.size.height, one.size.height);
    // The curves of the second have a colour that is not in the picture of the first alone.
    const auto has = [](const Picture& picture, const Bytes& colour) {
        for (size_t i = 0; i < picture.rgb.size(); i += 3)
            if (picture.rgb[i] == colour.red && picture.rgb[i + 1] == colour.green &&
                picture.rgb[i + 2] == colour.blue)
                return true;
        return false;
    };
    EXPECT_TRUE(has(one, colour_of_lines(0)));
    EXPECT_FALSE(has(one, colour_of_lines(1)));
    EXPECT_TRUE(has(both, colour_of_lines(1)));
}

}  // namespace
}  // namespace caprock::test

// Roads against their cross-section and profile in double precision.
#include "base/error.h"
#include "operations/construction/road_line.h"
#include "support/devices.h"
#include "support/refusals.h"
#include "support/terrains.h"
#include "terrain/line_text.h"

#include <functional>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain built(const Terrain& input, const Parameters& parameters) {
    return applied("road", parameters, input);
}

Terrain land(Size size, double cell, const std::function<double(double, double)>& height_at) {
    Terrain terrain(Grid{Rect::of(size), cell, {0, 300}});
    terrain.set("height", made_field(terrain.rect(),
                                     [&](int x, int y) { return float(height_at(x * cell, y * cell)); }));
    return terrain;
}

double rolling(double x, double y) {
    return 100 + 40 * std::sin(x * 0.013) + 25 * std::cos(y * 0.02 + x * 0.003);
}

// The road as documented, cell by cell, in doubles.
struct ReferenceRoad {
    std::vector<Place> path;
    double width = 16, shoulder = 8, slope = 34, grade = 0.08, smoothing = 200, bend = 60, depth = 0;

    std::vector<Place> line = {};
    Profile profile = {};
    double length = 0;
    double bank = 0;

    Parameters parameters() const {
        std::string text;
        for (const Place& place : path) text += std::to_string(place.x) + "," + std::to_string(place.y) + " ";
        return {{"path", text},
                {"width", std::to_string(width)},
                {"shoulder", std::to_string(shoulder)},
                {"slope", std::to_string(slope)},
                {"grade", std::to_string(grade)},
                {"smoothing", std::to_string(smoothing)},
                {"bend", std::to_string(bend)},
                {"depth", std::to_string(depth)},
                {"mask", "bed"}};
    }

    void survey(const Terrain& terrain) {
        // To where a canal's inner side has come to its top, and the shoulder's width more.
        if (depth > 0) {
            while (spread(bank) < depth + std::min(ratio() * shoulder / 2, depth)) bank += 1e-4;
            bank += shoulder;
        }
        line = rounded_corners(path, bend);
        Course course = Course::through(line);
        length = course.length();
        double cell = terrain.grid().cell;
        int places = int(std::ceil(length / cell)) + 2;
        profile = ground_along(terrain.grid(), terrain.height(), course, places);
        ASSERT_TRUE(bridge(profile));
        double step = length / (places - 1);
        int around = int(std::min(smoothing / 4 / step, double(places)));
        double begin = profile.front();
        double end = profile.back();
        profile = grade_limited(smoothed(smoothed(profile, around), around), grade * step);
        profile = smoothed(meeting_ends(profile, begin, end, grade * step), around);
    }

    double level_at(double along) const {
        double place = std::clamp(along / length, 0.0, 1.0) * double(profile.size() - 1);
        size_t whole = std::min(size_t(place), profile.size() - 2);
        return profile[whole] + (profile[whole + 1] - profile[whole]) * (place - double(whole));
    }

    struct Foot {
        double away, along;
    };
    std::vector<Foot> feet(double x, double y) const {
        std::vector<Foot> found;
        double along = 0;
        for (size_t i = 1; i < line.size(); i++) {
            double dx = line[i].x - line[i - 1].x;
            double dy = line[i].y - line[i - 1].y;
            double piece = std::sqrt(dx * dx + dy * dy);
            double foot = ((x - line[i - 1].x) * dx + (y - line[i - 1].y) * dy) / piece;
            double on = std::clamp(foot, 0.0, piece) / piece;
            double aside_x = x - line[i - 1].x - on * dx;
            double aside_y = y - line[i - 1].y - on * dy;
            found.push_back({std::sqrt(aside_x * aside_x + aside_y * aside_y), along + foot});
            along += piece;
        }
        return found;
    }

    static double lesser(double a, double b, double k) {
        double near = std::max(k - std::fabs(a - b), 0.0);
        return std::min(a, b) - (k > 0 ? near * near / (4 * k) : 0);
    }
    double ratio() const { return std::tan(slope * 3.14159265358979323846 / 180); }
    double spread(double outside) const {
        if (outside <= 0) return 0;
        return outside < shoulder ? ratio() * outside * outside / (2 * shoulder)
                                  : ratio() * (outside - shoulder / 2);
    }

    double height_at(double x, double y, double ground, double cell) const {
        std::vector<Foot> all = feet(x, y);
        double away = 1e300;
        for (const Foot& foot : all) away = std::min(away, foot.away);
        double outside = away - width / 2;
        double farther = std::max(width, 2 * cell) + std::max(outside, 0.0);
        double sum = 0;
        double shares = 0;
        for (const Foot& foot : all) {
            double share = std::max(1 - (foot.away - away) / farther, 0.0);
            sum += share * share * level_at(foot.along);
            shares += share * share;
        }
        double level = sum / shares;
        double edge = ratio() * shoulder / 2;
        double depth_edge = std::min(edge, depth);
        double may_differ = spread(outside - bank);
        double rounding = std::min(edge, may_differ);
        double shaped = lesser(ground, level + may_differ, rounding);
        shaped = -lesser(-shaped, may_differ - level, rounding);
        if (depth > 0) shaped -= depth - lesser(spread(outside), depth, depth_edge);
        return shaped;
    }
};

void expect_as_documented(ReferenceRoad reference, const Terrain& input) {
    ASSERT_NO_FATAL_FAILURE(reference.survey(input));
    Terrain output = built(input, reference.parameters());
    double cell = input.grid().cell;
    for (int y = 0; y < input.rect().bottom; y++)
        for (int x = 0; x < input.rect().right; x++) {
            float ground = input.height().at(x, y);
            float found = output.height().at(x, y);
            ASSERT_EQ(is_missing(ground), is_missing(found)) << x << "," << y;
            if (is_missing(ground)) {
                EXPECT_EQ(output.field("bed").at(x, y), 0);
                continue;
            }
            ASSERT_NEAR(found, reference.height_at(x * cell, y * cell, double(ground), cell), 4e-3)
                << x << "," << y;
        }
}

TEST(Road, IsCutAndFilledAsDocumented) {
    Terrain input = land({140, 110}, 4, rolling);
    expect_as_documented({{{20, 300}, {530, 60}}}, input);
    expect_as_documented({{{20, 300}, {250, 250}, {300, 80}, {530, 60}}}, input);
    // A canal; no shoulders; a hairpin; a road that crosses itself.
    expect_as_documented({{{20, 300}, {250, 250}, {530, 60}}, 10, 5, 40, 0, 100, 30, 6}, input);
    expect_as_documented({{{20, 300}, {250, 250}, {530, 60}}, 12, 0, 25, 0.02, 0, 0}, input);
    expect_as_documented({{{20, 100}, {500, 150}, {20, 200}}, 8, 4, 34, 0.05, 50, 25}, input);
    expect_as_documented({{{20, 50}, {500, 380}, {500, 80}, {20, 380}}, 10, 6, 30, 0.06, 60, 40, 3}, input);
}

TEST(Road, MissingGroundStaysMissingAndIsBridged) {
    Terrain input = land({140, 110}, 4, rolling);
    Field height = input.height();
    for (int y = 0; y < 110; y++)
        for (int x = 60; x < 75; x++) height.set(x, y, missing);
    for (int i = 0; i < 110; i++) height.set(i, i, missing);
    input.set("height", height);
    expect_as_documented({{{20, 300}, {250, 250}, {300, 80}, {530, 60}}}, input);
}

TEST(Road, OverAHillIsCutAndOverAValleyFilled) {
    for (double up : {1.0, -1.0}) {
        Terrain input = land({200, 80}, 5, [&](double x, double) {
            double from = (x - 500) / 150;
            return 100 + up * 60 * std::exp(-from * from);
        });
        Terrain output = built(input, {{"grade", "0.05"}});
        double changed = double(output.height().at(100, 40)) - double(input.height().at(100, 40));
        EXPECT_LT(up * changed, -5);
        // It begins and ends on the ground.
        EXPECT_NEAR(output.height().at(0, 40), 100, 0.5);
        EXPECT_NEAR(output.height().at(199, 40), 100, 0.5);
    }
}

TEST(Road, IsNoSteeperThanItsGradeAndFlatAcross) {
    Terrain input = rough_terrain({300, 200}, Holes::none, 4);
    for (double grade : {0.0, 0.03, 0.1}) {
        // From west to east along a row of cells, five of them wide to each side.
        Terrain output = built(input, {{"path", "0,400 1196,400"},
                                       {"grade", std::to_string(grade)},
                                       {"width", "40"},
                                       {"smoothing", "40"}});
        for (int x = 0; x < 300; x++) {
            if (x > 0) {
                EXPECT_LE(std::fabs(output.height().at(x, 100) - output.height().at(x - 1, 100)),
                          grade * 4 + 1e-4)
                    << x;
            }
            for (int across = -5; across <= 5; across++)
                EXPECT_NEAR(output.height().at(x, 100 + across), output.height().at(x, 100), 1e-4);
        }
    }
}

TEST(Road, KeepsItsGradeThroughBends) {
    Terrain input = land({280, 220}, 2, rolling);
    ReferenceRoad reference{{{20, 300}, {250, 250}, {300, 80}, {530, 60}, {420, 400}}};
    ASSERT_NO_FATAL_FAILURE(reference.survey(input));
    Course course = Course::through(reference.line);
    auto height_at = [&](double along) {
        Place place = course.at(along, 0).place;
        return reference.height_at(place.x, place.y, 0, 2);
    };
    // A bend is made of lines, and where two of them meet their feet are not quite the same.
    for (double along = 1; along < course.length(); along++)
        ASSERT_LE(std::fabs(height_at(along) - height_at(along - 1)), reference.grade * 1.03) << along;
}

TEST(Road, BesideItSlopesAreNoSteeperThanAsked) {
    // Land that stands far above and far below the road, on either side.
    Terrain input = land({60, 300}, 2, [](double, double y) { return y < 300 ? 220.0 : 20.0; });
    Terrain output = built(input, {{"path", "0,299 118,299"}, {"slope", "30"}, {"width", "20"}});
    double most = std::tan(3.14159265358979323846 / 6) * 2 + 1e-3;
    for (int y = 1; y < 300; y++)
        EXPECT_LE(std::fabs(output.height().at(30, y) - output.height().at(30, y - 1)), most) << y;
    EXPECT_EQ(output.height().at(30, 0), 220);
    EXPECT_EQ(output.height().at(30, 299), 20);
}

TEST(Road, GroundFarFromItKeepsItsBits) {
    Terrain input = rough_terrain({400, 300}, Holes::some, 4);
    Terrain output = built(input, {{"path", "100,100 300,160 500,100"}, {"slope", "45"}});
    // Heights differ by less than 180 m, so on slopes of 45 degrees nothing is touched beyond some 200 m.
    Rect far{200, 110, 400, 300};
    EXPECT_TRUE(identical(output.height().cropped(far), input.height().cropped(far)));
    EXPECT_FALSE(identical(output.height(), input.height()));
}

TEST(Road, ACanalHasAFlatBottomBetweenBanks) {
    Terrain input = land({100, 200}, 1, [](double, double) { return 50.0; });
    Terrain output =
        built(input, {{"path", "0,100 99,100"}, {"depth", "4"}, {"width", "12"}, {"shoulder", "2"}});
    for (int across = -6; across <= 6; across++) EXPECT_NEAR(output.height().at(50, 100 + across), 46, 1e-4);
    EXPECT_EQ(output.height().at(50, 120), 50);
    // Across a valley it is a trough on a dam, whose banks stand at the line.
    Terrain valley = land({100, 200}, 1, [](double x, double) { return x > 40 && x < 60 ? 30.0 : 50.0; });
    Terrain dam = built(valley, {{"path", "0,100 99,100"},
                                 {"depth", "4"},
                                 {"width", "12"},
                                 {"shoulder", "2"},
                                 {"grade", "0"},
                                 {"smoothing", "0"}});
    float highest = 0;
    for (int y = 100; y < 130; y++) highest = std::max(highest, dam.height().at(50, y));
    EXPECT_NEAR(highest - dam.height().at(50, 100), 4, 1e-3);
    EXPECT_EQ(dam.height().at(50, 199), 30);
}

TEST(Road, TheMaskIsTheBed) {
    Terrain input = land({100, 60}, 2, rolling);
    Terrain output = built(
        input, {{"path", "0,60 198,60"}, {"width", "12"}, {"shoulder", "6"}, {"mask", "bed"}, {"bend", "0"}});
    const Field& bed = output.field("bed");
    for (int y = 0; y < 60; y++) {
        double outside = std::fabs(2.0 * y - 60) - 6;
        float found = bed.at(50, y);
        if (outside <= 0) {
            EXPECT_EQ(found, 1);
        } else if (outside >= 6) {
            EXPECT_EQ(found, 0);
        } else {
            EXPECT_TRUE(found > 0 && found < 1);
        }
    }
    EXPECT_FALSE(built(input, {}).has("bed"));
}

TEST(Road, WithoutAStepWhereItMeetsItself) {
    // Level land, so that every step would be the road's.
    Terrain input = land({260, 200}, 2, [](double x, double y) { return 100 + 0.12 * x - 0.08 * y; });
    Terrain output =
        built(input, {{"path", "40,40 480,330 480,60 60,360"}, {"grade", "0.3"}, {"width", "20"}});
    double most = (std::tan(34 * 3.14159265358979323846 / 180) + 0.35) * 2;
    for (int y = 1; y < 200; y++)
        for (int x = 1; x < 260; x++) {
            float here = output.height().at(x, y);
            ASSERT_LE(std::fabs(here - output.height().at(x - 1, y)), most) << x << "," << y;
            ASSERT_LE(std::fabs(here - output.height().at(x, y - 1)), most) << x << "," << y;
        }
}

TEST(Road, AtAnotherResolutionItIsTheSameRoad) {
    Terrain coarse = land({150, 110}, 4, rolling);
    Terrain fine = land({299, 219}, 2, rolling);
    const Parameters parameters = {{"path", "20,300 250,250 300,80 530,60"}, {"width", "24"}};
    Terrain from_coarse = built(coarse, parameters);
    Terrain from_fine = built(fine, parameters);
    for (int y = 0; y < 110; y++)
        for (int x = 0; x < 150; x++)
            ASSERT_NEAR(from_coarse.height().at(x, y), from_fine.height().at(2 * x, 2 * y), 0.3)
                << x << "," << y;
}

TEST(Road, SaysWhatIsWrongWithAPath) {
    Terrain input = land({20, 20}, 4, rolling);
    EXPECT_THROW(built(input, {{"path", "5,5"}}), Error);
    EXPECT_THROW(built(input, {{"path", "5,5 nowhere"}}), Error);
    EXPECT_THROW(built(input, {{"path", "0,0 90000000,0"}}), Error);
    EXPECT_THROW(built(input, {{"mask", "height"}}), Error);
    // Outside all is as it was, and the user told.
    RunContext context = on_cpu();
    std::string told;
    context.tell = [&](const std::string& message) { told = message; };
    auto operation = made_operation("road", {{"path", "900,900 1000,1000"}});
    EXPECT_TRUE(identical(run(*operation, input, context).height(), input.height()));
    EXPECT_NE(told.find("no ground"), std::string::npos);
}

TEST(Road, SameBitsOnEveryDevice) {
    // A line with corners, and a mask; the contract's road is straight.
    Terrain input = rough_terrain({211, 163}, Holes::some, 3);
    auto operation =
        made_operation("road", {{"path", "20,20 500,400 500,90 60,360"}, {"mask", "bed"}, {"depth", "3"}});
    RunContext reference = on(make_cpu_device(CpuLevel::portable, 1));
    Terrain expected = run(*operation, input, reference);
    for (const NamedDevice& named : all_devices()) {
        RunContext context = on(named.device);
        Terrain found = run(*operation, input, context);
        EXPECT_TRUE(identical(found.height(), expected.height())) << named.name;
        EXPECT_TRUE(identical(found.field("bed"), expected.field("bed"))) << named.name;
    }
}

TEST(Road, GivesItsLineWithTheHeightsOfTheBed) {
    Terrain input = rough_terrain({200, 150});
    const std::unique_ptr<Operation> operation =
        made_operation("road", {{"path", "20,300 250,250 300,80"}, {"lines", "built"}, {"width", "40"}});
    RunContext context = on_cpu();
    const Terrain output = run(*operation, input, context);
    const LineSet& lines = output.lines("built");
    ASSERT_EQ(lines.size(), 1u);
    const Line& centre = lines.lines()[0];
    EXPECT_EQ(centre.points.front().place(), (WorldPoint{20, 300}));
    EXPECT_NEAR(centre.points.back().x, 300, 1e-9);
    EXPECT_NEAR(centre.points.back().y, 80, 1e-9);
    EXPECT_EQ(std::get<double>(centre.attributes.at("width")), 40);
    // The ground that was built is the bed, wherever a sample lies near the middle of it.
    const double cell = input.grid().cell;
    int near = 0;
    for (size_t i = 1; i + 1 < centre.points.size(); i++) {
        const LinePoint& point = centre.points[i];
        const double x = std::round(point.x / cell), y = std::round(point.y / cell);
        if (std::hypot(point.x - x * cell, point.y - y * cell) > 0.2 * cell) continue;
        EXPECT_NEAR(output.height().at(int(x), int(y)), point.z, 0.15 * cell) << x << "," << y;
        near++;
    }
    EXPECT_GT(near, 5);
    // The line that was given back builds what it was built from, but for corners that are round already.
    EXPECT_GT(centre.points.size(), 100u);
}

TEST(Road, FollowsLinesOfTheTerrainAndMoreThanOne) {
    Terrain input = rough_terrain({200, 150});
    RunContext context = on_cpu();
    const Terrain typed = run(*made_operation("road", {{"path", "20,300 250,250 300,80"}}), input, context);
    input.set_lines("roads", parse_lines("20,300 250,250 300,80"));
    const std::unique_ptr<Operation> named = made_operation("road", {{"path", "@roads"}});
    EXPECT_TRUE(identical(run(*named, input, context).height(), typed.height()));
    // One after the other is both in one.
    const Terrain after =
        run(*made_operation("road", {{"path", "300,20 320,500"}, {"mask", "other"}}), typed, context);
    input.set_lines("roads", parse_lines("20,300 250,250 300,80; 300,20 320,500"));
    named->set_text("mask", "bed");
    named->set_text("lines", "built");
    const Terrain both = run(*named, input, context);
    EXPECT_TRUE(identical(both.height(), after.height()));
    EXPECT_EQ(both.lines("built").size(), 2u);
    for (int y = 0; y < 150; y++)
        for (int x = 0; x < 200; x++)
            ASSERT_GE(both.field("bed").at(x, y), after.field("other").at(x, y)) << x << "," << y;
    input.remove_lines("roads");
    EXPECT_NE(refusal([&] { run(*named, input, context); }).find("needs the lines 'roads'"),
              std::string::npos);
}

}  // namespace
}  // namespace caprock::test

// The brushes that come with the library: what all of them keep, and what each of them is for.
#include "base/error.h"
#include "base/text_file.h"
#include "hydrology/flow_graph.h"
#include "paintings.h"
#include "support/places.h"
#include "support/test_names.h"

#include <gtest/gtest.h>
#include <set>

namespace caprock::test {
namespace {

// ---- all of them -----------------------------------------------------------------------------------------

class EveryBrush : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Brushes, EveryBrush, testing::ValuesIn(brush_names()), test_name);

constexpr double brush_radius = 80;
const std::vector<PenSample> bent = {{300, 300}, {380, 340, 0.9}, {520, 330}, {600, 420, 0.7}, {640, 500}};

// Ground with whatever the brush needs to have something to do.
struct Prepared {
    Land land;
    Brush brush;
    PaintTarget target;
    double reach = brush_radius;

    explicit Prepared(const std::string& name) : land(rough_ground(240, 220)) {
        brush = brush_with(name, {{"radius", "80"}});
        if (brush.settings.towards == BrushSettings::Towards::copy) brush.settings.from = {200, 650};
        if (brush.blend) {
            std::unique_ptr<Operation> blend = brush.blend->clone();
            blend->set_text("width", "40");
            // Of a rectangle around the stroke.
            reach +=
                std::numbers::sqrt2 * land.cell() * blend->reach(land.document->state().grid).halo().value();
            brush.blend = std::move(blend);
        }
        reach += brush_radius * brush.settings.scatter;
        if (name == "mask") {
            paint_mask(*land.document, add_generated(*land.document, {}, layer_with("Masked")), 0);
            target = {2, "", true};
            return;
        }
        if (name == "fill") land.paint(brush_with("cut", {{"radius", "50"}}), line(350, 330, 500, 330));
        if (name == "erase") land.paint(brush_with("raise"), bent);
        target = target_for(*land.document, brush);
    }
    std::map<int, uint64_t> canvases() { return canvas_fingerprints(*land.document, land.extent()); }
};

TEST_P(EveryBrush, IsWhatItsFileSays) {
    std::string text =
        text_of_file(std::string(test::source_folder) + "/brushes/" + GetParam() + ".json", 1 << 20, "");
    std::vector<std::string> told;
    Brush brush = parse_brush(text, [&](const std::string& what) { told.push_back(what); });
    EXPECT_EQ(told, std::vector<std::string>());
    EXPECT_FALSE(brush.title.empty());
    EXPECT_FALSE(brush.about.empty());
    // docs/make-brush-pictures writes them so.
    EXPECT_EQ(brush_text(brush), text);
    EXPECT_EQ(brush_text(brush_named(GetParam())), text);
}

TEST_P(EveryBrush, PaintsAndIsUndoneExactly) {
    Prepared one(GetParam());
    std::map<int, uint64_t> before = one.canvases();
    Field canvas = one.land.painted(one.target);
    one.land.paint(one.target, one.brush, bent);
    std::map<int, uint64_t> after = one.canvases();
    EXPECT_NE(after, before) << "nothing was painted";
    // Nothing changes further away than it reaches; between samples a spline is near to the straight line.
    Field now = one.land.painted(one.target);
    StrokePath stroke(one.brush.settings.spline, [](const PenSample&) { return 10.0; });
    for (const PenSample& sample : bent) stroke.extend(sample);
    stroke.finish();
    for (int y = 0; y < now.rect().bottom; y++)
        for (int x = 0; x < now.rect().right; x++) {
            bool same =
                now.at(x, y) == canvas.at(x, y) || (is_missing(now.at(x, y)) && is_missing(canvas.at(x, y)));
            if (!same) {
                ASSERT_LE(distance_to(stroke.line(), 4 * x, 4 * y), one.reach + 4) << x << "," << y;
            }
        }
    one.land.document->undo();
    EXPECT_EQ(one.canvases(), before);
    one.land.document->redo();
    EXPECT_EQ(one.canvases(), after);

    Prepared other(GetParam());
    LiveStroke live(*other.land.document, other.target, other.brush, 1, other.land.context);
    for (const PenSample& sample : bent) live.extend(sample);
    live.finish();
    EXPECT_EQ(other.canvases(), after) << "sample by sample";
}

TEST_P(EveryBrush, AClickIsADab) {
    Prepared one(GetParam());
    // What moves ground needs a direction, and what follows a path needs one.
    if (GetParam() == "smudge" || one.brush.bound_to(BrushSource::path)) return;
    std::map<int, uint64_t> before = one.canvases();
    one.land.paint(one.target, one.brush, {{420, 335}});
    EXPECT_NE(one.canvases(), before);
}

// ---- what can be said of ground --------------------------------------------------------------------------

using Where = std::function<bool(double x, double y)>;

Where within(const std::vector<PenSample>& stroke, double metres) {
    return [=](double x, double y) { return distance_to(stroke, x, y) < metres; };
}

template <typename Visit>
void visit(const Field& field, double cell, const Where& where, const Visit& visitor) {
    for (int y = field.rect().top; y < field.rect().bottom; y++)
        for (int x = field.rect().left; x < field.rect().right; x++)
            if (where(x * cell, y * cell)) visitor(x, y, double(field.at(x, y)));
}

struct Summary {
    double mean = 0, low = 1e30, high = -1e30, count = 0;
    double relief() const { return high - low; }
};
Summary summary(const Field& field, double cell, const Where& where) {
    Summary all;
    visit(field, cell, where, [&](int, int, double value) {
        all.mean += value;
        all.low = std::min(all.low, value);
        all.high = std::max(all.high, value);
        all.count++;
    });
    all.mean /= all.count;
    return all;
}

// The mean of |what a cell has above the four around it|.
double roughness(const Field& field, double cell, const Where& where) {
    double sum = 0, count = 0;
    visit(field, cell, where, [&](int x, int y, double value) {
        sum += std::abs(double(field.at(x - 1, y)) + double(field.at(x + 1, y)) + double(field.at(x, y - 1)) +
                        double(field.at(x, y + 1)) - 4 * value);
        count++;
    });
    return sum / count;
}

double steepness(const Field& field, double cell, int x, int y) {
    return std::hypot(double(field.at(x + 1, y)) - double(field.at(x - 1, y)),
                      double(field.at(x, y + 1)) - double(field.at(x, y - 1))) /
           (2 * cell);
}

Field difference(const Field& after, const Field& before) {
    return made_field(after.rect(), [&](int x, int y) { return after.at(x, y) - before.at(x, y); });
}

// How unlike cells are that lie so far apart.
double unlikeness(const Field& field, double cell, const Where& where, int dx, int dy) {
    double sum = 0, count = 0;
    visit(field, cell, where, [&](int x, int y, double value) {
        if (!where((x + dx) * cell, (y + dy) * cell)) return;
        double other = double(field.at(x + dx, y + dy)) - value;
        sum += other * other;
        count++;
    });
    return sum / count;
}

// What a painted layer adds; 0 where nobody painted.
double added(const Field& canvas, int x, int y) {
    return is_missing(canvas.at(x, y)) ? 0 : double(canvas.at(x, y));
}

const std::vector<PenSample> along = line(250, 440, 700, 440);

// Before and after a stroke along the middle of rough ground.
struct Worked {
    Land land;
    Field before, after;
    double radius;
    PaintTarget target;

    explicit Worked(const Brush& brush, Field ground = rough_ground(240, 220),
                    const std::vector<PenSample>& samples = along)
        : land(ground), before(land.height()), radius(brush.settings.radius) {
        target = land.paint(brush, samples);
        after = land.height();
    }
    // All that it may touch, and where the stroke has passed in full.
    Where near() const { return within(along, radius); }
    Where core(double share) const {
        return within({{along.front().x + radius, 440}, {along.back().x - radius, 440}}, share * radius);
    }
};

// ---- towards a surface -----------------------------------------------------------------------------------

TEST(Brushes, RaiseAndLowerByTheirStrength) {
    for (const auto& [name, sign] : {std::pair{"raise", 1}, {"lower", -1}}) {
        Worked worked(brush_with(name, {{"radius", "100"}}));
        double strength = brush_named(name).settings.strength;
        EXPECT_GT(sign * strength, 0);
        for (int x = 100; x < 150; x++)
            EXPECT_NEAR(double(worked.after.at(x, 110)) - double(worked.before.at(x, 110)), strength,
                        0.02 * std::abs(strength));
    }
}

TEST(Brushes, LevelEndsLevel) {
    for (const std::string name : {"level", "level-to"}) {
        Worked worked(brush_with(name, {{"radius", "100"}}));
        double relief = summary(worked.before, 4, worked.core(0.5)).relief();
        // (250, 440) lies between two cells.
        double height = (double(worked.before.at(62, 110)) + double(worked.before.at(63, 110))) / 2;
        if (name == "level-to") height = 200;
        Summary now = summary(worked.after, 4, worked.core(0.5));
        EXPECT_LT(std::abs(now.high - height), 0.01 * std::max(relief, 300.0 - height)) << name;
        EXPECT_LT(std::abs(now.low - height), 0.01 * std::max(relief, height)) << name;
    }
}

TEST(Brushes, SlopeEndsOnThePlaneWhereItBegan) {
    // A tilted plane with a hill on it, away from the start.
    auto plane = [](double x, double y) { return 50 + 0.2 * x - 0.1 * y; };
    Field ground = made_field(Rect::of({240, 220}), [&](int x, int y) {
        double hill = std::hypot(4 * x - 560, 4 * y - 440) / 100;
        return float(plane(4 * x, 4 * y) + 60 * std::exp(-hill * hill * hill * hill));
    });
    Worked worked(brush_with("slope", {{"radius", "100"}}), ground);
    visit(worked.after, 4, worked.core(0.5), [&](int x, int y, double value) {
        ASSERT_NEAR(value, plane(4 * x, 4 * y), 0.6 + 0.01 * 60) << x << "," << y;
    });
}

TEST(Brushes, FlattenComesNearerToThePlane) {
    auto deviation = [](const Field& field, const Where& where) {
        // Least squares by the normal equations.
        double s1 = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0, sh = 0, sxh = 0, syh = 0;
        visit(field, 4, where, [&](int cx, int cy, double h) {
            double x = cx - 120, y = cy - 110;
            s1 += 1, sx += x, sy += y, sxx += x * x, sxy += x * y, syy += y * y;
            sh += h, sxh += x * h, syh += y * h;
        });
        sx /= s1, sy /= s1, sh /= s1;
        double xx = sxx / s1 - sx * sx, xy = sxy / s1 - sx * sy, yy = syy / s1 - sy * sy;
        double xh = sxh / s1 - sx * sh, yh = syh / s1 - sy * sh;
        double a = (xh * yy - yh * xy) / (xx * yy - xy * xy), b = (yh * xx - xh * xy) / (xx * yy - xy * xy);
        double sum = 0;
        visit(field, 4, where, [&](int cx, int cy, double h) {
            double off = h - sh - a * (cx - 120 - sx) - b * (cy - 110 - sy);
            sum += off * off;
        });
        return std::sqrt(sum / s1);
    };
    Field ground = rough_ground(240, 220);
    Land land(ground);
    std::vector<PenSample> click = {{480, 440}};
    land.paint(brush_with("flatten"), click);
    Where where = within(click, 50);
    EXPECT_LT(deviation(land.height(), where), 0.7 * deviation(ground, where));
}

// ---- detail ----------------------------------------------------------------------------------------------

TEST(Brushes, SmoothAndSoftenTakeDetailAway) {
    for (const std::string name : {"smooth", "soften"}) {
        Worked worked(brush_with(name, {{"radius", "100"}}));
        EXPECT_LT(roughness(worked.after, 4, worked.core(0.5)),
                  0.6 * roughness(worked.before, 4, worked.core(0.5)))
            << name;
        Summary was = summary(worked.before, 4, worked.near());
        EXPECT_NEAR(summary(worked.after, 4, worked.near()).mean, was.mean, 0.01 * was.relief()) << name;
    }
}

TEST(Brushes, SharpenDrawsDetailOut) {
    Worked worked(brush_with("sharpen", {{"radius", "100"}}));
    EXPECT_GT(roughness(worked.after, 4, worked.core(0.5)),
              1.25 * roughness(worked.before, 4, worked.core(0.5)));
    Summary was = summary(worked.before, 4, worked.near());
    EXPECT_NEAR(summary(worked.after, 4, worked.near()).mean, was.mean, 0.01 * was.relief());
}

TEST(Brushes, RoughenAddsBumpsAndDents) {
    Worked worked(brush_with("roughen", {{"radius", "100"}}));
    EXPECT_GT(roughness(worked.after, 4, worked.core(0.5)),
              1.2 * roughness(worked.before, 4, worked.core(0.5)));
    Field change = difference(worked.after, worked.before);
    double squares = 0;
    visit(change, 4, worked.near(), [&](int, int, double value) { squares += value * value; });
    Summary all = summary(change, 4, worked.near());
    EXPECT_LT(std::abs(all.mean), 0.25 * std::sqrt(squares / all.count));
    EXPECT_GT(all.high, 1);
    EXPECT_LT(all.low, -1);
}

// ---- shapes ----------------------------------------------------------------------------------------------

TEST(Brushes, LedgeRaisesWhatIsLow) {
    // A steep even slope; the stroke follows it at one height.
    Field ground = made_field(Rect::of({240, 220}), [](int, int y) { return 400 - 0.8f * 4 * float(y); });
    Brush brush = brush_with("ledge");
    Worked worked(brush, ground);
    double limit = 400 - 0.8 * 440;
    std::unique_ptr<Operation> operation = brush.operation->clone();
    // Bound to the radius: its own value is the share of it.
    double share = operation->get<double>("softness");
    double softness = share * brush.settings.radius;
    EXPECT_LT(share, 0.5);
    int raised = 0;
    visit(worked.after, 4, worked.near(), [&](int x, int y, double value) {
        double before = double(worked.before.at(x, y));
        if (before > limit + softness) {
            ASSERT_EQ(value, before) << "high ground stays";
        }
        if (value == before) return;
        raised++;
        ASSERT_GT(value, before);
        ASSERT_LT(value, limit + softness + 0.01);
    });
    EXPECT_GT(raised, 500);
    // A trail: across it, the ground is less steep than the slope.
    EXPECT_LT(steepness(worked.after, 4, 120, 111), 0.65 * 0.8);
}

TEST(Brushes, TerraceGathersHeightsOnTreads) {
    Field ground = made_field(Rect::of({240, 220}), [](int x, int) { return 4 * float(x) * 0.6f; });
    Worked worked(brush_with("terrace", {{"radius", "100"}}), ground);
    std::unique_ptr<Operation> operation = brush_named("terrace").operation->clone();
    double step = operation->get<double>("step");
    auto on_treads = [&](const Field& field) {
        double on = 0, all = 0;
        visit(field, 4, worked.core(0.5), [&](int, int, double value) {
            double steps = value / step;
            on += std::abs(steps - std::round(steps)) < 0.15;
            all++;
        });
        return on / all;
    };
    EXPECT_NEAR(on_treads(worked.before), 0.3, 0.05);
    EXPECT_GT(on_treads(worked.after), 0.6);
}

TEST(Brushes, PinchNarrowsARidge) {
    Field ground = made_field(Rect::of({240, 220}), [](int, int y) {
        double off = (4 * y - 440) / 60.0;
        return float(100 * std::exp(-off * off));
    });
    Worked worked(brush_with("pinch", {{"radius", "100"}}), ground);
    auto width = [](const Field& field) {
        int cells = 0;
        for (int y = 60; y < 160; y++) cells += field.at(120, y) > 50;
        return cells;
    };
    EXPECT_LT(width(worked.after), 0.85 * width(worked.before));
    EXPECT_NEAR(double(worked.after.at(120, 110)), 100, 2);
}

TEST(Brushes, SmudgeMovesABumpAlong) {
    Field ground = made_field(Rect::of({240, 220}), [](int x, int y) {
        double off = std::hypot(4 * x - 350, 4 * y - 440) / 50.0;
        return float(80 * std::exp(-off * off));
    });
    Worked worked(brush_with("smudge", {{"radius", "100"}}), ground, line(300, 440, 600, 440));
    auto middle = [](const Field& field) {
        double sum = 0, moment = 0;
        for (int x = 0; x < 240; x++) {
            sum += double(field.at(x, 110));
            moment += 4 * x * double(field.at(x, 110));
        }
        return moment / sum;
    };
    EXPECT_GT(middle(worked.after), middle(worked.before) + 40);
    // And not to the side.
    for (int x = 0; x < 240; x++)
        for (int off = 1; off < 30; off++)
            ASSERT_NEAR(double(worked.after.at(x, 110 - off)), double(worked.after.at(x, 110 + off)), 0.01);
}

// ---- what is there, and elsewhere ------------------------------------------------------------------------

TEST(Brushes, EraseGoesDownToWhatLiesBelow) {
    Land land(rough_ground(240, 220));
    Field before = land.height();
    land.paint(brush_with("hills"), along);
    PaintTarget target = land.paint(brush_with("erase", {{"radius", "100"}}), along);
    Field canvas = land.painted(target);
    Field after = land.height();
    visit(after, 4, within(line(350, 440, 600, 440), 33), [&](int x, int y, double value) {
        ASSERT_TRUE(is_missing(canvas.at(x, y)));
        ASSERT_EQ(value, double(before.at(x, y)));
    });
}

TEST(Brushes, CloneIsTheOtherPlace) {
    Worked worked(brush_with("clone", {{"from", "300,200"}, {"radius", "100"}}));
    // From (300, 200) to (250, 440): 50 m and 240 m; cells are 4 m, and half cells round away from 0.
    int moved_x = 13, moved_y = -60;
    double relief = summary(worked.before, 4, worked.near()).relief();
    visit(worked.after, 4, worked.core(0.4), [&](int x, int y, double value) {
        ASSERT_NEAR(value, double(worked.before.at(x + moved_x, y + moved_y)), 0.005 * relief)
            << x << "," << y;
    });
}

TEST(Brushes, GraftHasNoSeam) {
    // Equally rough everywhere, but the south lies 120 m higher.
    Field rough = rough_ground(400, 400);
    Field ground = made_field(Rect::of({400, 400}), [&](int x, int y) {
        double share = std::clamp((4 * y - 750) / 100.0, 0.0, 1.0);
        return float(0.3 * double(rough.at(x, y)) + 120 * share);
    });
    std::vector<PenSample> samples = line(600, 350, 1000, 350);
    auto steep_at = [&](const std::string& name, double from, double to) {
        Land land(ground);
        land.paint(brush_with(name, {{"from", "600,1200"}}), samples);
        Field after = land.height();
        double sum = 0, count = 0;
        visit(
            after, 4,
            [&](double x, double y) {
                double far = distance_to(samples, x, y);
                return far >= from && far < to;
            },
            [&](int x, int y, double) {
                sum += steepness(after, 4, x, y);
                count++;
            });
        return sum / count;
    };
    double radius = brush_named("graft").settings.radius;
    double inside = steep_at("graft", 0, 0.6 * radius);
    double rim = steep_at("graft", 0.85 * radius, 1.15 * radius);
    double clone = steep_at("clone", 0.85 * radius, 1.15 * radius);
    EXPECT_LT(rim, 1.3 * inside + 0.2);
    EXPECT_LT(rim, 0.5 * clone);
}

TEST(Brushes, CutMakesHolesAndFillClosesThem) {
    Land land(rough_ground(240, 220));
    // A layer that could be painted on with heights in place, below the one that cuts.
    land.paint(brush_with("clone", {{"from", "700,200"}, {"radius", "60"}}), {{800, 700}});
    Field before = land.height();
    PaintTarget target = land.paint(brush_with("cut", {{"radius", "60"}}), along);
    land.paint(brush_with("cut", {{"radius", "60"}}), along);
    EXPECT_EQ(land.document->state().layers.size(), 4u) << "the field's layer, and the one that cuts, once";
    Field holes = land.height();
    for (int y = 0; y < 220; y++)
        for (int x = 0; x < 240; x++) {
            double far = distance_to(along, 4 * x, 4 * y);
            if (far < 30) {
                ASSERT_TRUE(is_missing(holes.at(x, y))) << x << "," << y;
            }
            if (far > 60) {
                ASSERT_EQ(holes.at(x, y), before.at(x, y));
            }
        }
    Brush erase = brush_with("erase", {{"field", "cut"}, {"radius", "120"}});
    EXPECT_EQ(target_for(*land.document, erase).layer, target.layer);
    land.paint(target, erase, along);
    EXPECT_TRUE(identical(land.height(), before)) << "the cells were only hidden";
    land.document->undo();

    land.paint(brush_with("fill", {{"radius", "110"}}), along);
    Field filled = land.height();
    for (int y = 0; y < 220; y++)
        for (int x = 0; x < 240; x++) {
            ASSERT_FALSE(is_missing(filled.at(x, y))) << x << "," << y;
            if (!is_missing(holes.at(x, y))) {
                ASSERT_EQ(filled.at(x, y), holes.at(x, y)) << "known ground stays";
            }
        }
    // As high as what is around it.
    Summary inside = summary(filled, 4, within(along, 30));
    Summary around = summary(before, 4, within(along, 120));
    EXPECT_GT(inside.low, around.low - 0.2 * around.relief());
    EXPECT_LT(inside.high, around.high + 0.2 * around.relief());
}

// ---- noise -----------------------------------------------------------------------------------------------

Field painted_by(const Brush& brush, const std::vector<PenSample>& samples) {
    Land land(rough_ground(240, 220));
    return land.painted(land.paint(brush, samples, 5));
}

TEST(Brushes, NoiseAgreesWhereStrokesCross) {
    std::vector<PenSample> down = line(480, 150, 480, 750);
    for (const std::string name : {"hills", "ridges", "badlands", "weathered", "billows"}) {
        Brush brush = brush_with(name);
        // What the strokes alone have laid down.
        Brush even = brush_with("raise");
        even.settings = brush.settings;
        Field first = painted_by(brush, along), second = painted_by(brush, down);
        Field first_dose = painted_by(even, along), second_dose = painted_by(even, down);
        double largest = 0;
        for (int y = 80; y < 140; y++)
            for (int x = 90; x < 150; x++) {
                double one = added(first, x, y) / added(first_dose, x, y);
                double other = added(second, x, y) / added(second_dose, x, y);
                ASSERT_NEAR(one, other, 1e-4) << name;
                largest = std::max(largest, std::abs(one));
            }
        EXPECT_GT(largest, 0.1) << name;
    }
}

TEST(Brushes, StrokesOfOtherSeedsAreOthers) {
    for (const std::string name : {"billows", "roughen", "domes", "hills"}) {
        std::set<uint64_t> seen;
        for (uint32_t seed : {1u, 2u, 2u}) {
            Land land(rough_ground(240, 220));
            seen.insert(fingerprint(land.painted(land.paint(brush_with(name), along, seed))));
        }
        EXPECT_EQ(seen.size(), name == "hills" ? 1u : 2u) << name;
    }
}

TEST(Brushes, DunesLieAcrossAndGulliesAlong) {
    // Along x, along y, and in between.
    for (const std::string name : {"dunes", "gullies"}) {
        for (auto [to_x, to_y, ahead_x, ahead_y] :
             {std::tuple{700, 440, 5, 0}, {250, 780, 0, 5}, {550, 740, 4, 4}}) {
            std::vector<PenSample> samples = line(250, 440, to_x, to_y);
            Brush brush = brush_with(name);
            Brush even = brush_with("raise");
            even.settings = brush.settings;
            Field canvas = painted_by(brush, samples), dose = painted_by(even, samples);
            canvas = made_field(canvas.rect(), [&](int x, int y) { return canvas.at(x, y) / dose.at(x, y); });
            Where where = within(samples, 60);
            double lengthwise = unlikeness(canvas, 4, where, ahead_x, ahead_y);
            double sideways = unlikeness(canvas, 4, where, -ahead_y, ahead_x);
            if (name == "dunes") {
                EXPECT_LT(2.5 * sideways, lengthwise) << to_x << "," << to_y;
            } else {
                EXPECT_LT(2.5 * lengthwise, sideways) << to_x << "," << to_y;
            }
        }
    }
}

// ---- faults ----------------------------------------------------------------------------------------------

TEST(Brushes, DomesAreDomes) {
    Brush brush = brush_with("domes", {{"scatter", "0"}, {"size-jitter", "0"}});
    Land land(rough_ground(240, 220));
    Field canvas = land.painted(land.paint(brush, {{480, 440}}));
    double radius = brush.settings.radius / 4;
    for (int x = 120; x < 120 + int(0.85 * radius); x++) {
        double off = (x - 120) / radius;
        EXPECT_NEAR(added(canvas, x, 110), brush.settings.strength * std::sqrt(1 - off * off),
                    0.02 * brush.settings.strength);
    }
    EXPECT_EQ(added(canvas, 120 + int(radius) + 1, 110), 0);
}

TEST(Brushes, ScarpLiftsTheGroundToItsRight) {
    Brush brush = brush_with("scarp", {{"radius", "120"}});
    Worked worked(brush);
    Field canvas = worked.land.painted(worked.target);
    for (int x = 100; x < 140; x++) {
        // To the east: the right-hand side is the south. Half the width of the ramp is 10 m.
        EXPECT_NEAR(added(canvas, x, 114) - added(canvas, x, 106), brush.settings.strength,
                    0.03 * brush.settings.strength);
        EXPECT_EQ(added(canvas, x, 106), 0);
    }
}

// ---- weather ---------------------------------------------------------------------------------------------

TEST(Brushes, CrumbleTakesTheSteepestAndKeepsTheRock) {
    // Steps of 40 m.
    Field ground = made_field(Rect::of({240, 220}), [](int x, int y) {
        return 40 * std::floor(float(x) / 12) + 4 * scattered(x, y, 1);
    });
    Worked worked(brush_with("crumble", {{"radius", "100"}}), ground);
    auto steepest = [&](const Field& field) {
        std::vector<double> all;
        visit(field, 4, worked.core(0.5),
              [&](int x, int y, double) { all.push_back(steepness(field, 4, x, y)); });
        std::ranges::sort(all);
        return all[all.size() * 98 / 100];
    };
    EXPECT_LT(steepest(worked.after), 0.8 * steepest(worked.before));
    double gone = 0, moved = 0;
    visit(difference(worked.after, worked.before), 4, worked.near(), [&](int, int, double value) {
        gone += value;
        moved += std::abs(value);
    });
    EXPECT_LT(std::abs(gone), 0.05 * moved);
}

TEST(Brushes, RainErodesAndDriesUp) {
    Worked worked(brush_with("rain"));
    double lowered = 0;
    visit(difference(worked.after, worked.before), 4, worked.near(),
          [&](int, int, double value) { lowered += value < -0.1; });
    EXPECT_GT(lowered, 300);
    EXPECT_EQ(worked.land.all().names(), std::vector<std::string>{"height"});
}

TEST(Brushes, DropletsCarveGulliesDownASlope) {
    // Steep to the south, and hardly uneven.
    Field ground = made_field(Rect::of({240, 220}),
                              [](int x, int y) { return 900 - 2.4f * float(y) + scattered(x, y, 1); });
    Worked worked(brush_with("droplets"), ground);
    // Gullies lie across the stroke: what one cell has, those downhill have, and not those beside.
    Field change = difference(worked.after, worked.before);
    const Where core = worked.core(0.5);
    EXPECT_GT(summary(change, 4, core).relief(), 3);
    EXPECT_GT(unlikeness(change, 4, core, 3, 0), 1.5 * unlikeness(change, 4, core, 0, 3));
    EXPECT_EQ(worked.land.all().names(), std::vector<std::string>{"height"});
}

// Land that rose has valleys, and all of them lead out from under the brush.
TEST(Brushes, UpliftMakesARangeWhoseValleysLeadOut) {
    const Field ground =
        made_field(Rect::of({240, 220}), [](int x, int y) { return 100 + scattered(x, y, 1); });
    Worked worked(brush_with("uplift", {{"radius", "300"}}), ground);
    const Field change = difference(worked.after, worked.before);
    EXPECT_GT(summary(change, 4, worked.core(0.3)).mean, 20);
    EXPECT_GT(summary(worked.after, 4, worked.core(0.6)).relief(), 30);
    Progress quiet;
    const FlowGraph graph(worked.after, {}, quiet);
    int deep = 0, cells = 0;
    visit(worked.after, 4, worked.core(0.6), [&](int x, int y, double height) {
        cells++;
        deep += graph.level(graph.number(x, y)) > height + 1;
    });
    EXPECT_LT(deep, cells / 100);
}

TEST(Brushes, TorrentTakesFromSlopesAndFillsWhatIsBelow) {
    // Two slopes and the flat between them.
    const Field ground = made_field(Rect::of({240, 220}), [](int x, int y) {
        return 100 + 1.2f * std::max(std::abs(float(y) - 110) - 20, 0.0f) + scattered(x, y, 2);
    });
    Worked worked(brush_with("torrent", {{"radius", "280"}}), ground);
    double slopes = 0, flat = 0, gone = 0, moved = 0;
    visit(difference(worked.after, worked.before), 4, worked.near(), [&](int, int y, double value) {
        (std::abs(y - 110) < 20 ? flat : slopes) += value;
        gone += value;
        moved += std::abs(value);
    });
    EXPECT_LT(slopes, 0);
    EXPECT_GT(flat, 0);
    EXPECT_LT(std::abs(gone), 0.5 * moved) << "what is taken is laid down, but for what runs off";
    EXPECT_EQ(worked.land.all().names(), std::vector<std::string>{"height"});
}

TEST(Brushes, RiverCarvesWhereRockIsSoft) {
    Field flat = made_field(Rect::of({300, 220}),
                            [](int x, int y) { return 200 - 0.1f * float(x) + scattered(x, y, 3); });
    Land land(flat);
    land.fixed("hardness", made_field(flat.rect(), [](int x, int) { return x < 150 ? 0.0f : 1.0f; }));
    Field before = land.height();
    std::vector<PenSample> samples = line(200, 440, 1000, 440);
    land.paint(brush_with("river"), samples);
    Field change = difference(land.height(), before);
    auto deepest_mean = [&](int from, int to) {
        double sum = 0;
        for (int x = from; x < to; x++) {
            double lowest = 0;
            for (int y = 80; y < 140; y++) lowest = std::min(lowest, double(change.at(x, y)));
            sum += lowest;
        }
        return sum / (to - from);
    };
    EXPECT_LT(deepest_mean(80, 140), -3);
    EXPECT_EQ(deepest_mean(160, 230), 0) << "rock of hardness 1 stays";
    // A bed, not a lowered plain.
    EXPECT_NEAR(double(change.at(110, 45)), 0, 0.5);
}

// The layer of hardness is added above that of heights; a river that is painted on the lower one spares the rock too.
TEST(Brushes, RiverSparesRockThatWasHardenedAbove) {
    Land land(made_field(Rect::of({300, 220}), [](int x, int) { return 200 - 0.1f * float(x); }));
    PaintTarget heights = land.paint(brush_with("raise"), {{100, 100}});
    PaintTarget hardness =
        land.paint(brush_with("harden", {{"strength", "1"}, {"radius", "250"}}), line(800, 100, 800, 800));
    ASSERT_GT(hardness.layer, heights.layer);
    Field before = land.height();
    land.paint(heights, brush_with("river"), line(200, 440, 1000, 440));
    Field change = difference(land.height(), before);
    auto deepest = [&](int x) {
        double lowest = 0;
        for (int y = 80; y < 140; y++) lowest = std::min(lowest, double(change.at(x, y)));
        return lowest;
    };
    EXPECT_LT(deepest(90), -3);
    EXPECT_GT(deepest(200), 0.1 * deepest(90));
}

// ---- construction ----------------------------------------------------------------------------------------

TEST(Brushes, RoadIsNoSteeperThanItMayBe) {
    Field ground = rough_ground(400, 300, 2);
    Land land(ground, 2);
    std::vector<PenSample> samples = line(100, 300, 700, 300);
    land.paint(brush_with("road"), samples);
    Field after = land.height();
    double steepest_before = 0, steepest = 0;
    for (int x = 125; x < 265; x++) {
        steepest_before = std::max(steepest_before,
                                   std::abs(double(ground.at(x + 10, 150)) - double(ground.at(x, 150))) / 20);
        steepest =
            std::max(steepest, std::abs(double(after.at(x + 10, 150)) - double(after.at(x, 150))) / 20);
        for (int off : {-2, 2})
            EXPECT_NEAR(double(after.at(x, 150 + off)), double(after.at(x, 150)), 0.25) << x;
    }
    EXPECT_GT(steepest_before, 0.15) << "or there was nothing to do";
    EXPECT_LT(steepest, 0.085);
}

// The end of a stroke may lie so near behind its last dab that none follows; the path goes on all the same.
TEST(Brushes, APathIsWholeInHoweverManyPortions) {
    Field ground = rough_ground(150, 120);
    Brush brush = brush_with("road", {{"radius", "60"}, {"spacing", "0.5"}});
    for (double end : {306.0, 312.0, 314.0}) {
        std::vector<PenSample> samples = line(100, 200, end, 260, 250);
        Land whole(ground), parted(ground);
        uint64_t expected = fingerprint(whole.painted(whole.paint(brush, samples)));
        PaintTarget target = target_for(*parted.document, brush);
        LiveStroke live(*parted.document, target, brush, 1, parted.context);
        for (const PenSample& sample : samples) live.extend(sample);
        live.finish();
        EXPECT_EQ(fingerprint(parted.painted(target)), expected) << end;
    }
}

TEST(Brushes, CanalLiesBelowTheGround) {
    Field ground = made_field(Rect::of({240, 220}), [](int x, int y) { return 100 + scattered(x, y, 1); });
    Worked worked(brush_with("canal"), ground);
    for (int x = 75; x < 165; x++) EXPECT_NEAR(double(worked.after.at(x, 110)), 100.5 - 6, 1) << x;
    // No steeper along it than water is.
    EXPECT_LT(std::abs(double(worked.after.at(80, 110)) - double(worked.after.at(160, 110))) / 320, 0.006);
}

// ---- other fields ----------------------------------------------------------------------------------------

TEST(Brushes, HardenPaintsHardness) {
    Land land(rough_ground(240, 220));
    Field height = land.height();
    for (int i = 0; i < 3; i++) land.paint(brush_with("harden"), along);
    Field hardness = land.all().field("hardness");
    Summary all = summary(hardness, 4, [](double, double) { return true; });
    EXPECT_GE(all.low, 0);
    EXPECT_LE(all.high, 1);
    EXPECT_GT(double(hardness.at(120, 110)), 0.9);
    EXPECT_EQ(double(hardness.at(10, 10)), 0);
    EXPECT_TRUE(identical(land.height(), height));
}

TEST(Brushes, MaskRevealsALayerAndEraseHidesIt) {
    Land land(rough_ground(240, 220));
    Field before = land.height();
    int layer =
        add_operations(*land.document, operations_of("smooth", {{"radius", "80"}}), layer_with("Soft"));
    Field smooth = land.height();
    paint_mask(*land.document, layer, 0);
    EXPECT_TRUE(identical(land.height(), before));
    PaintTarget target{layer, "", true};
    for (int i = 0; i < 3; i++) land.paint(target, brush_with("mask"), along);
    Summary all = summary(land.painted(target), 4, [](double, double) { return true; });
    EXPECT_GE(all.low, 0);
    EXPECT_LE(all.high, 1);
    EXPECT_GT(all.high, 0.98);
    EXPECT_NEAR(double(land.height().at(120, 110)), double(smooth.at(120, 110)), 0.02 * 300);
    EXPECT_EQ(land.height().at(10, 10), before.at(10, 10));
    for (int i = 0; i < 3; i++) land.paint(target, brush_with("erase", {{"radius", "350"}}), along);
    EXPECT_LT(summary(land.painted(target), 4, [](double, double) { return true; }).high, 0.01);
}

}  // namespace
}  // namespace caprock::test

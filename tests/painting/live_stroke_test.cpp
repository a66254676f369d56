// What a stroke does to cells, whatever its brush: against the equations, and against itself drawn otherwise.
#include "base/error.h"
#include "paintings.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

namespace caprock::test {
namespace {

// Every place of a straight stroke, as the maker would have it.
double dose_of_line(const Brush& brush, const std::vector<PenSample>& samples, const Grid& grid, double x,
                    double y) {
    DabMaker maker(brush.settings, grid, 1);
    StrokePath path(brush.settings.spline, [&](const PenSample& pen) { return maker.spacing(pen); });
    std::vector<Dab> dabs;
    for (const PenSample& sample : samples)
        for (const PathPlace& place : path.extend(sample)) maker.add(place, dabs);
    for (const PathPlace& place : path.finish()) maker.add(place, dabs);
    double sum = 0;
    for (const Dab& dab : dabs)
        sum += dab.weight * brush.settings.shape().at(std::hypot(x - dab.x, y - dab.y) / dab.radius);
    return sum;
}

TEST(LiveStroke, AddsTheEquationsWeights) {
    for (const Settings& settings :
         {Settings{{"power", "2"}}, Settings{{"power", "1"}, {"falloff", "0.5"}}, Settings{{"power", "0.7"}},
          Settings{{"power", "3.5"}, {"falloff", "0.3"}}, Settings{{"curve", "1,0.9,0.2,0"}}}) {
        Easel easel;
        Brush brush = brush_with("raise", settings);
        brush.settings.radius = 90;
        brush.settings.strength = 25;
        std::vector<PenSample> samples = line(200, 200, 900, 700);
        easel.paint(brush, samples);
        Field painted = easel.painted();
        double largest = 0;
        for (int y = 0; y < 280; y += 7)
            for (int x = 0; x < 300; x += 5) {
                double expected = 25 * dose_of_line(brush, samples, easel.document->state().grid, x, y);
                double actual = is_missing(painted.at(x, y)) ? 0 : double(painted.at(x, y));
                // Floats: some hundred sums of values up to 25.
                ASSERT_NEAR(actual, expected, 2e-3) << x << "," << y;
                largest = std::max(largest, actual);
            }
        // One pass is as high as it was said.
        EXPECT_NEAR(largest, 25, 0.6);
    }
}

TEST(LiveStroke, AClickIsAWholeDab) {
    Easel easel;
    easel.paint(brush_with("raise", {{"radius", "80"}, {"strength", "30"}}), {{600, 500}});
    Field painted = easel.painted();
    EXPECT_NEAR(double(painted.at(150, 125)), 30, 1e-4);
    EXPECT_NEAR(double(painted.at(160, 125)), 30 * 0.75, 1e-3);
    EXPECT_TRUE(is_missing(painted.at(171, 125)));
}

// Fig. 8-1.
TEST(LiveStroke, TheCircleTest) {
    std::vector<Field> painted;
    for (double rate : {5.0, 60.0, 1000.0}) {
        Easel easel(400, 400, 2);
        easel.paint(brush_with("raise", {{"radius", "60"}, {"strength", "40"}}), circle(400, 400, 250, rate));
        painted.push_back(easel.height());
    }
    Easel untouched(400, 400, 2);
    double height = largest_difference(painted[1], untouched.height());
    // A little more than on a straight line: a circle's inside is near to more of it.
    EXPECT_NEAR(height, 41.5, 1.5);
    EXPECT_LT(largest_difference(painted[0], painted[1]), 0.01 * height);
    EXPECT_LT(largest_difference(painted[2], painted[1]), 0.01 * height);
}

TEST(LiveStroke, TheEffectDoesNotDependOnTheSpacing) {
    for (const char* name : {"raise", "level", "smooth", "hills", "crumble"}) {
        std::vector<double> effects;
        for (const char* spacing : {"0.05", "0.5"}) {
            Easel easel(300, 300, 2);
            Field before = easel.height();
            Brush brush = brush_with(name, {{"radius", "60"}, {"spacing", spacing}});
            if (std::string(name) == "smooth" || std::string(name) == "crumble")
                brush.settings.strength = 0.3;
            easel.paint(brush, circle(300, 300, 170, 60));
            Field after = easel.height();
            double effect = 0;
            for (int y = 0; y < 300; y++)
                for (int x = 0; x < 300; x++)
                    effect += std::abs(double(after.at(x, y)) - double(before.at(x, y)));
            effects.push_back(effect);
        }
        EXPECT_NEAR(effects[1] / effects[0], 1, 0.03) << name;
        EXPECT_GT(effects[0], 100) << name;
    }
}

// ---- the same bits ---------------------------------------------------------------------------------------

std::vector<PenSample> wild_stroke(uint32_t seed, int samples, double width, double height) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> share(0, 1);
    std::vector<PenSample> all;
    double x = share(random) * width, y = share(random) * height;
    for (int i = 0; i < samples; i++) {
        x += (share(random) - 0.5) * width * 0.3;
        y += (share(random) - 0.5) * height * 0.3;
        all.push_back({x, y, 0.2 + 0.8 * share(random)});
    }
    return all;
}

// One of every way of applying.
const std::vector<std::string> kinds = {"raise",   "roughen", "level", "smooth",
                                        "terrace", "crumble", "erase", "ledge"};

TEST(LiveStroke, SameBitsInHoweverManyPortions) {
    for (const std::string& name : kinds) {
        std::vector<PenSample> samples = wild_stroke(5, 14, 1200, 1100);
        auto result = [&](const std::function<void(LiveStroke&)>& drawing) {
            Easel easel;
            easel.paint(brush_with("raise", {{"radius", "300"}}), line(100, 100, 1100, 900));
            Brush brush = brush_with(name, {{"radius", "120"}});
            LiveStroke stroke(*easel.document, {easel.layer, "height"}, brush, 7, easel.context);
            drawing(stroke);
            stroke.finish();
            return fingerprint(easel.painted());
        };
        uint64_t at_once = result([&](LiveStroke& stroke) { stroke.extend(samples); });
        uint64_t one_by_one = result([&](LiveStroke& stroke) {
            for (const PenSample& sample : samples) stroke.extend(sample);
        });
        uint64_t in_parts = result([&](LiveStroke& stroke) {
            stroke.extend(std::span(samples).first(5));
            stroke.preview();
            stroke.extend(std::span(samples).subspan(5));
        });
        EXPECT_EQ(one_by_one, at_once) << name;
        EXPECT_EQ(in_parts, at_once) << name;
    }
}

TEST(LiveStroke, SameBitsOnEveryDeviceAndThreadCount) {
    std::vector<NamedDevice> devices = all_devices();
    devices.push_back({"one thread", make_cpu_device(supported_cpu_levels().back(), 1)});
    devices.push_back({"five threads", make_cpu_device(supported_cpu_levels().back(), 5)});
    std::vector<PenSample> samples = wild_stroke(6, 8, 1200, 1100);
    for (const std::string& name : kinds) {
        std::optional<uint64_t> expected;
        for (const NamedDevice& named : devices) {
            Easel easel;
            easel.context = on(named.device);
            easel.paint(brush_with(name, {{"radius", "130"}}), samples);
            uint64_t actual = fingerprint(easel.painted());
            if (!expected) expected = actual;
            EXPECT_EQ(actual, *expected) << name << " on " << named.name;
            EXPECT_EQ(easel.context.device, named.device) << "fell back to the CPU";
        }
    }
}

// The operation as any other: without a kernel for many dabs.
class Plain : public Operation {
  public:
    explicit Plain(std::unique_ptr<Operation> operation) : operation_(std::move(operation)) {}
    std::string_view name() const override { return operation_->name(); }
    std::string_view room() const override { return operation_->room(); }
    int version() const override { return operation_->version(); }
    const Schema& schema() const override { return operation_->schema(); }
    FieldUse fields() const override { return operation_->fields(); }
    Reach reach(const Grid& grid) const override { return operation_->reach(grid); }
    void run(Work& work) const override { operation_->run(work); }
    std::unique_ptr<Operation> clone() const override { return std::make_unique<Plain>(operation_->clone()); }

  protected:
    ParameterValue value_at(size_t index) const override {
        return operation_->value(schema().parameters()[index]);
    }
    void put_at(size_t index, ParameterValue value) override {
        operation_->set(schema().parameters()[index], value);
    }

  private:
    std::unique_ptr<Operation> operation_;
};

TEST(LiveStroke, ManyDabsInOneLaunchAreManyLaunches) {
    std::vector<PenSample> samples = wild_stroke(11, 14, 1200, 1100);
    for (const char* name : {"ledge", "terrace"}) {
        Brush quick = brush_with(name, {{"radius", "110"}, {"apply", "each"}});
        ASSERT_EQ(quick.brush_class(Grid()), BrushClass::cell);
        Brush plain = quick;
        plain.operation = std::make_unique<Plain>(quick.operation->clone());
        Easel first, second;
        first.paint(quick, samples);
        second.paint(plain, samples);
        EXPECT_TRUE(identical(first.painted(), second.painted())) << name;
    }
}

// ---- the transaction -------------------------------------------------------------------------------------

TEST(LiveStroke, APreviewIsWhatComesOutOfIt) {
    for (const std::string& name : kinds) {
        Easel easel;
        LiveStroke stroke(*easel.document, {easel.layer, "height"}, brush_with(name, {{"radius", "100"}}), 1,
                          easel.context);
        uint64_t before = fingerprint(easel.height());
        stroke.extend(line(300, 300, 800, 600));
        stroke.extend(line(800, 600, 400, 900));
        Plan plan(stroke.preview());
        Terrain seen = Evaluator(easel.context).evaluate(plan, plan.window());
        EXPECT_EQ(fingerprint(easel.height()), before) << "the document changes when the stroke is finished";
        // What a finished stroke has more is its last piece.
        stroke.finish();
        Terrain done = easel.all();
        Rect away{0, 0, 300, 60};
        EXPECT_TRUE(identical(seen.height().cropped(away), done.height().cropped(away)));
        if (name != "erase") {
            EXPECT_NE(fingerprint(seen.height()), before) << name;
        }
    }
}

// Tiles of a preview's canvas by their places.
std::map<TileIndex, const StoredTile*> tiles_in(const Snapshot& preview, int canvas) {
    std::map<TileIndex, const StoredTile*> tiles;
    for (const auto& [index, tile] : preview.canvas(canvas).tiles->all()) tiles[index] = tile.get();
    return tiles;
}

std::vector<TileIndex> differing(const std::map<TileIndex, const StoredTile*>& a,
                                 const std::map<TileIndex, const StoredTile*>& b) {
    std::set<TileIndex> all;
    for (const auto& [index, tile] : a)
        if (!b.contains(index) || b.at(index) != tile) all.insert(index);
    for (const auto& [index, tile] : b)
        if (!a.contains(index)) all.insert(index);
    return {all.begin(), all.end()};
}

TEST(LiveStroke, PreviewsLookOnlyAtTilesThatChanged) {
    std::vector<NamedDevice> devices = opencl_devices();
    devices.push_back({"cpu", cpu_context().device});
    for (const NamedDevice& named : devices)
        for (const std::string name : {"raise", "level", "smooth"}) {
            SCOPED_TRACE(name + " on " + named.name);
            Easel easel(1600, 500, 1);
            easel.context = on(named.device);
            easel.paint(brush_with("raise", {{"radius", "30"}}), line(50, 50, 1500, 450));
            int canvas = canvas_of(easel.document->state(), easel.layer, "height");
            Brush brush = brush_with(name, {{"radius", "40"}});
            LiveStroke stroke(*easel.document, {easel.layer, "height"}, brush, 1, easel.context);
            auto downloads = [&] {
                return named.device->is_cpu() ? 0 : opencl_traffic(*named.device).downloads;
            };
            std::vector<PenSample> samples = line(60, 60, 1500, 440, 24);
            Snapshot before = easel.document->snapshot();
            size_t seen = 0, most = 0;
            for (size_t i = 0; i < samples.size(); i += 3) {
                stroke.extend(std::span(samples).subspan(i, 3));
                int fetched = downloads();
                Snapshot preview = stroke.preview();
                const std::vector<TileIndex> changes = stroke.preview_changes();
                EXPECT_EQ(changes, differing(tiles_in(before, canvas), tiles_in(preview, canvas)));
                // A tile may be worked on and stay as it is.
                EXPECT_LE(downloads() - fetched, int(changes.size()) + 2);
                before = preview;
                seen += changes.size();
                most = std::max(most, changes.size());
            }
            // The same cells as those of a stroke that nobody has looked at before.
            LiveStroke other(*easel.document, {easel.layer, "height"}, brush, 1, easel.context);
            other.extend(samples);
            EXPECT_EQ(fingerprint(before.canvas(canvas).read(easel.extent())),
                      fingerprint(other.preview().canvas(canvas).read(easel.extent())));
            EXPECT_GT(seen, 8u);
            EXPECT_LE(most, 6u) << "as many as three samples can touch";
            int fetched = downloads();
            Snapshot again = stroke.preview();
            EXPECT_TRUE(stroke.preview_changes().empty());
            EXPECT_EQ(again.canvas(canvas).tiles, before.canvas(canvas).tiles);
            EXPECT_EQ(downloads(), fetched);
            stroke.cancel();
            EXPECT_EQ(tiles_in(stroke.preview(), canvas), tiles_in(easel.document->snapshot(), canvas));
        }
}

TEST(LiveStroke, APreviewTakesBackWhatALineNoLongerTouches) {
    Easel easel(1600, 500, 1);
    easel.paint(brush_with("raise", {{"radius", "30"}}), line(50, 50, 700, 450));
    int canvas = canvas_of(easel.document->state(), easel.layer, "height");
    LiveStroke stroke(*easel.document, {easel.layer, "height"},
                      brush_with("raise", {{"radius", "40"}, {"line", "straight"}}), 1, easel.context);
    stroke.extend(PenSample{100, 100});
    Snapshot short_line = stroke.preview();
    EXPECT_EQ(stroke.preview_changes(), std::vector<TileIndex>{tile_at(100, 100)});
    stroke.extend(PenSample{1500, 400});
    Snapshot long_line = stroke.preview();
    EXPECT_GT(stroke.preview_changes().size(), 5u);
    stroke.extend(PenSample{130, 110});
    Snapshot back = stroke.preview();
    EXPECT_EQ(stroke.preview_changes(), differing(tiles_in(long_line, canvas), tiles_in(back, canvas)));
    // All but the first are those of the document again, or none.
    auto original = tiles_in(easel.document->snapshot(), canvas);
    std::vector<TileIndex> left = differing(original, tiles_in(back, canvas));
    EXPECT_EQ(left, std::vector<TileIndex>{tile_at(100, 100)});
    Rect away{300, 0, 1600, 500};
    EXPECT_TRUE(identical(back.canvas(canvas).read(away), short_line.canvas(canvas).read(away)));
}

TEST(LiveStroke, CancelLeavesNothing) {
    Easel easel;
    easel.paint(brush_with("raise"), line(300, 300, 800, 600));
    uint64_t before = fingerprint(easel.painted());
    int64_t entries = easel.document->entries();
    LiveStroke stroke(*easel.document, {easel.layer, "height"}, brush_with("raise"), 1, easel.context);
    stroke.extend(line(500, 300, 100, 700));
    stroke.cancel();
    EXPECT_EQ(fingerprint(easel.painted()), before);
    EXPECT_EQ(easel.document->entries(), entries);
}

TEST(LiveStroke, IsOneEntryOfTheHistory) {
    Easel easel;
    uint64_t blank = fingerprint(easel.painted());
    int64_t entries = easel.document->entries();
    easel.paint(brush_with("raise"), wild_stroke(1, 40, 1200, 1100));
    uint64_t painted = fingerprint(easel.painted());
    EXPECT_EQ(easel.document->entries(), entries + 1);
    easel.document->undo();
    EXPECT_EQ(fingerprint(easel.painted()), blank);
    easel.document->redo();
    EXPECT_EQ(fingerprint(easel.painted()), painted);
}

TEST(LiveStroke, WhatIsFarAwayIsNotThere) {
    Easel easel;
    int64_t entries = easel.document->entries();
    easel.paint(brush_with("raise"), line(-9000, -9000, -5000, -9000));
    easel.paint(brush_with("smooth"), line(90000, 9000, 90000, 5000));
    EXPECT_EQ(easel.document->entries(), entries);
    // And across the border.
    easel.paint(brush_with("raise"), line(-500, 500, 5000, 500));
    EXPECT_EQ(easel.document->entries(), entries + 1);
    LiveStroke stroke(*easel.document, {easel.layer, "height"}, brush_with("raise"), 1, easel.context);
    EXPECT_THROW(stroke.extend({std::nan(""), 0}), Error);
    // Nor is a slip of the keyboard waited for.
    EXPECT_THROW(stroke.extend(line(-9e8, 0, 9e8, 10, 3)), Error);
    // A brush that is finer than the cells paints cells.
    easel.paint(brush_with("raise", {{"radius", "0.01"}}), line(100, 100, 1100, 900));
    EXPECT_EQ(easel.document->entries(), entries + 2);
}

// In the world frame of terrain/grid.h: what is finer than cells paints the cell whose sample it lies on.
TEST(LiveStroke, ADabOnASamplePaintsThatCell) {
    Easel easel;
    Grid grid = easel.document->state().grid;
    const std::set<std::pair<int, int>> cells = {{40, 30}, {41, 33}, {0, 0}, {299, 279}};
    for (auto [x, y] : cells) {
        WorldPoint place = grid.place_of(x, y);
        easel.paint(brush_with("raise", {{"radius", "0.01"}}), {PenSample{place.x, place.y}});
    }
    Field painted = easel.painted();
    for (int y = 0; y < 280; y++)
        for (int x = 0; x < 300; x++)
            ASSERT_EQ(!is_missing(painted.at(x, y)), cells.contains({x, y})) << x << ' ' << y;
}

// ---- the pen ---------------------------------------------------------------------------------------------

TEST(LiveStroke, PressureChangesTheStroke) {
    auto painted = [](const Settings& settings, double pressure) {
        Easel easel;
        std::vector<PenSample> samples = line(200, 550, 1000, 550);
        for (PenSample& sample : samples) sample.pressure = pressure;
        easel.paint(brush_with("raise", settings), samples);
        return easel.painted();
    };
    Settings strong = {{"radius", "80"}, {"strength", "20"}};
    EXPECT_NEAR(double(painted(strong, 1).at(150, 137)), 20, 0.5);
    EXPECT_NEAR(double(painted(strong, 0.5).at(150, 137)), 10, 0.3);
    Settings wide = {
        {"radius", "80"}, {"strength", "20"}, {"pressure-strength", ""}, {"pressure-radius", "0,1"}};
    EXPECT_NEAR(double(painted(wide, 0.5).at(150, 137)), 20, 0.5);
    EXPECT_TRUE(is_missing(painted(wide, 0.5).at(150, 137 + 12)));
    EXPECT_FALSE(is_missing(painted(wide, 1).at(150, 137 + 12)));
    Settings hard = {
        {"radius", "80"}, {"strength", "20"}, {"pressure-strength", ""}, {"pressure-falloff", "0.1,1"}};
    // Within the inner radius of a hard dab the weight is that of the middle.
    EXPECT_GT(double(painted(hard, 0).at(150, 137 + 16)), 1.3 * double(painted(hard, 1).at(150, 137 + 16)));
}

TEST(LiveStroke, SymmetryRepeatsDabs) {
    Easel easel(301, 301, 4);
    easel.paint(brush_with("raise", {{"radius", "60"}, {"symmetry", "xy"}}), line(150, 200, 400, 350));
    Field painted = easel.painted();
    int there = 0;
    for (int y = 0; y < 301; y++)
        for (int x = 0; x < 301; x++) {
            float here = painted.at(x, y);
            there += !is_missing(here);
            for (float image :
                 {painted.at(300 - x, y), painted.at(x, 300 - y), painted.at(300 - x, 300 - y)}) {
                ASSERT_EQ(is_missing(here), is_missing(image)) << x << "," << y;
                if (!is_missing(here)) {
                    ASSERT_NEAR(double(here), double(image), 1e-4) << x << "," << y;
                }
            }
        }
    EXPECT_GT(there, 1000);

    Easel turned(301, 301, 4);
    turned.paint(brush_with("raise", {{"radius", "60"}, {"symmetry", "radial"}, {"symmetry-count", "4"}}),
                 line(150, 200, 400, 350));
    painted = turned.painted();
    for (int y = 0; y < 301; y++)
        for (int x = 0; x < 301; x++) {
            float here = painted.at(x, y);
            float image = painted.at(300 - y, x);
            // Right at a rim one of them may be just inside.
            if (is_missing(here) || is_missing(image)) continue;
            ASSERT_NEAR(double(here), double(image), 1e-3) << x << "," << y;
        }
}

TEST(LiveStroke, StraightAndConstrainedLines) {
    std::vector<PenSample> wobbly = wild_stroke(9, 20, 1000, 1000);
    wobbly.front() = {200, 300};
    wobbly.back() = {900, 420};
    auto painted = [](const std::vector<PenSample>& samples, const char* how) {
        Easel easel;
        LiveStroke stroke(*easel.document, {easel.layer, "height"}, brush_with("raise", {{"line", how}}), 1,
                          easel.context);
        for (const PenSample& sample : samples) stroke.extend(sample);
        stroke.finish();
        return easel.painted();
    };
    EXPECT_TRUE(identical(painted(wobbly, "straight"), painted({{200, 300}, {900, 420}}, "free")));
    EXPECT_TRUE(identical(painted(wobbly, "constrained"), painted({{200, 300}, {900, 300}}, "free")));
}

TEST(LiveStroke, ATipIsAPictureOnTheGround) {
    // Right half white.
    Brush brush = brush_with("raise", {{"radius", "100"}, {"falloff", "0.01"}, {"strength", "10"}});
    brush.tip = Field(Rect{0, 0, 64, 64}, 0.0f);
    for (int y = 0; y < 64; y++)
        for (int x = 32; x < 64; x++) brush.tip.set(x, y, 1);
    auto painted = [](const Brush& brush, const std::vector<PenSample>& samples) {
        Easel easel;
        easel.paint(brush, samples);
        return easel.painted();
    };
    auto height = [](const Field& field, int x, int y) {
        return is_missing(field.at(x, y)) ? 0.0 : double(field.at(x, y));
    };
    Field plain = painted(brush, {{600, 500}});
    EXPECT_NEAR(height(plain, 162, 125), 10, 1e-3);
    EXPECT_NEAR(height(plain, 138, 125), 0, 1e-3);
    brush.settings.tip_angle = 90;
    Field turned = painted(brush, {{600, 500}});
    EXPECT_NEAR(height(turned, 150, 137), 10, 1e-3);
    EXPECT_NEAR(height(turned, 150, 113), 0, 1e-3);
    brush.settings.tip_angle = 0;
    brush.settings.tip_follows = true;
    Field along = painted(brush, line(600, 300, 600, 800));
    // The white half lies ahead, so that nothing is laid down behind the stroke's beginning.
    EXPECT_NEAR(height(along, 150, 68), 0, 1e-3);
    EXPECT_GT(height(along, 150, 210), 1);
    brush.settings.symmetry = BrushSettings::Symmetry::across;
    brush.settings.tip_follows = false;
    Field mirrored = painted(brush, {{300, 500}});
    int right = 299 - 87;
    EXPECT_NEAR(height(mirrored, 87, 125), 10, 1e-3);
    EXPECT_NEAR(height(mirrored, right, 125), 10, 1e-3) << "the mirrored tip is white on its left";
}

// ---- refusals --------------------------------------------------------------------------------------------

TEST(LiveStroke, RefusesWhatCannotBePaintedOn) {
    Easel easel;
    auto message = [&](const PaintTarget& target, const Brush& brush) -> std::string {
        try {
            LiveStroke stroke(*easel.document, target, brush, 1, easel.context);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    Brush raise = brush_with("raise");
    EXPECT_NE(message({1, "height"}, raise).find("is generated and cannot be painted on"), std::string::npos);
    EXPECT_NE(message({99, "height"}, raise), "");
    EXPECT_NE(message({easel.layer, "hardness"}, raise), "");
    EXPECT_NE(message({easel.layer, "", true}, raise), "");
    EXPECT_NE(message({easel.layer, "height"}, brush_with("smooth", {{"strength", "2"}})).find("0 to 1"),
              std::string::npos);
    Brush strange = brush_with("smooth");
    strange.bindings.push_back({"radios", BrushSource::pressure});
    EXPECT_NE(message({easel.layer, "height"}, strange).find("did you mean 'radius'"), std::string::npos);
    set_layer(*easel.document, easel.layer, {{"locked", "true"}});
    EXPECT_NE(message({easel.layer, "height"}, raise).find("is locked"), std::string::npos);
}

}  // namespace
}  // namespace caprock::test

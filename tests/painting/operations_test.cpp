// Any operation is a brush: it paints, or it says why it cannot.
#include "base/error.h"
#include "paintings.h"
#include "support/test_names.h"

#include <gtest/gtest.h>
#include <set>

namespace caprock::test {
namespace {

class EveryOperation : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Operations, EveryOperation, testing::ValuesIn(operation_names()), test_name);

bool among(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::count(names, name) > 0;
}

// What has something to do only where something is already there, or is told where.
void give_it_work(const std::string& name, Brush& brush) {
    std::unique_ptr<Operation> operation = brush.operation->clone();
    auto set = [&](const char* parameter, const char* value) { operation->set_text(parameter, value); };
    if (name == "warp") {
        set("x", "320");
        set("y", "300");
        set("radius", "150");
        set("move-x", "40");
    }
    if (name == "dome") {
        set("x", "320");
        set("y", "300");
    }
    if (name == "fault") set("x", "300");
    if (name == "blend") {
        set("source", "cover");
        set("unit-source", "true");
    }
    if (name == "ledge") set("limit", "1000");
    // Few steps: this is about brushes.
    if (operation->schema().find("steps")) set("steps", "4");
    // Those whose water runs for so many seconds count none; a step is a quarter of one.
    if (name == "flood" || name == "river-erosion") set("duration", "2");
    if (name == "riverbed") {
        set("particles", "20");
        set("window", "4");
    }
    brush.operation = std::move(operation);
}

const std::vector<std::string> furniture = {"height", "hardness", "solubility", "water",   "sediment",
                                            "other",  "cover",    "cut",        "material"};

// A document with every field that an operation might want.
std::unique_ptr<Land> furnished() {
    auto land = std::make_unique<Land>(rough_ground(160, 150));
    auto field = [&](const char* name, float low, float high, uint32_t purpose) {
        land->fixed(name, made_field(land->extent(), [&](int x, int y) {
                        return low + (high - low) * scattered(x / 6, y / 6, purpose);
                    }));
    };
    field("hardness", 0, 0.8f, 1);
    field("solubility", 0, 1, 2);
    field("water", 0, 2, 3);
    field("sediment", 0, 1, 4);
    field("other", 0, 1, 6);
    field("cover", 0, 1, 7);
    // Some holes for those who fill them.
    field("cut", 0, 0.52f, 8);
    add_operations(*land->document, operations_of("cut-out"), layer_with("Holes"));
    land->fixed("material", made_field(land->extent(), [](int x, int y) {
                    return std::floor(3 * scattered(x / 9, y / 9, 9));
                }));
    return land;
}

TEST_P(EveryOperation, PaintsOrSaysWhyNot) {
    const std::string name = GetParam();
    Brush brush = brush_of(*make_operation(name));
    give_it_work(name, brush);
    brush.settings.radius = 90;
    const std::shared_ptr<const Operation> operation = brush.operation;
    const FieldUse use = operation->fields();
    const std::vector<std::string>& makes = use.outputs;
    std::unique_ptr<Land> land = furnished();
    const Grid grid = land->document->state().grid;
    const char* refusal = operation->grid_after(grid) != grid ? "changes the size of the terrain"
                          : use.makes_missing                 ? "takes cells away"
                          : makes.empty() && !use.every_field ? "makes lines"
                                                              : nullptr;

    // On heights where it makes them, on what it makes otherwise.
    bool heights = use.every_field || among(makes, "height");
    const Parameter* own = operation->schema().find("field");
    bool chosen = own && own->type() == ParameterType::field;
    brush.settings.field = heights ? "height" : chosen ? "cover" : makes[0];
    if (brush.apply(grid) == BrushSettings::Apply::add) brush.settings.strength = 0.5;
    PaintTarget target = target_for(*land->document, brush);
    std::map<int, uint64_t> before = canvas_fingerprints(*land->document, land->extent());
    std::vector<PenSample> samples = line(250, 290, 420, 310, 4);
    if (refusal) {
        try {
            land->paint(target, brush, samples);
            ADD_FAILURE() << name << " " << refusal << " and paints nevertheless";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(refusal), std::string::npos) << error.what();
        }
        EXPECT_EQ(canvas_fingerprints(*land->document, land->extent()), before);
        return;
    }
    ASSERT_NO_THROW(land->paint(target, brush, samples)) << name;
    std::map<int, uint64_t> after = canvas_fingerprints(*land->document, land->extent());
    std::vector<std::string> fields = land->all().names();
    std::set<std::string> expected(furniture.begin(), furniture.end());
    expected.insert(target.field);
    EXPECT_EQ(std::set<std::string>(fields.begin(), fields.end()), expected) << "fields that nobody painted";
    EXPECT_NE(after, before) << name << " painted nothing";
    land->document->undo();
    EXPECT_EQ(canvas_fingerprints(*land->document, land->extent()), before);
    land->document->redo();
    EXPECT_EQ(canvas_fingerprints(*land->document, land->extent()), after);
}

TEST_P(EveryOperation, RefusesFieldsThatItDoesNotMake) {
    Brush brush = brush_of(*make_operation(GetParam()));
    const FieldUse use = brush.operation->fields();
    const Parameter* field = brush.operation->schema().find("field");
    if (use.every_field || (field && field->type() == ParameterType::field)) return;
    const std::vector<std::string>& makes = use.outputs;
    brush.settings.field = among(makes, "solubility") ? "water" : "solubility";
    Land land(rough_ground(40, 40));
    PaintTarget target = target_for(*land.document, brush);
    try {
        LiveStroke stroke(*land.document, target, brush, 1, land.context);
        ADD_FAILURE() << GetParam() << " does not make " << brush.settings.field;
    } catch (const Error& error) {
        std::string what = error.what();
        bool says = false;
        for (const std::string& why :
             {"does not change " + brush.settings.field, std::string("changes the size of the terrain"),
              std::string("takes cells away")})
            says = says || what.find(why) != std::string::npos;
        EXPECT_TRUE(says) << what;
    }
}

TEST_P(EveryOperation, IsOfTheClassOfItsReach) {
    Brush brush = brush_of(*make_operation(GetParam()));
    Grid grid = grid_of(160, 150);
    Reach::Kind kind = brush.operation->reach(grid).kind();
    BrushClass expected = brush.operation->fields().generator() ? BrushClass::added
                          : kind == Reach::Kind::point          ? BrushClass::cell
                                                                : BrushClass::around;
    // Between two materials there is none, nor between a hole and a height: the mask of all dabs decides.
    if (GetParam() == "materials" || brush.operation->fields().fills_missing) expected = BrushClass::added;
    EXPECT_EQ(int(brush.brush_class(grid)), int(expected));
    // At once, it is a mask of dabs that add up.
    brush.settings.apply = BrushSettings::Apply::once;
    EXPECT_EQ(int(brush.brush_class(grid)), int(BrushClass::added));
}

}  // namespace
}  // namespace caprock::test

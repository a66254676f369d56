// Line sets of documents: kept, undone, followed by layers and made by them.
#include "base/error.h"
#include "document/document_lines.h"
#include "document/document_text.h"
#include "document/documents.h"
#include "support/refusals.h"
#include "terrain/line_text.h"

#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

class LinesInDocuments : public testing::Test {
  protected:
    Folder folder;
    std::unique_ptr<Document> document = Document::create(folder / "a.caprock", grid_of(90, 70));
    RunContext context = cpu_context();
    const LineSet roads =
        LineSet({{{{0, 100.125}, {180, 90}, {350, 200, 30}}, false, {{"lanes", int64_t(2)}}},
                 {{{1, 2}, {3, 4}, {5, 1e-9}}, true}});

    void reopen() {
        document->flush();
        document.reset();
        document = Document::open(folder / "a.caprock");
    }
    LineSet made(const std::string& name, int level = 0) {
        Plan plan(document->snapshot(), level);
        return Evaluator(context).lines(plan, plan.top(), name);
    }
};

TEST_F(LinesInDocuments, AreKeptAndUndone) {
    const std::string before = document->text();
    EXPECT_EQ(before.find("\"lines\""), std::string::npos) << "documents without are what they were";
    set_lines(*document, "roads", roads);
    set_lines(*document, "springs", parse_points("1,2,3"));
    EXPECT_EQ(line_names(document->state()), (std::vector<std::string>{"roads", "springs"}));
    reopen();
    EXPECT_EQ(*find_lines(document->state(), "roads"), roads);
    EXPECT_EQ(*find_lines(document->state(), "springs"), parse_points("1,2,3"));
    set_lines(*document, "roads", parse_lines("5,5 6,6"));
    remove_lines(*document, "springs");
    EXPECT_EQ(line_names(document->state()), std::vector<std::string>{"roads"});
    reopen();
    EXPECT_TRUE(document->undo());
    EXPECT_TRUE(document->undo());
    EXPECT_EQ(*find_lines(document->state(), "roads"), roads);
    EXPECT_EQ(*find_lines(document->state(), "springs"), parse_points("1,2,3"));
    while (document->undo()) {
    }
    EXPECT_EQ(document->text(), before);
    while (document->redo()) {
    }
    EXPECT_EQ(*find_lines(document->state(), "roads"), parse_lines("5,5 6,6"));
    EXPECT_EQ(parse_document(document->text(), {}).lines[0].lines, parse_lines("5,5 6,6"));
}

TEST_F(LinesInDocuments, LayersFollowThem) {
    add_generated(*document, {{"feature", "200"}}, layer_with("Ground"));
    set_lines(*document, "roads", parse_lines("0,100 180,90 350,200"));
    const int road =
        add_operations(*document, operations_of("road", {{"path", "@roads"}}), layer_with("Road"));
    const uint64_t named = height_fingerprint(*document);
    set_layer(*document, road, {{"path", "0,100 180,90 350,200"}});
    EXPECT_EQ(height_fingerprint(*document), named);
    set_layer(*document, road, {{"path", "@roads"}});
    set_lines(*document, "roads", parse_lines("0,200 350,20"));
    EXPECT_NE(height_fingerprint(*document), named) << "another line is another road";
    document->undo();
    EXPECT_EQ(height_fingerprint(*document), named);
    // What they need and is not there is said, and the layer has no effect.
    remove_lines(*document, "roads");
    const Plan plan(document->snapshot());
    ASSERT_EQ(plan.problems().size(), 1u);
    EXPECT_NE(plan.problems()[0].find("needs the lines 'roads'"), std::string::npos);
}

TEST_F(LinesInDocuments, LayersMakeThemForThoseAbove) {
    add_generated(*document, {{"feature", "200"}}, layer_with("Ground"));
    const uint64_t ground = height_fingerprint(*document);
    add_operations(*document, operations_of("contours", {{"interval", "40"}, {"lines", "iso"}}),
                   layer_with("Iso"));
    EXPECT_EQ(height_fingerprint(*document), ground) << "lines change no cell";
    const Terrain land = evaluated(*document, context);
    EXPECT_EQ(
        made("iso"),
        run(*made_operation("contours", {{"interval", "40"}, {"lines", "iso"}}), land, context).lines("iso"));
    add_operations(*document, operations_of("riverbed", {{"path", "@iso"}, {"particles", "2"}}),
                   layer_with("River"));
    const Plan plan(document->snapshot());
    EXPECT_TRUE(plan.problems().empty()) << plan.problems()[0];
    EXPECT_NE(height_fingerprint(*document), ground);
    EXPECT_FALSE(made("iso", 1).empty()) << "a preview has them, too";
}

TEST_F(LinesInDocuments, LinesOfFilesLieWhereTheDocumentDoes) {
    add_generated(*document, {{"feature", "200"}}, layer_with("Ground"));
    // Of cell (0, 0), whatever the extent begins with.
    Georeference place;
    place.projection = "somewhere";
    place.transform = {1000, 4, 0, 2000, 0, -4};
    document->change("place", [&](Edit& edit) { edit.state().georeference = place; });
    resize_document(*document, {-16, -8, 90, 70});
    const LineFile file{parse_lines("1002,1898 1182,1908 1352,1798"), "somewhere"};
    std::vector<LayerOperation> operations;
    std::unique_ptr<Operation> road = make_operation("road");
    road->set("path", LinesValue::of_file("roads.gpkg", "", file));
    operations.emplace_back(std::move(road));
    const int layer = add_operations(*document, std::move(operations), layer_with("Road"));
    for (int level : {0, 1}) {
        Plan plan(document->snapshot(), level);
        EXPECT_TRUE(plan.problems().empty()) << plan.problems()[0];
        const Field by_file = Evaluator(context).evaluate(plan, plan.window()).height();
        set_layer(*document, layer, {{"path", "0,100 180,90 350,200"}});
        Plan typed(document->snapshot(), level);
        EXPECT_TRUE(identical(Evaluator(context).evaluate(typed, typed.window()).height(), by_file)) << level;
        document->undo();
    }
    reopen();
    EXPECT_EQ(std::get<LinesValue>(layer_of(document->state(), layer).operations[0].operation->value("path"))
                  .content(),
              file);
}

TEST_F(LinesInDocuments, RefusesWhatCannotBeKept) {
    EXPECT_THROW(set_lines(*document, "a b", roads), Error);
    EXPECT_THROW(set_lines(*document, "bad", LineSet({{{{0, INFINITY}}}})), Error);
    EXPECT_THROW(set_lines(*document, "bad", LineSet({{{{0, 0}}, false, {{"a", std::string("\xff")}}}})),
                 Error);
    std::vector<Line> many(
        1, Line{std::vector<LinePoint>(500000, LinePoint(0.123456789, 1.23456789)), false, {}});
    EXPECT_NE(refusal([&] { set_lines(*document, "many", LineSet(many)); }).find("a document keeps"),
              std::string::npos);
    EXPECT_NE(refusal([&] { remove_lines(*document, "roads"); }).find("no lines 'roads'"), std::string::npos);
    EXPECT_FALSE(document->can_undo());
    set_lines(*document, "roads", roads);
    for (const char* wrong :
         {"3", "[1]", "{\"a\": 1}", "{\"a\": \"1,2,3,4\"}", "{\"a\": \"[{}]\"}", "{\"a b\": \"1,2\"}"}) {
        Json text = Json::parse(document->text());
        text["lines"] = Json::parse(wrong);
        EXPECT_THROW(parse_document(text.dump(), {}), Error) << wrong;
    }
}

TEST_F(LinesInDocuments, GoWithALayerThatIsPlaced) {
    std::vector<LayerOperation> operations = operations_of("noise", {{"feature", "60"}});
    operations.emplace_back(made_operation("contours", {{"interval", "40"}}));
    const int layer = add_operations(*document, std::move(operations), layer_with("Hills"));
    const LineSet before = made("contours");
    ASSERT_FALSE(before.empty());
    set_layer(*document, layer, {{"move", "40,-20"}, {"rotate", "90"}, {"scale", "0.5"}});
    const Placement& placement = layer_of(document->state(), layer).placement;
    const LineSet after = made("contours");
    ASSERT_EQ(after.size(), before.size());
    for (size_t i = 0; i < before.size(); i++)
        for (size_t k = 0; k < before.lines()[i].points.size(); k++) {
            // A quarter turn clockwise takes the east to the south.
            const LinePoint& from = before.lines()[i].points[k];
            const LinePoint& to = after.lines()[i].points[k];
            EXPECT_NEAR(to.x, placement.pivot_x + 40 - (from.y - placement.pivot_y) / 2, 1e-9);
            EXPECT_NEAR(to.y, placement.pivot_y - 20 + (from.x - placement.pivot_x) / 2, 1e-9);
            EXPECT_EQ(to.z, from.z);
        }
    // They lie on the placed land at the height that they have: cubic interpolation is near what is straight between samples.
    Plan plan(document->snapshot());
    const Terrain land = Evaluator(context).evaluate(plan, plan.window());
    const Grid& grid = land.grid();
    double worst = 0;
    int looked = 0;
    for (const Line& line : after.lines())
        for (const LinePoint& point : line.points) {
            const int x = int(std::lround(grid.metres_to_cells(point.x)));
            const int y = int(std::lround(grid.metres_to_cells(point.y)));
            if (!land.rect().contains(x, y) || is_missing(land.height().at(x, y))) continue;
            worst = std::max(worst, std::abs(double(land.height().at(x, y)) - point.z));
            looked++;
        }
    EXPECT_GT(looked, 50);
    EXPECT_LT(worst, 40) << "within half a cell of slopes of some 200 m in 60";
}

}  // namespace
}  // namespace caprock::test

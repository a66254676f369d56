// Points and lines as parameters: typed, from files, and those of the terrain.
#include "operation/lines_value.h"

#include "base/error.h"
#include "operation/declaration.h"
#include "operation/recipe.h"
#include "operation/work_terrain.h"
#include "support/refusals.h"
#include "terrain/line_text.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

// Stands for the room that reads files.
class OneFile : public LineFileAccess {
  public:
    int reads = 0;
    LineFile read(const std::string& path, const std::string& layer) override {
        reads++;
        if (path != "roads.gpkg") throw Error("cannot read '" + path + "': there is no such file");
        return {parse_lines(layer == "paths" ? "1,1 2,2" : "5,5 6,6"), "somewhere"};
    }
    LineSet transformed(const LineSet& lines, const std::string&, const std::string&) override {
        return moved_by(lines, 100, 0);
    }
};

OneFile& one_file() {
    static OneFile file;
    set_line_file_access(file);
    return file;
}

struct Settings {
    LinesValue path;
    LinesValue points;
    void describe(Declaration& d) const {
        d.lines("path", path).help("where it goes");
        d.points("points", points).help("what is known");
    }
};

TEST(LinesValue, TypedTextComesBack) {
    Settings settings;
    Declaration declaration;
    settings.describe(declaration);
    declaration.set_text("path", "0,2200  500,1950.125; 1,2 3,4 close");
    EXPECT_EQ(settings.path.lines(), parse_lines("0,2200 500,1950.125; 1,2 3,4 close"));
    EXPECT_EQ(declaration.value_text("path"), "0,2200 500,1950.125; 1,2 3,4 close");
    declaration.set_text("points", "1,2,3 4,5");
    EXPECT_EQ(settings.points.lines(), parse_points("1,2,3 4,5"));
    EXPECT_EQ(declaration.value_text("points"), "1,2,3 4,5");
    EXPECT_EQ(refusal([&] { declaration.set_text("path", "5,5 a,b"); }),
              "path: 'a,b' is not a place; write x,y in metres, or x,y,height");
    EXPECT_THROW(declaration.set_text("path", ""), Error);
    EXPECT_EQ(settings.path.lines().size(), 2u) << "what is refused changes nothing";
    // As a program gives it, none at all is none.
    declaration.set("path", std::string());
    EXPECT_FALSE(settings.path.given());
    EXPECT_THROW(declaration.set("path", 3.0), std::logic_error);
}

TEST(LinesValue, NamesAndFilesAreToldApart) {
    one_file();
    EXPECT_EQ(LinesValue::parsed("@roads", false).name(), "roads");
    EXPECT_EQ(LinesValue::parsed("@roads.gpkg", false).path(), "roads.gpkg");
    EXPECT_EQ(LinesValue::parsed("@roads.gpkg:paths", false).path(), "roads.gpkg");
    EXPECT_EQ(LinesValue::parsed("@roads.gpkg:paths", false).text(false), "@roads.gpkg:paths");
    for (const char* wrong : {"@", "@a b", "@a:b"})
        EXPECT_THROW(LinesValue::parsed(wrong, false), Error) << wrong;
}

TEST(LinesValue, FilesAreReadWhenTypedAndPlacedOnATerrain) {
    OneFile& file = one_file();
    Settings settings;
    Declaration declaration;
    settings.describe(declaration);
    const int before = file.reads;
    declaration.set_text("path", "@roads.gpkg:paths");
    EXPECT_EQ(file.reads, before + 1);
    EXPECT_EQ(settings.path.lines(), parse_lines("1,1 2,2"));
    EXPECT_NE(refusal([&] { declaration.set_text("path", "@none.gpkg"); }).find("no such file"),
              std::string::npos);
    EXPECT_TRUE(declaration.has_lines_to_place());
    // On a terrain without a place, numbers are metres.
    Terrain terrain(Grid{Rect::of({8, 8}), 2, {0, 10}});
    EXPECT_EQ(settings.path.placed_on(terrain).lines(), parse_lines("1,1 2,2"));
    Georeference place;
    place.projection = "elsewhere";
    place.transform = {100, 2, 0, 0, 0, 2};
    terrain.set_georeference(place);
    declaration.place_lines(terrain);
    EXPECT_EQ(settings.path, LinesValue(parse_lines("0,0 1,1")));
    EXPECT_FALSE(declaration.has_lines_to_place());
    // A program's text is not looked up before somebody needs it.
    const int so_far = file.reads;
    declaration.set("path", std::string("@roads.gpkg"));
    EXPECT_EQ(file.reads, so_far);
    declaration.fetch_files();
    EXPECT_EQ(file.reads, so_far + 1);
}

TEST(LinesValue, RecipesKeepIt) {
    one_file();
    auto again = [](const LinesValue& value) {
        Settings one, other;
        one.path = value;
        Declaration from, to;
        one.describe(from);
        other.describe(to);
        set_parameters(to, parameters_text(from), {});
        return other.path;
    };
    const LinesValue typed(parse_lines("0,0.1 5,1e-7; 3,3,3 4,4,4 close"));
    const LinesValue named = LinesValue::named("roads");
    const LinesValue noted(LineSet({{{{0, 0}, {1, 1}}, false, {{"lanes", int64_t(2)}}}}));
    LinesValue of_file = LinesValue::of_file("roads.gpkg", "paths");
    const LinesValue unread = of_file;
    of_file.fetch();
    for (const LinesValue& value : {LinesValue(), typed, named, noted, of_file, unread})
        EXPECT_EQ(again(value), value);
    // Where a file came from has no part in what is made of it.
    EXPECT_NE(typed.meaning(), noted.meaning());
    EXPECT_EQ(LinesValue::of_file("a.gpkg", "", {typed.lines(), ""}).meaning(), typed.meaning());
    EXPECT_EQ(LinesValue().meaning(), "");
    Settings settings;
    Declaration declaration;
    settings.describe(declaration);
    for (const char* wrong : {"{\"path\": 3}", "{\"path\": {\"file\": \"a\"}}", "{\"path\": {\"lines\": 1}}",
                              "{\"path\": {\"lines\": [], \"file\": 1}}"})
        EXPECT_THROW(set_parameters(declaration, wrong, {}), Error) << wrong;
}

TEST(LinesValue, NamedLinesAreDeclaredAsRead) {
    Settings settings;
    settings.path = LinesValue::named("roads");
    EXPECT_EQ(field_use(settings).line_inputs, std::vector<std::string>{"roads"});
    settings.path = {};
    EXPECT_TRUE(field_use(settings).line_inputs.empty());
}

}  // namespace
}  // namespace caprock::test

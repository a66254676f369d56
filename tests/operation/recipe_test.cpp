// Operations and recipes as JSON: what is written is read back, and what is not right is said in one line.
#include "operation/recipe.h"

#include "operation/sample_operations.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

using Messages = std::vector<std::string>;

// Reads one operation and what was said about it.
struct Read {
    std::unique_ptr<Operation> operation;
    Messages told;

    explicit Read(const std::string& text) {
        operation = parse_operation(text, [&](const std::string& message) { told.push_back(message); });
    }
    std::string value(const std::string& parameter) const { return operation->value_text(parameter); }
};

// test-all-kinds with one parameter given as JSON.
std::string with(const std::string& parameter, const std::string& json) {
    return R"({"operation": "test-all-kinds", "version": 3, "parameters": {")" + parameter + "\": " + json +
           "}}";
}
std::string read_value(const std::string& parameter, const std::string& json) {
    return Read(with(parameter, json)).value(parameter);
}
std::string refusal(const std::string& parameter, const std::string& json) {
    std::string message = message_of([&] { Read read(with(parameter, json)); });
    EXPECT_FALSE(has(message, "\n")) << message;
    EXPECT_LT(message.size(), 250u) << message;
    return message;
}
std::string recipe_refusal(const std::string& text) {
    std::string message = message_of([&] { parse_recipe(text, {}); });
    EXPECT_FALSE(has(message, "\n")) << message;
    EXPECT_LT(message.size(), 250u) << message;
    return message;
}

TEST(OperationJson, IsReadable) {
    EXPECT_EQ(
        operation_text(*make_operation("test-all-kinds")),
        R"({"operation":"test-all-kinds","version":3,"parameters":{"number":2.5,"integer":3,"flag":true,)"
        R"("shape":"square","seed":7,"interval":[1.0,350.0],"table":[0.25,0.5],"words":["talc","gypsum"],)"
        R"("text":"some text","file":"","field":"height"}})");
}

TEST(OperationJson, EveryKindOfParameterComesBack) {
    std::unique_ptr<Operation> original =
        made_operation("test-all-kinds", {{"number", "0.1"},
                                          {"integer", "32"},
                                          {"flag", "false"},
                                          {"shape", "star"},
                                          {"seed", "4294967295"},
                                          {"interval", "0.3:499.99"},
                                          {"table", "-1,0.1,1e-300"},
                                          {"words", "a,b c,\xc3\xa4"},
                                          {"text", "\"quoted\", back\\slashed\nand on the next line"},
                                          {"file", "/some where/a.tif"},
                                          {"field", "my mask"}});
    Read back(operation_text(*original));
    EXPECT_EQ(back.told, Messages{});
    EXPECT_EQ(operation_text(*back.operation), operation_text(*original));
    for (const Parameter& parameter : original->schema().parameters())
        EXPECT_EQ(back.value(parameter.name()), original->value_text(parameter)) << parameter.name();
    EXPECT_EQ(back.operation->values(), original->values());
}

TEST(OperationJson, DefaultsAndEmptyListsComeBack) {
    // The optional file, not given, is "" in JSON although nobody could type that.
    std::unique_ptr<Operation> original = made_operation("test-all-kinds", {{"table", ""}, {"words", ""}});
    Read back(operation_text(*original));
    EXPECT_EQ(back.told, Messages{});
    EXPECT_EQ(operation_text(*back.operation), operation_text(*original));
    EXPECT_TRUE(has(operation_text(*back.operation), R"("table":[],"words":[])"));
}

TEST(OperationJson, UnknownAndMissingParametersAreNamed) {
    Read read(R"({"operation": "test-average", "version": 1,
                  "parameters": {"radius": 3, "sigma": 1, "edge\nrule": 2}})");
    EXPECT_EQ(read.value("radius"), "3");
    EXPECT_EQ(read.told, (Messages{"test-average: left out unknown parameters: sigma and edge rule",
                                   "test-average: not given, so at their defaults: claimed"}));
    Read none(R"({"operation": "test-average"})");
    EXPECT_EQ(none.told, Messages{"test-average: not given, so at their defaults: radius and claimed"});
    EXPECT_EQ(none.value("radius"), "2");
    // Nobody has to listen.
    EXPECT_NO_THROW(parse_operation(R"({"operation": "test-average", "parameters": {"x": 1}})", {}));
}

TEST(OperationJson, NewerVersionsAreReadWithAWarning) {
    Read newer(R"({"operation": "test-tilt", "version": 7, "parameters": {}})");
    EXPECT_EQ(newer.told, Messages{"test-tilt: written by a newer version (7; this one knows 1)"});
    EXPECT_EQ(Read(R"({"operation": "test-tilt", "version": 1.0})").told, Messages{});
    for (const char* version : {"\"1\"", "null", "1.5", "1e300", "99999999999", "[1]", "true"})
        EXPECT_EQ(message_of([&] {
                      Read(std::string(R"({"operation": "test-tilt", "version": )") + version + "}");
                  }),
                  "test-tilt: \"version\" must be a whole number")
            << version;
}

TEST(OperationJson, NumbersAreTakenAsProgramsWriteThem) {
    EXPECT_EQ(read_value("number", "4"), "4");
    EXPECT_EQ(read_value("number", "4e-1"), "0.4");
    EXPECT_EQ(read_value("number", "\"4.5\""), "4.5");
    // A whole number with a point behind it is still one.
    EXPECT_EQ(read_value("integer", "8.0"), "8");
    EXPECT_EQ(read_value("integer", "1e1"), "10");
    EXPECT_EQ(read_value("seed", "4294967295.0"), "4294967295");
    EXPECT_EQ(read_value("interval", "[2, 3.5]"), "2:3.5");
}

TEST(OperationJson, WhatAUserCouldTypeIsTaken) {
    EXPECT_EQ(read_value("flag", "\"yes\""), "true");
    EXPECT_EQ(read_value("flag", "\"off\""), "false");
    EXPECT_EQ(read_value("flag", "0"), "false");
    EXPECT_EQ(read_value("interval", "\"2:3\""), "2:3");
    // One number stands for both ends.
    EXPECT_EQ(read_value("interval", "20"), "20:20");
    EXPECT_EQ(read_value("table", "\"0.5,1\""), "0.5,1");
    EXPECT_EQ(read_value("table", "0.5"), "0.5");
    EXPECT_EQ(read_value("words", "\"a,b\""), "a,b");
}

TEST(OperationJson, ValuesOutOfRangeAreRefused) {
    EXPECT_EQ(refusal("number", "11"), "test-all-kinds: number 11: must be 0 to 10 m");
    EXPECT_EQ(refusal("integer", "33"), "test-all-kinds: integer 33: must be 1 to 32");
    EXPECT_EQ(refusal("integer", "3.5"), "test-all-kinds: integer 3.5: must be a whole number, 1 to 32");
    EXPECT_EQ(refusal("integer", "4294967299"), "test-all-kinds: integer 4294967299: must be 1 to 32");
    EXPECT_TRUE(has(refusal("integer", "1e300"), "integer 1e+300: must be"));
    EXPECT_EQ(refusal("seed", "-1"), "test-all-kinds: seed -1: must be a whole number, 0 to 4294967295");
    EXPECT_EQ(refusal("seed", "4294967296"),
              "test-all-kinds: seed 4294967296: must be a whole number, 0 to 4294967295");
    EXPECT_EQ(refusal("shape", "\"sqare\""),
              "test-all-kinds: shape sqare: must be round, square or star; did you mean 'square'?");
    EXPECT_EQ(refusal("interval", "[400, 600]"),
              "test-all-kinds: interval 400:600: must be low:high within 0 to 500 m");
    EXPECT_EQ(refusal("interval", "[5, 4]"),
              "test-all-kinds: interval 5:4: must be low:high within 0 to 500 m");
    EXPECT_TRUE(
        has(refusal("table", "[0, 1.5]"), "table 0,1.5: must be numbers separated by commas, each -1 to 1"));
}

TEST(OperationJson, ValuesOfTheWrongKindAreRefused) {
    const std::pair<const char*, std::vector<const char*>> wrong[] = {
        {"number", {"true", "null", "[]", "[5]", "{}", "\"\"", "\"nan\"", "\"5 m\""}},
        {"integer", {"true", "null", "[5]", "{\"a\": 5}", "\"five\""}},
        {"flag", {"2", "null", "[true]", "\"maybe\"", "0.5", "{}"}},
        {"shape", {"1", "null", "[\"star\"]", "true"}},
        {"seed", {"true", "null", "[1]", "0.5"}},
        {"interval",
         {"[1]", "[1, 2, 3]", "[]", "null", "[\"1\", \"2\"]", "[\"1:2\"]", "[null, 2]", "[[1], 2]", "{}"}},
        {"table", {"null", "true", "[null]", "[[0], 1]", "[\"0,1\"]", "[true]", "{}"}},
        {"words", {"null", "5", "true", "[5]", "[[\"a\"]]", "[\"a,b\"]", "[\"\"]", "{}"}},
        {"text", {"null", "5", "true", "[\"a\"]", "{}", "\"\""}},
        {"file", {"null", "5", "[\"a\"]"}},
        {"field", {"null", "5", "{}", "\"\""}},
    };
    for (const auto& [parameter, values] : wrong)
        for (const char* value : values)
            EXPECT_TRUE(has(refusal(parameter, value), std::string("test-all-kinds: ") + parameter))
                << parameter << value;
}

TEST(OperationJson, NumbersThatAreNone) {
    EXPECT_EQ(refusal("number", "1e400"), "a number in it is too large to be read");
    EXPECT_EQ(refusal("number", "-1e400"), "a number in it is too large to be read");
    for (const char* text : {"NaN", "nan", "Infinity", "-Infinity", "1.", ".5", "0x10", "+1"})
        EXPECT_TRUE(has(refusal("number", text), "not JSON: error in line 1")) << text;
}

TEST(OperationJson, LongAndManyLinedValuesAreCutInMessages) {
    EXPECT_TRUE(has(refusal("number", "\"" + std::string(100000, 'x') + "\""), "xxx...: must be 0 to 10 m"));
    EXPECT_TRUE(has(refusal("number", R"("a\nb")"), "number a b: must be"));
    std::string list = "[0";
    for (int i = 0; i < 10000; i++) list += ", 0";
    EXPECT_TRUE(has(refusal("number", list + "]"), "...: must be 0 to 10 m"));
}

TEST(OperationJson, WhatIsNoOperation) {
    for (const char* text :
         {"null", "5", "[]", "{}", R"({"operation": 5})", R"({"operations": "test-tilt"})"})
        EXPECT_EQ(message_of([&] { Read read(text); }),
                  "an operation of the recipe has no \"operation\" with its name");
    EXPECT_EQ(message_of([] { Read(R"({"operation": "test-titl"})"); }),
              "no operation 'test-titl'; did you mean 'test-tilt'?");
    EXPECT_EQ(message_of([] { Read(R"({"operation": "test-tilt", "parameters": [1]})"); }),
              "test-tilt: \"parameters\" must be an object");
}

TEST(OperationJson, TextThatIsNotUtf8CannotBeKept) {
    std::unique_ptr<Operation> operation = made_operation("test-all-kinds", {{"file", "caf\xe9.tif"}});
    EXPECT_TRUE(has(message_of([&] { operation_text(*operation); }), "not UTF-8"));
}

// ---- recipes ---------------------------------------------------------------------------------------------

TEST(RecipeJson, ComesBack) {
    Recipe recipe;
    recipe.grid = Grid{{0, 0, 65536, 3}, 0.1, {-12.5, 8848}};
    recipe.operations.push_back(make_operation("test-tilt"));
    recipe.operations.push_back(made_operation("test-average", {{"radius", "9"}}));
    Messages told;
    Recipe back =
        parse_recipe(recipe_text(recipe), [&](const std::string& message) { told.push_back(message); });
    EXPECT_EQ(told, Messages{});
    EXPECT_EQ(back.grid, recipe.grid);
    EXPECT_EQ(back.file, "");
    ASSERT_EQ(back.operations.size(), 2u);
    EXPECT_EQ(back.operations[1]->value_text("radius"), "9");
    EXPECT_EQ(recipe_text(back), recipe_text(recipe));
}

TEST(RecipeJson, StartsFromAFile) {
    Recipe recipe;
    recipe.file = "some where/d\xc3\xa4m.tif";
    Recipe back = parse_recipe(recipe_text(recipe), {});
    EXPECT_FALSE(back.grid);
    EXPECT_EQ(back.file, recipe.file);
    EXPECT_TRUE(back.operations.empty());
    EXPECT_FALSE(back.cell);
    EXPECT_FALSE(back.range);
    // With the cell size and range it was read with.
    recipe.cell = 30;
    recipe.range = Interval{-5, 900.5};
    back = parse_recipe(recipe_text(recipe), {});
    EXPECT_EQ(back.cell, 30);
    EXPECT_EQ(back.range, (Interval{-5, 900.5}));
}

TEST(RecipeJson, TitleAndAboutAreKept) {
    Recipe recipe;
    recipe.file = "a.tif";
    EXPECT_FALSE(has(recipe_text(recipe), "title"));
    EXPECT_FALSE(has(recipe_text(recipe), "about"));
    recipe.title = "Table mountains";
    recipe.about = "From \"nowhere\".\nAnd d\xc3\xa4mmernd.";
    Messages told;
    Recipe back =
        parse_recipe(recipe_text(recipe), [&](const std::string& message) { told.push_back(message); });
    EXPECT_EQ(told, Messages{});
    EXPECT_EQ(back.title, recipe.title);
    EXPECT_EQ(back.about, recipe.about);
    for (const char* name : {"title", "about"})
        for (const char* value : {"5", "null", "[\"a\"]", "{}", "true"})
            EXPECT_EQ(recipe_refusal(std::string(R"({"caprock": 1, "file": "a", "operations": [], ")") +
                                     name + "\": " + value + "}"),
                      std::string("the recipe's \"") + name + "\" must be a text");
}

TEST(RecipeJson, NewerVersionsWarn) {
    Messages told;
    parse_recipe(R"({"caprock": 3, "file": "a.tif", "operations": []})",
                 [&](const std::string& message) { told.push_back(message); });
    EXPECT_EQ(told, Messages{"the recipe is of a newer version (3; this one knows 2)"});
}

// ---- steps that take from one another --------------------------------------------------------------------

// A recipe with these entries, and inputs.
std::string linked_recipe(const std::string& entries, const std::string& inputs = "{}") {
    return R"({"caprock": 2, "file": "a.tif", "inputs": )" + inputs + R"(, "operations": [)" + entries + "]}";
}

TEST(RecipeLinks, ComeBack) {
    Recipe recipe;
    recipe.file = "dem.tif";
    recipe.inputs["rock"] = {"rock.r16", 12.5, {{"size", "30x20"}}};
    recipe.operations.push_back(make_operation("test-tilt"));
    recipe.operations.push_back(make_operation("test-average"));
    recipe.steps = {
        {.name = "raw"},
        {.operation = 0, .name = "soft"},
        {.from = "raw", .takes = {{"source", "soft", "height"}, {"hardness", "rock"}}, .operation = 1},
        {.takes = {{"before", "raw", "height"}}}};
    Messages told;
    const std::string text = recipe_text(recipe);
    const Recipe back = parse_recipe(text, [&](const std::string& message) { told.push_back(message); });
    EXPECT_EQ(told, Messages{});
    EXPECT_EQ(recipe_text(back), text);
    ASSERT_EQ(back.steps.size(), 4u);
    EXPECT_EQ(back.steps[2].from, "raw");
    ASSERT_EQ(back.steps[2].takes.size(), 2u);
    EXPECT_EQ(back.steps[2].takes[0].of, "height");
    EXPECT_EQ(back.steps[2].takes[1].of, "");
    EXPECT_EQ(back.steps[2].operation, 1u);
    EXPECT_FALSE(back.steps[3].operation);
    EXPECT_EQ(back.inputs.at("rock").cell, 12.5);
    EXPECT_EQ(back.inputs.at("rock").reading.at("size"), "30x20");
}

TEST(RecipeLinks, AListOfOperationsHasNone) {
    Recipe recipe;
    recipe.file = "a.tif";
    recipe.operations.push_back(make_operation("test-tilt"));
    EXPECT_TRUE(has(recipe_text(recipe), "\"caprock\": 1"));
    EXPECT_TRUE(parse_recipe(recipe_text(recipe), {}).steps.empty());
}

TEST(RecipeLinks, SayWhatIsWrong) {
    const std::string tilt = R"("operation": "test-tilt")";
    const std::string base = R"({"name": "base", )" + tilt + "}";
    auto refusal = [&](const std::string& entry, const std::string& inputs = "{}") {
        return recipe_refusal(linked_recipe(base + ", " + entry, inputs));
    };
    EXPECT_EQ(refusal(R"({"from": "bsae"})"),
              "from bsae: no earlier step or input is called so; did you mean 'base'?");
    EXPECT_EQ(refusal(R"({"take": {"source": "elsewhere.height"}})"),
              "take elsewhere: no earlier step or input is called so; there is base");
    EXPECT_EQ(recipe_refusal(linked_recipe(R"({"from": "x"})")),
              "from x: no earlier step or input is called so; none has a name yet");
    // In a circle, or before there is anything to take.
    EXPECT_TRUE(has(refusal(R"({"from": "last"}, {"name": "last"})"), "from last: that step comes later"));
    EXPECT_TRUE(has(refusal(R"({"take": {"a": "self.height"}, "name": "self"})"), "or is this one"));
    EXPECT_EQ(refusal(base), "two steps or inputs are called 'base'; give each its own name");
    EXPECT_EQ(refusal("{}", "{}"), "an operation of the recipe has no \"operation\" with its name");
    EXPECT_EQ(refusal(base, R"({"base": {"file": "b.tif"}})"),
              "two steps or inputs are called 'base'; give each its own name");
    for (const char* value : {"5", "[]", "{}", "\"base\""})
        EXPECT_TRUE(has(refusal(std::string(R"({"take": )") + value + "}"), "\"take\" must be an object"))
            << value;
    EXPECT_TRUE(has(refusal(R"({"take": {"source": 5}})"), "'source' must be a text"));
    EXPECT_TRUE(has(refusal(R"({"take": {"source": ".height"}})"), "must be NAME or NAME.FIELD"));
    EXPECT_TRUE(has(refusal(R"({"take": {"a field": "base"}})"), "is no name of a field"));
    for (const char* name : {"", "a b", "a.b", "-a", "a/b"})
        EXPECT_TRUE(has(refusal(std::string(R"({"name": ")") + name + "\"}"), "a name is letters, digits"))
            << name;
    EXPECT_TRUE(has(refusal(R"({"name": 5})"), "\"name\" must be a text"));
    EXPECT_TRUE(has(refusal(R"({"from": true})"), "\"from\" must be a text"));
    EXPECT_TRUE(has(refusal("{\"name\": \"x\"}", "[]"), "\"inputs\""));
    EXPECT_TRUE(
        has(refusal("{\"name\": \"x\"}", R"({"rock": "rock.tif"})"), "must be an object with its \"file\""));
    EXPECT_TRUE(has(refusal("{\"name\": \"x\"}", R"({"rock": {"file": "r.tif", "band": 2}})"),
                    "has \"band\"; it may have file, cell and reading"));
}

std::string grid_recipe(const std::string& grid) {
    return R"({"caprock": 1, "grid": )" + grid + R"(, "operations": []})";
}

TEST(RecipeJson, GridsAreChecked) {
    EXPECT_NO_THROW(parse_recipe(grid_recipe(R"({"size": [4.0, 5], "cell": 1, "range": [0, 1]})"), {}));
    EXPECT_EQ(recipe_refusal(grid_recipe(R"({"size": [0, 5], "cell": 1, "range": [0, 1]})")),
              "size 0x5: each side must be 1 to 65536 cells");
    // Cut to 32 bits these would be 1 x 1 and 3 x 3.
    EXPECT_TRUE(has(recipe_refusal(grid_recipe(R"({"size": [4294967297, 1], "cell": 1, "range": [0, 1]})")),
                    "\"size\""));
    EXPECT_TRUE(
        has(recipe_refusal(grid_recipe(R"({"size": [3.5, 3], "cell": 1, "range": [0, 1]})")), "\"size\""));
    for (const char* size :
         {"5", "[5]", "[5, 5, 5]", "[\"5\", 5]", "null", "[true, true]", "\"5x5\"", "[1e300, 5]"})
        EXPECT_TRUE(has(
            recipe_refusal(grid_recipe(std::string(R"({"cell": 1, "range": [0, 1], "size": )") + size + "}")),
            "the recipe's \"size\""))
            << size;
    for (const char* cell : {"\"1\"", "null", "true", "[1]"})
        EXPECT_EQ(recipe_refusal(
                      grid_recipe(std::string(R"({"size": [4, 4], "range": [0, 1], "cell": )") + cell + "}")),
                  "the recipe's \"cell\" is missing or of the wrong kind");
    EXPECT_EQ(recipe_refusal(grid_recipe(R"({"size": [4, 4], "cell": 0, "range": [0, 1]})")),
              "cell size 0: must be more than 0 metres");
    EXPECT_EQ(recipe_refusal(grid_recipe(R"({"size": [4, 4], "cell": 1, "range": [5, 1]})")),
              "height range 5:1: the low end must be below the high end");
    EXPECT_TRUE(has(recipe_refusal(grid_recipe(R"({"size": [4, 4], "cell": 1})")), "\"range\""));
    for (const char* grid : {"5", "null", "[]", "\"\"", "{}"})
        EXPECT_TRUE(has(recipe_refusal(grid_recipe(grid)), "\"size\"")) << grid;
}

TEST(RecipeJson, WhatIsNoRecipe) {
    EXPECT_EQ(recipe_refusal(""), "not JSON: error in line 1, at byte 1");
    EXPECT_TRUE(has(recipe_refusal("caprock noise\n"), "not JSON: error in line 1"));
    EXPECT_TRUE(has(recipe_refusal("{\n\"caprock\": 1,\n\"grid\"\n}"), "not JSON: error in line 4"));
    EXPECT_TRUE(has(recipe_refusal("\xff\xfe{\"caprock\": 1}"), "not JSON"));
    EXPECT_TRUE(has(recipe_refusal(std::string("{\"caprock\0\": 1}", 15)), "not JSON"));
    EXPECT_TRUE(has(recipe_refusal(R"({"caprock": 1, "file": "a", "operations": []} and more)"), "not JSON"));
    for (const char* text : {"null", "[]", "5", "\"caprock\"", "{}", R"({"operations": []})"})
        EXPECT_EQ(recipe_refusal(text), "not a recipe: it has no \"caprock\"");
    for (const char* version : {"\"1\"", "null", "1.5", "99999999999", "{}"})
        EXPECT_EQ(
            recipe_refusal(std::string(R"({"file": "a", "operations": [], "caprock": )") + version + "}"),
            "the recipe's \"caprock\" is missing or of the wrong kind");
    EXPECT_TRUE(has(recipe_refusal(R"({"caprock": 1, "operations": []})"), "\"file\""));
    EXPECT_TRUE(has(recipe_refusal(R"({"caprock": 1, "file": 5, "operations": []})"), "\"file\""));
    EXPECT_TRUE(has(recipe_refusal(R"({"caprock": 1, "file": "a"})"), "\"operations\""));
    EXPECT_EQ(recipe_refusal(R"({"caprock": 1, "file": "a", "operations": {}})"),
              "the recipe's \"operations\" must be a list");
    EXPECT_TRUE(has(recipe_refusal(R"({"caprock": 1, "file": "a", "operations": [5]})"), "\"operation\""));
    EXPECT_TRUE(
        has(recipe_refusal(R"({"caprock": 1, "file": "a", "operations": [{"operation": "x"}]})"), "'x'"));
    EXPECT_TRUE(
        has(recipe_refusal(R"({"caprock": 1, "file": "a", "grid": {}, "operations": []})"), "only one"));
}

TEST(RecipeJson, DepthIsNotAWayToTheEndOfTheStack) {
    for (const char* open : {"[", "{\"a\":"}) {
        std::string deep;
        for (int i = 0; i < 1000000; i++) deep += open;
        EXPECT_EQ(recipe_refusal(deep), "not a recipe: lists within lists, far too deep");
        EXPECT_EQ(recipe_refusal(R"({"caprock": 1, "file": "a", "operations": )" + deep),
                  "not a recipe: lists within lists, far too deep");
        EXPECT_EQ(refusal("table", deep), "not a recipe: lists within lists, far too deep");
    }
}

}  // namespace
}  // namespace caprock::test

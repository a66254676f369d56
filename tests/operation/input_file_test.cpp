// Files that parameters name: their contents go with the operation, into texts and back, to the last byte.
#include "operation/recipe.h"
#include "operation/sample_operations.h"
#include "support/folder.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

InputFile file_of(const Operation& operation) { return operation.get<InputFile>("file"); }

std::unique_ptr<Operation> naming(const std::string& path) {
    return made_operation("test-count", {{"file", path}});
}

float added_by(const Operation& operation) {
    Context context;
    Terrain terrain(Grid{odd_extent, 1, {0, 1}});
    terrain.set("height", Field(odd_extent, 0.0f));
    return run(operation, terrain, context).height().at(0, 0) - 1;
}

TEST(InputFiles, AreReadWhenTheyAreTyped) {
    Folder folder;
    std::string path = folder / "a.txt";
    write_text(path, "A");
    std::unique_ptr<Operation> operation = naming(path);
    EXPECT_EQ(operation->value_text("file"), path);
    write_text(path, "B");
    EXPECT_EQ(added_by(*operation), 'A');
    std::filesystem::remove(path);
    EXPECT_EQ(added_by(*operation), 'A');
    EXPECT_EQ(added_by(*operation->clone()), 'A');
    EXPECT_EQ(message_of([&] { naming(path); }), "file '" + path + "': there is no such file");
    EXPECT_EQ(message_of([&] { naming(folder.path()); }), "file '" + folder.path() + "': it is a folder");
    write_text(path, std::string(1001, 'x'));
    EXPECT_EQ(message_of([&] { naming(path); }), "file '" + path + "': larger than 1000 B: that is too long");
}

TEST(InputFiles, ARefusedOneLeavesTheOneBefore) {
    Folder folder;
    write_text(folder / "a.txt", "A");
    std::unique_ptr<Operation> operation = naming(folder / "a.txt");
    EXPECT_THROW(operation->set_text("file", folder / "b.txt"), Error);
    EXPECT_THROW(operation->set_text("file", ""), Error);
    EXPECT_EQ(added_by(*operation), 'A');
    // A program has a word for none.
    operation->set("file", std::string());
    EXPECT_EQ(added_by(*operation), 0);
}

TEST(InputFiles, OnesThatAProgramNamesAreReadWhenTheyAreNeeded) {
    Folder folder;
    std::string path = folder / "a.txt";
    std::unique_ptr<Operation> operation = operation_with("test-count", {{"file", path}});
    write_text(path, "A");
    EXPECT_EQ(added_by(*operation), 'A');
    std::unique_ptr<Operation> kept = with_files(*operation);
    write_text(path, "B");
    EXPECT_EQ(added_by(*operation), 'B');
    EXPECT_EQ(added_by(*kept), 'A');
    std::filesystem::remove(path);
    EXPECT_THROW(with_files(*operation), Error);
    EXPECT_EQ(added_by(*kept), 'A');
}

// The value of a parameter, as one operation hands it to a part.
TEST(InputFiles, AreHandedOnWithTheirContent) {
    Folder folder;
    write_text(folder / "a.txt", "A");
    std::unique_ptr<Operation> operation = naming(folder / "a.txt");
    std::unique_ptr<Operation> other = operation_with("test-count", {{"file", file_of(*operation)}});
    std::filesystem::remove(folder / "a.txt");
    EXPECT_EQ(added_by(*other), 'A');
}

TEST(InputFiles, KnowWhetherTheDiskHasAnotherContent) {
    Folder folder;
    std::string path = folder / "a.txt";
    write_text(path, "A");
    std::unique_ptr<Operation> operation = naming(path);
    EXPECT_FALSE(file_of(*operation).differs_on_disk());
    write_text(path, "B");
    EXPECT_TRUE(file_of(*operation).differs_on_disk());
    std::filesystem::remove(path);
    EXPECT_FALSE(file_of(*operation).differs_on_disk()) << "what is not there is no other content";
}

// ---- texts -----------------------------------------------------------------------------------------------

TEST(InputFiles, RecipesHoldTheirContentsToTheLastByte) {
    std::string every_byte;
    for (int byte = 255; byte >= 0; byte--) every_byte += char(byte);
    for (const std::string& content :
         {std::string("A\nplain \"text\"\\ \x01"), std::string(""), std::string("\xc3\xa4 and \xe2\x82\xac"),
          std::string("\xe4 alone"), every_byte, std::string("\xff\xfe\0\0x", 5)}) {
        Folder folder;
        std::string path = folder / "a.txt";
        write_text(path, content);
        Recipe recipe;
        recipe.grid = Grid();
        recipe.operations.push_back(naming(path));
        std::string text = recipe_text(recipe);
        std::filesystem::remove(path);
        Recipe again = parse_recipe(text, {});
        EXPECT_EQ(file_of(*again.operations[0]).text(), content);
        EXPECT_EQ(file_of(*again.operations[0]).path(), path);
        EXPECT_EQ(recipe_text(again), text);
        // And one operation alone, as documents and brushes have it.
        std::string single = operation_text(*again.operations[0]);
        EXPECT_EQ(operation_text(*parse_operation(single, {})), single);
    }
}

TEST(InputFiles, RecipesOfEarlierVersionsNameThem) {
    Folder folder;
    std::string path = folder / "a.txt";
    std::string text =
        R"({"operation": "test-count", "version": 1, "parameters": {"label": "a", "amount": 1, "file": ")" +
        path + "\"}}";
    std::unique_ptr<Operation> operation = parse_operation(text, {});
    EXPECT_THROW(added_by(*operation), Error) << "it is missed when it is needed";
    write_text(path, "A");
    EXPECT_EQ(added_by(*operation), 'A');
    EXPECT_TRUE(has(operation_text(*operation), "\"file\":\"" + path + "\"")) << operation_text(*operation);
    // None at all.
    text.replace(text.find(path), path.size(), "");
    EXPECT_EQ(added_by(*parse_operation(text, {})), 0);
}

TEST(InputFiles, WhatIsNoFileIsRefused) {
    for (const char* wrong :
         {"{}", R"({"file": "a"})", R"({"text": "a"})", R"({"file": 1, "text": "a"})",
          R"({"file": "a", "text": 1})", R"({"file": "a", "bytes": "\u20ac"})", "[]", "7"}) {
        std::string text =
            std::string(R"({"operation": "test-count", "parameters": {"file": )") + wrong + "}}";
        std::string message = message_of([&] { parse_operation(text, {}); });
        EXPECT_TRUE(has(message, "test-count: file")) << wrong << ": " << message;
    }
}

TEST(InputFiles, OnesTooLargeForARecipeAreNamed) {
    InputFile large(size_t(64) << 20, "");
    large.put("points.csv", std::string(3 << 20, '7'));
    Recipe recipe;
    recipe.grid = Grid();
    recipe.operations.push_back(operation_with("test-count", {{"file", large}}));
    EXPECT_LT(recipe_text(recipe).size(), 1000u);
    EXPECT_TRUE(has(recipe_text(recipe), "\"file\": \"points.csv\""));
    EXPECT_GT(operation_text(*recipe.operations[0]).size(), size_t(3 << 20))
        << "documents hold it all the same";
}

TEST(InputFiles, TheMeaningIsOfTheContentAlone) {
    Folder folder;
    auto meaning = [&](const std::string& name, const std::string& content) {
        write_text(folder / name, content);
        return operation_meaning(*naming(folder / name));
    };
    EXPECT_EQ(meaning("a.txt", "A"), meaning("b.txt", "A"));
    EXPECT_NE(meaning("a.txt", "A"), meaning("a.txt", "B"));
    EXPECT_NE(meaning("a.txt", ""), operation_meaning(*make_operation("test-count")))
        << "an empty file is one";
}

}  // namespace
}  // namespace caprock::test

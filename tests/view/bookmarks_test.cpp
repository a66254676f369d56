// Bookmarks: what is kept comes back to the bit, what is no bookmark is refused in one line.
#include "view/bookmarks.h"

#include "base/error.h"
#include "base/text.h"
#include "support/folder.h"
#include "support/refusals.h"

#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace caprock::test {
namespace {

Bookmarks some() {
    Bookmarks bookmarks;
    bookmarks.set("Summit", {{4100.125, -3980.1, 1250}, 30, -20, 45});
    bookmarks.set("Lac d'Été, \"north\"", {{0.1 + 0.2, 1e-300, -1e12}, 359.99999999999994, -90, 1.0 / 3});
    return bookmarks;
}

std::string refusal_in_a_line(const std::function<void()>& action) {
    std::string message = refusal(action);
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
}

TEST(Bookmarks, AreFoundByTheirNames) {
    Bookmarks bookmarks = some();
    ASSERT_TRUE(bookmarks.find("Summit"));
    EXPECT_EQ(bookmarks.find("Summit")->position.x, 4100.125);
    EXPECT_FALSE(bookmarks.find("summit"));
    Camera other{{1, 2, 3}, 4, 5, 6};
    bookmarks.set("Summit", other);
    EXPECT_EQ(*bookmarks.find("Summit"), other);
    EXPECT_EQ(bookmarks.all().size(), 2u);
    EXPECT_EQ(bookmarks.all()[0].name, "Summit");  // in its old place
    EXPECT_TRUE(bookmarks.remove("Summit"));
    EXPECT_FALSE(bookmarks.remove("Summit"));
    EXPECT_EQ(bookmarks.all().size(), 1u);
}

TEST(Bookmarks, ComeBackToTheBit) {
    EXPECT_EQ(parse_bookmarks(bookmarks_text(some())), some());
    EXPECT_EQ(parse_bookmarks(bookmarks_text({})), Bookmarks{});
}

TEST(Bookmarks, TheTextIsTheOneThatIsDocumented) {
    nlohmann::json json = nlohmann::json::parse(bookmarks_text(some()));
    EXPECT_EQ(json["caprock-bookmarks"], 1);
    ASSERT_EQ(json["bookmarks"].size(), 2u);
    EXPECT_EQ(json["bookmarks"][0],
              nlohmann::json::parse(R"({"name": "Summit", "position": [4100.125, -3980.1, 1250],
                                    "heading": 30, "pitch": -20, "field-of-view": 45})"));
    Bookmarks read = parse_bookmarks(
        R"({"bookmarks": [{"pitch": -20, "heading": 30, "position": [1, 2, 3], "name": "A", "colour": "red"}],
            "caprock-bookmarks": 1.0})");
    ASSERT_TRUE(read.find("A"));
    EXPECT_EQ(*read.find("A"), (Camera{{1, 2, 3}, 30, -20, 45}));
}

TEST(Bookmarks, WhatLooksNowhereIsRefused) {
    Bookmarks bookmarks = some();
    auto set = [&](std::string_view name, const Camera& camera) {
        return refusal_in_a_line([&] { bookmarks.set(name, camera); });
    };
    double none = std::nan("");
    EXPECT_EQ(set("", {}), "a bookmark must have a name");
    EXPECT_EQ(set("a\nb", {}), "'a b': the name of a bookmark is one line of text");
    EXPECT_EQ(set("A", {{0, none, 0}}), "bookmark 'A': the position must be three numbers");
    EXPECT_EQ(set("A", {{}, none}), "bookmark 'A': the heading must be a number");
    EXPECT_EQ(set("A", {{}, 0, -91}), "bookmark 'A': the pitch must be from -90 to 90 degrees");
    EXPECT_EQ(set("A", {{}, 0, none}), "bookmark 'A': the pitch must be from -90 to 90 degrees");
    for (double wrong : {0.0, 180.0, -5.0, none})
        EXPECT_EQ(set("A", {{}, 0, 0, wrong}),
                  "bookmark 'A': the field of view must be between 0 and 180 degrees");
    EXPECT_EQ(bookmarks, some());
    bookmarks.set("\xff\xfe", {});
    EXPECT_EQ(refusal_in_a_line([&] { bookmarks_text(bookmarks); }),
              "the name of a bookmark is not UTF-8 and cannot be kept in JSON");
}

TEST(Bookmarks, BadFilesAreRefusedWithTheReason) {
    auto with = [](const std::string& list) {
        return R"({"caprock-bookmarks": 1, "bookmarks": )" + list + "}";
    };
    const std::string good = R"("position": [1, 2, 3], "heading": 30, "pitch": -20)";
    struct {
        std::string text, reason;
    } cases[] = {
        {"", "not JSON: error in line 1, at byte 1"},
        {"{\n\n]", "not JSON: error in line 3, at byte 4"},
        {"[]", "no bookmarks: it has no \"caprock-bookmarks\""},
        {"7", "no bookmarks: it has no \"caprock-bookmarks\""},
        {R"({"caprock": 1, "operations": []})", "no bookmarks: it has no \"caprock-bookmarks\""},
        {R"({"caprock-bookmarks": 2})", "bookmarks of a newer version (2; this one knows 1)"},
        {R"({"caprock-bookmarks": "1"})", "\"caprock-bookmarks\" must be a number"},
        {R"({"caprock-bookmarks": 1})", "there is no \"bookmarks\""},
        {with("{}"), "\"bookmarks\" must be a list"},
        {with("[7]"), "bookmark 1 has no \"name\""},
        {with("[{" + good + "}]"), "bookmark 1 has no \"name\""},
        {with(R"([{"name": "", )" + good + "}]"), "a bookmark must have a name"},
        {with(R"([{"name": "A", )" + good + R"(}, {"name": "A", )" + good + "}]"),
         "two bookmarks are called 'A'"},
        {with(R"([{"name": "A"}])"), "bookmark 'A': there is no \"position\""},
        {with(R"([{"name": "A", "position": [1, 2]}])"), "bookmark 'A': \"position\" takes three numbers"},
        {with(R"([{"name": "A", "position": 7}])"), "bookmark 'A': \"position\" takes three numbers"},
        {with(R"([{"name": "A", "position": [1, 2, null]}])"), "bookmark 'A': \"position\" must be a number"},
        {with(R"([{"name": "A", "position": [1, 2, 3], "heading": true}])"),
         "bookmark 'A': \"heading\" must be a number"},
        {with(R"([{"name": "A", "position": [1, 2, 3], "heading": 3}])"),
         "bookmark 'A': there is no \"pitch\""},
        {with(R"([{"name": "A", "position": [1, 2, 3], "heading": 3, "pitch": 100}])"),
         "bookmark 'A': the pitch must be from -90 to 90 degrees"},
        {with(R"([{"name": "A", "field-of-view": "wide", )" + good + "}]"),
         "bookmark 'A': \"field-of-view\" must be a number"},
        {with(R"([{"name": "A", "position": [1, 2, 1e999]}])"), "a number in it is too large to be read"},
        {with(std::string(100000, '[')), "no bookmarks: lists within lists, far too deep"},
    };
    for (const auto& [text, reason] : cases)
        EXPECT_EQ(refusal_in_a_line([&] { parse_bookmarks(text); }), reason) << text.substr(0, 200);
}

TEST(Bookmarks, InFiles) {
    Folder folder;
    std::string path = folder / "places.json";
    save_bookmarks(some(), path);
    EXPECT_EQ(read_bookmarks(path), some());
    save_bookmarks({}, path);
    EXPECT_EQ(read_bookmarks(path), Bookmarks{});
    EXPECT_EQ(folder.names(), std::set<std::string>{"places.json"});
    // Through a link, which stays one.
    std::filesystem::create_symlink(path, folder / "link.json");
    save_bookmarks(some(), folder / "link.json");
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.json"));
    EXPECT_EQ(read_bookmarks(path), some());
}

TEST(Bookmarks, FilesThatCannotBe) {
    Folder folder;
    // Whole, however long the path of this clone is.
    auto quoted = [&](const std::string& name) { return "'" + (folder / name) + "'"; };
    EXPECT_EQ(refusal_in_a_line([&] { read_bookmarks(folder / "none.json"); }),
              "cannot read " + quoted("none.json") + ": there is no such file");
    EXPECT_EQ(refusal_in_a_line([&] { save_bookmarks(some(), folder / "none/places.json"); }),
              "cannot write " + quoted("none/places.json") + ": No such file or directory");
    std::filesystem::create_directory(folder / "folder");
    EXPECT_EQ(refusal_in_a_line([&] { save_bookmarks(some(), folder / "folder"); }),
              "cannot write " + quoted("folder") + ": it is a folder");
    // What cannot be written leaves the old file as it was.
    save_bookmarks(some(), folder / "places.json");
    Bookmarks wrong;
    wrong.set("\xff", {});
    EXPECT_THROW(save_bookmarks(wrong, folder / "places.json"), Error);
    EXPECT_EQ(read_bookmarks(folder / "places.json"), some());
    EXPECT_EQ(folder.names(), (std::set<std::string>{"folder", "places.json"}));
}

}  // namespace
}  // namespace caprock::test

// Tables of hardness from people and files: every form that is right, and one clear line for what is not.
#include "operations/materials/hardness_table.h"

#include "base/error.h"
#include "support/folder.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

std::vector<double> table_at(const std::string& path) {
    InputFile file = hardness_table_file();
    file.name(path);
    return hardness_table_in(file);
}

std::vector<double> table_of(const std::string& json) {
    Folder folder;
    write_text(folder / "rocks.json", json);
    return table_at(folder / "rocks.json");
}

// What is said of a file, less its name, which it must begin with.
std::string refusal_of(const std::string& path) {
    try {
        table_at(path);
    } catch (const Error& error) {
        std::string message = error.what();
        std::string place = "'" + path + "': ";
        EXPECT_TRUE(message.starts_with(place)) << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
        return message.substr(std::min(message.size(), place.size()));
    }
    return "";
}

std::string table_refusal(const std::string& json) {
    Folder folder;
    write_text(folder / "rocks.json", json);
    return refusal_of(folder / "rocks.json");
}

TEST(HardnessTable, MineralsAreThoseOfTheScale) {
    // Absolute hardness, and the normalised column as it is printed.
    struct Row {
        std::string name;
        double absolute, printed;
    };
    const std::vector<Row> rows = {
        {"none", 0, 0},          {"talc", 1, 0.001},       {"gypsum", 3, 0.002},      {"calcite", 9, 0.006},
        {"fluorite", 21, 0.014}, {"apatite", 48, 0.032},   {"orthoclase", 72, 0.048}, {"quartz", 100, 0.067},
        {"topaz", 200, 0.133},   {"corundum", 400, 0.267}, {"diamond", 1500, 1},
    };
    ASSERT_EQ(mineral_names().size(), rows.size());
    for (size_t i = 0; i < rows.size(); i++) {
        EXPECT_EQ(mineral_names()[i], rows[i].name);
        double hardness = hardness_of_minerals({rows[i].name})[0];
        EXPECT_DOUBLE_EQ(hardness, rows[i].absolute / 1500);
        EXPECT_NEAR(hardness, rows[i].printed, 0.0005);
    }
    EXPECT_EQ(hardness_of_minerals({"diamond", "none", "diamond"}), (std::vector<double>{1, 0, 1}));
}

TEST(HardnessTable, AMineralThatIsNoneIsNamedWithTheNearest) {
    auto said = [](const std::string& name) -> std::string {
        try {
            hardness_of_minerals({"talc", name});
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(said("quarz"), "no mineral 'quarz'; did you mean 'quartz'?");
    EXPECT_EQ(said("Diamond"), "no mineral 'Diamond'; did you mean 'diamond'?");
    EXPECT_EQ(
        said("granite rock"),
        "no mineral 'granite rock'; there are none, talc, gypsum, calcite, fluorite, apatite, orthoclase, "
        "quartz, topaz, corundum and diamond");
    EXPECT_LT(said(std::string(1 << 16, 'q')).size(), 250u);
}

TEST(HardnessTable, FilesInEveryForm) {
    const std::vector<double> mittens = {0.75, 0.95, 1};
    EXPECT_EQ(table_of("[0.75, 0.95, 1.0]"), mittens);
    EXPECT_EQ(table_of(R"({"materials": [0.75, 0.95, "diamond"]})"), mittens);
    EXPECT_EQ(table_of(R"([{"name": "sandstone", "hardness": 0.75},
                           {"hardness": 0.95},
                           {"name": "cap", "hardness": "diamond", "colour": [1, 2, 3]}])"),
              mittens);
    EXPECT_EQ(table_of(R"({"title": "Mittens", "materials": [0.75, {"hardness": 0.95}, 1]})"), mittens);
    EXPECT_EQ(table_of(R"(["none", "corundum"])"), (std::vector<double>{0, 400.0 / 1500}));
    EXPECT_EQ(table_of("[0]"), std::vector<double>{0});
    EXPECT_EQ(table_of("[1e-400, 1]"), (std::vector<double>{0, 1}));
}

TEST(HardnessTable, EntriesThatAreNoHardnessAreNamed) {
    const std::string kinds = "must be a number from 0 to 1, or the name of a mineral";
    EXPECT_EQ(table_refusal("[0, 1.5]"), "material 1: 1.5: " + kinds);
    EXPECT_EQ(table_refusal("[-0.1]"), "material 0: -0.1: " + kinds);
    EXPECT_EQ(table_refusal("[0, 0, 123456789012345678901234567890]"),
              "material 2: 1.2345678901234568e+29: " + kinds);
    EXPECT_EQ(table_refusal("[true]"), "material 0: true: " + kinds);
    EXPECT_EQ(table_refusal("[null]"), "material 0: null: " + kinds);
    EXPECT_EQ(table_refusal("[[0.5]]"), "material 0: [0.5]: " + kinds);
    EXPECT_EQ(table_refusal(R"([{"name": "marl", "hardness": 2}])"), "material 0: 2: " + kinds);
    EXPECT_EQ(table_refusal(R"([{"hardness": {"hardness": 0.5}}])"),
              "material 0: {\"hardness\":0.5}: " + kinds);
    EXPECT_EQ(table_refusal(R"([0, {"name": "marl"}])"),
              "material 1: {\"name\":\"marl\"} has no \"hardness\"");
    EXPECT_EQ(table_refusal(R"([0, "tlac"])"), "material 1: no mineral 'tlac'; did you mean 'talc'?");
    EXPECT_EQ(table_refusal(R"([{"hardness": "tlac"}])"),
              "material 0: no mineral 'tlac'; did you mean 'talc'?");
}

TEST(HardnessTable, FilesOfAnotherShape) {
    const std::string shape =
        "must be a list with the hardness of each material, or an object with such \"materials\"";
    for (const char* other : {"0.5", "\"quartz\"", "{}", "null", R"({"materials": 3})",
                              R"({"materials": {"materials": [1]}})", R"({"table": [1]})"})
        EXPECT_EQ(table_refusal(other), shape) << other;
    const std::string empty = "the list is empty; it must begin with the hardness of material 0";
    EXPECT_EQ(table_refusal("[]"), empty);
    EXPECT_EQ(table_refusal(R"({"materials": []})"), empty);
}

TEST(HardnessTable, FilesThatAreNotJson) {
    EXPECT_EQ(table_refusal(""), "not JSON: error in line 1, at byte 1");
    EXPECT_EQ(table_refusal("[0,\n1"), "not JSON: error in line 2, at byte 6");
    for (const char* broken : {"[NaN]", "[nan]", "[Infinity]", "[0.5,]", "[.5]", "0.75,0.95", "[0] [1]",
                               "[\"\xff\"]", "[\"quartz]", "{\"materials\": [1]"})
        EXPECT_TRUE(table_refusal(broken).starts_with("not JSON: error in line 1, at byte "))
            << table_refusal(broken);
    EXPECT_TRUE(table_refusal(std::string("\0\x01\xfe\x7f", 4)).starts_with("not JSON"));
    EXPECT_EQ(table_refusal("[1e999]"), "a number in it is too large to be read");
}

TEST(HardnessTable, FilesThatAreMeantToHurt) {
    const std::string deep = "lists within lists, far too deep";
    EXPECT_EQ(table_refusal(std::string(1 << 20, '[')), deep);
    EXPECT_EQ(table_refusal(std::string(100, '[') + std::string(100, ']')), deep);
    std::string objects;
    for (int i = 0; i < 10000; i++) objects += "{\"materials\":";
    EXPECT_EQ(table_refusal(objects), deep);
    // A name as long as a book stays one line of a message.
    EXPECT_LT(table_refusal("[\"" + std::string(1 << 20, 'q') + "\"]").size(), 250u);
    EXPECT_LT(table_refusal("[{\"" + std::string(1 << 20, 'q') + "\": 1}]").size(), 250u);

    auto zeros = [](int count) {
        std::string list = "[0";
        for (int i = 1; i < count; i++) list += ",0";
        return list + "]";
    };
    EXPECT_EQ(table_of(zeros(65536)).size(), 65536u);
    EXPECT_EQ(table_refusal(zeros(65537)), "a list of 65537: there may be 65536 materials");
    EXPECT_EQ(table_refusal(std::string(17 << 20, ' ')),
              "larger than 16.0 MiB: that is no table of hardness");
    EXPECT_EQ(refusal_of("/dev/zero"), "larger than 16.0 MiB: that is no table of hardness");
}

TEST(HardnessTable, FilesThatCannotBeRead) {
    Folder folder;
    EXPECT_EQ(refusal_of(folder / "absent.json"), "there is no such file");
    EXPECT_EQ(refusal_of(folder / "absent/rocks.json"), "there is no such file");
    EXPECT_EQ(refusal_of(folder.path()), "it is a folder");
    write_text(folder / "rocks.json", "[1]");
    EXPECT_EQ(refusal_of(folder / "rocks.json/more"), "Not a directory");
}

}  // namespace
}  // namespace caprock::test

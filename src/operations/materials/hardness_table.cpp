#include "operations/materials/hardness_table.h"

#include "base/error.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace caprock {

namespace {

using Json = nlohmann::json;

struct Mineral {
    const char* name;
    double absolute;  // on the scale that a sclerometer gives
};

constexpr std::array<Mineral, 11> minerals = {{{"none", 0},
                                               {"talc", 1},
                                               {"gypsum", 3},
                                               {"calcite", 9},
                                               {"fluorite", 21},
                                               {"apatite", 48},
                                               {"orthoclase", 72},
                                               {"quartz", 100},
                                               {"topaz", 200},
                                               {"corundum", 400},
                                               {"diamond", 1500}}};
constexpr double hardest = minerals.back().absolute;

double hardness_of_mineral(const std::string& name) {
    auto found = std::ranges::find(minerals, std::string_view(name), &Mineral::name);
    if (found != minerals.end()) return found->absolute / hardest;
    std::string hint = suggestion(name, mineral_names());
    if (hint.empty()) hint = "; there are " + listed(mineral_names());
    throw Error(fmt::format("no mineral '{}'{}", one_line(name), hint));
}

// A table of every material there may be, with long names, is smaller.
constexpr size_t longest_file = size_t(16) << 20;

std::string text_of(const std::string& path) {
    std::error_code unknown;
    if (std::filesystem::is_directory(path, unknown)) throw Error("it is a folder");
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Error(errno == ENOENT ? "there is no such file" : std::strerror(errno));
    std::string text;
    std::array<char, 4096> part;
    while (file.read(part.data(), part.size()), file.gcount() > 0) {
        text.append(part.data(), size_t(file.gcount()));
        // Its size is not asked for: a device has none, and does not end.
        if (text.size() > longest_file)
            throw Error(
                fmt::format("larger than {}: that is no table of hardness", bytes_text(longest_file)));
    }
    if (file.bad()) throw Error("it cannot be read");
    return text;
}

Json parsed(const std::string& text) {
    // Reading goes to any depth, but writing what was read into a message takes stack for every level.
    constexpr int deepest = 32;
    auto watch_depth = [](int depth, Json::parse_event_t, const Json&) {
        if (depth > deepest) throw Error("lists within lists, far too deep");
        return true;
    };
    try {
        return Json::parse(text, watch_depth);
    } catch (const Json::parse_error& error) {
        auto line =
            1 + std::count(text.begin(), text.begin() + ptrdiff_t(std::min(error.byte, text.size())), '\n');
        throw Error(fmt::format("not JSON: error in line {}, at byte {}", line, error.byte));
    } catch (const Json::exception&) {
        throw Error("a number in it is too large to be read");
    }
}

std::string shown(const Json& json) { return one_line(json.dump()); }

double hardness_of_value(const Json& value) {
    if (value.is_string()) return hardness_of_mineral(value.get<std::string>());
    double hardness = value.is_number() ? value.get<double>() : -1;
    if (hardness >= 0 && hardness <= 1) return hardness;
    throw Error(fmt::format("{}: must be a number from 0 to 1, or the name of a mineral", shown(value)));
}

double hardness_of_entry(const Json& entry) {
    if (!entry.is_object()) return hardness_of_value(entry);
    if (!entry.contains("hardness")) throw Error(fmt::format("{} has no \"hardness\"", shown(entry)));
    return hardness_of_value(entry["hardness"]);
}

const Json& list_in(const Json& json) {
    const Json& list = json.is_object() && json.contains("materials") ? json["materials"] : json;
    if (!list.is_array())
        throw Error(
            "must be a list with the hardness of each material, or an object with such \"materials\"");
    if (list.empty()) throw Error("the list is empty; it must begin with the hardness of material 0");
    if (list.size() > size_t(most_materials))
        throw Error(fmt::format("a list of {}: there may be {} materials", list.size(), most_materials));
    return list;
}

std::vector<double> table_in(const std::string& text) {
    const Json json = parsed(text);
    std::vector<double> table;
    for (const Json& entry : list_in(json)) {
        try {
            table.push_back(hardness_of_entry(entry));
        } catch (const Error& error) {
            throw Error(fmt::format("material {}: {}", table.size(), error.what()));
        }
    }
    return table;
}

}  // namespace

std::vector<std::string> mineral_names() {
    std::vector<std::string> names;
    for (const Mineral& mineral : minerals) names.emplace_back(mineral.name);
    return names;
}

std::vector<double> hardness_of_minerals(const std::vector<std::string>& names) {
    std::vector<double> table;
    for (const std::string& name : names) table.push_back(hardness_of_mineral(name));
    return table;
}

std::vector<double> read_hardness_table(const std::string& path) {
    try {
        return table_in(text_of(path));
    } catch (const Error& error) {
        throw Error(fmt::format("'{}': {}", path, error.what()));
    }
}

}  // namespace caprock

#include "operations/materials/hardness_table.h"

#include "base/error.h"
#include "base/json_text.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace caprock {

namespace {

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
constexpr size_t longest_table = size_t(16) << 20;

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
    const Json json = parsed_json(text, "lists within lists, far too deep");
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

InputFile hardness_table_file() { return {longest_table, "that is no table of hardness"}; }

std::vector<double> hardness_table_in(const InputFile& file) {
    const std::string text = file.text();
    try {
        return table_in(text);
    } catch (const Error& error) {
        throw Error(fmt::format("{}: {}", file.title(), error.what()));
    }
}

}  // namespace caprock

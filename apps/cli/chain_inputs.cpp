#include "chain_inputs.h"

#include "base/error.h"
#include "base/text.h"
#include "files.h"
#include "formats/line_files.h"

#include <fmt/format.h>
#include <set>

namespace caprock::cli {

namespace {

FileSettings settings_of(const std::string& name, const RecipeInput& input) {
    FileSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    const std::vector<std::string> known = {"to-metres", "as", "byte-order", "size"};
    for (const auto& [option, text] : input.reading) {
        if (!contains(known, option))
            throw Error(fmt::format("the recipe's input '{}' is read with '{}'; a file is read with {}", name,
                                    one_line(option), listed(known)));
        declaration.set_text(option, text);
    }
    if (input.cell) settings.cell = *input.cell;
    return settings;
}

// The one layer that steps take from a file; empty where they take several, or do not say which.
std::string layer_taken(const Recipe& recipe, const std::string& name) {
    std::set<std::string> taken;
    for (const RecipeStep& step : recipe.steps)
        for (const TakenField& one : step.takes)
            if (one.from == name) taken.insert(one.of);
    return taken.size() == 1 ? *taken.begin() : "";
}

ChainStart lines_of_file(const std::string& name, const RecipeInput& input,
                         const std::vector<std::string>& layers, const std::string& only) {
    if (input.cell || !input.reading.empty())
        throw Error(fmt::format("'{}' is a file of lines, which knows its coordinates; leave out --{}", name,
                                input.cell ? "cell" : input.reading.begin()->first));
    ChainStart start;
    start.only_lines = true;
    for (const std::string& layer : layers)
        if (only.empty() || only == layer || !contains(layers, only))
            start.lines.emplace_back(layer, read_line_file(input.file, layer));
    return start;
}

}  // namespace

ChainInputs::ChainInputs(const Recipe& recipe, const DocumentReading& document, Terminal& terminal)
    : steps_(recipe.steps) {
    for (const auto& [name, input] : recipe.inputs) {
        if (const std::vector<std::string> layers = line_layers(input.file); !layers.empty()) {
            starts_[name] = lines_of_file(name, input, layers, layer_taken(recipe, name));
            continue;
        }
        sources_.push_back(open_file(input.file, settings_of(name, input), terminal, document));
        starts_[name] = start_from(*sources_.back());
    }
    for (const std::unique_ptr<Operation>& operation : recipe.operations)
        for (const NumberMap& map : operation->maps()) {
            if (map.file().empty() || starts_.contains(input_name(map))) continue;
            sources_.push_back(open_file(map.file(), FileSettings(), terminal, document));
            starts_[input_name(map)] = start_from(*sources_.back());
        }
}

ChainLinks ChainInputs::links(const std::function<void(const std::string&)>& tell) const {
    return {steps_, starts_, tell};
}

}  // namespace caprock::cli

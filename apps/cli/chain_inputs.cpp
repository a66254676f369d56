#include "chain_inputs.h"

#include "base/error.h"
#include "base/text.h"
#include "files.h"

#include <fmt/format.h>

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

}  // namespace

ChainInputs::ChainInputs(const Recipe& recipe, const DocumentReading& document, Terminal& terminal)
    : steps_(recipe.steps) {
    for (const auto& [name, input] : recipe.inputs) {
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

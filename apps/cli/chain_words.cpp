#include "chain_words.h"

#include "base/error.h"
#include "formats/formats.h"
#include "kernel_command.h"

#include <fmt/format.h>

namespace caprock::cli {

std::vector<std::vector<std::string>> links_of(const std::vector<std::string>& words,
                                               const std::string& first) {
    std::vector<std::vector<std::string>> links(1);
    for (const std::string& word : words) {
        if (word == chain_word) {
            links.emplace_back();
        } else {
            links.back().push_back(word);
        }
    }
    for (size_t i = 0; i < links.size(); i++)
        if (links[i].empty())
            throw Error(i == 0 ? fmt::format("'then' cannot come first; begin with {}", first)
                               : "'then' must be followed by an operation; see 'caprock list'");
    return links;
}

std::set<std::string> read_parameters(Operation* operation, Words words, const OtherOptions& others) {
    std::string where = operation ? fmt::format("{}: ", operation->name()) : "";
    std::set<std::string> given;
    while (!words.empty()) {
        std::string word = words.take();
        if (!OptionWord::is_option(word) && others.word && others.word(word, words)) continue;
        if (!OptionWord::is_option(word))
            throw Error(fmt::format("{}'{}' is not expected here; {}", where, word,
                                    means_operation(word) ? "operations are chained with 'then'"
                                    : looks_like_file(word)
                                        ? "a file to write comes after -o"
                                        : "parameters begin with --, operations are chained with 'then'"));
        OptionWord option(word);
        try {
            if (operation && apply_option(*operation, option, words, given)) continue;
        } catch (const Error& error) {
            throw Error(where + error.what());
        }
        if (others.apply(option, words)) continue;
        std::vector<std::string> names;
        if (operation) names = option_names(*operation);
        names.insert(names.end(), others.names.begin(), others.names.end());
        throw Error(where + unknown_option_text(option, names,
                                                operation ? std::string(operation->name()) : others.page));
    }
    return given;
}

}  // namespace caprock::cli

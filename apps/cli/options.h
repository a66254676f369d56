// Words of the command line against declarations.
#pragma once

#include "operation/declaration.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace caprock::cli {

// What stands between the operations of a chain.
constexpr const char* chain_word = "then";

// The words left to read of one command or of one operation of a chain.
class Words {
  public:
    explicit Words(std::vector<std::string> words) : words_(std::move(words)) {}

    bool empty() const { return next_ == words_.size(); }
    const std::string& peek() const { return words_[next_]; }
    std::string take() { return words_[next_++]; }

  private:
    std::vector<std::string> words_;
    size_t next_ = 0;
};

// One word that begins with a dash, and its value where it has one: --name value, --name=value, -x value.
struct OptionWord {
    std::string name;  // without dashes
    bool is_letter = false;
    bool has_value = false;
    std::string value;
    std::string typed;  // as it stood on the command line

    static bool is_option(const std::string& word);
    explicit OptionWord(const std::string& word);
};

// Sets the parameter the option names, taking its value from the words where need be; --no-NAME sets a flag to
// false, unless a parameter is really called so. False when the declaration has no such parameter. Throws Error
// when the value is missing or refused.
bool apply_option(Configurable& values, const OptionWord& option, Words& words, std::set<std::string>& given);

// What may stand after the dashes: the parameters, and no-NAME for the flags that are on unless switched off.
std::vector<std::string> option_names(const Configurable& values);

// "no parameter '--octave'; did you mean '--octaves'?", or which help page lists the names where none is
// near.
std::string unknown_option_text(const OptionWord& option, const std::vector<std::string>& names,
                                const std::string& page);

// Reads all words: options by `apply`, which is false for those it does not know, the others into the result. `where`
// begins error messages, `names` are what an unknown option may have been meant to be.
using ApplyOption = std::function<bool(const OptionWord& option, Words& words)>;
std::vector<std::string> read_options(Words words, const std::string& where, const ApplyOption& apply,
                                      const std::vector<std::string>& names);
// The same into what has these parameters.
std::vector<std::string> read_options(Configurable& values, Words words, const std::string& where,
                                      std::set<std::string>& given);

// The option list of a help page, with the values as defaults.
std::string options_help(const Configurable& values);

// The same of a struct of settings that describes itself.
template <typename Settings>
std::string settings_help() {
    Settings settings;
    Declaration declaration;
    settings.describe(declaration);
    return options_help(declaration);
}
template <typename Settings>
std::vector<std::string> settings_names() {
    Settings settings;
    Declaration declaration;
    settings.describe(declaration);
    return option_names(declaration);
}

}  // namespace caprock::cli

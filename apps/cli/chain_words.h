// The words of a chain: OPERATION options then OPERATION options. Runs and the layers of documents read them alike.
#pragma once

#include "operation/operation.h"
#include "options.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace caprock::cli {

// What stands between one 'then' and the next. Throws Error for one that is empty; the first may begin with `first`,
// such as "an operation or a file".
std::vector<std::vector<std::string>> links_of(const std::vector<std::string>& words,
                                               const std::string& first);

using ApplyWord = std::function<bool(const std::string& word, Words& words)>;
// What else may stand among the parameters of an operation.
struct OtherOptions {
    ApplyOption apply;
    std::vector<std::string> names;
    std::string page;  // of the help, where there is no operation
    // Words that are no options. False for one that is not expected.
    ApplyWord word = {};
};

// Reads the words left of a link: parameters into the operation, which may be null, all others into `others`. Returns the
// names of the parameters that were given.
std::set<std::string> read_parameters(Operation* operation, Words words, const OtherOptions& others);

}  // namespace caprock::cli

// The commands besides chains of operations.
#pragma once

#include <string>
#include <vector>

namespace caprock::cli {

struct Command {
    const char* name;
    const char* arguments;
    const char* summary;
    int (*run)(const std::vector<std::string>& words);
    // For its help page and for completions; null where it takes no options.
    std::string (*options)() = nullptr;
    std::vector<std::string> (*option_names)() = nullptr;
    // What its help page says before the options.
    const char* remark = "";
};

const std::vector<Command>& commands();
std::string usage();

}  // namespace caprock::cli

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
    std::string (*options)();  // for its help page; may be null
};

const std::vector<Command>& commands();
std::string usage();

}  // namespace caprock::cli

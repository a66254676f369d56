// The commands that a page of the documentation shows, to be typed as they stand there.
#pragma once

#include "support/places.h"

#include <fstream>
#include <string>
#include <vector>

namespace caprock::test {

struct PageCommand {
    std::string line;               // from 'caprock' on
    bool shows_its_output = false;  // it stands after a dollar sign
};

// The indented lines of a page, with continued ones put together. The path is below the source's.
inline std::vector<PageCommand> page_commands(const std::string& path) {
    std::ifstream file(std::string(test::source_folder) + "/" + path);
    std::vector<PageCommand> commands;
    bool continued = false;
    for (std::string line; std::getline(file, line);) {
        bool begins = line.starts_with("    caprock ") || line.starts_with("    $ caprock ");
        if (!begins && !continued) continue;
        std::string text = line.substr(line.find_first_not_of(" $"));
        bool continues = text.ends_with("\\");
        if (continues) text.pop_back();
        if (continued) {
            commands.back().line += text;
        } else {
            commands.push_back({text, line.starts_with("    $")});
        }
        continued = continues;
    }
    return commands;
}

inline std::string page_text(const std::string& path) {
    std::ifstream file(std::string(test::source_folder) + "/" + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace caprock::test

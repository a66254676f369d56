#include "compute/dialect_texts.h"

#include "base/error.h"

#include <fmt/format.h>
#include <sstream>

namespace caprock {

void append_with_includes(std::span<const KernelText> texts, std::string_view name,
                          std::set<std::string>& included, std::string& source) {
    if (!included.insert(std::string(name)).second) return;
    const char* text = nullptr;
    for (const KernelText& known : texts)
        if (name == known.name) text = known.text;
    if (!text) throw DeviceError(fmt::format("there is no kernel text named '{}'", name));
    source += fmt::format("#line 1 \"{}\"\n", name);
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); number++) {
        constexpr std::string_view include = "#include \"";
        if (line.starts_with(include)) {
            std::string inner = line.substr(include.size(), line.rfind('"') - include.size());
            append_with_includes(texts, inner, included, source);
            source += fmt::format("#line {} \"{}\"\n", number + 1, name);
        } else if (!line.starts_with("#pragma once")) {
            source += line;
            source += '\n';
        }
    }
}

}  // namespace caprock

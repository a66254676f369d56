// Texts that come with the library, each under its name: what cmake/Texts.cmake makes of presets, brushes, material sets
// and shaders.
#pragma once

#include "base/error.h"
#include "base/text.h"

#include <fmt/format.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {

struct NamedText {
    std::string_view name;
    std::string_view text;
};

inline const NamedText* find_text(std::span<const NamedText> all, std::string_view name) {
    for (const NamedText& known : all)
        if (known.name == name) return &known;
    return nullptr;
}

inline std::vector<std::string> names_of(std::span<const NamedText> all) {
    std::vector<std::string> names;
    for (const NamedText& known : all) names.emplace_back(known.name);
    return names;
}

// What `parse` makes of the text of that name. Throws Error with the nearest name where there is none, and with the name
// where something is wrong with it. `kind`: "preset".
template <typename Parse>
auto parsed_text(std::span<const NamedText> all, std::string_view name, std::string_view kind,
                 const Parse& parse) {
    const NamedText* found = find_text(all, name);
    if (!found)
        throw Error(fmt::format("no {} '{}'{}", kind, one_line(name), suggestion(name, names_of(all))));
    try {
        return parse(std::string(found->text));
    } catch (const Error& error) {
        throw Error(fmt::format("{} '{}': {}", kind, found->name, error.what()));
    }
}

}  // namespace caprock

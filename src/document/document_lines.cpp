#include "document/document_lines.h"

#include "base/error.h"
#include "base/json_text.h"
#include "base/text.h"
#include "document/document.h"
#include "terrain/line_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace caprock {

namespace {

// Of all that is written with every change, which is 64 MB at most.
constexpr size_t most_kept_of_lines = size_t(8) << 20;

}  // namespace

DocumentLines document_lines(const std::string& name, const LineSet& lines) {
    check_line_name(name);
    lines.check();
    std::string text;
    try {
        text = lines.has_attributes() ? lines_json(lines).dump() : lines_text(lines);
    } catch (const Json::exception&) {
        throw Error(fmt::format("lines {}: a text of theirs is not UTF-8 and cannot be kept", name));
    }
    if (text.size() > most_kept_of_lines)
        throw Error(fmt::format("lines {}: {} are more than the {} that a document keeps of lines", name,
                                bytes_text(text.size()), bytes_text(most_kept_of_lines)));
    return {name, lines, std::make_shared<const std::string>(std::move(text))};
}

DocumentLines document_lines_from(const std::string& name, const std::string& text) {
    check_line_name(name);
    LineSet lines = text.starts_with('[')
                        ? lines_from_json(parsed_json(text, "not lines: lists within lists, far too deep"))
                        : parse_lines(text);
    return {name, std::move(lines), std::make_shared<const std::string>(text)};
}

const LineSet* find_lines(const DocumentState& state, const std::string& name) {
    auto found = std::ranges::find(state.lines, name, &DocumentLines::name);
    return found == state.lines.end() ? nullptr : &found->lines;
}

std::vector<std::string> line_names(const DocumentState& state) {
    std::vector<std::string> names;
    for (const DocumentLines& lines : state.lines) names.push_back(lines.name);
    return names;
}

void set_lines(Document& document, const std::string& name, const LineSet& lines) {
    set_lines(document, {{name, lines}});
}

void set_lines(Document& document, const NamedLines& sets) {
    if (sets.empty()) return;
    std::vector<DocumentLines> made;
    std::vector<std::string> names;
    for (const auto& [name, lines] : sets) {
        made.push_back(document_lines(name, lines));
        names.push_back("'" + name + "'");
    }
    const bool is_new = !find_lines(document.state(), made.front().name);
    document.change(fmt::format("{} lines {}", is_new ? "add" : "replace", listed(names)), [&](Edit& edit) {
        std::vector<DocumentLines>& all = edit.state().lines;
        for (const DocumentLines& one : made) {
            auto there = std::ranges::find(all, one.name, &DocumentLines::name);
            if (there == all.end()) {
                all.push_back(one);
            } else {
                *there = one;
            }
        }
    });
}

void remove_lines(Document& document, const std::string& name) {
    if (!find_lines(document.state(), name)) {
        const std::vector<std::string> names = line_names(document.state());
        throw Error(fmt::format("the document has no lines '{}'{}", one_line(name),
                                names.empty() ? "; it has none" : "; it has " + listed(names)));
    }
    document.change(fmt::format("remove lines '{}'", name), [&](Edit& edit) {
        std::erase_if(edit.state().lines, [&](const DocumentLines& lines) { return lines.name == name; });
    });
}

}  // namespace caprock

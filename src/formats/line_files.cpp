#include "formats/line_files.h"

#include "base/error.h"
#include "base/text.h"
#include "formats/driver.h"
#include "formats/format_table.h"

#include <cctype>
#include <filesystem>
#include <fmt/format.h>

namespace caprock {

namespace fs = std::filesystem;

namespace {

// What rooms that know no files ask for.
class FilesOfLines final : public LineFileAccess {
  public:
    FilesOfLines() { set_line_file_access(*this); }
    LineFile read(const std::string& path, const std::string& layer) override {
        return read_line_file(path, layer);
    }
    LineSet transformed(const LineSet& lines, const std::string& from, const std::string& to) override {
        return file_module().transformed(lines, from, to);
    }
};

FilesOfLines files_of_lines;

// As operations say names of lines: letters, digits, - and _.
std::string name_after(const std::string& text) {
    std::string name;
    for (char c : text) name += std::isalnum((unsigned char)(c)) || c == '-' || c == '_' ? c : '_';
    return name.empty() ? "lines" : name;
}

}  // namespace

bool is_line_name(const std::string& path) { return line_format_of_name(path) != nullptr; }

std::vector<std::string> line_layers(const std::string& path) {
    std::error_code unknown;
    if (!is_line_name(path) || !fs::exists(path, unknown)) return {};
    return file_module().line_layers(path);
}

bool means_lines(const std::string& path) {
    return is_line_name(path) &&
           (line_format_of_name(path)->ending != std::string(".gpkg") || !line_layers(path).empty());
}

LineFile read_line_file(const std::string& path, const std::string& layer, const FileContext& context) {
    check_readable(path);
    return file_module().read_lines(path, layer, context);
}

LineSet read_lines(const std::string& path, const std::string& layer, const Terrain& shape,
                   const FileContext& context) {
    const LineFile file = read_line_file(path, layer, context);
    try {
        return lines_on(file, shape);
    } catch (const Error& error) {
        throw Error(fmt::format("cannot read '{}': {}", path, error.what()));
    }
}

NamedLines read_named_lines(const std::string& path, const std::string& layer, const Terrain& shape,
                            const FileContext& context) {
    std::vector<std::string> layers = layer.empty() ? line_layers(path) : std::vector{layer};
    // What holds none is refused by whoever reads it.
    if (layers.empty()) layers.emplace_back();
    const LineFormat* format = line_format_of_name(path);
    const bool of_file = layer.empty() && layers.size() == 1 && !(format && format->many_sets);
    NamedLines all;
    for (const std::string& one : layers)
        all.emplace_back(name_after(of_file ? fs::path(path).stem().string() : one),
                         read_lines(path, one, shape, context));
    return all;
}

void write_lines(const NamedLines& sets, const Terrain& shape, const std::string& path,
                 const FileContext& context) {
    std::vector<std::pair<std::string, LineFile>> there;
    for (const auto& [name, lines] : sets) there.emplace_back(name, lines_from(lines, shape));
    write_line_file(there, path, context);
}

void write_line_file(const std::vector<std::pair<std::string, LineFile>>& sets, const std::string& path,
                     const FileContext& context) {
    check_writable(path, FileKind::lines);
    const LineFormat& format = *line_format_of_name(path);
    auto refuse = [&](const std::string& why) {
        throw Error(fmt::format("cannot write '{}': {}", path, why));
    };
    if (sets.empty()) refuse("there are no lines to write");
    if (!format.many_sets && sets.size() > 1) {
        std::vector<std::string> names;
        for (const auto& [name, lines] : sets) names.push_back(name);
        refuse(
            fmt::format("a {} holds one set of lines, and there are {}; write a .gpkg, or only one of them",
                        format.ending, listed(names)));
    }
    for (const auto& [name, file] : sets) file.lines.check();
    write_whole_file(path,
                     [&](const std::string& to) { file_module().write_lines(sets, to, format, context); });
}

}  // namespace caprock

#include "files.h"

#include "base/error.h"
#include "base/text.h"
#include "base/text_file.h"
#include "formats/terrain_reader.h"

#include <filesystem>
#include <fmt/format.h>

namespace caprock::cli {

void FileMeaning::describe(Declaration& d) {
    d.flag("to-metres", to_metres).help("resamples a file whose cells are degrees, no squares, or turned");
    d.choice("as", meaning, {"usual", "frontier"})
        .help("frontier: a picture's red is height, green hardness, blue solubility");
    d.choice("byte-order", byte_order, {"little", "big"}).help("of .r16, .raw and .r32, read and written");
}

// Recipes have a few kilobytes; thousands of operations still fit. A device that never ends does not.
constexpr size_t longest_recipe = 16 << 20;

Recipe read_recipe_file(const std::string& path, const std::function<void(const std::string&)>& tell) {
    std::string text;
    try {
        text = text_of_file(path, longest_recipe, "that is no recipe");
    } catch (const Error& error) {
        throw Error(fmt::format("cannot read '{}': {}", path, error.what()));
    }
    try {
        return parse_recipe(text, tell);
    } catch (const Error& error) {
        throw Error(fmt::format("'{}': {}", path, error.what()));
    }
}

Size requested_size(const std::string& text) {
    std::optional<Size> size = parse_size(text);
    if (!size)
        throw Error(fmt::format("size {}: must be WIDTHxHEIGHT, such as 1024x512, each 1 to {} cells", text,
                                largest_side));
    return *size;
}

void FileSettings::describe(Declaration& d) {
    d.number("cell", cell).range(0, 1e6).unit("m").help("cell size; 0: as the file says");
    d.interval("range", range).unit("m").help("heights that 0 and 1 stand for; 0:0: as the file says");
    d.text("size", size).help("of .r16, .raw and .r32, WIDTHxHEIGHT; a square unless given");
    meaning.describe(d);
}

ReadOptions FileSettings::options() const {
    ReadOptions options;
    if (cell > 0) options.cell = cell;
    if (range != Interval{0, 0}) options.range = range;
    if (!size.empty()) options.size = requested_size(size);
    options.to_metres = meaning.to_metres;
    options.meaning = meaning.meaning;
    options.byte_order = meaning.byte_order;
    return options;
}

std::string numbered_path(const std::string& path, int number, int digits) {
    std::filesystem::path whole(path);
    std::string name =
        fmt::format("{}-{:0{}}{}", whole.stem().string(), number, digits, whole.extension().string());
    return (whole.parent_path() / name).string();
}

void check_document_settings(const std::string& path, const FileSettings& settings) {
    ReadOptions options = settings.options();
    if (options.cell || options.range || options.size || options.to_metres)
        throw Error(
            fmt::format("'{}' is a document and knows its grid: leave out --cell, --range, --size and "
                        "--to-metres",
                        path));
}

std::unique_ptr<TerrainSource> open_file(const std::string& path, const FileSettings& settings,
                                         Terminal& terminal, const DocumentReading& document) {
    if (is_project_name(path)) {
        check_document_settings(path, settings);
        auto source = std::make_unique<DocumentSource>(path, document, terminal);
        source->prepare();
        return source;
    }
    FileContext context{&terminal.progress(), [&](const std::string& message) { terminal.warn(message); }};
    terminal.begin("reading " + path);
    std::unique_ptr<TerrainSource> reader = open_terrain(path, settings.options(), context);
    terminal.end();
    return reader;
}

uint64_t bytes_of(const TerrainSource& source) {
    return uint64_t(source.shape().rect().cells()) * sizeof(float) * source.names().size();
}

Terrain read_file(const std::string& path, const FileSettings& settings, Terminal& terminal,
                  const DocumentReading& document) {
    if (is_project_name(path)) {
        check_document_settings(path, settings);
        return DocumentSource(path, document, terminal).read_all();
    }
    FileContext context{&terminal.progress(), [&](const std::string& message) { terminal.warn(message); }};
    terminal.begin("reading " + path);
    Terrain terrain = read_terrain(path, settings.options(), context);
    terminal.end();
    return terrain;
}

}  // namespace caprock::cli

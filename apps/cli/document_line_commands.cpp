// Commands of documents: their line sets.
#include "base/error.h"
#include "base/telling.h"
#include "document/document_lines.h"
#include "document/document_terrain.h"
#include "document_access.h"
#include "document_command.h"
#include "document_source.h"
#include "line_outputs.h"
#include "report.h"

#include <fmt/format.h>

namespace caprock::cli {

namespace {

struct ImportLinesSettings {
    std::string name;
    ChangeSettings change;
    void describe(Declaration& d) {
        d.text("name", name)
            .help("that the lines have in the document; after the file or its layer unless given");
        change.describe(d);
    }
};

int import_lines_command(const std::vector<std::string>& words) {
    ImportLinesSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    const DocumentWords given = read_document_words("import-lines", declaration, words, 1, 1);
    const std::string& word = given.others[0];
    const LineFileWord file = is_line_output(word) ? line_output(word) : LineFileWord{word, ""};
    DocumentSession session(given.path, settings.change);
    const Terrain shape = shape_of(session.state());
    FileContext context{nullptr, [&](const std::string& message) { session.terminal().warn(message); }};
    NamedLines read = read_named_lines(file.path, file.name, shape, context);
    if (!settings.name.empty() && read.size() > 1)
        throw Error(fmt::format("document import-lines: '{}' has {} layers; --name is for one: FILE:LAYER",
                                file.path, read.size()));
    if (!settings.name.empty()) read.front().first = settings.name;
    set_lines(session.document(), read);
    std::string text;
    for (const auto& [name, lines] : read)
        text += fmt::format("lines {}: {} of {:.6g} m\n", name, lines.size(), lines.length());
    const int code = session.finish();
    say("{}", text);
    return code;
}

struct ExportLinesSettings {
    std::string name;
    DocumentReading reading;
    QuietSettings quiet;
    void describe(Declaration& d) {
        d.text("name", name).help("of the lines to write; all of them unless given");
        reading.memory.describe(d);
        reading.compute.describe(d);
        quiet.describe(d);
    }
};

int export_lines_command(const std::vector<std::string>& words) {
    ExportLinesSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    const DocumentWords given = read_document_words("export-lines", declaration, words, 1, 1);
    LineFileWord output =
        is_line_output(given.others[0]) ? line_output(given.others[0]) : LineFileWord{given.others[0], ""};
    if (!settings.name.empty()) output.name = settings.name;
    check_writable(output.path, FileKind::lines);
    Terminal terminal(settings.quiet.loudness());
    const DocumentSource source(given.path, settings.reading, terminal);
    FileContext context{nullptr, [&](const std::string& message) { terminal.warn(message); }};
    write_lines(lines_for(output, source.lines()), source.shape(), output.path, context);
    return 0;
}

int lines_command(const std::vector<std::string>& words) {
    QuietSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    const DocumentWords given = read_document_words("lines", declaration, words, 0, 0);
    Terminal terminal(settings.loudness());
    const DocumentSource source(given.path, {}, terminal);
    std::vector<TerrainFacts::OfLines> all;
    for (const auto& [name, lines] : source.lines()) all.push_back(facts_of(name, lines));
    say("{}", all.empty() ? "  no lines\n" : lines_text_of(all));
    return 0;
}

int remove_lines_command(const std::vector<std::string>& words) {
    ChangeSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    const DocumentWords given = read_document_words("remove-lines", declaration, words, 1, 1);
    DocumentSession session(given.path, settings);
    remove_lines(session.document(), given.others[0]);
    return session.finish();
}

constexpr const char* import_lines_remark =
    "  FILE is a .gpkg, .geojson or .shp; FILE:LAYER takes one of its layers, else all are taken. With a "
    "coordinate\n"
    "  system they come to lie where they are on Earth, else coordinates are metres to the east and to the "
    "south of cell\n"
    "  (0, 0). Layers name them with an @:\n"
    "    caprock document import-lines land.caprock roads.gpkg --name roads\n"
    "    caprock document add land.caprock road --path @roads --width 12\n";

}  // namespace

std::vector<Command> document_line_commands() {
    return {
        {"lines", "P.caprock", "the line sets there are, with those that layers make", lines_command,
         settings_help<QuietSettings>, settings_names<QuietSettings>},
        {"import-lines", "P.caprock FILE", "lines or points of a file become a line set of the document",
         import_lines_command, settings_help<ImportLinesSettings>, settings_names<ImportLinesSettings>,
         import_lines_remark},
        {"export-lines", "P.caprock FILE", "writes line sets to a .gpkg, .geojson or .shp",
         export_lines_command, settings_help<ExportLinesSettings>, settings_names<ExportLinesSettings>},
        {"remove-lines", "P.caprock NAME", "takes a line set out of the document", remove_lines_command,
         settings_help<ChangeSettings>, settings_names<ChangeSettings>},
    };
}

}  // namespace caprock::cli

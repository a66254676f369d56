#include "assess_command.h"

#include "assessment/assessment_picture.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/telling.h"
#include "base/text.h"
#include "document_source.h"
#include "options.h"
#include "outcome.h"

#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace caprock::cli {

namespace {

struct Ground {
    Field height;
    double cell = 0;
};

// Where there is too little memory, that is said before anything is read or computed.
Ground ground_of(TerrainSource& source, const std::string& path, const std::function<void()>& prepare) {
    const Terrain shape = source.shape();
    const std::string name(ground_quantity().name);
    if (const std::vector<std::string> names = source.names(); !contains(names, name))
        throw Error(
            fmt::format("'{}' has no field '{}' to be assessed; it has {}", path, name, listed(names)));
    require_memory(bytes_to_assess(shape.rect()), fmt::format("assessing '{}', {} x {} cells,", path,
                                                              shape.rect().width(), shape.rect().height()));
    prepare();
    return {source.read_field(name, shape.rect()), shape.grid().cell};
}

Ground read_ground(const std::string& path, const AssessSettings& settings, Terminal& terminal) {
    if (is_project_name(path)) {
        check_document_settings(path, settings.file);
        DocumentSource source(path, settings.document, terminal);
        return ground_of(source, path, [&] { source.prepare(); });
    }
    std::optional<EndsAtOnce> only_reading(std::in_place, terminal.last_words());
    const std::unique_ptr<TerrainSource> source = open_file(path, settings.file, terminal);
    Ground ground = ground_of(*source, path, [&] { terminal.begin("reading " + path); });
    terminal.end();
    return ground;
}

Assessment assessed(const Field& height, double cell, const std::string& path, Terminal& terminal) {
    terminal.begin("assessing " + path);
    Assessment made = assess(height, cell, terminal.progress());
    terminal.end();
    return made;
}

Yardstick read_yardstick(const AssessSettings& settings, Terminal& terminal) {
    if (settings.like.empty()) return real_land();
    const Ground ground = read_ground(settings.like, settings, terminal);
    const Assessment whole = assessed(ground.height, ground.cell, settings.like, terminal);
    if (whole.known == 0)
        throw Error(fmt::format("assess: like '{}': none of its cells is known", settings.like));
    std::vector<Assessment> parts;
    for (const Rect& quarter : quarters_of(ground.height.rect()))
        parts.push_back(
            assessed(ground.height.cropped(quarter), ground.cell, "parts of " + settings.like, terminal));
    return like_land(std::filesystem::path(settings.like).filename().string(), whole, parts);
}

std::string json_of(const std::vector<AssessedLand>& lands, const Yardstick& yardstick) {
    Json json = Json::array();
    for (const AssessedLand& land : lands) json.push_back(assessment_json(land, yardstick));
    // File names need not be UTF-8; JSON must be. Several files make a list.
    return (lands.size() == 1 ? json[0] : json).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

void AssessSettings::describe(Declaration& d) {
    d.file("like", like).help("land of your own: what it has takes the place of what is known of real land");
    d.file("output", output).letter('o').help("picture of the curves to write, .png");
    d.flag("json", json).help("machine-readable, with the curves");
    file.describe(d);
    document.describe(d);
    document.compute.describe(d);
    quiet.describe(d);
}

int assess_command(const std::vector<std::string>& words) {
    AssessSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    std::set<std::string> given;
    const std::vector<std::string> files = read_options(declaration, Words(words), "assess", given);
    if (files.empty()) throw Error("assess: takes files: caprock assess FILE ... [--like REFERENCE.tif]");
    if (!settings.output.empty()) check_writable(settings.output, FileKind::picture);
    Terminal terminal(settings.quiet.loudness());
    const Yardstick yardstick = read_yardstick(settings, terminal);
    std::vector<AssessedLand> lands;
    for (const std::string& path : files) {
        const Ground ground = read_ground(path, settings, terminal);
        lands.push_back({path, assessed(ground.height, ground.cell, path, terminal)});
    }
    if (!settings.output.empty()) {
        terminal.begin("writing " + settings.output);
        write_picture(assessment_picture(lands, yardstick), settings.output, {&terminal.progress(), nullptr});
        note_written(settings.output);
        terminal.end();
    }
    say("{}", settings.json ? json_of(lands, yardstick) : assessment_text(lands, yardstick));
    return 0;
}

const char* assess_remark() {
    return "  Measures what geomorphologists measure, and says in words what is unlike real land: closed "
           "hollows, Hack's\n"
           "  exponent, how slopes of streams fall with area (concavity), Horton's ratios, hypsometry, "
           "slopes, the ten\n"
           "  geomorphons, roughness by scale. A number with < is below the range beside it, with > above. "
           "Several files\n"
           "  stand side by side:\n"
           "    caprock assess mine.tif theirs.tif -o compared.png\n"
           "  Beside land of your own, the ranges are what it has as a whole and in its quarters:\n"
           "    caprock assess mine.tif --like survey.tif\n"
           "  --cell, --range, --size and their like are of all files, the reference among them.\n";
}

}  // namespace caprock::cli

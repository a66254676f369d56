#include "render.h"

#include "base/error.h"
#include "base/text.h"
#include "options.h"
#include "view/field_map.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace caprock::cli {

namespace {

namespace fs = std::filesystem;

// One terrain of the picture.
struct Subject {
    std::string path;
    std::string field;  // empty: the relief
};

// FILE or FILE:FIELD. What is a file as it stands is one, whatever its name looks like.
Subject read_subject(const std::string& word, const std::string& usual_field) {
    std::error_code unknown;
    size_t colon = word.rfind(':');
    fs::file_status there = fs::status(word, unknown);
    bool is_file = fs::exists(there) && !fs::is_directory(there);
    if (colon == std::string::npos || is_file) return {word, usual_field};
    Subject subject{word.substr(0, colon), word.substr(colon + 1)};
    if (subject.path.empty() || subject.field.empty())
        throw Error(fmt::format("render: '{}' must be FILE or FILE:FIELD, such as hills.tif:hardness", word));
    return subject;
}

Picture drawn(const Subject& subject, const Terrain& terrain, const RenderSettings& settings) {
    try {
        if (subject.field.empty()) return shaded_relief(terrain, settings.relief);
        FieldMapOptions options;
        if (settings.values != Interval{0, 0}) options.values = settings.values;
        options.longest_side = settings.relief.longest_side;
        options.enlarge = settings.relief.enlarge;
        return field_map(terrain, subject.field, options);
    } catch (const Error& error) {
        throw Error(fmt::format("cannot draw '{}': {}", subject.path, error.what()));
    }
}

Picture drawn(const std::vector<Subject>& subjects, const RenderSettings& settings, Terminal& terminal) {
    std::vector<Picture> pictures;
    std::string path;
    Terrain terrain;
    for (const Subject& subject : subjects) {
        // The relief of a file is often followed by maps of its fields.
        if (subject.path != path) terrain = read_file(subject.path, settings.file, terminal);
        path = subject.path;
        pictures.push_back(drawn(subject, terrain, settings));
        terminal.progress().check();
    }
    return pictures.size() == 1 ? std::move(pictures[0]) : contact_sheet(pictures, settings.sheet);
}

}  // namespace

void RenderSettings::describe(Declaration& d) {
    d.file("output", output).letter('o').help("picture to write, .png");
    d.field("field", field).help("draws this field in shades of grey instead of the relief");
    d.interval("values", values)
        .help("of a field, what is black and what is white; 0:0: its lowest and highest");
    d.number("azimuth", relief.azimuth)
        .range(0, 360)
        .unit("degrees")
        .help("where the light comes from, clockwise from north");
    d.number("elevation", relief.elevation)
        .range(1, 90)
        .unit("degrees")
        .help("of the light above the horizon");
    d.number("exaggeration", relief.exaggeration)
        .range(0.01, 1000)
        .slider(0.5, 5)
        .help("heights are multiplied by this before shading");
    d.flag("grey", grey).help("shading alone, no colours by height");
    d.integer("longest-side", relief.longest_side)
        .range(1, 32768)
        .unit("pixels")
        .help("of each terrain; larger ones are averaged down to this");
    d.integer("enlarge", relief.enlarge)
        .range(1, 64)
        .help("pixels for every cell, each way; fewer where the longest side would not hold them");
    d.integer("columns", sheet.columns)
        .range(0, 1000)
        .help("of a picture of several terrains; 0: one row, or rows of four where there are more");
    file.describe(d);
}

int render_command(const std::vector<std::string>& words) {
    RenderSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    std::set<std::string> given;
    std::vector<std::string> files = read_options(declaration, Words(words), "render", given);
    if (files.empty() || settings.output.empty())
        throw Error("render: takes files and a picture: caprock render FILE ... -o PICTURE.png");
    check_writable(settings.output, FileKind::picture);
    settings.relief.tint = !settings.grey;
    std::vector<Subject> subjects;
    for (const std::string& word : files) subjects.push_back(read_subject(word, settings.field));
    bool has_maps =
        std::ranges::any_of(subjects, [](const Subject& subject) { return !subject.field.empty(); });
    if (given.contains("values") && !has_maps)
        throw Error("render: --values is for maps of a field: with --field, or FILE:FIELD");

    Terminal terminal(Loudness::normal);
    Picture picture = drawn(subjects, settings, terminal);
    terminal.begin("writing " + settings.output);
    write_picture(picture, settings.output, {&terminal.progress(), nullptr});
    terminal.end();
    return 0;
}

}  // namespace caprock::cli

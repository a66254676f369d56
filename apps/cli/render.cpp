#include "render.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "document_bookmark.h"
#include "line_outputs.h"
#include "options.h"
#include "outcome.h"
#include "view/field_map.h"
#include "view/gl/functions.h"
#include "view/relief.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <optional>

namespace caprock::cli {

namespace {

namespace fs = std::filesystem;

// Of a picture, each way.
constexpr int largest_picture = 32768;

// One terrain of the picture.
struct Subject {
    std::string path;
    std::string field;             // empty: the relief
    std::optional<Camera> camera;  // of its bookmark, where one was asked for

    std::string caption() const {
        std::string name = fs::path(path).filename().string();
        return field.empty() ? name : name + ": " + field;
    }
};

// FILE or FILE:FIELD. What is a file as it stands is one, whatever its name looks like.
Subject read_subject(const std::string& word, const std::string& usual_field) {
    std::error_code unknown;
    size_t colon = word.rfind(':');
    fs::file_status there = fs::status(word, unknown);
    bool is_file = fs::exists(there) && !fs::is_directory(there);
    if (colon == std::string::npos || is_file) return {word, usual_field, {}};
    Subject subject{word.substr(0, colon), word.substr(colon + 1), {}};
    if (subject.path.empty() || subject.field.empty())
        throw Error(fmt::format("render: '{}' must be FILE or FILE:FIELD, such as hills.tif:hardness", word));
    return subject;
}

// What the settings say, read and checked before any file is.
struct RenderRequest {
    std::optional<Size> size;
    MapOptions map;
    bool chosen_scheme = false;
    bool chosen_light = false;
    bool plain = true;  // nothing that the relief map and the map of a field do not draw
};

std::optional<double> read_spacing(const char* name, const std::string& text) {
    if (text == "auto") return 0.0;
    std::optional<double> metres = parse_number(text);
    if (!metres || !(*metres >= 0) || *metres > 1e6)
        throw Error(
            fmt::format("render: {} {}: must be metres from one line to the next, 'auto', or 0 for none",
                        name, one_line(text)));
    return *metres == 0 ? std::nullopt : metres;
}

RenderRequest read_request(const RenderSettings& settings, const std::set<std::string>& given) {
    RenderRequest request;
    if (!settings.size.empty()) {
        std::optional<Size> size = parse_size(settings.size);
        if (!size || size->width > largest_picture || size->height > largest_picture)
            throw Error(
                fmt::format("render: size {}: must be WIDTHxHEIGHT, such as 1920x1080, each 1 to {} pixels",
                            one_line(settings.size), largest_picture));
        for (const char* other : {"longest-side", "enlarge"})
            if (given.contains(other))
                throw Error(fmt::format("render: --size is the whole picture's; leave out --{}", other));
        request.size = size;
    }
    if (settings.sun.size() != 2 || settings.sun[0] < 0 || settings.sun[0] > 360 || settings.sun[1] < 1 ||
        settings.sun[1] > 90)
        throw Error(fmt::format(
            "render: sun {}: must be AZIMUTH,ELEVATION, such as 315,40: 0 to 360 degrees clockwise from "
            "north, 1 to 90 above the horizon",
            fmt::join(settings.sun, ",")));
    MapOptions& map = request.map;
    request.chosen_scheme = !settings.scheme.empty();
    if (request.chosen_scheme) map.scheme = colour_scheme(settings.scheme).name;
    if (settings.values != Interval{0, 0}) map.values = settings.values;
    map.sea_level = settings.sea_level;
    map.hillshade = settings.hillshade;
    map.azimuth = settings.sun[0];
    map.elevation = settings.sun[1];
    map.exaggeration = settings.exaggeration;
    map.crisp = settings.crisp;
    map.water = settings.water;
    map.contours = read_spacing("contours", settings.contours);
    map.grid = read_spacing("grid", settings.grid);
    map.legend = map.scale_bar = settings.legend;
    for (const std::string& colour : settings.line_colours)
        if (!parse_colour(colour))
            throw Error(
                fmt::format("render: line-colour {}: must be RRGGBB in hexadecimal digits, such as c0392b",
                            one_line(colour)));
    map.detail = settings.lettering;
    request.chosen_light = given.contains("hillshade");
    request.plain = !request.size && !request.chosen_scheme && !request.chosen_light && !map.crisp &&
                    !map.water && !map.contours && !map.grid && !map.legend && settings.lines.empty() &&
                    !given.contains("sea-level");
    return request;
}

// What is drawn: in memory, or read as it is drawn where that is too little.
struct Land {
    Terrain terrain;  // without fields where they are read
    std::unique_ptr<TerrainSource> source = {};

    CellRows cells(const std::string& field) const {
        if (!source) return rows_of(terrain.field(field));
        const std::vector<std::string> names = source->names();
        if (!contains(names, field))
            throw Error(fmt::format("there is no field '{}'; the terrain has {}", field, listed(names)));
        const Rect& all = terrain.rect();
        return {all, [this, field, &all](int top, int bottom) {
                    return source->read_field(field, {all.left, top, all.right, bottom});
                }};
    }
    MapPyramid pyramid() const {
        if (!source) return MapPyramid(terrain);
        std::map<std::string, CellRows> fields;
        for (const std::string& name : source->names()) fields[name] = cells(name);
        return MapPyramid(terrain, std::move(fields));
    }
};

// What --lines asks for, on this land.
std::vector<DrawnLines> drawn_lines(const Land& land, const RenderSettings& settings) {
    std::vector<DrawnLines> all;
    const NamedLines own = land.source ? lines_of(*land.source) : lines_of(land.terrain);
    const std::vector<std::string>& chosen = settings.line_colours;
    for (LineSet& lines : lines_to_draw(settings.lines, land.terrain, own)) {
        const Bytes colour =
            chosen.empty() ? colour_of_lines(all.size()) : *parse_colour(chosen[all.size() % chosen.size()]);
        all.push_back({std::move(lines), colour, settings.line_width});
    }
    return all;
}

Picture plain_picture(const Subject& subject, const Land& land, const RenderSettings& settings,
                      const RenderRequest& request) {
    if (subject.field.empty()) {
        ReliefOptions options;
        options.azimuth = request.map.azimuth;
        options.elevation = request.map.elevation;
        options.exaggeration = settings.exaggeration;
        options.longest_side = settings.longest_side;
        options.enlarge = settings.enlarge;
        return shaded_relief(land.cells("height"), land.terrain.grid(), options);
    }
    FieldMapOptions options;
    options.values = request.map.values;
    options.longest_side = settings.longest_side;
    options.enlarge = settings.enlarge;
    return field_map(land.cells(subject.field), subject.field, options);
}

Picture map_picture(const Subject& subject, const Land& land, const RenderSettings& settings,
                    const RenderRequest& request) {
    const Terrain& terrain = land.terrain;
    MapOptions options = request.map;
    options.field = subject.field;
    options.lines = drawn_lines(land, settings);
    if (!subject.field.empty()) {
        if (!request.chosen_scheme) options.scheme = quantity_of(subject.field).scheme;
        // A map of a field is flat unless light was asked for: shading would change what its colours say.
        if (!request.chosen_light) options.hillshade = Hillshade::none;
    }
    const Rect& cells = terrain.rect();
    Size size =
        request.size ? *request.size : scale_of(cells.size(), settings.longest_side, settings.enlarge).pixels;
    // Surfaces of the map at work, besides the picture.
    require_memory(uint64_t(size.cells()) * 40,
                   fmt::format("a picture of {} x {} pixels", size.width, size.height));
    MapPyramid pyramid = land.pyramid();
    return draw_map(pyramid, fitted(cells, terrain.grid(), size), size, options);
}

// What both views are asked for in the same words.
SceneRequest scene_request(const Subject& subject, const Terrain& terrain, const RenderSettings& settings,
                           const RenderRequest& request) {
    SceneRequest scene;
    const MapOptions& map = request.map;
    if (request.size) scene.size = *request.size;
    scene.camera = subject.camera;
    if (request.chosen_scheme || !subject.field.empty()) {
        scene.scene.scheme =
            request.chosen_scheme ? map.scheme : std::string(quantity_of(subject.field).scheme);
        scene.scene.field = subject.field;
        scene.scene.values = map.values;
    }
    scene.scene.sea_level = map.sea_level;
    scene.scene.water = map.water;
    scene.scene.sea = settings.scene.sea;
    scene.sun_azimuth = map.azimuth;
    scene.sun_elevation = map.elevation;
    scene.exaggeration = map.exaggeration;
    scene.legend = map.legend;
    scene.lettering = map.detail;
    const Land land{terrain};
    scene.lines = drawn_lines(land, settings);
    // As suits a map of this size.
    MapView view = fitted(terrain.rect(), terrain.grid(), scene.size);
    if (map.contours) {
        MapPyramid pyramid(terrain);
        scene.contours = *map.contours > 0 ? *map.contours : suitable_contours(pyramid, view, map.detail);
    }
    if (map.grid) scene.grid = *map.grid > 0 ? *map.grid : suitable_grid(view, map.detail);
    require_memory(uint64_t(scene.size.cells()) * uint64_t(16 + 8 * settings.scene.samples),
                   fmt::format("a picture of {} x {} pixels", scene.size.width, scene.size.height));
    return scene;
}

Picture scene_picture(const Subject& subject, const Terrain& terrain, const RenderSettings& settings,
                      const RenderRequest& request) {
    Picture drawn;
    draw_scene(terrain, settings.scene, scene_request(subject, terrain, settings, request),
               [&](const Picture& picture) { drawn = picture; });
    return drawn;
}

Picture drawn(const Subject& subject, const Land& land, const RenderSettings& settings,
              const RenderRequest& request, Terminal& terminal) {
    try {
        if (settings.view == PictureView::scene) {
            try {
                return scene_picture(subject, land.terrain, settings, request);
            } catch (const gl::GlError& error) {
                terminal.warn(fmt::format("{}; drawing a map instead", error.what()));
            }
        }
        return request.plain ? plain_picture(subject, land, settings, request)
                             : map_picture(subject, land, settings, request);
    } catch (const Error& error) {
        throw Error(fmt::format("cannot draw '{}': {}", subject.path, error.what()));
    }
}

// Here --size is the picture's; a message about the size of a raw file must name the other option.
template <typename Read>
auto reading_subject(const std::string& path, Terminal& terminal, const Read& read) {
    std::optional<EndsAtOnce> only_reading;
    if (!is_project_name(path)) only_reading.emplace(terminal.last_words());
    try {
        return read();
    } catch (const OutOfMemory&) {
        throw;
    } catch (const Error& error) {
        std::string message = error.what();
        const std::string option = "--size";
        if (size_t at = message.find(option); at != std::string::npos)
            message.replace(at, option.size(), "--raw-size");
        throw Error(message);
    }
}

Terrain read_subject_file(const std::string& path, const RenderSettings& settings, Terminal& terminal) {
    return reading_subject(path, terminal,
                           [&] { return read_file(path, settings.file, terminal, settings.document); });
}

// A scene is of everything; a map is drawn from windows, where memory is said to be short, or is too short for all of it.
Land read_land(const std::string& path, const RenderSettings& settings, Terminal& terminal) {
    const bool scene = settings.view == PictureView::scene;
    if (scene || settings.document.memory.bytes() == 0) {
        try {
            return {read_subject_file(path, settings, terminal)};
        } catch (const OutOfMemory&) {
            if (scene) throw;
            terminal.end();
        }
    }
    std::unique_ptr<TerrainSource> source = reading_subject(
        path, terminal, [&] { return open_file(path, settings.file, terminal, settings.document); });
    Terrain shape = source->shape();
    return {std::move(shape), std::move(source)};
}

Picture drawn(const std::vector<Subject>& subjects, const RenderSettings& settings,
              const RenderRequest& request, Terminal& terminal) {
    std::vector<Picture> pictures;
    ContactSheetOptions sheet;
    sheet.columns = settings.columns;
    std::string path;
    Land land;
    for (const Subject& subject : subjects) {
        // The relief of a file is often followed by maps of its fields.
        if (subject.path != path) land = read_land(subject.path, settings, terminal);
        path = subject.path;
        // Drivers that draw cannot be asked to stop.
        EndsAtOnce only_drawing(terminal.last_words());
        pictures.push_back(drawn(subject, land, settings, request, terminal));
        if (settings.sheet) sheet.captions.push_back(subject.caption());
        terminal.progress().check();
    }
    EndsAtOnce only_drawing(terminal.last_words());
    bool alone = pictures.size() == 1 && !settings.sheet;
    return alone ? std::move(pictures[0]) : contact_sheet(pictures, sheet);
}

// A picture of a turntable.
std::string frame_name(const std::string& output, int number) { return numbered_path(output, number, 4); }

int draw_turntable(const std::vector<Subject>& subjects, const RenderSettings& settings,
                   const RenderRequest& request, Terminal& terminal) {
    if (subjects.size() != 1 || settings.sheet) throw Error("render: a turntable shows one terrain");
    const Subject& subject = subjects.front();
    Terrain terrain = read_subject_file(subject.path, settings, terminal);
    SceneRequest scene = scene_request(subject, terrain, settings, request);
    for (int number = 1; number <= settings.scene.turntable; number++)
        check_writable(frame_name(settings.output, number), FileKind::picture);
    terminal.begin("drawing " + settings.output);
    terminal.progress().expect(settings.scene.turntable);
    int number = 0;
    std::optional<EndsAtOnce> only_drawing(terminal.last_words());
    draw_scene(terrain, settings.scene, scene, [&](const Picture& picture) {
        only_drawing.reset();
        std::string name = frame_name(settings.output, ++number);
        write_picture(picture, name, {});
        note_written(name);
        terminal.progress().advance(1);
        only_drawing.emplace(terminal.last_words());
    });
    only_drawing.reset();
    terminal.end();
    return 0;
}

// Options that the view which was asked for does not have.
void check_view(RenderSettings& settings, const std::set<std::string>& given) {
    bool scene = settings.view == PictureView::scene;
    static const std::vector<std::string> of_maps = {"hillshade", "crisp", "longest-side", "enlarge"};
    for (const std::string& name : scene ? of_maps : SceneSettings::names())
        if (given.contains(name))
            throw Error(fmt::format("render: --{} is for --view {}", name, scene ? "map" : "3d"));
    if (scene) settings.scene.prepare();
}

}  // namespace

void RenderSettings::describe(Declaration& d) {
    d.file("output", output).letter('o').help("picture to write, .png");
    d.choice("view", view, {"map", "3d"}).help("how the terrain is looked at");
    d.text("size", size).help("of the picture, WIDTHxHEIGHT pixels: all of the terrain is fitted in");
    d.field("field", field).help("draws this field instead of the relief");
    d.text("scheme", scheme).help("colours: " + listed(colour_scheme_names(), "or"));
    d.interval("values", values).help("where the colours begin and end; 0:0: as the scheme says");
    d.choice("hillshade", hillshade, {"none", "single", "multi"})
        .help("light from one side, from four, or none; a field has none unless asked");
    d.table("sun", sun)
        .unit("degrees")
        .help("where the light comes from: clockwise from north, and above the horizon");
    d.number("exaggeration", exaggeration)
        .range(0.01, 1000)
        .slider(0.5, 5)
        .help("heights are multiplied by this before shading");
    d.text("contours", contours)
        .unit("m")
        .help("from one contour line to the next; auto: as suits the scale; 0: none");
    d.text("grid", grid).unit("m").help("from one grid line to the next; auto: as suits the scale; 0: none");
    d.number("sea-level", sea_level)
        .range(-1e6, 1e6)
        .unit("m")
        .help("where water begins, in schemes with a sea");
    d.flag("water", water).help("draws the field 'water' in blue, by its depth");
    d.words("lines", lines)
        .help(
            "line sets to draw: files (.gpkg, .geojson, .shp), FILE:LAYER, or names of lines of a document");
    d.words("line-colour", line_colours)
        .help(
            "of those, one for each set or one for all, RRGGBB in hexadecimal digits; each its own unless "
            "given");
    d.number("line-width", line_width).range(0.1, 100).slider(0.5, 10).unit("pixels").help("of those");
    d.flag("legend", legend).help("what the colours mean, and a scale bar");
    d.flag("crisp", crisp).help("cells larger than a pixel as squares");
    d.number("lettering", lettering).range(0.5, 8).help("lines and letters are so many times as large");
    d.integer("longest-side", longest_side)
        .range(1, largest_picture)
        .unit("pixels")
        .help("of each terrain; larger ones are averaged down to this");
    d.integer("enlarge", enlarge)
        .range(1, 64)
        .help("pixels for every cell, each way; fewer where the longest side would not hold them");
    d.flag("sheet", sheet).help("the terrains side by side, each over its name");
    d.integer("columns", columns)
        .range(0, 1000)
        .help("of a picture of several terrains; 0: one row, or rows of four where there are more");
    d.number("cell", file.cell).range(0, 1e6).unit("m").help("cell size; 0: as the file says");
    d.interval("range", file.range).unit("m").help("heights that 0 and 1 stand for; 0:0: as the file says");
    d.text("raw-size", file.size).help("of .r16, .raw and .r32, WIDTHxHEIGHT cells; a square unless given");
    scene.describe(d);
    file.meaning.describe(d);
    document.describe(d);
    document.compute.describe(d);
    quiet.describe(d);
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
    check_view(settings, given);
    RenderRequest request = read_request(settings, given);
    std::vector<Subject> subjects;
    for (const std::string& word : files) subjects.push_back(read_subject(word, settings.field));
    bool has_maps =
        std::ranges::any_of(subjects, [](const Subject& subject) { return !subject.field.empty(); });
    if (given.contains("values") && !has_maps && !request.chosen_scheme)
        throw Error(
            "render: --values is for maps of a field and for schemes: with --field, FILE:FIELD or --scheme");

    if (const std::string& bookmark = settings.scene.bookmark; !bookmark.empty())
        for (Subject& subject : subjects) subject.camera = bookmarked_camera(subject.path, bookmark);

    Terminal terminal(settings.quiet.loudness());
    if (settings.view == PictureView::scene && settings.scene.turntable > 0)
        return draw_turntable(subjects, settings, request, terminal);
    Picture picture = drawn(subjects, settings, request, terminal);
    terminal.begin("writing " + settings.output);
    write_picture(picture, settings.output, {&terminal.progress(), nullptr});
    terminal.end();
    return 0;
}

}  // namespace caprock::cli

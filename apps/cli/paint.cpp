#include "paint.h"

#include "base/error.h"
#include "base/telling.h"
#include "base/text.h"
#include "base/text_file.h"
#include "brush_words.h"
#include "document/document_lines.h"
#include "document/document_terrain.h"
#include "document_access.h"
#include "files.h"
#include "outcome.h"
#include "painting/brush_text.h"
#include "painting/picture.h"
#include "painting/stroke.h"
#include "painting/target.h"

#include <algorithm>
#include <fmt/format.h>

namespace caprock::cli {

namespace {

// A day of drawing has a few hundred megabytes.
constexpr size_t longest_strokes = size_t(1) << 30;

struct PaintSettings {
    std::string brush = "raise";
    std::string layer;
    bool mask = false;
    std::string stroke;
    LinesValue along;
    std::string strokes;
    std::string copy_from;
    std::string record;
    std::string as_lines;
    uint32_t stroke_seed = 1;
    ComputeSettings compute;
    ChangeSettings change;

    void describe(Declaration& d) {
        d.text("brush", brush)
            .help("one that 'caprock brushes' lists, a file of one (.json), or any operation");
        d.text("layer", layer)
            .help(
                "its number or name; without, the uppermost painted one for the brush's field, or a new one");
        d.flag("mask", mask).help("paint on the layer's mask");
        d.text("stroke", stroke)
            .help(
                "\"x,y[,pressure] x,y ...\", metres and 0 to 1; may be given several times, each a stroke of "
                "its own");
        d.lines("along", along)
            .help(
                "lines that are followed, each a stroke of its own: @FILE, or @NAME of lines of the "
                "document");
        d.file("strokes", strokes).help("strokes to be drawn again, as --record writes them (.json)");
        d.file("copy-from", copy_from)
            .help("terrain or document that a brush copies from, in place of this document");
        d.file("record", record)
            .help("write all strokes of this call to a file, to be drawn again by --strokes");
        d.text("as-lines", as_lines)
            .help("name of lines of the document that the strokes become, besides being painted");
        d.seed("stroke-seed", stroke_seed)
            .help("of brushes that are random: of the first stroke, the next ones have the next numbers");
        compute.describe(d);
        change.describe(d);
    }
};

// What is noted of a brush is noted before the other options are read.
Loudness early_loudness(const std::vector<std::string>& words) {
    return std::ranges::count(words, "--quiet") + std::ranges::count(words, "-q") > 0 ? Loudness::quiet
                                                                                      : Loudness::normal;
}

// The value of an option that is looked at before all others.
std::string early_value(const std::vector<std::string>& words, const std::string& name,
                        const std::string& otherwise) {
    for (size_t i = 0; i < words.size(); i++) {
        if (words[i] == "--" + name && i + 1 < words.size()) return words[i + 1];
        if (words[i].starts_with("--" + name + "=")) return words[i].substr(name.size() + 3);
    }
    return otherwise;
}

std::vector<Stroke> strokes_of(const std::string& path, Terminal& terminal) {
    EndsAtOnce only_reading(terminal.last_words());
    try {
        return parse_strokes(text_of_file(path, longest_strokes, "those are no strokes"),
                             [&](const std::string& message) { terminal.warn(message); });
    } catch (const Error& error) {
        throw Error(fmt::format("cannot read '{}': {}", path, error.what()));
    }
}

// Lines of a file, or of the document, those that its layers make among them.
LineSet lines_along(Document& document, const LinesValue& along, RunContext& context) {
    const DocumentState& state = document.state();
    if (!along.is_named()) return along.placed_on(shape_of(state)).lines();
    if (const LineSet* lines = find_lines(state, along.name())) return *lines;
    // Of the terrain that is shown, whose first cell may be another one.
    const WorldPoint first = state.grid.place_of(state.window.left, state.window.top);
    NamedLines made = DocumentTerrain(document, context).lines();
    std::vector<std::string> names;
    for (const auto& [name, lines] : made) {
        if (name == along.name()) return moved_by(lines, first.x, first.y);
        names.push_back(name);
    }
    throw Error(
        fmt::format("paint: the document has no lines '{}'{}", along.name(),
                    names.empty() ? "; 'document import-lines' takes some" : "; it has " + listed(names)));
}

// Where they went, to the last bit.
LineSet ways_of(const std::vector<Stroke>& strokes) {
    std::vector<Line> lines;
    for (const Stroke& stroke : strokes) {
        Line& line = lines.emplace_back();
        for (const PenSample& sample : stroke.samples) line.points.emplace_back(sample.x, sample.y);
        line.attributes["brush"] = stroke.brush_name;
    }
    return LineSet(std::move(lines));
}

std::vector<PenSample> samples_of(const Line& line) {
    std::vector<PenSample> samples;
    auto add = [&](const LinePoint& point) {
        PenSample sample;
        sample.x = point.x;
        sample.y = point.y;
        samples.push_back(sample);
    };
    for (const LinePoint& point : line.points) add(point);
    if (line.closed && line.points.size() > 1) add(line.points.front());
    return samples;
}

}  // namespace

int paint_command(const std::vector<std::string>& words) {
    PaintSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    Terminal notes(early_loudness(words));
    TypedBrush typed(early_value(words, "brush", settings.brush), notes);
    std::vector<std::string> stroke_texts;
    std::set<std::string> given;
    std::vector<std::string> names = option_names(declaration);
    for (const std::string& name : typed.names()) names.push_back(name);
    std::vector<std::string> others = read_options(
        Words(words), "paint",
        [&](const OptionWord& option, Words& rest) {
            if (option.name == "stroke" && !option.is_letter) {
                if (!option.has_value && rest.empty()) throw Error("--stroke needs a value: \"x,y x,y ...\"");
                stroke_texts.push_back(option.has_value ? option.value : rest.take());
                return true;
            }
            return apply_option(declaration, option, rest, given) || typed.apply(option, rest);
        },
        names);
    if (others.size() != 1 || !is_project_name(others[0]))
        throw Error(
            "paint: takes one document: caprock paint P.caprock --brush NAME --stroke \"x,y x,y ...\"");
    const int ways =
        int(!stroke_texts.empty()) + int(!settings.strokes.empty()) + int(settings.along.given());
    if (ways != 1) throw Error("paint: takes --stroke \"x,y x,y ...\", --along @LINES or --strokes FILE");

    std::vector<Stroke> strokes;
    const Brush brush = settings.strokes.empty() ? typed.brush(notes) : Brush();
    auto add_stroke = [&](std::vector<PenSample> samples) {
        Stroke& stroke = strokes.emplace_back();
        stroke.brush = brush;
        stroke.brush_name = typed.plain_name();
        stroke.samples = std::move(samples);
        stroke.seed = settings.stroke_seed + uint32_t(strokes.size() - 1);
    };
    if (!settings.strokes.empty()) strokes = strokes_of(settings.strokes, notes);
    for (const std::string& text : stroke_texts) add_stroke(parse_samples(text));
    if (!settings.as_lines.empty()) check_line_name(settings.as_lines);
    DocumentSession session(others[0], settings.change);
    Terminal& terminal = session.terminal();
    const Grid grid = session.state().grid;
    RunContext context = settings.compute.context(terminal, grid.extent.cells());
    if (settings.along.given()) {
        const LineSet along = lines_along(session.document(), settings.along, context);
        for (const Line& line : along.lines()) add_stroke(samples_of(line));
    }
    for (const Stroke& stroke : strokes) stroke.brush.check(grid);
    std::optional<Terrain> other;
    if (!settings.copy_from.empty()) other = read_file(settings.copy_from, FileSettings(), terminal);
    if (settings.mask && settings.layer.empty()) throw Error("paint: --mask needs --layer: whose mask?");

    for (Stroke& stroke : strokes) {
        if (settings.layer.empty()) continue;
        stroke.layer = session.layer(settings.layer);
        stroke.mask = settings.mask;
    }
    // Where it cannot be kept, nothing is painted.
    if (!settings.record.empty()) write_text_file(strokes_text(strokes), settings.record);
    for (Stroke& stroke : strokes) {
        if (other) stroke.brush.copied = copied_from(*other, stroke.brush.settings.field, grid);
        PaintTarget target = stroke.layer != 0
                                 ? PaintTarget{stroke.layer, stroke.brush.settings.field, stroke.mask}
                                 : target_for(session.document(), stroke.brush);
        draw(session.document(), stroke, target, context);
        // Each stroke is a change of its own: those before an interrupt stay.
        note_written(others[0]);
    }
    if (!settings.as_lines.empty()) set_lines(session.document(), settings.as_lines, ways_of(strokes));
    return session.finish();
}

std::string paint_options() {
    return settings_help<PaintSettings>() + "\nsettings of every brush\n" + settings_help<BrushSettings>();
}

std::vector<std::string> paint_option_names() {
    std::vector<std::string> names = settings_names<PaintSettings>();
    for (const std::string& name : settings_names<BrushSettings>()) names.push_back(name);
    names.emplace_back("bind");
    return names;
}

const char* const paint_remark =
    "  Strokes are in metres from the document's first cell, x to the east and y to the south; each is one "
    "step of the\n"
    "  history. Parameters of the brush's operation can be given, too: --octaves 5, and --operation.radius "
    "20 where the\n"
    "  brush has a setting of that name itself. --bind PARAMETER=SOURCE lets a parameter follow the pen: "
    "direction,\n"
    "  pressure, centre-height ...\n"
    "    caprock paint land.caprock --brush raise --radius 150 --strength 40 --stroke \"500,500 900,700 "
    "1500,650\"\n"
    "    caprock paint land.caprock --brush thermal-erosion --steps 20 --strength 0.8 --stroke \"500,500 "
    "900,700\"\n"
    "    caprock paint land.caprock --brush raise --radius 30 --along @roads.gpkg\n"
    "    caprock paint land.caprock --brush road --stroke \"500,500 900,700\" --as-lines roads\n"
    "    caprock paint land.caprock --brush clone --from 3000,2000 --stroke \"800,900 1100,950\"\n"
    "    caprock paint land.caprock --layer Snow --mask --brush mask --stroke \"500,500 900,700\"\n";

// ---- brushes ---------------------------------------------------------------------------------------------

namespace {

struct BrushesSettings {
    std::string output;
    QuietSettings quiet;
    void describe(Declaration& d) {
        d.file("output", output).letter('o').help("write the brush, as it is set here, to a file (.json)");
        quiet.describe(d);
    }
};

std::string group_of(const Brush& brush) {
    if (!brush.operation) return "what is there";
    return std::string(brush.operation->room());
}

int list_brushes() {
    std::map<std::string, std::string> groups;
    for (const std::string& name : brush_names()) {
        Brush brush = brush_named(name);
        groups[group_of(brush)] += fmt::format("  {:<16} {}\n", name, one_line(brush.about));
    }
    std::string text;
    for (const auto& [group, lines] : groups)
        text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", group, lines);
    say("{}\nAny operation is a brush, too: 'caprock list' names them.\n", text);
    return 0;
}

}  // namespace

int brushes_command(const std::vector<std::string>& words) {
    if (words.empty()) return list_brushes();
    if (OptionWord::is_option(words[0]))
        throw Error("brushes: the brush comes first: caprock brushes raise --radius 50");
    Terminal terminal(early_loudness(words));
    TypedBrush typed(words[0], terminal);
    BrushesSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    std::set<std::string> given;
    std::vector<std::string> names = option_names(declaration);
    for (const std::string& name : typed.names()) names.push_back(name);
    std::vector<std::string> others = read_options(
        Words({words.begin() + 1, words.end()}), "brushes",
        [&](const OptionWord& option, Words& rest) {
            return apply_option(declaration, option, rest, given) || typed.apply(option, rest);
        },
        names);
    if (!others.empty()) throw Error(fmt::format("brushes: '{}' is not expected here", one_line(others[0])));
    Brush brush = typed.brush(terminal);
    brush.check(Grid());
    if (settings.output.empty()) {
        say("{}", brush_text(brush));
    } else {
        write_text_file(brush_text(brush), settings.output);
    }
    return 0;
}

std::string brushes_options() { return settings_help<BrushesSettings>(); }
std::vector<std::string> brushes_option_names() { return settings_names<BrushesSettings>(); }

const char* const brushes_remark =
    "  Without a name, lists them. With one, prints the brush as JSON, with whatever is set behind its name: "
    "settings of\n"
    "  brushes ('caprock help paint') and parameters of its operation. A file of it is a brush of your own.\n"
    "    caprock brushes raise --radius 40 --strength 5 -o gentle.json\n"
    "    caprock paint land.caprock --brush gentle.json --stroke \"500,500 900,700\"\n";

}  // namespace caprock::cli

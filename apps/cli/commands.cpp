#include "commands.h"

#include "assess_command.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/telling.h"
#include "base/text.h"
#include "benchmarks.h"
#include "chain.h"
#include "completions.h"
#include "compute/devices.h"
#include "document_command.h"
#include "document_source.h"
#include "edit_command.h"
#include "files.h"
#include "formats/format_table.h"
#include "formats/line_files.h"
#include "kernel_command.h"
#include "line_outputs.h"
#include "operation/presets.h"
#include "options.h"
#include "paint.h"
#include "render.h"
#include "report.h"
#include "settings.h"

#include <fmt/format.h>
#include <map>
#include <set>

namespace caprock::cli {

namespace {

// ---- list and help ---------------------------------------------------------------------------------------

int list_operations(const std::vector<std::string>& words) {
    if (!words.empty()) throw Error(fmt::format("list: takes no words, but was given '{}'", words[0]));
    std::string room;
    for (const std::string& name : operation_names()) {
        std::unique_ptr<Operation> operation = make_operation(name);
        if (operation->room() != room) {
            say("{}{}\n", room.empty() ? "" : "\n", operation->room());
            room = operation->room();
        }
        say("  {:<20} {}\n", name, operation->schema().summary());
    }
    return 0;
}

// Together with those that begin with the same operation: it says most about the land that comes out.
int list_presets() {
    std::map<std::string, std::vector<std::string>> groups;
    for (const std::string& name : preset_names()) {
        Recipe recipe = preset(name);
        std::string_view group = recipe.operations.empty() ? "" : recipe.operations.front()->name();
        groups[std::string(group)].push_back(fmt::format("  {:<20} {}\n", name, one_line(recipe.title)));
    }
    std::string text;
    for (const auto& [group, lines] : groups)
        text += fmt::format("{}from {}\n{}", text.empty() ? "" : "\n", group, fmt::join(lines, ""));
    say("{}", text);
    return 0;
}

int presets_command(const std::vector<std::string>& words) {
    if (words.empty()) return list_presets();
    if (words.size() > 1) throw Error("presets: takes one name: caprock presets NAME");
    if (!is_preset(words[0])) {
        std::string nearest = suggestion(words[0], preset_names());
        throw Error(fmt::format("presets: no preset '{}'{}", one_line(words[0]),
                                nearest.empty() ? "; 'caprock presets' lists them" : nearest));
    }
    say("{}", recipe_text(preset(words[0])));
    return 0;
}

std::string reach_text(Reach::Kind kind) {
    switch (kind) {
        case Reach::Kind::point:
            return "each cell by itself";
        case Reach::Kind::area:
            return "the cells around each";
        case Reach::Kind::whole:
            return "the whole terrain";
        case Reach::Kind::steps:
            return "step by step, the cells around each";
        case Reach::Kind::fold:
            return "each cell by itself, and a few numbers of all";
    }
    return "";
}

int help_operation(const std::string& name) {
    std::unique_ptr<Operation> operation = operation_meant(name);
    const FieldUse use = operation->fields();
    const Schema& schema = operation->schema();
    say("caprock {}{} [--parameter value ...] [then ...] [-o FILE]\n\n  {}\n",
        use.generator() ? "" : "FILE then ", name, schema.summary());
    if (!schema.source().empty()) say("  after: {}\n", schema.source());
    say("\n");
    auto line = [](const char* what, const std::vector<std::string>& fields) {
        if (!fields.empty()) say("  {:<7} {}\n", what, listed(fields));
    };
    auto with_lines = [](std::vector<std::string> names, const std::vector<std::string>& lines) {
        for (const std::string& name : lines) names.push_back("the lines " + name);
        return names;
    };
    line("reads", with_lines(use.inputs, use.line_inputs));
    line("may use", use.optional_inputs);
    line("writes", with_lines(use.outputs, use.line_outputs));
    say("  {:<7} {}\n\nparameters\n{}", "reach", reach_text(operation->reach(Grid()).kind()),
        options_help(*operation));
    if (std::ranges::any_of(schema.parameters(), &Parameter::varies))
        say("\n@MAP is a number for each cell: @FIELD:LOW..HIGH, where LOW and HIGH are what 0 and 1 of the "
            "field "
            "stand for,\n@FIELD, whose cells are the numbers, or the same of a file: "
            "@FILE:FIELD:LOW..HIGH\n");
    say("\nTogether with the options of every run: caprock help run\n");
    return 0;
}

int help_command(const std::vector<std::string>& words) {
    if (words.empty()) {
        say("{}", usage());
        return 0;
    }
    if (words[0] == "document") {
        if (words.size() > 2) throw Error("help: takes one command of documents: caprock help document add");
        say("{}", words.size() == 1 ? document_help() : document_help(words[1]));
        return 0;
    }
    if (words.size() > 1) throw Error("help: takes one operation or command");
    for (const Command& command : commands()) {
        if (command.name != words[0]) continue;
        say("caprock {} {}\n\n  {}\n", command.name, command.arguments, command.summary);
        if (*command.remark) say("\n{}", command.remark);
        if (command.options) say("\noptions\n{}", command.options());
        return 0;
    }
    if (!means_operation(words[0])) {
        std::vector<std::string> all = operation_names();
        for (const Command& command : commands()) all.emplace_back(command.name);
        std::string nearest = suggestion(words[0], all);
        throw Error(fmt::format("help: no operation or command '{}'{}", words[0],
                                nearest.empty() ? "; see 'caprock help'" : nearest));
    }
    return help_operation(words[0]);
}

// ---- files -----------------------------------------------------------------------------------------------

struct InfoSettings {
    bool json = false;
    FileSettings file;
    DocumentReading document;
    QuietSettings quiet;
    void describe(Declaration& d) {
        d.flag("json", json).help("machine-readable");
        file.describe(d);
        document.describe(d);
        document.compute.describe(d);
        quiet.describe(d);
    }
};

// A window at a time, where memory is said to be short, or is too short for all of it.
TerrainFacts facts_of_file(const std::string& path, const InfoSettings& settings, Terminal& terminal) {
    auto in_windows = [&](TerrainSource& source) {
        terminal.begin("reading " + path);
        TerrainFacts facts = facts_of(source, &terminal.progress());
        terminal.end();
        return facts;
    };
    if (settings.document.memory.bytes() == 0) {
        try {
            return facts_of(read_file(path, settings.file, terminal));
        } catch (const OutOfMemory&) {
            terminal.end();
        }
    }
    return in_windows(*open_file(path, settings.file, terminal));
}

std::string info_of(const std::string& path, const InfoSettings& settings, Terminal& terminal) {
    if (!is_project_name(path)) {
        EndsAtOnce only_looking(terminal.last_words());
        if (const std::optional<LineFileWord> lines = line_input(path))
            return settings.json ? line_file_json(*lines) : line_file_text(*lines);
        const TerrainFacts facts = facts_of_file(path, settings, terminal);
        return settings.json ? info_json(facts, path) : info_text(facts, path);
    }
    check_document_settings(path, settings.file);
    DocumentSource source(path, settings.document, terminal);
    DocumentFacts document = facts_of(source.document());
    const uint64_t memory = settings.document.memory.bytes();
    TerrainFacts facts;
    if (memory > 0 && bytes_of(source) > memory) {
        source.prepare();
        facts = facts_of(source, nullptr);
    } else {
        facts = facts_of(source.read_all());
    }
    return settings.json ? info_json(facts, path, nullptr, &document) : info_text(facts, path, &document);
}

int info_command(const std::vector<std::string>& words) {
    InfoSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    std::set<std::string> given;
    std::vector<std::string> files = read_options(declaration, Words(words), "info", given);
    if (files.empty()) throw Error("info: takes files: caprock info FILE ...");
    Terminal terminal(settings.quiet.loudness());
    std::string text;
    for (size_t i = 0; i < files.size(); i++) {
        std::string one = info_of(files[i], settings, terminal);
        // Several files make a list.
        if (settings.json && files.size() > 1)
            one = (i == 0 ? "[" : ",") + one + (i + 1 == files.size() ? "]\n" : "");
        text += one;
    }
    say("{}", text);
    return 0;
}

// ---- the machine -----------------------------------------------------------------------------------------

int devices_command(const std::vector<std::string>& words) {
    if (!words.empty()) throw Error(fmt::format("devices: takes no words, but was given '{}'", words[0]));
    for (const DeviceDescription& device : list_devices())
        say("{:<44} {:<6} {:>4} units {:>11}  {}\n", device.name,
            device.name == "cpu" ? "cpu"
            : device.gpu         ? "gpu"
                                 : "opencl",
            device.compute_units, bytes_text(device.memory), device.platform);
    return 0;
}

struct BenchSettings {
    BenchmarkOptions options;
    QuietSettings quiet;
    void describe(Declaration& d) {
        d.integer("size", options.size).range(64, 32768).unit("cells").help("side of the square terrains");
        d.integer("repeats", options.repeats).range(1, 1000).help("runs of each; the best counts");
        d.integer("threads", options.threads).range(0, 1024).help("CPU threads; 0: one, then all");
        d.text("device", options.device).help("auto: the CPU and every GPU; or one by name");
        quiet.describe(d);
    }
};

int bench_command(const std::vector<std::string>& words) {
    BenchSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    std::set<std::string> given;
    std::vector<std::string> names = read_options(declaration, Words(words), "bench", given);
    settings.options.only = names;
    Terminal terminal(settings.quiet.loudness());
    settings.options.progress = &terminal.progress();
    settings.options.last_words = terminal.last_words();
    run_benchmarks(settings.options);
    return 0;
}

int completions_command(const std::vector<std::string>& words) {
    if (words != std::vector<std::string>{"bash"})
        throw Error("completions: takes the shell: caprock completions bash");
    say("{}", bash_completions());
    return 0;
}

constexpr const char* render_remark =
    "  FILE:FIELD draws that field of the file, whatever --field says. Several files make one picture of "
    "them all,\n"
    "  in boxes of equal size, with --sheet over their names. A topographic map:\n"
    "    caprock render hills.tif --size 1600x1200 --scheme swiss --contours auto --grid auto --legend -o "
    "map.png\n"
    "  Lines over it, from a file or of a document:\n"
    "    caprock render hills.tif --lines roads.gpkg --line-colour c0392b --line-width 3 -o roads.png\n"
    "  A scene, without a screen:\n"
    "    caprock render hills.tif --view 3d --orbit 200,30 --sun 300,35 -o scene.png\n";

const char* convert_remark() {
    static const std::string text =
        "  Reads whatever GDAL reads, and raw numbers. The ending of the other name decides what is "
        "written:\n" +
        written_formats_help() +
        "    .frontier.png                     height, hardness and solubility as red, green and blue\n" +
        line_formats_help() +
        "  Heights in feet become metres, and rows run from the north. Files go through windows and may be "
        "larger "
        "than\n"
        "  memory; only --json, whose statistics are of everything at once, holds all of it.\n";
    return text.c_str();
}

constexpr const char* kernel_remark =
    "  A file that ends in .kernel is an operation: its comments declare parameters, its text is compiled "
    "for every\n"
    "  device, by its driver or by g++ (CAPROCK_CXX names another, none: OpenCL alone):\n"
    "    caprock noise then normalise then ./rice.kernel --step 30 -o fields.tif\n"
    "    caprock help ./rice.kernel\n"
    "  It is code that runs in this process: take kernels, and recipes and documents that hold them, from "
    "people\n"
    "  you trust. CAPROCK_KERNELS=off allows none.\n";

constexpr const char* run_remark =
    "  A recipe is what --save-recipe wrote; 'caprock presets' lists the presets. A file goes before a "
    "preset of\n"
    "  its name. Recipes and presets have a size, cell, range and seeds of their own, which stay unless "
    "given here;\n"
    "  the defaults below are those of a chain typed on the command line. Of a document (P.caprock), what is "
    "shown is\n"
    "  computed and written; its size, cell and range are changed by 'caprock document'.\n\n"
    "  A chain, and a recipe, may take from more than one place. 'as NAME' behind an operation or a file "
    "gives what there is\n"
    "  then a name, 'from NAME' goes on with that, and 'take NAME.FIELD as FIELD' or 'take FILE:FIELD as "
    "FIELD' adds a field\n"
    "  of it, resampled where it lies on another grid:\n"
    "    caprock noise as base then smooth --radius 80 as soft then from base then take soft.height as "
    "source \\\n"
    "      then blend --source source --opacity 0.5 -o calm.tif\n"
    "    caprock noise then take rock.tif as hardness then thermal-erosion -o land.tif\n"
    "  Lines are taken alike, from a .gpkg, .geojson or .shp, and parameters name them with an @; a chain "
    "that "
    "makes lines\n"
    "  writes them where a name ends so, all of them or FILE:NAME:\n"
    "    caprock land.tif then take roads.gpkg as roads then road --path @roads --lines built -o new.tif -o "
    "built.gpkg\n"
    "    caprock land.tif then contours --interval 50 -o contours.geojson\n";

}  // namespace

const std::vector<Command>& commands() {
    static const std::vector<Command> all = {
        {"list", "", "every operation, by what it does", list_operations},
        {"help", "[OPERATION|COMMAND]", "what an operation or a command takes", help_command},
        {"document", "SUBCOMMAND P.caprock",
         "layers in a project file; 'help document' lists what can be done", document_command},
        {"paint", "P.caprock --brush NAME --stroke \"x,y x,y ...\"",
         "draws strokes on a layer or a mask of a document", paint_command, paint_options, paint_option_names,
         paint_remark},
        {"brushes", "[NAME]", "every brush; or one as JSON, to start from: -o mine.json", brushes_command,
         brushes_options, brushes_option_names, brushes_remark},
        {"info", "FILE ...", "size, cell, range, statistics and fingerprint of every field", info_command,
         settings_help<InfoSettings>, settings_names<InfoSettings>},
        {"assess", "FILE ... [--like REFERENCE.tif]",
         "is it like real land? Measures, ranges, and what is unlike in words", assess_command,
         settings_help<AssessSettings>, settings_names<AssessSettings>, assess_remark()},
        {"convert", "FROM TO", "from one file format to another", convert_command,
         settings_help<RunCommandSettings>, settings_names<RunCommandSettings>, convert_remark()},
        {"render", "FILE ... -o PICTURE.png",
         "a relief map, a map of any field, or a scene in three dimensions", render_command,
         settings_help<RenderSettings>, settings_names<RenderSettings>, render_remark},
        {"presets", "[NAME]", "every preset; or one as a recipe, to start from: > mine.json",
         presets_command},
        {"run", "RECIPE|PRESET|DOCUMENT -o FILE", "makes what a recipe, a preset or a document describes",
         run_recipe_command, settings_help<RunCommandSettings>, settings_names<RunCommandSettings>,
         run_remark},
        {"kernel", "FILE.kernel ...", "checks kernels of your own; in a chain each is an operation",
         kernel_command, kernel_help, kernel_option_names, kernel_remark},
        {"edit", "[FILE]", "opens the editor: on a project, on elevation data, or on its start page",
         edit_command},
        {"devices", "", "what can compute here", devices_command},
        {"bench", "[NAME ...]", "how fast this machine is at it", bench_command, settings_help<BenchSettings>,
         settings_names<BenchSettings>},
        {"completions", "bash", "for: source <(caprock completions bash)", completions_command},
    };
    return all;
}

std::string usage() {
    std::string text =
        "caprock: terrain whose rock has hardness; the same bits everywhere\n\n"
        "  caprock OPERATION [--parameter value ...] [then OPERATION ...] [-o FILE]\n"
        "  caprock FILE then OPERATION ... -o FILE\n"
        "  caprock FILE then ./MINE.kernel ... -o FILE     an operation of your own: see 'caprock help "
        "kernel'\n"
        "  caprock FILE then take OTHER.tif as hardness then OPERATION ... -o FILE     see 'caprock help "
        "run'\n\n"
        "for example\n"
        "  caprock noise --size 1024 --seed 7 then thermal-erosion --steps 50 -o hills.tif\n"
        "  caprock render hills.tif -o hills.png\n"
        "  caprock run ridges -o ridges.tif\n\n"
        "commands\n";
    for (const Command& command : commands())
        text += fmt::format("  {:<34} {}\n", fmt::format("{} {}", command.name, command.arguments),
                            command.summary);
    text += "\noperations\n";
    for (const std::string& name : operation_names())
        text += fmt::format("  {:<34} {}\n", name, make_operation(name)->schema().summary());
    text += "\noptions of every run\n" + settings_help<ChainSettings>();
    return text;
}

}  // namespace caprock::cli

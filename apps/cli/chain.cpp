#include "chain.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/telling.h"
#include "base/text.h"
#include "base/text_file.h"
#include "chain_checkpoint.h"
#include "chain_inputs.h"
#include "chain_words.h"
#include "commands.h"
#include "compute/buffer.h"
#include "compute/devices.h"
#include "files.h"
#include "formats/formats.h"
#include "formats/terrain_reader.h"
#include "graph/execution_memory.h"
#include "graph/executor.h"
#include "graph/graph_source.h"
#include "kernel_command.h"
#include "line_outputs.h"
#include "link_words.h"
#include "operation/presets.h"
#include "options.h"
#include "outcome.h"
#include "report.h"
#include "settings.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace caprock::cli {

namespace {

namespace fs = std::filesystem;

// Everything the command line asked for.
struct ChainRequest {
    Recipe recipe;
    RunSettings settings;
    std::set<std::string> given;        // names of settings
    std::set<const Operation*> seeded;  // operations that were given a seed of their own
    std::vector<std::string> outputs;
    std::vector<std::string> line_outputs;  // those that are files of lines
    bool of_documents = false;  // 'caprock run' and 'convert', which take settings of documents, too
    DocumentReading document;
};

void add_output(ChainRequest& request, const std::string& output) {
    (is_line_output(output) ? request.line_outputs : request.outputs).push_back(output);
}

// An option of the run rather than of an operation.
bool apply_setting(ChainRequest& request, const OptionWord& option, Words& words) {
    Declaration common;
    request.settings.describe(common);
    if (request.of_documents) {
        request.document.describe_all(common);
    } else {
        request.document.memory.describe(common);
    }
    if (!apply_option(common, option, words, request.given)) return false;
    if (request.given.erase("output")) add_output(request, request.settings.output);
    return true;
}

std::vector<std::string> setting_names() { return settings_names<ChainSettings>(); }

// Settings into the request, the other words into the result.
std::vector<std::string> read_settings(ChainRequest& request, const std::vector<std::string>& all,
                                       const std::string& command) {
    auto apply = [&](const OptionWord& option, Words& words) {
        return apply_setting(request, option, words);
    };
    return read_options(Words(all), command, apply,
                        request.of_documents ? settings_names<RunCommandSettings>() : setting_names());
}

// ---- reading the chain -----------------------------------------------------------------------------------

[[noreturn]] void refuse_word(const std::string& word, bool first) {
    std::vector<std::string> names = operation_names();
    names.insert(names.end(), {take_word, from_word});
    bool command = false;
    for (const Command& known : commands()) {
        if (first) names.emplace_back(known.name);
        command |= word == known.name;
    }
    if (word.empty())
        throw Error("an empty word '' stands where an operation is expected; see 'caprock list'");
    if (command) throw Error(fmt::format("'{}' is a command, not an operation: it must come first", word));
    if (!first && looks_like_file(word))
        throw Error(fmt::format(
            "'{0}' is not an operation; a file to read comes first, one to write after -o, and 'take "
            "{0} as FIELD' takes a field of another",
            word));
    if (first && is_preset(word))
        throw Error(fmt::format("'{0}' is a preset, not an operation: caprock run {0} -o FILE", word));
    std::string nearest = suggestion(word, names);
    throw Error(fmt::format("no operation '{}'{}", word, nearest.empty() ? "; see 'caprock list'" : nearest));
}

// The file or the operation that a link begins with.
std::unique_ptr<Operation> read_head(ChainRequest& request, Words& words, bool first) {
    if (OptionWord::is_option(words.peek())) {
        if (!first)
            throw Error(fmt::format("'then' must be followed by an operation, not by '{}'", words.peek()));
        throw Error(fmt::format("'{}' cannot come first; begin with an operation or a file{}", words.peek(),
                                suggestion(words.peek(), {"--help", "--version"})));
    }
    std::string word = words.take();
    if (means_operation(word)) return operation_meant(word);
    if (!first || !looks_like_file(word)) refuse_word(word, first);
    request.recipe.file = word;
    return nullptr;
}

// One link of the chain: OPERATION options, 'from' or 'take' and what they are followed by, or for the first also FILE
// options.
void read_link(ChainRequest& request, const std::vector<std::string>& link, bool first,
               const std::set<std::string>& names) {
    Words words(link);
    auto apply = [&](const OptionWord& option, Words& left) { return apply_setting(request, option, left); };
    OtherOptions others{apply, setting_names(), "run"};
    if (is_link_word(words.peek())) return read_link_words(request.recipe, link, others, names);
    RecipeStep step;
    others.word = [&](const std::string& word, Words& left) {
        if (word != name_word) return false;
        read_name(left, step);
        return true;
    };
    std::unique_ptr<Operation> operation = read_head(request, words, first);
    std::set<std::string> given = read_parameters(operation.get(), std::move(words), others);
    if (operation) {
        if (given.contains("seed")) request.seeded.insert(operation.get());
        step.operation = request.recipe.operations.size();
        request.recipe.operations.push_back(std::move(operation));
    }
    request.recipe.steps.push_back(std::move(step));
}

// The run's seed is for every operation that was not given one of its own.
void spread_seed(ChainRequest& request) {
    if (!request.given.contains("seed")) return;
    for (const std::unique_ptr<Operation>& operation : request.recipe.operations) {
        if (request.seeded.contains(operation.get())) continue;
        if (operation->schema().find("seed")) operation->set("seed", request.settings.seed);
    }
}

ChainRequest read_chain(const std::vector<std::string>& words) {
    ChainRequest request;
    std::vector<std::vector<std::string>> links = links_of(words, "an operation or a file");
    const std::set<std::string> names = names_given(links);
    for (size_t i = 0; i < links.size(); i++) read_link(request, links[i], i == 0, names);
    spread_seed(request);
    std::vector<RecipeStep>& steps = request.recipe.steps;
    std::erase_if(steps, [](const RecipeStep& step) { return !step.operation && !is_linked(step); });
    if (std::ranges::none_of(steps, is_linked)) steps.clear();
    check_links(request.recipe);
    return request;
}

// Before the work starts: hours later it would be a pity.
void check_outputs(const ChainRequest& request) {
    for (const std::string& output : request.outputs) {
        if (is_project_name(output))
            throw Error(fmt::format(
                "cannot write '{0}': a document is made by 'caprock document new {0} --from FILE'",
                shown_path(output)));
        check_writable(output);
    }
    std::vector<std::string> all = request.outputs;
    for (const std::string& output : request.line_outputs) {
        all.push_back(line_output(output).path);
        check_writable(all.back(), FileKind::lines);
    }
    if (!request.settings.save_recipe.empty()) {
        check_writable(request.settings.save_recipe, FileKind::recipe);
        all.push_back(request.settings.save_recipe);
    }
    std::set<fs::path> taken;
    for (const std::string& output : all) {
        std::error_code unknown;
        // A relative name stays relative where no part of it exists.
        fs::path place = fs::weakly_canonical(fs::absolute(output, unknown), unknown);
        if (!taken.insert(unknown ? fs::path(output) : place).second)
            throw Error(fmt::format("two outputs are called '{}'; give each its own name", output));
    }
}

// ---- carrying it out -------------------------------------------------------------------------------------

Grid requested_grid(const RunSettings& settings) {
    Grid grid{Rect::of(requested_size(settings.size)), settings.cell, settings.range};
    grid.check();
    return grid;
}

ReadOptions read_options_of(const ChainRequest& request) {
    const std::string& file = request.recipe.file;
    const FileMeaning& files = request.settings.files;
    ReadOptions options;
    options.cell = request.recipe.cell;
    options.range = request.recipe.range;
    options.to_metres = files.to_metres;
    // What is said of a picture may be said of an output.
    options.meaning = files.meaning;
    options.only_if_picture = std::ranges::any_of(request.outputs, is_picture_name);
    options.byte_order = files.byte_order;
    if (request.given.contains("size")) {
        if (!is_raw_name(file))
            throw Error(fmt::format("--size is for new terrains and raw files; '{}' has its own", file));
        options.size = requested_size(request.settings.size);
    }
    return options;
}

// What was asked for about files must be about one of them.
void check_meaning(const ChainRequest& request) {
    std::vector<std::string> all = request.outputs;
    all.push_back(request.recipe.file);
    if (request.settings.files.meaning == PictureMeaning::frontier && request.recipe.file.empty() &&
        std::ranges::none_of(all, is_picture_name))
        throw Error("--as frontier is for pictures, and no .png is read or written here");
    if (request.given.contains("byte-order") && std::ranges::none_of(all, is_raw_name))
        throw Error("--byte-order is for .r16, .raw and .r32, and none is read or written here");
    if (request.given.contains("to-metres") && request.recipe.file.empty())
        throw Error("--to-metres is for files, and none is read here");
}

// How a file was read is part of the recipe, as it was typed.
constexpr const char* reading_options[] = {"to-metres", "as", "byte-order", "size"};

void note_reading(ChainRequest& request) {
    if (request.recipe.file.empty()) return;
    Declaration settings;
    request.settings.describe(settings);
    for (const char* name : reading_options)
        if (request.given.contains(name)) request.recipe.reading[name] = settings.value_text(name);
}

// What the recipe says of its file, unless it was given anew.
void apply_reading(ChainRequest& request) {
    Declaration settings;
    request.settings.describe(settings);
    for (const auto& [name, text] : request.recipe.reading) {
        if (std::ranges::find(reading_options, std::string_view(name)) == std::end(reading_options))
            throw Error(fmt::format("the recipe's \"reading\" has '{}'; a file is read with {}", name,
                                    listed({std::begin(reading_options), std::end(reading_options)})));
        if (request.given.insert(name).second) settings.set_text(name, text);
    }
}

// ---- where it begins -------------------------------------------------------------------------------------

void check_for_document(const ChainRequest& request) {
    for (const char* name : {"size", "cell", "range", "to-metres"})
        if (request.given.contains(name))
            throw Error(
                fmt::format("--{} is not for documents: '{}' knows its grid", name, request.recipe.file));
}

DocumentReading reading_of(const ChainRequest& request) {
    DocumentReading reading = request.document;
    reading.compute = {request.settings.device, request.settings.threads};
    return reading;
}

// Throws Error where there are settings of documents, and it is none.
void check_no_document(const ChainRequest& request, const std::string& path, const std::string& command) {
    for (const char* name : {"memory", "level", "field"})
        // How much a recipe may take at once is for everybody to say; a file goes through small windows anyway.
        if (request.given.contains(name) && !(command == "run" && std::string_view(name) == "memory"))
            throw Error(
                fmt::format("{}: --{} is for documents, and '{}' is none", command, name, shown_path(path)));
}

Terrain starting_terrain(const ChainRequest& request, Terminal& terminal) {
    if (request.recipe.file.empty()) {
        const Grid& grid = *request.recipe.grid;
        // What is surely needed, before hours are spent on what does not fit.
        std::set<std::string> fields;
        for (const std::unique_ptr<Operation>& operation : request.recipe.operations)
            for (const std::string& field : operation->fields().outputs) fields.insert(field);
        std::string in_fields = fields.size() > 1 ? fmt::format(" in {} fields", fields.size()) : "";
        require_memory(uint64_t(grid.extent.cells()) * sizeof(float) * std::max<size_t>(fields.size(), 1),
                       fmt::format("a terrain of {} x {} cells{}", grid.extent.width(), grid.extent.height(),
                                   in_fields));
        return Terrain(grid);
    }
    if (is_project_name(request.recipe.file)) {
        check_for_document(request);
        return DocumentSource(request.recipe.file, reading_of(request), terminal).read_all();
    }
    ReadOptions options = read_options_of(request);
    EndsAtOnce only_reading(terminal.last_words());
    terminal.begin("reading " + request.recipe.file);
    FileContext context{&terminal.progress(), [&](const std::string& message) { terminal.warn(message); }};
    Terrain terrain = read_terrain(request.recipe.file, options, context);
    terminal.end();
    return terrain;
}

// A snapshot after so many steps.
std::string snapshot_name(const std::string& output, int step) { return numbered_path(output, step, 6); }

// Formats that take certain grids only refuse others now, not after the work. Where an operation changes the grid, the
// place it will have then is not known yet.
void check_outputs_fit(const ChainRequest& request, const Terrain& start, const Grid& grid) {
    if (grid.extent != start.grid().extent) return;
    Terrain shape(grid);
    if (start.georeference()) shape.set_georeference(*start.georeference());
    for (const std::string& output : request.outputs) check_fits(shape, output);
    if (request.settings.snapshot_every > 0 && !request.outputs.empty())
        check_fits(shape, snapshot_name(request.outputs[0], request.settings.snapshot_every));
}

std::string timing_line(const Operation& operation, const Terrain& terrain, double seconds,
                        const Device& device) {
    double cells = double(terrain.rect().cells());
    return fmt::format("{:<20} {:>10.2f} ms {:>10.2f} M cells/s  {} ({})", operation.name(), seconds * 1e3,
                       cells / seconds / 1e6, device.name(), device.description().platform);
}

const Terrain& frame_of(const Terrain& terrain) { return terrain; }
Terrain frame_of(const TerrainSource& source) { return source.shape(); }

// Before anything runs: the names of the lines that there will be.
void check_line_outputs(const ChainRequest& request, const std::vector<std::string>& names) {
    for (const std::string& output : request.line_outputs) check_lines_for(line_output(output), names);
}

// Lines that operations made, and that are in no file.
void tell_lines_left(const ChainRequest& request, const Graph& graph, Terminal& terminal) {
    if (!request.line_outputs.empty() || request.outputs.empty()) return;
    std::vector<std::string> made;
    for (const std::string& name : graph.top().line_names())
        if (graph.top().find_lines(name)->node >= 0) made.push_back(name);
    if (!made.empty())
        terminal.warn(fmt::format("the lines {} were made and are in no file; '-o FILE.gpkg' writes them",
                                  listed(made)));
}

// What was made: a terrain, or a document that is computed while it is written.
template <typename Result>
void write_outputs(const ChainRequest& request, Result& result, Terminal& terminal) {
    FileContext files{&terminal.progress(), [&](const std::string& message) { terminal.warn(message); }};
    for (const std::string& output : request.outputs) {
        terminal.progress().check();
        terminal.begin("writing " + output);
        write_terrain(result, output, {request.settings.files.meaning, request.settings.files.byte_order},
                      files);
        terminal.end();
        note_written(output);
        terminal.remark("wrote " + output);
    }
    if (!request.line_outputs.empty())
        write_line_outputs(request.line_outputs, lines_of(result), frame_of(result), terminal);
}

void save_recipe(ChainRequest& request, Terminal& terminal) {
    if (request.settings.save_recipe.empty()) return;
    note_reading(request);
    write_recipe(recipe_text(request.recipe), request.settings.save_recipe);
    note_written(request.settings.save_recipe);
    terminal.remark("wrote " + request.settings.save_recipe);
}

// Before anything is read.
void prepare(ChainRequest& request) {
    check_outputs(request);
    check_meaning(request);
    // What is given now goes before what a recipe says.
    if (means_lines(request.recipe.file))
        throw Error(fmt::format(
            "'{0}' holds lines, and no land; begin with land, then 'take {0} as NAME' takes the lines",
            request.recipe.file));
    if (request.given.contains("cell")) request.recipe.cell = request.settings.cell;
    if (request.given.contains("range")) request.recipe.range = request.settings.range;
}

// What there is to begin with, for whoever takes it window by window.
std::unique_ptr<TerrainSource> source_of(const ChainRequest& request, Terminal& terminal) {
    const std::string& path = request.recipe.file;
    if (is_project_name(path)) {
        check_for_document(request);
        auto source = std::make_unique<DocumentSource>(path, reading_of(request), terminal);
        source->prepare();
        return source;
    }
    ReadOptions options = read_options_of(request);
    EndsAtOnce only_reading(terminal.last_words());
    terminal.begin("reading " + path);
    FileContext context{&terminal.progress(), [&](const std::string& message) { terminal.warn(message); }};
    std::unique_ptr<TerrainSource> reader = open_terrain(path, options, context);
    terminal.end();
    return reader;
}

RunContext context_of(const ChainRequest& request, const Terrain& start, Terminal& terminal) {
    RunContext context;
    const int64_t work = start.rect().cells() * chain_passes(request.recipe.operations, start.grid());
    context.device = choose_device(request.settings.device, request.settings.threads, work);
    context.threads = request.settings.threads;
    context.progress = &terminal.progress();
    context.tell = [&terminal](const std::string& message) { terminal.warn(message); };
    terminal.remark(
        fmt::format("device {} ({})", context.device->name(), context.device->description().platform));
    return context;
}

// What is asked for of everything at once, and so not of windows. Empty where there is no such thing.
std::string wanted_of_everything(const ChainRequest& request) {
    if (request.settings.json) return "--json";
    if (request.settings.ledger) return "--ledger";
    if (request.settings.snapshot_every > 0) return "--snapshot-every";
    return request.outputs.empty() && request.line_outputs.empty() ? "a chain without -o" : "";
}

// What a chain begins with, before any cell of it is in memory: a source, or nothing but a grid.
struct WindowedStart {
    std::unique_ptr<TerrainSource> source;
    Grid grid;
};

WindowedStart windowed_start(const ChainRequest& request, Terminal& terminal) {
    if (request.recipe.file.empty()) return {nullptr, *request.recipe.grid};
    std::unique_ptr<TerrainSource> source = source_of(request, terminal);
    const Grid grid = source->shape().grid();
    return {std::move(source), grid};
}

ChainStart chain_start(const WindowedStart& start) {
    return start.source ? start_from(*start.source) : ChainStart{start.grid, {}, {}};
}

// Of a terrain that does not fit in memory: the chain is computed as it is written.
int carry_out_in_windows(ChainRequest& request, const WindowedStart& start, const ChainInputs& inputs,
                         uint64_t memory, Terminal& terminal) {
    RunContext context = context_of(request, Terrain(start.grid), terminal);
    const std::unique_ptr<Checkpoint> checkpoint =
        checkpoint_for(request.settings, request.recipe, ChainWay::in_windows, terminal);
    context.checkpoint = checkpoint.get();
    GraphSource source(chain_graph(request.recipe.operations, chain_start(start),
                                   std::make_shared<TileStore>(memory / 2), inputs.links(context.tell)),
                       context, memory);
    source.check_windows(bytes_at_once(source.graph()));
    limit_kept_memory(memory);
    terminal.remark(fmt::format("in windows, with {} of memory", bytes_text(memory)));
    for (const std::string& output : request.outputs) check_fits(source.shape(), output);
    check_line_outputs(request, source.line_names());
    const std::string& beside = request.outputs.empty() ? request.line_outputs[0] : request.outputs[0];
    const fs::path folder = fs::path(beside).parent_path();
    source.evaluator().before = [&](const std::string& title) { terminal.begin(title); };
    source.run_simulations(folder.empty() ? "." : folder.string());
    source.evaluator().before = {};
    terminal.end();
    // From here on the bar is that of the file that is written.
    terminal.progress().expect(1);
    Progress unseen(terminal.progress(), 0);
    context.progress = &unseen;
    write_outputs(request, source, terminal);
    save_recipe(request, terminal);
    if (checkpoint) checkpoint->remove();
    return 0;
}

// Whether the chain would take more as a whole. Throws Error where it can be computed as a whole only.
bool exceeds(const ChainRequest& request, const WindowedStart& start, const ChainInputs& inputs,
             uint64_t most) {
    const uint64_t whole = bytes_at_once(chain_graph(request.recipe.operations, chain_start(start), nullptr,
                                                     inputs.links(), Composites::together));
    if (whole <= most) return false;
    if (const std::string wanted = wanted_of_everything(request); !wanted.empty())
        throw Error(fmt::format("{} is of everything at once, which takes {} of memory; --memory allows {}",
                                wanted, bytes_text(whole), bytes_text(most)));
    return true;
}

int carry_out(ChainRequest& request, Terminal& terminal) {
    prepare(request);
    const ChainInputs inputs(request.recipe, reading_of(request), terminal);
    if (const uint64_t memory = request.document.memory.bytes()) {
        const WindowedStart start = windowed_start(request, terminal);
        if (exceeds(request, start, inputs, memory))
            return carry_out_in_windows(request, start, inputs, memory, terminal);
    }
    auto warn = [&](const std::string& message) { terminal.warn(message); };
    Terrain terrain;
    std::optional<Graph> graph;
    try {
        terrain = starting_terrain(request, terminal);
        // Before a device is opened.
        // A simulation that is a part of another operation can be gone on with where it is a node of its own.
        graph = chain_graph(request.recipe.operations, whole_grid_from(terrain), nullptr, inputs.links(warn),
                            request.settings.checkpoint.empty() ? Composites::together : Composites::apart);
        if (request.settings.device == "cpu") check_memory(*graph);
    } catch (const OutOfMemory&) {
        // What does not fit goes through windows, where it can.
        if (!wanted_of_everything(request).empty()) throw;
        terminal.end();
        return carry_out_in_windows(request, windowed_start(request, terminal), inputs, machine_memory() / 4,
                                    terminal);
    }
    check_outputs_fit(request, terrain, graph->top().grid);
    check_line_outputs(request, graph->top().line_names());
    RunContext context = context_of(request, terrain, terminal);
    std::vector<LedgerLine> ledger;
    std::string running;
    if (request.settings.ledger || request.settings.json)
        context.enter = [&](const LedgerEntry& entry) { ledger.push_back({running, entry}); };
    if (request.settings.snapshot_every > 0) {
        if (request.outputs.empty())
            throw Error("--snapshot-every: frames are named after the output; give one with -o");
        context.snapshot_every = request.settings.snapshot_every;
        context.snapshot = [&](const Terrain& frame, int step) {
            std::string name = snapshot_name(request.outputs[0], step);
            write_terrain(frame, name, {nullptr, context.tell});
            note_written(name);
        };
    }
    const std::unique_ptr<Checkpoint> checkpoint =
        checkpoint_for(request.settings, request.recipe, ChainWay::whole, terminal);
    context.checkpoint = checkpoint.get();
    ChainListener listener;
    listener.before = [&](const Operation& operation) {
        running = operation.name();
        terminal.begin(running);
        if (request.settings.verbose) terminal.remark(operation_text(operation));
    };
    listener.after = [&](const Operation& operation, const Terrain& result, double seconds) {
        terminal.end();
        if (request.settings.timings)
            tell(fmt::format("{}\n", timing_line(operation, result, seconds, *context.device)));
    };
    Terrain result = Executor().run(*graph, context, listener);

    write_outputs(request, result, terminal);
    tell_lines_left(request, *graph, terminal);
    save_recipe(request, terminal);
    if (checkpoint) checkpoint->remove();
    if (request.settings.json) {
        std::string file = request.outputs.empty() ? "" : request.outputs[0];
        say("{}", info_json(facts_of(result), file, &ledger));
    } else {
        if (request.outputs.empty() && request.line_outputs.empty())
            say("{}", info_text(facts_of(result), "terrain"));
        if (request.settings.ledger) say("{}", ledger_text(ledger));
    }
    return 0;
}

// A file goes before the preset of its name; what looks like a file can only be one.
bool means_preset(const std::string& word) {
    std::error_code unknown;
    if (word.find('/') != std::string::npos || word.ends_with(".json")) return false;
    fs::file_status there = fs::status(word, unknown);
    return fs::is_directory(there) ? is_preset(word) : !fs::exists(there);
}

Recipe read_recipe(const std::string& word, Terminal& terminal) {
    auto tell = [&](const std::string& message) { terminal.warn(message); };
    if (means_preset(word)) {
        if (is_preset(word)) return preset(word, tell);
        std::string nearest = suggestion(word, preset_names());
        throw Error(fmt::format("run: there is no preset '{}', nor a file of that name{}", one_line(word),
                                nearest.empty() ? "; see 'caprock presets'" : nearest));
    }
    // A pipe may let one wait.
    EndsAtOnce only_reading(terminal.last_words());
    return read_recipe_file(word, tell);
}

int run_document(ChainRequest& request, const std::string& path, Terminal& terminal) {
    for (const char* name : {"size", "cell", "range", "to-metres", "seed", "save-recipe", "timings", "ledger",
                             "snapshot-every", "checkpoint", "checkpoint-every"})
        if (request.given.contains(name))
            throw Error(
                fmt::format("run: --{} is for recipes; '{}' is a document: see 'caprock help document'", name,
                            shown_path(path)));
    check_outputs(request);
    check_meaning(request);
    DocumentSource source(path, reading_of(request), terminal);
    for (const std::string& output : request.outputs) check_fits(source.shape(), output);
    if (!request.line_outputs.empty()) {
        std::vector<std::string> names;
        for (const auto& [name, lines] : source.lines()) names.push_back(name);
        check_line_outputs(request, names);
    }
    if (!(request.outputs.empty() && request.line_outputs.empty()) && !request.settings.json) {
        source.prepare();
        write_outputs(request, source, terminal);
        return 0;
    }
    // Statistics are of everything at once.
    Terrain result = source.read_all();
    write_outputs(request, result, terminal);
    const TerrainFacts facts = facts_of(result);
    say("{}", request.settings.json ? info_json(facts, request.outputs.empty() ? path : request.outputs[0])
                                    : info_text(facts, path));
    return 0;
}

// Nothing of the file is held but the windows that are on their way, so it may be larger than memory. The bytes are those that
// carry_out would write.
int convert_in_windows(ChainRequest& request, Terminal& terminal) {
    prepare(request);
    std::unique_ptr<TerrainSource> source = source_of(request, terminal);
    for (const std::string& output : request.outputs) check_fits(source->shape(), output);
    write_outputs(request, *source, terminal);
    save_recipe(request, terminal);
    if (request.settings.ledger) say("{}", ledger_text({}));
    return 0;
}

int convert_lines(const ChainRequest& request, const LineFileWord& from, Terminal& terminal) {
    if (!request.outputs.empty())
        throw Error(
            fmt::format("convert: '{}' holds lines, which '{}' cannot; write a .gpkg, .geojson or .shp",
                        from.path, request.outputs.front()));
    check_outputs(request);
    write_line_outputs(request.line_outputs, from, terminal);
    return 0;
}

}  // namespace

int run_chain_command(const std::vector<std::string>& words) {
    ChainRequest request = read_chain(words);
    if (request.recipe.file.empty()) request.recipe.grid = requested_grid(request.settings);
    Terminal terminal(request.settings.loudness());
    return carry_out(request, terminal);
}

int run_recipe_command(const std::vector<std::string>& words) {
    ChainRequest request;
    request.of_documents = true;
    std::vector<std::string> files = read_settings(request, words, "run");
    if (files.size() != 1)
        throw Error("run: takes one recipe: caprock run RECIPE.json|PRESET|P.caprock -o FILE");
    Terminal terminal(request.settings.loudness());
    if (is_project_name(files[0])) return run_document(request, files[0], terminal);
    check_no_document(request, files[0], "run");
    request.recipe = read_recipe(files[0], terminal);
    apply_reading(request);
    spread_seed(request);
    if (request.recipe.grid) {
        Grid& grid = *request.recipe.grid;
        // The same landscape at another size or resolution.
        if (request.given.contains("size")) grid.extent = requested_grid(request.settings).extent;
        if (request.given.contains("cell")) grid.cell = request.settings.cell;
        if (request.given.contains("range")) grid.range = request.settings.range;
        grid.check();
    }
    return carry_out(request, terminal);
}

int convert_command(const std::vector<std::string>& words) {
    ChainRequest request;
    request.of_documents = true;
    std::vector<std::string> files = read_settings(request, words, "convert");
    if (files.size() == 2) {
        std::vector<std::string> others = std::move(request.outputs);
        request.outputs.clear();
        add_output(request, files[1]);
        request.outputs.insert(request.outputs.end(), others.begin(), others.end());
    }
    if (files.empty() || files.size() > 2 || (request.outputs.empty() && request.line_outputs.empty()))
        throw Error("convert: takes two files: caprock convert FROM TO");
    request.recipe.file = files[0];
    if (!is_project_name(files[0])) check_no_document(request, files[0], "convert");
    Terminal terminal(request.settings.loudness());
    if (const std::optional<LineFileWord> lines = line_input(files[0]))
        return convert_lines(request, *lines, terminal);
    // Statistics are of everything at once.
    return request.settings.json ? carry_out(request, terminal) : convert_in_windows(request, terminal);
}

}  // namespace caprock::cli

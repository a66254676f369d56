#include "chain.h"

#include "base/error.h"
#include "base/text.h"
#include "compute/devices.h"
#include "formats/formats.h"
#include "operation/evaluate.h"
#include "operation/recipe.h"
#include "options.h"
#include "report.h"
#include "settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace caprock::cli {

namespace {

// Everything the command line asked for.
struct Request {
    Recipe recipe;
    RunSettings settings;
    std::set<std::string> given;
    std::vector<std::string> outputs;
};

void add_output(Request& request, const std::string& path) {
    namespace fs = std::filesystem;
    for (const std::string& other : request.outputs)
        if (fs::weakly_canonical(other) == fs::weakly_canonical(path))
            throw Error(fmt::format("two outputs are called '{}'; give each its own name", path));
    check_writable(path);
    request.outputs.push_back(path);
}

// An option of the run rather than of an operation.
bool apply_setting(Request& request, const OptionWord& option, Words& words) {
    Declaration common;
    request.settings.describe(common);
    if (!apply_option(common, option, words, request.given)) return false;
    if (request.given.erase("output")) add_output(request, request.settings.output);
    return true;
}

std::vector<std::string> setting_names() {
    RunSettings settings;
    Declaration common;
    settings.describe(common);
    return common.parameter_names();
}

// One link of the chain: [OPERATION] options.
void read_link(Request& request, const std::vector<std::string>& link, bool first) {
    Words words(link);
    std::unique_ptr<Operation> operation;
    Declaration own;
    bool seeded = false;
    if (!words.empty() && !OptionWord::is_option(words.peek())) {
        std::string word = words.take();
        if (first && !is_operation(word) && looks_like_file(word)) {
            request.recipe.file = word;
        } else {
            operation = make_operation(word);
            own = operation->declare();
        }
    }
    if (!operation && request.recipe.file.empty()) throw Error("'then' must be followed by an operation");
    std::string where = operation ? std::string(operation->name()) : "caprock";
    std::set<std::string> given_here;
    while (!words.empty()) {
        std::string word = words.take();
        try {
            if (!OptionWord::is_option(word))
                throw Error(fmt::format("'{}' is not expected here; operations are chained with 'then'", word));
            OptionWord option(word);
            if (operation && apply_option(own, option, words, given_here)) continue;
            if (apply_setting(request, option, words)) continue;
            std::vector<std::string> names = own.parameter_names();
            for (const std::string& name : setting_names()) names.push_back(name);
            throw Error(unknown_option_text(option, names));
        } catch (const Error& error) {
            throw Error(fmt::format("{}: {}", where, error.what()));
        }
    }
    seeded = given_here.contains("seed");
    if (!operation) return;
    // Remembered by a name no parameter has, until the run's seed is known.
    if (seeded) request.given.insert(fmt::format("seed of {}", request.recipe.operations.size()));
    request.recipe.operations.push_back(std::move(operation));
}

Request read_chain(const std::vector<std::string>& words) {
    Request request;
    std::vector<std::vector<std::string>> links(1);
    for (const std::string& word : words) {
        if (word == "then") {
            links.emplace_back();
        } else {
            links.back().push_back(word);
        }
    }
    for (size_t i = 0; i < links.size(); i++) {
        if (links[i].empty())
            throw Error(i == 0 ? "'then' comes after an operation or a file" : "'then' must be followed by an operation");
        read_link(request, links[i], i == 0);
    }
    if (request.given.contains("seed")) {
        for (size_t i = 0; i < request.recipe.operations.size(); i++) {
            if (request.given.contains(fmt::format("seed of {}", i))) continue;
            Declaration declaration = request.recipe.operations[i]->declare();
            if (Parameter* seed = declaration.find("seed")) seed->set_text(std::to_string(request.settings.seed));
        }
    }
    return request;
}

Grid requested_grid(const RunSettings& settings) {
    std::optional<Size> size = parse_size(settings.size);
    if (!size) throw Error(fmt::format("size {}: must be WIDTHxHEIGHT in cells, such as 1024x512", settings.size));
    Grid grid{Rect::of(*size), settings.cell, settings.range};
    grid.check();
    return grid;
}

Terrain starting_terrain(const Request& request, Terminal& terminal) {
    if (request.recipe.file.empty()) {
        const Grid& grid = *request.recipe.grid;
        // What is surely needed, before hours are spent on what does not fit.
        require_memory(uint64_t(grid.extent.cells()) * sizeof(float),
                       fmt::format("a terrain of {} x {} cells", grid.extent.width(), grid.extent.height()));
        return Terrain(grid);
    }
    if (request.given.contains("size"))
        throw Error(fmt::format("--size is for new terrains; '{}' has its own", request.recipe.file));
    ReadOptions options;
    if (request.given.contains("cell")) options.cell = request.settings.cell;
    if (request.given.contains("range")) options.range = request.settings.range;
    terminal.begin("reading " + request.recipe.file);
    FileContext context{&terminal.progress(), [&](const std::string& message) { terminal.warn(message); }};
    Terrain terrain = read_terrain(request.recipe.file, options, context);
    terminal.end();
    return terrain;
}

int64_t work_size(const Request& request, const Terrain& start) {
    int64_t passes = 0;
    for (const std::unique_ptr<Operation>& operation : request.recipe.operations)
        passes += std::max(1, operation->reach(start.grid()).halo().value_or(1));
    return start.rect().cells() * passes;
}

std::string timing_line(const Operation& operation, const Terrain& terrain, double seconds, const Device& device) {
    double cells = double(terrain.rect().cells());
    return fmt::format("{:<20} {:>10.2f} ms {:>10.2f} M cells/s  {} ({})", operation.name(), seconds * 1e3,
                       cells / seconds / 1e6, device.name(), device.description().platform);
}

int carry_out(Request& request) {
    Terminal terminal(request.settings.loudness());
    Terrain terrain = starting_terrain(request, terminal);
    RunContext context;
    context.device = choose_device(request.settings.device, request.settings.threads, work_size(request, terrain));
    context.progress = &terminal.progress();
    context.tell = [&](const std::string& message) { terminal.warn(message); };
    terminal.remark(fmt::format("device {} ({})", context.device->name(), context.device->description().platform));
    ChainListener listener;
    listener.before = [&](const Operation& operation) {
        terminal.begin(std::string(operation.name()));
        terminal.remark(operation_text(operation));
    };
    listener.after = [&](const Operation& operation, const Terrain& result, double seconds) {
        terminal.end();
        if (request.settings.timings)
            fmt::print(stderr, "{}\n", timing_line(operation, result, seconds, *context.device));
    };
    Terrain result = run_chain(request.recipe.operations, terrain, context, listener);

    FileContext files{&terminal.progress(), context.tell};
    for (const std::string& output : request.outputs) {
        terminal.begin("writing " + output);
        write_terrain(result, output, files);
        terminal.end();
        terminal.remark("wrote " + output);
    }
    if (!request.settings.save_recipe.empty()) {
        std::ofstream file(request.settings.save_recipe);
        file << recipe_text(request.recipe);
        file.close();
        if (!file) throw Error(fmt::format("cannot write '{}'", request.settings.save_recipe));
    }
    if (request.outputs.empty() && request.settings.save_recipe.empty()) fmt::print("{}", info_text(result, "terrain"));
    return 0;
}

}  // namespace

int run_chain_command(const std::vector<std::string>& words) {
    Request request = read_chain(words);
    if (request.recipe.file.empty()) request.recipe.grid = requested_grid(request.settings);
    return carry_out(request);
}

int run_recipe_command(const std::vector<std::string>& words) {
    Request request;
    Words left(words);
    std::vector<std::string> files;
    while (!left.empty()) {
        std::string word = left.take();
        if (!OptionWord::is_option(word)) {
            files.push_back(word);
            continue;
        }
        OptionWord option(word);
        if (!apply_setting(request, option, left))
            throw Error("run: " + unknown_option_text(option, setting_names()));
    }
    if (files.size() != 1) throw Error("run: takes one recipe: caprock run RECIPE.json -o FILE");
    std::ifstream file(files[0]);
    if (!file) throw Error(fmt::format("cannot read '{}': there is no such file", files[0]));
    std::stringstream text;
    text << file.rdbuf();
    Terminal terminal(request.settings.loudness());
    try {
        request.recipe =
            parse_recipe(text.str(), [&](const std::string& message) { terminal.warn(message); });
    } catch (const Error& error) {
        throw Error(fmt::format("'{}': {}", files[0], error.what()));
    }
    if (request.recipe.grid) {
        Grid& grid = *request.recipe.grid;
        // The same landscape at another size or resolution.
        if (request.given.contains("size")) grid.extent = requested_grid(request.settings).extent;
        if (request.given.contains("cell")) grid.cell = request.settings.cell;
        if (request.given.contains("range")) grid.range = request.settings.range;
        grid.check();
        request.given.clear();
    }
    return carry_out(request);
}

int convert_command(const std::vector<std::string>& words) {
    std::vector<std::string> files;
    std::vector<std::string> rest;
    for (const std::string& word : words) {
        bool is_file = !OptionWord::is_option(word) && (rest.empty() || !OptionWord::is_option(rest.back()) ||
                                                        rest.back() == "-q" || rest.back() == "-v");
        (is_file ? files : rest).push_back(word);
    }
    if (files.size() != 2) throw Error("convert: takes two files: caprock convert FROM TO");
    std::vector<std::string> chain = {files[0]};
    chain.insert(chain.end(), rest.begin(), rest.end());
    chain.insert(chain.end(), {"-o", files[1]});
    return run_chain_command(chain);
}

}  // namespace caprock::cli

#include "document_access.h"

#include "base/error.h"
#include "base/text.h"
#include "base/text_file.h"
#include "compute/buffer.h"
#include "compute/devices.h"
#include "document/plan.h"
#include "document/project_tile_store.h"
#include "document_command.h"
#include "document_source.h"
#include "formats/formats.h"
#include "graph/evaluator.h"
#include "outcome.h"
#include "view/relief.h"

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace caprock::cli {

namespace {

namespace fs = std::filesystem;

constexpr uint64_t least_memory = 16 << 20;
constexpr int thumbnail_side = 256;
// Another command is over by then; an editor is not.
constexpr std::chrono::seconds patience_with_others{3};
// What a command may spend on the thumbnail without anybody noticing.
constexpr double quick_seconds = 1;

void collect_layers(const std::vector<Layer>& layers, std::vector<const Layer*>& into) {
    for (const Layer& layer : layers) {
        into.push_back(&layer);
        collect_layers(layer.layers, into);
    }
}

std::set<std::string> problems_of(Document& document) {
    Plan plan(document.snapshot());
    return {plan.problems().begin(), plan.problems().end()};
}

// Cancels when time is up, or when the other progress is.
class Watch {
  public:
    Watch(Progress& watched, Progress& other, double seconds)
        : thread_([&watched, &other, seconds, this](std::stop_token stop) {
              auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
              std::unique_lock lock(guard_);
              while (!stop.stop_requested()) {
                  changed_.wait_for(lock, stop, std::chrono::milliseconds(20), [] { return false; });
                  bool late = seconds > 0 && std::chrono::steady_clock::now() > end;
                  if (late || other.cancelled()) watched.cancel();
              }
          }) {}

  private:
    std::mutex guard_;
    std::condition_variable_any changed_;
    std::jthread thread_;
};

// Pictures are written as files only.
std::string png_of(const Picture& picture) {
    std::string folder = (fs::temp_directory_path() / "caprock-XXXXXX").string();
    if (!mkdtemp(folder.data())) throw Error("the folder for temporary files cannot be written to");
    std::string path = folder + "/thumbnail.png";
    std::error_code ignored;
    try {
        write_picture(picture, path);
        std::string bytes = text_of_file(path);
        fs::remove_all(folder, ignored);
        return bytes;
    } catch (...) {
        fs::remove_all(folder, ignored);
        throw;
    }
}

}  // namespace

void check_project_name(const std::string& path) {
    if (!is_project_name(path))
        throw Error(fmt::format("'{}': the name of a project must end in .caprock", shown_path(path)));
    std::error_code unknown;
    fs::path folder = fs::path(path).parent_path();
    if (!folder.empty() && !fs::exists(folder, unknown))
        throw Error(fmt::format("'{}': the folder '{}' does not exist", shown_path(path), folder.string()));
}

// ---- settings --------------------------------------------------------------------------------------------

void MemorySettings::describe(Declaration& d) {
    d.text("memory", memory)
        .help(
            "the most to take, such as 512M or 2G; a quarter of the machine's for tiles of a document, and "
            "for "
            "chains what they need, unless given");
}

uint64_t MemorySettings::bytes() const {
    if (memory.empty()) return 0;
    std::optional<uint64_t> bytes = parse_bytes(memory);
    if (!bytes || *bytes < least_memory)
        throw Error(fmt::format("memory {}: must be a size such as 512M or 2G, at least {}", one_line(memory),
                                bytes_text(least_memory)));
    return *bytes;
}

void ChangeSettings::describe(Declaration& d) {
    memory.describe(d);
    d.flag("thumbnail", thumbnail).help("draws the thumbnail anew where that is quick");
    quiet.describe(d);
}

void ComputeSettings::describe(Declaration& d) {
    d.text("device", device).help("auto, cpu, gpu, opencl or part of a name that 'caprock devices' lists");
    d.integer("threads", threads).range(0, 1024).help("CPU threads; 0: as many as there are");
}

RunContext ComputeSettings::context(Terminal& terminal, int64_t cells) const {
    RunContext context;
    context.device = choose_device(device, threads, cells);
    context.threads = threads;
    context.progress = &terminal.progress();
    context.tell = [&terminal](const std::string& message) { terminal.warn(message); };
    return context;
}

// ---- words -----------------------------------------------------------------------------------------------

void refuse_usage(const std::string& command) {
    throw Error(fmt::format("document {0}: must be: caprock document {0} {1}", command,
                            document_command_named(command)->arguments));
}

DocumentWords read_document_words(const std::string& command, Declaration& declaration,
                                  const std::vector<std::string>& words, size_t least, size_t most) {
    DocumentWords read;
    read.others = read_options(declaration, Words(words), "document " + command, read.given);
    if (read.others.size() < least + 1 || read.others.size() > most + 1) refuse_usage(command);
    read.path = read.others.front();
    read.others.erase(read.others.begin());
    return read;
}

std::string layer_text(const Layer& layer) {
    return fmt::format("layer {} ({})", layer.id, one_line(layer.name));
}

int layer_named(const DocumentState& state, const std::string& word) {
    std::optional<int64_t> number = parse_integer(word);
    if (number && *number > 0 && *number < INT32_MAX && find_layer(state.layers, int(*number)))
        return int(*number);
    std::vector<const Layer*> all;
    collect_layers(state.layers, all);
    auto with = [&](const auto& fits) {
        std::vector<const Layer*> found;
        std::ranges::copy_if(all, std::back_inserter(found), fits);
        return found;
    };
    // As it is written goes before what is only spelled the same.
    std::vector<const Layer*> found = with([&](const Layer* layer) { return layer->name == word; });
    if (found.empty()) found = with([&](const Layer* layer) { return lower(layer->name) == lower(word); });
    if (found.size() == 1) return found.front()->id;
    auto named = [](const std::vector<const Layer*>& layers) {
        std::vector<std::string> texts;
        for (const Layer* layer : layers)
            texts.push_back(fmt::format("{} ({})", layer->id, one_line(layer->name)));
        if (texts.size() > 12) {
            texts.resize(12);
            texts.push_back("more");
        }
        return listed(texts);
    };
    if (found.size() > 1)
        throw Error(fmt::format("{} layers are called '{}': {}; give the number", found.size(),
                                one_line(word), named(found)));
    if (all.empty()) throw Error(fmt::format("no layer '{}'; the document has none", one_line(word)));
    std::vector<std::string> names;
    for (const Layer* layer : all) names.push_back(layer->name);
    std::string nearest = suggestion(word, names);
    throw Error(fmt::format("no layer '{}'{}", one_line(word),
                            nearest.empty() ? "; there are " + named(all) : nearest));
}

std::vector<int> layers_named(const DocumentState& state, const std::vector<std::string>& words) {
    std::vector<int> layers;
    for (const std::string& word : words) layers.push_back(layer_named(state, word));
    return layers;
}

// ---- opening and closing ---------------------------------------------------------------------------------

DocumentOptions document_options(const MemorySettings& memory, Terminal& terminal) {
    DocumentOptions options;
    options.memory = memory.bytes();
    // Who sets a budget means it of the program, not of the tiles alone.
    if (options.memory > 0) limit_kept_memory(options.memory);
    options.patience = patience_with_others;
    options.tell = [&terminal](const std::string& message) { terminal.warn(message); };
    options.tell_damage = [&terminal](const std::string& message) { terminal.alarm(message); };
    return options;
}

DocumentSession::DocumentSession(const std::string& path, const ChangeSettings& settings)
    : settings_(settings), terminal_(settings.quiet.loudness()) {
    document_ = Document::open(path, document_options(settings.memory, terminal_));
    problems_ = problems_of(*document_);
}

DocumentSession::DocumentSession(std::unique_ptr<Document> document, const ChangeSettings& settings)
    : settings_(settings), terminal_(settings.quiet.loudness()), document_(std::move(document)) {}

namespace {

// Beside the file, where there is a free name.
std::string name_for_keeping(const std::string& path) {
    fs::path name(path);
    for (int number = 1;; number++) {
        std::string kept = number == 1 ? "-kept" : fmt::format("-kept-{}", number);
        fs::path made = name;
        made.replace_filename(name.stem().string() + kept + name.extension().string());
        std::error_code unknown;
        if (!fs::exists(made, unknown)) return made.string();
    }
}

}  // namespace

void DocumentSession::flush() {
    try {
        document_->flush();
    } catch (const Error&) {
        if (document_->in_place()) throw;
        std::string path = document_->path();
        std::string kept = name_for_keeping(path);
        document_->save_as(kept);
        throw Error(fmt::format(
            "'{}' was deleted, moved or replaced while this command worked, and is not changed; the "
            "document with the change is in '{}'",
            shown_path(path), one_line(kept)));
    }
}

int DocumentSession::finish() {
    for (const std::string& problem : problems_of(*document_))
        if (!problems_.contains(problem)) terminal_.warn(problem + "; the layer has no effect");
    // The change is safe before the rest is begun.
    flush();
    note_written(document_->path());
    if (settings_.thumbnail) {
        std::string png;
        try {
            png = drawn_thumbnail(*document_, terminal_, {"cpu", 0}, quick_seconds);
        } catch (const Cancelled&) {
            // Who interrupts now is too late for the change: it is made, and that is how this ends.
        } catch (const Error& error) {
            terminal_.warn(fmt::format("the thumbnail stays as it was: {}", error.what()));
        }
        if (!png.empty()) {
            document_->set_thumbnail(png);
            flush();
        }
    }
    return 0;
}

std::string drawn_thumbnail(Document& document, Terminal& terminal, const ComputeSettings& compute,
                            double most_seconds) {
    // Tiles of a thumbnail are not worth a place in the file.
    document.store()->set_keeper({});
    const Rect& window = document.state().window;
    int level = 0;
    while ((std::max(window.width(), window.height()) >> level) > thumbnail_side * 3 / 2) level++;
    Progress progress;
    RunContext context = compute.context(terminal, window.cells() >> (2 * level));
    context.progress = &progress;
    try {
        Watch watch(progress, terminal.progress(), most_seconds);
        DocumentTerrain terrain(document, context, level);
        ReliefOptions options;
        options.longest_side = thumbnail_side;
        return png_of(shaded_relief(terrain.read(terrain.shape().rect(), {"height"}), options));
    } catch (const Cancelled&) {
        terminal.progress().check();
        return "";
    }
}

}  // namespace caprock::cli

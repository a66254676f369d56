// Commands of documents: making them, what goes into them and comes out of them, and their files.
#include "base/error.h"
#include "base/telling.h"
#include "base/text.h"
#include "base/text_file.h"
#include "document_access.h"
#include "document_command.h"
#include "document_source.h"
#include "files.h"
#include "layer_words.h"
#include "outcome.h"
#include "settings.h"

#include <filesystem>
#include <fmt/format.h>

namespace caprock::cli {

namespace {

namespace fs = std::filesystem;

// A document of ten thousand layers has a few megabytes.
constexpr size_t longest_layers = 256 << 20;

// Before a project is opened: a pipe may let one wait, and whoever gives up leaves nothing behind.
std::string layers_text(const std::string& path) {
    Terminal waiting(Loudness::quiet);
    EndsAtOnce only_reading(waiting.last_words());
    try {
        return text_of_file(path, longest_layers, "that is no list of layers");
    } catch (const Error& error) {
        throw Error(fmt::format("cannot read '{}': {}", path, error.what()));
    }
}

void take_layers(DocumentSession& session, const std::string& path, const std::string& text) {
    try {
        replace_layers(session.document(), text,
                       [&](const std::string& message) { session.terminal().warn(message); });
    } catch (const Error& error) {
        throw Error(fmt::format("'{}': {}", path, error.what()));
    }
}

// The cells of a file, for a layer.
ImportSource import_source(const std::string& path, TerrainSource& source) {
    return {path, source.shape(), source.names(), [&](const Rect& window) { return source.read(window); }};
}

// Whether what is missing in a file is to be filled, by a layer above it.
struct FillSettings {
    bool fill_holes = false;
    void describe(Declaration& d) {
        d.flag("fill-holes", fill_holes)
            .help("adds a layer above the file's that fills what is missing there: fill-holes");
    }
};

void tell_of_holes(DocumentSession& session, const std::string& file, int layer, int64_t holes) {
    bool lowest = session.state().layers.front().id == layer;
    std::string filled = fmt::format("'caprock document add {} fill-holes --above {}'",
                                     one_line(session.document().path()), layer);
    std::string count = fmt::format("{} cells of '{}' are missing", holes, shown_path(file));
    session.terminal().warn(
        lowest ? fmt::format("{}, and stay so; {} fills them", count, filled)
               : fmt::format("{}: what lies below is seen there; where nothing does, {} fills them", count,
                             filled));
}

int imported(DocumentSession& session, const std::string& file, TerrainSource& source, Layer layer,
             const LayerSpot& spot, const FillSettings& fill) {
    if (layer.name.empty()) layer.name = fs::path(file).stem().string();
    session.terminal().begin("importing " + file);
    int64_t holes = 0;
    int id = import_layer(session.document(), import_source(file, source), std::move(layer), spot,
                          &session.terminal().progress(), &holes);
    session.terminal().end();
    if (holes == 0) return id;
    if (fill.fill_holes) {
        fill_holes(session.document(), id);
    } else {
        tell_of_holes(session, file, id, holes);
    }
    return id;
}

// ---- new -------------------------------------------------------------------------------------------------

struct NewSettings {
    std::string size = "1024x1024";
    double cell = Grid().cell;
    Interval range = Grid().range;
    std::string from;
    bool ground = true;
    FileMeaning meaning;
    FillSettings fill;
    ComputeSettings compute;
    ChangeSettings change;
    void describe(Declaration& d) {
        d.text("size", size).help("cells, WIDTHxHEIGHT or one number for a square");
        d.number("cell", cell).range(0.001, 1e6).unit("m").help("distance between cells");
        d.interval("range", range).unit("m").help("heights that 0 and 1 stand for");
        d.file("from", from)
            .help(
                "takes size, cell, range and place from this file and imports it; or all layers from a .json "
                "that export-layers has written");
        d.flag("ground", ground)
            .help("begins with a layer of level ground at the low end of the range; without, with nothing");
        meaning.describe(d);
        fill.describe(d);
        compute.describe(d);
        change.describe(d);
    }
};

// What was begun goes again, where making it fails.
class NewFile {
  public:
    explicit NewFile(const std::string& path) : path_(path) {}
    ~NewFile() {
        if (kept_) return;
        std::error_code ignored;
        for (const char* ending : {"", "-wal", "-shm"}) fs::remove(path_ + ending, ignored);
    }
    void keep() { kept_ = true; }

  private:
    std::string path_;
    bool kept_ = false;
};

FileSettings file_settings(const NewSettings& settings, const std::set<std::string>& given) {
    FileSettings file;
    if (given.contains("cell")) file.cell = settings.cell;
    if (given.contains("range")) file.range = settings.range;
    if (given.contains("size")) file.size = settings.size;
    file.meaning = settings.meaning;
    return file;
}

int finish_new(NewFile& made, DocumentSession& session) {
    int code = session.finish();
    made.keep();
    return code;
}

int new_from_file(const std::string& path, const NewSettings& settings, const std::set<std::string>& given) {
    Terminal reading(settings.change.quiet.loudness());
    if (given.contains("size") && !is_raw_name(settings.from))
        throw Error(fmt::format("document new: --size is for new grids and raw files; '{}' has its own",
                                one_line(settings.from)));
    std::unique_ptr<TerrainSource> source = open_file(settings.from, file_settings(settings, given), reading,
                                                      {settings.change.memory, settings.compute, 0, {}});
    const Terrain shape = source->shape();
    std::unique_ptr<Document> document =
        Document::create(path, shape.grid(), document_options(settings.change.memory, reading));
    NewFile made(path);
    DocumentSession session(std::move(document), settings.change);
    if (shape.georeference())
        session.document().change("place of '" + one_line(settings.from) + "'",
                                  [&](Edit& edit) { edit.state().georeference = *shape.georeference(); });
    imported(session, settings.from, *source, Layer(), {}, settings.fill);
    return finish_new(made, session);
}

int new_command(const std::vector<std::string>& words) {
    NewSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("new", declaration, words, 0, 0);
    check_project_name(given.path);
    std::error_code unknown;
    if (fs::exists(given.path, unknown)) throw Error(fmt::format("'{}': it is already there", given.path));
    bool from_layers = settings.from.ends_with(".json");
    if (!settings.from.empty() && given.given.contains("ground"))
        throw Error("document new: --ground is for new grids; --from brings what the document begins with");
    if (!settings.from.empty() && !from_layers) return new_from_file(given.path, settings, given.given);
    for (const char* name : {"to-metres", "as", "byte-order", "fill-holes"})
        if (given.given.contains(name))
            throw Error(fmt::format("document new: --{} is for --from FILE", name));
    Grid grid{Rect::of(requested_size(settings.size)), settings.cell, settings.range};
    std::string layers;
    if (from_layers) {
        for (const char* name : {"size", "cell", "range"})
            if (given.given.contains(name))
                throw Error(
                    fmt::format("document new: --{} comes with the layers of '{}'", name, settings.from));
        layers = layers_text(settings.from);
    }
    Terminal making(settings.change.quiet.loudness());
    std::unique_ptr<Document> document =
        Document::create(given.path, grid, document_options(settings.change.memory, making));
    NewFile made(given.path);
    DocumentSession session(std::move(document), settings.change);
    if (from_layers) {
        take_layers(session, settings.from, layers);
    } else if (settings.ground) {
        add_ground(session.document());
    }
    return finish_new(made, session);
}

// ---- import ----------------------------------------------------------------------------------------------

struct ImportSettings {
    FileSettings file;
    NewLayerSettings layer;
    FillSettings fill;
    ComputeSettings compute;
    ChangeSettings change;
    void describe(Declaration& d) {
        layer.describe(d, {"range"});
        file.describe(d);
        fill.describe(d);
        compute.describe(d);
        change.describe(d);
    }
};

int import_command(const std::vector<std::string>& words) {
    ImportSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("import", declaration, words, 1, 1);
    DocumentSession session(given.path, settings.change);
    Layer layer = settings.layer.layer(LayerKind::imported, session.state());
    LayerSpot spot = settings.layer.place.spot(session.state());
    const std::string& file = given.others[0];
    std::unique_ptr<TerrainSource> source =
        open_file(file, settings.file, session.terminal(), {settings.change.memory, settings.compute, 0, {}});
    int id = imported(session, file, *source, std::move(layer), spot, settings.fill);
    std::string text = layer_text(layer_of(session.state(), id));
    int code = session.finish();
    say("{}\n", text);
    return code;
}

constexpr const char* import_remark =
    "  Its cells are kept in the document, at their own resolution. A file that knows its place on Earth "
    "goes "
    "there, where\n"
    "  the document knows its own; any other begins at the first cell, and --move and --scale place it. What "
    "the file has\n"
    "  no height for is missing in the layer, and what lies below is seen there.\n";

// ---- layers as text --------------------------------------------------------------------------------------

struct ExportLayersSettings {
    std::string output;
    MemorySettings memory;
    QuietSettings quiet;
    void describe(Declaration& d) {
        d.file("output", output).letter('o').help("file to write, .json; printed unless given");
        memory.describe(d);
        quiet.describe(d);
    }
};

int export_layers_command(const std::vector<std::string>& words) {
    ExportLayersSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("export-layers", declaration, words, 0, 0);
    if (!settings.output.empty()) check_writable(settings.output, FileKind::recipe);
    Terminal terminal(settings.quiet.loudness());
    DocumentOptions options = document_options(settings.memory, terminal);
    options.read_only = true;
    std::unique_ptr<Document> document = Document::open(given.path, options);
    if (settings.output.empty()) {
        say("{}", document->text());
    } else {
        write_recipe(document->text(), settings.output);
    }
    return 0;
}

int import_layers_command(const std::vector<std::string>& words) {
    ChangeSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("import-layers", declaration, words, 1, 1);
    std::string layers = layers_text(given.others[0]);
    DocumentSession session(given.path, settings);
    take_layers(session, given.others[0], layers);
    return session.finish();
}

constexpr const char* import_layers_remark =
    "  All layers and the grid become those of the file. What was painted is known by its number as long as "
    "it "
    "is the\n"
    "  same document; of another one's, only the outlines are there, and blank. It can be undone.\n";

// ---- the file --------------------------------------------------------------------------------------------

struct SaveAsSettings {
    bool overwrite = false;
    MemorySettings memory;
    QuietSettings quiet;
    void describe(Declaration& d) {
        d.flag("overwrite", overwrite).help("takes the place of a project that is already there");
        memory.describe(d);
        quiet.describe(d);
    }
};

int save_as_command(const std::vector<std::string>& words) {
    SaveAsSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("save-as", declaration, words, 1, 1);
    const std::string& to = given.others[0];
    check_project_name(to);
    std::error_code unknown;
    if (fs::exists(to, unknown)) {
        if (fs::equivalent(given.path, to, unknown))
            throw Error(fmt::format("'{}' is the project itself; give another name", one_line(to)));
        if (!settings.overwrite)
            throw Error(fmt::format("'{}' is already there; --overwrite replaces it", one_line(to)));
    }
    Terminal terminal(settings.quiet.loudness());
    DocumentOptions options = document_options(settings.memory, terminal);
    options.read_only = true;
    terminal.begin("copying " + given.path);
    Document::open(given.path, options)->save_as(to);
    note_written(to);
    terminal.end();
    return 0;
}

struct CompactSettings {
    bool forget_history = false;
    MemorySettings memory;
    QuietSettings quiet;
    void describe(Declaration& d) {
        d.flag("forget-history", forget_history)
            .help("nothing of what was done before can be undone afterwards; the file is the smaller for it");
        memory.describe(d);
        quiet.describe(d);
    }
};

uint64_t bytes_of(const std::string& path) {
    std::error_code unknown;
    uint64_t sum = 0;
    // Before it is closed for the last time, a part is in the log.
    for (const char* ending : {"", "-wal"}) {
        uintmax_t size = fs::file_size(path + ending, unknown);
        if (!unknown) sum += size;
    }
    return sum;
}

int compact_command(const std::vector<std::string>& words) {
    CompactSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("compact", declaration, words, 0, 0);
    uint64_t before = bytes_of(given.path);
    ChangeSettings change;
    change.memory = settings.memory;
    change.quiet = settings.quiet;
    change.thumbnail = false;
    DocumentSession session(given.path, change);
    session.terminal().begin("compacting " + given.path);
    session.document().compact(settings.forget_history);
    session.document().save();
    session.terminal().end();
    note_written(given.path);
    say("{}, was {}\n", bytes_text(bytes_of(given.path)), bytes_text(before));
    return 0;
}

struct ThumbnailSettings {
    std::string output;
    ComputeSettings compute;
    ChangeSettings change;
    void describe(Declaration& d) {
        d.file("output", output)
            .letter('o')
            .help("writes the thumbnail there is, .png; it is drawn anew unless given");
        compute.describe(d);
        change.memory.describe(d);
        change.quiet.describe(d);
    }
};

int thumbnail_command(const std::vector<std::string>& words) {
    ThumbnailSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("thumbnail", declaration, words, 0, 0);
    if (settings.output.empty()) {
        settings.change.thumbnail = false;
        DocumentSession session(given.path, settings.change);
        session.terminal().begin("drawing " + given.path);
        session.document().set_thumbnail(
            drawn_thumbnail(session.document(), session.terminal(), settings.compute, 0));
        session.terminal().end();
        return session.finish();
    }
    check_writable(settings.output, FileKind::picture);
    Terminal terminal(settings.change.quiet.loudness());
    DocumentOptions options = document_options(settings.change.memory, terminal);
    options.read_only = true;
    std::string png = Document::open(given.path, options)->thumbnail();
    if (png.empty())
        throw Error(
            fmt::format("'{0}' has no thumbnail; 'caprock document thumbnail {0}' draws it", given.path));
    write_text_file(png, settings.output);
    return 0;
}

}  // namespace

std::vector<Command> document_file_commands() {
    return {
        {"new", "P.caprock [--size WIDTHxHEIGHT --cell METRES --range LOW:HIGH | --from FILE]",
         "a project on level ground, or from a file", new_command, settings_help<NewSettings>,
         settings_names<NewSettings>},
        {"import", "P.caprock FILE", "a file's cells as a new layer", import_command,
         settings_help<ImportSettings>, settings_names<ImportSettings>, import_remark},
        {"export-layers", "P.caprock [-o LAYERS.json]",
         "everything but what is painted, as JSON: for version control", export_layers_command,
         settings_help<ExportLayersSettings>, settings_names<ExportLayersSettings>},
        {"import-layers", "P.caprock LAYERS.json", "all layers from such a file", import_layers_command,
         settings_help<ChangeSettings>, settings_names<ChangeSettings>, import_layers_remark},
        {"save-as", "P.caprock OTHER.caprock", "a copy with all of its history", save_as_command,
         settings_help<SaveAsSettings>, settings_names<SaveAsSettings>},
        {"compact", "P.caprock", "the file without what nobody needs any longer", compact_command,
         settings_help<CompactSettings>, settings_names<CompactSettings>},
        {"thumbnail", "P.caprock [-o PICTURE.png]", "the small picture in the file: drawn anew, or written",
         thumbnail_command, settings_help<ThumbnailSettings>, settings_names<ThumbnailSettings>},
    };
}

}  // namespace caprock::cli

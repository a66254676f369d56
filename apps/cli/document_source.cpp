#include "document_source.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "document/project_tile_store.h"

#include <filesystem>
#include <fmt/format.h>

namespace caprock::cli {

namespace {

// Nobody is kept from changing it meanwhile: what takes long is remembered in the file when that is possible.
std::unique_ptr<Document> opened(const std::string& path, DocumentOptions options) {
    options.read_only = true;
    options.remember = true;
    return Document::open(path, options);
}

}  // namespace

void DocumentReading::describe(Declaration& d) {
    memory.describe(d);
    d.integer("level", level)
        .range(0, 16)
        .help("of a document, 1 computes every second cell each way, 2 every fourth and so on: a preview");
}

void DocumentReading::describe_all(Declaration& d) {
    describe(d);
    d.words("field", fields).help("of a document, the fields to write: height,hardness; all unless given");
}

DocumentFacts facts_of(Document& document) {
    DocumentFacts facts;
    std::function<void(const std::vector<Layer>&)> count = [&](const std::vector<Layer>& layers) {
        for (const Layer& layer : layers) {
            facts.layers++;
            facts.groups += layer.kind == LayerKind::group;
            count(layer.layers);
        }
    };
    count(document.state().layers);
    facts.steps = document.entries();
    facts.undone = document.entries() - document.position();
    if (document.state().window != document.state().grid.extent)
        facts.computed = document.state().grid.extent.size();
    std::error_code unknown;
    uintmax_t bytes = std::filesystem::file_size(document.path(), unknown);
    if (!unknown) facts.bytes = bytes;
    return facts;
}

namespace {

// A bar that was used before would be taken for one that is done.
Progress& fresh(Progress& progress) {
    progress.expect(1);
    return progress;
}

}  // namespace

DocumentSource::DocumentSource(const std::string& path, const DocumentReading& reading, Terminal& terminal)
    : terminal_(terminal),
      document_(opened(path, document_options(reading.memory, terminal))),
      unseen_(fresh(terminal.progress()), 0) {
    context_ = reading.compute.context(terminal, document_->state().window.cells());
    context_.progress = &unseen_;
    terrain_ = std::make_unique<DocumentTerrain>(*document_, context_, reading.level);
    terrain_->tell_problems([&](const std::string& problem) { terminal.warn(problem); });
    if (!reading.fields.empty()) terrain_->keep_only(reading.fields);
}

void DocumentSource::prepare() {
    terminal_.begin("computing " + document_->path());
    context_.progress = &terminal_.progress();
    terrain_->evaluator().before = [this](const std::string& title) { terminal_.begin(title); };
    terrain_->begin();
    terrain_->evaluator().before = {};
    context_.progress = &unseen_;
    terminal_.end();
}

Terrain DocumentSource::read(const Rect& window) { return terrain_->read(window, names()); }

Field DocumentSource::read_field(const std::string& name, const Rect& window) {
    bool held = band_field_ == name && !band_.empty() && band_.rect().contains(window);
    if (held) return band_.cropped(window);
    // As high as a block, where an eighth of the memory that may be used holds so many rows.
    const Rect all = shape().rect();
    int64_t row = int64_t(all.width()) * int64_t(sizeof(float));
    int64_t rows = int64_t(document_->store()->budget() / 8) / row;
    int top =
        document_block_below(window.top + terrain_->plan().window().top) - terrain_->plan().window().top;
    Rect band = Rect{all.left, top, all.right, top + document_block_side}.intersected(all);
    if (rows < band.height() || !band.contains(window)) return terrain_->read(window, {name}).field(name);
    band_ = Field();
    band_ = terrain_->read(band, {name}).field(name);
    band_field_ = name;
    return band_.cropped(window);
}

Terrain DocumentSource::read_all() {
    const Rect all = shape().rect();
    require_memory(
        uint64_t(all.cells()) * sizeof(float) * names().size(),
        fmt::format("a terrain of {} x {} cells in {} fields", all.width(), all.height(), names().size()));
    prepare();
    terminal_.begin("computing " + document_->path());
    Progress& progress = terminal_.progress();
    progress.expect(all.cells());
    Terrain terrain = terrain_->read(all, names(), [&](int64_t cells) { progress.advance(cells); });
    terminal_.end();
    for (const auto& [name, lines] : lines()) terrain.set_lines(name, lines);
    return terrain;
}

}  // namespace caprock::cli

#include "document_source.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "document/project_tile_store.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>

namespace caprock::cli {

namespace {

// What is computed together, each way: halos are shared, and memory does not notice.
constexpr int block_side = 8 * tile_side;

// Nobody is kept from changing it meanwhile: what takes long is remembered in the file when that is possible.
std::unique_ptr<Document> opened(const std::string& path, DocumentOptions options) {
    options.read_only = true;
    options.remember = true;
    return Document::open(path, options);
}

// The place of a part of the grid, in cells of a level.
Georeference place_of_part(const Georeference& place, int level, const Rect& part) {
    double larger = std::ldexp(1.0, level);
    return place.of_cells(part.left * larger, part.top * larger, larger, larger);
}

void copy_cells(const Field& from, Field& into) {
    const Rect& part = from.rect();
    Field::Rows source = from.rows();
    Field::WritableRows rows = into.writable_rows();
    for (int y = part.top; y < part.bottom; y++)
        std::memcpy(rows[y] + (part.left - into.rect().left), source[y],
                    size_t(part.width()) * sizeof(float));
}

int block_below(int cell) { return cell - (cell & (block_side - 1)); }

// The parts of a region that blocks have, which lie at multiples of their size.
std::vector<Rect> blocks_over(const Rect& region) {
    static_assert((block_side & (block_side - 1)) == 0);
    std::vector<Rect> blocks;
    for (int top = block_below(region.top); top < region.bottom; top += block_side)
        for (int left = block_below(region.left); left < region.right; left += block_side)
            blocks.push_back(Rect{left, top, left + block_side, top + block_side}.intersected(region));
    return blocks;
}

}  // namespace

// ---- the terrain -----------------------------------------------------------------------------------------

DocumentTerrain::DocumentTerrain(Document& document, RunContext& context, int level)
    : plan_(document.snapshot(), level), evaluator_(context), names_(plan_.fields()) {}

Terrain DocumentTerrain::shape() const {
    Grid grid = plan_.grid();
    grid.extent = Rect::of(plan_.window().size());
    Terrain shape(grid);
    if (const std::optional<Georeference>& place = plan_.snapshot().state->georeference)
        shape.set_georeference(place_of_part(*place, plan_.level(), plan_.window()));
    return shape;
}

void DocumentTerrain::keep_only(const std::vector<std::string>& names) {
    for (const std::string& name : names)
        if (std::ranges::find(names_, name) == names_.end())
            throw Error(fmt::format("the document makes no field '{}'; there {} {}", one_line(name),
                                    names_.size() == 1 ? "is" : "are", listed(names_)));
    names_ = names;
}

Terrain DocumentTerrain::read(const Rect& window, const std::vector<std::string>& names, const Done& done) {
    const Rect& all = plan_.window();
    Rect region{window.left + all.left, window.top + all.top, window.right + all.left,
                window.bottom + all.top};
    std::vector<Rect> blocks = blocks_over(region);
    std::vector<Field> fields(names.size());
    for (const Rect& block : blocks) {
        const Terrain cells = evaluator_.evaluate(plan_, plan_.top(), names, block);
        for (size_t i = 0; i < names.size(); i++) {
            // One block is handed on as it is.
            if (blocks.size() == 1) {
                fields[i] = cells.field(names[i]);
                continue;
            }
            if (fields[i].empty()) fields[i] = Field(region);
            copy_cells(cells.field(names[i]), fields[i]);
        }
        if (done) done(block.cells());
    }
    const Terrain whole = shape();
    Terrain terrain(whole.grid(), window);
    for (size_t i = 0; i < names.size(); i++) terrain.set(names[i], fields[i].moved(-all.left, -all.top));
    if (whole.georeference()) terrain.set_georeference(*whole.georeference());
    return terrain;
}

void DocumentTerrain::begin() {
    evaluator_.evaluate(plan_, plan_.top(), names_, blocks_over(plan_.window()).front());
}

// ---- the source ------------------------------------------------------------------------------------------

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
    for (const std::string& problem : terrain_->plan().problems())
        terminal.warn(problem + "; the layer has no effect");
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
    int top = block_below(window.top + terrain_->plan().window().top) - terrain_->plan().window().top;
    Rect band = Rect{all.left, top, all.right, top + block_side}.intersected(all);
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
    return terrain;
}

}  // namespace caprock::cli

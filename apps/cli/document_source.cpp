#include "document_source.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>

namespace caprock::cli {

namespace {

// Rows of tiles that are computed together.
constexpr int rows_at_once = 4 * tile_side;

bool simulates(const Plan& plan) {
    for (int node = 0; node <= plan.top(); node++)
        if (plan.node(node).simulates) return true;
    return false;
}

// What takes long is remembered in the file: for that it is opened like one that changes, where nobody else does so.
std::unique_ptr<Document> opened(const std::string& path, DocumentOptions options) {
    options.read_only = true;
    std::unique_ptr<Document> document = Document::open(path, options);
    if (!document->lost().empty() || !simulates(Plan(document->snapshot()))) return document;
    try {
        DocumentOptions silent = options;
        silent.read_only = false;
        silent.tell = {};
        return Document::open(path, silent);
    } catch (const Error&) {
        return document;
    }
}

// The place of the first cell of a part of the grid, at a level. Transforms are of the corners of cells, whose middles
// stay where they are.
Georeference place_of_part(Georeference place, int level, const Rect& part) {
    for (size_t axis : {size_t(0), size_t(3)}) {
        double& corner = place.transform[axis];
        double& along = place.transform[axis + 1];
        double& down = place.transform[axis + 2];
        double middle = corner + (along + down) / 2;
        if (level > 0) {
            along = std::ldexp(along, level);
            down = std::ldexp(down, level);
            corner = middle - (along + down) / 2;
        }
        corner += part.left * along + part.top * down;
    }
    return place;
}

void copy_rows(const Field& from, Field& into) {
    const Rect& part = from.rect();
    Field::Rows source = from.rows();
    Field::WritableRows rows = into.writable_rows();
    for (int y = part.top; y < part.bottom; y++)
        std::memcpy(rows[y], source[y], size_t(part.width()) * sizeof(float));
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

Terrain DocumentTerrain::read(const Rect& window, const std::vector<std::string>& names) {
    const Rect& all = plan_.window();
    Rect part{window.left + all.left, window.top + all.top, window.right + all.left, window.bottom + all.top};
    const Terrain cells = evaluator_.evaluate(plan_, plan_.top(), names, part);
    const Terrain whole = shape();
    Terrain terrain(whole.grid(), window);
    for (const std::string& name : names) terrain.set(name, cells.field(name).moved(-all.left, -all.top));
    if (whole.georeference()) terrain.set_georeference(*whole.georeference());
    return terrain;
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

DocumentSource::DocumentSource(const std::string& path, const DocumentReading& reading, Terminal& terminal)
    : terminal_(terminal), document_(opened(path, document_options(reading.memory, terminal))) {
    context_ = reading.compute.context(terminal, document_->state().window.cells());
    terrain_ = std::make_unique<DocumentTerrain>(*document_, context_, reading.level);
    for (const std::string& problem : terrain_->plan().problems())
        terminal.warn(problem + "; the layer has no effect");
    if (!reading.fields.empty()) terrain_->keep_only(reading.fields);
    terrain_->evaluator().before = [this](const std::string& title) {
        terminal_.begin(title);
        interrupted_ = true;
    };
}

Terrain DocumentSource::read_all() {
    Terrain terrain = shape();
    const Rect& all = terrain.rect();
    require_memory(
        uint64_t(all.cells()) * sizeof(float) * names().size(),
        fmt::format("a terrain of {} x {} cells in {} fields", all.width(), all.height(), names().size()));
    std::vector<std::pair<std::string, Field>> fields;
    for (const std::string& name : names()) fields.emplace_back(name, Field(all));
    std::string title = "computing " + document_->path();
    Progress& progress = terminal_.progress();
    int64_t left = all.cells();
    interrupted_ = true;
    for (int top = all.top; top < all.bottom; top += rows_at_once) {
        // A bar that was another's begins anew, over what is left.
        if (interrupted_) {
            terminal_.begin(title);
            progress.expect(left);
        }
        interrupted_ = false;
        Rect part{all.left, top, all.right, std::min(top + rows_at_once, all.bottom)};
        const Terrain cells = terrain_->read(part);
        for (auto& [name, field] : fields) copy_rows(cells.field(name), field);
        left -= part.cells();
        if (!interrupted_) progress.advance(part.cells());
    }
    terminal_.end();
    for (auto& [name, field] : fields) terrain.set(name, std::move(field));
    return terrain;
}

}  // namespace caprock::cli

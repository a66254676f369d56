#include "library/source.h"

#include <cstdint>

namespace caprock {
inline namespace v1 {

namespace {

// A document as it was written last, computed where somebody looks. Its window is a terrain of its own, whose first cell is
// (0, 0).
class DocumentCells : public TerrainSource {
  public:
    DocumentCells(const std::string& path, RunContext& context)
        : document_(Document::open(path, options(context))),
          plan_(document_->snapshot()),
          evaluator_(context) {
        for (const std::string& problem : plan_.problems())
            if (context.tell) context.tell(problem + "; the layer has no effect");
    }

    core::Terrain shape() const override {
        core::Grid grid = plan_.grid();
        grid.extent = core::Rect::of(plan_.window().size());
        core::Terrain shape(grid);
        if (const auto& place = plan_.snapshot().state->georeference)
            shape.set_georeference(place->of_cells(plan_.window().left, plan_.window().top));
        return shape;
    }
    std::vector<std::string> names() const override { return plan_.fields(); }
    core::Terrain read(const core::Rect& window) override { return read(window, names()); }
    core::Field read_field(const std::string& name, const core::Rect& window) override {
        return read(window, {name}).field(name);
    }

  private:
    static DocumentOptions options(const RunContext& context) {
        DocumentOptions options;
        options.read_only = true;
        options.tell = context.tell;
        return options;
    }
    core::Terrain read(const core::Rect& window, const std::vector<std::string>& names) {
        const core::Rect& all = plan_.window();
        const core::Terrain cells =
            evaluator_.evaluate(plan_, plan_.top(), names, window.moved(all.left, all.top));
        core::Terrain made = shape().cropped(window);
        for (const std::string& name : names) made.set(name, cells.field(name).moved(-all.left, -all.top));
        return made;
    }

    std::unique_ptr<Document> document_;
    Plan plan_;
    Evaluator evaluator_;
};

void check_document_options(const NamedFile& file) {
    const core::ReadOptions& options = file.options;
    if (options.cell || options.range || options.size || options.to_metres)
        throw core::Error(
            fmt::format("'{}' is a document and knows its grid: leave out its cell, range, size and "
                        "resampling to metres",
                        file.path));
}

// A field of a file, for a graph.
class FileField : public TileSource {
  public:
    FileField(TerrainSource& source, std::string name) : source_(source), name_(std::move(name)) {}

    core::Field read(const core::Rect& region) const override { return source_.read_field(name_, region); }
    // Of this call alone: the file may be another tomorrow.
    ContentKey key(const TileIndex& tile) const override {
        return KeyMaker()
            .add(int64_t(reinterpret_cast<intptr_t>(&source_)))
            .add(name_)
            .add(int64_t(tile.x))
            .add(int64_t(tile.y))
            .key();
    }

  private:
    TerrainSource& source_;
    std::string name_;
};

}  // namespace

bool is_document(const std::string& path) { return lower(path).ends_with(".caprock"); }

std::unique_ptr<TerrainSource> opened(const NamedFile& file, Watch& watch, RunContext& context) {
    if (!is_document(file.path)) return open_terrain(file.path, file.options, watch.files());
    check_document_options(file);
    return std::make_unique<DocumentCells>(file.path, context);
}

core::Terrain read_whole(const NamedFile& file, Watch& watch) {
    if (!is_document(file.path)) return read_terrain(file.path, file.options, watch.files());
    check_document_options(file);
    RunContext context = watch.context(0);
    DocumentCells cells(file.path, context);
    return cells.read(cells.shape().rect());
}

ChainStart start_from_source(TerrainSource& source) {
    const core::Terrain shape = source.shape();
    ChainStart start;
    start.grid = shape.grid();
    if (shape.georeference()) start.georeference = *shape.georeference();
    for (const std::string& name : source.names())
        start.fields.emplace_back(name, std::make_shared<FileField>(source, name));
    return start;
}

}  // namespace v1
}  // namespace caprock

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

}  // namespace v1
}  // namespace caprock

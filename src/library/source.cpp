#include "library/source.h"

namespace caprock {
inline namespace v1 {

namespace {

// A document as it was written last, computed where somebody looks.
class DocumentCells : public TerrainSource {
  public:
    DocumentCells(const std::string& path, RunContext& context)
        : document_(Document::open(path, options(context))), terrain_(*document_, context) {
        if (context.tell) terrain_.tell_problems(context.tell);
    }

    core::Terrain shape() const override { return terrain_.shape(); }
    std::vector<std::string> names() const override { return terrain_.names(); }
    core::Terrain read(const core::Rect& window) override { return terrain_.read(window, names()); }
    core::NamedLines lines() const override { return terrain_.lines(); }
    core::Field read_field(const std::string& name, const core::Rect& window) override {
        return terrain_.read(window, {name}).field(name);
    }

  private:
    static DocumentOptions options(const RunContext& context) {
        DocumentOptions options;
        options.read_only = true;
        options.tell = context.tell;
        return options;
    }

    std::unique_ptr<Document> document_;
    mutable DocumentTerrain terrain_;
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

std::unique_ptr<TerrainSource> opened(const NamedFile& file, Watch& watch, RunContext& context) {
    if (!is_project_name(file.path)) return open_terrain(file.path, file.options, watch.files());
    check_document_options(file);
    return std::make_unique<DocumentCells>(file.path, context);
}

core::Terrain read_whole(const NamedFile& file, Watch& watch) {
    if (!is_project_name(file.path)) return read_terrain(file.path, file.options, watch.files());
    check_document_options(file);
    RunContext context = watch.context(0);
    DocumentCells cells(file.path, context);
    core::Terrain all = cells.read(cells.shape().rect());
    for (const auto& [name, lines] : cells.lines()) all.set_lines(name, lines);
    return all;
}

}  // namespace v1
}  // namespace caprock

#include "core/document_sources.h"

#include "document/commands.h"
#include "formats/terrain_reader.h"
#include "operation/presets.h"

#include <filesystem>

namespace caprock::editor {

namespace {

std::unique_ptr<TerrainReader> opened(const std::string& file, RunContext& context) {
    ReadOptions options;
    // Whoever drops a file of degrees on the window wants to see land, not a lecture.
    options.to_metres = true;
    return open_terrain(file, options, {context.progress, context.tell});
}

ImportedFile import_from(Document& document, const std::string& file, TerrainReader& reader,
                         RunContext& context) {
    ImportSource source;
    source.file = file;
    source.shape = reader.shape();
    source.fields = reader.names();
    source.read = [&](const Rect& window) { return reader.read(window); };
    Layer layer;
    layer.name = std::filesystem::path(file).stem().string();
    ImportedFile imported;
    imported.layer =
        import_layer(document, source, std::move(layer), {}, context.progress, &imported.missing);
    return imported;
}

}  // namespace

int add_preset(Document& document, const std::string& preset) {
    Recipe recipe = caprock::preset(preset);
    std::vector<LayerOperation> operations;
    for (std::unique_ptr<Operation>& operation : recipe.operations)
        operations.emplace_back(std::move(operation));
    Layer layer;
    layer.name = recipe.title.empty() ? preset : recipe.title;
    if (recipe.grid && recipe.grid->range != document.state().grid.range) layer.range = recipe.grid->range;
    return add_operations(document, std::move(operations), std::move(layer));
}

std::unique_ptr<Document> document_from_preset(const std::string& path, const DocumentOptions& options,
                                               const Grid& grid, const std::string& preset) {
    std::unique_ptr<Document> document = Document::create(path, grid, options);
    if (!preset.empty()) {
        add_preset(*document, preset);
    } else {
        // Without ground there would be nothing to put a brush on.
        add_ground(*document);
    }
    return document;
}

std::unique_ptr<Document> document_from_file(const std::string& path, const DocumentOptions& options,
                                             const std::string& file, RunContext& context,
                                             ImportedFile& imported) {
    std::unique_ptr<TerrainReader> reader = opened(file, context);
    const Terrain shape = reader->shape();
    std::unique_ptr<Document> document = Document::create(path, shape.grid(), options);
    if (shape.georeference())
        document->change("place of '" + file + "'",
                         [&](Edit& edit) { edit.state().georeference = *shape.georeference(); });
    imported = import_from(*document, file, *reader, context);
    return document;
}

ImportedFile import_file(Document& document, const std::string& file, RunContext& context) {
    std::unique_ptr<TerrainReader> reader = opened(file, context);
    return import_from(document, file, *reader, context);
}

}  // namespace caprock::editor

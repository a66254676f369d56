// Where documents come from: presets, and files of elevation data. All of this runs on the workshop's thread.
#pragma once

#include "document/document.h"
#include "operation/run_context.h"

#include <functional>
#include <memory>
#include <string>

namespace caprock::editor {

// A document on this grid with the preset's operations as its first layer; an empty name: level ground. A preset is made for
// a range of heights and a size of cells: the layer keeps the range, and the grid is the user's.
std::unique_ptr<Document> document_from_preset(const std::string& path, const DocumentOptions& options,
                                               const Grid& grid, const std::string& preset);

// The layer that a file has become, and how many of its cells have no height.
struct ImportedFile {
    int layer = 0;
    int64_t missing = 0;
};

// A document with the size, cells, range and place of a file, and its cells as the first layer.
std::unique_ptr<Document> document_from_file(const std::string& path, const DocumentOptions& options,
                                             const std::string& file, RunContext& context,
                                             ImportedFile& imported);

// The file's cells as another layer.
ImportedFile import_file(Document& document, const std::string& file, RunContext& context);

// Layers of a preset on top of those there are.
int add_preset(Document& document, const std::string& preset);

}  // namespace caprock::editor

// A document that is read like a file.
#pragma once

#include "document/document_terrain.h"
#include "document_access.h"
#include "report.h"
#include "terrain/terrain_source.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace caprock::cli {

// How a document is computed that is read like a file.
struct DocumentReading {
    MemorySettings memory;
    ComputeSettings compute;
    int level = 0;
    std::vector<std::string> fields;  // none: all

    void describe(Declaration& d);      // memory and level
    void describe_all(Declaration& d);  // and the fields
};

// What info says of a document besides its terrain.
DocumentFacts facts_of(Document& document);

// A document that is only looked at. Where somebody else writes it, it is as it was written last.
class DocumentSource : public TerrainSource {
  public:
    DocumentSource(const std::string& path, const DocumentReading& reading, Terminal& terminal);

    Document& document() { return *document_; }
    Terrain shape() const override { return terrain_->shape(); }
    std::vector<std::string> names() const override { return terrain_->names(); }
    NamedLines lines() const override { return terrain_->lines(); }
    Terrain read(const Rect& window) override;
    Field read_field(const std::string& name, const Rect& window) override;

    // Simulations first, each with a bar of its own; what is read afterwards shows nothing of itself.
    void prepare();
    // All of it at once, with a bar.
    Terrain read_all();

  private:
    Terminal& terminal_;
    std::unique_ptr<Document> document_;
    Progress unseen_;
    RunContext context_;
    std::unique_ptr<DocumentTerrain> terrain_;
    // Files ask for rows of tiles; blocks are several of them high.
    std::string band_field_;
    Field band_;
};

}  // namespace caprock::cli

// What `info` says of a terrain, and a run of what it did.
#pragma once

#include "base/json_text.h"
#include "base/progress.h"
#include "operation/ledger.h"
#include "terrain/terrain.h"
#include "terrain/terrain_source.h"

#include <string>
#include <vector>

namespace caprock::cli {

// What there is to a document besides the terrain it comes to.
struct DocumentFacts {
    int layers = 0;  // with groups, and those in them
    int groups = 0;
    int64_t steps = 0;   // of the history
    int64_t undone = 0;  // of them, those that were taken back
    uint64_t bytes = 0;
    Size computed;  // the grid, where only a part of it is shown
};

// What there is to say of a terrain.
struct TerrainFacts {
    struct OfField {
        std::string name;
        FieldStatistics statistics;
        uint64_t fingerprint = 0;
    };
    struct OfLines {
        std::string name;
        size_t lines = 0;
        size_t points = 0;
        double length = 0;
        uint64_t fingerprint = 0;
    };
    Terrain shape;  // without fields
    std::vector<OfField> fields;
    std::vector<OfLines> lines;
};
TerrainFacts::OfLines facts_of(const std::string& name, const LineSet& lines);
// A table of them; empty where there are none.
std::string lines_text_of(const std::vector<TerrainFacts::OfLines>& all);
Json lines_json_of(const std::vector<TerrainFacts::OfLines>& all);
TerrainFacts facts_of(const Terrain& terrain);
// The same, not a bit of it different, of what need not be in memory: a few rows at a time.
TerrainFacts facts_of(TerrainSource& source, Progress* progress);

std::string info_text(const TerrainFacts& terrain, const std::string& title,
                      const DocumentFacts* document = nullptr);

// What an operation entered.
struct LedgerLine {
    std::string operation;
    LedgerEntry entry;
};
std::string ledger_text(const std::vector<LedgerLine>& ledger);
// `ledger`: where it was kept.
std::string info_json(const TerrainFacts& terrain, const std::string& file,
                      const std::vector<LedgerLine>* ledger = nullptr,
                      const DocumentFacts* document = nullptr);

}  // namespace caprock::cli

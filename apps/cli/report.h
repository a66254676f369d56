// What `info` says of a terrain, and a run of what it did.
#pragma once

#include "operation/ledger.h"
#include "terrain/terrain.h"

#include <string>
#include <vector>

namespace caprock::cli {

std::string info_text(const Terrain& terrain, const std::string& title);

// What an operation entered.
struct LedgerLine {
    std::string operation;
    LedgerEntry entry;
};
std::string ledger_text(const std::vector<LedgerLine>& ledger);
// `ledger`: where it was kept.
std::string info_json(const Terrain& terrain, const std::string& file,
                      const std::vector<LedgerLine>* ledger = nullptr);

}  // namespace caprock::cli

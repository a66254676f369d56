// What land begins with, as cells that are asked for.
#pragma once

#include "library/watch.h"

#include <memory>

namespace caprock {
inline namespace v1 {

// The file, open, to be read window by window. A document is one of ours, and computed by the context, which must stay; every
// other file is read.
std::unique_ptr<TerrainSource> opened(const NamedFile& file, Watch& watch, RunContext& context);

// All of it. Its cells are in memory.
core::Terrain read_whole(const NamedFile& file, Watch& watch);

}  // namespace v1
}  // namespace caprock

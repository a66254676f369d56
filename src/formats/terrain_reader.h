// Terrains that are read window by window.
#pragma once

#include "formats/formats.h"

#include <memory>

namespace caprock {

// A file that is open. It is a source, too: a file can be written as one of another format without being held. One
// thread at a time.
class TerrainReader : public TerrainSource {
  public:
    // Everything, as read_terrain gives it. Throws OutOfMemory where that is more than there is.
    virtual Terrain read_all(const FileContext& context = {}) = 0;
};

// Its shape is what read_terrain says of the file, and any window has the bits it has there. A file that is not our own
// is looked through once when it is opened: only the cells say which heights there are, how many are no numbers, and
// that not all are missing. The context is used for that and not kept.
std::unique_ptr<TerrainReader> open_terrain(const std::string& path, const ReadOptions& options = {},
                                            const FileContext& context = {});

}  // namespace caprock

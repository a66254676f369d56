// What of a document is only in memory, because it is on its way to the file or cannot be written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace caprock {

struct Unwritten {
    int64_t changes = 0;  // steps of the history and ways through it; not results that can be computed again
    std::string trouble;  // why, in words; empty where they are just on their way
};

// Told on whatever thread finds out: when writing begins to fail, whenever something is added or goes wrong in another way
// while it fails, and when it works again.
using UnwrittenWatch = std::function<void(const Unwritten&)>;

}  // namespace caprock

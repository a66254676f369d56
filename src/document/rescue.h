// Makes a sound project of what is left of a damaged one.
#pragma once

#include "base/progress.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace caprock {

// "'caprock document rescue P.caprock OTHER.caprock' makes a sound project of what is left"
std::string rescue_hint(const std::string& path);

struct RescueReport {
    int64_t tiles = 0;              // that are in the new project
    bool with_history = false;      // it is carried over where all of it is intact
    std::vector<std::string> lost;  // in words
};

// The layers as they are (as they were at the last save where those are lost), and every tile that is intact. `tell` is
// told what is lost, line by line. The damaged file is not changed. Throws Error where nothing can be made of it, where
// there is a file of that name already, or where that cannot be written; no file is there then.
RescueReport rescue_project(const std::string& damaged, const std::string& to,
                            const std::function<void(const std::string&)>& tell,
                            Progress* progress = nullptr);

}  // namespace caprock

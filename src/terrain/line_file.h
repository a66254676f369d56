// Lines as a file has them, and where they lie on a terrain. Who reads such files is a room of its own (formats); others ask here.
#pragma once

#include "terrain/line_set.h"
#include "terrain/terrain.h"

#include <string>

namespace caprock {

// In the coordinates of a system, or, where there is none, in metres as a grid counts them.
struct LineFile {
    LineSet lines;
    std::string projection;  // well-known text; empty: none

    bool operator==(const LineFile&) const = default;
};

// Where the file and the terrain have a coordinate system, by those: the file's is transformed into the terrain's. Otherwise
// coordinates are metres to the east and to the south, as they are. Throws Error where there is no way from one system to the
// other, and for degrees on a terrain that lies nowhere.
LineSet lines_on(const LineFile& file, const Terrain& shape);
// The other way: in the coordinates of the terrain's system, where it has one.
LineFile lines_from(const LineSet& lines, const Terrain& shape);

// Whoever knows the file libraries.
class LineFileAccess {
  public:
    virtual ~LineFileAccess() = default;
    // `layer` may be empty where there is only one. Throws Error with the file's name and the reason.
    virtual LineFile read(const std::string& path, const std::string& layer) = 0;
    // From one coordinate system, as well-known text, into another. Throws Error with the reason alone.
    virtual LineSet transformed(const LineSet& lines, const std::string& from, const std::string& to) = 0;
};

// Throws Error where nobody does.
LineFileAccess& line_file_access();
// For the one who does, before anybody asks.
void set_line_file_access(LineFileAccess& access);

}  // namespace caprock

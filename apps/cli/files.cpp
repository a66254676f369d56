#include "files.h"

namespace caprock::cli {

void FileSettings::describe(Declaration& d) {
    d.number("cell", cell).range(0, 1e6).unit("m").help("cell size; 0: as the file says");
    d.interval("range", range).unit("m").help("heights that 0 and 1 stand for; 0:0: as the file says");
}

ReadOptions FileSettings::options() const {
    ReadOptions options;
    if (cell > 0) options.cell = cell;
    if (range != Interval{0, 0}) options.range = range;
    return options;
}

Terrain read_file(const std::string& path, const FileSettings& settings, Terminal& terminal) {
    FileContext context{&terminal.progress(), [&](const std::string& message) { terminal.warn(message); }};
    terminal.begin("reading " + path);
    Terrain terrain = read_terrain(path, settings.options(), context);
    terminal.end();
    return terrain;
}

}  // namespace caprock::cli

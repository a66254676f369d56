// What formats asks of whoever knows a kind of file.
#pragma once

#include "formats/format_table.h"
#include "formats/terrain_reader.h"
#include "terrain/line_file.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace caprock {

class RasterReader : public TerrainReader {
  public:
    // Learns what only the cells say, which shape() has afterwards. read_all learns it as well, so that whoever wants
    // everything does not look twice.
    virtual void look_through(const FileContext& context) = 0;
};

class RasterDriver {
  public:
    virtual ~RasterDriver() = default;
    virtual std::unique_ptr<RasterReader> open(const std::string& path, const ReadOptions& options,
                                               const FileContext& context) = 0;
    // Throws Error with the reason alone where the format does not take a terrain of this grid and place.
    virtual void check_fits(const Terrain&, const std::string& /*path*/, const std::string& /*ending*/) {}
    // `ending` decides the format; `path` is where the bytes go, in a folder of their own: what a format keeps in
    // files beside it may be written there too.
    virtual void write(TerrainSource& source, const std::string& path, const std::string& ending,
                       const WriteOptions& options, const FileContext& context) = 0;
};

// The module that knows the file libraries.
class RasterModule : public RasterDriver {
  public:
    // Whether a file beside one of bare numbers says what those are.
    virtual bool is_described(const std::string& path) = 0;
    virtual void write_picture(const Picture& picture, const std::string& path,
                               const FileContext& context) = 0;

    // Of lines, as formats/line_files.h says. Writing throws Error with the reason alone.
    virtual LineFile read_lines(const std::string& path, const std::string& layer,
                                const FileContext& context) = 0;
    // The names of its layers; none where it holds cells, or nothing of the kind.
    virtual std::vector<std::string> line_layers(const std::string& path) = 0;
    virtual void write_lines(const std::vector<std::pair<std::string, LineFile>>& sets,
                             const std::string& path, const LineFormat& format,
                             const FileContext& context) = 0;
    virtual LineSet transformed(const LineSet& lines, const std::string& from, const std::string& to) = 0;
};

// The one module, loaded on first use.
RasterModule& file_module();
// Throws Error unless it is a file that is there, may be read and has bytes, or a folder where that will do, as some formats are.
void check_readable(const std::string& path, bool may_be_folder = false);
// Writes beside the place and moves it there at the end: `write` is given where to. What it throws is refused with the path.
void write_whole_file(const std::string& path, const std::function<void(const std::string& to)>& write);

// The name the module exports its driver under, and the function's type.
constexpr const char* raster_driver_symbol = "caprock_raster_driver";
using RasterDriverFunction = RasterModule* (*)();
// The same of what caprock-trial does, with the words that main has.
constexpr const char* trial_symbol = "caprock_trial";
using TrialFunction = int (*)(int, char**);

}  // namespace caprock

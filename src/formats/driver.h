// What formats asks of whoever knows a kind of file.
#pragma once

#include "formats/terrain_reader.h"

#include <memory>

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
};

// The name the module exports its driver under, and the function's type.
constexpr const char* raster_driver_symbol = "caprock_raster_driver";
using RasterDriverFunction = RasterModule* (*)();
// The same of what caprock-trial does, with the words that main has.
constexpr const char* trial_symbol = "caprock_trial";
using TrialFunction = int (*)(int, char**);

}  // namespace caprock

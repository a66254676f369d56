#include "formats/gdal/frontier.h"

#include "base/text.h"
#include "formats/gdal/notes.h"
#include "formats/gdal/output.h"
#include "formats/gdal/source_raster.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace caprock::gdal {

namespace {

constexpr int channels = 4;
constexpr double highest = 255;

// A field as one channel; what is missing is 0.
SourceRaster::Turn painted(const Interval& range) {
    return [range](const float* cells, int width, void* pixels) {
        auto* to = static_cast<uint8_t*>(pixels);
        for (int i = 0; i < width; i++) {
            double share = std::clamp(share_of(cells[i], range), 0.0, 1.0);
            to[i] = is_missing(cells[i]) ? 0 : uint8_t(std::lround(share * highest));
        }
    };
}

void paint_nothing(const float*, int width, void* pixels) {
    std::fill_n(static_cast<uint8_t*>(pixels), width, uint8_t(0));
}

void paint_known(const float* cells, int width, void* pixels) {
    std::transform(cells, cells + width, static_cast<uint8_t*>(pixels),
                   [](float value) { return is_missing(value) ? 0 : 255; });
}

}  // namespace

void write_frontier(TerrainSource& source, const std::string& path, const FileContext& context) {
    ErrorCollector errors;
    Terrain shape = source.shape();
    Interval range = shape.grid().range;
    // Once to count what lies outside the range, once to write.
    if (context.progress) context.progress->expect(2 * shape.rect().cells());
    tell_outside(count_shares(source, range, context).outside, range, context);
    SourceRaster raster(source, context, channels - 1);
    raster.add_band("height", GDT_Byte, painted(range));
    std::vector<std::string> names = source.names();
    std::vector<std::string> absent;
    for (const char* name : {"hardness", "solubility"}) {
        if (std::ranges::find(names, name) != names.end()) {
            raster.add_band(name, GDT_Byte, painted({0, 1}));
        } else {
            raster.add_band("height", GDT_Byte, paint_nothing);
            absent.emplace_back(name);
        }
    }
    raster.add_band("height", GDT_Byte, paint_known).SetColorInterpretation(GCI_AlphaBand);
    write_notes(raster, shape.grid(), {});
    write_frontier_note(raster);
    if (context.tell) {
        context.tell(fmt::format("a Frontier image has 256 heights: they were rounded by up to {:.3g} m",
                                 range.span() / highest / 2));
        if (!absent.empty())
            context.tell(fmt::format("the terrain has no {}; the image has 0 for {}", listed(absent, "or"),
                                     absent.size() > 1 ? "them" : "it"));
    }
    tell_place_lost(shape, "Frontier image", context);
    CPLStringList options;
    options.SetNameValue("WRITE_METADATA_AS_TEXT", "YES");
    copy_as("PNG", raster, path, options, context, errors);
}

}  // namespace caprock::gdal

#include "formats/gdal/frontier.h"

#include "base/memory.h"
#include "base/text.h"
#include "formats/gdal/notes.h"
#include "formats/gdal/output.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace caprock::gdal {

namespace {

constexpr int channels = 4;
constexpr double highest = 255;

// A field as one channel of the pixels; what is missing is 0. Returns how many cells lie outside the range.
int64_t paint(const Field& field, const Interval& range, int channel, std::vector<uint8_t>& pixels) {
    const Rect& rect = field.rect();
    Field::Rows rows = field.rows();
    size_t next = size_t(channel);
    int64_t outside = 0;
    for (int y = rect.top; y < rect.bottom; y++)
        for (int i = 0; i < rect.width(); i++, next += channels) {
            float value = rows[y][i];
            if (is_missing(value)) continue;
            double share = (double(value) - range.low) / range.span();
            if (share < 0 || share > 1) outside++;
            pixels[next] = uint8_t(std::lround(std::clamp(share, 0.0, 1.0) * highest));
        }
    return outside;
}

}  // namespace

void write_frontier(const Terrain& terrain, const std::string& path, const FileContext& context) {
    ErrorCollector errors;
    const Rect& rect = terrain.rect();
    const Field& height = terrain.height();
    Interval range = terrain.grid().range;
    if (context.progress) context.progress->expect(rect.cells());
    size_t bytes = size_t(rect.cells()) * channels;
    // Here and in the picture that GDAL copies from.
    MemoryReservation reservation(2 * bytes, "the picture of the terrain");
    std::vector<uint8_t> pixels(bytes, 0);
    std::vector<std::string> absent;
    tell_outside(paint(height, range, 0, pixels), range, context);
    int channel = 1;
    for (const char* name : {"hardness", "solubility"}) {
        if (const Field* field = terrain.find(name)) {
            paint(*field, {0, 1}, channel, pixels);
        } else {
            absent.emplace_back(name);
        }
        channel++;
    }
    Field::Rows rows = height.rows();
    size_t next = channels - 1;
    for (int y = rect.top; y < rect.bottom; y++)
        for (int i = 0; i < rect.width(); i++, next += channels)
            pixels[next] = is_missing(rows[y][i]) ? 0 : 255;

    Dataset memory(raster_driver("MEM").Create("", rect.width(), rect.height(), channels, GDT_Byte, nullptr));
    if (!memory) fail(errors);
    if (memory->RasterIO(GF_Write, 0, 0, rect.width(), rect.height(), pixels.data(), rect.width(),
                         rect.height(), GDT_Byte, channels, nullptr, channels,
                         GSpacing(rect.width()) * channels, 1, nullptr) != CE_None)
        fail(errors);
    memory->GetRasterBand(channels)->SetColorInterpretation(GCI_AlphaBand);
    write_notes(*memory, terrain.grid(), {});
    write_frontier_note(*memory);
    if (context.tell) {
        context.tell(fmt::format("a Frontier image has 256 heights: they were rounded by up to {:.3g} m",
                                 range.span() / highest / 2));
        if (!absent.empty())
            context.tell(fmt::format("the terrain has no {}; the image has 0 for {}", listed(absent, "or"),
                                     absent.size() > 1 ? "them" : "it"));
    }
    tell_place_lost(terrain, "Frontier image", context);
    CPLStringList options;
    options.SetNameValue("WRITE_METADATA_AS_TEXT", "YES");
    copy_as("PNG", *memory, path, options, context, errors);
}

}  // namespace caprock::gdal

#include "formats/gdal/cells.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <stdexcept>

namespace caprock::gdal {

namespace {

constexpr int least_side = 256;
// Read at a time: 64 MB of doubles.
constexpr int64_t most_cells = int64_t(1) << 23;

bool is_wide(GDALDataType type) {
    return type == GDT_Float64 || type == GDT_Int32 || type == GDT_UInt32 || type == GDT_Int64 ||
           type == GDT_UInt64;
}

bool marks_with_nan(GDALRasterBand& band) {
    int has_mark = 0;
    double mark = band.GetNoDataValue(&has_mark);
    return has_mark && std::isnan(mark);
}

// What is being read of a band.
struct Reading {
    GDALRasterBand& band;
    const BandMeaning& meaning;
    std::optional<double> mark;
    bool nan_is_mark;
    Rect window;  // in rows of the band

    // The row of the terrain that a row of the band is.
    int row_of(int y) const { return meaning.south_up ? band.GetYSize() - 1 - y : y; }
};

// Makes what is not finite missing, and counts it. Only cells that the mark did not make missing: where NaN is the
// mark, infinite ones alone. The largest float counts as infinite: some readers make one of the other.
template <typename Number>
int64_t drop_endless(const Number* numbers, int count, const Reading& reading, float* to) {
    int64_t dropped = 0;
    for (int i = 0; i < count; i++) {
        if (std::abs(to[i]) < std::numeric_limits<float>::max()) continue;
        bool marked = std::isnan(numbers[i]) ? reading.nan_is_mark
                                             : reading.mark && numbers[i] == Number(*reading.mark);
        to[i] = missing;
        if (!marked) dropped++;
    }
    return dropped;
}

template <typename Number>
void to_cells(const Number* numbers, int count, const Reading& reading, float* to) {
    const Scaling& scaling = reading.meaning.scaling;
    // Compared in the file's own precision.
    bool marked = reading.mark.has_value();
    Number missing_number = marked ? Number(*reading.mark) : Number(0);
    for (int i = 0; i < count; i++) {
        if (marked && numbers[i] == missing_number) {
            to[i] = missing;
        } else {
            to[i] = scaling.any() ? scaling(double(numbers[i])) : float(numbers[i]);
        }
    }
}

// Reads one part as numbers of the given kind and turns those of the window into cells. Adds to `dropped`.
template <typename Number>
CPLErr read_part(const Reading& reading, const Rect& part, std::vector<Number>& numbers,
                 const Field::WritableRows& rows, int64_t& dropped) {
    constexpr GDALDataType kind = std::is_same_v<Number, double> ? GDT_Float64 : GDT_Float32;
    numbers.resize(size_t(part.cells()));
    CPLErr status = reading.band.RasterIO(GF_Read, part.left, part.top, part.width(), part.height(),
                                          numbers.data(), part.width(), part.height(), kind, 0, 0, nullptr);
    if (status != CE_None) return status;
    Rect wanted = part.intersected(reading.window);
    for (int y = wanted.top; y < wanted.bottom; y++) {
        const Number* from =
            &numbers[size_t(y - part.top) * size_t(part.width()) + size_t(wanted.left - part.left)];
        float* to = rows[reading.row_of(y)] + (wanted.left - reading.window.left);
        to_cells(from, wanted.width(), reading, to);
        if (!reading.meaning.ours) dropped += drop_endless(from, wanted.width(), reading, to);
    }
    return CE_None;
}

// Alpha channels and mask bands: what is wholly transparent is missing.
CPLErr read_mask(const Reading& reading, const Rect& part, std::vector<uint8_t>& mask,
                 const Field::WritableRows& rows) {
    mask.resize(size_t(part.cells()));
    CPLErr status = reading.band.GetMaskBand()->RasterIO(GF_Read, part.left, part.top, part.width(),
                                                         part.height(), mask.data(), part.width(),
                                                         part.height(), GDT_Byte, 0, 0, nullptr);
    if (status != CE_None) return status;
    Rect wanted = part.intersected(reading.window);
    for (int y = wanted.top; y < wanted.bottom; y++) {
        const uint8_t* from =
            &mask[size_t(y - part.top) * size_t(part.width()) + size_t(wanted.left - part.left)];
        float* to = rows[reading.row_of(y)] + (wanted.left - reading.window.left);
        for (int i = 0; i < wanted.width(); i++)
            if (from[i] == 0) to[i] = missing;
    }
    return CE_None;
}

// The sides of the parts in which a band is best read.
Size size_of_parts(GDALRasterBand& band) {
    Size all{band.GetXSize(), band.GetYSize()};
    Size block;
    band.GetBlockSize(&block.width, &block.height);
    // Whole blocks, as many as make a tile.
    auto grown = [](int side, int limit) {
        return int(std::min<int64_t>(limit, int64_t(side) * ((least_side + side - 1) / side)));
    };
    Size part{grown(block.width, all.width), grown(block.height, all.height)};
    // As many columns of them as can be held, all if possible.
    int64_t columns = most_cells / part.height / block.width * block.width;
    part.width = int(std::min<int64_t>(all.width, std::max<int64_t>(columns, block.width)));
    // Of blocks too large for that, GDAL has to hold one anyway.
    if (part.cells() > most_cells)
        part = {all.width, int(std::clamp<int64_t>(most_cells / all.width, 1, least_side))};
    return part;
}

}  // namespace

std::optional<double> missing_mark(GDALRasterBand& band) {
    int has_mark = 0;
    double mark = band.GetNoDataValue(&has_mark);
    if (!has_mark || std::isnan(mark)) return std::nullopt;
    bool too_large = std::abs(mark) > double(std::numeric_limits<float>::max()) && std::isfinite(mark);
    if (!is_wide(band.GetRasterDataType()) && too_large) return std::nullopt;
    return mark;
}

Scaling picture_scaling(GDALRasterBand& band, const Interval& range, bool ours) {
    double most = band.GetRasterDataType() == GDT_Byte ? 255 : 65535;
    double least = ours && missing_mark(band) ? 1 : 0;
    double factor = range.span() / (most - least);
    return {range.low - least * factor, factor};
}

Scaling band_scaling(GDALRasterBand& band) {
    int has_offset = 0;
    int has_factor = 0;
    double offset = band.GetOffset(&has_offset);
    double factor = band.GetScale(&has_factor);
    bool sound = std::isfinite(offset) && std::isfinite(factor) && factor != 0;
    return {has_offset && sound ? offset : 0, has_factor && sound ? factor : 1};
}

std::vector<Rect> parts_to_read(GDALRasterBand& band, const Rect& window, bool computed) {
    if (window.empty()) return {};
    Size size = computed ? Size{band.GetXSize(), least_side} : size_of_parts(band);
    std::vector<Rect> parts;
    // On the band's blocks, wherever the window begins.
    for (int top = window.top / size.height * size.height; top < window.bottom; top += size.height)
        for (int left = window.left / size.width * size.width; left < window.right; left += size.width) {
            Rect part{left, top, std::min(left + size.width, band.GetXSize()),
                      std::min(top + size.height, band.GetYSize())};
            parts.push_back(computed ? part : part.intersected(window));
        }
    return parts;
}

int64_t read_band(GDALRasterBand& band, Field& field, const BandMeaning& meaning, const FileContext& context,
                  const std::string& path) {
    ErrorCollector errors;
    Rect window = field.rect();
    if (!Rect::of({band.GetXSize(), band.GetYSize()}).contains(window))
        throw std::logic_error("a window must lie inside its file");
    Reading reading{band, meaning, missing_mark(band), marks_with_nan(band), window};
    if (meaning.south_up) {
        reading.window.top = reading.row_of(window.bottom - 1);
        reading.window.bottom = reading.row_of(window.top) + 1;
    }
    bool wide = is_wide(band.GetRasterDataType());
    bool masked = !(band.GetMaskFlags() & (GMF_ALL_VALID | GMF_NODATA));
    Field::WritableRows rows = field.writable_rows();
    int64_t dropped = 0;
    std::vector<double> doubles;
    std::vector<float> floats;
    std::vector<uint8_t> mask;
    for (const Rect& part : parts_to_read(band, reading.window, meaning.computed)) {
        CPLErr status = wide ? read_part(reading, part, doubles, rows, dropped)
                             : read_part(reading, part, floats, rows, dropped);
        if (status == CE_None && masked) status = read_mask(reading, part, mask, rows);
        if (status != CE_None || errors.failed())
            throw Error(
                fmt::format("cannot read '{}': it is damaged or cut off: {}", path, errors.message()));
        if (context.progress) context.progress->advance(part.intersected(reading.window).cells());
    }
    return dropped;
}

}  // namespace caprock::gdal

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

// What a float cannot hold.
bool is_wide(GDALDataType numbers) {
    GDALDataType type = GDALGetNonComplexDataType(numbers);
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
    Rect window;  // in cells of the band
};

// Where the cells of a part of a band's row go in the terrain.
class RowOfCells {
  public:
    // Cells of the band from (left, y) on.
    RowOfCells(const Field::WritableRows& rows, const Rect& field, const Orientation& orientation, int left,
               int y, int width)
        : rows_(rows), field_(field), place_(orientation.in_terrain({left, y, left + width, y + 1})) {
        backwards_ = orientation.swapped ? orientation.from_south : orientation.from_east;
        along_column_ = orientation.swapped;
    }

    // The row itself where it is one, to be written at once.
    float* straight() const {
        return backwards_ || along_column_ ? nullptr : rows_[place_.top] + (place_.left - field_.left);
    }
    float& operator[](int i) const {
        int length = along_column_ ? place_.height() : place_.width();
        int step = backwards_ ? length - 1 - i : i;
        return along_column_ ? rows_[place_.top + step][place_.left - field_.left]
                             : rows_[place_.top][place_.left - field_.left + step];
    }

  private:
    const Field::WritableRows& rows_;
    const Rect& field_;
    Rect place_;
    bool backwards_ = false;
    bool along_column_ = false;
};

// Makes what is endless or no number missing, and counts it. Only cells that neither the mark nor the mask has made
// missing: where NaN is the mark, infinite ones alone.
template <typename Number>
int64_t drop_endless(const Number* numbers, const uint8_t* mask, int count, const Reading& reading,
                     float* to) {
    int64_t dropped = 0;
    for (int i = 0; i < count; i++) {
        if (std::abs(to[i]) < endless) continue;
        bool marked = (mask && mask[i] == 0) ||
                      (std::isnan(numbers[i]) ? reading.nan_is_mark
                                              : reading.mark && numbers[i] == Number(*reading.mark));
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

// The field that is filled.
struct Filling {
    Rect rect;
    Field::WritableRows rows;
    std::vector<float> line;  // of cells that do not lie beside each other
    int64_t dropped = 0;
};

// Alpha channels and mask bands: what is wholly transparent is missing.
CPLErr read_mask(GDALRasterBand& band, const Rect& part, std::vector<uint8_t>& mask) {
    mask.resize(size_t(part.cells()));
    return band.GetMaskBand()->RasterIO(GF_Read, part.left, part.top, part.width(), part.height(),
                                        mask.data(), part.width(), part.height(), GDT_Byte, 0, 0, nullptr);
}

// Reads one part as numbers of the given kind and turns those of the window into cells. `mask` is that of the part; empty
// where there is none.
template <typename Number>
CPLErr read_part(const Reading& reading, const Rect& part, std::vector<Number>& numbers,
                 const std::vector<uint8_t>& mask, Filling& filling) {
    constexpr GDALDataType kind = std::is_same_v<Number, double> ? GDT_Float64 : GDT_Float32;
    numbers.resize(size_t(part.cells()));
    CPLErr status = reading.band.RasterIO(GF_Read, part.left, part.top, part.width(), part.height(),
                                          numbers.data(), part.width(), part.height(), kind, 0, 0, nullptr);
    if (status != CE_None) return status;
    Rect wanted = part.intersected(reading.window);
    int width = wanted.width();
    filling.line.resize(size_t(width));
    for (int y = wanted.top; y < wanted.bottom; y++) {
        size_t at = size_t(y - part.top) * size_t(part.width()) + size_t(wanted.left - part.left);
        const uint8_t* seen = mask.empty() ? nullptr : &mask[at];
        RowOfCells row(filling.rows, filling.rect, reading.meaning.orientation, wanted.left, y, width);
        float* to = row.straight() ? row.straight() : filling.line.data();
        to_cells(&numbers[at], width, reading, to);
        if (!reading.meaning.ours) filling.dropped += drop_endless(&numbers[at], seen, width, reading, to);
        for (int i = 0; seen && i < width; i++)
            if (seen[i] == 0) to[i] = missing;
        if (row.straight()) continue;
        for (int i = 0; i < width; i++) row[i] = filling.line[size_t(i)];
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
    Rect window = meaning.orientation.in_raster(field.rect());
    if (!Rect::of({band.GetXSize(), band.GetYSize()}).contains(window))
        throw std::logic_error("a window must lie inside its file");
    Reading reading{band, meaning, missing_mark(band), marks_with_nan(band), window};
    bool wide = is_wide(band.GetRasterDataType());
    bool masked = !(band.GetMaskFlags() & (GMF_ALL_VALID | GMF_NODATA));
    Filling filling{field.rect(), field.writable_rows(), {}};
    std::vector<double> doubles;
    std::vector<float> floats;
    std::vector<uint8_t> mask;
    for (const Rect& part : parts_to_read(band, window, meaning.computed)) {
        CPLErr status = masked ? read_mask(band, part, mask) : CE_None;
        if (status == CE_None)
            status = wide ? read_part(reading, part, doubles, mask, filling)
                          : read_part(reading, part, floats, mask, filling);
        if (status != CE_None || errors.failed())
            throw Error(
                fmt::format("cannot read '{}': it is damaged or cut off: {}", path, errors.message()));
        if (context.progress) context.progress->advance(part.intersected(window).cells());
    }
    return filling.dropped;
}

}  // namespace caprock::gdal

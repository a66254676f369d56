#include "formats/gdal/cells.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <vector>

namespace caprock::gdal {

namespace {

// Rows read at a time: enough for a compressed block, few enough to cancel.
constexpr int rows_per_read = 256;

bool is_wide(GDALDataType type) {
    return type == GDT_Float64 || type == GDT_Int32 || type == GDT_UInt32 || type == GDT_Int64 ||
           type == GDT_UInt64;
}

bool marks_with_nan(GDALRasterBand& band) {
    int has_mark = 0;
    double mark = band.GetNoDataValue(&has_mark);
    return has_mark && std::isnan(mark);
}

// Reads one strip of rows as numbers of the given kind and turns them into cells.
template <typename Number>
CPLErr read_strip(GDALRasterBand& band, int top, int count, std::vector<Number>& numbers, float* to,
                  const std::optional<double>& mark, const Scaling& scaling) {
    constexpr GDALDataType kind = std::is_same_v<Number, double> ? GDT_Float64 : GDT_Float32;
    int width = band.GetXSize();
    size_t cells = size_t(count) * size_t(width);
    numbers.resize(cells);
    CPLErr status =
        band.RasterIO(GF_Read, 0, top, width, count, numbers.data(), width, count, kind, 0, 0, nullptr);
    if (status != CE_None) return status;
    // Compared in the file's own precision.
    bool marked = mark.has_value();
    Number missing_number = marked ? Number(*mark) : Number(0);
    for (size_t i = 0; i < cells; i++) {
        if (marked && numbers[i] == missing_number) {
            to[i] = missing;
        } else {
            to[i] = scaling.any() ? scaling(double(numbers[i])) : float(numbers[i]);
        }
    }
    return CE_None;
}

// Makes what is not finite missing, and counts it. Only cells that the mark did not make missing: where NaN is the
// mark, infinite ones alone. The largest float counts as infinite: some readers make one of the other.
template <typename Number>
int64_t drop_endless(const std::vector<Number>& numbers, const std::optional<double>& mark, bool nan_is_mark,
                     float* to) {
    int64_t dropped = 0;
    for (size_t i = 0; i < numbers.size(); i++) {
        if (std::abs(to[i]) < std::numeric_limits<float>::max()) continue;
        bool marked = std::isnan(numbers[i]) ? nan_is_mark : mark && numbers[i] == Number(*mark);
        to[i] = missing;
        if (!marked) dropped++;
    }
    return dropped;
}

// Alpha channels and mask bands: what is wholly transparent is missing.
CPLErr read_mask(GDALRasterBand& band, int top, int count, std::vector<uint8_t>& mask, float* to) {
    int width = band.GetXSize();
    mask.resize(size_t(count) * size_t(width));
    CPLErr status = band.GetMaskBand()->RasterIO(GF_Read, 0, top, width, count, mask.data(), width, count,
                                                 GDT_Byte, 0, 0, nullptr);
    for (size_t i = 0; status == CE_None && i < mask.size(); i++)
        if (mask[i] == 0) to[i] = missing;
    return status;
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

int64_t read_band(GDALRasterBand& band, Field& field, const Scaling& scaling, bool ours,
                  const FileContext& context, const ErrorCollector& errors, const std::string& path) {
    const Rect& rect = field.rect();
    Field::WritableRows rows = field.writable_rows();
    std::optional<double> mark = missing_mark(band);
    bool nan_is_mark = marks_with_nan(band);
    bool wide = is_wide(band.GetRasterDataType());
    bool masked = !(band.GetMaskFlags() & (GMF_ALL_VALID | GMF_NODATA));
    int64_t dropped = 0;
    std::vector<double> doubles;
    std::vector<float> floats;
    std::vector<uint8_t> mask;
    for (int top = 0; top < rect.height(); top += rows_per_read) {
        int count = std::min(rows_per_read, rect.height() - top);
        CPLErr status = wide ? read_strip(band, top, count, doubles, rows[top], mark, scaling)
                             : read_strip(band, top, count, floats, rows[top], mark, scaling);
        if (status == CE_None && !ours)
            dropped += wide ? drop_endless(doubles, mark, nan_is_mark, rows[top])
                            : drop_endless(floats, mark, nan_is_mark, rows[top]);
        if (status == CE_None && masked) status = read_mask(band, top, count, mask, rows[top]);
        if (status != CE_None || errors.failed())
            throw Error(
                fmt::format("cannot read '{}': it is damaged or cut off: {}", path, errors.message()));
        if (context.progress) context.progress->advance(int64_t(count) * rect.width());
    }
    return dropped;
}

void turn_rows(Field& field) {
    const Rect& rect = field.rect();
    Field::WritableRows rows = field.writable_rows();
    for (int top = rect.top, bottom = rect.bottom - 1; top < bottom; top++, bottom--)
        std::swap_ranges(rows[top], rows[top] + rect.width(), rows[bottom]);
}

}  // namespace caprock::gdal

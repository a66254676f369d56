// The cells of one band as a field.
#pragma once

#include "formats/formats.h"
#include "formats/gdal/session.h"

#include <optional>

namespace caprock::gdal {

// What turns the file's numbers into metres.
struct Scaling {
    double offset = 0;
    double factor = 1;

    bool any() const { return offset != 0 || factor != 1; }
    float operator()(double value) const { return float(offset + factor * value); }
    Scaling times(double metres) const { return {offset * metres, factor * metres}; }
};

// The number that marks a missing cell. Numbers that a cell of the file cannot hold mark none.
std::optional<double> missing_mark(GDALRasterBand& band);
// Pictures hold shares of a range; our own ones with missing cells keep 0 for those.
Scaling picture_scaling(GDALRasterBand& band, const Interval& range, bool ours);
// Files of integers may say how their numbers become metres.
Scaling band_scaling(GDALRasterBand& band);

// Returns how many cells were no numbers, infinite, or too large for a float, though the file marks none so: they are
// missing. Infinite heights of our own files are meant so and stay.
int64_t read_band(GDALRasterBand& band, Field& field, const Scaling& scaling, bool ours,
                  const FileContext& context, const ErrorCollector& errors, const std::string& path);

// The rows in the opposite order.
void turn_rows(Field& field);

}  // namespace caprock::gdal

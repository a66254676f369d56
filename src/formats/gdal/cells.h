// The cells of one band as a field.
#pragma once

#include "formats/formats.h"
#include "formats/gdal/orientation.h"
#include "formats/gdal/session.h"

#include <limits>
#include <optional>
#include <vector>

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

// How the numbers of a band are to be taken.
struct BandMeaning {
    Scaling scaling;
    bool ours = false;  // infinite heights of our own files are meant so and stay
    Orientation orientation;
    // Computed where it is read, from more cells than are asked for: the same bits are had by asking for the same rows.
    bool computed = false;
};

// The parts of the window in which the band is best read: whole blocks, few enough at a time to be held and to cancel
// between them. All in cells of the band, and of a computed one with more of them than the window has.
std::vector<Rect> parts_to_read(GDALRasterBand& band, const Rect& window, bool computed);

// Heights from here on are as good as infinite: the sum of four would be. Some readers make one of the other.
constexpr float endless = std::numeric_limits<float>::max() / 4;

// Fills the field, which may be a window of the terrain. Returns how many cells were no numbers or endless, though the file
// marks none so: they are missing.
int64_t read_band(GDALRasterBand& band, Field& field, const BandMeaning& meaning, const FileContext& context,
                  const std::string& path);

}  // namespace caprock::gdal

#include "formats/gdal/warp.h"

#include "base/error.h"
#include "base/text.h"
#include "formats/gdal/system.h"

#include <algorithm>
#include <cmath>
#include <cpl_string.h>
#include <fmt/format.h>
#include <gdal_utils.h>
#include <memory>
#include <numbers>

namespace caprock::gdal {

namespace {

// Beyond this many degrees beside the middle of a zone, lengths on its map are wrong by more than one in a hundred.
constexpr double farthest_beside = 9;

struct Options {
    GDALWarpAppOptions* options;
    explicit Options(CPLStringList& words) : options(GDALWarpAppOptionsNew(words.List(), nullptr)) {}
    ~Options() { GDALWarpAppOptionsFree(options); }
    Options(const Options&) = delete;
    Options& operator=(const Options&) = delete;
};

struct Zone {
    int code;  // EPSG's
    std::string name;
};

// Longitudes and latitudes of a system of its own, about another pole or meridian, as everybody counts them.
void to_usual_degrees(const Georeference& georeference, double& longitude, double& latitude) {
    OGRSpatialReference own = system_of(georeference);
    if (own.IsEmpty()) return;
    OGRSpatialReference usual;
    usual.importFromEPSG(4326);
    usual.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    ErrorCollector unsaid;
    std::unique_ptr<OGRCoordinateTransformation> way(OGRCreateCoordinateTransformation(&own, &usual));
    double x = longitude;
    double y = latitude;
    if (!way || !way->Transform(1, &x, &y)) return;
    longitude = x;
    latitude = y;
}

// The zone in whose middle the raster lies.
Zone zone_of(GDALDataset& source, const std::string& path) {
    Georeference georeference = georeference_of(source);
    const std::array<double, 6>& t = georeference.transform;
    double columns = source.GetRasterXSize();
    double rows = source.GetRasterYSize();
    double longitude = t[0] + t[1] * columns / 2 + t[2] * rows / 2;
    double latitude = t[3] + t[4] * columns / 2 + t[5] * rows / 2;
    if (std::abs(latitude) <= 90) to_usual_degrees(georeference, longitude, latitude);
    double wide = std::abs(t[1]) * columns + std::abs(t[2]) * rows;
    if (!(std::abs(latitude) <= 90) || !std::isfinite(longitude))
        throw Error(fmt::format("cannot read '{}': its middle lies at latitude {}, which is nowhere on Earth",
                                path, number_text(latitude)));
    if (latitude > 84) return {5041, "the north pole (UPS)"};
    if (latitude < -80) return {5042, "the south pole (UPS)"};
    double beside = wide / 2 * std::cos(latitude * std::numbers::pi / 180);
    if (beside > farthest_beside)
        throw Error(
            fmt::format("cannot read '{}': it is {:.4g} degrees wide, too wide for a map in metres; cut a "
                        "part out of it, or give --cell METRES",
                        path, wide));
    double turned = longitude - 360 * std::floor((longitude + 180) / 360);  // -180 up to 180
    int zone = std::clamp(int(std::floor((turned + 180) / 6)) + 1, 1, 60);
    bool north = latitude >= 0;
    return {(north ? 32600 : 32700) + zone, fmt::format("UTM zone {} {}", zone, north ? "north" : "south")};
}

}  // namespace

Dataset resampled_to_metres(GDALDataset& source, const CellShape& shape, const ReadOptions& options,
                            const std::string& path, const FileContext& context) {
    CPLStringList words;
    auto add = [&](std::initializer_list<std::string> more) {
        for (const std::string& word : more) words.AddString(word.c_str());
    };
    // Interpolated when it is read, a block at a time: no second copy of everything.
    add({"-of", "VRT", "-ot", "Float32", "-r", "bilinear", "-dstnodata", "nan"});
    // A hundredth of a cell off at most, rather than the eighth that GDAL thinks enough.
    add({"-et", "0.01"});
    // Cells stay about as large as they are: between the four around a point, which keeps planes what they are. GDAL
    // would take a few more where cells grow a little, and lean to one side.
    if (!options.cell) add({"-wo", "XSCALE=1", "-wo", "YSCALE=1"});
    std::optional<double> cell = options.cell;
    std::string where = "its own coordinate system";
    Georeference georeference = georeference_of(source);
    if (shape.degrees) {
        Zone zone = zone_of(source, path);
        add({"-t_srs", fmt::format("EPSG:{}", zone.code)});
        if (georeference.projection.empty()) add({"-s_srs", "EPSG:4326"});
        where = zone.name;
    } else {
        // As many cells as before; in the unit of the coordinate system.
        double unit = shape.width / std::hypot(georeference.transform[1], georeference.transform[4]);
        if (!cell) cell = std::sqrt(shape.width * shape.height * std::sqrt(1 - shape.slant * shape.slant));
        *cell /= unit;
    }
    if (cell) add({"-tr", number_text(*cell), number_text(*cell)});
    Options warp(words);
    ErrorCollector errors;
    GDALDatasetH from = &source;
    int misused = FALSE;
    Dataset result(static_cast<GDALDataset*>(GDALWarp("", nullptr, 1, &from, warp.options, &misused)));
    if (!result || misused)
        throw Error(
            fmt::format("cannot read '{}': it could not be resampled to metres: {}", path, errors.message()));
    if (context.tell)
        context.tell(fmt::format("'{}' was resampled to {} x {} cells of {:.6g} m in {}", path,
                                 result->GetRasterXSize(), result->GetRasterYSize(),
                                 cell_shape(georeference_of(*result)).width, where));
    return result;
}

}  // namespace caprock::gdal

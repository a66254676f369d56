// A source as a raster that GDAL's drivers copy from: rows are read and turned into numbers when a driver asks for them,
// so that nothing is held but a window.
#pragma once

#include "formats/formats.h"
#include "formats/gdal/session.h"
#include "formats/windows.h"

#include <array>
#include <exception>
#include <functional>
#include <map>
#include <ogr_spatialref.h>
#include <optional>
#include <string>

namespace caprock::gdal {

class SourceRaster : public GDALDataset {
  public:
    // `fields`: of how many a window is held at the same time.
    SourceRaster(TerrainSource& source, const FileContext& context, int64_t fields = 1);

    // A band of numbers of that type. `turn` writes one row of them from the cells of the field.
    using Turn = std::function<void(const float* cells, int width, void* numbers)>;
    GDALRasterBand& add_band(const std::string& field, GDALDataType type, const Turn& turn);

    // What the source threw. Exceptions must not pass through the C libraries: there it is a failure without a name.
    void rethrow() const {
        if (thrown_) std::rethrow_exception(thrown_);
    }

    CPLErr GetGeoTransform(double* transform) override;
    CPLErr SetGeoTransform(double* transform) override;
    const OGRSpatialReference* GetSpatialRef() const override;
    CPLErr SetSpatialRef(const OGRSpatialReference* system) override;

  private:
    class Band;
    // The row as the band's numbers.
    CPLErr fill(Band& band, int y, void* numbers);

    TerrainSource& source_;
    FileContext context_;
    int64_t fields_;
    std::map<std::string, FieldRows> rows_;
    std::optional<std::array<double, 6>> transform_;
    OGRSpatialReference system_;
    std::exception_ptr thrown_;
};

}  // namespace caprock::gdal

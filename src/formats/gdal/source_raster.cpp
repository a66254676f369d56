#include "formats/gdal/source_raster.h"

#include <algorithm>
#include <vector>

namespace caprock::gdal {

class SourceRaster::Band : public GDALRasterBand {
  public:
    Band(SourceRaster& raster, const std::string& field, GDALDataType type, Turn turn)
        : raster_(raster), field_(field), turn_(std::move(turn)) {
        eDataType = type;
        nBlockXSize = raster.GetRasterXSize();
        nBlockYSize = 1;
    }

    const std::string& field() const { return field_; }
    void turn(const float* cells, void* numbers) const { turn_(cells, nBlockXSize, numbers); }

    double GetNoDataValue(int* known) override {
        if (known) *known = mark_.has_value();
        return mark_.value_or(0);
    }
    CPLErr SetNoDataValue(double mark) override {
        mark_ = mark;
        return CE_None;
    }
    GDALColorInterp GetColorInterpretation() override { return colour_; }
    CPLErr SetColorInterpretation(GDALColorInterp colour) override {
        colour_ = colour;
        return CE_None;
    }

  protected:
    CPLErr IReadBlock(int, int y, void* numbers) override { return raster_.fill(*this, y, numbers); }

    // Straight from the rows: through the blocks everything would be copied once more.
    CPLErr IRasterIO(GDALRWFlag direction, int left, int top, int width, int height, void* to,
                     int result_width, int result_height, GDALDataType type, GSpacing cell_step,
                     GSpacing row_step, GDALRasterIOExtraArg* more) override {
        if (direction != GF_Read || width != result_width || height != result_height)
            return GDALRasterBand::IRasterIO(direction, left, top, width, height, to, result_width,
                                             result_height, type, cell_step, row_step, more);
        int bytes = GDALGetDataTypeSizeBytes(eDataType);
        numbers_.resize(size_t(nBlockXSize) * size_t(bytes));
        for (int row = 0; row < height; row++) {
            CPLErr status = raster_.fill(*this, top + row, numbers_.data());
            if (status != CE_None) return status;
            GDALCopyWords64(numbers_.data() + ptrdiff_t(left) * bytes, eDataType, bytes,
                            static_cast<char*>(to) + row * row_step, type, int(cell_step), width);
        }
        return CE_None;
    }

  private:
    SourceRaster& raster_;
    std::string field_;
    Turn turn_;
    std::optional<double> mark_;
    GDALColorInterp colour_ = GCI_Undefined;
    std::vector<char> numbers_;
};

SourceRaster::SourceRaster(TerrainSource& source, const FileContext& context, int64_t fields)
    : source_(source), context_(context), fields_(fields) {
    Size size = source.shape().rect().size();
    nRasterXSize = size.width;
    nRasterYSize = size.height;
    // As GDAL itself has it: east before north.
    system_.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
}

GDALRasterBand& SourceRaster::add_band(const std::string& field, GDALDataType type, const Turn& turn) {
    rows_.try_emplace(field, source_, field, fields_);
    int number = GetRasterCount() + 1;
    SetBand(number, new Band(*this, field, type, turn));
    return *GetRasterBand(number);
}

CPLErr SourceRaster::fill(Band& band, int y, void* numbers) {
    if (thrown_) return CE_Failure;
    try {
        if (context_.progress) context_.progress->check();
        band.turn(rows_.at(band.field())[y], numbers);
        return CE_None;
    } catch (...) {
        thrown_ = std::current_exception();
    }
    CPLError(CE_Failure, CPLE_AppDefined, "the cells of row %d could not be had", y);
    return CE_Failure;
}

CPLErr SourceRaster::GetGeoTransform(double* transform) {
    if (!transform_) return GDALDataset::GetGeoTransform(transform);
    std::ranges::copy(*transform_, transform);
    return CE_None;
}

CPLErr SourceRaster::SetGeoTransform(double* transform) {
    transform_.emplace();
    std::copy(transform, transform + transform_->size(), transform_->begin());
    return CE_None;
}

const OGRSpatialReference* SourceRaster::GetSpatialRef() const {
    return system_.IsEmpty() ? nullptr : &system_;
}

CPLErr SourceRaster::SetSpatialRef(const OGRSpatialReference* system) {
    if (system) {
        system_ = *system;
    } else {
        system_.Clear();
    }
    return CE_None;
}

}  // namespace caprock::gdal

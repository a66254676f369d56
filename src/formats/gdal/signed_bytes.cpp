#include "formats/gdal/signed_bytes.h"

#include <algorithm>
#include <ogr_spatialref.h>
#include <vector>

namespace caprock::gdal {

namespace {

bool is_signed(GDALRasterBand& band) {
    const char* kind = band.GetMetadataItem("PIXELTYPE", "IMAGE_STRUCTURE");
    return band.GetRasterDataType() == GDT_Byte && kind && EQUAL(kind, "SIGNEDBYTE");
}

constexpr double sign_from = 128;
constexpr double below_zero = 256;

// A band of another raster, all of it as it is but for the signs.
class SignedBand : public GDALRasterBand {
  public:
    SignedBand(GDALDataset& owner, int number, GDALRasterBand& band) : band_(band), signed_(is_signed(band)) {
        poDS = &owner;
        nBand = number;
        eDataType = signed_ ? GDT_Int16 : band.GetRasterDataType();
        nRasterXSize = band.GetXSize();
        nRasterYSize = band.GetYSize();
        band.GetBlockSize(&nBlockXSize, &nBlockYSize);
    }

    double GetNoDataValue(int* known) override {
        double mark = band_.GetNoDataValue(known);
        // Some write it as the byte that stands there.
        return signed_ && mark >= sign_from && mark < below_zero ? mark - below_zero : mark;
    }
    int GetMaskFlags() override { return band_.GetMaskFlags(); }
    GDALRasterBand* GetMaskBand() override {
        return band_.GetMaskFlags() & (GMF_ALL_VALID | GMF_NODATA) ? GDALRasterBand::GetMaskBand()
                                                                   : band_.GetMaskBand();
    }
    GDALColorInterp GetColorInterpretation() override { return band_.GetColorInterpretation(); }

    CPLErr IReadBlock(int column, int row, void* numbers) override {
        int width = std::min(nBlockXSize, nRasterXSize - column * nBlockXSize);
        int height = std::min(nBlockYSize, nRasterYSize - row * nBlockYSize);
        int bytes = GDALGetDataTypeSizeBytes(eDataType);
        return IRasterIO(GF_Read, column * nBlockXSize, row * nBlockYSize, width, height, numbers, width,
                         height, eDataType, bytes, GSpacing(bytes) * nBlockXSize, nullptr);
    }

    CPLErr IRasterIO(GDALRWFlag direction, int left, int top, int width, int height, void* to,
                     int result_width, int result_height, GDALDataType type, GSpacing cell_step,
                     GSpacing row_step, GDALRasterIOExtraArg* more) override {
        if (direction != GF_Read) return CE_Failure;
        if (!signed_)
            return band_.RasterIO(direction, left, top, width, height, to, result_width, result_height, type,
                                  cell_step, row_step, more);
        if (width != result_width || height != result_height)
            return GDALRasterBand::IRasterIO(direction, left, top, width, height, to, result_width,
                                             result_height, type, cell_step, row_step, more);
        std::vector<int16_t> line(static_cast<size_t>(width));
        for (int y = 0; y < height; y++) {
            CPLErr status = band_.RasterIO(GF_Read, left, top + y, width, 1, line.data(), width, 1, GDT_Int16,
                                           0, 0, nullptr);
            if (status != CE_None) return status;
            for (int16_t& number : line)
                if (number >= sign_from) number = int16_t(number - below_zero);
            GDALCopyWords64(line.data(), GDT_Int16, sizeof(int16_t), static_cast<char*>(to) + y * row_step,
                            type, int(cell_step), width);
        }
        return CE_None;
    }

  private:
    GDALRasterBand& band_;
    bool signed_;
};

class SignedRaster : public GDALDataset {
  public:
    explicit SignedRaster(GDALDataset& file) : file_(file) {
        nRasterXSize = file.GetRasterXSize();
        nRasterYSize = file.GetRasterYSize();
        for (int number = 1; number <= file.GetRasterCount(); number++)
            SetBand(number, new SignedBand(*this, number, *file.GetRasterBand(number)));
    }

    CPLErr GetGeoTransform(double* transform) override { return file_.GetGeoTransform(transform); }
    const OGRSpatialReference* GetSpatialRef() const override { return file_.GetSpatialRef(); }
    int GetGCPCount() override { return file_.GetGCPCount(); }
    const GDAL_GCP* GetGCPs() override { return file_.GetGCPs(); }
    const OGRSpatialReference* GetGCPSpatialRef() const override { return file_.GetGCPSpatialRef(); }

  private:
    GDALDataset& file_;
};

}  // namespace

bool has_signed_bytes(GDALDataset& file) {
    for (int number = 1; number <= file.GetRasterCount(); number++)
        if (is_signed(*file.GetRasterBand(number))) return true;
    return false;
}

Dataset with_signs(GDALDataset& file) { return Dataset(new SignedRaster(file)); }

}  // namespace caprock::gdal

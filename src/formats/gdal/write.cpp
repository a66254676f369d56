#include "formats/gdal/write.h"

#include "base/error.h"
#include "base/text.h"
#include "formats/gdal/session.h"

#include <cpl_string.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace caprock::gdal {

namespace {

constexpr int rows_per_write = 256;

[[noreturn]] void fail(const ErrorCollector& errors) {
    throw Error("the file could not be written: " + errors.message());
}

// Some failures, a full disk among them, are only seen when the last blocks go out.
void close(Dataset dataset, const ErrorCollector& errors) {
    dataset->FlushCache(true);
    dataset.reset();
    if (errors.failed()) fail(errors);
}

void describe(GDALDataset& dataset, const Terrain& terrain) {
    dataset.SetMetadataItem("CAPROCK_RANGE", interval_text(terrain.grid().range).c_str());
    dataset.SetMetadataItem("CAPROCK_CELL", number_text(terrain.grid().cell).c_str());
}

}  // namespace

void write_geotiff(const Terrain& terrain, const std::string& path, const FileContext& context) {
    ErrorCollector errors;
    GDALDriver& driver = raster_driver("GTiff");
    CPLStringList options;
    const char* known = driver.GetMetadataItem(GDAL_DMD_CREATIONOPTIONLIST);
    bool zstd = known && std::string(known).find("ZSTD") != std::string::npos;
    options.SetNameValue("COMPRESS", zstd ? "ZSTD" : "DEFLATE");
    options.SetNameValue("PREDICTOR", "3");
    options.SetNameValue("TILED", "YES");
    options.SetNameValue("INTERLEAVE", "BAND");
    options.SetNameValue("BIGTIFF", "IF_SAFER");
    options.SetNameValue("NUM_THREADS", "ALL_CPUS");
    const Rect& rect = terrain.rect();
    std::vector<std::string> names = terrain.names();
    Dataset dataset(driver.Create(path.c_str(), rect.width(), rect.height(), int(names.size()), GDT_Float32,
                                  options.List()));
    if (!dataset) fail(errors);
    if (const Georeference* georeference = terrain.georeference()) {
        std::array<double, 6> transform = georeference->transform;
        dataset->SetGeoTransform(transform.data());
        if (!georeference->projection.empty()) dataset->SetProjection(georeference->projection.c_str());
    } else {
        double cell = terrain.grid().cell;
        double transform[6] = {0, cell, 0, 0, 0, -cell};
        dataset->SetGeoTransform(transform);
    }
    describe(*dataset, terrain);
    // The no-data value is one for the whole file.
    dataset->GetRasterBand(1)->SetNoDataValue(std::nan(""));
    if (context.progress) context.progress->expect(rect.cells() * int64_t(names.size()));
    for (size_t i = 0; i < names.size(); i++) {
        GDALRasterBand& band = *dataset->GetRasterBand(int(i) + 1);
        band.SetDescription(names[i].c_str());
        if (names[i] == "height" && terrain.georeference() && !terrain.georeference()->vertical_unit.empty())
            band.SetUnitType(terrain.georeference()->vertical_unit.c_str());
        const Field& field = terrain.field(names[i]);
        Field::Rows rows = field.rows();
        ptrdiff_t stride = field.plane().buffer->stride();
        for (int top = rect.top; top < rect.bottom; top += rows_per_write) {
            int count = std::min(rows_per_write, rect.bottom - top);
            CPLErr status = band.RasterIO(GF_Write, 0, top - rect.top, rect.width(), count,
                                          const_cast<float*>(rows[top]), rect.width(), count, GDT_Float32,
                                          sizeof(float), GSpacing(stride) * GSpacing(sizeof(float)), nullptr);
            if (status != CE_None || errors.failed()) fail(errors);
            if (context.progress) context.progress->advance(int64_t(count) * rect.width());
        }
    }
    close(std::move(dataset), errors);
}

void write_png16(const Terrain& terrain, const std::string& path, const FileContext& context) {
    ErrorCollector errors;
    const Rect& rect = terrain.rect();
    const Field& height = terrain.height();
    Interval range = terrain.grid().range;
    if (context.progress) context.progress->expect(rect.cells());
    Dataset memory(raster_driver("MEM").Create("", rect.width(), rect.height(), 1, GDT_UInt16, nullptr));
    if (!memory) fail(errors);
    bool holes = statistics(height).missing > 0;
    // Where cells are missing, 0 is theirs and is marked transparent.
    double least = holes ? 1 : 0;
    int64_t outside = 0;
    Field::Rows rows = height.rows();
    std::vector<uint16_t> line(static_cast<size_t>(rect.width()));
    for (int y = rect.top; y < rect.bottom; y++) {
        for (int i = 0; i < rect.width(); i++) {
            double share = (double(rows[y][i]) - range.low) / range.span();
            if (is_missing(rows[y][i])) {
                line[size_t(i)] = 0;
                continue;
            }
            if (share < 0 || share > 1) outside++;
            share = std::clamp(share, 0.0, 1.0);
            line[size_t(i)] = uint16_t(std::lround(least + share * (65535 - least)));
        }
        if (memory->GetRasterBand(1)->RasterIO(GF_Write, 0, y - rect.top, rect.width(), 1, line.data(), rect.width(),
                                               1, GDT_UInt16, 0, 0, nullptr) != CE_None)
            fail(errors);
        if (context.progress) context.progress->advance(rect.width());
    }
    if (holes) memory->GetRasterBand(1)->SetNoDataValue(0);
    describe(*memory, terrain);
    if (context.tell) {
        if (outside > 0)
            context.tell(fmt::format("{} cells lie outside the height range {} and were cut off at its ends", outside,
                                     interval_text(range)));
        if (terrain.names().size() > 1) context.tell("a .png keeps the height only; write a .tif to keep every field");
    }
    CPLStringList options;
    options.SetNameValue("WRITE_METADATA_AS_TEXT", "YES");
    Dataset written(raster_driver("PNG").CreateCopy(path.c_str(), memory.get(), FALSE, options.List(), nullptr,
                                                    nullptr));
    if (!written || errors.failed()) fail(errors);
    close(std::move(written), errors);
}

void write_picture(const Picture& picture, const std::string& path) {
    ErrorCollector errors;
    Dataset memory(raster_driver("MEM").Create("", picture.size.width, picture.size.height, 3, GDT_Byte, nullptr));
    if (!memory) fail(errors);
    int width = picture.size.width;
    if (memory->RasterIO(GF_Write, 0, 0, width, picture.size.height, const_cast<uint8_t*>(picture.rgb.data()), width,
                         picture.size.height, GDT_Byte, 3, nullptr, 3, GSpacing(width) * 3, 1, nullptr) != CE_None)
        fail(errors);
    Dataset written(raster_driver("PNG").CreateCopy(path.c_str(), memory.get(), FALSE, nullptr, nullptr, nullptr));
    if (!written || errors.failed()) fail(errors);
    close(std::move(written), errors);
}

}  // namespace caprock::gdal

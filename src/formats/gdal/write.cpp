#include "formats/gdal/write.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/gdal/notes.h"
#include "formats/gdal/output.h"

#include <algorithm>
#include <cmath>
#include <cpl_string.h>
#include <fmt/format.h>

namespace caprock::gdal {

namespace {

constexpr int rows_per_write = 256;

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
    std::array<double, 6> transform = transform_of(terrain);
    if (pixel_width(transform) > 0) dataset->SetGeoTransform(transform.data());
    if (terrain.georeference() && !terrain.georeference()->projection.empty())
        dataset->SetProjection(terrain.georeference()->projection.c_str());
    if (terrain.georeference() && terrain.georeference()->at_points)
        dataset->SetMetadataItem(GDALMD_AREA_OR_POINT, GDALMD_AOP_POINT);
    write_notes(*dataset, terrain.grid(), transform);
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
            // Whole rows of blocks go out at once: a cancel need not wait for a cache full of them.
            if (status == CE_None) status = band.FlushCache(false);
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
    // Once to turn them into integers, once to compress those.
    if (context.progress) context.progress->expect(2 * rect.cells());
    MemoryReservation reservation(uint64_t(rect.cells()) * sizeof(uint16_t), "the picture of the heights");
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
        if (memory->GetRasterBand(1)->RasterIO(GF_Write, 0, y - rect.top, rect.width(), 1, line.data(),
                                               rect.width(), 1, GDT_UInt16, 0, 0, nullptr) != CE_None)
            fail(errors);
        if (context.progress) context.progress->advance(rect.width());
    }
    if (holes) memory->GetRasterBand(1)->SetNoDataValue(0);
    write_notes(*memory, terrain.grid(), {});
    tell_outside(outside, range, context);
    tell_place_lost(terrain, ".png", context);
    CPLStringList options;
    options.SetNameValue("WRITE_METADATA_AS_TEXT", "YES");
    copy_as("PNG", *memory, path, options, context, errors);
}

void write_picture(const Picture& picture, const std::string& path, const FileContext& context) {
    ErrorCollector errors;
    auto [width, height] = picture.size;
    if (context.progress) context.progress->expect(picture.size.cells());
    Dataset memory(raster_driver("MEM").Create("", width, height, 3, GDT_Byte, nullptr));
    if (!memory) fail(errors);
    if (memory->RasterIO(GF_Write, 0, 0, width, height, const_cast<uint8_t*>(picture.rgb.data()), width,
                         height, GDT_Byte, 3, nullptr, 3, GSpacing(width) * 3, 1, nullptr) != CE_None)
        fail(errors);
    copy_as("PNG", *memory, path, CPLStringList(), context, errors);
}

}  // namespace caprock::gdal

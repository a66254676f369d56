#include "formats/gdal/write.h"

#include "formats/gdal/notes.h"
#include "formats/gdal/output.h"
#include "formats/gdal/source_raster.h"
#include "formats/windows.h"

#include <algorithm>
#include <cmath>
#include <cpl_string.h>

namespace caprock::gdal {

void write_geotiff(TerrainSource& source, const std::string& path, const FileContext& context) {
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
    Terrain shape = source.shape();
    const Rect& rect = shape.rect();
    const Georeference* georeference = shape.georeference();
    std::vector<std::string> names = source.names();
    Dataset dataset(driver.Create(path.c_str(), rect.width(), rect.height(), int(names.size()), GDT_Float32,
                                  options.List()));
    if (!dataset) fail(errors);
    std::array<double, 6> transform = transform_of(shape);
    if (pixel_width(transform) > 0) dataset->SetGeoTransform(transform.data());
    set_system(*dataset, georeference);
    if (georeference && georeference->at_points)
        dataset->SetMetadataItem(GDALMD_AREA_OR_POINT, GDALMD_AOP_POINT);
    write_notes(*dataset, shape.grid(), transform);
    // The no-data value is one for the whole file.
    dataset->GetRasterBand(1)->SetNoDataValue(std::nan(""));
    if (context.progress) context.progress->expect(rect.cells() * int64_t(names.size()));
    for (size_t i = 0; i < names.size(); i++) {
        GDALRasterBand& band = *dataset->GetRasterBand(int(i) + 1);
        band.SetDescription(names[i].c_str());
        if (is_ground(names[i]) && georeference && !georeference->vertical_unit.empty())
            band.SetUnitType(georeference->vertical_unit.c_str());
        each_window(source, names[i], context, [&](const Field& window) {
            const Rect& part = window.rect();
            ptrdiff_t stride = window.plane().buffer->stride();
            CPLErr status = band.RasterIO(GF_Write, part.left, part.top, part.width(), part.height(),
                                          const_cast<float*>(window.rows()[part.top]), part.width(),
                                          part.height(), GDT_Float32, sizeof(float),
                                          GSpacing(stride) * GSpacing(sizeof(float)), nullptr);
            // Whole rows of blocks go out at once: a cancel need not wait for a cache full of them.
            if (status == CE_None) status = band.FlushCache(false);
            if (status != CE_None || errors.failed()) fail(errors);
        });
    }
    close(std::move(dataset), errors);
}

void write_png16(TerrainSource& source, const std::string& path, const FileContext& context) {
    ErrorCollector errors;
    Terrain shape = source.shape();
    Interval range = shape.grid().range;
    // Once to see whether there are missing cells, once to write them.
    if (context.progress) context.progress->expect(2 * shape.rect().cells());
    ShareCount found = count_shares(source, range, context);
    // Where cells are missing, 0 is theirs and is marked transparent.
    double least = found.holes > 0 ? 1 : 0;
    SourceRaster raster(source, context);
    GDALRasterBand& band =
        raster.add_band("height", GDT_UInt16, [&](const float* cells, int width, void* numbers) {
            auto* to = static_cast<uint16_t*>(numbers);
            for (int i = 0; i < width; i++) {
                double share = std::clamp(share_of(cells[i], range), 0.0, 1.0);
                to[i] = is_missing(cells[i]) ? 0 : uint16_t(std::lround(least + share * (65535 - least)));
            }
        });
    if (found.holes > 0) band.SetNoDataValue(0);
    write_notes(raster, shape.grid(), {});
    tell_outside(found.outside, range, context);
    tell_place_lost(shape, ".png", context);
    CPLStringList options;
    options.SetNameValue("WRITE_METADATA_AS_TEXT", "YES");
    copy_as("PNG", raster, path, options, context, errors);
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

#include "formats/gdal/output.h"

#include "base/error.h"
#include "base/text.h"
#include "formats/gdal/system.h"
#include "formats/windows.h"

#include <fmt/format.h>

namespace caprock::gdal {

namespace {

// GDAL copies a whole picture in one call and asks now and then whether to go on. Exceptions must not pass
// through the C libraries below it.
struct Watch {
    Progress* progress;
    int64_t units;
    int64_t told = 0;

    static int CPL_STDCALL report(double share, const char*, void* data) {
        Watch& watch = *static_cast<Watch*>(data);
        if (!watch.progress) return TRUE;
        int64_t done = int64_t(share * double(watch.units));
        try {
            watch.progress->advance(done - watch.told);
        } catch (const Cancelled&) {
            return FALSE;
        }
        watch.told = done;
        return TRUE;
    }
};

}  // namespace

void fail(const ErrorCollector& errors) { throw Error(errors.message()); }

void close(Dataset dataset, const ErrorCollector& errors) {
    dataset->FlushCache(true);
    dataset.reset();
    if (errors.failed()) fail(errors);
}

std::array<double, 6> transform_of(const Terrain& shape) {
    double cell = shape.grid().cell;
    if (!shape.georeference()) return {0, cell, 0, 0, 0, -cell};
    // A source begins where its cells do.
    return TerrainInMemory(shape).shape().georeference()->transform;
}

void set_system(GDALDataset& raster, const Georeference* georeference) {
    if (!georeference) return;
    OGRSpatialReference system = system_of(*georeference);
    if (system.IsEmpty()) return;
    // What a format has no words for is no reason not to write the cells: keep_system sees to it afterwards.
    ErrorCollector unsaid;
    raster.SetSpatialRef(&system);
}

void copy_as(const char* driver, GDALDataset& raster, const std::string& path, const CPLStringList& options,
             const FileContext& context, const ErrorCollector& errors) {
    Watch watch{context.progress, int64_t(raster.GetRasterXSize()) * raster.GetRasterYSize()};
    Dataset written(raster_driver(driver).CreateCopy(path.c_str(), &raster, FALSE, options.List(),
                                                     Watch::report, &watch));
    if (context.progress) context.progress->check();
    if (!written || errors.failed()) fail(errors);
    close(std::move(written), errors);
}

void copy_as(const char* driver, SourceRaster& raster, const std::string& path, const CPLStringList& options,
             const FileContext& context, const ErrorCollector& errors) {
    try {
        copy_as(driver, static_cast<GDALDataset&>(raster), path, options, context, errors);
    } catch (const Error&) {
        raster.rethrow();
        throw;
    }
    raster.rethrow();
}

ShareCount count_shares(TerrainSource& source, const Interval& range, const FileContext& context) {
    ShareCount count;
    each_window(source, "height", context, [&](const Field& window) {
        const Rect& rect = window.rect();
        Field::Rows rows = window.rows();
        for (int y = rect.top; y < rect.bottom; y++)
            for (int i = 0; i < rect.width(); i++) {
                double share = share_of(rows[y][i], range);
                count.holes += is_missing(rows[y][i]);
                count.outside += share < 0 || share > 1;
            }
    });
    return count;
}

void tell_outside(int64_t cells, const Interval& range, const FileContext& context) {
    if (context.tell && cells > 0)
        context.tell(fmt::format("{} {} outside the height range {} and {} cut off at its ends", cells,
                                 cells > 1 ? "cells lie" : "cell lies", interval_text(range),
                                 cells > 1 ? "were" : "was"));
}

void tell_place_lost(const Terrain& shape, const std::string& ending, const FileContext& context) {
    if (context.tell && shape.georeference())
        context.tell(fmt::format("a {} does not keep the place on Earth; write a .tif to keep it", ending));
}

}  // namespace caprock::gdal

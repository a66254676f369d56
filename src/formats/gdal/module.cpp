// The module's one exported function.
#include "base/error.h"
#include "formats/driver.h"
#include "formats/format_table.h"
#include "formats/gdal/frontier.h"
#include "formats/gdal/read.h"
#include "formats/gdal/read_lines.h"
#include "formats/gdal/session.h"
#include "formats/gdal/system.h"
#include "formats/gdal/write.h"
#include "formats/gdal/write_heights.h"
#include "formats/gdal/write_lines.h"

#include <fmt/format.h>

namespace caprock::gdal {

namespace {

class GdalDriver : public RasterModule {
  public:
    std::unique_ptr<RasterReader> open(const std::string& path, const ReadOptions& options,
                                       const FileContext& context) override {
        return gdal::open(path, options, context);
    }
    bool is_described(const std::string& path) override { return gdal::is_described(path); }
    void check_fits(const Terrain& shape, const std::string& path, const std::string& ending) override {
        const TerrainFormat& format = format_called(ending);
        if (*format.driver) check_heights_fit(shape, path, format);
    }
    void write(TerrainSource& source, const std::string& path, const std::string& ending,
               const WriteOptions& options, const FileContext& context) override {
        ModestCache cache;
        const TerrainFormat& format = format_called(ending);
        write_cells(source, path, format, options, context);
        Terrain shape = source.shape();
        const Georeference* georeference = shape.georeference();
        if (georeference && format.keeps_system && !keep_system(path, *georeference) && context.tell)
            context.tell(fmt::format(
                "a {} does not keep all of this coordinate system; write a .tif to keep it", ending));
    }
    void write_picture(const Picture& picture, const std::string& path, const FileContext& context) override {
        NoFilesBeside bare;
        gdal::write_picture(picture, path, context);
    }
    LineFile read_lines(const std::string& path, const std::string& layer, const FileContext&) override {
        return gdal::read_lines(path, layer);
    }
    std::vector<std::string> line_layers(const std::string& path) override { return gdal::line_layers(path); }
    void write_lines(const std::vector<std::pair<std::string, LineFile>>& sets, const std::string& path,
                     const LineFormat& format, const FileContext& context) override {
        NoFilesBeside bare;
        gdal::write_lines(sets, path, format, context);
    }
    LineSet transformed(const LineSet& lines, const std::string& from, const std::string& to) override {
        return gdal::transformed(lines, from, to);
    }

  private:
    static const TerrainFormat& format_called(const std::string& ending) {
        if (const TerrainFormat* format = format_of_ending(ending)) return *format;
        throw Error(fmt::format("'{}' is no format of terrains", ending));
    }
    static void write_cells(TerrainSource& source, const std::string& path, const TerrainFormat& format,
                            const WriteOptions& options, const FileContext& context) {
        NoFilesBeside bare;
        switch (format.writer) {
            case TerrainFormat::Writer::geotiff:
                return write_geotiff(source, path, context);
            case TerrainFormat::Writer::png:
                if (options.meaning == PictureMeaning::frontier) return write_frontier(source, path, context);
                return write_png16(source, path, context);
            case TerrainFormat::Writer::driver:
            case TerrainFormat::Writer::columns:
            case TerrainFormat::Writer::terragen:
                return write_heights(source, path, format, context);
            case TerrainFormat::Writer::raw:
            case TerrainFormat::Writer::none:
                throw Error(fmt::format("a {} is not written by the module for rasters", format.ending));
        }
    }
};

}  // namespace

}  // namespace caprock::gdal

extern "C" caprock::RasterModule* caprock_raster_driver() {
    static caprock::gdal::GdalDriver driver;
    return &driver;
}

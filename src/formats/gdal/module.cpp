// The module's one exported function.
#include "formats/driver.h"
#include "formats/gdal/frontier.h"
#include "formats/gdal/read.h"
#include "formats/gdal/session.h"
#include "formats/gdal/write.h"
#include "formats/gdal/write_heights.h"

namespace caprock::gdal {

namespace {

class GdalDriver : public RasterModule {
  public:
    std::unique_ptr<RasterReader> open(const std::string& path, const ReadOptions& options,
                                       const FileContext& context) override {
        return gdal::open(path, options, context);
    }
    void check_fits(const Terrain& shape, const std::string& path, const std::string& ending) override {
        if (ending != ".png" && ending != ".tif") check_heights_fit(shape, path, ending);
    }
    void write(TerrainSource& source, const std::string& path, const std::string& ending,
               const WriteOptions& options, const FileContext& context) override {
        ModestCache cache;
        if (ending == ".png" && options.meaning == PictureMeaning::frontier) {
            write_frontier(source, path, context);
        } else if (ending == ".png") {
            write_png16(source, path, context);
        } else if (ending == ".tif") {
            write_geotiff(source, path, context);
        } else {
            write_heights(source, path, ending, context);
        }
    }
    void write_picture(const Picture& picture, const std::string& path, const FileContext& context) override {
        gdal::write_picture(picture, path, context);
    }
};

}  // namespace

}  // namespace caprock::gdal

extern "C" caprock::RasterModule* caprock_raster_driver() {
    static caprock::gdal::GdalDriver driver;
    return &driver;
}

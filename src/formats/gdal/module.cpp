// The module's one exported function.
#include "formats/driver.h"
#include "formats/gdal/frontier.h"
#include "formats/gdal/read.h"
#include "formats/gdal/write.h"
#include "formats/gdal/write_heights.h"

namespace caprock::gdal {

namespace {

class GdalDriver : public RasterModule {
  public:
    Terrain read(const std::string& path, const ReadOptions& options, const FileContext& context) override {
        return gdal::read(path, options, context);
    }
    void check_fits(const Terrain& shape, const std::string& path, const std::string& ending) override {
        if (ending != ".png" && ending != ".tif") check_heights_fit(shape, path, ending);
    }
    void write(const Terrain& terrain, const std::string& path, const std::string& ending,
               const WriteOptions& options, const FileContext& context) override {
        if (ending == ".png" && options.meaning == PictureMeaning::frontier) {
            write_frontier(terrain, path, context);
        } else if (ending == ".png") {
            write_png16(terrain, path, context);
        } else if (ending == ".tif") {
            write_geotiff(terrain, path, context);
        } else {
            write_heights(terrain, path, ending, context);
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

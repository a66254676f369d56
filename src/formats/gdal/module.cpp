// The module's one exported function.
#include "formats/driver.h"
#include "formats/gdal/frontier.h"
#include "formats/gdal/read.h"
#include "formats/gdal/session.h"
#include "formats/gdal/system.h"
#include "formats/gdal/write.h"
#include "formats/gdal/write_heights.h"

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
        if (ending != ".png" && ending != ".tif") check_heights_fit(shape, path, ending);
    }
    void write(TerrainSource& source, const std::string& path, const std::string& ending,
               const WriteOptions& options, const FileContext& context) override {
        ModestCache cache;
        write_cells(source, path, ending, options, context);
        Terrain shape = source.shape();
        const Georeference* georeference = shape.georeference();
        if (georeference && keeps_system(ending) && !keep_system(path, *georeference) && context.tell)
            context.tell(fmt::format(
                "a {} does not keep all of this coordinate system; write a .tif to keep it", ending));
    }
    void write_picture(const Picture& picture, const std::string& path, const FileContext& context) override {
        NoFilesBeside bare;
        gdal::write_picture(picture, path, context);
    }

  private:
    static bool keeps_system(const std::string& ending) {
        return ending != ".png" && ending != ".ter" && ending != ".xyz";
    }
    static void write_cells(TerrainSource& source, const std::string& path, const std::string& ending,
                            const WriteOptions& options, const FileContext& context) {
        NoFilesBeside bare;
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
};

}  // namespace

}  // namespace caprock::gdal

extern "C" caprock::RasterModule* caprock_raster_driver() {
    static caprock::gdal::GdalDriver driver;
    return &driver;
}

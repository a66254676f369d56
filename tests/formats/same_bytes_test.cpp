// The same terrain gives the same files, whenever and wherever it is written.
#include "formats/rasters.h"

#include <chrono>
#include <map>
#include <thread>

using namespace caprock;
using namespace caprock::test;

namespace {

Terrain on_earth(Terrain terrain, const std::array<double, 6>& transform, const std::string& system) {
    Georeference georeference;
    georeference.transform = transform;
    georeference.projection = projection_text(system);
    terrain.set_georeference(georeference);
    return terrain;
}

// Everything that can be written.
void write_all(const Folder& folder) {
    Terrain terrain = on_earth(rough_terrain({64, 48}), {500000, 4, 0, 5200000, 0, -4}, "EPSG:25832");
    for (const char* ending : {".tif", ".img", ".png", ".asc", ".bt", ".ter", ".bil", ".flt", ".nc", ".xyz",
                               ".r16", ".raw", ".r32", ".frontier.png"})
        write_terrain(terrain, folder / ("terrain-as" + std::string(ending)));
    constexpr double step = 1.0 / 1200;
    write_terrain(
        on_earth(rough_terrain({1201, 1201}), {11 - step / 2, step, 0, 48 + step / 2, 0, -step}, "EPSG:4326"),
        folder / "N47E011.hgt");
    write_picture({{50, 40}, std::vector<uint8_t>(50 * 40 * 3, 7)}, folder / "picture.png");
    write_recipe("{}\n", folder / "recipe.json");
}

}  // namespace

TEST(SameBytes, WhereverAndWheneverItIsWritten) {
    Folder first;
    write_all(first);
    // Dates in files are in seconds.
    auto second_of = [] { return std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()); };
    for (auto begin = second_of(); second_of() == begin;)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    Folder second;
    write_all(second);
    ASSERT_EQ(first.names(), second.names());
    EXPECT_GE(first.names().size(), 17u);
    for (const std::string& name : first.names())
        EXPECT_TRUE(file_text(first / name) == file_text(second / name)) << name;
}

// The smallest program on the library: ridges, weathered, written to a GeoTIFF.
#include <caprock/caprock.h>
#include <cstdio>

using namespace caprock;

int main(int count, char** words) {
    const char* path = count > 1 ? words[1] : "hills.tif";
    try {
        auto land = noise({.kind = NoiseKind::ridged, .seed = 7}) | thermal_erosion({.steps = 20});
        write(land.on({512, 512, 4_m}), path);
        std::printf("%s height %s\n", path, read(path).terrain().height().fingerprint().c_str());
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "hills: %s\n", error.what());
        return 2;
    }
}

// The smallest program on the library: hills, weathered, written to a GeoTIFF.
#include "compute/devices.h"
#include "formats/formats.h"
#include "graph/executor.h"

#include <cstdio>

int main(int count, char** values) {
    try {
        using namespace caprock;
        Grid grid{Rect::of({512, 512}), 4, {0, 400}};
        std::vector<std::unique_ptr<Operation>> chain;
        chain.push_back(make_operation("noise"));
        chain.push_back(make_operation("thermal-erosion"));
        // Parameters by name, exactly as on the command line.
        chain[0]->set_text("seed", "7");
        chain[1]->set_text("steps", "20");

        RunContext context{choose_device("auto", 0, grid.extent.cells()), nullptr, {}};
        Terrain terrain = run_chain(chain, Terrain(grid), context);
        const char* path = count > 1 ? values[1] : "hills.tif";
        write_terrain(terrain, path);
        std::printf("%s: height %s\n", path, fingerprint_text(fingerprint(terrain.height())).c_str());
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "hills: %s\n", error.what());
        return 2;
    }
}

// A mask of the slopes that face one way: the sunny side, the lee.
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/masks/slope_scale.h"

namespace caprock {

namespace {

struct MaskAspect {
    static constexpr int version = 2;

    Number direction = 180;
    Number width = 45;
    Number softness = 45;
    Number flat = 3;
    SlopeScale scale;
    std::string field = "mask";

    void describe(Declaration& d) const {
        d.summary("a mask of the slopes that face one way");
        d.number("direction", direction)
            .range(-360, 360)
            .slider(0, 360)
            .unit("degrees")
            .help("where they fall to, clockwise from north: 0 is up on a map, 90 east");
        d.number("width", width)
            .range(0, 180)
            .unit("degrees")
            .help("how far off the direction a slope may face, to either side");
        d.number("softness", softness)
            .range(0, 180)
            .slider(0, 90)
            .unit("degrees")
            .help("over how much more than that the mask fades out; 0: a hard edge");
        d.number("flat", flat)
            .range(0, 40)
            .slider(0, 20)
            .unit("degrees")
            .help("ground up to this steep faces nowhere; from twice as steep on it counts in full");
        scale.describe(d);
        d.field("field", field).help("mask to make");
        d.reads("height");
        d.makes(field);
    }

    void from_version(int written) { scale.from_version(written); }

    Reach reach(const Grid& grid) const { return Reach::area(scale.cells(grid)); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        Field mask(terrain.rect());
        auto as_it_is = [](double degrees) { return float(degrees); };
        auto east = [](double degrees) { return float(sine(degrees * pi / 180)); };
        auto south = [](double degrees) { return float(-cosine(degrees * pi / 180)); };
        auto slope = [](double degrees) { return float(tangent_of_degrees(degrees)); };
        auto twice = [](double degrees) { return float(tangent_of_degrees(2 * degrees)); };
        const int cells = scale.cells(terrain.grid());
        work.launch_around(cells, kernel::mask_aspect, terrain.rect(),
                           {.height = terrain.height(),
                            .mask = mask,
                            .cells = cells,
                            .distance = scale.distance(terrain.grid()),
                            .east = work.varying("direction", direction, east),
                            .south = work.varying("direction", direction, south),
                            .width = work.varying("width", width, as_it_is),
                            .softness = work.varying("softness", softness, as_it_is),
                            .flat = work.varying("flat", flat, slope),
                            .steep = work.varying("flat", flat, twice)});
        terrain.set(field, std::move(mask));
    }
};

REGISTER_OPERATION("mask-aspect", "masks", MaskAspect);

}  // namespace

}  // namespace caprock

// Table mountains (Table mountains, Fig. 1): domes, materials by height, their hardness, gradation with a caprock, and
// levelling. Mesas by default, buttes where the domes are kept together.
#include "operation/operation.h"
#include "operations/materials/hardness_table.h"

#include <algorithm>

namespace caprock {

namespace {

// Where the domes of a butte are.
enum class Butte { none, along_x, along_y, around_centre };
enum class LevellingShape { square, disc };

struct TableMountain {
    static constexpr int version = 2;

    int faults = 0;
    Interval radius = {0, 0};
    Butte butte = Butte::none;
    double spread = 0;
    uint32_t seed = 1;
    int materials = 5;
    std::vector<double> table;
    std::vector<std::string> minerals;
    InputFile table_file = hardness_table_file();
    int merge_top = 0;
    Number erosion = 0.5;
    bool caprock = true;
    double levelling = 10;
    LevellingShape shape = LevellingShape::square;
    bool whole_cells = false;

    void describe(Declaration& d) const {
        d.summary(
            "mesas and buttes: flat caprock on stepped sides, with the materials and hardness they are of");
        d.source("Table mountains, figure 1: circular-faults, materials, hardness, gradation, levelling");
        d.integer("faults", faults)
            .range(0, 1000000)
            .slider(1, 10000)
            .help("how many domes; 0: 999, or 150 for a butte, whose shape more of them would even out");
        d.interval("radius", radius)
            .range(0, 100000)
            .slider(0, 5000)
            .unit("m")
            .help(
                "of the domes; 0: a quarter of the terrain's shorter side, for a butte anything up to that");
        d.choice("butte", butte, {"none", "along-x", "along-y", "around-centre"})
            .help("keep the domes to the middle line or the centre: isolated hills");
        d.number("spread", spread)
            .range(0, 100000)
            .slider(0, 2000)
            .unit("m")
            .help(
                "of a butte's domes: width of the band along a line, distance from the centre; 0: a quarter "
                "of the shorter side");
        d.seed("seed", seed).help("another seed gives other mountains");
        d.integer("materials", materials)
            .range(1, most_materials)
            .slider(1, 16)
            .help("how many, by height; as many as a table has where there is one");
        d.table("table", table)
            .range(0, 1)
            .help("hardness of the materials from the base up; without one it rises evenly from 0 to 1");
        d.words("minerals", minerals).help("the same by minerals, see 'caprock help hardness'");
        d.file("table-file", table_file).help("the same from a file, see 'caprock help hardness'");
        d.integer("merge-top", merge_top)
            .range(0, most_materials)
            .slider(0, 16)
            .help("so many materials from the top are as hard as the topmost: a larger caprock");
        d.number("erosion", erosion).range(0, 1).help("force of all weathering over the ages");
        d.flag("caprock", caprock)
            .help("rock of hardness 1 becomes a flat top at the upper end of the height range");
        d.number("levelling", levelling)
            .range(0, 100000)
            .slider(0, 500)
            .unit("m")
            .help("radius within which edges are taken off at the end; 0: not at all");
        d.choice("shape", shape, {"square", "disc"}).help("of the neighbourhood for levelling");
        d.flag("whole-cells", whole_cells).help("level by whole cells, see 'caprock help levelling'");
        d.makes("height");
        d.makes("material");
        d.makes("hardness");
    }

    void from_version(int written) { whole_cells = written < 2; }

    Parts parts(const Grid& grid) const {
        double side = std::min(grid.extent.width(), grid.extent.height()) * grid.cell;
        Interval radii = radius;
        if (radii.high == 0 && butte != Butte::none) radii = {std::min(grid.cell, side / 4), side / 4};
        double stray = spread > 0 ? spread : side / 4;
        int domes = faults > 0 ? faults : butte == Butte::none ? 999 : 150;
        bool along = butte == Butte::along_x || butte == Butte::along_y;
        int count = number_of_materials();
        Parts chain = parts_of(
            operation_with("circular-faults", {{"faults", domes},
                                               {"radius", radii},
                                               {"along", butte == Butte::along_x   ? "x"
                                                         : butte == Butte::along_y ? "y"
                                                                                   : "none"},
                                               {"band", along ? stray : 0.0},
                                               {"around-centre", butte == Butte::around_centre ? stray : 0.0},
                                               {"seed", seed}}),
            operation_with("materials", {{"count", count}}),
            operation_with("hardness", {{"table", table},
                                        {"minerals", minerals},
                                        {"table-file", table_file},
                                        {"count", count},
                                        {"merge-top", merge_top}}),
            operation_with("gradation", {{"erosion", value_of(erosion)}, {"caprock", caprock}}));
        if (levelling > 0)
            chain.push_back(
                operation_with("levelling", {{"radius", levelling},
                                             {"shape", shape == LevellingShape::disc ? "disc" : "square"},
                                             {"whole-cells", whole_cells}}));
        return chain;
    }

    int number_of_materials() const {
        if (!table.empty()) return int(table.size());
        if (!minerals.empty()) return int(minerals.size());
        if (table_file.named()) return int(hardness_table_in(table_file).size());
        return materials;
    }
};

REGISTER_OPERATION("table-mountain", "synthesis", TableMountain);

}  // namespace

}  // namespace caprock

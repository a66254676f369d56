// The lattice that rivers are drawn on.
#include "operations/rivers/river_lattice.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace caprock::test {
namespace {

const WorldArea area_of_lattice = {100, 50, 1300, 950};

TEST(RiverLattice, ItsPointsShareOutTheLand) {
    const RiverLattice lattice(area_of_lattice, 240, 3);
    EXPECT_NEAR(lattice.step(), 40, 1e-9);
    double area = 0;
    for (size_t node = 0; node < lattice.size(); node++) area += lattice.area(node);
    EXPECT_NEAR(area, 1200.0 * 900, 1e-6);
    EXPECT_NEAR(RiverLattice::points_on(area_of_lattice, 240), double(lattice.size()), 60);
}

TEST(RiverLattice, PointsStayNearTheirPlaceAndThoseOfTheBorderOnIt) {
    const RiverLattice lattice(area_of_lattice, 240, 3);
    for (size_t node = 0; node < lattice.size(); node++) {
        const Place& place = lattice.place(node);
        EXPECT_EQ(lattice.nearest(place.x, place.y), node);
        const bool at_edge = place.x == area_of_lattice.left || place.x == area_of_lattice.right ||
                             place.y == area_of_lattice.top || place.y == area_of_lattice.bottom;
        EXPECT_EQ(lattice.on_border(node), at_edge);
    }
}

// So that two ways cross only where both are diagonals of one square.
TEST(RiverLattice, FourPointsAreNeverADart) {
    const RiverLattice lattice(area_of_lattice, 100, 8);
    auto turn = [](const Place& a, const Place& b, const Place& c) {
        return (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
    };
    for (int y = 0; y + 1 < lattice.rows(); y++)
        for (int x = 0; x + 1 < lattice.columns(); x++) {
            const Place corners[4] = {
                lattice.place(lattice.number(x, y)), lattice.place(lattice.number(x + 1, y)),
                lattice.place(lattice.number(x + 1, y + 1)), lattice.place(lattice.number(x, y + 1))};
            for (int i = 0; i < 4; i++)
                EXPECT_GT(turn(corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]), 0);
        }
}

TEST(RiverLattice, TheBorderIsGoneAroundOnce) {
    for (const WorldArea& land :
         {area_of_lattice, WorldArea{0, 0, 0, 900}, WorldArea{0, 0, 900, 0}, WorldArea{5, 5, 5, 5}}) {
        const RiverLattice lattice(land, 300, 1);
        const std::vector<size_t> border = lattice.border();
        const std::set<size_t> once(border.begin(), border.end());
        EXPECT_EQ(once.size(), border.size());
        size_t there = 0;
        for (size_t node = 0; node < lattice.size(); node++) there += lattice.on_border(node) ? 1 : 0;
        EXPECT_EQ(border.size(), there);
    }
}

}  // namespace
}  // namespace caprock::test

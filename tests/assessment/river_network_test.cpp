// Land that is made for its rivers, measured as real land is: what caprock assess says of the defaults.
#include "assessment/concavity.h"
#include "assessment/hack.h"
#include "assessment/streams.h"
#include "hydrology/flow_graph.h"
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

TEST(MadeForItsRivers, LandMeasuresAsRealLandDoes) {
    for (const char* method : {"branching", "ridges"})
        for (const char* seed : {"1", "2"}) {
            SCOPED_TRACE(std::string(method) + ", seed " + seed);
            const Grid grid = grid_of({701, 701}, 8, {0, 1000});
            const Terrain made =
                applied("river-network", {{"method", method}, {"seed", seed}}, Terrain(grid));
            Progress progress;
            const FlowGraph graph(made.height(), {}, progress);
            const Streams streams(graph, grid.cell, progress);
            // The ranges of Hack's and of Flint's laws that five real landscapes have.
            const double exponent = hack(streams).exponent.value();
            EXPECT_GE(exponent, 0.45);
            EXPECT_LE(exponent, 0.6);
            const double theta = concavity(streams, made.height(), graph.filled(), 0.5).theta.value();
            EXPECT_GE(theta, 0.18);
            EXPECT_LE(theta, 0.41);
        }
}

}  // namespace
}  // namespace caprock::test

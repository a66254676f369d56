#include "assessment/closed_hollows.h"

#include <tbb/parallel_for.h>
#include <vector>

namespace caprock {

ClosedHollows closed_hollows(const Field& height, const Field& filled) {
    constexpr double share_of_relief = 0.001;
    const FieldStatistics statistics = caprock::statistics(height);
    const double relief = double(statistics.high) - double(statistics.low);
    ClosedHollows made;
    made.known = statistics.cells - statistics.missing;
    made.share = Measured::none(made.known == 0 ? "no cell is known" : "the land is level");
    if (made.known == 0 || !(relief > 0)) return made;
    made.least_depth = relief * share_of_relief;
    const Rect& rect = height.rect();
    const Field::Rows ground = height.rows(), level = filled.rows();
    std::vector<int64_t> of_row(static_cast<size_t>(rect.height()));
    tbb::parallel_for(rect.top, rect.bottom, [&](int y) {
        int64_t count = 0;
        for (int i = 0; i < rect.width(); i++)
            count += double(level[y][i]) - double(ground[y][i]) > made.least_depth;
        of_row[size_t(y - rect.top)] = count;
    });
    for (int64_t count : of_row) made.cells += count;
    made.share = double(made.cells) / double(made.known);
    return made;
}

}  // namespace caprock

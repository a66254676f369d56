// Contours of the ground, or of another field, as a line set.
#include "base/error.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/lines/contour_tracing.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace caprock {

namespace {

// Of each square at most; what is asked for by mistake is not computed for hours.
constexpr double most_contours = 1000000;
// Heights are counted in intervals, in whole numbers.
constexpr double most_intervals = 4e15;

struct Contours {
    double interval = 50;
    double base = 0;
    std::string field = "height";
    std::string lines = "contours";

    void describe(Declaration& d) const {
        d.summary("contours of the ground as lines, each with its height");
        d.number("interval", interval)
            .range(0.01, 100000)
            .slider(1, 500)
            .logarithmic()
            .unit("m")
            .help("from one contour to the next");
        d.number("base", base)
            .range(-100000, 100000)
            .slider(-100, 100)
            .unit("m")
            .help("height that one of them would have");
        d.field("field", field).help("what is drawn: the height, or any other field in its own unit");
        d.text("lines", lines).help("name of the lines to make");
        d.reads(field);
        d.makes_lines(lines);
        d.works_with(0);
    }

    void check(const Grid&) const { check_line_name(lines); }

    // A line may come from anywhere.
    Reach reach(const Grid&) const { return Reach::whole(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Rect& rect = terrain.rect();
        const Field field_here = terrain.field(field);
        work.progress().expect(2 * rect.cells());
        const kernel::ExtentFolds extent = work.fold(kernel::extent, rect, {.field = field_here});
        const double span = double(extent.high) - double(extent.low);
        if (span / interval > most_contours)
            throw Error(fmt::format("interval {}: {:.0f} m of {} would be more than {:.0f} contours",
                                    interval, span, field, most_contours));
        const double farthest =
            std::max(std::abs(double(extent.high) - base), std::abs(double(extent.low) - base));
        if (span > 0 && farthest / interval > most_intervals)
            throw Error(fmt::format("interval {}: too small for heights of {:.3g} m", interval, farthest));
        std::vector<Line> traced;
        if (span > 0)
            work.on_host([&] {
                traced =
                    contours_of(field_here, terrain.grid(), interval, base, [&] { work.progress().check(); });
            });
        work.progress().advance(rect.cells());
        terrain.set_lines(lines, LineSet(std::move(traced)));
    }
};

REGISTER_OPERATION("contours", "lines", Contours);

}  // namespace

}  // namespace caprock

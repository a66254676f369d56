// A field blended into another: one pass over the cells for every mode but the one that works on several
// resolutions.
#include "kernels.h"
#include "operation/operation.h"
#include "operations/blending/multi_resolution.h"
#include "operations/field_metres.h"

namespace caprock {

namespace {

struct Blend {
    // In the order of the words below; kernels/blend.kernel has the numbers.
    enum class Mode {
        lerp,
        replace,
        add,
        subtract,
        multiply,
        min,
        max,
        smooth_min,
        smooth_max,
        overlay,
        difference,
        multi_resolution
    };

    std::string field = "height";
    std::string source = "source";
    std::string mask = "mask";
    Mode mode = Mode::lerp;
    Number opacity = 1;
    Number softness = 20;
    double width = 500;
    std::vector<double> weights;
    bool unit_source = false;
    bool take_away = false;
    bool put = false;

    void describe(Declaration& d) const {
        d.summary("blends one field into another where a mask says so");
        d.source("Editor, section 6.6");
        d.field("field", field).help("field that is changed: what lies below");
        d.field("source", source).help("field that is blended in");
        d.field("mask", mask).help("field of weights, 0 to 1; none is 1 everywhere, a missing cell is 0");
        d.choice("mode", mode,
                 {"lerp", "replace", "add", "subtract", "multiply", "min", "max", "smooth-min", "smooth-max",
                  "overlay", "difference", "multi-resolution"})
            .help("how the two become one; replace mixes nothing, multi-resolution leaves no seam");
        d.number("opacity", opacity).range(0, 1).help("what the mask is multiplied by");
        d.number("softness", softness)
            .range(0, 10000)
            .slider(1, 200)
            .logarithmic()
            .unit("m")
            .help("smooth-min, smooth-max: heights nearer to each other than this are rounded off");
        d.number("width", width)
            .range(0, 100000)
            .slider(10, 4000)
            .logarithmic()
            .unit("m")
            .help(
                "multi-resolution: the detail that crosses over within its own size; the rest does within "
                "this");
        d.table("weights", weights)
            .range(0, 1)
            .help(
                "multi-resolution: of the mask, for features larger than the width, than half of it, and so "
                "on");
        d.flag("unit-source", unit_source).help("the source is in shares of the field's range, 0 to 1");
        d.flag("take-away", take_away)
            .help(
                "lerp, replace, multi-resolution: where the source is missing, so is the result, from half "
                "the weight on");
        d.flag("put", put).help("min, max and the smooth ones: the source is put where nothing lies below");
        d.changes(field);
        d.reads(source);
        d.reads_if_there(mask);
        if (fills()) d.fills_missing();
        if (takes()) d.makes_missing();
        // The result, and the levels above it of four fields.
        if (mode == Mode::multi_resolution) d.works_with(3);
    }

    // Modes by which the source comes in the place of what lies below.
    bool replaces() const {
        return mode == Mode::lerp || mode == Mode::replace || mode == Mode::multi_resolution;
    }
    // Where what lies below is missing there is nothing to add to, but something to put in its place. Of the lower and the
    // higher of one alone, that one is it.
    bool fills() const {
        bool picks =
            mode == Mode::min || mode == Mode::max || mode == Mode::smooth_min || mode == Mode::smooth_max;
        return replaces() || (put && picks);
    }
    bool takes() const { return take_away && replaces(); }

    MultiResolution resolutions(const Grid& grid) const {
        return {mode == Mode::multi_resolution ? grid.metres_to_cells(width) : 0, weights};
    }

    Reach reach(const Grid& grid) const {
        int cells = resolutions(grid).reach();
        return cells == 0 ? Reach::point() : Reach::area(cells);
    }

    void run(Work& work) const {
        if (opacity.is(0)) return;
        WorkTerrain& terrain = work.terrain();
        // An opacity that varies is a mask: what there is of one, times that.
        Field weights_here;
        if (opacity.varies()) {
            weights_here = Field(terrain.rect());
            work.launch(
                kernel::blend_weights, terrain.rect(),
                {.mask = terrain.find(mask),
                 .weights = weights_here,
                 .opacity = work.varying("opacity", opacity, [](double share) { return float(share); })});
        }
        const BlendInput input{terrain.field(field),
                               terrain.field(source),
                               opacity.varies() ? &weights_here : terrain.find(mask),
                               opacity.varies() ? 1.0f : float(opacity.everywhere()),
                               unit_source,
                               terrain.range_of(field),
                               takes()};
        if (mode != Mode::multi_resolution) {
            terrain.set(field, blended(work, input, mode, 1));
            return;
        }
        MultiResolution resolutions = this->resolutions(terrain.grid());
        bool all_as_one = resolutions.levels() == 0 || (!input.mask && resolutions.even());
        terrain.set(field, all_as_one ? blended(work, input, Mode::lerp, resolutions.share(0))
                                      : resolutions.blended(work, input));
    }

    Field blended(Work& work, const BlendInput& input, Mode how, float share) const {
        Field result(input.below.rect());
        const FieldMetres metres(work.terrain().grid(), field);
        auto soft = [&](double high) { return float(metres.length(high)); };
        auto rounding = [&](double high) {
            const double length = metres.length(high);
            return length > 1e-30 ? float(1 / (4 * length)) : 0.0f;
        };
        work.launch(kernel::blend, result.rect(),
                    {.below = input.below,
                     .source = input.source,
                     .mask = input.mask,
                     .result = result,
                     .mode = int(how),
                     .fills = fills(),
                     .takes = takes(),
                     .opacity = input.opacity,
                     .share = share,
                     .unit_source = input.unit_source,
                     .low = float(input.range.low),
                     .high = float(input.range.high),
                     .softness = work.varying("softness", softness, soft),
                     .rounding = work.varying("softness", softness, rounding)});
        return result;
    }
};

REGISTER_OPERATION("blend", "blending", Blend);

}  // namespace

}  // namespace caprock

// A brush: the falloff that the pen lays down, and what is done through it. Whatever is an operation can be painted with.
#pragma once

#include "field/field.h"
#include "operation/operation.h"
#include "painting/falloff.h"
#include "painting/stroke_path.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {

// What is set of a brush besides its operation, declared once: the command line, the editor's panel and the files of
// brushes read the declaration.
struct BrushSettings {
    enum class Apply { automatic, add, each, once };
    enum class Towards { operation, below, copy };
    enum class Seeds { fixed, stroke, dab };
    enum class Coordinates { world, stroke, dab };
    enum class Symmetry { none, across, down, both, radial };
    enum class Line { free, straight, constrained };

    // ---- the dab ----
    double radius = 100;
    double falloff = 1;
    double power = 2;
    std::vector<double> curve;
    double strength = 10;
    double spacing = 0.15;
    std::string tip;
    double tip_angle = 0;
    bool tip_follows = false;
    double turn_jitter = 0;
    double size_jitter = 0;
    double scatter = 0;
    // ---- the pen ----
    std::vector<double> pressure_radius;
    std::vector<double> pressure_strength = {0, 1};
    std::vector<double> pressure_falloff;
    // ---- the stroke ----
    StrokePath::Spline spline = StrokePath::Spline::centripetal;
    Line line = Line::free;
    Symmetry symmetry = Symmetry::none;
    int symmetry_count = 6;
    std::vector<double> symmetry_centre;
    // ---- what is done ----
    Apply apply = Apply::automatic;
    Towards towards = Towards::operation;
    Interval range = {0, 1};
    Seeds seeds = Seeds::fixed;
    Coordinates coordinates = Coordinates::world;
    std::vector<double> from;
    std::string field = "height";

    void describe(Declaration& d);
    // Throws Error for settings that do not go together.
    void check() const;
    Falloff shape() const { return {falloff, power, curve}; }
};

// Where a parameter of the operation takes its value from while the brush is drawn.
enum class BrushSource {
    direction,  // of the stroke, degrees as on a compass, added to the parameter's own value
    centre_x,   // of the dab, metres
    centre_y,
    centre_height,  // of the ground there before the stroke
    start_x,        // where the stroke began
    start_y,
    start_height,
    start_grade_x,  // how steep it was there, rise per metre
    start_grade_y,
    mean_height,   // of the ground under the dab before the stroke
    mean_grade_x,  // of the plane that fits it best
    mean_grade_y,
    radius,  // of the dab, metres; the parameter's own value is the share of it
    move_x,  // from the dab before, metres; times the parameter's own value
    move_y,
    pressure,  // times the parameter's own value
    tilt,      // degrees from upright
    path,      // all of the stroke so far, "x,y x,y ..." (for texts)
};
struct BrushBinding {
    std::string parameter;
    BrushSource source;
};
std::string_view source_word(BrushSource source);
std::optional<BrushSource> source_of(std::string_view word);
std::vector<std::string> source_words();

// How its dabs become one result (Editor 8.1).
enum class BrushClass {
    added = 1,  // dabs add up, in any order
    cell = 2,   // each cell by itself, dab after dab
    around = 3  // dab after dab, on what the one before has left all around
};

struct Brush {
    std::string title;  // one line; may be empty
    std::string about;
    BrushSettings settings;
    std::shared_ptr<const Operation> operation;  // none where it goes towards something else
    std::vector<BrushBinding> bindings;
    std::shared_ptr<const Operation>
        blend;  // how the target is brought in where all is done at once; none: mixed
    // Cells of another terrain to copy from, on the document's grid; missing where it has none. Without, the document's own.
    std::function<Field(const Rect& cells)> copied;
    Field tip;  // weights 0 to 1 of a square picture; empty: none

    // Throws Error for what does not go together.
    void check(const Grid& grid) const;
    // With Apply::automatic decided.
    BrushSettings::Apply apply(const Grid& grid) const;
    BrushClass brush_class(const Grid& grid) const;
    // Whether its strength is what dabs add up, and not a share of the way.
    bool adds() const;
    // Whether it puts ground where there is none: that is what it is for.
    bool fills_missing() const;
    bool bound() const { return !bindings.empty(); }
    bool bound_to(BrushSource source) const;
};

// The field of the terrain that the brush works on is the operation's, where it has a parameter for it.
std::unique_ptr<Operation> operation_on(const Operation& operation, const std::string& field);

// Any operation as a brush of its name, with settings that suit it: a generator is added, what changes the ground is
// mixed in.
Brush brush_of(const Operation& operation);

}  // namespace caprock

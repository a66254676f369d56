#include "painting/brush.h"

#include "base/error.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace caprock {

namespace {

constexpr std::array source_names = {
    "direction",    "centre-x",      "centre-y",      "centre-height", "start-x",      "start-y",
    "start-height", "start-grade-x", "start-grade-y", "mean-height",   "mean-grade-x", "mean-grade-y",
    "radius",       "move-x",        "move-y",        "pressure",      "tilt",         "path"};
static_assert(source_names.size() == size_t(BrushSource::path) + 1);

}  // namespace

void BrushSettings::describe(Declaration& d) {
    d.summary("what the pen lays down, and how");
    d.source("Editor, sections 8.1 to 8.3");
    d.number("radius", radius)
        .range(0.01, 1e6)
        .slider(5, 1000)
        .logarithmic()
        .unit("m")
        .help("of a dab, from its middle to its rim");
    d.number("falloff", falloff)
        .range(0.01, 1)
        .help("share of the radius over which a dab fades; the rest of it is at full strength");
    d.number("power", power)
        .range(0.05, 20)
        .slider(0.3, 5)
        .help("shape of the fading: 1 is a straight ramp, more is rounder, less is sharper");
    d.table("curve", curve)
        .curve()
        .range(0, 1)
        .help("weights from the middle to the rim, evenly apart, in place of falloff and power");
    d.number("strength", strength)
        .range(-100000, 100000)
        .slider(0, 100)
        .help(
            "of one pass, in its middle: metres that are added, or the share of the way to the target (0 to "
            "1)");
    d.number("spacing", spacing)
        .range(0.01, 1)
        .slider(0.05, 0.5)
        .help("distance between dabs, as a share of the radius; the effect does not depend on it");
    d.file("tip", tip).help("picture whose brightness is the dab's weight, besides the falloff");
    d.number("tip-angle", tip_angle)
        .range(-360, 360)
        .slider(0, 360)
        .unit("degrees")
        .help("the tip is turned by this");
    d.flag("tip-follows", tip_follows).help("the tip turns with the stroke");
    d.number("turn-jitter", turn_jitter)
        .range(0, 180)
        .unit("degrees")
        .help("every tip is turned by up to this, either way");
    d.number("size-jitter", size_jitter).range(0, 0.95).help("every dab is smaller by up to this share");
    d.number("scatter", scatter)
        .range(0, 10)
        .slider(0, 1)
        .help("dabs land up to this many radii beside the stroke");
    d.table("pressure-radius", pressure_radius)
        .curve()
        .range(0, 1)
        .help("share of the radius for pressures from 0 to 1, evenly apart; none: always all");
    d.table("pressure-strength", pressure_strength).curve().range(0, 1).help("the same for the strength");
    d.table("pressure-falloff", pressure_falloff).curve().range(0, 1).help("the same for the falloff");
    d.choice("spline", spline, {"centripetal", "uniform"})
        .help("curve through the samples; centripetal makes no loops");
    d.choice("line", line, {"free", "straight", "constrained"})
        .help("straight: from the first sample to the last; constrained: and in one of eight directions");
    d.choice("symmetry", symmetry, {"none", "x", "y", "xy", "radial"})
        .help("every dab again: mirrored from east to west (x), north to south (y), or turned (radial)");
    d.integer("symmetry-count", symmetry_count)
        .range(2, 64)
        .slider(2, 12)
        .help("radial: how many there are of each dab");
    d.table("symmetry-centre", symmetry_centre)
        .range(-10000000, 10000000)
        .unit("m")
        .help("x,y of the point that mirrors and turns go through; none: the middle of the document");
    d.choice("apply", apply, {"auto", "add", "each", "once"})
        .help(
            "add: what the operation makes, times the strength; each: dab after dab; once: all dabs "
            "together, as one "
            "mask; auto: add for what makes fields of nothing, each for what changes them");
    d.choice("towards", towards, {"operation", "below", "copy"})
        .help(
            "what is painted: the operation's result, what lies below the layer, or a copy of another place");
    d.interval("range", range)
        .range(-100000, 100000)
        .help("add: what the operation takes for the height range; -1:1 adds and takes away");
    d.choice("seeds", seeds, {"fixed", "stroke", "dab"})
        .help("the operation's seed: its own, another for every stroke, or another for every dab");
    d.choice("coordinates", coordinates, {"world", "stroke", "dab"})
        .help(
            "where the operation's place (0, 0) is: the world's, the start of the stroke, or the middle of "
            "every dab");
    d.table("from", from)
        .range(-10000000, 10000000)
        .unit("m")
        .help("copy: x,y of the place that is painted where the stroke begins");
    d.field("field", field).help("field to paint");
}

void BrushSettings::check() const {
    if (!symmetry_centre.empty() && symmetry_centre.size() != 2)
        throw Error(fmt::format("symmetry-centre: {} numbers; give x,y in metres", symmetry_centre.size()));
    if (!from.empty() && from.size() != 2)
        throw Error(fmt::format("from: {} numbers; give x,y in metres", from.size()));
    if (curve.size() == 1) throw Error("curve: one number; give two or more, from the middle to the rim");
    if (!curve.empty() && std::ranges::all_of(curve, [](double weight) { return weight == 0; }))
        throw Error("curve: all weights are 0, so that nothing would be painted");
}

std::string_view source_word(BrushSource source) { return source_names[size_t(source)]; }

std::optional<BrushSource> source_of(std::string_view word) {
    auto found = std::ranges::find(source_names, word);
    if (found == source_names.end()) return std::nullopt;
    return BrushSource(found - source_names.begin());
}

std::vector<std::string> source_words() { return {source_names.begin(), source_names.end()}; }

bool Brush::bound_to(BrushSource source) const {
    return std::ranges::any_of(bindings,
                               [&](const BrushBinding& binding) { return binding.source == source; });
}

BrushSettings::Apply Brush::apply(const Grid&) const {
    using Apply = BrushSettings::Apply;
    if (settings.towards != BrushSettings::Towards::operation) return Apply::once;
    if (settings.apply != Apply::automatic) return settings.apply;
    if (bound_to(BrushSource::path)) return Apply::once;
    return operation->fields().generator() ? Apply::add : Apply::each;
}

bool Brush::adds() const { return operation && apply(Grid()) == BrushSettings::Apply::add; }

BrushClass Brush::brush_class(const Grid& grid) const {
    if (apply(grid) != BrushSettings::Apply::each) return BrushClass::added;
    return operation->reach(grid).kind() == Reach::Kind::point ? BrushClass::cell : BrushClass::around;
}

void Brush::check(const Grid& grid) const {
    using Apply = BrushSettings::Apply;
    using Towards = BrushSettings::Towards;
    settings.check();
    if (settings.towards == Towards::operation && !operation) throw Error("the brush has no operation");
    if (apply(grid) != Apply::add && (settings.strength < 0 || settings.strength > 1))
        throw Error(fmt::format("strength {}: must be 0 to 1, the share of the way to the target",
                                number_text(settings.strength)));
    if (!operation) return;
    const FieldUse use = operation->fields();
    if (apply(grid) == Apply::add && !use.generator())
        throw Error(fmt::format("{} changes what is there and cannot be added; apply it each or once",
                                operation->name()));
    for (const BrushBinding& binding : bindings) {
        const Parameter* parameter = operation->schema().find(binding.parameter);
        if (!parameter)
            throw Error(fmt::format("{} has no parameter '{}'{}", operation->name(), binding.parameter,
                                    suggestion(binding.parameter, operation->schema().parameter_names())));
        bool line = parameter->type() == ParameterType::lines;
        bool number = parameter->type() == ParameterType::number;
        if (binding.source == BrushSource::path ? !line : !number)
            throw Error(fmt::format("'{}' of {} cannot be bound to {}", binding.parameter, operation->name(),
                                    source_word(binding.source)));
        if (number && std::holds_alternative<NumberMap>(operation->value(*parameter)))
            throw Error(fmt::format("'{}' of {} is by the map {}, and cannot be bound to {} as well",
                                    binding.parameter, operation->name(), operation->value_text(*parameter),
                                    source_word(binding.source)));
    }
    if (bound_to(BrushSource::path) && apply(grid) != Apply::once)
        throw Error("what follows the path of a stroke can only be applied once");
    if (operation->grid_after(grid) != grid)
        throw Error(
            fmt::format("{} changes the size of the terrain, which a brush cannot", operation->name()));
    if (use.outputs.empty() && !use.every_field)
        throw Error(fmt::format("{} makes lines, and no cells that could be painted", operation->name()));
    // Where a canvas has no cell, what lies below is seen.
    if (use.makes_missing)
        throw Error(fmt::format("{} takes cells away, which paint cannot; the brush 'cut' says where to",
                                operation->name()));
}

bool Brush::fills_missing() const {
    if (!operation) return settings.towards == BrushSettings::Towards::copy;
    return operation->fields().fills_missing;
}

std::unique_ptr<Operation> operation_on(const Operation& operation, const std::string& field) {
    std::unique_ptr<Operation> copy = operation.clone();
    if (const Parameter* parameter = copy->schema().find("field"))
        if (parameter->type() == ParameterType::field) copy->set_text(*parameter, field);
    const FieldUse use = copy->fields();
    if (!use.every_field && !contains(use.outputs, field))
        throw Error(
            fmt::format("{} does not change {}; it makes {}", operation.name(), field, listed(use.outputs)));
    return copy;
}

Brush brush_of(const Operation& operation) {
    Brush brush;
    const FieldUse use = operation.fields();
    brush.title = operation.schema().summary();
    if (!use.generator()) brush.settings.strength = 0.5;
    // Between two materials there is none, and between a missing cell and a height neither: a single dab, which is a small
    // share of a pass, would never get there.
    bool all_or_nothing = (!use.outputs.empty() && is_index(use.outputs[0])) || use.fills_missing;
    if (all_or_nothing && !use.generator()) {
        brush.settings.apply = BrushSettings::Apply::once;
        brush.settings.strength = 0.9;
    }
    brush.operation = operation.clone();
    return brush;
}

}  // namespace caprock

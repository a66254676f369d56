#include "painting/brush_size.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace caprock {

namespace {

double two_digits(double value) {
    if (value == 0 || !std::isfinite(value)) return value;
    double step = std::pow(10.0, std::floor(std::log10(std::fabs(value))) - 1);
    return std::round(value / step) * step;
}

// Of the ground, as opposed to a place on it, to what is multiplied by the strength, and to what one particle of a river
// cuts: the river of a small land is narrow and shallow, but a river.
bool is_length(const Parameter& parameter) {
    constexpr std::array<std::string_view, 4> others = {"x", "y", "height", "depth"};
    return parameter.unit() == "m" && std::ranges::count(others, parameter.name()) == 0;
}

double within(const Parameter& parameter, double value) {
    const std::optional<Interval>& range = parameter.hard_range();
    return range ? std::clamp(value, range->low, range->high) : value;
}

void scale(Operation& operation, double times, const std::vector<BrushBinding>& bindings) {
    for (const Parameter& parameter : operation.schema().parameters()) {
        bool bound = std::ranges::any_of(
            bindings, [&](const BrushBinding& binding) { return binding.parameter == parameter.name(); });
        if (bound || !is_length(parameter)) continue;
        auto scaled = [&](double value) { return within(parameter, two_digits(value * times)); };
        if (parameter.type() == ParameterType::number) {
            ParameterValue value = operation.value(parameter);
            if (NumberMap* map = std::get_if<NumberMap>(&value)) {
                // Cells that are the numbers are in metres of this land already.
                if (map->interval) map->interval = {scaled(map->interval->low), scaled(map->interval->high)};
                operation.set(parameter, *map);
            } else {
                operation.set(parameter, scaled(std::get<double>(value)));
            }
        } else if (parameter.type() == ParameterType::interval) {
            Interval value = std::get<Interval>(operation.value(parameter));
            operation.set(parameter, Interval{scaled(value.low), scaled(value.high)});
        }
    }
}

}  // namespace

Brush brush_for_land(const Brush& brush, double times) {
    Brush sized = brush;
    Declaration settings;
    sized.settings.describe(settings);
    auto scale_setting = [&](const char* name, double& value) {
        value = within(settings.schema().at(name), two_digits(value * times));
    };
    scale_setting("radius", sized.settings.radius);
    if (brush.adds() && is_ground(brush.settings.field)) scale_setting("strength", sized.settings.strength);
    if (brush.operation && brush.operation->room() == "construction") return sized;
    auto with_lengths = [&](const std::shared_ptr<const Operation>& of) -> std::shared_ptr<const Operation> {
        if (!of) return nullptr;
        std::unique_ptr<Operation> changed = of->clone();
        scale(*changed, times, brush.bindings);
        return changed;
    };
    sized.operation = with_lengths(brush.operation);
    sized.blend = with_lengths(brush.blend);
    return sized;
}

}  // namespace caprock

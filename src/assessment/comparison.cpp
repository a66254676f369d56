#include "assessment/comparison.h"

#include "base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace caprock {

namespace {

// Fewer cells a side have too few streams for ratios.
constexpr int smallest_quarter = 128;
constexpr double margin_of_reference = 0.1;

bool is_of_cells(const Measure& measure) { return measure.unit == MeasureUnit::share; }

}  // namespace

Yardstick real_land() {
    Yardstick made{"real land"};
    for (const Measure& measure : measures()) {
        made.ranges.emplace_back(measure.real_land);
        made.rounding.push_back(measure.rounding);
    }
    return made;
}

std::vector<Rect> quarters_of(const Rect& rect) {
    const int across = rect.width() / 2, down = rect.height() / 2;
    if (std::min(across, down) < smallest_quarter) return {};
    const int middle_x = rect.left + across, middle_y = rect.top + down;
    return {{rect.left, rect.top, middle_x, middle_y},
            {middle_x, rect.top, rect.right, middle_y},
            {rect.left, middle_y, middle_x, rect.bottom},
            {middle_x, middle_y, rect.right, rect.bottom}};
}

Yardstick like_land(std::string name, const Assessment& whole, std::span<const Assessment> parts) {
    Yardstick made{std::move(name), whole.cell, {}, {}, whole};
    for (const Measure& measure : measures()) {
        const Measured value = measure.value(whole);
        std::optional<Interval> range;
        if (value.known()) {
            range = Interval{value.value(), value.value()};
            for (const Assessment& part : parts) {
                const Measured other = measure.value(part);
                if (!other.known()) continue;
                range->low = std::min(range->low, other.value());
                range->high = std::max(range->high, other.value());
            }
            const double margin = margin_of_reference * measure.real_land.span();
            range->low -= margin;
            range->high += margin;
            if (is_of_cells(measure)) *range = {std::max(range->low, 0.0), std::min(range->high, 1.0)};
        }
        made.ranges.push_back(range);
        made.rounding.push_back(0);
    }
    return made;
}

std::vector<Finding> compared(const Assessment& land, const Yardstick& yardstick) {
    std::vector<Finding> all;
    for (size_t i = 0; i < measures().size(); i++) {
        Finding finding{&measures()[i], measures()[i].value(land), yardstick.ranges[i]};
        if (finding.here.known() && finding.range) {
            const double here = finding.here.value(), rounding = yardstick.rounding[i];
            // A number that is written as the end of a range is, lies in it.
            const auto as_written = [&](double end) {
                const MeasureUnit unit = finding.measure->unit;
                return measure_text(unit, here) == measure_text(unit, end);
            };
            const Interval& range = *finding.range;
            const bool less = here < range.low - rounding && !as_written(range.low);
            const bool more = here > range.high + rounding && !as_written(range.high);
            finding.likeness = less ? Likeness::less : more ? Likeness::more : Likeness::alike;
        }
        all.push_back(std::move(finding));
    }
    return all;
}

std::string words_of(const Finding& finding, const Yardstick& yardstick) {
    const Measure& measure = *finding.measure;
    if (!finding.here.known()) return fmt::format("{}: not to be had: {}", measure.title, finding.here.why());
    std::string text =
        fmt::format("{}: {}{}", measure.title, measure_text(measure.unit, finding.here.value()),
                    is_of_cells(measure) ? " of the cells" : "");
    if (!finding.range) return fmt::format("{}, which {} has no number of", text, yardstick.name);
    text += fmt::format(", where {} has {}", yardstick.name, measure_text(measure.unit, *finding.range));
    const std::string_view meaning = finding.likeness == Likeness::less   ? measure.less
                                     : finding.likeness == Likeness::more ? measure.more
                                                                          : "";
    return meaning.empty() ? text : fmt::format("{}; {}", text, meaning);
}

std::string remark_on(const Assessment& land, const Yardstick& yardstick) {
    constexpr double alike = 1.25;
    const Interval cells = yardstick.cell > 0 ? Interval{yardstick.cell, yardstick.cell} : real_land_cells;
    if (land.cell >= cells.low / alike && land.cell <= cells.high * alike) return "";
    const std::string theirs =
        yardstick.cell > 0 ? number_text(cells.low) : fmt::format("{} to {}", cells.low, cells.high);
    return fmt::format(
        "cells are {} m here, and {} m where {} was measured: slopes, landforms and roughness depend on that",
        number_text(land.cell), theirs, yardstick.name);
}

}  // namespace caprock

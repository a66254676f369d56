#include "assessment/assessment_text.h"

#include "base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace caprock {

namespace {

// Letters, of which some have more bytes than one: a degree sign.
size_t letters(std::string_view text) {
    return size_t(std::ranges::count_if(text, [](char byte) { return (uint8_t(byte) & 0xc0) != 0x80; }));
}

std::string padded(std::string text, size_t width, bool right) {
    const std::string space(width > letters(text) ? width - letters(text) : 0, ' ');
    return right ? space + text : text + space;
}

// The mark stands behind the number, so that numbers are below each other.
std::string value_text(const Finding& finding) {
    if (!finding.here.known()) return "-  ";
    const char* mark = finding.likeness == Likeness::less   ? " <"
                       : finding.likeness == Likeness::more ? " >"
                                                            : "  ";
    return measure_text(finding.measure->unit, finding.here.value()) + mark;
}

std::string yardstick_text(const Measure& measure, const Yardstick& yardstick, size_t number) {
    const std::optional<Interval>& range = yardstick.ranges[number];
    if (!range) return "-";
    const std::string text = measure_text(measure.unit, *range);
    if (!yardstick.land) return text;
    return fmt::format("{} ({})", measure_text(measure.unit, measure.value(*yardstick.land).value()), text);
}

using Columns = std::vector<std::vector<std::string>>;

std::string table_text(const Columns& columns) {
    std::string text;
    for (size_t row = 0; row < columns.front().size(); row++) {
        std::string line;
        for (size_t column = 0; column < columns.size(); column++) {
            size_t width = 0;
            for (const std::string& cell : columns[column]) width = std::max(width, letters(cell));
            // Names to the left, numbers to the right, ranges to the left again.
            const bool right = column > 0 && column + 1 < columns.size();
            line += "  " + padded(columns[column][row], width, right);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string land_line(const AssessedLand& land) {
    const Assessment& a = land.assessment;
    std::string text =
        fmt::format("{}: {} x {} cells of {} m", land.name, a.size.width, a.size.height, number_text(a.cell));
    if (a.known == 0) return text + ", none of them known\n";
    text += fmt::format(", heights {:.5g} to {:.5g} m", a.lowest, a.highest);
    if (a.missing > 0)
        text += fmt::format(", {} missing", measure_text(MeasureUnit::share,
                                                         double(a.missing) / double(a.missing + a.known)));
    return text + "\n";
}

std::string unlike_text(const AssessedLand& land, const Yardstick& yardstick) {
    std::string unlike, missing;
    int found = 0, held = 0;
    for (const Finding& finding : compared(land.assessment, yardstick)) {
        if (!finding.here.known()) missing += "  " + words_of(finding, yardstick) + "\n";
        if (finding.likeness == Likeness::unknown) continue;
        held++;
        if (!finding.unlike()) continue;
        found++;
        unlike += "  " + words_of(finding, yardstick) + "\n";
    }
    std::string text =
        held == 0    ? fmt::format("{}: nothing of it can be held against {}\n", land.name, yardstick.name)
        : found == 0 ? fmt::format("{}: like {} in all {} measures\n", land.name, yardstick.name, held)
                     : fmt::format("{}: unlike {} in {} of {} measures\n{}", land.name, yardstick.name, found,
                                   held, unlike);
    text += missing;
    const std::string remark = remark_on(land.assessment, yardstick);
    return remark.empty() ? text : text + "  note: " + remark + "\n";
}

}  // namespace

std::string assessment_text(std::span<const AssessedLand> lands, const Yardstick& yardstick) {
    std::string text;
    for (const AssessedLand& land : lands) text += land_line(land);
    Columns columns;
    std::vector<std::string> titles{""}, ranges{yardstick.name};
    for (size_t i = 0; i < measures().size(); i++) {
        titles.emplace_back(measures()[i].title);
        ranges.push_back(yardstick_text(measures()[i], yardstick, i));
    }
    columns.push_back(std::move(titles));
    for (const AssessedLand& land : lands) {
        // A column's name ends where its numbers do.
        std::vector<std::string> column{(lands.size() > 1 ? land.name : "here") + "  "};
        for (const Finding& finding : compared(land.assessment, yardstick))
            column.push_back(value_text(finding));
        columns.push_back(std::move(column));
    }
    columns.push_back(std::move(ranges));
    text += "\n" + table_text(columns) + "\n";
    for (const AssessedLand& land : lands) text += unlike_text(land, yardstick);
    return text;
}

}  // namespace caprock

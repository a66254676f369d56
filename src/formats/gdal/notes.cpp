#include "formats/gdal/notes.h"

#include "base/text.h"
#include "formats/gdal/cells.h"

#include <algorithm>
#include <cmath>

namespace caprock::gdal {

namespace {

constexpr const char* range_item = "CAPROCK_RANGE";
constexpr const char* cell_item = "CAPROCK_CELL";
constexpr const char* pixel_item = "CAPROCK_PIXEL";
constexpr const char* picture_item = "CAPROCK_PICTURE";
constexpr const char* frontier_value = "frontier";

std::optional<double> number_item(GDALDataset& dataset, const char* name) {
    const char* text = dataset.GetMetadataItem(name);
    return text ? parse_number(text) : std::nullopt;
}

}  // namespace

double pixel_width(const std::array<double, 6>& transform) { return std::hypot(transform[1], transform[4]); }

Notes read_notes(GDALDataset& dataset, const std::array<double, 6>& transform) {
    Notes notes;
    const char* range = dataset.GetMetadataItem(range_item);
    notes.ours = range != nullptr;
    const char* meaning = dataset.GetMetadataItem(picture_item);
    notes.frontier = meaning && EQUAL(meaning, frontier_value);
    if (range) notes.range = parse_interval(range);
    // What is no range, or one that heights must not have, is not taken.
    bool sound = notes.range && notes.range->high > notes.range->low &&
                 std::max(std::abs(notes.range->low), std::abs(notes.range->high)) < endless;
    if (!sound) notes.range.reset();
    std::optional<double> cell = number_item(dataset, cell_item);
    double pixel = number_item(dataset, pixel_item).value_or(0);
    if (cell && *cell > 0 && std::abs(pixel - pixel_width(transform)) <= 1e-9 * pixel) notes.cell = cell;
    return notes;
}

void write_notes(GDALDataset& dataset, const Grid& grid, const std::array<double, 6>& transform) {
    dataset.SetMetadataItem(range_item, interval_text(grid.range).c_str());
    dataset.SetMetadataItem(cell_item, number_text(grid.cell).c_str());
    dataset.SetMetadataItem(pixel_item, number_text(pixel_width(transform)).c_str());
}

void write_frontier_note(GDALDataset& dataset) { dataset.SetMetadataItem(picture_item, frontier_value); }

}  // namespace caprock::gdal

#include "formats/windows.h"

#include "base/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace caprock {

namespace {

constexpr int side_of_tile = 256;

// The window of whole rows that begins at `top`.
Rect rows_from(const Rect& extent, int top, int rows) {
    return {extent.left, top, extent.right, std::min(top + rows, extent.bottom)};
}

}  // namespace

int lines_at_a_time(int64_t cells_per_line, int64_t fields) {
    int lines = side_of_tile;
    while (lines > 1 && cells_per_line * fields * lines > most_cells_held) lines /= 2;
    return lines;
}

Field read_window(TerrainSource& source, const std::string& name, const Rect& window) {
    Field cells = source.read_field(name, window);
    if (cells.rect() != window)
        throw Error(fmt::format("the source of '{}' gave other cells than it was asked for", name));
    return cells;
}

void each_window(TerrainSource& source, const std::string& name, const FileContext& context,
                 const std::function<void(const Field&)>& use) {
    Rect extent = source.shape().rect();
    int rows = lines_at_a_time(extent.width());
    for (int top = extent.top; top < extent.bottom; top += rows) {
        if (context.progress) context.progress->check();
        Rect window = rows_from(extent, top, rows);
        use(read_window(source, name, window));
        if (context.progress) context.progress->advance(window.cells());
    }
}

void SeenCells::add(const Field& field) {
    FieldStatistics found = statistics(field);
    bool first = all_missing();
    cells += found.cells;
    missing += found.missing;
    if (found.missing == found.cells) return;
    low = first ? found.low : std::min(low, found.low);
    high = first ? found.high : std::max(high, found.high);
}

FieldRows::FieldRows(TerrainSource& source, std::string name, int64_t beside)
    : source_(source),
      name_(std::move(name)),
      extent_(source.shape().rect()),
      rows_(lines_at_a_time(extent_.width(), beside)) {}

const float* FieldRows::operator[](int y) {
    if (window_.empty() || y < window_.rect().top || y >= window_.rect().bottom) {
        // Given back before the next one is taken.
        window_ = Field();
        window_ = read_window(source_, name_, rows_from(extent_, y / rows_ * rows_, rows_));
    }
    return window_.rows()[y];
}

}  // namespace caprock

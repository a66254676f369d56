#include "view/surface.h"

#include "terrain/grid.h"

#include <algorithm>
#include <cstdint>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace caprock {

void for_rows(int count, const std::function<void(int y)>& body) {
    constexpr int rows_per_task = 16;
    tbb::parallel_for(tbb::blocked_range<int>(0, count, rows_per_task), [&](const auto& part) {
        for (int y = part.begin(); y < part.end(); y++) body(y);
    });
}

void for_bands(int count, const std::function<void(int band)>& body) { tbb::parallel_for(0, count, body); }

Scale scale_of(Size cells, int longest_side, int enlarge) {
    int64_t longest = std::max(cells.width, cells.height);
    int64_t limit = std::max(longest_side, 1);
    if (longest <= limit) {
        int times = int(std::clamp<int64_t>(enlarge, 1, limit / longest));
        return {{cells.width * times, cells.height * times}, times};
    }
    auto shortened = [&](int side) {
        return int(std::max<int64_t>(1, (side * limit * 2 + longest) / (longest * 2)));
    };
    return {{shortened(cells.width), shortened(cells.height)}};
}

namespace {

// What one pixel takes from the cells along one axis.
struct Cover {
    int first;  // cell
    std::vector<double>
        coverage;                 // how much of each cell it covers, in units in which that is a whole number
    std::vector<double> weights;  // of each cell in its mean
};

// The part of a tent of width 2 and area 1 that lies left of u.
double tent_left_of(double u) {
    if (u <= -1) return 0;
    if (u >= 1) return 1;
    return u < 0 ? (1 + u) * (1 + u) / 2 : 1 - (1 - u) * (1 - u) / 2;
}

// Pixels that cover a whole number of cells average them. Others would give stairs for a slope, and moiré in
// its shading: they average the line through the cells' middles, which leaves a slope a slope.
Cover cover(int pixel, int pixels, int cells) {
    int64_t begin = int64_t(pixel) * cells;
    int64_t end = begin + cells;
    bool whole = cells % pixels == 0;
    int margin = whole ? 0 : 1;
    int first = std::max(int(begin / pixels) - margin, 0);
    int last = std::min(int((end - 1) / pixels) + margin, cells - 1);
    Cover result{first, {}, {}};
    for (int cell = first; cell <= last; cell++) {
        int64_t left = std::max(begin, int64_t(cell) * pixels);
        int64_t right = std::min(end, int64_t(cell + 1) * pixels);
        double covered = double(std::max<int64_t>(right - left, 0));
        double middle = cells_to_pixels(cell);
        double weight =
            tent_left_of(double(end) / pixels - middle) - tent_left_of(double(begin) / pixels - middle);
        result.coverage.push_back(covered);
        result.weights.push_back(whole ? covered : weight);
    }
    return result;
}

// Calls the body with pieces of the cells and the rows of pixels that are made of each.
template <typename FirstCell, typename LastCell, typename Body>
void for_pieces(const CellRows& cells, int pixel_rows, const FirstCell& first_cell, const LastCell& last_cell,
                const Body& body) {
    for (int first = 0; first < pixel_rows;) {
        int end = first + 1;
        while (end < pixel_rows && last_cell(end) - first_cell(first) < cells.rows_together) end++;
        body(cells.read(cells.rect.top + first_cell(first), cells.rect.top + last_cell(end - 1) + 1), first,
             end);
        first = end;
    }
}

}  // namespace

Surface averaged(const CellRows& source, Size size) {
    Surface surface(size);
    const Rect& rect = source.rect;
    if (size == rect.size()) {
        source.each_piece([&](const Field& piece) {
            Field::Rows cells = piece.rows();
            for_rows(piece.rect().height(), [&](int i) {
                int y = piece.rect().top + i;
                const float* from = cells[y];
                float* to = surface.row(y - rect.top);
                for (int x = 0; x < size.width; x++) to[x] = is_drawn(from[x]) ? from[x] : missing;
            });
        });
        return surface;
    }

    std::vector<Cover> columns;
    for (int x = 0; x < size.width; x++) columns.push_back(cover(x, size.width, rect.width()));
    std::vector<Cover> lines;
    for (int y = 0; y < size.height; y++) lines.push_back(cover(y, size.height, rect.height()));
    auto average = [&](const Field::Rows& cells, int y) {
        const Cover& rows = lines[size_t(y)];
        std::vector<double> sums(size_t(size.width), 0.0);
        std::vector<double> weights(size_t(size.width), 0.0);
        std::vector<double> known(size_t(size.width), 0.0);
        for (size_t row = 0; row < rows.weights.size(); row++) {
            const float* from = cells[rect.top + rows.first + int(row)];
            for (int x = 0; x < size.width; x++) {
                const Cover& column = columns[size_t(x)];
                double sum = 0, weight = 0, covered = 0;
                for (size_t cell = 0; cell < column.weights.size(); cell++) {
                    float value = from[column.first + int(cell)];
                    if (!is_drawn(value)) continue;
                    sum += double(value) * column.weights[cell];
                    weight += column.weights[cell];
                    covered += column.coverage[cell];
                }
                sums[size_t(x)] += sum * rows.weights[row];
                weights[size_t(x)] += weight * rows.weights[row];
                known[size_t(x)] += covered * rows.coverage[row];
            }
        }
        double all = double(rect.width()) * rect.height();
        float* to = surface.row(y);
        for (int x = 0; x < size.width; x++)
            to[x] = known[size_t(x)] * 2 >= all ? float(sums[size_t(x)] / weights[size_t(x)]) : missing;
    };
    auto first_cell = [&](int y) { return lines[size_t(y)].first; };
    auto last_cell = [&](int y) { return lines[size_t(y)].first + int(lines[size_t(y)].weights.size()) - 1; };
    for_pieces(source, size.height, first_cell, last_cell, [&](const Field& piece, int first, int end) {
        Field::Rows cells = piece.rows();
        for_rows(end - first, [&](int i) { average(cells, first + i); });
    });
    return surface;
}

namespace {

// Where each of a cell's pixels lies, seen from its middle.
std::vector<float> offsets_within(int times) {
    std::vector<float> offsets;
    for (int i = 0; i < times; i++) offsets.push_back((float(i) + 0.5f) / float(times) - 0.5f);
    return offsets;
}

}  // namespace

Surface interpolated(const Field& field, int times) {
    Size cells = field.rect().size();
    Surface source = averaged(rows_of(field), cells);
    if (times == 1) return source;
    const std::vector<float> offsets = offsets_within(times);
    Surface surface({cells.width * times, cells.height * times});
    for_rows(cells.height, [&](int y) {
        // The three rows of cells, each drawn out to the width of the picture.
        std::vector<float> rows[3];
        for (int i = 0; i < 3; i++) {
            const float* from = source.row(y - 1 + i);
            rows[i].reserve(size_t(surface.size().width));
            for (int x = 0; x < cells.width; x++)
                for (float offset : offsets)
                    rows[i].push_back(spline_along(from[x - 1], from[x], from[x + 1], offset));
        }
        for (int i = 0; i < times; i++) {
            float* to = surface.row(y * times + i);
            for (size_t x = 0; x < rows[1].size(); x++)
                to[x] = spline_along(rows[0][x], rows[1][x], rows[2][x], offsets[size_t(i)]);
        }
    });
    return surface;
}

Surface picked(const CellRows& source, Size size) {
    Surface surface(size);
    const Rect& rect = source.rect;
    auto middle = [](int pixel, int pixels, int count) {
        return int((2 * int64_t(pixel) + 1) * count / (2 * int64_t(pixels)));
    };
    auto cell_of = [&](int y) { return middle(y, size.height, rect.height()); };
    for_pieces(source, size.height, cell_of, cell_of, [&](const Field& piece, int first, int end) {
        Field::Rows cells = piece.rows();
        for_rows(end - first, [&](int i) {
            int y = first + i;
            const float* from = cells[rect.top + cell_of(y)];
            float* to = surface.row(y);
            for (int x = 0; x < size.width; x++) {
                float value = from[middle(x, size.width, rect.width())];
                to[x] = is_drawn(value) ? value : missing;
            }
        });
    });
    return surface;
}

}  // namespace caprock

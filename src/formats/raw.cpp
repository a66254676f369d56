#include "formats/raw.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/format_table.h"
#include "formats/windows.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <vector>

namespace caprock {

namespace {

namespace fs = std::filesystem;

constexpr double highest_share = 65535;
// As in all files: the sum of four would be infinite.
constexpr float endless = std::numeric_limits<float>::max() / 4;

bool holds_floats(const TerrainFormat* format) {
    return format && format->raw() && format->cells == TerrainFormat::Cells::floats;
}

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
    throw Error(fmt::format("cannot read '{}': {}", path, reason));
}

bool is_native(ByteOrder order) {
    return (order == ByteOrder::little) == (std::endian::native == std::endian::little);
}

template <typename Number>
void swap_bytes(std::vector<Number>& numbers) {
    for (Number& number : numbers) {
        auto* bytes = reinterpret_cast<unsigned char*>(&number);
        std::reverse(bytes, bytes + sizeof(Number));
    }
}

// ---- sizes -----------------------------------------------------------------------------------------------

std::string size_text(Size size) { return fmt::format("{}x{}", size.width, size.height); }

std::optional<Size> square_of(uint64_t cells) {
    int side = int(std::lround(std::sqrt(double(cells))));
    if (side < 1 || side > largest_side || uint64_t(side) * uint64_t(side) != cells) return std::nullopt;
    return Size{side, side};
}

// "25x40, 20x50 and 10x100": what so many cells may be, the nearest to a square first.
std::string fitting_sizes(uint64_t cells) {
    std::vector<std::string> sizes;
    auto root = uint64_t(std::sqrt(double(cells)));
    for (uint64_t height = std::min<uint64_t>(root, largest_side); height >= 1 && sizes.size() < 3; height--)
        if (cells % height == 0 && cells / height <= largest_side)
            sizes.push_back(size_text({int(cells / height), int(height)}));
    return sizes.empty() ? "" : fmt::format("{} would fit", listed(sizes, "or"));
}

// How many cells each way. The file knows nothing but its length.
Size size_of(const std::string& path, uint64_t bytes, uint64_t bytes_per_cell, const ReadOptions& options) {
    uint64_t cells = bytes / bytes_per_cell;
    bool whole = bytes % bytes_per_cell == 0;
    std::string fitting = whole ? fitting_sizes(cells) : "";
    std::string way_out = fitting.empty() ? "" : "; " + fitting;
    if (options.size) {
        uint64_t expected = uint64_t(options.size->cells()) * bytes_per_cell;
        if (expected != bytes)
            refuse(path, fmt::format("{} cells of {} bytes are {} bytes, but it has {}{}",
                                     size_text(*options.size), bytes_per_cell, expected, bytes, way_out));
        return *options.size;
    }
    if (!whole)
        refuse(path, fmt::format("it has {} bytes, which are no whole number of cells of {} bytes", bytes,
                                 bytes_per_cell));
    if (std::optional<Size> square = square_of(cells)) return *square;
    refuse(path, fmt::format("its {} bytes are {} cells, which make no square; give --size WIDTHxHEIGHT{}",
                             bytes, cells, way_out));
}

// ---- reading ---------------------------------------------------------------------------------------------

class RawReader : public RasterReader {
  public:
    RawReader(const std::string& path, const ReadOptions& options)
        : path_(path), floats_(holds_floats(format_of_name(path))), order_(options.byte_order) {
        std::error_code unknown;
        uint64_t bytes = fs::file_size(path, unknown);
        if (unknown) refuse(path, unknown.message());
        Grid grid;
        grid.extent = Rect::of(size_of(path, bytes, floats_ ? 4 : 2, options));
        grid.cell = options.cell.value_or(1);
        if (options.range) grid.range = *options.range;
        try {
            grid.check();
        } catch (const Error& error) {
            refuse(path, error.what());
        }
        shape_ = Terrain(grid);
        range_is_known_ = !floats_ || options.range;
        file_.open(path, std::ios::binary);
        if (!file_) refuse(path, std::strerror(errno));
    }

    Terrain shape() const override { return shape_; }
    std::vector<std::string> names() const override { return {"height"}; }

    Terrain read(const Rect& window) override {
        Terrain cells = shape_.cropped(window);
        cells.set("height", read_cells(window, {}));
        return cells;
    }

    Terrain read_all(const FileContext& context) override {
        Rect extent = shape_.rect();
        require_memory(uint64_t(extent.cells()) * sizeof(float), fmt::format("'{}'", path_));
        if (context.progress) context.progress->expect(extent.cells());
        dropped_ = 0;
        Field field = read_cells(extent, context);
        SeenCells heights;
        if (!range_is_known_) heights.add(field);
        learn(heights, context);
        Terrain terrain = shape_;
        terrain.set("height", std::move(field));
        return terrain;
    }

    void look_through(const FileContext& context) override {
        if (!floats_ || looked_through_) return;
        if (context.progress) context.progress->expect(shape_.rect().cells());
        dropped_ = 0;
        SeenCells heights;
        each_window(*this, "height", context, [&](const Field& window) { heights.add(window); });
        learn(heights, context);
    }

  private:
    Field read_cells(const Rect& window, const FileContext& context) {
        Field field(window);
        if (floats_) {
            read_numbers<float>(field, context, [&](float height) {
                bool sound = is_missing(height) || std::abs(height) < endless;
                if (!sound) dropped_++;
                return sound ? height : missing;
            });
        } else {
            Interval range = shape_.grid().range;
            double step = range.span() / highest_share;
            read_numbers<uint16_t>(field, context,
                                   [&](uint16_t share) { return float(range.low + share * step); });
        }
        return field;
    }

    template <typename Number, typename ToHeight>
    void read_numbers(Field& field, const FileContext& context, const ToHeight& to_height) {
        const Rect& rect = field.rect();
        const Rect& extent = shape_.rect();
        Field::WritableRows rows = field.writable_rows();
        std::vector<Number> line(static_cast<size_t>(rect.width()));
        bool whole_rows = rect.width() == extent.width();
        for (int y = rect.top; y < rect.bottom; y++) {
            auto cells_before = std::streamoff(y) * extent.width() + rect.left;
            if (!whole_rows || y == rect.top) file_.seekg(cells_before * std::streamoff(sizeof(Number)));
            file_.read(reinterpret_cast<char*>(line.data()), std::streamsize(line.size() * sizeof(Number)));
            if (!file_) refuse(path_, "it is damaged or cut off");
            if (!is_native(order_)) swap_bytes(line);
            std::ranges::transform(line, rows[y], to_height);
            if (context.progress) context.progress->advance(rect.width());
        }
    }

    void learn(const SeenCells& heights, const FileContext& context) {
        if (looked_through_) return;
        looked_through_ = true;
        // The wrong byte order gives such numbers, among others.
        if (dropped_ > 0 && !range_is_known_)
            refuse(path_,
                   fmt::format("{} of its {} cells are infinite or beyond {:.2g} m; --byte-order may be "
                               "the other one",
                               dropped_, shape_.rect().cells(), endless));
        if (dropped_ > 0 && context.tell)
            context.tell(fmt::format("'{}' has {} {} not finite or beyond {:.2g} m; {} missing now", path_,
                                     dropped_, dropped_ > 1 ? "cells that are" : "cell that is", endless,
                                     dropped_ > 1 ? "they are" : "it is"));
        if (range_is_known_) return;
        if (heights.all_missing()) refuse(path_, "every cell is missing");
        double low = heights.low;
        double high = heights.high;
        if (!(high > low)) high = low + std::max(1.0, std::abs(low) * 1e-6);
        shape_.set_range({low, high});
        range_is_known_ = true;
    }

    std::string path_;
    bool floats_;
    ByteOrder order_;
    Terrain shape_;
    bool range_is_known_ = true;
    bool looked_through_ = false;
    int64_t dropped_ =
        0;  // cells that are infinite, or as good as that, among those read since the last count began
    std::ifstream file_;
};

// ---- writing ---------------------------------------------------------------------------------------------

template <typename Number, typename FromHeight>
void write_numbers(const std::string& path, TerrainSource& source, ByteOrder order,
                   const FileContext& context, const FromHeight& from_height) {
    std::ofstream file(path, std::ios::binary);
    Rect extent = source.shape().rect();
    std::vector<Number> line(static_cast<size_t>(extent.width()));
    if (context.progress) context.progress->expect(extent.cells());
    each_window(source, "height", context, [&](const Field& window) {
        const Rect& rect = window.rect();
        Field::Rows rows = window.rows();
        for (int y = rect.top; y < rect.bottom && file; y++) {
            std::transform(rows[y], rows[y] + rect.width(), line.begin(), from_height);
            if (!is_native(order)) swap_bytes(line);
            file.write(reinterpret_cast<const char*>(line.data()),
                       std::streamsize(line.size() * sizeof(Number)));
        }
        if (!file) throw Error(std::strerror(errno));
    });
    file.close();
    if (!file) throw Error(std::strerror(errno));
}

void write_shares(const std::string& path, TerrainSource& source, const std::string& ending, ByteOrder order,
                  const FileContext& context) {
    Interval range = source.shape().grid().range;
    int64_t holes = 0;
    int64_t outside = 0;
    write_numbers<uint16_t>(path, source, order, context, [&](float value) {
        if (is_missing(value)) {
            holes++;
            return uint16_t(0);
        }
        double share = (double(value) - range.low) / range.span();
        if (share < 0 || share > 1) outside++;
        return uint16_t(std::lround(std::clamp(share, 0.0, 1.0) * highest_share));
    });
    // Known only now: to look through everything first would take twice as long for those who have none.
    if (holes > 0)
        throw Error(
            fmt::format("{} {} missing and a {} has no mark for that; fill them with 'then fill-holes', "
                        "or write a .r32",
                        holes, holes > 1 ? "cells are" : "cell is", ending));
    if (context.tell && outside > 0)
        context.tell(fmt::format("{} {} outside the height range {} and {} cut off at its ends", outside,
                                 outside > 1 ? "cells lie" : "cell lies", interval_text(range),
                                 outside > 1 ? "were" : "was"));
}

class RawDriver : public RasterDriver {
  public:
    std::unique_ptr<RasterReader> open(const std::string& path, const ReadOptions& options,
                                       const FileContext&) override {
        return std::make_unique<RawReader>(path, options);
    }

    void write(TerrainSource& source, const std::string& path, const std::string& ending,
               const WriteOptions& options, const FileContext& context) override {
        if (holds_floats(format_of_ending(ending))) {
            write_numbers<float>(path, source, options.byte_order, context,
                                 [](float value) { return value; });
        } else {
            write_shares(path, source, ending, options.byte_order, context);
        }
    }
};

}  // namespace

RasterDriver& raw_driver() {
    static RawDriver driver;
    return driver;
}

}  // namespace caprock

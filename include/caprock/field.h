// A field: one quantity on a rectangle of cells. A missing cell is NaN.
#pragma once

#include <caprock/export.h>
#include <caprock/grid.h>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>

namespace caprock {
inline namespace v1 {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();
inline bool is_missing(float value) { return std::isnan(value); }

struct FieldStatistics {
    std::int64_t cells = 0;
    std::int64_t missing = 0;
    float low = 0;  // of the cells that are not missing; 0 where there are none
    float high = 0;
    double mean = 0;  // of the finite cells
    double deviation = 0;
};

// A value that never changes: copies share their cells.
class CAPROCK_API Field {
  public:
    Field();

    // Over memory that belongs to you, without a copy. Rows begin `stride` cells after each other; 0: they follow each other
    // closely. The library reads it and never writes it. It has to stay there, as it is, while there are fields, terrains and
    // lands that came from it; an owner, where you give one, keeps it for so long.
    static Field over(const float* cells, int width, int height, std::ptrdiff_t stride = 0,
                      std::shared_ptr<const void> owner = nullptr);
    // With cells of its own: a copy.
    static Field of(std::span<const float> cells, int width, int height);

    // The cells it has. Those of a part of the land lie where they lie in the whole.
    Rect rect() const;
    int width() const { return rect().width(); }
    int height() const { return rect().height(); }
    bool empty() const { return rect().empty(); }

    // The row at y, from rect().top on, and one cell of it. Throw std::out_of_range beyond the cells there are. Cells that are
    // in a GPU's memory are brought back first.
    std::span<const float> row(int y) const;
    float at(int x, int y) const;
    // All of them into memory of yours.
    void copy_to(float* cells, std::ptrdiff_t stride = 0) const;
    Field cropped(const Rect& part) const;  // the same cells, not a copy

    // 16 digits that depend on the size and on every bit of every cell: what `caprock info` prints. All NaN are one.
    std::string fingerprint() const;
    FieldStatistics statistics() const;

    // ---- for the library itself ----
    struct Inside;
    explicit Field(std::shared_ptr<const Inside> inside);
    const Inside& inside() const { return *inside_; }

  private:
    std::shared_ptr<const Inside> inside_;
};

}  // namespace v1
}  // namespace caprock

// A field: one quantity on a rectangle of cells, float32. A missing cell is NaN.
//
// Fields are values. Copies share their cells until one of them is written; a crop is a view into the same
// cells. The cells may live in a device's memory: whoever reads them here has them brought back first.
#pragma once

#include "compute/buffer.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace caprock {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();
inline bool is_missing(float value) { return std::isnan(value); }

// The largest side a grid may have.
constexpr int largest_side = 65536;

class Field {
  public:
    Field() = default;
    // Cells are not set: every operation that makes a field writes all of them.
    explicit Field(const Rect& rect) : plane_(rect) {}
    Field(const Rect& rect, float value);
    // Over memory that is somebody else's, without a copy. Rows begin `stride` cells after each other. It is never written:
    // whoever writes the field gets cells of his own. It has to stay as it is while there are fields that share it; an
    // owner keeps it for so long.
    static Field over(const Rect& rect, const float* cells, int stride,
                      std::shared_ptr<const void> owner = nullptr);

    const Rect& rect() const { return plane_.rect; }
    bool empty() const { return plane_.rect.empty(); }

    // Rows for reading and writing. The pointer is to the cell at rect().left; rows are not contiguous in
    // views. Take rows() once and walk it: each call may have to fetch the cells from a device.
    class Rows {
      public:
        const float* operator[](int y) const { return first_ + ptrdiff_t(y - top_) * stride_; }

      private:
        friend class Field;
        const float* first_ = nullptr;
        ptrdiff_t stride_ = 0;
        int top_ = 0;
    };
    class WritableRows {
      public:
        float* operator[](int y) const { return first_ + ptrdiff_t(y - top_) * stride_; }

      private:
        friend class Field;
        float* first_ = nullptr;
        ptrdiff_t stride_ = 0;
        int top_ = 0;
    };
    Rows rows() const;
    WritableRows writable_rows();
    // Writes the very cells, also for those who share them; never those of lent memory. For somebody who knows them all and sees to it that none of
    // them reads meanwhile: what is on a screen changes under the brush, and is not copied for every dab.
    WritableRows rows_in_place();

    // Single cells, for tests and inspection.
    float at(int x, int y) const { return rows()[y][x - rect().left]; }
    void set(int x, int y, float value) { writable_rows()[y][x - rect().left] = value; }

    Field cropped(const Rect& part) const;  // a view
    Field copied() const;                   // its own, dense cells
    Field moved(int dx, int dy) const;      // a view: the same cells at other coordinates

    // Whether the cells can be read without a device: those that only a device has are lost with it.
    bool on_host() const;
    // Whether they are the very same cells, not only equal ones. While both fields are there it stays so: whoever
    // writes one of them gets cells of its own.
    bool shares_cells(const Field& other) const {
        return plane_.buffer == other.plane_.buffer && plane_.home == other.plane_.home &&
               rect() == other.rect();
    }

    const Plane& plane() const { return plane_; }
    Plane& plane() { return plane_; }

  private:
    Plane plane_;
};

struct FieldStatistics {
    int64_t cells = 0;
    int64_t missing = 0;
    float low = 0;  // of the cells that are not missing; 0 where there are none
    float high = 0;
    double mean =
        0;  // of the finite cells: one infinite cell would leave nothing to be said about the others
    double deviation = 0;
};
FieldStatistics statistics(const Field& field);

// 64 bits that depend on the size and on the exact bits of every cell, all NaN counting as one value.
uint64_t fingerprint(const Field& field);
std::string fingerprint_text(uint64_t fingerprint);

// The same of a field that is seen a piece at a time, from the top: whole rows, and of each piece but the last a multiple of
// this many, since sums are taken over so many at once. Not a bit differs from that of the field.
constexpr int rows_measured_together = 64;

class RunningStatistics {
  public:
    void add(const Field& rows);
    FieldStatistics result() const;

  private:
    struct Part {
        int64_t known = 0;
        int64_t finite = 0;
        float low = std::numeric_limits<float>::infinity();
        float high = -std::numeric_limits<float>::infinity();
        double sum = 0;
        double squares = 0;
    };
    int64_t cells_ = 0;
    std::optional<double> reference_;
    Part all_;
};

class RunningFingerprint {
  public:
    void add(const Field& rows);
    uint64_t result() const;

  private:
    int width_ = 0;
    int height_ = 0;
    std::vector<uint64_t> hashes_;
};

// Whether two fields cover the same rectangle with the same bits (all NaN being one value).
bool identical(const Field& a, const Field& b);

}  // namespace caprock

#include "field/field.h"

#include "base/error.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <stdexcept>
#include <tbb/parallel_for.h>
#include <utility>
#include <vector>
#include <xxhash.h>

namespace caprock {

Field::Field(const Rect& rect, float value) : plane_(rect) {
    float* cells = plane_.buffer->overwrite();
    std::fill(cells, cells + rect.cells(), value);
}

Field Field::over(const Rect& rect, const float* cells, int stride, std::shared_ptr<const void> owner) {
    if (stride < rect.width()) throw std::logic_error("rows of lent memory must not lie inside each other");
    Field field;
    field.plane_ = Plane(rect, cells, stride, std::move(owner));
    return field;
}

Field::Rows Field::rows() const {
    Rows rows;
    if (empty()) return rows;  // and perhaps without a buffer
    const Buffer& buffer = *plane_.buffer;
    rows.first_ = buffer.read() + plane_.index(rect().left, rect().top);
    rows.stride_ = buffer.stride();
    rows.top_ = rect().top;
    return rows;
}

Field::WritableRows Field::writable_rows() {
    if (!empty()) plane_.own(true);
    return rows_in_place();
}

Field::WritableRows Field::rows_in_place() {
    WritableRows rows;
    if (empty()) return rows;
    Buffer& buffer = *plane_.buffer;
    rows.first_ = buffer.write() + plane_.index(rect().left, rect().top);
    rows.stride_ = buffer.stride();
    rows.top_ = rect().top;
    return rows;
}

bool Field::on_host() const { return !plane_.buffer || plane_.buffer->host_current(); }

Field Field::cropped(const Rect& part) const {
    if (!rect().contains(part)) throw std::logic_error("a crop must lie inside its field");
    Field view = *this;
    view.plane_.rect = part;
    return view;
}

Field Field::copied() const {
    Field copy(rect());
    if (empty()) return copy;
    Rows from = rows();
    float* cells = copy.plane_.buffer->overwrite();
    size_t row_bytes = size_t(rect().width()) * sizeof(float);
    for (int y = rect().top; y < rect().bottom; y++)
        std::memcpy(cells + copy.plane_.index(rect().left, y), from[y], row_bytes);
    return copy;
}

Field Field::moved(int dx, int dy) const {
    Field view = *this;
    view.plane_.home = plane_.home.moved(dx, dy);
    view.plane_.rect = plane_.rect.moved(dx, dy);
    return view;
}

namespace {

// Sums are taken in bands of fixed height and added in order, so that they do not depend on the threads.
constexpr int rows_per_band = 64;

template <typename Part, typename Measure>
std::vector<Part> measured_bands(const Rect& rect, const Measure& measure) {
    int bands = (rect.height() + rows_per_band - 1) / rows_per_band;
    std::vector<Part> parts(static_cast<size_t>(bands));
    tbb::parallel_for(0, bands, [&](int band) {
        int top = rect.top + band * rows_per_band;
        parts[size_t(band)] = measure(top, std::min(top + rows_per_band, rect.bottom));
    });
    return parts;
}

double first_finite(const Rect& rect, const Field::Rows& rows) {
    for (int y = rect.top; y < rect.bottom; y++)
        for (int i = 0; i < rect.width(); i++)
            if (std::isfinite(rows[y][i])) return rows[y][i];
    return 0;
}

uint32_t canonical_bits(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return is_missing(value) ? 0x7fc00000u : bits;
}

}  // namespace

FieldStatistics statistics(const Field& field) {
    FieldStatistics total;
    if (field.empty()) return total;
    struct Part {
        int64_t known = 0;
        int64_t finite = 0;
        float low = std::numeric_limits<float>::infinity();
        float high = -std::numeric_limits<float>::infinity();
        double sum = 0;
        double squares = 0;
    };
    const Rect& rect = field.rect();
    Field::Rows rows = field.rows();
    // Differences from one finite cell keep the squares small beside heights far from zero.
    double reference = first_finite(rect, rows);
    std::vector<Part> parts = measured_bands<Part>(rect, [&](int top, int bottom) {
        Part part;
        for (int y = top; y < bottom; y++) {
            const float* row = rows[y];
            for (int i = 0; i < rect.width(); i++) {
                if (is_missing(row[i])) continue;
                part.known++;
                part.low = std::min(part.low, row[i]);
                part.high = std::max(part.high, row[i]);
                if (!std::isfinite(row[i])) continue;
                part.finite++;
                double difference = double(row[i]) - reference;
                part.sum += difference;
                part.squares += difference * difference;
            }
        }
        return part;
    });
    Part all;
    for (const Part& part : parts) {
        all.known += part.known;
        all.finite += part.finite;
        all.low = std::min(all.low, part.low);
        all.high = std::max(all.high, part.high);
        all.sum += part.sum;
        all.squares += part.squares;
    }
    total.cells = rect.cells();
    total.missing = total.cells - all.known;
    if (all.known == 0) return total;
    total.low = all.low;
    total.high = all.high;
    if (all.finite == 0) return total;
    double mean = all.sum / double(all.finite);
    total.mean = reference + mean;
    total.deviation = std::sqrt(std::max(0.0, all.squares / double(all.finite) - mean * mean));
    return total;
}

uint64_t fingerprint(const Field& field) {
    const Rect& rect = field.rect();
    std::vector<uint64_t> hashes;
    if (!field.empty()) {
        Field::Rows rows = field.rows();
        hashes = measured_bands<uint64_t>(rect, [&](int top, int bottom) {
            std::vector<uint32_t> bits(static_cast<size_t>(rect.width()));
            uint64_t hash = 0;
            for (int y = top; y < bottom; y++) {
                std::transform(rows[y], rows[y] + rect.width(), bits.begin(), canonical_bits);
                hash = XXH3_64bits_withSeed(bits.data(), bits.size() * sizeof(uint32_t), hash);
            }
            return hash;
        });
    }
    uint64_t size = uint64_t(uint32_t(rect.width())) << 32 | uint32_t(rect.height());
    return XXH3_64bits_withSeed(hashes.data(), hashes.size() * sizeof(uint64_t), size);
}

std::string fingerprint_text(uint64_t fingerprint) { return fmt::format("{:016x}", fingerprint); }

bool identical(const Field& a, const Field& b) {
    if (a.rect() != b.rect()) return false;
    if (a.empty()) return true;
    Field::Rows left = a.rows();
    Field::Rows right = b.rows();
    for (int y = a.rect().top; y < a.rect().bottom; y++)
        for (int i = 0; i < a.rect().width(); i++)
            if (canonical_bits(left[y][i]) != canonical_bits(right[y][i])) return false;
    return true;
}

}  // namespace caprock

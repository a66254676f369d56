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
template <typename Part, typename Measure>
std::vector<Part> measured_bands(const Rect& rect, const Measure& measure) {
    int bands = (rect.height() + rows_measured_together - 1) / rows_measured_together;
    std::vector<Part> parts(static_cast<size_t>(bands));
    tbb::parallel_for(0, bands, [&](int band) {
        int top = rect.top + band * rows_measured_together;
        parts[size_t(band)] = measure(top, std::min(top + rows_measured_together, rect.bottom));
    });
    return parts;
}

std::optional<double> first_finite(const Rect& rect, const Field::Rows& rows) {
    for (int y = rect.top; y < rect.bottom; y++)
        for (int i = 0; i < rect.width(); i++)
            if (std::isfinite(rows[y][i])) return rows[y][i];
    return std::nullopt;
}

uint32_t canonical_bits(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return is_missing(value) ? 0x7fc00000u : bits;
}

}  // namespace

void RunningStatistics::add(const Field& rows) {
    const Rect& rect = rows.rect();
    if (rect.empty()) return;
    Field::Rows cells = rows.rows();
    cells_ += rect.cells();
    // Differences from one finite cell keep the squares small beside heights far from zero. As long as there was none, there
    // was nothing to add up either.
    if (!reference_) reference_ = first_finite(rect, cells);
    const double reference = reference_.value_or(0);
    const std::vector<Part> parts = measured_bands<Part>(rect, [&](int top, int bottom) {
        Part part;
        for (int y = top; y < bottom; y++) {
            const float* row = cells[y];
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
    for (const Part& part : parts) {
        all_.known += part.known;
        all_.finite += part.finite;
        all_.low = std::min(all_.low, part.low);
        all_.high = std::max(all_.high, part.high);
        all_.sum += part.sum;
        all_.squares += part.squares;
    }
}

FieldStatistics RunningStatistics::result() const {
    FieldStatistics total;
    total.cells = cells_;
    total.missing = cells_ - all_.known;
    if (all_.known == 0) return total;
    total.low = all_.low;
    total.high = all_.high;
    if (all_.finite == 0) return total;
    double mean = all_.sum / double(all_.finite);
    total.mean = *reference_ + mean;
    total.deviation = std::sqrt(std::max(0.0, all_.squares / double(all_.finite) - mean * mean));
    return total;
}

FieldStatistics statistics(const Field& field) {
    RunningStatistics all;
    all.add(field);
    return all.result();
}

void RunningFingerprint::add(const Field& piece) {
    const Rect& rect = piece.rect();
    if (rect.empty()) return;
    width_ = rect.width();
    height_ += rect.height();
    Field::Rows rows = piece.rows();
    const std::vector<uint64_t> hashes = measured_bands<uint64_t>(rect, [&](int top, int bottom) {
        std::vector<uint32_t> bits(static_cast<size_t>(rect.width()));
        uint64_t hash = 0;
        for (int y = top; y < bottom; y++) {
            std::transform(rows[y], rows[y] + rect.width(), bits.begin(), canonical_bits);
            hash = XXH3_64bits_withSeed(bits.data(), bits.size() * sizeof(uint32_t), hash);
        }
        return hash;
    });
    hashes_.insert(hashes_.end(), hashes.begin(), hashes.end());
}

uint64_t RunningFingerprint::result() const {
    uint64_t size = uint64_t(uint32_t(width_)) << 32 | uint32_t(height_);
    return XXH3_64bits_withSeed(hashes_.data(), hashes_.size() * sizeof(uint64_t), size);
}

uint64_t fingerprint(const Field& field) {
    if (field.empty()) {
        // Of a size without cells, that size.
        const Rect& rect = field.rect();
        uint64_t size = uint64_t(uint32_t(rect.width())) << 32 | uint32_t(rect.height());
        return XXH3_64bits_withSeed(nullptr, 0, size);
    }
    RunningFingerprint all;
    all.add(field);
    return all.result();
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

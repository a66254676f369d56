#include "compute/buffer.h"

#include "base/error.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

namespace caprock {

std::recursive_mutex& residency_lock() {
    static std::recursive_mutex lock;
    return lock;
}

namespace {

constexpr size_t huge_page = size_t(2) << 20;

float* allocate_cells(size_t bytes) {
    // Large fields on huge pages: first touches are five hundred times fewer.
    bool large = bytes >= 2 * huge_page;
    size_t alignment = large ? huge_page : 64;
    size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, rounded);
    if (!memory) throw OutOfMemory("the system refused memory for a field");
    if (large) madvise(memory, rounded, MADV_HUGEPAGE);
    return static_cast<float*>(memory);
}

}  // namespace

Buffer::~Buffer() {
    std::lock_guard lock(residency_lock());
    mirror_.reset();
}

float* Buffer::host() const {
    if (!host_) {
        // An empty buffer still has an address.
        size_t wanted = bytes() > 0 ? bytes() : 64;
        reservation_ = MemoryReservation(wanted, "a field of " + std::to_string(home_.width()) + " x " +
                                                     std::to_string(home_.height()) + " cells");
        host_ = {allocate_cells(wanted), [](float* cells) { std::free(cells); }};
    }
    return host_.get();
}

const float* Buffer::read() const {
    std::lock_guard lock(residency_lock());
    float* cells = host();
    if (!host_current_) {
        mirror_->download(cells);
        host_current_ = true;
    }
    return cells;
}

float* Buffer::write() {
    std::lock_guard lock(residency_lock());
    read();
    mirror_current_ = false;
    return host_.get();
}

float* Buffer::overwrite() {
    std::lock_guard lock(residency_lock());
    float* cells = host();
    host_current_ = true;
    mirror_current_ = false;
    return cells;
}

void Buffer::adopt(std::unique_ptr<Mirror> mirror, bool current) {
    mirror_ = std::move(mirror);
    mirror_current_ = current;
}

void Buffer::mirror_written() {
    mirror_current_ = true;
    host_current_ = false;
}

void Buffer::drop_mirror() {
    if (!mirror_) return;
    if (!host_current_) read();
    mirror_.reset();
    mirror_current_ = false;
}

void Buffer::abandon_mirror() noexcept {
    mirror_.reset();
    mirror_current_ = false;
    host_current_ = true;
}

void Plane::own(bool keep_cells) {
    if (buffer && buffer.use_count() == 1) return;
    auto own_buffer = std::make_shared<Buffer>(rect);
    if (keep_cells && buffer) {
        const float* from = buffer->read();
        float* to = own_buffer->overwrite();
        for (int y = rect.top; y < rect.bottom; y++)
            std::memcpy(to + own_buffer->index(rect.left, y), from + buffer->index(rect.left, y),
                        size_t(rect.width()) * sizeof(float));
    }
    buffer = std::move(own_buffer);
}

}  // namespace caprock

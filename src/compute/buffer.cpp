#include "compute/buffer.h"

#include "base/error.h"
#include "base/text.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <sys/mman.h>

namespace caprock {

namespace {

constexpr size_t huge_page = size_t(2) << 20;
constexpr size_t worth_keeping = size_t(64) << 10;

// Blocks come in eight sizes per power of two, so that one given back serves the next field of about its
// size.
size_t block_size(size_t bytes) {
    if (bytes < worth_keeping) return (bytes + 63) / 64 * 64;
    size_t step = std::bit_floor(bytes) / 8;
    return (bytes + step - 1) / step * step;
}

// Blocks of the size of tiles are mapped, so that they go back to the system when they are freed: left to it, glibc comes
// to keep them in its heap, which grows to several times what is in use. Larger ones it maps itself, and sanitizers want
// to see them all.
bool is_mapped(size_t size) {
#ifdef __SANITIZE_ADDRESS__
    return size == 0;
#else
    return size >= (size_t(256) << 10) && size < 2 * huge_page;
#endif
}

void* allocated(size_t size, size_t alignment) {
    if (!is_mapped(size))
        return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
}

void freed(float* block, size_t size) {
    if (is_mapped(size)) {
        munmap(block, size);
    } else {
        std::free(block);
    }
}

// Blocks that were given back. Pages that are new to the process are cleared by the system first, which costs
// as much as a pass over the field.
class BlockStore {
  public:
    float* take(size_t bytes) {
        size_t size = block_size(bytes);
        {
            std::lock_guard lock(guard_);
            auto found = blocks_.find(size);
            if (found != blocks_.end()) {
                float* block = found->second;
                blocks_.erase(found);
                kept_ -= size;
                return block;
            }
        }
        // What is kept is not counted as taken: it must not stand in the way of something large.
        if (size > most_kept()) clear();
        // Large fields on huge pages: first touches are five hundred times fewer.
        size_t alignment = size >= 2 * huge_page ? huge_page : 64;
        void* memory = allocated(size, alignment);
        if (!memory) {
            clear();
            memory = allocated(size, alignment);
        }
        if (!memory) throw OutOfMemory("the system refused " + bytes_text(size) + " of memory for a field");
        if (alignment == huge_page) madvise(memory, size, MADV_HUGEPAGE);
        return static_cast<float*>(memory);
    }

    void give_back(float* block, size_t bytes) {
        size_t size = block_size(bytes);
        std::lock_guard lock(guard_);
        if (size < worth_keeping || kept_ + size > most_kept()) {
            freed(block, size);
            return;
        }
        blocks_.emplace(size, block);
        kept_ += size;
    }

    size_t kept() {
        std::lock_guard lock(guard_);
        return kept_;
    }

    void limit(size_t bytes) {
        limit_ = bytes;
        if (bytes < kept()) clear();
    }

  private:
    size_t most_kept() const { return std::min<size_t>(machine_memory() / 16, limit_); }
    void clear() {
        std::lock_guard lock(guard_);
        for (auto& [size, block] : blocks_) freed(block, size);
        blocks_.clear();
        kept_ = 0;
    }

    std::mutex guard_;
    std::multimap<size_t, float*> blocks_;
    size_t kept_ = 0;
    std::atomic<size_t> limit_ = SIZE_MAX;
};

BlockStore& blocks() {
    static BlockStore* const store = new BlockStore;  // outlives every field
    return *store;
}

}  // namespace

void limit_kept_memory(uint64_t budget) {
    constexpr uint64_t least = 32 << 20;
    blocks().limit(size_t(std::max(budget / 16, least)));
}

uint64_t kept_memory() { return blocks().kept(); }

Buffer::~Buffer() {
    // Nobody knows it any more but a device that is about to push it out, and has its lock.
    while (std::shared_ptr<std::mutex> device = device_lock()) {
        std::lock_guard there(*device);
        let_go(*device);
    }
    if (host_ && !lent_) blocks().give_back(host_, host_bytes());
}

size_t Buffer::readable_bytes() const {
    return bytes() > 0 ? bytes() - size_t(size_.width - last_row_) * sizeof(float) : 0;
}

void Buffer::refuse_if_lent() const {
    if (lent_) throw std::logic_error("cells of somebody else's memory were about to be written");
}

size_t Buffer::host_bytes() const {
    return bytes() > 0 ? bytes() : 64;
}  // an empty buffer still has an address

float* Buffer::host() const {
    if (!host_) {
        reservation_ = MemoryReservation(host_bytes(), "a field of " + std::to_string(size_.width) + " x " +
                                                           std::to_string(size_.height) + " cells");
        host_ = blocks().take(host_bytes());
    }
    return host_;
}

std::shared_ptr<std::mutex> Buffer::device_lock() const {
    std::lock_guard own(guard_);
    return mirror_ ? mirror_->device() : nullptr;
}

bool Buffer::host_current() const {
    std::lock_guard own(guard_);
    return host_current_;
}

const float* Buffer::read() const {
    while (true) {
        std::shared_ptr<std::mutex> device;
        {
            std::lock_guard own(guard_);
            if (host_current_) return host();
            device = mirror_->device();
        }
        std::lock_guard there(*device);
        fetch(*device);
    }
}

float* Buffer::write() {
    refuse_if_lent();
    read();
    std::lock_guard own(guard_);
    mirror_current_ = false;
    return host_;
}

float* Buffer::overwrite() {
    refuse_if_lent();
    while (true) {
        std::shared_ptr<std::mutex> device;
        {
            std::lock_guard own(guard_);
            if (host_current_) {
                mirror_current_ = false;
                return host();
            }
            device = mirror_->device();
        }
        // It may be about to bring back what is going to be overwritten.
        std::lock_guard there(*device);
        std::lock_guard own(guard_);
        host();
        host_current_ = true;
    }
}

void Buffer::leave_devices(const std::mutex* but) {
    while (std::shared_ptr<std::mutex> device = device_lock()) {
        if (device.get() == but) return;
        std::lock_guard there(*device);
        drop_mirror(*device);
    }
}

// Under the lock of the device. Where the cells are elsewhere by now there is nothing to do.
void Buffer::fetch(const std::mutex& device) const {
    std::shared_ptr<Mirror> mirror;
    float* to = nullptr;
    {
        std::lock_guard own(guard_);
        if (host_current_ || mirror_->device().get() != &device) return;
        mirror = mirror_;
        to = host();
    }
    mirror->download(to);
    std::lock_guard own(guard_);
    host_current_ = true;
}

// Under the lock of the device. A buffer that is ending is gone as soon as it is seen to have no mirror: nothing of it is
// touched after that.
void Buffer::let_go(const std::mutex& device) {
    std::shared_ptr<Mirror> gone;
    {
        std::lock_guard own(guard_);
        if (!mirror_ || mirror_->device().get() != &device) return;
        gone = std::move(mirror_);
        mirror_current_ = false;
    }
    gone->detached();
}

Buffer::Residence Buffer::residence(const std::mutex& device) const {
    std::lock_guard own(guard_);
    if (!mirror_) return {};
    if (mirror_->device().get() != &device) return {nullptr, false, true};
    return {mirror_, mirror_current_, false};
}

bool Buffer::adopt(std::shared_ptr<Mirror> mirror) {
    std::lock_guard own(guard_);
    if (mirror_) return false;
    mirror_ = std::move(mirror);
    mirror_current_ = false;
    return true;
}

void Buffer::mark_current(const Mirror& mirror) {
    std::lock_guard own(guard_);
    if (mirror_.get() == &mirror) mirror_current_ = true;
}

void Buffer::mark_written(const Mirror& mirror) {
    std::lock_guard own(guard_);
    refuse_if_lent();
    if (mirror_.get() != &mirror) throw std::logic_error("a field was taken from a launch that writes it");
    mirror_current_ = true;
    host_current_ = false;
}

void Buffer::drop_mirror(const std::mutex& device) {
    fetch(device);
    let_go(device);
}

bool Buffer::abandon_mirror() noexcept {
    std::shared_ptr<Mirror> gone;
    {
        std::lock_guard own(guard_);
        if (!host_current_) return false;
        gone = std::move(mirror_);
        mirror_current_ = false;
    }
    if (gone) gone->detached();
    return true;
}

void Plane::own(bool keep_cells) {
    if (buffer && buffer.use_count() == 1 && !buffer->lent()) return;
    Plane own(rect);
    if (keep_cells && buffer) {
        const float* from = buffer->read();
        float* to = own.buffer->overwrite();
        for (int y = rect.top; y < rect.bottom; y++)
            std::memcpy(to + own.index(rect.left, y), from + index(rect.left, y),
                        size_t(rect.width()) * sizeof(float));
    }
    *this = std::move(own);
}

}  // namespace caprock

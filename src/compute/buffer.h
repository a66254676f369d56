// Memory for rows of cells, on the host and on at most one device at a time. Copies between the two are made only when
// somebody looks at the side that is not up to date. Where in the landscape the cells lie, planes say.
#pragma once

#include "base/memory.h"
#include "base/rect.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

namespace caprock {

class Buffer;

// Memory that was given back is kept for the next field of its size, up to a sixteenth of the machine's, or of this: for
// programs that keep to a budget. It is the program's to say, since it holds for all that the process does.
void limit_kept_memory(uint64_t budget);
uint64_t kept_memory();  // now

// One lock for every move of data between host and devices. Moves are rare and short beside the work itself,
// and with one lock a device may push out any buffer without a thought to who else is looking at it.
std::recursive_mutex& residency_lock();

// A buffer's copy in a device's memory.
class Mirror {
  public:
    virtual ~Mirror() = default;
    virtual void download(float* to) = 0;
    virtual void upload(const float* from) = 0;
    virtual const void* device() const = 0;
};

class Buffer {
  public:
    // Nothing is allocated before the first look.
    explicit Buffer(Size size) : size_(size) {}
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    int stride() const { return size_.width; }
    size_t bytes() const { return size_t(size_.cells()) * sizeof(float); }

    const float* read() const;  // up to date on the host
    float* write();             // the same, and the device's copy is out of date from now on
    float* overwrite();         // for writing every cell: what was there is not brought back first

    // For devices, under the residency lock.
    Mirror* mirror() const { return mirror_.get(); }
    bool host_current() const { return host_current_; }
    bool mirror_current() const { return mirror_current_; }
    void adopt(std::unique_ptr<Mirror> mirror, bool current);
    void mark_mirror_current() { mirror_current_ = true; }
    void mirror_written();           // the device's copy is now the only one up to date
    void drop_mirror();              // brings the cells back first where the mirror has the only copy
    void abandon_mirror() noexcept;  // the device is gone: what only it held is lost

  private:
    float* host() const;
    size_t host_bytes() const;

    Size size_;
    mutable MemoryReservation reservation_;
    mutable float* host_ = nullptr;
    mutable bool host_current_ = true;
    mutable bool mirror_current_ = false;
    std::unique_ptr<Mirror> mirror_;
};

// A rectangle of a buffer. Copies share the buffer; a device that writes into a shared one first takes its
// own.
struct Plane {
    std::shared_ptr<Buffer> buffer;
    Rect home;  // of all cells of the buffer
    Rect rect;  // of those that are meant

    Plane() = default;
    explicit Plane(const Rect& all) : buffer(std::make_shared<Buffer>(all.size())), home(all), rect(all) {}

    // Of a cell, in the buffer.
    ptrdiff_t index(int x, int y) const {
        return ptrdiff_t(y - home.top) * buffer->stride() + (x - home.left);
    }

    // Makes the buffer this plane's alone, with its cells unless every one of them is about to be written.
    void own(bool keep_cells);
};

}  // namespace caprock

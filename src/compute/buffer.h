// Memory for rows of cells, on the host and on at most one device at a time. Copies between the two are made only when
// somebody looks at the side that is not up to date. Where in the landscape the cells lie, planes say.
//
// Any number of threads may read a buffer, on the host and by launches, as long as none writes it; who writes has it alone.
// Two kinds of locks see to the rest:
//
// - A buffer's own, for what it knows of itself: where its cells are and which side is up to date. It is held for a look or a
//   change of that, never while cells are copied or a device is waited for.
// - A device's, for its memory, its queue, and all mirrors there. Cells go from one side to the other under it, and mirrors come
//   and go under both, so that of those who bring cells back, push them out or let go of them one waits for the other.
//
// Who takes both takes the device's first, and nobody takes two of a kind. So whoever finds that the cells he wants are on a
// device lets go of the buffer's lock, takes the device's, and looks again: somebody may have been sooner. It follows that
//
// - where the host is up to date, reading there waits for no device;
// - where it is not, nobody touches the host's cells but under the lock of the device that has them;
// - a device may push out any mirror without asking who looks at the buffer: he has the host's cells, or waits for the device;
// - a buffer that ends takes the lock of the device that has its mirror, so that one that is being pushed out is there until
//   that is done.
//
// Nobody is told anything (of progress, of errors) under either.
#pragma once

#include "base/memory.h"
#include "base/rect.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

namespace caprock {

class Buffer;

// Memory that was given back is kept for the next field of its size, up to a sixteenth of the machine's, or of this: for
// programs that keep to a budget. It is the program's to say, since it holds for all that the process does.
void limit_kept_memory(uint64_t budget);
uint64_t kept_memory();  // now

// A buffer's copy in a device's memory. It is used and destroyed under the device's lock, by which the device is known here,
// too. Whoever has that keeps the device: a field may outlive everybody else's interest in it.
class Mirror {
  public:
    explicit Mirror(std::shared_ptr<std::mutex> device) : device_(std::move(device)) {}
    virtual ~Mirror() = default;
    Mirror(const Mirror&) = delete;
    Mirror& operator=(const Mirror&) = delete;
    const std::shared_ptr<std::mutex>& device() const { return device_; }

    virtual void download(float* to) = 0;
    // The buffer has let go of it, and may be gone. Launches that read it may not have come to their end.
    virtual void detached() = 0;

  private:
    std::shared_ptr<std::mutex> device_;
};

class Buffer {
  public:
    // Nothing is allocated before the first look.
    explicit Buffer(Size size) : size_(size) {}
    // Over memory that is somebody else's: it is read where it lies, and never written. The last row may end after so many
    // cells. Whoever lends it sees to it that it stays as it is, or gives an owner that keeps it.
    Buffer(Size size, const float* lent, int last_row, std::shared_ptr<const void> owner = nullptr)
        : size_(size),
          last_row_(last_row),
          owner_(std::move(owner)),
          lent_(true),
          host_(const_cast<float*>(lent)) {}
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    int stride() const { return size_.width; }
    size_t bytes() const { return size_t(size_.cells()) * sizeof(float); }
    // Those from the first on that may be read on the host: all, unless the last row of lent memory ends sooner.
    size_t readable_bytes() const;
    bool lent() const { return lent_; }

    // Of lent memory, what writes throws std::logic_error: Plane::own() is asked first.
    const float* read() const;  // up to date on the host
    float* write();             // the same, and the device's copy is out of date from now on
    float* overwrite();         // for writing every cell: what was there is not brought back first
    bool host_current() const;  // whether the host can be read without a device
    // Brings the cells back and gives the device's memory up, unless it is that device.
    void leave_devices(const std::mutex* but = nullptr);

    // ---- for a device, under its lock ----
    struct Residence {
        std::shared_ptr<Mirror> mirror;  // on that device; null where there is none
        bool current = false;            // and up to date
        bool elsewhere = false;          // a mirror on another device
    };
    Residence residence(const std::mutex& device) const;
    // With cells that are not up to date. False where another device was sooner.
    bool adopt(std::shared_ptr<Mirror> mirror);
    void mark_current(const Mirror& mirror);  // the cells are there too
    void mark_written(const Mirror& mirror);  // the cells are there alone
    // Brings the cells back first where the mirror has the only copy.
    void drop_mirror(const std::mutex& device);
    // The device is gone. Where it had the only copy, the mirror stays, so that whoever looks is told, and this is false.
    bool abandon_mirror() noexcept;

  private:
    float* host() const;
    size_t host_bytes() const;
    std::shared_ptr<std::mutex> device_lock() const;  // of the device that has a mirror, or null
    void fetch(const std::mutex& device) const;
    void let_go(const std::mutex& device);
    void refuse_if_lent() const;

    Size size_;
    int last_row_ = size_.width;
    std::shared_ptr<const void> owner_;
    bool lent_ = false;
    mutable std::mutex guard_;  // of all that follows
    mutable MemoryReservation reservation_;
    mutable float* host_ = nullptr;
    mutable bool host_current_ = true;  // where not, there is a mirror
    bool mirror_current_ = false;
    std::shared_ptr<Mirror> mirror_;
};

// A rectangle of a buffer. Copies share the buffer; a device that writes into a shared one, or into lent memory, first takes
// its own.
struct Plane {
    std::shared_ptr<Buffer> buffer;
    Rect home;  // of all cells of the buffer
    Rect rect;  // of those that are meant

    Plane() = default;
    explicit Plane(const Rect& all) : buffer(std::make_shared<Buffer>(all.size())), home(all), rect(all) {}
    // Over lent memory, whose rows begin so many cells after each other.
    Plane(const Rect& cells, const float* lent, int stride, std::shared_ptr<const void> owner)
        : buffer(
              std::make_shared<Buffer>(Size{stride, cells.height()}, lent, cells.width(), std::move(owner))),
          home{cells.left, cells.top, cells.left + stride, cells.bottom},
          rect(cells) {}

    // Of a cell, in the buffer.
    ptrdiff_t index(int x, int y) const {
        return ptrdiff_t(y - home.top) * buffer->stride() + (x - home.left);
    }

    // Makes the buffer this plane's alone, with its cells unless every one of them is about to be written.
    void own(bool keep_cells);
};

}  // namespace caprock

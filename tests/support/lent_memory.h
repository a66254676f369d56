// Memory that somebody else has: rows of cells that can be read and not written, right up to a page that cannot even be read.
// Whoever writes one of them, or reads behind the last, ends the program.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>

namespace caprock::test {

class LentMemory {
  public:
    LentMemory(int width, int height, int stride, const std::function<float(int x, int y)>& value)
        : stride_(stride) {
        const auto page = size_t(sysconf(_SC_PAGESIZE));
        const size_t cells = size_t(stride) * size_t(height - 1) + size_t(width);
        readable_ = (cells * sizeof(float) + page - 1) / page * page;
        bytes_ = readable_ + page;
        void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::runtime_error("no memory");
        memory_ = static_cast<char*>(memory);
        auto* first = reinterpret_cast<float*>(memory_ + readable_) - cells;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) first[ptrdiff_t(y) * stride + x] = value(x, y);
        cells_ = first;
        mprotect(memory_, readable_, PROT_READ);
        mprotect(memory_ + readable_, page, PROT_NONE);
    }
    ~LentMemory() { munmap(memory_, bytes_); }
    LentMemory(const LentMemory&) = delete;
    LentMemory& operator=(const LentMemory&) = delete;

    const float* cells() const { return cells_; }
    int stride() const { return stride_; }

  private:
    char* memory_ = nullptr;
    size_t readable_ = 0;
    size_t bytes_ = 0;
    const float* cells_ = nullptr;
    int stride_;
};

}  // namespace caprock::test

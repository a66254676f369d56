// Bytes at places of an open file, all of those that are asked for. Any number of threads may read and write it, as long as none
// writes where another is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace caprock {

class FileBytes {
  public:
    // Takes the descriptor over; one below 0 is none.
    explicit FileBytes(int descriptor) : descriptor_(descriptor) {}
    ~FileBytes();
    FileBytes(const FileBytes&) = delete;
    FileBytes& operator=(const FileBytes&) = delete;

    int descriptor() const { return descriptor_; }

    // False where that fails: errno says why, and ENODATA that the file ends before.
    bool read(void* bytes, size_t count, uint64_t offset) const;
    bool write(const void* bytes, size_t count, uint64_t offset);

  private:
    int descriptor_;
};

}  // namespace caprock

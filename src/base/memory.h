// What memory there is, and a refusal before more than that is asked for.
#pragma once

#include <cstdint>
#include <string_view>

namespace caprock {

// Bytes of memory this process may use: the machine's, or its control group's limit where that is less.
uint64_t machine_memory();

// Throws OutOfMemory, naming both figures, unless `bytes` more fit beside what is already reserved.
void require_memory(uint64_t bytes, std::string_view purpose);

// Accounting of large allocations. Construction throws OutOfMemory before anything is allocated.
class MemoryReservation {
  public:
    MemoryReservation() = default;
    MemoryReservation(uint64_t bytes, std::string_view purpose);
    ~MemoryReservation() { release(); }
    MemoryReservation(MemoryReservation&& other) noexcept : bytes_(other.bytes_) { other.bytes_ = 0; }
    MemoryReservation& operator=(MemoryReservation&& other) noexcept;

  private:
    void release();
    uint64_t bytes_ = 0;
};

}  // namespace caprock

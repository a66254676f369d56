#include "base/memory.h"

#include "base/error.h"
#include "base/text.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>
#include <utility>

namespace caprock {

namespace {

std::atomic<uint64_t> reserved = 0;

uint64_t control_group_limit() {
    for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        std::ifstream file(path);
        uint64_t limit = 0;
        if (file >> limit && limit > 0) return limit;
    }
    return UINT64_MAX;
}

void require_beside(uint64_t taken, uint64_t bytes, std::string_view purpose) {
    uint64_t machine = machine_memory();
    if (bytes <= machine && taken <= machine - bytes) return;
    std::string in_use = taken > 0 ? fmt::format(", {} of them in use", bytes_text(taken)) : "";
    throw OutOfMemory(fmt::format("{} needs {} of memory; this machine has {}{}", purpose, bytes_text(bytes),
                                  bytes_text(machine), in_use));
}

}  // namespace

uint64_t machine_memory() {
    static const uint64_t bytes =
        std::min(uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGE_SIZE)), control_group_limit());
    return bytes;
}

void require_memory(uint64_t bytes, std::string_view purpose) { require_beside(reserved, bytes, purpose); }

MemoryReservation::MemoryReservation(uint64_t bytes, std::string_view purpose) {
    // Two threads that ask for the last gigabyte must not both get it.
    uint64_t taken = reserved;
    do {
        require_beside(taken, bytes, purpose);
    } while (!reserved.compare_exchange_weak(taken, taken + bytes));
    bytes_ = bytes;
}

MemoryReservation& MemoryReservation::operator=(MemoryReservation&& other) noexcept {
    if (this != &other) {
        release();
        bytes_ = std::exchange(other.bytes_, 0);
    }
    return *this;
}

void MemoryReservation::release() {
    reserved -= bytes_;
    bytes_ = 0;
}

}  // namespace caprock

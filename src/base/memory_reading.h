// What the system says of memory. Whoever needs some asks base/memory.h.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace caprock {

// At a moment, in bytes.
struct MemoryReading {
    uint64_t total = 0;      // the machine's, or the limit of a control group this process is in
    uint64_t available = 0;  // what could be taken now without anybody being killed for it
    uint64_t own = 0;        // what this process has taken already
};

// `root` is where /proc and /sys are looked for.
MemoryReading read_memory(const std::string& root = "/");

// While it lives, another machine answers. For tests, which must not depend on what else runs beside them; not while
// other threads reserve.
class PretendedMemory {
  public:
    explicit PretendedMemory(std::function<MemoryReading()> reader);
    ~PretendedMemory();
    PretendedMemory(const PretendedMemory&) = delete;
    PretendedMemory& operator=(const PretendedMemory&) = delete;
};

}  // namespace caprock

#include "base/memory.h"

#include "base/error.h"
#include "base/memory_reading.h"
#include "base/text.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <unistd.h>
#include <utility>
#include <vector>

namespace caprock {

namespace {

std::atomic<uint64_t> reserved = 0;

// Whose answer counts; the system's where it is empty.
std::function<MemoryReading()>& pretended() {
    static std::function<MemoryReading()> reader;
    return reader;
}

constexpr uint64_t without_limit = UINT64_MAX;
// To ask the system takes some hundredths of a millisecond: for less than this it is not asked.
constexpr uint64_t worth_asking = 16 << 20;

uint64_t page_bytes() { return uint64_t(sysconf(_SC_PAGE_SIZE)); }

// A file that holds one number, or the word "max".
uint64_t number_in(const std::string& path) {
    std::ifstream file(path);
    uint64_t number = 0;
    return file >> number ? number : without_limit;
}

// The number after a name, in a file of lines "name number"; 0 where there is none.
uint64_t number_after(const std::string& path, const std::string& name) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string word;
        uint64_t number = 0;
        if (words >> word >> number && word == name) return number;
    }
    return 0;
}

// Where control groups of one of the two kinds say what there is.
struct GroupFiles {
    std::string folder;
    std::string limit;
    std::string usage;
    std::string reclaimable;  // in memory.stat: pages of files, which go when somebody needs the room
};

// The groups this process is in, from the innermost to the root: each may have a limit.
std::vector<GroupFiles> control_groups(const std::string& root) {
    std::vector<GroupFiles> groups;
    std::ifstream file(root + "/proc/self/cgroup");
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    // A container may show its own limit and not say which group it is in.
    if (lines.empty()) lines = {"0::/", "1:memory:/"};
    for (const std::string& line : lines) {
        size_t first = line.find(':');
        size_t second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        bool unified = controllers == ",,";
        if (!unified && controllers.find(",memory,") == std::string::npos) continue;
        std::string base = root + "/sys/fs/cgroup" + (unified ? "" : "/memory");
        std::string path = line.substr(second + 1);
        if (path == "/") path.clear();
        while (true) {
            groups.push_back(unified
                                 ? GroupFiles{base + path, "memory.max", "memory.current", "inactive_file"}
                                 : GroupFiles{base + path, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                              "total_inactive_file"});
            if (path.empty()) break;
            path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
        }
    }
    return groups;
}

// The part of `total` that is not `used`.
uint64_t rest_of(uint64_t total, uint64_t used) { return total > used ? total - used : 0; }

void apply_limit(const GroupFiles& group, MemoryReading& reading) {
    uint64_t limit = number_in(group.folder + "/" + group.limit);
    if (limit == 0 || limit == without_limit) return;
    reading.total = std::min(reading.total, limit);
    uint64_t usage = number_in(group.folder + "/" + group.usage);
    if (usage == without_limit) return;
    uint64_t reclaimable = number_after(group.folder + "/memory.stat", group.reclaimable);
    reading.available = std::min(reading.available, rest_of(limit, rest_of(usage, reclaimable)));
}

MemoryReading current_reading() { return pretended() ? pretended()() : read_memory(); }

void require_beside(uint64_t taken, uint64_t bytes, std::string_view purpose) {
    uint64_t machine = machine_memory();
    auto refuse = [&](const std::string& rest) {
        throw OutOfMemory(fmt::format("{} needs {} of memory; this machine has {}{}", purpose,
                                      bytes_text(bytes), bytes_text(machine), rest));
    };
    if (bytes > machine || taken > machine - bytes)
        refuse(taken > 0 ? fmt::format(", {} of them in use", bytes_text(taken)) : "");
    if (bytes < worth_asking) return;
    MemoryReading now = current_reading();
    // What is reserved need not have been taken from the system yet, and what was given back may be kept for the next
    // who asks: what counts is how much the process would have in the end.
    uint64_t most = now.available + now.own;
    if (bytes > most || taken > most - bytes)
        refuse(fmt::format(", of which {} are free now", bytes_text(rest_of(most, taken))));
}

}  // namespace

MemoryReading read_memory(const std::string& root) {
    MemoryReading reading;
    std::string table = root + "/proc/meminfo";
    reading.total = number_after(table, "MemTotal:") * 1024;
    if (reading.total == 0) reading.total = uint64_t(sysconf(_SC_PHYS_PAGES)) * page_bytes();
    // What others have not used for long can go to the disk.
    reading.available = (number_after(table, "MemAvailable:") + number_after(table, "SwapFree:")) * 1024;
    if (reading.available == 0) reading.available = reading.total;
    uint64_t all = 0;
    uint64_t resident = 0;
    uint64_t shared = 0;
    std::ifstream pages(root + "/proc/self/statm");
    if (pages >> all >> resident >> shared) reading.own = rest_of(resident, shared) * page_bytes();
    for (const GroupFiles& group : control_groups(root)) apply_limit(group, reading);
    return reading;
}

uint64_t machine_memory() {
    if (pretended()) return pretended()().total;
    static const uint64_t bytes = read_memory().total;
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

PretendedMemory::PretendedMemory(std::function<MemoryReading()> reader) { pretended() = std::move(reader); }

PretendedMemory::~PretendedMemory() { pretended() = nullptr; }

}  // namespace caprock

#include "base/memory.h"

#include "base/error.h"
#include "base/memory_reading.h"
#include "base/text.h"
#include "support/folder.h"
#include "support/refusals.h"

#include <atomic>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace caprock {
namespace {

std::string memory_refusal(uint64_t bytes) {
    return test::refusal<OutOfMemory>([&] { require_memory(bytes, "a test"); });
}

constexpr uint64_t gibibyte = uint64_t(1) << 30;

// A machine on which nothing else runs.
class Memory : public testing::Test {
    PretendedMemory machine_{[] { return MemoryReading{24 * gibibyte, 24 * gibibyte, 0}; }};
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(RealMemory, MachineHasSomeAndSaysTheSameTwice) {
    EXPECT_GT(machine_memory(), uint64_t(64) << 20);
    EXPECT_EQ(machine_memory(), machine_memory());
}

TEST_F(Memory, GrantsWhatThereIs) {
    EXPECT_NO_THROW(require_memory(0, "nothing"));
    EXPECT_NO_THROW(require_memory(machine_memory(), "everything"));
}

TEST_F(Memory, RefusalNamesWhoAsksAndBothFigures) {
    std::string message = memory_refusal(machine_memory() * 3);
    EXPECT_TRUE(has(message, "a test needs ")) << message;
    EXPECT_TRUE(has(message, bytes_text(machine_memory() * 3))) << message;
    EXPECT_TRUE(has(message, "this machine has " + bytes_text(machine_memory()))) << message;
    EXPECT_FALSE(has(message, "in use")) << message;
}

TEST_F(Memory, RefusesSumsThatWouldWrapAround) {
    MemoryReservation some(4096, "some");
    EXPECT_NE(memory_refusal(UINT64_MAX), "");
    EXPECT_NE(memory_refusal(UINT64_MAX - 4095), "");
}

TEST_F(Memory, CountsWhatIsReserved) {
    uint64_t half = machine_memory() / 2;
    MemoryReservation first(half, "the first half");
    std::string message = memory_refusal(machine_memory() - half + 1);
    EXPECT_TRUE(has(message, bytes_text(half) + " of them in use")) << message;
    EXPECT_EQ(memory_refusal(machine_memory() - half), "");
    EXPECT_THROW(MemoryReservation(machine_memory(), "all of it again"), OutOfMemory);
    // The one that failed holds nothing.
    EXPECT_EQ(memory_refusal(machine_memory() - half), "");
}

TEST_F(Memory, ReservationsAreGivenBack) {
    { MemoryReservation all(machine_memory(), "all"); }
    EXPECT_EQ(memory_refusal(machine_memory()), "");
}

TEST_F(Memory, ReservationsMoveWithoutBeingCountedTwice) {
    uint64_t all = machine_memory();
    {
        MemoryReservation first(all, "all");
        MemoryReservation second(std::move(first));
        EXPECT_NE(memory_refusal(1), "");
        first = std::move(second);
        EXPECT_NE(memory_refusal(1), "");
        MemoryReservation& itself = first;
        first = std::move(itself);
        EXPECT_NE(memory_refusal(1), "");
        // Assigning gives back what was held before.
        first = MemoryReservation();
        EXPECT_EQ(memory_refusal(all), "");
    }
    EXPECT_EQ(memory_refusal(all), "");
}

TEST_F(Memory, ThreadsCannotReserveMoreThanThereIsBetweenThem) {
    uint64_t piece = machine_memory() / 3 + 1;  // two fit, three do not
    for (int round = 0; round < 200; round++) {
        std::atomic<int> held = 0;
        std::atomic<int> most = 0;
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; i++) {
            threads.emplace_back([&] {
                for (int turn = 0; turn < 20; turn++) {
                    try {
                        MemoryReservation mine(piece, "a piece");
                        int now = ++held;
                        int seen = most;
                        while (now > seen && !most.compare_exchange_weak(seen, now)) {
                        }
                        --held;
                    } catch (const OutOfMemory&) {
                    }
                }
            });
        }
        for (std::thread& thread : threads) thread.join();
        ASSERT_LE(most, 2);
    }
    EXPECT_EQ(memory_refusal(machine_memory()), "");
}

// ---- beside other programs -------------------------------------------------------------------------------

TEST(FreeMemory, WhatOthersHaveIsNotGranted) {
    MemoryReading now{24 * gibibyte, 3 * gibibyte, 0};
    PretendedMemory machine([&] { return now; });
    EXPECT_EQ(memory_refusal(3 * gibibyte), "");
    std::string message = memory_refusal(4 * gibibyte);
    EXPECT_TRUE(
        has(message, "a test needs 4.0 GiB of memory; this machine has 24.0 GiB, of which 3.0 GiB are free"))
        << message;
    EXPECT_THROW(MemoryReservation(4 * gibibyte, "a field"), OutOfMemory);
    now.available = 5 * gibibyte;
    EXPECT_EQ(memory_refusal(4 * gibibyte), "");
}

// What is reserved is missing from what is free only when it has been written to.
TEST(FreeMemory, ReservationsCountOnce) {
    MemoryReading now{24 * gibibyte, 6 * gibibyte, 0};
    PretendedMemory machine([&] { return now; });
    MemoryReservation field(4 * gibibyte, "a field");
    EXPECT_EQ(memory_refusal(2 * gibibyte), "");
    EXPECT_NE(memory_refusal(3 * gibibyte), "");
    now = {24 * gibibyte, 2 * gibibyte, 4 * gibibyte};
    EXPECT_EQ(memory_refusal(2 * gibibyte), "");
    EXPECT_NE(memory_refusal(3 * gibibyte), "");
    // Given back, and kept by the process for the next one.
    field = MemoryReservation();
    EXPECT_EQ(memory_refusal(6 * gibibyte), "");
}

// ---- what the system says --------------------------------------------------------------------------------

namespace fs = std::filesystem;

// The files of a machine with 16 GiB, 2 GiB of them free, and 1 GiB on the disk.
class System {
  public:
    System() {
        put("proc/meminfo",
            "MemTotal:       16777216 kB\nMemFree:         524288 kB\nMemAvailable:    2097152 kB\n"
            "SwapTotal:       2097152 kB\nSwapFree:        1048576 kB\n");
        put("proc/self/statm", "100000 3000 1000 10 0 20000 0\n");
    }
    void put(const std::string& name, const std::string& text) {
        fs::path path = folder_ / name;
        fs::create_directories(path.parent_path());
        test::write_text(path.string(), text);
    }
    void put_group(const std::string& folder, uint64_t limit, uint64_t usage, uint64_t files) {
        put("sys/fs/cgroup/" + folder + "/memory.max", std::to_string(limit) + "\n");
        put("sys/fs/cgroup/" + folder + "/memory.current", std::to_string(usage) + "\n");
        put("sys/fs/cgroup/" + folder + "/memory.stat",
            "anon 5\ninactive_file " + std::to_string(files) + "\nactive_file 7\n");
    }
    MemoryReading read() const { return read_memory(folder_.path()); }

  private:
    test::Folder folder_;
};

TEST(MemoryReadings, AreThoseOfTheMachine) {
    System system;
    MemoryReading reading = system.read();
    EXPECT_EQ(reading.total, 16 * gibibyte);
    EXPECT_EQ(reading.available, 3 * gibibyte);
    EXPECT_EQ(reading.own, 2000 * uint64_t(sysconf(_SC_PAGE_SIZE)));
}

TEST(MemoryReadings, EveryControlGroupUpToTheRootHasItsLimit) {
    System system;
    system.put("proc/self/cgroup", "0::/users/anna/session\n");
    system.put("sys/fs/cgroup/users/anna/session/memory.max", "max\n");
    system.put_group("users/anna", 4 * gibibyte, 3 * gibibyte, gibibyte / 2);
    system.put_group("users", 8 * gibibyte, 7 * gibibyte, 0);
    MemoryReading reading = system.read();
    EXPECT_EQ(reading.total, 4 * gibibyte);
    EXPECT_EQ(reading.available, gibibyte) << "the outer group is shared";
    system.put_group("users/anna", 4 * gibibyte, 7 * gibibyte, gibibyte / 2);
    EXPECT_EQ(system.read().available, 0u) << "more than it may have";
}

TEST(MemoryReadings, OlderControlGroupsAreUnderstood) {
    System system;
    system.put("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/box\n0::/\n");
    system.put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    system.put("sys/fs/cgroup/memory/box/memory.limit_in_bytes", std::to_string(2 * gibibyte) + "\n");
    system.put("sys/fs/cgroup/memory/box/memory.usage_in_bytes", std::to_string(gibibyte) + "\n");
    system.put("sys/fs/cgroup/memory/box/memory.stat",
               "inactive_file 1\ntotal_inactive_file " + std::to_string(gibibyte / 4) + "\n");
    MemoryReading reading = system.read();
    EXPECT_EQ(reading.total, 2 * gibibyte);
    EXPECT_EQ(reading.available, gibibyte + gibibyte / 4);
}

}  // namespace
}  // namespace caprock

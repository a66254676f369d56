#include "base/memory.h"

#include "base/error.h"
#include "base/text.h"

#include <atomic>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace caprock {
namespace {

std::string refusal(uint64_t bytes) {
    try {
        require_memory(bytes, "a test");
    } catch (const OutOfMemory& error) {
        return error.what();
    }
    return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Memory, MachineHasSomeAndSaysTheSameTwice) {
    EXPECT_GT(machine_memory(), uint64_t(64) << 20);
    EXPECT_EQ(machine_memory(), machine_memory());
}

TEST(Memory, GrantsWhatThereIs) {
    EXPECT_NO_THROW(require_memory(0, "nothing"));
    EXPECT_NO_THROW(require_memory(machine_memory(), "everything"));
}

TEST(Memory, RefusalNamesWhoAsksAndBothFigures) {
    std::string message = refusal(machine_memory() * 3);
    EXPECT_TRUE(has(message, "a test needs ")) << message;
    EXPECT_TRUE(has(message, bytes_text(machine_memory() * 3))) << message;
    EXPECT_TRUE(has(message, "this machine has " + bytes_text(machine_memory()))) << message;
    EXPECT_FALSE(has(message, "in use")) << message;
}

TEST(Memory, RefusesSumsThatWouldWrapAround) {
    MemoryReservation some(4096, "some");
    EXPECT_NE(refusal(UINT64_MAX), "");
    EXPECT_NE(refusal(UINT64_MAX - 4095), "");
}

TEST(Memory, CountsWhatIsReserved) {
    uint64_t half = machine_memory() / 2;
    MemoryReservation first(half, "the first half");
    std::string message = refusal(machine_memory() - half + 1);
    EXPECT_TRUE(has(message, bytes_text(half) + " of them in use")) << message;
    EXPECT_EQ(refusal(machine_memory() - half), "");
    EXPECT_THROW(MemoryReservation(machine_memory(), "all of it again"), OutOfMemory);
    // The one that failed holds nothing.
    EXPECT_EQ(refusal(machine_memory() - half), "");
}

TEST(Memory, ReservationsAreGivenBack) {
    { MemoryReservation all(machine_memory(), "all"); }
    EXPECT_EQ(refusal(machine_memory()), "");
}

TEST(Memory, ReservationsMoveWithoutBeingCountedTwice) {
    uint64_t all = machine_memory();
    {
        MemoryReservation first(all, "all");
        MemoryReservation second(std::move(first));
        EXPECT_NE(refusal(1), "");
        first = std::move(second);
        EXPECT_NE(refusal(1), "");
        MemoryReservation& itself = first;
        first = std::move(itself);
        EXPECT_NE(refusal(1), "");
        // Assigning gives back what was held before.
        first = MemoryReservation();
        EXPECT_EQ(refusal(all), "");
    }
    EXPECT_EQ(refusal(all), "");
}

TEST(Memory, ThreadsCannotReserveMoreThanThereIsBetweenThem) {
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
    EXPECT_EQ(refusal(machine_memory()), "");
}

}  // namespace
}  // namespace caprock

#include "compute/cpu_device.h"

#include "compute/devices.h"
#include "support/planes.h"
#include "test_kernels.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <tbb/task_arena.h>
#include <thread>

namespace caprock::test {
namespace {

TEST(CpuDevice, ThreadsDoNotChangeABit) {
    Rect rect = {-3, 5, 1021, 517};
    const Plane field = made_plane(rect, [](int x, int y) { return float(x) * 0.37f - float(y) * 1.11f; });
    Plane one(rect), many(rect);
    make_cpu_device(CpuLevel::portable, 1)->launch(kernel::test_exp2, rect, {.x = field, .y = one});
    make_cpu_device(CpuLevel::portable, 7)->launch(kernel::test_exp2, rect, {.x = field, .y = many});
    EXPECT_EQ(differing_cells(one, many), 0);
}

TEST(CpuDevice, WorkOnTheHostHasItsThreads) {
    for (int threads : {1, 2, 7}) {
        int seen = 0;
        make_cpu_device(CpuLevel::portable, threads)->on_host([&] {
            seen = tbb::this_task_arena::max_concurrency();
        });
        EXPECT_EQ(seen, threads);
    }
    EXPECT_THROW(make_cpu_device(CpuLevel::portable, 2)->on_host([] { throw Cancelled(); }), Cancelled);
}

TEST(CpuDevice, ProgressRisesToOne) {
    Rect rect = {0, 0, 2000, 1000};
    Plane result(rect);
    std::atomic<double> highest = 0;
    std::atomic<int> calls = 0;
    Progress progress([&](double share) {
        EXPECT_GE(share, 0.0);
        EXPECT_LE(share, 1.0);
        double seen = highest;
        while (share > seen && !highest.compare_exchange_weak(seen, share)) {
        }
        calls++;
    });
    progress.expect(rect.cells());
    make_cpu_device(CpuLevel::portable, 2)
        ->launch(kernel::test_slow, rect, {.result = result, .rounds = 50}, 0, &progress);
    EXPECT_EQ(highest, 1.0);
    EXPECT_GT(calls, 4);
}

TEST(CpuDevice, ARunningLaunchIsCancelled) {
    Rect rect = {0, 0, 4096, 4096};
    Plane result(rect);
    Progress progress;
    std::thread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        progress.cancel();
    });
    const int a_minute_of_work = 20000;
    std::shared_ptr<Device> device = make_cpu_device(supported_cpu_levels().back(), 2);
    EXPECT_THROW(
        device->launch(kernel::test_slow, rect, {.result = result, .rounds = a_minute_of_work}, 0, &progress),
        Cancelled);
    canceller.join();
}

TEST(CpuDevice, TheLevelCanBeChosenByTheEnvironment) {
    unsetenv("CAPROCK_CPU");
    EXPECT_EQ(chosen_cpu_level(), supported_cpu_levels().back());
    setenv("CAPROCK_CPU", "portable", 1);
    EXPECT_EQ(chosen_cpu_level(), CpuLevel::portable);
    setenv("CAPROCK_CPU", "v9", 1);
    try {
        chosen_cpu_level();
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("portable"), std::string::npos) << error.what();
    }
    unsetenv("CAPROCK_CPU");
}

TEST(Devices, AreChosenByWord) {
    EXPECT_TRUE(choose_device("cpu", 1, 1)->is_cpu());
    EXPECT_TRUE(choose_device("auto", 0, 100)->is_cpu()) << "small work stays here";
    EXPECT_FALSE(choose_device("opencl", 0, 1)->is_cpu());
    std::vector<DeviceDescription> all = list_devices();
    ASSERT_GE(all.size(), 2u);
    EXPECT_EQ(choose_device(all[1].name.substr(0, 6), 0, 1)->name(), all[1].name);
    EXPECT_THROW(choose_device("abacus", 0, 1), Error);
}

}  // namespace
}  // namespace caprock::test

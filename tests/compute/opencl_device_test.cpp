// What an OpenCL device does with memory, and what happens when it fails. The results are compared everywhere
// else.
#include "compute/opencl/opencl_device.h"

#include "support/devices.h"
#include "support/planes.h"
#include "test_kernels.h"

#include <bit>
#include <gtest/gtest.h>
#include <thread>

namespace caprock::test {
namespace {

std::shared_ptr<Device> device_with(std::optional<uint64_t> memory = {}) {
    return open_opencl_device(0, {memory});
}

TEST(OpenCl, FieldsStayOnTheDeviceBetweenLaunches) {
    std::shared_ptr<Device> device = device_with();
    Rect rect = {0, 0, 300, 200};
    Plane field = made_plane(rect, waves);
    for (int i = 0; i < 10; i++) device->launch(kernel::test_inout, rect, {.field = field, .factor = 2.0f});
    OpenClTraffic traffic = opencl_traffic(*device);
    EXPECT_EQ(traffic.uploads, 1);
    EXPECT_EQ(traffic.downloads, 0);
    EXPECT_EQ(cell(field, 7, 5), waves(7, 5) * 1024);
    EXPECT_EQ(cell(field, 8, 5), waves(8, 5) * 1024) << "the second look costs nothing";
    EXPECT_EQ(opencl_traffic(*device).downloads, 1);
}

TEST(OpenCl, WhatTheHostWritesIsSentAgain) {
    std::shared_ptr<Device> device = device_with();
    Rect rect = {0, 0, 30, 20};
    Plane field = made_plane(rect, waves);
    device->launch(kernel::test_inout, rect, {.field = field, .factor = 2.0f});
    field.buffer->write()[0] = 100;
    device->launch(kernel::test_inout, rect, {.field = field, .factor = 2.0f});
    EXPECT_EQ(cell(field, 0, 0), 200);
    EXPECT_EQ(cell(field, 1, 0), waves(1, 0) * 4);
}

TEST(OpenCl, TwoDevicesHandFieldsToEachOther) {
    std::shared_ptr<Device> one = device_with();
    std::shared_ptr<Device> other = device_with();
    std::shared_ptr<Device> cpu = make_cpu_device(CpuLevel::portable);
    Rect rect = {0, 0, 30, 20};
    Plane field = made_plane(rect, waves);
    for (Device* device : {one.get(), other.get(), cpu.get(), one.get()})
        device->launch(kernel::test_inout, rect, {.field = field, .factor = 2.0f});
    EXPECT_EQ(cell(field, 3, 3), waves(3, 3) * 16);
}

TEST(OpenCl, AFieldOutlivesItsDevice) {
    Rect rect = {0, 0, 30, 20};
    Plane field = made_plane(rect, waves);
    {
        std::shared_ptr<Device> device = device_with();
        device->launch(kernel::test_inout, rect, {.field = field, .factor = 2.0f});
    }
    EXPECT_EQ(cell(field, 3, 3), waves(3, 3) * 2);
}

TEST(OpenCl, FieldsAtRestMakeRoom) {
    Rect rect = {0, 0, 256, 256};  // 256 KiB each
    std::shared_ptr<Device> device = device_with(1 << 20);
    std::vector<Plane> fields;
    for (int i = 0; i < 12; i++) fields.push_back(made_plane(rect, waves));
    for (int round = 0; round < 2; round++)
        for (Plane& field : fields)
            device->launch(kernel::test_inout, rect, {.field = field, .factor = 2.0f});
    EXPECT_LE(opencl_traffic(*device).resident_bytes, uint64_t(1) << 20);
    for (const Plane& field : fields) EXPECT_EQ(cell(field, 9, 9), waves(9, 9) * 4);
}

TEST(OpenCl, WorkLargerThanTheDeviceIsCutIntoBands) {
    Rect rect = {-7, -3, 250, 400};
    const Plane field = made_plane(rect, waves);
    const Plane fine = made_plane({-14, -6, 500, 800}, waves);
    const Plane coarse = made_plane(rect.halved(), waves);
    std::shared_ptr<Device> cpu = make_cpu_device(CpuLevel::portable);
    std::shared_ptr<Device> small = device_with(100 << 10);
    auto compare = [&](const char* what, auto&& run) {
        Plane there(rect), here(rect);
        run(*cpu, here);
        run(*small, there);
        EXPECT_EQ(differing_cells(here, there), 0) << what;
    };
    for (int d : {-9, 9}) {
        compare("around", [&](Device& device, Plane& result) {
            device.launch(kernel::test_near, rect, {.field = field, .result = result, .dx = d, .dy = -d}, 9);
        });
    }
    for (int d : {-2, 2}) {
        compare("finer", [&](Device& device, Plane& result) {
            device.launch(kernel::test_fine, rect, {.field = fine, .result = result, .dx = d, .dy = d}, 2);
        });
    }
    for (int d : {-1, 1}) {
        compare("coarser", [&](Device& device, Plane& result) {
            device.launch(kernel::test_coarse, rect,
                          {.field = coarse, .result = result, .beside = 1, .dy = d}, 1);
        });
    }
    compare("part of an output", [&](Device& device, Plane& result) {
        device.launch(kernel::test_near, rect, {.field = field, .result = result, .dx = 0, .dy = 0}, 1);
        device.launch(kernel::test_inout, Rect{10, 20, 200, 333}, {.field = result, .factor = 3.0f});
    });
    EXPECT_GT(opencl_traffic(*small).bands, 20);
    kernel::TestFoldsFolds there = small->fold(kernel::test_folds, rect, {.field = field});
    kernel::TestFoldsFolds here = cpu->fold(kernel::test_folds, rect, {.field = field});
    EXPECT_EQ(there.low, here.low);
    EXPECT_EQ(there.high, here.high);
    EXPECT_EQ(there.known, here.known);
}

TEST(OpenCl, EveryPartOfAFoldIsWritten) {
    // Heights that do not divide into the groups of rows; memory is poisoned by a fold over other values
    // first.
    std::shared_ptr<Device> device = device_with();
    for (int height : {1, 2, 5, 7, 33, 70, 131}) {
        for (float value : {-1e9f, 5.0f}) {
            const Plane field = made_plane({0, 0, 16000, height}, [&](int, int) { return value; });
            kernel::TestFoldsFolds folded = device->fold(kernel::test_folds, field.rect, {.field = field});
            ASSERT_EQ(folded.low, value) << height;
            ASSERT_EQ(folded.high, value) << height;
            ASSERT_EQ(folded.known, uint64_t(field.rect.cells())) << height;
        }
    }
}

TEST(OpenCl, TablesAreReadAsTheyWereAtTheLaunch) {
    // Many more launches than the host waits for, each with a table that is gone before it runs.
    std::shared_ptr<Device> device = device_with();
    Rect rect = {0, 0, 64, 64};
    const Plane index = made_plane(rect, [](int x, int) { return float(x % 4); });
    std::vector<Plane> results(700, Plane());
    for (size_t i = 0; i < results.size(); i++) {
        results[i] = Plane(rect);
        std::vector<float> table = {float(i), float(i) + 0.25f, float(i) + 0.5f, float(i) + 0.75f};
        device->launch(kernel::test_lookup, rect, {.index = index, .result = results[i], .entries = table});
        table.assign(table.size(), -1);
    }
    device->finish();
    for (size_t i = 0; i < results.size(); i++)
        for (int x = 0; x < 4; x++) ASSERT_EQ(cell(results[i], x, 9), float(i) + float(x) * 0.25f) << i;
    EXPECT_EQ(opencl_traffic(*device).launches, 700);
}

TEST(OpenCl, ALaunchKeepsItsFieldsWhileRoomIsMadeForItsTables) {
    // Two fields that are all the device has room for, and a table or sums besides.
    Rect rect = {0, 0, 256, 256};
    std::shared_ptr<Device> device = device_with(2 * 256 * 256 * sizeof(float));
    std::vector<float> table(10000);
    for (size_t i = 0; i < table.size(); i++) table[i] = float(i) * 3;
    const Plane index = made_plane(rect, [](int x, int y) { return float((x * 7 + y * 31) % 10000); });
    Plane result(rect);
    device->launch(kernel::test_lookup, rect, {.index = index, .result = result, .entries = table});
    for (int at : {0, 77, 255}) EXPECT_EQ(cell(result, at, 200), float((at * 7 + 200 * 31) % 10000) * 3);
    const Plane ones = made_plane(rect, [](int, int) { return std::bit_cast<float>(uint32_t(1)); });
    Plane sum(rect);
    device->launch(kernel::test_sum_down, rect, {.field = ones, .sum = sum});
    for (int y : {0, 100, 255}) EXPECT_EQ(bits_of(cell(sum, 33, y)), uint32_t(y + 1));
    EXPECT_EQ(opencl_traffic(*device).bands, 0);
}

TEST(OpenCl, KernelsAreTimedWhenSomebodyAsks) {
    std::shared_ptr<Device> device = device_with();
    Rect rect = {0, 0, 300, 200};
    Plane field = made_plane(rect, waves);
    auto launch_some = [&] {
        for (int i = 0; i < 40; i++)
            device->launch(kernel::test_inout, rect, {.field = field, .factor = 1.0f});
        device->finish();
        return device->kernel_seconds();
    };
    EXPECT_EQ(launch_some(), 0);
    device->time_kernels(true);
    double timed = launch_some();
    EXPECT_GT(timed, 0);
    device->time_kernels(false);
    EXPECT_EQ(launch_some(), timed);
    EXPECT_EQ(cell(field, 7, 5), waves(7, 5));
}

TEST(OpenCl, WorkThatCannotBeCutIsRefused) {
    Rect rect = {0, 0, 250, 400};
    const Plane field = made_plane(rect, waves);
    Plane result(rect);
    std::shared_ptr<Device> small = device_with(100 << 10);
    EXPECT_THROW(
        small->launch(kernel::test_gather, rect, {.field = field, .x = field, .y = field, .result = result}),
        DeviceError);
    std::shared_ptr<Device> tiny = device_with(1 << 10);
    EXPECT_THROW(
        tiny->launch(kernel::test_near, rect, {.field = field, .result = result, .dx = 1, .dy = 1}, 1),
        DeviceError)
        << "not even one row fits";
}

TEST(OpenCl, AKernelThatDoesNotCompileIsADeviceErrorWithTheCompilersWords) {
    Rect rect = {0, 0, 8, 8};
    Plane result(rect);
    std::shared_ptr<Device> device = device_with();
    try {
        device->launch(kernel::test_broken, rect, {.result = result});
        FAIL();
    } catch (const DeviceError& error) {
        EXPECT_NE(std::string(error.what()).find("rejects this kernel"), std::string::npos) << error.what();
    }
    // The device is none the worse for it.
    Plane field = made_plane(rect, waves);
    device->launch(kernel::test_inout, rect, {.field = field, .factor = 2.0f});
    EXPECT_EQ(cell(field, 1, 1), waves(1, 1) * 2);
}

TEST(OpenCl, OutOfMemoryLosesNothing) {
    Rect rect = {0, 0, 64, 64};
    std::shared_ptr<Device> device = device_with();
    Plane field = made_plane(rect, waves);
    device->launch(kernel::test_inout, rect, {.field = field, .factor = 2.0f});
    inject_fault(*device, Fault::out_of_memory, 0);
    EXPECT_THROW(device->launch(kernel::test_inout, rect, {.field = field, .factor = 2.0f}), DeviceError);
    EXPECT_EQ(cell(field, 5, 5), waves(5, 5) * 2) << "what the device held can still be read";
}

TEST(OpenCl, ALostDeviceIsToldToWhoeverNeedsWhatItHeld) {
    Rect rect = {0, 0, 64, 64};
    std::shared_ptr<Device> device = device_with();
    Plane only_there = made_plane(rect, waves);
    Plane copied = made_plane(rect, waves);
    device->launch(kernel::test_inout, rect, {.field = only_there, .factor = 2.0f});
    device->launch(kernel::test_inout, rect, {.field = copied, .factor = 2.0f});
    copied.buffer->read();
    inject_fault(*device, Fault::lost, 0);
    EXPECT_THROW(device->launch(kernel::test_inout, rect, {.field = only_there, .factor = 2.0f}), DeviceLost);
    EXPECT_THROW(only_there.buffer->read(), DeviceLost);
    EXPECT_EQ(cell(copied, 5, 5), waves(5, 5) * 2);
    EXPECT_THROW(device->launch(kernel::test_inout, rect, {.field = copied, .factor = 2.0f}), DeviceLost)
        << "it stays lost";
}

TEST(OpenCl, ProgressAndCancelReachALaunch) {
    Rect rect = {0, 0, 512, 512};
    Plane result(rect);
    std::shared_ptr<Device> device = device_with();
    double last = 0;
    Progress progress([&](double share) { last = share; });
    progress.expect(rect.cells());
    device->launch(kernel::test_slow, rect, {.result = result, .rounds = 3}, 0, &progress);
    device->finish();
    EXPECT_EQ(last, 1.0);
    progress.cancel();
    EXPECT_THROW(device->launch(kernel::test_slow, rect, {.result = result, .rounds = 3}, 0, &progress),
                 Cancelled);
}

TEST(OpenCl, ThreadsMayShareADevice) {
    std::shared_ptr<Device> device = device_with(1 << 20);
    Rect rect = {0, 0, 200, 200};
    std::vector<std::thread> workers;
    for (int i = 0; i < 4; i++) {
        workers.emplace_back([&, i] {
            for (int round = 0; round < 10; round++) {
                Plane field = made_plane(rect, waves);
                device->launch(kernel::test_inout, rect, {.field = field, .factor = float(i + 1)});
                EXPECT_EQ(cell(field, 11, 7), waves(11, 7) * float(i + 1));
            }
        });
    }
    for (std::thread& worker : workers) worker.join();
}

}  // namespace
}  // namespace caprock::test

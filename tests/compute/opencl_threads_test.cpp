// Threads that share an OpenCL device: none waits for what it does not need, and whoever is told of progress may do what he
// likes.
#include "base/error.h"
#include "compute/devices.h"
#include "compute/opencl/opencl_device.h"
#include "compute/user_kernel.h"
#include "soak/length.h"
#include "support/devices.h"
#include "support/planes.h"
#include "test_kernels.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <future>
#include <gtest/gtest.h>
#include <random>
#include <thread>
#include <vector>

namespace caprock::test {
namespace {

using Clock = std::chrono::steady_clock;

// Whether another thread comes to the end of it, as long as this one waits. One that does not is waited for later.
class Elsewhere {
  public:
    ~Elsewhere() {
        for (std::thread& thread : threads_) thread.join();
    }
    bool done(std::function<void()> action) {
        std::packaged_task<void()> task(std::move(action));
        std::future<void> end = task.get_future();
        threads_.emplace_back(std::move(task));
        return end.wait_for(std::chrono::seconds(30)) == std::future_status::ready;
    }

  private:
    std::vector<std::thread> threads_;
};

void listen_and_touch(const OpenClOptions& options) {
    Rect rect = {0, 0, 300, 200};
    std::shared_ptr<Device> device = open_opencl_device(0, options);
    Rect small = {0, 0, 40, 30};
    const Plane on_host = made_plane(small, waves);
    Plane on_device = made_plane(small, waves);
    device->launch(kernel::test_inout, small, {.field = on_device, .factor = 2.0f});
    auto given_up = std::make_unique<Plane>(made_plane(small, waves));
    device->launch(kernel::test_inout, small, {.field = *given_up, .factor = 2.0f});
    const Plane read_by_all = made_plane(rect, waves);
    Plane result(rect);
    int calls = 0;
    Elsewhere elsewhere;
    Progress progress([&](double) {
        if (calls++ > 0) return;
        EXPECT_TRUE(elsewhere.done([&] { EXPECT_EQ(cell(on_host, 7, 5), waves(7, 5)); }));
        EXPECT_TRUE(elsewhere.done([&] { EXPECT_EQ(cell(on_device, 7, 5), waves(7, 5) * 2); }));
        EXPECT_TRUE(elsewhere.done([&] { EXPECT_EQ(cell(read_by_all, 7, 5), waves(7, 5)); }));
        EXPECT_TRUE(elsewhere.done([&] { given_up.reset(); }));
        EXPECT_TRUE(elsewhere.done([&] {
            Plane made(small);
            device->launch(kernel::test_near, small, {.field = read_by_all, .result = made, .dx = 1, .dy = 0},
                           1);
            device->finish();
            EXPECT_EQ(cell(made, 7, 5), waves(8, 5));
        }));
    });
    progress.expect(rect.cells());
    device->launch(kernel::test_near, rect, {.field = read_by_all, .result = result, .dx = 0, .dy = 1}, 1,
                   &progress);
    EXPECT_GT(calls, 0);
    EXPECT_EQ(cell(result, 7, 5), waves(7, 6));
    EXPECT_EQ(cell(result, rect.right - 1, rect.bottom - 2), waves(rect.right - 1, rect.bottom - 1));
}

TEST(OpenClThreads, AListenerMayWaitForThoseWhoTouchFields) { listen_and_touch({}); }

TEST(OpenClThreads, AListenerMayDoSoBetweenPartsOfALaunch) {
    listen_and_touch({.memory_limit = {}, .cells_per_part = 10000});
}

TEST(OpenClThreads, AListenerMayDoSoBetweenBands) { listen_and_touch({.memory_limit = 200 << 10}); }

// How long the longest look at a field took while something else went on, as a share of that.
double longest_look(const Plane& field, const std::function<void()>& meanwhile) {
    std::atomic<bool> begun = false, over = false;
    double all = 0;
    auto since = [](Clock::time_point start) {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    std::thread other([&] {
        begun = true;
        Clock::time_point start = Clock::now();
        meanwhile();
        all = since(start);
        over = true;
    });
    while (!begun) std::this_thread::yield();
    double longest = 0;
    while (!over) {
        Clock::time_point start = Clock::now();
        field.buffer->read();
        longest = std::max(longest, since(start));
        std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
    other.join();
    return longest / all;
}

// One lock for all would make the share 1, every time. On a busy machine it may come out large now and then without.
void expect_no_wait(const std::function<double()>& share) {
    double least = 1;
    for (int attempt = 0; attempt < 10 && least > 0.5; attempt++) least = std::min(least, share());
    EXPECT_LT(least, 0.5);
}

TEST(OpenClThreads, FieldsOnTheHostAreReadWhileADeviceFinishes) {
    std::shared_ptr<Device> device = open_opencl_device(0);
    Rect rect = {0, 0, 256, 256};
    Plane result(rect);
    const Plane field = made_plane(rect, waves);
    Plane copy(rect);
    device->launch(kernel::test_near, rect, {.field = field, .result = copy, .dx = 0, .dy = 0});
    expect_no_wait([&] {
        device->launch(kernel::test_slow, rect, {.result = result, .rounds = 2000});
        return longest_look(field, [&] { device->finish(); });
    });
}

TEST(OpenClThreads, FieldsOnTheHostAreReadWhileADeviceCompiles) {
    std::shared_ptr<Device> device = open_opencl_device(0);
    Rect rect = {0, 0, 64, 64};
    const Plane field = made_plane(rect, waves);
    std::random_device random;
    expect_no_wait([&] {
        // A text that nobody has compiled yet.
        std::string text = "KERNEL(fresh, INOUT(height))\n{ STORE(height, LOAD(height) + ";
        text += std::to_string(random()) + ".0f); }\n";
        const UserKernel& kernel = user_kernel(scan_kernel(text, "fresh.kernel"), {});
        return longest_look(field, [&] { device->prepare(kernel.kernel()); });
    });
}

// ---- many threads ----------------------------------------------------------------------------------------

Rect small_rect = {0, 0, 64, 48};
Rect large_rect = {0, 0, 300, 200};  // with its result more than the devices have

struct Shared {
    std::vector<Plane> fields;
    std::vector<Plane> copies;  // which no device sees
    Plane large, large_copy;
    Shared() {
        for (int i = 0; i < 5; i++) {
            auto value = [i](int x, int y) { return waves(x, y) + float(i); };
            fields.push_back(made_plane(small_rect, value));
            copies.push_back(made_plane(small_rect, value));
        }
        large = made_plane(large_rect, waves);
        large_copy = made_plane(large_rect, waves);
    }
};

// Steps of one thread. Each begins and ends with what it knows its own field to hold: waves, times `factor`.
class Worker {
  public:
    Worker(const std::vector<std::shared_ptr<Device>>& devices, const Shared& shared, unsigned seed)
        : devices_(devices), shared_(shared), random_(seed) {}

    int64_t wrong = 0;

    void step() {
        Device& device = *devices_[random_() % devices_.size()];
        const Plane& field = shared_.fields[index_ = random_() % shared_.fields.size()];
        progress_.expect(small_rect.cells());
        switch (random_() % 8) {
            case 0:  // changes its own
                device.launch(kernel::test_inout, small_rect, {.field = own_, .factor = 2.0f}, 0, &progress_);
                factor_ *= 2;
                break;
            case 1:  // makes one of what all see
                compare_near(device, field);
                break;
            case 2:
                wrong += differing_cells(field, shared_.copies[index_]);
                break;
            case 3:
                check_own();
                break;
            case 4:  // begins anew, while the device has the old one
                renew();
                break;
            case 5: {  // writes a shared one, which is then its own
                Plane parted = field;
                device.launch(kernel::test_inout, small_rect, {.field = parted, .factor = 1.0f});
                wrong += differing_cells(parted, shared_.copies[index_]);
                break;
            }
            case 6: {
                kernel::TestFoldsFolds folds =
                    device.fold(kernel::test_folds, small_rect, {.field = field}, &progress_);
                wrong += folds.known != uint64_t(small_rect.cells()) || folds.low != float(index_);
                break;
            }
            default:
                if (random_() % 4 == 0) compare_large(device);
        }
    }
    void renew() {
        own_ = made_plane(small_rect, waves);
        factor_ = 1;
    }
    void check_own() {
        Plane expected =
            made_plane(small_rect, [&](int x, int y) { return float(double(waves(x, y)) * factor_); });
        wrong += differing_cells(own_, expected);
        if (factor_ > 1e20) renew();
    }

  private:
    void compare_near(Device& device, const Plane& field) {
        Plane made(small_rect);
        device.launch(kernel::test_near, small_rect, {.field = field, .result = made, .dx = 0, .dy = 0}, 0,
                      &progress_);
        wrong += differing_cells(made, shared_.copies[index_]);
    }
    void compare_large(Device& device) {
        Plane made(large_rect);
        device.launch(kernel::test_near, large_rect,
                      {.field = shared_.large, .result = made, .dx = 0, .dy = 0}, 0, &progress_);
        wrong += differing_cells(made, shared_.large_copy);
    }

    const std::vector<std::shared_ptr<Device>>& devices_;
    const Shared& shared_;
    std::mt19937 random_;
    size_t index_ = 0;
    Plane own_ = made_plane(small_rect, waves);
    double factor_ = 1;
    // Whoever listens looks at a field that others have on devices.
    Progress progress_{[this](double) {
        for (const Plane& field : shared_.fields) field.buffer->read();
        std::this_thread::yield();
    }};
};

// Nine small fields fit, and there are more. A launch on one of them has four parts.
const OpenClOptions small_device = {.memory_limit = 110 << 10, .cells_per_part = 1000};

TEST(OpenClThreads, ShareDevicesThatAreTooSmall) {
    std::vector<std::shared_ptr<Device>> devices = {open_opencl_device(0, small_device),
                                                    open_opencl_device(0, small_device)};
    Shared shared;
    std::atomic<int64_t> wrong = 0;
    std::vector<std::thread> threads;
    for (unsigned seed = 1; seed <= 4; seed++)
        threads.emplace_back([&, seed] {
            Worker worker(devices, shared, seed);
            for (int step = 0; step < 3000; step++) worker.step();
            worker.check_own();
            wrong += worker.wrong;
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
    for (const std::shared_ptr<Device>& device : devices) {
        device->finish();
        EXPECT_GT(opencl_traffic(*device).downloads, 0);
        EXPECT_GT(opencl_traffic(*device).bands, 0);
    }
    shared = {};
    for (const std::shared_ptr<Device>& device : devices)
        EXPECT_EQ(opencl_traffic(*device).resident_bytes, 0u) << "nobody has a field any more";
}

TEST(OpenClThreads, LoseTheirDeviceAndNothingElse) {
    for (int lost_at : {5, 60, 150}) {
        std::vector<std::shared_ptr<Device>> devices = {open_opencl_device(0, small_device)};
        Shared shared;
        std::atomic<int64_t> wrong = 0;
        std::atomic<int> told = 0;
        inject_fault(*devices[0], Fault::lost, lost_at);
        std::vector<std::thread> threads;
        for (unsigned seed = 1; seed <= 4; seed++)
            threads.emplace_back([&, seed] {
                Worker worker(devices, shared, seed);
                try {
                    for (int step = 0; step < 2000; step++) worker.step();
                } catch (const DeviceLost&) {
                    told++;
                }
                wrong += worker.wrong;
            });
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(told, 4);
        for (size_t i = 0; i < shared.fields.size(); i++)
            wrong += differing_cells(shared.fields[i], shared.copies[i]);
        wrong += differing_cells(shared.large, shared.large_copy);
        EXPECT_EQ(wrong, 0) << "what the host has is what it was";
    }
}

// Whether several threads that ask at the same moment find the same number of devices.
bool found_alike() {
    std::barrier all(4);
    std::vector<size_t> found(4);
    {
        std::vector<std::jthread> threads;
        for (size_t& count : found)
            threads.emplace_back([&] {
                all.arrive_and_wait();
                count = list_devices().size();
            });
    }
    return std::ranges::count(found, found[0]) == 4;
}

// Drivers make their devices ready when they are first asked for them, which not all of them do in several threads at once. A
// window lists devices while its threads open theirs. In a process of its own, since it happens once in each.
TEST(OpenClThreads, DevicesAreFoundBySeveralAtOnce) {
    if (sanitized)
        GTEST_SKIP()
            << "AddressSanitizer gives back signal stacks of threads that gtest's child process never had";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    for (int i = 0; i < 4; i++)
        EXPECT_EXIT(std::_Exit(found_alike() ? 0 : 1), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace caprock::test

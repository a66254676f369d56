// Words that go beyond one cell: tallies, running sums along rows and down columns, 64 bits, stretches of tables. On
// every device, at sizes that do not fit lanes, work-groups or strips, and in bands.
#include "support/devices.h"
#include "support/planes.h"
#include "test_kernels.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

uint32_t mixed(int x, int y, uint32_t purpose) {
    uint32_t h = uint32_t(x) * 0x9e3779b1u ^ (uint32_t(y) * 0x85ebca77u + purpose * 0xc2b2ae3du);
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    return h ^ (h >> 12);
}

float as_float(uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// The bits as they are: a NaN is a number here.
uint32_t raw(const Plane& plane, int x, int y) {
    float value = cell(plane, x, y);
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

uint64_t wide(const Plane& low, const Plane& high, int x, int y) {
    return uint64_t(raw(high, x, y)) << 32 | raw(low, x, y);
}

Plane mixed_plane(const Rect& rect, uint32_t purpose) {
    return made_plane(rect, [&](int x, int y) { return as_float(mixed(x, y, purpose)); });
}

const std::vector<Size> long_sizes = {{1, 1},   {1, 300}, {3, 2},    {17, 5},
                                      {255, 3}, {257, 4}, {1000, 7}, {4099, 60}};

// All devices, and where there is one, an OpenCL device that holds only a few rows at a time.
std::vector<NamedDevice> devices_and_a_small_one() {
    std::vector<NamedDevice> devices = all_devices();
    if (!opencl_descriptions().empty())
        devices.push_back({"opencl in bands", open_opencl_device(0, {uint64_t(1024 * 1024)})});
    return devices;
}

template <typename Check>
void for_devices_and_long_sizes(const Check& check) {
    for (const NamedDevice& named : devices_and_a_small_one())
        for (Size size : long_sizes) {
            SCOPED_TRACE(named.name + ", " + std::to_string(size.width) + "x" + std::to_string(size.height));
            check(*named.device, Rect{-5, 3, -5 + size.width, 3 + size.height});
            if (testing::Test::HasFatalFailure()) return;
        }
}

TEST(RunningSum, AlongRows) {
    for_devices_and_long_sizes([](Device& device, const Rect& rect) {
        const Plane field = mixed_plane(rect, 1);
        Plane sums(rect);
        device.launch(kernel::test_sum_along, rect, {.field = field, .sum = sums});
        for (int y = rect.top; y < rect.bottom; y++) {
            uint32_t sum = 0;
            for (int x = rect.left; x < rect.right; x++) {
                sum += raw(field, x, y);
                ASSERT_EQ(raw(sums, x, y), sum) << x << "," << y;
            }
        }
    });
}

TEST(RunningSum, AlongRowsIn64Bits) {
    for_devices_and_long_sizes([](Device& device, const Rect& rect) {
        const Plane low = mixed_plane(rect, 1);
        const Plane high = mixed_plane(rect, 2);
        Plane low_sums(rect), high_sums(rect);
        device.launch(kernel::test_wide_sum_along, rect,
                      {.low = low, .high = high, .low_sum = low_sums, .high_sum = high_sums});
        for (int y = rect.top; y < rect.bottom; y++) {
            uint64_t sum = 0;
            for (int x = rect.left; x < rect.right; x++) {
                sum += wide(low, high, x, y);
                ASSERT_EQ(wide(low_sums, high_sums, x, y), sum) << x << "," << y;
            }
        }
    });
}

TEST(RunningSum, DownColumns) {
    for_devices_and_long_sizes([](Device& device, const Rect& rect) {
        const Plane field = mixed_plane(rect, 1);
        Plane sums(rect);
        device.launch(kernel::test_sum_down, rect, {.field = field, .sum = sums});
        for (int x = rect.left; x < rect.right; x++) {
            uint32_t sum = 0;
            for (int y = rect.top; y < rect.bottom; y++) {
                sum += raw(field, x, y);
                ASSERT_EQ(raw(sums, x, y), sum) << x << "," << y;
            }
        }
    });
}

TEST(RunningSum, DownColumnsIn64BitsAndInPlace) {
    for_devices_and_long_sizes([](Device& device, const Rect& rect) {
        const Plane low = mixed_plane(rect, 1);
        const Plane high = mixed_plane(rect, 2);
        Plane low_sums = low;
        Plane high_sums = high;
        device.launch(kernel::test_wide_sum_down, rect, {.low = low_sums, .high = high_sums});
        for (int x = rect.left; x < rect.right; x++) {
            uint64_t sum = 0;
            for (int y = rect.top; y < rect.bottom; y++) {
                sum += wide(low, high, x, y);
                ASSERT_EQ(wide(low_sums, high_sums, x, y), sum) << x << "," << y;
            }
        }
    });
}

TEST(WholeNumbers, AddAndSubtractIn64Bits) {
    for_devices_and_long_sizes([](Device& device, const Rect& rect) {
        // Halves of all ones and all zeros meet often enough to carry and borrow.
        auto edge = [](uint32_t bits) { return bits % 3 == 0 ? 0u : bits % 3 == 1 ? 0xffffffffu : bits; };
        std::vector<Plane> in;
        for (uint32_t purpose = 1; purpose <= 4; purpose++)
            in.push_back(
                made_plane(rect, [&](int x, int y) { return as_float(edge(mixed(x, y, purpose))); }));
        Plane low_sum(rect), high_sum(rect), low_difference(rect), high_difference(rect);
        const Plane &a = in[0], &b = in[1], &c = in[2], &d = in[3];
        device.launch(kernel::test_wide, rect,
                      {.low = a,
                       .high = b,
                       .other_low = c,
                       .other_high = d,
                       .low_sum = low_sum,
                       .high_sum = high_sum,
                       .low_difference = low_difference,
                       .high_difference = high_difference});
        for (int y = rect.top; y < rect.bottom; y++)
            for (int x = rect.left; x < rect.right; x++) {
                uint64_t first = wide(a, b, x, y);
                uint64_t second = wide(c, d, x, y);
                ASSERT_EQ(wide(low_sum, high_sum, x, y), first + second);
                ASSERT_EQ(wide(low_difference, high_difference, x, y), first - second);
            }
    });
}

TEST(WholeNumbers, ComeFromFloatsExactly) {
    for_devices_and_long_sizes([](Device& device, const Rect& rect) {
        const Plane whole = made_plane(rect, [](int x, int y) {
            uint32_t bits = mixed(x, y, 5);
            // 24 bits of a number, shifted by up to 37 more, of either sign.
            double value = std::ldexp(double(bits >> 8), int(bits % 38));
            return float(bits & 64 ? -value : value);
        });
        Plane low(rect), high(rect), back(rect), low_value(rect);
        device.launch(kernel::test_wide_conversions, rect,
                      {.whole = whole, .low = low, .high = high, .back = back, .low_value = low_value});
        for (int y = rect.top; y < rect.bottom; y++)
            for (int x = rect.left; x < rect.right; x++) {
                float value = cell(whole, x, y);
                ASSERT_EQ(int64_t(wide(low, high, x, y)), int64_t(value)) << value;
                ASSERT_EQ(cell(back, x, y), value);
                ASSERT_NEAR(cell(low_value, x, y), double(raw(low, x, y)), 256);
            }
    });
}

TEST(Tally, CountsEveryItemOnce) {
    for (int items : {1, 15, 40, 700, 5000})
        for (int width : {1, 33, 900}) {
            for (const NamedDevice& named : devices_and_a_small_one()) {
                SCOPED_TRACE(named.name);
                Rect rect{-5, 3, -5 + width, 45};
                // What was there before is cleared.
                Plane counts = mixed_plane(rect, 3);
                Rect cells{0, rect.top, items, rect.bottom};
                named.device->launch(kernel::test_tally, cells,
                                     {.counts = counts, .left = rect.left, .width = width});
                for (int y = rect.top; y < rect.bottom; y++) {
                    std::vector<int> expected(size_t(width), 0);
                    for (int x = 0; x < items; x++) {
                        int place = int(std::floor(float(int32_t(uint32_t(x) * uint32_t(x)) + y) * 0.37f));
                        expected[size_t(std::min(place, width - 1))] += x + 1;
                    }
                    for (int x = 0; x < width; x++)
                        ASSERT_EQ(int32_t(raw(counts, x + rect.left, y)), expected[size_t(x)])
                            << x << "," << y;
                }
            }
        }
}

TEST(Tally, MustHaveTheRowsOfTheLaunch) {
    Rect rect{0, 0, 10, 10};
    Plane counts(rect);
    std::shared_ptr<Device> device = make_cpu_device(CpuLevel::portable, 1);
    EXPECT_THROW(
        device->launch(kernel::test_tally, Rect{0, 0, 10, 9}, {.counts = counts, .left = 0, .width = 10}),
        std::logic_error);
}

TEST(FirstX, TellsTheBlockOfSixtyFour) {
    for_devices_and_long_sizes([](Device& device, const Rect& rect) {
        Plane block(rect);
        device.launch(kernel::test_first_x, rect, {.block = block, .left = rect.left});
        for (int y = rect.top; y < rect.bottom; y++)
            for (int x = rect.left; x < rect.right; x++)
                ASSERT_EQ(cell(block, x, y), float((x - rect.left) / 64)) << x << "," << y;
    });
}

TEST(Stretch, GivesEachLaneItsEntry) {
    for_devices_and_long_sizes([](Device& device, const Rect& rect) {
        // Exactly as many entries as cells: one load beyond them is one too many.
        std::vector<float> floats;
        std::vector<int> ints;
        std::vector<uint32_t> uints;
        for (int i = 0; i < rect.width(); i++) {
            floats.push_back(float(i) * 0.25f);
            ints.push_back(-3 * i);
            uints.push_back(0x80000000u + uint32_t(i) * 512u);
        }
        Plane float_out(rect), int_out(rect), uint_out(rect);
        device.launch(kernel::test_stretch, rect,
                      {.floats = float_out,
                       .ints = int_out,
                       .uints = uint_out,
                       .f = floats,
                       .i = ints,
                       .u = uints,
                       .left = rect.left});
        for (int y = rect.top; y < rect.bottom; y++)
            for (int x = rect.left; x < rect.right; x++) {
                size_t i = size_t(x - rect.left);
                ASSERT_EQ(cell(float_out, x, y), floats[i]);
                ASSERT_EQ(cell(int_out, x, y), float(ints[i]));
                ASSERT_EQ(cell(uint_out, x, y), float(uints[i] >> 1));
            }
    });
}

}  // namespace
}  // namespace caprock::test

// Every word of the dialect against a plain loop, on every device and at sizes that do not fit the lanes.
#include "support/devices.h"
#include "support/planes.h"
#include "test_kernels.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

const std::vector<Size> sizes = {{1, 1}, {1, 7}, {3, 1}, {16, 2}, {17, 3}, {33, 5}, {61, 4}, {200, 3}};

float patterned(int x, int y) { return float(x * 37 % 101) + float(y) * 0.25f; }

template <typename Check>
void for_devices_and_sizes(const Check& check) {
    for (const NamedDevice& named : all_devices()) {
        SCOPED_TRACE(named.name);
        for (Size size : sizes) {
            SCOPED_TRACE(std::to_string(size.width) + "x" + std::to_string(size.height));
            check(*named.device, placed(size));
        }
    }
}

float clamped_cell(const Plane& plane, int x, int y) {
    const Rect& rect = plane.rect;
    return cell(plane, std::clamp(x, rect.left, rect.right - 1), std::clamp(y, rect.top, rect.bottom - 1));
}

TEST(Dialect, OpenClRunsHere) { EXPECT_FALSE(opencl_devices().empty()) << "the set-up installs PoCL"; }

TEST(Dialect, PositionIsAbsolute) {
    for_devices_and_sizes([](Device& device, const Rect& rect) {
        Plane x_out(rect), y_out(rect);
        device.launch(kernel::test_position, rect, {.x_out = x_out, .y_out = y_out});
        expect_cells(x_out, [](int x, int) { return float(x); });
        expect_cells(y_out, [](int, int y) { return float(y); });
    });
}

TEST(Dialect, NearLoadsRepeatTheBorder) {
    for_devices_and_sizes([](Device& device, const Rect& rect) {
        const Plane field = made_plane(rect, patterned);
        for (int dy : {-2, 0, 1})
            for (int dx : {-3, -1, 0, 2}) {
                Plane result(rect);
                device.launch(kernel::test_near, rect, {.field = field, .result = result, .dx = dx, .dy = dy},
                              3);
                expect_cells(result, [&](int x, int y) { return clamped_cell(field, x + dx, y + dy); });
            }
    });
}

// The other rule: beyond the border cells are missing.
float known_cell(const Plane& plane, int x, int y) {
    return plane.rect.contains(x, y) ? cell(plane, x, y) : NAN;
}

TEST(Dialect, KnownNearLoadsAreMissingBeyondTheBorder) {
    for_devices_and_sizes([](Device& device, const Rect& rect) {
        const Plane field = made_plane(rect, patterned);
        for (int dy : {-2, 0, 1})
            for (int dx : {-3, -1, 0, 2}) {
                Plane result(rect);
                device.launch(kernel::test_near_known, rect,
                              {.field = field, .result = result, .dx = dx, .dy = dy}, 3);
                expect_cells(result, [&](int x, int y) { return known_cell(field, x + dx, y + dy); });
            }
    });
}

TEST(Dialect, FineLoadsReadTheFinerGrid) {
    for_devices_and_sizes([](Device& device, const Rect& rect) {
        Rect fine = {2 * rect.left + 1, 2 * rect.top, 2 * rect.right - 1, 2 * rect.bottom};
        if (fine.empty()) fine.right = fine.left + 1;
        const Plane field = made_plane(fine, patterned);
        for (int dy : {-1, 2})
            for (int dx : {-2, -1, 0, 1, 2}) {
                Plane result(rect);
                device.launch(kernel::test_fine, rect, {.field = field, .result = result, .dx = dx, .dy = dy},
                              2);
                expect_cells(result, [&](int x, int y) { return known_cell(field, 2 * x + dx, 2 * y + dy); });
            }
    });
}

TEST(Dialect, CoarseLoadsReadTheCoarserGrid) {
    for_devices_and_sizes([](Device& device, const Rect& rect) {
        const Plane field = made_plane(rect.halved(), patterned);
        for (int dy : {-1, 0, 1})
            for (int beside : {0, 1}) {
                Plane result(rect);
                device.launch(kernel::test_coarse, rect,
                              {.field = field, .result = result, .beside = beside, .dy = dy}, 1);
                expect_cells(result, [&](int x, int y) {
                    int aside = beside ? ((x & 1) ? 1 : -1) : 0;
                    return known_cell(field, (x >> 1) + aside, (y >> 1) + dy);
                });
            }
    });
}

TEST(Dialect, GatherReadsAnywhere) {
    for_devices_and_sizes([](Device& device, const Rect& rect) {
        const Plane field = made_plane({-20, -10, 50, 40}, patterned);
        const Plane xs = made_plane(rect, [](int x, int y) { return float((x * 7 + y * 3) % 90 - 30); });
        const Plane ys = made_plane(rect, [](int x, int y) { return float((x * 5 - y) % 70 - 20); });
        Plane result(rect);
        device.launch(kernel::test_gather, rect, {.field = field, .x = xs, .y = ys, .result = result});
        expect_cells(result, [&](int x, int y) {
            return clamped_cell(field, int(cell(xs, x, y)), int(cell(ys, x, y)));
        });
    });
}

TEST(Dialect, LookupReadsATable) {
    std::vector<float> entries = {0.5f, -1, 3.25f, 8};
    for_devices_and_sizes([&](Device& device, const Rect& rect) {
        const Plane index = made_plane(rect, [](int x, int y) { return float(((x + y) % 4 + 4) % 4); });
        Plane result(rect);
        device.launch(kernel::test_lookup, rect, {.index = index, .result = result, .entries = entries});
        expect_cells(result, [&](int x, int y) { return entries[size_t(cell(index, x, y))]; });
    });
}

TEST(Dialect, OfEightTakesThreeBits) {
    constexpr float numbers[] = {10, 11, -12, 13, 14, 15.5f, 16, -17};
    for_devices_and_sizes([&](Device& device, const Rect& rect) {
        const Plane index = made_plane(rect, [](int x, int y) { return float((x * 5 + y * 3) % 1000); });
        Plane result(rect);
        device.launch(kernel::test_of_eight, rect, {.index = index, .result = result});
        expect_cells(result, [&](int x, int y) { return numbers[unsigned(int(cell(index, x, y))) & 7u]; });
    });
}

TEST(Dialect, InoutChangesInPlace) {
    for_devices_and_sizes([](Device& device, const Rect& rect) {
        Plane field = made_plane(rect, patterned);
        const Plane shared = field;  // a launch must not write into what somebody else holds
        device.launch(kernel::test_inout, rect, {.field = field, .factor = 3.0f});
        device.launch(kernel::test_inout, rect, {.field = field, .factor = 0.5f});
        expect_cells(field, [](int x, int y) { return patterned(x, y) * 3.0f * 0.5f; });
        expect_cells(shared, patterned);
    });
}

TEST(Dialect, OnlyTheLaunchedCellsAreWritten) {
    for (const NamedDevice& named : all_devices()) {
        SCOPED_TRACE(named.name);
        Rect rect = {0, 0, 70, 9};
        Rect part = {5, 2, 52, 7};
        Plane field = made_plane(rect, patterned);
        named.device->launch(kernel::test_inout, part, {.field = field, .factor = -1.0f});
        expect_cells(field,
                     [&](int x, int y) { return part.contains(x, y) ? -patterned(x, y) : patterned(x, y); });
    }
}

TEST(Dialect, AbsentFieldsAreSeenAsAbsent) {
    for_devices_and_sizes([](Device& device, const Rect& rect) {
        const Plane field = made_plane(rect, patterned);
        Plane result(rect), second(rect);
        device.launch(kernel::test_optional, rect,
                      {.field = field, .other = nullptr, .result = result, .second = nullptr});
        expect_cells(result, patterned);
        device.launch(kernel::test_optional, rect,
                      {.field = field, .other = field, .result = result, .second = second});
        expect_cells(second, [](int x, int y) { return -(patterned(x, y) + patterned(x, y)); });
    });
}

// What may be given for a VARYING.
struct Numbers {
    const Plane* field;
    float number;
    const Plane* cells() const { return field; }
    float everywhere() const { return number; }
};

TEST(Dialect, VaryingNumbersAreFieldsOrOneNumber) {
    for_devices_and_sizes([](Device& device, const Rect& rect) {
        const Plane field = made_plane(rect, patterned);
        for (bool one_varies : {false, true})
            for (bool other_varies : {false, true}) {
                const Numbers one{one_varies ? &field : nullptr, 3.5f};
                const Numbers other{other_varies ? &field : nullptr, -0.0f};
                Plane result(rect);
                device.launch(kernel::test_varying, rect,
                              {.here_only = one, .around = other, .result = result, .dx = -2, .dy = 1}, 2);
                expect_cells(result, [&](int x, int y) {
                    const float here = one_varies ? cell(field, x, y) : 3.5f;
                    const float there = other_varies ? cell(field, x, y) : -0.0f;
                    const float near = other_varies ? clamped_cell(field, x - 2, y + 1) : -0.0f;
                    return here * 1000.0f + there * 10.0f + near;
                });
            }
    });
}

TEST(Dialect, UniformsKeepTheirBits) {
    for_devices_and_sizes([](Device& device, const Rect& rect) {
        Plane result(rect);
        device.launch(kernel::test_uniforms, rect,
                      {.result = result, .a = -0.0f, .b = rect.left, .c = 0x80000001u});
        expect_cells(result, [&](int x, int) { return x == rect.left ? -0.0f : -1.40129846e-45f; });
    });
}

TEST(Dialect, IntegersWrapAndShift) {
    for_devices_and_sizes([](Device& device, const Rect& rect) {
        const Plane xs = made_plane(rect, [](int x, int y) { return float(x * 7919 - y * 31); });
        const Plane ys = made_plane(rect, [](int x, int y) { return float(y * 104729 + x); });
        Plane result(rect);
        device.launch(kernel::test_integers, rect, {.x = xs, .y = ys, .result = result});
        expect_cells(result, [&](int x, int y) {
            int32_t a = int32_t(cell(xs, x, y));
            int32_t b = int32_t(cell(ys, x, y));
            uint32_t mixed = (uint32_t(a) * 2654435761u) ^ (uint32_t(b) << 7) ^ (uint32_t(a - b) >> 3);
            int32_t shifted = (a >> 2) + int32_t(uint32_t(b) << 1) - (a & b) + (a | b) - (a ^ 5);
            uint32_t bits = ((mixed & 0xffffu) + uint32_t(shifted & 0xfff)) | 0x3f800000u;
            float value;
            std::memcpy(&value, &bits, sizeof value);
            return value;
        });
    });
}

TEST(Dialect, MasksFollowIeeeComparisons) {
    const float edge[] = {0.0f, -0.0f, 1.0f, -1.0f, NAN, INFINITY, -INFINITY, 1e-42f};
    for (const NamedDevice& named : all_devices()) {
        SCOPED_TRACE(named.name);
        Rect rect = {0, 0, 64, 1};
        const Plane xs = made_plane(rect, [&](int x, int) { return edge[x / 8]; });
        const Plane ys = made_plane(rect, [&](int x, int) { return edge[x % 8]; });
        Plane result(rect);
        named.device->launch(kernel::test_masks, rect, {.x = xs, .y = ys, .result = result});
        expect_cells(result, [&](int x, int) {
            float a = edge[x / 8];
            float b = edge[x % 8];
            bool less = a < b;
            bool both = a <= b && b > 0;
            bool either = a >= b || a == 0 || std::isnan(a);
            return float(less + 2 * both + 4 * either + 8 * !less + 16 * (a != b));
        });
    }
}

TEST(Dialect, FoldsDoNotDependOnTheOrder) {
    for_devices_and_sizes([](Device& device, const Rect& rect) {
        const Plane field = made_plane(rect, [](int x, int y) {
            if ((x * 13 + y * 7) % 5 == 0) return NAN;
            return float((x * 7919 + y * 104729) % 1000) - 500;
        });
        float low = INFINITY;
        float high = -INFINITY;
        uint64_t known = 0;
        for (int y = rect.top; y < rect.bottom; y++)
            for (int x = rect.left; x < rect.right; x++) {
                float value = cell(field, x, y);
                if (std::isnan(value)) continue;
                low = std::min(low, value);
                high = std::max(high, value);
                known++;
            }
        kernel::TestFoldsFolds folded = device.fold(kernel::test_folds, rect, {.field = field});
        EXPECT_EQ(folded.low, low);
        EXPECT_EQ(folded.high, high);
        EXPECT_EQ(folded.known, known);
    });
}

TEST(Dialect, FoldsOfZerosHaveOneSign) {
    for (const NamedDevice& named : all_devices()) {
        SCOPED_TRACE(named.name);
        const Plane field =
            made_plane({0, 0, 300, 5}, [](int x, int y) { return (x + y) % 2 ? -0.0f : 0.0f; });
        kernel::TestFoldsFolds folded = named.device->fold(kernel::test_folds, field.rect, {.field = field});
        EXPECT_EQ(bits_of(folded.low), 0u);
        EXPECT_EQ(bits_of(folded.high), 0u);
    }
}

TEST(Dialect, RowOnceIsMadeForEachRow) {
    for_devices_and_sizes([](Device& device, const Rect& rect) {
        Plane result(rect);
        device.launch(kernel::test_row_once, rect, {.result = result, .count = 5});
        expect_cells(result, [](int x, int y) {
            float sum = 0;
            for (int k = 0; k < 5; k++) sum += float(y * 10 + k) + float(k) * float(x);
            return sum;
        });
    });
}

TEST(Dialect, WindowsGiveTheEntryOfEachCell) {
    auto entry = [](int column) { return float((uint32_t(column) * uint32_t(column)) & 1023u); };
    for_devices_and_sizes([&](Device& device, const Rect& rect) {
        // Many cells an entry, about one, and several entries a cell: the last do not fit one window.
        for (float step : {0.01f, 0.3f, 0.93f, 1.0f, 1.7f, 40.0f}) {
            Plane at(rect), next(rect);
            device.launch(kernel::test_window, rect, {.at = at, .next = next, .step = step});
            expect_cells(at, [&](int x, int) { return entry(int(std::floor(float(x) * step))); });
            expect_cells(next, [&](int x, int) { return entry(int(std::floor(float(x) * step)) + 1); });
        }
    });
}

// The same memory at other coordinates, whole and in part: where it lies is nothing to the kernel.
TEST(Dialect, PlanesThatWereMoved) {
    for (const NamedDevice& named : all_devices()) {
        SCOPED_TRACE(named.name);
        Plane original = made_plane({0, 0, 90, 70}, waves);
        Plane moved = original;
        moved.home = original.home.moved(-200, 33);
        moved.rect = Rect{20, 10, 80, 60}.moved(-200, 33);
        Plane copied = made_plane(moved.rect, [](int x, int y) { return waves(x + 200, y - 33); });
        Plane of_moved(moved.rect), of_copied(moved.rect);
        named.device->launch(kernel::test_near, moved.rect,
                             {.field = moved, .result = of_moved, .dx = 2, .dy = -1}, 2);
        named.device->launch(kernel::test_near, moved.rect,
                             {.field = copied, .result = of_copied, .dx = 2, .dy = -1}, 2);
        EXPECT_EQ(differing_cells(of_moved, of_copied), 0);
        // What is written becomes its own.
        named.device->launch(kernel::test_inout, moved.rect, {.field = moved, .factor = 3.0f});
        EXPECT_EQ(cell(moved, -170, 60), waves(30, 27) * 3);
        EXPECT_EQ(cell(original, 30, 27), waves(30, 27));
    }
}

}  // namespace
}  // namespace caprock::test

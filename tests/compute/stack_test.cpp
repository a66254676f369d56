// Stacks of planes: their memory, and the words of the dialect for them against plain loops, on every device.
#include "compute/stack.h"

#include "base/error.h"
#include "support/devices.h"
#include "support/lent_memory.h"
#include "support/planes.h"
#include "test_kernels.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

namespace caprock::test {
namespace {

// Sizes that do not fit the lanes, with fewer planes than rows, and more than there are cells in a row.
struct Shape {
    Size size;
    int planes;
};
const std::vector<Shape> shapes = {{{1, 1}, 1},  {{3, 2}, 70},  {{16, 2}, 2},  {{17, 3}, 3},
                                   {{61, 4}, 8}, {{300, 3}, 5}, {{1024, 2}, 3}};

// No two near cells or planes are alike, and some cells of some planes are missing.
float bed(int x, int y, int plane) {
    if ((x * 11 + y * 5 + plane * 3) % 23 == 7) return NAN;
    return float((x * 37 + y * 101 + plane * 59) & 255) * 0.125f;
}

Stack made_stack(const Rect& rect, int planes) {
    Stack stack(rect, planes);
    float* cells = stack.first.buffer->overwrite();
    for (int k = 0; k < planes; k++)
        for (int y = rect.top; y < rect.bottom; y++)
            for (int x = rect.left; x < rect.right; x++) cells[stack.plane(k).index(x, y)] = bed(x, y, k);
    return stack;
}

float cell(const Stack& stack, int plane, int x, int y) { return test::cell(stack.plane(plane), x, y); }

template <typename Expected>
void expect_planes(const Stack& stack, const Expected& expected) {
    for (int k = 0; k < stack.planes; k++) {
        const Plane plane = stack.plane(k);
        const float* cells = plane.buffer->read();
        for (int y = plane.rect.top; y < plane.rect.bottom; y++)
            for (int x = plane.rect.left; x < plane.rect.right; x++)
                ASSERT_EQ(bits_of(cells[plane.index(x, y)]), bits_of(expected(x, y, k)))
                    << "plane " << k << " at " << x << "," << y;
    }
}

template <typename Check>
void for_devices_and_shapes(const Check& check) {
    for (const NamedDevice& named : all_devices()) {
        SCOPED_TRACE(named.name);
        for (const Shape& shape : shapes) {
            SCOPED_TRACE(std::to_string(shape.size.width) + "x" + std::to_string(shape.size.height) + " of " +
                         std::to_string(shape.planes));
            check(*named.device, placed(shape.size), shape.planes);
        }
    }
}

// A plane for each cell, also beyond those that there are.
int picked(int x, int y, int planes) { return ((x * 7 + y * 13) & 127) % (planes + 4) - 2; }
Plane picks(const Rect& rect, int planes) {
    return made_plane(rect, [&](int x, int y) { return float(picked(x, y, planes)); });
}
int nearest(int plane, int planes) { return std::clamp(plane, 0, planes - 1); }

// ---- memory ----

TEST(Stack, PlanesAreViewsOfOneBuffer) {
    const Rect rect = {-5, 3, 60, 20};
    Stack stack = made_stack(rect, 4);
    EXPECT_GE(stack.first.buffer->bytes(), size_t(rect.cells()) * 4 * sizeof(float));
    EXPECT_LT(stack.first.buffer->bytes(), size_t(rect.cells()) * 5 * sizeof(float)) << "and little more";
    for (int k = 0; k < 4; k++) {
        const Plane plane = stack.plane(k);
        EXPECT_EQ(plane.buffer, stack.first.buffer);
        EXPECT_EQ(plane.rect, rect);
        EXPECT_TRUE(plane.home.contains(rect));
        expect_cells(plane, [&](int x, int y) { return bed(x, y, k); });
    }
    EXPECT_THROW(stack.plane(4), std::logic_error);
    EXPECT_THROW(stack.plane(-1), std::logic_error);
    EXPECT_THROW(Stack({0, 0, 65536, 2}, 65536), std::logic_error);
    EXPECT_THROW(Stack({0, 0, 5, 5}, -1), std::logic_error);
}

TEST(Stack, AllPlanesAreCountedBeforeTheyAreTaken) {
    Stack stack({0, 0, 65536, 65536}, 4000);
    EXPECT_THROW(stack.first.buffer->overwrite(), OutOfMemory);
}

TEST(Stack, WhoeverWritesSharedCellsGetsHisOwn) {
    for (const NamedDevice& named : all_devices()) {
        SCOPED_TRACE(named.name);
        const Rect rect = {0, 0, 70, 9};
        const auto doubled = [](int x, int y) { return bed(x, y, 1) * 2; };
        // A plane, while there is the stack.
        Stack stack = made_stack(rect, 3);
        Plane plane = stack.plane(1);
        named.device->launch(kernel::test_inout, rect, {.field = plane, .factor = 2.0f});
        expect_cells(plane, doubled);
        expect_planes(stack, bed);
        // The stack, while there is a plane of it.
        const Plane before = stack.plane(2);
        const Plane which = made_plane(rect, [](int, int) { return 9.0f; });  // none
        named.device->launch(kernel::test_store_plane, rect, {.stack = stack, .which = which, .plane = 2});
        expect_cells(before, [](int x, int y) { return bed(x, y, 2); });
        expect_planes(stack, [](int x, int y, int k) { return bed(x, y, k) * (k == 2 ? 2.0f : 1.0f); });
        // A plane that is all that is left writes where it is.
        Plane left = stack.plane(0);
        stack = Stack();
        const Buffer* memory = left.buffer.get();
        named.device->launch(kernel::test_inout, rect, {.field = left, .factor = 3.0f});
        EXPECT_EQ(left.buffer.get(), memory);
        expect_cells(left, [](int x, int y) { return bed(x, y, 0) * 3.0f; });
    }
}

TEST(Stack, LaunchesOfOneStackCopyNothing) {
    for (const NamedDevice& named : opencl_devices()) {
        SCOPED_TRACE(named.name);
        const Rect rect = {0, 0, 70, 40};
        Stack stack = made_stack(rect, 6), copy(rect, 6);
        const Plane amount = made_plane(rect, [](int, int) { return 2.0f; });
        named.device->launch(kernel::test_bed_wears, rect, {.thickness = stack, .amount = amount});
        EXPECT_EQ(opencl_traffic(*named.device).uploads, 2) << "all planes at once";
        named.device->launch(kernel::test_bed_spreads, rect,
                             {.thickness = stack, .result = copy, .share = 0.125f}, 1);
        named.device->launch(kernel::test_bed_wears, rect, {.thickness = copy, .amount = amount});
        EXPECT_EQ(opencl_traffic(*named.device).uploads, 2) << "what is overwritten is not sent";
        EXPECT_EQ(opencl_traffic(*named.device).downloads, 0);
        cell(copy, 5, 3, 3);
        cell(copy, 2, 9, 9);
        EXPECT_EQ(opencl_traffic(*named.device).downloads, 1);
    }
}

// ---- words ----

TEST(Stack, LoadsOfAPlane) {
    for_devices_and_shapes([](Device& device, const Rect& rect, int planes) {
        const Stack stack = made_stack(rect, planes);
        const Plane which = picks(rect, planes);
        for (int k : {-1, 0, planes / 2, planes - 1, planes, std::numeric_limits<int>::max()}) {
            Plane one(rect), each(rect);
            device.launch(kernel::test_load_plane, rect,
                          {.stack = stack, .which = which, .one = one, .picked = each, .plane = k});
            expect_cells(one, [&](int x, int y) { return bed(x, y, nearest(k, planes)); });
            expect_cells(each,
                         [&](int x, int y) { return bed(x, y, nearest(picked(x, y, planes), planes)); });
        }
    });
}

TEST(Stack, LoadsOfNeighbours) {
    for_devices_and_shapes([](Device& device, const Rect& rect, int planes) {
        const Stack stack = made_stack(rect, planes);
        const Plane which = picks(rect, planes);
        // By either rule for what lies beyond the border.
        for (bool known : {false, true})
            for (auto [dx, dy] : {std::pair(-3, 1), {0, -2}, {2, 0}, {-1, -1}}) {
                Plane one(rect), each(rect);
                device.launch(
                    known ? kernel::test_near_known_plane : kernel::test_near_plane, rect,
                    {.stack = stack, .which = which, .one = one, .picked = each, .dx = dx, .dy = dy}, 3);
                const auto expected = [&, dx = dx, dy = dy](int x, int y, int plane) {
                    if (known && !rect.contains(x + dx, y + dy)) return NAN;
                    return bed(std::clamp(x + dx, rect.left, rect.right - 1),
                               std::clamp(y + dy, rect.top, rect.bottom - 1), nearest(plane, planes));
                };
                expect_cells(one, [&](int x, int y) { return expected(x, y, planes / 2); });
                expect_cells(each, [&](int x, int y) { return expected(x, y, picked(x, y, planes)); });
            }
    });
}

TEST(Stack, StoresToAPlane) {
    for_devices_and_shapes([](Device& device, const Rect& rect, int planes) {
        const Plane which = picks(rect, planes);
        for (int k : {-1, 0, planes - 1, planes}) {
            Stack stack = made_stack(rect, planes);
            device.launch(kernel::test_store_plane, rect, {.stack = stack, .which = which, .plane = k});
            expect_planes(stack, [&](int x, int y, int plane) {
                float value = bed(x, y, plane) * (plane == k ? 2.0f : 1.0f);
                return plane == picked(x, y, planes) ? value + 0.5f : value;
            });
        }
    });
}

TEST(Stack, AbsentStacksAreSeenAsAbsent) {
    for_devices_and_shapes([](Device& device, const Rect& rect, int planes) {
        const Stack stack = made_stack(rect, planes);
        Stack copy(rect, planes);
        Plane counted(rect);
        device.launch(kernel::test_optional_stacks, rect,
                      {.first = nullptr, .second = stack, .copy = nullptr, .planes = counted});
        expect_cells(counted, [&](int, int) { return float(100 * planes); });
        device.launch(kernel::test_optional_stacks, rect,
                      {.first = stack, .second = nullptr, .copy = copy, .planes = counted});
        expect_cells(counted, [&](int, int) { return float(10001 * planes); });
        expect_planes(copy, bed);
    });
}

TEST(Stack, WrongArgumentsAreRefused) {
    std::shared_ptr<Device> device = make_cpu_device(CpuLevel::portable);
    const Rect rect = {0, 0, 8, 8};
    Stack stack = made_stack(rect, 2), other = made_stack({0, 0, 8, 7}, 2), none(rect, 0);
    Plane plane(rect), one(rect), each(rect);
    EXPECT_THROW(launch_with(*device, kernel::test_load_plane, rect, 0, plane, plane, one, each, 0),
                 std::logic_error)
        << "a plane is no stack";
    EXPECT_THROW(launch_with(*device, kernel::test_load_plane, rect, 0, stack, stack, one, each, 0),
                 std::logic_error)
        << "nor is a stack a plane";
    EXPECT_THROW(launch_with(*device, kernel::test_bed_wears, rect, 0, other, plane), std::logic_error);
    EXPECT_THROW(launch_with(*device, kernel::test_bed_wears, rect, 0, none, plane), std::logic_error);
    EXPECT_THROW(launch_with(*device, kernel::test_bed_wears, rect, 0, std::as_const(stack), plane),
                 std::logic_error);
    EXPECT_THROW(device->launch(kernel::test_bed_spreads, rect,
                                {.thickness = stack, .result = stack, .share = 0.0f}, 1),
                 std::logic_error);
}

// ---- beds of rock ----

struct Depth {
    float total = 0;
    int bed = -1;
};
Depth depth_of(int x, int y, int planes, float depth) {
    Depth found;
    for (int k = 0; k < planes; k++) {
        found.total += bed(x, y, k);
        if (found.bed < 0 && found.total > depth) found.bed = k;
    }
    return found;
}

TEST(Stack, TheBedAtADepth) {
    for_devices_and_shapes([](Device& device, const Rect& rect, int planes) {
        const Stack thickness = made_stack(rect, planes);
        // As many planes at other places of memory.
        const Stack hardness = made_stack(rect.expanded(3), planes);
        const auto depth_at = [](int x, int y) { return float((x * 3 + y) & 63); };
        const Plane depth = made_plane(rect, depth_at);
        Plane total(rect), hard(rect);
        device.launch(
            kernel::test_bed_at_depth, rect,
            {.thickness = thickness, .hardness = hardness, .depth = depth, .total = total, .hard = hard});
        const auto expected = [&](int x, int y) { return depth_of(x, y, planes, depth_at(x, y)); };
        expect_cells(total, [&](int x, int y) { return expected(x, y).total; });
        expect_cells(hard, [&](int x, int y) {
            int k = expected(x, y).bed;
            return k < 0 ? NAN : bed(x, y, k);
        });
    });
}

float worn(int x, int y, int plane, float amount) {
    float left = amount;
    for (int k = 0;; k++) {
        float thickness = bed(x, y, k);
        float taken = std::isnan(thickness) ? 0 : std::min(thickness, left);
        if (k == plane) return thickness - taken;
        left -= taken;
    }
}

float spread(const Rect& clip, int x, int y, int plane, float share) {
    float own = bed(x, y, plane);
    if (plane != 0) return own;
    float moved = 0;
    for (auto [dx, dy] : {std::pair(-1, 0), {1, 0}, {0, -1}, {0, 1}}) {
        float other = clip.contains(x + dx, y + dy) ? bed(x + dx, y + dy, 0) : NAN;
        moved += std::isnan(own) || std::isnan(other) ? 0 : (other - own) * share;
    }
    return own + moved;
}

TEST(Stack, BedsWearInPlace) {
    for_devices_and_shapes([](Device& device, const Rect& rect, int planes) {
        Stack beds = made_stack(rect, planes);
        const Buffer* memory = beds.first.buffer.get();
        const Plane amount = made_plane(rect, [](int x, int) { return float(x & 31); });
        device.launch(kernel::test_bed_wears, rect, {.thickness = beds, .amount = amount});
        EXPECT_EQ(beds.first.buffer.get(), memory);
        expect_planes(beds, [](int x, int y, int k) { return worn(x, y, k, float(x & 31)); });
    });
}

TEST(Stack, BedsGoToNeighbours) {
    for_devices_and_shapes([](Device& device, const Rect& rect, int planes) {
        const Stack beds = made_stack(rect, planes);
        Stack result(rect, planes);
        device.launch(kernel::test_bed_spreads, rect, {.thickness = beds, .result = result, .share = 0.125f},
                      1);
        expect_planes(result, [&](int x, int y, int k) { return spread(rect, x, y, k, 0.125f); });
    });
}

// A tile with the cells around it gives what the whole gives there, and leaves the rest alone.
TEST(Stack, TilesEqualTheWhole) {
    const Rect rect = {0, 0, 90, 40};
    const Rect tile = {13, 7, 70, 29};
    for (const NamedDevice& named : all_devices()) {
        SCOPED_TRACE(named.name);
        const Stack whole = made_stack(rect, 5);
        Stack window = whole;  // a crop: the same memory
        window.first.rect = tile.expanded(1);
        Stack result(tile, 5);
        named.device->launch(kernel::test_bed_spreads, tile,
                             {.thickness = window, .result = result, .share = 0.125f}, 1);
        expect_planes(result, [&](int x, int y, int k) { return spread(rect, x, y, k, 0.125f); });

        Stack part = made_stack(rect, 5);
        named.device->launch(kernel::test_bed_spreads, tile,
                             {.thickness = whole, .result = part, .share = 0.125f}, 1);
        expect_planes(part, [&](int x, int y, int k) {
            return tile.contains(x, y) ? spread(rect, x, y, k, 0.125f) : bed(x, y, k);
        });
        // The same where the memory is a part's own, though the launch covers all that is meant.
        Stack cropped = made_stack(rect, 5);
        cropped.first.rect = tile;
        named.device->launch(kernel::test_bed_spreads, tile,
                             {.thickness = whole, .result = cropped, .share = 0.125f}, 1);
        cropped.first.rect = rect;
        expect_planes(cropped, [&](int x, int y, int k) {
            return tile.contains(x, y) ? spread(rect, x, y, k, 0.125f) : bed(x, y, k);
        });
    }
}

TEST(Stack, FoldsOverAllPlanes) {
    for_devices_and_shapes([](Device& device, const Rect& rect, int planes) {
        float thickest = -INFINITY;
        uint64_t known = 0;
        for (int k = 0; k < planes; k++)
            for (int y = rect.top; y < rect.bottom; y++)
                for (int x = rect.left; x < rect.right; x++) {
                    if (std::isnan(bed(x, y, k))) continue;
                    thickest = std::max(thickest, bed(x, y, k));
                    known++;
                }
        const Stack beds = made_stack(rect, planes);
        kernel::TestStackFoldsFolds folded = device.fold(kernel::test_stack_folds, rect, {.thickness = beds});
        EXPECT_EQ(folded.thickest, thickest);
        EXPECT_EQ(folded.known, known);
    });
}

// ---- lent, and larger than a device ----

const Rect beds_rect = {-3, -5, 98, 66};
constexpr int lent_planes = 4;

std::shared_ptr<LentMemory> lent_beds(int pitch, int stride) {
    const int width = pitch * (lent_planes - 1) + beds_rect.width();
    return std::make_shared<LentMemory>(width, beds_rect.height(), stride, [&](int x, int y) {
        int k = x / pitch;
        return bed(x - k * pitch + beds_rect.left, y + beds_rect.top, k);
    });
}

void expect_lent_like_own(Device& device) {
    for (auto [pitch, stride] : {std::pair(101, 404), {101, 500}, {110, 431}}) {
        SCOPED_TRACE(pitch);
        auto memory = lent_beds(pitch, stride);
        const Stack lent(beds_rect, lent_planes, memory->cells(), pitch, stride, memory);
        EXPECT_EQ(lent.first.buffer->read(), memory->cells());
        Stack result(beds_rect, lent_planes);
        device.launch(kernel::test_bed_spreads, beds_rect,
                      {.thickness = lent, .result = result, .share = 0.125f}, 1);
        expect_planes(result, [](int x, int y, int k) { return spread(beds_rect, x, y, k, 0.125f); });
        Plane plane = lent.plane(3), counted(beds_rect);
        device.launch(kernel::test_inout, beds_rect, {.field = plane, .factor = 2.0f});
        expect_cells(plane, [](int x, int y) { return bed(x, y, 3) * 2; });
        Stack changed = lent;
        const Plane amount = made_plane(beds_rect, [](int, int) { return 20.0f; });
        device.launch(kernel::test_bed_wears, beds_rect, {.thickness = changed, .amount = amount});
        expect_planes(changed, [](int x, int y, int k) { return worn(x, y, k, 20); });
        Stack overwritten = lent;
        device.launch(kernel::test_optional_stacks, beds_rect,
                      {.first = lent, .second = nullptr, .copy = overwritten, .planes = counted});
        expect_planes(overwritten, bed);
        expect_planes(lent, bed);
    }
}

TEST(Stack, LentMemoryIsReadOnEveryDevice) {
    for (const NamedDevice& named : all_devices()) {
        SCOPED_TRACE(named.name);
        expect_lent_like_own(*named.device);
    }
    const float cells[64] = {};
    EXPECT_THROW(Stack({0, 0, 4, 4}, 2, cells, 3, 8, nullptr), std::logic_error);
    EXPECT_THROW(Stack({0, 0, 4, 4}, 2, cells, 4, 7, nullptr), std::logic_error);
}

TEST(Stack, BandsOfAnOpenClDevice) {
    std::shared_ptr<Device> small = open_opencl_device(0, {uint64_t(80) << 10});
    expect_lent_like_own(*small);
    EXPECT_GT(opencl_traffic(*small).bands, 20);
}

}  // namespace
}  // namespace caprock::test

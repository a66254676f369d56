// Memory that belongs to somebody else is read where it lies, and nobody writes it.
#include "support/lent_memory.h"

#include "support/devices.h"
#include "support/planes.h"
#include "test_kernels.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

const Rect lent_rect = {-3, -5, 98, 66};  // of no lane's width

// Of waves().
std::shared_ptr<LentMemory> lent_waves(int stride) {
    return std::make_shared<LentMemory>(lent_rect.width(), lent_rect.height(), stride, [](int x, int y) {
        return waves(x + lent_rect.left, y + lent_rect.top);
    });
}

Plane lent_plane(const LentMemory& memory) { return {lent_rect, memory.cells(), memory.stride(), nullptr}; }

TEST(LentMemory, IsReadWhereItLies) {
    const auto memory = lent_waves(130);
    const Plane plane = lent_plane(*memory);
    EXPECT_EQ(plane.buffer->read() + plane.index(lent_rect.left, lent_rect.top), memory->cells());
    EXPECT_EQ(differing_cells(plane, made_plane(lent_rect, waves)), 0);
    EXPECT_TRUE(plane.buffer->host_current());
}

TEST(LentMemory, IsKeptByItsOwner) {
    auto owner = lent_waves(lent_rect.width());
    std::weak_ptr<LentMemory> watched = owner;
    Plane plane(lent_rect, owner->cells(), owner->stride(), owner);
    owner.reset();
    EXPECT_FALSE(watched.expired());
    EXPECT_EQ(cell(plane, 4, 7), waves(4, 7));
    plane = Plane();
    EXPECT_TRUE(watched.expired());
}

TEST(LentMemory, WhoeverWritesGetsCellsOfHisOwn) {
    const auto memory = lent_waves(130);
    Plane plane = lent_plane(*memory);
    EXPECT_THROW(plane.buffer->write(), std::logic_error);
    EXPECT_THROW(plane.buffer->overwrite(), std::logic_error);
    plane.own(true);
    plane.buffer->write()[plane.index(0, 0)] = 100;
    EXPECT_EQ(cell(plane, 0, 0), 100);
    EXPECT_EQ(cell(plane, 1, 0), waves(1, 0));
    EXPECT_EQ(cell(lent_plane(*memory), 0, 0), waves(0, 0));
}

// As large as the device's memory, and larger.
void expect_like_own_cells(Device& device, const std::string& name) {
    SCOPED_TRACE(name);
    for (int stride : {lent_rect.width(), lent_rect.width() + 1, 130}) {
        const auto memory = lent_waves(stride);
        const Plane lent = lent_plane(*memory);
        const Plane own = made_plane(lent_rect, waves);
        for (int d : {-4, 0, 4}) {
            Plane of_lent(lent_rect), of_own(lent_rect);
            device.launch(kernel::test_near, lent_rect, {.field = lent, .result = of_lent, .dx = d, .dy = d},
                          4);
            device.launch(kernel::test_near, lent_rect, {.field = own, .result = of_own, .dx = d, .dy = d},
                          4);
            EXPECT_EQ(differing_cells(of_lent, of_own), 0) << stride;
        }
        Plane changed = lent_plane(*memory);
        device.launch(kernel::test_inout, lent_rect, {.field = changed, .factor = 2.0f});
        EXPECT_EQ(cell(changed, 9, 9), 2 * waves(9, 9));
        EXPECT_EQ(cell(lent, 9, 9), waves(9, 9));
        Plane overwritten = lent_plane(*memory);
        device.launch(kernel::test_near, lent_rect, {.field = own, .result = overwritten, .dx = 0, .dy = 0},
                      1);
        EXPECT_EQ(differing_cells(overwritten, own), 0);
        kernel::TestFoldsFolds folds = device.fold(kernel::test_folds, lent_rect, {.field = lent});
        EXPECT_EQ(folds.high, device.fold(kernel::test_folds, lent_rect, {.field = own}).high);
    }
}

TEST(LentMemory, KernelsReadItOnEveryDevice) {
    for (const NamedDevice& device : all_devices()) expect_like_own_cells(*device.device, device.name);
}

TEST(LentMemory, BandsOfAnOpenClDeviceReadIt) {
    std::shared_ptr<Device> small = open_opencl_device(0, {uint64_t(20) << 10});
    expect_like_own_cells(*small, "bands");
    EXPECT_GT(opencl_traffic(*small).bands, 20);
}

}  // namespace
}  // namespace caprock::test

// Who may look at a buffer while its cells are on their way. The device here is none: its memory is the host's, so that
// ThreadSanitizer sees all of it.
#include "compute/buffer.h"

#include <algorithm>
#include <functional>
#include <future>
#include <gtest/gtest.h>
#include <list>
#include <random>
#include <thread>
#include <vector>

namespace caprock::test {
namespace {

class PretendedDevice;

class PretendedMirror : public Mirror {
  public:
    PretendedMirror(PretendedDevice& owner, Buffer& buffer);
    ~PretendedMirror() override;
    void download(float* to) override;
    void detached() override;

    std::vector<float> cells;
    Buffer* buffer;

  private:
    PretendedDevice& owner_;
    std::list<PretendedMirror*>::iterator place_;
    bool listed_ = true;
};

class PretendedDevice : public std::enable_shared_from_this<PretendedDevice> {
  public:
    // What a kernel would do, in place.
    void change(const std::shared_ptr<Buffer>& buffer, float by) {
        use(*buffer, [&](PretendedMirror& mirror) {
            for (float& cell : mirror.cells) cell += by;
            buffer->mark_written(mirror);
        });
    }
    double sum(const std::shared_ptr<Buffer>& buffer) {
        double all = 0;
        use(*buffer, [&](PretendedMirror& mirror) {
            for (float cell : mirror.cells) all += double(cell);
        });
        return all;
    }
    void push_out_one() {
        std::lock_guard lock(guard);
        if (!mirrors.empty()) mirrors.front()->buffer->drop_mirror(guard);
    }
    bool empty() {
        std::lock_guard lock(guard);
        return mirrors.empty();
    }

    std::mutex guard;
    std::list<PretendedMirror*> mirrors;
    std::function<void()> while_downloading;

  private:
    template <typename Action>
    void use(Buffer& buffer, const Action& action) {
        while (true) {
            {
                std::lock_guard lock(guard);
                Buffer::Residence found = buffer.residence(guard);
                if (!found.elsewhere && !found.mirror) {
                    found.mirror = std::make_shared<PretendedMirror>(*this, buffer);
                    if (!buffer.adopt(found.mirror)) {
                        found.mirror->detached();
                        continue;
                    }
                }
                if (found.mirror) {
                    auto& mirror = static_cast<PretendedMirror&>(*found.mirror);
                    if (!found.current) {
                        std::copy_n(buffer.read(), mirror.cells.size(), mirror.cells.data());
                        buffer.mark_current(mirror);
                    }
                    action(mirror);
                    return;
                }
            }
            buffer.leave_devices(&guard);
        }
    }
};

PretendedMirror::PretendedMirror(PretendedDevice& owner, Buffer& of)
    : Mirror(std::shared_ptr<std::mutex>(owner.shared_from_this(), &owner.guard)),
      cells(of.bytes() / sizeof(float)),
      buffer(&of),
      owner_(owner) {
    place_ = owner_.mirrors.insert(owner_.mirrors.end(), this);
}
PretendedMirror::~PretendedMirror() { detached(); }
void PretendedMirror::download(float* to) {
    if (owner_.while_downloading) owner_.while_downloading();
    std::ranges::copy(cells, to);
}
void PretendedMirror::detached() {
    if (std::exchange(listed_, false)) owner_.mirrors.erase(place_);
}

constexpr int side = 24;

std::shared_ptr<Buffer> filled(float value) {
    auto buffer = std::make_shared<Buffer>(Size{side, side});
    std::fill_n(buffer->overwrite(), side * side, value);
    return buffer;
}

bool holds(const Buffer& buffer, float value) {
    const float* cells = buffer.read();
    return std::all_of(cells, cells + side * side, [&](float cell) { return cell == value; });
}

TEST(Buffers, GoToADeviceAndComeBack) {
    auto device = std::make_shared<PretendedDevice>();
    auto other = std::make_shared<PretendedDevice>();
    std::shared_ptr<Buffer> buffer = filled(1);
    device->change(buffer, 2);
    EXPECT_FALSE(buffer->host_current());
    other->change(buffer, 4);
    EXPECT_TRUE(device->empty()) << "it is on one device at a time";
    EXPECT_TRUE(holds(*buffer, 7));
    std::fill_n(buffer->write(), side * side, 20.0f);
    EXPECT_EQ(other->sum(buffer), 20.0 * side * side) << "what was there is out of date";
    other->change(buffer, 1);
    std::fill_n(buffer->overwrite(), side * side, 5.0f);
    buffer->leave_devices();
    EXPECT_TRUE(holds(*buffer, 5)) << "what is overwritten does not come back";
    EXPECT_TRUE(other->empty());
}

TEST(Buffers, OutliveTheirDevice) {
    std::shared_ptr<Buffer> buffer = filled(1);
    std::weak_ptr<PretendedDevice> gone;
    {
        auto device = std::make_shared<PretendedDevice>();
        gone = device;
        device->change(buffer, 2);
    }
    EXPECT_TRUE(holds(*buffer, 3));
    buffer.reset();
    EXPECT_TRUE(gone.expired());
}

// A device that is busy is waited for by those who want what it has, and by nobody else.
TEST(Buffers, OnTheHostAreReadWhileADeviceIsBusy) {
    auto device = std::make_shared<PretendedDevice>();
    std::shared_ptr<Buffer> wanted = filled(1);
    std::shared_ptr<Buffer> beside = filled(2);
    device->change(wanted, 1);
    device->change(beside, 1);
    EXPECT_TRUE(holds(*beside, 3));  // on both sides
    std::promise<void> begun, done;
    device->while_downloading = [&] {
        begun.set_value();
        done.get_future().wait();
    };
    std::thread reader([&] { EXPECT_TRUE(holds(*wanted, 2)); });
    begun.get_future().wait();
    EXPECT_TRUE(holds(*beside, 3));
    EXPECT_FALSE(wanted->host_current()) << "not before all of it is there";
    std::fill_n(beside->write(), side * side, 9.0f);
    EXPECT_TRUE(holds(*beside, 9));
    done.set_value();
    reader.join();
}

TEST(Buffers, StayWholeUnderManyThreads) {
    auto one = std::make_shared<PretendedDevice>();
    auto two = std::make_shared<PretendedDevice>();
    std::vector<std::shared_ptr<Buffer>> shared;
    for (int i = 0; i < 4; i++) {
        shared.push_back(filled(float(i)));
        one->change(shared.back(), 0);
    }
    std::atomic<int> wrong = 0;
    std::atomic<bool> over = false;
    auto work = [&](unsigned seed) {
        std::mt19937 random(seed);
        std::shared_ptr<Buffer> own = filled(0);
        float value = 0;
        for (int step = 0; step < 1500; step++) {
            PretendedDevice& device = random() % 4 ? *one : *two;
            size_t index = random() % shared.size();
            switch (random() % 7) {
                case 0:
                    wrong += !holds(*own, value);
                    break;
                case 1:
                    wrong += !holds(*shared[index], float(index));
                    break;
                case 2:
                    device.change(own, 1);
                    value++;
                    break;
                case 3:
                    wrong += device.sum(shared[index]) != double(index) * side * side;
                    break;
                case 4:
                    value = 100;
                    std::fill_n(own->overwrite(), side * side, value);
                    break;
                case 5:
                    device.change(own, 1);
                    own = filled(value = 3);
                    break;
                default:
                    for (float* cell = own->write(); cell < own->read() + side * side; cell++) *cell += 1;
                    value++;
            }
        }
    };
    std::thread evictor([&] {
        while (!over) {
            one->push_out_one();
            two->push_out_one();
        }
    });
    std::vector<std::thread> threads;
    for (unsigned seed = 1; seed <= 4; seed++) threads.emplace_back(work, seed);
    for (std::thread& thread : threads) thread.join();
    over = true;
    evictor.join();
    EXPECT_EQ(wrong, 0);
    shared.clear();
    EXPECT_TRUE(one->empty() && two->empty());
}

}  // namespace
}  // namespace caprock::test

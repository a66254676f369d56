// A device that fails when it is told to.
#pragma once

#include "base/error.h"
#include "compute/cpu_device.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

namespace caprock::test {

enum class Fault { none, error, lost };

// A device with memory of its own that computes on the CPU and fails when told to.
class FakeDevice : public Device {
  public:
    FakeDevice() { description_.name = "FakeGPU"; }

    const DeviceDescription& description() const override { return description_; }
    double kernel_seconds() const override { return 0; }
    void finish() override {
        if (finish_fault != Fault::none) fail(finish_fault);
    }
    // What its mirrors do when their cells are wanted back.
    void give_back(const std::vector<float>& from, float* to) {
        if (!computing_) {  // its own kernels read its own memory
            if (gone) throw DeviceLost("it is gone");
            if (download_fault != Fault::none) fail(download_fault);
            downloads++;
        }
        std::copy(from.begin(), from.end(), to);
    }

    int fault_at = -1;  // the launch, counted from 0, that fails
    Fault launch_fault = Fault::none;
    Fault download_fault = Fault::none;
    Fault finish_fault = Fault::none;
    bool gone = false;
    int launches = 0;
    int downloads = 0;

  protected:
    void run(const Work& work) override;
    std::vector<Folded> run_fold(const Work& work) override {
        return cpu_->fold_with(work.kernel, work.cells, work.arguments);
    }

  private:
    [[noreturn]] void fail(Fault fault) {
        if (fault == Fault::error) throw DeviceError("it has no more memory");
        gone = true;
        throw DeviceLost("it is gone");
    }

    friend class FakeMirror;
    bool computing_ = false;
    std::shared_ptr<std::mutex> lock_ = std::make_shared<std::mutex>();
    DeviceDescription description_;
    std::shared_ptr<Device> cpu_ = make_cpu_device(chosen_cpu_level(), 2);
};

class FakeMirror : public Mirror {
  public:
    FakeMirror(FakeDevice& owner, std::vector<float> cells)
        : Mirror(owner.lock_), owner_(owner), cells_(std::move(cells)) {}
    void download(float* to) override { owner_.give_back(cells_, to); }
    void detached() override {}

  private:
    FakeDevice& owner_;
    std::vector<float> cells_;
};

inline void FakeDevice::run(const Work& work) {
    if (gone) throw DeviceLost("it is gone");
    if (launches++ == fault_at) fail(launch_fault);
    std::vector<Buffer*> only_here;
    for (const Argument& argument : work.arguments)
        if (argument.plane() && argument.plane()->read && !argument.plane()->write &&
            !argument.plane()->read->buffer->host_current())
            only_here.push_back(argument.plane()->read->buffer.get());
    computing_ = true;
    cpu_->launch_with(work.kernel, work.cells, work.arguments, work.radius, work.progress);
    computing_ = false;
    for (Buffer* buffer : only_here) {
        std::lock_guard lock(*lock_);
        buffer->mark_written(*buffer->residence(*lock_).mirror);
    }
    // What was written is from now on here only: the host's copy is spoilt, so that whoever skips the
    // download fails.
    for (const Argument& argument : work.arguments) {
        if (!argument.plane() || !argument.plane()->write) continue;
        Buffer& buffer = *argument.plane()->write->buffer;
        const float* made = buffer.read();
        auto mirror = std::make_shared<FakeMirror>(
            *this, std::vector<float>(made, made + buffer.bytes() / sizeof(float)));
        std::fill_n(buffer.overwrite(), buffer.bytes() / sizeof(float), -12345.0f);
        buffer.leave_devices();
        std::lock_guard lock(*lock_);
        buffer.adopt(mirror);
        buffer.mark_written(*mirror);
    }
}

}  // namespace caprock::test

#include "compute/opencl/launch_queue.h"

#include <algorithm>
#include <utility>

namespace caprock::opencl {

namespace {

// A mark at every so many launches, or cells. With so many marks ahead the host waits: enough to keep a GPU busy, few enough
// to cancel at once. Where marks take long, that is one or two.
constexpr int64_t launches_per_mark = 16;
constexpr int64_t cells_per_mark = int64_t(1) << 22;
constexpr size_t most_marks = 16;
constexpr double most_seconds_ahead = 0.1;

}  // namespace

LaunchQueue::LaunchQueue(cl_context context, cl_device_id device) : context_(context), device_(device) {
    open(0);
}

void LaunchQueue::open(cl_command_queue_properties properties) {
    cl_int status = CL_SUCCESS;
    queue_.reset(clCreateCommandQueue(context_, device_, properties, &status));
    check(status, "opening the device");
}

void LaunchQueue::time(bool on) {
    if (on == timed_) return;
    finish();
    open(on ? CL_QUEUE_PROFILING_ENABLE : 0);
    timed_ = on;
}

cl_event* LaunchQueue::mark_for(int64_t cells, cl_event& event) {
    commands_++;
    unmarked_++;
    unmarked_cells_ += cells;
    bool due = timed_ || unmarked_ >= launches_per_mark || unmarked_cells_ >= cells_per_mark;
    return due ? &event : nullptr;
}

void LaunchQueue::marked(cl_event event) {
    if (!event) return;
    marks_.push_back({Event(event), commands_});
    unmarked_ = 0;
    unmarked_cells_ = 0;
    check(clFlush(queue_.get()), "running a kernel");
    wait_for(marks_ahead_);
    if (marks_.size() < marks_ahead_) return;
    // The device has had work all the time: how long it takes for a mark is how long it is from one to the next.
    Clock::time_point now = Clock::now();
    double since = std::chrono::duration<double>(now - std::exchange(last_mark_, now)).count();
    marks_ahead_ = size_t(std::clamp(most_seconds_ahead / std::max(since, 1e-6), 1.0, double(most_marks)));
}

void LaunchQueue::launch(cl_kernel kernel, const std::array<size_t, 2>& global,
                         const std::array<size_t, 2>& local, int64_t cells) {
    cl_event event = nullptr;
    check(clEnqueueNDRangeKernel(queue_.get(), kernel, 2, nullptr, global.data(), local.data(), 0, nullptr,
                                 mark_for(cells, event)),
          "running a kernel");
    marked(event);
}

void LaunchQueue::clear(cl_mem memory, size_t offset, size_t bytes) {
    cl_uint zero = 0;
    cl_event event = nullptr;
    check(clEnqueueFillBuffer(queue_.get(), memory, &zero, sizeof zero, offset, bytes, 0, nullptr,
                              mark_for(int64_t(bytes / sizeof(float)), event)),
          "clearing device memory");
    marked(event);
}

void LaunchQueue::hand_over(cl_mem memory, std::vector<char> bytes) {
    // It is there before the next command is done.
    handed_.push_back({commands_ + 1, std::move(bytes)});
    const std::vector<char>& kept = handed_.back().bytes;
    check(clEnqueueWriteBuffer(queue_.get(), memory, CL_FALSE, 0, kept.size(), kept.data(), 0, nullptr,
                               nullptr),
          "copying to the device");
}

void LaunchQueue::send(cl_mem memory, size_t bytes, const void* from) {
    check(clEnqueueWriteBuffer(queue_.get(), memory, CL_TRUE, 0, bytes, from, 0, nullptr, nullptr),
          "copying to the device");
}

void LaunchQueue::read(cl_mem memory, size_t offset, size_t bytes, void* to) {
    check(clEnqueueReadBuffer(queue_.get(), memory, CL_TRUE, offset, bytes, to, 0, nullptr, nullptr),
          "copying from the device");
    // A launch that failed says so at its mark.
    unmarked_ = 0;
    unmarked_cells_ = 0;
    wait_for(0);
    handed_.clear();
}

void LaunchQueue::finish() {
    wait_for(0);
    if (unmarked_ == 0) return;
    check(clFinish(queue_.get()), "running a kernel");
    unmarked_ = 0;
    unmarked_cells_ = 0;
    handed_.clear();
}

void LaunchQueue::forget() {
    marks_.clear();
    unmarked_ = 0;
    unmarked_cells_ = 0;
}

// Waits until at most so many marks are unfinished.
void LaunchQueue::wait_for(size_t unfinished) {
    while (marks_.size() > unfinished) {
        Mark mark = std::move(marks_.front());
        marks_.pop_front();
        cl_event handle = mark.event.get();
        check(clWaitForEvents(1, &handle), "running a kernel");
        while (!handed_.empty() && handed_.front().number <= mark.number) handed_.pop_front();
        if (!timed_) continue;
        cl_ulong start = 0;
        cl_ulong end = 0;
        if (clGetEventProfilingInfo(handle, CL_PROFILING_COMMAND_START, 8, &start, nullptr) == CL_SUCCESS &&
            clGetEventProfilingInfo(handle, CL_PROFILING_COMMAND_END, 8, &end, nullptr) == CL_SUCCESS)
            seconds_ += double(end - start) * 1e-9;
    }
}

}  // namespace caprock::opencl

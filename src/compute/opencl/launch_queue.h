// What a device has been told to do, in order: launches, and tables and cells on their way to it and back.
//
// Launches return at once. An event costs a GPU's driver two or three times what a small launch does, so that only one launch
// in several has one, the mark by which the host knows how far the device has come.
#pragma once

#include "compute/opencl/handles.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <vector>

namespace caprock::opencl {

class LaunchQueue {
  public:
    LaunchQueue(cl_context context, cl_device_id device);
    // Whoever was cancelled has left launches behind. A program that ends while they run takes the driver's threads down
    // with it, and PoCL's fall over that.
    ~LaunchQueue() { clFinish(queue_.get()); }
    LaunchQueue(const LaunchQueue&) = delete;
    LaunchQueue& operator=(const LaunchQueue&) = delete;

    void launch(cl_kernel kernel, const std::array<size_t, 2>& global, const std::array<size_t, 2>& local,
                int64_t cells);
    void clear(cl_mem memory, size_t offset, size_t bytes);
    // Returns at once; the bytes stay where they are until they have been copied.
    void hand_over(cl_mem memory, std::vector<char> bytes);
    // These two return when it is done, and everything before it.
    void send(cl_mem memory, size_t bytes, const void* from);
    void read(cl_mem memory, size_t offset, size_t bytes, void* to);
    // Returns when everything is done.
    void finish();
    // After an error: nobody waits for what was launched before it.
    void forget();

    // Whether seconds() are counted: by an event for each launch.
    void time(bool on);
    double seconds() const { return seconds_; }

  private:
    struct Mark {
        Event event;
        uint64_t number;  // of the command that has it
    };
    struct Handed {
        uint64_t number;  // of a command behind which it is not needed any more
        std::vector<char> bytes;
    };

    using Clock = std::chrono::steady_clock;

    void open(cl_command_queue_properties properties);
    cl_event* mark_for(int64_t cells, cl_event& event);
    void marked(cl_event event);
    void wait_for(size_t unfinished);

    cl_context context_;
    cl_device_id device_;
    // Before the queue, so that it is there until the queue is done.
    std::deque<Handed> handed_;
    Queue queue_;
    std::deque<Mark> marks_;
    size_t marks_ahead_ = 2;  // as many as there is time for, when a pace is known
    Clock::time_point last_mark_;
    uint64_t commands_ = 0;
    int64_t unmarked_ = 0;
    int64_t unmarked_cells_ = 0;
    bool timed_ = false;
    double seconds_ = 0;
};

}  // namespace caprock::opencl

// Evaluations in the background: what is visible first. Two threads take requests by their priority, one of them only
// what somebody looks at, so that an hour of erosion for later does not stand before a glance.
#pragma once

#include "document/evaluator.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace caprock {

class EvaluationQueue {
  public:
    enum class Priority { background, soon, visible };

    struct Request {
        std::shared_ptr<const Plan> plan;
        std::vector<std::string> fields;  // empty: all
        Rect region;
        Priority priority = Priority::visible;
    };
    // Called on a thread of the queue, unless the request was cancelled. `error` is empty where all went well. It may
    // add and cancel requests.
    using Done = std::function<void(const Terrain& result, const std::string& error)>;

    // Each thread has a device of its own.
    explicit EvaluationQueue(const std::function<std::shared_ptr<Device>()>& make_device);
    // Cancels what is left.
    ~EvaluationQueue();

    using Ticket = int64_t;
    Ticket add(Request request, Done done);
    // Its Done is not called after this has returned, unless it is running now on another thread.
    void cancel(Ticket ticket);
    void cancel_all();
    void wait();  // until nothing is left
    // Told from time to time how far an operation has come that takes long; on a thread of the queue.
    void watch(std::function<void(const std::string& title, double share)> watcher);

  private:
    struct Job {
        Ticket ticket = 0;
        Request request;
        Done done;
        std::shared_ptr<Progress> progress;
        std::shared_ptr<std::string> title;
        bool running = false;
    };
    void work(const std::shared_ptr<Device>& device, Priority least);
    std::list<Job>::iterator next(Priority least);
    void run(Job& job, RunContext& context);

    std::mutex guard_;
    std::condition_variable changed_;
    std::list<Job> jobs_;
    Ticket last_ = 0;
    bool ending_ = false;
    std::function<void(const std::string&, double)> watcher_;
    std::vector<std::thread> threads_;
};

}  // namespace caprock

#include "document/evaluation_queue.h"

#include "base/error.h"

namespace caprock {

EvaluationQueue::EvaluationQueue(const std::function<std::shared_ptr<Device>()>& make_device) {
    for (Priority least : {Priority::background, Priority::visible})
        threads_.emplace_back([this, least, device = make_device()] { work(device, least); });
}

EvaluationQueue::~EvaluationQueue() {
    {
        std::lock_guard lock(guard_);
        ending_ = true;
        for (Job& job : jobs_) job.progress->cancel();
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

EvaluationQueue::Ticket EvaluationQueue::add(Request request, Done done) {
    std::lock_guard lock(guard_);
    Job job;
    job.ticket = ++last_;
    if (request.fields.empty()) request.fields = request.plan->fields();
    job.request = std::move(request);
    job.done = std::move(done);
    job.title = std::make_shared<std::string>();
    job.progress = std::make_shared<Progress>([this, title = job.title](double share) {
        std::function<void(const std::string&, double)> watcher;
        std::string of;
        {
            std::lock_guard watching(guard_);
            watcher = watcher_;
            of = *title;
        }
        if (watcher) watcher(of, share);
    });
    jobs_.push_back(std::move(job));
    changed_.notify_all();
    return last_;
}

void EvaluationQueue::cancel(Ticket ticket) {
    std::lock_guard lock(guard_);
    for (auto job = jobs_.begin(); job != jobs_.end(); ++job) {
        if (job->ticket != ticket) continue;
        job->progress->cancel();
        if (!job->running) jobs_.erase(job);
        break;
    }
    changed_.notify_all();
}

void EvaluationQueue::cancel_all() {
    std::lock_guard lock(guard_);
    for (Job& job : jobs_) job.progress->cancel();
    std::erase_if(jobs_, [](const Job& job) { return !job.running; });
    changed_.notify_all();
}

void EvaluationQueue::wait() {
    std::unique_lock lock(guard_);
    changed_.wait(lock, [&] { return jobs_.empty(); });
}

void EvaluationQueue::watch(std::function<void(const std::string&, double)> watcher) {
    std::lock_guard lock(guard_);
    watcher_ = std::move(watcher);
}

// The first of the highest priority; the end where there is nothing for this thread.
std::list<EvaluationQueue::Job>::iterator EvaluationQueue::next(Priority least) {
    auto best = jobs_.end();
    for (auto job = jobs_.begin(); job != jobs_.end(); ++job) {
        if (job->running || job->request.priority < least) continue;
        if (best == jobs_.end() || job->request.priority > best->request.priority) best = job;
    }
    return best;
}

void EvaluationQueue::work(const std::shared_ptr<Device>& device, Priority least) {
    std::unique_lock lock(guard_);
    while (true) {
        std::list<Job>::iterator job;
        changed_.wait(lock, [&] { return ending_ || (job = next(least)) != jobs_.end(); });
        if (ending_) return;
        job->running = true;
        lock.unlock();
        RunContext context;
        context.device = device;
        context.progress = job->progress.get();
        run(*job, context);
        lock.lock();
        jobs_.erase(job);
        changed_.notify_all();
    }
}

void EvaluationQueue::run(Job& job, RunContext& context) {
    std::string error;
    Terrain result;
    try {
        Evaluator evaluator(context);
        evaluator.before = [&](const std::string& title) {
            std::lock_guard lock(guard_);
            *job.title = title;
        };
        result = evaluator.evaluate(*job.request.plan, job.request.plan->top(), job.request.fields,
                                    job.request.region);
    } catch (const Cancelled&) {
        return;
    } catch (const std::exception& thrown) {
        error = thrown.what();
    }
    if (!job.progress->cancelled() && job.done) job.done(result, error);
}

}  // namespace caprock

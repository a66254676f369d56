#include "document/writer.h"

#include "base/text.h"

#include <chrono>
#include <fmt/format.h>

namespace caprock {

namespace {

// Changes that wait together go in one transaction, up to this size: the disk is waited for once.
constexpr uint64_t batch_bytes = 32 << 20;
constexpr std::chrono::seconds between_attempts{2};

}  // namespace

Writer::Writer(std::unique_ptr<ProjectFile> file, uint64_t most_waiting)
    : most_waiting_(most_waiting), file_(std::move(file)), thread_([this] { work(); }) {}

Writer::~Writer() {
    {
        std::lock_guard lock(guard_);
        ending_ = true;
        retry_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

int64_t Writer::add(FileChange change) {
    uint64_t bytes = change.bytes();
    std::unique_lock lock(guard_);
    changed_.wait(lock,
                  [&] { return queue_.empty() || waiting_bytes_ <= most_waiting_ || !trouble_.empty(); });
    if (!trouble_.empty() && waiting_bytes_ > most_waiting_) {
        retry_ = true;
        changed_.notify_all();
        throw Error(fmt::format("{} of changes wait to be written, and no more can be taken: {}",
                                bytes_text(waiting_bytes_), trouble_));
    }
    change.number = ++added_;
    waiting_bytes_ += bytes;
    queue_.push_back({std::make_shared<const FileChange>(std::move(change)), bytes});
    changed_.notify_all();
    return added_;
}

int64_t Writer::written() const {
    std::lock_guard lock(guard_);
    return written_;
}

std::string Writer::trouble() const {
    std::lock_guard lock(guard_);
    return trouble_;
}

void Writer::flush() {
    std::unique_lock lock(guard_);
    int64_t wanted = added_;
    // The attempt that is to count begins after this call: there may be room now that there was not before.
    int64_t begun = attempts_ + (attempting_ ? 1 : 0);
    if (!trouble_.empty()) {
        retry_ = true;
        changed_.notify_all();
    }
    changed_.wait(lock, [&] {
        if (!trouble_.empty() && !attempting_ && !retry_ && attempts_ <= begun) {
            retry_ = true;
            changed_.notify_all();
        }
        return written_ >= wanted || (!trouble_.empty() && attempts_ > begun);
    });
    if (written_ < wanted) throw Error(trouble_);
}

void Writer::move_to_file(const std::function<std::unique_ptr<ProjectFile>(ProjectFile& from)>& make) {
    std::lock_guard lock(file_guard_);
    file_ = make(*file_);
}

void Writer::write(const Changes& changes) {
    std::lock_guard lock(file_guard_);
    file_->write(changes);
}

void Writer::work() {
    std::unique_lock lock(guard_);
    while (true) {
        if (trouble_.empty()) {
            changed_.wait(lock, [&] { return !queue_.empty() || ending_; });
        } else {
            changed_.wait_for(lock, between_attempts, [&] { return retry_; });
            if (queue_.empty() && !ending_) continue;
        }
        retry_ = false;
        if (queue_.empty()) return;
        Changes changes;
        uint64_t bytes = 0;
        for (const Waiting& next : queue_) {
            if (!changes.empty() && bytes + next.bytes > batch_bytes) break;
            bytes += next.bytes;
            changes.push_back(next.change);
        }
        bool last_attempt = ending_;
        attempting_ = true;
        lock.unlock();
        std::string trouble;
        try {
            write(changes);
        } catch (const std::exception& error) {
            trouble = error.what();
        }
        if (trouble.empty())
            for (const auto& change : changes)
                for (const FileChange::TilePut& put : change->tiles)
                    if (put.tile) put.tile->written();
        lock.lock();
        attempts_++;
        attempting_ = false;
        trouble_ = trouble;
        if (trouble.empty()) {
            for (size_t i = 0; i < changes.size(); i++) queue_.pop_front();
            waiting_bytes_ -= bytes;
            written_ = changes.back()->number;
        }
        // Tiles may be held by nobody else: their end takes other locks.
        lock.unlock();
        changes.clear();
        lock.lock();
        changed_.notify_all();
        if (!trouble.empty() && last_attempt) return;
    }
}

}  // namespace caprock

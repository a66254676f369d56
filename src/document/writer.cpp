#include "document/writer.h"

#include "base/text.h"
#include "document/file_lock.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace caprock {

namespace {

// Changes that wait together go in one transaction, up to this size: the disk is waited for once.
constexpr uint64_t most_in_transaction = 32 << 20;
constexpr std::chrono::seconds before_trying_again{2};

// Results that can be computed again, and pictures for a list: nobody misses them.
bool is_disposable(const FileChange& change) {
    bool result = !change.remembered.empty() || change.thumbnail;
    return result && !change.text && !change.position && !change.forget_after && !change.entry &&
           change.tiles.empty() && change.new_canvases.empty() && change.kept_canvases.empty() &&
           change.dropped_canvases.empty();
}

// A change of a drag that says how things are, and brings nothing along that a later one would not.
bool is_superseded_by(const FileChange& earlier, const FileChange& later) {
    auto plain = [](const FileChange& change) {
        return change.entry && change.text && change.tiles.empty() && change.new_canvases.empty() &&
               change.remembered.empty() && !change.thumbnail;
    };
    return earlier.goes_on && plain(earlier) && plain(later) && earlier.entry->id == later.entry->id &&
           !later.forget_after;
}

// SQLite says what it could not do; what somebody can mend is what lies behind that.
std::string reason_in_words(const std::exception& error, const std::string& path,
                            const std::string& identity) {
    namespace fs = std::filesystem;
    const auto* refused = dynamic_cast<const DatabaseError*>(&error);
    if (refused && refused->kind() == DatabaseError::Kind::full) return "the disk is full";
    std::error_code unknown;
    fs::path folder = fs::absolute(path, unknown).parent_path();
    if (!fs::exists(folder, unknown)) return fmt::format("the folder '{}' is gone", folder.string());
    std::string now = file_identity(path);
    if (now.empty()) return "the file was deleted or moved meanwhile";
    if (now != identity) return "another file has taken its place meanwhile";
    if (!refused) return error.what();
    if (refused->kind() == DatabaseError::Kind::busy) return "another program is writing to it";
    if (::access(path.c_str(), W_OK) != 0 || ::access(folder.c_str(), W_OK) != 0)
        return errno == EROFS ? "its disk can only be read" : "there is no permission to write it";
    return fmt::format("the disk did not take it ({})", error.what());
}

}  // namespace

Writer::Writer(std::unique_ptr<ProjectFile> file, uint64_t most_waiting, UnwrittenWatch watch)
    : most_waiting_(most_waiting),
      watch_(std::move(watch)),
      file_(std::move(file)),
      identity_(file_identity(file_->path())),
      thread_([this] { work(); }) {}

Writer::~Writer() {
    {
        std::lock_guard lock(guard_);
        ending_ = true;
        retry_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

// Takes the place of the change before it, where that is of the same drag and not on its way yet.
void Writer::join_drag(FileChange& change) {
    auto last = std::find_if(queue_.rbegin(), queue_.rend(),
                             [](const Waiting& waiting) { return !is_disposable(*waiting.change); });
    if (last == queue_.rend() || size_t(queue_.rend() - last) <= in_attempt_ ||
        !is_superseded_by(*last->change, change))
        return;
    const FileChange& earlier = *last->change;
    auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    change.forget_after = earlier.forget_after;
    append(change.kept_canvases, earlier.kept_canvases);
    append(change.dropped_canvases, earlier.dropped_canvases);
    append(change.replaced_rows, earlier.replaced_rows);
    append(change.dead_rows, earlier.dead_rows);
    waiting_bytes_ -= last->bytes;
    queue_.erase(std::next(last).base());
}

bool Writer::is_held(const FileChange& change) const {
    return change.goes_on && change.number > let_go_ && trouble_.empty() && !ending_;
}

void Writer::let_go() {
    {
        std::lock_guard lock(guard_);
        let_go_ = added_;
    }
    changed_.notify_all();
}

int64_t Writer::transactions() const {
    std::lock_guard lock(guard_);
    return transactions_;
}

int64_t Writer::add(FileChange change) {
    std::unique_lock lock(guard_);
    if (!trouble_.empty() && is_disposable(change)) return added_;
    join_drag(change);
    uint64_t bytes = change.bytes();
    // Behind results that are remembered a drag may go on. Whatever else comes, comes after it.
    if (!is_disposable(change) || waiting_bytes_ > most_waiting_) {
        let_go_ = added_;
        changed_.notify_all();
    }
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
    int64_t number = added_;
    bool in_trouble = !trouble_.empty();
    lock.unlock();
    if (in_trouble) tell();
    return number;
}

int64_t Writer::written() const {
    std::lock_guard lock(guard_);
    return written_;
}

std::string Writer::trouble() const {
    std::lock_guard lock(guard_);
    return trouble_;
}

Unwritten Writer::counted() const {
    Unwritten made{0, trouble_};
    int64_t last_entry = 0;
    for (const Waiting& waiting : queue_) {
        const FileChange& change = *waiting.change;
        if (!change.position) continue;
        // What a drag changes again and again is one step.
        int64_t entry = change.entry ? change.entry->id : 0;
        if (entry == 0 || entry != last_entry) made.changes++;
        last_entry = entry;
    }
    return made;
}

Unwritten Writer::unwritten() const {
    std::lock_guard lock(guard_);
    return counted();
}

void Writer::tell() {
    if (watch_) watch_(unwritten());
}

void Writer::discard() {
    std::deque<Waiting> given_up;
    {
        std::unique_lock lock(guard_);
        changed_.wait(lock, [&] { return !attempting_; });
        given_up.swap(queue_);
        waiting_bytes_ = 0;
        written_ = added_;
        trouble_.clear();
    }
    changed_.notify_all();
    tell();
}

// Of a file that cannot be written, what can be made again does not take up the room for what cannot.
void Writer::drop_disposable() {
    for (const Waiting& waiting : queue_)
        if (is_disposable(*waiting.change)) waiting_bytes_ -= waiting.bytes;
    std::erase_if(queue_, [](const Waiting& waiting) { return is_disposable(*waiting.change); });
    if (!queue_.empty()) return;
    written_ = added_;
    trouble_.clear();
}

void Writer::flush() {
    std::unique_lock lock(guard_);
    int64_t wanted = added_;
    let_go_ = added_;
    changed_.notify_all();
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
    identity_ = file_identity(file_->path());
}

void Writer::write(const Changes& changes) {
    std::lock_guard lock(file_guard_);
    try {
        // Into a file without a name, or without its own, everything can be written, and nobody finds it again.
        if (file_identity(file_->path()) != identity_) throw Error("the file is not there any more");
        file_->write(changes);
    } catch (const std::exception& error) {
        throw Error(reason_in_words(error, file_->path(), identity_));
    }
}

void Writer::work() {
    std::unique_lock lock(guard_);
    while (true) {
        if (trouble_.empty()) {
            changed_.wait(lock,
                          [&] { return ending_ || (!queue_.empty() && !is_held(*queue_.front().change)); });
        } else {
            changed_.wait_for(lock, before_trying_again, [&] { return retry_; });
            if (queue_.empty() && !ending_) continue;
        }
        retry_ = false;
        if (queue_.empty()) return;
        Changes changes;
        uint64_t bytes = 0;
        for (const Waiting& next : queue_) {
            if (!changes.empty() && bytes + next.bytes > most_in_transaction) break;
            if (is_held(*next.change)) break;
            bytes += next.bytes;
            changes.push_back(next.change);
        }
        bool last_attempt = ending_;
        attempting_ = true;
        in_attempt_ = changes.size();
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
        in_attempt_ = 0;
        std::string before = std::exchange(trouble_, trouble);
        if (trouble.empty()) {
            transactions_++;
            for (size_t i = 0; i < changes.size(); i++) queue_.pop_front();
            waiting_bytes_ -= bytes;
            // Behind the last one there may have been some that were dropped.
            written_ = queue_.empty() ? added_ : changes.back()->number;
        } else {
            drop_disposable();
        }
        bool other_news = trouble_ != before;
        // Tiles may be held by nobody else: their end takes other locks.
        lock.unlock();
        changes.clear();
        if (other_news) tell();
        lock.lock();
        changed_.notify_all();
        if (!trouble.empty() && last_attempt) return;
    }
}

}  // namespace caprock

// Brings changes to the project file on a thread of its own, in their order, each as a transaction. What cannot be
// written (a full disk) waits and is tried again; nothing is dropped. Of a drag, the last change takes the place of those
// before it, and waits until the drag is over or something else comes.
#pragma once

#include "document/project_file.h"
#include "document/unwritten.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace caprock {

class Writer {
  public:
    // At most so many bytes wait; who adds more, waits too.
    Writer(std::unique_ptr<ProjectFile> file, uint64_t most_waiting, UnwrittenWatch watch = {});
    // Writes what it can.
    ~Writer();

    // Returns the change's number. Throws Error where nothing can be written and too much waits already: the change
    // was not taken then.
    int64_t add(FileChange change);
    // A drag is over: what waits for more of it is written.
    void let_go();
    // All changes up to this number are on disk.
    int64_t written() const;
    int64_t transactions() const;  // that have brought them there
    // Returns when everything that was added is on disk, but for what can be computed again where the disk is full;
    // throws Error with what stands in the way.
    void flush();
    // What stood in the way of the last attempt; empty where nothing did.
    std::string trouble() const;
    // What is only in memory.
    Unwritten unwritten() const;
    // What waits is given up. Nothing may be added any more: the file is not what the document is.
    void discard();

    // The file, between two transactions.
    template <typename Action>
    auto with_file(const Action& action) {
        std::lock_guard lock(file_guard_);
        return action(*file_);
    }
    // Another file takes over, made from this one by `make` while nothing is written to either. What waits goes there.
    void move_to_file(const std::function<std::unique_ptr<ProjectFile>(ProjectFile& from)>& make);

  private:
    using Changes = std::vector<std::shared_ptr<const FileChange>>;
    void work();
    void write(const Changes& changes);
    void drop_disposable();
    void join_drag(FileChange& change);
    bool is_held(const FileChange& change) const;
    Unwritten counted() const;
    void tell();

    mutable std::mutex guard_;
    std::condition_variable changed_;
    struct Waiting {
        std::shared_ptr<const FileChange> change;
        uint64_t bytes = 0;
    };
    std::deque<Waiting> queue_;
    uint64_t waiting_bytes_ = 0;
    uint64_t most_waiting_;
    int64_t added_ = 0;
    int64_t written_ = 0;
    int64_t let_go_ = 0;     // changes up to this number do not wait for the end of a drag
    size_t in_attempt_ = 0;  // of the queue's first ones
    int64_t transactions_ = 0;
    int64_t attempts_ = 0;  // that have ended
    bool attempting_ = false;
    bool retry_ = false;
    bool ending_ = false;
    std::string trouble_;
    UnwrittenWatch watch_;

    std::mutex file_guard_;
    std::unique_ptr<ProjectFile> file_;
    std::string identity_;  // of the file when it was opened
    std::thread thread_;
};

}  // namespace caprock

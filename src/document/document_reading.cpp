// What becomes of results that a document has computed which is only read.
#include "document/document.h"
#include "document/project_tile_store.h"

#include <utility>

namespace caprock {

namespace {

// So many go to the file together.
constexpr uint64_t most_results_bytes = 64 << 20;

}  // namespace

// Simulations that somebody who only looks has computed.
void Document::collect_results() {
    store_->set_keeper([this](const ContentKey& key, std::shared_ptr<const std::string> data) {
        bool many = false;
        {
            std::lock_guard lock(results_guard_);
            results_bytes_ += data->size();
            results_.push_back({key, std::move(data)});
            many = results_bytes_ > most_results_bytes;
        }
        if (!many) return;
        bring_results();
        store_->look_for_results_anew();
    });
}

// As a short transaction: who waits for his turn hardly notices.
void Document::bring_results() {
    FileChange change;
    {
        std::lock_guard lock(results_guard_);
        change.remembered = std::exchange(results_, {});
        results_bytes_ = 0;
    }
    try {
        // A log that the last writer had to leave, because somebody was looking, goes with the last look.
        bool log_left = lost_.empty() && ProjectFile::has_own_log(path_);
        if ((change.remembered.empty() && !log_left) || !in_place()) return;
        std::unique_ptr<ProjectFile> file = ProjectFile::open(path_, ProjectFile::Access::write);
        if (file->identity() != identity_ || !file->content().sound()) return;
        file->trust();
        if (change.remembered.empty()) return;
        file->write(change);
        file->limit_remembered(most_remembered_);
    } catch (const Error&) {
        // Somebody else writes the file, or it may not be written: then they are computed again.
    }
}

}  // namespace caprock

#include "core/workshop.h"

#include "base/error.h"
#include "base/seconds.h"
#include "base/text.h"
#include "compute/devices.h"
#include "core/thread_priority.h"
#include "document/commands.h"
#include "document/rescue.h"
#include "painting/target.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace caprock::editor {

Workshop::Workshop(QObject* parent) : QObject(parent) {
    qRegisterMetaType<DocumentViewPointer>("caprock::editor::DocumentViewPointer");
    context_.tell = [this](const std::string& message) { Q_EMIT told(QString::fromStdString(message)); };
    thread_ = std::thread([this] {
        give_way_to_the_window();
        work();
    });
}

Workshop::~Workshop() {
    end_stroke_before_other_work();
    {
        std::lock_guard lock(guard_);
        ending_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

// ---- asking ------------------------------------------------------------------------------------------------

void Workshop::add(Task task) {
    {
        std::lock_guard lock(guard_);
        bool replaces = !task.drag.empty() && !tasks_.empty() && tasks_.back().drag == task.drag;
        if (replaces)
            tasks_.back() = std::move(task);
        else
            tasks_.push_back(std::move(task));
    }
    wake_.notify_all();
}

void Workshop::end_stroke_before_other_work() {
    if (stroking_) finish_stroke();
}

void Workshop::create(const QString& path, Make make) {
    end_stroke_before_other_work();
    add({tr("Making a new document"), [this, path = path.toStdString(), make = std::move(make)] {
             if (std::filesystem::exists(path)) throw Error("'" + path + "': it is already there");
             require_written();
             std::unique_ptr<Document> made;
             try {
                 made = make(path, options(), context_);
             } catch (...) {
                 std::error_code ignored;
                 for (const char* ending : {"", "-wal", "-shm"})
                     std::filesystem::remove(path + ending, ignored);
                 throw;
             }
             take_document(std::move(made));
             publish(true, false);
         }});
}

void Workshop::create(const QString& path, const Grid& grid) {
    create(path, [grid](const std::string& at, const DocumentOptions& options, RunContext&) {
        return Document::create(at, grid, options);
    });
}

void Workshop::open(const QString& path) {
    end_stroke_before_other_work();
    add({tr("Opening"), [this, path = path.toStdString()] {
             require_written();
             std::unique_ptr<Document> opened;
             try {
                 opened = Document::open(path, options());
             } catch (const Error& error) {
                 // Somebody else writes it: it can be looked at.
                 DocumentOptions reading = options();
                 reading.read_only = true;
                 try {
                     opened = Document::open(path, reading);
                 } catch (const DatabaseError& nothing) {
                     if (nothing.kind() != DatabaseError::Kind::damaged) throw error;
                     Q_EMIT damaged(QString::fromStdString(path), QString::fromStdString(nothing.what()));
                     return;
                 } catch (const Error&) {
                     throw error;
                 }
                 Q_EMIT told(QString::fromStdString(error.what()) + tr("\nIt is open for reading only."));
             }
             take_document(std::move(opened));
             publish(true, false);
             if (!document_->lost().empty())
                 Q_EMIT damaged(QString::fromStdString(path),
                                QString::fromStdString(listed(document_->lost())));
         }});
}

void Workshop::rescue(const QString& damaged, const QString& to) {
    end_stroke_before_other_work();
    add({tr("Rescuing"), [this, from = damaged.toStdString(), to = to.toStdString()] {
             require_written();
             RescueReport report = rescue_project(from, to, {}, context_.progress);
             std::string lost = listed(report.lost);
             Q_EMIT told(lost.empty() ? tr("Everything was rescued.")
                                      : tr("Rescued; lost: %1").arg(QString::fromStdString(lost)));
             take_document(Document::open(to, options()));
             publish(true, false);
         }});
}

void Workshop::close() {
    end_stroke_before_other_work();
    add({tr("Closing"), [this] {
             require_written();
             take_document(nullptr);
             Q_EMIT closed();
         }});
}

void Workshop::write_all() {
    end_stroke_before_other_work();
    add({{}, [this] {
             QString trouble;
             qint64 changes = 0;
             try {
                 if (document_) document_->flush();
             } catch (const Error&) {
                 Unwritten left = document_->unwritten();
                 trouble = QString::fromStdString(left.trouble);
                 changes = left.changes;
             }
             Q_EMIT wrote(changes > 0 ? trouble : QString(), changes);
         }});
}

void Workshop::discard() {
    end_stroke_before_other_work();
    add({{}, [this] {
             if (document_) document_->discard_unwritten();
             take_document(nullptr);
             Q_EMIT closed();
         }});
}

void Workshop::change(const QString& title, Command command, const QString& drag) {
    end_stroke_before_other_work();
    add({title,
         [this, command = std::move(command), dragging = !drag.isEmpty()] {
             if (!document_) return;
             command(*document_, context_);
             publish(false, dragging);
         },
         drag.toStdString()});
}

void Workshop::seal() {
    add({{}, [this] {
             if (!document_) return;
             document_->seal();
             publish(false, false);
         }});
}

void Workshop::undo() {
    end_stroke_before_other_work();
    steps_asked_++;
    add({tr("Undo"), [this] {
             steps_done_++;
             if (!document_) return;
             // Told in any case: the window waits for it.
             document_->undo();
             publish(false, false);
         }});
}

void Workshop::redo() {
    end_stroke_before_other_work();
    steps_asked_++;
    add({tr("Redo"), [this] {
             steps_done_++;
             if (!document_) return;
             // Told in any case: the window waits for it.
             document_->redo();
             publish(false, false);
         }});
}

void Workshop::go_to(int64_t position) {
    end_stroke_before_other_work();
    add({tr("Going through the history"), [this, position] {
             if (!document_) return;
             bool moved = false;
             auto goes_on = [&](bool step) {
                 moved = moved || step;
                 return step && !context_.progress->cancelled();
             };
             try {
                 while (document_->position() > position && goes_on(document_->undo())) {
                 }
                 while (document_->position() < position && goes_on(document_->redo())) {
                 }
             } catch (...) {
                 publish(false, false);
                 throw;
             }
             if (moved) publish(false, false);
         }});
}

void Workshop::begin_stroke(StrokeStart start) {
    end_stroke_before_other_work();
    stroking_ = true;
    {
        std::lock_guard lock(guard_);
        samples_.clear();
    }
    add({tr("Painting"), [this, start = std::move(start)]() mutable {
             stroke_.reset();
             if (!document_) return;
             PaintTarget target = start.target ? *start.target : target_for(*document_, start.brush);
             // A layer that comes with the stroke is there when it is finished.
             new_layer_ = target.prepare ? target.layer : 0;
             if (!new_layer_) Q_EMIT painting_on(target.layer, target.mask);
             stroke_title_ = start.brush.title;
             stroke_ = std::make_unique<LiveStroke>(*document_, target, std::move(start.brush), start.seed,
                                                    context_);
         }});
}

void Workshop::extend_stroke(const PenSample& sample) {
    if (!stroking_) return;
    {
        std::lock_guard lock(guard_);
        if (samples_.empty()) sample_time_ = seconds_now();
        samples_.push_back(sample);
        if (!tasks_.empty() && tasks_.back().stroke) return;
        tasks_.push_back({tr("Painting"), [this] { take_samples(); }, {}, true});
    }
    wake_.notify_all();
}

void Workshop::finish_stroke() {
    if (!stroking_) return;
    stroking_ = false;
    add({tr("Painting"), [this] {
             std::unique_ptr<LiveStroke> stroke = std::move(stroke_);
             if (!stroke) return;
             stroke->finish(stroke_title_);
             publish(false, false);
             if (int made = std::exchange(new_layer_, 0); made && find_layer(document_->state().layers, made))
                 Q_EMIT painting_on(made, false);
         }});
}

void Workshop::cancel_stroke() {
    if (!stroking_) return;
    stroking_ = false;
    add({tr("Painting"), [this] {
             if (!stroke_) return;
             stroke_->cancel();
             stroke_.reset();
             publish(false, false);
         }});
}

void Workshop::set_device(const std::string& word) {
    std::lock_guard lock(guard_);
    device_word_ = word;
}

void Workshop::cancel() {
    std::lock_guard lock(guard_);
    if (progress_) progress_->cancel();
}

bool Workshop::busy() const {
    std::lock_guard lock(guard_);
    return running_ || !tasks_.empty();
}

void Workshop::wait() {
    std::unique_lock lock(guard_);
    wake_.wait(lock, [this] { return !running_ && tasks_.empty(); });
}

// ---- doing -------------------------------------------------------------------------------------------------

void Workshop::work() {
    std::unique_lock lock(guard_);
    for (;;) {
        running_ = false;
        wake_.notify_all();
        wake_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
        if (tasks_.empty()) break;
        Task task = std::move(tasks_.front());
        tasks_.pop_front();
        running_ = true;
        bool shows = !task.title.isEmpty() && !task.stroke;
        progress_ = std::make_shared<Progress>([this, shows, title = task.title](double share) {
            if (shows) Q_EMIT working(title, share);
        });
        std::shared_ptr<Progress> progress = progress_;
        context_.progress = progress.get();
        lock.unlock();
        try {
            renew_device();
            task.run();
        } catch (const Cancelled&) {
            Q_EMIT told(tr("%1: cancelled").arg(task.title));
        } catch (const std::exception& error) {
            // A stroke that cannot go on is no stroke; the document is as it was before it.
            if (stroke_ && task.stroke) stroke_->cancel();
            stroke_.reset();
            Q_EMIT failed(QString::fromUtf8(error.what()));
        }
        if (shows) Q_EMIT rested();
        lock.lock();
        progress_.reset();
    }
    lock.unlock();
    stroke_.reset();
    try {
        if (document_ && !document_->read_only()) document_->save();
    } catch (const std::exception&) {
        // Everything that could be written is in the log beside the file, and is found when it is opened again.
    }
    document_.reset();
}

void Workshop::renew_device() {
    std::string word;
    {
        std::lock_guard lock(guard_);
        word = device_word_;
    }
    if (context_.device && device_made_ == word) return;
    // A stroke keeps the device it was begun on.
    if (stroke_) return;
    context_.device = choose_device(word, 0, int64_t(4096) * 4096);
    device_made_ = word;
}

DocumentOptions Workshop::options() {
    DocumentOptions made;
    made.memory = memory_;
    made.tell = context_.tell;
    made.watch = [this](const Unwritten& now) {
        Q_EMIT unwritten(QString::fromStdString(now.trouble), now.changes);
    };
    return made;
}

void Workshop::require_written() {
    if (!document_) return;
    try {
        document_->flush();
    } catch (const Error& error) {
        if (document_->unwritten().changes == 0) return;
        throw Error(std::string(error.what()) +
                    "; the document stays open, since its last changes are only in memory");
    }
}

void Workshop::take_document(std::unique_ptr<Document> document) {
    stroke_.reset();
    document_ = std::move(document);
    // Of the one before nothing waits any more; this one may have been made where there is no room.
    Unwritten now = document_ ? document_->unwritten() : Unwritten{};
    Q_EMIT unwritten(QString::fromStdString(now.trouble), now.changes);
}

void Workshop::take_samples() {
    std::vector<PenSample> samples;
    double since;
    {
        std::lock_guard lock(guard_);
        samples.swap(samples_);
        since = sample_time_;
    }
    if (!stroke_ || samples.empty()) return;
    if (stroke_->extend(samples).empty()) return;
    Snapshot preview = stroke_->preview();
    Q_EMIT stroked(seconds_now() - since);
    if (compose) compose(preview, false, true);
}

void Workshop::publish(bool opened, bool dragging) {
    auto view = std::make_shared<DocumentView>();
    view->snapshot = document_->snapshot();
    view->path = document_->path();
    view->read_only = document_->read_only();
    view->lost = document_->lost();
    view->position = document_->position();
    view->dragging = dragging;
    view->opened = opened;
    view->steps_done = steps_done_;
    // Lines up to where the history stood last cannot have changed, but for the last of them, which a drag may have.
    int64_t known = opened ? 0 : std::max<int64_t>(std::min(last_position_, view->position) - 1, 0);
    lines_.resize(size_t(std::min<int64_t>(known, document_->entries())));
    for (int64_t id = int64_t(lines_.size()) + 1; id <= document_->entries(); id++)
        lines_.push_back(document_->history_line(id));
    last_position_ = view->position;
    view->history = lines_;
    // In this order: the window knows of a document before the first cells of it come.
    Q_EMIT changed(view);
    if (compose) compose(view->snapshot, dragging, false);
}

}  // namespace caprock::editor

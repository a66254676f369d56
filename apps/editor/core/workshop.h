// The document, and the one thread that may change it. The window asks for things and goes on; when something has become of
// them, it is told. What was asked for happens in the order in which it was asked for.
#pragma once

#include "document/document.h"
#include "operation/run_context.h"
#include "painting/brush.h"
#include "painting/live_stroke.h"
#include "painting/surface.h"

#include <QObject>
#include <QString>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace caprock::editor {

// What the window knows of the document, all of one moment.
struct DocumentView {
    Snapshot snapshot;
    std::string path;
    bool read_only = false;
    std::vector<std::string> lost;  // what damage has taken
    int64_t position = 0;           // in the history: so many of its entries are in effect
    std::vector<HistoryLine> history;
    bool dragging = false;   // the last change is one of a drag that goes on
    bool opened = false;     // another document than before
    int64_t steps_done = 0;  // of undo and redo, since the workshop was opened

    const DocumentState& state() const { return *snapshot.state; }
};
using DocumentViewPointer = std::shared_ptr<const DocumentView>;

struct StrokeStart {
    Brush brush;
    std::optional<PaintTarget> target;  // none: the uppermost layer that can be painted on, or a new one
    uint32_t seed = 1;
};

class Workshop : public QObject {
    Q_OBJECT

  public:
    explicit Workshop(QObject* parent = nullptr);
    // Everything that was asked for is done first, and the file complete.
    ~Workshop() override;

    // ---- documents ----
    // A new one, as `make` makes it; where that fails, nothing is left at the path.
    using Make = std::function<std::unique_ptr<Document>(
        const std::string& path, const DocumentOptions& options, RunContext& context)>;
    void create(const QString& path, Make make);
    void create(const QString& path, const Grid& grid);
    void open(const QString& path);
    // Makes a sound project of what is left of a damaged one, and opens it.
    void rescue(const QString& damaged, const QString& to);
    // None of these lets go of a document of which something could not be written: they fail, and it stays.
    void close();
    // Tries to write all that is only in memory; wrote() tells what became of it.
    void write_all();
    // Closes the document without what could not be written.
    void discard();

    // ---- commands ----
    // `title` is shown while it takes long. Of several with the same `drag` that wait, only the last is carried out: each
    // of them says how things shall be, not by how much they change.
    using Command = std::function<void(Document& document, RunContext& context)>;
    void change(const QString& title, Command command, const QString& drag = {});
    void seal();  // the drag is over
    void undo();
    void redo();
    // How often the window has asked for undo or redo; DocumentView::steps_done is how much of that it shows.
    int64_t steps_asked() const { return steps_asked_; }
    void go_to(int64_t position);

    // ---- strokes ----
    void begin_stroke(StrokeStart start);
    void extend_stroke(const PenSample& sample);
    void finish_stroke();
    void cancel_stroke();
    bool stroking() const { return stroking_; }  // as the window sees it

    void set_device(const std::string& word);
    // Bytes for the tiles of documents that are opened from now on; 0: as suits the machine.
    void set_memory(uint64_t bytes) { memory_ = bytes; }
    // Stops what is being done, as if it had not been asked for.
    void cancel();
    bool busy() const;
    void wait();  // until all is done that was asked for; for tests and for the end

    // Called on the workshop's thread whenever there is something new to be composed.
    std::function<void(const Snapshot& snapshot, bool dragging, bool stroke)> compose;

  Q_SIGNALS:
    void changed(caprock::editor::DocumentViewPointer view);
    void closed();
    // Writing fails, or works again and `trouble` is empty; `changes` are only in memory.
    void unwritten(const QString& trouble, qint64 changes);
    // The answer to write_all(): what stood in the way, or nothing.
    void wrote(const QString& trouble, qint64 changes);
    void working(const QString& title, double share);
    void rested();
    void failed(const QString& message);
    void told(const QString& message);
    // A file that was opened, or was to be: what is lost, in words.
    void damaged(const QString& path, const QString& lost);
    void painting_on(int layer, bool mask);
    // Seconds from the newest sample's arrival to tiles that are ready to be composed.
    void stroked(double seconds);

  private:
    struct Task {
        QString title;
        std::function<void()> run;
        std::string drag = {};
        bool stroke = false;  // one that has pen samples waiting
    };
    void add(Task task);
    void end_stroke_before_other_work();
    void work();
    void publish(bool opened, bool dragging);
    void take_samples();
    void renew_device();
    DocumentOptions options();
    void require_written();
    void take_document(std::unique_ptr<Document> document);

    mutable std::mutex guard_;
    std::condition_variable wake_;
    std::deque<Task> tasks_;
    std::vector<PenSample> samples_;
    double sample_time_ = 0;
    bool running_ = false;
    bool ending_ = false;
    std::shared_ptr<Progress> progress_;
    std::string device_word_ = "auto";
    std::atomic<uint64_t> memory_ = 0;
    bool stroking_ = false;  // of the window's thread
    int64_t steps_asked_ = 0;

    // Of the thread alone.
    std::unique_ptr<Document> document_;
    std::unique_ptr<LiveStroke> stroke_;
    int new_layer_ = 0;  // that comes with it
    std::string stroke_title_;
    RunContext context_;
    std::string device_made_;
    std::vector<HistoryLine> lines_;  // of the history, as they were published last
    int64_t last_position_ = 0;
    int64_t steps_done_ = 0;
    std::thread thread_;
};

}  // namespace caprock::editor

Q_DECLARE_METATYPE(caprock::editor::DocumentViewPointer)

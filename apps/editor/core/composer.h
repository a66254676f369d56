// Computes what the document looks like, on a thread of its own: what has changed, what is near first, and roughly before
// exactly where all of it takes long.
#pragma once

#include "document/evaluator.h"
#include "document/plan.h"

#include <QImage>
#include <QObject>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace caprock::editor {

// Cells for the board.
struct Composed {
    Grid grid;
    Rect window;  // of the grid, what is shown
    int level = 0;
    bool coarse = false;    // a rough whole, until all is there
    bool fresh = false;     // what was there before is of another grid or has other fields
    bool complete = false;  // nothing of the document's newest state is still to come
    std::vector<std::string> fields;
    std::vector<Terrain> parts;
};
using ComposedPointer = std::shared_ptr<const Composed>;

class Composer : public QObject {
    Q_OBJECT

  public:
    // How soon the next state may be expected.
    enum class Hurry { none, drag, stroke };

    explicit Composer(QObject* parent = nullptr);
    ~Composer() override;

    // From any thread; what was asked for before is left where it stands.
    void show(const Snapshot& snapshot, Hurry hurry);
    void clear();
    // The place that is looked at, metres: tiles near it come first.
    void look_at(double x, double y);
    // For the next state: a word that choose_device() takes.
    void set_device(const std::string& word);
    // Stops what is being computed. The board stays as it is.
    void cancel();
    // Thumbnails are made again where they have changed.
    void set_thumbnails(bool wanted);
    // The window has put a piece on the board.
    void taken();

    bool busy() const;
    // Until nothing is left to do, for tests.
    void wait();

  Q_SIGNALS:
    void composed(caprock::editor::ComposedPointer piece);
    void working(const QString& title, double share);
    void rested();
    void failed(const QString& message);
    void told(const QString& message);
    // Layers without effect, and why.
    void problems(const QStringList& problems);
    void thumbnail(int layer, const QImage& content, const QImage& mask);

  private:
    struct Request {
        Snapshot snapshot;
        Hurry hurry = Hurry::none;
    };
    void work();
    void compose(const Request& request);
    bool must_simulate(const Plan& plan) const;
    bool rough(const Request& request, const Plan& plan);
    void finely(const Request& request, const std::shared_ptr<const Plan>& plan, bool fresh);
    bool superseded();
    void deliver(std::shared_ptr<Composed> piece);
    void make_thumbnails(const Snapshot& snapshot);

    mutable std::mutex guard_;
    std::condition_variable changed_;
    std::optional<Request> next_;
    std::optional<Snapshot> pictured_;  // whose thumbnails are wanted
    bool clearing_ = false;
    bool running_ = false;
    bool ending_ = false;
    Hurry running_hurry_ = Hurry::none;
    double running_since_ = 0;
    std::shared_ptr<Progress> progress_;
    int outstanding_ = 0;  // pieces that the window has not taken yet
    double look_x_ = 0, look_y_ = 0;
    std::string device_word_ = "auto";
    bool thumbnails_ = true;

    // Of the thread alone.
    RunContext context_;
    std::string device_made_;
    std::unique_ptr<Evaluator> evaluator_;
    QString title_;
    std::shared_ptr<const Plan> shown_;
    std::shared_ptr<const Plan> completed_;  // the last one of which everything was shown
    std::set<TileIndex> pending_;            // tiles of the board that are older than `shown_`
    double last_drag_seconds_ = 0;           // that the last state of a drag took in full
    std::map<int, std::pair<ContentKey, ContentKey>> pictures_;  // what thumbnails show
    std::thread thread_;
};

}  // namespace caprock::editor

Q_DECLARE_METATYPE(caprock::editor::ComposedPointer)

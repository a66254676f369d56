// Follows a document as it changes: computes what it looks like, on a thread of its own. What has changed, what is near first,
// and roughly before exactly where all of it takes long. Editors, links to engines and other programs that show a document are
// told of the cells as they come.
#pragma once

#include "document/plan.h"
#include "graph/evaluator.h"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace caprock {

// Cells that have changed.
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

// The level at which the longer side of a window has no more cells than that.
int level_for(const Rect& window, int most_cells);

class Follower {
  public:
    // How soon the next state may be expected.
    enum class Hurry { none, drag, stroke };

    // Who is told of it, on the follower's thread and with no lock held. What is empty is not told.
    struct Listener {
        std::function<void()> began;  // the thread, before anything else
        // Each piece counts as on its way until taken() is called.
        std::function<void(ComposedPointer)> composed;
        // All line sets there are, the document's own first, whenever they are others. Those that layers make come when the cells
        // of that state have been told of, and not while something newer is expected.
        std::function<void(const NamedLines& lines)> lines;
        std::function<void(const std::string& title, double share)> working;
        std::function<void()> rested;
        std::function<void()> cleared;  // what was told of before counts no longer
        std::function<void(const std::string& message)> failed;
        std::function<void(const std::string& message)> told;
        // Layers without effect, and why.
        std::function<void(const std::vector<std::string>& problems)> problems;
        // All of this state has been told of, and nothing else is to be done: for what can wait. It is to stop once the follower
        // is superseded, by throwing Cancelled.
        std::function<void(const Snapshot& snapshot, Evaluator& evaluator)> at_rest;
    };
    struct Options {
        // Cells along the longer side. More than this are shown by every second one, every fourth, and so on; and so is what
        // would take more than so many bytes.
        int most_cells = 8192 + 256;
        uint64_t most_bytes = UINT64_MAX;
        std::string title = "Composing";  // of work that has no name of its own
    };

    Follower(Listener listener, Options options);
    ~Follower();
    Follower(const Follower&) = delete;
    Follower& operator=(const Follower&) = delete;

    // From any thread; what was asked for before is left where it stands.
    void show(const Snapshot& snapshot, Hurry hurry);
    void clear();
    // The place that is looked at, metres: tiles near it come first.
    void look_at(double x, double y);
    // For the next state: a word that choose_device() takes.
    void set_device(const std::string& word);
    // Stops what is being computed. What was told of stays as it is.
    void cancel();
    // What is being computed waits, until it is told to go on or something newer is shown.
    void pause(bool paused);
    bool paused() const;
    // The simulation that is being computed, and how many steps it has taken; none while it is shown roughly first.
    struct Simulating {
        int layer = 0;
        std::string operation;
        int steps = 0;
    };
    std::optional<Simulating> simulating() const;
    // Whether at_rest is called.
    void set_at_rest(bool wanted);
    // A piece has arrived.
    void taken();

    bool busy() const;
    // Whether something newer waits for what is being done.
    bool superseded() const;
    // Until nothing is left to do, for tests.
    void wait();

  private:
    struct Request {
        Snapshot snapshot;
        Hurry hurry = Hurry::none;
    };
    void work();
    void begin_evaluator(const std::string& device);
    void compose(const Request& request);
    bool must_simulate(const Plan& plan) const;
    bool rough(const Request& request, const Plan& plan);
    void finely(const Request& request, const std::shared_ptr<const Plan>& plan, bool fresh);
    void deliver(std::shared_ptr<Composed> piece);
    // `made`: also those that layers make, as they are now; otherwise as they were told of before.
    void tell_lines(const Plan& plan, bool made);
    int level_of(const Rect& window) const;

    const Listener listener_;
    const Options options_;
    mutable std::mutex guard_;
    std::condition_variable changed_;
    std::optional<Request> next_;
    std::optional<Snapshot> composed_;  // all of which has been told of
    bool clearing_ = false;
    bool running_ = false;
    bool ending_ = false;
    Hurry running_hurry_ = Hurry::none;
    double running_since_ = 0;
    std::shared_ptr<Progress> progress_;
    std::optional<Simulating> simulating_;
    int outstanding_ = 0;  // pieces that have not been taken yet
    double look_x_ = 0, look_y_ = 0;
    std::string device_word_ = "auto";
    bool at_rest_ = true;

    // Of the thread alone.
    RunContext context_;
    std::string device_made_;
    std::unique_ptr<Evaluator> evaluator_;
    std::string title_;
    bool roughly_ = false;
    std::shared_ptr<const Plan> shown_;
    std::shared_ptr<const Plan> completed_;  // the last one of which everything was told
    NamedLines lines_;                       // that were told of last
    std::set<TileIndex> pending_;            // tiles that were told of before `shown_`
    double last_drag_seconds_ = 0;           // that the last state of a drag took in full
    std::thread thread_;
};

}  // namespace caprock

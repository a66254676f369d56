#include "document/follower.h"

#include "base/error.h"
#include "base/seconds.h"
#include "compute/devices.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

namespace caprock {

namespace {

// Several fields of four bytes, with the levels and ranges that views make of them.
constexpr uint64_t bytes_of_cell = 40;
constexpr int most_rough_cells = 512;
// More tiles than this at once are shown roughly first, and so is what takes longer than a glance.
constexpr size_t many_tiles = 48;
constexpr double glance_seconds = 0.25;
// What is computed in one piece, as a power of two of tiles each way. Under a brush a window has frames to draw between
// two pieces.
constexpr int block_power = 2;
constexpr int stroke_block_power = 1;
// Pieces on their way. Without a limit a quick thread would fill the queue of a slow window.
constexpr int most_outstanding = 3;

bool same_shape(const Plan& one, const Plan& other) {
    return one.grid() == other.grid() && one.window() == other.window() && one.level() == other.level() &&
           one.fields() == other.fields();
}

// Of what takes long: simulations, and what sees everything.
std::set<ContentKey> long_keys(const Plan& plan, const std::set<TileIndex>& tiles) {
    std::set<ContentKey> keys;
    for (int node : plan.nodes_under(plan.top())) {
        const Node& by = plan.node(node);
        if (by.kind != Node::Kind::operation || (!by.simulates && by.halo)) continue;
        for (const std::string& field : by.makes)
            for (const TileIndex& tile : tiles) keys.insert(plan.key({node, field}, tile));
    }
    return keys;
}

}  // namespace

int level_for(const Rect& window, int most_cells) {
    int level = 0;
    while ((std::max(window.width(), window.height()) >> level) > most_cells) level++;
    return level;
}

Follower::Follower(Listener listener, Options options)
    : listener_(std::move(listener)), options_(std::move(options)) {
    context_.tell = listener_.told;
    thread_ = std::thread([this] {
        if (listener_.began) listener_.began();
        work();
    });
}

Follower::~Follower() {
    {
        std::lock_guard lock(guard_);
        ending_ = true;
        if (progress_) progress_->cancel();
    }
    changed_.notify_all();
    thread_.join();
}

void Follower::show(const Snapshot& snapshot, Hurry hurry) {
    {
        std::lock_guard lock(guard_);
        next_ = Request{snapshot, hurry};
        clearing_ = false;
        // Strokes and drags come faster than they are computed: what is nearly done is worth showing.
        bool worth_waiting =
            running_hurry_ != Hurry::none && seconds_now() - running_since_ < 2 * glance_seconds;
        if (progress_ && (!worth_waiting || progress_->paused())) progress_->cancel();
    }
    changed_.notify_all();
}

void Follower::clear() {
    {
        std::lock_guard lock(guard_);
        next_.reset();
        composed_.reset();
        clearing_ = true;
        if (progress_) progress_->cancel();
    }
    changed_.notify_all();
}

void Follower::look_at(double x, double y) {
    std::lock_guard lock(guard_);
    look_x_ = x;
    look_y_ = y;
}

void Follower::set_device(const std::string& word) {
    std::lock_guard lock(guard_);
    device_word_ = word;
}

void Follower::cancel() {
    std::lock_guard lock(guard_);
    next_.reset();
    composed_.reset();
    if (progress_) progress_->cancel();
}

void Follower::pause(bool paused) {
    std::lock_guard lock(guard_);
    if (progress_) progress_->pause(paused);
}

bool Follower::paused() const {
    std::lock_guard lock(guard_);
    return progress_ && progress_->paused();
}

std::optional<Follower::Simulating> Follower::simulating() const {
    std::lock_guard lock(guard_);
    return simulating_;
}

void Follower::set_at_rest(bool wanted) {
    std::lock_guard lock(guard_);
    at_rest_ = wanted;
}

void Follower::taken() {
    {
        std::lock_guard lock(guard_);
        outstanding_--;
    }
    changed_.notify_all();
}

bool Follower::busy() const {
    std::lock_guard lock(guard_);
    return running_ || next_ || clearing_ || (composed_ && at_rest_) || outstanding_ > 0;
}

void Follower::wait() {
    std::unique_lock lock(guard_);
    changed_.wait(lock, [this] { return !running_ && !next_ && !clearing_ && !(composed_ && at_rest_); });
}

bool Follower::superseded() const {
    std::lock_guard lock(guard_);
    return next_ || clearing_ || ending_;
}

int Follower::level_of(const Rect& window) const {
    int level = level_for(window, options_.most_cells);
    while ((uint64_t(window.cells()) >> (2 * level)) * bytes_of_cell > options_.most_bytes) level++;
    return level;
}

void Follower::begin_evaluator(const std::string& device) {
    if (device_made_ != device || !context_.device) {
        context_.device = choose_device(device, 0, int64_t(options_.most_cells) * options_.most_cells);
        device_made_ = device;
        evaluator_.reset();
    }
    if (evaluator_) return;
    evaluator_ = std::make_unique<Evaluator>(context_);
    context_.stepped = [this](int steps) {
        std::lock_guard lock(guard_);
        const Node* node = evaluator_->simulating();
        if (!roughly_ && node) simulating_ = {node->owner, std::string(node->operation->name()), steps};
    };
    evaluator_->before = [this](const std::string& title) {
        title_ = title;
        if (listener_.working) listener_.working(title_, 0);
    };
}

void Follower::work() {
    std::unique_lock lock(guard_);
    for (;;) {
        running_ = false;
        progress_.reset();
        simulating_.reset();
        changed_.notify_all();
        changed_.wait(lock, [this] { return ending_ || next_ || clearing_ || (composed_ && at_rest_); });
        if (ending_) return;
        running_ = true;
        if (clearing_) {
            clearing_ = false;
            lock.unlock();
            shown_.reset();
            completed_.reset();
            pending_.clear();
            lines_.clear();
            evaluator_.reset();
            if (listener_.cleared) listener_.cleared();
            lock.lock();
            continue;
        }
        progress_ = std::make_shared<Progress>([this](double share) {
            if (listener_.working) listener_.working(title_, std::min(share, 0.999));
        });
        std::shared_ptr<Progress> progress = progress_;
        context_.progress = progress.get();
        running_since_ = seconds_now();
        title_ = options_.title;
        const bool rests = !next_;
        const Request request = rests ? Request{*composed_, Hurry::none} : *next_;
        (rests ? composed_.reset() : next_.reset());
        running_hurry_ = request.hurry;
        const std::string device = device_word_;
        lock.unlock();
        bool done = false;
        try {
            begin_evaluator(device);
            if (rests) {
                if (listener_.at_rest) listener_.at_rest(request.snapshot, *evaluator_);
            } else {
                compose(request);
                done = true;
            }
        } catch (const Cancelled&) {
            // By a newer state, or by the user, who is told by whoever asked for it.
        } catch (const std::exception& error) {
            // What can wait has told of its own trouble.
            if (!rests && listener_.failed) listener_.failed(error.what());
        }
        if (listener_.rested) listener_.rested();
        lock.lock();
        if (done && !next_ && request.hurry == Hurry::none && pending_.empty()) composed_ = request.snapshot;
    }
}

void Follower::compose(const Request& request) {
    const Rect& window = request.snapshot.state->window;
    auto plan = std::make_shared<const Plan>(request.snapshot, level_of(window));
    if (listener_.problems) listener_.problems(plan->problems());
    tell_lines(*plan, false);

    bool fresh = !shown_ || !same_shape(*shown_, *plan);
    if (fresh) {
        pending_.clear();
        for (const TileIndex& tile : tiles_over(plan->window())) pending_.insert(tile);
    } else {
        for (const std::string& field : plan->fields())
            for (const TileIndex& tile : changed_tiles(*shown_, *plan, field))
                if (!tile.rect().intersected(plan->window()).empty()) pending_.insert(tile);
    }
    shown_ = plan;
    // What a stroke changes comes piece by piece anyway, near the pen first. One state of a drag takes as long as the one
    // before it.
    bool much =
        pending_.size() > many_tiles || (request.hurry == Hurry::drag && last_drag_seconds_ > glance_seconds);
    bool long_work = (much && request.hurry != Hurry::stroke) || must_simulate(*plan);
    double since = seconds_now();
    try {
        bool showed_rough = long_work && rough(request, *plan);
        // While a hand is still on the slider, the next state comes before this one would be done.
        if (showed_rough && request.hurry == Hurry::drag) {
            std::unique_lock lock(guard_);
            if (changed_.wait_for(lock, std::chrono::milliseconds(150),
                                  [this] { return next_ || clearing_ || ending_; })) {
                if (fresh) shown_.reset();
                return;
            }
        }
        since = seconds_now();
        finely(request, plan, fresh);
    } catch (...) {
        if (request.hurry == Hurry::drag)
            last_drag_seconds_ = std::max(last_drag_seconds_, seconds_now() - since);
        // The board has not been told of the new shape, or not of all of it: what comes next tells it. This holds wherever
        // the work was stopped, or the next state would be written into a sheet that lacks fields of it.
        if (fresh) shown_.reset();
        throw;
    }
    if (!pending_.empty()) return;
    if (request.hurry == Hurry::drag) last_drag_seconds_ = seconds_now() - since;
    completed_ = plan;
    if (request.hurry == Hurry::none) tell_lines(*plan, true);
}

void Follower::tell_lines(const Plan& plan, bool made) {
    if (!listener_.lines) return;
    NamedLines all;
    for (const std::string& name : plan.top().line_names()) {
        const LinesFrom& from = *plan.top().find_lines(name);
        if (from.node < 0) {
            all.emplace_back(name, from.content.lines);
        } else if (made) {
            all.emplace_back(name, evaluator_->lines(plan, plan.top(), name));
        } else if (auto before = std::ranges::find(lines_, name, &NamedLines::value_type::first);
                   before != lines_.end()) {
            all.push_back(*before);
        }
    }
    if (all == lines_) return;
    lines_ = std::move(all);
    listener_.lines(lines_);
}

// Not where the last state that was computed to its end had the same.
bool Follower::must_simulate(const Plan& plan) const {
    std::set<ContentKey> wanted = long_keys(plan, pending_);
    if (wanted.empty() || !completed_ || !same_shape(*completed_, plan)) return !wanted.empty();
    return !std::ranges::includes(long_keys(*completed_, pending_), wanted);
}

bool Follower::rough(const Request& request, const Plan& plan) {
    int level = level_for(request.snapshot.state->window, most_rough_cells);
    if (level <= plan.level()) return false;
    Plan coarse(request.snapshot, level);
    auto piece = std::make_shared<Composed>();
    piece->grid = coarse.grid();
    piece->window = coarse.window();
    piece->level = level;
    piece->coarse = true;
    piece->fields = coarse.fields();
    roughly_ = true;
    try {
        piece->parts.push_back(evaluator_->evaluate(coarse, coarse.window()));
    } catch (...) {
        roughly_ = false;
        throw;
    }
    roughly_ = false;
    deliver(std::move(piece));
    return true;
}

void Follower::finely(const Request& request, const std::shared_ptr<const Plan>& plan, bool fresh) {
    int power = request.hurry == Hurry::stroke ? stroke_block_power : block_power;
    double look_x, look_y;
    {
        std::lock_guard lock(guard_);
        look_x = look_x_ / plan->grid().cell / (tile_side << power);
        look_y = look_y_ / plan->grid().cell / (tile_side << power);
    }
    std::map<TileIndex, Rect> blocks;
    for (const TileIndex& tile : pending_) {
        TileIndex block = {tile.x >> power, tile.y >> power};
        Rect& region = blocks[block];
        region = region.united(tile.rect().intersected(plan->window()));
    }
    std::vector<std::pair<double, TileIndex>> order;
    for (const auto& [block, region] : blocks)
        order.emplace_back(std::hypot(block.x + 0.5 - look_x, block.y + 0.5 - look_y), block);
    std::ranges::sort(order);

    auto piece_of = [&](bool complete) {
        auto piece = std::make_shared<Composed>();
        piece->grid = plan->grid();
        piece->window = plan->window();
        piece->level = plan->level();
        piece->fields = plan->fields();
        piece->fresh = fresh;
        piece->complete = complete;
        return piece;
    };
    if (order.empty()) {
        // Nothing to be seen of the change; what was rough may be exact again.
        deliver(piece_of(true));
        return;
    }
    for (size_t i = 0; i < order.size(); i++) {
        const Rect& region = blocks[order[i].second];
        Terrain part = evaluator_->evaluate(*plan, region);
        auto piece = piece_of(i + 1 == order.size());
        piece->parts.push_back(std::move(part));
        deliver(std::move(piece));
        fresh = false;
        std::erase_if(pending_,
                      [&](const TileIndex& tile) { return !tile.rect().intersected(region).empty(); });
        if (i + 1 < order.size() && superseded()) {
            // A stroke goes on from here: what is left is added to what it changes.
            if (request.hurry == Hurry::none) throw Cancelled();
            return;
        }
    }
}

void Follower::deliver(std::shared_ptr<Composed> piece) {
    {
        std::unique_lock lock(guard_);
        changed_.wait(lock, [this] { return outstanding_ < most_outstanding || ending_ || clearing_; });
        if (ending_ || clearing_) throw Cancelled();
        outstanding_++;
    }
    if (listener_.composed) listener_.composed(std::move(piece));
}

}  // namespace caprock

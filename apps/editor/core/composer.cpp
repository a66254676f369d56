#include "core/composer.h"

#include "base/error.h"
#include "base/memory.h"
#include "compute/devices.h"
#include "core/images.h"
#include "core/seconds.h"
#include "core/thread_priority.h"
#include "view/relief.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace caprock::editor {

namespace {

// Cells along the longer side. More than this are shown by every second one, every fourth, and so on, and so is what would
// take more than a sixth of the machine's memory. The sizes that engines ask for are a little more than a power of two.
constexpr int most_cells = 8192 + 256;
constexpr uint64_t share_of_memory = 6;
// Several fields of four bytes, with the levels and ranges that views make of them.
constexpr uint64_t bytes_of_cell = 40;
constexpr int most_rough_cells = 512;
constexpr int thumbnail_cells = 96;
// More tiles than this at once are shown roughly first, and so is what takes longer than a glance.
constexpr size_t many_tiles = 48;
constexpr double glance_seconds = 0.25;
// What is computed in one piece, as a power of two of tiles each way. Under a brush the window has frames to draw between
// two pieces.
constexpr int block_power = 2;
constexpr int stroke_block_power = 1;
// Pieces on their way to the window. Without a limit a quick thread would fill the queue of a slow window.
constexpr int most_outstanding = 3;

int level_for(const Rect& window, int cells) {
    int level = 0;
    while ((std::max(window.width(), window.height()) >> level) > cells) level++;
    return level;
}

int level_for_board(const Rect& window) {
    static const uint64_t most_bytes = machine_memory() / share_of_memory;
    int level = level_for(window, most_cells);
    while ((uint64_t(window.cells()) >> (2 * level)) * bytes_of_cell > most_bytes) level++;
    return level;
}

bool same_shape(const Plan& one, const Plan& other) {
    return one.grid() == other.grid() && one.window() == other.window() && one.level() == other.level() &&
           one.fields() == other.fields();
}

// Of what takes long: simulations, and what sees everything.
std::set<ContentKey> long_keys(const Plan& plan, const std::set<TileIndex>& tiles) {
    std::set<ContentKey> keys;
    std::set<int> seen;
    std::vector<int> nodes{plan.top()};
    while (!nodes.empty()) {
        int node = nodes.back();
        nodes.pop_back();
        if (node < 0 || !seen.insert(node).second) continue;
        const PlanNode& by = plan.node(node);
        for (int other : {by.input, by.source, by.mask}) nodes.push_back(other);
        if (by.kind != PlanNode::Kind::operation || (!by.simulates && by.halo)) continue;
        for (const std::string& field : by.makes)
            for (const TileIndex& tile : tiles) keys.insert(plan.key(node, field, tile));
    }
    return keys;
}

QImage grey_of(const Field& field, const Interval& range) {
    const Rect& rect = field.rect();
    QImage image(rect.width(), rect.height(), QImage::Format_Grayscale8);
    Field::Rows rows = field.rows();
    for (int y = 0; y < rect.height(); y++)
        for (int x = 0; x < rect.width(); x++) {
            double share = (double(rows[rect.top + y][x]) - range.low) / range.span();
            image.scanLine(y)[x] = uchar(std::isfinite(share) ? std::clamp(share, 0.0, 1.0) * 255 : 0);
        }
    return image;
}

// A picture of a field with a pixel for each cell, of which those stay that are known: where nobody has painted, there is
// nothing to be seen of a layer, and nothing is missing either.
QImage without_missing(const QImage& picture, const Field& field) {
    QImage image = picture.convertToFormat(QImage::Format_ARGB32);
    Field::Rows rows = field.rows();
    for (int y = 0; y < image.height(); y++) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < image.width(); x++)
            if (is_missing(rows[field.rect().top + y][x])) line[x] = qRgba(0, 0, 0, 0);
    }
    return image;
}

}  // namespace

Composer::Composer(QObject* parent) : QObject(parent) {
    qRegisterMetaType<ComposedPointer>("caprock::editor::ComposedPointer");
    context_.tell = [this](const std::string& message) { Q_EMIT told(QString::fromStdString(message)); };
    thread_ = std::thread([this] {
        give_way_to_the_window();
        work();
    });
}

Composer::~Composer() {
    {
        std::lock_guard lock(guard_);
        ending_ = true;
        if (progress_) progress_->cancel();
    }
    changed_.notify_all();
    thread_.join();
}

void Composer::show(const Snapshot& snapshot, Hurry hurry) {
    {
        std::lock_guard lock(guard_);
        next_ = Request{snapshot, hurry};
        clearing_ = false;
        // Strokes and drags come faster than they are computed: what is nearly done is worth showing.
        bool worth_waiting =
            running_hurry_ != Hurry::none && seconds_now() - running_since_ < 2 * glance_seconds;
        if (progress_ && !worth_waiting) progress_->cancel();
    }
    changed_.notify_all();
}

void Composer::clear() {
    {
        std::lock_guard lock(guard_);
        next_.reset();
        pictured_.reset();
        clearing_ = true;
        if (progress_) progress_->cancel();
    }
    changed_.notify_all();
}

void Composer::look_at(double x, double y) {
    std::lock_guard lock(guard_);
    look_x_ = x;
    look_y_ = y;
}

void Composer::set_device(const std::string& word) {
    std::lock_guard lock(guard_);
    device_word_ = word;
}

void Composer::cancel() {
    std::lock_guard lock(guard_);
    next_.reset();
    pictured_.reset();
    if (progress_) progress_->cancel();
}

void Composer::set_thumbnails(bool wanted) {
    std::lock_guard lock(guard_);
    thumbnails_ = wanted;
}

void Composer::taken() {
    {
        std::lock_guard lock(guard_);
        outstanding_--;
    }
    changed_.notify_all();
}

bool Composer::busy() const {
    std::lock_guard lock(guard_);
    return running_ || next_ || clearing_ || (pictured_ && thumbnails_) || outstanding_ > 0;
}

void Composer::wait() {
    std::unique_lock lock(guard_);
    changed_.wait(lock, [this] { return !running_ && !next_ && !clearing_ && !(pictured_ && thumbnails_); });
}

void Composer::work() {
    std::unique_lock lock(guard_);
    for (;;) {
        running_ = false;
        progress_.reset();
        changed_.notify_all();
        changed_.wait(lock, [this] { return ending_ || next_ || clearing_ || (pictured_ && thumbnails_); });
        if (ending_) return;
        running_ = true;
        if (clearing_) {
            clearing_ = false;
            shown_.reset();
            completed_.reset();
            pending_.clear();
            pictures_.clear();
            evaluator_.reset();
            continue;
        }
        progress_ = std::make_shared<Progress>(
            [this](double share) { Q_EMIT working(title_, std::min(share, 0.999)); });
        std::shared_ptr<Progress> progress = progress_;
        context_.progress = progress.get();
        running_since_ = seconds_now();
        title_ = tr("Composing");
        if (!next_) {
            Snapshot snapshot = *pictured_;
            pictured_.reset();
            running_hurry_ = Hurry::none;
            lock.unlock();
            try {
                make_thumbnails(snapshot);
            } catch (const Cancelled&) {
                // Somebody has changed something: there will be others.
            } catch (const std::exception&) {
                // The layer's own trouble, which is told where the layer is composed.
            }
            Q_EMIT rested();
            lock.lock();
            continue;
        }
        Request request = *next_;
        next_.reset();
        running_hurry_ = request.hurry;
        bool other_device = device_made_ != device_word_;
        std::string word = device_word_;
        lock.unlock();
        bool done = false;
        try {
            if (other_device || !context_.device) {
                context_.device = choose_device(word, 0, int64_t(most_cells) * most_cells);
                device_made_ = word;
                evaluator_.reset();
            }
            if (!evaluator_) {
                evaluator_ = std::make_unique<Evaluator>(context_);
                evaluator_->before = [this](const std::string& title) {
                    title_ = QString::fromStdString(title);
                    Q_EMIT working(title_, 0);
                };
            }
            compose(request);
            done = true;
        } catch (const Cancelled&) {
            // By a newer state, or by the user, who is told by whoever asked for it.
        } catch (const std::exception& error) {
            Q_EMIT failed(QString::fromUtf8(error.what()));
        }
        Q_EMIT rested();
        lock.lock();
        if (done && !next_ && request.hurry == Hurry::none && pending_.empty()) pictured_ = request.snapshot;
    }
}

bool Composer::superseded() {
    std::lock_guard lock(guard_);
    return next_ || clearing_ || ending_;
}

void Composer::compose(const Request& request) {
    const Rect& window = request.snapshot.state->window;
    auto plan = std::make_shared<const Plan>(request.snapshot, level_for_board(window));
    QStringList troubles;
    for (const std::string& problem : plan->problems()) troubles << QString::fromStdString(problem);
    Q_EMIT problems(troubles);

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
}

// Not where the last state that was computed to its end had the same.
bool Composer::must_simulate(const Plan& plan) const {
    std::set<ContentKey> wanted = long_keys(plan, pending_);
    if (wanted.empty() || !completed_ || !same_shape(*completed_, plan)) return !wanted.empty();
    return !std::ranges::includes(long_keys(*completed_, pending_), wanted);
}

bool Composer::rough(const Request& request, const Plan& plan) {
    int level = level_for(request.snapshot.state->window, most_rough_cells);
    if (level <= plan.level()) return false;
    Plan coarse(request.snapshot, level);
    auto piece = std::make_shared<Composed>();
    piece->grid = coarse.grid();
    piece->window = coarse.window();
    piece->level = level;
    piece->coarse = true;
    piece->fields = coarse.fields();
    piece->parts.push_back(evaluator_->evaluate(coarse, coarse.window()));
    deliver(std::move(piece));
    return true;
}

void Composer::finely(const Request& request, const std::shared_ptr<const Plan>& plan, bool fresh) {
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

void Composer::deliver(std::shared_ptr<Composed> piece) {
    {
        std::unique_lock lock(guard_);
        changed_.wait(lock, [this] { return outstanding_ < most_outstanding || ending_ || clearing_; });
        if (ending_ || clearing_) throw Cancelled();
        outstanding_++;
    }
    Q_EMIT composed(std::move(piece));
}

void Composer::make_thumbnails(const Snapshot& snapshot) {
    Plan plan(snapshot, level_for(snapshot.state->window, thumbnail_cells));
    std::vector<const Layer*> layers;
    auto collect = [&](auto&& self, const std::vector<Layer>& list) -> void {
        for (const Layer& layer : list) {
            layers.push_back(&layer);
            self(self, layer.layers);
        }
    };
    collect(collect, snapshot.state->layers);
    std::map<int, std::pair<ContentKey, ContentKey>> pictured;
    for (const Layer* layer : layers) {
        if (superseded()) throw Cancelled();
        int after = plan.after(layer->id);
        int content = plan.content(layer->id);
        if (content < 0) content = after;
        if (content < 0) continue;
        const PlanNode& node = plan.node(content);
        std::string field = layer->field;
        if (!node.has(field)) field = !node.makes.empty() ? node.makes.front() : "height";
        if (!node.has(field)) continue;
        int mask = after >= 0 && plan.node(after).kind == PlanNode::Kind::blend ? plan.node(after).mask : -1;
        TileIndex first = tile_at(plan.window().left, plan.window().top);
        ContentKey key = plan.key(content, field, first);
        ContentKey mask_key = mask >= 0 ? plan.key(mask, "mask", first) : ContentKey{};
        pictured[layer->id] = {key, mask_key};
        auto known = pictures_.find(layer->id);
        if (known != pictures_.end() && known->second == pictured[layer->id]) continue;
        Terrain seen = evaluator_->evaluate(plan, content, {field}, plan.window());
        QImage picture, mask_picture;
        if (is_ground(field)) {
            picture = image_of(shaded_relief(seen));
        } else {
            picture = grey_of(seen.field(field), quantity_of(field).shown);
        }
        picture = without_missing(picture, seen.field(field));
        if (mask >= 0)
            mask_picture =
                grey_of(evaluator_->evaluate(plan, mask, {"mask"}, plan.window()).field("mask"), {0, 1});
        Q_EMIT thumbnail(layer->id, picture, mask_picture);
    }
    pictures_ = std::move(pictured);
}

}  // namespace caprock::editor

#include "painting/live_stroke.h"

#include "base/error.h"
#include "base/mathematics.h"
#include "document/project_tile_store.h"
#include "operation/evaluate.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace caprock {

namespace {

// An earlier stroke may have added the layer.
PaintTarget still_to_do(const Document& document, PaintTarget target) {
    if (target.prepare && find_layer(document.state().layers, target.layer)) target.prepare = {};
    return target;
}

}  // namespace

LiveStroke::LiveStroke(Document& document, const PaintTarget& target, Brush brush, uint32_t seed,
                       RunContext& context)
    : document_(document),
      target_(still_to_do(document, target)),
      brush_(std::move(brush)),
      seed_(seed),
      context_(context),
      before_(target_.prepare ? document.snapshot_after(target_.prepare) : document.snapshot()),
      preview_(before_) {
    brush_.check(before_.state->grid);
    // A brush may be kept without: where it copies from is decided for every stroke.
    if (brush_.settings.towards == BrushSettings::Towards::copy && brush_.settings.from.empty())
        throw Error("a brush that copies needs --from x,y: the place it copies");
    surface_ = std::make_unique<PaintSurface>(before_, target_, context_);
    if (!brush_.operation) return;
    operation_on(*brush_.operation, surface_->field());
    // A user's kernel is compiled before the pen moves.
    brush_.operation->prepare(*context_.device);
}

LiveStroke::~LiveStroke() = default;

void LiveStroke::begin(const PenSample& start) {
    maker_ = std::make_unique<DabMaker>(brush_.settings, surface_->grid(), seed_);
    path_ = std::make_unique<StrokePath>(brush_.settings.spline,
                                         [this](const PenSample& pen) { return maker_->spacing(pen); });
    application_ = Application::of(brush_, *surface_, context_, start, seed_);
    dabs_ = 0;
}

void LiveStroke::lay(std::vector<PathPlace> places, Ending ending) {
    std::vector<Dab> dabs;
    for (const PathPlace& place : places) maker_->add(place, dabs);
    dabs_ += int64_t(dabs.size());
    // Behind the last dab the path may go on a little, without another one.
    bool end_counts = ending == Ending::yes && dabs_ > 0 && brush_.bound_to(BrushSource::path);
    if (!dabs.empty() || end_counts) application_->apply(dabs, path_->line());
    context_.device->finish();
}

void LiveStroke::take(std::span<const PenSample> samples) {
    std::vector<PathPlace> places;
    for (const PenSample& sample : samples) {
        if (!application_) begin(sample);
        std::vector<PathPlace> more = path_->extend(sample);
        places.insert(places.end(), more.begin(), more.end());
    }
    lay(std::move(places));
}

// From the first sample on.
void LiveStroke::again() {
    if (application_)
        for (const auto& [index, tile] : application_->tiles()) changed_ = changed_.united(index.rect());
    application_.reset();
    // Its tiles begin to count anew.
    for (auto& [index, shown] : shown_) shown.changes = 0;
    surface_ = std::make_unique<PaintSurface>(before_, target_, context_);
    std::vector<PenSample> all = constrained();
    if (all.empty()) return;
    take(all);
    if (moves()) end();
}

void LiveStroke::end() { lay(path_->finish(), Ending::yes); }

std::vector<PenSample> LiveStroke::constrained() const {
    if (!moves() || samples_.size() < 2) return samples_;
    PenSample from = samples_.front();
    PenSample to = samples_.back();
    if (brush_.settings.line == BrushSettings::Line::constrained) {
        double x = to.x - from.x;
        double y = to.y - from.y;
        // The nearest of eight directions, as far as the pen has gone in it.
        double best = -1;
        for (int i = 0; i < 8; i++) {
            double ahead_x = cosine(i * pi / 4);
            double ahead_y = sine(i * pi / 4);
            double along = x * ahead_x + y * ahead_y;
            if (along <= best) continue;
            best = along;
            to.x = from.x + along * ahead_x;
            to.y = from.y + along * ahead_y;
        }
    }
    return {from, to};
}

Rect LiveStroke::extend(std::span<const PenSample> samples) {
    if (over_) throw std::logic_error("the stroke is over");
    for (const PenSample& sample : samples)
        if (!std::isfinite(sample.x) || !std::isfinite(sample.y) || !std::isfinite(sample.pressure) ||
            std::abs(sample.x) > 1e9 || std::abs(sample.y) > 1e9)
            throw Error("a sample of the stroke lies nowhere");
    samples_.insert(samples_.end(), samples.begin(), samples.end());
    try {
        if (moves()) {
            again();
        } else if (!samples.empty()) {
            take(samples);
        }
    } catch (const DeviceError& error) {
        if (context_.device->is_cpu()) throw;
        fall_back(context_, error.what());
        again();
    }
    if (application_) changed_ = changed_.united(application_->take_changed());
    return std::exchange(changed_, Rect{});
}

Snapshot LiveStroke::preview() {
    static const Application::Tiles none;
    const Application::Tiles& tiles = application_ ? application_->tiles() : none;
    std::map<TileIndex, Shown> news;
    for (const auto& [index, tile] : tiles) {
        if (tile.result.empty()) continue;
        auto before = shown_.find(index);
        if (before != shown_.end() && before->second.changes == tile.changes) continue;
        const Field& result = tile.result;
        ContentKey key = key_of_cells(result.rows()[result.rect().top], size_t(tile_cells));
        // What was made anew may have become the same.
        TilePointer made =
            before != shown_.end() && before->second.tile->content() == key
                ? before->second.tile
                : std::make_shared<StoredTile>(before_.store, before_.store->new_row(), key,
                                               result.copied().moved(-index.rect().left, -index.rect().top));
        news[index] = {std::move(made), tile.changes};
    }
    // What a stroke that was drawn anew does not touch any longer is as it was.
    for (const auto& [index, shown] : shown_)
        if (auto found = tiles.find(index); found == tiles.end() || found->second.result.empty())
            news[index] = {};
    const CanvasTiles& untouched = *before_.canvases.at(surface_->canvas()).tiles;
    std::vector<CanvasTiles::Entry> differences;
    for (const auto& [index, now] : news) {
        auto before = shown_.find(index);
        if (before != shown_.end() && before->second.tile == now.tile) continue;
        const TilePointer* original = untouched.find(index);
        differences.emplace_back(index, now.tile || !original ? now.tile : *original);
    }
    Canvas& canvas = preview_.canvases.at(surface_->canvas());
    if (!differences.empty())
        canvas.tiles = std::make_shared<const CanvasTiles>(canvas.tiles->with(differences));
    preview_changes_.clear();
    for (const auto& [index, tile] : differences) preview_changes_.push_back(index);
    for (auto& [index, now] : news) {
        if (now.tile) {
            shown_[index] = std::move(now);
        } else {
            shown_.erase(index);
        }
    }
    return preview_;
}

int64_t LiveStroke::finish(const std::string& title) {
    if (over_) throw std::logic_error("the stroke is over");
    over_ = true;
    if (!application_) return 0;
    try {
        if (!moves()) end();
    } catch (const DeviceError& error) {
        if (context_.device->is_cpu()) throw;
        fall_back(context_, error.what());
        again();
        if (!moves()) end();
    }
    std::string what = !title.empty() ? title : brush_.title.empty() ? std::string("paint") : brush_.title;
    int64_t number = document_.change(what, [&](Edit& edit) {
        if (target_.prepare) target_.prepare(edit);
        for (const auto& [index, tile] : application_->tiles())
            if (!tile.result.empty()) edit.write(surface_->canvas(), tile.result);
    });
    application_.reset();
    return number;
}

void LiveStroke::cancel() {
    over_ = true;
    application_.reset();
}

}  // namespace caprock

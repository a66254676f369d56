#include "painting/live_stroke.h"

#include "base/error.h"
#include "base/mathematics.h"
#include "document/tile_store.h"
#include "operation/chain.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace caprock {

LiveStroke::LiveStroke(Document& document, const PaintTarget& target, Brush brush, uint32_t seed,
                       RunContext& context)
    : document_(document),
      target_(target),
      brush_(std::move(brush)),
      seed_(seed),
      context_(context),
      before_(document.snapshot()) {
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
    surface_ = std::make_unique<PaintSurface>(before_, target_, context_);
    std::vector<PenSample> all = constrained();
    if (!all.empty()) take(all);
}

std::vector<PenSample> LiveStroke::constrained() const {
    if (brush_.settings.line == BrushSettings::Line::free || samples_.size() < 2) return samples_;
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
        if (brush_.settings.line != BrushSettings::Line::free) {
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
    Snapshot snapshot = before_;
    if (!application_) return snapshot;
    Canvas& canvas = snapshot.canvases.at(surface_->canvas());
    std::vector<CanvasTiles::Entry> tiles;
    for (const auto& [index, tile] : application_->tiles()) {
        if (tile.result.empty()) continue;
        Field cells = tile.result.moved(-index.rect().left, -index.rect().top);
        ContentKey key = key_of_cells(cells.rows()[0], size_t(tile_cells));
        tiles.emplace_back(index,
                           std::make_shared<StoredTile>(before_.store, before_.store->new_row(), key, cells));
    }
    canvas.tiles = std::make_shared<const CanvasTiles>(canvas.tiles->with(tiles));
    return snapshot;
}

int64_t LiveStroke::finish(const std::string& title) {
    if (over_) throw std::logic_error("the stroke is over");
    over_ = true;
    if (!application_) return 0;
    try {
        lay(path_->finish(), Ending::yes);
    } catch (const DeviceError& error) {
        if (context_.device->is_cpu()) throw;
        fall_back(context_, error.what());
        again();
        lay(path_->finish(), Ending::yes);
    }
    std::string what = !title.empty() ? title : brush_.title.empty() ? std::string("paint") : brush_.title;
    int64_t number = document_.change(what, [&](Edit& edit) {
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

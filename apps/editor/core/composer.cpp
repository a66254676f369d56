#include "core/composer.h"

#include "base/error.h"
#include "base/memory.h"
#include "core/images.h"
#include "core/thread_priority.h"
#include "view/relief.h"

#include <algorithm>

namespace caprock::editor {

namespace {

// What is shown takes no more than so much of the machine's memory.
constexpr uint64_t share_of_memory = 6;
constexpr int thumbnail_cells = 96;

// What the last node that had a part in it made first.
std::string newest_field(const Plan& plan, const Scope& scope) {
    std::string newest = "height";
    int last = -1;
    for (const std::string& name : scope.names()) {
        const NodeField& made = scope.at(name);
        if (made.node <= last || plan.node(made.node).makes.front() != made.field) continue;
        last = made.node;
        newest = name;
    }
    return newest;
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

Composer::Composer(QObject* parent) : QObject(parent), follower_(listener(), options()) {
    qRegisterMetaType<ComposedPointer>("caprock::ComposedPointer");
    qRegisterMetaType<NamedLines>("caprock::NamedLines");
}

Follower::Options Composer::options() {
    Follower::Options options;
    options.most_bytes = machine_memory() / share_of_memory;
    options.title = tr("Composing").toStdString();
    return options;
}

Follower::Listener Composer::listener() {
    Follower::Listener listener;
    listener.began = give_way_to_the_window;
    listener.composed = [this](ComposedPointer piece) { Q_EMIT composed(std::move(piece)); };
    listener.lines = [this](const NamedLines& sets) { Q_EMIT lines(sets); };
    listener.working = [this](const std::string& title, double share) {
        Q_EMIT working(QString::fromStdString(title), share);
    };
    listener.rested = [this] { Q_EMIT rested(); };
    listener.cleared = [this] { pictures_.clear(); };
    listener.failed = [this](const std::string& message) { Q_EMIT failed(QString::fromStdString(message)); };
    listener.told = [this](const std::string& message) { Q_EMIT told(QString::fromStdString(message)); };
    listener.problems = [this](const std::vector<std::string>& found) {
        QStringList troubles;
        for (const std::string& problem : found) troubles << QString::fromStdString(problem);
        Q_EMIT problems(troubles);
    };
    listener.at_rest = [this](const Snapshot& snapshot, Evaluator& evaluator) {
        make_thumbnails(snapshot, evaluator);
    };
    return listener;
}

void Composer::make_thumbnails(const Snapshot& snapshot, Evaluator& evaluator) {
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
        if (follower_.superseded()) throw Cancelled();
        const Scope& content = plan.content(layer->id) ? *plan.content(layer->id) : plan.after(layer->id);
        std::string field = layer->field;
        if (!content.has(field)) field = newest_field(plan, content);
        if (!content.has(field)) continue;
        const NodeField* mask = plan.mask(layer->id);
        TileIndex first = tile_at(plan.window().left, plan.window().top);
        ContentKey key = plan.key(content, field, first);
        ContentKey mask_key = mask ? plan.key(*mask, first) : ContentKey{};
        pictured[layer->id] = {key, mask_key};
        auto known = pictures_.find(layer->id);
        if (known != pictures_.end() && known->second == pictured[layer->id]) continue;
        Terrain seen = evaluator.evaluate(plan, content, {field}, plan.window());
        QImage picture, mask_picture;
        if (is_ground(field)) {
            picture = image_of(shaded_relief(seen));
        } else {
            picture = grey_of(seen.field(field), quantity_of(field).shown);
        }
        picture = without_missing(picture, seen.field(field));
        if (mask) mask_picture = grey_of(evaluator.field(plan, *mask, plan.window()), {0, 1});
        Q_EMIT thumbnail(layer->id, picture, mask_picture);
    }
    pictures_ = std::move(pictured);
}

}  // namespace caprock::editor

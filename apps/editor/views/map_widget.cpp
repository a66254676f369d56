#include "views/map_widget.h"

#include "base/error.h"
#include "base/memory.h"
#include "core/images.h"
#include "theme/theme.h"
#include "view/picking.h"
#include "views/shown_lines.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace caprock::editor {

namespace {

constexpr double map_zoom_per_step = 1.2;
constexpr double map_zoom_per_pixel = 1.006;
// Surfaces of a map at work, besides the picture.
constexpr uint64_t bytes_of_pixel = 40;

Bytes bytes_of(const QColor& colour) {
    return {uint8_t(colour.red()), uint8_t(colour.green()), uint8_t(colour.blue())};
}

// The map lies on the window, not on a sheet that would shine in the dark.
MapPaper paper_of(const QPalette& palette) {
    QColor window = palette.color(QPalette::Window);
    MapPaper paper;
    paper.sheet = bytes_of(window);
    paper.box = bytes_of(palette.color(QPalette::Base));
    paper.ink = bytes_of(palette.color(QPalette::WindowText));
    if (window.lightness() > 127) return paper;
    QColor violet("#6f6078");
    paper.missing = bytes_of(between(window, violet, 0.35));
    paper.stripe = bytes_of(between(window, violet, 0.6));
    return paper;
}

// On a map light comes from above, wherever the sun stands: from below, hills are taken for hollows.
double map_azimuth(double sun) { return sun > 90 && sun < 270 ? std::fmod(540 - sun, 360) : sun; }

}  // namespace

MapWidget::MapWidget(Board& board, Look& look, QWidget* parent)
    : QWidget(parent), board_(board), look_(look), hand_(this, *this) {
    setObjectName("map");
    setMinimumSize(160, 120);
    setAccessibleName(tr("Map of the terrain"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&board_, &Board::replaced, this, &MapWidget::replace);
    connect(&board_, &Board::rewritten, this, &MapWidget::rewrite);
    connect(&board_, &Board::lines_replaced, this, [this] {
        drawn_ = {};
        update();
    });
    connect(&look_, &Look::changed, this, &MapWidget::forget);
    rested_.setSingleShot(true);
    rested_.setInterval(250);
    connect(&rested_, &QTimer::timeout, this, &MapWidget::forget);
}

Size MapWidget::pixels() const {
    return {std::max(1, int(width() * devicePixelRatioF())),
            std::max(1, int(height() * devicePixelRatioF()))};
}

MapOptions MapWidget::options() const {
    const LookSettings& look = look_.settings();
    const Terrain& terrain = board_.terrain();
    MapOptions options;
    options.scheme = look.scheme == "materials" ? "earth" : look.scheme;
    options.field = look.scheme == "materials" ? "" : look.field;
    try {
        const ColourScheme& scheme = colour_scheme(options.scheme);
        for (const ColourLayer& layer : scheme.layers)
            if (!terrain.has(scheme.field_of(layer, options.field))) throw Error("no such field");
    } catch (const Error&) {
        options.scheme = "plain";
        options.field.clear();
    }
    options.sea_level = look.sea_level;
    options.azimuth = map_azimuth(look.sun.azimuth);
    options.elevation = look.sun.elevation;
    options.exaggeration = look.exaggeration;
    options.water = look.water && terrain.has("water");
    if (look.contours) options.contours = 0;
    if (look.grid) options.grid = 0;
    options.lines = shown_lines(board_, look_);
    options.legend = look.legend;
    options.scale_bar = look.scale_bar;
    return options;
}

void MapWidget::forget() {
    land_ = {};
    drawn_ = {};
    update();
}

void MapWidget::rewrite(const Rect& cells) {
    stale_ = stale_.united(cells);
    drawn_ = {};
    // Heights along contour lines are written when all lines lie still.
    if (look_.settings().contours) rested_.start();
    update();
}

void MapWidget::draw() {
    MapOptions wanted = options();
    wanted.detail = devicePixelRatioF();
    wanted.paper = paper_of(palette());
    if (land_.rgb.empty() || land_.size != pixels())
        land_ = draw_land(board_.pyramid(), view_, pixels(), wanted);
    else
        redraw_land(land_, board_.pyramid(), view_, stale_, wanted);
    stale_ = {};
    Picture map = land_;
    furnish_map(map, board_.pyramid(), view_, wanted);
    drawn_ = image_of(map);
    drawn_.setDevicePixelRatio(devicePixelRatioF());
}

void MapWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (board_.empty()) {
        painter.fillRect(rect(), palette().color(QPalette::Window));
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect(), Qt::AlignCenter, tr("Nothing to show yet"));
        return;
    }
    QElapsedTimer timer;
    timer.start();
    if (drawn_.isNull()) {
        try {
            draw();
        } catch (const Error& error) {
            land_ = {};
            Q_EMIT failed(QString::fromUtf8(error.what()));
            drawn_ = QImage(1, 1, QImage::Format_RGB888);
            drawn_.fill(palette().color(QPalette::Window));
        }
    }
    painter.drawImage(QPointF(0, 0), drawn_);
    if (ring_) {
        painter.setRenderHint(QPainter::Antialiasing);
        auto circle = [&](double radius, const QColor& colour, double wide) {
            PixelPoint middle = pixel_at(view_, pixels(), {ring_->x, ring_->y});
            double ratio = devicePixelRatioF();
            double r = radius / view_.metres_per_pixel / ratio;
            painter.setPen(QPen(colour, wide));
            painter.drawEllipse(QPointF(middle.x / ratio, middle.y / ratio), r, r);
        };
        circle(ring_->radius, QColor(0, 0, 0, 140), 3);
        circle(ring_->radius, QColor(255, 255, 255, 230), 1.2);
        if (ring_->full > 0 && ring_->full < ring_->radius)
            circle(ring_->full, QColor(255, 255, 255, 120), 1);
    }
    Q_EMIT drawn(double(timer.nsecsElapsed()) * 1e-9);
}

void MapWidget::resizeEvent(QResizeEvent*) {
    forget();
    // What fitted goes on fitting.
    if ((!placed_ || fits_) && !board_.empty()) frame_all();
}

void MapWidget::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) forget();
}

void MapWidget::replace() {
    forget();
    if (board_.empty()) {
        placed_ = false;
    } else {
        if (!placed_ || !framing_.shows(board_.terrain())) frame_all();
    }
}

void MapWidget::set_view(const MapView& view) {
    view_ = view;
    placed_ = true;
    fits_ = false;
    forget();
    Q_EMIT moved();
}

void MapWidget::set_ring(std::optional<BrushRing> ring) {
    ring_ = ring;
    update();
}

void MapWidget::frame_all() {
    if (board_.empty()) return;
    const Terrain& terrain = board_.terrain();
    framing_ = Framing(terrain);
    set_view(fitted(terrain.rect(), terrain.grid(), pixels(), 12 * devicePixelRatioF()));
    fits_ = true;
}

void MapWidget::frame(double x, double y, double radius) {
    set_view({{x, y}, std::max(2 * radius / std::min(pixels().width, pixels().height), 1e-6)});
}

Shot MapWidget::shot() const {
    MapOptions wanted = options();
    wanted.detail = devicePixelRatioF();
    return
        [terrain = board_.copied(), seen = view_, shown = pixels(), wanted](Size size, Progress& progress) {
            require_memory(uint64_t(size.cells()) * bytes_of_pixel,
                           fmt::format("a picture of {} x {} pixels", size.width, size.height));
            progress.expect(1);
            // The same land as large as fits, and its lines and letters with it.
            double larger = std::min(double(size.width) / shown.width, double(size.height) / shown.height);
            MapView view = seen;
            view.metres_per_pixel /= larger;
            MapOptions options = wanted;
            options.detail = std::clamp(options.detail * larger, 0.5, 16.0);
            Picture picture = draw_map(terrain, view, size, options);
            progress.advance(1);
            return picture;
        };
}

std::optional<GroundPoint> MapWidget::ground_at(const QPointF& pixel) {
    if (board_.empty()) return std::nullopt;
    double ratio = devicePixelRatioF();
    WorldPoint point = point_at(view_, pixels(), {pixel.x() * ratio, pixel.y() * ratio});
    const Terrain& terrain = board_.terrain();
    if (!terrain.grid().area_of(terrain.rect()).contains(point)) return std::nullopt;
    // A hole has no height, but can be painted on.
    return GroundPoint{point.x, point.y,
                       height_at(terrain.height(), terrain.grid(), point.x, point.y).value_or(0)};
}

void MapWidget::move_view(Move move, const QPointF& from, const QPointF& to, bool) {
    if (board_.empty()) return;
    QPointF by = (to - from) * devicePixelRatioF();
    double ratio = devicePixelRatioF();
    switch (move) {
        case Move::orbit:
        case Move::look:
        case Move::pan:
            set_view(panned(view_, by.x(), by.y()));
            break;
        case Move::zoom:
            set_view(zoomed(view_, pixels(), {to.x() * ratio, to.y() * ratio},
                            std::pow(map_zoom_per_pixel, -by.y()), board_.terrain().grid()));
            break;
        default:
            break;
    }
}

void MapWidget::scroll_view(const QPointF& pixel, double steps) {
    if (board_.empty()) return;
    double ratio = devicePixelRatioF();
    set_view(zoomed(view_, pixels(), {pixel.x() * ratio, pixel.y() * ratio},
                    std::pow(map_zoom_per_step, steps), board_.terrain().grid()));
}

}  // namespace caprock::editor

#include "views/scene_view.h"

#include "base/error.h"
#include "view/camera_moves.h"
#include "view/map.h"
#include "view/picking.h"
#include "view/scene.h"
#include "views/scene_shot.h"
#include "views/shown_lines.h"

#include <QKeyEvent>
#include <QOpenGLContext>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

namespace caprock::editor {

namespace {

constexpr double degrees_per_pixel = 0.3;
constexpr double approach_per_step = 0.85;
constexpr double approach_per_pixel = 1.006;
constexpr int shadow_cells = 1024;
// The eye stays so many cells above the ground, more than what is cut off before it; and so near one can come to a place.
constexpr double eye_height_cells = 0.5;
constexpr double nearest_cells = 1;
// How long a frame may take over cells that have changed. Where drawing takes long anyway, more makes it shown sooner.
constexpr double least_seconds = 0.006;
constexpr double share_of_frame = 0.3;

gl::Procedure find_procedure(const char* name) {
    return reinterpret_cast<gl::Procedure>(QOpenGLContext::currentContext()->getProcAddress(name));
}

bool flies(int key) {
    return key == Qt::Key_W || key == Qt::Key_A || key == Qt::Key_S || key == Qt::Key_D || key == Qt::Key_Q ||
           key == Qt::Key_E;
}

}  // namespace

SceneView::SceneView(Board& board, Look& look, QWidget* parent)
    : QOpenGLWidget(parent), board_(board), look_(look), looked_(look.settings()), hand_(this, *this) {
    setObjectName("scene");
    setMinimumSize(160, 120);
    setAccessibleName(tr("Terrain in three dimensions"));
    connect(&board_, &Board::replaced, this, &SceneView::replace);
    connect(&board_, &Board::rewritten, this, &SceneView::rewrite);
    connect(&board_, &Board::lines_replaced, this, [this] {
        lines_are_new_ = true;
        update();
    });
    connect(&look_, &Look::changed, this, &SceneView::change_look);
    connect(&shadows_, &Shadows::made, this, &SceneView::take_shadows);
    shadows_later_.setSingleShot(true);
    shadows_later_.setInterval(120);
    connect(&shadows_later_, &QTimer::timeout, this, &SceneView::want_shadows);
    connect(this, &QOpenGLWidget::frameSwapped, this,
            [this] { frame_seconds_ = double(frame_.nsecsElapsed()) * 1e-9 - took_over_; });
    flight_.setInterval(16);
    connect(&flight_, &QTimer::timeout, this, &SceneView::fly);
}

SceneView::~SceneView() {
    // The context goes with the widget below this one, when there is nothing here any more that could hear of it.
    if (context()) disconnect(context(), nullptr, this, nullptr);
    release();
}

void SceneView::release() {
    if (!renderer_) return;
    makeCurrent();
    renderer_.reset();
    functions_.reset();
    doneCurrent();
}

void SceneView::initializeGL() {
    // A view that moves into another window gets another context.
    connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &SceneView::release);
    try {
        functions_ = std::make_unique<gl::Functions>(find_procedure);
        renderer_ = std::make_unique<gl::TerrainRenderer>(*functions_);
        trouble_.clear();
    } catch (const Error& error) {
        trouble_ = QString::fromUtf8(error.what());
        Q_EMIT failed(trouble_);
    }
    scene_is_new_ = scene_.has_value();
    lines_are_new_ = true;
    shadow_map_is_new_ = shadow_map_ != nullptr;
}

void SceneView::resizeGL(int, int) {
    // What fitted goes on fitting.
    if ((!placed_ || fits_) && !board_.empty()) frame_all();
}

Size SceneView::pixels() const {
    return {std::max(1, int(width() * devicePixelRatioF())),
            std::max(1, int(height() * devicePixelRatioF()))};
}

ScreenPoint SceneView::screen_point(const QPointF& at) const {
    return {at.x() * devicePixelRatioF(), at.y() * devicePixelRatioF()};
}

// ---- what is shown ------------------------------------------------------------------------------------------

SceneOptions SceneView::scene_options() const {
    const LookSettings& look = look_.settings();
    const Terrain& terrain = board_.terrain();
    SceneOptions options;
    if (look.scheme != "materials") {
        options.scheme = look.scheme;
        options.field = look.field;
        // Not every scheme has its field in every terrain.
        try {
            for (const ColourLayer& layer : colour_scheme(look.scheme).layers)
                if (!terrain.has(colour_scheme(look.scheme).field_of(layer, look.field)))
                    options.scheme = "plain";
        } catch (const Error&) {
            options.scheme = "plain";
        }
        if (options.scheme == "plain") options.field.clear();
    }
    options.water = look.water && terrain.has("water");
    options.sea = look.sea;
    options.sea_level = look.sea_level;
    return options;
}

SceneLook SceneView::scene_look() const {
    const LookSettings& settings = look_.settings();
    SceneLook look;
    look.detail.exaggeration = settings.exaggeration;
    look.sun = settings.sun;
    look.walls = settings.walls && !settings.wire;
    look.wire_frame = settings.wire;
    look.paint = settings.scheme == "materials" ? GroundPaint::materials : GroundPaint::colours;
    look.materials = settings.materials;
    look.ring = ring_;
    if (settings.contours || settings.grid) {
        Rect window = board_.terrain().rect();
        double metres = window.width() * board_.terrain().grid().cell;
        double per_pixel = metres / std::max(1, pixels().width);
        MapView whole{{0, 0}, std::max(per_pixel, 1e-6)};
        if (settings.contours) look.contours = suitable_contours(board_.pyramid(), whole);
        if (settings.grid) look.grid = suitable_grid(whole);
    }
    Box bounds = box();
    double away = length(bounds.middle() - camera_.position);
    look.visibility = 4.5 * std::max(away, length(bounds.most - bounds.least) / 2);
    return look;
}

Box SceneView::box() const {
    Box bounds;
    if (!board_.empty())
        if (std::optional<Box> around = caprock::bounds(board_.ranges(), board_.terrain().grid()))
            bounds = *around;
    if (board_.empty() || !(bounds.most.x > bounds.least.x)) {
        if (board_.empty()) return bounds;
        // A single row has no surface, but is looked at.
        WorldArea area = board_.terrain().grid().area_of(board_.terrain().rect());
        bounds = {{area.left, area.top, 0}, {area.right, area.bottom, 0}};
    }
    bounds.least.z *= look_.settings().exaggeration;
    bounds.most.z *= look_.settings().exaggeration;
    return bounds;
}

void SceneView::replace() {
    scene_.reset();
    stale_.clear();
    if (!board_.empty()) {
        try {
            scene_ = scene_of(board_.terrain(), scene_options());
            looked_ = look_.settings();
        } catch (const Error& error) {
            Q_EMIT failed(QString::fromUtf8(error.what()));
        }
        if ((!placed_ || !framing_.shows(board_.terrain())) && width() > 1) frame_all();
        stay_above();
        shadows_later_.start();
    } else {
        placed_ = false;
        shadow_map_.reset();
    }
    scene_is_new_ = true;
    update();
}

void SceneView::rewrite(const Rect& cells) {
    stale_.add(cells);
    stay_above();
    if (!shadows_later_.isActive()) shadows_later_.start();
    update();
}

void SceneView::change_look() {
    const LookSettings& now = look_.settings();
    bool other_heights = now.water != looked_.water || now.sea != looked_.sea ||
                         (now.sea && now.sea_level != looked_.sea_level);
    bool other_colours =
        now.scheme != looked_.scheme || now.field != looked_.field || now.sea_level != looked_.sea_level;
    bool other_light =
        now.sun != looked_.sun || now.exaggeration != looked_.exaggeration || now.shadows != looked_.shadows;
    if (!board_.empty() && (other_heights || other_colours)) {
        try {
            scene_ = scene_of(board_.terrain(), scene_options());
            scene_is_new_ = scene_is_new_ || other_heights;
            fields_are_new_ = true;
        } catch (const Error& error) {
            Q_EMIT failed(QString::fromUtf8(error.what()));
        }
    }
    if (now.lines != looked_.lines) lines_are_new_ = true;
    looked_ = now;
    stay_above();
    if (other_light || other_heights) want_shadows();
    update();
}

void SceneView::want_shadows() {
    if (board_.empty()) return;
    if (!look_.settings().shadows) {
        shadow_map_.reset();
        shadow_map_is_new_ = true;
        update();
        return;
    }
    MapPyramid& pyramid = board_.pyramid();
    const Rect& rect = board_.terrain().rect();
    int level = 0;
    while ((std::max(rect.width(), rect.height()) >> level) > shadow_cells && level + 1 < pyramid.levels())
        level++;
    // Coarse cells begin at even ones: a window that does not would have its light moved by a part of a texel.
    shadows_.make(pyramid.level("height", level).copied(), std::ldexp(board_.terrain().grid().cell, level),
                  1 << level, look_.settings().exaggeration, look_.settings().sun);
}

void SceneView::take_shadows(const ShadowMapPointer& map) {
    if (board_.empty() || !look_.settings().shadows) return;
    shadow_map_ = map;
    shadow_map_is_new_ = true;
    update();
}

bool SceneView::has_shadows() const {
    return shadow_map_ &&
           shadow_map_->map.size().width * shadow_map_->coarser >= board_.terrain().rect().width();
}

void SceneView::paintGL() {
    frame_.start();
    took_over_ = 0;
    QColor background = palette().color(QPalette::Window);
    if (!renderer_ || board_.empty() || !scene_) {
        QPainter painter(this);
        painter.fillRect(rect(), background);
        painter.setPen(palette().color(QPalette::PlaceholderText));
        QString text = !trouble_.isEmpty()
                           ? tr("%1.\nThe map (M) shows the terrain without it.").arg(trouble_)
                           : tr("Nothing to show yet");
        painter.drawText(rect().adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap, text);
        return;
    }
    try {
        take_over(std::max(least_seconds, frame_seconds_ * share_of_frame));
        SceneLook look = scene_look();
        gl::FrameReport report = renderer_->draw(defaultFramebufferObject(), pixels(), camera_, look);
        renderer_->check();
        if (report.new_programs && !ring_) QTimer::singleShot(0, this, &SceneView::prepare_ring);
    } catch (const Error& error) {
        trouble_ = QString::fromUtf8(error.what());
        renderer_.reset();
        Q_EMIT failed(trouble_);
        return;
    }
    Q_EMIT drawn(double(frame_.nsecsElapsed()) * 1e-9);
}

void SceneView::take_over(double seconds) {
    QElapsedTimer timer;
    timer.start();
    if (scene_is_new_) {
        renderer_->set_scene(*scene_);
        shadow_map_is_new_ = shadow_map_ != nullptr;
        stale_.clear();
    } else if (fields_are_new_) {
        renderer_->set_fields(scene_->fields);
    }
    if (lines_are_new_) renderer_->set_lines(shown_lines(board_, look_, devicePixelRatioF()));
    scene_is_new_ = fields_are_new_ = lines_are_new_ = false;
    double x = scene_->grid.metres_to_cells(ring_ ? ring_->x : camera_.position.x);
    double y = scene_->grid.metres_to_cells(ring_ ? ring_->y : camera_.position.y);
    while (!stale_.empty()) {
        renderer_->update(*scene_, stale_.take(x, y));
        if (double(timer.nsecsElapsed()) * 1e-9 > seconds) break;
    }
    // Not from within a frame: what is asked for there may be taken for done with it.
    if (!stale_.empty()) QTimer::singleShot(0, this, [this] { update(); });
    if (shadow_map_is_new_) {
        if (has_shadows())
            renderer_->set_light_map(shadow_map_->map, shadow_map_->coarser);
        else
            renderer_->clear_light_map();
        shadow_map_is_new_ = false;
    }
    took_over_ = double(timer.nsecsElapsed()) * 1e-9;
}

// Drivers make a program ready when it is first used. That should not be when somebody begins to paint.
void SceneView::prepare_ring() {
    if (!renderer_ || !scene_ || ring_) return;
    makeCurrent();
    try {
        SceneLook look = scene_look();
        look.ring = BrushRing{camera_.position.x, camera_.position.y, scene_->grid.cell, scene_->grid.cell};
        // Where it will be drawn, since it is made for that, but hardly any of it.
        renderer_->draw(defaultFramebufferObject(), {4, 4}, camera_, look);
        renderer_->check();
    } catch (const Error& error) {
        Q_EMIT failed(QString::fromUtf8(error.what()));
    }
    doneCurrent();
    update();
}

void SceneView::draw_nothing() {
    if (functions_) functions_->draw_nothing();
}

Shot SceneView::shot() const {
    SceneShot shot{board_.copied(),
                   scene_options(),
                   scene_look(),
                   camera_,
                   has_shadows() ? shadow_map_ : nullptr,
                   shown_lines(board_, look_, devicePixelRatioF()),
                   pixels()};
    shot.look.ring.reset();
    return [shot = std::move(shot)](Size size, Progress& progress) { return shot.draw(size, progress); };
}

// ---- where one stands ----------------------------------------------------------------------------------------

void SceneView::set_ring(std::optional<BrushRing> ring) {
    ring_ = ring;
    update();
}

double SceneView::floor_at(double x, double y) const {
    const Terrain& terrain = board_.terrain();
    double clearance = terrain.grid().cell * eye_height_cells;
    std::optional<double> ground = highest_around(terrain.height(), terrain.grid(), x, y, clearance);
    // Beside the land, and above its holes, one does not look at it from below either.
    if (!ground) return box().least.z;
    return *ground * look_.settings().exaggeration + clearance;
}

void SceneView::stay_above() {
    if (board_.empty() || !placed_) return;
    double floor = floor_at(camera_.position.x, camera_.position.y);
    if (camera_.position.z >= floor) return;
    camera_.position.z = floor;
    update();
    Q_EMIT moved();
}

void SceneView::set_camera(const Camera& camera) {
    camera_ = camera;
    if (!board_.empty()) camera_ = kept_above(camera, floor_at(camera.position.x, camera.position.y), 0);
    placed_ = true;
    fits_ = false;
    update();
    Q_EMIT moved();
}

void SceneView::frame_all() {
    if (board_.empty()) return;
    framing_ = Framing(board_.terrain());
    set_camera(framed_all(box(), pixels(), 20, -30));
    fits_ = true;
}

void SceneView::frame(double x, double y, double radius) {
    if (board_.empty()) return;
    const Terrain& terrain = board_.terrain();
    double height =
        height_at(terrain.height(), terrain.grid(), x, y).value_or(0) * look_.settings().exaggeration;
    Box around{{x - radius, y - radius, height - radius / 2}, {x + radius, y + radius, height + radius / 2}};
    set_camera(framed_all(around, pixels(), camera_.heading, camera_.pitch, camera_.field_of_view));
}

void SceneView::look_from(Standpoint standpoint) {
    if (board_.empty()) return;
    if (standpoint == Standpoint::top) return set_camera(top_view(box(), pixels()));
    Side side = standpoint == Standpoint::north  ? Side::north
                : standpoint == Standpoint::east ? Side::east
                : standpoint == Standpoint::west ? Side::west
                                                 : Side::south;
    set_camera(side_view(box(), pixels(), side));
}

std::optional<Hit> SceneView::hit_at(const QPointF& pixel) {
    if (board_.empty()) return std::nullopt;
    double times = look_.settings().exaggeration;
    Ray ray = ray_through(camera_, pixels(), screen_point(pixel));
    // The ground is flatter than it is drawn: so is the ray.
    ray.from.z /= times;
    ray.direction.z /= times;
    ray.direction = normalised(ray.direction);
    const Terrain& terrain = board_.terrain();
    return pick(terrain.height(), terrain.grid(), board_.ranges(), ray);
}

std::optional<GroundPoint> SceneView::ground_at(const QPointF& pixel) {
    std::optional<Hit> hit = hit_at(pixel);
    if (!hit) return std::nullopt;
    return GroundPoint{hit->position.x, hit->position.y, hit->position.z};
}

std::optional<GroundPoint> SceneView::centre() { return ground_at(QPointF(width() / 2.0, height() / 2.0)); }

Vector3 SceneView::seen_at(const QPointF& pixel) {
    std::optional<Hit> hit = hit_at(pixel);
    if (!hit) hit = hit_at(QPointF(width() / 2.0, height() / 2.0));
    if (!hit) return box().middle();
    return {hit->position.x, hit->position.y, hit->position.z * look_.settings().exaggeration};
}

double SceneView::nearest() const { return std::max(1.0, board_.terrain().grid().cell * nearest_cells); }

void SceneView::move_view(Move move, const QPointF& from, const QPointF& to, bool begin) {
    if (board_.empty()) return;
    if (begin) pivot_ = seen_at(from);
    QPointF by = to - from;
    switch (move) {
        case Move::orbit:
            set_camera(orbited_within(camera_, *pivot_, by.x() * degrees_per_pixel,
                                      -by.y() * degrees_per_pixel, [this](const Camera& there) {
                                          return there.position.z >=
                                                 floor_at(there.position.x, there.position.y);
                                      }));
            break;
        case Move::look:
            set_camera(turned(camera_, by.x() * degrees_per_pixel, -by.y() * degrees_per_pixel));
            break;
        case Move::pan:
            set_camera(grabbed(camera_, pixels(), *pivot_, screen_point(to)));
            break;
        case Move::zoom:
            set_camera(dollied(camera_, *pivot_, std::pow(approach_per_pixel, by.y()), nearest()));
            break;
        default:
            break;
    }
}

void SceneView::scroll_view(const QPointF& pixel, double steps) {
    if (board_.empty()) return;
    set_camera(dollied(camera_, seen_at(pixel), std::pow(approach_per_step, steps), nearest()));
}

// ---- flying --------------------------------------------------------------------------------------------------

void SceneView::keyPressEvent(QKeyEvent* event) {
    if (!flies(event->key()) || event->modifiers() & (Qt::ControlModifier | Qt::AltModifier))
        return QOpenGLWidget::keyPressEvent(event);
    if (event->isAutoRepeat()) return;
    keys_.insert(event->key());
    if (!flight_.isActive()) {
        flown_.start();
        flight_.start();
    }
}

void SceneView::keyReleaseEvent(QKeyEvent* event) {
    if (!flies(event->key())) return QOpenGLWidget::keyReleaseEvent(event);
    if (event->isAutoRepeat()) return;
    keys_.erase(event->key());
    if (keys_.empty()) flight_.stop();
}

void SceneView::focusOutEvent(QFocusEvent* event) {
    keys_.clear();
    flight_.stop();
    QOpenGLWidget::focusOutEvent(event);
}

void SceneView::fly() {
    if (board_.empty()) return;
    double seconds = std::min(0.1, double(flown_.restart()) / 1000);
    auto along = [&](int forth, int back) { return double(keys_.count(forth)) - double(keys_.count(back)); };
    const Terrain& terrain = board_.terrain();
    double times = look_.settings().exaggeration;
    std::optional<double> ground =
        height_at(terrain.height(), terrain.grid(), camera_.position.x, camera_.position.y);
    double above =
        ground ? camera_.position.z - *ground * times : std::abs(camera_.position.z - box().middle().z);
    double metres = fly_speed(std::max(above, 0.0), terrain.grid().cell) * seconds;
    set_camera(flown(camera_, along(Qt::Key_W, Qt::Key_S) * metres, along(Qt::Key_D, Qt::Key_A) * metres,
                     along(Qt::Key_E, Qt::Key_Q) * metres));
}

}  // namespace caprock::editor

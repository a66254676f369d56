// The terrain in three dimensions.
#pragma once

#include "core/board.h"
#include "core/look.h"
#include "core/photographer.h"
#include "view/camera.h"
#include "view/gl/terrain_renderer.h"
#include "view/picking.h"
#include "view/scene.h"
#include "views/framing.h"
#include "views/hand.h"
#include "views/shadows.h"
#include "views/stale_squares.h"

#include <QElapsedTimer>
#include <QOpenGLWidget>
#include <QTimer>
#include <memory>
#include <optional>
#include <set>

namespace caprock::editor {

class SceneView : public QOpenGLWidget, public HandledView {
    Q_OBJECT

  public:
    SceneView(Board& board, Look& look, QWidget* parent = nullptr);
    ~SceneView() override;

    Hand& hand() { return hand_; }
    void set_ring(std::optional<BrushRing> ring);
    // All of the terrain, or what lies around a place.
    void frame_all();
    void frame(double x, double y, double radius);
    enum class Standpoint { top, north, east, south, west };
    void look_from(Standpoint standpoint);
    const Camera& camera() const { return camera_; }
    // There, or above it where that is below the ground.
    void set_camera(const Camera& camera);
    // What is looked at: the ground in the middle of the view.
    std::optional<GroundPoint> centre();
    // What it shows now, without what belongs to the brush. Not of an empty board.
    Shot shot() const;
    // Why there is no picture; empty where there is one.
    const QString& trouble() const { return trouble_; }
    // Whether it will show more of the board by itself, in its next frames.
    bool behind() const { return renderer_ && isVisible() && !stale_.empty(); }
    // Seconds that the last frame took besides the driver's.
    double own_seconds() const { return took_over_; }
    // Everything but the drawing goes on, for measuring it.
    void draw_nothing();

    std::optional<GroundPoint> ground_at(const QPointF& pixel) override;
    void move_view(Move move, const QPointF& from, const QPointF& to, bool begin) override;
    void scroll_view(const QPointF& pixel, double steps) override;

  Q_SIGNALS:
    void moved();
    void drawn(double seconds);
    void failed(const QString& message);

  protected:
    void initializeGL() override;
    void paintGL() override;
    void resizeGL(int width, int height) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    Size pixels() const;
    ScreenPoint screen_point(const QPointF& at) const;
    void replace();
    void rewrite(const Rect& cells);
    void change_look();
    void want_shadows();
    // What has changed since the last frame goes to the renderer; of cells as many as there is time for.
    void take_over(double seconds);
    void prepare_ring();
    void take_shadows(const ShadowMapPointer& map);
    // Those that belong to what is shown; one of another resolution is of a board that is gone.
    bool has_shadows() const;
    SceneOptions scene_options() const;
    SceneLook scene_look() const;
    void fly();
    // On the ground as it is, not as it is exaggerated.
    std::optional<Hit> hit_at(const QPointF& pixel);
    // As it is drawn, or something near where nothing is there.
    Vector3 seen_at(const QPointF& pixel);
    Box box() const;
    // The least height at which an eye there sees the land from above.
    double floor_at(double x, double y) const;
    double nearest() const;  // metres that the wheel comes to a place
    // The land may have risen under the eye.
    void stay_above();
    void release();

    Board& board_;
    Look& look_;
    LookSettings looked_;  // the settings that the scene was made with
    Hand hand_;
    Shadows shadows_;
    QTimer shadows_later_;
    Camera camera_;
    bool placed_ = false;  // the camera has a terrain to look at
    bool fits_ = false;    // nobody has moved it since all of the terrain was put into it
    Framing framing_;
    std::optional<BrushRing> ring_;
    std::optional<Vector3> pivot_;

    std::unique_ptr<gl::Functions> functions_;
    std::unique_ptr<gl::TerrainRenderer> renderer_;
    std::optional<Scene> scene_;
    bool scene_is_new_ = false;
    bool fields_are_new_ = false;
    bool lines_are_new_ = false;
    StaleSquares stale_;
    QElapsedTimer frame_;       // since the frame was begun
    double frame_seconds_ = 0;  // that the last one took besides taking cells over
    double took_over_ = 0;
    ShadowMapPointer shadow_map_;
    bool shadow_map_is_new_ = false;
    QString trouble_;

    std::set<int> keys_;  // that are down and fly
    QTimer flight_;
    QElapsedTimer flown_;
};

}  // namespace caprock::editor

// However the view is moved and whatever the land does, the eye stays above the ground.
#include "document/commands.h"
#include "studio.h"
#include "view/picking.h"

#include <QWheelEvent>
#include <random>

namespace caprock::editor {
namespace {

struct Lookout : Studio {
    Lookout() {
        Grid grid;
        grid.extent = {0, 0, 200, 200};
        grid.cell = 10;
        grid.range = {0, 800};
        window().create_document(QString::fromStdString(fresh_test_path("eye.caprock")), grid,
                                 "river-canyon");
        settle();
    }
    SceneView& scene() { return window().scene(); }
    // Metres of the eye above the land below it, as it is drawn; much where there is none.
    double above_ground() {
        const Terrain& terrain = window().board().terrain();
        const Vector3& eye = scene().camera().position;
        std::optional<double> ground = height_at(terrain.height(), terrain.grid(), eye.x, eye.y);
        return ground ? eye.z - *ground * window().look().settings().exaggeration : 1e9;
    }
    void wheel(QPointF at, int steps) {
        QWheelEvent event(at, scene().mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&scene(), &event);
    }
    void drag_with(Qt::MouseButton button, QPointF from, QPointF to) {
        QTest::mousePress(&scene(), button, {}, from.toPoint());
        for (const QPointF& at : line(from, to, 4)) {
            QMouseEvent move(QEvent::MouseMove, at, scene().mapToGlobal(at), Qt::NoButton, button, {});
            QApplication::sendEvent(&scene(), &move);
        }
        QTest::mouseRelease(&scene(), button, {}, to.toPoint());
    }
};

TEST(Eye, StaysAboveTheLandHoweverTheViewIsMoved) {
    Lookout here;
    double least = here.window().board().terrain().grid().cell * 0.5 - 1e-6;
    std::mt19937 random(3);
    auto place = [&] {
        return QPointF(double(random() % unsigned(here.scene().width())),
                       double(random() % unsigned(here.scene().height())));
    };
    auto look = [&](const char* after, int round) {
        EXPECT_GE(here.above_ground(), least) << after << " in round " << round;
    };
    for (int round = 0; round < 60 && !testing::Test::HasFailure(); round++) {
        here.wheel(place(), random() % 4 == 0 ? -3 : 6);
        look("the wheel", round);
        here.drag_with(Qt::MiddleButton, place(), place());
        look("turning", round);
        here.drag_with(Qt::RightButton, place(), place());
        look("moving sideways", round);
    }
    // Also with the land drawn higher, from one moment to the next.
    here.window().look().change([](LookSettings& look) { look.exaggeration = 4; });
    look("drawing the land higher", 0);
}

TEST(Eye, RisesWithTheLand) {
    Lookout here;
    MainWindow& window = here.window();
    // Down to the ground, between four samples: on one of them the quads all around would have a say.
    Camera low = here.scene().camera();
    low.position = {995, 995, -1e5};
    here.scene().set_camera(low);
    EXPECT_NEAR(here.above_ground(), 5, 5);
    window.workshop().change("higher", [](Document& document, RunContext&) {
        Layer settings;
        settings.blend = make_blend("add");
        std::vector<LayerOperation> operations;
        operations.emplace_back(operation_with("plane", {{"height", 300.0}}));
        add_operations(document, std::move(operations), settings);
    });
    here.settle();
    EXPECT_GE(here.above_ground(), 5 - 1e-6);
    window.workshop().undo();
    here.settle();
    EXPECT_GE(here.above_ground(), 300 - 1e-3);
    here.scene().set_camera(low);
    window.workshop().redo();
    here.settle();
    EXPECT_GE(here.above_ground(), 5 - 1e-6);
}

}  // namespace
}  // namespace caprock::editor

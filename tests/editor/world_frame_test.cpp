// What is pointed at, what is said of it and what a stroke paints are one place.
#include "studio.h"

#include <QLabel>
#include <cmath>

namespace caprock::editor {
namespace {

constexpr double metres = 16;  // from cell to cell
const std::vector<std::pair<int, int>> pointed_at = {{20, 33}, {47, 12}};

struct Framed : Studio {
    Framed() {
        Grid grid{{0, 0, 64, 64}, metres, {0, 400}};
        window().create_document(QString::fromStdString(fresh_test_path("frame.caprock")), grid, "hills");
        settle();
        act("view.both");
        QCoreApplication::processEvents();
    }
    const Terrain& terrain() { return window().board().terrain(); }
    // Exactly above it, north up.
    void stand_above(int x, int y) {
        WorldPoint place = terrain().grid().place_of(x, y);
        Camera above;
        above.position = {place.x, place.y, 600};
        above.pitch = -90;
        window().scene().set_camera(above);
        window().map().frame(place.x, place.y, 4 * metres);
    }
    static QPointF middle(const QWidget& view) { return {view.width() / 2.0, view.height() / 2.0}; }
    QString status() {
        auto* label = window().findChild<QLabel*>("cursor");
        return label ? label->text() : QString();
    }
};

TEST(WorldFrame, BothViewsPointAtTheSample) {
    Framed here;
    MainWindow& window = here.window();
    for (auto [x, y] : pointed_at) {
        here.stand_above(x, y);
        WorldPoint place = here.terrain().grid().place_of(x, y);
        double height = here.terrain().height().at(x, y);
        std::optional<GroundPoint> on_map = window.map().ground_at(Framed::middle(window.map()));
        std::optional<GroundPoint> in_scene = window.scene().ground_at(Framed::middle(window.scene()));
        for (const auto& ground : {on_map, in_scene}) {
            ASSERT_TRUE(ground);
            EXPECT_NEAR(ground->x, place.x, 0.01);
            EXPECT_NEAR(ground->y, place.y, 0.01);
            EXPECT_NEAR(ground->height, height, 0.02);
        }
    }
}

TEST(WorldFrame, TheStatusBarSaysTheSamplesHeight) {
    Framed here;
    for (auto [x, y] : pointed_at) {
        here.stand_above(x, y);
        QWidget& map = here.window().map();
        QTest::mouseMove(&map, QPoint(3, 3));
        QTest::mouseMove(&map, Framed::middle(map).toPoint());
        QCoreApplication::processEvents();
        // Whole pixels: a widget of an odd size has its middle between two.
        QPointF at = Framed::middle(map).toPoint();
        std::optional<GroundPoint> ground = here.window().map().ground_at(at);
        ASSERT_TRUE(ground);
        EXPECT_EQ(here.status(), QString("x %1  y %2  h %3 m")
                                     .arg(ground->x, 0, 'f', 1)
                                     .arg(ground->y, 0, 'f', 1)
                                     .arg(ground->height, 0, 'f', 1));
        EXPECT_NEAR(ground->height, double(here.terrain().height().at(x, y)), 2);
    }
}

TEST(WorldFrame, AClickPaintsTheCellThatIsPointedAt) {
    Framed here;
    MainWindow& window = here.window();
    here.act("brush.raise");
    window.brushes().change([](Brush& brush) { brush.settings.radius = 0.01; });
    for (QWidget* view : {static_cast<QWidget*>(&window.map()), static_cast<QWidget*>(&window.scene())})
        for (auto [x, y] : pointed_at) {
            here.stand_above(x, y);
            Field before = here.terrain().height().copied();
            QTest::mouseClick(view, Qt::LeftButton, {}, Framed::middle(*view).toPoint());
            here.settle();
            const Field& after = here.terrain().height();
            for (int row = 0; row < 64; row++)
                for (int column = 0; column < 64; column++)
                    ASSERT_EQ(after.at(column, row) != before.at(column, row), column == x && row == y)
                        << column << ' ' << row << ", pointed at " << x << ' ' << y;
        }
    EXPECT_TRUE(here.failures().isEmpty()) << here.failures().join("; ").toStdString();
}

}  // namespace
}  // namespace caprock::editor

// How long the window does not answer while a brush is dragged: CAPROCK_EDITOR_FRAMES=4096 xvfb-run build/release/bin/test_editor.
// Drawing is counted apart: on a machine without a graphics card it takes as long as it takes.
#include "studio.h"

#include <QElapsedTimer>
#include <QTimer>
#include <algorithm>
#include <cstdio>

namespace caprock::editor {

namespace {

double quantile(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    return values[size_t(share * double(values.size() - 1))];
}

}  // namespace

int measure_frames(int side) {
    Studio studio;
    MainWindow& window = studio.window();
    Grid grid;
    grid.extent = {0, 0, side, side};
    grid.cell = 1;
    // Here drawing counts: what is opened is also seen for the first time.
    QTimer pulse;
    QElapsedTimer beat;
    qint64 longest = 0;
    QObject::connect(&pulse, &QTimer::timeout, &window, [&] { longest = std::max(longest, beat.restart()); });
    beat.start();
    pulse.start(5);
    window.create_document(QString::fromStdString(fresh_test_path("frames.caprock")), grid, "hills");
    studio.settle(600000);
    pulse.stop();
    std::printf("longest silence while it was made: %lld ms\n\n", static_cast<long long>(longest));
    // Putting the window together is drawing as well: the views' own part of it is counted, the driver's is not.
    std::vector<double> painted, strokes;
    double views = 0;
    auto count = [&](double seconds) {
        painted.push_back(seconds);
        views += seconds;
    };
    QObject::connect(&window.scene(), &SceneView::drawn, &window, count);
    QObject::connect(&window.map(), &MapWidget::drawn, &window, count);
    DrawingClock clock;
    window.installEventFilter(&clock);
    window.scene().draw_nothing();
    QObject::connect(&window.workshop(), &Workshop::stroked, &window,
                     [&](double seconds) { strokes.push_back(seconds); });
    std::printf(
        "| view | brush | radius, cells | answer p50, ms | p95 | worst | view p95 | sample to tiles p50 | "
        "p95 "
        "|\n");
    std::printf("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (const char* shown : {"scene", "map"}) {
        studio.act(shown == std::string("map") ? "view.map" : "view.scene");
        studio.settle(600000);
        // Shadows come, and programs are made ready, while somebody takes a brush.
        QTest::qWait(2000);
        for (const char* brush : {"brush.raise", "brush.smooth", "brush.weathered"})
            for (double radius : {32.0, 128.0, 512.0}) {
                studio.act(brush);
                window.brushes().change([&](Brush& taken) { taken.settings.radius = radius; });
                studio.settle(600000);
                std::vector<double> silences;
                painted.clear();
                strokes.clear();
                QWidget* view =
                    shown == std::string("map") ? static_cast<QWidget*>(&window.map()) : &window.scene();
                QPointF middle(view->width() / 2.0, view->height() / 2.0);
                QTest::mousePress(view, Qt::LeftButton, {}, middle.toPoint());
                QElapsedTimer since, all;
                since.start();
                all.start();
                views = clock.seconds = 0;
                int step = 0;
                while (all.elapsed() < 4000) {
                    double angle = 0.05 * step++;
                    QPointF at = middle + QPointF(std::cos(angle), std::sin(angle)) * 120;
                    QMouseEvent move(QEvent::MouseMove, at, view->mapToGlobal(at), Qt::NoButton,
                                     Qt::LeftButton, Qt::NoModifier);
                    QApplication::sendEvent(view, &move);
                    QCoreApplication::processEvents();
                    silences.push_back(double(since.nsecsElapsed()) * 1e-9 - clock.seconds + views);
                    views = clock.seconds = 0;
                    QTest::qSleep(4);
                    since.restart();
                }
                QTest::mouseRelease(view, Qt::LeftButton, {}, middle.toPoint());
                studio.settle(600000);
                std::printf("| %s | %s | %.0f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n", shown,
                            brush + 6, radius, quantile(silences, 0.5) * 1000,
                            quantile(silences, 0.95) * 1000, quantile(silences, 1) * 1000,
                            quantile(painted, 0.95) * 1000, quantile(strokes, 0.5) * 1000,
                            quantile(strokes, 0.95) * 1000);
                std::fflush(stdout);
            }
    }
    return 0;
}

}  // namespace caprock::editor

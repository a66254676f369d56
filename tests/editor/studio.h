// A window as a user has it, with a mouse and a pen.
#pragma once

#include "compute/devices.h"
#include "core/images.h"
#include "document/plan.h"
#include "editor/test_folder.h"
#include "graph/evaluator.h"
#include "window/main_window.h"

#include <QAction>
#include <QElapsedTimer>
#include <QPointingDevice>
#include <QTabletEvent>
#include <QTest>
#include <filesystem>
#include <future>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace caprock::editor {

inline std::string test_path(const std::string& name) {
    std::filesystem::path path = test_folder() / name;
    return path.string();
}

inline std::string fresh_test_path(const std::string& name) {
    std::string path = test_path(name);
    for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(path + ending);
    return path;
}

// What a document comes to, computed without a window.
inline uint64_t composed_fingerprint(const Snapshot& snapshot, const std::string& field = "height") {
    RunContext context;
    context.device = choose_device("cpu", 0, 0);
    Plan plan(snapshot);
    return fingerprint(Evaluator(context).evaluate(plan, plan.window()).field(field));
}

// What a view shows, at any size. On a thread of its own, as the photographer does it: on this one the window's OpenGL is.
inline QImage picture_of(const Shot& shot, Size size) {
    return std::async(std::launch::async,
                      [&] {
                          Progress progress;
                          return image_of(shot(size, progress));
                      })
        .get();
}

struct PenPoint {
    QPointF at;
    double pressure = 1;
};

// How long the window takes to be painted and put together.
class DrawingClock : public QObject {
  public:
    double seconds = 0;

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::UpdateRequest) return false;
        QElapsedTimer timer;
        timer.start();
        watched->event(event);
        seconds += double(timer.nsecsElapsed()) * 1e-9;
        return true;
    }
};

class Studio {
  public:
    Studio() : window_(std::make_unique<MainWindow>()) {
        window_->resize(1200, 800);
        window_->show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(window_.get()));
        auto note = [this](const QString& message) { failures_ << message; };
        QObject::connect(&window_->workshop(), &Workshop::failed, window_.get(), note);
        QObject::connect(&window_->composer(), &Composer::failed, window_.get(), note);
        for (Hand* hand : {&window_->scene().hand(), &window_->map().hand()}) {
            QObject::connect(hand, &Hand::pen_down, window_.get(),
                             [this](const PenSample& sample, bool) { strokes_.push_back({sample}); });
            QObject::connect(hand, &Hand::pen_at, window_.get(), [this](const PenSample& sample) {
                if (!strokes_.empty()) strokes_.back().push_back(sample);
            });
        }
    }

    MainWindow& window() { return *window_; }
    void close() {
        window_->close();
        window_.reset();
    }
    // Every stroke's samples, as the hand reported them.
    const std::vector<std::vector<PenSample>>& strokes() const { return strokes_; }
    const QStringList& failures() const { return failures_; }

    void settle(int milliseconds = 120000) {
        ASSERT_TRUE(QTest::qWaitFor([this] { return window_->settled(); }, milliseconds))
            << "it does not come to rest";
        QCoreApplication::processEvents();
    }
    void act(const char* name) {
        QAction* action = window_->actions().find(name);
        ASSERT_TRUE(action) << name;
        ASSERT_TRUE(action->isEnabled()) << name;
        action->trigger();
    }
    uint64_t shown() { return fingerprint(window_->board().terrain().height()); }
    const DocumentState& state() { return window_->document()->state(); }

    void drag(QWidget* view, const std::vector<QPointF>& points) {
        QTest::mousePress(view, Qt::LeftButton, {}, points.front().toPoint());
        for (const QPointF& point : points) QTest::mouseMove(view, point.toPoint());
        QTest::mouseRelease(view, Qt::LeftButton, {}, points.back().toPoint());
    }
    void pen(QWidget* view, const std::vector<PenPoint>& points, bool eraser = false) {
        static const QPointingDevice stylus(
            "test pen", 7, QInputDevice::DeviceType::Stylus, QPointingDevice::PointerType::Pen,
            QInputDevice::Capability::Pressure | QInputDevice::Capability::XTilt, 1, 1);
        static const QPointingDevice rubber("test eraser", 8, QInputDevice::DeviceType::Stylus,
                                            QPointingDevice::PointerType::Eraser,
                                            QInputDevice::Capability::Pressure, 1, 1);
        auto send = [&](QEvent::Type type, const PenPoint& point, Qt::MouseButton button,
                        Qt::MouseButtons buttons) {
            QTabletEvent event(type, eraser ? &rubber : &stylus, point.at, view->mapToGlobal(point.at),
                               point.pressure, 10, 0, 0, 0, 0, Qt::NoModifier, button, buttons);
            QApplication::sendEvent(view, &event);
        };
        send(QEvent::TabletPress, points.front(), Qt::LeftButton, Qt::LeftButton);
        for (const PenPoint& point : points) send(QEvent::TabletMove, point, Qt::NoButton, Qt::LeftButton);
        send(QEvent::TabletRelease, points.back(), Qt::LeftButton, Qt::NoButton);
    }

  private:
    std::unique_ptr<MainWindow> window_;
    std::vector<std::vector<PenSample>> strokes_;
    QStringList failures_;
};

// From one place of a view to another, in steps.
inline std::vector<QPointF> line(const QPointF& from, const QPointF& to, int steps = 12) {
    std::vector<QPointF> points;
    for (int i = 0; i <= steps; i++) points.push_back(from + (to - from) * (double(i) / steps));
    return points;
}

}  // namespace caprock::editor

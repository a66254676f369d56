// Somebody who clicks, drags, types and chooses from menus at random. Nothing of it may crash, hang or spoil the document.
#include "document/verify.h"
#include "silence_watch.h"
#include "studio.h"
#include "theme/theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDialog>
#include <QDrag>
#include <QElapsedTimer>
#include <QMenu>
#include <QSettings>
#include <QTimer>
#include <cstdlib>
#include <random>

namespace caprock::editor {
namespace {

// Actions that would end the test, or fill somebody's disk.
bool is_left_out(const QString& name) {
    return name == "file.quit" || name == "file.close" || name == "view.full" || name == "file.new";
}

// What a user takes for a hang.
constexpr std::chrono::milliseconds hang{2000};

class Monkey {
  public:
    Monkey(Studio& studio, uint32_t seed) : studio_(studio), random_(seed) {
        // Whatever asks is answered at once, or it would wait for ever. Not from within the timer's own call: it does not come
        // again before that is over, and an answer may open another dialog.
        QObject::connect(&dismisser_, &QTimer::timeout,
                         [this] { QTimer::singleShot(0, &dismisser_, [this] { dismiss(); }); });
        dismisser_.start(20);
        // What the driver takes to draw is not the window's: without a graphics card that may be a second for the first
        // picture of its kind. What the views do themselves is.
        MainWindow& window = studio.window();
        window.installEventFilter(&drawing_);
        QObject::connect(&window.scene(), &SceneView::drawn, &dismisser_,
                         [&] { drawing_.seconds -= studio_.window().scene().own_seconds(); });
        QObject::connect(&window.map(), &MapWidget::drawn, &dismisser_,
                         [&](double seconds) { drawing_.seconds -= seconds; });
        QObject::connect(&pulse_, &QTimer::timeout, [this] {
            watch_.heard();
            qint64 all = beat_.restart();
            qint64 silence = all - qint64(drawing_.seconds * 1000);
            drawing_.seconds = 0;
            if (silence > hang.count())
                std::fprintf(stderr, "silent for %lld ms (%s)\n", static_cast<long long>(silence),
                             qPrintable(doing_));
            longest_with_drawing_ = std::max(longest_with_drawing_, all);
            if (silence <= longest_) return;
            longest_ = silence;
            longest_by_ = doing_;
        });
        beat_.start();
        pulse_.start(5);
    }

    // Milliseconds in which the window did nothing, without and with the driver's time.
    qint64 longest_silence() const { return longest_; }
    qint64 longest_with_drawing() const { return longest_with_drawing_; }
    // And what was done before it.
    const QString& longest_by() const { return longest_by_; }

    void act() {
        MainWindow& window = studio_.window();
        int what = number(10);
        doing_ = QString("act %1").arg(what);
        switch (what) {
            case 0:
            case 1:
            case 2:
                stroke(window);
                break;
            case 3:
                choose_action(window);
                break;
            case 4:
                click_something(window);
                break;
            case 5: {
                static const int keys[] = {Qt::Key_Z, Qt::Key_Y,    Qt::Key_BracketLeft, Qt::Key_BracketRight,
                                           Qt::Key_M, Qt::Key_1,    Qt::Key_3,           Qt::Key_5,
                                           Qt::Key_F, Qt::Key_C,    Qt::Key_Escape,      Qt::Key_Delete,
                                           Qt::Key_W, Qt::Key_Home, Qt::Key_Tab};
                int key = keys[number(int(std::size(keys)))];
                Qt::KeyboardModifiers modifiers =
                    key == Qt::Key_Z || key == Qt::Key_Y ? Qt::ControlModifier : Qt::NoModifier;
                QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : &window,
                                Qt::Key(key), modifiers);
                break;
            }
            case 6:
                look_around(window);
                break;
            case 7:
                window.workshop().undo();
                break;
            default:
                QTest::qWait(number(30));
                break;
        }
        // A document that is a mountain of erosions takes longer than a test has.
        if (window.document() && window.document()->state().layers.size() > 6) window.workshop().go_to(3);
        QCoreApplication::processEvents();
    }

  private:
    void dismiss() {
        if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
        // What is dragged from a list waits for a mouse that nobody has.
        QDrag::cancel();
        if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) answer(dialog);
    }

    int number(int below) { return int(random_() % uint32_t(below)); }

    QWidget* a_view(MainWindow& window) {
        QWidget* scene = &window.scene();
        QWidget* map = &window.map();
        if (map->isVisible() && (!scene->isVisible() || number(2))) return map;
        return scene;
    }
    QPointF a_place(QWidget* widget) {
        return {double(number(std::max(1, widget->width()))), double(number(std::max(1, widget->height())))};
    }

    void stroke(MainWindow& window) {
        QWidget* view = a_view(window);
        std::vector<PenPoint> points;
        QPointF from = a_place(view), to = a_place(view);
        for (const QPointF& point : line(from, to, 2 + number(10)))
            points.push_back({point, 0.1 + 0.09 * number(10)});
        if (number(2)) {
            studio_.pen(view, points, number(6) == 0);
        } else {
            std::vector<QPointF> places;
            for (const PenPoint& point : points) places.push_back(point.at);
            studio_.drag(view, places);
        }
    }

    void look_around(MainWindow& window) {
        QWidget* view = a_view(window);
        Qt::MouseButton button = number(2) ? Qt::MiddleButton : Qt::RightButton;
        QPointF at = a_place(view);
        QTest::mousePress(view, button, {}, at.toPoint());
        for (int i = 0; i < 4; i++) {
            QPointF to = a_place(view);
            QMouseEvent event(QEvent::MouseMove, to, view->mapToGlobal(to), Qt::NoButton, button,
                              Qt::NoModifier);
            QApplication::sendEvent(view, &event);
        }
        QTest::mouseRelease(view, button, {}, at.toPoint());
    }

    void choose_action(MainWindow& window) {
        const std::vector<Actions::Entry>& all = window.actions().all();
        const Actions::Entry& entry = all[size_t(number(int(all.size())))];
        if (is_left_out(entry.name) || !entry.action->isEnabled()) return;
        doing_ = entry.name;
        entry.action->trigger();
    }

    void click_something(MainWindow& window) {
        QList<QWidget*> widgets = window.findChildren<QWidget*>();
        QWidget* widget = widgets[number(int(widgets.size()))];
        if (!widget->isVisible() || !widget->isEnabled() || widget->window() != &window) return;
        doing_ = QString("click on %1 %2").arg(widget->metaObject()->className(), widget->objectName());
        QPointF at = a_place(widget);
        if (number(2))
            QTest::mouseClick(widget, Qt::LeftButton, {}, at.toPoint());
        else
            studio_.drag(widget, {at, a_place(widget)});
        if (number(3) == 0) QTest::keyClicks(widget, QString::number(number(2000)));
    }

    // Some are accepted: what they do belongs to what may happen. None may write files, though.
    void answer(QDialog* dialog) {
        bool asks_for_file = dialog->inherits("QFileDialog") || dialog->inherits("QMessageBox");
        if (!asks_for_file && number(3) == 0) {
            QList<QWidget*> parts = dialog->findChildren<QWidget*>();
            if (!parts.isEmpty()) {
                QWidget* part = parts[number(int(parts.size()))];
                auto* button = qobject_cast<QAbstractButton*>(part);
                bool opens_more = button && button->text().contains(QStringLiteral("…"));
                doing_ = QString("%1 of %2").arg(part->objectName(), dialog->metaObject()->className());
                if (part->isVisible() && part->isEnabled() && !opens_more)
                    QTest::mouseClick(part, Qt::LeftButton, {},
                                      QPoint(part->width() / 2, part->height() / 2));
            }
            if (number(4)) return;
        }
        dialog->reject();
    }

    Studio& studio_;
    std::mt19937 random_;
    QTimer dismisser_;
    QTimer pulse_;
    QElapsedTimer beat_;
    SilenceWatch watch_{hang};
    DrawingClock drawing_;
    qint64 longest_ = 0, longest_with_drawing_ = 0;
    QString doing_, longest_by_;
};

TEST(Monkey, DoesNoHarm) {
    const char* soak = std::getenv("CAPROCK_SOAK");
    bool for_long = soak && std::string(soak) == "long";
    uint32_t seed = for_long ? std::random_device()() : 7;
    if (const char* given = std::getenv("CAPROCK_SEED")) seed = uint32_t(std::strtoul(given, nullptr, 10));
    std::string path = fresh_test_path("monkey.caprock");
    int64_t position = 0;
    {
        Studio studio;
        Grid grid;
        grid.extent = {0, 0, 256, 200};
        studio.window().create_document(QString::fromStdString(path), grid, "hills");
        studio.settle();
        Monkey monkey(studio, seed);
        QElapsedTimer time;
        time.start();
        qint64 most = for_long ? 30 * 60 * 1000 : 12 * 1000;
        if (const char* given = std::getenv("CAPROCK_SECONDS")) most = std::atoi(given) * 1000;
        int count = 0;
        while (time.elapsed() < most) {
            monkey.act();
            count++;
            if (!studio.window().document()) break;
        }
        studio.window().workshop().cancel();
        studio.window().composer().cancel();
        studio.settle();
        RecordProperty("seed", int(seed));
        RecordProperty("acts", count);
        RecordProperty("longest silence, ms", int(monkey.longest_silence()));
        std::printf(
            "monkey: seed %u, %d acts, longest silence %lld ms (%s), with drawing %lld ms, %d complaints\n",
            seed, count, static_cast<long long>(monkey.longest_silence()), qPrintable(monkey.longest_by()),
            static_cast<long long>(monkey.longest_with_drawing()), int(studio.failures().size()));
        // Machines are shared, and sanitizers slow: this is for what never comes back.
        EXPECT_LT(monkey.longest_silence(), 30000);
        ASSERT_TRUE(studio.window().document());
        position = studio.window().document()->position;
        studio.close();
    }
    // It has been in the preferences: tests after this one have the usual keys and colours.
    QSettings().clear();
    apply_theme(ThemeKind::dark);
    VerifyReport report = verify_project(path);
    EXPECT_TRUE(report.sound()) << (report.problems.empty() ? std::string() : report.problems.front());
    EXPECT_EQ(Document::open(path)->position(), position);
}

}  // namespace
}  // namespace caprock::editor

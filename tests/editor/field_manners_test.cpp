// What wheels and keys do in the fields of panels, whichever widget they are.
#include "widgets/field_manners.h"

#include "studio.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QWheelEvent>
#include <QtTest/qtestspontaneevent.h>

namespace caprock::editor {
namespace {

// As the window system would send it: with what comes along, such as the focus.
void turn_wheel(QWidget* widget, int steps) {
    QPointF at(widget->width() / 2.0, widget->height() / 2.0);
    QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&event);
    qApp->notify(widget, &event);
}

bool turns(QWidget* widget) {
    if (qobject_cast<QScrollBar*>(widget)) return false;
    return qobject_cast<QAbstractSpinBox*>(widget) || qobject_cast<QComboBox*>(widget) ||
           qobject_cast<QAbstractSlider*>(widget);
}

QString value_of(QWidget* widget) {
    if (auto* box = qobject_cast<QAbstractSpinBox*>(widget)) return box->text();
    if (auto* list = qobject_cast<QComboBox*>(widget)) return list->currentText();
    return QString::number(qobject_cast<QAbstractSlider*>(widget)->value());
}

struct FieldDesk : Studio {
    FieldDesk() {
        Grid grid;
        grid.extent = {0, 0, 64, 64};
        window().create_document(QString::fromStdString(fresh_test_path("manners.caprock")), grid, "hills");
        settle();
        window().activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&window()));
        window().scene().setFocus();
    }
    std::vector<QWidget*> fields(QWidget* panel) {
        std::vector<QWidget*> found;
        for (auto* widget : panel->findChildren<QWidget*>())
            if (turns(widget) && widget->isVisible() && widget->isEnabled()) found.push_back(widget);
        return found;
    }
};

TEST(FieldManners, AWheelThatPassesByScrollsAndChangesNothing) {
    FieldDesk desk;
    MainWindow& window = desk.window();
    int64_t position = window.document()->position;
    MaterialSet materials = window.look().settings().materials;
    size_t looked_at = 0;
    bool scrolled = false;
    for (auto* dock : window.findChildren<QDockWidget*>()) {
        dock->show();
        dock->raise();
        QTest::qWait(30);
        for (QWidget* field : desk.fields(dock)) {
            QString before = value_of(field);
            QScrollArea* area = nullptr;
            for (QWidget* at = field; at && !area; at = at->parentWidget())
                area = qobject_cast<QScrollArea*>(at);
            QScrollBar* bar = area ? area->verticalScrollBar() : nullptr;
            int way = bar && bar->value() == bar->maximum() ? 1 : -1;
            int stood = bar ? bar->value() : 0;
            turn_wheel(field, way);
            EXPECT_EQ(value_of(field), before) << field->objectName().toStdString();
            EXPECT_FALSE(field->hasFocus()) << field->objectName().toStdString();
            if (bar && bar->maximum() > bar->minimum()) {
                EXPECT_NE(bar->value(), stood) << field->objectName().toStdString();
                scrolled = true;
            }
            looked_at++;
        }
    }
    desk.settle();
    EXPECT_GT(looked_at, 25u);
    EXPECT_TRUE(scrolled);
    EXPECT_EQ(window.document()->position, position);
    EXPECT_EQ(window.look().settings().materials, materials);

    // Where the keyboard is, a number follows the wheel; a list that is closed does not even then.
    auto* percent = window.findChild<QSpinBox*>("layer_percent");
    percent->setFocus();
    turn_wheel(percent, -1);
    EXPECT_EQ(percent->value(), 99);
    auto* mode = window.findChild<QComboBox*>("layer_mode");
    ASSERT_TRUE(mode);
    mode->setFocus();
    QString chosen = mode->currentText();
    turn_wheel(mode, -1);
    EXPECT_EQ(mode->currentText(), chosen);
}

TEST(FieldManners, EnterAndEscapeGiveTheKeyboardBack) {
    FieldDesk desk;
    MainWindow& window = desk.window();
    auto* percent = window.findChild<QSpinBox*>("layer_percent");
    auto enter = [&](QWidget* field, const char* text, Qt::Key key) {
        QTest::mouseClick(field, Qt::LeftButton, {}, QPoint(8, field->height() / 2));
        EXPECT_TRUE(QTest::qWaitFor([&] { return QApplication::focusWidget() == field; }, 1000));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(QApplication::focusWidget(), text);
        QTest::keyClick(QApplication::focusWidget(), key);
        QCoreApplication::processEvents();
    };
    enter(percent, "40", Qt::Key_Return);
    EXPECT_EQ(percent->value(), 40);
    EXPECT_EQ(QApplication::focusWidget(), &window.scene());
    desk.settle();
    // W is for flying, not for the field.
    Vector3 stood = window.scene().camera().position;
    QTest::keyPress(QApplication::focusWidget(), Qt::Key_W);
    EXPECT_TRUE(QTest::qWaitFor([&] { return window.scene().camera().position.x != stood.x; }, 20000));
    QTest::keyRelease(QApplication::focusWidget(), Qt::Key_W);
    EXPECT_EQ(percent->value(), 40);

    int64_t position = window.document()->position;
    enter(percent, "77", Qt::Key_Escape);
    EXPECT_EQ(percent->value(), 40);
    EXPECT_EQ(percent->text(), "40 %");
    EXPECT_EQ(QApplication::focusWidget(), &window.scene());
    desk.settle();
    EXPECT_EQ(window.document()->position, position);

    // Lines of forms, and the view that was used last.
    desk.act("view.both");
    QTest::mouseClick(&window.map(), Qt::MiddleButton, {}, QPoint(20, 20));
    auto* name = window.findChild<QLineEdit*>("properties.name");
    ASSERT_TRUE(name);
    QString called = name->text();
    enter(name, "Low hills", Qt::Key_Escape);
    EXPECT_EQ(name->text(), called);
    EXPECT_EQ(QApplication::focusWidget(), &window.map());
    enter(name, "Low hills", Qt::Key_Enter);
    EXPECT_EQ(QApplication::focusWidget(), &window.map());
    desk.settle();
    EXPECT_EQ(desk.state().layers.back().name, "Low hills");
    desk.act("view.scene");
}

}  // namespace
}  // namespace caprock::editor

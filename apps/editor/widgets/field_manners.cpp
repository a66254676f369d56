#include "widgets/field_manners.h"

#include "widgets/typed_edit.h"

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollBar>
#include <QToolBar>

namespace caprock::editor {

namespace {

bool turns_by_wheel(const QWidget* widget) {
    if (qobject_cast<const QScrollBar*>(widget)) return false;
    return qobject_cast<const QAbstractSpinBox*>(widget) || qobject_cast<const QComboBox*>(widget) ||
           qobject_cast<const QAbstractSlider*>(widget);
}

// The widget itself, or the one that it is a part of, as a line is of a spin box.
template <typename Suits>
QWidget* outermost(QWidget* widget, const Suits& suits) {
    QWidget* found = nullptr;
    for (QWidget* at = widget; at; at = at->parentWidget()) {
        if (suits(at)) found = at;
        if (at->isWindow()) break;
    }
    return found;
}

template <typename Kind>
bool lies_in(QWidget* widget) {
    return outermost(widget, [](QWidget* at) { return qobject_cast<Kind*>(at) != nullptr; }) != nullptr;
}

bool has_keyboard(const QWidget* field) {
    const QWidget* focus = QApplication::focusWidget();
    return focus && (focus == field || field->isAncestorOf(focus));
}

// What one types into; null where a field has no such line.
QLineEdit* line_in(QWidget* field) {
    if (auto* line = qobject_cast<QLineEdit*>(field)) return line;
    if (auto* list = qobject_cast<QComboBox*>(field)) return list->lineEdit();
    return qobject_cast<QAbstractSpinBox*>(field) ? field->findChild<QLineEdit*>() : nullptr;
}

}  // namespace

FieldManners::FieldManners(QWidget* window) : QObject(window), window_(window) {
    qApp->installEventFilter(this);
}

void FieldManners::add_view(QWidget* view) { views_ << view; }

QWidget* FieldManners::field_of(QWidget* widget) const {
    if (widget->window() != window_ || !(lies_in<QDockWidget>(widget) || lies_in<QToolBar>(widget)))
        return nullptr;
    // Lines in lists are the list's own business.
    if (lies_in<QAbstractItemView>(widget)) return nullptr;
    return outermost(widget, [](QWidget* at) {
        return turns_by_wheel(at) || qobject_cast<QLineEdit*>(at) || qobject_cast<QCheckBox*>(at);
    });
}

bool FieldManners::escape_is_for(QWidget* field) const {
    QLineEdit* line = line_in(field);
    return line && (line->isModified() || (field == entered_ && line->text() != before_));
}

void FieldManners::back_to_view() {
    const QWidget* focus = QApplication::focusWidget();
    if (focus && focus->window() != window_) return;
    if (last_view_ && last_view_->isVisible()) return last_view_->setFocus(Qt::OtherFocusReason);
    for (QWidget* view : views_)
        if (view->isVisible()) return view->setFocus(Qt::OtherFocusReason);
}

bool FieldManners::eventFilter(QObject* watched, QEvent* event) {
    auto* widget = qobject_cast<QWidget*>(watched);
    if (!widget) return false;
    switch (event->type()) {
        case QEvent::Polish:
            // Else the wheel would bring the keyboard along.
            if (turns_by_wheel(widget) && widget->focusPolicy() == Qt::WheelFocus)
                widget->setFocusPolicy(Qt::StrongFocus);
            return false;
        case QEvent::Wheel: {
            QWidget* field = outermost(widget, turns_by_wheel);
            if (!field || (has_keyboard(field) && !qobject_cast<QComboBox*>(field))) return false;
            // Whoever it lies on gets it next.
            event->ignore();
            return true;
        }
        case QEvent::FocusIn:
            if (views_.contains(widget)) last_view_ = widget;
            if (QWidget* field = field_of(widget); field && field != entered_) {
                entered_ = field;
                QLineEdit* line = line_in(field);
                before_ = line ? line->text() : QString();
            }
            return false;
        case QEvent::FocusOut:
            if (widget == entered_ || (entered_ && entered_->isAncestorOf(widget))) entered_ = nullptr;
            return false;
        case QEvent::ShortcutOverride:
        case QEvent::KeyPress:
            break;
        default:
            return false;
    }
    auto* pressed = static_cast<QKeyEvent*>(event);
    bool escape = pressed->key() == Qt::Key_Escape;
    bool enter = pressed->key() == Qt::Key_Return || pressed->key() == Qt::Key_Enter;
    if ((!escape && !enter) || widget != QApplication::focusWidget()) return false;
    QWidget* field = field_of(widget);
    if (!field) return false;
    if (event->type() == QEvent::ShortcutOverride) {
        if (!escape) return false;
        if (escape_is_for(field)) {
            event->accept();
            return true;
        }
        // Nothing to put back: it stops what is being computed, as everywhere.
    } else if (escape && escape_is_for(field) && !qobject_cast<TypedEdit*>(line_in(field))) {
        line_in(field)->setText(before_);
    }
    QMetaObject::invokeMethod(this, &FieldManners::back_to_view, Qt::QueuedConnection);
    return false;
}

}  // namespace caprock::editor

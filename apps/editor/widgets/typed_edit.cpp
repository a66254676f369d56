#include "widgets/typed_edit.h"

#include "base/text.h"
#include "theme/theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <QStyle>
#include <QStyleOptionFrame>
#include <QTimer>
#include <QWheelEvent>

namespace caprock::editor {

TypedEdit::TypedEdit(QWidget* parent) : QLineEdit(parent) {
    setFocusPolicy(Qt::StrongFocus);
    connect(this, &QLineEdit::returnPressed, this, [this] {
        commit();
        selectAll();
    });
}

void TypedEdit::set_unit(const QString& unit) {
    unit_ = unit;
    setTextMargins(0, 0, unit.isEmpty() ? 0 : fontMetrics().horizontalAdvance(unit) + 3, 0);
    update();
}

void TypedEdit::set_scale(const ValueScale& scale) { scale_ = scale; }

void TypedEdit::show_text(const QString& text) {
    value_ = text;
    if (hasFocus() && isModified()) return;
    if (QLineEdit::text() == text) return;
    int cursor = cursorPosition();
    bool all = hasSelectedText() && selectedText() == QLineEdit::text();
    setText(text);
    // The beginning of a number is what matters where it does not fit.
    setCursorPosition(hasFocus() ? std::min(cursor, int(text.size())) : 0);
    if (all && hasFocus()) selectAll();
}

QString TypedEdit::cleaned() const {
    QString typed = text().trimmed();
    if (!unit_.isEmpty() && typed.endsWith(unit_) && typed.size() > unit_.size())
        typed = typed.chopped(unit_.size()).trimmed();
    return typed;
}

void TypedEdit::commit() {
    if (!isModified()) return;
    QString typed = cleaned();
    setModified(false);
    QString before = value_;
    if (typed != before) Q_EMIT committed(typed);
    // Whoever took it has shown what it has become; where nobody did, all is as it was.
    if (!isModified()) setText(value_);
}

bool TypedEdit::step(double steps) {
    if (!scale_ || isReadOnly()) return false;
    std::optional<double> number = parse_number(cleaned().toStdString());
    if (!number) return false;
    QString next = QString::fromStdString(number_text(scale_->stepped(*number, steps)));
    setModified(false);
    if (next != value_) Q_EMIT committed(next);
    setText(value_);
    selectAll();
    return true;
}

void TypedEdit::keyPressEvent(QKeyEvent* event) {
    double much = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1;
    if (event->key() == Qt::Key_Up && step(much)) return;
    if (event->key() == Qt::Key_Down && step(-much)) return;
    if (event->key() == Qt::Key_PageUp && step(10)) return;
    if (event->key() == Qt::Key_PageDown && step(-10)) return;
    if (event->key() == Qt::Key_Escape && isModified()) {
        setText(value_);
        setModified(false);
        selectAll();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void TypedEdit::wheelEvent(QWheelEvent* event) {
    bool meant = hasFocus() && event->angleDelta().y() != 0;
    if (!meant || !step(event->angleDelta().y() > 0 ? 1 : -1)) event->ignore();
}

void TypedEdit::focusInEvent(QFocusEvent* event) {
    QLineEdit::focusInEvent(event);
    // After the click that brought the focus has put its cursor.
    if (event->reason() == Qt::MouseFocusReason) QTimer::singleShot(0, this, &QLineEdit::selectAll);
}

void TypedEdit::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    // The line's own menu takes the focus for a while.
    if (event->reason() == Qt::PopupFocusReason) return;
    commit();
    setCursorPosition(0);
}

void TypedEdit::paintEvent(QPaintEvent* event) {
    QLineEdit::paintEvent(event);
    if (unit_.isEmpty()) return;
    QStyleOptionFrame option;
    initStyleOption(&option);
    QRect inside = style()->subElementRect(QStyle::SE_LineEditContents, &option, this);
    QPainter painter(this);
    painter.setPen(between(palette().color(QPalette::Text), palette().color(QPalette::Base), 0.45));
    painter.drawText(inside.adjusted(0, 0, -3, 0), Qt::AlignRight | Qt::AlignVCenter, unit_);
}

}  // namespace caprock::editor

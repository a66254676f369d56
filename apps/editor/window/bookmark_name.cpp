#include "window/bookmark_name.h"

#include "theme/theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>
#include <algorithm>

namespace caprock::editor {

BookmarkName::BookmarkName(QWidget* view, QWidget* window) : QFrame(window), view_(view) {
    setObjectName("bookmark_name");
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    title_ = new QLabel(tr("Bookmark this view as"));
    line_ = new QLineEdit;
    line_->setObjectName("bookmark_name_line");
    line_->setAccessibleName(title_->text());
    line_->setToolTip(tr("What the bookmark is called. Enter keeps it, Esc does not."));
    line_->setMaxLength(200);
    note_ = new QLabel;
    note_->setObjectName("bookmark_name_note");
    note_->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 10, 12, 10);
    column->setSpacing(6);
    column->addWidget(title_);
    column->addWidget(line_);
    column->addWidget(note_);
    hide();
    line_->installEventFilter(this);
    view_->installEventFilter(this);
    connect(line_, &QLineEdit::textChanged, this, &BookmarkName::judge);
}

void BookmarkName::ask(const QString& proposal, Objection objection, Take take) {
    objection_ = std::move(objection);
    take_ = std::move(take);
    if (!isVisible()) before_ = QApplication::focusWidget();
    line_->setText(proposal);
    line_->selectAll();
    judge();
    show();
    raise();
    line_->setFocus(Qt::ShortcutFocusReason);
}

void BookmarkName::judge() {
    QString wrong = objection_ ? objection_(line_->text()) : QString();
    set_tone(note_, wrong.isEmpty() ? "muted" : "warning");
    note_->setText(wrong.isEmpty() ? tr("Enter keeps it, Esc does not.") : wrong);
    place();
}

void BookmarkName::accept() {
    if (!objection_(line_->text()).isEmpty()) return;
    QString name = line_->text();
    Take take = take_;
    dismiss();
    take(name);
}

void BookmarkName::dismiss() {
    if (!isVisible()) return;
    bool had_focus = line_->hasFocus();
    hide();
    if (had_focus && before_) before_->setFocus(Qt::OtherFocusReason);
}

void BookmarkName::place() {
    int width = std::clamp(view_->width() - 40, 200, 360);
    setFixedSize(width, layout()->totalHeightForWidth(width));
    QPoint corner = view_->mapTo(parentWidget(), QPoint(0, 0));
    move(corner.x() + (view_->width() - width) / 2, corner.y() + 16);
}

bool BookmarkName::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view_ && event->type() == QEvent::Resize && isVisible()) place();
    if (watched != line_) return QFrame::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut) {
        // A click elsewhere; a menu of the line itself is none.
        auto* focus = static_cast<QFocusEvent*>(event);
        if (focus->reason() != Qt::PopupFocusReason && focus->reason() != Qt::ActiveWindowFocusReason)
            dismiss();
        return false;
    }
    bool key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (!key) return false;
    // None of the window's: Esc stops nothing here.
    bool do_it = event->type() == QEvent::KeyPress;
    switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Escape:
            if (do_it) dismiss();
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (do_it) accept();
            break;
        default:
            return false;
    }
    event->accept();
    return true;
}

}  // namespace caprock::editor

#include "dialogs/tour.h"

#include "theme/theme.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace caprock::editor {

namespace {

constexpr int bubble_width = 340;
constexpr int bubble_gap = 14;     // between the part and the bubble
constexpr int window_margin = 12;  // to the edge of the window
constexpr int around = 4;          // the hole is so much larger than the part

}  // namespace

Tour::Tour(QWidget* window, std::vector<TourStep> steps)
    : QWidget(window), window_(window), steps_(std::move(steps)) {
    setObjectName("tour");
    setFocusPolicy(Qt::StrongFocus);
    bubble_ = new QFrame(this);
    bubble_->setObjectName("tour.bubble");
    set_tone(bubble_, "card");
    title_ = new QLabel;
    title_->setObjectName("tour.title");
    set_tone(title_, "heading");
    text_ = new QLabel;
    text_->setObjectName("tour.text");
    text_->setWordWrap(true);
    count_ = new QLabel;
    count_->setObjectName("tour.count");
    set_tone(count_, "muted");
    skip_ = new QPushButton(tr("Skip"));
    skip_->setObjectName("tour.skip");
    skip_->setToolTip(tr("Ends the tour (Escape)."));
    skip_->setFlat(true);
    back_ = new QPushButton(tr("Back"));
    back_->setObjectName("tour.back");
    back_->setToolTip(tr("The step before (Left)."));
    next_ = new QPushButton(tr("Next"));
    next_->setObjectName("tour.next");
    next_->setToolTip(tr("The next step (Right or Enter)."));
    next_->setDefault(true);
    // Arrows and Enter are the tour's, whichever button was pressed last.
    for (QPushButton* button : {skip_, back_, next_}) {
        button->setFocusPolicy(Qt::TabFocus);
        button->installEventFilter(this);
    }

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(count_);
    buttons->addStretch(1);
    buttons->addWidget(skip_);
    buttons->addWidget(back_);
    buttons->addWidget(next_);
    auto* column = new QVBoxLayout(bubble_);
    column->setContentsMargins(18, 16, 18, 14);
    column->setSpacing(8);
    column->addWidget(title_);
    column->addWidget(text_);
    column->addSpacing(6);
    column->addLayout(buttons);
    window_->installEventFilter(this);
    hide();
    connect(next_, &QPushButton::clicked, this, &Tour::next);
    connect(back_, &QPushButton::clicked, this, &Tour::back);
    connect(skip_, &QPushButton::clicked, this, &Tour::skip);
}

void Tour::start() {
    if (steps_.empty()) return;
    setGeometry(window_->rect());
    show();
    raise();
    setFocus();
    show_step(0);
}

void Tour::next() {
    if (step_ + 1 < int(steps_.size()))
        show_step(step_ + 1);
    else
        finish(true);
}

void Tour::back() {
    if (step_ > 0) show_step(step_ - 1);
}

void Tour::skip() { finish(false); }

void Tour::finish(bool seen) {
    hide();
    window_->setFocus();
    Q_EMIT finished(seen);
}

void Tour::show_step(int step) {
    step_ = step;
    const TourStep& now = steps_[size_t(step)];
    title_->setText(now.title);
    text_->setText(now.text);
    count_->setText(tr("%1 of %2").arg(step + 1).arg(steps_.size()));
    back_->setEnabled(step > 0);
    next_->setText(step + 1 == int(steps_.size()) ? tr("Done") : tr("Next"));
    arrange();
    Q_EMIT moved(step);
}

QWidget* Tour::shown_widget() const {
    const QString& name = steps_[size_t(step_)].widget;
    QWidget* found = name.isEmpty() ? nullptr : window_->findChild<QWidget*>(name);
    return found && found->isVisible() ? found : nullptr;
}

void Tour::arrange() {
    setGeometry(window_->rect());
    hole_ = {};
    if (QWidget* part = shown_widget()) {
        QRect there(part->mapTo(window_, QPoint(0, 0)), part->size());
        hole_ = there.adjusted(-around, -around, around, around).intersected(rect());
    }
    int width = std::min(bubble_width, this->width() - 2 * window_margin);
    bubble_->setFixedWidth(width);
    // Words are wrapped only when the width is settled.
    text_->setFixedHeight(text_->heightForWidth(width - 36));
    bubble_->adjustSize();
    QSize size = bubble_->size();

    QRect inside = rect().adjusted(window_margin, window_margin, -window_margin, -window_margin);
    QPoint at = rect().center() - QPoint(size.width() / 2, size.height() / 2);
    if (!hole_.isEmpty()) {
        // On the side with the most room, beside the middle of the part.
        int right = inside.right() - hole_.right(), left = hole_.left() - inside.left();
        int below = inside.bottom() - hole_.bottom(), above = hole_.top() - inside.top();
        bool fits_across = std::max(left, right) >= size.width() + bubble_gap;
        bool fits_down = std::max(above, below) >= size.height() + bubble_gap;
        if (fits_across && (!fits_down || std::max(left, right) >= std::max(above, below))) {
            at.setX(right >= left ? hole_.right() + bubble_gap : hole_.left() - bubble_gap - size.width());
            at.setY(hole_.center().y() - size.height() / 2);
        } else if (fits_down) {
            at.setX(hole_.center().x() - size.width() / 2);
            at.setY(below >= above ? hole_.bottom() + bubble_gap : hole_.top() - bubble_gap - size.height());
        } else {
            at = hole_.center() - QPoint(size.width() / 2, size.height() / 2);
        }
    }
    at.setX(std::clamp(at.x(), inside.left(), std::max(inside.left(), inside.right() + 1 - size.width())));
    at.setY(std::clamp(at.y(), inside.top(), std::max(inside.top(), inside.bottom() + 1 - size.height())));
    bubble_->move(at);
    update();
}

void Tour::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath dimmed;
    dimmed.addRect(rect());
    if (!hole_.isEmpty()) {
        QPainterPath kept;
        kept.addRoundedRect(QRectF(hole_), 6, 6);
        dimmed -= kept;
    }
    painter.fillPath(dimmed, QColor(0, 0, 0, 150));
    if (hole_.isEmpty()) return;
    painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
    painter.drawRoundedRect(QRectF(hole_).adjusted(1, 1, -1, -1), 6, 6);
}

void Tour::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Right:
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
        case Qt::Key_PageDown:
            return next();
        case Qt::Key_Left:
        case Qt::Key_Backspace:
        case Qt::Key_PageUp:
            return back();
        case Qt::Key_Escape:
            return skip();
        default:
            // Nothing else reaches the window that is dimmed.
            event->accept();
    }
}

void Tour::mousePressEvent(QMouseEvent* event) { event->accept(); }

bool Tour::eventFilter(QObject* watched, QEvent* event) {
    if (!isVisible()) return false;
    if (watched == window_) {
        bool moves = event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest;
        if (moves) {
            // The parts take their places after the window has.
            arrange();
            QMetaObject::invokeMethod(
                this,
                [this] {
                    if (isVisible()) arrange();
                },
                Qt::QueuedConnection);
        }
        return false;
    }
    if (event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        bool ours = key->key() == Qt::Key_Left || key->key() == Qt::Key_Right || key->key() == Qt::Key_Escape;
        if (!ours) return false;
        keyPressEvent(key);
        return true;
    }
    return false;
}

}  // namespace caprock::editor

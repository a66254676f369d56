#include "widgets/section.h"

#include "theme/theme.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QPainter>
#include <QPolygonF>
#include <QVBoxLayout>

namespace caprock::editor {

class Section::Head : public QAbstractButton {
  public:
    explicit Head(QWidget* parent) : QAbstractButton(parent) {
        setCheckable(true);
        setFocusPolicy(Qt::TabFocus);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        buttons = new QHBoxLayout(this);
        buttons->setContentsMargins(0, 0, 2, 0);
        buttons->setSpacing(0);
        buttons->addStretch(1);
    }
    QSize sizeHint() const override { return {120, 26}; }
    QSize minimumSizeHint() const override { return {60, 26}; }
    QHBoxLayout* buttons;

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        QColor ground = palette().color(QPalette::Window);
        QColor ink = palette().color(QPalette::WindowText);
        painter.setPen(hasFocus() ? QPen(palette().color(QPalette::Highlight), 1) : QPen(Qt::NoPen));
        painter.setBrush(between(ground, ink, underMouse() ? 0.12 : 0.075));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        painter.translate(12, height() / 2.0);
        painter.save();
        if (isChecked()) painter.rotate(90);
        painter.setPen(QPen(between(ink, ground, 0.25), 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(QPolygonF{{-2, -4}, {2.2, 0}, {-2, 4}});
        painter.restore();
        painter.translate(-12, -height() / 2.0);
        QFont bold = font();
        bold.setBold(true);
        painter.setFont(bold);
        painter.setPen(ink);
        int right = width() - 6;
        for (int i = 0; i < buttons->count(); i++)
            if (QWidget* button = buttons->itemAt(i)->widget())
                if (button->isVisibleTo(this)) right = std::min(right, button->x() - 4);
        QRect room(22, 0, std::max(0, right - 22), height());
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(bold).elidedText(text(), Qt::ElideRight, room.width()));
    }
};

Section::Section(const QString& name, const QString& title, const QString& help, QWidget* parent)
    : QWidget(parent), title_(title) {
    setObjectName(name);
    head_ = new Head(this);
    head_->setObjectName(name + ".head");
    head_->setText(title);
    head_->setToolTip(help);
    head_->setChecked(true);
    body_ = new QWidget(this);
    rows_ = new QVBoxLayout(body_);
    rows_->setContentsMargins(8, 6, 2, 8);
    rows_->setSpacing(5);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(head_);
    all->addWidget(body_);
    connect(head_, &QAbstractButton::clicked, this, [this](bool open) {
        set_open(open);
        Q_EMIT toggled(open);
    });
}

void Section::add(QWidget* widget) { rows_->addWidget(widget); }
void Section::add_to_head(QWidget* widget) { head_->buttons->addWidget(widget); }

void Section::set_open(bool open) {
    open_ = open;
    head_->setChecked(open);
    body_->setVisible(open);
}

void Section::set_title(const QString& title) {
    title_ = title;
    head_->setText(title);
}

}  // namespace caprock::editor

#include "widgets/parameter_row.h"

#include "theme/theme.h"
#include "widgets/icon_button.h"
#include "widgets/value_control.h"
#include "widgets/wording.h"

#include <QGridLayout>
#include <QPainter>
#include <QStyle>

namespace caprock::editor {

void NameLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(font());
    QString shown = fontMetrics().elidedText(text(), Qt::ElideMiddle, width());
    style()->drawItemText(&painter, rect(), int(alignment()), palette(), isEnabled(), shown,
                          foregroundRole());
}

ParameterRow::ParameterRow(const Parameter& parameter, const QStringList& fields, QWidget* parent)
    : QWidget(parent), name_(parameter.name()) {
    QString name = QString::fromStdString(name_);
    setObjectName(name);
    label_ = new NameLabel(titled(name_), this);
    label_->setObjectName(name + ".name");
    label_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    control_ = make_control(parameter, fields, this);
    label_->setBuddy(control_);
    reset_ = small_icon_button("reset", name + ".reset", tr("Back to the usual value"), this);
    QSizePolicy keeps_room = reset_->sizePolicy();
    keeps_room.setRetainSizeWhenHidden(true);
    reset_->setSizePolicy(keeps_room);
    reset_->hide();
    refusal_ = remark(".refusal", "warning");
    note_ = remark(".note", "muted");

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    auto upper = control_->tall() ? Qt::AlignTop : Qt::AlignVCenter;
    grid->addWidget(label_, 0, 0, upper);
    grid->addWidget(control_, 0, 1);
    grid->addWidget(reset_, 0, 2, upper);
    grid->addWidget(note_, 1, 0, 1, 3);
    grid->addWidget(refusal_, 2, 0, 1, 3);

    connect(control_, &ValueControl::edited, this, &ParameterRow::edited);
    connect(reset_, &QAbstractButton::clicked, this, &ParameterRow::reset);
}

QLabel* ParameterRow::remark(const char* name, const char* tone) {
    auto* label = new QLabel(this);
    label->setObjectName(QString::fromStdString(name_) + name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    set_tone(label, tone);
    label->hide();
    return label;
}

void ParameterRow::show_value(const Parameter& parameter, const QString& text, const QString& usual) {
    if (!shown_ || usual != usual_) {
        usual_ = usual;
        control_->show_usual(usual);
        setToolTip(described(parameter, usual));
    }
    control_->show_text(text);
    bool modified = text != usual;
    if (shown_ && modified == modified_) return;
    shown_ = true;
    modified_ = modified;
    reset_->setVisible(modified_);
    set_tone(label_, modified_ ? "accent" : "");
    QFont font;
    font.setBold(modified_);
    label_->setFont(font);
}

void ParameterRow::refuse(const QString& message) {
    refusal_->setText(message);
    refusal_->show();
}

void ParameterRow::forget_refusal() { refusal_->hide(); }
bool ParameterRow::is_refused() const { return !refusal_->isHidden(); }

void ParameterRow::set_note(const QString& note) {
    note_->setText(note);
    note_->setVisible(!note.isEmpty());
}

void ParameterRow::set_title(const QString& title) { label_->setText(title); }

void ParameterRow::show_fields(const QStringList& fields) { control_->show_fields(fields); }
void ParameterRow::show_lines(const QStringList& lines) { control_->show_lines(lines); }

void ParameterRow::set_name_width(int width) { label_->setFixedWidth(width); }

bool ParameterRow::dragging() const { return control_->dragging(); }

}  // namespace caprock::editor

#include "widgets/varying_control.h"

#include "base/error.h"
#include "base/text.h"
#include "operation/number.h"
#include "terrain/quantity.h"
#include "widgets/icon_button.h"
#include "widgets/typed_edit.h"
#include "widgets/wording.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <optional>

namespace caprock::editor {

namespace {

std::optional<NumberMap> map_in(const QString& text) {
    if (!is_map_text(text.toStdString())) return std::nullopt;
    try {
        return NumberMap::parsed(text.toStdString());
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace

VaryingControl::VaryingControl(const Parameter& parameter, const QStringList& fields,
                               const std::function<ValueControl*(QWidget*)>& make_number, QWidget* parent)
    : ValueControl(parent), parameter_(parameter), fields_(fields) {
    number_ = make_number(this);
    switch_ = small_icon_button("mask", QString::fromStdString(parameter.name()) + ".map",
                                tr("A map instead: another number everywhere"), this);
    switch_->setCheckable(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    row->addWidget(number_, 1);
    row->addWidget(switch_, 0, Qt::AlignTop);
    setFocusProxy(number_);
    connect(number_, &ValueControl::edited, this, &ValueControl::edited);
    connect(switch_, &QAbstractButton::clicked, this, &VaryingControl::switch_to_map);
}

// The field, and below it what its 0 and 1 stand for: both in a line would be too wide for a panel.
void VaryingControl::make_map_controls() {
    const QString name = QString::fromStdString(parameter_.name());
    map_ = new QWidget(this);
    field_ = new QComboBox(map_);
    field_->setObjectName(name + ".field");
    field_->setAccessibleName(tr("%1 by the field").arg(titled(parameter_.name())));
    field_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    field_->setMinimumContentsLength(4);
    field_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    field_->setEditable(true);
    field_->setInsertPolicy(QComboBox::NoInsert);
    field_edit_ = new TypedEdit(field_);
    field_edit_->setObjectName(name + ".field-edit");
    field_->setLineEdit(field_edit_);
    field_->addItems(fields_);
    auto end = [&](const char* part, const QString& help) {
        auto* edit = new TypedEdit(map_);
        edit->setObjectName(name + part);
        edit->setAccessibleName(help);
        edit->setToolTip(help);
        edit->set_scale(ValueScale(parameter_));
        return edit;
    };
    low_ = end(".map-low", tr("Where the field is 0"));
    high_ = end(".map-high", tr("Where the field is 1"));
    high_->set_unit(unit_sign(parameter_.unit()));
    auto* grid = new QGridLayout(map_);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(4);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(2, 1);
    grid->addWidget(field_, 0, 0, 1, 3);
    grid->addWidget(low_, 1, 0);
    grid->addWidget(new QLabel(QStringLiteral("–"), map_), 1, 1);
    grid->addWidget(high_, 1, 2);
    static_cast<QHBoxLayout*>(layout())->insertWidget(0, map_, 1);
    auto from_edited = [this](const QString& text) {
        from_ = text;
        map_edited();
    };
    connect(field_edit_, &TypedEdit::committed, this, from_edited);
    connect(field_, &QComboBox::activated, this, [this, from_edited](int index) {
        field_edit_->setModified(false);
        from_edited(field_->itemText(index));
    });
    connect(low_, &TypedEdit::committed, this, [this](const QString& text) {
        low_text_ = text;
        map_edited();
    });
    connect(high_, &TypedEdit::committed, this, [this](const QString& text) {
        high_text_ = text;
        map_edited();
    });
}

void VaryingControl::show_text(const QString& text) {
    const std::optional<NumberMap> map = map_in(text);
    show_map(map.has_value());
    if (!map) {
        number_text_ = text;
        return number_->show_text(text);
    }
    from_ = QString::fromStdString(map->from);
    low_text_ = map->interval ? QString::fromStdString(number_text(map->interval->low)) : QString();
    high_text_ = map->interval ? QString::fromStdString(number_text(map->interval->high)) : QString();
    field_edit_->show_text(from_);
    low_->show_text(low_text_);
    high_->show_text(high_text_);
}

void VaryingControl::show_map(bool map) {
    if (map && !map_) make_map_controls();
    switch_->setChecked(map);
    number_->setVisible(!map);
    if (map_) map_->setVisible(map);
    setFocusProxy(map ? static_cast<QWidget*>(field_) : number_);
}

void VaryingControl::show_fields(const QStringList& fields) {
    fields_ = fields;
    if (!map_) return;
    // Items that go would take the text along, also one that is being typed.
    const QString text = field_edit_->text();
    const bool modified = field_edit_->isModified();
    field_->clear();
    field_->addItems(fields);
    field_edit_->setText(text);
    field_edit_->setModified(modified);
}

QString VaryingControl::likely_field() const {
    for (const QString& name : fields_)
        if (!is_ground(name.toStdString())) return name;
    return fields_.value(0, "height");
}

void VaryingControl::switch_to_map(bool to_map) {
    if (!to_map) return Q_EMIT edited(number_text_.isEmpty() ? low_text_ : number_text_, false);
    if (from_.isEmpty()) from_ = likely_field();
    if (low_text_.isEmpty()) low_text_ = QString::fromStdString(number_text(parameter_.slider_range().low));
    if (high_text_.isEmpty())
        high_text_ = QString::fromStdString(number_text(parameter_.slider_range().high));
    map_edited();
}

// Without ends the cells are the numbers.
void VaryingControl::map_edited() {
    const bool has_ends = !low_text_.isEmpty() || !high_text_.isEmpty();
    Q_EMIT edited(has_ends ? QString("@%1:%2..%3").arg(from_, low_text_, high_text_) : "@" + from_, false);
}

}  // namespace caprock::editor

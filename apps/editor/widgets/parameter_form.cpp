#include "widgets/parameter_form.h"

#include "base/error.h"
#include "base/text.h"
#include "operation/kernel_operation.h"
#include "widgets/parameter_row.h"

#include <QVBoxLayout>
#include <algorithm>
#include <fmt/format.h>

namespace caprock::editor {

namespace {

constexpr int least_for_names = 62;

}  // namespace

void set_form_text(Configurable& values, const Parameter& parameter, const std::string& text,
                   bool may_be_none) {
    bool of_text = parameter.type() == ParameterType::text || parameter.type() == ParameterType::file ||
                   parameter.type() == ParameterType::field || parameter.is_of_lines();
    if (of_text && text.empty() && may_be_none)
        values.set(parameter, std::string());
    else
        values.set_text(parameter, text);
}

FormValues FormValues::usual(const Operation& operation) {
    if (is_operation(operation.name())) return FormValues(*make_operation(operation.name()));
    if (!operation.text().empty())
        return FormValues(*kernel_operation(std::string(operation.text()), std::string(operation.name())));
    return FormValues(operation);
}

ParameterForm::ParameterForm(QWidget* parent) : QWidget(parent) {
    layout_ = new QVBoxLayout(this);
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setSpacing(5);
}

void ParameterForm::set_names(std::vector<std::string> names) { only_ = std::move(names); }
void ParameterForm::leave_out(std::vector<std::string> names) { left_out_ = std::move(names); }

void ParameterForm::set_fields(const QStringList& fields) {
    if (fields == fields_) return;
    fields_ = fields;
    for (ParameterRow* row : rows_) row->show_fields(fields_);
}

void ParameterForm::set_lines(const QStringList& lines) {
    if (lines == lines_) return;
    lines_ = lines;
    for (ParameterRow* row : rows_) row->show_lines(lines_);
}

void ParameterForm::set_check(std::function<void(const std::string&, const std::string&)> check) {
    check_ = std::move(check);
}

void ParameterForm::set_titles(std::map<std::string, QString> titles) { titles_ = std::move(titles); }

void ParameterForm::set_notes(std::map<std::string, QString> notes) {
    notes_ = std::move(notes);
    for (ParameterRow* row : rows_) {
        auto note = notes_.find(row->name());
        row->set_note(note == notes_.end() ? QString() : note->second);
    }
}

void ParameterForm::present(const Operation& operation) {
    present(FormValues(operation), FormValues::usual(operation));
}

void ParameterForm::present(FormValues values, FormValues usual) {
    values_ = std::move(values);
    usual_ = std::move(usual);
    // All that a control is made from.
    std::string shape;
    for (const Parameter& parameter : values_.values->schema().parameters()) {
        if (!only_.empty() && !std::ranges::count(only_, parameter.name())) continue;
        Interval slider = parameter.slider_range();
        shape += fmt::format("{} {} {} {} {} {};", parameter.name(), int(parameter.type()),
                             parameter.range_text(), slider.low, slider.high, parameter.unit());
    }
    if (shape != shape_) {
        shape_ = shape;
        build();
    }
    update_rows();
}

void ParameterForm::build() {
    for (ParameterRow* row : rows_) {
        // It may be this one that asked.
        row->hide();
        row->setParent(nullptr);
        row->deleteLater();
    }
    rows_.clear();
    dragged_.clear();
    std::vector<std::string> names = only_.empty() ? values_.values->schema().parameter_names() : only_;
    for (const std::string& name : names) {
        const Parameter* parameter = values_.values->schema().find(name);
        if (!parameter || std::ranges::count(left_out_, name)) continue;
        Parameter shown = *parameter;
        if (!maps_) shown.may_vary(false);
        auto* row = new ParameterRow(shown, fields_, this);
        row->show_lines(lines_);
        rows_.push_back(row);
        layout_->addWidget(row);
        auto note = notes_.find(name);
        if (note != notes_.end()) row->set_note(note->second);
        auto title = titles_.find(name);
        if (title != titles_.end()) row->set_title(title->second);
        connect(row, &ParameterRow::edited, this,
                [this, row](const QString& text, bool dragging) { edit(row, text, dragging); });
        connect(row, &ParameterRow::reset, this, [this, row] { edit(row, usual_text(row->name()), false); });
    }
    arrange_names();
}

QString ParameterForm::usual_text(const std::string& name) const {
    const Parameter* parameter = usual_.values->schema().find(name);
    return parameter ? QString::fromStdString(usual_.values->value_text(*parameter)) : QString();
}

// "erosive: how rough heights are": a help line that begins with words of a choice is about these alone.
bool ParameterForm::has_effect(const Parameter& parameter) const {
    size_t colon = parameter.help().find(": ");
    if (colon == std::string::npos) return true;
    std::vector<std::string> words = split(parameter.help().substr(0, colon), ',');
    for (std::string& word : words) word.erase(0, word.find_first_not_of(' '));
    for (const Parameter& other : values_.values->schema().parameters()) {
        if (other.type() != ParameterType::choice || other.name() == parameter.name()) continue;
        auto known = [&](const std::string& word) { return std::ranges::count(other.choices(), word) > 0; };
        if (!std::ranges::all_of(words, known)) continue;
        std::string now = values_.values->value_text(other);
        return now == "auto" || std::ranges::count(words, now) > 0;
    }
    return true;
}

void ParameterForm::show_value(ParameterRow* row, const Parameter& parameter) {
    row->show_value(parameter, QString::fromStdString(values_.values->value_text(parameter)),
                    usual_text(row->name()));
}

void ParameterForm::update_rows() {
    for (ParameterRow* row : rows_) {
        const Parameter* parameter = values_.values->schema().find(row->name());
        if (!parameter) continue;
        show_value(row, *parameter);
        bool shown = has_effect(*parameter);
        if (row->isHidden() == shown) row->setVisible(shown);
    }
}

void ParameterForm::edit(ParameterRow* row, const QString& text, bool dragging) {
    Configurable& values = *values_.values;
    const Parameter* parameter = values.schema().find(row->name());
    if (!parameter) return;
    const ParameterValue value_before = values.value(*parameter);
    std::string before = values.value_text(*parameter);
    try {
        set_form_text(values, *parameter, text.toStdString(), usual_text(row->name()).isEmpty());
        if (check_) check_(row->name(), values.value_text(*parameter));
    } catch (const Error& error) {
        values.set(*parameter, value_before);
        show_value(row, *parameter);
        row->refuse(QString::fromUtf8(error.what()));
        if (dragging || dragged_ != row->name()) return;
        // The drag is over all the same, with the last value that was taken.
    }
    if (values.value_text(*parameter) != before || dragging) row->forget_refusal();
    bool ends_drag = !dragging && dragged_ == row->name();
    dragged_ = dragging ? row->name() : std::string();
    QString name = QString::fromStdString(row->name());
    QString taken = QString::fromStdString(values.value_text(*parameter));
    if (taken == QString::fromStdString(before) && !ends_drag) {
        row->forget_refusal();
        show_value(row, *parameter);
        return;
    }
    update_rows();
    Q_EMIT edited(name, taken, dragging);
}

bool ParameterForm::dragging() const {
    return std::ranges::any_of(rows_, [](const ParameterRow* row) { return row->dragging(); });
}

bool ParameterForm::is_modified() const {
    return std::ranges::any_of(rows_, [](const ParameterRow* row) { return row->is_modified(); });
}

ParameterRow* ParameterForm::row(const std::string& name) const {
    auto found = std::ranges::find(rows_, name, &ParameterRow::name);
    return found == rows_.end() ? nullptr : *found;
}

std::vector<std::string> ParameterForm::names() const {
    std::vector<std::string> names;
    for (const ParameterRow* row : rows_) names.push_back(row->name());
    return names;
}

void ParameterForm::refuse(const std::string& name, const QString& message) {
    if (ParameterRow* found = row(name)) found->refuse(message);
}

void ParameterForm::arrange_names() {
    // Not as wide as the names are: forms below each other have their controls in one line.
    name_width_ = std::max(least_for_names, int(contentsRect().width() * name_share_));
    for (ParameterRow* row : rows_) row->set_name_width(name_width_);
}

QSize ParameterForm::minimumSizeHint() const {
    QSize least = QWidget::minimumSizeHint();
    least.rwidth() -= std::max(0, name_width_ - least_for_names);
    return least;
}

void ParameterForm::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange_names();
}

}  // namespace caprock::editor

// The control of a number that may vary over the land: the number, or the field that says it and what 0 and 1 of that stand for.
// A switch beside it goes from one to the other.
#pragma once

#include "widgets/value_control.h"

#include <functional>

class QToolButton;
class QComboBox;

namespace caprock::editor {

class TypedEdit;

class VaryingControl : public ValueControl {
    Q_OBJECT

  public:
    // `make_number`: the control of the number alone.
    VaryingControl(const Parameter& parameter, const QStringList& fields,
                   const std::function<ValueControl*(QWidget* parent)>& make_number, QWidget* parent);

    void show_text(const QString& text) override;
    void show_usual(const QString& text) override { number_->show_usual(text); }
    void show_fields(const QStringList& fields) override;
    bool dragging() const override { return number_->dragging(); }

  private:
    void make_map_controls();
    void show_map(bool map);
    void switch_to_map(bool to_map);
    void map_edited();
    // One that is made to be a map, where there is one.
    QString likely_field() const;

    const Parameter parameter_;
    QStringList fields_;
    QString number_text_;  // as it was before it was a map
    ValueControl* number_;
    // Made when it is first a map: few are.
    QWidget* map_ = nullptr;
    QComboBox* field_ = nullptr;
    TypedEdit* field_edit_ = nullptr;
    TypedEdit* low_ = nullptr;
    TypedEdit* high_ = nullptr;
    QString from_;
    QString low_text_;
    QString high_text_;
    QToolButton* switch_;
};

}  // namespace caprock::editor

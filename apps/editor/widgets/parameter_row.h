// A parameter in a form: its name, its control, a way back to the usual value, and below that what is to be said of it.
#pragma once

#include "operation/parameter.h"

#include <QLabel>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <string>

class QToolButton;

namespace caprock::editor {

class ValueControl;

// A name that is cut where there is no room for it.
class NameLabel : public QLabel {
    Q_OBJECT

  public:
    using QLabel::QLabel;
    QSize minimumSizeHint() const override { return {10, QLabel::minimumSizeHint().height()}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
};

class ParameterRow : public QWidget {
    Q_OBJECT

  public:
    ParameterRow(const Parameter& parameter, const QStringList& fields, QWidget* parent);

    const std::string& name() const { return name_; }
    // `usual`: the value that the parameter is set back to.
    void show_value(const Parameter& parameter, const QString& text, const QString& usual);
    void refuse(const QString& message);  // shown until another value is taken
    void forget_refusal();
    void set_note(const QString& note);  // a remark that stays
    void show_fields(const QStringList& fields);
    void show_lines(const QStringList& lines);
    void set_title(const QString& title);  // in place of the parameter's name
    void set_name_width(int width);
    bool dragging() const;
    bool is_modified() const { return modified_; }
    bool is_refused() const;

  Q_SIGNALS:
    void edited(const QString& text, bool dragging);
    void reset();

  private:
    QLabel* remark(const char* name, const char* tone);

    std::string name_;
    QString usual_;
    bool shown_ = false;
    bool modified_ = false;
    NameLabel* label_;
    ValueControl* control_;
    QToolButton* reset_;
    QLabel* refusal_;
    QLabel* note_;
};

}  // namespace caprock::editor

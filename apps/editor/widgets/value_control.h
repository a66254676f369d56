// The control for a parameter's value, by its type. Values go in and out as texts, as they would be typed.
#pragma once

#include "operation/parameter.h"

#include <QString>
#include <QStringList>
#include <QWidget>

namespace caprock::editor {

class ValueControl : public QWidget {
    Q_OBJECT

  public:
    using QWidget::QWidget;

    // The value as it is now. What is being typed or dragged stays as it is.
    virtual void show_text(const QString& text) = 0;
    virtual void show_usual(const QString&) {}
    // Names to choose from: of fields, and of line sets.
    virtual void show_fields(const QStringList&) {}
    virtual void show_lines(const QStringList&) {}
    virtual bool dragging() const { return false; }
    virtual bool tall() const { return false; }  // more than one line high

  Q_SIGNALS:
    // `dragging`: the mouse is still down; another one without comes when it is not.
    void edited(const QString& text, bool dragging);
};

// `fields`: names to choose from where the value is the name of a field. Controls within it are named after the
// parameter: "octaves.slider", "octaves.edit".
ValueControl* make_control(const Parameter& parameter, const QStringList& fields, QWidget* parent);

}  // namespace caprock::editor

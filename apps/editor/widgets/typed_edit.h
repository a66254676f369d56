// A line to type a value in. What is being typed is never taken away from under the fingers: a value that comes from
// outside meanwhile is shown when the line is left.
#pragma once

#include "widgets/value_scale.h"

#include <QLineEdit>
#include <optional>

namespace caprock::editor {

class TypedEdit : public QLineEdit {
    Q_OBJECT

  public:
    explicit TypedEdit(QWidget* parent = nullptr);

    void set_unit(const QString& unit);       // shown behind the text, and understood when it is typed
    void set_scale(const ValueScale& scale);  // of a number, for arrow keys and the wheel
    void show_text(const QString& text);
    void finish() { commit(); }  // as if the line were left

  Q_SIGNALS:
    void committed(const QString& text);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    void commit();
    bool step(double steps);
    QString cleaned() const;

    QString value_;
    QString unit_;
    std::optional<ValueScale> scale_;
};

}  // namespace caprock::editor

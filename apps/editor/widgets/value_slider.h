// A slider that goes to where it is pressed, and then follows. Shift makes it ten times finer.
#pragma once

#include "widgets/value_scale.h"

#include <QAbstractSlider>

namespace caprock::editor {

class ValueSlider : public QAbstractSlider {
    Q_OBJECT

  public:
    explicit ValueSlider(const ValueScale& scale, QWidget* parent = nullptr);

    void set_scale(const ValueScale& scale);
    void show_value(double value);  // from outside; a drag goes on undisturbed
    void show_usual(double value);  // a mark where the value usually is
    bool dragging() const { return dragging_; }
    QSize sizeHint() const override { return {120, 20}; }
    QSize minimumSizeHint() const override { return {44, 20}; }

  Q_SIGNALS:
    void moved(double value, bool dragging);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

  private:
    void go_to(double place);
    void step(double steps);
    double place_at(double x) const;

    ValueScale scale_;
    double value_ = 0;
    double place_ = 0;  // unrounded, so that fine movements add up
    double usual_ = 0;
    double last_x_ = 0;
    bool dragging_ = false;
};

}  // namespace caprock::editor

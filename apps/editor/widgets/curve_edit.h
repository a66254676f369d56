// A curve over 0 to 1, drawn through points that lie evenly apart. A press beside a point adds one, a drag moves it up and
// down, the right button takes it away. A curve may be none.
#pragma once

#include "base/interval.h"

#include <QWidget>
#include <vector>

namespace caprock::editor {

class CurveEdit : public QWidget {
    Q_OBJECT

  public:
    explicit CurveEdit(const Interval& range, QWidget* parent = nullptr);

    const std::vector<double>& curve() const { return curve_; }
    void show_curve(const std::vector<double>& curve);  // from outside; a drag goes on undisturbed
    bool dragging() const { return dragging_; }
    QPointF place_of(int point) const;
    QSize sizeHint() const override { return {120, 64}; }
    QSize minimumSizeHint() const override { return {60, 48}; }

    static constexpr int most_points = 16;

  Q_SIGNALS:
    void moved(const std::vector<double>& curve, bool dragging);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

  private:
    QRectF area() const;
    QPointF place_of(double along, double value) const;
    double value_at(double y) const;
    int point_near(const QPointF& place) const;  // -1: none
    void add(const QPointF& place);
    void remove(int point);

    Interval range_;
    std::vector<double> curve_;
    int held_ = -1;     // the point that keys move, and the mouse
    int pointed_ = -1;  // under the mouse
    bool dragging_ = false;
};

}  // namespace caprock::editor

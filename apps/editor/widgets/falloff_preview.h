// A dab, from the side and from above.
#pragma once

#include "field/field.h"
#include "painting/falloff.h"

#include <QImage>
#include <QWidget>

namespace caprock::editor {

// From above: a square, ink where the weight is 1 and nothing where it is 0. `tip` may be empty.
QImage dab_picture(const Falloff& falloff, const Field& tip, int side, const QColor& ink);

class FalloffPreview : public QWidget {
    Q_OBJECT

  public:
    explicit FalloffPreview(QWidget* parent = nullptr);
    void show_dab(const Falloff& falloff, const Field& tip, double radius);
    QSize sizeHint() const override { return {240, 84}; }
    QSize minimumSizeHint() const override { return {160, 84}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    Falloff falloff_;
    Field tip_;
    double radius_ = 0;
};

}  // namespace caprock::editor

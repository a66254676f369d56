// Fusion, with check boxes whose outline is seen on dark windows as well.
#pragma once

#include <QProxyStyle>

namespace caprock::editor {

class ThemeStyle : public QProxyStyle {
    Q_OBJECT

  public:
    ThemeStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override;
};

}  // namespace caprock::editor

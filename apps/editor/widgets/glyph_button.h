// A small flat button whose sign is drawn in the colours of the palette, whatever fonts and icon themes there are.
#pragma once

#include <QToolButton>

namespace caprock::editor {

enum class Glyph { reset, dice, help, more, folder, presets, none };

class GlyphButton : public QToolButton {
    Q_OBJECT

  public:
    GlyphButton(Glyph glyph, const QString& name, const QString& help, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {side, side}; }
    QSize minimumSizeHint() const override { return {side, side}; }

    static constexpr int side = 20;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    Glyph glyph_;
};

}  // namespace caprock::editor

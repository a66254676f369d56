// The bar above the views: the brush's size and strength, how high the land is drawn, where the sun stands, and which views.
#pragma once

#include "core/actions.h"
#include "core/brush_kit.h"
#include "core/look.h"

#include <QToolBar>

class QLabel;
class QToolButton;

namespace caprock::editor {

class ValueSlider;

class ViewBar : public QToolBar {
    Q_OBJECT

  public:
    ViewBar(BrushKit& brushes, Look& look, Actions& actions, QWidget* parent);

    // Icons and colours of another theme.
    void refresh();

  private:
    ValueSlider* add_slider(const QString& name, const QString& title, const QString& tip, double low,
                            double high, bool logarithmic, QLabel*& value);
    void show_brush();
    void show_look();

    BrushKit& brushes_;
    Look& look_;
    QLabel* brush_name_;
    ValueSlider* radius_;
    QLabel* radius_value_;
    ValueSlider* strength_;
    QLabel* strength_value_;
    ValueSlider* falloff_;
    QLabel* falloff_value_;
    ValueSlider* exaggeration_;
    QLabel* exaggeration_value_;
    QToolButton* sun_;
    ValueSlider* azimuth_;
    QLabel* azimuth_value_;
    ValueSlider* elevation_;
    QLabel* elevation_value_;
    double shown_strength_ = 0;  // what the strength slider spans follows the brush
};

}  // namespace caprock::editor

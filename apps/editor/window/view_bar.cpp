#include "window/view_bar.h"

#include "theme/icons.h"
#include "widgets/value_slider.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QWidgetAction>
#include <cmath>

namespace caprock::editor {

namespace {

ValueScale scale(double low, double high, bool logarithmic) {
    ValueScale made;
    made.soft = {low, high};
    made.logarithmic = logarithmic;
    return made;
}

// A slider between its name and its value.
QWidget* labelled(const QString& title, ValueSlider* slider, QLabel*& value, int digits, QWidget* parent) {
    auto* box = new QWidget(parent);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(4, 0, 4, 0);
    row->setSpacing(5);
    row->addWidget(new QLabel(title, box));
    slider->setParent(box);
    row->addWidget(slider);
    value = new QLabel(box);
    value->setMinimumWidth(value->fontMetrics().horizontalAdvance(QString(digits, '0')));
    row->addWidget(value);
    return box;
}

}  // namespace

ViewBar::ViewBar(BrushKit& brushes, Look& look, Actions& actions, QWidget* parent)
    : QToolBar(tr("Brush and views"), parent), brushes_(brushes), look_(look) {
    setObjectName("bar");
    setIconSize({18, 18});
    brush_name_ = new QLabel(this);
    brush_name_->setObjectName("bar.brush");
    brush_name_->setToolTip(tr("The brush in the hand"));
    QFont bold = brush_name_->font();
    bold.setBold(true);
    brush_name_->setFont(bold);
    brush_name_->setMinimumWidth(fontMetrics().horizontalAdvance("weathered  "));
    brush_name_->setContentsMargins(8, 0, 4, 0);
    addWidget(brush_name_);
    radius_ = add_slider("bar.radius", tr("Radius"),
                         tr("How wide the brush is ([ and ], or Shift and drag on the ground)"), 1, 5000,
                         true, radius_value_);
    strength_ = add_slider("bar.strength", tr("Strength"),
                           tr("How much one pass does (Shift+[ and Shift+]); Ctrl turns it round"), 0, 100,
                           false, strength_value_);
    falloff_ = add_slider("bar.falloff", tr("Softness"), tr("Share of the radius over which a dab fades"),
                          0.01, 1, false, falloff_value_);
    addSeparator();
    exaggeration_ = add_slider("bar.scale", tr("Heights ×"),
                               tr("How many times as high the land is drawn; nothing else changes"), 0.25, 8,
                               true, exaggeration_value_);
    connect(radius_, &ValueSlider::moved, this,
            [this](double value) { brushes_.change([&](Brush& brush) { brush.settings.radius = value; }); });
    connect(strength_, &ValueSlider::moved, this, [this](double value) {
        brushes_.change([&](Brush& brush) { brush.settings.strength = value; });
    });
    connect(falloff_, &ValueSlider::moved, this,
            [this](double value) { brushes_.change([&](Brush& brush) { brush.settings.falloff = value; }); });
    connect(exaggeration_, &ValueSlider::moved, this, [this](double value) {
        look_.change([&](LookSettings& settings) { settings.exaggeration = value; });
    });

    sun_ = new QToolButton(this);
    sun_->setObjectName("bar.sun");
    sun_->setPopupMode(QToolButton::InstantPopup);
    sun_->setToolTip(tr("Where the sun stands; hold L and drag on the ground to turn it"));
    auto* menu = new QMenu(sun_);
    azimuth_ = new ValueSlider(scale(0, 360, false), menu);
    azimuth_->setObjectName("bar.azimuth");
    elevation_ = new ValueSlider(scale(1, 89, false), menu);
    elevation_->setObjectName("bar.elevation");
    for (auto [title, slider, value] : {std::tuple{tr("From"), azimuth_, &azimuth_value_},
                                        std::tuple{tr("Height"), elevation_, &elevation_value_}}) {
        auto* action = new QWidgetAction(menu);
        slider->setMinimumWidth(160);
        action->setDefaultWidget(labelled(title, slider, *value, 5, menu));
        menu->addAction(action);
    }
    sun_->setMenu(menu);
    addWidget(sun_);
    connect(azimuth_, &ValueSlider::moved, this, [this](double value) {
        look_.change([&](LookSettings& settings) { settings.sun.azimuth = std::fmod(value, 360); });
    });
    connect(elevation_, &ValueSlider::moved, this, [this](double value) {
        look_.change([&](LookSettings& settings) { settings.sun.elevation = value; });
    });

    auto* stretch = new QWidget(this);
    stretch->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(stretch);
    for (const char* name : {"view.scene", "view.map", "view.both"}) addAction(actions.find(name));
    addSeparator();
    addAction(actions.find("help.palette"));

    connect(&brushes_, &BrushKit::changed, this, &ViewBar::show_brush);
    connect(&look_, &Look::changed, this, &ViewBar::show_look);
    refresh();
    show_brush();
    show_look();
}

ValueSlider* ViewBar::add_slider(const QString& name, const QString& title, const QString& tip, double low,
                                 double high, bool logarithmic, QLabel*& value) {
    auto* slider = new ValueSlider(scale(low, high, logarithmic), this);
    slider->setObjectName(name);
    slider->setFixedWidth(84);
    QWidget* box = labelled(title, slider, value, 6, this);
    box->setToolTip(tip);
    addWidget(box);
    return slider;
}

void ViewBar::refresh() { sun_->setIcon(icon("sun")); }

void ViewBar::show_brush() {
    const BrushSettings& settings = brushes_.brush().settings;
    QString name = brushes_.name();
    if (!name.isEmpty()) name[0] = name[0].toUpper();
    brush_name_->setText(name);
    radius_->show_value(settings.radius);
    radius_value_->setText(tr("%1 m").arg(settings.radius, 0, 'g', 3));
    // Metres for those that add, a share for those that go towards something.
    double most = std::abs(settings.strength) > 1 ? std::max(100.0, std::abs(settings.strength)) : 1;
    if (most != shown_strength_) {
        shown_strength_ = most;
        strength_->set_scale(scale(settings.strength < 0 ? -most : 0, most, false));
    }
    strength_->show_value(settings.strength);
    strength_value_->setText(QString::number(settings.strength, 'g', 3));
    falloff_->show_value(settings.falloff);
    falloff_value_->setText(QString("%1 %").arg(std::lround(settings.falloff * 100)));
}

void ViewBar::show_look() {
    const LookSettings& settings = look_.settings();
    exaggeration_->show_value(settings.exaggeration);
    exaggeration_value_->setText(QString::number(settings.exaggeration, 'g', 3));
    azimuth_->show_value(settings.sun.azimuth);
    azimuth_value_->setText(QString("%1°").arg(std::lround(settings.sun.azimuth)));
    elevation_->show_value(settings.sun.elevation);
    elevation_value_->setText(QString("%1°").arg(std::lround(settings.sun.elevation)));
}

}  // namespace caprock::editor

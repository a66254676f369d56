#include "panels/material_panel_layer.h"

#include "theme/icons.h"

#include <QCheckBox>
#include <QColorDialog>
#include <QComboBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

namespace caprock::editor {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

QString capital(QString text) {
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text;
}

QFormLayout* new_form() {
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(8);
    form->setVerticalSpacing(4);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    return form;
}

}  // namespace

// ---- an end of a band --------------------------------------------------------------------------------------

BandEnd::BandEnd(bool upper, QWidget* parent) : QDoubleSpinBox(parent), upper_(upper) {
    setKeyboardTracking(false);
    setButtonSymbols(QAbstractSpinBox::NoButtons);
    setMinimumWidth(44);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void BandEnd::set_span(double low, double high, int digits) {
    double end = this->end();
    double span = high - low;
    setDecimals(digits);
    setRange(low - 10 * span, high + 10 * span);
    setSingleStep(span / 50);
    set_end(end);
}

double BandEnd::end() const { return value() == any() ? (upper_ ? infinite : -infinite) : value(); }

void BandEnd::set_end(double end) { setValue(std::isfinite(end) ? end : any()); }

QString BandEnd::textFromValue(double value) const {
    if (value == any()) return tr("any");
    // No noughts at the end: there is little room.
    QString text = QLocale().toString(value, 'f', decimals());
    QString point = QLocale().decimalPoint();
    if (!text.contains(point)) return text;
    while (text.endsWith('0')) text.chop(1);
    if (text.endsWith(point)) text.chop(point.size());
    return text;
}

double BandEnd::valueFromText(const QString& text) const {
    bool understood = false;
    double value = QLocale().toDouble(text.trimmed(), &understood);
    return understood ? value : any();
}

QValidator::State BandEnd::validate(QString& text, int&) const {
    QString word = text.trimmed();
    if (word.isEmpty() || word == tr("any")) return QValidator::Acceptable;
    bool understood = false;
    double value = QLocale().toDouble(word, &understood);
    if (understood)
        return value >= minimum() && value <= maximum() ? QValidator::Acceptable : QValidator::Intermediate;
    bool begun = tr("any").startsWith(word) || word == "-" || word.endsWith(QLocale().decimalPoint());
    return begun ? QValidator::Intermediate : QValidator::Invalid;
}

// ---- the layer ---------------------------------------------------------------------------------------------

MaterialLayerEditor::MaterialLayerEditor(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(make_look());
    covers_ = new QLabel(tr("The first layer covers everything. Those above it say where they lie."));
    covers_->setObjectName("material_first");
    covers_->setWordWrap(true);
    covers_->setEnabled(false);
    layout->addWidget(covers_);
    where_ = new QWidget;
    auto* where = new QVBoxLayout(where_);
    where->setContentsMargins(0, 0, 0, 0);
    where->setSpacing(8);
    where->addWidget(make_bands());
    where->addWidget(make_noise());
    layout->addWidget(where_);
}

QDoubleSpinBox* MaterialLayerEditor::make_number(const QString& name, double low, double high, int digits,
                                                 double step, const QString& suffix, const QString& help) {
    auto* number = new QDoubleSpinBox;
    number->setObjectName(name);
    number->setDecimals(digits);
    number->setRange(low, high);
    number->setSingleStep(step);
    number->setSuffix(suffix);
    number->setKeyboardTracking(false);
    number->setToolTip(help);
    number->setMinimumWidth(60);
    connect(number, &QDoubleSpinBox::valueChanged, this, &MaterialLayerEditor::edited);
    return number;
}

QWidget* MaterialLayerEditor::make_look() {
    auto* box = new QWidget;
    QFormLayout* form = new_form();
    box->setLayout(form);
    name_ = new QLineEdit;
    name_->setObjectName("material_name");
    name_->setToolTip(tr("What the layer is called; each name is there once"));
    texture_ = new QComboBox;
    texture_->setObjectName("material_texture");
    texture_->setToolTip(tr("What the ground looks like"));
    for (const std::string& kind : material_kind_names()) {
        QString word = QString::fromStdString(kind);
        texture_->addItem(capital(word), word);
    }
    tint_ = new QToolButton;
    tint_->setObjectName("material_tint");
    tint_->setToolTip(tr("A colour whose light multiplies the texture's; white leaves it as it is"));
    tint_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    tint_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    tile_ = make_number("material_tile", 0.01, 1e5, 2, 0.5, tr(" m"),
                        tr("How large one square of the texture is"));
    parent_ = new QComboBox;
    parent_->setObjectName("material_parent");
    parent_->setToolTip(tr("An earlier layer: this one shows only where that one would"));
    parent_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    parent_->setMinimumContentsLength(6);
    opacity_ = make_number("material_opacity", 0, 100, 0, 5, tr(" %"), tr("How much of it is seen"));
    form->addRow(tr("Name"), name_);
    form->addRow(tr("Texture"), texture_);
    form->addRow(tr("Tint"), tint_);
    form->addRow(tr("Tile"), tile_);
    form->addRow(tr("Parent"), parent_);
    form->addRow(tr("Opacity"), opacity_);
    connect(name_, &QLineEdit::editingFinished, this, &MaterialLayerEditor::edited);
    connect(texture_, &QComboBox::activated, this, &MaterialLayerEditor::edited);
    connect(parent_, &QComboBox::activated, this, &MaterialLayerEditor::edited);
    connect(tint_, &QToolButton::clicked, this, &MaterialLayerEditor::choose_tint);
    return box;
}

QWidget* MaterialLayerEditor::make_bands() {
    auto* box = new QWidget;
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto* heading = new QLabel(tr("Where it lies"));
    QFont font = heading->font();
    font.setBold(true);
    heading->setFont(font);
    layout->addWidget(heading);
    add_band(layout, "height", tr("Height"), tr("Between two heights: shares of the height range, or metres"),
             &MaterialLayer::height, 0, 1, 3);
    add_band(layout, "slope", tr("Slope (degrees)"), tr("Between two slopes, 0 level to 90 upright"),
             &MaterialLayer::slope, 0, 90, 1);
    add_band(layout, "curvature", tr("Curvature"), tr("From hollows, -1, to ridges, 1"),
             &MaterialLayer::curvature, -1, 1, 2);
    add_band(layout, "flow", tr("Flow"), tr("How much water gathers, 0 to 1"), &MaterialLayer::flow, 0, 1, 2);
    add_band(layout, "material", tr("Rock"), tr("By the index of the rock; both ends belong to it"),
             &MaterialLayer::material, 0, 32, 0);
    add_band(layout, "mask", tr("Mask"), tr("By the field 'mask', 0 to 1"), &MaterialLayer::mask, 0, 1, 2);
    return box;
}

void MaterialLayerEditor::add_band(QVBoxLayout* to, const QString& name, const QString& title,
                                   const QString& help, std::optional<MaterialBand> MaterialLayer::*which,
                                   double low, double high, int digits) {
    Band band;
    band.band = which;
    band.on = new QCheckBox(title);
    band.on->setObjectName("material_" + name);
    band.on->setToolTip(help);
    band.ends = new QWidget;
    auto* grid = new QGridLayout(band.ends);
    grid->setContentsMargins(20, 0, 0, 2);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(2);
    band.from = new BandEnd(false);
    band.from->setObjectName("material_" + name + "_from");
    band.from->setToolTip(tr("Where it begins; empty: anywhere"));
    band.to = new BandEnd(true);
    band.to->setObjectName("material_" + name + "_to");
    band.to->setToolTip(tr("Where it ends; empty: nowhere"));
    for (BandEnd* end : {band.from, band.to}) {
        end->set_span(low, high, digits);
        connect(end, &QDoubleSpinBox::valueChanged, this, &MaterialLayerEditor::edited);
    }
    band.fade = make_number("material_" + name + "_fade", 0, 10 * (high - low), digits, (high - low) / 50, {},
                            tr("Across each end it comes in within this much, half of it on either side"));
    band.fade->setButtonSymbols(QAbstractSpinBox::NoButtons);
    band.fade->setMinimumWidth(44);
    int column = 0;
    for (auto& [text, widget] : std::initializer_list<std::pair<QString, QWidget*>>{
             {tr("From"), band.from}, {tr("To"), band.to}, {tr("Fade"), band.fade}}) {
        auto* label = new QLabel(text);
        label->setEnabled(false);
        grid->addWidget(label, 0, column);
        grid->addWidget(widget, 1, column);
        grid->setColumnStretch(column++, 1);
    }
    if (which == &MaterialLayer::height) {
        band.metres = new QCheckBox(tr("In metres"));
        band.metres->setObjectName("material_height_metres");
        band.metres->setToolTip(tr("Heights in metres, not in shares of the height range"));
        grid->addWidget(band.metres, 2, 0, 1, 3);
        connect(band.metres, &QCheckBox::clicked, this, &MaterialLayerEditor::edited);
    }
    connect(band.on, &QCheckBox::toggled, band.ends, &QWidget::setVisible);
    connect(band.on, &QCheckBox::clicked, this, &MaterialLayerEditor::edited);
    band.ends->hide();
    to->addWidget(band.on);
    to->addWidget(band.ends);
    bands_.push_back(band);
}

QWidget* MaterialLayerEditor::make_noise() {
    auto* box = new QWidget;
    QFormLayout* form = new_form();
    box->setLayout(form);
    auto* heading = new QLabel(tr("Noise at the edges"));
    QFont font = heading->font();
    font.setBold(true);
    heading->setFont(font);
    form->addRow(heading);
    feature_ =
        make_number("material_noise_feature", 0.01, 1e6, 2, 5, tr(" m"), tr("How large its patches are"));
    amount_ = make_number("material_noise_amount", 0, 1, 3, 0.02, {},
                          tr("How far edges move: a share of all the values the property may have"));
    form->addRow(tr("Feature"), feature_);
    form->addRow(tr("Amount"), amount_);
    return box;
}

void MaterialLayerEditor::set_metres(Band& band, bool metres) {
    if (!band.metres) return;
    band.from->set_span(0, metres ? 1000 : 1, metres ? 1 : 3);
    band.to->set_span(0, metres ? 1000 : 1, metres ? 1 : 3);
    band.fade->setRange(0, metres ? 10000 : 10);
    band.fade->setDecimals(metres ? 1 : 3);
    band.fade->setSingleStep(metres ? 10 : 0.02);
}

void MaterialLayerEditor::set_layer(const MaterialSet& set, size_t index) {
    refreshing_ = true;
    layer_ = set.layers[index];
    if (name_->text() != QString::fromStdString(layer_.name))
        name_->setText(QString::fromStdString(layer_.name));
    texture_->setCurrentIndex(
        texture_->findData(QString::fromStdString(std::string(name_of(layer_.texture)))));
    tile_->setValue(layer_.tile);
    parent_->clear();
    parent_->addItem(tr("None"), QString());
    for (size_t i = 0; i < index; i++) {
        QString name = QString::fromStdString(set.layers[i].name);
        parent_->addItem(name, name);
    }
    QString above = QString::fromStdString(layer_.parent);
    // One that is not there is shown too: the set says what is wrong with it.
    if (parent_->findData(above) < 0) parent_->addItem(above, above);
    parent_->setCurrentIndex(parent_->findData(above));
    opacity_->setValue(layer_.opacity * 100);
    for (Band& band : bands_) {
        const std::optional<MaterialBand>& given = layer_.*band.band;
        MaterialBand values = given.value_or(MaterialBand{});
        set_metres(band, values.metres);
        band.on->setChecked(given.has_value());
        band.ends->setVisible(given.has_value());
        band.from->set_end(values.from);
        band.to->set_end(values.to);
        band.fade->setValue(values.fade);
        if (band.metres) band.metres->setChecked(values.metres);
    }
    feature_->setValue(layer_.noise.feature);
    amount_->setValue(layer_.noise.amount);
    bool first = index == 0;
    covers_->setVisible(first);
    where_->setVisible(!first);
    parent_->setEnabled(!first);
    opacity_->setEnabled(!first);
    show_tint();
    refreshing_ = false;
}

void MaterialLayerEditor::edited() {
    if (refreshing_) return;
    layer_.name = name_->text().trimmed().toStdString();
    layer_.texture = material_kind(texture_->currentData().toString().toStdString()).value_or(layer_.texture);
    layer_.parent = parent_->currentData().toString().toStdString();
    // What is shown rounded stays as it was until it is changed.
    auto take = [](double& value, const QDoubleSpinBox& from, double times = 1) {
        double shown =
            std::round(value / times * std::pow(10, from.decimals())) / std::pow(10, from.decimals());
        if (std::abs(shown - from.value()) > 1e-9 * std::max(1.0, std::abs(shown)))
            value = from.value() * times;
    };
    take(layer_.tile, *tile_);
    take(layer_.opacity, *opacity_, 0.01);
    take(layer_.noise.feature, *feature_);
    take(layer_.noise.amount, *amount_);
    for (Band& band : bands_) {
        std::optional<MaterialBand>& given = layer_.*band.band;
        if (!band.on->isChecked()) {
            given.reset();
            continue;
        }
        if (!given) given = MaterialBand{};
        given->from = band.from->end();
        given->to = band.to->end();
        take(given->fade, *band.fade);
        bool metres = band.metres && band.metres->isChecked();
        if (metres != given->metres) {
            given->metres = metres;
            refreshing_ = true;
            set_metres(band, metres);
            band.fade->setValue(given->fade);
            refreshing_ = false;
        }
    }
    Q_EMIT changed();
}

void MaterialLayerEditor::choose_tint() {
    QColor before = QColor::fromRgbF(float(layer_.tint[0]), float(layer_.tint[1]), float(layer_.tint[2]));
    QColor tint = QColorDialog::getColor(before, this, tr("Tint of '%1'").arg(name_->text()));
    if (!tint.isValid()) return;
    layer_.tint = {tint.redF(), tint.greenF(), tint.blueF()};
    show_tint();
    edited();
}

void MaterialLayerEditor::show_tint() {
    QColor tint = QColor::fromRgbF(float(layer_.tint[0]), float(layer_.tint[1]), float(layer_.tint[2]));
    tint_->setIcon(swatch(tint));
    tint_->setText(tint == Qt::white ? tr("None") : tint.name());
}

}  // namespace caprock::editor

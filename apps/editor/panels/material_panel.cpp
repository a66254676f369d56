#include "panels/material_panel.h"

#include "base/error.h"
#include "panels/material_panel_layer.h"
#include "theme/icons.h"
#include "theme/theme.h"
#include "widgets/icon_button.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace caprock::editor {

namespace {

// What a texture comes to from far away.
QColor mean_colour(MaterialKind kind) {
    static const std::array<QColor, material_kinds.size()> means = [] {
        std::array<QColor, material_kinds.size()> made;
        for (MaterialKind each : material_kinds) {
            MaterialTexture texture = material_texture(each, 16);
            std::array<int64_t, 3> sum{};
            size_t texels = texture.albedo.size() / 4;
            for (size_t i = 0; i < texels; i++)
                for (size_t part = 0; part < 3; part++) sum[part] += texture.albedo[4 * i + part];
            made[size_t(each)] = QColor(int(sum[0] / int64_t(texels)), int(sum[1] / int64_t(texels)),
                                        int(sum[2] / int64_t(texels)));
        }
        return made;
    }();
    return means[size_t(kind)];
}

QColor colour_of(const MaterialLayer& layer) {
    QColor base = mean_colour(layer.texture);
    return QColor::fromRgbF(base.redF() * float(std::clamp(layer.tint[0], 0.0, 1.0)),
                            base.greenF() * float(std::clamp(layer.tint[1], 0.0, 1.0)),
                            base.blueF() * float(std::clamp(layer.tint[2], 0.0, 1.0)));
}

QFrame* line() {
    auto* frame = new QFrame;
    frame->setFixedHeight(1);
    frame->setBackgroundRole(QPalette::Mid);
    frame->setAutoFillBackground(true);
    return frame;
}

}  // namespace

MaterialPanel::MaterialPanel(Look& look, QWidget* parent) : QWidget(parent), look_(look) {
    setObjectName("material_panel");
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(make_head());
    layout->addWidget(make_list());
    editor_ = new MaterialLayerEditor;
    editor_->setObjectName("material_layer");
    layout->addWidget(editor_);
    layout->addWidget(line());
    layout->addWidget(make_whole());
    layout->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    error_ = new QLabel;
    error_->setObjectName("material_error");
    error_->setWordWrap(true);
    error_->setMargin(8);
    set_tone(error_, "warning");
    error_->setToolTip(
        tr("What is wrong with the set; until it is right, the views show the last one that was"));
    error_->hide();
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    outer->addWidget(error_);
    outer->addWidget(scroll, 1);

    connect(editor_, &MaterialLayerEditor::changed, this, &MaterialPanel::layer_edited);
    connect(&look_, &Look::changed, this, &MaterialPanel::follow_look);
    set_ = applied_ = look_.settings().materials;
    show_set();
    follow_look();
}

QWidget* MaterialPanel::make_head() {
    auto* box = new QWidget;
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    auto* row = new QHBoxLayout;
    row->setSpacing(2);
    choice_ = new QComboBox;
    choice_->setObjectName("material_set");
    choice_->setToolTip(tr("A set that comes with the library, to begin with"));
    choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice_->setMinimumContentsLength(8);
    for (const std::string& name : material_set_names()) {
        QString word = QString::fromStdString(name);
        QString title = word;
        title[0] = title[0].toUpper();
        choice_->addItem(title, word);
        choice_->setItemData(choice_->count() - 1, QString::fromStdString(material_set(name).title),
                             Qt::ToolTipRole);
    }
    choice_->setPlaceholderText(tr("Your own"));
    QToolButton* load = icon_button("folder", "material_load", tr("Load a set from a file"));
    QToolButton* save = icon_button("save", "material_save", tr("Save this set to a file"));
    row->addWidget(choice_, 1);
    row->addWidget(load);
    row->addWidget(save);
    layout->addLayout(row);

    hint_ = new QWidget;
    auto* hint = new QHBoxLayout(hint_);
    hint->setContentsMargins(0, 0, 0, 0);
    auto* text = new QLabel(tr("The views show colours, not materials."));
    text->setWordWrap(true);
    auto* show = new QPushButton(tr("Show"));
    show->setObjectName("material_show");
    show->setToolTip(tr("Show the terrain with its materials"));
    hint->addWidget(text, 1);
    hint->addWidget(show);
    layout->addWidget(hint_);

    connect(choice_, &QComboBox::activated, this, [this] { take_set(choice_->currentData().toString()); });
    connect(load, &QToolButton::clicked, this, &MaterialPanel::ask_load);
    connect(save, &QToolButton::clicked, this, &MaterialPanel::ask_save);
    connect(show, &QPushButton::clicked, this,
            [this] { look_.change([](LookSettings& settings) { settings.scheme = "materials"; }); });
    return box;
}

QWidget* MaterialPanel::make_list() {
    auto* box = new QWidget;
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    list_ = new QListWidget;
    list_->setObjectName("material_layers");
    list_->setAccessibleName(tr("Layers of the set"));
    list_->setToolTip(tr("The layers of the set, the top one first; each covers what lies below it"));
    list_->setIconSize(QSize(18, 18));
    list_->setUniformItemSizes(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    layout->addWidget(list_);
    auto* row = new QHBoxLayout;
    row->setSpacing(2);
    add_ = icon_button("add", "material_add", tr("Add a layer on top of the chosen one"));
    up_ = icon_button("up", "material_up", tr("Move the layer up"));
    down_ = icon_button("down", "material_down", tr("Move the layer down"));
    remove_ = icon_button("remove", "material_remove", tr("Remove the layer"));
    for (QToolButton* button : {add_, up_, down_}) row->addWidget(button);
    row->addStretch(1);
    row->addWidget(remove_);
    layout->addLayout(row);
    connect(list_, &QListWidget::currentRowChanged, this, [this] {
        if (!refreshing_) show_layer();
    });
    connect(add_, &QToolButton::clicked, this, &MaterialPanel::add_layer);
    connect(remove_, &QToolButton::clicked, this, &MaterialPanel::remove_layer);
    connect(up_, &QToolButton::clicked, this, [this] { move_layer(1); });
    connect(down_, &QToolButton::clicked, this, [this] { move_layer(-1); });
    return box;
}

QWidget* MaterialPanel::make_whole() {
    auto* box = new QWidget;
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(8);
    form->setVerticalSpacing(4);
    auto* heading = new QLabel(tr("The whole set"));
    QFont font = heading->font();
    font.setBold(true);
    heading->setFont(font);
    form->addRow(heading);
    projection_ = new QComboBox;
    projection_->setObjectName("material_projection");
    projection_->setToolTip(
        tr("From three sides, textures are not drawn out on cliffs; from above is quicker"));
    projection_->addItem(tr("From above"), int(TextureProjection::vertical));
    projection_->addItem(tr("From three sides"), int(TextureProjection::triplanar));
    macro_amount_ = new QDoubleSpinBox;
    macro_amount_->setObjectName("material_macro_amount");
    macro_amount_->setRange(0, 1);
    macro_amount_->setSingleStep(0.05);
    macro_amount_->setToolTip(
        tr("Slow changes of brightness over many tiles, against the look of a pattern"));
    macro_size_ = new QDoubleSpinBox;
    macro_size_->setObjectName("material_macro_size");
    macro_size_->setRange(0.01, 1e6);
    macro_size_->setSingleStep(20);
    macro_size_->setSuffix(tr(" m"));
    macro_size_->setToolTip(tr("How large these changes are"));
    for (QDoubleSpinBox* number : {macro_amount_, macro_size_}) {
        number->setKeyboardTracking(false);
        connect(number, &QDoubleSpinBox::valueChanged, this, &MaterialPanel::whole_edited);
    }
    connect(projection_, &QComboBox::activated, this, &MaterialPanel::whole_edited);
    form->addRow(tr("Projection"), projection_);
    form->addRow(tr("Variation"), macro_amount_);
    form->addRow(tr("Its size"), macro_size_);
    return box;
}

// ---- what is shown -----------------------------------------------------------------------------------------

void MaterialPanel::follow_look() {
    hint_->setVisible(look_.settings().scheme != "materials");
    if (look_.settings().materials == applied_) return;
    set_ = applied_ = look_.settings().materials;
    error_->hide();
    show_set();
}

void MaterialPanel::show_set() {
    refreshing_ = true;
    int known = -1;
    for (int i = 0; i < choice_->count(); i++)
        if (material_set(choice_->itemData(i).toString().toStdString()) == set_) known = i;
    choice_->setCurrentIndex(known);
    projection_->setCurrentIndex(projection_->findData(int(set_.projection)));
    macro_amount_->setValue(set_.macro.amount);
    macro_size_->setValue(set_.macro.size);
    refreshing_ = false;
    show_list();
    show_layer();
}

// Rows run from the top layer, indices from the lowest.
void MaterialPanel::show_list() {
    refreshing_ = true;
    int count = int(set_.layers.size());
    int row = std::clamp(list_->currentRow(), 0, std::max(count - 1, 0));
    while (list_->count() > count) delete list_->takeItem(list_->count() - 1);
    while (list_->count() < count) list_->addItem(new QListWidgetItem);
    for (int i = 0; i < count; i++) {
        const MaterialLayer& layer = set_.layers[size_t(i)];
        QListWidgetItem* item = list_->item(count - 1 - i);
        item->setText(layer.name.empty() ? tr("(no name)") : QString::fromStdString(layer.name));
        item->setIcon(swatch(colour_of(layer)));
        item->setSizeHint(QSize(0, 24));
    }
    list_->setFixedHeight(24 * std::max(count, 1) + 2 * list_->frameWidth());
    list_->setCurrentRow(count > 0 ? row : -1);
    refreshing_ = false;
}

void MaterialPanel::show_layer() {
    int count = int(set_.layers.size());
    int index = count - 1 - list_->currentRow();
    bool any = list_->currentRow() >= 0 && index >= 0 && index < count;
    editor_->setEnabled(any);
    add_->setEnabled(count < most_material_layers);
    add_->setToolTip(count < most_material_layers
                         ? tr("Add a layer on top of the chosen one")
                         : tr("A set has %1 layers at most; remove one first").arg(most_material_layers));
    remove_->setEnabled(any && count > 1);
    up_->setEnabled(any && index + 1 < count);
    down_->setEnabled(any && index > 0);
    if (any) editor_->set_layer(set_, size_t(index));
}

QString MaterialPanel::error() const { return error_->isHidden() ? QString() : error_->text(); }

void MaterialPanel::choose_layer(int index) { list_->setCurrentRow(int(set_.layers.size()) - 1 - index); }

// ---- changing ----------------------------------------------------------------------------------------------

void MaterialPanel::apply() {
    show_set();
    try {
        set_.check();
    } catch (const Error& wrong) {
        error_->setText(tr("Not applied: %1.").arg(QString::fromStdString(wrong.what())));
        error_->show();
        return;
    }
    error_->hide();
    applied_ = set_;
    look_.change([this](LookSettings& settings) { settings.materials = set_; });
}

void MaterialPanel::layer_edited() {
    size_t index = set_.layers.size() - 1 - size_t(list_->currentRow());
    if (index >= set_.layers.size()) return;
    std::string before = set_.layers[index].name;
    MaterialLayer edited = editor_->layer();
    bool taken = false;
    for (size_t i = 0; i < set_.layers.size(); i++)
        taken = taken || (i != index && set_.layers[i].name == edited.name);
    set_.layers[index] = edited;
    // Children follow a new name, unless it means another layer.
    if (before != edited.name && !edited.name.empty() && !taken)
        for (MaterialLayer& layer : set_.layers)
            if (layer.parent == before) layer.parent = edited.name;
    apply();
}

void MaterialPanel::whole_edited() {
    if (refreshing_) return;
    set_.projection = TextureProjection(projection_->currentData().toInt());
    set_.macro.amount = macro_amount_->value();
    set_.macro.size = macro_size_->value();
    apply();
}

void MaterialPanel::take_set(const QString& name) {
    set_ = material_set(name.toStdString());
    list_->setCurrentRow(-1);
    apply();
}

void MaterialPanel::add_layer() {
    if (int(set_.layers.size()) >= most_material_layers) return;
    int index = int(set_.layers.size()) - std::max(list_->currentRow(), 0);
    MaterialLayer made;
    made.texture = MaterialKind::rock;
    made.slope = MaterialBand{35, std::numeric_limits<double>::infinity(), 8, false};
    auto taken = [this](const std::string& name) {
        return std::ranges::any_of(set_.layers,
                                   [&](const MaterialLayer& layer) { return layer.name == name; });
    };
    made.name = "rock";
    for (int number = 2; taken(made.name); number++) made.name = "rock " + std::to_string(number);
    set_.layers.insert(set_.layers.begin() + index, made);
    show_list();
    choose_layer(index);
    apply();
}

void MaterialPanel::remove_layer() {
    int index = int(set_.layers.size()) - 1 - list_->currentRow();
    if (set_.layers.size() < 2 || index < 0 || index >= int(set_.layers.size())) return;
    MaterialLayer gone = set_.layers[size_t(index)];
    set_.layers.erase(set_.layers.begin() + index);
    // What lay on it lies on what it lay on.
    for (MaterialLayer& layer : set_.layers)
        if (layer.parent == gone.name) layer.parent = gone.parent;
    apply();
}

void MaterialPanel::move_layer(int by) {
    int index = int(set_.layers.size()) - 1 - list_->currentRow();
    int to = index + by;
    if (std::min(index, to) < 0 || std::max(index, to) >= int(set_.layers.size())) return;
    std::swap(set_.layers[size_t(index)], set_.layers[size_t(to)]);
    show_list();
    choose_layer(to);
    apply();
}

// ---- files -------------------------------------------------------------------------------------------------

void MaterialPanel::load(const QString& path) {
    set_ = read_material_set(path.toStdString());
    list_->setCurrentRow(-1);
    apply();
}

void MaterialPanel::save(const QString& path) {
    set_.check();
    write_material_set(set_, path.toStdString());
}

void MaterialPanel::ask_load() {
    QString path = QFileDialog::getOpenFileName(this, tr("Load materials"), {}, tr("Material sets (*.json)"));
    if (path.isEmpty()) return;
    try {
        load(path);
    } catch (const std::exception& wrong) {
        error_->setText(tr("Not loaded: %1").arg(QString::fromUtf8(wrong.what())));
        error_->show();
    }
}

void MaterialPanel::ask_save() {
    QString path = QFileDialog::getSaveFileName(this, tr("Save materials"), QStringLiteral("materials.json"),
                                                tr("Material sets (*.json)"));
    if (path.isEmpty()) return;
    if (!path.contains('.')) path += QStringLiteral(".json");
    try {
        save(path);
    } catch (const std::exception& wrong) {
        error_->setText(tr("Not saved: %1").arg(QString::fromUtf8(wrong.what())));
        error_->show();
    }
}

}  // namespace caprock::editor

#include "panels/layers_panel.h"

#include "base/text.h"
#include "widgets/icon_button.h"
#include "widgets/wording.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelection>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <set>

namespace caprock::editor {

LayersPanel::LayersPanel(Workshop& workshop, Selection& selection, QWidget* parent)
    : QWidget(parent), workshop_(workshop), selection_(selection) {
    setObjectName("layers_panel");
    notice_ = new QLabel;
    notice_->setObjectName("layers_notice");
    notice_->setWordWrap(true);
    notice_->setToolTip(tr("Why the layers cannot be changed"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->setSpacing(6);
    layout->addWidget(notice_);
    blending_ = make_blending();
    layout->addWidget(blending_);
    layout->addWidget(make_stack(), 1);
    layout->addWidget(make_buttons());

    // A wheel or a key makes many small changes: they are one when they have come to rest.
    sealing_.setSingleShot(true);
    sealing_.setInterval(700);
    connect(&sealing_, &QTimer::timeout, this, &LayersPanel::seal_opacity);
    connect(&selection_, &Selection::changed, this, &LayersPanel::follow_selection);
    set_document(nullptr);
}

QWidget* LayersPanel::make_blending() {
    auto* box = new QWidget;
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(4);
    mode_ = new QComboBox;
    mode_->setObjectName("layer_mode");
    mode_->setToolTip(tr("How the chosen layer is blended into what lies below it"));
    mode_->setMinimumContentsLength(8);
    mode_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (const std::string& word : make_operation("blend")->schema().at("mode").choices())
        mode_->addItem(choice_title(word), QString::fromStdString(word));
    opacity_ = new QSlider(Qt::Horizontal);
    opacity_->setObjectName("layer_opacity");
    opacity_->setRange(0, 100);
    opacity_->setMinimumWidth(60);
    opacity_->setToolTip(tr("How much of the chosen layer is seen"));
    percent_ = new QSpinBox;
    percent_->setObjectName("layer_percent");
    percent_->setRange(0, 100);
    percent_->setSuffix(tr(" %"));
    percent_->setKeyboardTracking(false);  // half a number is none
    opacity_->setValue(100);
    percent_->setValue(100);
    percent_->setToolTip(opacity_->toolTip());
    auto* mode_label = new QLabel(tr("Mode"));
    mode_label->setBuddy(mode_);
    auto* opacity_label = new QLabel(tr("Opacity"));
    opacity_label->setBuddy(percent_);
    grid->addWidget(mode_label, 0, 0);
    grid->addWidget(mode_, 0, 1, 1, 2);
    grid->addWidget(opacity_label, 1, 0);
    grid->addWidget(opacity_, 1, 1);
    grid->addWidget(percent_, 1, 2);
    grid->setColumnStretch(1, 1);

    connect(mode_, &QComboBox::activated, this, [this] {
        int layer = selection_.layer();
        std::string word = mode_->currentData().toString().toStdString();
        change(tr("Blend mode"), [layer, word](Document& document, RunContext&) {
            set_layer(document, layer, {{"mode", word}});
        });
    });
    connect(opacity_, &QSlider::valueChanged, this, &LayersPanel::set_opacity);
    connect(opacity_, &QSlider::sliderReleased, this, &LayersPanel::seal_opacity);
    connect(percent_, &QSpinBox::valueChanged, this, &LayersPanel::set_opacity);
    return box;
}

QWidget* LayersPanel::make_stack() {
    tree_ = new LayerTree(this);
    delegate_ = new LayerTreeDelegate(this);
    rows_ = new LayerTreeView;
    rows_->setObjectName("layer_tree");
    rows_->setAccessibleName(tr("Layers"));
    rows_->setModel(tree_);
    rows_->setItemDelegate(delegate_);
    rows_->setMinimumHeight(80);
    QHeaderView* header = rows_->header();
    header->setMinimumSectionSize(24);
    header->setStretchLastSection(false);
    header->setSectionResizeMode(LayerTree::eye_column, QHeaderView::Fixed);
    header->setSectionResizeMode(LayerTree::name_column, QHeaderView::Stretch);
    header->setSectionResizeMode(LayerTree::lock_column, QHeaderView::Fixed);
    header->resizeSection(LayerTree::eye_column, 26);
    header->resizeSection(LayerTree::lock_column, 24);

    invitation_ = new QLabel;
    invitation_->setObjectName("layers_invitation");
    invitation_->setWordWrap(true);
    invitation_->setAlignment(Qt::AlignCenter);
    invitation_->setMargin(12);
    invitation_->setToolTip(tr("How to begin"));
    stack_ = new QStackedWidget;
    stack_->addWidget(rows_);
    stack_->addWidget(invitation_);

    connect(rows_, &LayerTreeView::eye_clicked, this, [this](int layer) { toggle({layer}, true); });
    connect(rows_, &LayerTreeView::lock_clicked, this, [this](int layer) { toggle({layer}, false); });
    connect(rows_, &LayerTreeView::mask_clicked, this, [this](int layer) { selection_.select(layer, true); });
    connect(rows_, &LayerTreeView::content_clicked, this, [this](int layer) { selection_.select(layer); });
    connect(rows_, &LayerTreeView::customContextMenuRequested, this, &LayersPanel::show_menu);
    connect(rows_, &QTreeView::collapsed, this, [this](const QModelIndex& at) {
        if (const LayerTree::Node* node = tree_->node(at)) collapsed_[node->id] = true;
    });
    connect(rows_, &QTreeView::expanded, this, [this](const QModelIndex& at) {
        if (const LayerTree::Node* node = tree_->node(at)) collapsed_.erase(node->id);
    });
    connect(rows_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &LayersPanel::follow_tree);
    connect(rows_->selectionModel(), &QItemSelectionModel::currentChanged, this, &LayersPanel::follow_tree);
    connect(tree_, &LayerTree::renamed, this, [this](int layer, const QString& name) {
        change(tr("Rename"), [layer, name = name.toStdString()](Document& document, RunContext&) {
            set_layer(document, layer, {{"name", name}});
        });
    });
    connect(tree_, &LayerTree::dropped, this, &LayersPanel::move);
    return stack_;
}

QWidget* LayersPanel::make_buttons() {
    auto* box = new QWidget;
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    add_ = icon_button("add", "layer_add", tr("Add a layer on top of the chosen one"));
    mask_ = icon_button("mask", "layer_mask", tr("Mask of the chosen layer: where it is seen"));
    group_ = icon_button("group", "layer_group", tr("Put the chosen layers into a group"));
    duplicate_ = icon_button("duplicate", "layer_duplicate", tr("Duplicate the chosen layers"));
    remove_ = icon_button("remove", "layer_remove", tr("Delete the chosen layers"));
    for (QToolButton* button : {add_, mask_}) {
        auto* menu = new QMenu(button);
        menu->setObjectName(button->objectName() + "_menu");
        menu->setToolTipsVisible(true);
        button->setMenu(menu);
        button->setPopupMode(QToolButton::InstantPopup);
    }
    connect(add_->menu(), &QMenu::aboutToShow, this, [this] { fill_add_menu(add_->menu()); });
    connect(mask_->menu(), &QMenu::aboutToShow, this, [this] { fill_mask_menu(mask_->menu()); });
    connect(group_, &QToolButton::clicked, this, &LayersPanel::add_group);
    connect(duplicate_, &QToolButton::clicked, this, &LayersPanel::duplicate);
    connect(remove_, &QToolButton::clicked, this, &LayersPanel::remove);
    for (QToolButton* button : {add_, mask_, group_, duplicate_}) row->addWidget(button);
    row->addStretch(1);
    row->addWidget(remove_);
    return box;
}

// ---- what is shown -----------------------------------------------------------------------------------------

void LayersPanel::set_document(DocumentViewPointer view) {
    std::set<int> known(order_.begin(), order_.end());
    bool fresh = !view || view->opened || !view_;
    if (fresh) {
        collapsed_.clear();
        before_solo_.clear();
        solo_ = 0;
    }
    view_ = std::move(view);
    std::vector<int> chosen_before = chosen();
    refreshing_ = true;
    tree_->set_changeable(changeable());
    bool restructured = tree_->set_document(view_);
    if (restructured) restore_expanded();
    std::vector<int> before = std::exchange(order_, tree_->layers());

    int layer = selection_.layer();
    bool mask = selection_.mask();
    if (fresh) {
        layer = order_.empty() ? 0 : order_.front();
        mask = false;
    } else {
        auto is_new = [&](int id) { return !known.contains(id); };
        auto made = std::ranges::find_if(order_, is_new);
        if (made != order_.end()) {
            layer = *made;
            mask = false;
        } else if (layer && !tree_->node(layer)) {
            // It has gone: the one that has taken its place.
            size_t place = size_t(std::ranges::find(before, layer) - before.begin());
            layer = order_.empty() ? 0 : order_[std::min(place, order_.size() - 1)];
            mask = false;
        }
    }
    const LayerTree::Node* node = tree_->node(layer);
    if (mask && (!node || node->mask == LayerMask::Kind::none)) mask = false;
    if (restructured) {
        std::erase_if(chosen_before, [this](int id) { return !tree_->node(id); });
        bool stays = std::ranges::find(chosen_before, layer) != chosen_before.end();
        if (stays) choose(chosen_before);
    }
    refreshing_ = false;
    selection_.select(layer, mask);
    follow_selection();

    if (!view_)
        invitation_->setText(tr("No document is open.\n\nMake a new one or open one from the File menu."));
    else
        invitation_->setText(
            tr("No layers yet.\n\nPress + below and choose what the land begins with: noise makes hills and "
               "mountains, a table mountain makes mesas. Or take a brush and paint."));
    stack_->setCurrentIndex(order_.empty() ? 1 : 0);
    notice_->setVisible(view_ && view_->read_only);
    if (view_ && view_->read_only)
        notice_->setText(
            view_->lost.empty()
                ? tr("This document is open for reading only: layers can be looked at.")
                : tr("This document is damaged and open for reading only: layers can be looked at."));
}

void LayersPanel::restore_expanded() {
    rows_->expandAll();
    std::map<int, bool> closed = collapsed_;
    for (const auto& [layer, yes] : closed) rows_->setExpanded(tree_->index_of(layer, 0), !yes);
}

void LayersPanel::set_thumbnail(int layer, const QImage& content, const QImage& mask) {
    tree_->set_thumbnail(layer, content, mask);
}

void LayersPanel::set_problems(const QStringList& problems) { tree_->set_problems(problems); }

const Layer* LayersPanel::current() const {
    return view_ ? find_layer(view_->state().layers, selection_.layer()) : nullptr;
}

std::vector<int> LayersPanel::chosen() const {
    std::set<int> selected;
    for (const QModelIndex& index : rows_->selectionModel()->selectedRows(LayerTree::eye_column))
        selected.insert(tree_->node(index)->id);
    std::vector<int> outer;
    for (int layer : tree_->layers()) {
        if (!selected.contains(layer)) continue;
        bool inside = false;
        for (const LayerTree::Node* above = tree_->node(layer)->parent; above; above = above->parent)
            inside = inside || selected.contains(above->id);
        if (!inside) outer.push_back(layer);
    }
    return outer;
}

void LayersPanel::choose(const std::vector<int>& layers) {
    QItemSelection selection;
    for (int layer : layers) {
        QModelIndex at = tree_->index_of(layer, LayerTree::eye_column);
        if (at.isValid()) selection.select(at, at.siblingAtColumn(LayerTree::lock_column));
    }
    rows_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    if (!layers.empty())
        rows_->selectionModel()->setCurrentIndex(tree_->index_of(layers.front()),
                                                 QItemSelectionModel::NoUpdate);
}

// The hand has chosen rows.
void LayersPanel::follow_tree() {
    if (refreshing_) return;
    std::vector<int> layers = chosen();
    const LayerTree::Node* node = tree_->node(rows_->currentIndex());
    int layer = layers.empty() ? 0 : layers.front();
    if (node &&
        rows_->selectionModel()->isRowSelected(rows_->currentIndex().row(), rows_->currentIndex().parent()))
        layer = node->id;
    if (layer != selection_.layer()) selection_.select(layer);
    show_chosen();
}

// Somebody has chosen a layer.
void LayersPanel::follow_selection() {
    int layer = selection_.layer();
    QModelIndex at = tree_->index_of(layer);
    refreshing_ = true;
    if (!at.isValid()) {
        rows_->selectionModel()->clear();
    } else {
        if (!rows_->selectionModel()->isRowSelected(at.row(), at.parent())) choose({layer});
        rows_->selectionModel()->setCurrentIndex(at, QItemSelectionModel::NoUpdate);
        rows_->scrollTo(at);
    }
    refreshing_ = false;
    show_chosen();
}

void LayersPanel::show_chosen() {
    const Layer* layer = current();
    delegate_->set_mask_chosen(selection_.mask() ? selection_.layer() : 0);
    rows_->viewport()->update();
    bool any = changeable() && layer;
    blending_->setEnabled(any && !layer->locked && layer->blend);
    add_->setEnabled(changeable());
    group_->setEnabled(changeable());
    mask_->setEnabled(any && !layer->locked);
    duplicate_->setEnabled(any);
    remove_->setEnabled(any);
    if (!layer || !layer->blend) return;
    QSignalBlocker mode_blocker(mode_), opacity_blocker(opacity_), percent_blocker(percent_);
    mode_->setCurrentIndex(mode_->findData(QString::fromStdString(blend_mode(*layer))));
    // What the hand is moving is ahead of the document.
    bool own = opacity_of_ == layer->id;
    if (sealing_.isActive() && !own) seal_opacity();
    if (own && (opacity_->isSliderDown() || sealing_.isActive() || view_->dragging)) return;
    int percent = int(std::lround(layer_opacity(*layer) * 100));
    opacity_->setValue(percent);
    percent_->setValue(percent);
}

// ---- blending ----------------------------------------------------------------------------------------------

void LayersPanel::set_opacity(int percent) {
    {
        QSignalBlocker opacity_blocker(opacity_), percent_blocker(percent_);
        opacity_->setValue(percent);
        percent_->setValue(percent);
    }
    int layer = selection_.layer();
    opacity_of_ = layer;
    std::string text = number_text(percent / 100.0);
    QString drag = QStringLiteral("opacity of layer %1").arg(layer);
    change(
        tr("Opacity"),
        [layer, text, key = drag.toStdString()](Document& document, RunContext&) {
            set_layer(document, layer, {{"opacity", text}}, key);
        },
        drag);
    if (!opacity_->isSliderDown()) sealing_.start();
}

void LayersPanel::seal_opacity() {
    sealing_.stop();
    workshop_.seal();
}

}  // namespace caprock::editor

#include "panels/minerals_panel.h"

#include "base/error.h"
#include "base/text.h"
#include "compute/devices.h"
#include "document/commands.h"
#include "document/layer_settings.h"
#include "document/setting_list.h"
#include "operation/evaluate.h"
#include "panels/layer_tree.h"
#include "widgets/icon_button.h"
#include "widgets/wording.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace caprock::editor {

namespace {

enum RockColumn { index_column, mineral_column, hardness_column, rock_columns };

// From pale, soft rock to dark, hard rock.
QColor rock_colour(double hardness) {
    const QColor soft(0xea, 0xd5, 0xa4), hard(0x3c, 0x3d, 0x4a);
    auto share = float(std::sqrt(std::clamp(hardness, 0.0, 1.0)));
    auto mix = [share](float a, float b) { return a + (b - a) * share; };
    return QColor::fromRgbF(mix(soft.redF(), hard.redF()), mix(soft.greenF(), hard.greenF()),
                            mix(soft.blueF(), hard.blueF()));
}

QString hardness_text(double hardness) { return QLocale().toString(hardness, 'g', 4); }

// The hardness as a number and a bar, the mineral by its name and its colour.
class RockDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem row = option;
        initStyleOption(&row, index);
        QStyle* style = row.widget ? row.widget->style() : QApplication::style();
        double hardness = index.siblingAtColumn(hardness_column).data(Qt::UserRole).toDouble();
        if (index.column() == index_column) {
            style->drawControl(QStyle::CE_ItemViewItem, &row, painter, row.widget);
            return;
        }
        QString text = std::exchange(row.text, QString());
        style->drawControl(QStyle::CE_ItemViewItem, &row, painter, row.widget);
        bool chosen = row.state & QStyle::State_Selected;
        bool enabled = row.state & QStyle::State_Enabled;
        QColor ink = row.palette.color(enabled ? QPalette::Active : QPalette::Disabled,
                                       chosen ? QPalette::HighlightedText : QPalette::Text);
        painter->save();
        QRect area = row.rect.adjusted(4, 0, -4, 0);
        if (index.column() == mineral_column) {
            QRectF swatch(area.left() + 0.5, area.center().y() - 6.5, 13, 13);
            QColor edge = ink;
            edge.setAlphaF(0.4f);
            painter->setPen(edge);
            painter->setBrush(rock_colour(hardness));
            painter->drawRect(swatch);
            area.setLeft(area.left() + 20);
            if (text.isEmpty()) {
                text = QStringLiteral("–");
                ink.setAlphaF(0.5f);
            }
        } else {
            QRectF groove(area.left(), area.bottom() - 5, area.width(), 3);
            QColor back = ink;
            back.setAlphaF(0.18f);
            painter->fillRect(groove, back);
            groove.setWidth(groove.width() * std::clamp(hardness, 0.0, 1.0));
            QColor bar = chosen ? ink : row.palette.color(QPalette::Highlight);
            painter->fillRect(groove, bar);
            area.setBottom(area.bottom() - 5);
        }
        painter->setPen(ink);
        painter->drawText(area, Qt::AlignVCenter | Qt::AlignLeft,
                          row.fontMetrics.elidedText(text, Qt::ElideRight, area.width()));
        painter->restore();
    }

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&,
                          const QModelIndex& index) const override {
        if (index.column() == mineral_column) {
            auto* choice = new QComboBox(parent);
            choice->setObjectName("mineral_choice");
            choice->setToolTip(MineralsPanel::tr("A mineral as hard as this rock is to be"));
            choice->addItem(MineralsPanel::tr("None of these"), QString());
            for (const MineralsPanel::Mineral& mineral : MineralsPanel::minerals())
                choice->addItem(
                    QStringLiteral("%1 (%2)").arg(titled(mineral.name), hardness_text(mineral.hardness)),
                    QString::fromStdString(mineral.name));
            QObject::connect(choice, &QComboBox::activated, choice, [this, choice] {
                auto* self = const_cast<RockDelegate*>(this);
                Q_EMIT self->commitData(choice);
                Q_EMIT self->closeEditor(choice);
            });
            // Opened at once: whoever double-clicked wants the list.
            QTimer::singleShot(0, choice, &QComboBox::showPopup);
            return choice;
        }
        if (index.column() != hardness_column) return nullptr;
        auto* number = new QDoubleSpinBox(parent);
        number->setObjectName("hardness_number");
        number->setToolTip(MineralsPanel::tr("0 erodes freely, 1 never does"));
        number->setDecimals(4);
        number->setRange(0, 1);
        number->setSingleStep(0.05);
        return number;
    }
    void setEditorData(QWidget* editor, const QModelIndex& index) const override {
        if (auto* choice = qobject_cast<QComboBox*>(editor)) {
            if (!choice->view()->isVisible())
                choice->setCurrentIndex(std::max(0, choice->findData(index.data(Qt::UserRole))));
        } else if (auto* number = qobject_cast<QDoubleSpinBox*>(editor)) {
            number->setValue(index.data(Qt::UserRole).toDouble());
        }
    }
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override {
        if (auto* choice = qobject_cast<QComboBox*>(editor)) {
            model->setData(index, choice->currentData(), Qt::UserRole);
        } else if (auto* number = qobject_cast<QDoubleSpinBox*>(editor)) {
            number->interpretText();
            model->setData(index, number->value(), Qt::UserRole);
        }
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        return {size.width(), std::max(size.height(), option.fontMetrics.height() + 12)};
    }
};

std::string name_by_hardness(double hardness) {
    for (const MineralsPanel::Mineral& mineral : MineralsPanel::minerals())
        if (std::abs(mineral.hardness - hardness) < 1e-7) return mineral.name;
    return {};
}

std::vector<MineralsPanel::Row> rising(int count) {
    std::vector<MineralsPanel::Row> rows;
    for (int i = 0; i < count; i++) {
        double hardness = count > 1 ? std::round(1e4 * i / (count - 1)) / 1e4 : 0;
        rows.push_back({hardness, name_by_hardness(hardness)});
    }
    return rows;
}

bool makes(const Layer& layer, const std::string& field) {
    for (const LayerOperation& step : layer.operations) {
        if (!step.operation) continue;
        std::vector<std::string> outputs = step.operation->fields().outputs;
        if (std::ranges::find(outputs, field) != outputs.end()) return true;
    }
    return std::ranges::any_of(layer.canvases, [&](const LayerCanvas& use) { return use.field == field; }) ||
           std::ranges::any_of(layer.layers, [&](const Layer& inside) { return makes(inside, field); });
}

// Nothing where the operation has no such parameter of that kind.
template <typename Value>
std::optional<Value> value_of(const Operation& operation, const char* name) {
    const Parameter* parameter = operation.schema().find(name);
    if (!parameter || !std::holds_alternative<Value>(parameter->default_value())) return std::nullopt;
    return std::get<Value>(operation.value(*parameter));
}

}  // namespace

// The scale of Mohs; how hard they are is what the operation makes of them.
const std::vector<MineralsPanel::Mineral>& MineralsPanel::minerals() {
    static const std::vector<Mineral> known = [] {
        std::vector<std::string> names = {"none",       "talc",   "gypsum", "calcite",  "fluorite", "apatite",
                                          "orthoclase", "quartz", "topaz",  "corundum", "diamond"};
        std::vector<Mineral> found;
        try {
            Grid grid;
            grid.extent = {0, 0, int(names.size()), 1};
            Terrain strip(grid);
            Field material(grid.extent, 0);
            for (int i = 0; i < int(names.size()); i++) material.set(i, 0, float(i));
            strip.set("material", material);
            RunContext context;
            context.device = choose_device("cpu", 1, 0);
            Terrain made = run(*operation_with("hardness", {{"minerals", names}}), strip, context);
            // The shortest number that is this float: 0.006, as it is written.
            for (int i = 0; i < int(names.size()); i++)
                found.push_back(
                    {names[size_t(i)], *parse_number(fmt::format("{}", made.field("hardness").at(i, 0)))});
        } catch (const std::exception&) {
            found.clear();  // an operation that knows other minerals: numbers will do
        }
        return found;
    }();
    return known;
}

MineralsPanel::MineralsPanel(Workshop& workshop, Selection& selection, QWidget* parent)
    : QWidget(parent), workshop_(workshop), selection_(selection) {
    setObjectName("minerals_panel");
    stack_ = new QStackedWidget;
    stack_->addWidget(make_table());
    stack_->addWidget(make_invitation());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(stack_);
    connect(&selection_, &Selection::changed, this, &MineralsPanel::refresh);
    refresh();
}

QWidget* MineralsPanel::make_table() {
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->setSpacing(6);
    heading_ = new QLabel;
    heading_->setObjectName("minerals_heading");
    heading_->setWordWrap(true);
    heading_->setToolTip(tr("The layer whose rock this is"));
    owner_ = new QComboBox;
    owner_->setObjectName("minerals_operation");
    owner_->setToolTip(tr("The operation of the layer whose table is shown"));
    notice_ = new QLabel;
    notice_->setObjectName("minerals_notice");
    notice_->setWordWrap(true);
    notice_->setToolTip(tr("Where the hardness comes from"));
    table_ = new QTableWidget(0, rock_columns);
    table_->setObjectName("minerals_table");
    table_->setAccessibleName(tr("Hardness of each rock"));
    table_->setHorizontalHeaderLabels({tr("No."), tr("Mineral"), tr("Hardness")});
    table_->horizontalHeaderItem(index_column)
        ->setToolTip(tr("The material's index, counted from the base up"));
    table_->horizontalHeaderItem(mineral_column)
        ->setToolTip(tr("The mineral of that hardness; double-click to choose one"));
    table_->horizontalHeaderItem(hardness_column)
        ->setToolTip(tr("0 erodes freely, 1 never does; double-click to change it"));
    table_->setItemDelegate(new RockDelegate(table_));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                            QAbstractItemView::AnyKeyPressed);
    table_->setShowGrid(false);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->setMinimumHeight(80);
    QHeaderView* header = table_->horizontalHeader();
    header->setHighlightSections(false);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setSectionResizeMode(index_column, QHeaderView::ResizeToContents);
    header->setSectionResizeMode(mineral_column, QHeaderView::Stretch);
    header->setSectionResizeMode(hardness_column, QHeaderView::Fixed);
    header->resizeSection(hardness_column, 84);

    add_ = icon_button("add", "minerals_add", tr("Add a rock on top of the chosen one"));
    remove_ = icon_button("remove", "minerals_remove", tr("Remove the chosen rock"));
    fill_ = new QToolButton;
    fill_->setObjectName("minerals_fill");
    fill_->setText(tr("Fill"));
    fill_->setToolTip(tr("Fill the whole table"));
    fill_->setAutoRaise(true);
    fill_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(fill_);
    menu->setToolTipsVisible(true);
    QAction* even = menu->addAction(tr("Rising evenly"), this, &MineralsPanel::fill_evenly);
    even->setObjectName("minerals_fill_evenly");
    even->setToolTip(tr("From 0 at the base to 1 on top"));
    QAction* mohs = menu->addAction(tr("The scale of Mohs"), this, &MineralsPanel::fill_with_minerals);
    mohs->setObjectName("minerals_fill_mohs");
    mohs->setToolTip(tr("All minerals, from the softest to the hardest"));
    fill_->setMenu(menu);
    auto* row = new QHBoxLayout;
    row->setSpacing(2);
    row->addWidget(add_);
    row->addWidget(fill_);
    row->addStretch(1);
    row->addWidget(remove_);
    layout->addWidget(heading_);
    layout->addWidget(owner_);
    layout->addWidget(notice_);
    layout->addWidget(table_, 1);
    layout->addLayout(row);

    connect(owner_, &QComboBox::activated, this, &MineralsPanel::refresh);
    connect(add_, &QToolButton::clicked, this, &MineralsPanel::add_row);
    connect(remove_, &QToolButton::clicked, this, &MineralsPanel::remove_row);
    connect(table_, &QTableWidget::itemSelectionChanged, this, [this] {
        remove_->setEnabled(table_->isEnabled() && table_->currentRow() >= 0 && !rows_.empty());
    });
    connect(table_, &QTableWidget::cellChanged, this, [this](int at, int column) {
        if (refreshing_) return;
        QVariant value = table_->item(at, column)->data(Qt::UserRole);
        if (column == mineral_column)
            set_mineral(at, value.toString().toStdString());
        else if (column == hardness_column)
            set_hardness(at, value.toDouble());
    });
    return page;
}

QWidget* MineralsPanel::make_invitation() {
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    invitation_ = new QLabel;
    invitation_->setObjectName("minerals_invitation");
    invitation_->setWordWrap(true);
    invitation_->setAlignment(Qt::AlignCenter);
    invitation_->setToolTip(tr("What a table of hardness belongs to"));
    add_layer_ = new QPushButton(tr("Add a hardness layer"));
    add_layer_->setObjectName("minerals_add_layer");
    add_layer_->setToolTip(tr("A layer that says how hard the rock is, on top of the chosen one"));
    layout->addStretch(1);
    layout->addWidget(invitation_);
    layout->addWidget(add_layer_, 0, Qt::AlignHCenter);
    layout->addStretch(1);
    connect(add_layer_, &QPushButton::clicked, this, &MineralsPanel::add_hardness_layer);
    return page;
}

// ---- what is shown -----------------------------------------------------------------------------------------

void MineralsPanel::set_document(DocumentViewPointer view) {
    view_ = std::move(view);
    refresh();
}

const Layer* MineralsPanel::current() const {
    return view_ ? find_layer(view_->state().layers, selection_.layer()) : nullptr;
}

void MineralsPanel::refresh() {
    const Layer* layer = current();
    owners_.clear();
    if (layer) read_owner(*layer);
    if (owners_.empty()) {
        rows_.clear();
        add_layer_->setEnabled(view_ && !view_->read_only);
        invitation_->setText(
            !view_ ? tr("No document is open.")
            : !layer
                ? tr("No layer is chosen. A layer of hardness or a table mountain has a table of how hard "
                     "each of its rocks is.")
                : tr("The layer '%1' has no table of hardness. A layer of hardness or a table mountain does.")
                      .arg(QString::fromStdString(layer->name)));
        add_layer_->setVisible(bool(view_));
        stack_->setCurrentIndex(1);
        return;
    }
    stack_->setCurrentIndex(0);
    {
        QSignalBlocker blocker(owner_);
        int chosen = std::clamp(owner_->currentIndex(), 0, int(owners_.size()) - 1);
        owner_->clear();
        for (const Owner& owner : owners_)
            owner_->addItem(tr("%1. %2").arg(owner.step).arg(titled(owner.operation)));
        owner_->setCurrentIndex(chosen);
    }
    owner_->setVisible(owners_.size() > 1);
    heading_->setText(
        tr("Rock of <b>%1</b>, from the base up").arg(QString::fromStdString(layer->name).toHtmlEscaped()));

    const Owner& owner = owners_[size_t(owner_->currentIndex())];
    const Operation& operation = *layer->operations[size_t(owner.step) - 1].operation;
    rows_.clear();
    auto table = value_of<std::vector<double>>(operation, "table");
    auto names = value_of<std::vector<std::string>>(operation, "minerals");
    auto file = value_of<InputFile>(operation, "table-file");
    by_minerals_ = table->empty() && names && !names->empty();
    file_ = file ? file->path() : "";
    for (double hardness : *table) rows_.push_back({hardness, name_by_hardness(hardness)});
    if (by_minerals_)
        for (const std::string& name : *names) {
            auto known = std::ranges::find(minerals(), name, &Mineral::name);
            rows_.push_back({known == minerals().end() ? 0 : known->hardness, name});
        }
    QString said;
    if (view_->read_only)
        said = tr("This document is open for reading only.");
    else if (layer->locked)
        said = tr("The layer is locked; unlock it to change its rock.");
    else if (rows_.empty() && !file_.empty())
        said = tr("The hardness comes from the file '%1'. A table made here takes its place.")
                   .arg(QString::fromStdString(file_));
    else if (rows_.empty())
        said =
            tr("There is no table: hardness rises evenly from the lowest rock to the highest. Press + to "
               "make one.");
    else
        for (size_t i = 1; i < rows_.size() && said.isEmpty(); i++)
            if (rows_[i].hardness < rows_[i - 1].hardness)
                said = tr("Rock %1 is softer than rock %2 below it: harder rock under softer erodes to "
                          "calderas.")
                           .arg(i)
                           .arg(i - 1);
    notice_->setText(said);
    notice_->setVisible(!said.isEmpty());
    bool changeable = !view_->read_only && !layer->locked;
    table_->setEnabled(changeable);
    add_->setEnabled(changeable);
    fill_->setEnabled(changeable);
    show_rows();
}

void MineralsPanel::read_owner(const Layer& layer) {
    std::vector<LayerSetting> settings = settings_of(layer);
    std::string materials_setting;
    int materials = 0;
    for (size_t i = 0; i < layer.operations.size(); i++) {
        if (!layer.operations[i].operation) continue;
        const Operation& operation = *layer.operations[i].operation;
        std::map<std::string, std::string> names;
        for (const LayerSetting& setting : settings)
            if (!setting.of_mask && setting.step == int(i) + 1)
                names[setting.name.substr(
                    setting.name.find('.') == std::string::npos ? 0 : setting.name.find('.') + 1)] =
                    setting.name;
        if (operation.name() == "materials") {
            materials_setting = names["count"];
            materials = value_of<int>(operation, "count").value_or(materials);
        }
        bool hardness = contains(operation.fields().outputs, "hardness");
        if (!hardness || !value_of<std::vector<double>>(operation, "table")) continue;
        Owner owner;
        owner.step = int(i) + 1;
        owner.operation = operation.name();
        owner.settings = names;
        owner.materials_setting = materials_setting;
        auto own = value_of<int>(operation, "materials");
        auto count = value_of<int>(operation, "count");
        owner.materials = own ? *own : count && *count > 0 ? *count : materials;
        owners_.push_back(std::move(owner));
    }
}

void MineralsPanel::show_rows() {
    refreshing_ = true;
    int chosen = table_->currentRow();
    table_->setRowCount(int(rows_.size()));
    for (int i = 0; i < int(rows_.size()); i++) {
        const Row& row = rows_[size_t(i)];
        for (int column = 0; column < rock_columns; column++)
            if (!table_->item(i, column)) table_->setItem(i, column, new QTableWidgetItem);
        QTableWidgetItem* index = table_->item(i, index_column);
        index->setText(QString::number(i));
        index->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        QTableWidgetItem* mineral = table_->item(i, mineral_column);
        mineral->setText(row.mineral.empty() ? QString() : titled(row.mineral));
        mineral->setData(Qt::UserRole, QString::fromStdString(row.mineral));
        QTableWidgetItem* hardness = table_->item(i, hardness_column);
        hardness->setText(hardness_text(row.hardness));
        hardness->setData(Qt::UserRole, row.hardness);
    }
    if (chosen >= 0 && !rows_.empty())
        table_->setCurrentCell(std::min(chosen, int(rows_.size()) - 1), mineral_column);
    remove_->setEnabled(table_->isEnabled() && table_->currentRow() >= 0 && !rows_.empty());
    refreshing_ = false;
}

// ---- changing ----------------------------------------------------------------------------------------------

void MineralsPanel::post(const std::vector<Row>& rows, bool by_minerals) {
    const Layer* layer = current();
    if (!layer || owners_.empty() || view_->read_only) return;
    const Owner& owner = owners_[size_t(owner_->currentIndex())];
    std::vector<std::string> numbers, names;
    for (const Row& row : rows) {
        numbers.push_back(number_text(row.hardness));
        names.push_back(row.mineral);
    }
    bool named = by_minerals && owner.settings.contains("minerals");
    std::vector<std::pair<std::string, std::string>> settings;
    auto set = [&](const char* parameter, const std::string& text) {
        auto found = owner.settings.find(parameter);
        if (found != owner.settings.end()) settings.emplace_back(found->second, text);
    };
    // Only one thing may say how hard they are.
    set("table", named ? "" : fmt::format("{}", fmt::join(numbers, ",")));
    set("minerals", named ? fmt::format("{}", fmt::join(names, ",")) : "");
    set("normalise", "false");
    if (!file_.empty()) set("table-file", "");
    if (!rows.empty()) {
        // A table has as many rows as there are rocks.
        set("count", "0");
        set("materials", std::to_string(rows.size()));
        if (!owner.materials_setting.empty())
            settings.emplace_back(owner.materials_setting, std::to_string(rows.size()));
    }
    std::erase_if(settings,
                  [&](const auto& each) { return setting_text(*layer, each.first) == each.second; });
    if (settings.empty()) return;
    workshop_.change(tr("Hardness"), [id = layer->id, settings](Document& document, RunContext&) {
        set_layer(document, id, settings);
    });
    // Shown at once; what becomes of it comes with the document.
    rows_ = rows;
    by_minerals_ = named;
    show_rows();
}

void MineralsPanel::add_row() {
    if (owners_.empty()) return;
    if (rows_.empty()) {
        int count = owners_[size_t(owner_->currentIndex())].materials;
        post(rising(count > 0 ? std::min(count, 256) : 5), false);
        return;
    }
    int below = table_->currentRow() >= 0 ? table_->currentRow() : int(rows_.size()) - 1;
    std::vector<Row> rows = rows_;
    // As hard as between its neighbours; on top, as the topmost.
    Row made = rows[size_t(below)];
    if (!by_minerals_ && size_t(below) + 1 < rows.size()) {
        made.hardness = std::round((made.hardness + rows[size_t(below) + 1].hardness) * 5000) / 10000;
        made.mineral = name_by_hardness(made.hardness);
    }
    rows.insert(rows.begin() + below + 1, made);
    post(rows, by_minerals_);
    table_->setCurrentCell(below + 1, mineral_column);
}

void MineralsPanel::remove_row() {
    int at = table_->currentRow();
    if (at < 0 || at >= int(rows_.size())) return;
    std::vector<Row> rows = rows_;
    rows.erase(rows.begin() + at);
    post(rows, by_minerals_);
}

void MineralsPanel::set_hardness(int row, double hardness) {
    if (row < 0 || row >= int(rows_.size())) return;
    std::vector<Row> rows = rows_;
    if (std::abs(rows[size_t(row)].hardness - hardness) < 5e-5) {
        show_rows();
        return;
    }
    rows[size_t(row)] = {hardness, name_by_hardness(hardness)};
    post(rows, by_minerals_ && !rows[size_t(row)].mineral.empty());
}

void MineralsPanel::set_mineral(int row, const std::string& mineral) {
    auto known = std::ranges::find(minerals(), mineral, &Mineral::name);
    if (row < 0 || row >= int(rows_.size()) || known == minerals().end() ||
        rows_[size_t(row)].mineral == mineral) {
        show_rows();
        return;
    }
    std::vector<Row> rows = rows_;
    rows[size_t(row)] = {known->hardness, mineral};
    post(rows, by_minerals_);
}

void MineralsPanel::fill_evenly() { post(rising(std::max(int(rows_.size()), 2)), false); }

void MineralsPanel::fill_with_minerals() {
    std::vector<Row> rows;
    for (const Mineral& mineral : minerals()) rows.push_back({mineral.hardness, mineral.name});
    if (!rows.empty()) post(rows, true);
}

void MineralsPanel::add_hardness_layer() {
    if (!view_ || view_->read_only) return;
    workshop_.change(tr("Add layer"), [above = selection_.layer(), name = tr("Hardness").toStdString()](
                                          Document& document, RunContext&) {
        const std::vector<Layer>& layers = document.state().layers;
        // Rock that nobody has divided into materials is, first.
        bool divided =
            std::ranges::any_of(layers, [](const Layer& layer) { return makes(layer, "material"); });
        std::vector<LayerOperation> operations;
        if (!divided) operations.emplace_back(make_operation("materials"));
        operations.emplace_back(make_operation("hardness"));
        Layer settings;
        settings.name = name;
        LayerSpot spot;
        if (find_layer(layers, above)) spot.above = above;
        add_operations(document, std::move(operations), settings, spot);
    });
}

}  // namespace caprock::editor

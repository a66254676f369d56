#include "panels/inspector_panel.h"

#include "panels/assessment_section.h"
#include "panels/histogram.h"
#include "view/inspector.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace caprock::editor {

namespace {

constexpr int most_counted = 512;  // cells a side
const QString no_value = QStringLiteral("–");

QString field_title(const std::string& field) {
    QString title = QString::fromStdString(field);
    if (!title.isEmpty()) title[0] = title[0].toUpper();
    return title;
}

QString direction_of(double degrees) {
    static const char* const words[] = {
        QT_TRANSLATE_NOOP("InspectorPanel", "north"), QT_TRANSLATE_NOOP("InspectorPanel", "north-east"),
        QT_TRANSLATE_NOOP("InspectorPanel", "east"),  QT_TRANSLATE_NOOP("InspectorPanel", "south-east"),
        QT_TRANSLATE_NOOP("InspectorPanel", "south"), QT_TRANSLATE_NOOP("InspectorPanel", "south-west"),
        QT_TRANSLATE_NOOP("InspectorPanel", "west"),  QT_TRANSLATE_NOOP("InspectorPanel", "north-west")};
    return QCoreApplication::translate("InspectorPanel", words[int(std::lround(degrees / 45)) % 8]);
}

QString local_number(double value, int digits) { return QLocale().toString(value, 'f', digits); }

QString value_of(const FieldValue& value) {
    if (!std::isfinite(value.value)) return InspectorPanel::tr("missing");
    if (is_index(value.name)) return local_number(value.value, 0);
    QString text = local_number(value.value, value.unit.empty() ? 3 : 2);
    return value.unit.empty() ? text : text + " " + QString::fromStdString(value.unit);
}

}  // namespace

InspectorPanel::InspectorPanel(Board& board, QWidget* parent) : QWidget(parent), board_(board) {
    setObjectName("inspector_panel");
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);

    auto new_grid = [] {
        auto* grid = new QGridLayout;
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setHorizontalSpacing(10);
        grid->setVerticalSpacing(3);
        grid->setColumnStretch(1, 1);
        grid->setColumnMinimumWidth(0, 78);
        return grid;
    };
    auto heading = [](const QString& text) {
        auto* label = new QLabel(text);
        QFont font = label->font();
        font.setBold(true);
        label->setFont(font);
        return label;
    };
    layout->addWidget(heading(tr("Under the cursor")));
    values_box_ = new QWidget;
    values_box_->setObjectName("inspector_values");
    values_ = new_grid();
    values_box_->setLayout(values_);
    layout->addWidget(values_box_);
    auto* place = new_grid();
    slope_label_ = add_row(place, "inspector_slope", tr("Slope"), tr("How steep the ground is here"));
    aspect_label_ = add_row(place, "inspector_aspect", tr("Faces"),
                            tr("Where the ground falls to, clockwise from north"));
    cell_label_ = add_row(place, "inspector_cell", tr("Cell"), tr("Column and row of the cell"));
    position_label_ = add_row(place, "inspector_position", tr("Position"),
                              tr("Metres to the east and to the south of the first cell"));
    place_label_ =
        add_row(place, "inspector_place", tr("On the map"), tr("In the coordinates of the georeference"));
    place_title_ = static_cast<QLabel*>(place->itemAtPosition(place->rowCount() - 1, 0)->widget());
    layout->addLayout(place);

    auto add_line = [&] {
        auto* line = new QFrame;
        line->setFixedHeight(1);
        line->setBackgroundRole(QPalette::Mid);
        line->setAutoFillBackground(true);
        layout->addWidget(line);
    };
    add_line();

    auto* top = new QHBoxLayout;
    top->setSpacing(10);
    top->addWidget(heading(tr("All cells")));
    field_ = new QComboBox;
    field_->setObjectName("inspector_field");
    field_->setToolTip(tr("The field that is counted"));
    field_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    field_->setMinimumContentsLength(8);
    top->addWidget(field_, 1);
    layout->addLayout(top);
    histogram_ = new HistogramView;
    histogram_->setObjectName("inspector_histogram");
    histogram_->setToolTip(tr("How many cells have which value; the line is the value under the cursor"));
    layout->addWidget(histogram_);
    auto* whole = new_grid();
    low_label_ = add_row(whole, "inspector_low", tr("Lowest"), tr("The lowest value there is"));
    high_label_ = add_row(whole, "inspector_high", tr("Highest"), tr("The highest value there is"));
    mean_label_ = add_row(whole, "inspector_mean", tr("Mean"), tr("The mean of the known cells"));
    mean_slope_label_ = add_row(whole, "inspector_mean_slope", tr("Mean slope"),
                                tr("Of the ground, at the resolution of the histogram"));
    known_label_ = add_row(whole, "inspector_known", tr("Known"), tr("Cells that have a value"));
    missing_label_ = add_row(whole, "inspector_missing", tr("Missing"), tr("Cells without a value"));
    layout->addLayout(whole);
    add_line();
    layout->addWidget(new AssessmentSection(board_));
    layout->addStretch(1);

    auto* scroll = new QScrollArea;
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);

    counting_.setSingleShot(true);
    counting_.setInterval(200);
    connect(&counting_, &QTimer::timeout, this, [this] {
        if (stale_ && isVisible()) count();
    });
    connect(&board_, &Board::replaced, this, &InspectorPanel::board_replaced);
    connect(&board_, &Board::rewritten, this, [this] {
        count_soon();
        if (cursor_) show_place();
    });
    connect(field_, &QComboBox::currentIndexChanged, this, [this] {
        stale_ = true;
        if (isVisible()) count();
        show_place();
    });
    board_replaced();
}

QLabel* InspectorPanel::add_row(QGridLayout* grid, const QString& name, const QString& title,
                                const QString& help) {
    int row = grid->count() == 0 ? 0 : grid->rowCount();
    auto* label = new QLabel(title);
    auto* value = new QLabel(no_value);
    value->setObjectName(name);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    value->setMinimumWidth(40);
    value->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    for (QLabel* each : {label, value}) each->setToolTip(help);
    grid->addWidget(label, row, 0, Qt::AlignTop);
    grid->addWidget(value, row, 1);
    return value;
}

void InspectorPanel::set_document(DocumentViewPointer view) {
    georeference_ = view ? view->state().georeference : std::nullopt;
    cell_ = view ? view->state().grid.cell : 0;
    show_place();
}

void InspectorPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_) count();
    show_place();
}

void InspectorPanel::board_replaced() {
    std::vector<std::string> fields;
    if (!board_.empty()) fields = board_.terrain().names();
    if (fields != fields_ || value_labels_.empty()) {
        fields_ = fields;
        while (QLayoutItem* item = values_->takeAt(0)) {
            delete item->widget();
            delete item;
        }
        value_labels_.clear();
        for (const std::string& field : fields_)
            value_labels_[field] =
                add_row(values_, QString::fromStdString("inspector_value_" + field), field_title(field),
                        tr("The cell's value of %1").arg(QString::fromStdString(field)));
        QSignalBlocker blocker(field_);
        QString before = field_->currentData().toString();
        field_->clear();
        for (const std::string& field : fields_)
            field_->addItem(field_title(field), QString::fromStdString(field));
        int at = field_->findData(before);
        if (at < 0) at = field_->findData("height");
        field_->setCurrentIndex(std::max(at, field_->count() > 0 ? 0 : -1));
    }
    field_->setEnabled(!fields_.empty());
    values_box_->setVisible(!fields_.empty());
    count_soon();
    show_place();
}

void InspectorPanel::count_soon() {
    stale_ = true;
    if (isVisible() && !counting_.isActive()) counting_.start();
}

QString InspectorPanel::unit() const {
    return QString::fromUtf8(quantity_of(field_->currentData().toString().toStdString()).unit);
}

// Of the document, also while every n-th of its cells is shown.
double InspectorPanel::cell() const {
    return cell_ > 0 || board_.empty() ? std::max(cell_, 1e-9) : board_.terrain().grid().cell;
}

void InspectorPanel::count() {
    stale_ = false;
    counted_++;
    std::string field = field_->currentData().toString().toStdString();
    if (board_.empty() || field.empty() || !board_.terrain().has(field)) {
        histogram_->set({}, {});
        for (QLabel* label :
             {low_label_, high_label_, mean_label_, mean_slope_label_, known_label_, missing_label_})
            label->setText(no_value);
        return;
    }
    // Means of cells, few enough that nobody waits for them.
    MapPyramid& pyramid = board_.pyramid();
    const Rect& rect = board_.terrain().rect();
    int level = 0;
    while ((std::max(rect.width(), rect.height()) >> level) > most_counted && level + 1 < pyramid.levels())
        level++;
    Histogram histogram = histogram_of(pyramid.level(field, level));
    QString unit = this->unit();
    double low = histogram.low, high = histogram.high;
    if (is_ground(field) && histogram.known > 0) {
        // These are known of every single cell.
        BlockRange whole = board_.ranges().whole();
        low = std::min<double>(low, whole.low);
        high = std::max<double>(high, whole.high);
    }
    double span = high - low;
    bool some = histogram.known > 0;
    auto text = [&](double value) { return some ? HistogramView::value_text(value, span, unit) : no_value; };
    low_label_->setText(text(low));
    high_label_->setText(text(high));
    mean_label_->setText(text(histogram.mean));
    // In cells of the document, of which the board may show every n-th. Where they were counted by fours, it is not known
    // to the cell, but for the height.
    double share =
        double(histogram.missing) / double(std::max<int64_t>(histogram.missing + histogram.known, 1));
    bool whole_grid = std::abs(board_.terrain().grid().cell - cell()) < 0.01 * cell();
    if (is_ground(field)) share = double(board_.ranges().whole().missing) / double(rect.cells());
    bool exactly = (whole_grid && (level == 0 || is_ground(field))) || share == 0 || share == 1;
    double times = whole_grid ? 1 : board_.terrain().grid().cell / cell();
    double cells = double(rect.cells()) * times * times;
    auto count_text = [&](double of) {
        QString counted = QLocale().toString(qlonglong(std::llround(of * cells)));
        return exactly ? counted : tr("about %1").arg(counted);
    };
    known_label_->setText(count_text(1 - share));
    missing_label_->setText(count_text(share));
    std::optional<double> slope =
        mean_slope_of(pyramid.level("height", level), board_.terrain().grid().cell * double(1 << level));
    mean_slope_label_->setText(slope ? local_number(*slope, 1) + QStringLiteral("°") : no_value);
    histogram_->set(histogram, unit);
    // Not again before the next fifth of a second.
    counting_.start();
}

void InspectorPanel::set_cursor(double x, double y) {
    cursor_ = Place{x, y};
    if (isVisible()) show_place();
}

void InspectorPanel::clear_cursor() {
    cursor_.reset();
    show_place();
}

void InspectorPanel::show_place() {
    std::optional<Inspection> found;
    if (cursor_ && !board_.empty()) found = inspect(board_.terrain(), {cursor_->x, cursor_->y});
    place_title_->setVisible(georeference_.has_value());
    place_label_->setVisible(georeference_.has_value());
    if (!found) {
        for (auto& [field, label] : value_labels_) label->setText(no_value);
        for (QLabel* label : {slope_label_, aspect_label_, cell_label_, position_label_, place_label_})
            label->setText(no_value);
        histogram_->mark(std::nullopt);
        return;
    }
    std::string counted = field_->currentData().toString().toStdString();
    for (const FieldValue& value : found->values) {
        auto label = value_labels_.find(value.name);
        if (label != value_labels_.end()) label->second->setText(value_of(value));
        if (value.name == counted) histogram_->mark(double(value.value));
    }
    slope_label_->setText(found->slope ? local_number(*found->slope, 1) + QStringLiteral("°") : no_value);
    aspect_label_->setText(found->aspect ? local_number(*found->aspect, 0) + QStringLiteral("°, ") +
                                               direction_of(*found->aspect)
                           : found->slope ? tr("level")
                                          : no_value);
    auto column = std::llround(cursor_->x / cell()), row = std::llround(cursor_->y / cell());
    cell_label_->setText(QStringLiteral("%1, %2").arg(column).arg(row));
    position_label_->setText(
        tr("x %1 m, y %2 m").arg(local_number(cursor_->x, 1), local_number(cursor_->y, 1)));
    if (georeference_) {
        Coordinates place = georeference_->at_cell(cursor_->x / cell(), cursor_->y / cell());
        // Degrees need more digits than metres do.
        int digits = std::abs(georeference_->transform[1]) < 0.01 ? 6 : 1;
        place_label_->setText(local_number(place.x, digits) + QStringLiteral(", ") +
                              local_number(place.y, digits));
    }
}

}  // namespace caprock::editor

#include "dialogs/export_dialog.h"

#include "base/error.h"
#include "base/text.h"
#include "dialogs/chosen_settings.h"
#include "dialogs/side_by_side.h"
#include "document/plan.h"
#include "theme/icons.h"
#include "theme/theme.h"
#include "widgets/wording.h"

#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTabBar>
#include <QThreadPool>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace caprock::editor {

const std::vector<TerrainFormat>& ExportDialog::formats() {
    static const std::vector<TerrainFormat> all = [] {
        std::vector<TerrainFormat> written;
        for (const TerrainFormat& format : terrain_formats())
            if (format.written()) written.push_back(format);
        // What most people export for.
        std::ranges::stable_partition(written, &TerrainFormat::for_engines);
        return written;
    }();
    return all;
}

namespace {

enum RangeChoice { document_range, actual_heights, own_range };

QDoubleSpinBox* height_box(const char* name, const QString& tip) {
    auto* box = new QDoubleSpinBox;
    box->setObjectName(name);
    box->setToolTip(tip);
    box->setRange(-100000, 100000);
    box->setDecimals(2);
    box->setSuffix(ExportDialog::tr(" m"));
    return box;
}

QLabel* muted_note(const char* name) {
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setWordWrap(true);
    set_tone(label, "muted");
    return label;
}

}  // namespace

ExportDialog::ExportDialog(DocumentViewPointer view, QWidget* parent)
    : QDialog(parent), view_(std::move(view)), pool_(std::make_unique<QThreadPool>()) {
    setObjectName("export");
    setWindowTitle(tr("Export"));
    pool_->setMaxThreadCount(2);
    // A plan computes nothing: what the document comes to is known from it at once.
    try {
        fields_ = Plan(view_->snapshot).fields();
    } catch (const Error&) {
        fields_ = {"height"};
    }

    message_ = new QLabel;
    message_->setObjectName("export.message");
    message_->setWordWrap(true);
    message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    bar_ = new QProgressBar;
    bar_->setObjectName("export.progress");
    bar_->setToolTip(tr("How much of the export is done."));
    bar_->setRange(0, 1000);
    QSizePolicy keep = bar_->sizePolicy();
    keep.setRetainSizeWhenHidden(true);
    bar_->setSizePolicy(keep);
    bar_->hide();
    export_ = new QPushButton(icon("export"), tr("Export"));
    export_->setObjectName("export.start");
    export_->setDefault(true);
    close_ = new QPushButton(tr("Close"));
    close_->setObjectName("export.close");
    close_->setToolTip(
        tr("Stops an export that is running, and leaves no file; closes the window otherwise."));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(bar_, 1);
    buttons->addWidget(export_);
    buttons->addWidget(close_);

    form_ = new QWidget;
    auto* parts = new QHBoxLayout(form_);
    parts->setContentsMargins(0, 0, 0, 0);
    parts->setSpacing(20);
    parts->addWidget(file_part(), 3);
    parts->addWidget(numbers_part(), 2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 14);
    column->setSpacing(12);
    column->addWidget(form_, 1);
    column->addWidget(message_);
    column->addLayout(buttons);
    resize(820, 470);

    connect(export_, &QPushButton::clicked, this, &ExportDialog::start);
    connect(close_, &QPushButton::clicked, this, &ExportDialog::reject);
    QFileInfo document(QString::fromStdString(view_->path));
    QString folder = QSettings().value("export/folder", document.absolutePath()).toString();
    if (!QFileInfo(folder).isDir()) folder = QDir::homePath();
    path_->setText(QDir(folder).filePath(document.completeBaseName() + format().ending));
    follow_format();
    // The file libraries are many and take a moment to load.
    pool_->start([this] {
        try {
            check_fits(Terrain(Grid()), "any.tif");
        } catch (const Error&) {
            // It is said when something is written.
            return;
        }
        QMetaObject::invokeMethod(this, [this] {
            formats_ready_ = true;
            if (!running()) refresh();
        });
    });
}

ExportDialog::~ExportDialog() {
    for (const std::shared_ptr<Progress>& progress : {progress_, measuring_})
        if (progress) progress->cancel();
    pool_->waitForDone();
}

// ---- what is asked -----------------------------------------------------------------------------------------

QWidget* ExportDialog::file_part() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    auto* form = new QFormLayout;
    column->addLayout(form);
    column->addStretch(1);
    form->setHorizontalSpacing(14);
    form->setVerticalSpacing(8);
    form->setLabelAlignment(Qt::AlignLeft);

    path_ = new QLineEdit;
    path_->setObjectName("export.path");
    path_->setToolTip(tr("Where the file goes. Its ending says which format it has."));
    auto* browse_button = new QToolButton;
    browse_button->setObjectName("export.browse");
    browse_button->setIcon(icon("folder"));
    browse_button->setToolTip(tr("Chooses folder and name."));
    auto* path_row = new QHBoxLayout;
    path_row->setSpacing(4);
    path_row->addWidget(path_, 1);
    path_row->addWidget(browse_button);
    form->addRow(tr("File"), path_row);

    format_ = new QComboBox;
    format_->setObjectName("export.format");
    for (const TerrainFormat& one : formats()) {
        format_->addItem(QString("%1 (%2)").arg(tr(one.title), one.ending));
        format_->setItemData(format_->count() - 1, tr(one.about), Qt::ToolTipRole);
    }
    form->addRow(tr("Format"), format_);

    size_ = new QComboBox;
    size_->setObjectName("export.size");
    size_->setToolTip(tr("The document's own cells, or the same land with as many as an engine wants."));
    Size own = view_->state().window.size();
    size_->addItem(tr("As the document: %1 x %2").arg(own.width).arg(own.height), 0);
    for (const EngineSize& one : engine_sizes())
        size_->addItem(QString("%1: %2 x %2").arg(one.engine).arg(one.side), one.side);
    size_->addItem(tr("Own size"), -1);
    form->addRow(tr("Size"), size_);
    width_ = new QSpinBox;
    width_->setObjectName("export.width");
    height_ = new QSpinBox;
    height_->setObjectName("export.height");
    for (QSpinBox* side : {width_, height_}) {
        side->setRange(2, largest_side);
        side->setToolTip(tr("Cells from edge to edge."));
    }
    width_->setValue(own.width);
    height_->setValue(own.height);
    own_size_ = side_by_side({width_, new QLabel("x"), height_});
    form->addRow({}, own_size_);
    size_note_ = muted_note("export.size_note");
    form->addRow({}, size_note_);

    range_ = new QComboBox;
    range_->setObjectName("export.range");
    range_->setToolTip(tr("Which heights the numbers 0 and 65535 stand for. Formats of metres need none."));
    Interval range = view_->state().grid.range;
    range_->addItem(tr("The document's: %1 to %2 m")
                        .arg(QString::fromStdString(number_text(range.low)),
                             QString::fromStdString(number_text(range.high))));
    range_->addItem(tr("Lowest to highest cell"));
    range_->addItem(tr("Own range"));
    form->addRow(tr("Height range"), range_);
    low_ = height_box("export.low", tr("The height that is written as 0; what is lower is cut off."));
    high_ = height_box("export.high", tr("The height that is written as 65535; what is higher is cut off."));
    low_->setValue(range.low);
    high_->setValue(range.high);
    own_range_ = side_by_side({low_, new QLabel(tr("to")), high_});
    form->addRow({}, own_range_);

    field_list_ = new QListWidget;
    field_list_->setObjectName("export.fields");
    field_list_->setToolTip(tr("Which quantities are written."));
    for (const std::string& field : fields_) {
        auto* item = new QListWidgetItem(QString::fromStdString(field), field_list_);
        item->setSizeHint({0, field_list_->fontMetrics().height() + 8});
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable);
        item->setCheckState(is_ground(field) ? Qt::Checked : Qt::Unchecked);
    }
    int rows = std::clamp(int(fields_.size()), 2, 5);
    field_list_->setFixedHeight(rows * (field_list_->fontMetrics().height() + 8) + 6);
    form->addRow(tr("Fields"), field_list_);
    field_note_ = muted_note("export.field_note");
    form->addRow({}, field_note_);

    connect(browse_button, &QToolButton::clicked, this, &ExportDialog::browse);
    connect(path_, &QLineEdit::textEdited, this, &ExportDialog::follow_name);
    connect(format_, &QComboBox::currentIndexChanged, this, &ExportDialog::follow_format);
    connect(size_, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    connect(range_, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    connect(field_list_, &QListWidget::itemChanged, this, &ExportDialog::refresh);
    for (QSpinBox* side : {width_, height_})
        connect(side, &QSpinBox::valueChanged, this, &ExportDialog::refresh);
    for (QDoubleSpinBox* end : {low_, high_})
        connect(end, &QDoubleSpinBox::valueChanged, this, &ExportDialog::refresh);
    return part;
}

QWidget* ExportDialog::numbers_part() {
    auto* card = new QFrame;
    set_tone(card, "card");
    auto* title = new QLabel(tr("Numbers for the engine's import"));
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    engine_ = new QTabBar;
    engine_->setObjectName("export.engine");
    engine_->setToolTip(tr("Whose import dialog the numbers are for."));
    engine_->setExpanding(false);
    engine_->setDrawBase(false);
    for (Engine engine : {Engine::unreal, Engine::unity, Engine::godot}) engine_->addTab(engine_name(engine));
    engine_->setCurrentIndex(std::clamp(QSettings().value("export/engine", 0).toInt(), 0, 2));
    numbers_ = new QWidget;
    numbers_->setObjectName("export.numbers");
    auto* form = new QFormLayout(numbers_);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(14);
    form->setVerticalSpacing(7);
    copy_ = new QPushButton(icon("duplicate"), tr("Copy"));
    copy_->setObjectName("export.copy");
    copy_->setToolTip(tr("Copies the numbers as text."));

    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(10);
    column->addWidget(title);
    column->addWidget(engine_);
    column->addWidget(numbers_);
    column->addStretch(1);
    column->addWidget(copy_, 0, Qt::AlignLeft);
    connect(engine_, &QTabBar::currentChanged, this, [this](int index) {
        QSettings().setValue("export/engine", index);
        show_numbers();
    });
    connect(copy_, &QPushButton::clicked, this, [this] {
        Grid grid = exported_grid(view_->state(), request());
        QGuiApplication::clipboard()->setText(
            engine_text(Engine(engine_->currentIndex()), grid, format().exported_order == ByteOrder::big));
    });
    return card;
}

const TerrainFormat& ExportDialog::format() const { return formats()[size_t(format_->currentIndex())]; }

ExportRequest ExportDialog::request() const {
    ExportRequest request;
    request.path = path_->text().toStdString();
    request.byte_order = format().exported_order;
    request.device = device_setting();
    int side = size_->currentData().toInt();
    if (side > 0) request.size = Size{side, side};
    if (side < 0) request.size = Size{width_->value(), height_->value()};
    switch (range_->currentIndex()) {
        case actual_heights:
            // Measured already: it need not be done again.
            if (heights_ && heights_size_ == request.size)
                request.range = heights_;
            else
                request.range_of_heights = true;
            break;
        case own_range:
            request.range = Interval{low_->value(), high_->value()};
            break;
        default:
            break;
    }
    for (int row = 0; row < field_list_->count(); row++)
        if (field_list_->item(row)->checkState() == Qt::Checked)
            request.fields.push_back(fields_[size_t(row)]);
    return request;
}

void ExportDialog::browse() {
    QStringList filters;
    for (const TerrainFormat& one : formats()) filters << QString("%1 (*%2)").arg(tr(one.title), one.ending);
    QString chosen = filters[format_->currentIndex()];
    QString path =
        QFileDialog::getSaveFileName(this, tr("Export to"), path_->text(), filters.join(";;"), &chosen);
    if (path.isEmpty()) return;
    const TerrainFormat& wanted = formats()[size_t(std::max<qsizetype>(0, filters.indexOf(chosen)))];
    if (QFileInfo(path).suffix().isEmpty()) path += wanted.ending;
    path_->setText(path);
    follow_name();
}

// The name gets the ending of the format.
void ExportDialog::follow_format() {
    format_->setToolTip(tr(format().about));
    QFileInfo file(path_->text());
    bool ours = std::ranges::any_of(formats(), [&](const TerrainFormat& one) {
        return format_of_name(file.fileName().toStdString()) == format_of_ending(one.ending);
    });
    if (!path_->text().isEmpty() && !file.fileName().isEmpty()) {
        QString name = ours ? file.completeBaseName() : file.fileName();
        path_->setText(QDir(file.path()).filePath(name + format().ending));
    }
    refresh();
}

// The format follows the ending that was typed.
void ExportDialog::follow_name() {
    std::string ending = ending_of_name(path_->text().toStdString());
    if (ending != format().ending)
        for (size_t i = 0; i < formats().size(); i++)
            if (formats()[i].ending == ending) {
                QSignalBlocker quiet(format_);
                format_->setCurrentIndex(int(i));
            }
    refresh();
}

QString ExportDialog::trouble() const {
    if (path_->text().trimmed().isEmpty()) return tr("Where shall the file go? Give it a name.");
    ExportRequest wanted = request();
    if (wanted.fields.empty()) return tr("No field is chosen. Tick at least one.");
    try {
        check_writable(wanted.path);
        Grid grid = exported_grid(view_->state(), wanted);
        if (formats_ready_) check_fits(Terrain(grid), wanted.path);
    } catch (const Error& error) {
        QString words = QString::fromStdString(error.what());
        words[0] = words[0].toUpper();
        return words + ".";
    }
    return {};
}

void ExportDialog::refresh() {
    ExportRequest wanted = request();
    bool shares = writes_shares(wanted.path);
    own_size_->setVisible(size_->currentData().toInt() < 0);
    range_->setEnabled(shares);
    own_range_->setVisible(shares && range_->currentIndex() == own_range);
    bool others =
        std::ranges::any_of(wanted.fields, [](const std::string& field) { return !is_ground(field); });
    field_note_->setText(
        others && !keeps_every_field(wanted.path)
            ? tr("This format keeps one field: each of the others becomes a file of its own.")
            : QString());
    field_note_->setVisible(!field_note_->text().isEmpty());
    try {
        Grid grid = exported_grid(view_->state(), wanted);
        Size from = view_->state().window.size();
        Size to = grid.extent.size();
        QString land = tr("Cells of %1 m; %2 x %3 of land")
                           .arg(QString::number(grid.cell, 'g', 6), length_text((to.width - 1) * grid.cell),
                                length_text((to.height - 1) * grid.cell));
        bool cut = int64_t(from.width - 1) * (to.height - 1) != int64_t(from.height - 1) * (to.width - 1);
        if (cut) land += tr("; the rest is cut off, as much at both ends");
        size_note_->setText(land + ".");
    } catch (const Error&) {
        size_note_->clear();
    }
    if (shares && range_->currentIndex() == actual_heights) measure();
    show_numbers();

    QString why = trouble();
    export_->setEnabled(why.isEmpty() && !running());
    export_->setToolTip(why.isEmpty() ? tr("Writes the file, in the background.") : why);
    if (running()) return;
    bool replaces = why.isEmpty() && QFileInfo::exists(path_->text());
    finish(replaces ? tr("The file is there already and will be replaced.") : why, !replaces);
}

void ExportDialog::show_numbers() {
    auto* form = static_cast<QFormLayout*>(numbers_->layout());
    while (form->rowCount() > 0) form->removeRow(0);
    auto note = [&](const QString& text) {
        auto* label = new QLabel(text);
        label->setWordWrap(true);
        set_tone(label, "muted");
        form->addRow(label);
    };
    copy_->setEnabled(false);
    ExportRequest wanted = request();
    if (!writes_shares(wanted.path))
        return note(tr(
            "Engines import 16-bit files. This format keeps metres, which other programs read as they are."));
    if (wanted.range_of_heights) return note(tr("The heights are being measured…"));
    try {
        Grid grid = exported_grid(view_->state(), wanted);
        for (const auto& [name, value] : engine_numbers(Engine(engine_->currentIndex()), grid,
                                                        format().exported_order == ByteOrder::big)) {
            auto* number = new QLabel(value);
            number->setObjectName("export.number." + name);
            number->setTextInteractionFlags(Qt::TextSelectableByMouse);
            auto* label = new QLabel(name);
            set_tone(label, "muted");
            form->addRow(label, number);
        }
        copy_->setEnabled(true);
    } catch (const Error& error) {
        note(QString::fromStdString(error.what()));
    }
}

// ---- doing it ----------------------------------------------------------------------------------------------

void ExportDialog::measure() {
    ExportRequest wanted = request();
    if (!wanted.range_of_heights || measuring_ || !trouble().isEmpty()) return;
    auto progress = std::make_shared<Progress>();
    measuring_ = progress;
    pool_->start([this, wanted, progress, snapshot = view_->snapshot] {
        std::optional<Interval> heights;
        QString message;
        try {
            heights = heights_of_export(snapshot, wanted, *progress);
        } catch (const std::exception& error) {
            message = QString::fromStdString(error.what());
        }
        QMetaObject::invokeMethod(this, [this, heights, size = wanted.size, message] {
            measuring_.reset();
            if (!heights) {
                if (!running()) finish(message, true);
                return;
            }
            heights_ = heights;
            heights_size_ = size;
            // By now another size may be wanted.
            refresh();
        });
    });
}

void ExportDialog::start() {
    if (running()) return;
    ExportRequest wanted = request();
    QSettings().setValue("export/folder", QFileInfo(path_->text()).absolutePath());
    auto progress = std::make_shared<Progress>([this](double share) {
        QMetaObject::invokeMethod(this, [this, share] { bar_->setValue(int(share * 1000)); });
    });
    progress_ = progress;
    form_->setEnabled(false);
    export_->setEnabled(false);
    close_->setText(tr("Stop"));
    bar_->setValue(0);
    bar_->show();
    finish(tr("Computing…"), false);
    auto doing = [this](const std::string& what) {
        QString words = QString::fromStdString(what);
        if (!words.isEmpty()) words[0] = words[0].toUpper();
        QMetaObject::invokeMethod(this, [this, words] {
            if (running()) finish(words + QStringLiteral("…"), false);
        });
    };
    pool_->start([this, wanted, progress, doing, snapshot = view_->snapshot] {
        ExportReport report;
        QString trouble;
        try {
            report = export_document(snapshot, wanted, *progress, doing);
        } catch (const Cancelled&) {
            trouble = tr("Stopped. No file was written.");
        } catch (const std::exception& error) {
            trouble = QString::fromStdString(error.what());
        }
        QMetaObject::invokeMethod(this, [this, report, trouble] {
            progress_.reset();
            form_->setEnabled(true);
            close_->setText(tr("Close"));
            bar_->hide();
            refresh();
            if (!trouble.isEmpty()) {
                finish(trouble, true);
                Q_EMIT failed(trouble);
                return;
            }
            QStringList files, warnings, names;
            for (const std::string& file : report.files) {
                files << QString::fromStdString(file);
                names << QFileInfo(files.back()).fileName();
            }
            for (const std::string& warning : report.warnings) warnings << QString::fromStdString(warning);
            QString done = tr("Written: %1").arg(names.join(", "));
            finish(warnings.isEmpty() ? done : done + "\n" + warnings.join("\n"), !warnings.isEmpty());
            Q_EMIT exported(files, warnings);
        });
    });
}

void ExportDialog::expect_heights(const Interval& heights) {
    const Interval& range = view_->state().grid.range;
    // Half a step of 16 bits is rounded anyway.
    double step = range.span() / 65535 / 2;
    if (heights.low < range.low - step || heights.high > range.high + step)
        range_->setCurrentIndex(actual_heights);
}

void ExportDialog::finish(const QString& message, bool warning) {
    message_->setText(message);
    set_tone(message_, warning ? "warning" : "muted");
}

void ExportDialog::reject() {
    if (!running()) return QDialog::reject();
    progress_->cancel();
    finish(tr("Stopping…"), false);
}

}  // namespace caprock::editor

#include "panels/lines_panel.h"

#include "document/document_lines.h"
#include "document/document_terrain.h"
#include "formats/format_table.h"
#include "formats/line_files.h"
#include "theme/icons.h"
#include "views/shown_lines.h"
#include "widgets/icon_button.h"
#include "widgets/invitation.h"

#include <QColor>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLocale>
#include <QSettings>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace caprock::editor {

namespace {

enum LinesColumn { lines_name_column, lines_count_column, lines_length_column, lines_columns };
constexpr const char* folder_key = "folders/lines";

QString line_filter() {
    QStringList names;
    for (const std::string& ending : line_endings()) names << "*" + QString::fromStdString(ending);
    return names.join(' ');
}

QString length_of_lines(double metres) {
    return metres < 10000 ? LinesPanel::tr("%1 m").arg(QLocale().toString(metres, 'f', 0))
                          : LinesPanel::tr("%1 km").arg(QLocale().toString(metres / 1000, 'f', 1));
}

}  // namespace

LinesPanel::LinesPanel(Board& board, Workshop& workshop, QWidget* parent)
    : QWidget(parent), board_(board), workshop_(workshop) {
    setObjectName("lines_panel");
    list_ = new QTreeWidget;
    list_->setObjectName("lines_list");
    list_->setAccessibleName(tr("Line sets"));
    list_->setColumnCount(lines_columns);
    list_->setHeaderLabels({tr("Name"), tr("Lines"), tr("Length")});
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setAllColumnsShowFocus(true);
    list_->setMinimumHeight(60);
    list_->header()->setStretchLastSection(false);
    list_->header()->setSectionResizeMode(lines_name_column, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(lines_count_column, QHeaderView::ResizeToContents);
    list_->header()->setSectionResizeMode(lines_length_column, QHeaderView::ResizeToContents);
    list_->installEventFilter(this);
    stack_ = new ListOrInvitation(list_, "lines_invitation", tr("How to begin"));
    stack_->set_words(
        tr("No lines yet.\n\nImport roads, rivers or points from a file, or add a layer that makes "
           "some: Contours, or a Road whose “lines” have a name."));
    import_ = icon_button("import", "lines_import", tr("Import lines or points from a file"));
    export_ = icon_button("export", "lines_export", tr("Write the chosen lines, or all, to a file"));
    remove_ = icon_button("remove", "lines_remove", tr("Remove the chosen lines (Del)"));
    auto* row = new QHBoxLayout;
    row->setSpacing(2);
    row->addWidget(import_);
    row->addWidget(export_);
    row->addStretch(1);
    row->addWidget(remove_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->setSpacing(6);
    layout->addWidget(stack_, 1);
    layout->addLayout(row);
    connect(import_, &QToolButton::clicked, this, &LinesPanel::ask_import);
    connect(export_, &QToolButton::clicked, this, &LinesPanel::ask_export);
    connect(remove_, &QToolButton::clicked, this, &LinesPanel::remove);
    connect(list_, &QTreeWidget::currentItemChanged, this, &LinesPanel::enable_buttons);
    connect(&board_, &Board::lines_replaced, this, &LinesPanel::show_all);
    show_all();
}

QString LinesPanel::chosen() const {
    return list_->currentItem() ? list_->currentItem()->text(lines_name_column) : QString();
}

bool LinesPanel::is_own(const QString& name) const {
    return view_ && find_lines(view_->state(), name.toStdString());
}

void LinesPanel::set_document(DocumentViewPointer view) {
    view_ = std::move(view);
    show_all();
}

void LinesPanel::show_all() {
    const QString chosen_before = chosen();
    list_->clear();
    for (size_t i = 0; i < board_.lines().size(); i++) {
        const auto& [name, lines] = board_.lines()[i];
        auto* item = new QTreeWidgetItem(list_);
        item->setText(lines_name_column, QString::fromStdString(name));
        const Bytes colour = colour_of_lines(i);
        item->setIcon(lines_name_column, swatch(QColor(colour.red, colour.green, colour.blue)));
        item->setText(lines_count_column, QLocale().toString(qulonglong(lines.size())));
        item->setText(lines_length_column,
                      lines.only_points() ? tr("points") : length_of_lines(lines.length()));
        const bool own = is_own(QString::fromStdString(name));
        for (int column = 0; column < lines_columns; column++) {
            item->setToolTip(
                column,
                own ? tr("Lines of the document. Layers take them as @%1.").arg(QString::fromStdString(name))
                    : tr("A layer makes these lines. Layers above it take them as @%1.")
                          .arg(QString::fromStdString(name)));
            if (column > 0) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        }
        if (item->text(lines_name_column) == chosen_before) list_->setCurrentItem(item);
    }
    stack_->invite(board_.lines().empty());
    enable_buttons();
}

void LinesPanel::enable_buttons() {
    import_->setEnabled(can_change());
    export_->setEnabled(view_ && !board_.lines().empty());
    const bool own = is_own(chosen());
    remove_->setEnabled(can_change() && own);
    remove_->setToolTip(own || chosen().isEmpty()
                            ? tr("Remove the chosen lines (Del)")
                            : tr("A layer makes these lines: they go when it goes, or no longer names them"));
}

void LinesPanel::ask_import() {
    if (!can_change()) return;
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Import lines"), QSettings().value(folder_key).toString(),
                                     tr("Lines and points (%1);;All files (*)").arg(line_filter()));
    if (file.isEmpty()) return;
    QSettings().setValue(folder_key, QFileInfo(file).absolutePath());
    import_file(file);
}

void LinesPanel::import_file(const QString& path) {
    workshop_.change(tr("Importing %1").arg(QFileInfo(path).fileName()),
                     [this, path = path.toStdString()](Document& document, RunContext& context) {
                         const NamedLines read = read_named_lines(path, "", shape_of(document.state()),
                                                                  {context.progress, context.tell});
                         set_lines(document, read);
                     });
}

void LinesPanel::ask_export() {
    if (!view_ || board_.lines().empty()) return;
    const QString name = chosen();
    QStringList filters;
    for (const LineFormat& format : line_formats()) {
        // Files of one set are offered where one is meant.
        if (!format.many_sets && name.isEmpty() && board_.lines().size() > 1) continue;
        filters << QString("%1 (*%2)").arg(format.title, format.ending);
    }
    const QString stem = name.isEmpty() ? tr("lines") : name;
    QString file = QFileDialog::getSaveFileName(
        this, tr("Export lines"), QSettings().value(folder_key).toString() + "/" + stem + ".gpkg",
        filters.join(";;"));
    if (file.isEmpty()) return;
    QSettings().setValue(folder_key, QFileInfo(file).absolutePath());
    if (!is_line_name(file.toStdString())) file += ".gpkg";
    export_file(file, name);
}

void LinesPanel::export_file(const QString& path, const QString& name) {
    // Those that layers make are of every cell, whatever is shown.
    workshop_.change(
        tr("Writing %1").arg(QFileInfo(path).fileName()),
        [this, path, name = name.toStdString()](Document& document, RunContext& context) {
            DocumentTerrain terrain(document, context);
            NamedLines wanted = terrain.lines();
            std::erase_if(wanted, [&](const auto& set) { return !name.empty() && set.first != name; });
            write_lines(wanted, terrain.shape(), path.toStdString(), {context.progress, context.tell});
            Q_EMIT told(tr("Written: %1").arg(path));
        });
}

void LinesPanel::remove() {
    const QString name = chosen();
    if (!can_change() || !is_own(name)) return;
    workshop_.change(tr("Removing lines"), [name = name.toStdString()](Document& document, RunContext&) {
        remove_lines(document, name);
    });
}

bool LinesPanel::eventFilter(QObject* watched, QEvent* event) {
    const bool key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (watched != list_ || !key) return QWidget::eventFilter(watched, event);
    // In the list it is the list's: Delete must not remove a layer.
    if (static_cast<QKeyEvent*>(event)->key() != Qt::Key_Delete) return false;
    if (event->type() == QEvent::KeyPress) remove();
    event->accept();
    return true;
}

}  // namespace caprock::editor

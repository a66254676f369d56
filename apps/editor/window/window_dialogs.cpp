// What the window asks before it does something.
#include "base/error.h"
#include "core/document_sources.h"
#include "dialogs/chosen_settings.h"
#include "dialogs/command_palette.h"
#include "dialogs/export_dialog.h"
#include "dialogs/keys_page.h"
#include "dialogs/preferences.h"
#include "dialogs/recent_documents.h"
#include "dialogs/screenshot_dialog.h"
#include "dialogs/start_page.h"
#include "dialogs/tour.h"
#include "document/commands.h"
#include "version.h"
#include "window/grid_dialog.h"
#include "window/main_window.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QTimer>

namespace caprock::editor {

namespace {

QString last_folder(const char* what) { return QSettings().value(QString("folders/") + what).toString(); }

void remember_folder(const char* what, const QString& file) {
    QSettings().setValue(QString("folders/") + what, QFileInfo(file).absolutePath());
}

}  // namespace

void MainWindow::ask_open() {
    QString file =
        QFileDialog::getOpenFileName(this, tr("Open"), last_folder("open"),
                                     tr("Caprock projects (*.caprock)") + ";;" + StartPage::import_filter());
    if (file.isEmpty()) return;
    remember_folder("open", file);
    open_file(file);
}

void MainWindow::ask_import() {
    QString file = QFileDialog::getOpenFileName(this, tr("Import as layer"), last_folder("import"),
                                                StartPage::import_filter());
    if (file.isEmpty()) return;
    remember_folder("import", file);
    import_file_as_layer(file);
}

void MainWindow::ask_save_copy() {
    QString file = QFileDialog::getSaveFileName(this, tr("Save a copy"), last_folder("open"),
                                                tr("Caprock projects (*.caprock)"));
    if (file.isEmpty()) return;
    if (!file.endsWith(".caprock", Qt::CaseInsensitive)) file += ".caprock";
    remember_folder("open", file);
    save_copy(file);
}

void MainWindow::save_copy(const QString& path) {
    workshop_.change(tr("Saving a copy"), [this, path = path.toStdString()](Document& document, RunContext&) {
        std::string from = document.path();
        document.save_as(path);
        // The copy is there: what becomes of the bookmarks is told, and stops nothing.
        QString said;
        try {
            if (std::string aside = KeptBookmarks::carry(from, path); !aside.empty())
                said = tr("The bookmarks that lay there are in '%1' now.").arg(QString::fromStdString(aside));
        } catch (const Error& error) {
            said = QString::fromUtf8(error.what());
        }
        if (!said.isEmpty())
            QMetaObject::invokeMethod(
                this, [this, said] { complain(said); }, Qt::QueuedConnection);
    });
}

void MainWindow::offer_rescue(const QString& path, const QString& lost) {
    auto* box =
        new QMessageBox(QMessageBox::Warning, tr("Damaged project"),
                        tr("“%1” is damaged, and can only be looked at.").arg(QFileInfo(path).fileName()),
                        QMessageBox::Close, this);
    box->setObjectName("damaged");
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(
        tr("Lost: %1.\n\nA rescue makes a sound project of all that is left, and leaves this file as "
           "it is.")
            .arg(lost));
    QPushButton* button = box->addButton(tr("Rescue into a new file…"), QMessageBox::AcceptRole);
    connect(button, &QPushButton::clicked, this, [this, path] { ask_rescue(path); });
    box->open();
}

void MainWindow::ask_rescue(const QString& damaged) {
    QFileInfo old(damaged);
    QString file =
        QFileDialog::getSaveFileName(this, tr("Rescue into a new file"),
                                     old.absolutePath() + "/" + old.completeBaseName() + "-rescued.caprock",
                                     tr("Caprock projects (*.caprock)"));
    if (file.isEmpty()) return;
    if (!file.endsWith(".caprock", Qt::CaseInsensitive)) file += ".caprock";
    workshop_.rescue(damaged, file);
}

void MainWindow::ask_new() {
    pages_->setCurrentWidget(start_);
    start_->setFocus();
}

void MainWindow::ask_export() {
    if (!view_) return;
    ExportDialog dialog(view_, this);
    if (!board_.empty() && !board_.ranges().whole().empty())
        dialog.expect_heights({board_.ranges().whole().low, board_.ranges().whole().high});
    connect(&dialog, &ExportDialog::exported, this, [this](const QStringList& files, const QStringList&) {
        say(tr("Written: %1").arg(files.join(", ")));
    });
    dialog.exec();
}

void MainWindow::ask_picture() {
    if (!view_) return;
    bool of_map = map_->isVisible() && !scene_->isVisible();
    QSize current = (of_map ? static_cast<QWidget*>(map_) : scene_)->size() * devicePixelRatioF();
    QString stem = QFileInfo(QString::fromStdString(view_->path)).absolutePath() + "/" +
                   QFileInfo(QString::fromStdString(view_->path)).completeBaseName();
    // Not the name of a heightmap that was exported, nor that of the picture before.
    QString path = stem + "-view.png";
    for (int number = 2; QFileInfo::exists(path) || photographer_.will_write(path); number++)
        path = QString("%1-view-%2.png").arg(stem).arg(number);
    ScreenshotDialog dialog(current, path, this);
    if (dialog.exec() != QDialog::Accepted) return;
    save_picture(dialog.picture_path(), dialog.picture_size());
}

void MainWindow::save_picture(const QString& path, const QSize& size) {
    if (board_.empty()) return complain(tr("Nothing is shown yet that there could be a picture of."));
    bool of_map = map_->isVisible() && !scene_->isVisible();
    photographer_.take(of_map ? map_->shot() : scene_->shot(), {size.width(), size.height()}, path);
}

void MainWindow::ask_preferences() {
    Preferences dialog(actions_, this);
    connect(&dialog, &Preferences::changed, this, &MainWindow::apply_preferences);
    dialog.exec();
}

void MainWindow::ask_palette() {
    if (!palette_) {
        palette_ = new CommandPalette(actions_, this);
        // Bookmarks that have no action of their own.
        palette_->set_extras([this] {
            std::vector<PaletteEntry> entries;
            for (QAction* action : further_bookmarks_)
                entries.push_back(
                    {.name = action->objectName(),
                     .title = plain_title(action->text()),
                     .place = tr("View") + QStringLiteral(" › ") + tr("Bookmarks"),
                     .run = [this, name = action->data().toString()] { go_to_bookmark(name); }});
            return entries;
        });
    }
    palette_->open();
}

void MainWindow::start_tour() {
    if (tour_) tour_->deleteLater();
    tour_ = new Tour(this, {{"views", tr("The land"),
                             tr("Paint with the left button or a pen; the middle button turns the view, the "
                                "right one moves it, and the wheel "
                                "goes nearer. Hold L and drag to turn the sun.")},
                            {"tools", tr("Brushes"),
                             tr("These are the ones one reaches for; the Brush panel has all of them and "
                                "their settings. [ and ] change the "
                                "radius, Ctrl digs where you would raise.")},
                            {"layers", tr("Layers"),
                             tr("Everything lies in layers that can be hidden, masked, moved and changed "
                                "later: noise, erosion, what you paint. "
                                "+ adds one.")},
                            {"properties", tr("Properties"),
                             tr("What is set of the chosen layer. Drag a slider and see it; what differs "
                                "from its usual value is coloured and can "
                                "be set back.")},
                            {"bar", tr("Everything else"),
                             tr("Ctrl+Shift+P finds any command by its name. The file is always current: "
                                "there is nothing to save, and all can "
                                "be undone, also tomorrow.")}});
    tour_->start();
    set_tour_setting(false);
}

void MainWindow::begin() {
    show_page();
    offer_recovered();
    if (tour_setting()) QTimer::singleShot(300, this, &MainWindow::start_tour);
}

void MainWindow::offer_recovered() {
    QString path = QSettings().value("session/open").toString();
    if (path.isEmpty()) return;
    QSettings().remove("session/open");
    if (!QFileInfo::exists(path)) return;
    auto* question = new QMessageBox(QMessageBox::Information, tr("Caprock did not end as it should"),
                                     tr("“%1” was open. Everything up to the last stroke is in its file.")
                                         .arg(QFileInfo(path).completeBaseName()),
                                     QMessageBox::NoButton, this);
    question->setObjectName("recovered");
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->addButton(tr("Open it"), QMessageBox::AcceptRole);
    question->addButton(tr("Not now"), QMessageBox::RejectRole);
    connect(question, &QMessageBox::accepted, this, [this, path] { open_file(path); });
    question->open();
}

void MainWindow::ask_grid(const QString& which) {
    if (!view_) return;
    using Question = GridDialog::Question;
    Question question = which == "terrain.resize"     ? Question::resize
                        : which == "terrain.crop"     ? Question::crop
                        : which == "terrain.resample" ? Question::resample
                                                      : Question::range;
    GridDialog dialog(question, view_, this);
    if (dialog.exec() == QDialog::Accepted) workshop_.change(dialog.windowTitle(), dialog.command());
}

void MainWindow::show_about() {
    QMessageBox::about(
        this, tr("About Caprock"),
        tr("<h3>Caprock %1</h3><p>Terrain whose rock has hardness: the same bits on every device, "
           "everything undoable, nothing lost.</p>")
            .arg(CAPROCK_VERSION));
}

}  // namespace caprock::editor

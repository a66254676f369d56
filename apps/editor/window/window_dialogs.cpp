// What the window asks before it does something.
#include "core/document_sources.h"
#include "document/commands.h"
#include "version.h"
#include "window/grid_dialog.h"
#include "window/main_window.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QSettings>
#include <QStackedWidget>

namespace caprock::editor {

namespace {

QString last_folder(const char* what) { return QSettings().value(QString("folders/") + what).toString(); }

void remember_folder(const char* what, const QString& file) {
    QSettings().setValue(QString("folders/") + what, QFileInfo(file).absolutePath());
}

QString elevation_filter() {
    return MainWindow::tr(
        "Elevation data (*.tif *.tiff *.png *.exr *.hgt *.dem *.asc *.bt *.ter *.r16 *.r32 *.raw *.img "
        "*.nc *.xyz *.dt0 *.dt1 *.dt2 *.gpkg);;All files (*)");
}

}  // namespace

void MainWindow::ask_open() {
    QString file =
        QFileDialog::getOpenFileName(this, tr("Open"), last_folder("open"),
                                     tr("Caprock projects (*.caprock)") + ";;" + elevation_filter());
    if (file.isEmpty()) return;
    remember_folder("open", file);
    open_file(file);
}

void MainWindow::ask_import() {
    QString file =
        QFileDialog::getOpenFileName(this, tr("Import as layer"), last_folder("import"), elevation_filter());
    if (file.isEmpty()) return;
    remember_folder("import", file);
    workshop_.change(tr("Importing %1").arg(QFileInfo(file).fileName()),
                     [file = file.toStdString()](Document& document, RunContext& context) {
                         import_file(document, file, context);
                     });
}

void MainWindow::ask_save_copy() {
    QString file = QFileDialog::getSaveFileName(this, tr("Save a copy"), last_folder("open"),
                                                tr("Caprock projects (*.caprock)"));
    if (file.isEmpty()) return;
    if (!file.endsWith(".caprock", Qt::CaseInsensitive)) file += ".caprock";
    remember_folder("open", file);
    workshop_.change(tr("Saving a copy"), [file = file.toStdString()](Document& document, RunContext&) {
        document.save_as(file);
    });
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

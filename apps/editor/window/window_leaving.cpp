// What the window does about changes that cannot be written: it says so until that is solved, and nobody leaves the document
// without having been asked.
#include "theme/theme.h"
#include "window/main_window.h"
#include "window/trouble_bar.h"

#include <QAction>
#include <QEventLoop>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QSessionManager>
#include <QStandardPaths>
#include <QVBoxLayout>

namespace caprock::editor {

void MainWindow::make_trouble_bar() {
    // Below the menus and above everything else, as wide as the window.
    auto* top = new QWidget(this);
    auto* column = new QVBoxLayout(top);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    menu_bar_ = new QMenuBar(top);
    trouble_ = new TroubleBar(top);
    column->addWidget(menu_bar_);
    column->addWidget(trouble_);
    setMenuWidget(top);
    connect(trouble_, &TroubleBar::elsewhere_wanted, this, [this] { save_elsewhere(); });
    connect(trouble_, &TroubleBar::again_wanted, this, [this] {
        auto [trouble, changes] = write_all();
        say(changes > 0 ? tr("Tried again: %1.").arg(trouble) : tr("Everything is written."));
    });
    connect(qGuiApp, &QGuiApplication::commitDataRequest, this, &MainWindow::end_session,
            Qt::DirectConnection);
}

void MainWindow::show_unwritten(const QString& trouble, qint64 changes) {
    unwritten_ = trouble.isEmpty() ? 0 : changes;
    QString path = view_ ? QString::fromStdString(view_->path) : QString();
    trouble_->show_trouble(path, trouble, unwritten_);
    status_->set_unwritten(unwritten_);
    setWindowModified(unwritten_ > 0);
}

void MainWindow::show_title() {
    QString path = view_ ? QString::fromStdString(view_->path) : QString();
    setWindowFilePath(path);
    // The star is for changes that are not written.
    setWindowTitle(view_ ? QString("%1[*] – Caprock").arg(QFileInfo(path).completeBaseName())
                         : QString("Caprock"));
}

std::pair<QString, qint64> MainWindow::write_all() {
    std::pair<QString, qint64> answer;
    QEventLoop until_done;
    connect(&workshop_, &Workshop::wrote, &until_done, [&](const QString& trouble, qint64 changes) {
        answer = {trouble, changes};
        until_done.quit();
    });
    if (workshop_.busy()) say(tr("This is finished first. Esc stops it."));
    workshop_.write_all();
    until_done.exec();
    return answer;
}

bool MainWindow::may_leave() {
    // Only one question at a time.
    if (leaving_) return false;
    if (!view_ || view_->read_only) return true;
    leaving_ = true;
    bool may = false;
    for (bool asks = true; asks;) {
        auto [trouble, changes] = write_all();
        if (changes == 0) {
            may = true;
            break;
        }
        switch (ask_leaving(trouble, changes)) {
            case Leaving::elsewhere:
                save_elsewhere();
                break;
            case Leaving::again:
                break;
            case Leaving::discard: {
                QEventLoop until_closed;
                connect(&workshop_, &Workshop::closed, &until_closed, &QEventLoop::quit);
                workshop_.discard();
                until_closed.exec();
                may = true;
                asks = false;
                break;
            }
            case Leaving::stay:
                asks = false;
                break;
        }
    }
    leaving_ = false;
    return may;
}

MainWindow::Leaving MainWindow::ask_leaving(const QString& trouble, qint64 changes) {
    QString name = QFileInfo(QString::fromStdString(view_->path)).fileName();
    QMessageBox question(
        QMessageBox::Warning, tr("Not everything is written"),
        tr("%1 to “%2” could not be written: %3.").arg(counted_changes(changes), name, trouble),
        QMessageBox::NoButton, this);
    question.setObjectName("unwritten");
    question.setInformativeText(
        tr("They are only in memory, and lost with it. Save elsewhere keeps all of the document "
           "with its history in another file."));
    QPushButton* elsewhere = question.addButton(tr("Save elsewhere…"), QMessageBox::AcceptRole);
    QPushButton* again = question.addButton(tr("Try again"), QMessageBox::ActionRole);
    QPushButton* discard =
        question.addButton(tr("Discard %1").arg(counted_changes(changes)), QMessageBox::DestructiveRole);
    QPushButton* stay = question.addButton(tr("Go on working"), QMessageBox::RejectRole);
    elsewhere->setObjectName("leave-elsewhere");
    again->setObjectName("leave-again");
    discard->setObjectName("leave-discard");
    stay->setObjectName("leave-stay");
    question.setDefaultButton(elsewhere);
    question.setEscapeButton(stay);
    // Where there is room again meanwhile, there is nothing left to ask.
    connect(&workshop_, &Workshop::unwritten, &question, [&](const QString& still, qint64) {
        if (still.isEmpty()) again->click();
    });
    question.exec();
    QAbstractButton* clicked = question.clickedButton();
    return clicked == elsewhere ? Leaving::elsewhere
           : clicked == again   ? Leaving::again
           : clicked == discard ? Leaving::discard
                                : Leaving::stay;
}

void MainWindow::save_elsewhere() {
    if (!view_) return;
    QString path = QString::fromStdString(view_->path);
    QString home = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    QFileDialog dialog(this, tr("Save elsewhere"), home, tr("Caprock projects (*.caprock)"));
    dialog.setObjectName("elsewhere");
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix("caprock");
    dialog.selectFile(QFileInfo(path).fileName());
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) return;
    QString refusal;
    QMetaObject::Connection heard =
        connect(&workshop_, &Workshop::failed, this, [&](const QString& message) { refusal = message; });
    save_copy(dialog.selectedFiles().front());
    write_all();
    disconnect(heard);
    if (refusal.isEmpty()) return;
    QMessageBox answer(QMessageBox::Warning, tr("It cannot be saved there"), refusal, QMessageBox::Ok, this);
    answer.setObjectName("not-elsewhere");
    answer.exec();
}

void MainWindow::end_session(QSessionManager& manager) {
    if (!view_ || view_->read_only || write_all().second == 0) return;
    // Where the session may not be held up by a question, it is held up all the same: somebody comes back to it.
    bool asks = manager.allowsInteraction();
    bool may = asks && may_leave();
    if (asks) manager.release();
    if (!may) manager.cancel();
}

}  // namespace caprock::editor

// The panels and bars around the views.
#include "window/main_window.h"

#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QSettings>
#include <QToolBar>

namespace caprock::editor {

void MainWindow::make_panels() {}

void MainWindow::make_tool_palette() {
    auto* bar = new QToolBar(tr("Tools"), this);
    bar->setObjectName("tools");
    bar->setOrientation(Qt::Vertical);
    addToolBar(Qt::LeftToolBarArea, bar);
    for (const char* name : {"brush.none", "brush.raise", "brush.lower", "brush.smooth", "brush.level"})
        bar->addAction(actions_.find(name));
}

void MainWindow::make_tool_bar() {
    auto* bar = new QToolBar(tr("Views"), this);
    bar->setObjectName("bar");
    addToolBar(Qt::TopToolBarArea, bar);
    for (const char* name : {"view.scene", "view.map", "view.both"}) bar->addAction(actions_.find(name));
}

void MainWindow::apply_preferences() {}

void MainWindow::begin() { offer_recovered(); }
void MainWindow::ask_new() {}
void MainWindow::ask_export() {}
void MainWindow::ask_picture() {}
void MainWindow::ask_preferences() {}
void MainWindow::ask_palette() {}
void MainWindow::start_tour() {}
void MainWindow::offer_recovered() {}

}  // namespace caprock::editor

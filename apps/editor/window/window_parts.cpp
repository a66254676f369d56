// The panels and bars around the views.
#include "dialogs/chosen_settings.h"
#include "dialogs/start_page.h"
#include "panels/brush_panel.h"
#include "panels/history_panel.h"
#include "panels/inspector_panel.h"
#include "panels/kernels_panel.h"
#include "panels/layers_panel.h"
#include "panels/lines_panel.h"
#include "panels/material_panel.h"
#include "panels/minerals_panel.h"
#include "panels/properties_panel.h"
#include "theme/icons.h"
#include "theme/theme.h"
#include "window/main_window.h"
#include "window/view_bar.h"

#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolBar>

namespace caprock::editor {

namespace {

struct Tool {
    const char* action;
    const char* icon;
};
// The brushes one reaches for; all of them are in the brush panel.
constexpr Tool tools[] = {
    {"brush.none", "view-3d"},    {"brush.raise", "raise"},     {"brush.lower", "lower"},
    {"brush.smooth", "smooth"},   {"brush.level", "level"},     {"brush.hills", "noise"},
    {"brush.ridges", "mountain"}, {"brush.crumble", "erosion"}, {"brush.river", "river"},
    {"brush.road", "road"},       {"brush.clone", "clone"},     {"brush.mask", "mask"},
    {"brush.erase", "erase"}};
constexpr Tool other_icons[] = {{"edit.undo", "undo"},
                                {"edit.redo", "redo"},
                                {"file.open", "folder"},
                                {"file.save", "save"},
                                {"file.export", "export"},
                                {"file.import", "import"},
                                {"file.import-lines", "import"},
                                {"file.picture", "camera"},
                                {"view.scene", "view-3d"},
                                {"view.map", "view-2d"},
                                {"view.both", "split"},
                                {"help.palette", "search"},
                                {"edit.preferences", "settings"},
                                {"layer.paint", "add"},
                                {"layer.delete", "remove"},
                                {"layer.duplicate", "duplicate"},
                                {"layer.group", "group"},
                                {"edit.stop", "stop"},
                                {"bookmark.add", "camera"}};

}  // namespace

void MainWindow::make_panels() {
    start_ = new StartPage(pages_);
    start_->setObjectName("start");
    pages_->addWidget(start_);
    connect(start_, &StartPage::create_wanted, this,
            [this](const NewDocument& wanted) { create_document(wanted.path, wanted.grid, wanted.preset); });
    connect(start_, &StartPage::open_wanted, this, [this](const QString& path) { open_file(path); });
    connect(start_, &StartPage::import_wanted, this,
            [this](const QString& path) { import_as_document(path); });
    connect(start_, &StartPage::tour_wanted, this, [this] { start_tour(); });

    layers_ = new LayersPanel(workshop_, selection_, this);
    auto* properties = new PropertiesPanel(workshop_, selection_, this);
    auto* brush = new BrushPanel(brushes_, this);
    auto* history = new HistoryPanel(workshop_, this);
    inspector_ = new InspectorPanel(board_, this);
    auto* materials = new MaterialPanel(look_, this);
    auto* minerals = new MineralsPanel(workshop_, selection_, this);
    auto* kernels = new KernelsPanel(workshop_, this);
    lines_ = new LinesPanel(board_, workshop_, this);

    QDockWidget* upper = add_panel("layers", tr("Layers"), layers_, Qt::RightDockWidgetArea);
    QDockWidget* history_dock = add_panel("history", tr("History"), history, Qt::RightDockWidgetArea);
    QDockWidget* lower = add_panel("properties", tr("Properties"), properties, Qt::RightDockWidgetArea);
    QDockWidget* brush_dock = add_panel("brush", tr("Brush"), brush, Qt::RightDockWidgetArea);
    QDockWidget* inspector_dock =
        add_panel("inspector", tr("Inspector"), inspector_, Qt::RightDockWidgetArea);
    QDockWidget* materials_dock = add_panel("materials", tr("Materials"), materials, Qt::RightDockWidgetArea);
    QDockWidget* minerals_dock = add_panel("minerals", tr("Rock"), minerals, Qt::RightDockWidgetArea);
    QDockWidget* lines_dock = add_panel("lines", tr("Lines"), lines_, Qt::RightDockWidgetArea);
    QDockWidget* kernels_dock = add_panel("kernels", tr("Kernels"), kernels, Qt::RightDockWidgetArea);
    // Two stacks of panels: what the terrain is made of above, what is set of it below.
    make_bookmarks_panel();
    QDockWidget* bookmarks_dock = panels_["bookmarks"];
    for (QDockWidget* dock : {history_dock, inspector_dock, lines_dock, bookmarks_dock, kernels_dock})
        tabifyDockWidget(upper, dock);
    for (QDockWidget* dock : {brush_dock, materials_dock, minerals_dock}) tabifyDockWidget(lower, dock);
    // Half a word says nothing: there are arrows where there is no room.
    setStyleSheet(
        "QMainWindow > QTabBar { qproperty-elideMode: ElideNone; qproperty-usesScrollButtons: true; }");
    upper->raise();
    lower->raise();
    lines_dock->hide();
    bookmarks_dock->hide();
    kernels_dock->hide();
    minerals_dock->hide();
    resizeDocks({upper, lower}, {330, 470}, Qt::Vertical);
    resizeDocks({upper, lower}, {320, 320}, Qt::Horizontal);

    connect(this, &MainWindow::document_changed, layers_, &LayersPanel::set_document);
    connect(this, &MainWindow::document_changed, properties, &PropertiesPanel::set_document);
    connect(this, &MainWindow::document_changed, history, &HistoryPanel::set_document);
    connect(this, &MainWindow::document_changed, inspector_, &InspectorPanel::set_document);
    connect(this, &MainWindow::document_changed, minerals, &MineralsPanel::set_document);
    connect(this, &MainWindow::document_changed, kernels, &KernelsPanel::set_document);
    connect(this, &MainWindow::document_changed, lines_, &LinesPanel::set_document);
    connect(lines_, &LinesPanel::told, this, &MainWindow::say);
    connect(&board_, &Board::replaced, brush, [this, brush] {
        QStringList names;
        if (!board_.empty())
            for (const std::string& name : board_.terrain().names()) names << QString::fromStdString(name);
        brush->set_fields(names);
    });
    connect(&composer_, &Composer::thumbnail, layers_, &LayersPanel::set_thumbnail);
    connect(&composer_, &Composer::problems, layers_, &LayersPanel::set_problems);
    connect(this, &MainWindow::reload_wanted, kernels, &KernelsPanel::reload_all);
    connect(kernels, &KernelsPanel::brush_wanted, this, [this](const QString& name, const Brush& wanted) {
        brushes_.take(name, wanted);
        paint_tool_.set_active(true);
    });
}

void MainWindow::make_tool_palette() {
    auto* bar = new QToolBar(tr("Tools"), this);
    bar->setObjectName("tools");
    bar->setIconSize({22, 22});
    addToolBar(Qt::LeftToolBarArea, bar);
    auto* one_of = new QActionGroup(this);
    for (const Tool& tool : tools) {
        QAction* action = actions_.find(tool.action);
        action->setCheckable(true);
        one_of->addAction(action);
        bar->addAction(action);
    }
    auto show_tool = [this, one_of] {
        QString name = paint_tool_.active() ? "brush." + brushes_.name() : QString("brush.none");
        // Another brush than those has no button.
        if (QAction* checked = one_of->checkedAction()) checked->setChecked(false);
        if (QAction* action = actions_.find(name); action && action->isCheckable()) action->setChecked(true);
    };
    one_of->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
    connect(&brushes_, &BrushKit::changed, this, show_tool);
    connect(&paint_tool_, &PaintTool::active_changed, this, show_tool);
    // A button that is pressed again stays pressed.
    connect(one_of, &QActionGroup::triggered, this, show_tool, Qt::QueuedConnection);
    show_tool();
}

void MainWindow::make_tool_bar() {
    bar_ = new ViewBar(brushes_, look_, actions_, this);
    addToolBar(Qt::TopToolBarArea, bar_);
}

void MainWindow::apply_preferences() {
    apply_theme(theme_setting());
    for (const Tool& tool : tools) actions_.find(tool.action)->setIcon(icon(tool.icon));
    for (const Tool& other : other_icons) actions_.find(other.action)->setIcon(icon(other.icon));
    bar_->refresh();
    std::string device = device_setting();
    workshop_.set_device(device);
    composer_.set_device(device);
    workshop_.set_memory(memory_setting());
    status_->set_device(device == "auto" ? tr("automatic") : QString::fromStdString(device));
    for (Hand* hand : {&scene_->hand(), &map_->hand()}) hand->set_style(navigation_setting());
    paint_tool_.set_pen(pen_setting());
}

void MainWindow::show_page() {
    pages_->setCurrentWidget(view_ ? static_cast<QWidget*>(views_) : start_);
    for (const auto& [name, dock] : panels_) dock->setEnabled(view_ != nullptr);
    for (QToolBar* bar : findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly))
        bar->setEnabled(view_ != nullptr);
}

}  // namespace caprock::editor

#include "window/main_window.h"

#include "core/document_sources.h"
#include "core/images.h"
#include "dialogs/chosen_settings.h"
#include "dialogs/recent_documents.h"
#include "document/commands.h"
#include "formats/line_files.h"
#include "panels/inspector_panel.h"
#include "panels/lines_panel.h"
#include "view/relief.h"
#include "widgets/field_manners.h"

#include <QAction>
#include <QApplication>
#include <QBuffer>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLocale>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QUrl>
#include <algorithm>
#include <cmath>
#include <filesystem>

namespace caprock::editor {

MainWindow::MainWindow() : actions_(this), paint_tool_(workshop_, brushes_, selection_, this) {
    setObjectName("window");
    setWindowTitle("Caprock");
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    make_views();
    make_trouble_bar();
    status_ = new StatusBar(board_, this);
    setStatusBar(status_);
    make_actions();
    make_panels();
    make_tool_palette();
    make_tool_bar();
    make_menus();
    connect_parts();
    resize(QSize(1440, 900).boundedTo(screen()->availableSize()));
    restore_layout();
    apply_preferences();
    show_bookmarks();
    show_page();
}

MainWindow::~MainWindow() {
    // Panels ask for nothing any more, and nobody is told of what is still being done.
    workshop_.compose = {};
    disconnect(&workshop_, nullptr, this, nullptr);
    disconnect(&composer_, nullptr, this, nullptr);
    composer_.clear();
}

// ---- putting it together --------------------------------------------------------------------------------------

void MainWindow::make_views() {
    pages_ = new QStackedWidget(this);
    pages_->setObjectName("pages");
    views_ = new QSplitter(Qt::Horizontal, pages_);
    views_->setObjectName("views");
    views_->setChildrenCollapsible(false);
    scene_ = new SceneView(board_, look_, views_);
    map_ = new MapWidget(board_, look_, views_);
    views_->addWidget(scene_);
    views_->addWidget(map_);
    map_->hide();
    pages_->addWidget(views_);
    setCentralWidget(pages_);
    for (Hand* hand : {&scene_->hand(), &map_->hand()}) {
        paint_tool_.guide(*hand);
        connect(hand, &Hand::hovered, this, &MainWindow::show_ring);
        connect(hand, &Hand::left, this, &MainWindow::hide_ring);
        connect(hand, &Hand::light_turned, this, [this](double azimuth, double elevation) {
            look_.change([&](LookSettings& look) {
                look.sun.azimuth = std::fmod(look.sun.azimuth + azimuth + 720, 360);
                look.sun.elevation = std::clamp(look.sun.elevation + elevation, 1.0, 89.0);
            });
        });
    }
    auto* manners = new FieldManners(this);
    manners->add_view(scene_);
    manners->add_view(map_);
    connect(scene_, &SceneView::moved, this, &MainWindow::look_there);
    connect(map_, &MapWidget::moved, this, &MainWindow::look_there);
    connect(scene_, &SceneView::failed, this, &MainWindow::complain);
    connect(map_, &MapWidget::failed, this, &MainWindow::complain);
}

QDockWidget* MainWindow::add_panel(const QString& name, const QString& title, QWidget* panel,
                                   Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName("dock-" + name);
    panel->setObjectName(name);
    dock->setWidget(panel);
    // Its tab says what it is; a title of its own is for a window of its own.
    auto* no_title = new QWidget(dock);
    dock->setTitleBarWidget(no_title);
    connect(dock, &QDockWidget::topLevelChanged, dock, [dock, no_title](bool floating) {
        dock->setTitleBarWidget(floating ? nullptr : no_title);
        no_title->setVisible(!floating);
    });
    addDockWidget(area, dock);
    panels_[name] = dock;
    return dock;
}

void MainWindow::connect_parts() {
    workshop_.compose = [this](const Snapshot& snapshot, bool dragging, bool stroke) {
        composer_.show(snapshot, stroke     ? Composer::Hurry::stroke
                                 : dragging ? Composer::Hurry::drag
                                            : Composer::Hurry::none);
    };
    connect(&workshop_, &Workshop::changed, this, &MainWindow::take_view);
    connect(&workshop_, &Workshop::closed, this, [this] { take_view(nullptr); });
    connect(&workshop_, &Workshop::failed, this, &MainWindow::complain);
    connect(&workshop_, &Workshop::told, this, &MainWindow::say);
    connect(&workshop_, &Workshop::unwritten, this, &MainWindow::show_unwritten);
    connect(&workshop_, &Workshop::damaged, this, &MainWindow::offer_rescue);
    connect(&workshop_, &Workshop::painting_on, this,
            [this](int layer, bool mask) { selection_.select(layer, mask); });
    connect(&workshop_, &Workshop::working, this,
            [this](const QString& title, double share) { status_->set_work("workshop", title, share); });
    connect(&workshop_, &Workshop::rested, this, [this] { status_->clear_work("workshop"); });
    connect(&composer_, &Composer::composed, this, [this](const ComposedPointer& piece) {
        // One that was on its way when the document was closed shows nothing that is still there.
        if (view_) board_.take(*piece);
        composer_.taken();
        status_->update_facts();
    });
    connect(&composer_, &Composer::lines, this, [this](const NamedLines& sets) {
        if (!view_) return;
        board_.take_lines(sets);
        enable_actions();
    });
    connect(&composer_, &Composer::failed, this, &MainWindow::complain);
    connect(&composer_, &Composer::told, this, &MainWindow::say);
    connect(&composer_, &Composer::working, this, [this](const QString& title, double share) {
        status_->set_work("composer", title, share);
        show_simulation();
    });
    connect(&composer_, &Composer::rested, this, [this] { status_->clear_work("composer"); });
    connect(&photographer_, &Photographer::working, this,
            [this](const QString& title, double share) { status_->set_work("photographer", title, share); });
    connect(&photographer_, &Photographer::rested, this, [this] { status_->clear_work("photographer"); });
    connect(&photographer_, &Photographer::taken, this,
            [this](const QString& path) { say(tr("Written: %1").arg(path)); });
    connect(&photographer_, &Photographer::stopped, this,
            [this] { say(tr("Stopped. No picture was written.")); });
    connect(&photographer_, &Photographer::failed, this, &MainWindow::complain);
    connect(status_, &StatusBar::cancel_wanted, this, &MainWindow::stop);
    connect(status_, &StatusBar::pause_wanted, this, &MainWindow::pause);
    connect(status_, &StatusBar::keep_wanted, this, &MainWindow::keep_what_is_done);
    connect(&paint_tool_, &PaintTool::told, this, &MainWindow::say);
    connect(&selection_, &Selection::changed, this, &MainWindow::enable_actions);
}

void MainWindow::restore_layout() {
    QSettings settings;
    if (settings.contains("window/geometry"))
        restoreGeometry(settings.value("window/geometry").toByteArray());
    if (settings.contains("window/state")) restoreState(settings.value("window/state").toByteArray());
    show_views(Views(settings.value("window/views", int(Views::scene)).toInt()));
}

// ---- documents --------------------------------------------------------------------------------------------------

QString MainWindow::fresh_path(const QString& stem) {
    QDir folder(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    folder.mkpath("Caprock");
    folder.cd("Caprock");
    for (int number = 1;; number++) {
        QString name = number == 1 ? stem + ".caprock" : QString("%1 %2.caprock").arg(stem).arg(number);
        if (!folder.exists(name)) return folder.filePath(name);
    }
}

void MainWindow::create_document(const QString& path, const Grid& grid, const QString& preset) {
    if (!may_leave()) return;
    workshop_.create(path, [grid, preset = preset.toStdString()](
                               const std::string& at, const DocumentOptions& options, RunContext&) {
        return document_from_preset(at, options, grid, preset);
    });
}

void MainWindow::import_as_document(const QString& file, const QString& path) {
    if (!may_leave()) return;
    QString target = path.isEmpty() ? fresh_path(QFileInfo(file).completeBaseName()) : path;
    auto imported = std::make_shared<ImportedFile>();
    workshop_.create(target, [file = file.toStdString(), imported](
                                 const std::string& at, const DocumentOptions& options, RunContext& context) {
        return document_from_file(at, options, file, context, *imported);
    });
    // When it is there: another document takes back whatever was offered for the one before.
    workshop_.change(
        {}, [this, imported](Document& document, RunContext&) { offer_filling(document, *imported); });
}

void MainWindow::import_file_as_layer(const QString& file) {
    workshop_.change(tr("Importing %1").arg(QFileInfo(file).fileName()),
                     [this, file = file.toStdString()](Document& document, RunContext& context) {
                         offer_filling(document, import_file(document, file, context));
                     });
}

void MainWindow::offer_filling(const Document& document, const ImportedFile& imported) {
    if (imported.missing == 0) return;
    QString count = QLocale().toString(qlonglong(imported.missing));
    bool lowest = document.state().layers.front().id == imported.layer;
    QMetaObject::invokeMethod(this, [this, count, lowest, layer = imported.layer] {
        if (!lowest)
            return say(tr("%1 cells of the file are missing: what lies below is seen there.").arg(count));
        status_->offer(tr("Fill %1 missing cells").arg(count),
                       tr("The file has no height for them. This adds a layer that fills them, which can be "
                          "undone and removed."),
                       [this, layer] {
                           workshop_.change(tr("Filling holes"), [layer](Document& document, RunContext&) {
                               fill_holes(document, layer);
                           });
                       });
    });
}

void MainWindow::open_file(const QString& path) {
    if (!path.endsWith(".caprock", Qt::CaseInsensitive)) return import_as_document(path);
    if (may_leave()) workshop_.open(path);
}

void MainWindow::close_document() {
    if (!may_leave()) return;
    keep_thumbnail();
    workshop_.close();
}

void MainWindow::keep_thumbnail() {
    if (!view_ || view_->read_only || board_.empty() || !thumbnail_setting()) return;
    MapPyramid& pyramid = board_.pyramid();
    const Rect& rect = board_.terrain().rect();
    int level = 0;
    while ((std::max(rect.width(), rect.height()) >> level) > 384 && level + 1 < pyramid.levels()) level++;
    Field heights = pyramid.level("height", level);
    Grid grid = board_.terrain().grid();
    grid.cell = std::ldexp(grid.cell, level);
    grid.extent = heights.rect();
    Terrain small(grid);
    small.set("height", heights);
    ReliefOptions options;
    options.longest_side = 256;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    image_of(shaded_relief(small, options)).save(&buffer, "PNG");
    workshop_.change(
        {}, [png = bytes.toStdString()](Document& document, RunContext&) { document.set_thumbnail(png); });
}

void MainWindow::take_view(const DocumentViewPointer& view) {
    bool another = !view || !view_ || view->opened;
    changed_anew_ =
        !another && view->position > view_->position && view->history.size() == size_t(view->position);
    bool renamed = view && view_ && view->path != view_->path;
    view_ = view;
    paint_tool_.set_document(view);
    if (!view) {
        composer_.clear();
        board_.clear();
    }
    QSettings settings;
    if (another) {
        selection_.select(0);
        show_page();
    }
    if (another || renamed) {
        show_title();
        if (view) {
            settings.setValue("session/open", QString::fromStdString(view->path));
            remember_recent(QString::fromStdString(view->path));
        } else {
            settings.remove("session/open");
        }
    }
    if (view && !find_layer(view->state().layers, selection_.layer()))
        selection_.select(view->state().layers.empty() ? 0 : view->state().layers.back().id);
    if (view) {
        const Rect& window = view->state().window;
        brushes_.set_land(std::max(window.width(), window.height()) * view->state().grid.cell);
    }
    status_->set_document(view);
    Q_EMIT document_changed(view);
    enable_actions();
}

bool MainWindow::settled() const {
    return !workshop_.busy() && !composer_.busy() && !photographer_.busy() && !scene_->behind();
}

void MainWindow::stop(const QString& who) {
    if (who == "workshop") return workshop_.cancel();
    if (who == "photographer") return photographer_.cancel();
    composer_.cancel();
    // What was stopped on its way was never there; what was there before and is only being shown again stays.
    if (!changed_anew_) return say(tr("Stopped. The next change goes on with it."));
    changed_anew_ = false;
    QString title = view_->history.empty() ? QString() : QString::fromStdString(view_->history.back().title);
    workshop_.undo();
    say(tr("Stopped: “%1” was undone. Redo brings it back.").arg(title));
}

void MainWindow::show_simulation() {
    status_->set_simulating("composer", composer_.simulating().has_value(), composer_.paused());
}

void MainWindow::pause(bool paused) {
    composer_.pause(paused);
    show_simulation();
}

// The simulation's layer says from now on that it ends after these steps.
void MainWindow::keep_what_is_done() {
    const std::optional<Follower::Simulating> simulating = composer_.simulating();
    if (!simulating) return say(tr("No simulation is being computed."));
    changed_anew_ = false;
    composer_.pause(false);
    workshop_.change(tr("Keep %1 steps").arg(simulating->steps),
                     [what = *simulating](Document& document, RunContext&) {
                         stop_simulation_after(document, what.layer, what.operation, what.steps);
                     });
}

// ---- views ------------------------------------------------------------------------------------------------------

void MainWindow::show_views(Views views) {
    scene_->setVisible(views != Views::map);
    map_->setVisible(views != Views::scene);
    QWidget* first = views == Views::map ? static_cast<QWidget*>(map_) : scene_;
    if (view_) pages_->setCurrentWidget(views_);
    if (pages_->currentWidget() == views_) first->setFocus();
    QSettings().setValue("window/views", int(views));
    for (auto [name, which] :
         {std::pair{"view.scene", Views::scene}, {"view.map", Views::map}, {"view.both", Views::both}})
        if (QAction* action = actions_.find(name)) action->setChecked(which == views);
}

void MainWindow::show_ring(double x, double y) {
    status_->set_cursor(x, y);
    inspector_->set_cursor(x, y);
    std::optional<BrushRing> ring;
    if (paint_tool_.active()) {
        const BrushSettings& brush = brushes_.brush().settings;
        ring = BrushRing{x, y, brush.radius, brush.radius * (1 - brush.falloff)};
    }
    scene_->set_ring(ring);
    map_->set_ring(ring);
}

void MainWindow::hide_ring() {
    status_->clear_cursor();
    inspector_->clear_cursor();
    scene_->set_ring({});
    map_->set_ring({});
}

void MainWindow::look_there() {
    if (map_->isVisible() && !scene_->isVisible()) {
        composer_.look_at(map_->view().centre.x, map_->view().centre.y);
    } else if (std::optional<GroundPoint> ground = scene_->centre()) {
        composer_.look_at(ground->x, ground->y);
    }
}

// ---- messages ---------------------------------------------------------------------------------------------------

void MainWindow::say(const QString& message) { status_->showMessage(message, 8000); }

void MainWindow::complain(const QString& message) {
    status_->showMessage(QString::fromUtf8("⚠ ") + message, 15000);
}

// ---- events -----------------------------------------------------------------------------------------------------

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!may_leave()) return event->ignore();
    QSettings settings;
    settings.setValue("window/geometry", saveGeometry());
    settings.setValue("window/state", saveState());
    settings.remove("session/open");
    keep_thumbnail();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    for (const QUrl& url : event->mimeData()->urls()) {
        QString path = url.toLocalFile();
        if (path.isEmpty()) continue;
        if (path.endsWith(".caprock", Qt::CaseInsensitive) || !view_) {
            // Whoever drags waits for the drop to be done with; there may be something to ask.
            QMetaObject::invokeMethod(
                this, [this, path] { open_file(path); }, Qt::QueuedConnection);
        } else if (means_lines(path.toStdString())) {
            lines_->import_file(path);
        } else {
            import_file_as_layer(path);
        }
    }
    event->acceptProposedAction();
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    // A stroke does not go on in another window.
    if (event->type() == QEvent::ActivationChange && !isActiveWindow()) {
        scene_->hand().let_go();
        map_->hand().let_go();
    }
    // Somebody may have been at the file meanwhile.
    if (event->type() == QEvent::ActivationChange && isActiveWindow()) bookmarks_.look_again();
}

}  // namespace caprock::editor

// Everything that can be done in the window, by name, and where it is found in the menus.
#include "core/document_sources.h"
#include "operation/presets.h"
#include "painting/brush_text.h"
#include "panels/layers_panel.h"
#include "panels/lines_panel.h"
#include "view/colour_scheme.h"
#include "view/material_set.h"
#include "widgets/wording.h"
#include "window/main_window.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <algorithm>
#include <cmath>

namespace caprock::editor {

namespace {

// Masks and blends are not layers of their own.
bool is_layer_operation(const Operation& operation) {
    return operation.room() != "masks" && operation.room() != "blending" && operation.name() != "expand";
}

bool is_shown_preset(const std::string& name) { return name.find("figure") == std::string::npos; }

}  // namespace

void MainWindow::make_actions() {
    make_file_actions();
    make_edit_actions();
    make_layer_actions();
    make_terrain_actions();
    make_brush_actions();
    make_view_actions();
    make_bookmark_actions();
    make_help_actions();
}

void MainWindow::make_file_actions() {
    actions_.add("file.new", tr("File"), tr("New…"), QKeySequence::New,
                 tr("Begin a new terrain: size, heights, and what to start from."), [this] { ask_new(); });
    actions_.add("file.open", tr("File"), tr("Open…"), QKeySequence::Open,
                 tr("Open a project, or elevation data as a new project."), [this] { ask_open(); });
    actions_.add("file.import", tr("File"), tr("Import as layer…"), QKeySequence("Ctrl+I"),
                 tr("Bring the cells of a file into the document, as a layer."), [this] { ask_import(); });
    actions_.add("file.import-lines", tr("File"), tr("Import lines…"), {},
                 tr("Roads, rivers or points of a GeoPackage, GeoJSON or Shapefile, for layers to follow."),
                 [this] { lines_->ask_import(); });
    actions_.add("file.export-lines", tr("File"), tr("Export lines…"), {},
                 tr("Lines of the document, and those that layers make, into a file."),
                 [this] { lines_->ask_export(); });
    actions_.add("file.save", tr("File"), tr("Save"), QKeySequence::Save,
                 tr("The file is always current; this makes it complete without its log."), [this] {
                     workshop_.change(tr("Saving"), [this](Document& document, RunContext&) {
                         document.save();
                         QMetaObject::invokeMethod(
                             this, [this] { say(tr("Saved.")); }, Qt::QueuedConnection);
                     });
                 });
    actions_.add("file.copy", tr("File"), tr("Save a copy…"), QKeySequence::SaveAs,
                 tr("Write the project to another file and go on with that one."),
                 [this] { ask_save_copy(); });
    actions_.add("file.export", tr("File"), tr("Export…"), QKeySequence("Ctrl+E"),
                 tr("Write a heightmap for a game engine, or elevation data."), [this] { ask_export(); });
    actions_.add("file.picture", tr("File"), tr("Picture of the view…"), QKeySequence("Ctrl+Shift+S"),
                 tr("Save what the view shows, at any size."), [this] { ask_picture(); });
    actions_.add("file.close", tr("File"), tr("Close"), QKeySequence::Close,
                 tr("Close the document and show the start page."), [this] { close_document(); });
    actions_.add("file.quit", tr("File"), tr("Quit"), QKeySequence::Quit,
                 tr("End Caprock. Everything is on disk, or it asks."), [this] { close(); });
}

void MainWindow::make_edit_actions() {
    actions_.add("edit.undo", tr("Edit"), tr("Undo"), QKeySequence::Undo, tr("Take back the last change."),
                 [this] {
                     workshop_.undo();
                     enable_actions();
                 });
    // Both keys that people know for it.
    QAction* redo = actions_.add("edit.redo", tr("Edit"), tr("Redo"), QKeySequence("Ctrl+Y"),
                                 tr("Do again what was taken back."), [this] {
                                     workshop_.redo();
                                     enable_actions();
                                 });
    redo->setShortcuts({redo->shortcut(), QKeySequence("Ctrl+Shift+Z")});
    actions_.add("edit.stop", tr("Edit"), tr("Stop"), QKeySequence("Esc"),
                 tr("Stop the stroke under the pen, or what is being computed or drawn."), [this] {
                     if (workshop_.stroking()) {
                         paint_tool_.cancel();
                         scene_->hand().let_go();
                         map_->hand().let_go();
                     } else if (workshop_.busy()) {
                         stop("workshop");
                     } else if (composer_.busy()) {
                         stop("composer");
                     } else if (photographer_.busy()) {
                         stop("photographer");
                     }
                 });
    actions_.add("edit.pause", tr("Edit"), tr("Pause or go on"), QKeySequence("Pause"),
                 tr("Let the simulation that is being computed wait, or go on with it."),
                 [this] { pause(!composer_.paused()); });
    actions_.add("edit.keep-steps", tr("Edit"), tr("Keep what is done so far"), {},
                 tr("End the simulation that is being computed after the steps that it has taken."),
                 [this] { keep_what_is_done(); });
    actions_.add("edit.preferences", tr("Edit"), tr("Preferences…"), QKeySequence("Ctrl+,"),
                 tr("Theme, devices, keys and navigation."), [this] { ask_preferences(); });
}

void MainWindow::make_layer_actions() {
    for (const std::string& name : operation_names()) {
        std::unique_ptr<Operation> operation = make_operation(name);
        if (!is_layer_operation(*operation)) continue;
        QString menu = tr("Layer") + "/" + tr("New") + "/" + titled(operation->room());
        if (operation->room() == "erosion" || operation->room() == "rivers") menu = tr("Simulate");
        if (operation->room() == "repair") menu = tr("Terrain") + "/" + tr("Repair");
        QString help = QString::fromStdString(operation->schema().summary());
        if (!help.isEmpty()) help[0] = help[0].toUpper();
        actions_.add("add." + QString::fromStdString(name), menu, titled(name), {}, help + ".",
                     [this, word = QString::fromStdString(name)] { layers_->add_operation(word); });
    }
    for (const std::string& name : preset_names()) {
        if (!is_shown_preset(name)) continue;
        Recipe recipe = preset(name);
        QString title = recipe.title.empty() ? titled(name) : QString::fromStdString(recipe.title);
        actions_.add("preset." + QString::fromStdString(name), tr("Layer") + "/" + tr("New from preset"),
                     title, {}, QString::fromStdString(recipe.about), [this, name] {
                         workshop_.change(tr("Adding a layer"), [name](Document& document, RunContext&) {
                             add_preset(document, name);
                         });
                     });
    }
    QString menu = tr("Layer");
    auto by_panel = [&](const char* name, const QString& where, const QString& title, const QKeySequence& key,
                        const QString& help, std::function<void(LayersPanel&)> command) {
        actions_.add(name, where, title, key, help,
                     [this, command = std::move(command)] { command(*layers_); });
    };
    by_panel("layer.paint", menu, tr("New painted layer"), QKeySequence("Ctrl+Shift+N"),
             tr("An empty layer for the brush, on top of the chosen one."),
             [](LayersPanel& layers) { layers.add_painted("height"); });
    by_panel("layer.group", menu, tr("Group"), QKeySequence("Ctrl+G"),
             tr("Put the chosen layers into a group."), &LayersPanel::add_group);
    by_panel("layer.ungroup", menu, tr("Ungroup"), QKeySequence("Ctrl+Shift+G"),
             tr("Take the layers out of the chosen group."), &LayersPanel::ungroup);
    by_panel("layer.duplicate", menu, tr("Duplicate"), QKeySequence("Ctrl+J"),
             tr("A second layer like this one."), &LayersPanel::duplicate);
    by_panel("layer.delete", menu, tr("Delete"), QKeySequence::Delete, tr("Remove the chosen layers."),
             &LayersPanel::remove);
    by_panel("layer.rename", menu, tr("Rename"), {}, tr("Give the layer another name."),
             &LayersPanel::rename);
    by_panel("layer.visible", menu, tr("Show or hide"), QKeySequence("Ctrl+H"),
             tr("Whether the layer has an effect."), &LayersPanel::toggle_visible);
    by_panel("layer.solo", menu, tr("Show alone"), {},
             tr("Only this layer; once more, and all are as they were."), &LayersPanel::solo);
    by_panel("layer.lock", menu, tr("Lock or unlock"), {}, tr("A locked layer cannot be changed."),
             &LayersPanel::toggle_locked);
    by_panel("layer.up", menu, tr("Move up"), QKeySequence("Ctrl+]"), tr("Above the layer that lies on it."),
             &LayersPanel::move_up);
    by_panel("layer.down", menu, tr("Move down"), QKeySequence("Ctrl+["), tr("Below the layer it lies on."),
             &LayersPanel::move_down);
    by_panel("layer.merge", menu, tr("Merge down"), QKeySequence("Ctrl+Shift+E"),
             tr("Make one painted layer of this one and the one below it."), &LayersPanel::merge_down);
    by_panel("layer.collapse", menu, tr("Collapse"), {}, tr("Make one painted layer of the chosen ones."),
             &LayersPanel::collapse);
    by_panel("layer.rasterise", menu, tr("Rasterise"), {},
             tr("Make painted cells of what the layer computes, so that they can be painted on."),
             &LayersPanel::rasterise);
    QString masks = menu + "/" + tr("Mask");
    by_panel("mask.white", masks, tr("Reveal all"), {},
             tr("A mask to be painted that shows the layer everywhere to begin with."),
             [](LayersPanel& layers) { layers.add_mask(1); });
    by_panel("mask.black", masks, tr("Hide all"), {},
             tr("A mask to be painted that hides the layer everywhere to begin with."),
             [](LayersPanel& layers) { layers.add_mask(0); });
    for (const std::string& name : operation_names()) {
        std::unique_ptr<Operation> operation = make_operation(name);
        if (operation->room() != "masks") continue;
        if (std::ranges::count(operation->fields().inputs, "mask")) continue;
        QString help = QString::fromStdString(operation->schema().summary());
        if (!help.isEmpty()) help[0] = help[0].toUpper();
        QString word = QString::fromStdString(name);
        actions_.add("mask." + word, masks + "/" + tr("From the ground"),
                     titled(name.starts_with("mask-") ? name.substr(5) : name), {}, help + ".",
                     [this, word] { layers_->add_generated_mask(word); });
    }
    by_panel("mask.invert", masks, tr("Invert"), {}, tr("What was hidden is seen, and the other way round."),
             &LayersPanel::invert_mask);
    by_panel("mask.remove", masks, tr("Remove"), {}, tr("The layer is seen everywhere again."),
             &LayersPanel::remove_mask);
}

void MainWindow::make_terrain_actions() {
    QString menu = tr("Terrain");
    for (auto [name, title, help] :
         {std::tuple{"terrain.resize", tr("Size…"),
                     tr("More or fewer cells; what is painted keeps its place.")},
          {"terrain.crop", tr("Crop…"),
           tr("Show and export only a part; all else stays and is computed with.")},
          {"terrain.resample", tr("Cell size…"),
           tr("Another distance between cells: the same land, finer or coarser.")},
          {"terrain.range", tr("Height range…"), tr("The heights that 0 and 1 of formulas stand for.")}})
        actions_.add(name, menu, title, {}, help, [this, which = QString(name)] { ask_grid(which); });
}

void MainWindow::make_brush_actions() {
    QString menu = tr("Brush");
    actions_.add("brush.none", menu, tr("Move the view"), QKeySequence("0"),
                 tr("Lay the brush down: the left button moves the view."),
                 [this] { paint_tool_.set_active(false); });
    actions_.add("brush.larger", menu, tr("Larger"), QKeySequence("]"),
                 tr("A wider brush. Shift and drag sizes it, too."), [this] { change_radius(1.15); });
    actions_.add("brush.smaller", menu, tr("Smaller"), QKeySequence("["), tr("A narrower brush."),
                 [this] { change_radius(1 / 1.15); });
    actions_.add("brush.stronger", menu, tr("Stronger"), QKeySequence("Shift+]"),
                 tr("A brush that does more."), [this] { change_strength(1.25); });
    actions_.add("brush.weaker", menu, tr("Weaker"), QKeySequence("Shift+["), tr("A brush that does less."),
                 [this] { change_strength(0.8); });
    const std::map<std::string, const char*> keys = {{"raise", "1"}, {"lower", "2"},   {"smooth", "3"},
                                                     {"level", "4"}, {"crumble", "5"}, {"rain", "6"},
                                                     {"hills", "7"}, {"erase", "8"},   {"mask", "9"}};
    for (const std::string& name : brush_names()) {
        Brush brush = brush_named(name);
        auto key = keys.find(name);
        QString title = brush.title.empty() ? titled(name) : QString::fromStdString(brush.title);
        actions_.add("brush." + QString::fromStdString(name), menu + "/" + tr("Take"), titled(name),
                     key == keys.end() ? QKeySequence() : QKeySequence(key->second), title,
                     [this, name] { take_brush(QString::fromStdString(name)); });
    }
}

void MainWindow::make_view_actions() {
    QString menu = tr("View");
    auto group = [this](std::initializer_list<const char*> names) {
        auto* one_of = new QActionGroup(this);
        for (const char* name : names) {
            actions_.find(name)->setCheckable(true);
            one_of->addAction(actions_.find(name));
        }
    };
    actions_.add("view.scene", menu, tr("Scene"), QKeySequence("F2"), tr("The terrain in three dimensions."),
                 [this] { show_views(Views::scene); });
    actions_.add("view.map", menu, tr("Map"), QKeySequence("F3"), tr("The terrain from above."),
                 [this] { show_views(Views::map); });
    actions_.add("view.both", menu, tr("Side by side"), QKeySequence("F4"), tr("Scene and map."),
                 [this] { show_views(Views::both); });
    group({"view.scene", "view.map", "view.both"});
    actions_.add("view.switch", menu, tr("Switch scene and map"), QKeySequence("M"),
                 tr("Three dimensions or from above, with one key."),
                 [this] { show_views(map_->isVisible() ? Views::scene : Views::map); });
    actions_.add("view.all", menu, tr("All of the terrain"), QKeySequence("Home"),
                 tr("Move back until all is seen."), [this] {
                     scene_->frame_all();
                     map_->frame_all();
                 });
    actions_.add("view.frame", menu, tr("Go to the cursor"), QKeySequence("F"),
                 tr("Look closely at what is under the cursor."), [this] {
                     QWidget* view = map_->underMouse() ? static_cast<QWidget*>(map_) : scene_;
                     QPointF at = view->mapFromGlobal(QCursor::pos());
                     std::optional<GroundPoint> ground =
                         view == map_ ? map_->ground_at(at) : scene_->ground_at(at);
                     if (!ground) {
                         scene_->frame_all();
                         map_->frame_all();
                         return;
                     }
                     double radius = 4 * brushes_.brush().settings.radius;
                     scene_->frame(ground->x, ground->y, radius);
                     map_->frame(ground->x, ground->y, radius);
                 });
    QString from = menu + "/" + tr("From");
    for (auto [name, title, side, key] :
         {std::tuple{"view.top", tr("Above"), SceneView::Standpoint::top, "T"},
          {"view.north", tr("The north"), SceneView::Standpoint::north, ""},
          {"view.east", tr("The east"), SceneView::Standpoint::east, ""},
          {"view.south", tr("The south"), SceneView::Standpoint::south, ""},
          {"view.west", tr("The west"), SceneView::Standpoint::west, ""}})
        actions_.add(name, from, title, QKeySequence(key), tr("Look at all of the terrain from there."),
                     [this, side] { scene_->look_from(side); });

    QString colours = menu + "/" + tr("Colours");
    auto* schemes = new QActionGroup(this);
    auto scheme = [&](const QString& name, const QString& title, const QString& help) {
        QAction* action = actions_.add("colours." + name, colours, title, {}, help, [this, name] {
            look_.change([&](LookSettings& look) { look.scheme = name.toStdString(); });
        });
        action->setCheckable(true);
        action->setChecked(look_.settings().scheme == name.toStdString());
        schemes->addAction(action);
    };
    scheme("materials", tr("Materials"), tr("Grass, rock, snow and so on; the map shows tints of heights."));
    for (const std::string& name : colour_scheme_names())
        scheme(QString::fromStdString(name), choice_title(name),
               QString::fromStdString(colour_scheme(name).summary));
    QString ground = menu + "/" + tr("Ground materials");
    for (const std::string& name : material_set_names())
        actions_.add("materials." + QString::fromStdString(name), ground, titled(name), {},
                     tr("Ground of these materials."), [this, name] {
                         look_.change([&](LookSettings& look) {
                             look.materials = material_set(name);
                             look.scheme = "materials";
                         });
                     });
    auto toggle = [&](const char* name, const QString& title, const QKeySequence& key, const QString& help,
                      bool LookSettings::*member) {
        QAction* action = actions_.add_switch(
            name, menu, title, key, help, look_.settings().*member,
            [this, member](bool on) { look_.change([&](LookSettings& look) { look.*member = on; }); });
        connect(&look_, &Look::changed, action,
                [this, action, member] { action->setChecked(look_.settings().*member); });
    };
    toggle("view.shadows", tr("Shadows"), {}, tr("The sun throws shadows."), &LookSettings::shadows);
    toggle("view.contours", tr("Contour lines"), QKeySequence("C"), tr("Lines of equal height."),
           &LookSettings::contours);
    toggle("view.grid", tr("Grid lines"), QKeySequence("G"), tr("Lines at even distances in metres."),
           &LookSettings::grid);
    toggle("view.lines", tr("Lines"), {}, tr("Roads, rivers and other lines of the document."),
           &LookSettings::lines);
    toggle("view.water", tr("Water"), {}, tr("The field 'water', where simulations have made one."),
           &LookSettings::water);
    toggle("view.sea", tr("Sea"), {}, tr("Water wherever the ground lies below the sea's level."),
           &LookSettings::sea);
    toggle("view.walls", tr("Walls"), {}, tr("The terrain stands there as a block."), &LookSettings::walls);
    toggle("view.wire", tr("Triangles"), {}, tr("The edges of the triangles that are drawn."),
           &LookSettings::wire);
    toggle("view.legend", tr("Legend"), {}, tr("What the map's colours mean."), &LookSettings::legend);
    toggle("view.scale", tr("Scale bar"), {}, tr("How long a kilometre is on the map."),
           &LookSettings::scale_bar);
    actions_.add("view.full", menu, tr("Full screen"), QKeySequence("F11"),
                 tr("The window fills the screen."),
                 [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    actions_.add("view.reload", menu, tr("Reload kernels"), QKeySequence("F5"),
                 tr("Look again at the kernel files that are in use."), [this] { Q_EMIT reload_wanted(); });
}

void MainWindow::make_help_actions() {
    actions_.add("help.palette", tr("Help"), tr("Find a command…"), QKeySequence("Ctrl+Shift+P"),
                 tr("Everything that can be done, by its name."), [this] { ask_palette(); });
    actions_.add("help.tour", tr("Help"), tr("Tour"), QKeySequence("F1"), tr("Caprock in five steps."),
                 [this] { start_tour(); });
    actions_.add("help.about", tr("Help"), tr("About Caprock"), {}, tr("Which version this is."),
                 [this] { show_about(); });
}

void MainWindow::make_menus() {
    // Menus in the order of the design, then whatever else actions name.
    auto menu_at = [this](const QString& path) {
        QMenu* above = nullptr;
        QString so_far;
        for (const QString& part : path.split('/')) {
            so_far += "/" + part;
            QMenu*& menu = menus_[so_far];
            if (!menu) {
                menu = above ? above->addMenu(part) : menu_bar_->addMenu("&" + part);
                menu->setToolTipsVisible(true);
            }
            above = menu;
        }
        return above;
    };
    for (const QString& first : {tr("File"), tr("Edit"), tr("Layer"), tr("Terrain"), tr("Simulate"),
                                 tr("Brush"), tr("View"), tr("Help")})
        menu_at(first);
    for (const Actions::Entry& entry : actions_.all())
        if (!entry.menu.isEmpty()) menu_at(entry.menu)->addAction(entry.action);
    QMenu* bookmarks = menu_at(tr("View") + "/" + tr("Bookmarks"));
    for (const char* first : {"bookmark.go-1", "bookmark.manage"})
        bookmarks->insertSeparator(actions_.find(first));
    QMenu* shown = menu_at(tr("View") + "/" + tr("Panels"));
    for (const auto& [name, dock] : panels_) shown->addAction(dock->toggleViewAction());
}

void MainWindow::enable_actions() {
    bool open = view_ != nullptr;
    bool writable = open && !view_->read_only;
    const Layer* layer = open ? find_layer(view_->state().layers, selection_.layer()) : nullptr;
    for (const Actions::Entry& entry : actions_.all()) {
        const QString& name = entry.name;
        QString first = name.section('.', 0, 0);
        bool on = true;
        if (first == "add" || first == "preset" || first == "terrain" || name == "layer.paint" ||
            name == "file.import" || name == "file.import-lines" || name == "file.save" ||
            name == "edit.undo" || name == "edit.redo")
            on = writable;
        else if (first == "layer" || first == "mask")
            on = writable && layer;
        else if (name == "file.copy" || name == "file.export" || name == "file.picture" ||
                 name == "file.close" || first == "bookmark")
            on = open;
        else if (name == "file.export-lines")
            on = open && !board_.lines().empty();
        if (name.startsWith("bookmark.go-"))
            on = on && name.section('-', 1).toULongLong() <= bookmarks_.all().size();
        // Where the history stands is known when the steps that were asked for are done. Until then a key that is pressed
        // quickly is a step, too, and is not lost.
        bool moving = open && view_->steps_done < workshop_.steps_asked();
        if (name == "edit.undo") on = on && (moving || view_->position > 0);
        if (name == "edit.redo") on = on && (moving || view_->position < int64_t(view_->history.size()));
        if (name == "layer.ungroup") on = on && layer->kind == LayerKind::group;
        if (name == "mask.remove" || name == "mask.invert")
            on = on && layer->mask.kind != LayerMask::Kind::none;
        entry.action->setEnabled(on);
    }
    auto what = [&](const char* action, const QString& verb, int64_t entry) {
        QString title = verb;
        if (open && entry >= 1 && entry <= int64_t(view_->history.size()))
            title += ": " + QString::fromStdString(view_->history[size_t(entry - 1)].title);
        actions_.find(action)->setText(title);
    };
    what("edit.undo", tr("Undo"), open ? view_->position : 0);
    what("edit.redo", tr("Redo"), open ? view_->position + 1 : 0);
}

void MainWindow::take_brush(const QString& name) {
    brushes_.take(name);
    paint_tool_.set_active(true);
}

void MainWindow::change_radius(double times) {
    brushes_.change([&](Brush& brush) {
        brush.settings.radius = std::clamp(brush.settings.radius * times, 0.01, 100000.0);
    });
}

void MainWindow::change_strength(double times) {
    brushes_.change([&](Brush& brush) {
        brush.settings.strength = std::clamp(brush.settings.strength * times, -100000.0, 100000.0);
    });
}

}  // namespace caprock::editor

// The window: views in the middle, panels around them, and everything that can be done by name.
#pragma once

#include "core/actions.h"
#include "core/board.h"
#include "core/brush_kit.h"
#include "core/composer.h"
#include "core/document_sources.h"
#include "core/kept_bookmarks.h"
#include "core/look.h"
#include "core/photographer.h"
#include "core/selection.h"
#include "core/workshop.h"
#include "views/map_widget.h"
#include "views/scene_view.h"
#include "window/paint_tool.h"
#include "window/status_bar.h"

#include <QMainWindow>
#include <map>
#include <optional>

class QDockWidget;
class QMenu;
class QMenuBar;
class QSessionManager;
class QSplitter;
class QStackedWidget;

namespace caprock::editor {

class BookmarkName;
class BookmarksPanel;
class CommandPalette;
class InspectorPanel;
class LayersPanel;
class LinesPanel;
class StartPage;
class Tour;
class TroubleBar;
class ViewBar;

class MainWindow : public QMainWindow {
    Q_OBJECT

  public:
    MainWindow();
    ~MainWindow() override;

    // A project, a recipe's terrain or elevation data: whatever the file is.
    void open_file(const QString& path);
    void create_document(const QString& path, const Grid& grid, const QString& preset);
    // The file's terrain as a document of its own, beside the file unless a path is given.
    void import_as_document(const QString& file, const QString& path = {});
    void close_document();
    // The project in another file, with its bookmarks; from now on that one is open, unless this one may only be read.
    void save_copy(const QString& path);
    // Where new documents go that were not given a name.
    static QString fresh_path(const QString& stem);

    Workshop& workshop() { return workshop_; }
    Composer& composer() { return composer_; }
    Board& board() { return board_; }
    Look& look() { return look_; }
    Selection& selection() { return selection_; }
    BrushKit& brushes() { return brushes_; }
    Actions& actions() { return actions_; }
    KeptBookmarks& bookmarks() { return bookmarks_; }
    Photographer& photographer() { return photographer_; }
    SceneView& scene() { return *scene_; }
    MapWidget& map() { return *map_; }
    PaintTool& paint_tool() { return paint_tool_; }
    const DocumentViewPointer& document() const { return view_; }
    // After settings have changed: theme, device, navigation, pen.
    void apply_preferences();
    // Without a file: the start page, and what a crash has left.
    void begin();
    // Nothing is left to be done or shown.
    bool settled() const;

    enum class Views { scene, map, both };
    void show_views(Views views);
    // The file's cells as a layer of the document that is open. Filling what is missing in them is offered.
    void import_file_as_layer(const QString& file);
    // Of the view that is shown, at any size. It is there when the photographer rests.
    void save_picture(const QString& path, const QSize& size);

  Q_SIGNALS:
    void document_changed(caprock::editor::DocumentViewPointer view);
    void reload_wanted();

  protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    // ---- putting it together ----
    void make_views();
    void make_panels();
    void make_tool_palette();
    void make_tool_bar();
    void connect_parts();
    QDockWidget* add_panel(const QString& name, const QString& title, QWidget* panel,
                           Qt::DockWidgetArea area);
    void restore_layout();
    void show_page();

    // ---- actions: window_actions.cpp ----
    void make_actions();
    void make_file_actions();
    void make_edit_actions();
    void make_layer_actions();
    void make_terrain_actions();
    void make_brush_actions();
    void make_view_actions();
    void make_help_actions();
    void make_menus();
    void enable_actions();
    void take_brush(const QString& name);
    void change_radius(double times);
    void change_strength(double times);

    // ---- bookmarks: window_bookmarks.cpp ----
    void make_bookmark_actions();
    void make_bookmarks_panel();
    void show_bookmarks();
    void ask_bookmark();
    void go_to_bookmark(const QString& name);
    void copy_as_command(const QString& name);
    // As a camera of the scene, also where only the map is shown.
    std::optional<Camera> seen();

    // ---- what cannot be written: window_leaving.cpp ----
    void make_trouble_bar();
    void show_unwritten(const QString& trouble, qint64 changes);
    void show_title();
    // Whether the document may be let go of: all of it is written, or the user gives up what is not. Asks until one of
    // these is so, or the user stays.
    bool may_leave();
    // Until what was asked for before is done; what could not be written is told.
    std::pair<QString, qint64> write_all();
    enum class Leaving { elsewhere, again, discard, stay };
    Leaving ask_leaving(const QString& trouble, qint64 changes);
    void save_elsewhere();
    void end_session(QSessionManager& manager);

    // ---- what happens ----
    void take_view(const DocumentViewPointer& view);
    void stop(const QString& who);
    void show_simulation();
    void pause(bool paused);
    void keep_what_is_done();
    void keep_thumbnail();
    void show_ring(double x, double y);
    void hide_ring();
    void say(const QString& message);
    void complain(const QString& message);
    void look_there();
    void ask_new();
    void ask_open();
    void ask_import();
    void ask_save_copy();
    void offer_rescue(const QString& path, const QString& lost);
    void ask_rescue(const QString& damaged);
    void ask_export();
    void ask_picture();
    void ask_preferences();
    void ask_palette();
    void ask_grid(const QString& which);
    void start_tour();
    void show_about();
    void offer_recovered();
    // On the workshop's thread.
    void offer_filling(const Document& document, const ImportedFile& imported);

    Workshop workshop_;
    Composer composer_;
    Board board_;
    Look look_;
    Selection selection_;
    BrushKit brushes_;
    Actions actions_;
    KeptBookmarks bookmarks_;
    Photographer photographer_;
    PaintTool paint_tool_;
    DocumentViewPointer view_;
    qint64 unwritten_ = 0;       // changes that could not be written when it was tried last
    bool leaving_ = false;       // it is being found out whether that may be
    bool changed_anew_ = false;  // the last change was none of undo and redo: it may be stopped on its way

    QMenuBar* menu_bar_ = nullptr;
    TroubleBar* trouble_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    QSplitter* views_ = nullptr;
    SceneView* scene_ = nullptr;
    MapWidget* map_ = nullptr;
    StatusBar* status_ = nullptr;
    StartPage* start_ = nullptr;
    LayersPanel* layers_ = nullptr;
    LinesPanel* lines_ = nullptr;
    InspectorPanel* inspector_ = nullptr;
    ViewBar* bar_ = nullptr;
    BookmarksPanel* bookmarks_panel_ = nullptr;
    BookmarkName* bookmark_name_ = nullptr;
    std::vector<QAction*> further_bookmarks_;  // in the menu, behind those that have keys
    std::optional<Camera> going_;              // there, as soon as there is something to be seen
    CommandPalette* palette_ = nullptr;
    Tour* tour_ = nullptr;
    std::map<QString, QDockWidget*> panels_;
    std::map<QString, QMenu*> menus_;
};

}  // namespace caprock::editor

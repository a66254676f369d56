// Views of the scene that one comes back to.
#include "panels/bookmarks_panel.h"
#include "view/camera_moves.h"
#include "window/bookmark_name.h"
#include "window/main_window.h"

#include <QAction>
#include <QClipboard>
#include <QDockWidget>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace caprock::editor {

namespace {

constexpr int with_keys = 9;

// A menu takes a single & for the letter behind it.
QString going_to(const QString& name) {
    return MainWindow::tr("Go to “%1”").arg(QString(name).replace('&', QLatin1String("&&")));
}

QString for_shell(const QString& word) {
    return "'" + QString(word).replace('\'', QLatin1String("'\\''")) + "'";
}

}  // namespace

void MainWindow::make_bookmark_actions() {
    QString menu = tr("View") + "/" + tr("Bookmarks");
    actions_.add("bookmark.add", menu, tr("Bookmark this view…"), QKeySequence("Ctrl+B"),
                 tr("Give what is seen a name, to come back to it."), [this] { ask_bookmark(); });
    for (int number = 1; number <= with_keys; number++) {
        QAction* action = actions_.add(
            QString("bookmark.go-%1").arg(number), menu, tr("Go to bookmark %1").arg(number),
            QKeySequence(QString("Alt+%1").arg(number)), tr("Show the scene from there."), [this, number] {
                if (size_t(number) <= bookmarks_.all().size())
                    go_to_bookmark(QString::fromStdString(bookmarks_.all()[size_t(number) - 1].name));
            });
        action->setProperty("reason", tr("there are not so many bookmarks"));
    }
    actions_.add("bookmark.manage", menu, tr("Manage bookmarks…"), {},
                 tr("The list of them: rename, remove, set them to another view."), [this] {
                     panels_["bookmarks"]->show();
                     panels_["bookmarks"]->raise();
                 });
}

void MainWindow::make_bookmarks_panel() {
    bookmarks_panel_ = new BookmarksPanel(bookmarks_, actions_, this);
    add_panel("bookmarks", tr("Bookmarks"), bookmarks_panel_, Qt::RightDockWidgetArea);
    bookmark_name_ = new BookmarkName(views_, this);
    connect(this, &MainWindow::document_changed, &bookmarks_, &KeptBookmarks::set_document);
    connect(this, &MainWindow::document_changed, this, [this](const DocumentViewPointer& view) {
        if (view && !view->opened) return;
        // What was asked of another document.
        going_.reset();
        bookmark_name_->dismiss();
    });
    connect(&bookmarks_, &KeptBookmarks::failed, this, &MainWindow::complain);
    connect(&bookmarks_, &KeptBookmarks::changed, this, &MainWindow::show_bookmarks);
    connect(bookmarks_panel_, &BookmarksPanel::add_wanted, this, &MainWindow::ask_bookmark);
    connect(bookmarks_panel_, &BookmarksPanel::go_wanted, this, &MainWindow::go_to_bookmark);
    connect(bookmarks_panel_, &BookmarksPanel::copy_wanted, this, &MainWindow::copy_as_command);
    connect(bookmarks_panel_, &BookmarksPanel::aim_wanted, this, [this](const QString& name) {
        std::optional<Camera> camera = seen();
        if (!camera) return complain(tr("Nothing is shown yet that could be bookmarked."));
        if (bookmarks_.aim(name, *camera)) say(tr("“%1” is the present view now.").arg(name));
    });
    // The scene puts new land into its view first: what was asked for comes after that.
    connect(&board_, &Board::replaced, this, [this] {
        if (going_ && !board_.empty()) scene_->set_camera(*std::exchange(going_, {}));
    });
}

void MainWindow::show_bookmarks() {
    const std::vector<Bookmark>& all = bookmarks_.all();
    for (int number = 1; number <= with_keys; number++) {
        QAction* action = actions_.find(QString("bookmark.go-%1").arg(number));
        bool there = size_t(number) <= all.size();
        action->setText(there ? going_to(QString::fromStdString(all[size_t(number) - 1].name))
                              : tr("Go to bookmark %1").arg(number));
        action->setVisible(there);
    }
    QMenu* menu = menus_["/" + tr("View") + "/" + tr("Bookmarks")];
    qDeleteAll(std::exchange(further_bookmarks_, {}));
    // Before the line that parts them from their management.
    QList<QAction*> entries = menu->actions();
    QAction* last = entries[entries.indexOf(actions_.find("bookmark.manage")) - 1];
    for (size_t i = with_keys; i < all.size(); i++) {
        QString name = QString::fromStdString(all[i].name);
        auto* action = new QAction(going_to(name), this);
        action->setObjectName(QString("bookmark.further-%1").arg(i + 1));
        action->setData(name);
        action->setToolTip(tr("Show the scene from there."));
        connect(action, &QAction::triggered, this, [this, name] { go_to_bookmark(name); });
        menu->insertAction(last, action);
        further_bookmarks_.push_back(action);
    }
    enable_actions();
}

std::optional<Camera> MainWindow::seen() {
    if (board_.empty()) return std::nullopt;
    if (!scene_->isHidden()) return scene_->camera();
    // What the map shows, from as high above it.
    const MapView& view = map_->view();
    double across = map_->width() * devicePixelRatioF() * view.metres_per_pixel / 2;
    double down = map_->height() * devicePixelRatioF() * view.metres_per_pixel / 2;
    std::optional<GroundPoint> ground = map_->ground_at(QPointF(map_->width() / 2.0, map_->height() / 2.0));
    double height = ground ? ground->height * look_.settings().exaggeration : 0;
    return top_view({{view.centre.x - across, view.centre.y - down, height},
                     {view.centre.x + across, view.centre.y + down, height}},
                    {std::max(1, map_->width()), std::max(1, map_->height())});
}

void MainWindow::ask_bookmark() {
    if (QString no = bookmarks_.obstacle(); !no.isEmpty()) {
        // Too much for the line below.
        if (!bookmarks_.trouble().isEmpty()) actions_.find("bookmark.manage")->trigger();
        return complain(no);
    }
    std::optional<Camera> camera = seen();
    if (!camera) return complain(tr("Nothing is shown yet that could be bookmarked."));
    bookmark_name_->ask(
        bookmarks_.proposed_name(), [this](const QString& name) { return bookmarks_.objection(name); },
        [this, camera](const QString& name) {
            if (!bookmarks_.add(name, *camera)) return;
            QString kept = KeptBookmarks::tidy(name);
            bookmarks_panel_->choose(kept);
            QAction* action = actions_.find(QString("bookmark.go-%1").arg(bookmarks_.all().size()));
            QString key = action ? action->shortcut().toString(QKeySequence::NativeText) : QString();
            say(key.isEmpty() ? tr("Bookmarked: “%1”.").arg(kept)
                              : tr("Bookmarked: “%1”. %2 comes back to it.").arg(kept, key));
        });
}

void MainWindow::go_to_bookmark(const QString& name) {
    const Camera* camera = bookmarks_.find(name);
    if (!view_ || !camera) return;
    if (scene_->isHidden()) show_views(Views::scene);
    pages_->setCurrentWidget(views_);
    scene_->set_camera(*camera);
    if (board_.empty()) going_ = *camera;
    bookmarks_panel_->choose(name);
}

void MainWindow::copy_as_command(const QString& name) {
    const Camera* camera = bookmarks_.find(name);
    if (!view_ || !camera) return;
    // The command line counts from the first cell of what is shown.
    const DocumentState& state = view_->state();
    WorldPoint first = state.grid.place_of(state.window.left, state.window.top);
    double x = camera->position.x - first.x;
    double y = camera->position.y - first.y;
    QString path = QFileInfo(QString::fromStdString(view_->path)).absoluteFilePath();
    QString command =
        "caprock render " + for_shell(path) + " --view 3d --camera " +
        QString::fromStdString(fmt::format("{},{},{},{},{},{}", x, y, camera->position.z, camera->heading,
                                           camera->pitch, camera->field_of_view));
    // And as it is seen here. Positions are above the ground as it is drawn.
    const LookSettings& look = look_.settings();
    auto add = [&](const std::string& option) { command += " " + QString::fromStdString(option); };
    add(fmt::format("--sun {:.4g},{:.4g}", look.sun.azimuth, std::clamp(look.sun.elevation, 1.0, 90.0)));
    if (look.exaggeration != 1) add(fmt::format("--exaggeration {}", look.exaggeration));
    if (!look.shadows) add("--no-shadows");
    if (look.scheme != "materials") {
        add("--scheme " + look.scheme);
    } else {
        // One of a user's own is in no file that could be named.
        for (const std::string& known : material_set_names())
            if (look.materials == material_set(known)) add("--materials " + known);
    }
    command += " -o " + for_shell(QString(name).replace('/', '-') + ".png");
    QGuiApplication::clipboard()->setText(command);
    say(tr("Copied: %1").arg(command));
}

}  // namespace caprock::editor

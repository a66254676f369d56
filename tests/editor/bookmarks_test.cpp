// Bookmarks: made, gone to, renamed and removed as a user does it, and what is beside the document afterwards.
#include "view/bookmarks.h"

#include "document/commands.h"
#include "panels/bookmarks_panel.h"
#include "studio.h"
#include "support/places.h"
#include "view/camera_moves.h"

#include <QClipboard>
#include <QDockWidget>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QSettings>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeWidget>
#include <fstream>
#include <sstream>

namespace caprock::editor {
namespace {

std::string text_at(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void write_at(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

Camera somewhere(double step) { return {{40 + step, 300 - step, 900 + step / 7}, 11 + step, -20, 45}; }

std::vector<std::string> names_in(const Bookmarks& bookmarks) {
    std::vector<std::string> names;
    for (const Bookmark& bookmark : bookmarks.all()) names.push_back(bookmark.name);
    return names;
}

// A document, the window on it, and hands for its bookmarks.
struct Desk {
    explicit Desk(const std::string& name) : path(fresh_test_path(name)) {
        std::filesystem::remove(file());
        QSettings().remove("window");
    }
    std::string file() const { return path + ".bookmarks.json"; }
    MainWindow& window() { return studio->window(); }

    void create() {
        studio = std::make_unique<Studio>();
        Grid grid;
        grid.extent = {0, 0, 200, 200};
        grid.cell = 2;
        grid.range = {0, 100};
        window().create_document(QString::fromStdString(path), grid, "hills");
        ready();
    }
    void open() {
        studio = std::make_unique<Studio>();
        window().open_file(QString::fromStdString(path));
        ready();
    }
    void close() {
        studio->close();
        studio.reset();
    }
    void ready() {
        studio->settle();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !window().board().empty(); }, 60000));
        window().activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&window()));
    }

    QLineEdit* line() { return window().findChild<QLineEdit*>("bookmark_name_line"); }
    QString note() { return window().findChild<QLabel*>("bookmark_name_note")->text(); }
    QString status() { return window().statusBar()->currentMessage(); }
    // As from the keyboard: the key, another name, Enter.
    void bookmark(const Camera& camera, const QString& name = {}) {
        window().scene().set_camera(camera);
        window().scene().setFocus();
        QTest::keyClick(&window().scene(), Qt::Key_B, Qt::ControlModifier);
        ASSERT_TRUE(line()->isVisible()) << status().toStdString();
        if (!name.isEmpty()) QTest::keyClicks(line(), name);
        QTest::keyClick(line(), Qt::Key_Return);
        EXPECT_FALSE(line()->isVisible());
    }

    QTreeWidget* list() { return window().findChild<QTreeWidget*>("bookmarks_list"); }
    QString notice() {
        auto* label = window().findChild<QLabel*>("bookmarks_notice");
        return label->isVisible() ? label->text() : QString();
    }
    QStringList listed() {
        QStringList names;
        for (int row = 0; row < list()->topLevelItemCount(); row++)
            names << list()->topLevelItem(row)->text(0);
        return names;
    }
    void show_panel() {
        studio->act("bookmark.manage");
        QTest::qWait(50);
        ASSERT_TRUE(list()->isVisible() || window().findChild<QLabel*>("bookmarks_invitation")->isVisible());
    }
    void press(const char* button) {
        auto* found = window().findChild<QToolButton*>(button);
        ASSERT_TRUE(found->isEnabled()) << button;
        QTest::mouseClick(found, Qt::LeftButton);
    }
    void click_row(int row, bool twice = false) {
        QPoint place = list()->visualItemRect(list()->topLevelItem(row)).center();
        QTest::mouseClick(list()->viewport(), Qt::LeftButton, {}, place);
        if (twice) QTest::mouseDClick(list()->viewport(), Qt::LeftButton, {}, place);
    }
    void rename(int row, const QString& name) {
        click_row(row);
        list()->setFocus();
        QTest::keyClick(list(), Qt::Key_F2);
        auto* editor = list()->findChild<QLineEdit*>("bookmarks_rename");
        ASSERT_TRUE(editor);
        editor->selectAll();
        if (name.isEmpty())
            QTest::keyClick(editor, Qt::Key_Delete);
        else
            QTest::keyClicks(editor, name);
        QTest::keyClick(editor, Qt::Key_Return);
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return !list()->findChild<QLineEdit*>("bookmarks_rename"); }, 10000));
        QTest::qWait(20);
    }

    std::string path;
    std::unique_ptr<Studio> studio;
};

TEST(Bookmarks, AreOnDiskAtOnceAsTheLibraryReadsThem) {
    Desk desk("bookmarks.caprock");
    desk.create();
    EXPECT_FALSE(std::filesystem::exists(desk.file())) << "nothing is written where nothing was asked for";
    desk.bookmark(somewhere(0));
    Bookmarks kept = read_bookmarks(desk.file());
    EXPECT_EQ(names_in(kept), (std::vector<std::string>{"View 1"}));
    EXPECT_EQ(*kept.find("View 1"), somewhere(0)) << "to the last bit";
    desk.bookmark(somewhere(31.7), QStringLiteral("Über & under"));
    desk.bookmark(somewhere(63.1));
    kept = read_bookmarks(desk.file());
    EXPECT_EQ(names_in(kept), (std::vector<std::string>{"View 1", "Über & under", "View 3"}));
    EXPECT_EQ(*kept.find("Über & under"), somewhere(31.7));
    EXPECT_EQ(desk.window().document()->position, desk.window().document()->history.size())
        << "the document is not changed by it";
}

TEST(Bookmarks, AKeyGoesThereWhateverIsShown) {
    Desk desk("bookmarks-go.caprock");
    desk.create();
    MainWindow& window = desk.window();
    desk.bookmark(somewhere(0));
    desk.bookmark(somewhere(50));
    window.scene().frame_all();
    QTest::keyClick(&window.scene(), Qt::Key_1, Qt::AltModifier);
    EXPECT_EQ(window.scene().camera(), somewhere(0));
    EXPECT_TRUE(window.map().isHidden());

    desk.studio->act("view.map");
    QTest::keyClick(&window.map(), Qt::Key_2, Qt::AltModifier);
    EXPECT_TRUE(window.scene().isVisible());
    EXPECT_TRUE(window.map().isHidden());
    QTest::qWait(100);
    EXPECT_EQ(window.scene().camera(), somewhere(50)) << "also after the scene was laid out";

    desk.studio->act("view.both");
    QTest::keyClick(&window.map(), Qt::Key_1, Qt::AltModifier);
    EXPECT_TRUE(window.map().isVisible()) << "the scene is there: the map may stay";
    EXPECT_EQ(window.scene().camera(), somewhere(0));

    EXPECT_TRUE(window.actions().find("bookmark.go-2")->text().contains("View 2"));
    EXPECT_FALSE(window.actions().find("bookmark.go-3")->isEnabled());
    EXPECT_FALSE(window.actions().find("bookmark.go-3")->isVisible());
    // Painting goes on where it was: the land has not changed, and the camera stays.
    desk.studio->settle();
    EXPECT_EQ(window.scene().camera(), somewhere(0));
}

TEST(Bookmarks, TheFirstNineHaveKeysAndAllAreInTheMenu) {
    Desk desk("bookmarks-many.caprock");
    desk.create();
    for (int i = 0; i < 12; i++)
        ASSERT_TRUE(desk.window().bookmarks().add(QString("B%1").arg(i), somewhere(i)));
    desk.window().bookmarks().remove("B11");
    QStringList shown;
    for (QMenu* menu : desk.window().findChildren<QMenu*>())
        if (menu->title() == "Bookmarks")
            for (QAction* action : menu->actions())
                if (action->isVisible() && action->text().startsWith("Go to")) shown << action->text();
    ASSERT_EQ(shown.size(), 11);
    for (int i = 0; i < 11; i++) EXPECT_EQ(shown[i], QString("Go to “B%1”").arg(i));
    for (QAction* action : desk.window().findChildren<QAction*>("bookmark.further-11")) action->trigger();
    EXPECT_EQ(desk.window().scene().camera(), somewhere(10));
    // Also those without a key by their letters.
    for (const char* name : {"B9", "B3"}) {
        desk.studio->act("help.palette");
        auto* letters = desk.window().findChild<QLineEdit*>("palette.line");
        QTest::keyClicks(letters, QString("Go to ") + name);
        QTest::keyClick(letters, Qt::Key_Return);
        EXPECT_EQ(desk.window().scene().camera(), somewhere(name[1] - '0')) << name;
    }
    desk.close();
    desk.open();
    desk.show_panel();
    EXPECT_EQ(desk.listed().size(), 11);
    EXPECT_EQ(desk.list()->topLevelItem(8)->text(1),
              QKeySequence("Alt+9").toString(QKeySequence::NativeText));
    EXPECT_EQ(desk.list()->topLevelItem(9)->text(1), "");
}

TEST(Bookmarks, NamesThatCannotBeAreRefusedBeforeTheyAreKept) {
    Desk desk("bookmarks-names.caprock");
    desk.create();
    desk.bookmark(somewhere(0), "Summit");
    std::string before = text_at(desk.file());
    desk.window().scene().setFocus();
    QTest::keyClick(&desk.window().scene(), Qt::Key_B, Qt::ControlModifier);
    ASSERT_TRUE(desk.line()->isVisible());
    EXPECT_EQ(desk.line()->text(), "View 2");
    EXPECT_EQ(desk.line()->selectedText(), "View 2");
    QTest::keyClicks(desk.line(), " Summit ");
    EXPECT_TRUE(desk.note().contains("already")) << desk.note().toStdString();
    QTest::keyClick(desk.line(), Qt::Key_Return);
    EXPECT_TRUE(desk.line()->isVisible()) << "it is asked until it is answered";
    desk.line()->clear();
    EXPECT_TRUE(desk.note().contains("must have a name")) << desk.note().toStdString();
    QTest::keyClick(desk.line(), Qt::Key_Return);
    EXPECT_EQ(text_at(desk.file()), before);
    QTest::keyClick(desk.line(), Qt::Key_Escape);
    EXPECT_FALSE(desk.line()->isVisible());
    EXPECT_TRUE(desk.window().scene().hasFocus());
    EXPECT_EQ(text_at(desk.file()), before);

    desk.bookmark(somewhere(9), "Harbour");
    desk.show_panel();
    before = text_at(desk.file());
    desk.rename(1, "Summit");
    EXPECT_TRUE(desk.notice().contains("“Summit” already")) << desk.notice().toStdString();
    EXPECT_TRUE(desk.status().contains("“Summit” already"));
    EXPECT_EQ(desk.listed(), (QStringList{"Summit", "Harbour"}));
    desk.rename(1, "");
    EXPECT_TRUE(desk.notice().contains("must have a name")) << desk.notice().toStdString();
    EXPECT_EQ(desk.listed(), (QStringList{"Summit", "Harbour"}));
    EXPECT_EQ(text_at(desk.file()), before);
    desk.rename(0, "Top");
    EXPECT_EQ(desk.notice(), "");
    EXPECT_EQ(desk.listed(), (QStringList{"Top", "Harbour"})) << "in its place";
    EXPECT_EQ(*read_bookmarks(desk.file()).find("Top"), somewhere(0));
}

TEST(Bookmarks, ThePanelGoesAimsRemovesAndTakesBack) {
    Desk desk("bookmarks-panel.caprock");
    desk.create();
    MainWindow& window = desk.window();
    EXPECT_TRUE(window.findChild<QDockWidget*>("dock-bookmarks")->isHidden()) << "until it is asked for";
    desk.show_panel();
    auto* invitation = window.findChild<QLabel*>("bookmarks_invitation");
    EXPECT_TRUE(invitation->isVisible());
    EXPECT_TRUE(invitation->text().contains("Ctrl+B"));
    window.scene().set_camera(somewhere(0));
    desk.press("bookmarks_add");
    QTest::keyClick(desk.line(), Qt::Key_Return);
    EXPECT_FALSE(invitation->isVisible());
    desk.bookmark(somewhere(20));
    desk.bookmark(somewhere(40));
    desk.click_row(1, true);
    EXPECT_EQ(window.scene().camera(), somewhere(20));
    desk.list()->setFocus();
    QTest::keyClick(desk.list(), Qt::Key_Up);
    QTest::keyClick(desk.list(), Qt::Key_Return);
    EXPECT_EQ(window.scene().camera(), somewhere(0));

    window.scene().set_camera(somewhere(77));
    desk.press("bookmarks_aim");
    EXPECT_EQ(*read_bookmarks(desk.file()).find("View 1"), somewhere(77));
    EXPECT_EQ(desk.listed(), (QStringList{"View 1", "View 2", "View 3"})) << "it keeps its place";

    size_t layers = desk.studio->state().layers.size();
    desk.click_row(1);
    desk.list()->setFocus();
    QTest::keyClick(desk.list(), Qt::Key_Delete);
    desk.studio->settle();
    EXPECT_EQ(desk.studio->state().layers.size(), layers) << "the key is the list's here";
    EXPECT_EQ(names_in(read_bookmarks(desk.file())), (std::vector<std::string>{"View 1", "View 3"}));
    EXPECT_EQ(window.scene().camera(), somewhere(77)) << "nobody moved";
    EXPECT_EQ(window.actions().find("bookmark.go-2")->text(), "Go to “View 3”");
    desk.press("bookmarks_back");
    EXPECT_EQ(desk.listed(), (QStringList{"View 1", "View 2", "View 3"}));
    EXPECT_EQ(*read_bookmarks(desk.file()).find("View 2"), somewhere(20));
    desk.press("bookmarks_back");
    EXPECT_EQ(*read_bookmarks(desk.file()).find("View 1"), somewhere(0));

    for (QToolButton* button : window.findChild<BookmarksPanel*>()->findChildren<QToolButton*>())
        if (button->objectName().startsWith("bookmarks_")) {
            EXPECT_FALSE(button->toolTip().isEmpty()) << button->objectName().toStdString();
            EXPECT_FALSE(button->icon().isNull()) << button->objectName().toStdString();
        }
}

TEST(Bookmarks, AreThereWhenTheDocumentIsOpenedAgain) {
    Desk desk("bookmarks-again.caprock");
    desk.create();
    desk.bookmark(somewhere(0), "Summit");
    desk.bookmark(somewhere(30), "Ford");
    desk.close();
    desk.open();
    QTest::keyClick(&desk.window().scene(), Qt::Key_2, Qt::AltModifier);
    EXPECT_EQ(desk.window().scene().camera(), somewhere(30));
    // Closed, nothing of it is left; another document has its own.
    desk.studio->act("bookmark.add");
    ASSERT_TRUE(desk.line()->isVisible());
    desk.window().close_document();
    desk.studio->settle();
    EXPECT_FALSE(desk.line()->isVisible()) << "what was seen is gone";
    EXPECT_FALSE(desk.window().actions().find("bookmark.go-1")->isEnabled());
    EXPECT_FALSE(desk.window().actions().find("bookmark.add")->isEnabled());
    Desk other("bookmarks-other.caprock");
    Grid grid;
    grid.extent = {0, 0, 64, 64};
    desk.window().create_document(QString::fromStdString(other.path), grid, "hills");
    desk.studio->settle();
    EXPECT_TRUE(desk.window().bookmarks().all().empty());
}

TEST(Bookmarks, OneThatIsAskedForTooEarlyIsGoneToWhenTheLandIsThere) {
    Desk desk("bookmarks-early.caprock");
    desk.create();
    desk.bookmark(somewhere(12));
    desk.close();
    desk.studio = std::make_unique<Studio>();
    MainWindow& window = desk.window();
    window.open_file(QString::fromStdString(desk.path));
    // As soon as the document is known; its cells come later.
    bool early = false;
    QObject::connect(&window, &MainWindow::document_changed, &window, [&](const DocumentViewPointer& view) {
        if (!view || !view->opened) return;
        early = window.board().empty();
        QMetaObject::invokeMethod(
            &window, [&] { window.actions().find("bookmark.go-1")->trigger(); }, Qt::DirectConnection);
    });
    desk.ready();
    QTest::qWait(100);
    EXPECT_TRUE(early);
    EXPECT_EQ(window.scene().camera(), somewhere(12));
}

TEST(Bookmarks, FilesOfOthersAreReadAndTheirChangesKept) {
    Desk desk("bookmarks-others.caprock");
    desk.create();
    Bookmarks theirs;
    theirs.set("Theirs", somewhere(5));
    save_bookmarks(theirs, desk.file());
    // The next change is made to what is there now.
    desk.bookmark(somewhere(6), "Ours");
    EXPECT_EQ(names_in(read_bookmarks(desk.file())), (std::vector<std::string>{"Theirs", "Ours"}));
    // What the list holds and the file has lost is not written away.
    std::filesystem::remove(desk.file());
    desk.bookmark(somewhere(7), "Third");
    EXPECT_EQ(names_in(read_bookmarks(desk.file())), (std::vector<std::string>{"Theirs", "Ours", "Third"}));
    // Nothing is taken back over what somebody else has done since.
    theirs = read_bookmarks(desk.file());
    theirs.set("Fourth", somewhere(8));
    save_bookmarks(theirs, desk.file());
    EXPECT_FALSE(desk.window().bookmarks().take_back());
    EXPECT_EQ(read_bookmarks(desk.file()), theirs);
}

TEST(Bookmarks, AFileThatCannotBeReadIsToldAndNeverWrittenOver) {
    Desk desk("bookmarks-wrong.caprock");
    desk.create();
    desk.close();
    for (const std::string& wrong :
         {std::string("{\"caprock-bookmarks\": 1, \"bookmarks\": [{\"name\": \"Summit\", \"heading\": 3}]}"),
          std::string("no JSON at all"), std::string("{\"caprock-bookmarks\": 99, \"bookmarks\": []}"),
          std::string()}) {
        write_at(desk.file(), wrong);
        desk.open();
        desk.show_panel();
        EXPECT_TRUE(desk.notice().contains(QString::fromStdString(desk.file())))
            << desk.notice().toStdString();
        EXPECT_FALSE(desk.window().findChild<QLabel*>("bookmarks_invitation")->isVisible());
        desk.studio->act("bookmark.add");
        EXPECT_FALSE(desk.line()->isVisible());
        EXPECT_TRUE(desk.status().contains(QString::fromStdString(desk.file())))
            << desk.status().toStdString();
        EXPECT_FALSE(desk.window().bookmarks().add("A", somewhere(1)));
        EXPECT_EQ(text_at(desk.file()), wrong);
        desk.close();
        EXPECT_EQ(text_at(desk.file()), wrong);
    }
    write_at(desk.file(), R"({"caprock-bookmarks": 1, "bookmarks": [{"name": "Summit", "heading": 3}]})");
    desk.open();
    desk.show_panel();
    EXPECT_TRUE(desk.notice().contains("Summit") && desk.notice().contains("position"))
        << "which one, and what is wrong with it: " << desk.notice().toStdString();
    // Put right, it is taken without more ado.
    Bookmarks right;
    right.set("Summit", somewhere(3));
    save_bookmarks(right, desk.file());
    desk.bookmark(somewhere(4), "Next");
    EXPECT_EQ(desk.listed(), (QStringList{"Summit", "Next"}));
    EXPECT_EQ(desk.notice(), "");
}

TEST(Bookmarks, WhatCannotBeWrittenIsNotShownAsKept) {
    Desk desk("bookmarks-full.caprock");
    desk.create();
    desk.bookmark(somewhere(0), "Summit");
    QSignalSpy failed(&desk.window().bookmarks(), &KeptBookmarks::failed);
    // Its place in the list is there, but a folder is in the way of the file.
    std::filesystem::remove(desk.file());
    std::filesystem::create_directory(desk.file());
    EXPECT_FALSE(desk.window().bookmarks().add("Lost", somewhere(1)));
    ASSERT_GE(failed.size(), 1);
    EXPECT_TRUE(failed.back()[0].toString().contains("folder")) << failed.back()[0].toString().toStdString();
    ASSERT_EQ(desk.window().bookmarks().all().size(), 1u) << "what is known is still there to go to";
    EXPECT_TRUE(desk.window().bookmarks().find("Summit"));
    std::filesystem::remove(desk.file());
}

TEST(Bookmarks, ASecondWindowGoesThereButKeepsNone) {
    Desk first("bookmarks-second.caprock");
    first.create();
    first.bookmark(somewhere(0), "Summit");
    std::string before = text_at(first.file());
    Studio second;
    MainWindow& window = second.window();
    window.open_file(QString::fromStdString(first.path));
    second.settle();
    ASSERT_TRUE(window.document() && window.document()->read_only);
    second.act("bookmark.go-1");
    EXPECT_EQ(window.scene().camera(), somewhere(0));
    second.act("bookmark.manage");
    QTest::qWait(50);
    auto* notice = window.findChild<QLabel*>("bookmarks_notice");
    EXPECT_TRUE(notice->isVisible() && notice->text().contains("reading only"));
    for (const char* name : {"bookmarks_add", "bookmarks_aim", "bookmarks_remove", "bookmarks_back"})
        EXPECT_FALSE(window.findChild<QToolButton*>(name)->isEnabled()) << name;
    EXPECT_TRUE(window.findChild<QToolButton*>("bookmarks_go")->isEnabled());
    second.act("bookmark.add");
    EXPECT_FALSE(window.findChild<QLineEdit*>("bookmark_name_line")->isVisible());
    EXPECT_TRUE(window.statusBar()->currentMessage().contains("reading only"))
        << window.statusBar()->currentMessage().toStdString();
    EXPECT_EQ(text_at(first.file()), before);
    // What the first one keeps is seen when one looks again.
    ASSERT_TRUE(first.window().bookmarks().add("Ford", somewhere(1)));
    window.bookmarks().look_again();
    EXPECT_EQ(window.bookmarks().all().size(), 2u);
}

TEST(Bookmarks, GoWithACopyAndReplaceNobodysOthers) {
    Desk desk("bookmarks-original.caprock");
    desk.create();
    desk.bookmark(somewhere(0), "Summit");
    Desk copy("bookmarks-copy.caprock");
    std::filesystem::remove(copy.file() + ".old-1");
    Bookmarks older;
    older.set("Older", somewhere(9));
    save_bookmarks(older, copy.file());
    desk.window().save_copy(QString::fromStdString(copy.path));
    desk.studio->settle();
    ASSERT_EQ(desk.window().document()->path, copy.path);
    EXPECT_EQ(names_in(read_bookmarks(copy.file())), (std::vector<std::string>{"Summit"}));
    EXPECT_EQ(read_bookmarks(copy.file() + ".old-1"), older);
    EXPECT_TRUE(desk.status().contains("old-1")) << desk.status().toStdString();
    desk.bookmark(somewhere(2), "Only in the copy");
    EXPECT_EQ(read_bookmarks(copy.file()).all().size(), 2u);
    EXPECT_EQ(read_bookmarks(desk.file()).all().size(), 1u);
    // Onto itself nothing happens to them.
    desk.window().save_copy(QString::fromStdString(copy.path));
    desk.studio->settle();
    EXPECT_EQ(read_bookmarks(copy.file()).all().size(), 2u);
}

TEST(Bookmarks, OfTheMapAreFromStraightAbove) {
    Desk desk("bookmarks-map.caprock");
    desk.create();
    MainWindow& window = desk.window();
    window.scene().set_camera(somewhere(3));
    desk.studio->act("view.map");
    QTest::qWait(50);
    window.map().frame(150, 90, 30);
    desk.studio->act("bookmark.add");
    QTest::keyClick(desk.line(), Qt::Key_Return);
    const Camera camera = read_bookmarks(desk.file()).all().at(0).camera;
    EXPECT_EQ(camera.pitch, -90);
    EXPECT_EQ(camera.heading, 0);
    desk.studio->act("bookmark.go-1");
    QTest::qWait(50);
    // The same ground is in the middle, and as much of it is seen.
    std::optional<GroundPoint> ground = window.scene().centre();
    ASSERT_TRUE(ground);
    EXPECT_NEAR(ground->x, 150, 2);
    EXPECT_NEAR(ground->y, 90, 2);
}

// The command that is copied draws what the view shows, also where only a part of the document is shown: the command line
// counts from that part's corner, the bookmark does not.
TEST(Bookmarks, TheCommandLineSeesTheSame) {
    Desk desk("bookmarks' command.caprock");
    desk.create();
    MainWindow& window = desk.window();
    window.scene().frame_all();
    // Another field of view than cameras have by themselves.
    const Camera camera = [&] {
        Camera seen = turned(window.scene().camera(), 7, -4);
        seen.field_of_view = 50;
        return seen;
    }();
    desk.bookmark(camera, "It's here");
    for (bool cropped : {false, true}) {
        if (cropped) {
            window.workshop().change("crop", [](Document& document, RunContext&) {
                crop_document(document, {60, 40, 180, 190});
                document.flush();
            });
            desk.studio->settle();
        }
        desk.studio->act("bookmark.go-1");
        EXPECT_EQ(window.scene().camera(), camera);
        desk.show_panel();
        desk.click_row(0);
        Q_EMIT desk.list()->customContextMenuRequested(
            desk.list()->visualItemRect(desk.list()->topLevelItem(0)).center());
        auto* menu = window.findChild<QMenu*>("bookmarks_menu");
        ASSERT_TRUE(menu);
        for (QAction* action : menu->actions())
            if (action->text() == "Copy as command") action->trigger();
        menu->close();
        QString command = QGuiApplication::clipboard()->text();
        ASSERT_TRUE(command.startsWith("caprock render ")) << command.toStdString();
        QTemporaryDir folder;
        QProcess shell;
        shell.setWorkingDirectory(folder.path());
        // Colours of heights, with the window's detail. Layers of rock in the walls begin at the corner of what is shown.
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("CAPROCK", test::caprock_program);
        shell.setProcessEnvironment(environment);
        shell.start(
            "sh",
            {"-c", QString("\"$CAPROCK\" %1 --size 200x150 --scheme grey --no-shadows --no-walls --error 2")
                       .arg(command.mid(int(strlen("caprock "))))});
        ASSERT_TRUE(shell.waitForFinished(120000));
        QByteArray said = shell.readAllStandardError();
        ASSERT_EQ(shell.exitCode(), 0) << said.toStdString();
        if (said.contains("map instead")) GTEST_SKIP() << "no OpenGL for the command line here";
        QImage drawn(folder.filePath("It's here.png"));
        ASSERT_EQ(drawn.size(), QSize(200, 150));
        window.look().change([](LookSettings& look) {
            look.scheme = "grey";
            look.shadows = false;
            look.walls = false;
        });
        QImage shown = picture_of(window.scene().shot(), {200, 150});
        ASSERT_EQ(shown.size(), drawn.size());
        // From ten metres beside it is another picture; far less than the corner is away from the first cell.
        Camera beside = camera;
        beside.position.x += 10;
        window.scene().set_camera(beside);
        QImage other = picture_of(window.scene().shot(), {200, 150});
        auto difference = [&](const QImage& picture) {
            double sum = 0;
            for (int y = 0; y < drawn.height(); y++)
                for (int x = 0; x < drawn.width(); x++)
                    sum += std::abs(qGray(drawn.pixel(x, y)) - qGray(picture.pixel(x, y)));
            return sum / (drawn.width() * drawn.height());
        };
        // Drivers may round a colour otherwise.
        EXPECT_LT(difference(shown), difference(other) / 4) << command.toStdString();
    }
}

}  // namespace
}  // namespace caprock::editor

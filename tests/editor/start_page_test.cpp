#include "dialogs/start_page.h"

#include "compute/devices.h"
#include "core/document_sources.h"
#include "dialogs/preset_pictures.h"
#include "editor/test_folder.h"
#include "graph/evaluator.h"

#include <QBuffer>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QDropEvent>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <filesystem>
#include <gtest/gtest.h>

namespace caprock::editor {
namespace {

QString path_of_fresh_folder(const char* name) { return QString::fromStdString(fresh_folder(name).string()); }

struct Page {
    QString folder = path_of_fresh_folder("start");
    StartPage page;

    Page() {
        page.resize(1100, 700);
        set<QLineEdit>("start.folder")->setText(folder);
        set<QLineEdit>("start.name")->setText("Land");
    }
    template <typename Widget>
    Widget* set(const char* name) {
        auto* found = page.findChild<Widget*>(name);
        EXPECT_TRUE(found) << name;
        return found;
    }
    QString warning() { return set<QLabel>("start.warning")->text(); }
    bool can_create() { return set<QPushButton>("start.create")->isEnabled(); }
    void choose(const QString& title) {
        auto* list = set<QListWidget>("start.presets");
        list->setCurrentItem(list->findItems(title, Qt::MatchExactly).value(0));
    }
};

TEST(StartPage, AsksForADocumentOfTheChosenGridAndPreset) {
    Page start;
    QSignalSpy created(&start.page, &StartPage::create_wanted);
    auto* size = start.set<QComboBox>("start.size");
    size->setCurrentIndex(size->findData(2017));
    start.choose("A mesa");
    QTest::mouseClick(start.set<QPushButton>("start.create"), Qt::LeftButton);
    ASSERT_EQ(created.count(), 1);
    auto wanted = created[0][0].value<NewDocument>();
    EXPECT_EQ(wanted.path, start.folder + "/Land.caprock");
    EXPECT_EQ(wanted.preset, "mesa");
    EXPECT_EQ(wanted.grid.extent, (Rect{0, 0, 2017, 2017}));
    // Cell and range are those that the preset was made for, unless changed afterwards.
    EXPECT_EQ(wanted.grid.cell, 1);
    EXPECT_EQ(wanted.grid.range, (Interval{0, 300}));
    start.set<QDoubleSpinBox>("start.cell")->setValue(2.5);
    start.set<QDoubleSpinBox>("start.high")->setValue(450);
    EXPECT_EQ(start.page.wanted().grid.cell, 2.5);
    EXPECT_EQ(start.page.wanted().grid.range, (Interval{0, 450}));
}

TEST(StartPage, OffersTheSizesOfEnginesAndAnOwnOne) {
    Page start;
    start.page.show();
    auto* size = start.set<QComboBox>("start.size");
    for (int side : {1009, 2017, 4033, 8129, 513, 1025, 2049, 4097, 1024, 2048, 4096})
        EXPECT_GE(size->findData(side), 0) << side;
    EXPECT_FALSE(start.set<QSpinBox>("start.width")->isVisible());
    size->setCurrentIndex(size->findData(-1));
    EXPECT_TRUE(start.set<QSpinBox>("start.width")->isVisible());
    start.set<QSpinBox>("start.width")->setValue(300);
    start.set<QSpinBox>("start.height")->setValue(200);
    EXPECT_EQ(start.page.wanted().grid.extent, (Rect{0, 0, 300, 200}));
    EXPECT_TRUE(start.set<QLabel>("start.facts")->text().contains("234.4 KiB"));
}

TEST(StartPage, SaysWhatIsWrongBeforeAnythingIsMade) {
    Page start;
    EXPECT_TRUE(start.can_create()) << start.warning().toStdString();
    start.set<QDoubleSpinBox>("start.high")->setValue(-5);
    EXPECT_FALSE(start.can_create());
    EXPECT_TRUE(start.warning().contains("low end must be below")) << start.warning().toStdString();
    start.set<QDoubleSpinBox>("start.high")->setValue(1000);
    start.set<QDoubleSpinBox>("start.cell")->setValue(0);
    EXPECT_TRUE(start.warning().contains("Cell size 0")) << start.warning().toStdString();
    start.set<QDoubleSpinBox>("start.cell")->setValue(8);
    start.set<QLineEdit>("start.name")->setText("");
    EXPECT_TRUE(start.warning().contains("needs a name"));
    start.set<QLineEdit>("start.name")->setText("Land");
    start.set<QLineEdit>("start.folder")->setText("/no/such/folder");
    EXPECT_TRUE(start.warning().contains("/no/such/folder"));
    start.set<QLineEdit>("start.folder")->setText(start.folder);
    QFile taken(start.folder + "/Land.caprock");
    ASSERT_TRUE(taken.open(QIODevice::WriteOnly));
    taken.close();
    start.set<QLineEdit>("start.name")->setText("Land.caprock");
    EXPECT_FALSE(start.can_create());
    EXPECT_TRUE(start.warning().contains("Land 2"));
    // Much land is possible all the same, with a word of warning.
    start.set<QLineEdit>("start.name")->setText("Large");
    auto* size = start.set<QComboBox>("start.size");
    size->setCurrentIndex(size->findData(-1));
    start.set<QSpinBox>("start.width")->setValue(65536);
    start.set<QSpinBox>("start.height")->setValue(65536);
    EXPECT_TRUE(start.can_create());
    EXPECT_TRUE(start.warning().contains("Simulations"));
}

TEST(StartPage, FillingMakesThePresetAndKeepsItsHeights) {
    QString folder = path_of_fresh_folder("filling");
    NewDocument wanted;
    wanted.path = folder + "/mesa.caprock";
    wanted.preset = "mesa";
    wanted.grid = find_preset_card("mesa")->grid;
    wanted.grid.extent = {0, 0, 200, 100};
    wanted.grid.range = {-100, 900};
    auto document =
        document_from_preset(wanted.path.toStdString(), {}, wanted.grid, wanted.preset.toStdString());
    ASSERT_EQ(document->state().layers.size(), 1u);
    EXPECT_EQ(document->state().layers[0].name, "A mesa");
    EXPECT_EQ(document->state().layers[0].range, (Interval{0, 300}));
}

TEST(StartPage, ExamplesBecomeDocumentsUnderANameThatIsFree) {
    Page start;
    start.page.show();
    QSignalSpy created(&start.page, &StartPage::create_wanted);
    auto* examples = start.set<QListWidget>("start.examples");
    ASSERT_GE(examples->count(), 3);
    QFile taken(start.folder + "/A mesa.caprock");
    ASSERT_TRUE(taken.open(QIODevice::WriteOnly));
    QTest::mouseClick(examples->viewport(), Qt::LeftButton, {},
                      examples->visualItemRect(examples->item(0)).center());
    ASSERT_EQ(created.count(), 1);
    auto wanted = created[0][0].value<NewDocument>();
    EXPECT_EQ(wanted.preset, "mesa");
    EXPECT_EQ(wanted.path, start.folder + "/A mesa 2.caprock");
    EXPECT_EQ(wanted.grid, find_preset_card("mesa")->grid);
}

TEST(StartPage, ListsRecentDocumentsWithTheirPictures) {
    QSettings().remove("recent");
    QString folder = path_of_fresh_folder("recent");
    QString path = folder + "/pictured.caprock";
    {
        Grid grid;
        grid.extent = {0, 0, 64, 64};
        auto document = Document::create(path.toStdString(), grid);
        QImage red(64, 40, QImage::Format_RGB888);
        red.fill(Qt::red);
        QByteArray png;
        QBuffer buffer(&png);
        buffer.open(QIODevice::WriteOnly);
        red.save(&buffer, "PNG");
        document->set_thumbnail(png.toStdString());
        document->save();
    }
    remember_recent(folder + "/gone.caprock");
    remember_recent(path);
    remember_recent(path);
    EXPECT_EQ(recent_documents(), (QStringList{path, folder + "/gone.caprock"}));

    Page start;
    start.page.show();
    auto* recent = start.set<QListWidget>("start.recent");
    ASSERT_EQ(recent->count(), 2);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !recent->item(0)->icon().isNull(); }, 30000));
    QImage shown = recent->item(0)->icon().pixmap(64, 40).toImage();
    EXPECT_EQ(shown.pixelColor(20, 20), QColor(Qt::red));

    QSignalSpy opened(&start.page, &StartPage::open_wanted);
    auto click = [&](int row) {
        QTest::mouseClick(recent->viewport(), Qt::LeftButton, {},
                          recent->visualItemRect(recent->item(row)).center());
    };
    click(1);
    EXPECT_EQ(opened.count(), 0);
    EXPECT_TRUE(start.warning().contains("gone.caprock"));
    QTest::keyClick(recent, Qt::Key_Delete);
    EXPECT_EQ(recent_documents(), QStringList{path});
    ASSERT_EQ(recent->count(), 1);
    click(0);
    ASSERT_EQ(opened.count(), 1);
    EXPECT_EQ(opened[0][0].toString(), path);
    for (int i = 0; i < 30; i++) remember_recent(QString("/some/%1.caprock").arg(i));
    EXPECT_LE(recent_documents().size(), 12);
    EXPECT_EQ(recent_documents().front(), "/some/29.caprock");
    QSettings().remove("recent");
}

TEST(StartPage, TakesFilesThatAreDroppedOnIt) {
    Page start;
    start.page.show();
    QSignalSpy opened(&start.page, &StartPage::open_wanted);
    QSignalSpy imported(&start.page, &StartPage::import_wanted);
    auto drop = [&](const QString& path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDropEvent event(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, {});
        static_cast<QObject&>(start.page).event(&event);
    };
    drop("/lands/mine.caprock");
    drop("/lands/alps.tif");
    ASSERT_EQ(opened.count(), 1);
    ASSERT_EQ(imported.count(), 1);
    EXPECT_EQ(opened[0][0].toString(), "/lands/mine.caprock");
    EXPECT_EQ(imported[0][0].toString(), "/lands/alps.tif");
}

TEST(StartPage, AsksForTheTour) {
    Page start;
    QSignalSpy asked(&start.page, &StartPage::tour_wanted);
    QTest::mouseClick(start.set<QPushButton>("start.tour"), Qt::LeftButton);
    EXPECT_EQ(asked.count(), 1);
}

TEST(PresetPictures, AreLandscapesOnly) {
    ASSERT_GE(preset_cards().size(), 10u);
    for (const PresetCard& card : preset_cards()) {
        EXPECT_FALSE(card.name.contains("figure")) << card.name.toStdString();
        EXPECT_FALSE(card.title.isEmpty());
        EXPECT_FALSE(card.about.isEmpty());
    }
    EXPECT_TRUE(find_preset_card("mesa"));
    EXPECT_FALSE(find_preset_card("figure-04a"));
}

// Where nobody else draws them meanwhile.
struct CacheOfItsOwn {
    const QByteArray shared = qgetenv("XDG_CACHE_HOME");

    CacheOfItsOwn() { qputenv("XDG_CACHE_HOME", path_of_fresh_folder("pictures").toUtf8()); }
    ~CacheOfItsOwn() { qputenv("XDG_CACHE_HOME", shared); }
};

TEST(PresetPictures, AreDrawnOnceAndKept) {
    CacheOfItsOwn cache;
    QString file = preset_picture_file("hills");
    EXPECT_FALSE(QFileInfo::exists(file));
    Progress progress;
    QImage drawn = preset_picture("hills", progress);
    EXPECT_EQ(drawn.size(), preset_picture_size);
    ASSERT_TRUE(QFileInfo::exists(file));
    QImage kept = preset_picture("hills", progress);
    EXPECT_EQ(kept.convertToFormat(QImage::Format_RGB888), drawn);
    // Somebody who leaves the page does not wait for it.
    QFile::remove(file);
    Progress stopped;
    stopped.cancel();
    EXPECT_THROW(preset_picture("hills", stopped), Cancelled);
    EXPECT_FALSE(QFileInfo::exists(file));
}

}  // namespace
}  // namespace caprock::editor

// Changes that cannot be written: the window says so at once and until that is solved, and nobody leaves past it.
#include "document/verify.h"
#include "studio.h"
#include "support/folder.h"

#include <QAbstractButton>
#include <QDialog>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QTimer>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace caprock::editor {
namespace {

namespace fs = std::filesystem;

// Answers the questions that come up while a test waits in one of them, in their order.
class Answers : public QObject {
  public:
    Answers() {
        connect(&timer_, &QTimer::timeout, this, &Answers::look);
        timer_.start(20);
    }
    // `dialog` and `button` by their names; for a dialog that asks for a file, `file` is typed.
    void expect(const char* dialog, const char* button, const QString& file = {}) {
        waiting_.push_back({dialog, button, file});
    }
    bool all_asked() const { return waiting_.empty(); }
    QString last_question() const { return question_; }

  private:
    struct Answer {
        QString dialog, button, file;
    };
    void look() {
        if (waiting_.empty()) return;
        auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        if (!dialog || dialog->objectName() != waiting_.front().dialog) return;
        Answer answer = waiting_.front();
        waiting_.erase(waiting_.begin());
        if (auto* label = dialog->findChild<QLabel*>("qt_msgbox_label")) question_ = label->text();
        if (!answer.file.isEmpty()) {
            dialog->findChild<QLineEdit*>("fileNameEdit")->setText(answer.file);
            QTest::keyClick(dialog->findChild<QLineEdit*>("fileNameEdit"), Qt::Key_Return);
        } else if (answer.button.isEmpty()) {
            QTest::keyClick(dialog, Qt::Key_Escape);
        } else {
            QTest::mouseClick(dialog->findChild<QAbstractButton*>(answer.button), Qt::LeftButton);
        }
    }

    QTimer timer_;
    std::vector<Answer> waiting_;
    QString question_;
};

// A window with a land in a folder of its own, and a hand that paints on it.
struct Painter {
    Studio studio;
    QString path;

    explicit Painter(const std::string& at) : path(QString::fromStdString(at)) {
        Grid grid;
        grid.extent = {0, 0, 200, 200};
        studio.window().create_document(path, grid, "hills");
        studio.settle();
        paint(0);
        studio.window().workshop().write_all();
        studio.settle();
    }
    void paint(int number) {
        QWidget* view = &studio.window().scene();
        QPointF middle(view->width() / 2.0, view->height() / 2.0 + 10 * number);
        studio.drag(view, line(middle, middle + QPointF(60, 20), 4));
        studio.settle();
    }
    QWidget& bar() { return *studio.window().findChild<QWidget*>("trouble"); }
    QString words() {
        return bar().findChild<QLabel*>("trouble-what")->text() + " " +
               bar().findChild<QLabel*>("trouble-remedy")->text();
    }
    bool wait_for_bar(bool shown) {
        return QTest::qWaitFor([&] { return bar().isVisible() == shown; }, 30000);
    }
};

TEST(Unwritten, IsShownUntilItIsSolvedAndAskedAboutBeforeLeaving) {
    test::Folder folder;
    std::string home = folder / "home";
    fs::create_directory(home);
    Painter painter(home + "/land.caprock");
    MainWindow& window = painter.studio.window();
    int64_t written = window.document()->position;
    EXPECT_FALSE(painter.bar().isVisible());
    EXPECT_FALSE(window.isWindowModified());

    fs::rename(home, folder / "away");
    painter.paint(1);
    ASSERT_TRUE(painter.wait_for_bar(true));
    EXPECT_TRUE(painter.words().contains("land.caprock")) << painter.words().toStdString();
    EXPECT_TRUE(painter.words().contains("is gone")) << painter.words().toStdString();
    EXPECT_TRUE(painter.words().contains("1 change is only in memory")) << painter.words().toStdString();
    EXPECT_EQ(painter.bar().width(), window.width());
    EXPECT_GE(window.scene().mapTo(&window, QPoint(0, 0)).y(),
              painter.bar().mapTo(&window, QPoint(0, 0)).y() + painter.bar().height());
    EXPECT_TRUE(window.isWindowModified());
    EXPECT_TRUE(window.findChild<QLabel*>("unwritten-changes")->isVisible());
    painter.paint(2);
    ASSERT_TRUE(QTest::qWaitFor([&] { return painter.words().contains("2 changes are only"); }, 5000));
    // Asking for it again does not make it go.
    QTest::mouseClick(painter.bar().findChild<QAbstractButton*>("trouble-again"), Qt::LeftButton);
    EXPECT_TRUE(painter.bar().isVisible());

    // By every door.
    Answers answers;
    answers.expect("unwritten", "leave-stay");
    painter.studio.act("file.quit");
    EXPECT_TRUE(window.isVisible());
    EXPECT_TRUE(answers.last_question().contains("2 changes to")) << answers.last_question().toStdString();
    answers.expect("unwritten", "leave-again");
    answers.expect("unwritten", "");
    EXPECT_FALSE(window.close());
    answers.expect("unwritten", "leave-stay");
    painter.studio.act("file.close");
    Grid grid;
    grid.extent = {0, 0, 64, 64};
    answers.expect("unwritten", "leave-stay");
    window.create_document(QString::fromStdString(folder / "other.caprock"), grid, "hills");
    answers.expect("unwritten", "leave-stay");
    window.open_file(QString::fromStdString(folder / "another.caprock"));
    answers.expect("unwritten", "leave-stay");
    window.open_file(QString::fromStdString(folder / "elevation.tif"));
    // A file that somebody has chosen and a place that does not do: it is asked again.
    answers.expect("unwritten", "leave-elsewhere");
    answers.expect("elsewhere", "", QString::fromStdString(folder / "nowhere/land.caprock"));
    answers.expect("not-elsewhere", "");
    answers.expect("unwritten", "leave-stay");
    painter.studio.act("file.quit");
    EXPECT_TRUE(answers.all_asked());
    painter.studio.settle();
    ASSERT_TRUE(window.document());
    EXPECT_EQ(window.document()->position, written + 2);
    EXPECT_FALSE(fs::exists(folder / "other.caprock"));

    // It goes by itself, and then there is nothing to ask.
    fs::rename(folder / "away", home);
    ASSERT_TRUE(painter.wait_for_bar(false));
    EXPECT_FALSE(window.isWindowModified());
    EXPECT_FALSE(window.findChild<QLabel*>("unwritten-changes")->isVisible());
    uint64_t shown = painter.studio.shown();
    EXPECT_TRUE(window.close());
    painter.studio.close();
    EXPECT_TRUE(verify_project(painter.path.toStdString()).sound());
    auto again = Document::open(painter.path.toStdString());
    EXPECT_EQ(again->position(), written + 2);
    EXPECT_EQ(composed_fingerprint(again->snapshot()), shown);
}

TEST(Unwritten, IsGivenUpOnlyWhereSomebodySaysSo) {
    test::Folder folder;
    std::string home = folder / "home";
    fs::create_directory(home);
    Painter painter(home + "/land.caprock");
    MainWindow& window = painter.studio.window();
    int64_t written = window.document()->position;
    fs::rename(home, folder / "away");
    painter.paint(1);
    // Right after the stroke: nobody knows yet that it cannot be written.
    Answers answers;
    answers.expect("unwritten", "leave-discard");
    EXPECT_TRUE(window.close());
    EXPECT_TRUE(answers.all_asked());
    painter.studio.close();
    fs::rename(folder / "away", home);
    EXPECT_EQ(Document::open(painter.path.toStdString())->position(), written);
}

// ---- a disk that is full --------------------------------------------------------------------------------------------

const char* small_disk() { return std::getenv("CAPROCK_SMALL_DISK"); }

// Every byte of the disk that the folder is on.
void fill_disk(const std::string& folder) {
    int file = ::open((folder + "/filler").c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
    ASSERT_GE(file, 0);
    std::vector<char> zeros(1 << 16);
    for (size_t size = zeros.size(); size > 0;) {
        ssize_t written = ::write(file, zeros.data(), size);
        if (written <= 0) size /= 2;
    }
    ::close(file);
}

// In a process that has such a disk, made by the test below.
TEST(UnwrittenOnASmallDisk, QuittingSavesElsewhere) {
    if (!small_disk()) GTEST_SKIP() << "there is no small disk here";
    test::Folder elsewhere;
    Painter painter(std::string(small_disk()) + "/land.caprock");
    MainWindow& window = painter.studio.window();
    int64_t written = window.document()->position;
    fill_disk(small_disk());
    // One stroke may still find room in the log.
    for (int i = 1; i <= 6 && !painter.bar().isVisible(); i++) {
        painter.paint(i);
        QTest::qWait(300);
    }
    ASSERT_TRUE(painter.bar().isVisible());
    EXPECT_TRUE(painter.words().contains("the disk is full")) << painter.words().toStdString();
    painter.paint(7);
    int64_t position = window.document()->position;
    EXPECT_GT(position, written);
    uint64_t shown = painter.studio.shown();
    QString path = QString::fromStdString(elsewhere / "kept.caprock");
    Answers answers;
    answers.expect("unwritten", "leave-elsewhere");
    answers.expect("elsewhere", "", path);
    painter.studio.act("file.quit");
    EXPECT_TRUE(answers.all_asked());
    EXPECT_FALSE(window.isVisible());
    painter.studio.close();
    EXPECT_TRUE(verify_project(path.toStdString()).sound());
    auto again = Document::open(path.toStdString());
    EXPECT_EQ(again->position(), position);
    EXPECT_EQ(composed_fingerprint(again->snapshot()), shown);
    while (again->undo()) {
    }
    EXPECT_EQ(again->entries(), position);
}

TEST(Unwritten, OnADiskThatIsFull) {
    test::Folder folder;
    std::string mount = "mount -t tmpfs -o size=6m none '" + folder.path() + "'";
    auto run = [](const QStringList& words, QProcess& process) {
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start("unshare", QStringList{"-rm", "sh", "-c"} + words);
        return QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, 120000) &&
               process.exitCode() == 0;
    };
    QProcess trial;
    if (!run({QString::fromStdString(mount)}, trial)) GTEST_SKIP() << "no disk can be mounted here";
    QProcess child;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("CAPROCK_SMALL_DISK", QString::fromStdString(folder.path()));
    // The child has one test to run, whichever part of all this process runs.
    environment.remove("GTEST_TOTAL_SHARDS");
    environment.remove("GTEST_SHARD_INDEX");
    child.setProcessEnvironment(environment);
    QString command = QString::fromStdString(mount) + " && exec '" + QCoreApplication::applicationFilePath() +
                      "' --gtest_filter='UnwrittenOnASmallDisk.*'";
    bool well = run({command}, child);
    QByteArray said = child.readAll();
    EXPECT_TRUE(well && said.contains("PASSED  ] 1 test")) << said.toStdString();
}

}  // namespace
}  // namespace caprock::editor

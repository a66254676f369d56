// An editor that is killed while somebody paints: what it had written is there, and the next one offers it.
#include "document/verify.h"
#include "studio.h"

#include <QMessageBox>
#include <QProcess>
#include <QSettings>
#include <csignal>
#include <cstdio>

namespace caprock::editor {

// Paints until it is killed, and says how many changes are on disk.
int paint_until_killed(const char* path) {
    Studio studio;
    Grid grid;
    grid.extent = {0, 0, 256, 256};
    studio.window().create_document(path, grid, "hills");
    if (!QTest::qWaitFor([&] { return studio.window().document() && studio.window().settled(); }, 60000))
        return 1;
    QWidget* view = &studio.window().scene();
    for (int i = 0; i < 100000; i++) {
        QPointF middle(view->width() / 2.0, view->height() / 2.0);
        studio.drag(view, line(middle + QPointF(i % 50 - 90, 5), middle + QPointF(30, i % 60), 6));
        studio.window().workshop().change({}, [](Document& document, RunContext&) {
            document.flush();
            std::printf("written %lld\n", static_cast<long long>(document.position()));
            std::fflush(stdout);
        });
        QTest::qWait(5);
    }
    return 0;
}

namespace {

TEST(Killed, NothingThatWasWrittenIsLostAndItIsOffered) {
    std::string path = fresh_test_path("killed.caprock");
    QSettings().remove("session/open");
    QProcess child;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("CAPROCK_PAINT_UNTIL_KILLED", QString::fromStdString(path));
    child.setProcessEnvironment(environment);
    child.start(QCoreApplication::applicationFilePath(), {});
    ASSERT_TRUE(child.waitForStarted());
    long long written = 0;
    QByteArray said;
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            said += child.readAllStandardOutput();
            int last = said.lastIndexOf("written ");
            if (last >= 0 && said.indexOf('\n', last) > 0)
                written = said.mid(last + 8).split('\n').first().toLongLong();
            return written >= 8 || child.state() != QProcess::Running;
        },
        120000));
    ASSERT_GE(written, 8) << child.readAllStandardError().toStdString();
    ::kill(pid_t(child.processId()), SIGKILL);
    child.waitForFinished();

    // The settings are those of the one that was killed.
    QSettings().sync();
    EXPECT_EQ(QSettings().value("session/open").toString().toStdString(), path);
    Studio studio;
    studio.window().begin();
    auto* offer = studio.window().findChild<QMessageBox*>("recovered");
    ASSERT_TRUE(offer);
    EXPECT_TRUE(offer->isVisible());
    QTest::keyClick(offer, Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return studio.window().document() != nullptr; }, 30000));
    studio.settle();
    EXPECT_FALSE(studio.window().document()->read_only);
    EXPECT_GE(studio.window().document()->position, written);
    EXPECT_EQ(studio.shown(), composed_fingerprint(studio.window().document()->snapshot));
    studio.close();
    EXPECT_TRUE(verify_project(path).sound());
}

}  // namespace
}  // namespace caprock::editor

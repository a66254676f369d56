#include "document/commands.h"
#include "editor/test_folder.h"
#include "panels/history_panel.h"

#include <QLabel>
#include <QListView>
#include <QTest>
#include <filesystem>
#include <gtest/gtest.h>

namespace caprock::editor {
namespace {

TEST(HistoryPanel, AClickGoesToAnEntry) {
    Workshop workshop;
    HistoryPanel panel(workshop);
    DocumentViewPointer view;
    QObject::connect(&workshop, &Workshop::changed, &panel, [&](const DocumentViewPointer& now) {
        view = now;
        panel.set_document(now);
    });
    auto settle = [&] {
        ASSERT_TRUE(QTest::qWaitFor([&] { return !workshop.busy(); }, 60000));
        QCoreApplication::processEvents();
    };
    std::filesystem::path path = test_folder() / "history.caprock";
    std::filesystem::remove(path);
    Grid grid;
    grid.extent = {0, 0, 64, 64};
    workshop.create(QString::fromStdString(path.string()), grid);
    for (int i = 0; i < 3; i++)
        workshop.change("paint",
                        [](Document& document, RunContext&) { add_painted(document, "height", {}); });
    panel.resize(280, 300);
    panel.show();
    settle();
    auto* list = panel.findChild<QListView*>("history_list");
    ASSERT_EQ(list->model()->rowCount(), 4);
    EXPECT_EQ(list->model()->index(0, 0).data().toString(), "As it began");
    EXPECT_EQ(list->model()->index(1, 0).data().toString(), "Add 'Painted'");
    EXPECT_EQ(list->currentIndex().row(), 3);

    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualRect(list->model()->index(1, 0)).center());
    settle();
    EXPECT_EQ(view->position, 1);
    EXPECT_EQ(list->currentIndex().row(), 1);
    EXPECT_TRUE(list->model()->index(1, 0).data(Qt::FontRole).value<QFont>().bold());
    EXPECT_TRUE(list->model()->index(2, 0).data(Qt::ForegroundRole).isValid()) << "undone ones are grey";
    EXPECT_FALSE(list->model()->index(1, 0).data(Qt::ForegroundRole).isValid());
    EXPECT_FALSE(list->model()->index(1, 0).data(Qt::ToolTipRole).toString().isEmpty());
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualRect(list->model()->index(0, 0)).center());
    settle();
    EXPECT_TRUE(view->state().layers.empty());

    // Something new takes the place of what was undone.
    workshop.change("group", [](Document& document, RunContext&) { add_group(document, "G", {}); });
    settle();
    EXPECT_EQ(list->model()->rowCount(), 2);
    EXPECT_EQ(list->currentIndex().row(), 1);

    auto frozen = std::make_shared<DocumentView>(*view);
    frozen->read_only = true;
    panel.set_document(frozen);
    EXPECT_FALSE(list->isEnabled());
    EXPECT_TRUE(panel.findChild<QLabel*>("history_notice")->isVisible());
    panel.set_document(nullptr);
    EXPECT_EQ(list->model()->rowCount(), 0);
}

TEST(HistoryPanel, TwentyThousandEntriesAreNoBurden) {
    Workshop workshop;
    HistoryPanel panel(workshop);
    panel.resize(280, 400);
    panel.show();
    auto view = std::make_shared<DocumentView>();
    for (int i = 1; i <= 20000; i++) view->history.push_back({i, "set opacity of 'Talus'", 1700000000 + i});
    view->position = 20000;
    view->opened = true;
    panel.set_document(view);
    QCoreApplication::processEvents();
    auto* list = panel.findChild<QListView*>("history_list");
    for (int i = 0; i < 20; i++) {
        auto next = std::make_shared<DocumentView>(*view);
        next->opened = false;
        next->history.push_back({20001 + i, "raise", 1700000000});
        next->position = i % 2 ? 10 : 20001;
        panel.set_document(next);
        QCoreApplication::processEvents();
        EXPECT_EQ(list->currentIndex().row(), int(next->position));
        EXPECT_TRUE(list->viewport()->rect().intersects(list->visualRect(list->currentIndex())));
    }
}

}  // namespace
}  // namespace caprock::editor

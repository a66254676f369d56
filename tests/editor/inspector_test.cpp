#include "core/composer.h"
#include "panels/histogram.h"
#include "panels/inspector_panel.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QScrollArea>
#include <QTest>
#include <gtest/gtest.h>

namespace caprock::editor {
namespace {

// Ground that rises by 1 m for every metre to the east, with a hole, and hardness.
Composed slope(int side, double cell = 2) {
    Composed composed;
    composed.grid.extent = {0, 0, side, side};
    composed.grid.cell = cell;
    composed.window = composed.grid.extent;
    composed.fresh = composed.complete = true;
    composed.fields = {"height", "hardness"};
    Terrain terrain(composed.grid);
    Field height(composed.grid.extent, 0), hardness(composed.grid.extent, 0.25f);
    Field::WritableRows rows = height.writable_rows();
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) rows[y][x] = float(x * cell);
    rows[0][0] = missing;
    terrain.set("height", height);
    terrain.set("hardness", hardness);
    composed.parts.push_back(terrain);
    return composed;
}

QString text_of(const QWidget& panel, const char* name) { return panel.findChild<QLabel*>(name)->text(); }

TEST(InspectorPanel, SaysWhatIsUnderTheCursor) {
    Board board;
    InspectorPanel panel(board);
    panel.resize(280, 500);
    panel.show();
    EXPECT_EQ(text_of(panel, "inspector_cell"), "–");
    board.take(slope(64));
    auto view = std::make_shared<DocumentView>();
    auto state = std::make_shared<DocumentState>();
    state->grid = board.terrain().grid();
    view->snapshot.state = state;
    panel.set_document(view);
    EXPECT_FALSE(panel.findChild<QLabel*>("inspector_place")->isVisible());
    // A cell lies at a point: what is nearer to it than half a cell is its own.
    panel.set_cursor(20.9, 39.2);
    EXPECT_EQ(text_of(panel, "inspector_cell"), "10, 20");
    EXPECT_EQ(text_of(panel, "inspector_value_height"), "20.00 m");
    EXPECT_EQ(text_of(panel, "inspector_value_hardness"), "0.250");
    EXPECT_EQ(text_of(panel, "inspector_slope"), "45.0°");
    EXPECT_EQ(text_of(panel, "inspector_aspect"), "270°, west");
    panel.set_cursor(0, 0);
    EXPECT_EQ(text_of(panel, "inspector_value_height"), "missing");
    panel.set_cursor(-5, 0);
    EXPECT_EQ(text_of(panel, "inspector_value_height"), "–") << "outside";
    panel.set_cursor(20, 20);
    panel.clear_cursor();
    EXPECT_EQ(text_of(panel, "inspector_value_height"), "–");

    auto placed = std::make_shared<DocumentState>(*state);
    placed->georeference = Georeference{"", {500000, 2, 0, 4100000, 0, -2}, "", false};
    auto on_earth = std::make_shared<DocumentView>();
    on_earth->snapshot.state = placed;
    panel.set_document(on_earth);
    panel.set_cursor(20, 40);
    EXPECT_TRUE(panel.findChild<QLabel*>("inspector_place")->isVisible());
    EXPECT_LE(panel.findChild<QScrollArea*>()->widget()->minimumSizeHint().width(), 246);
    QString place = text_of(panel, "inspector_place");
    place.remove(',');
    EXPECT_EQ(place, "500021.0 4099959.0") << "the middle of the cell";
}

TEST(InspectorPanel, CountsAField) {
    Board board;
    InspectorPanel panel(board);
    board.take(slope(64));
    EXPECT_EQ(panel.counted(), 0) << "nobody looks";
    panel.resize(280, 500);
    panel.show();
    QCoreApplication::processEvents();
    EXPECT_EQ(panel.counted(), 1);
    EXPECT_EQ(text_of(panel, "inspector_low"), "0 m");
    EXPECT_EQ(text_of(panel, "inspector_high"), "126 m");
    EXPECT_EQ(text_of(panel, "inspector_missing"), "1");
    EXPECT_EQ(text_of(panel, "inspector_known"), QLocale().toString(4095));
    EXPECT_EQ(text_of(panel, "inspector_mean_slope"), "45.0°");
    auto* histogram = panel.findChild<HistogramView*>("inspector_histogram");
    EXPECT_EQ(histogram->histogram().known, 4095);
    panel.set_cursor(20, 20);
    ASSERT_TRUE(histogram->marked());
    EXPECT_DOUBLE_EQ(*histogram->marked(), 20);
    auto* field = panel.findChild<QComboBox*>("inspector_field");
    field->setCurrentIndex(field->findData("hardness"));
    EXPECT_EQ(text_of(panel, "inspector_mean").left(4), "0.25");
    EXPECT_DOUBLE_EQ(*histogram->marked(), 0.25);
}

TEST(InspectorPanel, IsCountedFiveTimesASecondAtMost) {
    Board board;
    Composed whole = slope(128);
    board.take(whole);
    InspectorPanel panel(board);
    panel.resize(280, 500);
    panel.show();
    QCoreApplication::processEvents();
    whole.fresh = false;
    whole.complete = false;
    QElapsedTimer clock;
    clock.start();
    int before = panel.counted();
    while (clock.elapsed() < 700) {
        board.take(whole);
        QTest::qWait(5);
    }
    int counted = panel.counted() - before;
    EXPECT_GE(counted, 1);
    EXPECT_LE(counted, 5);
    panel.hide();
    before = panel.counted();
    board.take(whole);
    QTest::qWait(300);
    EXPECT_EQ(panel.counted(), before);
}

TEST(InspectorPanel, EveryCellIsCounted) {
    Field field(Rect{0, 0, 512, 512}, 0);
    Field::WritableRows rows = field.writable_rows();
    for (int y = 0; y < 512; y++)
        for (int x = 0; x < 512; x++) rows[y][x] = float((x * 37 + y * 101) % 997);
    EXPECT_EQ(histogram_of(field).known, 512 * 512);
}

TEST(HistogramView, TicksAreRoundNumbers) {
    EXPECT_EQ(HistogramView::round_values(0, 100, 5), (std::vector<double>{0, 20, 40, 60, 80, 100}));
    std::vector<double> odd = HistogramView::round_values(233.7, 1240, 4);
    EXPECT_EQ(odd, (std::vector<double>{500, 1000}));
    EXPECT_EQ(HistogramView::round_values(3, 3, 4).size(), 1u);
    EXPECT_EQ(HistogramView::value_text(0.5, 1, ""), "0.50");
    EXPECT_EQ(HistogramView::value_text(-0.0001, 1000, "m"), "0 m");
}

}  // namespace
}  // namespace caprock::editor

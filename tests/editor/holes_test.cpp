// A file with holes in the window: they are holes there, and filling them is offered and a step of its own.
#include "document/commands.h"
#include "formats/formats.h"
#include "studio.h"
#include "support/terrains.h"

#include <QLabel>
#include <QToolButton>

namespace caprock::editor {
namespace {

using test::Holes;

class HolesInTheWindow : public testing::Test {
  protected:
    Terrain land = test::rough_terrain({120, 90}, Holes::some);
    std::string file = test_path("holes.tif");
    Studio studio;
    MainWindow& window = studio.window();

    void SetUp() override {
        write_terrain(land, file);
        window.import_as_document(QString::fromStdString(file),
                                  QString::fromStdString(fresh_test_path("holes.caprock")));
        studio.settle();
        ASSERT_TRUE(window.document()) << studio.failures().join("; ").toStdString();
    }
    QToolButton* offer() { return window.findChild<QToolButton*>("offer"); }
    QString facts() { return window.findChild<QLabel*>("facts")->text(); }
    uint32_t missing() { return window.board().ranges().whole().missing; }
};

TEST_F(HolesInTheWindow, StayAndAreFilledWhenAsked) {
    auto holes = uint32_t(statistics(land.height()).missing);
    ASSERT_GT(holes, 100u);
    EXPECT_EQ(missing(), holes);
    EXPECT_EQ(studio.shown(), fingerprint(land.height()));
    QString count = QLocale().toString(holes);
    EXPECT_TRUE(facts().contains(count + " missing")) << facts().toStdString();
    // Nobody has to answer.
    ASSERT_TRUE(offer()->isVisible());
    EXPECT_TRUE(offer()->text().contains(count)) << offer()->text().toStdString();
    size_t steps = window.document()->history.size();
    offer()->click();
    studio.settle();
    EXPECT_EQ(missing(), 0u);
    EXPECT_TRUE(facts().contains("none missing")) << facts().toStdString();
    EXPECT_FALSE(offer()->isVisible());
    EXPECT_EQ(window.document()->history.size(), steps + 1);
    studio.act("edit.undo");
    studio.settle();
    EXPECT_EQ(missing(), holes);
    EXPECT_TRUE(studio.failures().isEmpty()) << studio.failures().join("; ").toStdString();
}

TEST_F(HolesInTheWindow, AnOfferIsPutAwayAndGoesWithItsDocument) {
    window.findChild<QToolButton*>("offer-away")->click();
    EXPECT_FALSE(offer()->isVisible());
    // As a layer on the same land: that is seen in the holes, and nothing is to be filled.
    window.import_file_as_layer(QString::fromStdString(file));
    studio.settle();
    EXPECT_EQ(studio.state().layers.size(), 2u);
    EXPECT_FALSE(offer()->isVisible());
    // Of another document.
    window.import_as_document(QString::fromStdString(file),
                              QString::fromStdString(fresh_test_path("again.caprock")));
    studio.settle();
    EXPECT_TRUE(offer()->isVisible());
    Grid grid;
    grid.extent = {0, 0, 64, 64};
    window.create_document(QString::fromStdString(fresh_test_path("plain.caprock")), grid, {});
    studio.settle();
    EXPECT_FALSE(offer()->isVisible());
    EXPECT_EQ(missing(), 0u);
    // Without its ground it is nothing, and every view shows that.
    window.workshop().change("remove", [](Document& document, RunContext&) { remove_layers(document, {1}); });
    studio.settle();
    EXPECT_EQ(missing(), 64u * 64u);
    for (const char* view : {"view.map", "view.scene", "view.both"}) {
        studio.act(view);
        QTest::qWait(30);
        studio.drag(&window.map(), {{100, 100}, {140, 120}});
        studio.drag(&window.scene(), {{100, 100}, {140, 120}});
    }
    studio.settle();
    EXPECT_TRUE(studio.failures().isEmpty()) << studio.failures().join("; ").toStdString();
}

}  // namespace
}  // namespace caprock::editor

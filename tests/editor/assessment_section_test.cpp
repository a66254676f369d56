#include "panels/assessment_section.h"

#include "core/composer.h"
#include "formats/formats.h"
#include "test_folder.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <cmath>
#include <gtest/gtest.h>

namespace caprock::editor {
namespace {

// Bumps in rows, all of their hollows closed; or a plane.
Composed bumps(int side, double height) {
    Composed composed;
    composed.grid.extent = {0, 0, side, side};
    composed.grid.cell = 30;
    composed.window = composed.grid.extent;
    composed.fresh = composed.complete = true;
    composed.fields = {"height"};
    Terrain terrain(composed.grid);
    Field field(composed.grid.extent, 0);
    Field::WritableRows rows = field.writable_rows();
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            rows[y][x] = float(height * std::sin(0.3 * x) * std::sin(0.3 * y) + 8 * x + 3 * y);
    terrain.set("height", field);
    composed.parts.push_back(terrain);
    return composed;
}

QPushButton* button_of(const QWidget& section) {
    return section.findChild<QPushButton*>("assessment_button");
}
QString text_of_label(const QWidget& section, const char* name) {
    const auto* label = section.findChild<QLabel*>(name);
    return label->isHidden() ? QString() : label->text();
}
bool rests(const AssessmentSection& section) {
    return QTest::qWaitFor([&] { return !section.busy(); }, 60000);
}

TEST(AssessmentSection, SaysWhatIsUnlike) {
    Board board;
    AssessmentSection section(board);
    section.show();
    EXPECT_FALSE(button_of(section)->isEnabled()) << "there is no land";
    board.take(bumps(160, 200));
    ASSERT_TRUE(button_of(section)->isEnabled());
    EXPECT_EQ(text_of_label(section, "assessment_result"), "");
    button_of(section)->click();
    EXPECT_TRUE(section.busy());
    ASSERT_TRUE(rests(section));
    const QString result = text_of_label(section, "assessment_result");
    EXPECT_TRUE(result.contains("Unlike real land in ")) << result.toStdString();
    EXPECT_TRUE(result.contains("closed hollows")) << result.toStdString();
    EXPECT_TRUE(result.contains("where real land has 0 to 5 %; water stands in them"))
        << result.toStdString();
    EXPECT_EQ(text_of_label(section, "assessment_message"), "");
    // What was said is of another land when it has changed.
    board.take(bumps(160, 0));
    EXPECT_FALSE(text_of_label(section, "assessment_message").isEmpty());
    button_of(section)->click();
    ASSERT_TRUE(rests(section));
    EXPECT_FALSE(text_of_label(section, "assessment_result").contains("water stands in them"));
    EXPECT_EQ(text_of_label(section, "assessment_message"), "");
}

TEST(AssessmentSection, HoldsAgainstAFile) {
    const std::filesystem::path folder = fresh_folder("assessment");
    Board board;
    AssessmentSection section(board);
    section.show();
    board.take(bumps(160, 200));
    const QString path = QString::fromStdString((folder / "own.tif").string());
    write_terrain(board.terrain(), path.toStdString());
    section.hold_against(path);
    EXPECT_EQ(section.findChild<QComboBox*>("assessment_beside")->currentText(), "own.tif");
    section.assess_or_stop();
    ASSERT_TRUE(rests(section));
    EXPECT_TRUE(text_of_label(section, "assessment_result").contains("Like own.tif in all "))
        << text_of_label(section, "assessment_result").toStdString();
    section.hold_against(QString::fromStdString((folder / "nothing.tif").string()));
    section.assess_or_stop();
    ASSERT_TRUE(rests(section));
    EXPECT_TRUE(text_of_label(section, "assessment_message").contains("nothing.tif"));
    section.hold_against({});
    section.assess_or_stop();
    ASSERT_TRUE(rests(section));
    EXPECT_TRUE(text_of_label(section, "assessment_result").contains("nlike real land in "));
}

TEST(AssessmentSection, IsStoppedAndGoesAwayAtWork) {
    Board board;
    board.take(bumps(700, 200));
    {
        AssessmentSection section(board);
        section.show();
        section.assess_or_stop();
        EXPECT_TRUE(section.busy());
        section.assess_or_stop();
        ASSERT_TRUE(rests(section));
        EXPECT_FALSE(text_of_label(section, "assessment_message").isEmpty());
        EXPECT_EQ(text_of_label(section, "assessment_result"), "");
        section.assess_or_stop();
    }
    QCoreApplication::processEvents();
}

}  // namespace
}  // namespace caprock::editor

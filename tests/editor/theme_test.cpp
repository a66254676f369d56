#include "theme/theme.h"

#include "theme/icons.h"

#include <QApplication>
#include <QImage>
#include <QLabel>
#include <cmath>
#include <gtest/gtest.h>

namespace caprock::editor {
namespace {

// As the guidelines for readable text have it.
double luminance(const QColor& colour) {
    auto linear = [](double share) {
        return share <= 0.03928 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
}

double contrast(const QColor& one, const QColor& other) {
    double a = luminance(one), b = luminance(other);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

class Themes : public testing::TestWithParam<ThemeKind> {
  protected:
    void TearDown() override { apply_theme(ThemeKind::dark); }
};

TEST_P(Themes, TextReadsOnEverythingItStandsOn) {
    apply_theme(GetParam());
    EXPECT_EQ(current_theme(), GetParam());
    QPalette palette = QApplication::palette();
    auto colour = [&](QPalette::ColorRole role) { return palette.color(QPalette::Active, role); };
    EXPECT_GE(contrast(colour(QPalette::WindowText), colour(QPalette::Window)), 7);
    EXPECT_GE(contrast(colour(QPalette::Text), colour(QPalette::Base)), 7);
    EXPECT_GE(contrast(colour(QPalette::ButtonText), colour(QPalette::Button)), 7);
    EXPECT_GE(contrast(colour(QPalette::ToolTipText), colour(QPalette::ToolTipBase)), 7);
    EXPECT_GE(contrast(colour(QPalette::HighlightedText), colour(QPalette::Highlight)), 4.5);
    for (QPalette::ColorRole ground : {QPalette::Window, QPalette::Base}) {
        EXPECT_GE(contrast(colour(QPalette::Highlight), colour(ground)), 4.5);
        EXPECT_GE(contrast(muted_text(palette), colour(ground)), 4.5);
        EXPECT_GE(contrast(warning_text(palette), colour(ground)), 4.5);
    }
}

INSTANTIATE_TEST_SUITE_P(Both, Themes, testing::Values(ThemeKind::dark, ThemeKind::light),
                         [](const auto& info) { return info.param == ThemeKind::dark ? "Dark" : "Light"; });

// Every other preference goes the same way: none of them may have all widgets made up again.
TEST(Themes, TheSameOnceMoreChangesNothing) {
    class Counter : public QObject {
      public:
        int count = 0;
        bool eventFilter(QObject*, QEvent* event) override {
            count += event->type() == QEvent::StyleChange || event->type() == QEvent::PaletteChange ||
                     event->type() == QEvent::FontChange;
            return false;
        }
    };
    apply_theme(ThemeKind::dark);
    QLabel label("text");
    label.show();
    Counter counter;
    label.installEventFilter(&counter);
    apply_theme(ThemeKind::dark);
    EXPECT_EQ(counter.count, 0);
    apply_theme(ThemeKind::light);
    EXPECT_GT(counter.count, 0);
    apply_theme(ThemeKind::dark);
}

TEST(Themes, TonesFollowTheTheme) {
    apply_theme(ThemeKind::dark);
    QLabel label("words");
    set_tone(&label, "warning");
    label.show();
    QColor dark = label.palette().color(QPalette::WindowText);
    EXPECT_EQ(dark, warning_text(QApplication::palette()));
    apply_theme(ThemeKind::light);
    EXPECT_EQ(label.palette().color(QPalette::WindowText), warning_text(QApplication::palette()));
    EXPECT_NE(label.palette().color(QPalette::WindowText), dark);
    apply_theme(ThemeKind::dark);
}

TEST(Icons, EachHasAShapeOfItsOwnWithinItsSquare) {
    apply_theme(ThemeKind::dark);
    std::map<QByteArray, QString> seen;
    EXPECT_GE(icon_names().size(), 40);
    for (const QString& name : icon_names()) {
        QImage image = icon(name).pixmap(QSize(48, 48)).toImage().convertToFormat(QImage::Format_ARGB32);
        ASSERT_EQ(image.size(), QSize(48, 48)) << name.toStdString();
        int drawn = 0;
        for (int y = 0; y < 48; y++)
            for (int x = 0; x < 48; x++) {
                bool ink = qAlpha(image.pixel(x, y)) > 128;
                drawn += ink;
                bool rim = x < 1 || y < 1 || x > 46 || y > 46;
                EXPECT_FALSE(rim && ink) << name.toStdString();
            }
        EXPECT_GT(drawn, 40) << name.toStdString();
        QByteArray bits(reinterpret_cast<const char*>(image.constBits()), image.sizeInBytes());
        EXPECT_FALSE(seen.contains(bits)) << name.toStdString() << " looks like " << seen[bits].toStdString();
        seen[bits] = name;
    }
    EXPECT_TRUE(icon("no such thing").isNull());
}

// The colour of the darkest ink.
QColor ink_of(const QIcon& icon, QIcon::Mode mode) {
    QImage image = icon.pixmap(QSize(64, 64), mode).toImage().convertToFormat(QImage::Format_ARGB32);
    for (int y = 0; y < 64; y++)
        for (int x = 0; x < 64; x++)
            if (qAlpha(image.pixel(x, y)) == 255) return QColor(image.pixel(x, y));
    return {};
}

TEST(Icons, TakeTheColourOfTheTextWhateverTheTheme) {
    apply_theme(ThemeKind::dark);
    QIcon add = icon("add");
    EXPECT_EQ(ink_of(add, QIcon::Normal),
              QApplication::palette().color(QPalette::Active, QPalette::WindowText));
    apply_theme(ThemeKind::light);
    EXPECT_EQ(ink_of(add, QIcon::Normal),
              QApplication::palette().color(QPalette::Active, QPalette::WindowText));
    EXPECT_EQ(ink_of(add, QIcon::Disabled),
              QApplication::palette().color(QPalette::Disabled, QPalette::WindowText));
    apply_theme(ThemeKind::dark);
}

}  // namespace
}  // namespace caprock::editor

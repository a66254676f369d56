#include "views/map_widget.h"

#include "core/composer.h"
#include "core/images.h"
#include "theme/theme.h"

#include <QApplication>
#include <QTest>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace caprock::editor {
namespace {

// Land in the middle of the widget, with a hole in it.
struct Map {
    Board board;
    Look look;
    MapWidget widget{board, look};

    Map() {
        look.change([](LookSettings& settings) { settings.scale_bar = false; });
        Composed composed;
        composed.grid.extent = composed.window = {0, 0, 100, 100};
        composed.fields = {"height"};
        composed.complete = true;
        Terrain land(composed.grid);
        Field heights(composed.window, 100.0f);
        Field::WritableRows rows = heights.writable_rows();
        for (int y = 30; y < 70; y++)
            for (int x = 30; x < 70; x++) rows[y][x] = missing;
        land.set("height", heights);
        composed.parts.push_back(land);
        board.take(composed);
        widget.resize(400, 300);
        widget.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&widget));
    }
    QImage seen() {
        QCoreApplication::processEvents();
        return widget.grab().toImage();
    }
};

QColor window_colour() { return QApplication::palette().color(QPalette::Window); }

TEST(MapWidget, LandLiesOnTheWindow) {
    Map map;
    for (ThemeKind theme : {ThemeKind::dark, ThemeKind::light, ThemeKind::dark}) {
        apply_theme(theme);
        QImage seen = map.seen();
        EXPECT_EQ(seen.pixelColor(3, 3), window_colour());
        EXPECT_EQ(seen.pixelColor(396, 296), window_colour());
    }
}

TEST(MapWidget, HolesAreStripedInTheDarkAsInTheLight) {
    Map map;
    for (ThemeKind theme : {ThemeKind::dark, ThemeKind::light}) {
        apply_theme(theme);
        QImage seen = map.seen();
        std::set<QRgb> colours;
        for (int i = 0; i < 20; i++) colours.insert(seen.pixel(190 + i, 150));
        EXPECT_EQ(colours.size(), 2u);
        for (QRgb colour : colours) {
            // Green is the weakest part, as in no colour of any height; and nothing shines in the dark.
            EXPECT_LT(qGreen(colour), qRed(colour));
            EXPECT_LT(qGreen(colour), qBlue(colour));
            EXPECT_NE(QColor(colour), window_colour());
            EXPECT_LT(std::abs(QColor(colour).lightness() - window_colour().lightness()), 70);
        }
    }
    apply_theme(ThemeKind::dark);
}

TEST(MapWidget, PicturesThatAreSavedAreOnPaper) {
    Map map;
    std::vector<QImage> pictures;
    for (ThemeKind theme : {ThemeKind::light, ThemeKind::dark}) {
        apply_theme(theme);
        Progress progress;
        pictures.push_back(image_of(map.widget.shot()({400, 300}, progress)));
    }
    EXPECT_EQ(pictures[0], pictures[1]);
    EXPECT_GT(pictures[0].pixelColor(3, 3).lightness(), 230);
}

// Light from below has hills taken for hollows, so on a map it never comes from there.
TEST(MapWidget, LightComesFromAboveWhereverTheSunStands) {
    Map map;
    Composed ridge;
    ridge.grid.extent = ridge.window = {0, 0, 100, 100};
    ridge.fields = {"height"};
    ridge.complete = ridge.fresh = true;
    Terrain land(ridge.grid);
    Field heights(ridge.window);
    Field::WritableRows rows = heights.writable_rows();
    for (int y = 0; y < 100; y++)
        for (int x = 0; x < 100; x++) rows[y][x] = float(50 - std::abs(y - 50));
    land.set("height", heights);
    ridge.parts.push_back(land);
    map.board.take(ridge);
    for (double azimuth : {0.0, 45.0, 135.0, 180.0, 225.0, 245.0, 315.0, 360.0}) {
        map.look.change([&](LookSettings& settings) {
            settings.scheme = "plain";
            settings.sun.azimuth = azimuth;
        });
        QImage seen = map.seen();
        // The land lies in the middle, 276 pixels high.
        int upper = seen.pixelColor(200, 100).lightness(), lower = seen.pixelColor(200, 200).lightness();
        EXPECT_GT(upper, lower) << azimuth;
    }
}

// What is printed grows with the land, or one could not read it.
TEST(MapWidget, LargerPicturesHaveLargerLetters) {
    Map map;
    map.look.change([](LookSettings& settings) { settings.scale_bar = true; });
    auto printed = [&](Size size) {
        Progress progress;
        QImage picture = image_of(map.widget.shot()(size, progress));
        // Ink on the paper left of the land, where the scale stands.
        QRect ink;
        for (int y = 0; y < size.height; y++)
            for (int x = 0; x < size.width / 9; x++)
                if (picture.pixelColor(x, y).lightness() < 120) ink |= QRect(x, y, 1, 1);
        return ink;
    };
    QRect small = printed({400, 300});
    QRect large = printed({1200, 900});
    ASSERT_GT(small.height(), 4);
    EXPECT_NEAR(large.height(), small.height() * 3, 6);
    EXPECT_NEAR(large.top(), small.top() * 3, 6);
}

TEST(MapWidget, TheScaleIsReadInBothThemes) {
    Map map;
    map.look.change([](LookSettings& settings) { settings.scale_bar = true; });
    for (ThemeKind theme : {ThemeKind::dark, ThemeKind::light}) {
        apply_theme(theme);
        QImage seen = map.seen();
        // The corner it stands in.
        int farthest = 0;
        for (int y = 240; y < 300; y++)
            for (int x = 0; x < 45; x++)
                farthest = std::max(
                    farthest, std::abs(seen.pixelColor(x, y).lightness() - window_colour().lightness()));
        EXPECT_GT(farthest, 120);
    }
    apply_theme(ThemeKind::dark);
}

}  // namespace
}  // namespace caprock::editor

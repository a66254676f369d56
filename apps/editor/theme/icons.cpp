#include "theme/icons.h"

#include "theme/theme.h"

#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>
#include <QPixmap>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace caprock::editor {

namespace {

constexpr double grid = 24;
constexpr double line_width = 1.6;
// Thinner lines would be paler than the letters beside them.
constexpr double least_pixels = 1.15;

// A shape on the grid. What is filled is filled with the colour of the strokes.
struct Shape {
    QPainterPath lines;
    QPainterPath filled;

    Shape& line(std::initializer_list<QPointF> points, bool closed = false) {
        bool first = true;
        for (const QPointF& point : points) {
            if (first)
                lines.moveTo(point);
            else
                lines.lineTo(point);
            first = false;
        }
        if (closed) lines.closeSubpath();
        return *this;
    }
    Shape& circle(double x, double y, double radius) {
        lines.addEllipse(QPointF(x, y), radius, radius);
        return *this;
    }
    Shape& dot(double x, double y, double radius = 1.2) {
        filled.addEllipse(QPointF(x, y), radius, radius);
        return *this;
    }
    Shape& box(double x, double y, double width, double height, double corner = 2) {
        lines.addRoundedRect(QRectF(x, y, width, height), corner, corner);
        return *this;
    }
    // Degrees anticlockwise from the east.
    Shape& arc(double x, double y, double radius, double from, double sweep) {
        QRectF around(x - radius, y - radius, 2 * radius, 2 * radius);
        lines.arcMoveTo(around, from);
        lines.arcTo(around, from, sweep);
        return *this;
    }
    Shape& curve(QPointF from, QPointF first, QPointF second, QPointF to) {
        lines.moveTo(from);
        lines.cubicTo(first, second, to);
        return *this;
    }
    Shape& go_on(QPointF first, QPointF second, QPointF to) {
        lines.cubicTo(first, second, to);
        return *this;
    }
};

Shape eye() {
    Shape s;
    s.curve({2.5, 12}, {5.5, 7}, {8.5, 5.5}, {12, 5.5}).go_on({15.5, 5.5}, {18.5, 7}, {21.5, 12});
    s.go_on({18.5, 17}, {15.5, 18.5}, {12, 18.5}).go_on({8.5, 18.5}, {5.5, 17}, {2.5, 12});
    return s.circle(12, 12, 3);
}

Shape eye_off() {
    Shape s;
    s.curve({2.5, 10}, {5.5, 14.5}, {8.5, 16}, {12, 16}).go_on({15.5, 16}, {18.5, 14.5}, {21.5, 10});
    return s.line({{12, 16}, {12, 19.5}}).line({{6.6, 14.4}, {4.8, 17.4}}).line({{17.4, 14.4}, {19.2, 17.4}});
}

Shape padlock(bool closed) {
    Shape s;
    s.box(5, 10.5, 14, 10).dot(12, 15.5, 1.4);
    s.lines.moveTo(8, 10.5);
    s.lines.lineTo(8, 7.5);
    s.lines.arcTo(QRectF(8, 3.5, 8, 8), 180, closed ? -180 : -150);
    if (closed) s.lines.lineTo(16, 10.5);
    return s;
}

Shape duplicate() {
    Shape s;
    s.box(8.5, 8.5, 12, 12);
    return s.line({{15.5, 5.5}, {15.5, 5}, {14, 3.5}, {5, 3.5}, {3.5, 5}, {3.5, 14}, {5, 15.5}, {5.5, 15.5}});
}

Shape folder() {
    Shape s;
    return s.line({{3, 18.5}, {3, 5.5}, {9, 5.5}, {11.2, 8.2}, {21, 8.2}, {21, 18.5}}, true);
}

Shape group() {
    Shape s = folder();
    return s.line({{7.5, 12}, {16.5, 12}}).line({{7.5, 15.2}, {16.5, 15.2}});
}

Shape mask() {
    Shape s;
    s.box(3.5, 3.5, 17, 17).circle(12, 12, 4.8);
    s.filled.moveTo(12, 7.2);
    s.filled.arcTo(QRectF(7.2, 7.2, 9.6, 9.6), 90, 180);
    s.filled.closeSubpath();
    return s;
}

// A bin with its lid.
Shape remove() {
    Shape s;
    s.line({{3.5, 6.5}, {20.5, 6.5}}).line({{9, 6.5}, {9, 3.5}, {15, 3.5}, {15, 6.5}});
    s.line({{5.5, 6.5}, {6.6, 20.5}, {17.4, 20.5}, {18.5, 6.5}});
    return s.line({{10, 10.5}, {10.3, 16.8}}).line({{14, 10.5}, {13.7, 16.8}});
}

Shape brush() {
    Shape s;
    s.line({{20.5, 3.5}, {12.2, 12}}).line({{10.4, 10.6}, {13.4, 13.6}});
    s.curve({13.4, 13.6}, {13.6, 19.5}, {8, 20.8}, {3, 20.2}).go_on({5.8, 18.4}, {5, 12.8}, {10.4, 10.6});
    return s;
}

// A sheet that something comes into.
Shape file_in() {
    Shape s;
    s.line({{13.5, 3}, {5, 3}, {5, 21}, {19, 21}, {19, 8.5}}, true).line({{12, 9}, {12, 17}});
    return s.line({{8.8, 13.8}, {12, 17}, {15.2, 13.8}});
}

// Half of what is there is another thing.
Shape adjustment() {
    Shape s;
    s.circle(12, 12, 8.5);
    s.filled.moveTo(12, 3.5);
    s.filled.arcTo(QRectF(3.5, 3.5, 17, 17), 90, 180);
    s.filled.closeSubpath();
    return s;
}

Shape unknown() {
    Shape s;
    return s.box(3.5, 3.5, 17, 17).line({{8.5, 12}, {15.5, 12}});
}

Shape arrow(bool up) {
    Shape s;
    if (up) return s.line({{12, 20}, {12, 4}}).line({{6, 10}, {12, 4}, {18, 10}});
    return s.line({{12, 4}, {12, 20}}).line({{6, 14}, {12, 20}, {18, 14}});
}

Shape help() {
    Shape s;
    s.circle(12, 12, 9).curve({9, 9.8}, {9, 5.8}, {15, 5.8}, {15, 9.6});
    return s.go_on({15, 12}, {12, 12}, {12, 14.2}).dot(12, 17.2, 1.1);
}

Shape more() {
    Shape s;
    return s.dot(5.5, 12, 1.7).dot(12, 12, 1.7).dot(18.5, 12, 1.7);
}

Shape presets() {
    Shape s;
    for (double x : {4.0, 13.5})
        for (double y : {4.0, 13.5}) s.box(x, y, 6.5, 6.5, 1.4);
    return s;
}

Shape none() {
    Shape s;
    return s.circle(12, 12, 8.5).line({{6, 18}, {18, 6}});
}

Shape save() {
    Shape s;
    s.line({{4, 4}, {16.5, 4}, {20, 7.5}, {20, 20}, {4, 20}}, true);
    return s.line({{8, 4}, {8, 8.5}, {15, 8.5}, {15, 4}})
        .line({{7.5, 20}, {7.5, 13.5}, {16.5, 13.5}, {16.5, 20}});
}

Shape turn_back(bool mirrored) {
    Shape s;
    s.line({{8, 4.5}, {3.5, 9}, {8, 13.5}});
    s.lines.moveTo(3.5, 9);
    s.lines.lineTo(14.5, 9);
    s.lines.arcTo(QRectF(9.5, 9, 10.5, 10.5), 90, -180);
    s.lines.lineTo(9, 19.5);
    if (mirrored) {
        QTransform mirror(-1, 0, 0, 1, 24, 0);
        s.lines = mirror.map(s.lines);
    }
    return s;
}

// The ground of brushes: what they do stands above it.
Shape raise_ground() {
    Shape s;
    s.curve({2.5, 20}, {8, 20}, {8, 12.5}, {12, 12.5}).go_on({16, 12.5}, {16, 20}, {21.5, 20});
    return s.line({{12, 9.5}, {12, 3}}).line({{8.8, 6}, {12, 2.8}, {15.2, 6}});
}

Shape lower_ground() {
    Shape s;
    s.curve({2.5, 13.5}, {8, 13.5}, {8, 20.5}, {12, 20.5}).go_on({16, 20.5}, {16, 13.5}, {21.5, 13.5});
    return s.line({{12, 3}, {12, 10}}).line({{8.8, 7}, {12, 10.2}, {15.2, 7}});
}

Shape smooth() {
    Shape s;
    s.line({{2.5, 10}, {5, 5}, {8, 9.5}, {11, 3.5}, {14, 9}, {17, 5}, {21.5, 10}});
    s.curve({2.5, 18.5}, {8, 18.5}, {8, 14}, {12, 14});
    return s.go_on({16, 14}, {16, 18.5}, {21.5, 18.5});
}

Shape level() {
    Shape s;
    s.line({{2.5, 19.5}, {6.5, 11.5}, {17.5, 11.5}, {21.5, 19.5}});
    return s.line({{12, 3}, {12, 7.8}})
        .line({{9.4, 5.6}, {12, 8.2}, {14.6, 5.6}})
        .line({{8.5, 15.5}, {15.5, 15.5}});
}

Shape noise() {
    Shape s;
    return s.line({{2.5, 15},
                   {4.5, 11},
                   {6.5, 17},
                   {9, 6},
                   {11.5, 19},
                   {14, 9},
                   {16, 15},
                   {18, 8},
                   {19.8, 14},
                   {21.5, 11}});
}

Shape erosion() {
    Shape s;
    s.line({{2.5, 20}, {9.5, 8.5}, {12.5, 13}, {15, 10.5}, {21.5, 20}}, true);
    return s.line({{6, 3}, {5, 5.5}})
        .line({{12.5, 3}, {11.5, 5.5}})
        .line({{19, 3}, {18, 5.5}})
        .line({{16.2, 6}, {15.4, 8}});
}

Shape erase() {
    Shape s;
    s.line({{8.5, 19.5}, {3.5, 14.5}, {13.5, 4.5}, {20, 11}, {11.5, 19.5}}, true);
    return s.line({{8.6, 9.4}, {15.1, 15.9}}).line({{11.5, 19.5}, {20.5, 19.5}});
}

Shape clone() {
    Shape s;
    s.line({{9.5, 11.5}, {9.5, 9.8}});
    s.lines.moveTo(9.3, 10.2);
    s.lines.arcTo(QRectF(8, 3.2, 8, 8), 228, -276);
    s.lines.lineTo(14.5, 11.5);
    return s.line({{5, 16.5}, {5, 14.5}, {7, 12.2}, {17, 12.2}, {19, 14.5}, {19, 16.5}}, true)
        .line({{4.5, 20}, {19.5, 20}});
}

Shape road() {
    Shape s;
    s.line({{3, 20.5}, {9.5, 3.5}}).line({{21, 20.5}, {14.5, 3.5}});
    return s.line({{12, 4}, {12, 7}}).line({{12, 10.5}, {12, 13.8}}).line({{12, 17.3}, {12, 20.5}});
}

Shape river() {
    Shape s;
    s.curve({8, 3}, {3, 8}, {13, 10.5}, {8, 15}).go_on({6.2, 16.8}, {4.5, 18.5}, {4.5, 21});
    s.curve({14, 3}, {10, 8}, {19.5, 10.5}, {15, 15});
    return s.go_on({13.4, 16.8}, {13, 18.5}, {14.5, 21})
        .line({{19, 4}, {17.8, 6.4}})
        .line({{20.5, 14}, {19.4, 16.4}});
}

Shape view_3d() {
    Shape s;
    s.line({{12, 2.8}, {20.2, 7.4}, {20.2, 16.6}, {12, 21.2}, {3.8, 16.6}, {3.8, 7.4}}, true);
    return s.line({{3.8, 7.4}, {12, 12}, {20.2, 7.4}}).line({{12, 12}, {12, 21.2}});
}

Shape view_2d() {
    Shape s;
    s.line({{3, 6}, {9, 3.5}, {15, 6}, {21, 3.5}, {21, 18}, {15, 20.5}, {9, 18}, {3, 20.5}}, true);
    return s.line({{9, 3.5}, {9, 18}}).line({{15, 6}, {15, 20.5}});
}

Shape split_window() {
    Shape s;
    return s.box(3, 4.5, 18, 15).line({{12, 4.5}, {12, 19.5}});
}

Shape sun() {
    Shape s;
    s.circle(12, 12, 4);
    for (int i = 0; i < 8; i++) {
        double turn = i * M_PI / 4;
        QPointF towards(std::cos(turn), std::sin(turn));
        s.line({QPointF(12, 12) + towards * 7, QPointF(12, 12) + towards * 9.5});
    }
    return s;
}

Shape camera() {
    Shape s;
    s.line({{3, 19}, {3, 7.5}, {7.5, 7.5}, {9, 5}, {15, 5}, {16.5, 7.5}, {21, 7.5}, {21, 19}}, true);
    return s.circle(12, 13, 3.6);
}

Shape tray(bool out) {
    Shape s;
    s.line({{4, 14.5}, {4, 20}, {20, 20}, {20, 14.5}}).line({{12, 3.5}, {12, 15}});
    if (out) return s.line({{7.8, 7.5}, {12, 3.3}, {16.2, 7.5}});
    return s.line({{7.8, 11}, {12, 15.2}, {16.2, 11}});
}

Shape search() {
    Shape s;
    return s.circle(10.5, 10.5, 6.5).line({{15.4, 15.4}, {21, 21}});
}

Shape settings() {
    Shape s;
    const double rows[] = {6, 12, 18};
    const double knobs[] = {15.5, 8, 13};
    for (int i = 0; i < 3; i++) {
        s.line({{3, rows[i]}, {knobs[i] - 2.2, rows[i]}}).line({{knobs[i] + 2.2, rows[i]}, {21, rows[i]}});
        s.circle(knobs[i], rows[i], 2.2);
    }
    return s;
}

Shape warning() {
    Shape s;
    return s.line({{12, 3.5}, {21.5, 20}, {2.5, 20}}, true).line({{12, 9.5}, {12, 14}}).dot(12, 17, 1.1);
}

Shape dice() {
    Shape s;
    return s.box(3.5, 3.5, 17, 17, 3)
        .dot(8.2, 8.2, 1.5)
        .dot(15.8, 8.2, 1.5)
        .dot(12, 12, 1.5)
        .dot(8.2, 15.8, 1.5)
        .dot(15.8, 15.8, 1.5);
}

Shape reset() {
    Shape s;
    return s.arc(12, 12.5, 7.5, 150, -300).line({{4.2, 3.8}, {4.6, 9.2}, {10, 8.8}});
}

Shape play() {
    Shape s;
    return s.line({{7, 4}, {19.5, 12}, {7, 20}}, true);
}

Shape stop() {
    Shape s;
    return s.box(5.5, 5.5, 13, 13);
}

Shape mountain() {
    Shape s;
    s.line({{2, 20}, {9, 6}, {13.2, 14.4}, {16, 10}, {22, 20}}, true);
    return s.line({{6.6, 10.8}, {9, 12.8}, {11.3, 10.6}});
}

Shape layers() {
    Shape s;
    s.line({{12, 3}, {21.5, 8}, {12, 13}, {2.5, 8}}, true);
    return s.line({{2.5, 12.2}, {12, 17.2}, {21.5, 12.2}}).line({{2.5, 16.4}, {12, 21.4}, {21.5, 16.4}});
}

Shape history() {
    Shape s;
    s.arc(12.5, 12, 8.3, 150, -310).line({{3.2, 4.2}, {4.4, 8.8}, {9, 7.8}});
    return s.line({{12.5, 7.5}, {12.5, 12.4}, {16, 14.6}});
}

Shape info() {
    Shape s;
    return s.circle(12, 12, 9).line({{12, 11}, {12, 16.5}}).dot(12, 7.6, 1.1);
}

const std::map<QString, Shape>& shapes() {
    static const std::map<QString, Shape> all = {
        {"eye", eye()},
        {"eye-off", eye_off()},
        {"lock", padlock(true)},
        {"unlock", padlock(false)},
        {"add", Shape().line({{12, 4.5}, {12, 19.5}}).line({{4.5, 12}, {19.5, 12}})},
        {"remove", remove()},
        {"up", arrow(true)},
        {"down", arrow(false)},
        {"more", more()},
        {"help", help()},
        {"none", none()},
        {"presets", presets()},
        {"brush", brush()},
        {"file-in", file_in()},
        {"adjustment", adjustment()},
        {"unknown", unknown()},
        {"duplicate", duplicate()},
        {"group", group()},
        {"mask", mask()},
        {"folder", folder()},
        {"save", save()},
        {"undo", turn_back(false)},
        {"redo", turn_back(true)},
        {"raise", raise_ground()},
        {"lower", lower_ground()},
        {"smooth", smooth()},
        {"level", level()},
        {"noise", noise()},
        {"erosion", erosion()},
        {"erase", erase()},
        {"clone", clone()},
        {"road", road()},
        {"river", river()},
        {"view-3d", view_3d()},
        {"view-2d", view_2d()},
        {"split", split_window()},
        {"sun", sun()},
        {"camera", camera()},
        {"export", tray(true)},
        {"import", tray(false)},
        {"search", search()},
        {"settings", settings()},
        {"warning", warning()},
        {"dice", dice()},
        {"reset", reset()},
        {"play", play()},
        {"stop", stop()},
        {"mountain", mountain()},
        {"layers", layers()},
        {"history", history()},
        {"info", info()},
    };
    return all;
}

// Drawn whenever it is shown, in the colours of that moment.
class DrawnIcon : public QIconEngine {
  public:
    using Draw = std::function<void(QPainter& painter, const QRect& place, QIcon::Mode mode)>;
    explicit DrawnIcon(Draw draw) : draw_(std::move(draw)) {}

    void paint(QPainter* painter, const QRect& place, QIcon::Mode mode, QIcon::State) override {
        draw_(*painter, place, mode);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap drawn(size);
        drawn.fill(Qt::transparent);
        QPainter painter(&drawn);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return drawn;
    }
    QIconEngine* clone() const override { return new DrawnIcon(draw_); }

  private:
    Draw draw_;
};

void draw_shape(QPainter& painter, const QRectF& place, const Shape& shape, const QColor& colour) {
    double side = std::min(place.width(), place.height());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(place.center() - QPointF(side / 2, side / 2));
    painter.scale(side / grid, side / grid);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, std::max(line_width, least_pixels * grid / side), Qt::SolidLine, Qt::RoundCap,
                        Qt::RoundJoin));
    painter.drawPath(shape.lines);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPath(shape.filled);
    painter.restore();
}

}  // namespace

void draw_icon(QPainter& painter, const QRectF& place, const QString& name, const QColor& colour) {
    auto found = shapes().find(name);
    if (found != shapes().end()) draw_shape(painter, place, found->second, colour);
}

QIcon icon(const QString& name) {
    auto found = shapes().find(name);
    if (found == shapes().end()) return {};
    return QIcon(
        new DrawnIcon([&shape = found->second](QPainter& painter, const QRect& place, QIcon::Mode mode) {
            QPalette palette = QGuiApplication::palette();
            QColor colour = palette.color(QPalette::Active, QPalette::WindowText);
            if (mode == QIcon::Disabled) colour = palette.color(QPalette::Disabled, QPalette::WindowText);
            if (mode == QIcon::Selected) colour = palette.color(QPalette::Active, QPalette::HighlightedText);
            draw_shape(painter, place, shape, colour);
        }));
}

QIcon swatch(const QColor& colour) {
    // Whatever row it is in, the colour is what it is.
    return QIcon(new DrawnIcon([colour](QPainter& painter, const QRect& place, QIcon::Mode) {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(colour);
        painter.setPen(hairline(QGuiApplication::palette()));
        painter.drawRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5));
        painter.restore();
    }));
}

QStringList icon_names() {
    QStringList names;
    for (const auto& [name, shape] : shapes()) names << name;
    return names;
}

}  // namespace caprock::editor

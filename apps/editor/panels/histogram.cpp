#include "panels/histogram.h"

#include <QHelpEvent>
#include <QLocale>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace caprock::editor {

Histogram histogram_of(const Field& field, int parts) {
    Histogram result;
    result.counts.assign(size_t(parts), 0);
    const Rect& rect = field.rect();
    if (rect.empty()) return result;
    Field::Rows rows = field.rows();
    float low = std::numeric_limits<float>::infinity(), high = -low;
    double sum = 0;
    for (int y = rect.top; y < rect.bottom; y++) {
        const float* row = rows[y];
        for (int x = 0; x < rect.width(); x++) {
            float value = row[x];
            if (!std::isfinite(value)) continue;
            low = std::min(low, value);
            high = std::max(high, value);
            sum += value;
            result.known++;
        }
    }
    result.missing = rect.cells() - result.known;
    if (result.known == 0) return result;
    result.low = low;
    result.high = high;
    result.mean = sum / double(result.known);
    float scale = high > low ? float(parts) / (high - low) : 0;
    for (int y = rect.top; y < rect.bottom; y++) {
        const float* row = rows[y];
        for (int x = 0; x < rect.width(); x++) {
            float value = row[x];
            if (!std::isfinite(value)) continue;
            result.counts[size_t(std::min(int((value - low) * scale), parts - 1))]++;
        }
    }
    return result;
}

std::optional<double> mean_slope_of(const Field& heights, double cell) {
    const Rect& rect = heights.rect();
    if (rect.width() < 2 || rect.height() < 2) return std::nullopt;
    Field::Rows rows = heights.rows();
    auto scale = float(1 / cell);
    double sum = 0;
    int64_t count = 0;
    for (int y = rect.top; y + 1 < rect.bottom; y++) {
        const float* row = rows[y];
        const float* next = rows[y + 1];
        for (int x = 0; x + 1 < rect.width(); x++) {
            // Across the four corners of a square.
            float east = (row[x + 1] - row[x] + next[x + 1] - next[x]) * 0.5f * scale;
            float south = (next[x] - row[x] + next[x + 1] - row[x + 1]) * 0.5f * scale;
            float steepness = east * east + south * south;
            if (!std::isfinite(steepness)) continue;
            sum += std::atan(std::sqrt(steepness));
            count++;
        }
    }
    if (count == 0) return std::nullopt;
    return sum / double(count) * 180 / std::numbers::pi;
}

std::vector<double> HistogramView::round_values(double low, double high, int most) {
    if (!(high > low) || most < 1) return {low};
    double step = std::pow(10, std::floor(std::log10((high - low) / most)));
    for (double times : {1.0, 2.0, 5.0, 10.0})
        if ((high - low) / (step * times) <= most) {
            step *= times;
            break;
        }
    std::vector<double> values;
    for (double at = std::ceil(low / step); at * step <= high && values.size() < 64; at++)
        values.push_back(at * step);
    return values;
}

QString HistogramView::value_text(double value, double span, const QString& unit) {
    int digits = span > 0 ? std::clamp(2 - int(std::floor(std::log10(span))), 0, 6) : 2;
    // Nothing is minus nought.
    if (std::abs(value) < 0.5 * std::pow(10, -digits)) value = 0;
    QString text = QLocale().toString(value, 'f', digits);
    return unit.isEmpty() ? text : text + QStringLiteral(" ") + unit;
}

HistogramView::HistogramView(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void HistogramView::set(const Histogram& histogram, const QString& unit) {
    histogram_ = histogram;
    unit_ = unit;
    update();
}

void HistogramView::mark(std::optional<double> value) {
    if (value == marked_) return;
    marked_ = value;
    update();
}

QSize HistogramView::sizeHint() const { return {240, 110}; }
QSize HistogramView::minimumSizeHint() const { return {120, 80}; }

QRectF HistogramView::chart() const {
    int text = fontMetrics().height();
    return QRectF(4.5, 4.5, width() - 9, height() - text - 13);
}

double HistogramView::place_of(double value) const {
    QRectF area = chart();
    if (!(histogram_.high > histogram_.low)) return area.center().x();
    return area.left() + area.width() * (value - histogram_.low) / (histogram_.high - histogram_.low);
}

void HistogramView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QPalette& colours = palette();
    QPalette::ColorGroup group = isEnabled() ? QPalette::Active : QPalette::Disabled;
    QColor text = colours.color(group, QPalette::WindowText);
    QColor faint = text;
    faint.setAlphaF(0.25f);
    QRectF area = chart();
    painter.fillRect(area, colours.color(group, QPalette::Base));
    if (histogram_.known == 0) {
        painter.setPen(colours.color(QPalette::Disabled, QPalette::WindowText));
        painter.drawText(area, Qt::AlignCenter, tr("No values"));
        painter.setPen(faint);
        painter.drawRect(area);
        return;
    }
    // The height that all but one part stay below: a plain is not to press everything else flat.
    std::vector<int> sorted = histogram_.counts;
    std::ranges::sort(sorted, std::greater());
    double top = std::max(
        1, sorted.size() > 2 && sorted[0] > 4 * sorted[2] && sorted[2] > 0 ? 4 * sorted[2] : sorted[0]);
    painter.setPen(Qt::NoPen);
    QColor bars = colours.color(group, QPalette::Highlight);
    double wide = area.width() / double(histogram_.counts.size());
    bool flat = !(histogram_.high > histogram_.low);
    for (size_t i = 0; i < histogram_.counts.size(); i++) {
        double share = std::min(1.0, histogram_.counts[i] / top);
        double left = flat ? area.center().x() - 2 : area.left() + double(i) * wide;
        if (share > 0)
            painter.fillRect(QRectF(left, area.bottom() - share * area.height(), flat ? 4 : wide + 0.4,
                                    share * area.height()),
                             bars);
    }
    painter.setPen(faint);
    painter.drawRect(area);

    // The axis: as many round values as have room.
    QFontMetrics metrics = fontMetrics();
    double span = histogram_.high - histogram_.low;
    int widest = std::max(metrics.horizontalAdvance(value_text(histogram_.low, span, {})),
                          metrics.horizontalAdvance(value_text(histogram_.high, span, {})));
    std::vector<double> ticks =
        round_values(histogram_.low, histogram_.high, std::clamp(int(area.width() / (widest + 24)), 1, 8));
    double step = ticks.size() > 1 ? ticks[1] - ticks[0] : span;
    double taken = -1e9;
    int baseline = int(area.bottom()) + 5 + metrics.ascent();
    for (size_t i = 0; i < ticks.size(); i++) {
        double x = place_of(ticks[i]);
        painter.setPen(faint);
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 3));
        // A tick a step apart needs fewer digits than a value.
        QString label = value_text(ticks[i], step * 99, i + 1 == ticks.size() ? unit_ : QString());
        double half = metrics.horizontalAdvance(label) / 2.0;
        double left = std::clamp(x - half, 1.0, std::max(1.0, width() - 2 * half - 1));
        if (left < taken) continue;
        painter.setPen(text);
        painter.drawText(QPointF(left, baseline), label);
        taken = left + 2 * half + 4;
    }
    if (marked_ && std::isfinite(*marked_) && *marked_ >= histogram_.low && *marked_ <= histogram_.high) {
        double x = place_of(*marked_);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(text, 1.5));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.setBrush(text);
        painter.setPen(Qt::NoPen);
        painter.drawPolygon(
            QPolygonF({{x - 4, area.top() - 1}, {x + 4, area.top() - 1}, {x, area.top() + 5}}));
    }
}

bool HistogramView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && histogram_.known > 0) {
        auto* help = static_cast<QHelpEvent*>(event);
        QRectF area = chart();
        double share = std::clamp((help->pos().x() - area.left()) / area.width(), 0.0, 1.0);
        size_t part =
            std::min(size_t(share * double(histogram_.counts.size())), histogram_.counts.size() - 1);
        double wide = (histogram_.high - histogram_.low) / double(histogram_.counts.size());
        double low = histogram_.low + double(part) * wide;
        QToolTip::showText(help->globalPos(),
                           tr("%1 to %2: %3 % of the cells")
                               .arg(value_text(low, histogram_.high - histogram_.low, {}),
                                    value_text(low + wide, histogram_.high - histogram_.low, unit_))
                               .arg(100.0 * histogram_.counts[part] / double(histogram_.known), 0, 'f', 1),
                           this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace caprock::editor

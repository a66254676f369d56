// How the values of a field are spread: counted, and drawn with an axis.
#pragma once

#include "field/field.h"

#include <QString>
#include <QWidget>
#include <cstdint>
#include <optional>
#include <vector>

namespace caprock::editor {

struct Histogram {
    std::vector<int> counts;  // of as many equal parts of low..high
    double low = 0;           // of the finite cells
    double high = 0;
    double mean = 0;
    int64_t known = 0;
    int64_t missing = 0;
};
Histogram histogram_of(const Field& field, int parts = 96);
// Of the ground, degrees, where both neighbours are known; nothing where none is.
std::optional<double> mean_slope_of(const Field& heights, double cell);
class HistogramView : public QWidget {
    Q_OBJECT

  public:
    explicit HistogramView(QWidget* parent = nullptr);

    // Round values within low..high, `most` of them at most.
    static std::vector<double> round_values(double low, double high, int most);
    // As many digits as tell values of that span apart.
    static QString value_text(double value, double span, const QString& unit);

    void set(const Histogram& histogram, const QString& unit);
    // A value that is pointed at.
    void mark(std::optional<double> value);
    std::optional<double> marked() const { return marked_; }
    const Histogram& histogram() const { return histogram_; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    QRectF chart() const;
    double place_of(double value) const;

    Histogram histogram_;
    QString unit_;
    std::optional<double> marked_;
};

}  // namespace caprock::editor

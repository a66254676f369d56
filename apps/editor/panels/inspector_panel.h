// What is known of the place under the cursor, and of a whole field: its histogram and what it comes to.
#pragma once

#include "core/board.h"
#include "core/workshop.h"

#include <QTimer>
#include <QWidget>
#include <map>
#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;

namespace caprock::editor {

class HistogramView;

class InspectorPanel : public QWidget {
    Q_OBJECT

  public:
    explicit InspectorPanel(Board& board, QWidget* parent = nullptr);

    // How often the histogram was counted: it is not while nobody sees it.
    int counted() const { return counted_; }

  public Q_SLOTS:
    // Metres as the document has them: cell (i, j) lies at (i, j) times the cell size.
    void set_cursor(double x, double y);
    void clear_cursor();
    // For the georeference alone; the values come from the board.
    void set_document(caprock::editor::DocumentViewPointer view);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    struct Place {
        double x = 0;
        double y = 0;
    };
    QLabel* add_row(QGridLayout* grid, const QString& name, const QString& title, const QString& help);
    void board_replaced();
    void count_soon();
    void count();
    void show_place();
    QString unit() const;
    double cell() const;

    Board& board_;
    std::optional<Georeference> georeference_;
    double cell_ = 0;  // of the document; 0: not known
    std::optional<Place> cursor_;
    std::vector<std::string> fields_;
    QWidget* values_box_ = nullptr;
    QGridLayout* values_ = nullptr;
    std::map<std::string, QLabel*> value_labels_;
    QLabel* cell_label_;
    QLabel* position_label_;
    QLabel* slope_label_;
    QLabel* aspect_label_;
    QLabel* place_title_ = nullptr;
    QLabel* place_label_;
    QComboBox* field_;
    HistogramView* histogram_;
    QLabel* known_label_;
    QLabel* missing_label_;
    QLabel* low_label_;
    QLabel* high_label_;
    QLabel* mean_label_;
    QLabel* mean_slope_label_;
    QTimer counting_;
    bool stale_ = true;
    int counted_ = 0;
};

}  // namespace caprock::editor

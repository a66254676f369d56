// How hard each rock of the chosen layer is: the table of its hardness, by numbers or by minerals.
#pragma once

#include "core/selection.h"
#include "core/workshop.h"

#include <QStyledItemDelegate>
#include <QWidget>
#include <map>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QMenu;
class QPushButton;
class QStackedWidget;
class QTableWidget;
class QToolButton;

namespace caprock::editor {

class MineralsPanel : public QWidget {
    Q_OBJECT

  public:
    struct Mineral {
        std::string name;
        double hardness = 0;  // 0..1
    };
    // From the softest, as far as the operation `hardness` knows them.
    static const std::vector<Mineral>& minerals();

    MineralsPanel(Workshop& workshop, Selection& selection, QWidget* parent = nullptr);

    struct Row {
        double hardness = 0;
        std::string mineral = {};  // empty: none of that hardness
    };
    const std::vector<Row>& rows() const { return rows_; }

    // ---- commands ----
    void add_row();     // on top of the chosen one; the first one makes a table that rises evenly
    void remove_row();  // the chosen one
    void set_hardness(int row, double hardness);
    void set_mineral(int row, const std::string& mineral);
    void fill_evenly();
    void fill_with_minerals();
    void add_hardness_layer();

  public Q_SLOTS:
    void set_document(caprock::editor::DocumentViewPointer view);

  private:
    // An operation of the layer that has a table of hardness.
    struct Owner {
        int step = 0;
        std::string operation;
        std::map<std::string, std::string> settings;  // of the parameter's name, what set_layer calls it
        int materials = 0;                            // so many rocks without a table; 0: not known
        std::string materials_setting;  // of an operation before it that makes the rocks; empty: none
    };
    QWidget* make_table();
    QWidget* make_invitation();
    void refresh();
    void show_rows();
    void read_owner(const Layer& layer);
    void post(const std::vector<Row>& rows, bool by_minerals);
    const Layer* current() const;

    Workshop& workshop_;
    Selection& selection_;
    DocumentViewPointer view_;
    std::vector<Owner> owners_;
    std::vector<Row> rows_;
    bool by_minerals_ = false;  // the operation holds names, not numbers
    std::string file_;          // that the table comes from
    bool refreshing_ = false;
    QStackedWidget* stack_;
    QComboBox* owner_;
    QLabel* heading_;
    QLabel* notice_;
    QTableWidget* table_;
    QToolButton* add_;
    QToolButton* remove_;
    QToolButton* fill_;
    QLabel* invitation_;
    QPushButton* add_layer_;
};

}  // namespace caprock::editor

// The stack of layers: which there are, how they are blended, and everything that can be done with them.
#pragma once

#include "core/selection.h"
#include "core/workshop.h"
#include "panels/layer_tree.h"

#include <QImage>
#include <QStringList>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <map>
#include <vector>

class QComboBox;
class QLabel;
class QMenu;
class QPoint;
class QSlider;
class QSpinBox;
class QStackedWidget;
class QToolButton;

namespace caprock::editor {

class LayersPanel : public QWidget {
    Q_OBJECT

  public:
    LayersPanel(Workshop& workshop, Selection& selection, QWidget* parent = nullptr);

    // The chosen layers from the top, without those in a group that is chosen too.
    std::vector<int> chosen() const;
    void choose(const std::vector<int>& layers);

    // ---- commands, of the chosen layers where they are of any ----
    void add_operation(const QString& name);  // that make_operation() knows, on top of the chosen layer
    void add_painted(const QString& field);
    void add_group();  // around the chosen layers
    void ungroup();
    void duplicate();
    void remove();
    void merge_down();
    void collapse();
    void rasterise();
    void move_up();
    void move_down();
    void rename();  // opens the field for it
    void toggle_visible();
    void toggle_locked();
    void solo();  // shows it alone; once more: all as they were
    void add_mask(float value);
    void add_generated_mask(const QString& operation);
    void invert_mask();
    void remove_mask();

    // Menus that are made new whenever they open; for menu bars too.
    void fill_add_menu(QMenu* menu);
    void fill_mask_menu(QMenu* menu);

  public Q_SLOTS:
    void set_document(caprock::editor::DocumentViewPointer view);
    void set_thumbnail(int layer, const QImage& content, const QImage& mask);
    void set_problems(const QStringList& problems);

  private:
    using OnLayers =
        std::function<void(Document& document, RunContext& context, const std::vector<int>& layers)>;
    QWidget* make_blending();
    QWidget* make_stack();
    QWidget* make_buttons();
    void change(const QString& title, Workshop::Command command, const QString& drag = {});
    void change_chosen(const QString& title, OnLayers command);
    void add_layer(const QString& title, std::function<void(Document&, const LayerSpot&)> add);
    void toggle(const std::vector<int>& layers, bool visibility);
    void set_opacity(int percent);
    void seal_opacity();
    void move(const std::vector<int>& layers, const LayerSpot& spot);
    void show_menu(const QPoint& at);
    void show_chosen();
    void follow_selection();
    void follow_tree();
    void restore_expanded();
    const Layer* current() const;  // as the window knows it
    bool changeable() const { return view_ && !view_->read_only; }

    Workshop& workshop_;
    Selection& selection_;
    DocumentViewPointer view_;
    LayerTree* tree_;
    LayerTreeDelegate* delegate_;
    LayerTreeView* rows_;
    QWidget* blending_;
    QComboBox* mode_;
    QSlider* opacity_;
    QSpinBox* percent_;
    QLabel* notice_;
    QLabel* invitation_;
    QStackedWidget* stack_;
    QToolButton* add_;
    QToolButton* mask_;
    QToolButton* group_;
    QToolButton* duplicate_;
    QToolButton* remove_;
    QTimer sealing_;
    int opacity_of_ = 0;  // the layer whose opacity was moved last
    bool refreshing_ = false;
    std::map<int, bool> before_solo_;  // what was visible
    int solo_ = 0;
    std::map<int, bool> collapsed_;
    std::vector<int> order_;  // of all layers, as they were shown last
};

}  // namespace caprock::editor

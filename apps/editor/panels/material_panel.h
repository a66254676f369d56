// Which ground lies where: the set of materials that the views show, changed while one looks at it.
#pragma once

#include "core/look.h"

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QListWidget;
class QPushButton;
class QToolButton;

namespace caprock::editor {

class MaterialLayerEditor;

class MaterialPanel : public QWidget {
    Q_OBJECT

  public:
    explicit MaterialPanel(Look& look, QWidget* parent = nullptr);

    // As it is shown here, whether or not it can be applied.
    const MaterialSet& materials() const { return set_; }
    QString error() const;
    void choose_layer(int index);

    void take_set(const QString& name);  // one that comes with the library
    void add_layer();
    void remove_layer();
    void move_layer(int by);
    // Throw Error with the file's name and what is wrong with it.
    void load(const QString& path);
    void save(const QString& path);

  private:
    QWidget* make_head();
    QWidget* make_list();
    QWidget* make_whole();
    void follow_look();
    void show_set();
    void show_list();
    void show_layer();
    void layer_edited();
    void whole_edited();
    void apply();
    void ask_load();
    void ask_save();

    Look& look_;
    MaterialSet set_;
    MaterialSet applied_;
    bool refreshing_ = false;
    QComboBox* choice_;
    QWidget* hint_;
    QLabel* error_;
    QListWidget* list_;
    QToolButton* add_;
    QToolButton* remove_;
    QToolButton* up_;
    QToolButton* down_;
    MaterialLayerEditor* editor_;
    QComboBox* projection_;
    QDoubleSpinBox* macro_amount_;
    QDoubleSpinBox* macro_size_;
};

}  // namespace caprock::editor

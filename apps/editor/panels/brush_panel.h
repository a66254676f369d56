// The brush in the hand: which one, its dab, its pen, its stroke, and what it does.
#pragma once

#include "core/brush_kit.h"

#include <QString>
#include <QStringList>
#include <QThreadPool>
#include <QWidget>
#include <functional>
#include <map>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace caprock::editor {

class FalloffPreview;
class ParameterForm;
class Section;

class BrushPanel : public QWidget {
    Q_OBJECT

  public:
    explicit BrushPanel(BrushKit& kit, QWidget* parent = nullptr);
    ~BrushPanel() override;

    // Names of the terrain's fields, to choose from.
    void set_fields(const QStringList& fields);
    // Each throws Error with the file's name and the reason.
    void save_to(const QString& file) const;
    void load_from(const QString& file);

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void build();
    void refresh();
    void list_brushes();
    void add_item(const QString& name, const Brush& brush);
    Section* add_section(const QString& name, const QString& title, const QString& help, bool open);
    void add_settings(Section* into, const QString& name, std::vector<std::string> names,
                      std::map<std::string, QString> titles = {});
    void set_setting(const std::string& name, const std::string& text);
    void set_parameter(std::shared_ptr<const Operation> Brush::*operation, const std::string& name,
                       const std::string& text);
    void show_operation();
    void load_tip(const QString& file, const std::string& before);
    const Brush& original();
    void show_trouble(const QString& what);
    void ask_where_to_save();
    void ask_what_to_load();

    BrushKit& kit_;
    std::map<QString, Brush> originals_;  // as each came, of those that were in the hand
    std::string operation_;               // that the rows are for
    QStringList fields_;
    std::vector<ParameterForm*> settings_;

    QVBoxLayout* page_;
    QComboBox* brushes_;
    QToolButton* reset_;
    QLabel* about_;
    QLabel* trouble_;
    FalloffPreview* preview_;
    Section* operation_section_;
    ParameterForm* operation_form_;
    Section* blend_section_;
    ParameterForm* blend_form_;
    QThreadPool readers_;
};

}  // namespace caprock::editor

// All that can be set of the selected layer: its operations, its blending, its mask and its place.
#pragma once

#include "core/selection.h"
#include "core/workshop.h"

#include <QString>
#include <QStringList>
#include <QWidget>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QLabel;
class QMenu;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace caprock::editor {

class ParameterForm;
class PresetGallery;
class Section;
class TakesForm;
class TypedEdit;
struct FormValues;

class PropertiesPanel : public QWidget {
    Q_OBJECT

  public:
    PropertiesPanel(Workshop& workshop, Selection& selection, QWidget* parent = nullptr);
    ~PropertiesPanel() override;

  public Q_SLOTS:
    void set_document(caprock::editor::DocumentViewPointer view);  // null: none

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    // A form of some of the layer's settings.
    struct Part {
        enum class Kind { own, blending, operation, mask_operation };
        Kind kind = Kind::own;
        size_t step = 0;  // of an operation
        ParameterForm* form = nullptr;
        // What set_layer() calls the parameters of the form.
        std::map<std::string, std::string> settings = {};
    };
    using Texts = std::vector<std::pair<std::string, std::string>>;

    void refresh();
    const Layer* layer() const;  // that is shown; null: none
    void leave();
    void lay_out();
    std::string shape_of(const Layer& layer) const;
    void build(const Layer& layer);
    void fill(const Layer& layer);
    void say_why_not(const Layer& layer);

    Section* add_section(const QString& name, const QString& title, const QString& help, bool open);
    void add_operations(const Layer& layer, bool of_mask);
    void add_operation(const LayerOperation& step, size_t index, size_t count, bool of_mask);
    void add_blending();
    void add_mask(const Layer& layer);
    void add_takes(const Layer& layer);
    void add_own(const Layer& layer);
    Part& add_part(Part::Kind kind, size_t step, Section* section, std::vector<std::string> names);
    void add_tools(Section* section, const Part& part, const Operation& operation);

    FormValues values_of(const Part& part, const Layer& layer) const;
    FormValues usual_of(const Part& part, const Layer& layer) const;
    const Operation* operation_of(const Part& part) const;
    void edit(const Part& part, const std::string& name, const std::string& text, bool dragging);
    // All values of another operation of that name.
    void take_values(const Part& part, const Operation& values, const QString& title);
    void post(const QString& title, const Texts& texts, const QString& drag = {});
    void post_operations(const QString& title, std::vector<LayerOperation> operations,
                         const std::optional<std::vector<LayerTake>>& takes = {});
    QStringList field_names() const;

    Workshop& workshop_;
    Selection& selection_;
    DocumentViewPointer view_;
    int layer_ = 0;
    std::string shape_;
    std::vector<std::unique_ptr<Part>> parts_;
    TakesForm* takes_ = nullptr;  // null where the layer has no operations
    QString drag_;                // the key of the drag that goes on

    // Views of before the last edit are out of date.
    int posted_ = 0;
    std::shared_ptr<std::atomic<int>> done_ = std::make_shared<std::atomic<int>>(0);

    QScrollArea* scroll_;
    QLabel* empty_;
    QWidget* page_;
    QVBoxLayout* page_layout_;
    QWidget* body_ = nullptr;  // all sections of the layer
    QVBoxLayout* body_layout_ = nullptr;
    TypedEdit* name_;
    QLabel* kind_;
    QLabel* why_not_;
    QPushButton* unlock_;
    PresetGallery* gallery_;
    const Part* gallery_part_ = nullptr;
};

}  // namespace caprock::editor

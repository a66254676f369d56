// A form made from a declaration: one row for each parameter, with a control for its type.
#pragma once

#include "operation/operation.h"

#include <QString>
#include <QStringList>
#include <QWidget>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

class QVBoxLayout;

namespace caprock::editor {

class ParameterRow;

// Values that a form shows and changes: a copy of an operation, or of settings.
struct FormValues {
    std::shared_ptr<Configurable> values = std::make_shared<Declaration>();

    FormValues() = default;
    explicit FormValues(const Operation& operation) : values(operation.clone()) {}
    // Of any struct with describe(Declaration&). `adjust` may say something else of the parameters.
    template <typename Struct>
    static FormValues of(const Struct& values, const std::function<void(Declaration&)>& adjust = {}) {
        struct Described {
            Struct values;
            Declaration declaration;
        };
        auto copy = std::make_shared<Described>(Described{values, Declaration()});
        copy->values.describe(copy->declaration);
        if (adjust) adjust(copy->declaration);
        FormValues made;
        made.values = std::shared_ptr<Configurable>(copy, &copy->declaration);
        return made;
    }
    // As an operation of that name is when it is made.
    static FormValues usual(const Operation& operation);
};

// A text that may be none is set to none; the command line has no word for that.
void set_form_text(Configurable& values, const Parameter& parameter, const std::string& text,
                   bool may_be_none);

class ParameterForm : public QWidget {
    Q_OBJECT

  public:
    explicit ParameterForm(QWidget* parent = nullptr);

    // What is shown, and what each row can be set back to. Rows stay where there are the same parameters: the focus, what is
    // being typed and a drag that goes on are left alone.
    void present(FormValues values, FormValues usual);
    void present(const Operation& operation);

    // Only these, in this order. Before the first present().
    void set_names(std::vector<std::string> names);
    void leave_out(std::vector<std::string> names);
    // Numbers that may be maps elsewhere are numbers here.
    void without_maps() { maps_ = false; }
    // Shorter names, where a heading says the rest.
    void set_titles(std::map<std::string, QString> titles);
    void set_fields(const QStringList& fields);
    void set_lines(const QStringList& lines);
    // Throws Error for values that are each in range but do not fit; asked before anybody is told.
    void set_check(std::function<void(const std::string& name, const std::string& text)> check);
    // How much of the width is for names.
    void set_name_share(double share) { name_share_ = share; }
    // Remarks that stand below rows.
    void set_notes(std::map<std::string, QString> notes);

    bool dragging() const;
    bool is_modified() const;
    ParameterRow* row(const std::string& name) const;  // null where there is none
    std::vector<std::string> names() const;
    // For a value that somebody else has refused.
    void refuse(const std::string& name, const QString& message);

    // Names are cut before controls are.
    QSize minimumSizeHint() const override;

  Q_SIGNALS:
    // A value was taken. `dragging`: the mouse is still down; another one without comes when it is not.
    void edited(const QString& name, const QString& text, bool dragging);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void build();
    void show_value(ParameterRow* row, const Parameter& parameter);
    void update_rows();
    void arrange_names();
    void edit(ParameterRow* row, const QString& text, bool dragging);
    bool has_effect(const Parameter& parameter) const;
    QString usual_text(const std::string& name) const;

    FormValues values_;
    FormValues usual_;
    std::vector<std::string> only_;
    std::vector<std::string> left_out_;
    bool maps_ = true;
    QStringList fields_;
    QStringList lines_;
    std::function<void(const std::string&, const std::string&)> check_;
    std::map<std::string, QString> titles_;
    std::map<std::string, QString> notes_;
    std::vector<ParameterRow*> rows_;
    std::string shape_;    // of what the rows were made for
    std::string dragged_;  // the parameter that a drag has changed
    double name_share_ = 0.36;
    int name_width_ = 0;
    QVBoxLayout* layout_;
};

}  // namespace caprock::editor

#include "widgets/value_control.h"

#include "base/text.h"
#include "widgets/curve_edit.h"
#include "widgets/icon_button.h"
#include "widgets/typed_edit.h"
#include "widgets/value_slider.h"
#include "widgets/varying_control.h"
#include "widgets/wording.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QRandomGenerator>
#include <QToolButton>
#include <fmt/format.h>
#include <functional>

namespace caprock::editor {

namespace {

constexpr int number_width = 66;

QString name_of(const Parameter& parameter, const char* part) {
    return QString::fromStdString(parameter.name()) + "." + part;
}

QHBoxLayout* row_in(QWidget* widget) {
    auto* row = new QHBoxLayout(widget);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    return row;
}

TypedEdit* number_edit(const Parameter& parameter, const char* part, QWidget* parent) {
    auto* edit = new TypedEdit(parent);
    edit->setObjectName(name_of(parameter, part));
    edit->setAccessibleName(titled(parameter.name()));
    edit->set_scale(ValueScale(parameter));
    return edit;
}

QComboBox* narrow_combo(QWidget* parent) {
    auto* combo = new QComboBox(parent);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(5);
    combo->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    return combo;
}

class NumberControl : public ValueControl {
  public:
    NumberControl(const Parameter& parameter, QWidget* parent) : ValueControl(parent) {
        slider_ = new ValueSlider(ValueScale(parameter), this);
        slider_->setObjectName(name_of(parameter, "slider"));
        slider_->setAccessibleName(titled(parameter.name()));
        edit_ = number_edit(parameter, "edit", this);
        edit_->set_unit(unit_sign(parameter.unit()));
        edit_->setFixedWidth(number_width);
        QHBoxLayout* row = row_in(this);
        row->addWidget(slider_, 1);
        row->addWidget(edit_);
        setFocusProxy(edit_);
        connect(slider_, &ValueSlider::moved, this, [this](double value, bool dragging) {
            QString text = QString::fromStdString(number_text(value));
            edit_->show_text(text);
            Q_EMIT edited(text, dragging);
        });
        connect(edit_, &TypedEdit::committed, this,
                [this](const QString& text) { Q_EMIT edited(text, false); });
    }
    void show_text(const QString& text) override {
        if (slider_->dragging()) return;
        edit_->show_text(text);
        if (std::optional<double> value = parse_number(text.toStdString())) slider_->show_value(*value);
    }
    void show_usual(const QString& text) override {
        if (std::optional<double> value = parse_number(text.toStdString())) slider_->show_usual(*value);
    }
    bool dragging() const override { return slider_->dragging(); }

  private:
    ValueSlider* slider_;
    TypedEdit* edit_;
};

class FlagControl : public ValueControl {
  public:
    FlagControl(const Parameter& parameter, QWidget* parent) : ValueControl(parent) {
        box_ = new QCheckBox(this);
        box_->setObjectName(name_of(parameter, "check"));
        box_->setAccessibleName(titled(parameter.name()));
        row_in(this)->addWidget(box_);
        setFocusProxy(box_);
        connect(box_, &QCheckBox::clicked, this, [this](bool on) {
            Q_EMIT edited(on ? QStringLiteral("true") : QStringLiteral("false"), false);
        });
    }
    void show_text(const QString& text) override { box_->setChecked(text == "true"); }

  private:
    QCheckBox* box_;
};

class ChoiceControl : public ValueControl {
  public:
    ChoiceControl(const Parameter& parameter, QWidget* parent) : ValueControl(parent) {
        combo_ = narrow_combo(this);
        combo_->setObjectName(name_of(parameter, "combo"));
        combo_->setAccessibleName(titled(parameter.name()));
        for (const std::string& word : parameter.choices())
            combo_->addItem(choice_title(word), QString::fromStdString(word));
        row_in(this)->addWidget(combo_);
        setFocusProxy(combo_);
        connect(combo_, &QComboBox::activated, this,
                [this](int index) { Q_EMIT edited(combo_->itemData(index).toString(), false); });
    }
    void show_text(const QString& text) override { combo_->setCurrentIndex(combo_->findData(text)); }

  private:
    QComboBox* combo_;
};

class SeedControl : public ValueControl {
    Q_DECLARE_TR_FUNCTIONS(SeedControl)

  public:
    SeedControl(const Parameter& parameter, QWidget* parent) : ValueControl(parent) {
        ValueScale scale(parameter);
        scale.soft = {0, 50};
        scale.hard = Interval{0, double(UINT32_MAX)};
        edit_ = new TypedEdit(this);
        edit_->setObjectName(name_of(parameter, "edit"));
        edit_->setAccessibleName(titled(parameter.name()));
        edit_->set_scale(scale);
        QToolButton* dice =
            small_icon_button("dice", name_of(parameter, "dice"), tr("Another one, by chance"), this);
        QHBoxLayout* row = row_in(this);
        row->addWidget(edit_, 1);
        row->addWidget(dice);
        setFocusProxy(edit_);
        connect(edit_, &TypedEdit::committed, this,
                [this](const QString& text) { Q_EMIT edited(text, false); });
        connect(dice, &QAbstractButton::clicked, this, [this] {
            // Few digits can be told to somebody else.
            QString text = QString::number(QRandomGenerator::global()->bounded(1, 100000));
            edit_->show_text(text);
            Q_EMIT edited(text, false);
        });
    }
    void show_text(const QString& text) override { edit_->show_text(text); }

  private:
    TypedEdit* edit_;
};

class IntervalControl : public ValueControl {
  public:
    IntervalControl(const Parameter& parameter, QWidget* parent) : ValueControl(parent) {
        low_ = number_edit(parameter, "low", this);
        high_ = number_edit(parameter, "high", this);
        high_->set_unit(unit_sign(parameter.unit()));
        QHBoxLayout* row = row_in(this);
        row->addWidget(low_, 1);
        row->addWidget(new QLabel(QStringLiteral("–"), this));
        row->addWidget(high_, 1);
        setFocusProxy(low_);
        auto ended = [this] { Q_EMIT edited(low_text_ + ":" + high_text_, false); };
        connect(low_, &TypedEdit::committed, this, [this, ended](const QString& text) {
            // Both at once, as on the command line.
            if (text.contains(':')) return Q_EMIT edited(text, false);
            low_text_ = text;
            ended();
        });
        connect(high_, &TypedEdit::committed, this, [this, ended](const QString& text) {
            if (text.contains(':')) return Q_EMIT edited(text, false);
            high_text_ = text;
            ended();
        });
    }
    void show_text(const QString& text) override {
        qsizetype colon = text.indexOf(':');
        low_text_ = text.left(colon);
        high_text_ = colon < 0 ? text : text.mid(colon + 1);
        low_->show_text(low_text_);
        high_->show_text(high_text_);
    }

  private:
    TypedEdit* low_;
    TypedEdit* high_;
    QString low_text_;
    QString high_text_;
};

class CurveControl : public ValueControl {
    Q_DECLARE_TR_FUNCTIONS(CurveControl)

  public:
    CurveControl(const Parameter& parameter, QWidget* parent) : ValueControl(parent) {
        curve_ = new CurveEdit(parameter.hard_range().value_or(Interval{0, 1}), this);
        curve_->setObjectName(name_of(parameter, "curve"));
        curve_->setAccessibleName(titled(parameter.name()));
        none_ = small_icon_button("none", name_of(parameter, "none"), tr("No curve"), this);
        QHBoxLayout* row = row_in(this);
        row->setSpacing(2);
        row->addWidget(curve_, 1);
        row->addWidget(none_, 0, Qt::AlignTop);
        setFocusProxy(curve_);
        connect(curve_, &CurveEdit::moved, this, [this](const std::vector<double>& curve, bool dragging) {
            Q_EMIT edited(QString::fromStdString(fmt::format("{}", fmt::join(curve, ","))), dragging);
        });
        connect(none_, &QAbstractButton::clicked, this, [this] { Q_EMIT edited(QString(), false); });
    }
    void show_text(const QString& text) override {
        std::vector<double> curve;
        if (!text.isEmpty())
            for (const std::string& part : split(text.toStdString(), ','))
                curve.push_back(parse_number(part).value_or(0));
        curve_->show_curve(curve);
        none_->setEnabled(!text.isEmpty());
    }
    bool dragging() const override { return curve_->dragging(); }
    bool tall() const override { return true; }

  private:
    CurveEdit* curve_;
    QToolButton* none_;
};

// A button at the end of a control's row that looks for a file. The one that `edit` shows says where to begin.
void add_browse_button(const Parameter& parameter, QWidget* control, const QLineEdit* edit,
                       const std::function<void(const QString& file)>& take) {
    QToolButton* browse = small_icon_button("folder", name_of(parameter, "browse"),
                                            ValueControl::tr("Look for the file"), control);
    control->layout()->addWidget(browse);
    QObject::connect(browse, &QAbstractButton::clicked, control,
                     [control, edit, take, title = titled(parameter.name())] {
                         QString now = edit->text();
                         if (now.startsWith('@')) now.remove(0, 1);
                         auto* dialog = new QFileDialog(control->window(), title, QFileInfo(now).path());
                         dialog->setObjectName("browse");
                         dialog->setAttribute(Qt::WA_DeleteOnClose);
                         dialog->setFileMode(QFileDialog::ExistingFile);
                         QObject::connect(dialog, &QFileDialog::fileSelected, control, take);
                         dialog->open();
                     });
}

class TextControl : public ValueControl {
    Q_DECLARE_TR_FUNCTIONS(TextControl)

  public:
    TextControl(const Parameter& parameter, QWidget* parent) : ValueControl(parent) {
        edit_ = new TypedEdit(this);
        edit_->setObjectName(name_of(parameter, "edit"));
        edit_->setAccessibleName(titled(parameter.name()));
        if (parameter.numeric()) edit_->set_unit(unit_sign(parameter.unit()));
        edit_->setPlaceholderText(tr("none"));
        QHBoxLayout* row = row_in(this);
        row->addWidget(edit_, 1);
        setFocusProxy(edit_);
        connect(edit_, &TypedEdit::committed, this,
                [this](const QString& text) { Q_EMIT edited(text, false); });
        if (parameter.type() != ParameterType::file) return;
        add_browse_button(parameter, this, edit_,
                          [this](const QString& file) { Q_EMIT edited(file, false); });
    }
    void show_text(const QString& text) override { edit_->show_text(text); }

  private:
    TypedEdit* edit_;
};

class FieldControl : public ValueControl {
    Q_DECLARE_TR_FUNCTIONS(FieldControl)

  public:
    FieldControl(const Parameter& parameter, const QStringList& fields, QWidget* parent)
        : ValueControl(parent) {
        combo_ = narrow_combo(this);
        combo_->setObjectName(name_of(parameter, "combo"));
        combo_->setAccessibleName(titled(parameter.name()));
        combo_->setEditable(true);
        combo_->setInsertPolicy(QComboBox::NoInsert);
        edit_ = new TypedEdit(combo_);
        edit_->setObjectName(name_of(parameter, "edit"));
        combo_->setLineEdit(edit_);
        edit_->setPlaceholderText(tr("none"));
        show_names(fields);
        row_in(this)->addWidget(combo_, 1);
        setFocusProxy(combo_);
        connect(edit_, &TypedEdit::committed, this,
                [this](const QString& text) { Q_EMIT edited(text, false); });
        connect(combo_, &QComboBox::activated, this, [this](int index) {
            edit_->setModified(false);
            Q_EMIT edited(combo_->itemText(index), false);
        });
    }
    void show_text(const QString& text) override { edit_->show_text(text); }
    void show_fields(const QStringList& fields) override { show_names(fields); }

  protected:
    void show_names(const QStringList& names) {
        // Items that go would take the text along, also one that is being typed.
        QString text = edit_->text();
        bool modified = edit_->isModified();
        combo_->clear();
        combo_->addItems(names);
        edit_->setText(text);
        edit_->setModified(modified);
    }
    TypedEdit* edit() const { return edit_; }

  private:
    QComboBox* combo_;
    TypedEdit* edit_;
};

// Places as they are typed, lines that the document has, or those of a file.
class LinesControl : public FieldControl {
  public:
    LinesControl(const Parameter& parameter, QWidget* parent) : FieldControl(parameter, {}, parent) {
        add_browse_button(parameter, this, edit(),
                          [this](const QString& file) { Q_EMIT edited("@" + file, false); });
    }
    void show_fields(const QStringList&) override {}
    void show_lines(const QStringList& lines) override {
        QStringList names;
        for (const QString& name : lines) names << "@" + name;
        show_names(names);
    }
};

}  // namespace

ValueControl* make_control(const Parameter& parameter, const QStringList& fields, QWidget* parent) {
    switch (parameter.type()) {
        case ParameterType::number:
            if (parameter.varies())
                return new VaryingControl(
                    parameter, fields, [&](QWidget* within) { return new NumberControl(parameter, within); },
                    parent);
            return new NumberControl(parameter, parent);
        case ParameterType::integer:
            return new NumberControl(parameter, parent);
        case ParameterType::flag:
            return new FlagControl(parameter, parent);
        case ParameterType::choice:
            return new ChoiceControl(parameter, parent);
        case ParameterType::seed:
            return new SeedControl(parameter, parent);
        case ParameterType::interval:
            return new IntervalControl(parameter, parent);
        case ParameterType::field:
            return new FieldControl(parameter, fields, parent);
        case ParameterType::table:
            if (parameter.is_curve()) return new CurveControl(parameter, parent);
            break;
        case ParameterType::points:
        case ParameterType::lines:
            return new LinesControl(parameter, parent);
        case ParameterType::words:
        case ParameterType::text:
        case ParameterType::file:
            break;
    }
    return new TextControl(parameter, parent);
}

}  // namespace caprock::editor

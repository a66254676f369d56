#include "window/grid_dialog.h"

#include "document/commands.h"

#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <cmath>

namespace caprock::editor {

GridDialog::GridDialog(Question question, const DocumentViewPointer& view, QWidget* parent)
    : QDialog(parent), question_(question), view_(view) {
    const DocumentState& state = view_->state();
    auto* column = new QVBoxLayout(this);
    form_ = new QFormLayout;
    column->addLayout(form_);
    note_ = new QLabel(this);
    note_->setObjectName("note");
    note_->setWordWrap(true);
    note_->setMinimumWidth(340);
    column->addWidget(note_);
    buttons_ = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    column->addWidget(buttons_);
    connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);

    const Rect& extent = state.grid.extent;
    switch (question_) {
        case Question::resize:
            setWindowTitle(tr("Size of the terrain"));
            width_ = cells("width", tr("Columns"), extent.width(), 1, largest_side);
            height_ = cells("height", tr("Rows"), extent.height(), 1, largest_side);
            break;
        case Question::crop:
            setWindowTitle(tr("Crop"));
            left_ = cells("left", tr("From column"), state.window.left, extent.left, extent.right - 1);
            top_ = cells("top", tr("From row"), state.window.top, extent.top, extent.bottom - 1);
            width_ = cells("width", tr("Columns"), state.window.width(), 1, extent.width());
            height_ = cells("height", tr("Rows"), state.window.height(), 1, extent.height());
            break;
        case Question::resample:
            setWindowTitle(tr("Cell size"));
            cell_ = metres("cell", tr("Distance between cells"), state.grid.cell, 0.001, 1e6);
            break;
        case Question::range:
            setWindowTitle(tr("Height range"));
            low_ = metres("low", tr("Lowest"), state.grid.range.low, -1e6, 1e6);
            high_ = metres("high", tr("Highest"), state.grid.range.high, -1e6, 1e6);
            break;
    }
    say_what_follows();
}

QSpinBox* GridDialog::cells(const QString& name, const QString& title, int value, int low, int high) {
    auto* box = new QSpinBox(this);
    box->setObjectName(name);
    box->setRange(low, high);
    box->setValue(value);
    form_->addRow(title, box);
    connect(box, &QSpinBox::valueChanged, this, &GridDialog::say_what_follows);
    return box;
}

QDoubleSpinBox* GridDialog::metres(const QString& name, const QString& title, double value, double low,
                                   double high) {
    auto* box = new QDoubleSpinBox(this);
    box->setObjectName(name);
    box->setDecimals(3);
    box->setRange(low, high);
    box->setValue(value);
    box->setSuffix(" m");
    form_->addRow(title, box);
    connect(box, &QDoubleSpinBox::valueChanged, this, &GridDialog::say_what_follows);
    return box;
}

void GridDialog::say_what_follows() {
    const DocumentState& state = view_->state();
    QLocale locale;
    QString text;
    bool right = true;
    switch (question_) {
        case Question::resize:
            // Called while the form is still being filled.
            if (!height_) return;
            text = tr("%1 × %2 m. What is painted keeps its place, also outside; erosion and faults look at "
                      "all of the "
                      "terrain, so what they make may change.")
                       .arg(locale.toString(width_->value() * state.grid.cell, 'f', 0),
                            locale.toString(height_->value() * state.grid.cell, 'f', 0));
            break;
        case Question::crop: {
            if (!height_) return;
            Rect window{left_->value(), top_->value(), left_->value() + width_->value(),
                        top_->value() + height_->value()};
            right = state.grid.extent.contains(window);
            text = right ? tr("Only this part is shown and exported. All else stays and is computed with: "
                              "nothing inside "
                              "changes.")
                         : tr("The part reaches beyond the terrain, which ends at column %1 and row %2.")
                               .arg(state.grid.extent.right)
                               .arg(state.grid.extent.bottom);
            break;
        }
        case Question::resample: {
            double times = state.grid.cell / cell_->value();
            double columns = std::round(state.grid.extent.width() * times);
            double rows = std::round(state.grid.extent.height() * times);
            right = columns >= 1 && rows >= 1 && columns <= largest_side && rows <= largest_side;
            text = right ? tr("About %1 × %2 cells. What is painted is sampled anew; what is generated is "
                              "computed anew, the "
                              "same land.")
                               .arg(columns)
                               .arg(rows)
                         : tr("That would be %1 × %2 cells; a side may have 1 to %3.")
                               .arg(columns)
                               .arg(rows)
                               .arg(largest_side);
            break;
        }
        case Question::range:
            if (!high_) return;
            right = high_->value() > low_->value();
            text = right ? tr("Formulas stated on 0 to 1 mean these heights; generated layers follow.")
                         : tr("The lowest must be below the highest.");
            break;
    }
    note_->setText(text);
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(right);
}

Workshop::Command GridDialog::command() const {
    const Rect& extent = view_->state().grid.extent;
    switch (question_) {
        case Question::resize:
            return [to = Rect{extent.left, extent.top, extent.left + width_->value(),
                              extent.top + height_->value()}](Document& document, RunContext&) {
                resize_document(document, to);
            };
        case Question::crop:
            return [to = Rect{left_->value(), top_->value(), left_->value() + width_->value(),
                              top_->value() + height_->value()}](Document& document, RunContext&) {
                crop_document(document, to);
            };
        case Question::resample:
            return [cell = cell_->value()](Document& document, RunContext& context) {
                resample_document(document, cell, context.progress);
            };
        case Question::range:
            break;
    }
    return [range = Interval{low_->value(), high_->value()}](Document& document, RunContext&) {
        set_height_range(document, range);
    };
}

}  // namespace caprock::editor

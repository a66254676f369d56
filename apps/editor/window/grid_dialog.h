// Asks how the document's grid shall be: its size, what is shown of it, the distance between cells, the heights.
#pragma once

#include "core/workshop.h"

#include <QDialog>
#include <functional>

class QDialogButtonBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QSpinBox;

namespace caprock::editor {

class GridDialog : public QDialog {
    Q_OBJECT

  public:
    enum class Question { resize, crop, resample, range };
    GridDialog(Question question, const DocumentViewPointer& view, QWidget* parent = nullptr);

    // What was asked for, to be carried out on the document.
    Workshop::Command command() const;

  private:
    void say_what_follows();
    QSpinBox* cells(const QString& name, const QString& title, int value, int low, int high);
    QDoubleSpinBox* metres(const QString& name, const QString& title, double value, double low, double high);

    Question question_;
    DocumentViewPointer view_;
    QFormLayout* form_;
    QLabel* note_;
    QDialogButtonBox* buttons_;
    QSpinBox* left_ = nullptr;
    QSpinBox* top_ = nullptr;
    QSpinBox* width_ = nullptr;
    QSpinBox* height_ = nullptr;
    QDoubleSpinBox* cell_ = nullptr;
    QDoubleSpinBox* low_ = nullptr;
    QDoubleSpinBox* high_ = nullptr;
};

}  // namespace caprock::editor

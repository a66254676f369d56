// One layer of a material set: what it looks like, and where it lies.
#pragma once

#include "view/material_set.h"

#include <QDoubleSpinBox>
#include <QWidget>
#include <array>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;
class QVBoxLayout;

namespace caprock::editor {

// An end of a band: a number, or "any" where the band has no end on that side.
class BandEnd : public QDoubleSpinBox {
    Q_OBJECT

  public:
    explicit BandEnd(bool upper, QWidget* parent = nullptr);

    // The values it usually has; others can be typed.
    void set_span(double low, double high, int digits);
    double end() const;  // infinite: any
    void set_end(double end);

    QString textFromValue(double value) const override;
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& at) const override;

  private:
    double any() const { return upper_ ? maximum() : minimum(); }
    bool upper_;
};

class MaterialLayerEditor : public QWidget {
    Q_OBJECT

  public:
    explicit MaterialLayerEditor(QWidget* parent = nullptr);

    // `index` of the set's layers.
    void set_layer(const MaterialSet& set, size_t index);
    const MaterialLayer& layer() const { return layer_; }

  Q_SIGNALS:
    void changed();

  private:
    struct Band {
        std::optional<MaterialBand> MaterialLayer::*band;
        QCheckBox* on = nullptr;
        QWidget* ends = nullptr;
        BandEnd* from = nullptr;
        BandEnd* to = nullptr;
        QDoubleSpinBox* fade = nullptr;
        QCheckBox* metres = nullptr;  // of heights
    };
    QWidget* make_look();
    QWidget* make_bands();
    QWidget* make_noise();
    void add_band(QVBoxLayout* to, const QString& name, const QString& title, const QString& help,
                  std::optional<MaterialBand> MaterialLayer::*band, double low, double high, int digits);
    QDoubleSpinBox* make_number(const QString& name, double low, double high, int digits, double step,
                                const QString& suffix, const QString& help);
    void set_metres(Band& band, bool metres);
    void choose_tint();
    void show_tint();
    void edited();

    MaterialLayer layer_;
    bool refreshing_ = false;
    QLineEdit* name_;
    QComboBox* texture_;
    QToolButton* tint_;
    QDoubleSpinBox* tile_;
    QComboBox* parent_;
    QDoubleSpinBox* opacity_;
    QLabel* covers_;
    QWidget* where_;
    std::vector<Band> bands_;
    QDoubleSpinBox* feature_;
    QDoubleSpinBox* amount_;
};

}  // namespace caprock::editor

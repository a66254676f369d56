// Fields that the operations of a layer take from other layers: a row for each, with the name that they know it by, the layer
// and its field.
#pragma once

#include "document/layer.h"

#include <QStringList>
#include <QWidget>
#include <vector>

class QVBoxLayout;

namespace caprock::editor {

class TakesForm : public QWidget {
    Q_OBJECT

  public:
    explicit TakesForm(QWidget* parent = nullptr);

    // A layer that can be taken from.
    struct Source {
        int layer = 0;
        QString name;
        bool operator==(const Source&) const = default;
    };
    // From the nearest below. Rows stay where they are the same, with what is being typed in them.
    void present(const std::vector<LayerTake>& takes, const std::vector<Source>& sources,
                 const QStringList& fields);

    // Below a layer, hidden or not, from the nearest.
    static std::vector<Source> sources_for(const std::vector<Layer>& layers, int layer);

  Q_SIGNALS:
    void edited(const std::vector<caprock::LayerTake>& takes);

  private:
    void build();
    void add_row(size_t index);
    void change(size_t index, const LayerTake& to);
    QString free_name() const;

    std::vector<LayerTake> takes_;
    std::vector<Source> sources_;
    QStringList fields_;
    QWidget* rows_ = nullptr;
    QVBoxLayout* layout_;
};

}  // namespace caprock::editor

// Which layer the user works on, and whether on its mask: what panels and the pen act on.
#pragma once

#include <QObject>

namespace caprock::editor {

class Selection : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;

    int layer() const { return layer_; }  // 0: none
    bool mask() const { return mask_; }
    void select(int layer, bool mask = false) {
        if (layer == layer_ && mask == mask_) return;
        layer_ = layer;
        mask_ = layer != 0 && mask;
        Q_EMIT changed();
    }

  Q_SIGNALS:
    void changed();

  private:
    int layer_ = 0;
    bool mask_ = false;
};

}  // namespace caprock::editor

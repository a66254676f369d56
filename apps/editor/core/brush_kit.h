// The brush in the hand, and the others beside it, each as it was left.
#pragma once

#include "painting/brush.h"

#include <QObject>
#include <QString>
#include <map>
#include <utility>

namespace caprock::editor {

class BrushKit : public QObject {
    Q_OBJECT

  public:
    explicit BrushKit(QObject* parent = nullptr);

    const QString& name() const { return name_; }
    const Brush& brush() const { return brush_; }
    // One that comes with the library, as it was left when it was laid down. Throws Error where there is none.
    void take(const QString& name);
    // One of a user's own: of a file, or any operation.
    void take(const QString& name, const Brush& brush);
    // As it came.
    void reset();
    bool is_modified() const;

    template <typename Change>
    void change(Change&& change) {
        change(brush_);
        Q_EMIT changed();
    }

  Q_SIGNALS:
    void changed();

  private:
    QString name_;
    Brush brush_;
    Brush original_;
    std::map<QString, std::pair<Brush, Brush>> laid_down_;  // as left, and as it came
};

}  // namespace caprock::editor

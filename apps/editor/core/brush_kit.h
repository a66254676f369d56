// The brush in the hand, and the others beside it, each as it was left.
#pragma once

#include "painting/brush.h"

#include <QObject>
#include <QString>
#include <map>

namespace caprock::editor {

class BrushKit : public QObject {
    Q_OBJECT

  public:
    explicit BrushKit(QObject* parent = nullptr);

    const QString& name() const { return name_; }
    const Brush& brush() const { return held_.brush; }
    // One that comes with the library, as it was left when it was laid down. Throws Error where there is none.
    void take(const QString& name);
    // One of a user's own: of a file, or any operation.
    void take(const QString& name, const Brush& brush);
    // How many metres wide the land is that will be painted on: the library's brushes are made to suit it, but for those
    // that somebody has changed.
    void set_land(double metres);
    // As it came.
    void reset();
    bool is_modified() const;

    template <typename Change>
    void change(Change&& change) {
        change(held_.brush);
        Q_EMIT changed();
    }

  Q_SIGNALS:
    void changed();

  private:
    struct Held {
        Brush brush;       // as it is
        Brush original;    // as it came
        bool own = false;  // a user's, not the library's
    };
    void take(const QString& name, Held held);
    static bool is_modified(const Held& held);

    QString name_;
    Held held_;
    std::map<QString, Held> laid_down_;
    double times_ = 1;  // how much wider the land is than brushes are made for
};

}  // namespace caprock::editor

// Draws and writes pictures of what is seen, at any size, while the window goes on.
#pragma once

#include "base/picture.h"
#include "base/progress.h"

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace caprock::editor {

// What a view showed at one moment, with all that it takes to draw it on another thread. Throws Error.
using Shot = std::function<Picture(Size size, Progress& progress)>;

class Photographer : public QObject {
    Q_OBJECT

  public:
    explicit Photographer(QObject* parent = nullptr);
    // Pictures that were asked for are written first.
    ~Photographer() override;

    void take(Shot shot, Size size, const QString& path);
    // The one that is being taken.
    void cancel();
    bool busy() const;
    // Whether a picture will be written there that was asked for already.
    bool will_write(const QString& path) const;

  Q_SIGNALS:
    void working(const QString& title, double share);
    void rested();
    void taken(const QString& path);
    void stopped();
    void failed(const QString& message);

  private:
    mutable std::mutex guard_;
    struct Wanted {
        QString path;
        std::shared_ptr<Progress> progress;
    };
    std::deque<Wanted> wanted_;  // the first is being taken
    QThreadPool pool_;
};

}  // namespace caprock::editor

// What the document looks like, for the window: a follower of it whose news are signals, and pictures of its layers.
#pragma once

#include "document/follower.h"

#include <QImage>
#include <QObject>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace caprock::editor {

class Composer : public QObject {
    Q_OBJECT

  public:
    using Hurry = Follower::Hurry;

    explicit Composer(QObject* parent = nullptr);

    // As the follower's.
    void show(const Snapshot& snapshot, Hurry hurry) { follower_.show(snapshot, hurry); }
    void clear() { follower_.clear(); }
    void look_at(double x, double y) { follower_.look_at(x, y); }
    void set_device(const std::string& word) { follower_.set_device(word); }
    void cancel() { follower_.cancel(); }
    void pause(bool paused) { follower_.pause(paused); }
    bool paused() const { return follower_.paused(); }
    std::optional<Follower::Simulating> simulating() const { return follower_.simulating(); }
    void taken() { follower_.taken(); }
    bool busy() const { return follower_.busy(); }
    void wait() { follower_.wait(); }
    // Thumbnails are made again where they have changed.
    void set_thumbnails(bool wanted) { follower_.set_at_rest(wanted); }

  Q_SIGNALS:
    void composed(caprock::ComposedPointer piece);
    // All there are.
    void lines(const caprock::NamedLines& sets);
    void working(const QString& title, double share);
    void rested();
    void failed(const QString& message);
    void told(const QString& message);
    // Layers without effect, and why.
    void problems(const QStringList& problems);
    void thumbnail(int layer, const QImage& content, const QImage& mask);

  private:
    Follower::Options options();
    Follower::Listener listener();
    void make_thumbnails(const Snapshot& snapshot, Evaluator& evaluator);

    // Of the follower's thread alone: what the thumbnails were made of.
    std::map<int, std::pair<ContentKey, ContentKey>> pictures_;
    Follower follower_;  // the last, so that its thread ends before the others go
};

}  // namespace caprock::editor

Q_DECLARE_METATYPE(caprock::ComposedPointer)
Q_DECLARE_METATYPE(caprock::NamedLines)

// The bookmarks of the document that is open, and the file beside it that keeps them.
//
// The file is what counts: a change is made to what it holds at that moment, and is on disk before anybody hears of it.
// What cannot be read is never written over.
#pragma once

#include "core/workshop.h"
#include "view/bookmarks.h"

#include <QObject>
#include <QString>
#include <functional>
#include <string>
#include <vector>

namespace caprock::editor {

class KeptBookmarks : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;

    // The bookmarks of a document go with a copy of it. Those that lie beside the copy from before are renamed, not
    // replaced; returns what they are called now, or nothing. Throws Error.
    static std::string carry(const std::string& document, const std::string& copy);

    void set_document(const DocumentViewPointer& view);
    // The file may have been changed by others.
    void look_again();

    bool open() const { return !document_.empty(); }
    const std::vector<Bookmark>& all() const { return bookmarks_.all(); }
    const Camera* find(const QString& name) const { return bookmarks_.find(name.toStdString()); }
    // Why the file does not say what there is; empty where it does.
    const QString& trouble() const { return trouble_; }
    bool read_only() const { return read_only_; }
    // Why nothing can be changed; empty where it can. It looks again first.
    QString obstacle();

    // "View 1", or the first of its kind that is free.
    QString proposed_name() const;
    // As it would be kept.
    static QString tidy(const QString& name) { return name.simplified(); }
    // Why nothing can be called so; empty where it can. `now`: what it is called.
    QString objection(const QString& name, const QString& now = {}) const;

    // Each says whether it is on disk; where it is not, failed() says why, and all is as it was.
    bool add(const QString& name, const Camera& camera);
    bool rename(const QString& from, const QString& to);
    bool aim(const QString& name, const Camera& camera);
    bool remove(const QString& name);
    // The last change that was made here.
    bool take_back();
    // What that was; empty: nothing can be taken back.
    QString last_change() const { return changes_.empty() ? QString() : changes_.back().title; }

  Q_SIGNALS:
    void changed();
    void failed(const QString& message);

  private:
    using Edit = std::function<void(Bookmarks& bookmarks)>;
    bool change(const QString& title, const Edit& edit);
    Bookmarks on_disk() const;
    std::string file() const { return bookmarks_file(document_); }

    std::string document_;
    bool read_only_ = false;
    Bookmarks bookmarks_;
    QString trouble_;
    struct Change {
        QString title;
        Bookmarks before;
        Bookmarks after;
    };
    std::vector<Change> changes_;
};

}  // namespace caprock::editor

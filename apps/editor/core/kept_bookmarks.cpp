#include "core/kept_bookmarks.h"

#include "base/error.h"
#include "base/text_file.h"

#include <QFileInfo>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace caprock::editor {

namespace {

namespace fs = std::filesystem;

constexpr size_t longest_file = size_t(16) << 20;

// Not whether it can be read: what is in the way of looking is in the way of writing, too, and is told then.
bool is_there(const std::string& path) {
    std::error_code unknown;
    return fs::exists(path, unknown) || unknown;
}

void require(const Bookmarks& bookmarks, const std::string& name) {
    if (!bookmarks.find(name)) throw Error(fmt::format("there is no bookmark '{}' any more", name));
}

}  // namespace

std::string KeptBookmarks::carry(const std::string& document, const std::string& copy) {
    std::error_code failure;
    if (fs::equivalent(document, copy, failure)) return {};
    std::string from = bookmarks_file(document), to = bookmarks_file(copy), aside;
    if (is_there(to)) {
        for (int number = 1; aside.empty() || fs::exists(aside, failure); number++)
            aside = fmt::format("{}.old-{}", to, number);
        fs::rename(to, aside, failure);
        if (failure) throw Error(fmt::format("cannot rename '{}': {}", to, failure.message()));
    }
    // As it is, even if it cannot be understood: it may be put right there.
    if (!is_there(from)) return aside;
    std::string text;
    try {
        text = text_of_file(from, longest_file, "that are no bookmarks");
    } catch (const Error& error) {
        throw Error(fmt::format("'{}' cannot be read: {}", from, error.what()));
    }
    write_text_file(text, to);
    return aside;
}

void KeptBookmarks::set_document(const DocumentViewPointer& view) {
    std::string path = view ? view->path : std::string();
    read_only_ = view && view->read_only;
    bool another = !view || view->opened || path != document_;
    if (!another) return;
    document_ = path;
    bookmarks_ = {};
    trouble_.clear();
    changes_.clear();
    if (view) look_again();
    Q_EMIT changed();
}

Bookmarks KeptBookmarks::on_disk() const {
    // A file that is gone takes nothing with it: the next change writes what is known.
    if (!is_there(file())) return bookmarks_;
    try {
        return parse_bookmarks(text_of_file(file(), longest_file, "that are no bookmarks"));
    } catch (const Error& error) {
        // With all of its path: somebody has to find it.
        throw Error(fmt::format("'{}' cannot be read: {}", file(), error.what()));
    }
}

void KeptBookmarks::look_again() {
    if (!open()) return;
    Bookmarks before = bookmarks_;
    QString trouble;
    try {
        bookmarks_ = on_disk();
    } catch (const Error& error) {
        trouble = QString::fromUtf8(error.what());
    }
    if (trouble == trouble_ && bookmarks_ == before) return;
    bool told = trouble == trouble_;
    trouble_ = trouble;
    Q_EMIT changed();
    if (!trouble_.isEmpty() && !told) Q_EMIT failed(trouble_);
}

QString KeptBookmarks::proposed_name() const {
    for (int number = int(all().size()) + 1;; number++) {
        QString name = tr("View %1").arg(number);
        if (!find(name)) return name;
    }
}

QString KeptBookmarks::objection(const QString& name, const QString& now) const {
    QString wanted = tidy(name);
    if (wanted.isEmpty()) return tr("A bookmark must have a name.");
    if (wanted != now && find(wanted))
        return tr("There is a bookmark “%1” already: choose another name.").arg(wanted);
    return {};
}

QString KeptBookmarks::obstacle() {
    if (!open()) return tr("No document is open.");
    if (read_only_)
        return tr("“%1” is open for reading only: bookmarks cannot be kept here.")
            .arg(QFileInfo(QString::fromStdString(document_)).completeBaseName());
    look_again();
    if (trouble_.isEmpty()) return {};
    return tr("%1. Nothing is written over it: put it right or move it away, then try again.").arg(trouble_);
}

bool KeptBookmarks::change(const QString& title, const Edit& edit) {
    if (QString no = obstacle(); !no.isEmpty()) {
        Q_EMIT failed(no);
        return false;
    }
    try {
        Bookmarks before = bookmarks_;
        Bookmarks after = before;
        edit(after);
        save_bookmarks(after, file());
        bookmarks_ = after;
        changes_.push_back({title, std::move(before), std::move(after)});
    } catch (const Error& error) {
        Q_EMIT failed(tr("%1: %2").arg(title, QString::fromUtf8(error.what())));
        return false;
    }
    Q_EMIT changed();
    return true;
}

bool KeptBookmarks::add(const QString& name, const Camera& camera) {
    QString tidied = tidy(name);
    return change(tr("Bookmark “%1”").arg(tidied), [&](Bookmarks& bookmarks) {
        // Set would give the other one this view.
        if (bookmarks.find(tidied.toStdString()))
            throw Error(tr("there is one of that name already").toStdString());
        bookmarks.set(tidied.toStdString(), camera);
    });
}

bool KeptBookmarks::rename(const QString& from, const QString& to) {
    QString tidied = tidy(to);
    if (tidied == from) return true;
    if (QString no = objection(to, from); !no.isEmpty()) {
        Q_EMIT failed(no);
        return false;
    }
    return change(tr("Rename “%1” to “%2”").arg(from, tidied), [&](Bookmarks& bookmarks) {
        require(bookmarks, from.toStdString());
        // In its place among the others.
        Bookmarks renamed;
        for (const auto& [name, camera] : bookmarks.all())
            renamed.set(name == from.toStdString() ? tidied.toStdString() : name, camera);
        if (renamed.all().size() != bookmarks.all().size())
            throw Error(tr("there is one of that name already").toStdString());
        bookmarks = renamed;
    });
}

bool KeptBookmarks::aim(const QString& name, const Camera& camera) {
    return change(tr("Another view for “%1”").arg(name), [&](Bookmarks& bookmarks) {
        require(bookmarks, name.toStdString());
        bookmarks.set(name.toStdString(), camera);
    });
}

bool KeptBookmarks::remove(const QString& name) {
    return change(tr("Remove “%1”").arg(name), [&](Bookmarks& bookmarks) {
        require(bookmarks, name.toStdString());
        bookmarks.remove(name.toStdString());
    });
}

bool KeptBookmarks::take_back() {
    if (changes_.empty()) return false;
    Change last = changes_.back();
    bool done = change(last.title, [&](Bookmarks& bookmarks) {
        if (bookmarks != last.after)
            throw Error(tr("the file was changed since, so that it cannot be taken back").toStdString());
        bookmarks = last.before;
    });
    // Neither what was taken back nor the taking back is to be taken back next.
    if (done) {
        changes_.erase(changes_.end() - 2, changes_.end());
        Q_EMIT changed();
    }
    return done;
}

}  // namespace caprock::editor

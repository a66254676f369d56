// Places to come back to: the document's bookmarks by their names, in the order in which they were added.
#pragma once

#include "core/actions.h"
#include "core/kept_bookmarks.h"

#include <QWidget>

class QLabel;
class QToolButton;
class QTreeWidget;

namespace caprock::editor {

class ListOrInvitation;

class BookmarksPanel : public QWidget {
    Q_OBJECT

  public:
    // The actions "bookmark.go-1" to "-9" have the keys that are shown beside the names.
    BookmarksPanel(KeptBookmarks& bookmarks, Actions& actions, QWidget* parent = nullptr);

    // The chosen one; empty where none is.
    QString chosen() const;
    void choose(const QString& name);

  Q_SIGNALS:
    void add_wanted();
    void go_wanted(const QString& name);
    // It shall be what is seen now.
    void aim_wanted(const QString& name);
    void copy_wanted(const QString& name);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void show_all();
    void show_keys();
    void show_notice();
    void enable_buttons();
    void rename();
    void remove();
    void ask(const QPoint& place);
    bool can_change() const;

    KeptBookmarks& bookmarks_;
    Actions& actions_;
    QString refusal_;  // why the last thing that was asked for was not done
    bool filling_ = false;
    QLabel* notice_;
    ListOrInvitation* stack_;
    QTreeWidget* list_;
    QToolButton* add_;
    QToolButton* go_;
    QToolButton* aim_;
    QToolButton* back_;
    QToolButton* remove_;
};

}  // namespace caprock::editor

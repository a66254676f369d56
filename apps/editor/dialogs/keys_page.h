// Every action with its key, and a place to give it another.
#pragma once

#include "core/actions.h"

#include <QWidget>

class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;

namespace caprock::editor {

class KeysPage : public QWidget {
    Q_OBJECT

  public:
    explicit KeysPage(Actions& actions, QWidget* parent = nullptr);

  Q_SIGNALS:
    void changed();

  private:
    void fill();
    void filter(const QString& text);
    void choose(const QString& name);
    void judge();
    void set(const QKeySequence& key);
    // The title of another action that has the key; empty where none does.
    QString owner_of(const QKeySequence& key) const;

    Actions& actions_;
    QLineEdit* search_;
    QTreeWidget* list_;
    QLabel* chosen_title_;
    QKeySequenceEdit* record_;
    QPushButton* set_;
    QPushButton* usual_;
    QPushButton* none_;
    QLabel* note_;
    QString chosen_;
};

// The words of an action without the marks of menus.
QString plain_title(const QString& text);

}  // namespace caprock::editor

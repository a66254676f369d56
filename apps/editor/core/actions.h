// Everything that can be done, by name: menus, toolbars, the palette of commands and the page of keys all read this list.
#pragma once

#include <QKeySequence>
#include <QObject>
#include <QString>
#include <functional>
#include <vector>

class QAction;
class QWidget;

namespace caprock::editor {

class Actions : public QObject {
    Q_OBJECT

  public:
    struct Entry {
        QString name;  // "layer.duplicate": what keys are kept under
        QString menu;  // "Layer", "Layer/New": where it is found; empty: in the palette alone
        QKeySequence usual;
        QAction* action = nullptr;
    };

    // Actions work wherever the focus is in the window.
    explicit Actions(QWidget* window);

    // `help`: one sentence, for the tooltip and the status bar; the key is added to it.
    QAction* add(const QString& name, const QString& menu, const QString& title, const QKeySequence& usual,
                 const QString& help, std::function<void()> run);
    // One that is on or off.
    QAction* add_switch(const QString& name, const QString& menu, const QString& title,
                        const QKeySequence& usual, const QString& help, bool on,
                        std::function<void(bool)> run);

    QAction* find(const QString& name) const;
    const std::vector<Entry>& all() const { return entries_; }
    // Another key, which is remembered; the one it had by another action goes.
    void set_key(const QString& name, const QKeySequence& key);
    void reset_keys();

  Q_SIGNALS:
    void keys_changed();

  private:
    QAction* make(const QString& name, const QString& menu, const QString& title, const QKeySequence& usual,
                  const QString& help);
    static void explain(QAction* action);

    QWidget* window_;
    std::vector<Entry> entries_;
};

}  // namespace caprock::editor

// Every command by a few letters of its name: a search line and a list, in the upper middle of the window.
#pragma once

#include "core/actions.h"

#include <QFrame>
#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;

namespace caprock::editor {

struct PaletteEntry {
    QString name;   // what it is remembered by: "add-layer:thermal-erosion"
    QString title;  // "Add layer: thermal-erosion"
    QString place;  // beside it, muted: where else it is found
    QString key = {};
    QString help = {};
    QString reason = {};  // why it cannot be done now; empty: it can
    std::function<void()> run = {};
};

class CommandPalette : public QFrame {
    Q_OBJECT

  public:
    // An action that cannot be done now says why in its property "reason", if it has one.
    CommandPalette(Actions& actions, QWidget* window);

    // Asked every time the palette opens.
    using Extras = std::function<std::vector<PaletteEntry>()>;
    void set_extras(Extras extras) { extras_ = std::move(extras); }

    // Opens it, with the line empty or with letters that are already typed.
    void open(const QString& letters = {});
    void close_palette();
    bool is_open() const { return isVisible(); }

  Q_SIGNALS:
    void closed();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void gather();
    void list();
    void step(int by);
    void run_current();
    void place_in_window();

    Actions& actions_;
    QWidget* window_;
    Extras extras_;
    QLineEdit* line_;
    QListWidget* list_;
    QLabel* nothing_;
    std::vector<PaletteEntry> entries_;
};

}  // namespace caprock::editor

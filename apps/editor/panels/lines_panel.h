// The line sets of the document: its own, and those that layers make.
#pragma once

#include "core/board.h"
#include "core/workshop.h"

#include <QWidget>

class QToolButton;
class QTreeWidget;

namespace caprock::editor {

class ListOrInvitation;

class LinesPanel : public QWidget {
    Q_OBJECT

  public:
    LinesPanel(Board& board, Workshop& workshop, QWidget* parent = nullptr);

    // The chosen set; empty where none is.
    QString chosen() const;
    // Every layer of the file becomes a set of the document.
    void import_file(const QString& path);
    // `name` empty: all of them.
    void export_file(const QString& path, const QString& name = {});

  public Q_SLOTS:
    void set_document(caprock::editor::DocumentViewPointer view);  // null: none
    void ask_import();
    void ask_export();

  Q_SIGNALS:
    void told(const QString& message);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void show_all();
    void enable_buttons();
    void remove();
    bool is_own(const QString& name) const;
    bool can_change() const { return view_ && !view_->read_only; }

    Board& board_;
    Workshop& workshop_;
    DocumentViewPointer view_;
    ListOrInvitation* stack_;
    QTreeWidget* list_;
    QToolButton* import_;
    QToolButton* export_;
    QToolButton* remove_;
};

}  // namespace caprock::editor

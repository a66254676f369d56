// How fields behave in a window whose middle is a view: for all of them at once, whoever makes them.
//
// - A wheel that passes over a field scrolls the panel. It turns numbers only where the keyboard is in them, and never
//   chooses from a closed list.
// - Enter in a field of a panel or bar takes what was typed, Escape puts back what was there, and both give the keyboard
//   back to the view that had it last.
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QWidget>

class QKeyEvent;

namespace caprock::editor {

class FieldManners : public QObject {
    Q_OBJECT

  public:
    explicit FieldManners(QWidget* window);

    // One of the views. The first one has the keyboard as long as no other had it.
    void add_view(QWidget* view);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    // The field that a widget is or is a part of; null where it is none, or not of a panel or bar of this window.
    QWidget* field_of(QWidget* widget) const;
    bool escape_is_for(QWidget* field) const;
    void back_to_view();

    QWidget* window_;
    QList<QWidget*> views_;
    QPointer<QWidget> last_view_;
    QPointer<QWidget> entered_;  // the field that has the keyboard
    QString before_;             // and what was in it
};

}  // namespace caprock::editor

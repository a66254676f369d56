// Asks what a bookmark shall be called: a line over the view, which stays in sight.
#pragma once

#include <QFrame>
#include <QPointer>
#include <functional>

class QLabel;
class QLineEdit;

namespace caprock::editor {

class BookmarkName : public QFrame {
    Q_OBJECT

  public:
    // It lies over `view`, in its upper middle.
    BookmarkName(QWidget* view, QWidget* window);

    // What is wrong with a name; empty: nothing.
    using Objection = std::function<QString(const QString& name)>;
    using Take = std::function<void(const QString& name)>;
    void ask(const QString& proposal, Objection objection, Take take);
    // Without an answer.
    void dismiss();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void judge();
    void accept();
    void place();

    QWidget* view_;
    Objection objection_;
    Take take_;
    QPointer<QWidget> before_;  // who had the focus
    QLabel* title_;
    QLineEdit* line_;
    QLabel* note_;
};

}  // namespace caprock::editor

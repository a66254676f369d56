// The line below: what the document is, what is under the cursor, what computes, and what is being computed.
#pragma once

#include "core/board.h"
#include "core/workshop.h"

#include <QStatusBar>
#include <functional>

class QLabel;
class QProgressBar;
class QToolButton;

namespace caprock::editor {

class StatusBar : public QStatusBar {
    Q_OBJECT

  public:
    explicit StatusBar(Board& board, QWidget* parent = nullptr);

    void set_document(const DocumentViewPointer& view);
    void set_cursor(double x, double y);
    void clear_cursor();
    void set_device(const QString& name);
    // Work of one who is named, 0 to 1; it is shown when it has taken a little while.
    void set_work(const QString& who, const QString& title, double share);
    void clear_work(const QString& who);
    // Whether that work can be paused and what it has done so far be kept, and whether it is paused.
    void set_simulating(const QString& who, bool simulating, bool paused);
    // Changes that could not be written.
    void set_unwritten(qint64 changes);
    // Something that could be done, as a button, until it is done or put away or another document is there.
    void offer(const QString& what, const QString& help, std::function<void()> action);
    void take_back_offer();
    // After the board has changed.
    void update_facts();

  Q_SIGNALS:
    void cancel_wanted(const QString& who);
    void pause_wanted(bool paused);
    void keep_wanted();

  private:
    void show_work();
    void show_memory();

    Board& board_;
    DocumentViewPointer view_;
    QLabel* unwritten_;
    QLabel* facts_;
    QLabel* cursor_;
    QLabel* device_;
    QLabel* memory_;
    QLabel* work_title_;
    QProgressBar* work_bar_;
    QToolButton* work_pause_;
    QToolButton* work_keep_;
    QToolButton* work_cancel_;
    QToolButton* offer_;
    QToolButton* offer_away_;
    std::function<void()> offered_;
    struct Work {
        QString who;
        QString title;
        double share = 0;
        bool simulating = false;
        bool paused = false;
        qint64 since = 0;  // milliseconds
    };
    std::vector<Work> works_;
};

}  // namespace caprock::editor

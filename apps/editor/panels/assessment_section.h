// Whether the land is like real land, or like that of a file: a part of the inspector, computed when it is asked for, beside the
// window.
#pragma once

#include "assessment/comparison.h"
#include "core/board.h"

#include <QThreadPool>
#include <QWidget>
#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;

namespace caprock::editor {

class AssessmentSection : public QWidget {
    Q_OBJECT

  public:
    explicit AssessmentSection(Board& board, QWidget* parent = nullptr);
    ~AssessmentSection() override;

    // A file that the land is held against from now on; none: real land.
    void hold_against(const QString& path);
    bool busy() const { return progress_ != nullptr; }

  public Q_SLOTS:
    // Of the land as it is now; of the one that is being assessed, no more.
    void assess_or_stop();

  private:
    struct Outcome {
        Assessment land;
        Yardstick yardstick;
    };
    void choose();
    void start();
    void show_outcome(const Outcome& outcome);
    void end(const std::shared_ptr<Progress>& progress, const QString& message);
    void board_changed();
    QString reference() const;

    Board& board_;
    QComboBox* beside_;
    QPushButton* button_;
    QLabel* message_;
    QLabel* result_;
    int chosen_ = 0;  // of the land to be held against
    std::shared_ptr<Progress> progress_;
    bool changed_ = false;  // the land, since it was assessed
    QThreadPool pool_;
};

}  // namespace caprock::editor

// A tour of the window: everything is dimmed but the part that a bubble speaks of.
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

class QFrame;
class QLabel;
class QPushButton;

namespace caprock::editor {

struct TourStep {
    QString widget;  // its objectName; where there is none to be seen, the bubble stands in the middle
    QString title;
    QString text;  // two sentences
};

class Tour : public QWidget {
    Q_OBJECT

  public:
    Tour(QWidget* window, std::vector<TourStep> steps);

    void start();
    int step() const { return step_; }
    // The part of the window that is not dimmed; empty where there is none.
    QRect hole() const { return hole_; }

  public Q_SLOTS:
    void next();
    void back();
    void skip();

  Q_SIGNALS:
    void moved(int step);
    // `seen`: to its end. It is hidden by now.
    void finished(bool seen);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

  private:
    void show_step(int step);
    void arrange();
    void finish(bool seen);
    QWidget* shown_widget() const;

    QWidget* window_;
    std::vector<TourStep> steps_;
    int step_ = 0;
    QRect hole_;
    QFrame* bubble_;
    QLabel* title_;
    QLabel* text_;
    QLabel* count_;
    QPushButton* next_;
    QPushButton* back_;
    QPushButton* skip_;
};

}  // namespace caprock::editor

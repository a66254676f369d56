// Across the top of the window while changes cannot be written: which file, why, how many, and what can be done. It stays
// until that is solved.
#pragma once

#include <QFrame>

class QLabel;

namespace caprock::editor {

// "1 change", "12 changes".
QString counted_changes(qint64 changes);

class TroubleBar : public QFrame {
    Q_OBJECT

  public:
    explicit TroubleBar(QWidget* parent = nullptr);

    // Hides itself where there is no trouble, or nothing of worth waits.
    void show_trouble(const QString& path, const QString& trouble, qint64 changes);

  Q_SIGNALS:
    void elsewhere_wanted();
    void again_wanted();

  private:
    QLabel* what_;
    QLabel* remedy_;
};

}  // namespace caprock::editor

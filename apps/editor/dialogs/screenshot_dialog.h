// Asks how large a picture of the view shall be, and where it goes.
#pragma once

#include <QDialog>
#include <QSize>
#include <QString>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QWidget;

namespace caprock::editor {

class ScreenshotDialog : public QDialog {
    Q_OBJECT

  public:
    // `current`: pixels of the view as it is; `path`: a name to begin with.
    ScreenshotDialog(const QSize& current, const QString& path, QWidget* parent = nullptr);

    QSize picture_size() const;
    QString picture_path() const;  // ends in .png

    static constexpr int longest_side = 8192;

  public Q_SLOTS:
    void accept() override;

  private:
    void refresh();
    QString trouble() const;

    QSize current_;
    QComboBox* size_;
    QSpinBox* width_;
    QSpinBox* height_;
    QWidget* own_;
    QLineEdit* path_;
    QLabel* message_;
    QPushButton* take_;
};

}  // namespace caprock::editor

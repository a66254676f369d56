// Asks how a document shall be written, and writes it beside whatever else goes on.
#pragma once

#include "core/workshop.h"
#include "dialogs/engine_numbers.h"
#include "dialogs/exporter.h"
#include "formats/format_table.h"

#include <QDialog>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QTabBar;
class QThreadPool;

namespace caprock::editor {

class ExportDialog : public QDialog {
    Q_OBJECT

  public:
    // The document is written as it is at this moment, whatever is done to it meanwhile.
    explicit ExportDialog(DocumentViewPointer view, QWidget* parent = nullptr);
    ~ExportDialog() override;

    // What is on the screen. Where the document's range does not hold it, the heights' own is proposed.
    void expect_heights(const Interval& heights);
    ExportRequest request() const;
    bool running() const { return progress_ != nullptr; }

  public Q_SLOTS:
    // Stops a running export; closes the dialog otherwise.
    void reject() override;

  Q_SIGNALS:
    void exported(const QStringList& files, const QStringList& warnings);
    void failed(const QString& message);

  private:
    static const std::vector<TerrainFormat>& formats();
    const TerrainFormat& format() const;
    QWidget* file_part();
    QWidget* numbers_part();
    void browse();
    void follow_format();
    void follow_name();
    void refresh();
    void show_numbers();
    QString trouble() const;  // why it cannot be written as it stands; empty where it can
    void measure();
    void start();
    void finish(const QString& message, bool warning);

    DocumentViewPointer view_;
    std::vector<std::string> fields_;
    QLineEdit* path_;
    QComboBox* format_;
    QComboBox* size_;
    QSpinBox* width_;
    QSpinBox* height_;
    QWidget* own_size_;
    QLabel* size_note_;
    QComboBox* range_;
    QDoubleSpinBox* low_;
    QDoubleSpinBox* high_;
    QWidget* own_range_;
    QListWidget* field_list_;
    QLabel* field_note_;
    QTabBar* engine_;
    QWidget* numbers_;
    QPushButton* copy_;
    QLabel* message_;
    QProgressBar* bar_;
    QPushButton* export_;
    QPushButton* close_;
    QWidget* form_;
    std::optional<Interval> heights_;  // once they are measured
    std::optional<Size> heights_size_;
    std::shared_ptr<Progress> progress_;
    std::shared_ptr<Progress> measuring_;
    bool formats_ready_ = false;
    std::unique_ptr<QThreadPool> pool_;
};

}  // namespace caprock::editor

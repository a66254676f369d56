// What is shown while no document is open: a new one, those that were open last, examples, and imports.
#pragma once

#include "core/workshop.h"
#include "dialogs/recent_documents.h"
#include "terrain/grid.h"

#include <QImage>
#include <QString>
#include <QWidget>
#include <memory>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QPushButton;
class QSpinBox;
class QThreadPool;
class QVBoxLayout;

namespace caprock::editor {

struct NewDocument {
    QString path;
    Grid grid;
    QString preset;  // empty: flat ground at height 0
};

class StartPage : public QWidget {
    Q_OBJECT

  public:
    explicit StartPage(QWidget* parent = nullptr);
    ~StartPage() override;

    NewDocument wanted() const;
    // Why that cannot be made as it stands; empty where it can.
    QString trouble() const;
    // What can be imported, as a filter for file dialogs.
    static QString import_filter();

  Q_SIGNALS:
    void create_wanted(const caprock::editor::NewDocument& document);
    void open_wanted(const QString& path);
    void import_wanted(const QString& path);
    void tour_wanted();

  protected:
    void showEvent(QShowEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* new_part();
    QWidget* other_part();
    void choose_preset();
    void refresh();
    void list_recent();
    void draw_pictures();
    void take_picture(const QString& preset, const QImage& picture);
    void take_recent_picture(const QString& path, const QImage& picture);
    void make_example(const QString& preset);
    void open_recent(QListWidgetItem* item);
    void tell(const QString& message);
    QString folder() const;

    QListWidget* presets_;
    QComboBox* size_;
    QSpinBox* width_;
    QSpinBox* height_;
    QWidget* own_size_;
    QDoubleSpinBox* cell_;
    QDoubleSpinBox* low_;
    QDoubleSpinBox* high_;
    QLineEdit* name_;
    QLineEdit* folder_;
    QLabel* facts_;
    QLabel* warning_;
    QPushButton* create_;
    QListWidget* recent_;
    QLabel* no_recent_;
    QListWidget* examples_;
    bool pictures_asked_ = false;
    std::shared_ptr<Progress> progress_;
    std::unique_ptr<QThreadPool> pool_;
};

}  // namespace caprock::editor

Q_DECLARE_METATYPE(caprock::editor::NewDocument)

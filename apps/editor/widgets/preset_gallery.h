// Presets of one operation, with pictures, to choose from. The pictures are drawn while one looks, not by the window.
#pragma once

#include "operation/operation.h"

#include <QFrame>
#include <QImage>
#include <QString>
#include <QThreadPool>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

class QListWidget;
class QListWidgetItem;

namespace caprock {
class Progress;
}

namespace caprock::editor {

// Presets that are this operation and nothing else.
std::vector<std::string> presets_of(std::string_view operation);

class PresetGallery : public QFrame {
    Q_OBJECT

  public:
    explicit PresetGallery(QWidget* parent = nullptr);
    ~PresetGallery() override;

    // Opens below a button.
    void open(const std::string& operation, QWidget* below);

    static constexpr int picture_width = 96;
    static constexpr int picture_height = 64;

  Q_SIGNALS:
    void chosen(const QString& preset);

  protected:
    void hideEvent(QHideEvent* event) override;

  private:
    void draw(const std::string& preset);
    void take(const std::string& preset, const QImage& image);

    QListWidget* list_;
    std::map<std::string, QImage> pictures_;
    std::shared_ptr<Progress> progress_;
    QThreadPool painters_;
};

}  // namespace caprock::editor

// The window of preferences. What is chosen holds at once; there is nothing to confirm.
#pragma once

#include "compute/devices.h"
#include "core/actions.h"
#include "dialogs/chosen_settings.h"

#include <QDialog>
#include <functional>
#include <vector>

class QButtonGroup;
class QLabel;
class QListWidget;
class QStackedWidget;
class QVBoxLayout;
class QTableWidget;

namespace caprock::editor {

class Preferences : public QDialog {
    Q_OBJECT

  public:
    // `find` lists the devices, on another thread: drivers may take seconds to wake up, and cannot be interrupted.
    using FindDevices = std::function<std::vector<DeviceDescription>()>;
    Preferences(Actions& actions, QWidget* parent = nullptr, FindDevices find = list_devices);

    // "general", "devices", "keys", "navigation", "pen"
    void show_page(const QString& name);

  Q_SIGNALS:
    // Something is not as it was; read it with the functions of chosen_settings.h.
    void changed();
    // The devices are known and listed.
    void devices_listed();

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    QWidget* general_page();
    QWidget* devices_page();
    QWidget* navigation_page();
    QWidget* pen_page();
    void add_page(const QString& name, const QString& title, const QString& icon_name, QWidget* page);
    void list_devices_later();
    void take_devices(const std::vector<DeviceDescription>& devices, const QString& trouble);
    void add_device(const QString& word, const QString& title, const QString& about);
    void show_moves();

    Actions& actions_;
    QListWidget* pages_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    QVBoxLayout* device_list_ = nullptr;
    QButtonGroup* device_choice_ = nullptr;
    QLabel* device_note_ = nullptr;
    QTableWidget* moves_ = nullptr;
    bool devices_asked_ = false;
    FindDevices find_devices_;
};

}  // namespace caprock::editor

// Kernel files that a user writes: each is looked at again when it is saved, and the layers made with it follow.
#pragma once

#include "core/workshop.h"
#include "operation/kernel_operation.h"
#include "painting/brush.h"

#include <QFileSystemWatcher>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace caprock::editor {

class KernelsPanel : public QWidget {
    Q_OBJECT

  public:
    explicit KernelsPanel(Workshop& workshop, QWidget* parent = nullptr);
    ~KernelsPanel() override;

    enum class State { compiling, ready, failed };
    struct Entry {
        QString path;
        QString name;
        State state = State::compiling;
        // The newest version that compiles; none: none does yet.
        std::shared_ptr<const KernelFile> version;
        QString error;  // of the file as it is now, every problem in a line
    };
    int count() const { return int(entries_.size()); }
    const Entry& entry(int index) const { return entries_[size_t(index)].shown; }

    void open(const QString& path);
    void close(int index);
    void add_as_layer(int index);
    void take_as_brush(int index);
    // Layers that hold another version of this file's kernel take this one.
    void update_layers(int index);

  public Q_SLOTS:
    void set_document(caprock::editor::DocumentViewPointer view);
    // Looks at all files now.
    void reload_all();

  Q_SIGNALS:
    void brush_wanted(const QString& name, const caprock::Brush& brush);
    // Something became of a file: it compiles, or does not.
    void looked_at(const QString& path);

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    class Source;
    struct Outcome {
        bool looked = false;       // whether there was anything new to be seen
        bool new_version = false;  // one that took the place of another
        std::shared_ptr<const KernelFile> version;
        QString error;
    };
    struct Held {
        Entry shown;
        std::shared_ptr<Source> source;
        bool busy = false;
        bool again = false;  // it was saved while it was being compiled
    };
    QWidget* make_list();
    void look_at(const QString& path, bool anew);
    void take(const QString& path, const Outcome& outcome);
    void show_entries();
    void show_chosen();
    void ask_open();
    int chosen() const;
    int find(const QString& path) const;
    bool holds_other_version(const Entry& entry) const;

    Workshop& workshop_;
    DocumentViewPointer view_;
    std::vector<Held> entries_;
    QFileSystemWatcher watcher_;
    QTimer poll_;
    QStackedWidget* stack_;
    QListWidget* list_;
    QLabel* about_;
    QPlainTextEdit* errors_;
    QPushButton* layer_;
    QPushButton* brush_;
    QPushButton* update_;
    QToolButton* close_;
    QToolButton* reload_;
    QThreadPool pool_;  // one thread: compilers are slow enough one after the other
};

}  // namespace caprock::editor

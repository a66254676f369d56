#include "panels/kernels_panel.h"

#include "base/error.h"
#include "base/text.h"
#include "compute/devices.h"
#include "compute/kernel_error.h"
#include "document/commands.h"
#include "theme/icons.h"
#include "widgets/icon_button.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QMetaObject>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTextStream>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace caprock::editor {

namespace {

// "/home/ann/rice.kernel:7: 'stp' was not declared" with the line it is about.
QString explained(const QString& path, const QString& error) {
    QStringList text;
    QFile file(path);
    if (file.size() < 1 << 20 && file.open(QIODevice::ReadOnly))
        text = QString::fromUtf8(file.readAll()).split('\n');
    static const QRegularExpression place("^(?:.*\\.kernel):(\\d+): (.*)$");
    QStringList result;
    for (const QString& each : error.split('\n', Qt::SkipEmptyParts)) {
        QRegularExpressionMatch match = place.match(each);
        if (!match.hasMatch()) {
            result << each;
            continue;
        }
        int line = match.captured(1).toInt();
        result << KernelsPanel::tr("Line %1: %2").arg(line).arg(match.captured(2));
        if (line >= 1 && line <= text.size())
            result << QStringLiteral("%1 | %2").arg(line, 4).arg(text[line - 1].trimmed());
    }
    return result.join('\n');
}

// With every layer of the stack.
template <typename Layers, typename Visit>
void each_layer(Layers& layers, const Visit& visit) {
    for (auto& layer : layers) {
        visit(layer);
        each_layer(layer.layers, visit);
    }
}

bool is_other_version(const LayerOperation& step, const KernelProgram& program) {
    return step.operation && step.operation->name() == program.name && !step.operation->text().empty() &&
           step.operation->text() != program.text;
}

}  // namespace

// A file as the pool's thread has it.
class KernelsPanel::Source {
  public:
    explicit Source(std::string path) : path_(std::move(path)) {}

    // `anew`: also where nothing seems to have changed since it did not compile.
    Outcome look(bool anew) {
        Outcome outcome;
        if (!file_) {
            std::error_code absent;
            auto written = std::filesystem::last_write_time(path_, absent);
            auto size = std::filesystem::file_size(path_, absent);
            if (tried_ && !anew && written == written_ && size == size_) return outcome;
            tried_ = true;
            written_ = written;
            size_ = size;
            outcome.looked = true;
            try {
                if (!device_) device_ = choose_device("auto", 0, int64_t(4096) * 4096);
                file_.emplace(path_, device_);
                outcome.version = std::make_shared<const KernelFile>(*file_);
            } catch (const KernelError& wrong) {
                for (const std::string& line : wrong.lines())
                    outcome.error += QString::fromStdString(line) + '\n';
            } catch (const std::exception& wrong) {
                outcome.error = QString::fromUtf8(wrong.what());
            }
            return outcome;
        }
        std::string error_before = file_->error();
        try {
            outcome.new_version = file_->refresh();
        } catch (const std::exception& wrong) {
            outcome.looked = true;
            outcome.error = QString::fromUtf8(wrong.what());
            outcome.version = std::make_shared<const KernelFile>(*file_);
            return outcome;
        }
        outcome.looked = anew || outcome.new_version || file_->error() != error_before;
        outcome.version = std::make_shared<const KernelFile>(*file_);
        outcome.error = QString::fromStdString(file_->error());
        return outcome;
    }

  private:
    std::string path_;
    std::shared_ptr<Device> device_;
    std::optional<KernelFile> file_;
    bool tried_ = false;
    std::filesystem::file_time_type written_;
    uintmax_t size_ = 0;
};

KernelsPanel::KernelsPanel(Workshop& workshop, QWidget* parent) : QWidget(parent), workshop_(workshop) {
    setObjectName("kernels_panel");
    setAcceptDrops(true);
    pool_.setMaxThreadCount(1);
    auto* invitation =
        new QLabel(tr("No kernel files yet.\n\nA kernel is an operation of your own in a small text file. "
                      "Open one, or drop it here; "
                      "it is compiled again whenever it is saved."));
    invitation->setObjectName("kernels_invitation");
    invitation->setWordWrap(true);
    invitation->setAlignment(Qt::AlignCenter);
    invitation->setMargin(12);
    invitation->setToolTip(tr("How to begin"));
    stack_ = new QStackedWidget;
    stack_->addWidget(make_list());
    stack_->addWidget(invitation);
    stack_->setCurrentIndex(1);

    auto* open = new QPushButton(tr("Open kernel..."));
    open->setObjectName("kernels_open");
    open->setToolTip(tr("Open a kernel file. A kernel is a program: open only what you trust."));
    reload_ = icon_button("reset", "kernels_reload", tr("Look at all files now"));
    close_ = icon_button("remove", "kernels_close",
                         tr("Take the chosen file off this list; layers made with it stay"));
    auto* row = new QHBoxLayout;
    row->setSpacing(2);
    row->addWidget(open);
    row->addWidget(reload_);
    row->addStretch(1);
    row->addWidget(close_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->setSpacing(6);
    layout->addWidget(stack_, 1);
    layout->addLayout(row);

    connect(open, &QPushButton::clicked, this, &KernelsPanel::ask_open);
    connect(reload_, &QToolButton::clicked, this, &KernelsPanel::reload_all);
    connect(close_, &QToolButton::clicked, this, [this] { close(chosen()); });
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this,
            [this](const QString& path) { look_at(path, false); });
    // Editors write a file anew, which a watcher loses sight of; and not every disk tells.
    poll_.setInterval(1000);
    connect(&poll_, &QTimer::timeout, this, [this] {
        for (const Held& held : entries_)
            if (!held.busy) look_at(held.shown.path, false);
    });
    poll_.start();
    show_entries();
}

KernelsPanel::~KernelsPanel() {
    poll_.stop();
    pool_.clear();
    pool_.waitForDone();
}

QWidget* KernelsPanel::make_list() {
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    list_ = new QListWidget;
    list_->setObjectName("kernels_list");
    list_->setAccessibleName(tr("Kernel files"));
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setTextElideMode(Qt::ElideMiddle);
    list_->setIconSize(QSize(16, 16));
    list_->setMinimumHeight(60);
    about_ = new QLabel;
    about_->setObjectName("kernels_about");
    about_->setWordWrap(true);
    about_->setToolTip(tr("What the chosen kernel does"));
    errors_ = new QPlainTextEdit;
    errors_->setObjectName("kernels_errors");
    errors_->setReadOnly(true);
    errors_->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (font.pointSizeF() > 0) font.setPointSizeF(font.pointSizeF() * 0.92);
    errors_->setFont(font);
    errors_->setToolTip(
        tr("What is wrong with the file as it is now; the last version that compiled stays in use"));
    errors_->setMinimumHeight(60);
    layer_ = new QPushButton(tr("Add as layer"));
    layer_->setObjectName("kernels_layer");
    layer_->setToolTip(tr("Add a layer that does what the kernel does"));
    brush_ = new QPushButton(tr("Take as brush"));
    brush_->setObjectName("kernels_brush");
    brush_->setToolTip(tr("Paint with the kernel"));
    update_ = new QPushButton(tr("Update layers"));
    update_->setObjectName("kernels_update");
    update_->setToolTip(
        tr("Layers that hold another version of this kernel take this one; their values stay"));
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(layer_, 1);
    row->addWidget(brush_, 1);
    layout->addWidget(list_, 1);
    layout->addWidget(about_);
    layout->addWidget(errors_, 1);
    layout->addLayout(row);
    layout->addWidget(update_);
    connect(list_, &QListWidget::currentRowChanged, this, &KernelsPanel::show_chosen);
    connect(layer_, &QPushButton::clicked, this, [this] { add_as_layer(chosen()); });
    connect(brush_, &QPushButton::clicked, this, [this] { take_as_brush(chosen()); });
    connect(update_, &QPushButton::clicked, this, [this] { update_layers(chosen()); });
    return page;
}

// ---- files -------------------------------------------------------------------------------------------------

void KernelsPanel::ask_open() {
    for (const QString& path :
         QFileDialog::getOpenFileNames(this, tr("Open kernel"), {}, tr("Kernels (*.kernel)")))
        open(path);
}

void KernelsPanel::open(const QString& path) {
    QString whole = QFileInfo(path).absoluteFilePath();
    int known = find(whole);
    if (known < 0) {
        Held held;
        held.shown.path = whole;
        held.shown.name = QFileInfo(whole).fileName();
        held.source = std::make_shared<Source>(whole.toStdString());
        entries_.push_back(std::move(held));
        known = int(entries_.size()) - 1;
        watcher_.addPath(whole);
    }
    show_entries();
    list_->setCurrentRow(known);
    look_at(whole, true);
}

void KernelsPanel::close(int index) {
    if (index < 0 || index >= count()) return;
    watcher_.removePath(entries_[size_t(index)].shown.path);
    entries_.erase(entries_.begin() + index);
    show_entries();
}

void KernelsPanel::reload_all() {
    QStringList paths;
    for (const Held& held : entries_) paths << held.shown.path;
    for (const QString& path : paths) look_at(path, true);
}

void KernelsPanel::look_at(const QString& path, bool anew) {
    int index = find(path);
    if (index < 0) return;
    Held& held = entries_[size_t(index)];
    if (held.busy) {
        held.again = held.again || anew;
        return;
    }
    held.busy = true;
    if (anew) {
        held.shown.state = State::compiling;
        show_entries();
    }
    pool_.start([this, source = held.source, path, anew] {
        Outcome outcome = source->look(anew);
        if (!outcome.error.isEmpty()) outcome.error = explained(path, outcome.error);
        // The panel waits for this thread before it goes.
        QMetaObject::invokeMethod(
            this, [this, path, outcome] { take(path, outcome); }, Qt::QueuedConnection);
    });
}

void KernelsPanel::take(const QString& path, const Outcome& outcome) {
    int index = find(path);
    if (index < 0) return;
    Held& held = entries_[size_t(index)];
    held.busy = false;
    if (!watcher_.files().contains(path) && QFileInfo::exists(path)) watcher_.addPath(path);
    if (outcome.looked) {
        if (outcome.version) held.shown.version = outcome.version;
        held.shown.error = outcome.error;
        held.shown.state = outcome.error.isEmpty() ? State::ready : State::failed;
        show_entries();
        if (outcome.new_version) update_layers(index);
        Q_EMIT looked_at(path);
    }
    if (std::exchange(held.again, false)) look_at(path, true);
}

int KernelsPanel::find(const QString& path) const {
    for (int i = 0; i < count(); i++)
        if (entry(i).path == path) return i;
    return -1;
}

int KernelsPanel::chosen() const { return list_->currentRow(); }

// ---- what is shown -----------------------------------------------------------------------------------------

void KernelsPanel::set_document(DocumentViewPointer view) {
    view_ = std::move(view);
    show_chosen();
}

void KernelsPanel::show_entries() {
    {
        QSignalBlocker blocker(list_);
        int row = list_->currentRow();
        while (list_->count() > count()) delete list_->takeItem(list_->count() - 1);
        while (list_->count() < count()) list_->addItem(new QListWidgetItem);
        for (int i = 0; i < count(); i++) {
            const Entry& each = entry(i);
            QListWidgetItem* item = list_->item(i);
            QString state = each.state == State::compiling ? tr("compiling...")
                            : each.state == State::ready   ? tr("compiled")
                            : each.version                 ? tr("does not compile, the last version stays")
                                                           : tr("does not compile");
            item->setText(QStringLiteral("%1: %2").arg(each.name, state));
            item->setIcon(icon(each.state == State::failed ? "warning" : "mountain"));
            item->setToolTip(each.path);
        }
        list_->setCurrentRow(count() == 0 ? -1 : std::clamp(row, 0, count() - 1));
    }
    stack_->setCurrentIndex(count() == 0 ? 1 : 0);
    show_chosen();
}

void KernelsPanel::show_chosen() {
    int index = chosen();
    bool any = index >= 0 && index < count();
    close_->setEnabled(any);
    reload_->setEnabled(count() > 0);
    const Entry* shown = any ? &entry(index) : nullptr;
    bool usable = shown && shown->version;
    bool changeable = view_ && !view_->read_only;
    about_->setVisible(usable);
    if (usable) {
        QString summary = QString::fromStdString(shown->version->program().summary);
        if (!summary.isEmpty()) summary[0] = summary[0].toUpper();
        about_->setText(summary.isEmpty() ? shown->name : summary);
    }
    QString error = shown ? shown->error : QString();
    if (errors_->toPlainText() != error) errors_->setPlainText(error);
    errors_->setVisible(!error.isEmpty());
    layer_->setEnabled(usable && changeable);
    brush_->setEnabled(usable);
    update_->setVisible(usable && changeable && holds_other_version(*shown));
}

bool KernelsPanel::holds_other_version(const Entry& entry) const {
    if (!view_ || !entry.version) return false;
    bool found = false;
    each_layer(view_->state().layers, [&](const Layer& layer) {
        for (const auto* list : {&layer.operations, &layer.mask.operations})
            for (const LayerOperation& step : *list)
                found = found || is_other_version(step, entry.version->program());
    });
    return found;
}

// ---- using them --------------------------------------------------------------------------------------------

void KernelsPanel::add_as_layer(int index) {
    if (index < 0 || index >= count() || !entry(index).version || !view_ || view_->read_only) return;
    workshop_.change(tr("Add layer"), [version = entry(index).version](Document& document, RunContext&) {
        std::vector<LayerOperation> operations;
        operations.emplace_back(version->operation());
        add_operations(document, std::move(operations), {});
    });
}

void KernelsPanel::take_as_brush(int index) {
    if (index < 0 || index >= count() || !entry(index).version) return;
    Q_EMIT brush_wanted(entry(index).name, brush_of(*entry(index).version->operation()));
}

void KernelsPanel::update_layers(int index) {
    if (index < 0 || index >= count() || !holds_other_version(entry(index)) || view_->read_only) return;
    workshop_.change(tr("New version of a kernel"), [version = entry(index).version](Document& document,
                                                                                     RunContext& context) {
        const KernelProgram& program = version->program();
        std::vector<std::string> locked;
        // All of them at once: undone, all have the version before.
        document.change(fmt::format("new version of '{}'", one_line(program.name)), [&](Edit& edit) {
            each_layer(edit.state().layers, [&](Layer& layer) {
                for (auto* list : {&layer.operations, &layer.mask.operations})
                    for (LayerOperation& step : *list) {
                        if (!is_other_version(step, program)) continue;
                        if (layer.locked) {
                            locked.push_back(fmt::format("{} ({})", layer.id, one_line(layer.name)));
                            continue;
                        }
                        step.operation = version->operation_like(*step.operation);
                    }
                bool computed = layer.kind == LayerKind::generated || layer.kind == LayerKind::adjustment;
                if (!computed || layer.locked || layer.operations.empty() ||
                    !layer.operations.front().operation)
                    return;
                // It may read something now that it did not before.
                if (layer.operations.front().operation->name() == program.name)
                    layer.kind = kind_of_operations(layer.operations, edit.state(), layer.id);
            });
        });
        if (!locked.empty() && context.tell)
            context.tell(fmt::format("locked layers keep the version of {} they have: {}", program.name,
                                     listed(locked)));
    });
}

// ---- dropping ----------------------------------------------------------------------------------------------

void KernelsPanel::dragEnterEvent(QDragEnterEvent* event) {
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile() && is_kernel_name(url.toLocalFile().toStdString())) {
            event->acceptProposedAction();
            return;
        }
}

void KernelsPanel::dropEvent(QDropEvent* event) {
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile() && is_kernel_name(url.toLocalFile().toStdString())) open(url.toLocalFile());
    event->acceptProposedAction();
}

}  // namespace caprock::editor

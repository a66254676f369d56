#include "core/actions.h"

#include <QAction>
#include <QSettings>
#include <QWidget>
#include <algorithm>

namespace caprock::editor {

Actions::Actions(QWidget* window) : QObject(window), window_(window) {}

QAction* Actions::make(const QString& name, const QString& menu, const QString& title,
                       const QKeySequence& usual, const QString& help) {
    auto* action = new QAction(title, window_);
    action->setObjectName(name);
    action->setProperty("help", help);
    action->setShortcutContext(Qt::WindowShortcut);
    QSettings settings;
    QString kept = "keys/" + name;
    action->setShortcut(settings.contains(kept) ? QKeySequence(settings.value(kept).toString()) : usual);
    explain(action);
    window_->addAction(action);
    entries_.push_back({name, menu, usual, action});
    return action;
}

QAction* Actions::add(const QString& name, const QString& menu, const QString& title,
                      const QKeySequence& usual, const QString& help, std::function<void()> run) {
    QAction* action = make(name, menu, title, usual, help);
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    return action;
}

QAction* Actions::add_switch(const QString& name, const QString& menu, const QString& title,
                             const QKeySequence& usual, const QString& help, bool on,
                             std::function<void(bool)> run) {
    QAction* action = make(name, menu, title, usual, help);
    action->setCheckable(true);
    action->setChecked(on);
    connect(action, &QAction::toggled, this, [run = std::move(run)](bool now) { run(now); });
    return action;
}

QAction* Actions::find(const QString& name) const {
    auto found = std::ranges::find(entries_, name, &Entry::name);
    return found == entries_.end() ? nullptr : found->action;
}

void Actions::explain(QAction* action) {
    QString help = action->property("help").toString();
    QString plain = action->text();
    plain.remove('&').remove(QStringLiteral("…"));
    QString key = action->shortcut().toString(QKeySequence::NativeText);
    action->setToolTip(key.isEmpty() ? QString("<b>%1</b><br>%2").arg(plain, help)
                                     : QString("<b>%1</b> (%2)<br>%3").arg(plain, key, help));
    action->setStatusTip(help);
}

void Actions::set_key(const QString& name, const QKeySequence& key) {
    QSettings settings;
    for (Entry& entry : entries_) {
        bool meant = entry.name == name;
        bool loses = !meant && !key.isEmpty() && entry.action->shortcut() == key;
        if (!meant && !loses) continue;
        entry.action->setShortcut(meant ? key : QKeySequence());
        settings.setValue("keys/" + entry.name, entry.action->shortcut().toString());
        explain(entry.action);
    }
    Q_EMIT keys_changed();
}

void Actions::reset_keys() {
    QSettings().remove("keys");
    for (Entry& entry : entries_) {
        entry.action->setShortcut(entry.usual);
        explain(entry.action);
    }
    Q_EMIT keys_changed();
}

}  // namespace caprock::editor

#include "dialogs/keys_page.h"

#include "theme/icons.h"
#include "theme/theme.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace caprock::editor {

namespace {

// Takes one chord, at once. Qt's own waits a second for others: an action with two would have to wait likewise.
class KeyRecorder : public QKeySequenceEdit {
  protected:
    void keyPressEvent(QKeyEvent* event) override {
        int key = event->key();
        bool modifier = key == Qt::Key_Shift || key == Qt::Key_Control || key == Qt::Key_Alt ||
                        key == Qt::Key_Meta || key == Qt::Key_AltGr || key == Qt::Key_unknown || key == 0;
        if (modifier) return;
        if (key == Qt::Key_Escape && event->modifiers() == Qt::NoModifier) return event->ignore();
        Qt::KeyboardModifiers held = event->modifiers() & ~(Qt::KeypadModifier | Qt::GroupSwitchModifier);
        // An exclamation mark has been shifted already.
        QString text = event->text();
        bool sign = !text.isEmpty() && text[0].isPrint() && !text[0].isLetterOrNumber() && !text[0].isSpace();
        if (sign) held &= ~Qt::ShiftModifier;
        setKeySequence(QKeySequence(QKeyCombination(held, Qt::Key(key))));
    }
    void keyReleaseEvent(QKeyEvent*) override {}
};

}  // namespace

QString plain_title(const QString& text) {
    QString plain = text;
    return plain.remove('&').remove(QStringLiteral("…"));
}

KeysPage::KeysPage(Actions& actions, QWidget* parent) : QWidget(parent), actions_(actions) {
    search_ = new QLineEdit;
    search_->setObjectName("keys.search");
    search_->setPlaceholderText(tr("Search actions and keys"));
    search_->setToolTip(tr("Shows only actions whose name, menu or key contains this."));
    search_->setClearButtonEnabled(true);
    search_->addAction(icon("search"), QLineEdit::LeadingPosition);

    list_ = new QTreeWidget;
    list_->setObjectName("keys.list");
    list_->setToolTip(tr("Click an action, then press the key it shall have."));
    list_->setColumnCount(3);
    list_->setHeaderLabels({tr("Action"), tr("Menu"), tr("Key")});
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setAlternatingRowColors(true);
    list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    list_->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    list_->header()->setStretchLastSection(false);

    chosen_title_ = new QLabel;
    chosen_title_->setObjectName("keys.chosen");
    record_ = new KeyRecorder;
    record_->setObjectName("keys.record");
    record_->setToolTip(tr("Press the keys together, for example Ctrl+Shift+D."));
    set_ = new QPushButton(tr("Set"));
    set_->setObjectName("keys.set");
    set_->setToolTip(tr("Gives the action this key. Another action that has it loses it."));
    usual_ = new QPushButton(tr("Usual"));
    usual_->setObjectName("keys.usual");
    usual_->setToolTip(tr("Gives the action the key it came with."));
    none_ = new QPushButton(tr("None"));
    none_->setObjectName("keys.none");
    none_->setToolTip(tr("Leaves the action without a key."));
    note_ = new QLabel;
    note_->setObjectName("keys.note");
    note_->setWordWrap(true);
    set_tone(note_, "warning");
    note_->setMinimumHeight(note_->fontMetrics().height());
    auto* reset = new QPushButton(icon("reset"), tr("Reset all keys"));
    reset->setObjectName("keys.reset");
    reset->setToolTip(tr("Every action gets the key it came with."));

    auto* buttons = new QHBoxLayout;
    buttons->addWidget(record_, 1);
    buttons->addWidget(set_);
    buttons->addWidget(usual_);
    buttons->addWidget(none_);
    auto* last = new QHBoxLayout;
    last->addWidget(note_, 1);
    last->addWidget(reset);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(search_);
    column->addWidget(list_, 1);
    column->addWidget(chosen_title_);
    column->addLayout(buttons);
    column->addLayout(last);

    connect(search_, &QLineEdit::textChanged, this, &KeysPage::filter);
    connect(list_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        choose(item ? item->data(0, Qt::UserRole).toString() : QString());
    });
    connect(list_, &QTreeWidget::itemClicked, this, [this] { record_->setFocus(); });
    connect(record_, &QKeySequenceEdit::keySequenceChanged, this, [this] { judge(); });
    connect(set_, &QPushButton::clicked, this, [this] { set(record_->keySequence()); });
    connect(none_, &QPushButton::clicked, this, [this] { set({}); });
    connect(usual_, &QPushButton::clicked, this, [this] {
        auto entry = std::ranges::find(actions_.all(), chosen_, &Actions::Entry::name);
        if (entry != actions_.all().end()) set(entry->usual);
    });
    connect(reset, &QPushButton::clicked, this, [this] {
        actions_.reset_keys();
        Q_EMIT changed();
    });
    connect(&actions_, &Actions::keys_changed, this, &KeysPage::fill);
    fill();
}

void KeysPage::fill() {
    QString chosen = chosen_;
    list_->clear();
    for (const Actions::Entry& entry : actions_.all()) {
        auto* item = new QTreeWidgetItem(list_);
        item->setSizeHint(0, {0, fontMetrics().height() + 10});
        item->setText(0, plain_title(entry.action->text()));
        item->setText(1, QString(entry.menu).replace('/', QStringLiteral(" › ")));
        item->setText(2, entry.action->shortcut().toString(QKeySequence::NativeText));
        item->setData(0, Qt::UserRole, entry.name);
        item->setToolTip(0, entry.action->property("help").toString());
        if (entry.action->shortcut() != entry.usual) {
            QFont bold = font();
            bold.setBold(true);
            item->setFont(2, bold);
            item->setToolTip(
                2, tr("Came with: %1")
                       .arg(entry.usual.isEmpty() ? tr("no key")
                                                  : entry.usual.toString(QKeySequence::NativeText)));
        }
        if (entry.name == chosen) list_->setCurrentItem(item);
    }
    if (chosen.isEmpty() && list_->topLevelItemCount() > 0) list_->setCurrentItem(list_->topLevelItem(0));
    filter(search_->text());
    judge();
}

void KeysPage::filter(const QString& text) {
    for (int row = 0; row < list_->topLevelItemCount(); row++) {
        QTreeWidgetItem* item = list_->topLevelItem(row);
        bool shown = text.isEmpty();
        for (int column = 0; column < 3; column++)
            shown = shown || item->text(column).contains(text, Qt::CaseInsensitive);
        item->setHidden(!shown);
    }
}

void KeysPage::choose(const QString& name) {
    if (name.isEmpty()) return;
    chosen_ = name;
    QAction* action = actions_.find(name);
    chosen_title_->setText(tr("Key for <b>%1</b>").arg(plain_title(action->text()).toHtmlEscaped()));
    record_->setKeySequence(action->shortcut());
    judge();
}

QString KeysPage::owner_of(const QKeySequence& key) const {
    if (key.isEmpty()) return {};
    for (const Actions::Entry& entry : actions_.all())
        if (entry.name != chosen_ && entry.action->shortcut() == key)
            return plain_title(entry.action->text());
    return {};
}

void KeysPage::judge() {
    QAction* action = actions_.find(chosen_);
    for (QWidget* button : {static_cast<QWidget*>(set_), static_cast<QWidget*>(usual_),
                            static_cast<QWidget*>(none_), static_cast<QWidget*>(record_)})
        button->setEnabled(action != nullptr);
    if (!action) return;
    auto entry = std::ranges::find(actions_.all(), chosen_, &Actions::Entry::name);
    QKeySequence wanted = record_->keySequence();
    set_->setEnabled(wanted != action->shortcut());
    usual_->setEnabled(action->shortcut() != entry->usual);
    none_->setEnabled(!action->shortcut().isEmpty());
    QString owner = owner_of(wanted);
    note_->setText(owner.isEmpty() ? QString()
                                   : tr("%1 belongs to “%2”, which would lose it.")
                                         .arg(wanted.toString(QKeySequence::NativeText), owner));
}

void KeysPage::set(const QKeySequence& key) {
    if (chosen_.isEmpty()) return;
    actions_.set_key(chosen_, key);
    choose(chosen_);
    Q_EMIT changed();
}

}  // namespace caprock::editor

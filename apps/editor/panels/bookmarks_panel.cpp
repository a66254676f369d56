#include "panels/bookmarks_panel.h"

#include "theme/theme.h"
#include "widgets/icon_button.h"
#include "widgets/invitation.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace caprock::editor {

namespace {

enum BookmarkColumn { name_column, key_column, bookmark_columns };

// Names can be changed, keys are looked at; they are set in the preferences.
class BookmarkRow : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override {
        if (index.column() != name_column) return nullptr;
        QWidget* editor = QStyledItemDelegate::createEditor(parent, option, index);
        editor->setObjectName("bookmarks_rename");
        return editor;
    }
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.column() != key_column) return;
        option->displayAlignment = Qt::AlignRight | Qt::AlignVCenter;
        if (!(option->state & QStyle::State_Selected))
            option->palette.setColor(QPalette::Text, muted_text(option->palette));
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        return {size.width() + (index.column() == key_column ? 8 : 0),
                std::max(size.height(), option.fontMetrics.height() + 8)};
    }
};

QString place_of(const Camera& camera) {
    auto whole = [](double number) { return QLocale().toString(std::round(number), 'f', 0); };
    double heading = std::fmod(std::fmod(camera.heading, 360) + 360, 360);
    return BookmarksPanel::tr("From x %1 m, y %2 m, %3 m high; looks %4° clockwise from north, %5° %6")
        .arg(whole(camera.position.x), whole(camera.position.y), whole(camera.position.z), whole(heading),
             whole(std::abs(camera.pitch)),
             camera.pitch <= 0 ? BookmarksPanel::tr("down") : BookmarksPanel::tr("up"));
}

}  // namespace

BookmarksPanel::BookmarksPanel(KeptBookmarks& bookmarks, Actions& actions, QWidget* parent)
    : QWidget(parent), bookmarks_(bookmarks), actions_(actions) {
    setObjectName("bookmarks_panel");
    notice_ = new QLabel;
    notice_->setObjectName("bookmarks_notice");
    notice_->setWordWrap(true);
    notice_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    list_ = new QTreeWidget;
    list_->setObjectName("bookmarks_list");
    list_->setAccessibleName(tr("Bookmarks"));
    list_->setColumnCount(bookmark_columns);
    list_->setHeaderHidden(true);
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setSelectionMode(QAbstractItemView::SingleSelection);
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list_->setExpandsOnDoubleClick(false);
    list_->setAllColumnsShowFocus(true);
    list_->setTextElideMode(Qt::ElideRight);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setContextMenuPolicy(Qt::CustomContextMenu);
    list_->setItemDelegate(new BookmarkRow(list_));
    list_->setMinimumHeight(60);
    list_->header()->setStretchLastSection(false);
    list_->header()->setSectionResizeMode(name_column, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(key_column, QHeaderView::ResizeToContents);
    list_->installEventFilter(this);
    stack_ = new ListOrInvitation(list_, "bookmarks_invitation", tr("How to begin"));

    add_ = icon_button("add", "bookmarks_add", tr("Bookmark this view"));
    go_ = icon_button("view-3d", "bookmarks_go", tr("Go to the chosen bookmark (Enter, or a double click)"));
    aim_ = icon_button("camera", "bookmarks_aim", tr("Set the chosen bookmark to the present view"));
    back_ = icon_button("undo", "bookmarks_back", tr("Take back the last change of the bookmarks"));
    remove_ = icon_button("remove", "bookmarks_remove", tr("Remove the chosen bookmark (Del)"));
    auto* row = new QHBoxLayout;
    row->setSpacing(2);
    row->addWidget(add_);
    row->addWidget(go_);
    row->addWidget(aim_);
    row->addStretch(1);
    row->addWidget(back_);
    row->addWidget(remove_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->setSpacing(6);
    layout->addWidget(notice_);
    layout->addWidget(stack_, 1);
    layout->addLayout(row);

    connect(add_, &QToolButton::clicked, this, &BookmarksPanel::add_wanted);
    connect(go_, &QToolButton::clicked, this, [this] { Q_EMIT go_wanted(chosen()); });
    connect(aim_, &QToolButton::clicked, this, [this] { Q_EMIT aim_wanted(chosen()); });
    connect(back_, &QToolButton::clicked, this, [this] { bookmarks_.take_back(); });
    connect(remove_, &QToolButton::clicked, this, &BookmarksPanel::remove);
    connect(list_, &QTreeWidget::itemDoubleClicked, this, [this] { Q_EMIT go_wanted(chosen()); });
    connect(list_, &QTreeWidget::currentItemChanged, this, &BookmarksPanel::enable_buttons);
    connect(list_, &QTreeWidget::customContextMenuRequested, this, &BookmarksPanel::ask);
    connect(list_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item) {
        if (filling_) return;
        QString from = item->data(name_column, Qt::UserRole).toString();
        QString to = item->text(name_column);
        // The list is made anew, which is no good while it tells of this item.
        QTimer::singleShot(0, this, [this, from, to] {
            bool renamed = bookmarks_.rename(from, to);
            show_all();
            choose(renamed ? KeptBookmarks::tidy(to) : from);
        });
    });
    connect(&bookmarks_, &KeptBookmarks::changed, this, [this] {
        refusal_.clear();
        show_all();
    });
    connect(&bookmarks_, &KeptBookmarks::failed, this, [this](const QString& message) {
        refusal_ = message;
        show_notice();
    });
    connect(&actions_, &Actions::keys_changed, this, &BookmarksPanel::show_keys);
    show_all();
}

QString BookmarksPanel::chosen() const {
    QTreeWidgetItem* item = list_->currentItem();
    return item ? item->data(name_column, Qt::UserRole).toString() : QString();
}

void BookmarksPanel::choose(const QString& name) {
    for (int row = 0; row < list_->topLevelItemCount(); row++) {
        QTreeWidgetItem* item = list_->topLevelItem(row);
        if (item->data(name_column, Qt::UserRole).toString() != name) continue;
        list_->setCurrentItem(item);
        list_->scrollToItem(item);
    }
}

bool BookmarksPanel::can_change() const {
    return bookmarks_.open() && !bookmarks_.read_only() && bookmarks_.trouble().isEmpty();
}

// ---- what is shown -----------------------------------------------------------------------------------------

void BookmarksPanel::show_all() {
    QString chosen_before = chosen();
    int row_before = list_->currentItem() ? list_->indexOfTopLevelItem(list_->currentItem()) : -1;
    filling_ = true;
    list_->clear();
    for (const Bookmark& bookmark : bookmarks_.all()) {
        auto* item = new QTreeWidgetItem(list_);
        QString name = QString::fromStdString(bookmark.name);
        item->setText(name_column, name);
        item->setData(name_column, Qt::UserRole, name);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren |
                       (can_change() ? Qt::ItemIsEditable : Qt::NoItemFlags));
        for (int column = 0; column < bookmark_columns; column++)
            item->setToolTip(column, place_of(bookmark.camera));
    }
    filling_ = false;
    // Where the chosen one went, the next one takes its place.
    if (bookmarks_.find(chosen_before))
        choose(chosen_before);
    else if (int count = list_->topLevelItemCount(); row_before >= 0 && count > 0)
        list_->setCurrentItem(list_->topLevelItem(std::min(row_before, count - 1)));
    show_keys();
    show_notice();
    enable_buttons();
}

void BookmarksPanel::show_keys() {
    filling_ = true;
    for (int row = 0; row < list_->topLevelItemCount(); row++) {
        QAction* action = actions_.find(QString("bookmark.go-%1").arg(row + 1));
        list_->topLevelItem(row)->setText(
            key_column, action ? action->shortcut().toString(QKeySequence::NativeText) : QString());
    }
    filling_ = false;
    QAction* add = actions_.find("bookmark.add");
    QString key = add ? add->shortcut().toString(QKeySequence::NativeText) : QString();
    stack_->set_words(!bookmarks_.open() ? tr("No document is open.")
                      : key.isEmpty()
                          ? tr("No bookmarks yet.\n\nTurn the scene to where you want to come back to and "
                               "press +.")
                          : tr("No bookmarks yet.\n\nTurn the scene to where you want to come back to and "
                               "press + or %1.")
                                .arg(key));
    add_->setToolTip(key.isEmpty() ? tr("Bookmark this view") : tr("Bookmark this view (%1)").arg(key));
}

void BookmarksPanel::show_notice() {
    QString text, why;
    const char* tone = "warning";
    if (!bookmarks_.trouble().isEmpty()) {
        text = tr("%1. Until it is put right or moved away, bookmarks cannot be kept.")
                   .arg(bookmarks_.trouble());
        why = tr("What is wrong with the file beside the document");
    } else if (!refusal_.isEmpty()) {
        text = refusal_;
        why = tr("Why the last thing was not done");
    } else if (bookmarks_.read_only()) {
        text =
            tr("This document is open for reading only: you can go to its bookmarks, but not change them.");
        why = tr("Why the bookmarks can only be looked at");
        tone = "muted";
    }
    notice_->setText(text);
    notice_->setToolTip(why);
    set_tone(notice_, tone);
    notice_->setVisible(!text.isEmpty());
    // Nothing is known of what is in a file that cannot be read: it is no invitation to begin.
    bool inviting = bookmarks_.all().empty() && bookmarks_.trouble().isEmpty() && !bookmarks_.read_only();
    stack_->invite(inviting);
}

void BookmarksPanel::enable_buttons() {
    bool one = !chosen().isEmpty();
    // With a file that was put right meanwhile it works again, so that asking is what finds out.
    add_->setEnabled(bookmarks_.open() && !bookmarks_.read_only());
    go_->setEnabled(one);
    aim_->setEnabled(one && can_change());
    remove_->setEnabled(one && can_change());
    QString last = bookmarks_.last_change();
    back_->setEnabled(can_change() && !last.isEmpty());
    back_->setToolTip(last.isEmpty() ? tr("Take back the last change of the bookmarks")
                                     : tr("Take back: %1").arg(last));
}

// ---- what is asked for -------------------------------------------------------------------------------------

void BookmarksPanel::rename() {
    QTreeWidgetItem* item = list_->currentItem();
    if (!item || !can_change()) return;
    refusal_.clear();
    show_notice();
    list_->editItem(item, name_column);
}

void BookmarksPanel::remove() {
    if (QString name = chosen(); !name.isEmpty() && can_change()) bookmarks_.remove(name);
}

void BookmarksPanel::ask(const QPoint& place) {
    if (!list_->itemAt(place)) return;
    QString name = chosen();
    auto* menu = new QMenu(this);
    menu->setObjectName("bookmarks_menu");
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    auto entry = [&](const QString& title, const QString& help, bool possible, auto run) {
        QAction* action = menu->addAction(title);
        action->setToolTip(help);
        action->setEnabled(possible);
        connect(action, &QAction::triggered, this, run);
    };
    entry(tr("Go there"), tr("The scene is shown from there."), true,
          [this, name] { Q_EMIT go_wanted(name); });
    entry(tr("Set to the present view"), tr("It keeps its name and its place in the list."), can_change(),
          [this, name] { Q_EMIT aim_wanted(name); });
    entry(tr("Rename"), tr("Give it another name (F2)."), can_change(), [this] { rename(); });
    entry(tr("Copy as command"), tr("The command that draws a picture from there, for a terminal."), true,
          [this, name] { Q_EMIT copy_wanted(name); });
    menu->addSeparator();
    entry(tr("Remove"), tr("It can be taken back."), can_change(), [this] { remove(); });
    menu->popup(list_->viewport()->mapToGlobal(place));
}

bool BookmarksPanel::eventFilter(QObject* watched, QEvent* event) {
    bool key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (watched != list_ || !key) return QWidget::eventFilter(watched, event);
    // In the list these are the list's: Delete must not remove a layer.
    auto* pressed = static_cast<QKeyEvent*>(event);
    if (pressed->modifiers() & ~Qt::KeypadModifier) return false;
    bool do_it = event->type() == QEvent::KeyPress;
    switch (pressed->key()) {
        case Qt::Key_Delete:
            if (do_it) remove();
            break;
        case Qt::Key_F2:
            if (do_it) rename();
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (do_it && !chosen().isEmpty()) Q_EMIT go_wanted(chosen());
            break;
        default:
            return false;
    }
    event->accept();
    return true;
}

}  // namespace caprock::editor

#include "dialogs/command_palette.h"

#include "dialogs/fuzzy_match.h"
#include "dialogs/keys_page.h"
#include "theme/icons.h"
#include "theme/theme.h"

#include <QAction>
#include <QApplication>
#include <QGraphicsDropShadowEffect>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QSettings>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QVBoxLayout>
#include <algorithm>

namespace caprock::editor {

namespace {

constexpr int most_remembered = 8;
constexpr int most_shown = 200;
constexpr int rows_shown = 10;
constexpr int row_height = 30;

enum PaletteRole { entry_role = Qt::UserRole, places_role, place_role, key_role, possible_role };

// Title with its matched letters, then where it is found, then the key.
class PaletteRow : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {100, row_height};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const QPalette& colours = option.palette;
        bool chosen = option.state & QStyle::State_Selected;
        bool possible = index.data(possible_role).toBool();
        QColor ground = colours.color(QPalette::Base);
        QColor text = colours.color(possible ? QPalette::Active : QPalette::Disabled, QPalette::Text);
        QRect row = option.rect.adjusted(4, 1, -4, -1);
        if (chosen) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(between(ground, colours.color(QPalette::Active, QPalette::Highlight), 0.25));
            painter->drawRoundedRect(row, 4, 4);
        }
        QRect inner = row.adjusted(10, 0, -10, 0);
        QColor faint =
            between(ground, colours.color(QPalette::Active, QPalette::Text), possible ? 0.62 : 0.4);

        QString key = index.data(key_role).toString();
        if (!key.isEmpty()) {
            int width = option.fontMetrics.horizontalAdvance(key) + 12;
            QRect cap(inner.right() - width, inner.center().y() - 9, width, 19);
            painter->setBrush(Qt::NoBrush);
            painter->setPen(between(ground, colours.color(QPalette::Active, QPalette::Text), 0.25));
            painter->drawRoundedRect(QRectF(cap).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
            painter->setPen(faint);
            painter->drawText(cap, Qt::AlignCenter, key);
            inner.setRight(cap.left() - 10);
        }

        QString title = index.data(Qt::DisplayRole).toString();
        QTextLayout layout(title, option.font);
        QList<QTextLayout::FormatRange> marks;
        for (const QVariant& place : index.data(places_role).toList()) {
            QTextLayout::FormatRange mark;
            mark.start = place.toInt();
            mark.length = 1;
            mark.format.setForeground(possible ? colours.color(QPalette::Active, QPalette::Highlight) : text);
            mark.format.setFontWeight(QFont::Bold);
            marks << mark;
        }
        layout.setFormats(marks);
        layout.beginLayout();
        QTextLine line = layout.createLine();
        line.setLineWidth(inner.width());
        layout.endLayout();
        painter->setPen(text);
        painter->setClipRect(inner);
        layout.draw(painter, QPointF(inner.left(), inner.center().y() + 0.5 - line.height() / 2));
        int used = int(line.naturalTextWidth()) + 14;
        QRect rest = inner.adjusted(used, 0, 0, 0);
        if (rest.width() > 40) {
            painter->setPen(faint);
            painter->drawText(rest, Qt::AlignRight | Qt::AlignVCenter,
                              option.fontMetrics.elidedText(index.data(place_role).toString(), Qt::ElideRight,
                                                            rest.width()));
        }
        painter->restore();
    }
};

QStringList remembered() { return QSettings().value("palette/recent").toStringList(); }

void remember(const QString& name) {
    QStringList recent = remembered();
    recent.removeAll(name);
    recent.prepend(name);
    QSettings().setValue("palette/recent", QStringList(recent.mid(0, most_remembered)));
}

}  // namespace

CommandPalette::CommandPalette(Actions& actions, QWidget* window)
    : QFrame(window), actions_(actions), window_(window) {
    setObjectName("palette");
    set_tone(this, "card");
    setAutoFillBackground(true);
    line_ = new QLineEdit;
    line_->setObjectName("palette.line");
    line_->setPlaceholderText(tr("Search commands"));
    line_->setToolTip(tr("A few letters of what you want to do."));
    line_->setClearButtonEnabled(true);
    line_->addAction(icon("search"), QLineEdit::LeadingPosition);
    line_->setMinimumHeight(30);
    line_->installEventFilter(this);
    list_ = new QListWidget;
    list_->setObjectName("palette.list");
    list_->setToolTip(tr("Enter does the chosen one."));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setItemDelegate(new PaletteRow(list_));
    list_->setUniformItemSizes(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setMouseTracking(true);
    nothing_ = new QLabel(tr("Nothing has these letters."));
    nothing_->setObjectName("palette.nothing");
    nothing_->setContentsMargins(12, 6, 12, 10);
    set_tone(nothing_, "muted");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 6);
    column->setSpacing(6);
    column->addWidget(line_);
    column->addWidget(list_);
    column->addWidget(nothing_);
    auto* shadow = new QGraphicsDropShadowEffect(this);
    shadow->setBlurRadius(28);
    shadow->setOffset(0, 6);
    shadow->setColor(QColor(0, 0, 0, 120));
    setGraphicsEffect(shadow);
    hide();

    window_->installEventFilter(this);
    connect(line_, &QLineEdit::textChanged, this, &CommandPalette::list);
    connect(list_, &QListWidget::itemEntered, list_,
            [this](QListWidgetItem* item) { list_->setCurrentItem(item); });
    connect(list_, &QListWidget::itemClicked, this, &CommandPalette::run_current);
}

void CommandPalette::gather() {
    entries_.clear();
    for (const Actions::Entry& action : actions_.all()) {
        PaletteEntry entry;
        entry.name = action.name;
        entry.title = plain_title(action.action->text());
        entry.place = QString(action.menu).replace('/', QStringLiteral(" › "));
        entry.key = action.action->shortcut().toString(QKeySequence::NativeText);
        entry.help = action.action->property("help").toString();
        if (!action.action->isEnabled()) {
            entry.reason = action.action->property("reason").toString();
            if (entry.reason.isEmpty()) entry.reason = tr("not possible now");
        }
        entry.run = [trigger = action.action] { trigger->trigger(); };
        entries_.push_back(std::move(entry));
    }
    if (!extras_) return;
    for (PaletteEntry& entry : extras_()) entries_.push_back(std::move(entry));
}

void CommandPalette::list() {
    struct Found {
        size_t entry;
        int score;
        std::vector<int> places;
    };
    std::vector<Found> found;
    const QString letters = line_->text().trimmed();
    const QStringList words = letters.split(' ', Qt::SkipEmptyParts);
    const QStringList recent = remembered();
    for (size_t i = 0; i < entries_.size(); i++) {
        const PaletteEntry& entry = entries_[i];
        FuzzyMatch title = fuzzy_match(entry.title, letters);
        // A key is meant when it is typed, not when its letters are in it somewhere.
        bool by_key = !letters.isEmpty() && entry.key.contains(letters, Qt::CaseInsensitive);
        // Menus by whole words: letters strewn over both would find everything.
        bool by_words = !letters.isEmpty() && std::ranges::all_of(words, [&](const QString& word) {
            return entry.place.contains(word, Qt::CaseInsensitive) ||
                   entry.title.contains(word, Qt::CaseInsensitive);
        });
        if (!title.found && !by_words && !by_key) continue;
        int score = title.found ? title.score + 4 : 0;
        if (by_key) score += letters.size() > 1 ? 40 : 4;
        // Used lately: enough to be first among equals.
        auto used = recent.indexOf(entry.name);
        if (used >= 0) score += letters.isEmpty() ? 1000 - int(used) : 14 - int(used);
        if (!entry.reason.isEmpty()) score -= 6;
        found.push_back({i, score, title.found ? title.places : std::vector<int>()});
    }
    std::ranges::stable_sort(found, std::greater{}, &Found::score);
    if (found.size() > size_t(most_shown)) found.resize(most_shown);

    list_->clear();
    for (const Found& one : found) {
        const PaletteEntry& entry = entries_[one.entry];
        auto* item = new QListWidgetItem(entry.title, list_);
        QVariantList places;
        for (int place : one.places) places << place;
        item->setData(entry_role, qulonglong(one.entry));
        item->setData(places_role, places);
        item->setData(place_role, entry.reason.isEmpty() ? entry.place : entry.reason);
        item->setData(key_role, entry.key);
        item->setData(possible_role, entry.reason.isEmpty());
        item->setToolTip(entry.reason.isEmpty() ? entry.help : entry.help + "\n" + entry.reason);
    }
    list_->setVisible(!found.empty());
    nothing_->setVisible(found.empty());
    list_->setFixedHeight(std::clamp(int(found.size()), 1, rows_shown) * row_height + 4);
    if (!found.empty()) list_->setCurrentRow(0);
    place_in_window();
}

void CommandPalette::open(const QString& letters) {
    gather();
    {
        QSignalBlocker quiet(line_);
        line_->setText(letters);
    }
    list();
    show();
    raise();
    line_->setFocus(Qt::ShortcutFocusReason);
}

void CommandPalette::close_palette() {
    if (!isVisible()) return;
    bool had_focus = line_->hasFocus();
    hide();
    if (had_focus) window_->setFocus(Qt::OtherFocusReason);
    Q_EMIT closed();
}

void CommandPalette::place_in_window() {
    int width = std::min(620, window_->width() - 40);
    setFixedWidth(std::max(width, 200));
    adjustSize();
    move((window_->width() - this->width()) / 2, std::max(8, window_->height() / 10));
}

void CommandPalette::step(int by) {
    int count = list_->count();
    if (count == 0) return;
    int row = list_->currentRow() + by;
    // Single steps go round, pages stop at the ends.
    if (std::abs(by) == 1)
        row = (row + count) % count;
    else
        row = std::clamp(row, 0, count - 1);
    list_->setCurrentRow(row);
}

void CommandPalette::run_current() {
    QListWidgetItem* item = list_->currentItem();
    if (!item || !item->data(possible_role).toBool()) return;
    PaletteEntry entry = entries_[size_t(item->data(entry_role).toULongLong())];
    close_palette();
    remember(entry.name);
    if (entry.run) entry.run();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == window_ && event->type() == QEvent::Resize && isVisible()) place_in_window();
    if (watched != line_) return QFrame::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut) {
        // A click elsewhere; a menu of the line itself is none.
        auto* focus = static_cast<QFocusEvent*>(event);
        if (focus->reason() != Qt::PopupFocusReason && focus->reason() != Qt::ActiveWindowFocusReason)
            close_palette();
        return false;
    }
    // Keys of the list are none of the window's.
    bool key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (!key) return false;
    auto* pressed = static_cast<QKeyEvent*>(event);
    bool do_it = event->type() == QEvent::KeyPress;
    switch (pressed->key()) {
        case Qt::Key_Escape:
            if (do_it) close_palette();
            break;
        case Qt::Key_Up:
            if (do_it) step(-1);
            break;
        case Qt::Key_Down:
            if (do_it) step(1);
            break;
        case Qt::Key_PageUp:
            if (do_it) step(-rows_shown);
            break;
        case Qt::Key_PageDown:
            if (do_it) step(rows_shown);
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (do_it) run_current();
            break;
        default:
            return false;
    }
    event->accept();
    return true;
}

}  // namespace caprock::editor
